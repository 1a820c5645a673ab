use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use bolts_kernel::Currency;
use bolts_ledger::Account;
use bolts_ports::{Job, Need, NewUser, Queries, Result, Store, StoreError, Tx, Verdict};
use bolts_store_diesel::{PostgresOptions, PostgresStore};
use bolts_testkit::postgres::{Cluster, Database};
use bolts_testkit::{Scene, lanes, run, terms};

use super::support::{TestStore, options};

/// A job that runs a function and sends the result of the job through a channel.
struct Task<F>(F, Sender<Result<()>>);

impl<F: FnMut(&mut dyn Tx) -> Result<Verdict> + Send> Job for Task<F> {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        (self.0)(tx)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        drop(self.1.send(outcome));
        // A panic in the receiver of the answer must not stop the writer.
        panic!("on purpose");
    }
}

fn enqueue(
    store: &PostgresStore,
    work: impl FnMut(&mut dyn Tx) -> Result<Verdict> + Send + 'static,
) -> Receiver<Result<()>> {
    let (sender, receiver) = channel();
    store.enqueue(Box::new(Task(work, sender)));
    receiver
}

fn put(store: &PostgresStore, name: &'static str) -> Result<()> {
    run::<_, StoreError, _>(store, move |tx| tx.settings().put(name, "1"))
}

fn setting(store: &PostgresStore, name: &'static str) -> Option<String> {
    run::<_, StoreError, _>(store, move |tx| tx.settings().get(name)).unwrap()
}

#[test]
fn a_panic_affects_only_its_own_job() {
    let store = TestStore::with(PostgresOptions { writers: 1, ..options() });
    let answer = enqueue(&store, |tx| {
        tx.settings().put("half", "1")?;
        panic!("on purpose")
    });
    assert_eq!(answer.recv().unwrap(), Err(StoreError::Broken("a job panicked: on purpose".to_owned())));
    put(&store, "after").unwrap();
    assert_eq!((setting(&store, "half"), setting(&store, "after").as_deref()), (None, Some("1")));
}

#[test]
fn jobs_that_lock_in_opposite_orders_both_succeed() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let store = TestStore::with(PostgresOptions { batch: 1, ..options() });
    put(&store, "a").unwrap();
    put(&store, "b").unwrap();
    let have_first = Arc::new(AtomicUsize::new(0));
    let both = |first: &'static str, then: &'static str| {
        let (have_first, mut is_first_run) = (have_first.clone(), true);
        enqueue(&store, move |tx| {
            RUNS.fetch_add(1, Ordering::SeqCst);
            tx.settings().put(first, "2")?;
            if std::mem::take(&mut is_first_run) {
                have_first.fetch_add(1, Ordering::SeqCst);
                let begun = Instant::now();
                while have_first.load(Ordering::SeqCst) < 2 && begun.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            tx.settings().put(then, "2")?;
            Ok(Verdict::Keep)
        })
    };
    let (one, other) = (both("a", "b"), both("b", "a"));
    assert_eq!((one.recv().unwrap(), other.recv().unwrap()), (Ok(()), Ok(())));
    assert!(RUNS.load(Ordering::SeqCst) > 2, "PostgreSQL broke the deadlock, and a job was run again");
}

#[test]
fn a_job_waits_a_limited_time_for_a_lock_of_another_program() {
    let store = TestStore::with(PostgresOptions { lock_timeout: Duration::from_millis(50), ..options() });
    put(&store, "a").unwrap();
    let mut raw = store.raw();
    raw.run("BEGIN; UPDATE settings SET value = 'kept' WHERE name = 'a'");
    let begun = Instant::now();
    let answer = put(&store, "a").unwrap_err();
    assert!(matches!(answer, StoreError::Unavailable(_)), "{answer}");
    assert!(begun.elapsed() > Duration::from_millis(8 * 50));
    raw.run("COMMIT");
    put(&store, "a").unwrap();
}

