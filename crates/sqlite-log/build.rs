//! Compiles `log.c` with the header of the bundled SQLite.

fn main() {
    println!("cargo:rerun-if-changed=src/log.c");
    // libsqlite3-sys says where its header is.
    let headers = std::env::var_os("DEP_SQLITE3_INCLUDE").expect("libsqlite3-sys bundles SQLite");
    cc::Build::new().file("src/log.c").include(headers).compile("bolts_sqlite_log");
}
