//! The migrations are compiled in, so a change to one has to compile this crate again.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