#[test]
fn a_full_queue_answers_at_once_and_dropping_finishes_it() {
    let database = Database::new();
    let few = PostgresOptions { writers: 1, queue: 2, ..options() };
    let store = PostgresStore::open(database.url(), few).unwrap();
    let (release, wait) = channel::<()>();
    let (started, running) = channel();
    let held = enqueue(&store, move |_| {
        started.send(()).unwrap();
        assert!(wait.recv().is_err());
        Ok(Verdict::Keep)
    });
    running.recv().unwrap();
    let keep = |tx: &mut dyn Tx| tx.settings().put("a", "1").map(|()| Verdict::Keep);
    let answers: Vec<_> = (0..3).map(|_| enqueue_quietly(&store, keep)).collect();
    let refused = answers[2].recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    drop(release);
    drop(store);
    assert_eq!(held.try_recv().unwrap(), Ok(()));
    assert_eq!((answers[0].try_recv().unwrap(), answers[1].try_recv().unwrap()), (Ok(()), Ok(())));
}

/// A store with one writer thread, which is busy with a job until the returned sender is dropped.
fn held(options: PostgresOptions) -> (TestStore, Sender<()>) {
    let store = TestStore::with(PostgresOptions { writers: 1, ..options });
    let release = hold(&store);
    (store, release)
}

/// Keeps a writer thread busy with a job until the returned sender is dropped.
pub(super) fn hold(store: &PostgresStore) -> Sender<()> {
    let (release, wait) = channel::<()>();
    let (started, running) = channel();
    drop(enqueue_quietly(store, move |_| {
        started.send(()).unwrap();
        assert!(wait.recv().is_err());
        Ok(Verdict::Keep)
    }));
    running.recv().unwrap();
    release
}

/// The sign-up is not committed yet when another user wants its address.
#[test]
fn an_address_of_a_sign_up_under_way_is_taken() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let (id, at) = (scene.id(), scene.now());
    let bob = NewUser { id, email: "bob@example.com".to_owned(), password_hash: "hash".to_owned(), at };
    let (release, wait) = channel::<()>();
    let (started, running) = channel();
    let signed_up = enqueue_quietly(&store, move |tx| {
        assert!(tx.users().insert(&bob)?);
        started.send(()).unwrap();
        assert!(wait.recv().is_err());
        Ok(Verdict::Keep)
    });
    running.recv().unwrap();
    let (sender, changed) = channel();
    let confirmed = enqueue_quietly(&store, move |tx| {
        sender.send(tx.contacts().set_email(ann, "bob@example.com")?).unwrap();
        Ok(Verdict::Keep)
    });
    let waits = "SELECT 'yes' AS value FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE datname = current_database() AND NOT granted";
    let mut raw = store.raw();
    let begun = Instant::now();
    while raw.values(waits).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the new address waits for the sign-up");
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(release);
    assert_eq!((signed_up.recv().unwrap(), confirmed.recv().unwrap()), (Ok(()), Ok(())));
    assert_eq!(changed.recv(), Ok(false));
}

#[test]
fn users_take_turns_at_the_writers() {
    let (store, release) = held(options());
    lanes::users_take_turns(&*store, || drop(release));
}

#[test]
fn a_user_who_fills_the_queue_keeps_nobody_out() {
    let (store, release) = held(PostgresOptions { queue: 64, ..options() });
    lanes::a_full_queue_has_room_for_others(&*store, 64, || drop(release));
}

/// Like [`enqueue`], but the receiver of the answer does not panic. A refused job gets its answer on the
/// thread of the test, so a panic there would fail the test.
pub(super) fn enqueue_quietly(
    store: &PostgresStore,
    work: impl FnMut(&mut dyn Tx) -> Result<Verdict> + Send + 'static,
) -> Receiver<Result<()>> {
    enqueue_needing(store, None, work)
}

