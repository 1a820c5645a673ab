//! Replicas of a PostgreSQL database (streaming replication), for reads that may be a little old.
//!
//! The age of a replica is measured without clocks of other machines. A thread for each replica notes the primary's position
//! in the log of changes (WAL), and the time before it asked. A replica that has replayed this position has everything that
//! was committed before this time.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bolts_ports::{Queries, Replicas, Result};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::connections::{Purpose, connect};
use super::failure::failure;
use super::{Conn, PostgresOptions, PostgresStore};

/// Where a server is in the log. The timeline is a part of it: after a failover, the logs of the old and of the new primary
/// differ. A replica writes its timeline to its control file when it has followed the new primary, at the latest with its
/// next restart point.
const POSITION: &str = "SELECT pg_is_in_recovery() AS is_standby, current_database()::text AS database, \
    (SELECT system_identifier FROM pg_control_system()) AS system, \
    CASE WHEN pg_is_in_recovery() \
        THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()), \
                      (SELECT min_recovery_end_timeline FROM pg_control_recovery()))::bigint \
        ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END AS timeline, \
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, '0/0')\
        ::bigint AS place";

#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
struct Position {
    #[diesel(sql_type = Bool)]
    is_standby: bool,
    #[diesel(sql_type = Text)]
    database: String,
    #[diesel(sql_type = BigInt)]
    system: i64,
    #[diesel(sql_type = BigInt)]
    timeline: i64,
    /// The number of bytes in the log. `None` for a standby that has replayed nothing yet.
    #[diesel(sql_type = Nullable<BigInt>)]
    place: Option<i64>,
}

impl Position {
    /// Whether both positions are in the same log of the same database.
    fn is_comparable(&self, other: &Self) -> bool {
        (&self.database, self.system, self.timeline) == (&other.database, other.system, other.timeline)
    }
}

/// Replicas, each with a thread that watches its age.
pub struct PostgresReplicas {
    all: Vec<Arc<Replica>>,
    longest: Duration,
    next: AtomicUsize,
    is_over: Arc<AtomicBool>,
}

struct Replica {
    queries: Arc<PostgresStore>,
    /// Everything that was committed before this time is on the replica. `None` if this is not known.
    complete: Mutex<Option<Instant>>,
}

impl Replica {
    fn complete(&self) -> MutexGuard<'_, Option<Instant>> {
        self.complete.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PostgresReplicas {
    /// Watches the replicas at these URLs of the database at `primary`. A replica that lacks changes older than `longest` is
    /// not used. Each URL must name one server.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub(super) fn start(
        primary: &str,
        urls: &[String],
        longest: Duration,
        options: &PostgresOptions,
    ) -> std::io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut all = Vec::new();
        for (number, url) in urls.iter().enumerate() {
            let queries = PostgresStore::reading(url, options.clone()).map_err(std::io::Error::other)?;
            let replica = Arc::new(Replica { queries: Arc::new(queries), complete: Mutex::default() });
            all.push(replica.clone());
            let watch = Watch {
                primary: Server { url: primary.to_owned(), options: options.clone(), conn: None },
                standby: Server { url: url.clone(), options: options.clone(), conn: None },
                seen: VecDeque::new(),
                longest,
            };
            let (number, is_over) = (number + 1, is_over.clone());
            let name = format!("pg-replica-{number}");
            thread::Builder::new().name(name).spawn(move || watch.run(number, &replica, &is_over))?;
        }
        Ok(Self { all, longest, next: AtomicUsize::new(0), is_over })
    }
}

impl Replicas for PostgresReplicas {
    fn fresh(&self) -> Option<(usize, Arc<dyn Queries>)> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let in_turn = (0..self.all.len()).map(|step| first.wrapping_add(step) % self.all.len());
        for number in in_turn {
            let replica = self.all.get(number)?;
            if replica.complete().is_some_and(|at| at.elapsed() <= self.longest) {
                return Some((number, replica.queries.clone()));
            }
        }
        None
    }

    fn failed(&self, number: usize) {
        if let Some(replica) = self.all.get(number) {
            *replica.complete() = None;
        }
    }
}

