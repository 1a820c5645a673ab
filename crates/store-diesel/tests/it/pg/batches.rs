//! Jobs that share a transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bolts_bets::{Bet, NewBet, Outcome, Party, Side, Terms, Waits};
use bolts_kernel::{BetId, OperationId, UserId};
use bolts_ledger::Account;
use bolts_ports::{
    About, Audit, BetKey, Hint, IdempotencyKey, Need, Queries, Replay, Result, StoreError, Verdict,
};
use bolts_resolution::Answer;
use bolts_store_diesel::{PostgresOptions, PostgresStore};
use bolts_testkit::{Scene, bolts, terms};

use super::support::{TestStore, options};
use super::writers::{enqueue_needing, enqueue_quietly, hold};

/// Only a fault lets a test wait for so long.
const LONG: Duration = Duration::from_secs(60);

const ACCEPTED: &str = "bet_events WHERE kind = 'accepted'";

/// A store with one writer.
fn store() -> TestStore {
    TestStore::with(PostgresOptions { writers: 1, ..options() })
}

/// Enqueues a job in which the user accepts the bet. The job is refused if the bet is taken, or if the balance is too small.
fn accept(store: &PostgresStore, scene: &Scene<'_>, bet: &Bet, user: UserId) -> Receiver<Result<()>> {
    let (id, now, operation) = (bet.id, scene.now(), scene.id::<OperationId>());
    enqueue_needing(store, Some(Need::Stake(id, user)), move |tx| {
        let bet = tx.bets().lock_to_stake(&BetKey::Id(id), user)?.expect("the bet is there");
        let side = bet.creator_side.opposite();
        let stake = bet.stake_of(side);
        let Ok(change) = bet.accept(user, side, now) else { return Ok(Verdict::Discard) };
        let balances = tx.ledger().lock(&[Account::Available(user, stake.currency)])?;
        if balances.iter().any(|balance| *balance < stake.amount.get()) {
            return Ok(Verdict::Discard);
        }
        tx.bets().update(&change)?;
        let transfer = bolts_ledger::stake(change.bet.id, user, stake, operation, now).expect("a stake");
        tx.ledger().post(&[transfer])?;
        tx.achievements().standing(user)?;
        Ok(Verdict::Keep)
    })
}

/// Enqueues a job for each bet, in which the user in the same place accepts it.
fn accept_each(
    store: &PostgresStore,
    scene: &Scene<'_>,
    bets: &[Bet],
    users: &[UserId],
) -> Vec<Receiver<Result<()>>> {
    bets.iter().zip(users).map(|(bet, user)| accept(store, scene, bet, *user)).collect()
}

fn answer(job: &Receiver<Result<()>>) -> Result<()> {
    job.recv_timeout(LONG).expect("an answer")
}

fn acceptor(store: &TestStore, bet: &Bet) -> Option<UserId> {
    store.bet(&BetKey::Id(bet.id)).unwrap().unwrap().bet.acceptor()
}

/// The number of transactions that inserted these rows.
fn transactions(store: &TestStore, rows: &str) -> String {
    let sql = format!("SELECT CAST(count(DISTINCT CAST(xmin AS TEXT)) AS TEXT) AS value FROM {rows}");
    store.raw().values(&sql).remove(0)
}

fn assert_clean(store: &TestStore) {
    let violated: Vec<_> = store.audit().unwrap().into_iter().flat_map(|check| check.violations).collect();
    assert!(violated.is_empty(), "{violated:?}");
}

/// Bets by one user, and as many other users.
fn table(scene: &Scene<'_>, number: usize) -> (Vec<Bet>, Vec<UserId>) {
    let ann = scene.user("ann");
    let bets = (0..number).map(|_| scene.create(ann, terms())).collect();
    (bets, (0..number).map(|number| scene.user(&format!("user{number}"))).collect())
}

#[test]
fn jobs_that_wait_share_a_transaction() {
    let store = store();
    let scene = Scene::new(&*store);
    let (bets, users) = table(&scene, 8);
    let release = hold(&store);
    let jobs = accept_each(&store, &scene, &bets, &users);
    drop(release);
    assert!(jobs.iter().all(|job| answer(job).is_ok()));
    assert!(bets.iter().zip(&users).all(|(bet, user)| acceptor(&store, bet) == Some(*user)));
    assert_eq!(transactions(&store, ACCEPTED), "1");
    assert_clean(&store);
}

