//! Tests of second factors.

mod passkey;
mod recovery;
mod totp;
