//! Copies all data of a database between SQLite and PostgreSQL. Rows are transferred as JSON, which both
//! databases read and write. A table is copied after the tables that it refers to. Balances are not copied:
//! triggers compute them when the transfers are inserted.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types;
use diesel::sqlite::SqliteConnection;

use self::Column::{Number, Text};
use crate::DatabaseUrl;

/// The reason why a database was not copied. In this case the target is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// One of the two databases cannot be reached.
    #[error("cannot connect: {0}")]
    Connect(#[from] diesel::ConnectionError),
    /// One of the two databases refused a statement.
    #[error("table {table}: {error}")]
    Refused {
        /// The table that was being copied.
        table: &'static str,
        /// The error of the database.
        error: diesel::result::Error,
    },
    /// The two databases give the system's accounts different ids, so transfers would reach wrong accounts.
    #[error("the target's own accounts are not the source's; it has to be a new database")]
    OtherAccounts,
    /// The target has settings. They would clash with those of the source, or would mix with them.
    #[error("a server or a command has used the target, so it has settings; create the target anew")]
    Used,
}

/// A table and the columns of its primary key. The rows are read in the order of the key, so the index of the key finds each
/// page.
struct Table {
    name: &'static str,
    key: &'static [Column],
    /// The column with binary data, if the table has one. The JSON of a row has these bytes in hexadecimal.
    bytes: Option<&'static str>,
}

/// A column of a key.
#[derive(Clone, Copy)]
enum Column {
    /// A column with whole numbers.
    Number(&'static str),
    /// A column with texts.
    Text(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Number(name) | Self::Text(name) => name,
        }
    }
}

const fn table(name: &'static str, key: &'static [Column]) -> Table {
    Table { name, key, bytes: None }
}

/// All tables that are copied. Each table comes after the tables that it refers to. The outbox and the rate
/// limits are not copied, because they matter for a short time only. The full-text index is not copied,
/// because the target builds its own.
const TABLES: [Table; 27] = [
    table("settings", &[Text("name")]),
    table("users", &[Text("id")]),
    table("credentials", &[Text("user_id")]),
    table("sessions", &[Text("id")]),
    table("totp", &[Text("user_id")]),
    table("recovery_codes", &[Text("user_id"), Text("hash")]),
    table("passkeys", &[Text("id")]),
    table("api_keys", &[Text("id")]),
    table("accounts", &[Number("id")]),
    table("bets", &[Number("seq")]),
    table("positions", &[Number("bet_seq"), Text("side")]),
    table("bet_events", &[Number("seq")]),
    table("deposits", &[Number("seq")]),
    table("withdrawals", &[Number("seq")]),
    table("transfers", &[Number("id")]),
    table("notifications", &[Number("seq")]),
    table("achievements", &[Text("user_id"), Text("achievement")]),
    table("user_figures", &[Text("user_id"), Text("currency")]),
    table("idempotency", &[Text("user_id"), Text("route"), Text("key")]),
    table("admin_actions", &[Number("seq")]),
    table("messages", &[Number("seq")]),
    Table { bytes: Some("bytes"), ..table("pictures", &[Number("seq")]) },
    // After the notifications: a trigger writes deliveries for each notification of a user who has destinations.
    table("destinations", &[Text("id")]),
    table("deliveries", &[Number("seq")]),
    table("notification_preferences", &[Text("user_id")]),
    table("mail_tokens", &[Text("hash")]),
    table("tile_counters", &[Text("metric"), Number("slot")]),
];

/// The number of rows that one statement reads or inserts.
const ROWS: usize = 500;

/// The same number for tables with binary data. A picture has up to 2 MiB.
const LARGE_ROWS: usize = 4;

impl Table {
    const fn rows(&self) -> usize {
        if self.bytes.is_some() { LARGE_ROWS } else { ROWS }
    }

    fn has_bytes(&self, column: &str) -> bool {
        self.bytes == Some(column)
    }
}