#[test]
fn a_job_sees_the_jobs_before_it_in_its_transaction() {
    let store = store();
    let scene = Scene::new(&*store);
    let (bets, users) = table(&scene, 3);
    scene.grant(bets[0].creator, 1_200);
    // A user has 1,000 Bolts, so only one of these bets can have this user.
    let high = Terms { stake: bolts(600), opponent_stake: bolts(600).amount, ..terms() };
    let high = [scene.create(bets[0].creator, high.clone()), scene.create(bets[0].creator, high)];
    let release = hold(&store);
    let taken = [accept(&store, &scene, &bets[0], users[0]), accept(&store, &scene, &bets[0], users[1])];
    let both = high.each_ref().map(|bet| accept(&store, &scene, bet, users[2]));
    drop(release);
    assert!(taken.iter().chain(&both).all(|job| answer(job).is_ok()));
    assert_eq!(acceptor(&store, &bets[0]), Some(users[0]));
    assert_eq!(high.each_ref().map(|bet| acceptor(&store, bet)), [Some(users[2]), None]);
    assert_eq!(transactions(&store, ACCEPTED), "1");
    assert_clean(&store);
}

/// Enqueues a job in which the user creates a bet. The job is refused if the balance is too small.
fn create(store: &PostgresStore, scene: &Scene<'_>, user: UserId, terms: Terms) -> Receiver<Result<()>> {
    let (id, now, operation) = (scene.id::<BetId>(), scene.now(), scene.id::<OperationId>());
    let stake = terms.stake;
    let new =
        NewBet { id, creator: user, creator_side: Side::A, terms, waits: Waits::default(), arbiter: None };
    enqueue_needing(store, Some(Need::NewBet(user, stake.currency)), move |tx| {
        let balances = tx.ledger().lock(&[Account::Available(user, stake.currency)])?;
        if balances.iter().any(|balance| *balance < stake.amount.get()) {
            return Ok(Verdict::Discard);
        }
        let created = Bet::create(new.clone(), now);
        tx.bets().insert(&created)?;
        tx.ledger().open(&[Account::Escrow(id, stake.currency)])?;
        tx.ledger().post(&[bolts_ledger::stake(id, user, stake, operation, now).expect("a stake")])?;
        let standing = tx.achievements().standing(user)?;
        assert!(standing.stats[stake.currency].total_bets > 0);
        assert_eq!(tx.bets().named(created.bet)?.creator.email, "ann@example.com");
        Ok(Verdict::Keep)
    })
}

/// The first job moves a stake too. The stakes of the others must wait for their bets and accounts.
#[test]
fn new_bets_share_a_transaction() {
    let store = store();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let bob = scene.user("bob");
    let taken = scene.create(ann, terms());
    let release = hold(&store);
    let high = Terms { stake: bolts(600), opponent_stake: bolts(600).amount, ..terms() };
    let mut jobs = vec![accept(&store, &scene, &taken, bob)];
    // The balance is enough for one of the last two bets.
    for terms in [terms(), terms(), high.clone(), high] {
        jobs.push(create(&store, &scene, ann, terms));
    }
    drop(release);
    assert!(jobs.iter().all(|job| answer(job) == Ok(())));
    let stakes = "SELECT CAST(stake AS TEXT) AS value FROM bets ORDER BY seq";
    let stake = terms().stake.amount.get().to_string();
    assert_eq!(store.raw().values(stakes), [&stake, &stake, &stake, "600"]);
    assert_eq!(transactions(&store, "bets WHERE acceptor_id IS NULL"), "1");
    assert_clean(&store);
}

/// The statements of one job are parts of one statement, in a batch too.
#[test]
fn a_new_bet_shares_its_transaction_with_a_job_without_changes() {
    let store = store();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let release = hold(&store);
    let jobs = [
        create(&store, &scene, ann, terms()),
        enqueue_quietly(&store, |tx| tx.users().admins().map(|_| Verdict::Keep)),
    ];
    drop(release);
    assert!(jobs.iter().all(|job| answer(job) == Ok(())));
    assert_eq!(store.raw().values("SELECT CAST(count(*) AS TEXT) AS value FROM bets"), ["1"]);
    assert_clean(&store);
}

