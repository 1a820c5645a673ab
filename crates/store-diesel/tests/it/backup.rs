use bolts_ports::{Audit, Queries, WalletQueries as _};
use bolts_store_diesel::{BackupError, SqliteStore};
use bolts_testkit::{Scene, terms};

use crate::support::{TestStore, options};

/// A setting that only the copy gets.
const SETTING: (&str, &str) = ("withdrawals_paused", "this is a copy");

#[test]
fn a_backup_is_complete_and_can_be_opened() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    scene.accept(&scene.create(ann, terms()), bob);
    let to = store.path().with_file_name("copy.db");
    let before = store.user(ann).unwrap();
    store.backup(&to, SETTING).unwrap();
    scene.create(ann, terms());

    let copy = SqliteStore::open(&to, options()).unwrap();
    assert_eq!(copy.market_stats().unwrap().total_bets, 1);
    assert_eq!(store.market_stats().unwrap().total_bets, 2);
    assert_eq!(copy.user(ann).unwrap(), before);
    assert_eq!(copy.setting(SETTING.0).unwrap().as_deref(), Some(SETTING.1));
    assert_eq!(store.setting(SETTING.0).unwrap(), None);
    assert!(copy.audit().unwrap().iter().all(|check| check.violations.is_empty()));
    let left: Vec<_> =
        to.parent().unwrap().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("partial")), "{left:?}");
}

/// A backup that crashed leaves a file under the name of the unfinished copy. Somebody else may also have put a file or a link there, to
/// read the secrets of the copy.
#[cfg(unix)]
#[test]
fn a_backup_writes_to_a_file_of_its_own() {
    let store = TestStore::new();
    let (to, other) = (store.path().with_file_name("copy.db"), store.path().with_file_name("other"));
    std::fs::write(&other, "other").unwrap();
    std::os::unix::fs::symlink(&other, store.path().with_file_name("copy.db.partial")).unwrap();
    store.backup(&to, SETTING).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "other");
    assert!(to.symlink_metadata().unwrap().is_file());
}

#[test]
fn a_backup_overwrites_no_file() {
    let store = TestStore::new();
    let to = store.path().with_file_name("precious.txt");
    std::fs::write(&to, "precious").unwrap();
    assert!(matches!(store.backup(&to, SETTING), Err(BackupError::Exists(_))));
    assert_eq!(std::fs::read_to_string(&to).unwrap(), "precious");
    let nowhere = store.path().with_file_name("missing").join("copy.db");
    assert!(matches!(store.backup(&nowhere, SETTING), Err(BackupError::Write { .. })));
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_database_or_its_backup() {
    use std::os::unix::fs::PermissionsExt as _;

    let store = TestStore::new();
    let to = store.path().with_file_name("copy.db");
    store.backup(&to, SETTING).unwrap();
    for path in [store.path(), to] {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}
