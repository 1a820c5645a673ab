//! The rules that the schema of both databases enforces for every program that writes to the database.

use std::time::Duration;

use bolts_bets::{Outcome, Terms};
use bolts_delivery::{Channel, Digest, Preferences, Topic, Wants};
use bolts_kernel::{NotificationId, TimeZone, Timestamp, UserId};
use bolts_ports::{
    About, AccountEvent, Audit, BetKey, Cause, Delivery, DeliveryQueries, Hint, ListFilter, NewDelivery,
    NewNotification, NoticeBody, PageRequest, Queries, Recipient, Result, Sort, StoreError, Tx,
};
use bolts_testkit::{HOUR, Scene, run, terms};

use super::support::{CHECK, FOREIGN_KEY, ODDS_AGAIN, Raw, TestStore, UNIQUE};

/// A store with a pending and a settled bet, and a direct connection to its database.
pub(super) fn filled() -> (TestStore, Raw) {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    scene.create(ann, terms());
    scene.settle(&scene.accept(&scene.create(ann, terms()), bob), Outcome::A);
    let raw = store.raw();
    (store, raw)
}

pub(super) fn refused(raw: &mut Raw, sql: &str, because: &str) {
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
    for column in [
        "stake = 1",
        "opponent_stake = 1",
        "title = 'x'",
        "expires_at = 0",
        "creator_side = 'B'",
        "stand_seconds = 0",
    ] {
        refused(&mut raw, &format!("UPDATE bets SET {column}"), "the terms of a bet never change");
    }
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
        refused(&mut raw, &sql, CHECK);
    }
    let again = "INSERT INTO accounts (kind, owner, currency) VALUES ('issuance', '', 'bolts')";
    refused(&mut raw, again, UNIQUE);
}

/// The SQL statement for a transfer. `from` and `to` are SQL conditions that select the two accounts.
pub(super) fn transfer(from: &str, to: &str, amount: &str, currency: &str) -> String {
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
    for amount in ["0", "-1", "'many'", "1e19", "NULL"] {
        assert!(raw.try_run(&transfer(bolts, bolts, amount, "bolts")).is_err(), "{amount}");
    }
    refused(&mut raw, &transfer(bolts, bolts, "1000000", "bolts"), CHECK);
    refused(&mut raw, &transfer(bolts, sats, "1", "bolts"), FOREIGN_KEY);
    refused(&mut raw, &transfer(bolts, sats, "1", "sats"), FOREIGN_KEY);
    refused(&mut raw, &transfer("kind = 'fees'", "kind = 'fees'", "1", "sats"), CHECK);
    // An overflow would make SQLite store the balance as a floating-point number.
    let most = transfer("kind = 'issuance'", bolts, &i64::MAX.to_string(), "bolts");
    assert!(raw.try_run(&most).is_err());
    raw.run(&transfer(bolts, bolts, "1", "bolts"));
    refused(&mut raw, &transfer(bolts, bolts, "1", "bolts"), UNIQUE);
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
        refused(&mut raw, &sql, CHECK);
    }
}

#[test]
fn usernames_are_unique_without_regard_to_case() {
    let (_store, mut raw) = filled();
    raw.run("UPDATE users SET username = 'Ann' WHERE email = 'ann@example.com'");
    let again = "UPDATE users SET username = 'aNN' WHERE email = 'bob@example.com'";
    refused(&mut raw, again, UNIQUE);
}

#[test]
fn positions_are_what_their_bets_say() {
    let (_store, mut raw) = filled();
    let because = "a position is not what its bet says";
    let bob = "SELECT id FROM users WHERE email = 'bob@example.com'";
    let pending = "SELECT seq FROM bets WHERE status = 'pending'";
    let hold = |units: i64, payout: &str| {
        format!(
            "INSERT INTO positions (bet_seq, side, user_id, stake, payout) VALUES (({pending}), 'B', ({bob}), {units}, {payout})"
        )
    };
    // The bet is 100 against 60.
    for (units, payout) in [(100, "NULL"), (61, "NULL"), (1, "NULL"), (60, "59"), (60, "200"), (60, "100")] {
        refused(&mut raw, &hold(units, payout), because);
    }
    for change in ["stake = 60", "payout = 200", "payout = 99"] {
        refused(&mut raw, &format!("UPDATE positions SET {change} WHERE side = 'A'"), because);
    }
    raw.run(&hold(60, "NULL"));
    for payout in [0, 60, 160] {
        raw.run(&format!(
            "UPDATE positions SET payout = {payout} WHERE side = 'B' AND bet_seq = ({pending})"
        ));
    }
}

