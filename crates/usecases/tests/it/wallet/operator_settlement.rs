//! The operator settles a withdrawal whose result the provider does not know.

use std::time::Duration;

use bolts_kernel::WithdrawalId;
use bolts_ports::NoticeBody;
use bolts_testkit::msat;
use bolts_usecases::wallet::{Claim, Settle, SettleError};
use bolts_wallet::{Evidence, Unsettled, Verdict, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;

use super::lists::unknown_payment;
use super::{Site, sats};
use crate::stage::HOUR;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

impl Site {
    pub(super) fn settle(&self, id: WithdrawalId, verdict: Verdict) -> Result<String, SettleError> {
        let settle = Settle { id, verdict, reason: "a call to the payee".to_owned(), despite: None };
        block_on(self.wallets.settle(settle))
    }

    fn settle_despite(&self, id: WithdrawalId, verdict: Verdict) -> Result<String, SettleError> {
        let despite = Some("the node's own books".to_owned());
        let settle = Settle { id, verdict, reason: "a call to the payee".to_owned(), despite };
        block_on(self.wallets.settle(settle))
    }

    /// A withdrawal that was sent two minutes ago, and whose result is open.
    fn open(&self) -> Withdrawal {
        self.node.books().pay = Evidence::NoAnswer("a time-out".to_owned());
        let open = self.sent();
        self.stage.clock.advance(2 * MINUTE);
        open
    }

    /// The provider's last answer about the withdrawal.
    pub(super) fn word(&self, withdrawal: &Withdrawal) -> Option<String> {
        Some(self.withdrawal(withdrawal.id).trail?.word?.text)
    }
}

#[test]
fn a_withdrawal_that_was_never_sent_is_refunded_if_the_provider_does_not_know_it() {
    let site = Site::new();
    let held = site.held();
    let paid = Verdict::Paid(msat(1_000));
    assert_eq!(site.settle(held.id, paid), Err(Unsettled::NotOpen("held").into()));
    assert_eq!(site.node.count("look up payment"), 0);
    site.node.books().look_up = Evidence::Paid { preimage: None, fee: msat(2_000) };
    let known = Unsettled::NeverSentHere("it was paid; the route cost 2000 msat".to_owned());
    assert_eq!(site.settle_despite(held.id, Verdict::Refunded), Err(known.into()));
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Held, 8_990));
    site.node.books().look_up = Evidence::NotFound { is_proof: false };
    let said = "no such payment is known";
    assert_eq!(site.settle(held.id, Verdict::Refunded), Ok(said.to_owned()));
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
    let detail = format!("{} as refunded: a call to the payee; the provider said: {said}", held.id);
    assert_eq!(site.latest_action(), ("settle_withdrawal", detail));
    assert_eq!(site.told(&site.ann)[1..], [NoticeBody::WithdrawalRefunded { amount: sats(1_010) }]);
    assert_eq!(site.settle(held.id, Verdict::Refunded), Err(Unsettled::NotOpen("refunded").into()));
    assert_eq!(site.settle(7_u128.into(), Verdict::Refunded), Err(SettleError::NotFound));
    site.stage.assert_sound();
}

#[test]
fn the_operator_waits_until_the_provider_had_time_to_answer() {
    let site = Site::new();
    site.node.books().pay = Evidence::InFlight;
    let sent = site.sent();
    let until = site.stage.now().after(90 * SECOND);
    site.stage.clock.advance(89 * SECOND);
    assert_eq!(site.settle_despite(sent.id, Verdict::Refunded), Err(Unsettled::TooEarly(until).into()));
    assert_eq!(site.node.count("look up payment"), 0);
    site.stage.clock.advance(SECOND);
    assert!(site.settle_despite(sent.id, Verdict::Refunded).is_ok());
}

#[test]
fn an_answer_without_proof_needs_a_reason_to_settle_despite_it() {
    let site = Site::new();
    let open = site.open();
    site.node.books().look_up = Evidence::NoAnswer("HTTP status 502".to_owned());
    let (verdict, said) = (Verdict::Paid(msat(2_001)), "no clear answer: HTTP status 502");
    assert_eq!(site.settle(open.id, verdict), Err(Unsettled::Contradicted(said.to_owned()).into()));
    assert_eq!((site.status(&open), site.word(&open).as_deref()), (WithdrawalStatus::Sending, Some(said)));
    assert_eq!(site.settle_despite(open.id, verdict), Ok(said.to_owned()));
    assert_eq!((site.status(&open), site.sats(&site.ann)), (WithdrawalStatus::Paid, 10_000 - 1_003));
    let detail = format!(
        "{} as paid: a call to the payee; the provider said: {said}; settled despite that: the node's own books",
        open.id
    );
    assert_eq!(site.latest_action(), ("settle_withdrawal", detail));
    let paid = NoticeBody::WithdrawalPaid { amount: sats(1_000), fee: sats(3) };
    assert_eq!(site.told(&site.ann)[1..], [paid]);
    site.stage.assert_sound();
}

