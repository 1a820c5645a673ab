//! The store of one simulated process: the store in memory, with faults and crashes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bolts_ports::{Job, Lane, Result, Store, StoreError, Tx, Verdict};
use bolts_testkit::MemoryStore;

use super::fate::{Fate, Fault};

/// The write side of a process. After a crash no job gets an answer any more.
pub(super) struct Disk {
    inner: Arc<MemoryStore>,
    fate: Fate,
    crashed: AtomicBool,
    /// Jobs whose callers wait for ever. They live as long as the process, so that their callers hear nothing.
    graves: Arc<Mutex<Vec<Box<dyn Job>>>>,
}

impl Disk {
    pub(super) fn new(inner: Arc<MemoryStore>, fate: Fate) -> Self {
        Self { inner, fate, crashed: AtomicBool::new(false), graves: Arc::default() }
    }

    pub(super) fn has_crashed(&self) -> bool {
        self.crashed.load(Ordering::Relaxed)
    }

    pub(super) fn crash(&self) {
        self.crashed.store(true, Ordering::Relaxed);
    }

    fn bury(&self, job: Box<dyn Job>) {
        self.graves.lock().unwrap_or_else(PoisonError::into_inner).push(job);
    }
}

impl Store for Disk {
    fn enqueue(&self, job: Box<dyn Job>) {
        if self.has_crashed() {
            return self.bury(job);
        }
        if self.fate.strikes(Fault::CrashBeforeCommit, 2_500) {
            self.crash();
            return self.bury(job);
        }
        if self.fate.strikes(Fault::StoreUnavailable, 300) {
            return job.done(Err(StoreError::Unavailable("as the simulation has it".to_owned())));
        }
        if self.fate.strikes(Fault::CrashAfterCommit, 2_500) {
            self.crash();
            let graves = self.graves.clone();
            return self.inner.enqueue(Box::new(Unanswered { job: Some(job), graves }));
        }
        if self.fate.strikes(Fault::StoreContention, 60) {
            return self.inner.enqueue(Box::new(Contended { job, left: 2 }));
        }
        self.inner.enqueue(job);
    }
}

/// A job that meets contention before it succeeds.
struct Contended {
    job: Box<dyn Job>,
    left: u32,
}

impl Job for Contended {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        let verdict = self.job.run(tx);
        if self.left > 0 {
            self.left -= 1;
            return Err(StoreError::Contention);
        }
        verdict
    }

    fn done(self: Box<Self>, outcome: Result<()>) {
        self.job.done(outcome);
    }

    fn lane(&self) -> Lane {
        self.job.lane()
    }
}

/// A job that is committed, and whose caller never hears of it.
struct Unanswered {
    job: Option<Box<dyn Job>>,
    graves: Arc<Mutex<Vec<Box<dyn Job>>>>,
}

impl Job for Unanswered {
    fn run(&mut self, tx: &mut dyn Tx) -> Result<Verdict> {
        match &mut self.job {
            Some(job) => job.run(tx),
            None => Ok(Verdict::Discard),
        }
    }

    fn done(mut self: Box<Self>, _: Result<()>) {
        if let Some(job) = self.job.take() {
            self.graves.lock().unwrap_or_else(PoisonError::into_inner).push(job);
        }
    }
}