enum End {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// Evaluates the same expression with a SQLite or a PostgreSQL connection.
macro_rules! on_either {
    ($end:expr, $conn:ident => $value:expr) => {
        match $end {
            End::Sqlite($conn) => $value,
            End::Postgres($conn) => $value,
        }
    };
}

#[derive(QueryableByName)]
struct Row {
    /// The values of the key, as a JSON array.
    #[diesel(sql_type = sql_types::Text)]
    place: String,
    #[diesel(sql_type = sql_types::Text)]
    row: String,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = sql_types::Text)]
    name: String,
}

impl End {
    fn open(url: &DatabaseUrl) -> Result<Self, CopyError> {
        match url {
            DatabaseUrl::Sqlite(path) => {
                Ok(Self::Sqlite(SqliteConnection::establish(&path.to_string_lossy())?))
            }
            DatabaseUrl::Postgres(url) => Ok(Self::Postgres(PgConnection::establish(url)?)),
        }
    }

    fn run(&mut self, sql: &str) -> QueryResult<()> {
        on_either!(self, conn => conn.batch_execute(sql))
    }

    /// Starts a transaction that reads one consistent state of the database.
    fn begin_reading(&mut self) -> QueryResult<()> {
        match self {
            Self::Sqlite(conn) => conn.batch_execute("PRAGMA busy_timeout = 5000; BEGIN"),
            Self::Postgres(conn) => conn.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        }
    }

    fn begin_writing(&mut self) -> QueryResult<()> {
        match self {
            Self::Sqlite(conn) => conn.batch_execute(
                "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
            ),
            Self::Postgres(conn) => conn.batch_execute("BEGIN"),
        }
    }

    /// The columns of a table, without the columns that the database computes. SQLite's function leaves those out.
    fn columns(&mut self, table: &str) -> QueryResult<Vec<String>> {
        let sql = match self {
            Self::Sqlite(_) => "SELECT name FROM pragma_table_info($1) ORDER BY cid",
            Self::Postgres(_) => {
                "SELECT column_name::text AS name FROM information_schema.columns \
                 WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' \
                 ORDER BY ordinal_position"
            }
        };
        let query = diesel::sql_query(sql).bind::<sql_types::Text, _>(table);
        let names: Vec<Name> = on_either!(self, conn => query.load(conn))?;
        Ok(names.into_iter().map(|row| row.name).collect())
    }

    /// The next rows after the row with the key `after`, a JSON array, in the order of the key.
    fn page(&mut self, table: &Table, columns: &[String], after: Option<&str>) -> QueryResult<Vec<Row>> {
        let query = diesel::sql_query(self.page_sql(table, columns, after.is_none()));
        match after {
            Some(after) => {
                let query = query.bind::<sql_types::Text, _>(after);
                on_either!(self, conn => query.load(conn))
            }
            None => on_either!(self, conn => query.load(conn)),
        }
    }

    /// The statement of [`End::page`]. Its parameter is the key. The first page has none.
    fn page_sql(&self, table: &Table, columns: &[String], is_first: bool) -> String {
        let key: Vec<String> = table.key.iter().map(|column| format!("t.{}", column.name())).collect();
        let key = key.join(", ");
        let (place, row) = match self {
            Self::Sqlite(_) => {
                // PostgreSQL writes and reads bytes in the same form.
                let value = |name: &String| {
                    if table.has_bytes(name) { format!("'\\x' || hex({name})") } else { name.clone() }
                };
                let pairs: Vec<String> =
                    columns.iter().map(|name| format!("'{name}', {}", value(name))).collect();
                (format!("json_array({key})"), format!("json_object({})", pairs.join(", ")))
            }
            Self::Postgres(_) => {
                (format!("CAST(json_build_array({key}) AS TEXT)"), "CAST(row_to_json(t) AS TEXT)".to_owned())
            }
        };
        let behind =
            if is_first { "TRUE".to_owned() } else { format!("({key}) > ({})", self.values(table.key)) };
        format!(
            "SELECT {place} AS place, {row} AS row FROM {} AS t WHERE {behind} ORDER BY {key} LIMIT {}",
            table.name,
            table.rows()
        )
    }

