//! Pauses of withdrawals, and what they stop.

use std::time::Duration;

use bolts_usecases::wallet::{Booking, ReconcileError, Resumed, SentDifference, WithdrawError};
use bolts_wallet::{Watch, WithdrawalStatus};
use futures_executor::block_on;

use super::Site;
use super::lists::unknown_payment;
use crate::stage::{DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

impl Site {
    pub(super) fn resume(&self) -> Resumed {
        block_on(self.stage.app.resume_withdrawals()).expect("stored")
    }

    /// The provider lists a payment that the ledger does not know. The check pauses withdrawals until a reconciliation.
    fn pause_until_reconciled(&self) {
        self.node.books().sent = Some(vec![unknown_payment(self)]);
        self.check();
        self.node.books().sent = Some(Vec::new());
    }

    fn compare_sent(&self) -> usize {
        block_on(self.wallets.compare_sent(None)).expect("compared").differences.len()
    }

    fn compare_received(&self) -> usize {
        block_on(self.wallets.compare_received(None)).expect("compared").differences.len()
    }
}

#[test]
fn the_operator_pauses_and_resumes_withdrawals() {
    let site = Site::new();
    let held = site.held();
    assert_eq!((site.pause(), site.resume()), (None, Resumed::NotPaused));
    let pause = |reason: &str| block_on(site.stage.app.pause_withdrawals(reason.to_owned()));
    assert_eq!(pause("an incident"), Ok(true));
    assert_eq!(pause("another incident"), Ok(false));
    assert_eq!(site.pause().as_deref(), Some("an incident"));
    assert_eq!(site.stage.store.admin_actions().len(), 1);
    assert_eq!(site.latest_action(), ("pause_withdrawals", "an incident".to_owned()));
    assert_eq!(site.withdraw(1_000), Err(WithdrawError::Paused));
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
    assert_eq!(site.resume(), Resumed::Yes);
    assert_eq!(site.latest_action(), ("resume_withdrawals", "paused because: an incident".to_owned()));
    assert_eq!((site.pause(), site.resume()), (None, Resumed::NotPaused));
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Paid);
}

/// The withdrawal may have been paid before.
#[test]
fn a_refused_fee_question_refunds_nothing_in_a_ledger_that_may_have_been_rolled_back() {
    let site = Site::new();
    let (held, unknown) = (site.held(), unknown_payment(&site));
    site.node.books().fee_question = Err("The route costs too much.".to_owned());
    let (wallets, node) = (site.wallets.clone(), site.node.clone());
    site.node.meanwhile("fee question", move || async move {
        node.books().sent = Some(vec![unknown]);
        wallets.check_solvency(&mut Watch::default()).await.expect("checked");
    });
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
}

#[test]
fn after_an_unknown_payment_both_lists_must_agree_before_withdrawals_resume() {
    let site = Site::new();
    assert_eq!((site.compare_sent(), site.compare_received()), (0, 0));
    site.stage.clock.advance(SECOND);
    site.pause_until_reconciled();
    assert_eq!(site.resume(), Resumed::NotReconciled, "the lists agreed before");
    assert_eq!(site.compare_received(), 0);
    assert_eq!(site.resume(), Resumed::NotReconciled, "the list of payments was not compared");
    site.node.books().sent = Some(vec![unknown_payment(&site)]);
    assert_eq!(site.compare_sent(), 1);
    assert_eq!(site.resume(), Resumed::NotReconciled, "a payment is unknown");
    site.node.books().sent = Some(Vec::new());
    assert_eq!(site.compare_sent(), 0);
    assert_eq!(site.resume(), Resumed::Yes);
    assert!(site.withdraw(1_000).is_ok());
}

/// A check can find another payment after the reconciliation, and before withdrawals resume.
#[test]
fn what_a_check_finds_after_a_reconciliation_needs_another_one() {
    let site = Site::new();
    site.pause_until_reconciled();
    let pause =
        || site.stage.app.withdrawals_pause().expect("readable").map(|pause| (pause.reason, pause.at));
    let first = pause();
    site.stage.clock.advance(SECOND);
    assert_eq!((site.compare_received(), site.compare_sent()), (0, 0));
    site.stage.clock.advance(SECOND);
    site.pause_until_reconciled();
    assert_eq!((pause(), site.resume()), (first, Resumed::NotReconciled));
    assert_eq!(site.compare_sent(), 0);
    assert_eq!(site.resume(), Resumed::Yes, "the check found no deposit");
}

