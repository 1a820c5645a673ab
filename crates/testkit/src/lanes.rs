//! Rules for the queue of a store: in which order waiting jobs run. The store in memory has no queue, so these
//! rules are not in the [contract](crate::contract).

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use bolts_kernel::UserId;
use bolts_ports::{Job, Lane, Result, Store, StoreError, Tx, Verdict};

/// The time that a test waits for an answer before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A job that reports its run and its result to the test.
struct Noted {
    lane: Lane,
    ran: Sender<Lane>,
    outcome: Sender<Result<()>>,
}

impl Job for Noted {
    fn run(&mut self, _: &mut dyn Tx) -> Result<Verdict> {
        self.ran.send(self.lane).expect("the test listens");
        Ok(Verdict::Keep)
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        self.outcome.send(outcome).expect("the test listens");
    }

    fn lane(&self) -> Lane {
        self.lane
    }
}

/// Puts jobs into the queue, and returns the order in which the jobs run.
struct Queue<'s> {
    store: &'s dyn Store,
    ran: (Sender<Lane>, Receiver<Lane>),
}

impl<'s> Queue<'s> {
    fn of(store: &'s dyn Store) -> Self {
        Self { store, ran: channel() }
    }

    fn put(&self, lane: Lane) -> Receiver<Result<()>> {
        let (outcome, answer) = channel();
        self.store.enqueue(Box::new(Noted { lane, ran: self.ran.0.clone(), outcome }));
        answer
    }

    fn order(&self, jobs: usize) -> Vec<Lane> {
        (0..jobs).map(|_| self.ran.1.recv_timeout(PATIENCE).expect("every job is run")).collect()
    }
}

fn user(number: u128) -> Lane {
    Lane::User(UserId::from(number))
}

/// The test stops the store's only writer, and one user enqueues 500 jobs. Jobs that another user and the
/// server enqueue later run between this user's jobs.
pub fn users_take_turns(store: &dyn Store, release: impl FnOnce()) {
    let queue = Queue::of(store);
    let own: Vec<_> = (0..500).map(|_| queue.put(user(1))).collect();
    let others: Vec<_> = [user(2), Lane::Site, user(2)].into_iter().map(|lane| queue.put(lane)).collect();
    release();
    let order = queue.order(own.len() + others.len());
    assert_eq!(order[..5], [user(1), user(2), Lane::Site, user(1), user(2)]);
    for answer in own.into_iter().chain(others) {
        assert_eq!(answer.recv_timeout(PATIENCE).expect("every job is answered"), Ok(()));
    }
}

/// The test stops the store's only writer, and one user's jobs fill the queue. A job of another user takes the
/// place of this user's latest job. The store refuses that latest job at once.
pub fn a_full_queue_has_room_for_others(store: &dyn Store, capacity: usize, release: impl FnOnce()) {
    let queue = Queue::of(store);
    let own: Vec<_> = (0..capacity).map(|_| queue.put(user(1))).collect();
    let refused = |answer: &Receiver<Result<()>>| {
        let outcome = answer.recv_timeout(PATIENCE).expect("it is answered at once");
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    };
    refused(&queue.put(user(1)));
    let other = queue.put(user(2));
    refused(&own[capacity - 1]);
    release();
    assert_eq!(queue.order(2), [user(1), user(2)]);
    assert_eq!(other.recv_timeout(PATIENCE).expect("it is answered"), Ok(()));
    for answer in &own[..capacity - 1] {
        assert_eq!(answer.recv_timeout(PATIENCE).expect("it is answered"), Ok(()));
    }
}
