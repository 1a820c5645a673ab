use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bolts_ports::{Job, Result, Store, StoreError, Tx, Verdict};
use bolts_store_diesel::{SqliteOptions, SqliteStore};
use bolts_testkit::{lanes, run};

use crate::support::{Raw, TestStore, options};

/// A job that runs a function and sends the result of the job through a channel.
struct Task<F>(F, Sender<Result<()>>);

impl<F: FnMut(&mut dyn Tx) -> Result<Verdict> + Send> Job for Task<F> {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        (self.0)(tx)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        drop(self.1.send(outcome));
    }
}

fn enqueue(
    store: &SqliteStore,
    work: impl FnMut(&mut dyn Tx) -> Result<Verdict> + Send + 'static,
) -> Receiver<Result<()>> {
    let (sender, receiver) = channel();
    store.enqueue(Box::new(Task(work, sender)));
    receiver
}

/// Keeps the writer busy with a job until the returned sender sends a message or is dropped.
fn hold(store: &SqliteStore) -> Sender<()> {
    let (release, wait) = channel::<()>();
    let (started, running) = channel();
    enqueue(store, move |_| {
        started.send(()).unwrap();
        // Both a message and a dropped sender end the wait.
        let _ = wait.recv();
        Ok(Verdict::Keep)
    });
    running.recv().unwrap();
    release
}

fn setting(store: &SqliteStore, name: &'static str) -> Option<String> {
    run::<_, StoreError, _>(store, move |tx| tx.settings().get(name)).unwrap()
}

#[test]
fn queued_jobs_share_commits() {
    let store = TestStore::new();
    let release = hold(&store);
    let answers: Vec<_> = (0..100)
        .map(|number| {
            enqueue(&store, move |tx| {
                tx.settings().put(&format!("n{number}"), "1")?;
                Ok(Verdict::Keep)
            })
        })
        .collect();
    drop(release);
    for answer in answers {
        assert_eq!(answer.recv().unwrap(), Ok(()));
    }
    // Each commit adds at least two pages to the WAL, so 100 separate commits would make the WAL larger than
    // this limit.
    let wal = store.path().with_extension("db-wal").metadata().unwrap().len();
    assert!(wal < 100 * 2 * 4_096, "{wal} bytes are too many: a hundred commits write as much");
    assert_eq!(setting(&store, "n99").as_deref(), Some("1"));
}

#[test]
fn failed_jobs_in_a_batch_lose_only_their_own_changes() {
    let store = TestStore::new();
    let release = hold(&store);
    let put = |name: &'static str, then: fn() -> Result<Verdict>| {
        enqueue(&store, move |tx| {
            tx.settings().put(name, "1")?;
            then()
        })
    };
    let good = put("good", || Ok(Verdict::Keep));
    let panicking = put("panicking", || panic!("on purpose"));
    let refusing = put("refusing", || Ok(Verdict::Discard));
    let failing = put("failing", || Err(StoreError::Broken("on purpose".to_owned())));
    let last = put("last", || Ok(Verdict::Keep));
    drop(release);
    assert_eq!(good.recv().unwrap(), Ok(()));
    assert_eq!(panicking.recv().unwrap(), Err(StoreError::Broken("a job panicked: on purpose".to_owned())));
    assert_eq!(refusing.recv().unwrap(), Ok(()));
    assert_eq!(failing.recv().unwrap(), Err(StoreError::Broken("on purpose".to_owned())));
    assert_eq!(last.recv().unwrap(), Ok(()));
    let kept =
        ["good", "panicking", "refusing", "failing", "last"].map(|name| setting(&store, name).is_some());
    assert_eq!(kept, [true, false, false, false, true]);
}

#[test]
fn a_full_queue_answers_at_once() {
    let store = TestStore::with(SqliteOptions { queue: 2, ..options() });
    let release = hold(&store);
    let keep = |_: &mut dyn Tx| Ok(Verdict::Keep);
    let answers: Vec<_> = (0..3).map(|_| enqueue(&store, keep)).collect();
    let refused = answers[2].recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    drop(release);
    assert_eq!(answers[0].recv().unwrap(), Ok(()));
    assert_eq!(answers[1].recv().unwrap(), Ok(()));
}

#[test]
fn users_take_turns_at_the_writer() {
    let store = TestStore::with(SqliteOptions { batch: 8, ..options() });
    let release = hold(&store);
    lanes::users_take_turns(&*store, || drop(release));
}

#[test]
fn a_user_who_fills_the_queue_keeps_nobody_out() {
    let store = TestStore::with(SqliteOptions { queue: 64, ..options() });
    let release = hold(&store);
    lanes::a_full_queue_has_room_for_others(&*store, 64, || drop(release));
}

#[test]
fn dropping_the_store_finishes_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bolts.db");
    let store = SqliteStore::open(&path, SqliteOptions { batch: 7, ..options() }).unwrap();
    let release = hold(&store);
    let answers: Vec<_> = (0..50)
        .map(|number| {
            enqueue(&store, move |tx| {
                tx.settings().put(&format!("n{number}"), "1")?;
                Ok(Verdict::Keep)
            })
        })
        .collect();
    drop(release);
    drop(store);
    for answer in answers {
        assert_eq!(answer.try_recv().unwrap(), Ok(()));
    }
    let store = SqliteStore::open(&path, options()).unwrap();
    assert_eq!(setting(&store, "n49").as_deref(), Some("1"));
}

