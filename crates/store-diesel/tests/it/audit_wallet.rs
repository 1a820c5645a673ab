//! Tests of the audit's checks of deposits and withdrawals. Each test breaks an invariant by hand.

use bolts_kernel::UserId;
use bolts_ports::Audit;
use bolts_testkit::{Scene, msat};
use bolts_wallet::{Deposit, Evidence, Withdrawal};

use super::support::{Raw, TestStore};

const SUM: &str = "1 all accounts of a currency sum to 0";
const BALANCE: &str = "2 each balance is the sum of its transfers";
const KIND: &str = "2 each transfer is what its kind says";
const CREDITED: &str = "6 each paid deposit was credited once, with what arrived";
const HELD: &str = "6 each open withdrawal is held, and no ended one is";
const ENDED: &str = "6 each withdrawal took from its user once, and ended in one way";
const STATUS: &str = "6 each deposit and withdrawal has what its status says";
const NOTHING_ELSE: &str = "6 nothing else came in or left over Lightning";

/// A database without violations. Ann has two paid deposits (one below 1 sat) and a withdrawal in each
/// status: held, sending, paid and refunded. Bob has no sats.
struct Sound {
    store: TestStore,
    ann: UserId,
    bob: UserId,
    deposit: Deposit,
    held: Withdrawal,
    paid: Withdrawal,
    refunded: Withdrawal,
}

impl Sound {
    fn new() -> Self {
        let store = TestStore::new();
        let scene = Scene::new(&*store);
        let (ann, bob) = (scene.user("ann"), scene.user("bob"));
        let deposit = scene.deposited(ann, 1, 5_000_999);
        scene.deposited(ann, 2, 999);
        let held = scene.held(ann, 3, 100_000);
        scene.sent(scene.held(ann, 4, 200_000));
        let word = Evidence::Paid { preimage: None, fee: msat(3_000) };
        let paid = scene.ended(scene.sent(scene.held(ann, 5, 300_000)), word);
        let word = Evidence::Failed("no route".to_owned());
        let refunded = scene.ended(scene.sent(scene.held(ann, 6, 400_000)), word);
        Self { store, ann, bob, deposit, held, paid, refunded }
    }

    fn violations(&self) -> Vec<(&'static str, Vec<String>)> {
        let checks = self.store.audit().unwrap().into_iter();
        checks.filter(|check| !check.violations.is_empty()).map(|c| (c.name, c.violations)).collect()
    }

    /// Breaks an invariant with `spoil`. Asserts that exactly these checks find violations, and that a
    /// message of each check contains `of`.
    fn finds(&self, checks: &[&str], of: &str, spoil: impl FnOnce(&mut Raw)) {
        assert!(self.violations().is_empty(), "{:?}", self.violations());
        let mut raw = self.store.raw();
        raw.lift_all_rules();
        spoil(&mut raw);
        let found = self.violations();
        let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, checks, "{found:?}");
        for (name, violations) in &found {
            assert!(violations.iter().any(|violation| violation.contains(of)), "{name}: {violations:?}");
        }
    }
}

fn account(kind: &str, owner: &str) -> String {
    format!("(SELECT id FROM accounts WHERE kind = '{kind}' AND owner = '{owner}' AND currency = 'sats')")
}

/// Inserts a transfer and changes both balances, as the trigger would do.
fn post(raw: &mut Raw, key: &str, from: &str, to: &str, amount: i64, deposit: Option<&str>) {
    let deposit = deposit.map_or("NULL".to_owned(), |id| format!("'{id}'"));
    raw.run(&format!(
        "INSERT INTO transfers
            (key, operation_id, from_account, to_account, amount, currency, kind, deposit_id, created_at)
         SELECT '{key}', 'op', {from}, {to}, {amount}, 'sats', 'deposit', {deposit}, 0;
         UPDATE accounts SET balance = balance - {amount} WHERE id = {from};
         UPDATE accounts SET balance = balance + {amount} WHERE id = {to};"
    ));
}

#[test]
fn a_deposit_credited_twice_is_found() {
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    let (from, to) = (account("lightning", ""), account("available", &sound.ann.to_string()));
    sound.finds(&[KIND, CREDITED], &id, |raw| post(raw, "again", &from, &to, 5_000, Some(&id)));
}

#[test]
fn a_deposit_credited_to_another_user_too_is_found() {
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    let (from, to) = (account("lightning", ""), account("available", &sound.bob.to_string()));
    sound.finds(&[KIND, NOTHING_ELSE], "(again)", |raw| post(raw, "again", &from, &to, 5_000, Some(&id)));
}

