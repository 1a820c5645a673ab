//! The check of the provider's lists: payments that the ledger does not know.

use std::time::Duration;

use bolts_ports::{Received, SatsKind, Sent};
use bolts_testkit::msat;
use bolts_usecases::wallet::WalletRules;
use bolts_wallet::{Deposit, DepositState, Evidence, Millisats, Watch, Withdrawal};
use futures_executor::block_on;

use super::node::{Node, proof};
use super::{Site, wallets};
use crate::stage::{HOUR, Stage};

const MINUTE: Duration = Duration::from_secs(60);

/// A payment in the provider's list of which the ledger knows nothing.
pub(super) fn unknown_payment(site: &Site) -> Sent {
    Sent {
        payment_hash: proof(777).payment_hash(),
        invoice: "lnbc777".to_owned(),
        amount: msat(1_000_000),
        fee: msat(2_000),
        created_at: site.stage.now(),
        preimage: Some(proof(777)),
        is_paid: true,
        owner: None,
    }
}

/// A paid invoice in the provider's list of which the ledger knows nothing.
pub(super) fn unknown_deposit(site: &Site) -> Received {
    Received {
        payment_hash: proof(888).payment_hash(),
        invoice: "lnbc888".to_owned(),
        amount: msat(500_999),
        created_at: site.stage.now(),
        is_deposit: true,
        owner: None,
    }
}

/// The payment of this deposit in the provider's list.
pub(super) fn received(deposit: &Deposit) -> Received {
    Received {
        payment_hash: deposit.payment_hash,
        invoice: deposit.invoice.clone(),
        amount: Millisats::from_sats(deposit.asked),
        created_at: deposit.created_at,
        is_deposit: true,
        owner: None,
    }
}

/// The payment of this withdrawal in the provider's list.
pub(super) fn listed(withdrawal: &Withdrawal, is_paid: bool) -> Sent {
    Sent {
        payment_hash: withdrawal.outgoing.payment_hash,
        invoice: withdrawal.outgoing.invoice.clone(),
        amount: withdrawal.outgoing.amount,
        fee: msat(2_000),
        created_at: withdrawal.created_at,
        preimage: None,
        is_paid,
        owner: None,
    }
}

#[test]
fn each_unknown_payment_and_deposit_pauses_withdrawals() {
    for (payments, deposits) in [(1, 0), (0, 1), (1, 1), (2, 3)] {
        let site = Site::new();
        site.node.books().sent = Some(vec![unknown_payment(&site); payments]);
        (0..deposits).for_each(|_| site.node.list_received(unknown_deposit(&site)));
        site.check();
        let reason = site.pause().expect("paused");
        let expected = format!(
            "the provider's lists name {payments} payments and {deposits} deposits that this database"
        );
        assert!(reason.starts_with(&expected), "{reason}");
        assert!(site.wallets.has_seen_agreement(), "the check after the start was clean");
    }
}

#[test]
fn a_server_whose_first_check_finds_an_unknown_payment_sends_nothing() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Real);
    site.node.books().sent = Some(vec![unknown_payment(&site)]);
    site.check();
    assert!(site.pause().is_some() && !site.wallets.has_seen_agreement());
}

#[test]
fn a_payment_of_a_withdrawal_that_was_not_sent_pauses_withdrawals() {
    let site = Site::new();
    let held = site.held();
    site.node.books().sent = Some(vec![listed(&held, false)]);
    site.check();
    assert!(site.pause().is_some());
}

#[test]
fn known_payments_and_foreign_invoices_pause_nothing() {
    let site = Site::new();
    let paid = site.sent();
    site.node.books().pay = Evidence::InFlight;
    let (flying, open) = (site.sent(), site.sent());
    site.give(&site.ann, 500);
    site.node.list_received(Received { is_deposit: false, ..unknown_deposit(&site) });
    site.node.books().sent = Some(vec![listed(&paid, true), listed(&flying, false), listed(&open, true)]);
    site.check();
    assert_eq!(site.pause(), None);
}

/// While the clock is ahead, the provider says that an invoice is unpaid, which is true. The user pays the invoice afterwards, and no
/// job asks about it again.
#[test]
fn a_payment_of_a_deposit_that_nobody_asks_about_any_more_is_credited() {
    for ahead_for in [MINUTE, 3 * HOUR] {
        let site = Site::new();
        let (now, deposit) = (site.stage.now(), site.deposit(&site.ann, 500));
        site.stage.clock.advance(26 * HOUR);
        assert_eq!(site.look_up_due(), 1);
        site.check();
        assert_eq!(site.deposited(&deposit).state, DepositState::Lapsed);
        site.stage.clock.set(now.after(ahead_for));
        site.node.list_received(received(&deposit));
        site.check();
        assert_eq!((site.sats(&site.ann), site.pause()), (10_500, None));
        site.stage.assert_sound();
    }
}

/// A server on an old copy finds what was paid since the copy, because the copy has the last heartbeat of its server.
#[test]
fn the_first_check_begins_at_the_last_heartbeat() {
    let stage = Stage::new();
    stage.heartbeat();
    let served_at = stage.now();
    stage.clock.advance(5 * HOUR);
    let node = Node::new(stage.clock.clone(), SatsKind::Real, 0);
    let wallets = wallets(&stage.app, &node, WalletRules::default());
    block_on(wallets.claim_database()).expect("claimed");
    stage.clock.advance(MINUTE);
    block_on(wallets.check_solvency(&mut Watch::default())).expect("checked");
    for call in ["sent", "received"] {
        assert_eq!(node.latest(call), served_at.before(10 * MINUTE).to_string(), "{call}");
    }
}

#[test]
fn each_check_begins_at_the_last_clean_check_and_looks_back_at_open_invoices() {
    let site = Site::new();
    let start = site.stage.now();
    site.stage.clock.advance(5 * HOUR);
    site.check();
    assert_eq!(site.node.latest("sent"), start.before(10 * MINUTE).to_string());
    assert_eq!(site.node.latest("received"), start.before(10 * MINUTE).to_string(), "no invoice is older");
    site.node.books().received = None;
    site.stage.clock.advance(HOUR);
    site.check();
    site.node.books().received = Some(Vec::new());
    site.stage.clock.advance(HOUR);
    site.check();
    let clean = start.after(5 * HOUR);
    assert_eq!(site.node.latest("sent"), clean.before(10 * MINUTE).to_string(), "one list was not readable");
    assert_eq!(site.node.latest("received"), clean.before(70 * MINUTE).to_string());
}
