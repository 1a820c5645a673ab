//! Tests of the rules that only the SQLite schema has, and of those whose errors have other texts in SQLite. `rules.rs` tests
//! the rules of both databases.

use bolts_bets::{Outcome, Party};
use bolts_resolution::Answer;
use bolts_testkit::{Scene, terms};

use crate::rules::{filled, refused, transfer};
use crate::support::{CHECK, Raw, TestStore};

/// A longer row may split its page, so SQLite writes three pages instead of one.
#[test]
fn the_row_of_an_open_bet_keeps_its_length() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let mut raw = store.raw();
    let state = [
        "status",
        "acceptor_id",
        "proposal_id",
        "proposed_outcome",
        "proposed_by",
        "next_deadline_kind",
        "room",
    ];
    let texts = state.map(|column| format!("COALESCE(length({column}), 0)")).join(" + ");
    let times = ["accepted_at", "proposed_at", "last_proposed_at"];
    let times = times.map(|column| format!("CASE WHEN {column} IS NULL THEN 0 ELSE 8 END")).join(" + ");
    let mut length = || raw.values(&format!("SELECT CAST({texts} + {times} AS TEXT) AS value FROM bets"));

    let bet = scene.create(ann, terms());
    let at_first = length();
    let accepted = scene.accept(&bet, bob);
    assert_eq!(length(), at_first, "after the accept");
    let proposed = scene.propose(&accepted, Party::Creator, Outcome::A);
    assert_eq!(length(), at_first, "after the proposal");
    scene.respond(&proposed, Party::Acceptor, Answer::Accept);
    assert_eq!(raw.values("SELECT COALESCE(room, 'none') AS value FROM bets"), ["none"]);
}

#[test]
fn unknown_words_are_refused() {
    let (_store, mut raw) = filled();
    for sql in [
        "UPDATE bets SET status = 'lost'",
        "UPDATE bets SET status = 'awaiting_resolution', acceptor_id = NULL, accepted_at = NULL",
        "UPDATE bets SET proposed_outcome = 'C'",
        "UPDATE bets SET arbiter_status = 'asleep'",
        "INSERT INTO accounts (kind, owner, currency) VALUES ('pocket', 'x', 'bolts')",
        "INSERT INTO accounts (kind, owner, currency) VALUES ('fees', 'x', 'bolts')",
        "INSERT INTO bet_events (bet_seq, at, kind, by_role) VALUES (1, 0, 'x', 'stranger')",
    ] {
        refused(&mut raw, sql, CHECK);
    }
    assert_eq!(raw.values("SELECT integrity_check AS value FROM pragma_integrity_check"), ["ok"]);
}

#[test]
fn replace_statements_bypass_no_rule() {
    let (_store, mut raw) = filled();
    raw.run("PRAGMA recursive_triggers = ON");
    let replace = "REPLACE INTO transfers SELECT * FROM transfers LIMIT 1";
    refused(&mut raw, replace, "transfers are never removed");
}

#[test]
fn the_full_text_follows_the_bets() {
    let (_store, mut raw) = filled();
    let hits = |raw: &mut Raw, expression: &str| {
        raw.values(&format!(
            "SELECT CAST(rowid AS TEXT) AS value FROM bets_fts WHERE bets_fts MATCH '{expression}' ORDER BY rowid"
        ))
    };
    assert_eq!(hits(&mut raw, "rain paris"), ["1", "2"]);
    assert_eq!(hits(&mut raw, "rain AND tags : xcweather"), ["1", "2"]);
    assert_eq!(hits(&mut raw, "title : xcweather"), Vec::<String>::new());
}

/// A copy of the pending bet with another stake of its opponent.
fn at_odds(columns: &str, units: &str) -> String {
    let id = "e".repeat(32);
    format!(
        "INSERT INTO bets (id, opponent_stake, {columns})
         SELECT '{id}', {units}, {columns} FROM bets WHERE status = 'pending'"
    )
}

#[test]
fn odds_are_at_most_100_to_1() {
    let (_store, mut raw) = filled();
    let columns = raw
        .values(
            "SELECT group_concat(name, ', ') AS value FROM pragma_table_info('bets')
             WHERE name NOT IN ('seq', 'id', 'opponent_stake')",
        )
        .remove(0);
    for units in ["0", "-100", "10001"] {
        refused(&mut raw, &at_odds(&columns, units), CHECK);
    }
    // The pot of this stake would not be a whole number of 64 bits.
    refused(&mut raw, &at_odds(&columns, &i64::MAX.to_string()), "cannot store REAL value");
    raw.run(&at_odds(&columns, "10000"));
}

/// PostgreSQL rounds such an amount.
#[test]
fn an_amount_that_is_no_whole_number_is_refused() {
    let (_store, mut raw) = filled();
    let bolts = "kind = 'available' AND currency = 'bolts'";
    assert!(raw.try_run(&transfer(bolts, bolts, "1.5", "bolts")).is_err());
}
