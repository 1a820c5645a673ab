//! Connections to a PostgreSQL server.

use std::ops::{Deref, DerefMut};
use std::thread;
use std::time::{Duration, Instant};

use bolts_ports::{Result, StoreError};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::{Error as PoolError, ManageConnection, Pool, PooledConnection, R2D2Connection};

use super::away::is_away;
use super::failure::failure;
use super::{Conn, PostgresOptions};
use crate::{OpenError, traces};

/// The maximum time that a query waits for a free connection. After this time the answer is 'not available'.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(3);

/// After a successful test, a connection is used for this time without another test.
const BELIEVED_FOR: Duration = Duration::from_secs(1);

/// Settings for libpq that are used if the URL does not contain them. The time-outs limit the wait for a
/// server that does not answer to a few seconds. Then requests fail instead of waiting.
const DEFAULTS: [(&str, &str); 6] = [
    ("connect_timeout", "5"),
    ("tcp_user_timeout", "10000"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("application_name", "bolts"),
];

/// Turns `synchronous_commit` on where a setting of the role or of the database has turned it off. Otherwise a crash of PostgreSQL
/// would lose confirmed changes. Other values stay, because a standby may need them.
const COMMIT_TO_DISK: &str = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// The use of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// A connection of a writer, for jobs.
    Writing,
    /// A read-only connection of the pool, for queries.
    Reading,
    /// A read-only connection for statements without a time limit.
    Auditing,
    /// A connection for changes of the schema, without a time limit.
    Migrating,
    /// A connection for hints, with NOTIFY or LISTEN.
    Telling,
}

impl Purpose {
    fn settings(self, options: &PostgresOptions) -> String {
        let millis = |limit: Duration| limit.as_millis();
        let statement = millis(options.statement_timeout);
        match self {
            // PostgreSQL plans each prepared statement once. By default, with old statistics, it would plan a statement over arrays
            // at each run, and the plan takes longer than the run.
            Self::Writing => format!(
                "SET statement_timeout = {statement}; SET lock_timeout = {}; \
                 SET idle_in_transaction_session_timeout = {}; SET plan_cache_mode = force_generic_plan; {COMMIT_TO_DISK}",
                millis(options.lock_timeout),
                millis(options.statement_timeout * 2)
            ),
            Self::Reading => {
                format!("SET default_transaction_read_only = on; SET statement_timeout = {statement}")
            }
            Self::Auditing => "SET default_transaction_read_only = on; SET statement_timeout = 0".to_owned(),
            Self::Migrating => "SET statement_timeout = 0; SET lock_timeout = 0".to_owned(),
            Self::Telling => format!("SET statement_timeout = {statement}"),
        }
    }
}

/// The URL with the default settings that it lacks.
fn complete(url: &str) -> String {
    let missing = DEFAULTS.iter().filter(|(name, _)| !url.contains(&format!("{name}=")));
    missing.fold(url.to_owned(), |url, (name, value)| {
        let joint = if url.contains('?') { '&' } else { '?' };
        format!("{url}{joint}{name}={value}")
    })
}

/// Opens a connection that does not belong to the pool.
pub(super) fn connect(url: &str, options: &PostgresOptions, purpose: Purpose) -> Result<Conn> {
    establish(url, options, purpose).map_err(|error| match error {
        PoolError::ConnectionError(error) => refused(&error.to_string()),
        PoolError::QueryError(error) => failure(error),
    })
}

/// Opens the first connection to the server.
pub(super) fn reach(
    url: &str,
    options: &PostgresOptions,
    purpose: Purpose,
) -> std::result::Result<Conn, OpenError> {
    establish(url, options, purpose).map_err(|error| match error {
        PoolError::ConnectionError(error) if is_away(&error.to_string()) => {
            OpenError::Away(refused(&error.to_string()))
        }
        PoolError::ConnectionError(error) => refused(&error.to_string()).into(),
        PoolError::QueryError(error) => failure(error).into(),
    })
}

