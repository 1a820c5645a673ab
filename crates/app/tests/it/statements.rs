//! The number of statements of frequent requests. On PostgreSQL each statement costs a round trip.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_bets::Side;
use bolts_kernel::BetId;
use bolts_ports::{BetView, IdempotencyKey};
use bolts_usecases::Idempotent;
use bolts_usecases::bets::{Accept, AcceptKey};
use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use futures_executor::block_on;

use crate::database::STATEMENTS_OF_AN_ACCEPT;
use crate::stage::{Stage, actor};

/// The statements of all committed transactions of this process.
static COMMITTED: Mutex<Vec<Vec<String>>> = Mutex::new(Vec::new());

fn committed() -> MutexGuard<'static, Vec<Vec<String>>> {
    COMMITTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records the statements of one connection.
#[derive(Default)]
struct Recorder(Vec<String>);

impl Instrumentation for Recorder {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            self.0.push(query.to_string());
        } else if let InstrumentationEvent::CommitTransaction { .. } = event {
            committed().push(std::mem::take(&mut self.0));
        } else if let InstrumentationEvent::RollbackTransaction { .. } = event {
            self.0.clear();
        }
    }
}

/// The statements of the transaction that accepted the bet, without those that begin and end it.
fn of_accepting(bet: BetId) -> Vec<String> {
    let bet = bet.to_string();
    let of_bet = |statements: &&Vec<String>| {
        let any = |text: &str| statements.iter().any(|statement| statement.contains(text));
        any(&bet) && any("acceptor_id = ")
    };
    let mut statements = committed().iter().find(of_bet).cloned().expect("the acceptance was committed");
    let control = ["BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "SET"];
    statements.retain(|statement| !control.iter().any(|word| statement.starts_with(word)));
    statements
}

/// The user has unlocked the achievement of the first bet before, and the request has an idempotency key.
#[test]
fn an_accept_has_few_statements() {
    set_default_instrumentation(|| Some(Box::new(Recorder::default()))).expect("no connection panics");
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let create = || stage.create(&ann, (100, "bolts"), Duration::from_secs(3_600)).expect("created");
    stage.accept(&bob, create()).expect("accepted");

    let bet = create();
    let key = IdempotencyKey {
        user: bob.user.id,
        route: "POST /api/bets/accept".to_owned(),
        key: "1".to_owned(),
        body_hash: String::new(),
    };
    let once = Idempotent { key, render: Arc::new(|_: &BetView| "{}".to_owned()) };
    let accept = Accept { key: AcceptKey::Id(bet, None), option: Side::B };
    block_on(stage.app.accept_bet(actor(&bob), accept, Some(once))).expect("accepted");

    let statements = of_accepting(bet);
    assert!(statements.len() <= STATEMENTS_OF_AN_ACCEPT, "{statements:#?}");
}