#[test]
fn a_paid_deposit_without_its_credit_is_found() {
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    sound.finds(&[CREDITED, STATUS], &id, |raw| {
        raw.run(&format!("UPDATE deposits SET credited = 4999, dust_msat = 1999 WHERE id = '{id}'"));
    });
}

#[test]
fn a_credit_for_an_unpaid_deposit_is_found() {
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    sound.finds(&[CREDITED], &format!("deposit:{id}"), |raw| {
        raw.run(&format!(
            "UPDATE deposits SET status = 'lapsed', credited = NULL, dust_msat = NULL, received_msat = NULL,
             paid_at = NULL WHERE id = '{id}'"
        ));
    });
}

#[test]
fn a_deposit_that_keeps_more_than_dust_is_found() {
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    sound.finds(&[CREDITED], &id, |raw| {
        raw.run(&format!("UPDATE deposits SET received_msat = received_msat + 7000000 WHERE id = '{id}'"));
    });
}

#[test]
fn an_ended_withdrawal_that_still_holds_is_found() {
    let sound = Sound::new();
    let id = sound.held.id.to_string();
    sound.finds(&[HELD, ENDED, STATUS], &id, |raw| {
        raw.run(&format!("UPDATE withdrawals SET status = 'refunded' WHERE id = '{id}'"));
    });
}

#[test]
fn a_refund_of_what_was_paid_is_found() {
    let sound = Sound::new();
    let id = sound.paid.id.to_string();
    let (from, to) = (account("hold", &id), account("available", &sound.ann.to_string()));
    let mut raw = sound.store.raw();
    raw.lift_all_rules();
    post(&mut raw, "back", &from, &to, 310, None);
    let found = sound.violations();
    assert!(
        found.iter().any(|(name, violations)| *name == ENDED && violations[0].contains(&id)),
        "{found:?}"
    );
}

#[test]
fn a_refunded_withdrawal_that_counts_as_paid_is_found() {
    let sound = Sound::new();
    let id = sound.refunded.id.to_string();
    sound.finds(&[ENDED, STATUS], &id, |raw| {
        raw.run(&format!("UPDATE withdrawals SET status = 'paid', fee = 0 WHERE id = '{id}'"));
    });
}

/// A comparison with NULL is neither true nor false, and a sentence with NULL is NULL.
#[test]
fn a_deposit_or_withdrawal_without_what_its_status_needs_is_found() {
    let sound = Sound::new();
    let id = sound.paid.id.to_string();
    sound.finds(&[ENDED, STATUS], &id, |raw| {
        raw.run(&format!("UPDATE withdrawals SET fee = NULL WHERE id = '{id}'"));
    });
    let sound = Sound::new();
    let id = sound.deposit.id.to_string();
    sound.finds(&[CREDITED, STATUS], &id, |raw| {
        raw.run(&format!("UPDATE deposits SET credited = NULL WHERE id = '{id}'"));
    });
}

#[test]
fn a_withdrawal_whose_sats_are_not_its_millisats_is_found() {
    for change in
        ["amount_msat = amount_msat - 1000", "fee_msat = fee_msat - 1000", "dust_msat = dust_msat + 1"]
    {
        let sound = Sound::new();
        let id = sound.paid.id.to_string();
        sound.finds(&[STATUS], &id, |raw| {
            raw.run(&format!("UPDATE withdrawals SET {change} WHERE id = '{id}'"));
        });
    }
}

#[test]
fn a_hold_of_no_withdrawal_is_found() {
    let sound = Sound::new();
    sound.finds(&[SUM, BALANCE, HELD], "5", |raw| {
        raw.run("INSERT INTO accounts (kind, owner, currency, balance) VALUES ('hold', 'nobody', 'sats', 5)");
    });
}

#[test]
fn sats_without_a_deposit_or_withdrawal_are_found() {
    let sound = Sound::new();
    let (lightning, ann) = (account("lightning", ""), account("available", &sound.ann.to_string()));
    sound.finds(&[KIND, NOTHING_ELSE], "(in)", |raw| post(raw, "in", &lightning, &ann, 7, None));
    let mut raw = sound.store.raw();
    post(&mut raw, "out", &ann, &lightning, 7, None);
    let found = sound.violations();
    assert_eq!(found.iter().map(|(_, violations)| violations.len()).collect::<Vec<_>>(), [2, 2], "{found:?}");
}

#[test]
fn test_sats_in_a_real_database_are_found() {
    let sound = Sound::new();
    sound.finds(&[NOTHING_ELSE], "test:", |raw| {
        raw.run("INSERT INTO settings (name, value) VALUES ('sats_kind', 'real')");
    });
}