#[test]
fn a_payment_that_the_provider_does_not_know_is_refunded() {
    let site = Site::new();
    let open = site.open();
    site.node.books().look_up = Evidence::NotFound { is_proof: false };
    let said = "no such payment is known";
    assert_eq!(site.settle(open.id, Verdict::Refunded), Ok(said.to_owned()));
    let detail = format!("{} as refunded: a call to the payee; the provider said: {said}", open.id);
    assert_eq!(site.latest_action(), ("settle_withdrawal", detail));
    assert_eq!(site.sats(&site.ann), 10_000);
}

#[test]
fn a_proof_of_the_provider_decides_against_the_operator() {
    let site = Site::new();
    let open = site.open();
    site.node.books().look_up = Evidence::Paid { preimage: None, fee: msat(2_000) };
    let said = "it was paid; the route cost 2000 msat".to_owned();
    assert_eq!(site.settle_despite(open.id, Verdict::Refunded), Err(Unsettled::Proved(said).into()));
    assert_eq!((site.status(&open), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
    assert_eq!(site.stage.store.admin_actions(), []);
    site.stage.assert_sound();
}

#[test]
fn another_provider_settles_nothing() {
    let site = Site::new();
    let (held, open) = (site.held(), site.open());
    block_on(site.stage.app.provider_moved("a new node".to_owned())).expect("noted");
    let other = site.other_node("another", "another wallet");
    assert_eq!(block_on(site.process(&other).claim_database()), Ok(Claim::Taken));
    for one in [&held, &open] {
        let refused = SettleError::OtherProvider("a node of a test".to_owned());
        assert_eq!(site.settle(one.id, Verdict::Refunded), Err(refused));
    }
    assert_eq!(site.node.count("look up payment"), 0);
}

/// In a restored copy of the database, a withdrawal that was paid shows as never sent.
#[test]
fn what_was_never_sent_is_settled_only_in_a_ledger_that_was_not_rolled_back() {
    let site = Site::new();
    let (held, other, open) = (site.held(), site.held(), site.open());
    site.pause_by_operator();
    site.node.books().look_up = Evidence::NotFound { is_proof: false };
    assert!(site.settle(held.id, Verdict::Refunded).is_ok());
    site.node.books().sent = Some(vec![unknown_payment(&site)]);
    site.check();
    assert_eq!(site.settle(other.id, Verdict::Refunded), Err(SettleError::Unreconciled));
    assert!(site.settle_despite(open.id, Verdict::Refunded).is_ok());
}

#[test]
fn a_withdrawal_that_is_sent_again_during_the_question_is_not_settled() {
    let site = Site::new();
    let open = site.open();
    site.node.books().may_resend = true;
    site.node.books().pay = Evidence::InFlight;
    site.node.books().look_up = Evidence::NotFound { is_proof: false };
    let (wallets, id) = (site.wallets.clone(), open.id);
    site.node.meanwhile("look up payment", move || async move {
        wallets.move_on(id).await.expect("sent again");
    });
    assert_eq!(site.settle(open.id, Verdict::Refunded), Err(SettleError::SentAgain));
    assert_eq!((site.status(&open), site.node.count("pay")), (WithdrawalStatus::Sending, 2));
    assert_eq!(site.sats(&site.ann), 8_990);
}

#[test]
fn a_withdrawal_that_ends_during_the_question_is_not_settled_again() {
    let site = Site::new();
    let open = site.open();
    let (wallets, node, id) = (site.wallets.clone(), site.node.clone(), open.id);
    site.node.meanwhile("look up payment", move || async move {
        node.books().look_up = Evidence::Paid { preimage: None, fee: msat(2_000) };
        wallets.move_on(id).await.expect("looked up");
    });
    assert_eq!(site.settle_despite(open.id, Verdict::Refunded), Err(Unsettled::NotOpen("paid").into()));
    assert_eq!((site.status(&open), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
    site.stage.assert_sound();
}

/// The machine sleeps while the provider answers that it knows no such payment. Only a later answer can prove that the
/// invoice was not paid before its expiry.
#[test]
fn an_answer_to_the_operator_counts_for_the_time_of_the_question() {
    let site = Site::new();
    let open = site.open();
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    let clock = site.stage.clock.clone();
    site.node.meanwhile("look up payment", move || {
        clock.advance(3 * HOUR);
        std::future::ready(())
    });
    let (verdict, said) = (Verdict::Paid(msat(1_000)), "no such payment is known".to_owned());
    assert_eq!(site.settle(open.id, verdict), Err(Unsettled::Contradicted(said.clone()).into()));
    assert_eq!(site.status(&open), WithdrawalStatus::Sending);
    assert_eq!(site.settle(open.id, verdict), Err(Unsettled::Proved(said).into()));
    assert_eq!((site.status(&open), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
}