/// Like [`enqueue_quietly`], for a job that names its first rows.
pub(super) fn enqueue_needing(
    store: &PostgresStore,
    need: Option<Need>,
    work: impl FnMut(&mut dyn Tx) -> Result<Verdict> + Send + 'static,
) -> Receiver<Result<()>> {
    struct Quiet<F>(Task<F>, Option<Need>);
    impl<F: FnMut(&mut dyn Tx) -> Result<Verdict> + Send> Job for Quiet<F> {
        fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
            self.0.run(tx)
        }

        fn done(self: Box<Self>, outcome: Result<()>) {
            drop(self.0.1.send(outcome));
        }

        fn need(&self) -> Option<Need> {
            self.1
        }
    }
    let (sender, receiver) = channel();
    store.enqueue(Box::new(Quiet(Task(work, sender), need)));
    receiver
}

#[test]
fn a_store_that_is_ready_after_an_outage_takes_jobs_at_once() {
    let cluster = Cluster::new();
    let store = PostgresStore::open(&cluster.database("bolts"), options()).unwrap();
    cluster.stop("immediate");
    let is_ready = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_ready.load(Ordering::SeqCst) {
                drop(put(&store, "b"));
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        cluster.start();
        while store.ready().is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let answer = put(&store, "a");
        is_ready.store(true, Ordering::SeqCst);
        assert_eq!(answer, Ok(()));
    });
}

/// Repeats the attempt while the database is not available. Fails after 30 s, and after any other error at once.
fn once_available<T>(attempt: impl Fn() -> Result<T>) -> T {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(StoreError::Unavailable(_)) if begun.elapsed() < Duration::from_secs(30) => {
                std::thread::sleep(Duration::from_millis(50));
            }
            answer => return answer.unwrap(),
        }
    }
}

#[test]
fn a_restart_of_the_database_server_causes_no_failure() {
    let cluster = Cluster::new();
    let store = PostgresStore::open(&cluster.database("bolts"), options()).unwrap();
    let ann = Scene::new(&store).user("ann");
    cluster.stop("fast");
    let begun = Instant::now();
    assert!(matches!(put(&store, "a"), Err(StoreError::Unavailable(_))));
    assert!(matches!(store.user(ann), Err(StoreError::Unavailable(_))));
    assert!(begun.elapsed() < Duration::from_secs(8), "nothing hangs: {:?}", begun.elapsed());
    cluster.start();
    once_available(|| put(&store, "a"));
    assert!(once_available(|| store.user(ann)).is_some());
    // After this restart all connections of the store are broken, but the store has not used any of them yet.
    cluster.stop("immediate");
    cluster.start();
    // For a second after a test, the store uses a connection for queries without another test.
    std::thread::sleep(Duration::from_millis(1_100));
    for name in ["a", "b", "c", "d", "e", "f"] {
        put(&store, name).unwrap();
    }
    assert!(store.user(ann).unwrap().is_some());
}

#[test]
fn transfers_between_the_same_accounts_from_many_threads_lose_nothing() {
    let store = TestStore::with(PostgresOptions { writers: 8, ..options() });
    let scene = Scene::new(&*store);
    let users = ["ann", "bob", "cay"].map(|name| scene.user(name));
    let account = |index: usize| Account::Available(users[index % 3], Currency::Bolts);
    std::thread::scope(|scope| {
        for start in 0..8 {
            let store = &store;
            scope.spawn(move || {
                for round in 0..20 {
                    let wanted = [account(start + round), account(start + round + 1), account(start)];
                    let locked = run::<_, StoreError, _>(&**store, move |tx| tx.ledger().lock(&wanted));
                    assert_eq!(locked.unwrap(), [1_000; 3]);
                }
            });
        }
    });
}

/// Makes the next `times` inserts of a setting fail with this error code and this message.
fn fail_first(store: &TestStore, times: u32, code: &str, words: &str) {
    store.raw().run(&format!(
        "CREATE SEQUENCE tries;
         CREATE FUNCTION fail_first() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('tries') <= {times} THEN
                 RAISE EXCEPTION '{words}' USING ERRCODE = '{code}';
             END IF;
             RETURN NEW;
         END $$;
         CREATE TRIGGER fail_first BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION fail_first()"
    ));
}

fn tries(store: &TestStore) -> String {
    store.raw().values("SELECT CAST(last_value AS TEXT) AS value FROM tries").remove(0)
}