/// The batch fails, because the sum of its counts is too high. Each job alone learns whether it may run.
#[test]
fn jobs_of_a_batch_count_towards_a_rate_limit() {
    let store = store();
    let scene = Scene::new(&*store);
    let (now, hour) = (scene.now(), Duration::from_secs(3_600));
    let release = hold(&store);
    let (allowed, seen) = channel();
    let counts = |number: usize, bucket: &'static str, limit: u32| -> Vec<Receiver<Result<()>>> {
        let job = |_| {
            let allowed = allowed.clone();
            enqueue_quietly(&store, move |tx| {
                let full = tx.throttles().count_rare(bucket, limit, now.before(hour), now)?;
                allowed.send((bucket, full.is_none())).expect("the test listens");
                Ok(if full.is_none() { Verdict::Keep } else { Verdict::Discard })
            })
        };
        (0..number).map(job).collect()
    };
    let jobs: Vec<_> = [counts(3, "a", 5), counts(4, "b", 2)].into_iter().flatten().collect();
    drop(release);
    assert!(jobs.iter().all(|job| answer(job) == Ok(())));
    assert_eq!(
        store.raw().values("SELECT bucket || CAST(tally AS TEXT) AS value FROM throttles ORDER BY bucket"),
        ["a3", "b2"]
    );
    let seen: Vec<_> = seen.try_iter().collect();
    let last_of_b = seen.iter().rfind(|(bucket, _)| *bucket == "b");
    assert_eq!(last_of_b, Some(&("b", false)));
}

/// Enqueues a job in which Bob consents to the proposal. Sends Ann's wins and her latest results to the test.
fn consent(
    store: &PostgresStore,
    scene: &Scene<'_>,
    bet: &Bet,
    seen: &Sender<(i64, Vec<bool>)>,
) -> Receiver<Result<()>> {
    let (id, now, operation, seen) = (bet.id, scene.now(), scene.id::<OperationId>(), seen.clone());
    enqueue_needing(store, Some(Need::Bet(id)), move |tx| {
        let bet = tx.bets().lock(id)?.expect("the bet is there");
        let (winner, bob) = (bet.creator, bet.acceptor().expect("a taken bet"));
        let change = bolts_resolution::respond(bet, bob, Answer::Accept, None, now).expect("allowed");
        tx.bets().update(&change)?;
        let pay_out = bolts_ledger::pay_out(id, winner, change.bet.pot(), operation, now);
        tx.ledger().post(&[pay_out.expect("a pot")])?;
        let wins = tx.achievements().standing(winner)?.stats[change.bet.terms.stake.currency].wins;
        drop(seen.send((wins, tx.achievements().latest_results(winner, 10)?)));
        Ok(Verdict::Keep)
    })
}

#[test]
fn settlements_of_a_batch_see_the_results_of_those_before_them() {
    let store = store();
    let scene = Scene::new(&*store);
    let (ann, bob, cay) = (scene.user("ann"), scene.user("bob"), scene.user("cay"));
    let accepted = |creator| scene.accept(&scene.create(creator, terms()), bob);
    scene.settle(&accepted(ann), Outcome::B);
    let bets = [ann, ann, cay].map(|creator| scene.propose(&accepted(creator), Party::Creator, Outcome::A));
    let (seen, wins) = channel();
    let release = hold(&store);
    let jobs = bets.each_ref().map(|bet| consent(&store, &scene, bet, &seen));
    drop(release);
    assert!(jobs.iter().all(|job| answer(job) == Ok(())));
    assert_eq!(
        wins.try_iter().collect::<Vec<_>>(),
        [(1, vec![true, false]), (2, vec![true, true, false]), (1, vec![true])]
    );
    assert_eq!(transactions(&store, "bets WHERE winning_side = 'A'"), "1");
    assert_clean(&store);
}

#[test]
fn a_job_sees_a_change_that_came_after_its_rows_were_read() {
    let store = store();
    let scene = Scene::new(&*store);
    let (bets, users) = table(&scene, 2);
    scene.grant(bets[0].creator, 4_000);
    let high = Terms { stake: bolts(1_500), opponent_stake: bolts(1_500).amount, ..terms() };
    let high = [(); 2].map(|()| scene.create(bets[0].creator, high.clone()));
    let gift = |user: UserId, is_last: bool| {
        let (now, operation) = (scene.now(), scene.id::<OperationId>());
        let grant = bolts_ledger::admin_grant(user, bolts(1_000).amount, operation, now).expect("a grant");
        enqueue_quietly(&store, move |tx| {
            tx.ledger().post(std::slice::from_ref(&grant))?;
            // After this statement, all rows that were read before are unknown.
            if is_last {
                tx.settings().put("a", "1")?
            };
            Ok(Verdict::Keep)
        })
    };
    let release = hold(&store);
    let jobs = [
        gift(users[0], false),
        accept(&store, &scene, &high[0], users[0]),
        gift(users[1], true),
        accept(&store, &scene, &high[1], users[1]),
    ];
    drop(release);
    assert!(jobs.iter().all(|job| answer(job) == Ok(())));
    assert_eq!(high.each_ref().map(|bet| acceptor(&store, bet)), [Some(users[0]), Some(users[1])]);
    assert_eq!(transactions(&store, ACCEPTED), "1");
    assert_clean(&store);
}

