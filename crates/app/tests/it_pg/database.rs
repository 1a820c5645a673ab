//! The database of these tests: one on a PostgreSQL cluster that the tests start.

use std::path::Path;
use std::sync::Arc;

use bolts_store_diesel::{PostgresOptions, PostgresStore};
use bolts_testkit::postgres::{self, Cluster};

use crate::statements::{GROWING, check_index};

/// Adds 20,000 rows to each of these tables. The triggers of bets, positions and transfers are off, because they take most
/// of the time. PostgreSQL refuses values for the columns that it computes.
const FILL: &str = "
    ALTER TABLE bets DISABLE TRIGGER USER;
    ALTER TABLE positions DISABLE TRIGGER USER;
    ALTER TABLE transfers DISABLE TRIGGER USER;
    INSERT INTO users (id, email, created_at) SELECT md5(i::text), i || '@example.org', i FROM generate_series(1, 20000) i;
    INSERT INTO credentials (user_id, password_hash, changed_at) SELECT md5(i::text), '', i FROM generate_series(1, 20000) i;
    INSERT INTO sessions (id, hash, user_id, created_at, last_seen_at)
        SELECT md5(i::text), md5(i::text), md5(i::text), i, i FROM generate_series(1, 20000) i;
    INSERT INTO accounts (kind, owner, currency)
        SELECT 'available', md5(i::text), currency FROM generate_series(1, 20000) i, unnest(ARRAY['bolts', 'sats']) currency;
    INSERT INTO user_figures (user_id, currency)
        SELECT md5(i::text), currency FROM generate_series(1, 20000) i, unnest(ARRAY['bolts', 'sats']) currency;
    INSERT INTO achievements (user_id, achievement, unlocked_at)
        SELECT md5(i::text), 'first_bet', i FROM generate_series(1, 20000) i;
    INSERT INTO notifications (id, user_id, kind, params, created_at)
        SELECT md5(i::text), md5(i::text), 'first_bet', '{}', i FROM generate_series(1, 20000) i;
    INSERT INTO destinations (id, user_id, channel, address, confirmed_at)
        SELECT md5(i::text), md5(i::text), 'email', i || '@example.org', i FROM generate_series(1, 20000) i;
    INSERT INTO deliveries (name, channel, user_id, destination_id, cause, created_at, next_at, state, ended_at)
        SELECT i::text, 'email', md5(i::text), md5(i::text), 'digest', i, i,
            (ARRAY['queued', 'held', 'sent'])[1 + i % 3], CASE WHEN i % 3 = 2 THEN i END FROM generate_series(1, 20000) i;
    INSERT INTO notification_preferences (user_id, chosen, digest, time_zone, shows_private_titles)
        SELECT md5(i::text), '{}', 'daily', 'UTC', FALSE FROM generate_series(1, 20000) i;
    INSERT INTO mail_tokens (hash, purpose, user_id, address, expires_at)
        SELECT md5(i::text) || md5(i::text), 'confirm_address', md5(i::text), '', i FROM generate_series(1, 20000) i;
    INSERT INTO passkeys (id, user_id, name, credential_id, credential, version, counter, created_at)
        SELECT md5(i::text), md5(i::text), '', i::text, '{}', 1, 0, i FROM generate_series(1, 20000) i;
    INSERT INTO api_keys (id, user_id, hash, beginning, name, scopes, created_at, expires_at)
        SELECT md5(i::text), md5(i::text), md5(i::text) || md5(i::text), '', '', 'read', i, i FROM generate_series(1, 20000) i;
    INSERT INTO idempotency (user_id, route, key, body_hash, created_at)
        SELECT md5(i::text), '', '', '', i FROM generate_series(1, 20000) i;
    INSERT INTO throttles (bucket, tally, since, last) SELECT i::text, 1, i, i FROM generate_series(1, 20000) i;
    DO $$ BEGIN EXECUTE (
        SELECT format('INSERT INTO bets (%1$s) SELECT %1$s FROM (
            SELECT (jsonb_populate_record(bets, jsonb_build_object(''seq'', 1000 + i, ''id'', md5(i::text)))).*
            FROM bets, generate_series(1, 20000) i
            WHERE seq = (SELECT min(seq) FROM bets WHERE status = ''resolved'')) AS copies', string_agg(column_name, ', '))
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'bets' AND is_generated = 'NEVER'
    ); END $$;
    INSERT INTO bets_search (seq, stake, words) SELECT 1000 + i, i, array_to_tsvector(ARRAY['snow', ':public', i::text])
        FROM generate_series(1, 20000) i;
    INSERT INTO positions (bet_seq, side, user_id, stake, payout)
        SELECT 1000 + i, 'A', md5(i::text), 100, 0 FROM generate_series(1, 20000) i;
    INSERT INTO bet_events (bet_seq, at, kind, by_role) SELECT 1000 + i, i, 'created', 'creator' FROM generate_series(1, 20000) i;
    INSERT INTO messages (id, bet_id, author_id, body, is_evidence, created_at)
        SELECT md5(i::text), md5(i::text), md5(i::text), 'snow', FALSE, i FROM generate_series(1, 20000) i;
    INSERT INTO pictures (id, bet_id, author_id, message_id, format, width, height, alt, created_at, bytes)
        SELECT md5(i::text), md5(i::text), md5(i::text), md5(i::text), 'png', 1, 1, '', i, '\\x00' FROM generate_series(1, 20000) i;
    INSERT INTO transfers (key, operation_id, from_account, to_account, amount, currency, kind, created_at)
        SELECT i::text, '', from_account, to_account, 1, currency, 'admin_deposit', i
        FROM generate_series(1, 20000) i, (SELECT * FROM transfers WHERE kind = 'sign_up_grant' LIMIT 1) grant_;
