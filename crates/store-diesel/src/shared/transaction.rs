//! The transaction of a job.

use std::collections::HashMap;

use bolts_kernel::BetId;
use bolts_ledger::Account;
use bolts_ports::{MarketStats, Result, StoreError};
use diesel::QueryResult;

use super::Conn;
use super::failure::failure;

/// The transaction of one job. It implements all repositories, because they share the connection.
pub(super) struct Transaction<'c> {
    conn: &'c mut Conn,
    /// The first failure. If it is set, the job must not be kept, because the failed operation may be
    /// incomplete.
    failed: Option<StoreError>,
    /// The rows of bets that this job has read.
    pub(super) seen: HashMap<BetId, Seen>,
    /// The row ids of accounts that this job has read.
    pub(super) accounts: HashMap<Account, i64>,
}

/// The data of a bet's row that a change needs.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) seq: i64,
    /// The contribution of the stored bet to the market figures.
    pub(super) market_stats: MarketStats,
}

impl<'c> Transaction<'c> {
    pub(super) fn new(conn: &'c mut Conn) -> Self {
        Self { conn, failed: None, seen: HashMap::new(), accounts: HashMap::new() }
    }

    /// Runs statements. A failure is remembered, and the job is not kept.
    pub(super) fn run<T>(&mut self, statements: impl FnOnce(&mut Conn) -> QueryResult<T>) -> Result<T> {
        let result = statements(self.conn).map_err(failure);
        self.remember(result)
    }

    /// Remembers a failure that did not come from the database.
    pub(super) fn remember<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.failed.get_or_insert_with(|| error.clone());
        }
        result
    }

    /// Checks the number of rows that a statement changed.
    pub(super) fn expect_rows(&mut self, touched: usize, expected: usize, what: &str) -> Result<()> {
        if touched == expected {
            return Ok(());
        }
        let message = format!("{what}: {touched} rows instead of {expected}");
        self.remember(Err(StoreError::Broken(message)))
    }

    /// The first failure of the job, even if the job has not reported it.
    pub(super) fn failed(self) -> Option<StoreError> {
        self.failed
    }
}
