//! The transaction of a job.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bolts_kernel::{BetId, UserId};
use bolts_ledger::Account;
use bolts_ports::{Job, MarketStats, Person, Result, StoreError, Verdict};
use diesel::QueryResult;

use super::Conn;
use super::ahead::Ahead;
use super::bet_rows::StateRow;
use super::failure::failure;
use super::prepared::{Place, Write};
use super::user_figures::{Changes, Contributions, StandingRow};
use super::writes::Writes;

/// The transaction of one job. This type implements all repositories, because they share its connection.
pub(super) struct Transaction<'c> {
    conn: &'c mut Conn,
    /// The first failure in the job. After a failure the job must not be committed, because the failed
    /// operation may be incomplete.
    failed: Option<StoreError>,
    /// The statements whose results the job does not need.
    pub(super) writes: &'c mut Writes,
    /// The rows that were read and locked before the job.
    pub(super) ahead: &'c mut Ahead,
    /// The stored bets that this job has locked or written.
    pub(super) seen: HashMap<BetId, Seen>,
    /// The accounts that this job has locked.
    pub(super) accounts: HashMap<Account, LockedAccount>,
    /// The names of users that this job has read.
    pub(super) people: HashMap<UserId, Person>,
    /// The changes of users' statistics that are not written yet.
    pub(super) figures: Changes,
    /// The standings of users that came with other rows, before a change of this job.
    pub(super) standings: HashMap<UserId, StandingRow>,
    /// The bets that this job has paid out: the user, the `seq` of the bet, and whether the user won.
    pub(super) results: Vec<(UserId, i64, bool)>,
    /// What the transfers of this job add to balances.
    pub(super) moved: Vec<(Account, i64)>,
    /// The achievements that this job has unlocked.
    pub(super) unlocked: Vec<(UserId, String)>,
}

/// A row that was looked for before the job. `None` if it was not, and `Some(None)` if the row is missing or locked.
pub(super) type Found<T> = Option<Option<T>>;

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
    fn new(conn: &'c mut Conn, writes: &'c mut Writes, ahead: &'c mut Ahead) -> Self {
        Self {
            conn,
            failed: None,
            writes,
            ahead,
            seen: HashMap::new(),
            accounts: HashMap::new(),
            people: HashMap::new(),
            figures: Changes::new(),
            standings: HashMap::new(),
            results: Vec::new(),
            moved: Vec::new(),
            unlocked: Vec::new(),
        }
    }

    /// Runs a statement now or later, but before the next [`run`](Self::run) and before the commit. A failure is
    /// remembered, and the job is not kept.
    pub(super) fn write(&mut self, write: Write) -> Result<()> {
        let result = self.writes.add(self.conn, write);
        self.remember(result)
    }

    /// Runs statements that may change rows. After a failure the job will not be committed.
    pub(super) fn run<T>(&mut self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        self.flush()?;
        // It is unknown which rows the statements change.
        self.ahead.clear();
        self.change_ahead(statements)
    }

    /// Runs statements that read or change no row that a [`write`](Self::write) changes.
    pub(super) fn change_ahead<T>(
        &mut self,
        statements: impl FnOnce(&mut Conn) -> QueryResult<T>,
    ) -> Result<T> {
        self.writes.changed();
        self.read_ahead(statements)
    }

    /// Runs the statements that wait.
    pub(super) fn flush(&mut self) -> Result<()> {
        let written = self.writes.flush(self.conn);
        self.remember(written)
    }

    /// Runs statements that change nothing, and that read no row that a [`write`](Self::write) changes.
    pub(super) fn read_ahead<T>(
        &mut self,
        statements: impl FnOnce(&mut Conn) -> QueryResult<T>,
    ) -> Result<T> {
        let result = statements(self.conn).map_err(failure);
        self.remember(result)
    }

    /// Runs the statements that wait, unless several jobs share the transaction. So the statements of a job that changes many
    /// bets do not become one large statement.
    pub(super) fn flush_alone(&mut self) -> Result<()> {
        let written = self.writes.flush_alone(self.conn);
        self.remember(written)
    }

    /// Reads and locks a row. `is_part` says whether a place belongs to the row. If a change of such a place still waits, the row
    /// is read again after this change.
    pub(super) fn lock_ahead<T>(
        &mut self,
        mut statement: impl FnMut(&mut Conn, bool) -> QueryResult<Option<T>>,
        is_part: impl Fn(&T, &Place) -> bool,
    ) -> Result<Option<T>> {
        let waits = self.writes.waits();
        let mut row = self.read_ahead(|conn| statement(conn, waits))?;
        if row.as_ref().is_some_and(|row| self.writes.touches(|place| is_part(row, place))) {
            self.flush()?;
            row = self.read_ahead(|conn| statement(conn, waits))?;
        }
        if row.is_none() && !waits { self.missed() } else { Ok(row) }
    }

    /// A row is missing, perhaps because another transaction has locked it. So the job must run again, and wait.
    pub(super) fn missed<T>(&mut self) -> Result<T> {
        self.remember(Err(StoreError::Contention))
    }

    /// Writes what is not written yet. The statements of a job that shares its transaction wait for those of the next job.
    fn finish(&mut self) -> Result<()> {
        self.write_figures()?;
        self.ahead.keep(&self.moved, &self.results, &self.unlocked);
        self.flush_alone()
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
/// failure, so its result may be a success although the second value is set. If the job shares its transaction and misses a
/// row, it fails with `Contention`.
pub(super) fn run(
    conn: &mut Conn,
    job: &mut dyn Job,
    writes: &mut Writes,
    ahead: &mut Ahead,
) -> (Result<Verdict>, Option<StoreError>) {
    let mut work = Transaction::new(conn, writes, ahead);
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