/// A clock is a year ahead while the pause begins, and later while the lists are compared.
#[test]
fn a_clock_that_was_ahead_neither_forbids_a_resumption_nor_permits_one() {
    let site = Site::new();
    let now = site.stage.now();
    let at = |after: Duration| site.stage.clock.set(now.after(after));
    at(365 * DAY);
    site.pause_until_reconciled();
    at(SECOND);
    assert_eq!((site.compare_sent(), site.compare_received(), site.resume()), (0, 0, Resumed::Yes));
    at(365 * DAY);
    assert_eq!((site.compare_sent(), site.compare_received()), (0, 0));
    at(MINUTE);
    site.pause_until_reconciled();
    assert_eq!(site.resume(), Resumed::NotReconciled, "the lists agreed before");
    assert_eq!((site.compare_sent(), site.compare_received(), site.resume()), (0, 0, Resumed::Yes));
}

/// A payment that is made while the list is on its way may be missing in it.
#[test]
fn a_comparison_counts_for_the_time_of_its_start() {
    let site = Site::new();
    site.pause_until_reconciled();
    site.stage.clock.advance(SECOND);
    let (wallets, node, unknown) = (site.wallets.clone(), site.node.clone(), unknown_payment(&site));
    let clock = site.stage.clock.clone();
    site.node.meanwhile("sent", move || async move {
        clock.advance(SECOND);
        node.books().sent = Some(vec![unknown]);
        wallets.check_solvency(&mut Watch::default()).await.expect("checked");
    });
    assert_eq!((site.compare_sent(), site.compare_received()), (0, 0));
    assert_eq!(site.resume(), Resumed::NotReconciled);
    assert_eq!(site.compare_sent(), 1);
}

/// The operator may let a comparison begin at a later time. The unknown payment is from before this time.
#[test]
fn a_comparison_of_a_part_of_the_period_does_not_count() {
    let site = Site::new();
    let unknown = unknown_payment(&site);
    site.node.books().sent = Some(vec![unknown.clone()]);
    site.check();
    site.stage.clock.advance(3 * HOUR);
    let since = Some(site.stage.now());
    let sent = block_on(site.wallets.compare_sent(since)).expect("compared");
    let received = block_on(site.wallets.compare_received(since)).expect("compared");
    assert_eq!((sent.differences, sent.is_partial), (Vec::new(), true));
    assert_eq!((received.differences, received.is_partial), (Vec::new(), true));
    assert_eq!(site.resume(), Resumed::NotReconciled);
    let unknown = SentDifference::Unknown(unknown);
    let noted = site.book_sent(unknown.clone(), Booking::Own);
    assert_eq!(noted, Err(ReconcileError::DepositsFirst), "the deposits were not compared either");
    assert_eq!((site.compare_received(), site.resume()), (0, Resumed::NotReconciled));
    assert_eq!(site.book_sent(unknown, Booking::Own), Ok(()));
    assert_eq!((site.compare_sent(), site.resume()), (0, Resumed::Yes));
}

#[test]
fn an_unknown_payment_replaces_the_pause_of_the_operator_once() {
    let site = Site::new();
    site.pause_by_operator();
    site.pause_until_reconciled();
    let reason = site.pause().expect("paused");
    assert!(reason.ends_with("(withdrawals were paused before: an incident)"), "{reason}");
    assert_eq!(site.resume(), Resumed::NotReconciled);
    site.stage.clock.advance(SECOND);
    site.pause_until_reconciled();
    assert_eq!(site.pause(), Some(reason), "the first reason stays");
}

/// An expired invoice can no longer be paid. But in a copy of the database, it may have been paid before.
#[test]
fn a_pause_keeps_an_expired_withdrawal_only_if_the_ledger_may_have_been_rolled_back() {
    let site = Site::new();
    let held = site.held();
    site.stage.clock.advance(HOUR);
    site.pause_until_reconciled();
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
    assert_eq!((site.compare_sent(), site.compare_received()), (0, 0));
    assert_eq!(site.resume(), Resumed::Yes);
    site.pause_by_operator();
    site.move_on(&held);
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
}

#[test]
fn an_expired_withdrawal_waits_for_the_first_check() {
    let site = Site::new();
    let held = site.held();
    site.stage.clock.advance(HOUR);
    let restarted = site.process(&site.node);
    block_on(restarted.move_on(held.id)).expect("moved on");
    assert_eq!(site.status(&held), WithdrawalStatus::Held);
    site.move_on(&held);
    assert_eq!(site.status(&held), WithdrawalStatus::Refunded);
}
