//! Makes cargo embed the web UI anew whenever it was built anew.

fn main() {
    println!("cargo:rerun-if-changed=../../frontend/dist");
}
