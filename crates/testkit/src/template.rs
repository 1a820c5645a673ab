//! Migrated databases that the tests of an executable copy. A copy takes less time than the migration of a new database.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The time within which a dropped store must have closed its file. It is long because a busy machine is slow.
const CLOSED_WITHIN: Duration = Duration::from_secs(60);

/// The time after which the file is opened and closed once more.
const AGAIN: Duration = Duration::from_secs(2);

/// Creates the SQLite file `to` as a copy of the file `template`. `migrate` creates the template if it is missing or older
/// than the executable of the tests, which contains the migrations. `migrate` must let go of the file before it returns, and
/// may be called again with a migrated file.
pub fn copy_sqlite(template: &Path, to: &Path, migrate: impl Fn(&Path)) {
    if modified(template) < Some(built()) {
        let folder = template.parent().expect("a file is in a folder");
        let draft = tempfile::tempdir_in(folder).expect("a temporary folder");
        let path = draft.path().join("draft.db");
        migrate_and_close(&path, migrate);
        // Another process may do the same at this time. Each renames a whole file.
        fs::rename(path, template).expect("the template can be renamed");
    }
    fs::copy(template, to).expect("a copy of the template");
}

/// Migrates the file, and waits until its last connection is closed. A store's pool closes its connections on other
/// threads, after the store is dropped. The last connection moves the write-ahead log into the file and deletes the log. If
/// two connections close at the same moment, each may take the other one for open, and the log stays. Then the file is
/// opened and closed again.
fn migrate_and_close(database: &Path, migrate: impl Fn(&Path)) {
    let started = Instant::now();
    migrate(database);
    while !is_closed_within(AGAIN, database) {
        assert!(started.elapsed() < CLOSED_WITHIN, "{} stays open", database.display());
        migrate(database);
    }
}

fn is_closed_within(patience: Duration, database: &Path) -> bool {
    let log = database.with_extension("db-wal");
    let started = Instant::now();
    while log.exists() {
        if started.elapsed() > patience {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}

/// The time when the executable of this process was built.
pub(crate) fn built() -> SystemTime {
    let executable = std::env::current_exe().expect("the executable has a path");
    modified(&executable).expect("the executable has a time")
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}
