//! Packs the OpenAPI document. The binary then contains the document, and not the code that makes it.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let document = "../../frontend/openapi.json";
    println!("cargo:rerun-if-changed={document}");
    let packed = Path::new(&env::var("OUT_DIR")?).join("openapi.json.gz");
    let mut encoder = GzEncoder::new(File::create(packed)?, Compression::best());
    encoder.write_all(&fs::read(document)?)?;
    encoder.finish()?;
    Ok(())
}