/// Bets of releases without odds have the same stake on both sides, in every figure and after every later action.
#[test]
fn old_bets_keep_even_odds() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let even = || Terms { opponent_stake: terms().stake.amount, ..terms() };
    let (pending, live) = (scene.create(ann, even()), scene.accept(&scene.create(ann, even()), bob));
    let settled = scene.settle(&scene.accept(&scene.create(ann, even()), bob), Outcome::B);
    let mut raw = store.raw();
    ODDS_AGAIN.into_iter().for_each(|sql| raw.run(sql));
    assert_eq!(raw.values("SELECT CAST(COUNT(opponent_stake) AS TEXT) AS value FROM bets"), ["0"]);
    for bet in [&pending, &live, &settled] {
        assert_eq!(store.bet(&BetKey::Id(bet.id)).unwrap().unwrap().bet, *bet);
    }
    let filter = ListFilter { sort: Sort::PotDesc, ..ListFilter::default() };
    let page = store.public_bets(&filter, PageRequest { limit: 9, after: None }).unwrap();
    assert_eq!(page.items.len(), 3);
    scene.settle(&scene.accept(&pending, bob), Outcome::A);
    let violations = store.audit().unwrap().into_iter().flat_map(|check| check.violations);
    assert_eq!(violations.collect::<Vec<_>>(), Vec::<String>::new());
}

/// Another version of the program has written the row.
#[test]
fn hints_that_cannot_be_read_keep_no_others_back() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (hint, at) = (Hint { user: scene.user("ann"), about: About::Balance }, scene.now());
    let strange = r#"[{"user": "x", "about": "weather"}]"#;
    store.raw().run(&format!(
        "INSERT INTO outbox (kind, payload, next_at, created_at) VALUES ('hints', '{strange}', 0, 0)"
    ));
    let written: Result<()> = run(&*store, move |tx| tx.outbox().enqueue(&[hint], at));
    assert_eq!((written, run(&*store, |tx| tx.outbox().take(9))), (Ok(()), Ok::<_, StoreError>(vec![hint])));
    assert_eq!(store.is_owed(), Ok(false));
}

