//! Tests of the audit's check of deleted users, and a list of what a deletion does with each table.

use bolts_kernel::{Currency, DepositId, OperationId, UserId};
use bolts_ledger::Account;
use bolts_testkit::{DAY, Scene, run, terms};

use super::support::TestStore;

const CHECK: &str = "10 each deleted user has neither money nor a way in";

const KIND: &str = "2 each transfer is what its kind says";

const BOOKED: &str = "10 each booking of a late deposit moved what arrived for a deleted user";

/// A database without violations, in which Ann is deleted. She had an ended bet and an invoice that was paid later.
struct Sound {
    store: TestStore,
    ann: UserId,
    bob: UserId,
    late: DepositId,
}

impl Sound {
    fn new() -> Self {
        let store = TestStore::new();
        let scene = Scene::new(&*store);
        let (ann, bob) = (scene.user("ann"), scene.user("bob"));
        let bet = scene.accept(&scene.create(ann, terms()), bob);
        scene.settle(&bet, bolts_bets::Outcome::B);
        let at = scene.now();
        let operation = scene.id::<OperationId>();
        run(&*store, move |tx| {
            let account = Account::Available(ann, Currency::Bolts);
            let units = tx.ledger().lock(&[account])?[0];
            let amount = bolts_kernel::Amount::new(units).expect("not below 0");
            let closed = bolts_ledger::account_closed(ann, amount, operation, at).expect("more than nothing");
            tx.ledger().post(&[closed])?;
            tx.departures().erase(ann, at)
        })
        .unwrap();
        scene.clock.advance(2 * DAY);
        let late = scene.deposited(ann, 1, 5_000_999).id;
        scene.create(bob, terms());
        Self { store, ann, bob, late }
    }

    /// Books Ann's late sats to somebody, or to the operator.
    fn book(&self, to: Option<UserId>) {
        let scene = Scene::new(&*self.store);
        let (operation, at) = (OperationId::from(1), scene.now());
        let (late, ann) = (self.late, self.ann);
        run(&*self.store, move |tx| {
            let amount = bolts_kernel::Amount::new(5_000).expect("not below 0");
            let booked = bolts_ledger::late_deposit(late, (ann, to), amount, operation, at);
            tx.ledger().post(&[booked.expect("more than nothing")])
        })
        .unwrap();
    }
}

#[test]
fn a_wrong_booking_of_a_late_deposit_is_found() {
    for (is_own, sql, checks) in [
        (false, "UPDATE deposits SET paid_at = 5", &[CHECK, BOOKED][..]),
        (
            true,
            "UPDATE users SET deleted_at = 9000000000000000 WHERE deleted_at IS NOT NULL",
            &[CHECK, BOOKED],
        ),
        (
            false,
            "UPDATE transfers SET kind = 'late_deposit_kept' WHERE kind = 'late_deposit_moved'",
            &[KIND, BOOKED],
        ),
        (true, "UPDATE transfers SET key = 'late:x' WHERE kind = 'late_deposit_kept'", &[KIND, BOOKED]),
    ] {
        let sound = Sound::new();
        sound.book((!is_own).then_some(sound.bob));
        assert_eq!(sound.store.violations(), [], "{sql}");
        let mut raw = sound.store.raw();
        raw.lift_all_rules();
        raw.run(sql);
        let found: Vec<_> = sound.store.violations().into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, checks, "{sql}");
    }
}

