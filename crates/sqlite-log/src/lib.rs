//! Makes SQLite write the frames of a transaction to its log (the file whose name ends with `-wal`) with few system calls.
//!
//! `log.c` has the code, because a file layer of SQLite is a table of C functions.

use std::ffi::c_int;
use std::sync::OnceLock;

use libsqlite3_sys::SQLITE_OK;

unsafe extern "C" {
    fn bolts_sqlite_log_install() -> c_int;
}

/// A statement that syncs the database file. It takes no lock of SQLite. If the disk fails, its error is 'disk I/O error'.
pub const SYNC: &str = "PRAGMA bolts_sync";

/// Installs the layer for all connections that this process opens from now on. Returns whether SQLite accepted it.
pub fn install() -> bool {
    static CODE: OnceLock<c_int> = OnceLock::new();
    // SAFETY: the function has no arguments, and it is called once. SQLite permits the registration of a layer while other
    // threads use connections.
    *CODE.get_or_init(|| unsafe { bolts_sqlite_log_install() }) == SQLITE_OK
}
