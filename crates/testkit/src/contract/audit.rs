//! Contract of the audit: it finds nothing in a sound ledger, and it finds each violation.

use bolts_bets::{Bet, EscrowEffect, NewBet, Outcome, Party, Side, Waits};
use bolts_kernel::{BetId, Currency};
use bolts_ledger::Account;
use bolts_resolution::Answer;

use super::bets::insert;
use super::{Subject, read};
use crate::Scene;
use crate::fixtures::{bolts, terms};

/// The violations that the audit finds.
pub(super) fn violations(store: &dyn Subject) -> Vec<String> {
    read(store.audit()).into_iter().flat_map(|check| check.violations).collect()
}

fn assert_named(store: &dyn Subject, bet: &Bet) {
    let found = violations(store);
    let name = bet.id.to_string();
    assert!(found.iter().any(|violation| violation.contains(&name)), "{name} is not in {found:?}");
}

/// An empty store passes the audit, and so does a store with open, settled and deleted bets. The checks must
/// also report that they have counted rows.
pub fn a_sound_ledger_passes(store: &dyn Subject) {
    assert_eq!(violations(store), Vec::<String>::new());
    let scene = Scene::new(store);
    let (ann, bob, admin) = (scene.user("ann"), scene.user("bob"), scene.user("admin"));
    let accepted = || scene.accept(&scene.create(ann, terms()), bob);
    scene.create(ann, terms());
    accepted();
    scene.propose(&accepted(), Party::Creator, Outcome::B);
    for outcome in Outcome::ALL {
        scene.settle(&accepted(), outcome);
    }
    let taken_back = scene.create(bob, terms());
    scene.record(taken_back.delete(bob, scene.now()).expect("may be deleted"));
    let removed = bolts_resolution::admin_delete(accepted(), admin, scene.now());
    scene.record(removed.expect("may be removed"));
    assert_eq!(violations(store), Vec::<String>::new());
    let checks = read(store.audit());
    assert!(checks.iter().any(|check| check.counted > 0), "{checks:?}");
    assert!(checks.iter().all(|check| !check.name.is_empty()), "{checks:?}");
}

/// The audit finds a pending bet whose escrow lacks the creator's stake.
pub fn a_missing_stake_is_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let id = scene.id::<BetId>();
    super::keep(store, move |tx| tx.ledger().open(&[Account::Escrow(id, bolts(1).currency)]));
    let new = NewBet {
        id,
        creator: ann,
        creator_side: Side::A,
        terms: terms(),
        waits: Waits::default(),
        arbiter: None,
    };
    assert_named(store, &insert(store, new));
}

/// The audit finds a resolved bet whose winner was not paid.
pub fn a_missing_payout_is_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let accepted = scene.accept(&scene.create(ann, terms()), bob);
    let proposed = scene.propose(&accepted, Party::Creator, Outcome::A);
    assert_eq!(violations(store), Vec::<String>::new());
    let answer = bolts_resolution::respond(proposed, bob, Answer::Accept, None, scene.now());
    let settled = answer.expect("may be answered").with_escrow(EscrowEffect::Unchanged);
    assert_named(store, &scene.record(settled));
}

/// The audit finds a resolved bet whose escrow was paid to the loser.
pub fn a_payout_to_the_loser_is_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    let accepted = scene.accept(&scene.create(ann, terms()), bob);
    let proposed = scene.propose(&accepted, Party::Creator, Outcome::A);
    let answer = bolts_resolution::respond(proposed, bob, Answer::Accept, None, scene.now());
    let settled = answer.expect("may be answered").with_escrow(EscrowEffect::PayOut(bob));
    assert_named(store, &scene.record(settled));
}

/// The store returns one total for each kind of account and currency. The totals of a currency sum to 0.
pub fn totals_say_where_the_money_is(store: &dyn Subject) {
    let scene = Scene::new(store);
    let (ann, bob) = (scene.user("ann"), scene.user("bob"));
    scene.accept(&scene.create(ann, terms()), bob);
    let totals = read(store.totals());
    let of = |kind: &str, currency| {
        totals
            .iter()
            .find(|total| total.kind == kind && total.currency == currency)
            .map(|total| total.balance)
    };
    let pot = terms().stake.amount.get() + terms().opponent_stake.get();
    assert_eq!(of("escrow", Currency::Bolts), Some(pot));
    assert_eq!(of("available", Currency::Bolts), Some(2 * bolts_ledger::SIGN_UP_GRANT - pot));
    assert_eq!(of("issuance", Currency::Bolts), Some(-2 * bolts_ledger::SIGN_UP_GRANT));
    // The migrations must have inserted the system accounts of every currency.
    for account in Account::of_the_system().filter(|account| *account != Account::Issuance(Currency::Bolts)) {
        assert_eq!(of(account.kind(), account.currency()), Some(0), "{account:?}");
    }
    assert_eq!(totals.iter().map(|total| total.balance).sum::<i64>(), 0);
}
