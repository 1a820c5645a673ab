//! Makes cargo embed the web UI again after each build of the UI, and tells the program its commit.

#[path = "build/commit.rs"]
mod commit;

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=../../frontend/dist");
    println!("cargo:rerun-if-env-changed=BOLTS_COMMIT");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let named = env::var("BOLTS_COMMIT").ok().filter(|commit| !commit.is_empty());
    let found = named.or_else(|| {
        // A debug build does not look, because then every commit would build the program again.
        is_release.then(|| {
            commit::watched(&root)
                .iter()
                .for_each(|file| println!("cargo:rerun-if-changed={}", file.display()));
            commit::of(&root)
        })?
    });
    let unknown = if is_release { "unknown commit" } else { "debug build" };
    println!("cargo:rustc-env=BOLTS_COMMIT={}", found.as_deref().unwrap_or(unknown));
}
