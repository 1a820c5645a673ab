//! Servers: their start and their stop, and the withdrawals that they list for the operator.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{SatsKind, Tx, WalletQueries, submit};
use bolts_testkit::{WAITS, msat};
use bolts_usecases::wallet::{Destination, Sending, WalletRules, WithdrawError};
use bolts_wallet::{Evidence, Outgoing, Watch, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;

use super::Site;
use super::lists::listed;
use super::node::proof;
use crate::log::errors;
use crate::stage::HOUR;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_server_sends_only_after_its_first_clean_check() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Real);
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    let held = site.held();
    assert!(!site.wallets.has_seen_agreement());
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
    site.check();
    assert!(site.wallets.has_seen_agreement());
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Paid);
}

/// A standby that lacks the latest commits takes over while the server runs.
#[test]
fn nothing_is_sent_or_refunded_after_the_database_went_back() {
    let site = Site::new();
    let (paid, held) = (site.held(), site.held());
    let standby = site.stage.store.copy();
    site.move_on(&paid);
    assert_eq!(site.status(&paid), WithdrawalStatus::Paid);
    site.stage.store.go_back_to(&standby);
    let logged = errors(|| site.move_on(&held));
    assert_eq!(logged, ["the database went back: nothing is sent before a clean check of the provider"]);
    site.stage.clock.advance(2 * HOUR);
    for one in [&paid, &held] {
        site.move_on(one);
        assert_eq!(site.status(one), WithdrawalStatus::Held, "it may have been paid in time");
    }
    assert_eq!(site.node.count("pay"), 1);
    site.node.books().sent = Some(vec![listed(&paid, true)]);
    site.check();
    assert!(site.pause().is_some() && !site.wallets.has_seen_agreement());
}

/// The database has lost the withdrawal that this process has sent last.
#[test]
fn a_lost_payment_hash_is_refused_after_the_database_went_back() {
    let site = Site::new();
    let standby = site.stage.store.copy();
    let lost = site.sent();
    site.stage.store.go_back_to(&standby);
    let again = || site.request(&site.ann, Destination::Invoice(lost.outgoing.invoice.clone()));
    let logged = errors(|| assert_eq!(again(), Err(WithdrawError::Paused)));
    assert_eq!(logged, ["the database went back: nothing is sent before a clean check of the provider"]);
    site.node.books().look_up = Evidence::Paid { preimage: None, fee: msat(2_000) };
    assert_eq!(again(), Err(WithdrawError::UsedBefore));
    assert_eq!(site.sats(&site.ann), 10_000);
    site.stage.assert_sound();
}

/// Another process has then recorded as many attempts as the database lost, so their number shows nothing.
#[test]
fn a_process_sends_nothing_while_its_own_latest_attempt_is_missing() {
    let site = Site::new();
    let (first, second, third) = (site.held(), site.held(), site.held());
    let other = site.process(&site.node);
    block_on(other.check_solvency(&mut Watch::default())).expect("checked");
    let standby = site.stage.store.copy();
    site.move_on(&first);
    assert_eq!(site.status(&first), WithdrawalStatus::Paid);
    site.stage.store.go_back_to(&standby);
    block_on(other.move_on(second.id)).expect("moved on");
    assert_eq!(site.status(&second), WithdrawalStatus::Paid, "this process knows of no loss");
    let logged = errors(|| site.move_on(&third));
    assert_eq!(logged, ["the database went back: nothing is sent before a clean check of the provider"]);
    assert_eq!(site.status(&third), WithdrawalStatus::Held);
}

#[test]
fn only_a_check_that_began_after_the_database_went_back_lets_sending_go_on() {
    let site = Site::new();
    let (first, second) = (site.held(), site.held());
    let (standby, id) = (site.stage.store.copy(), second.id);
    site.node.books().pay = Evidence::NotSent("no route".to_owned());
    site.move_on(&first);
    let (store, wallets) = (site.stage.store.clone(), site.wallets.clone());
    // The lists were read before.
    site.node.meanwhile("balance", move || async move {
        store.go_back_to(&standby);
        wallets.move_on(id).await.expect("nothing may be sent");
    });
    let compared = || site.stage.store.setting("lists_compared_until").expect("readable");
    let before = compared();
    site.check();
    assert!(!site.wallets.has_seen_agreement());
    assert_eq!(compared(), before, "the check compared with another ledger");
    site.check();
    assert!(site.wallets.has_seen_agreement());
    site.node.books().pay = Evidence::Paid { preimage: None, fee: msat(2_000) };
    site.move_on(&second);
    assert_eq!(site.status(&second), WithdrawalStatus::Paid);
}