    /// The values of a key in a JSON array, which is the parameter.
    fn values(&self, key: &[Column]) -> String {
        let value = |(at, column): (usize, &Column)| match (self, column) {
            (Self::Sqlite(_), Number(_) | Text(_)) => format!("json_extract($1, '$[{at}]')"),
            (Self::Postgres(_), Number(_)) => format!("CAST(CAST($1 AS JSON) ->> {at} AS BIGINT)"),
            (Self::Postgres(_), Text(_)) => format!("CAST($1 AS JSON) ->> {at}"),
        };
        key.iter().enumerate().map(value).collect::<Vec<_>>().join(", ")
    }

    fn insert(&mut self, table: &Table, columns: &[String], rows: &[Row]) -> QueryResult<()> {
        // An account starts with balance 0. The transfers, which are copied later, change the balance.
        let value = |name: &String, read: String| {
            if table.name == "accounts" && name == "balance" { "0".to_owned() } else { read }
        };
        let read_json = |name: &String| {
            let text = format!("value ->> '$.{name}'");
            if table.has_bytes(name) { format!("unhex(substr({text}, 3))") } else { text }
        };
        let table = table.name;
        let names = columns.join(", ");
        // The target already has the system's accounts. Any other existing row must cause an error.
        let there = if table == "accounts" { "ON CONFLICT DO NOTHING" } else { "" };
        let sql = match self {
            Self::Sqlite(_) => {
                let values: Vec<String> = columns.iter().map(|name| value(name, read_json(name))).collect();
                // Without WHERE, SQLite's parser would read ON as a part of a join.
                format!(
                    "INSERT INTO {table} ({names}) SELECT {} FROM json_each($1) WHERE TRUE {there}",
                    values.join(", ")
                )
            }
            Self::Postgres(_) => {
                let values: Vec<String> = columns.iter().map(|name| value(name, name.clone())).collect();
                format!(
                    "INSERT INTO {table} ({names}) SELECT {} FROM json_populate_recordset(NULL::{table}, $1::json) {there}",
                    values.join(", ")
                )
            }
        };
        let all: Vec<&str> = rows.iter().map(|row| row.row.as_str()).collect();
        let query = diesel::sql_query(sql).bind::<sql_types::Text, _>(format!("[{}]", all.join(",")));
        on_either!(self, conn => query.execute(conn)).map(drop)
    }

    /// The system's accounts, which every new database has.
    fn own_accounts(&mut self) -> QueryResult<Vec<String>> {
        let sql = "SELECT CAST(id AS TEXT) || ' ' || kind || ' ' || currency AS name FROM accounts \
                   WHERE owner = '' ORDER BY id";
        let rows: Vec<Name> = on_either!(self, conn => diesel::sql_query(sql).load(conn))?;
        Ok(rows.into_iter().map(|row| row.name).collect())
    }

    /// Whether a server or a command has written a setting. A new database has none.
    fn has_settings(&mut self) -> QueryResult<bool> {
        let sql = "SELECT name FROM settings LIMIT 1";
        let rows: Vec<Name> = on_either!(self, conn => diesel::sql_query(sql).load(conn))?;
        Ok(!rows.is_empty())
    }

    /// Writes a setting. Replaces the value if the setting exists.
    fn set(&mut self, (name, value): (&str, &str)) -> QueryResult<()> {
        let sql = "INSERT INTO settings (name, value) VALUES ($1, $2) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        let query = diesel::sql_query(sql).bind::<sql_types::Text, _>(name).bind::<sql_types::Text, _>(value);
        on_either!(self, conn => query.execute(conn)).map(drop)
    }

