//! Contract of jobs: the store keeps all changes of a job or none, and answers after the commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use bolts_bets::{Bet, NewBet, Side, Waits};
use bolts_kernel::{BetId, Currency, Timestamp, UserId};
use bolts_ledger::Account;
use bolts_ports::{JobError, NewUser, Queries, RateLimitState, Result, StoreError, Tx, Verdict};

use super::{Subject, enqueue, keep, read, setting, shown};
use crate::Scene;
use crate::fixtures::{run, start, terms};

const BUCKET: &str = "trace";

#[derive(Debug, PartialEq)]
enum Refused {
    OnPurpose,
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl JobError for Refused {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::OnPurpose => None,
            Self::Store(error) => Some(error),
        }
    }
}

/// The rows that a test's job writes to several repositories.
#[derive(Clone)]
struct Trace {
    user: NewUser,
    bet: NewBet,
}

impl Trace {
    fn of(scene: &Scene<'_>, name: &str) -> Self {
        let creator = scene.id::<UserId>();
        let (email, password_hash) = (format!("{name}@example.com"), "hash".to_owned());
        let user = NewUser { id: creator, email, password_hash, at: scene.now() };
        let id = scene.id::<BetId>();
        let bet = NewBet {
            id,
            creator,
            creator_side: Side::A,
            terms: terms(),
            waits: Waits::default(),
            arbiter: None,
        };
        Self { user, bet }
    }

    fn leave(&self, tx: &mut dyn Tx) -> Result<()> {
        let at = self.user.at;
        assert!(tx.users().insert(&self.user)?, "nothing of an earlier run is left");
        tx.ledger().open(&[Account::Available(self.user.id, Currency::Bolts)])?;
        tx.bets().insert(&Bet::create(self.bet.clone(), at))?;
        tx.throttles().put(BUCKET, RateLimitState { count: 1, since: at, last: at })?;
        tx.settings().put(&self.user.email, "left")
    }

    fn is_complete(&self, store: &dyn Subject) -> bool {
        let there = self.found(store);
        assert!(there.iter().all(|part| *part == there[0]), "kept whole or not at all: {there:?}");
        there[0]
    }

    fn found(&self, store: &dyn Subject) -> [bool; 4] {
        let (email, user) = (self.user.email.clone(), self.user.id);
        let (value, credentials) =
            keep(store, move |tx| Ok((tx.settings().get(&email)?, tx.users().credentials(&email)?)));
        [
            read(Queries::user(store, user)).is_some(),
            credentials.is_some(),
            shown(store, self.bet.id).is_some(),
            value.is_some(),
        ]
    }
}

/// When the answer of a job arrives, every query sees the job's changes.
pub fn kept_work_is_visible_when_the_answer_comes(store: &dyn Subject) {
    read(store.ready());
    let scene = Scene::new(store);
    for name in ["ann", "bob", "cay"] {
        let trace = Trace::of(&scene, name);
        let copy = trace.clone();
        let outcome = enqueue(store, move |tx| copy.leave(tx).map(|()| Verdict::Keep)).outcome();
        assert_eq!(outcome, Ok(()));
        assert!(trace.is_complete(store));
    }
}

/// Each repository of a job sees what the other repositories of the job wrote, before the commit.
pub fn the_repositories_of_a_job_share_its_transaction(store: &dyn Subject) {
    let scene = Scene::new(store);
    let trace = Trace::of(&scene, "ann");
    let copy = trace.clone();
    let (creator, credentials) = keep(store, move |tx| {
        copy.leave(tx)?;
        let bet = tx.bets().lock(copy.bet.id)?.expect("the bet is seen in its own job");
        Ok((tx.bets().named(bet)?.creator, tx.users().credentials(&copy.user.email)?))
    });
    assert_eq!(creator.email, "ann@example.com");
    assert_eq!(credentials.map(|found| found.user), Some(trace.user.id));
}

/// If a job refuses its action, the store undoes the changes of the job. The caller gets the refusal.
pub fn a_refusing_job_leaves_nothing(store: &dyn Subject) {
    let trace = Trace::of(&Scene::new(store), "ann");
    let copy = trace.clone();
    let answer: std::result::Result<(), Refused> = run(store, move |tx| {
        copy.leave(tx)?;
        Err(Refused::OnPurpose)
    });
    assert_eq!(answer, Err(Refused::OnPurpose));
    assert!(!trace.is_complete(store));
}

