//! Records the SQL statements of the stores in this process.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_kernel::BetId;
use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

#[derive(Default)]
struct Recorded {
    /// The statements of each committed transaction, with the values of their parameters.
    committed: Vec<Vec<String>>,
    /// The texts of all statements that read or write rows, without values.
    texts: BTreeSet<String>,
}

static RECORDED: Mutex<Option<Recorded>> = Mutex::new(None);

fn recorded() -> MutexGuard<'static, Option<Recorded>> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records the statements of one connection.
#[derive(Default)]
struct Recorder(Vec<String>);

impl Instrumentation for Recorder {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let statement = query.to_string();
            let text = statement.split(" -- binds: ").next().unwrap_or_default();
            if ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
                .iter()
                .any(|verb| text.trim_start().starts_with(verb))
            {
                recorded().get_or_insert_default().texts.insert(text.to_owned());
            }
            self.0.push(statement);
        } else if let InstrumentationEvent::CommitTransaction { .. } = event {
            recorded().get_or_insert_default().committed.push(std::mem::take(&mut self.0));
        } else if let InstrumentationEvent::RollbackTransaction { .. } = event {
            self.0.clear();
        }
    }
}

/// Records all connections that this process opens from now on.
pub(crate) fn start() {
    set_default_instrumentation(|| Some(Box::new(Recorder::default()))).expect("no connection panics");
}

/// The texts of all statements that read or wrote rows.
pub(crate) fn texts() -> Vec<String> {
    recorded().iter().flat_map(|recorded| recorded.texts.iter().cloned()).collect()
}

/// The statements of the transaction that accepted the bet, without those that begin and end it.
pub(crate) fn of_accepting(bet: BetId) -> Vec<String> {
    let bet = bet.to_string();
    let of_bet = |statements: &&Vec<String>| {
        let any = |text: &str| statements.iter().any(|statement| statement.contains(text));
        any(&bet) && any("acceptor_id = ")
    };
    let recorded = recorded();
    let mut committed = recorded.iter().flat_map(|recorded| &recorded.committed);
    let statements = committed.find(of_bet).expect("the acceptance was committed");
    statements.iter().filter(|statement| !controls(statement)).cloned().collect()
}

/// Whether a statement belongs to the connection or to the transaction, and not to a job. A connection sets itself up before its
/// first transaction. On SQLite, the writer counts the changed rows before each job, and updates the full text once for all jobs.
fn controls(statement: &str) -> bool {
    let begins = ["BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "SET", "SELECT total_changes()"];
    begins.iter().any(|word| statement.starts_with(word)) || statement.contains("FROM `bets_fts_due`")
}

/// The texts of the statements of the transaction in which this value occurred, without their values, and without those
/// that begin and end it.
pub(crate) fn of_transaction_with(value: &str) -> Vec<String> {
    let recorded = recorded();
    let mut committed = recorded.iter().flat_map(|recorded| &recorded.committed);
    let has_value = |statements: &&Vec<String>| statements.iter().any(|statement| statement.contains(value));
    let statements = committed.find(has_value).expect("it was committed");
    let text = |statement: &String| statement.split(" -- binds: ").next().unwrap_or_default().to_owned();
    statements.iter().filter(|statement| !controls(statement)).map(text).collect()
}
