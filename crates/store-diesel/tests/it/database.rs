//! The rules that the SQLite schema enforces for every program that writes to the file.

use bolts_bets::Outcome;
use bolts_testkit::{Scene, terms};

use crate::support::{Raw, TestStore};

fn filled() -> (TestStore, Raw) {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    scene.create(ann, terms());
    scene.settle(&scene.accept(&scene.create(ann, terms()), bob), Outcome::A);
    let mut raw = store.raw();
    raw.run("PRAGMA foreign_keys = ON");
    (store, raw)
}

fn refused(raw: &mut Raw, sql: &str, because: &str) {
    let error = raw.try_run(sql).expect_err(sql);
    assert!(error.contains(because), "{sql}: {error}");
}

#[test]
fn history_can_only_grow() {
    let (_store, mut raw) = filled();
    raw.run("INSERT INTO admin_actions (action, at) VALUES ('tested', 0)");
    refused(&mut raw, "UPDATE transfers SET amount = 1", "transfers are never changed");
    refused(&mut raw, "DELETE FROM transfers", "transfers are never removed");
    refused(&mut raw, "UPDATE bet_events SET at = 0", "events are never changed");
    refused(&mut raw, "DELETE FROM bet_events", "events are never removed");
    refused(&mut raw, "UPDATE admin_actions SET at = 1", "never changed");
    refused(&mut raw, "DELETE FROM admin_actions", "never removed");
    refused(&mut raw, "DELETE FROM accounts", "accounts are never removed");
    refused(&mut raw, "DELETE FROM bets", "bets are never removed");
    for column in ["stake = 1", "title = 'x'", "expires_at = 0", "creator_side = 'B'", "stand_seconds = 0"] {
        refused(&mut raw, &format!("UPDATE bets SET {column}"), "the terms of a bet never change");
    }
}

#[test]
fn replace_statements_bypass_no_rule() {
    let (_store, mut raw) = filled();
    raw.run("PRAGMA recursive_triggers = ON");
    let replace = "REPLACE INTO transfers SELECT * FROM transfers LIMIT 1";
    refused(&mut raw, replace, "transfers are never removed");
}

#[test]
fn accounts_cannot_be_forged() {
    let (_store, mut raw) = filled();
    refused(&mut raw, "UPDATE accounts SET kind = 'issuance' WHERE kind = 'available'", "stays what it is");
    refused(&mut raw, "UPDATE accounts SET currency = 'sats'", "stays what it is");
    let rich = "INSERT INTO accounts (kind, owner, currency, balance) VALUES ('available', 'x', 'sats', 5)";
    refused(&mut raw, rich, "begins empty");
    for (kind, owner, currency) in [
        ("available", "", "bolts"),
        ("issuance", "x", "bolts"),
        ("wallet", "x", "bolts"),
        ("hold", "x", "usd"),
    ] {
        let sql = format!(
            "INSERT INTO accounts (kind, owner, currency) VALUES ('{kind}', '{owner}', '{currency}')"
        );
        refused(&mut raw, &sql, "CHECK constraint failed");
    }
    let again = "INSERT INTO accounts (kind, owner, currency) VALUES ('issuance', '', 'bolts')";
    refused(&mut raw, again, "UNIQUE constraint failed");
}

/// The SQL statement for a transfer. `from` and `to` are SQL conditions that select the two accounts.
fn transfer(from: &str, to: &str, amount: &str, currency: &str) -> String {
    format!(
        "INSERT INTO transfers (key, operation_id, from_account, to_account, amount, currency, kind, created_at)
         VALUES ('t', 'op', (SELECT MIN(id) FROM accounts WHERE {from}), (SELECT MAX(id) FROM accounts WHERE {to}),
            {amount}, '{currency}', 'reward', 0)"
    )
}

#[test]
fn transfers_cannot_be_forged() {
    let (_store, mut raw) = filled();
    let (bolts, sats) =
        ("kind = 'available' AND currency = 'bolts'", "kind = 'available' AND currency = 'sats'");
    for amount in ["0", "-1", "1.5", "'many'", "1e19", "NULL"] {
        assert!(raw.try_run(&transfer(bolts, bolts, amount, "bolts")).is_err(), "{amount}");
    }
    refused(&mut raw, &transfer(bolts, bolts, "1000000", "bolts"), "CHECK constraint failed");
    refused(&mut raw, &transfer(bolts, sats, "1", "bolts"), "FOREIGN KEY constraint failed");
    refused(&mut raw, &transfer(bolts, sats, "1", "sats"), "FOREIGN KEY constraint failed");
    refused(&mut raw, &transfer("kind = 'fees'", "kind = 'fees'", "1", "sats"), "CHECK constraint failed");
    // An overflow would make SQLite store the balance as a floating-point number.
    let most = transfer("kind = 'issuance'", bolts, &i64::MAX.to_string(), "bolts");
    assert!(raw.try_run(&most).is_err());
    raw.run(&transfer(bolts, bolts, "1", "bolts"));
    refused(&mut raw, &transfer(bolts, bolts, "1", "bolts"), "UNIQUE constraint failed");
}

#[test]
fn a_bets_columns_fit_its_status() {
    let (_store, mut raw) = filled();
    for change in [
        "status = 'accepted'",
        "status = 'resolved'",
        "status = 'cancelled'",
        "status = 'expired'",
        "acceptor_id = creator_id, accepted_at = 0",
        "next_deadline_at = NULL, next_deadline_kind = NULL",
        "deleted_at = 0, deleted_by = creator_id",
        "proposal_id = 'p', proposed_outcome = 'A', proposed_by = creator_id, proposed_at = 0",
        "disputed_at = 0",
    ] {
        let sql = format!("UPDATE bets SET {change} WHERE status = 'pending'");
        refused(&mut raw, &sql, "CHECK constraint failed");
    }
}

#[test]
fn usernames_are_unique_without_regard_to_case() {
    let (_store, mut raw) = filled();
    raw.run("UPDATE users SET username = 'Ann' WHERE email = 'ann@example.com'");
    let again = "UPDATE users SET username = 'aNN' WHERE email = 'bob@example.com'";
    refused(&mut raw, again, "UNIQUE constraint failed");
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
    assert_eq!(hits(&mut raw, "tags : xspending"), ["1"]);
    assert_eq!(hits(&mut raw, "tags : xsresolved AND tags : xcweather"), ["2"]);
    assert_eq!(hits(&mut raw, "xsaccepted"), Vec::<String>::new());
}