/// If a job fails, the store undoes the changes of the job. The caller gets the failure.
pub fn a_failing_job_leaves_nothing(store: &dyn Subject) {
    let trace = Trace::of(&Scene::new(store), "ann");
    let copy = trace.clone();
    let failure = StoreError::Broken("on purpose".to_owned());
    let own = failure.clone();
    let answer: std::result::Result<(), Refused> = run(store, move |tx| {
        copy.leave(tx)?;
        Err(own.clone().into())
    });
    assert_eq!(answer, Err(Refused::Store(failure)));
    assert!(!trace.is_complete(store));
}

/// If a job panics, the store undoes the changes of the job. The caller gets an answer, and the store continues
/// to work.
pub fn a_panicking_job_leaves_nothing_and_is_answered(store: &dyn Subject) {
    let trace = Trace::of(&Scene::new(store), "ann");
    let copy = trace.clone();
    let outcome = enqueue(store, move |tx| {
        copy.leave(tx)?;
        panic!("deliberate panic of the contract test");
    });
    assert!(outcome.outcome().is_err());
    assert!(!trace.is_complete(store));
    keep(store, |tx| tx.settings().put("after", "works"));
    assert_eq!(setting(store, "after").as_deref(), Some("works"));
}

/// A job that refuses, fails or panics does not affect other jobs that wait in the queue at the same time.
pub fn bad_jobs_cost_their_neighbours_nothing(store: &dyn Subject) {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum End {
        Keep,
        Refuse,
        Fail,
        Panic,
    }
    use End::{Fail, Keep, Panic, Refuse};
    let scene = Scene::new(store);
    let ends = [Keep, Panic, Keep, Refuse, Keep, Fail, Keep, Panic, Keep];
    let underway: Vec<_> = ends
        .into_iter()
        .enumerate()
        .map(|(index, end)| {
            let trace = Trace::of(&scene, &format!("user{index}"));
            let copy = trace.clone();
            let answer = enqueue(store, move |tx| {
                copy.leave(tx)?;
                match end {
                    Keep => Ok(Verdict::Keep),
                    Refuse => Ok(Verdict::Discard),
                    Fail => Err(StoreError::Broken("on purpose".to_owned())),
                    Panic => panic!("deliberate panic of the contract test"),
                }
            });
            (end, trace, answer)
        })
        .collect();
    for (end, trace, answer) in underway {
        assert_eq!(answer.outcome().is_ok(), matches!(end, Keep | Refuse), "{end:?}");
        assert_eq!(trace.is_complete(store), end == Keep, "{end:?}");
    }
}

/// After a contention the store runs the job again, without the changes of the first run.
pub fn contention_runs_a_job_again_from_the_start(store: &dyn Subject) {
    let trace = Trace::of(&Scene::new(store), "ann");
    let (copy, runs) = (trace.clone(), Arc::new(AtomicU32::new(0)));
    let counted = runs.clone();
    keep(store, move |tx| {
        copy.leave(tx)?;
        if counted.fetch_add(1, Ordering::SeqCst) == 0 { Err(StoreError::Contention) } else { Ok(()) }
    });
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert!(trace.is_complete(store));
}

/// If the contention does not end, the store gives up and answers 'unavailable'.
pub fn endless_contention_is_unavailable(store: &dyn Subject) {
    let trace = Trace::of(&Scene::new(store), "ann");
    let (copy, runs) = (trace.clone(), Arc::new(AtomicU32::new(0)));
    let counted = runs.clone();
    let outcome = enqueue(store, move |tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        copy.leave(tx)?;
        Err(StoreError::Contention)
    });
    assert!(matches!(outcome.outcome(), Err(StoreError::Unavailable(_))));
    assert!(runs.load(Ordering::SeqCst) > 1, "it was tried again");
    assert!(!trace.is_complete(store));
}

/// Jobs of many threads increase one value. No increase is lost.
pub fn no_job_sees_anothers_half_done_work(store: &dyn Subject) {
    const THREADS: i64 = 4;
    const JOBS: i64 = 25;
    let count = |tx: &mut dyn Tx| {
        let known = tx.throttles().lock(BUCKET)?;
        let once = RateLimitState { count: 1, since: start(), last: start() };
        let next = known.map_or(once, |known| RateLimitState { count: known.count + 1, ..known });
        tx.throttles().put(BUCKET, next)
    };
    keep(store, count);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| (0..JOBS).for_each(|_| keep(store, count)));
        }
    });
    let known = keep(store, |tx| tx.throttles().lock(BUCKET)).map(|known| (known.count, known.since));
    assert_eq!(known, Some::<(i64, Timestamp)>((1 + THREADS * JOBS, start())));
}