/// The thread that answers the job then drops the handle. This thread must not wait for its own end.
#[test]
fn a_job_may_hold_the_last_handle_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bolts.db");
    let store = Arc::new(SqliteStore::open(&path, options()).unwrap());
    let (go, wait) = channel::<()>();
    let held = store.clone();
    let answer = enqueue(&store, move |tx| {
        let _ = (&held, wait.recv());
        tx.settings().put("a", "1")?;
        Ok(Verdict::Keep)
    });
    drop(store);
    drop(go);
    assert_eq!(answer.recv().unwrap(), Ok(()));
    // The last connection removes the log when it is closed.
    let log = path.with_extension("db-wal");
    let has_ended = (0..500).any(|_| {
        sleep(Duration::from_millis(20));
        !log.exists()
    });
    assert!(has_ended, "a thread waits");
}

#[test]
fn a_job_waits_a_limited_time_for_the_lock_of_another_process() {
    let store = TestStore::with(SqliteOptions { busy_timeout: Duration::from_millis(50), ..options() });
    let mut raw = store.raw();
    raw.run("BEGIN IMMEDIATE");
    let begun = Instant::now();
    let answer = run::<_, StoreError, _>(&*store, |tx| tx.settings().put("a", "1")).unwrap_err();
    assert!(matches!(answer, StoreError::Unavailable(_)), "{answer}");
    assert!(begun.elapsed() > Duration::from_millis(5 * 50));
    raw.run("COMMIT");
    run::<_, StoreError, _>(&*store, |tx| tx.settings().put("a", "2")).unwrap();
    assert_eq!(setting(&store, "a").as_deref(), Some("2"));
}

#[test]
fn a_job_is_run_again_after_contention_a_limited_number_of_times() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let store = TestStore::new();
    let answer = enqueue(&store, |tx| {
        tx.settings().put("a", "1")?;
        RUNS.fetch_add(1, Ordering::SeqCst);
        Err(StoreError::Contention)
    });
    assert!(matches!(answer.recv().unwrap(), Err(StoreError::Unavailable(_))));
    assert_eq!(RUNS.load(Ordering::SeqCst), 1 + 5, "once without a savepoint, then with one");
    assert_eq!(setting(&store, "a"), None);
}

/// Readers share the lock of one connection. Another process that begins the log again waits for it, but not for long.
#[test]
fn another_process_can_begin_the_log_again() {
    let store = TestStore::new();
    let mut other = store.raw();
    let is_shared = (0..100).any(|number: i32| {
        run::<_, StoreError, _>(&*store, move |tx| tx.settings().put("a", &number.to_string())).unwrap();
        // The writer takes the lock after its answer.
        sleep(Duration::from_millis(20));
        !other.begins_log_again(Duration::ZERO)
    });
    assert!(is_shared, "no lock is held");
    assert!(other.begins_log_again(Duration::from_secs(60)));
}

/// A thread copies the log while the writer goes on, and the writer copies the rest. Otherwise the log of a busy store
/// would grow without limit.
#[test]
fn the_log_of_a_busy_store_begins_again() {
    const LONGEST: usize = 10_000;
    let store = TestStore::with(SqliteOptions { longest_log: i32::try_from(LONGEST).unwrap(), ..options() });
    (0..10 * LONGEST / 400).for_each(|number| write_pages(&store, number));
    let log = store.path().with_extension("db-wal").metadata().unwrap().len();
    // The thread notices a long log late on a busy machine. Without a new beginning the log would have 10 times LONGEST pages.
    assert!((4 * LONGEST as u64 * 4_096 / 5..8 * LONGEST as u64 * 4_096).contains(&log), "{log} bytes");
}

/// Writes 400 pages. SQLite does not write a page whose content stays the same.
fn write_pages(store: &SqliteStore, number: usize) {
    let text = number.to_string().repeat(400 * 4_096 / number.to_string().len());
    run::<_, StoreError, _>(store, move |tx| tx.settings().put(&format!("n{}", number % 7), &text)).unwrap();
}

/// An audit and a backup read for long, and a checkpoint copies no page that is newer than what they read.
#[test]
fn the_log_begins_again_after_a_long_reader() {
    let store = TestStore::with(SqliteOptions { longest_log: 2_000, ..options() });
    let mut reader = store.raw();
    reader.run("BEGIN; SELECT count(*) FROM settings");
    (0..20).for_each(|number| write_pages(&store, number));
    let mut other = store.raw();
    assert!(other.log_pages() > 6_000);
    reader.run("COMMIT");
    let begins_again = (20..220).any(|number| {
        sleep(Duration::from_millis(20));
        write_pages(&store, number);
        other.log_pages() < 2_000
    });
    assert!(begins_again);
}

/// After a failed sync, the log of a server that has ended may be only in the memory of the operating system.
#[test]
fn a_server_begins_with_an_empty_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bolts.db");
    drop(SqliteStore::open(&path, options()).unwrap());
    let mut other = Raw::open(&path);
    other.run("PRAGMA wal_autocheckpoint = 0; CREATE TABLE kept (id INTEGER)");
    let size = || path.with_extension("db-wal").metadata().unwrap().len();
    assert!(size() > 0);
    let _store = SqliteStore::open_for_server(&path, options()).unwrap();
    assert_eq!(size(), 0);
}