/// The error for a failed connection. If libpq cannot parse a URL, its message may repeat a part of the
/// password. Such a message is replaced.
fn refused(why: &str) -> StoreError {
    let is_about_the_url = ["URI", "connection option", "invalid port", "invalid percent-encoded"];
    StoreError::Unavailable(if is_about_the_url.iter().any(|words| why.contains(words)) {
        "the database URL cannot be read: percent-encode special characters in the password or the path"
            .to_owned()
    } else {
        why.trim().replace('\n', "; ")
    })
}

fn establish(url: &str, options: &PostgresOptions, purpose: Purpose) -> std::result::Result<Conn, PoolError> {
    let mut conn = Conn::establish(&complete(url)).map_err(PoolError::ConnectionError)?;
    traces::watch(&mut conn, "postgresql");
    conn.batch_execute(&purpose.settings(options)).map_err(PoolError::QueryError)?;
    Ok(conn)
}

/// A read-only connection of the pool, with the time of its last test.
pub(super) struct Reader {
    conn: Conn,
    checked: Instant,
    is_broken: bool,
}

impl Reader {
    /// Marks the connection as unusable, so that the pool drops it.
    pub(super) fn give_up(&mut self) {
        self.is_broken = true;
    }
}

impl Deref for Reader {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}

/// Creates the connections of the pool.
pub(super) struct Readers {
    url: String,
    options: PostgresOptions,
}

impl ManageConnection for Readers {
    type Connection = Reader;
    type Error = PoolError;

    fn connect(&self) -> std::result::Result<Reader, PoolError> {
        let conn = establish(&self.url, &self.options, Purpose::Reading)?;
        Ok(Reader { conn, checked: Instant::now(), is_broken: false })
    }

    fn is_valid(&self, reader: &mut Reader) -> std::result::Result<(), PoolError> {
        reader.conn.ping().map_err(PoolError::QueryError)
    }

    fn has_broken(&self, reader: &mut Reader) -> bool {
        reader.is_broken || thread::panicking() || reader.conn.is_broken()
    }
}

/// The pool of read-only connections.
pub(super) fn reading(url: &str, options: &PostgresOptions) -> Result<Pool<Readers>> {
    let pool = Pool::builder()
        .max_size(options.readers)
        .min_idle(Some(1))
        .connection_timeout(CHECKOUT_TIMEOUT)
        // The pool itself tests no connection. The function `take` tests a connection, but not before every
        // use.
        .test_on_check_out(false)
        // The pool does not log failures, because the writers and the commands see the same failures and
        // report them.
        .error_handler(Box::new(diesel::r2d2::NopErrorHandler));
    Ok(pool.build_unchecked(Readers { url: url.to_owned(), options: options.clone() }))
}

/// Takes a connection from the pool. Its last successful test is at most [`BELIEVED_FOR`] old.
pub(super) fn take(pool: &Pool<Readers>) -> Result<PooledConnection<Readers>> {
    // After a restart of the server, every connection of the pool may be broken, so the loop can try all of
    // them.
    for _ in 0..=pool.max_size() {
        let mut reader = pool.get().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        if reader.checked.elapsed() < BELIEVED_FOR {
            return Ok(reader);
        }
        if reader.conn.ping().is_ok() {
            reader.checked = Instant::now();
            return Ok(reader);
        }
        reader.give_up();
    }
    Err(StoreError::Unavailable("every connection to the database was dead".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_the_url_take_precedence() {
        let url = complete("postgres://a@b/c");
        assert!(url.starts_with("postgres://a@b/c?connect_timeout=5&") && url.ends_with("=bolts"), "{url}");
        let url = complete("postgres://a@b/c?connect_timeout=1&sslmode=verify-full");
        assert!(url.starts_with("postgres://a@b/c?connect_timeout=1&sslmode=verify-full&tcp"), "{url}");
        assert_eq!(url.matches("connect_timeout").count(), 1);
    }

    #[test]
    fn errors_do_not_repeat_a_password() {
        for url in ["postgres://a:hush/hush@b/c", "postgres://a:hu%sh@b/c", "postgres://a:hush@b:port/c?hush"]
        {
            let error = connect(url, &PostgresOptions::default(), Purpose::Reading).map(drop).unwrap_err();
            assert!(!error.to_string().contains("hush"), "{error}");
        }
    }
}
