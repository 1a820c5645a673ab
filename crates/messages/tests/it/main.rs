//! Tests of the rules of messages and pictures.

#![allow(clippy::unwrap_used, reason = "a failure in a helper should fail the test")]

mod deletion;
mod pictures;
mod support;
mod writing;