/// Another version of the program has stored the values.
#[test]
fn choices_that_cannot_be_read_are_the_default_until_the_next_change() {
    let none = Wants { email: false, push: false, webhook: false };
    let mut chosen = Preferences::default();
    chosen.choose(Topic::Accepted, none);
    (chosen.digest, chosen.time_zone) = (Digest::Weekly, TimeZone::TOKYO);
    let (mut no_zone, mut no_digest) = (chosen.clone(), chosen.clone());
    (no_zone.time_zone, no_digest.digest) = (TimeZone::default(), Digest::default());
    let mut no_choice = Preferences::default();
    (no_choice.digest, no_choice.time_zone) = (chosen.digest, chosen.time_zone);
    let accepted = r#""accepted": {"email": false, "push": false, "webhook": false}"#;
    for (change, expected) in [
        ("time_zone = 'Mars/Base'".to_owned(), no_zone),
        ("digest = 'hourly'".to_owned(), no_digest),
        ("chosen = 'all of them'".to_owned(), no_choice),
        (format!(r#"chosen = '{{{accepted}, "messages": 5, "weather": "sunny"}}'"#), chosen.clone()),
    ] {
        let store = TestStore::new();
        let ann = Scene::new(&*store).user("ann");
        let save = || {
            let chosen = chosen.clone();
            run(&*store, move |tx| tx.contacts().set_preferences(ann, &chosen))
        };
        assert_eq!(save(), Ok::<_, StoreError>(()));
        let mut raw = store.raw();
        raw.lift_all_rules();
        raw.run(&format!("UPDATE notification_preferences SET {change}"));
        assert_eq!(store.preferences_of(ann), Ok(expected.clone()), "{change}");
        let read: Result<_> = run(&*store, move |tx| tx.contacts().preferences(ann));
        assert_eq!(read, Ok(expected), "{change}");
        assert_eq!((save(), store.preferences_of(ann)), (Ok(()), Ok(chosen.clone())), "{change}");
    }
}

#[test]
fn a_notification_that_cannot_be_read_hides_no_others() {
    let store = TestStore::new();
    let scene = Scene::new(&*store);
    let (ann, at) = (scene.user("ann"), scene.now());
    let ids: [NotificationId; 2] = [scene.id(), scene.id()];
    let told = ids.map(|id| {
        let body = NoticeBody::Account { event: AccountEvent::PasswordChanged };
        NewNotification { id, user: ann, body, bet: None, at }
    });
    let written: Result<()> = run(&*store, move |tx| tx.notifications().insert(&told));
    assert_eq!(written, Ok(()));
    let mut raw = store.raw();
    raw.lift_all_rules();
    raw.run(&format!("UPDATE notifications SET kind = 'birthday' WHERE id = '{}'", ids[1]));
    let seen = store.notifications(ann).expect("no failure");
    assert_eq!(seen.iter().map(|one| one.id).collect::<Vec<_>>(), [ids[0]]);
}

/// A store with mails to ann. Another version of the program has written those whose names begin with 'strange'.
struct Mails {
    store: TestStore,
    raw: Raw,
    ann: UserId,
    now: Timestamp,
}

impl Mails {
    fn new() -> Self {
        let store = TestStore::new();
        let scene = Scene::new(&*store);
        let (ann, now) = (scene.user("ann"), scene.now());
        let mut raw = store.raw();
        raw.lift_all_rules();
        Self { store, raw, ann, now }
    }

    /// Writes mails of this age that are due now.
    fn write(&mut self, names: &[&str], age: Duration) {
        for name in names {
            let new = NewDelivery {
                name: (*name).to_owned(),
                channel: Channel::Email,
                user: Some(self.ann),
                to: Recipient::Address("ann@example.com".to_owned()),
                cause: Cause::ResetPassword,
                at: self.now.before(age),
                due_at: self.now,
            };
            let written: Result<()> = run(&*self.store, move |tx| tx.deliveries().enqueue(&new));
            assert_eq!(written, Ok(()));
        }
        self.raw.run("UPDATE deliveries SET cause = 'birthday' WHERE name LIKE 'strange%'");
    }

    /// The names of the deliveries that a job finds.
    fn found(&self, find: impl FnMut(&mut dyn Tx) -> Result<Vec<Delivery>> + Send + 'static) -> Vec<String> {
        let found = run(&*self.store, find).expect("no failure");
        found.into_iter().map(|delivery| delivery.name).collect()
    }

    fn claimed(&self, at: Timestamp, limit: u32) -> Vec<String> {
        self.found(move |tx| tx.deliveries().claim(Channel::Email, at, at.after(HOUR), limit))
    }

    /// State and attempts of the deliveries that another version has written.
    fn strange(&mut self) -> Vec<String> {
        let state = "state || ' ' || CAST(attempts AS TEXT)";
        self.raw.values(&format!(
            "SELECT {state} AS value FROM deliveries WHERE name LIKE 'strange%' ORDER BY seq"
        ))
    }
}

/// Finds at most two deliveries.
type Find = fn(&mut dyn Tx, UserId, Timestamp) -> Result<Vec<Delivery>>;

/// Another version of the program has written more rows than a page has.
#[test]
fn deliveries_that_cannot_be_read_keep_no_others_back() {
    let ways: [(&str, Find); 3] = [
        ("queued", |tx, _, now| tx.deliveries().claim(Channel::Email, now, now.after(HOUR), 2)),
        ("queued", |tx, _, now| tx.deliveries().untaken(Channel::Email, now, 2, now)),
        ("held", |tx, ann, now| tx.deliveries().held(ann, 2, now)),
    ];
    for (state, find) in ways {
        let mut mails = Mails::new();
        let (ann, now) = (mails.ann, mails.now);
        mails.write(&["strange 1", "known 1", "strange 2", "strange 3", "strange 4"], HOUR);
        mails.write(&["known 2", "known 3"], HOUR);
        mails.raw.run(&format!("UPDATE deliveries SET state = '{state}'"));
        assert_eq!(mails.found(move |tx| find(tx, ann, now)), ["known 1", "known 2"], "{state}");
        assert!(mails.strange().iter().all(|row| row.starts_with("given_up")), "{:?}", mails.strange());
    }
}

/// During an upgrade, processes of two versions serve one database.
#[test]
fn a_delivery_of_another_version_waits_an_hour_for_its_process() {
    for (age, fate) in
        [(Duration::ZERO, "queued 0"), (HOUR - Duration::from_secs(1), "queued 0"), (HOUR, "given_up 1")]
    {
        let mut mails = Mails::new();
        let (ann, now) = (mails.ann, mails.now);
        mails.write(&["strange 1", "known 1"], age);
        assert_eq!(mails.claimed(now, 9), ["known 1"], "{age:?}");
        assert_eq!(mails.strange(), [fate], "{age:?}");
        mails.write(&["strange 2", "known 2"], age);
        mails.raw.run("UPDATE deliveries SET state = 'held', attempts = 1 WHERE name LIKE '% 2'");
        assert_eq!(mails.found(move |tx| tx.deliveries().held(ann, 9, now)), ["known 2"], "{age:?}");
        assert_eq!(mails.strange(), [fate, fate], "{age:?}");
    }
}

#[test]
fn a_delivery_of_another_version_does_not_come_first_again() {
    let mut mails = Mails::new();
    let (now, later) = (mails.now, mails.now.after(Duration::from_mins(2)));
    mails.write(&["strange"], Duration::ZERO);
    assert_eq!(mails.claimed(now, 1), [""; 0]);
    // From here on, the process of the other version claims, and can read it.
    mails.raw.run("UPDATE deliveries SET cause = 'reset_password'");
    assert_eq!(mails.claimed(now, 1), [""; 0]);
    mails.raw.run("UPDATE deliveries SET name = 'of another version'");
    mails.write(&["known"], Duration::ZERO);
    assert_eq!(mails.claimed(later, 1), ["known"]);
    assert_eq!(mails.claimed(later, 1), ["of another version"]);
}
