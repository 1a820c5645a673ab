//! The frames of a transaction, which `bolts-sqlite-log` gathers, against a model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bolts_store_diesel::SqliteStore;
use bolts_testkit::full_disk;
use tempfile::TempDir;

use crate::support::{Raw, options};

const ROWS: u64 = 100;

/// A text that fills most of a page.
fn text(number: u64) -> String {
    format!("{number:08}").repeat(440)
}

/// Opens a copy of a database and its log, as they are while other connections use them. This is what a start after a crash sees.
fn restarted(database: &Path, folder: &Path) -> Raw {
    let copy = folder.join("copy.db");
    for extension in ["db", "db-wal"] {
        fs::copy(database.with_extension(extension), copy.with_extension(extension)).unwrap();
    }
    Raw::open(&copy)
}

/// Two connections that write in turn, and one that reads. Half of the sites have small caches: a transaction writes frames before
/// its commit, reads them, and writes them again. In the others all frames are written by the commit.
struct Site {
    folder: TempDir,
    writers: [Raw; 2],
    reader: Raw,
    random: fastrand::Rng,
    /// The number in each row.
    committed: BTreeMap<u64, u64>,
    last: u64,
}

impl Site {
    fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bolts.db");
        // The store installs the layer. It is closed, because it would hold the lock of readers.
        drop(SqliteStore::open(&path, options()).unwrap());
        let open = || {
            let mut raw = Raw::open(&path);
            let pages = if seed.is_multiple_of(2) { 10 } else { 1_000 };
            raw.run(&format!("PRAGMA cache_size = {pages}; PRAGMA synchronous = NORMAL"));
            raw
        };
        let mut writers = [open(), open()];
        writers[0].run("CREATE TABLE filled (id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT");
        let mut site = Self {
            writers,
            reader: open(),
            folder,
            random: fastrand::Rng::with_seed(seed),
            committed: BTreeMap::new(),
            last: 0,
        };
        site.writers[0].run("BEGIN");
        for row in 0..ROWS {
            site.writers[0].run(&format!("INSERT INTO filled VALUES ({row}, '{}')", text(row)));
        }
        site.writers[0].run("COMMIT");
        site.committed = (0..ROWS).map(|row| (row, row)).collect();
        site
    }

    /// Runs a transaction of some changes. Returns an error if a statement or the commit fails. Then nothing has changed.
    fn transact(&mut self) -> Result<(), String> {
        let writer = self.random.usize(..2);
        let mut rows = self.committed.clone();
        self.writers[writer].run("BEGIN IMMEDIATE");
        let done = self.change(writer, &mut rows).and_then(|()| {
            let is_kept = self.random.u8(..3) > 0;
            self.writers[writer].try_run(if is_kept { "COMMIT" } else { "ROLLBACK" }).map(|()| is_kept)
        });
        match done {
            Ok(true) => self.committed = rows,
            Ok(false) => (),
            // SQLite may have rolled back already.
            Err(_) => drop(self.writers[writer].try_run("ROLLBACK")),
        }
        done.map(drop)
    }

    fn change(&mut self, writer: usize, rows: &mut BTreeMap<u64, u64>) -> Result<(), String> {
        for _ in 0..self.random.usize(1..5) {
            let before = rows.clone();
            self.writers[writer].try_run("SAVEPOINT part")?;
            for _ in 0..self.random.usize(1..12) {
                let row = self.random.u64(..ROWS - 5);
                self.last += 1;
                let text = text(self.last);
                let set = format!("UPDATE filled SET value = '{text}' WHERE id BETWEEN {row} AND {row} + 4");
                self.writers[writer].try_run(&set)?;
                rows.range_mut(row..row + 5).for_each(|(_, number)| *number = self.last);
            }
            if self.random.u8(..4) == 0 {
                self.writers[writer].try_run("ROLLBACK TO part")?;
                *rows = before;
            }
            self.writers[writer].try_run("RELEASE part")?;
        }
        Ok(())
    }

    fn checkpoint(&mut self) {
        let kind = ["PASSIVE", "RESTART", "TRUNCATE"][self.random.usize(..3)];
        let by = self.random.usize(..2);
        self.writers[by].run(&format!("PRAGMA wal_checkpoint({kind})"));
    }

    /// Checks what each connection sees, and what one would see after the end of this process.
    fn check(&mut self) {
        let wanted: Vec<String> = self.committed.values().map(|number| text(*number)).collect();
        let folder = tempfile::tempdir().unwrap();
        let mut restarted = restarted(&self.folder.path().join("bolts.db"), folder.path());
        for raw in self.writers.iter_mut().chain([&mut self.reader, &mut restarted]) {
            // Not `assert_eq!`, which would print a megabyte.
            let found = raw.values("SELECT value FROM filled ORDER BY id");
            assert!(found == wanted, "other rows than the committed ones");
        }
        assert_eq!(restarted.values("SELECT integrity_check AS value FROM pragma_integrity_check"), ["ok"]);
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("bolts.db-wal")
    }
}

