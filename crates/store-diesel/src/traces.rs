//! The spans of jobs and statements in the trace of a request. Background work has no request, so it has no spans.

use std::fmt::{self, Write};

use bolts_ports::{Job, TRACED};
use diesel::connection::{Connection, Instrumentation, InstrumentationEvent};
use tracing::field::Empty;
use tracing::{Level, Span, debug_span};

/// The maximum length of the part of a statement from which its summary is made, in bytes.
const READ: usize = 16 * 1_024;

/// The maximum number of tables in a summary.
const TABLES: usize = 4;

/// Whether the calling thread works for a request whose trace may leave the process.
fn is_traced() -> bool {
    tracing::enabled!(target: TRACED, Level::DEBUG)
        && Span::current().metadata().is_some_and(|metadata| metadata.target() == TRACED)
}

/// A job in the queue.
pub(crate) struct Queued {
    job: Box<dyn Job>,
    /// The span of the request. Nothing for a job without a request.
    request: Span,
    /// Open as long as the job waits.
    wait: Span,
}

impl From<Box<dyn Job>> for Queued {
    fn from(job: Box<dyn Job>) -> Self {
        if !is_traced() {
            return Self { job, request: Span::none(), wait: Span::none() };
        }
        Self { job, request: Span::current(), wait: debug_span!(target: TRACED, "wait for a writer") }
    }
}

impl Queued {
    /// Ends the wait. The span is that of the run.
    pub(crate) fn begin(self) -> Running {
        let Self { job, request, wait } = self;
        drop(wait);
        let is_traced = !request.is_disabled();
        let span =
            if is_traced { debug_span!(target: TRACED, parent: &request, "job") } else { Span::none() };
        Running { job, span }
    }

    /// The job, if it does not run.
    pub(crate) fn into_job(self) -> Box<dyn Job> {
        self.job
    }
}

/// A job that a writer has taken from the queue.
pub(crate) struct Running {
    pub(crate) job: Box<dyn Job>,
    pub(crate) span: Span,
}

/// The wait for a connection for reading.
pub(crate) fn wait_for_reader() -> Span {
    if is_traced() { debug_span!(target: TRACED, "wait for a connection") } else { Span::none() }
}

/// A span as a part of a job's span, if there are traces. The name is a literal, because a span has a fixed name.
macro_rules! part_of {
    ($job:ident, $name:literal) => {
        if $job.is_disabled() { Span::none() } else { debug_span!(target: TRACED, parent: $job, $name) }
    };
}

/// The commit of a batch, as a part of one of its jobs.
pub(crate) fn commit(job: &Span) -> Span {
    part_of!(job, "commit")
}

/// The wait for the disk after the commit of a batch, as a part of one of its jobs.
pub(crate) fn sync(job: &Span) -> Span {
    part_of!(job, "sync")
}

/// Makes the statements on this connection spans of the requests that run them, if there are traces.
pub(crate) fn watch(conn: &mut impl Connection, system: &'static str) {
    if tracing::enabled!(target: TRACED, Level::DEBUG) {
        conn.set_instrumentation(Statements { system, running: Span::none() });
    }
}

/// Notes the begin and the end of each statement on a connection.
struct Statements {
    system: &'static str,
    running: Span,
}

impl Instrumentation for Statements {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            if is_traced() {
                self.running = statement(self.system, &beginning(query));
            }
        } else if let InstrumentationEvent::FinishQuery { error, .. } = event {
            if error.is_some() {
                self.running.record("otel.status_code", "ERROR");
            }
            self.running = Span::none();
        }
    }
}

fn statement(system: &'static str, sql: &str) -> Span {
    let (operation, summary) = summary(sql);
    debug_span!(
        target: TRACED,
        "statement",
        otel.name = summary,
        otel.kind = "client",
        otel.status_code = Empty,
        db.system.name = system,
        db.operation.name = operation,
        db.query.summary = summary,
    )
}

/// The beginning of a statement. Diesel writes the values after the statement, and values can be large.
fn beginning(query: &dyn fmt::Display) -> String {
    struct Limited(String);
    impl Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = text.floor_char_boundary(READ - self.0.len());
            self.0.push_str(&text[..room]);
            if room < text.len() { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut limited = Limited(String::new());
    // The error only says that the limit is reached.
    let _ = write!(limited, "{query}");
    limited.0
}

/// The first word of a statement, and this word with the tables of the statement. Values of parameters are not used, and
/// neither is any other part of the text, because a span must not contain data of users.
fn summary(sql: &str) -> (&str, String) {
    let sql = sql.split(" -- binds").next().unwrap_or_default();
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase());
    let operation = sql.split_whitespace().next().filter(is_word).unwrap_or("statement");
    let mut tables: Vec<&str> = Vec::new();
    let words: Vec<&str> = sql.split_whitespace().collect();
    for pair in words.windows(2) {
        let table = pair[1].trim_matches(['"', '`', ',', ';', '(', ')']);
        // Keywords are written in capitals, and tables in small letters.
        let is_table = matches!(pair[0], "FROM" | "INTO" | "JOIN" | "UPDATE")
            && !table.is_empty()
            && table.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if is_table && !tables.contains(&table) && tables.len() < TABLES {
            tables.push(table);
        }
    }
    let summary = [&[operation], &tables[..]].concat().join(" ");
    (operation, summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_the_operation_and_the_tables() {
        let of = |sql: &str| summary(sql).1;
        assert_eq!(
            of("SELECT \"bets\".\"id\" FROM \"bets\" WHERE \"bets\".\"id\" = $1 -- binds: [\"b\"]"),
            "SELECT bets"
        );
        assert_eq!(
            of("SELECT 1 FROM (SELECT a FROM page) JOIN `users` ON TRUE JOIN users ON TRUE"),
            "SELECT page users"
        );
        assert_eq!(
            of("SELECT a FROM ((\"bets\" INNER JOIN \"users\" ON TRUE) LEFT JOIN x ON TRUE)"),
            "SELECT bets users x"
        );
        assert_eq!(of("UPDATE sessions SET a = ? WHERE b = ?"), "UPDATE sessions");
        assert_eq!(of("SELECT a FROM bets FOR NO KEY UPDATE OF bets"), "SELECT bets");
        assert_eq!(
            of("WITH w0 AS (INSERT INTO transfers VALUES ($1) RETURNING 1) SELECT 1"),
            "WITH transfers"
        );
        assert_eq!(of("BEGIN ISOLATION LEVEL READ COMMITTED"), "BEGIN");
        assert_eq!(of(""), "statement");
    }

    #[test]
    fn a_summary_has_no_values() {
        let sql =
            "INSERT INTO messages (body) VALUES ($1) -- binds: [\"the secret FROM secret JOIN secret\"]";
        assert_eq!(summary(sql), ("INSERT", "INSERT messages".to_owned()));
        assert_eq!(summary("hush FROM 'hush'").1, "statement");
    }

    #[test]
    fn large_values_are_not_written() {
        struct Large;
        impl fmt::Display for Large {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("INSERT INTO pictures VALUES ($1) -- binds: [")?;
                (0..).try_for_each(|byte| write!(f, "{byte}, "))
            }
        }
        let text = beginning(&Large);
        assert!(text.len() <= READ && text.starts_with("INSERT INTO pictures"), "{text}");
    }
}
