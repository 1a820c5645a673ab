//! Tests of opening a PostgreSQL database, and of hints between processes.

use std::collections::HashSet;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use bolts_ports::{About, Fanout, Hint, Queries, StoreError};
use bolts_store_diesel::{OpenError, PostgresStore};
use bolts_testkit::postgres::{Cluster, Database};
use bolts_testkit::{Scene, run};

use super::support::{Raw, TestStore, options};

#[test]
fn several_processes_may_open_a_new_database_at_once() {
    let database = Database::new();
    std::thread::scope(|scope| {
        let open = || PostgresStore::open(database.url(), options()).map(drop);
        let opened: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        for opening in opened {
            opening.join().unwrap().unwrap();
        }
    });
    let applied = Raw::open(database.url()).values("SELECT version AS value FROM __diesel_schema_migrations");
    let migrations = std::fs::read_dir("../../migrations/postgresql").unwrap().count();
    assert_eq!(applied.len(), migrations, "each was applied once");
}

/// A statement that waits for a table holds up all who come after it.
#[test]
fn a_migration_lets_others_read_while_it_waits_for_a_table() {
    let store = TestStore::new();
    let (mut raw, mut audit) = (store.raw(), store.raw());
    raw.run(include_str!("../../../../../migrations/postgresql/2026-11-28-000050_moves_of_a_batch/down.sql"));
    raw.run("DELETE FROM __diesel_schema_migrations WHERE version = '20261128000050'");
    raw.run("SET statement_timeout = '20s'");
    audit.run("BEGIN; LOCK TABLE transfers IN ACCESS SHARE MODE");
    let url = store.url().to_owned();
    let opened = std::thread::spawn(move || PostgresStore::open(&url, options()).map(drop));
    let waits = "SELECT 'yes' AS value FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE datname = current_database() AND relation = 'transfers'::regclass AND NOT granted";
    let begun = Instant::now();
    while raw.values(waits).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20) && !opened.is_finished(), "the migration waits");
        std::thread::sleep(Duration::from_millis(1));
    }
    raw.run("SELECT count(*) FROM transfers");
    audit.run("COMMIT");
    opened.join().unwrap().unwrap();
}

#[test]
fn a_newer_database_is_refused() {
    let store = TestStore::new();
    store.raw().run("INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')");
    for opened in
        [PostgresStore::open(store.url(), options()), PostgresStore::open_read_only(store.url(), options())]
    {
        let error = opened.map(drop).unwrap_err();
        assert!(matches!(&error, OpenError::Newer(version) if version == "29990101000000"), "{error}");
    }
}

#[test]
fn reading_only_changes_nothing() {
    let database = Database::new();
    let error = PostgresStore::open_read_only(database.url(), options()).map(drop).unwrap_err();
    assert!(matches!(error, OpenError::Older(_)), "{error}");
    let tables = "SELECT relname::TEXT AS value FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    assert!(Raw::open(database.url()).values(tables).is_empty());

    let store = TestStore::new();
    let ann = Scene::new(&*store).user("ann");
    let reading = PostgresStore::open_read_only(store.url(), options()).unwrap();
    assert!(reading.user(ann).unwrap().is_some());
    let refused: Result<_, StoreError> = run(&reading, move |tx| tx.users().view(ann));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
}

#[test]
fn a_database_in_another_encoding_is_refused() {
    let database = Database::new();
    let mut raw = Raw::open(database.url());
    raw.run("DROP DATABASE IF EXISTS test_latin");
    raw.run("CREATE DATABASE test_latin TEMPLATE template0 ENCODING 'LATIN1'");
    let (before, place) = database.url().split_once('?').unwrap();
    let name = before.rsplit_once('/').unwrap().1;
    let latin = format!("{}?{place}", before.replace(name, "test_latin"));
    let error = PostgresStore::open(&latin, options()).map(drop).unwrap_err();
    assert!(matches!(&error, OpenError::Encoding(encoding) if encoding == "LATIN1"), "{error}");
    raw.run("DROP DATABASE test_latin WITH (FORCE)");
}

#[test]
fn hints_reach_every_process_and_again_after_an_outage() {
    let cluster = Cluster::new();
    let url = cluster.database("bolts");
    let (one, other) =
        (PostgresStore::open(&url, options()).unwrap(), PostgresStore::open(&url, options()).unwrap());
    let ((heard, hints), (connected, connections)) = (channel(), channel());
    let listen = |store: &PostgresStore, ear: u8| {
        let (heard, connected) = (heard.clone(), connected.clone());
        let hear = move |hints: &[Hint]| hints.iter().for_each(|hint| heard.send((ear, *hint)).unwrap());
        store.listen(hear, move || connected.send(ear).unwrap()).unwrap()
    };
    let _listening = [listen(&one, 1), listen(&other, 2)];
    let fanout = one.fanout().unwrap();
    let hint = Hint { user: "1".repeat(32).parse().unwrap(), about: About::Sessions };
    for outage in [false, true] {
        if outage {
            cluster.stop("fast");
            cluster.start();
        }
        // Each listener reports its new connection, because hints may have been lost before it.
        let mut connected = HashSet::new();
        while connected.len() < 2 {
            connected.insert(connections.recv_timeout(Duration::from_secs(60)).unwrap());
        }
        // A hint from before the outage does not count.
        hints.try_iter().for_each(drop);
        let (begun, mut ears) = (Instant::now(), Vec::new());
        // A hint may be lost. So the test publishes the hint until both listeners have received it.
        while !(ears.contains(&1) && ears.contains(&2)) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{ears:?}");
            fanout.publish(&[hint]);
            while let Ok((ear, heard)) = hints.recv_timeout(Duration::from_millis(200)) {
                assert_eq!(heard, hint);
                ears.push(ear);
            }
        }
    }
}

/// The test servers have `synchronous_commit` off.
#[test]
fn a_job_commits_with_synchronous_commit() {
    let store = TestStore::new();
    let mut raw = store.raw();
    raw.run(
        "CREATE TABLE seen (value TEXT NOT NULL);
         CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
         CREATE TRIGGER see AFTER INSERT OR UPDATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION see()",
    );
    assert_eq!(raw.values("SELECT current_setting('synchronous_commit') AS value"), ["off"]);
    run::<_, StoreError, _>(&*store, |tx| tx.settings().put("a", "1")).unwrap();
    assert_eq!(raw.values("SELECT DISTINCT value FROM seen"), ["on"]);
}