#[test]
fn what_is_left_of_a_deleted_user_is_found() {
    let ann = |sql: &str, sound: &Sound| sql.replace("$ann", &sound.ann.to_string());
    for (sql, words) in [
        ("INSERT INTO credentials VALUES ('$ann', 'hash', 5, NULL)", "a password"),
        (
            "INSERT INTO sessions (id, hash, user_id, created_at, last_seen_at) VALUES ('1', '1', '$ann', 5, 5)",
            "a session",
        ),
        ("INSERT INTO totp VALUES ('$ann', 'GEZD', NULL, 5)", "an authenticator app"),
        (
            "INSERT INTO passkeys VALUES ('0123456789abcdef0123456789abcdef', '$ann', '', '', '', 1, 0, 5, NULL, NULL)",
            "a passkey",
        ),
        (
            "INSERT INTO api_keys VALUES ('0123456789abcdef0123456789abcdef', '$ann', 'hash', '', '', '', 5, 6, NULL, NULL)",
            "an API key",
        ),
        ("INSERT INTO recovery_codes VALUES ('$ann', 'hash')", "recovery codes"),
        (
            "INSERT INTO destinations (id, user_id, channel, address, confirmed_at) VALUES ('d', '$ann', 'email', 'ann@example.com', 5)",
            "the destination d",
        ),
        ("UPDATE users SET first_name = 'Ann' WHERE id = '$ann'", "a name or rights"),
        ("UPDATE users SET email = 'ann@example.com' WHERE id = '$ann'", "a name or rights"),
        ("UPDATE users SET is_admin = 1 WHERE id = '$ann'", "a name or rights"),
        (
            "UPDATE bets SET arbiter_id = '$ann', arbiter_status = 'invited' WHERE status = 'pending'",
            "the open bet",
        ),
        ("UPDATE deposits SET paid_at = 5", "5000 sats that did not arrive after the deletion"),
    ] {
        let sound = Sound::new();
        assert_eq!(sound.store.violations(), [], "{words}");
        let mut raw = sound.store.raw();
        raw.lift_all_rules();
        raw.run(&ann(sql, &sound));
        let found = sound.store.violations();
        let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, [CHECK], "{words}: {found:?}");
        assert!(found[0].1.contains(words) && found[0].1.contains(&sound.ann.to_string()), "{found:?}");
    }
}

#[test]
fn a_deleted_user_stays_as_it_is() {
    let sound = Sound::new();
    let mut raw = sound.store.raw();
    for change in ["username = 'ann'", "email = 'ann@example.com'", "deleted_at = NULL", "is_admin = 1"] {
        let refused = raw.try_run(&format!("UPDATE users SET {change} WHERE id = '{}'", sound.ann));
        assert!(refused.is_err_and(|error| error.contains("a deleted user stays as it is")), "{change}");
    }
}

/// What a deletion does with the rows that name a user. A new table that refers to users needs a decision: remove its rows in
/// `shared/departures.rs`, or say here why they stay, and in `docs/product.md#deletion`.
const DECIDED: [(&str, &str); 29] = [
    ("achievements.user_id", "stays: the audit compares it with the rewards"),
    ("admin_actions.admin_id", "stays: what admins did"),
    ("admin_actions.user_id", "stays: what admins did"),
    ("api_keys.user_id", "removed"),
    ("bet_events.by_user", "stays: the history of a bet"),
    ("bets.acceptor_id", "stays"),
    ("bets.arbiter_id", "stays"),
    ("bets.creator_id", "stays"),
    ("bets.deleted_by", "stays"),
    ("bets.disputed_by", "stays"),
    ("bets.proposed_by", "stays"),
    ("challenges.user_id", "removed"),
    ("credentials.user_id", "removed"),
    ("deliveries.user_id", "removed"),
    ("deposits.user_id", "stays: money"),
    ("destinations.user_id", "removed"),
    ("idempotency.user_id", "removed"),
    ("mail_tokens.user_id", "removed"),
    ("messages.author_id", "stays; texts on bets of others are removed"),
    ("messages.deleted_by", "stays"),
    ("notification_preferences.user_id", "removed"),
    ("notifications.user_id", "removed"),
    ("passkeys.user_id", "removed"),
    ("pictures.author_id", "stays with a message, otherwise removed"),
    ("positions.user_id", "stays: money"),
    ("recovery_codes.user_id", "removed"),
    ("sessions.user_id", "removed"),
    ("totp.user_id", "removed"),
    ("withdrawals.user_id", "stays: money"),
];

#[test]
fn every_table_that_names_a_user_has_a_decision() {
    let store = TestStore::new();
    let mut raw = store.raw();
    let found = raw.values(
        "SELECT tables.name || '.' || keys.\"from\" AS value FROM sqlite_schema AS tables
         JOIN pragma_foreign_key_list(tables.name) AS keys ON keys.\"table\" = 'users'
         WHERE tables.type = 'table' AND tables.name <> 'user_figures' ORDER BY 1",
    );
    let decided: Vec<&str> = DECIDED.iter().map(|(column, _)| *column).collect();
    assert_eq!(found, decided);
}
