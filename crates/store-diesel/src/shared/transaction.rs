//! The transaction of a job.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bolts_kernel::{BetId, UserId};
use bolts_ledger::Account;
use bolts_ports::{Job, MarketStats, Person, Result, StoreError, Verdict};
use diesel::QueryResult;

use super::Conn;
use super::bet_rows::StateRow;
use super::failure::failure;
use super::prepared::Write;
use super::user_figures::{Changes, Contributions};
use super::writes::Writes;

/// The transaction of one job. This type implements all repositories, because they share its connection.
pub(super) struct Transaction<'c> {
    conn: &'c mut Conn,
    /// The first failure in the job. After a failure the job must not be committed, because the failed
    /// operation may be incomplete.
    failed: Option<StoreError>,
    /// The statements whose results the job does not need.
    writes: Writes,
    /// The stored bets that this job has locked or written.
    pub(super) seen: HashMap<BetId, Seen>,
    /// The accounts that this job has locked.
    pub(super) accounts: HashMap<Account, LockedAccount>,
    /// The names of users that this job has read.
    pub(super) people: HashMap<UserId, Person>,
    /// The changes of users' statistics that are not written yet.
    pub(super) figures: Changes,
}

/// An account that the job has locked.
#[derive(Clone, Copy)]
pub(super) struct LockedAccount {
    pub(super) id: i64,
    /// `None` after the job has posted a transfer of this account.
    pub(super) balance: Option<i64>,
}

/// The data of a stored bet that the next change of the bet needs.
pub(super) struct Seen {
    pub(super) seq: i64,
    /// The stored columns that a change may write.
    pub(super) state: StateRow,
    pub(super) counted: Counted,
}

/// The contributions of a bet to the figures of the site and of its parties. Nothing for a bet that is not stored yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) market_stats: MarketStats,
    /// The contributions to the statistics of the parties.
    pub(super) contributions: Contributions,
}

impl<'c> Transaction<'c> {
    fn new(conn: &'c mut Conn) -> Self {
        Self {
            conn,
            failed: None,
            writes: Writes::default(),
            seen: HashMap::new(),
            accounts: HashMap::new(),
            people: HashMap::new(),
            figures: Changes::new(),
        }
    }

    /// Runs a statement now or later, but before the next [`run`](Self::run) and before the commit. A failure is
    /// remembered, and the job is not kept.
    pub(super) fn write(&mut self, write: Write) -> Result<()> {
        let result = self.writes.add(self.conn, write);
        self.remember(result)
    }

    /// Runs statements. After a failure the job will not be committed.
    pub(super) fn run<T>(&mut self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        self.flush()?;
        self.run_ahead(statements)
    }

    /// Runs the statements that wait.
    pub(super) fn flush(&mut self) -> Result<()> {
        let written = self.writes.flush(self.conn);
        self.remember(written)
    }

    /// Runs statements that read no row that a [`write`](Self::write) changes.
    pub(super) fn run_ahead<T>(&mut self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        let result = statements(self.conn).map_err(failure);
        self.remember(result)
    }

    /// Writes what is not written yet.
    fn finish(&mut self) -> Result<()> {
        self.write_figures()?;
        self.flush()
    }

    /// Keeps the error of `result`, if it has one, so that the job will not be committed.
    pub(super) fn remember<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.failed.get_or_insert_with(|| error.clone());
        }
        result
    }

    /// Fails if a statement changed more or fewer rows than expected.
    pub(super) fn expect_rows(&mut self, touched: usize, expected: usize, what: &str) -> Result<()> {
        if touched == expected {
            return Ok(());
        }
        let message = format!("{what}: {touched} rows instead of {expected}");
        self.remember(Err(StoreError::Broken(message)))
    }
}

/// Runs a job on this connection. Returns the result of the job and its first failure. A job may ignore a
/// failure, so its result may be a success although the second value is set.
pub(super) fn run(conn: &mut Conn, job: &mut dyn Job) -> (Result<Verdict>, Option<StoreError>) {
    let mut work = Transaction::new(conn);
    let said = catch_unwind(AssertUnwindSafe(|| job.run(&mut work)));
    let said = said.unwrap_or_else(|panic| Err(panicked(panic.as_ref())));
    let said = match said {
        Ok(Verdict::Keep) if work.failed.is_none() => work.finish().map(|()| Verdict::Keep),
        other => other,
    };
    (said, work.failed)
}

fn panicked(panic: &(dyn Any + Send)) -> StoreError {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    StoreError::Broken(format!("a job panicked: {}", words.unwrap_or("without a word")))
}
