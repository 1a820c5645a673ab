use std::io::{Write, stdout};

use crate::Failure;

/// Prints the OpenAPI 3.1 document.
pub(crate) fn run() -> Result<(), Failure> {
    stdout()
        .write_all(bolts_http::document().as_bytes())
        .map_err(|error| Failure::answer(format!("cannot write: {error}")))
}
