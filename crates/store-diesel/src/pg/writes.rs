use std::collections::HashMap;

use bolts_ports::Result;

use super::Conn;
use super::failure::failure;
use super::many;
use super::prepared::{self, Place, Write};

/// Collects statements and sends them together, because each statement costs a round trip.
#[derive(Default)]
pub(super) struct Writes {
    pending: Vec<Write>,
    /// Whether several jobs share the transaction. Then equal statements of different jobs become one.
    is_shared: bool,
    /// The number of pending statements that belong to jobs before the running one.
    others: usize,
    /// The number of jobs before the running one that have pending statements.
    jobs: usize,
    /// Whether the database has changes of the running job.
    has_changed: bool,
    /// The places of the statements that ran, if several jobs share the transaction.
    stored: Vec<Place>,
    /// Whether a collected statement failed. Then the changes of the job that added it are incomplete.
    has_failed: bool,
}

impl Writes {
    /// The writes of a transaction that several jobs share.
    pub(super) fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    /// Begins the next job of the transaction.
    pub(super) fn begin_job(&mut self) {
        self.jobs += usize::from(self.pending.len() > self.others);
        (self.others, self.has_changed) = (self.pending.len(), false);
    }

    /// Forgets the statements of the running job. Returns false if the whole transaction must be undone: if the database has
    /// changes of the job already, or if a statement of an earlier job failed.
    pub(super) fn take_back(&mut self) -> bool {
        self.pending.truncate(self.others);
        !self.has_changed && !self.has_failed
    }

    /// Says that the running job has changed rows by itself.
    pub(super) fn changed(&mut self) {
        self.has_changed = true;
    }

    /// Whether a pending statement touches such a place.
    pub(super) fn touches(&self, is_meant: impl Fn(&Place) -> bool) -> bool {
        self.pending.iter().any(|write| is_meant(&write.place))
    }

    /// The number of pending statements that touch such a place.
    pub(super) fn waiting(&self, is_meant: impl Fn(&Place) -> bool) -> usize {
        self.pending.iter().filter(|write| is_meant(&write.place)).count()
    }

    /// Whether a statement of this transaction touches such a place, whether it waits or ran.
    pub(super) fn has_touched(&self, is_meant: impl Fn(&Place) -> bool) -> bool {
        self.stored.iter().any(&is_meant) || self.touches(is_meant)
    }

    /// Whether a job waits for rows that another transaction has locked. A job that shares its transaction does not, because
    /// it holds the locks of other jobs. Such rows are missing in its results.
    pub(super) fn waits(&self) -> bool {
        !self.is_shared
    }

    /// Whether a pending statement of a job before the running one touches such a place.
    pub(super) fn touched_before(&self, is_meant: impl Fn(&Place) -> bool) -> bool {
        self.pending[..self.others].iter().any(|write| is_meant(&write.place))
    }

    pub(super) fn add(&mut self, conn: &mut Conn, write: Write) -> Result<()> {
        let adds_up = self.is_shared && many::adds_up(&write.place);
        if !adds_up && self.touches(|other| other.excludes(&write.place)) {
            self.flush(conn)?;
        }
        self.pending.push(write);
        Ok(())
    }

    /// Runs the collected statements, unless several jobs share the transaction.
    pub(super) fn flush_alone(&mut self, conn: &mut Conn) -> Result<()> {
        if self.is_shared { Ok(()) } else { self.flush(conn) }
    }

    /// Runs the collected statements. Statements for the same rows keep their order.
    pub(super) fn flush(&mut self, conn: &mut Conn) -> Result<()> {
        let is_own = self.pending.len() > self.others;
        let jobs = self.jobs + usize::from(is_own);
        self.has_changed |= is_own;
        (self.others, self.jobs) = (0, 0);
        let pending = std::mem::take(&mut self.pending);
        if self.is_shared {
            self.stored.extend(pending.iter().map(|write| write.place.clone()));
        }
        let written = match pending.as_slice() {
            [] => Ok(()),
            [write] => write.run(conn),
            _ if self.is_shared => run_groups(conn, grouped(pending), jobs),
            _ => together(conn, pending),
        };
        self.has_failed |= written.is_err();
        written
    }
}

/// Runs different statements as parts of one.
fn together(conn: &mut Conn, mut all: Vec<Write>) -> Result<()> {
    let part = |(place, write): (usize, &Write)| format!("w{place} AS ({} RETURNING 1)", write.sql);
    let count = |place: usize| format!("({place}, (SELECT count(*) FROM w{place}))");
    let parts: Vec<_> = all.iter().enumerate().map(part).collect();
    let counts: Vec<_> = (0..all.len()).map(count).collect();
    let sql = format!(
        "WITH {} SELECT touched FROM (VALUES {}) AS counts (place, touched) ORDER BY place",
        parts.join(", "),
        counts.join(", ")
    );
    let binds: Vec<_> = all.iter_mut().flat_map(|write| std::mem::take(&mut write.binds)).collect();
    let touched = prepared::numbers(conn, &sql, binds).map_err(failure)?;
    let touched = touched.into_iter().map(|rows| usize::try_from(rows).unwrap_or(usize::MAX));
    all.iter().zip(touched).try_for_each(|(write, touched)| write.check(touched))
}

/// Runs the statements of a batch. One statement for each combination of texts would fill the memory of the server with
/// prepared statements. So only the statements of one job become parts of one, as if the job ran alone.
fn run_groups(conn: &mut Conn, groups: Vec<Vec<Write>>, jobs: usize) -> Result<()> {
    // The parts of one statement do not see each other's changes.
    let tiles = groups.iter().flatten().filter(|write| write.place == Place::Tiles).count();
    if jobs == 1 && tiles <= 1 && groups.iter().all(|group| group.len() == 1) {
        return together(conn, groups.into_iter().flatten().collect());
    }
    groups.into_iter().try_for_each(|group| equal(conn, group))
}

/// The statements in groups with the same text, in the order of the first statement of each group. Rows to which others refer
/// come first.
fn grouped(all: Vec<Write>) -> Vec<Vec<Write>> {
    let (mut groups, mut places) = (Vec::<Vec<Write>>::new(), HashMap::new());
    for write in all {
        let place = *places.entry(write.sql.clone()).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(write);
    }
    groups.sort_by_key(|group| group[0].place != Place::Parent);
    groups
}

/// Runs statements with the same text as one.
fn equal(conn: &mut Conn, group: Vec<Write>) -> Result<()> {
    let Some((first, [_, ..])) = group.split_first() else {
        return group.iter().try_for_each(|write| write.run(conn));
    };
    let (touched, expected) = many::execute(conn, first, &group).map_err(failure)?;
    first.check_against(touched, expected)
}
