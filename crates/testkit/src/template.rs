//! Migrated databases that the tests of an executable copy. A copy takes less time than the migration of a new database.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Creates the SQLite file `to` as a copy of the file `template`. `migrate` creates the template if it is missing or older
/// than the executable of the tests, which contains the migrations. `migrate` must have closed the file when it returns.
pub fn copy_sqlite(template: &Path, to: &Path, migrate: impl FnOnce(&Path)) {
    if modified(template) < Some(built()) {
        let folder = template.parent().expect("a file is in a folder");
        let draft = tempfile::tempdir_in(folder).expect("a temporary folder");
        let path = draft.path().join("draft.db");
        migrate(&path);
        // Another process may do the same at this time. Each renames a whole file.
        fs::rename(path, template).expect("the template can be renamed");
    }
    fs::copy(template, to).expect("a copy of the template");
}

/// The time when the executable of this process was built.
pub(crate) fn built() -> SystemTime {
    let executable = std::env::current_exe().expect("the executable has a path");
    modified(&executable).expect("the executable has a time")
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}