#[test]
fn the_operator_reads_which_provider_serves() {
    let site = Site::new();
    assert_eq!(
        (site.wallets.describe(), site.wallets.sats()),
        ("a node of a test".to_owned(), SatsKind::Real)
    );
}

/// Eight times the 90 seconds that the provider has to answer.
#[test]
fn refunds_by_the_operator_are_looked_up_every_twelve_minutes() {
    let site = Site::new();
    assert_eq!(site.wallets.refunds_looked_at_every(), Duration::from_secs(12 * 60));
}

#[test]
fn a_server_that_stops_finishes_its_steps_and_begins_none() {
    let site = Site::new();
    let (held, other) = (site.held(), site.held());
    assert!(site.wallets.is_at_rest());
    let was_at_rest = Arc::new(AtomicBool::new(true));
    let (wallets, seen) = (site.wallets.clone(), was_at_rest.clone());
    site.node.meanwhile("fee question", move || async move {
        seen.store(wallets.is_at_rest(), Ordering::SeqCst);
        wallets.shut_down();
    });
    site.move_on(&held);
    assert!(!was_at_rest.load(Ordering::SeqCst), "a step was running");
    assert!(site.wallets.is_at_rest());
    site.move_on(&other);
    assert_eq!((site.node.count("fee question"), site.node.count("pay")), (1, 0));
    assert_eq!((site.status(&held), site.status(&other)), (WithdrawalStatus::Held, WithdrawalStatus::Held));
}

#[test]
fn a_withdrawal_with_a_running_step_is_not_due() {
    let site = Site::new();
    let (held, other) = (site.held(), site.held());
    assert_eq!(site.wallets.due_withdrawals(), Ok(vec![held.id, other.id]));
    let wallets = site.wallets.clone();
    site.node.meanwhile("fee question", move || async move {
        assert_eq!(wallets.due_withdrawals(), Ok(vec![other.id]));
    });
    site.move_on(&held);
    assert_eq!(site.node.count("fee question"), 1);
}

#[test]
fn withdrawals_without_a_result_for_an_hour_are_in_doubt() {
    let site = Site::new();
    site.node.books().pay = Evidence::InFlight;
    let early = [site.sent(), site.sent()];
    site.stage.clock.advance(HOUR / 2);
    site.sent();
    let sending = || site.stage.app.sending_withdrawals();
    site.stage.clock.advance(HOUR / 2 - SECOND);
    assert_eq!(sending(), Ok(Sending { count: 3, in_doubt: Vec::new(), in_doubt_sats: 0 }));
    site.stage.clock.advance(SECOND);
    let in_doubt = vec![early[1].id, early[0].id];
    assert_eq!(sending(), Ok(Sending { count: 3, in_doubt, in_doubt_sats: 2_020 }));
}

/// The list is read in pages of 1,000.
#[test]
fn a_long_list_of_withdrawals_is_read_to_its_end() {
    let site = Site::new();
    let (user, now) = (site.ann.actor.user, site.stage.now());
    block_on(submit(&*site.stage.store, move |tx: &mut dyn Tx| {
        for number in 0..1_001 {
            let id = u128::from(number + 1_000_u32).into();
            let sending =
                Withdrawal::request(id, user, outgoing(number + 1_000, now), now).attempt(now, &WAITS);
            tx.withdrawals().insert(&sending.expect("it may be sent"))?;
        }
        Ok::<_, bolts_ports::StoreError>(())
    }))
    .expect("stored");
    assert_eq!(site.stage.app.sending_withdrawals().expect("readable").count, 1_001);
}

fn outgoing(number: u32, now: Timestamp) -> Outgoing {
    Outgoing {
        invoice: format!("lnbc{number}"),
        payment_hash: proof(number).payment_hash(),
        amount: msat(1_000_000),
        expires_at: now.after(HOUR),
        address: None,
    }
}