#[test]
fn a_job_that_refuses_its_changes_leaves_those_of_the_others() {
    let store = store();
    let scene = Scene::new(&*store);
    let (bets, users) = table(&scene, 2);
    let release = hold(&store);
    let before = accept(&store, &scene, &bets[0], users[0]);
    let refused = enqueue_quietly(&store, |tx| tx.settings().put("refused", "1").map(|()| Verdict::Discard));
    let broken = StoreError::Broken("on purpose".to_owned());
    let error = broken.clone();
    let failed = enqueue_quietly(&store, move |tx| {
        tx.settings().put("failed", "1")?;
        Err(error.clone())
    });
    let after = accept(&store, &scene, &bets[1], users[1]);
    drop(release);
    assert_eq!([&before, &refused, &failed, &after].map(answer), [Ok(()), Ok(()), Err(broken), Ok(())]);
    assert_eq!([0, 1].map(|place| acceptor(&store, &bets[place])), [Some(users[0]), Some(users[1])]);
    assert_eq!(
        store.raw().values("SELECT name AS value FROM settings WHERE name IN ('refused', 'failed')"),
        [""; 0]
    );
    assert_clean(&store);
}

#[test]
fn a_job_whose_rows_are_locked_does_not_hold_up_its_batch() {
    let store = store();
    let scene = Scene::new(&*store);
    let (bets, users) = table(&scene, 3);
    let mut raw = store.raw();
    raw.run(&format!("BEGIN; SELECT 1 FROM bets WHERE id = '{}' FOR UPDATE", bets[1].id));
    let release = hold(&store);
    let jobs = accept_each(&store, &scene, &bets, &users);
    drop(release);
    assert_eq!([&jobs[0], &jobs[2]].map(answer), [Ok(()), Ok(())]);
    assert!(jobs[1].try_recv().is_err());
    raw.run("COMMIT");
    assert_eq!(answer(&jobs[1]), Ok(()));
    assert_eq!(acceptor(&store, &bets[1]), Some(users[1]));
    assert_clean(&store);
}

/// Another transaction stores the key of the first job meanwhile. The second job reads this key.
#[test]
fn a_statement_that_fails_in_a_later_job_undoes_the_batch() {
    let store = store();
    let scene = Scene::new(&*store);
    let ann = scene.user("ann");
    let (reached, wait) = channel::<()>();
    let (resume, resumed) = channel::<()>();
    let release = hold(&store);
    let runs = Arc::<AtomicUsize>::default();
    let key = || IdempotencyKey {
        user: ann,
        route: "r".to_owned(),
        key: "k".to_owned(),
        body_hash: "b".to_owned(),
    };
    let first = {
        let (key, runs, now) = (key(), Arc::clone(&runs), scene.now());
        enqueue_quietly(&store, move |tx| {
            if tx.idempotency().known(&key, now)? != Replay::Fresh {
                return Ok(Verdict::Discard);
            }
            if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                reached.send(()).unwrap();
                resumed.recv().unwrap();
            }
            tx.outbox().enqueue(&[Hint { user: key.user, about: About::Balance }], now)?;
            tx.idempotency().store(&key, "first", now).map(|()| Verdict::Keep)
        })
    };
    let second = {
        let (key, now) = (key(), scene.now());
        enqueue_quietly(&store, move |tx| tx.idempotency().known(&key, now).map(|_| Verdict::Keep))
    };
    drop(release);
    wait.recv().unwrap();
    store.raw().run(&format!(
        "INSERT INTO idempotency (user_id, route, key, body_hash, answer, created_at)
         VALUES ('{ann}', 'r', 'k', 'b', 'other', {})",
        scene.now().micros()
    ));
    resume.send(()).unwrap();
    assert_eq!([&first, &second].map(answer), [Ok(()), Ok(())]);
    assert_eq!(runs.load(Ordering::SeqCst), 1, "the second run of the first job found the key");
    assert_eq!(store.raw().values("SELECT kind AS value FROM outbox"), [""; 0]);
    assert_eq!(store.raw().values("SELECT answer AS value FROM idempotency"), ["other"]);
}