    /// Updates the data that depends on the rows of a table: sequences on PostgreSQL, the full-text index on
    /// SQLite.
    fn finish(&mut self, table: &Table) -> QueryResult<()> {
        match (self, table.key) {
            (Self::Postgres(conn), [Number(key)]) => conn.batch_execute(&format!(
                "SELECT setval(pg_get_serial_sequence('{0}', '{key}'), GREATEST(MAX({key}), 1), MAX({key}) IS NOT NULL) \
                 FROM {0}",
                table.name
            )),
            (Self::Sqlite(conn), _) if table.name == "bets" => crate::lite::refresh(conn),
            (Self::Postgres(_) | Self::Sqlite(_), _) => Ok(()),
        }
    }
}

/// Copies all data from one database to another in one transaction. The caller must make sure that both
/// databases have this program's schema, and that the target contains only the rows that its migrations
/// inserted. `setting` is the name and the value of a setting that only the target gets. The function calls
/// `progress` with the name of a table and the number of its rows that are copied so far.
///
/// # Errors
/// [`CopyError`]. In this case the target is unchanged.
pub fn copy(
    from: &DatabaseUrl,
    to: &DatabaseUrl,
    setting: (&str, &str),
    mut progress: impl FnMut(&'static str, usize),
) -> Result<(), CopyError> {
    let (mut from, mut to) = (End::open(from)?, End::open(to)?);
    let refused = |table: &'static str| move |error| CopyError::Refused { table, error };
    from.begin_reading().map_err(refused("settings"))?;
    to.begin_writing().map_err(refused("settings"))?;
    if from.own_accounts().map_err(refused("accounts"))? != to.own_accounts().map_err(refused("accounts"))? {
        return Err(CopyError::OtherAccounts);
    }
    if to.has_settings().map_err(refused("settings"))? {
        return Err(CopyError::Used);
    }
    for table in &TABLES {
        copy_table(&mut from, &mut to, table, &mut progress).map_err(refused(table.name))?;
    }
    to.set(setting).map_err(refused("settings"))?;
    to.run("COMMIT").map_err(refused("settings"))?;
    from.run("COMMIT").map_err(refused("settings"))
}

fn copy_table(
    from: &mut End,
    to: &mut End,
    table: &Table,
    progress: &mut impl FnMut(&'static str, usize),
) -> QueryResult<()> {
    let known = to.columns(table.name)?;
    // A column that only one of the databases has is not data. It belongs to the full text of PostgreSQL, or it is the
    // `room` of SQLite's bets. The database fills it itself.
    let columns: Vec<String> =
        from.columns(table.name)?.into_iter().filter(|name| known.contains(name)).collect();
    let (mut after, mut copied) = (None::<String>, 0);
    loop {
        let rows = from.page(table, &columns, after.as_deref())?;
        let Some(last) = rows.last() else { break };
        after = Some(last.place.clone());
        to.insert(table, &columns, &rows)?;
        copied += rows.len();
        progress(table.name, copied);
    }
    to.finish(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SqliteOptions, SqliteStore};

    #[derive(QueryableByName)]
    struct Step {
        #[diesel(sql_type = sql_types::Text)]
        detail: String,
    }

    /// A page that reads or sorts the whole table would make the time of a copy grow with the square of the rows.
    #[test]
    fn each_page_of_a_table_is_found_by_the_index_of_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bolts.db");
        drop(SqliteStore::open(&path, SqliteOptions::default()).unwrap());
        let mut end = End::open(&DatabaseUrl::Sqlite(path)).unwrap();
        for table in &TABLES {
            let columns = end.columns(table.name).unwrap();
            for (is_first, reads) in [(true, "SCAN t"), (false, "SEARCH t USING ")] {
                let sql = format!("EXPLAIN QUERY PLAN {}", end.page_sql(table, &columns, is_first));
                let query = diesel::sql_query(sql);
                let steps: Vec<Step> = on_either!(&mut end, conn => query.load(conn)).unwrap();
                let steps: Vec<String> = steps.into_iter().map(|step| step.detail).collect();
                assert!(steps.len() == 1 && steps[0].starts_with(reads), "{}: {steps:?}", table.name);
            }
        }
    }
}