";

/// The line before each plan.
const NEXT: &str = "the next plan";

/// The number of statements in a script. A script is an argument of `psql`, so it has at most 128 KiB.
const STATEMENTS_PER_SCRIPT: usize = 50;

/// SQL that prints the plan of a statement for any values of its parameters.
fn explain(number: usize, statement: &str) -> String {
    let parameters = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
    let values = match parameters {
        0 => String::new(),
        _ => format!("({})", ["NULL"].repeat(parameters).join(", ")),
    };
    format!("PREPARE s{number} AS {statement}; SELECT '{NEXT}'; EXPLAIN EXECUTE s{number}{values};")
}

/// The most statements that an accept with an idempotency key may have, without BEGIN and COMMIT. Each costs a
/// round trip.
pub(crate) const STATEMENTS_OF_AN_ACCEPT: usize = 4;

/// A database of one test, with the newest schema.
pub(crate) enum Database {
    /// A database on the cluster that all tests share.
    Shared(postgres::Database),
    /// A database that the test has created itself.
    At(String),
}

impl Database {
    pub(crate) fn new() -> Self {
        Self::Shared(postgres::Database::migrated(|url| {
            drop(PostgresStore::open(url, PostgresOptions::default()).expect("a new database"));
        }))
    }

    /// Runs SQL on the database without the program.
    pub(crate) fn execute(&self, sql: &str) {
        match self {
            Self::Shared(database) => drop(database.psql(sql)),
            Self::At(url) => panic!("only a database of the shared cluster is changed, not {url}"),
        }
    }

    /// The number of rows of a table.
    pub(crate) fn rows(&self, table: &str) -> i64 {
        self.query(&format!("SELECT count(*) FROM {table}")).trim().parse().expect("a count")
    }

    /// The output of a query.
    pub(crate) fn query(&self, sql: &str) -> String {
        match self {
            Self::Shared(database) => database.psql(sql),
            Self::At(url) => panic!("only a database of the shared cluster is read, not {url}"),
        }
    }

    /// Adds rows to all tables that grow, so that reading one of them costs more than a look-up. PostgreSQL does not
    /// analyse the tables by itself.
    pub(crate) fn fill(&self) {
        let by_hand = |table: &&str| format!("ALTER TABLE {table} SET (autovacuum_enabled = off);");
        self.execute(&GROWING.iter().map(by_hand).collect::<String>());
        self.execute(FILL);
    }

    /// Zero, because PostgreSQL itself has the page cache.
    #[expect(clippy::unused_self, reason = "on SQLite the size of the file counts")]
    pub(crate) fn page_caches(&self) -> u64 {
        0
    }

    /// Asserts that no plan of these statements reads a whole table.
    pub(crate) fn check_plans(&self, statements: &[String]) {
        let Self::Shared(database) = self else { panic!("only a database of the shared cluster is filled") };
        for part in statements.chunks(STATEMENTS_PER_SCRIPT) {
            let script: String =
                part.iter().enumerate().map(|(n, statement)| explain(n, statement)).collect();
            let plans = database.psql(&format!("SET plan_cache_mode = force_generic_plan; {script}"));
            for (statement, plan) in part.iter().zip(plans.split(NEXT).skip(1)) {
                let is_read = |table: &&str| plan.contains(&format!("Seq Scan on {table}"));
                assert!(!GROWING.iter().any(is_read), "{statement}\n{plan}");
                check_index(statement, plan);
            }
            assert_eq!(plans.matches(NEXT).count(), part.len());
        }
    }

    /// A database of a released version, from its folder in `tests/released`.
    pub(crate) fn released(release: &Path) -> Self {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let dump = folder.path().join("dump.sql");
        let sql = crate::released::unpacked(&release.join("postgresql.sql.gz"));
        std::fs::write(&dump, sql).expect("a dump");
        let database = postgres::Database::new();
        drop(database.psql(&format!("\\i {}", dump.display())));
        Self::Shared(database)
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Shared(database) => database.url().to_owned(),
            Self::At(url) => url.clone(),
        }
    }
}

/// A database on its own cluster with PostgreSQL's default settings, which can be killed. The shared cluster of the other
/// tests would lose data in a crash.
pub(crate) struct KillableDatabase {
    cluster: Cluster,
    database: Arc<Database>,
}

impl KillableDatabase {
    pub(crate) fn new() -> Self {
        let cluster = Cluster::new();
        let database = Arc::new(Database::At(cluster.database("bolts")));
        Self { cluster, database }
    }

    pub(crate) fn database(&self) -> Arc<Database> {
        self.database.clone()
    }

    #[expect(clippy::unused_self, reason = "SQLite has no server")]
    pub(crate) fn has_server(&self) -> bool {
        true
    }

    /// Kills the server with SIGKILL.
    pub(crate) fn kill(&self) {
        self.cluster.kill();
    }

    pub(crate) fn start(&self) {
        self.cluster.start();
    }
}