#[test]
fn another_connection_sees_committed_transactions_and_no_others() {
    for seed in 0..4 {
        let mut site = Site::new(seed);
        for _ in 0..60 {
            site.transact().unwrap();
            site.check();
            if site.random.u8(..3) == 0 {
                site.checkpoint();
                site.check();
            }
        }
    }
}

/// Another connection writes to the same place of the log. The reads after it must not write what was rolled back.
#[test]
fn the_frames_of_a_transaction_that_is_rolled_back_are_forgotten() {
    let mut site = Site::new(0);
    let [first, second] = &mut site.writers;
    first.run("PRAGMA wal_checkpoint(TRUNCATE); BEGIN IMMEDIATE");
    first.run(&format!("UPDATE filled SET value = '{}' WHERE id < 30; ROLLBACK", text(1_000)));
    second.run(&format!("UPDATE filled SET value = '{}' WHERE id < 40", text(2_000)));
    site.committed.range_mut(..40).for_each(|(_, number)| *number = 2_000);
    site.check();
}

/// Returns true in a process in which a write beyond the limit gives an error and no signal. Elsewhere, runs the test in such a
/// process and returns false.
fn runs_without_signal(test: &str) -> bool {
    const NAME: &str = "BOLTS_TEST_WITHOUT_SIGNAL";
    if std::env::var_os(NAME).is_some() {
        return true;
    }
    let program = std::env::current_exe().unwrap();
    let done = full_disk::without_signal(program).args(["--exact", test]).env(NAME, "1").output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[test]
fn a_transaction_whose_write_fails_changes_nothing() {
    if !runs_without_signal("log::a_transaction_whose_write_fails_changes_nothing") {
        return;
    }
    let mut failed = 0;
    for seed in 0..4 {
        let mut site = Site::new(seed);
        for _ in 0..80 {
            let size = fs::metadata(site.log()).unwrap().len();
            full_disk::limit_files(std::process::id(), Some(size + site.random.u64(..400_000)));
            if let Err(error) = site.transact() {
                assert_eq!(error, "disk I/O error");
                failed += 1;
            }
            full_disk::limit_files(std::process::id(), None);
            site.check();
            if site.random.u8(..3) == 0 {
                site.checkpoint();
                site.check();
            }
        }
    }
    assert!(failed > 20, "{failed} transactions failed");
}

/// If a disk can spoil the bytes beside those that it writes, SQLite repeats the last frame of a transaction up to the end of a
/// sector, and writes a part of it after the sync.
#[test]
fn a_log_with_repeated_frames_keeps_each_transaction() {
    let site = Site::new(0);
    let path = |name: &str| site.folder.path().join(name);
    let mut raw = Raw::open(format!("file:{}?psow=0", path("small.db").display()).as_ref());
    raw.run("PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
    raw.run("CREATE TABLE rows (value BLOB NOT NULL) STRICT");
    (0..200)
        .for_each(|number| raw.run(&format!("INSERT INTO rows VALUES (zeroblob({}))", number * 37 % 400)));
    let mut restarted = restarted(&path("small.db"), site.folder.path());
    assert_eq!(restarted.values("SELECT CAST(count(*) AS TEXT) AS value FROM rows"), ["200"]);
}

/// The number of system calls of this thread that wrote.
fn writes() -> u64 {
    let said = fs::read_to_string("/proc/thread-self/io").unwrap();
    said.lines().find_map(|line| line.strip_prefix("syscw: ")).unwrap().parse().unwrap()
}

#[test]
fn a_transaction_of_many_pages_is_written_at_once() {
    let mut site = Site::new(1);
    let writer = &mut site.writers[0];
    writer.run("BEGIN IMMEDIATE");
    for row in 0..ROWS {
        writer.run(&format!("UPDATE filled SET value = '{}' WHERE id = {row}", text(1_000)));
    }
    let before = writes();
    writer.run("COMMIT");
    let writes = writes() - before;
    // The first header is written alone. Then each write has 29 frames.
    assert!(writes <= 6, "{writes} writes for {ROWS} pages");
}