#[test]
fn contention_is_told_in_any_language() {
    for (code, words) in [
        ("40P01", "Verklemmung entdeckt"),
        ("55P03", "annulation de la requête à cause du délai écoulé pour l''obtention des verrous"),
        ("40001", "не удалось сериализовать доступ из-за параллельного изменения"),
    ] {
        let store = TestStore::new();
        fail_first(&store, 3, code, words);
        assert_eq!(put(&store, "a"), Ok(()), "{code}");
        assert_eq!((tries(&store).as_str(), setting(&store, "a").as_deref()), ("4", Some("1")));
    }
}

#[test]
fn contention_that_does_not_end_is_unavailable_in_any_language() {
    let store = TestStore::new();
    fail_first(&store, 1_000, "40P01", "Verklemmung entdeckt");
    assert_eq!(put(&store, "a"), Err(StoreError::Unavailable("Verklemmung entdeckt".to_owned())));
    assert_eq!(tries(&store), "8");
}

#[test]
fn a_rule_that_is_broken_is_told_at_once_by_its_code() {
    for code in ["23505", "23514", "23001"] {
        let store = TestStore::new();
        fail_first(&store, 1_000, code, "das geht nicht");
        assert_eq!(put(&store, "a"), Err(StoreError::Broken("das geht nicht".to_owned())), "{code}");
        assert_eq!(tries(&store), "1");
    }
    // The triggers of the schema also raise an error of class 23.
    let store = TestStore::new();
    store.raw().run(
        "CREATE TRIGGER refused BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION refuse('never')",
    );
    assert_eq!(put(&store, "a"), Err(StoreError::Broken("never".to_owned())));
}

/// The bet has other odds than the change that is written.
#[test]
fn a_wrong_position_is_refused_after_one_run() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let bet = scene.create(ann, terms());
    store.raw().run("SET session_replication_role = replica; UPDATE bets SET opponent_stake = 61");
    let side = bet.creator_side.opposite();
    let change = bet.accept(bob, side, scene.now()).expect("may be accepted");
    let runs = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&runs);
    let answer = enqueue_quietly(&store, move |tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        tx.bets().lock(change.bet.id)?;
        tx.bets().update(&change)?;
        Ok(Verdict::Keep)
    });
    let answer = answer.recv().unwrap();
    let is_refused = |why: &str| why.contains("a position is not what its bet says");
    assert!(matches!(&answer, Err(StoreError::Broken(why)) if is_refused(why)), "{answer:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

/// Waits until a connection of the store waits for a lock.
fn until_one_waits(store: &TestStore) {
    let begun = Instant::now();
    let waiting = "SELECT CAST(count(*) AS TEXT) AS value FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while store.raw().values(waiting) == ["0"] {
        assert!(begun.elapsed() < Duration::from_secs(30), "nobody waits");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn who_checks_credentials_waits_for_who_changes_them() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, now) = (scene.user("ann"), scene.now());
    let (changed, is_changed) = channel();
    let (go_on, told) = channel::<()>();
    let told = std::sync::Mutex::new(told);
    let change = enqueue_quietly(&store, move |tx| {
        tx.users().set_password(ann, "changed", None, now)?;
        changed.send(()).unwrap();
        told.lock().unwrap().recv().unwrap();
        tx.sessions().end_others(ann, None).map(|_| Verdict::Keep)
    });
    is_changed.recv().unwrap();
    let (found, finds) = channel();
    let sign_in = enqueue_quietly(&store, move |tx| {
        found.send(tx.users().lock_credentials(ann)?.unwrap().password_hash).unwrap();
        Ok(Verdict::Keep)
    });
    until_one_waits(&store);
    assert!(finds.try_recv().is_err(), "the sign-in must wait until the password change is committed");
    go_on.send(()).unwrap();
    assert_eq!((change.recv().unwrap(), sign_in.recv().unwrap()), (Ok(()), Ok(())));
    assert_eq!(finds.recv().unwrap(), "changed");
}
