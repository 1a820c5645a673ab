//! Makes cargo embed the web UI again after each build of the UI.

fn main() {
    println!("cargo:rerun-if-changed=../../frontend/dist");
}
