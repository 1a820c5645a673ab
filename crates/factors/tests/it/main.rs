//! Tests of second factors.

mod recovery;
mod totp;
