//! Tests of the rules of messages and pictures.

mod deletion;
mod pictures;
mod support;
mod writing;
