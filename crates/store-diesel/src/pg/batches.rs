//! A transaction that several jobs share (group commit). Equal statements of its jobs become one, so an accept in a large
//! batch costs less than half of its time alone (`docs/performance.md`).

use std::collections::HashSet;

use bolts_ports::{Lane, Result, StoreError, Verdict};
use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};

use super::ahead::Ahead;
use super::failure::failure;
use super::transaction::run;
use super::writes::Writes;
use super::{Conn, prepared};
use crate::traces::{self, Running};

/// A batch holds the locks of its jobs, so it does not wait long for another one. Only rare statements wait at all: a job
/// of a batch skips bets and accounts that are locked, and runs alone later. So two batches that need each other's rows do
/// not block each other (deadlock).
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 100";

/// Why a batch has no results.
pub(super) enum Failed {
    /// No change was stored. Each job can run alone.
    Undone,
    /// It is unknown whether the commit succeeded, so no job may run again.
    Unknown(StoreError),
}

/// Runs the jobs of a batch in one transaction. Returns their results after the commit. A job without a result must run
/// alone: it missed a row, or a job of its lane did so before.
pub(super) fn run_together(
    conn: &mut Conn,
    batch: &mut [Running],
) -> std::result::Result<Vec<Option<Result<()>>>, Failed> {
    Manager::begin_transaction_sql(conn, BEGIN).map_err(|_| Failed::Undone)?;
    let mut writes = Writes::shared();
    let needs: Vec<_> = batch.iter().filter_map(|running| running.job.need()).collect();
    let ahead = Ahead::of(conn, &needs).ok();
    let results = ahead.and_then(|mut ahead| run_each(conn, batch, &mut writes, &mut ahead));
    let results = results.filter(|_| writes.flush(conn).is_ok() && is_alive(conn));
    let Some(results) = results else {
        // If this fails, the connection is broken, and the next statement on it fails too.
        let _ = Manager::rollback_transaction(conn);
        return Err(Failed::Undone);
    };
    let _commits: Vec<_> = batch.iter().map(|running| traces::commit(&running.span)).collect();
    match Manager::commit_transaction(conn).map_err(failure) {
        Ok(()) => Ok(results),
        Err(StoreError::Contention) => Err(Failed::Undone),
        Err(error) => Err(Failed::Unknown(StoreError::Unavailable(error.to_string()))),
    }
}

/// Whether no statement of the transaction has failed. After a failure, PostgreSQL answers COMMIT with a rollback, which
/// looks like a success.
fn is_alive(conn: &mut Conn) -> bool {
    prepared::number(conn, "SELECT CAST(1 AS BIGINT)", []).is_ok()
}

/// Runs each job. Returns `None` if a statement failed, or if a job must be undone whose changes are stored already.
fn run_each(
    conn: &mut Conn,
    batch: &mut [Running],
    writes: &mut Writes,
    ahead: &mut Ahead,
) -> Option<Vec<Option<Result<()>>>> {
    let mut late = HashSet::new();
    let mut results = Vec::new();
    for Running { job, span } in batch {
        let lane = job.lane();
        if late.contains(&lane) {
            results.push(None);
            continue;
        }
        writes.begin_job();
        let (verdict, failed) = span.in_scope(|| run(conn, job.as_mut(), writes, ahead));
        let result = match (verdict, failed) {
            (Ok(Verdict::Keep), None) => Some(Ok(())),
            _ if !writes.take_back() => return None,
            (Ok(Verdict::Discard), None) => Some(Ok(())),
            (Err(StoreError::Contention), _) | (_, Some(StoreError::Contention)) => None,
            (Err(error), None) => Some(Err(error)),
            (_, Some(_)) => return None,
        };
        // The jobs of a user start in the order in which they came.
        if result.is_none() && lane != Lane::Site {
            late.insert(lane);
        }
        results.push(result);
    }
    Some(results)
}
