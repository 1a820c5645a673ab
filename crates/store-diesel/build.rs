//! The migrations are compiled into this crate, so a changed migration must trigger a new compilation.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
