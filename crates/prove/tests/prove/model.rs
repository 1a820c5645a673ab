//! Random sequences of actions, compared with the model after every step. `just model` says how to run more of them.

use bolts_prove::{Backend, Run, SEED, Size, Way};

const MEMORY: Run = Run { backend: Backend::Memory, way: Way::UseCases, every: 1, shrinks: 3_000 };

/// From this number of sequences on, every action must have succeeded.
const ENOUGH: u32 = 300;
/// From this number of sequences on, every rare answer must have come. The rarest answer comes about once in 300
/// sequences. With the seed of the tests, 300 sequences contain all rare answers.
const ENOUGH_FOR_RARE: u32 = 5_000;

const ACTIONS: [&str; 32] = [
    "SignUp",
    "GrantBolts",
    "ResetPassword",
    "Create",
    "Accept",
    "Delete",
    "EndEarly",
    "Propose",
    "Respond",
    "Dispute",
    "Rule",
    "Refund",
    "Remove",
    "Claim",
    "Pass",
    "Outage",
    "Jump",
    "Sweep",
    "Deposit",
    "Receive",
    "Poll",
    "Withdraw",
    "Work",
    "AnswerInvitation",
    "Arbitrate",
    "DeleteAccount",
    "MakeKey",
    "RevokeKey",
    "UseKey",
    "Read",
    "ReadAll",
    "Clear",
];

/// Answers that need more than one step before them.
const RARE: [(&str, &str); 9] = [
    ("Repeat", "repeated"),
    ("Create", "idempotency_key_reused"),
    ("Withdraw", "idempotency_key_reused"),
    ("Create", "too_many_bets"),
    ("Create", "not_signed_in"),
    ("DeleteAccount", "account_in_use"),
    ("Withdraw", "withdrawals_resting"),
    ("Withdraw", "invalid_fields lightningAddress"),
    ("UseKey", "invalid_key"),
];

/// Runs the sequences. The numbers of sequences and steps apply if the environment names no others.
fn compare(run: Run) {
    let size = Size::or(ENOUGH, 60);
    let (tally, took) = run.all(size);
    let (actions, kinds) = (tally.actions(), tally.kinds());
    eprintln!(
        "{:?} by {:?}: {} sequences of {} steps from seed {}, {actions} actions with {kinds} kinds of answers, in {took:.1?}\n{}",
        run.backend,
        run.way,
        size.cases,
        size.steps,
        size.seed,
        tally.table()
    );
    // A harness that never gets far proves nothing.
    let missing: Vec<_> = ACTIONS.into_iter().filter(|action| tally.of(action, "done") == 0).collect();
    assert!(size.cases < ENOUGH || missing.is_empty(), "these actions never succeeded: {missing:?}");
    let missing: Vec<_> = RARE.into_iter().filter(|(action, answer)| tally.of(action, answer) == 0).collect();
    let enough = if size.seed == SEED { ENOUGH } else { ENOUGH_FOR_RARE };
    assert!(size.cases < enough || missing.is_empty(), "these answers never came: {missing:?}");
}

#[test]
fn every_answer_on_memory_is_the_models() {
    compare(MEMORY);
}

#[cfg(feature = "databases")]
#[test]
fn every_answer_on_sqlite_is_the_models() {
    compare(Run { backend: Backend::Sqlite, every: 10, shrinks: 400, ..MEMORY });
}

#[cfg(feature = "databases")]
#[test]
fn every_answer_on_postgresql_is_the_models() {
    compare(Run { backend: Backend::Postgres, every: 45, shrinks: 100, ..MEMORY });
}

#[cfg(feature = "http")]
#[test]
fn every_answer_over_http_is_the_models() {
    compare(Run { way: Way::Http, every: 30, shrinks: 400, ..MEMORY });
}
