//! Prints the OpenAPI document that the annotations of the handlers make. `just api` writes it to `frontend/openapi.json`.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    io::stdout().write_all(bolts_http::generated_document().as_bytes())
}