impl Drop for PostgresReplicas {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A server that is asked for its position.
struct Server {
    url: String,
    options: PostgresOptions,
    conn: Option<Conn>,
}

impl Server {
    fn position(&mut self) -> Result<Position> {
        let mut conn = match self.conn.take() {
            Some(conn) => conn,
            None => connect(&self.url, &self.options, Purpose::Reading)?,
        };
        let position = diesel::sql_query(POSITION).get_result(&mut conn).map_err(failure)?;
        // After a failure the connection is dropped.
        self.conn = Some(conn);
        Ok(position)
    }
}

struct Watch {
    primary: Server,
    standby: Server,
    /// Positions of the primary, each with the time before it was asked, in the order of time.
    seen: VecDeque<(Instant, Position)>,
    longest: Duration,
}

impl Watch {
    /// Looks at the replica until `is_over` is set. The log says when the replica begins and ends to be used.
    fn run(mut self, number: usize, replica: &Replica, is_over: &AtomicBool) {
        let every = (self.longest / 4).clamp(Duration::from_millis(100), Duration::from_secs(1));
        let mut was_fresh = None;
        while !is_over.load(Ordering::Relaxed) {
            let looked = self.look();
            if let Ok(Some(complete)) = looked {
                *replica.complete() = Some(complete);
            }
            let is_fresh = replica.complete().is_some_and(|at| at.elapsed() <= self.longest);
            if was_fresh != Some(is_fresh) {
                was_fresh = Some(is_fresh);
                match (is_fresh, looked) {
                    (true, _) => tracing::info!(number, "visitors read from the replica"),
                    (false, Err(error)) => {
                        tracing::warn!(number, %error, "the replica is not used");
                    }
                    (false, Ok(_)) => {
                        tracing::warn!(number, "the replica is not used, because it lacks changes");
                    }
                }
            }
            thread::sleep(every);
        }
    }

    /// The time before which all changes are on the replica. `None` if the replica has none of the noted positions.
    fn look(&mut self) -> Result<Option<Instant>> {
        let asked = Instant::now();
        let position = self.primary.position()?;
        if !position.is_standby {
            self.note(asked, position);
        }
        let standby = self.standby.position()?;
        Ok(self.reached(&standby))
    }

    fn note(&mut self, asked: Instant, position: Position) {
        // After a failover, positions of the old primary say nothing about the new one.
        self.seen.retain(|(at, old)| at.elapsed() <= self.longest && old.is_comparable(&position));
        self.seen.push_back((asked, position));
    }

    fn reached(&self, standby: &Position) -> Option<Instant> {
        let has = |position: &Position| position.is_comparable(standby) && position.place <= standby.place;
        self.seen.iter().rev().find(|(_, position)| has(position)).map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(timeline: i64, place: i64) -> Position {
        Position { is_standby: false, database: "bolts".to_owned(), system: 7, timeline, place: Some(place) }
    }

    fn watch() -> Watch {
        let server = || Server { url: String::new(), options: PostgresOptions::default(), conn: None };
        Watch { primary: server(), standby: server(), seen: VecDeque::new(), longest: Duration::from_mins(1) }
    }

    #[test]
    fn a_replica_is_as_old_as_the_last_position_that_it_has() {
        let (mut watch, start) = (watch(), Instant::now());
        let times = [0, 1, 2].map(|second| start + Duration::from_millis(second));
        for (time, place) in times.into_iter().zip([100, 200, 300]) {
            watch.note(time, at(1, place));
        }
        for (place, expected) in
            [(99, None), (100, Some(times[0])), (299, Some(times[1])), (300, Some(times[2]))]
        {
            assert_eq!(watch.reached(&at(1, place)), expected, "{place}");
        }
        assert_eq!(watch.reached(&Position { place: None, ..at(1, 0) }), None);
    }

    #[test]
    fn positions_of_another_log_say_nothing() {
        let mut watch = watch();
        watch.note(Instant::now(), at(1, 100));
        for other in [
            at(2, 500),
            Position { system: 8, ..at(1, 500) },
            Position { database: "x".to_owned(), ..at(1, 500) },
        ] {
            assert_eq!(watch.reached(&other), None, "{other:?}");
        }
        // The old primary was at 100, and the new one begins at 50.
        watch.note(Instant::now(), at(2, 50));
        assert_eq!(watch.reached(&at(1, 100)), None);
        assert!(watch.reached(&at(2, 50)).is_some());
    }
}
