//! The version of the program and the commit that it was built from.

/// Such as `0.2.0 (3f9c2d1a0b4e)`. A debug build has no commit, because each commit would build the program again.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BOLTS_COMMIT"), ")");
