//! Tests of opening a SQLite database: a new file, a newer schema, a damaged file, and opening for reading
//! only.

use bolts_kernel::{Currency, UserId};
use bolts_ports::{Queries, StoreError};
use bolts_store_diesel::{OpenError, SqliteStore};
use bolts_testkit::{Scene, run, terms};

use crate::support::{Raw, TestStore, options};

#[test]
fn data_is_kept_when_the_database_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a folder").join("in a folder").join("bolts.db");
    let (ann, bet) = {
        let store = SqliteStore::open(&path, options()).unwrap();
        let scene = Scene::new(&store);
        let ann = scene.user("ann");
        (ann, scene.create(ann, terms()))
    };
    let store = SqliteStore::open(&path, options()).unwrap();
    let view = store.bet(&bolts_ports::BetKey::Id(bet.id)).unwrap().unwrap();
    assert_eq!(view.bet, bet);
    assert_eq!(store.user(ann).unwrap().unwrap().balances[Currency::Bolts].get(), 900);
}

#[test]
fn two_processes_may_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // Two connections rarely switch to WAL at the same instant, so the test uses 20 files.
    for attempt in 0..20 {
        let path = folder.path().join(format!("{attempt}.db"));
        std::thread::scope(|scope| {
            let opened: Vec<_> =
                (0..4).map(|_| scope.spawn(|| SqliteStore::open(&path, options()).map(drop))).collect();
            for opening in opened {
                opening.join().unwrap().unwrap();
            }
        });
    }
}

#[test]
fn a_newer_database_is_refused() {
    let store = TestStore::new();
    store.raw().run("INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')");
    for opened in
        [SqliteStore::open(&store.path(), options()), SqliteStore::open_read_only(&store.path(), options())]
    {
        let error = opened.map(drop).unwrap_err();
        assert!(matches!(&error, OpenError::Newer(version) if version == "29990101000000"), "{error}");
    }
}

#[test]
fn reading_only_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.db");
    let error = SqliteStore::open_read_only(&missing, options()).map(drop).unwrap_err();
    assert!(matches!(error, OpenError::Missing(_)));
    assert!(!missing.exists());

    let empty = folder.path().join("empty.db");
    Raw::open(&empty).run("CREATE TABLE other (id INTEGER)");
    let error = SqliteStore::open_read_only(&empty, options()).map(drop).unwrap_err();
    assert!(matches!(error, OpenError::Older(_)), "{error}");

    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let reading = SqliteStore::open_read_only(&store.path(), options()).unwrap();
    assert!(reading.user(ann).unwrap().is_some());
    let refused: Result<_, StoreError> = run(&reading, move |tx| tx.users().view(ann));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
}

#[test]
fn a_file_that_is_not_a_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.txt");
    std::fs::write(&path, "Dear reader, this is a letter and no database at all.".repeat(40)).unwrap();
    let error = SqliteStore::open(&path, options()).map(drop).unwrap_err();
    assert!(matches!(error, OpenError::Store(_)), "{error}");
    let folder_itself = SqliteStore::open(folder.path(), options()).map(drop);
    assert!(folder_itself.is_err());
}

#[test]
fn a_damaged_row_is_named() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let bet = scene.create(ann, terms());
    let mut raw = store.raw();
    raw.lift_all_rules();
    raw.run("UPDATE bets SET category = 'Gossip'");
    let words = format!("bets.category of {} holds a value that this program does not know", bet.id);
    let error = store.bet(&bolts_ports::BetKey::Id(bet.id)).unwrap_err();
    assert_eq!(error, StoreError::Broken(words));
    raw.run(&format!("UPDATE bets SET category = 'Sports', expires_at = {}", i64::MAX));
    let error = run(&*store, move |tx| tx.bets().lock(bet.id)).unwrap_err();
    assert!(error.to_string().contains("bets.expires_at"), "{error}");
    raw.run("UPDATE users SET id = 'nobody'");
    assert!(store.user("0".repeat(32).parse::<UserId>().unwrap()).unwrap().is_none());
}
