//! Refunded withdrawals whose payments the provider still has in flight, or has made after all.

use std::collections::BTreeMap;
use std::time::Duration;

use bolts_ports::NoticeBody;
use bolts_testkit::msat;
use bolts_usecases::wallet::{Booking, Resumed, Settle};
use bolts_wallet::{Evidence, Finding, Verdict, Watch, Withdrawal, WithdrawalStatus};
use futures_executor::block_on;

use super::lists::listed;
use super::{Site, sats};
use crate::log::{errors, warnings};
use crate::stage::{DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

impl Site {
    /// The operator refunds a withdrawal whose payment is in flight, two minutes after it was sent.
    pub(super) fn refunded_by_operator(&self) -> Withdrawal {
        self.node.books().pay = Evidence::InFlight;
        let sent = self.sent();
        self.stage.clock.advance(2 * MINUTE);
        let words = || "the node's own books".to_owned();
        let settle =
            Settle { id: sent.id, verdict: Verdict::Refunded, reason: words(), despite: Some(words()) };
        block_on(self.wallets.settle(settle)).expect("settled");
        self.withdrawal(sent.id)
    }

    /// The provider says that a payment failed.
    fn refunded_by_provider(&self) -> Withdrawal {
        self.node.books().pay = Evidence::Failed("no capacity".to_owned());
        let refunded = self.sent();
        assert_eq!(self.status(&refunded), WithdrawalStatus::Refunded);
        refunded
    }

    /// The provider withholds 1,010 sats for each of these payments.
    fn withhold(&self, withdrawals: &[&Withdrawal]) {
        let taken = withdrawals.iter().map(|one| (one.outgoing.payment_hash, msat(1_010_000)));
        self.node.books().withheld = Some(taken.collect());
    }

    /// Checks the provider. Returns the invoices that the provider was asked about.
    fn asked_in_check(&self) -> String {
        self.check();
        self.node.latest("withheld")
    }

    pub(super) fn look_at(&self, refunded: &Withdrawal) {
        block_on(self.wallets.look_at_refund(refunded)).expect("looked up");
    }

    pub(super) fn paid_after_all(&self) {
        self.node.books().look_up = Evidence::Paid { preimage: None, fee: msat(2_000) };
    }

    fn lost(&self) -> Vec<Withdrawal> {
        self.stage.app.lost_withdrawals().expect("readable")
    }
}

#[test]
fn sats_that_the_provider_withholds_for_a_refund_are_not_missing() {
    let (site, mut watch) = (Site::new(), Watch::default());
    let refunded = site.refunded_by_operator();
    site.withhold(&[&refunded]);
    site.hold(8_990_000);
    let warned = "refunded here, still pending there: the provider withholds its sats until the payment is removed there";
    for expected in [vec![warned], Vec::new()] {
        assert_eq!(warnings(|| assert_eq!(site.check_with(&mut watch), Finding::Sound)), expected);
    }
    let pending = site.stage.app.still_pending().expect("readable");
    assert_eq!(pending, [(refunded, msat(1_010_000))]);
    site.hold(8_989_000);
    site.check_three_times(&mut watch);
    let expected = "the provider holds 1 sats less than the users have, besides 1010 sats that it withholds for \
                    refunded withdrawals";
    assert_eq!(site.pause().as_deref(), Some(expected));
}

#[test]
fn without_an_answer_about_refunds_only_possible_ones_are_withheld() {
    let site = Site::new();
    let (by_provider, by_operator) = (site.refunded_by_provider(), site.refunded_by_operator());
    let covered = || {
        site.check();
        site.stage.app.solvency().expect("readable").expect("a sample").is_covered
    };
    site.node.books().withheld = None;
    site.hold(8_990_000);
    assert_eq!(covered(), None, "the refund by the operator may be in flight");
    site.hold(8_989_999);
    assert_eq!(covered(), Some(false), "the provider said that the other payment failed");
    site.withhold(&[&by_provider, &by_operator]);
    assert_eq!(covered(), Some(true));
    site.node.books().withheld = None;
    site.hold(7_980_000);
    assert_eq!(covered(), None, "both were in flight in the last answer");
    site.hold(7_979_999);
    assert_eq!(covered(), Some(false));
    assert_eq!(site.stage.app.still_pending().expect("readable").len(), 2);
}

#[test]
fn the_provider_is_asked_about_a_refund_until_it_can_no_longer_begin_the_payment() {
    let site = Site::new();
    let refunded = site.refunded_by_operator();
    let invoice = &refunded.outgoing.invoice;
    for wait in [Duration::ZERO, 58 * MINUTE, SECOND] {
        site.stage.clock.advance(wait);
        assert_eq!(site.asked_in_check(), *invoice);
    }
    // The last answer came more than an hour after the call to pay.
    assert_eq!(site.asked_in_check(), "");
}

#[test]
fn the_provider_is_asked_about_refunds_of_thirty_days_and_about_those_in_flight() {
    let site = Site::new();
    let (pending, refunded) = (site.refunded_by_operator(), site.refunded_by_operator());
    site.withhold(&[&pending]);
    let (first, second) = (&pending.outgoing.invoice, &refunded.outgoing.invoice);
    site.stage.clock.advance(30 * DAY - 2 * MINUTE);
    site.node.books().withheld = None;
    assert_eq!(site.asked_in_check(), format!("{second} {first}"));
    site.withhold(&[&pending]);
    // The first refund is now 30 days old, the second one 2 minutes less.
    site.stage.clock.advance(SECOND);
    assert_eq!(site.asked_in_check(), *second, "no answer has named the first one");
}

#[test]
fn a_refund_in_flight_is_asked_about_for_ever() {
    let site = Site::new();
    let pending = site.refunded_by_operator();
    site.withhold(&[&pending]);
    for wait in [Duration::ZERO, 20 * DAY, 20 * DAY, 300 * DAY] {
        site.stage.clock.advance(wait);
        assert_eq!(site.asked_in_check(), pending.outgoing.invoice);
    }
    site.node.books().withheld = Some(BTreeMap::new());
    assert_eq!(site.asked_in_check(), pending.outgoing.invoice);
    assert_eq!(site.asked_in_check(), "");
}

#[test]
fn a_refund_in_flight_that_is_paid_in_the_end_is_a_loss() {
    let site = Site::new();
    let refunded = site.refunded_by_provider();
    site.withhold(&[&refunded]);
    site.check();
    site.node.books().withheld = Some(BTreeMap::new());
    for unclear in [Evidence::NoAnswer("a time-out".to_owned()), Evidence::InFlight] {
        site.node.books().look_up = unclear;
        site.check();
        assert_eq!(site.stage.app.still_pending().expect("readable"), []);
        assert_eq!((site.pause(), site.lost()), (None, Vec::new()));
    }
    site.paid_after_all();
    site.check();
    let reason = format!("withdrawal {} was paid by the provider, and was refunded", refunded.id);
    assert_eq!((site.pause(), site.lost()), (Some(reason), vec![refunded]));
    let asked = site.node.count("look up payment");
    site.check();
    assert_eq!(site.node.count("look up payment"), asked, "the loss is known");
}

#[test]
fn refunds_by_the_operator_are_watched_for_thirty_days() {
    let site = Site::new();
    site.refunded_by_provider();
    let refunded = site.refunded_by_operator();
    let watched = || site.wallets.watched_refunds().expect("readable");
    assert_eq!(watched(), vec![refunded.clone()]);
    site.stage.clock.advance(30 * DAY);
    assert_eq!(watched(), [refunded]);
    site.stage.clock.advance(SECOND);
    assert_eq!(watched(), []);
}

#[test]
fn a_payment_after_the_refund_is_a_loss_and_pauses_withdrawals_once() {
    let site = Site::new();
    let (first, second) = (site.refunded_by_operator(), site.refunded_by_operator());
    assert_eq!(errors(|| site.look_at(&first)), [""; 0]);
    assert_eq!((site.pause(), site.lost()), (None, Vec::new()));
    site.paid_after_all();
    let logged = ["sats are lost; withdrawals are paused"];
    for (number, refund) in [&first, &second].into_iter().enumerate() {
        assert_eq!(errors(|| site.look_at(refund)), logged);
        let reason = format!("withdrawal {} was paid by the provider, and was refunded", refund.id);
        assert_eq!(site.pause(), Some(reason));
        assert_eq!(site.lost().len(), number + 1);
        assert_eq!(site.resume(), Resumed::Yes);
    }
    for refund in [&first, &second] {
        assert_eq!(errors(|| site.look_at(refund)), [""; 0]);
    }
    assert_eq!((site.pause(), site.lost()), (None, vec![first.clone(), second]));
    assert_eq!(site.sats(&site.ann), 10_000);
    let refunds = [(); 2].map(|()| NoticeBody::WithdrawalRefunded { amount: sats(1_010) });
    assert_eq!(site.told(&site.ann)[1..], refunds);
    site.stage.assert_sound();
}

#[test]
fn a_check_of_the_lists_finds_a_payment_after_the_refund() {
    let site = Site::new();
    let refunded = site.refunded_by_operator();
    let asked = site.node.count("look up payment");
    let count = || site.node.count("look up payment") - asked;
    site.paid_after_all();
    site.node.books().sent = Some(vec![listed(&refunded, false)]);
    site.check();
    assert_eq!((count(), site.pause()), (0, None), "the payment is in flight");
    site.node.books().sent = Some(vec![listed(&refunded, true)]);
    site.check();
    assert_eq!((count(), site.lost().len()), (1, 1));
    site.check();
    assert_eq!(count(), 1, "the loss is known");
}

/// Otherwise the next check would read the list only from the time of the unclear answer on.
#[test]
fn a_payment_after_the_refund_is_found_after_an_unclear_look_up() {
    let site = Site::new();
    let refunded = site.refunded_by_provider();
    site.node.books().sent = Some(vec![listed(&refunded, true)]);
    site.node.books().look_up = Evidence::NoAnswer("a time-out".to_owned());
    site.stage.clock.advance(HOUR);
    let warned =
        "the provider's list shows a refunded withdrawal as paid, and the answer about this payment does not";
    let logged = warnings(|| {
        site.check();
    });
    assert_eq!(logged, [warned]);
    assert_eq!((site.pause(), site.lost()), (None, Vec::new()));
    site.paid_after_all();
    site.stage.clock.advance(HOUR);
    site.check();
    let reason = format!("withdrawal {} was paid by the provider, and was refunded", refunded.id);
    assert_eq!((site.pause(), site.lost()), (Some(reason), vec![refunded]));
}

#[test]
fn a_payment_after_the_refund_differs_until_the_loss_is_known_or_noted() {
    let site = Site::new();
    let refunds = [(); 3].map(|()| site.refunded_by_operator());
    site.node.books().sent = Some(refunds.iter().map(|one| listed(one, true)).collect());
    let differing = || block_on(site.wallets.compare_sent(None)).expect("compared").differences;
    assert_eq!(differing().len(), 3);
    let noted = differing().pop().expect("a difference");
    assert_eq!(noted.proposed(), None);
    block_on(site.wallets.book_sent(noted, Booking::Own, "the site's loss".to_owned())).expect("noted");
    site.paid_after_all();
    site.look_at(&refunds[0]);
    let hashes: Vec<_> = differing().iter().map(|one| one.hash()).collect();
    assert_eq!(hashes, [refunds[1].outgoing.payment_hash]);
}

/// The machine sleeps while the provider answers that it knows no such payment. Only a later answer can prove that the
/// invoice was not paid before its expiry.
#[test]
fn an_answer_about_a_payment_counts_for_the_time_of_the_question() {
    let site = Site::new();
    site.node.books().pay = Evidence::NoAnswer("a time-out".to_owned());
    let open = site.sent();
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    site.stage.clock.advance(10 * MINUTE);
    let clock = site.stage.clock.clone();
    site.node.meanwhile("look up payment", move || {
        clock.advance(3 * HOUR);
        std::future::ready(())
    });
    site.move_on(&open);
    assert_eq!(site.status(&open), WithdrawalStatus::Sending);
    site.stage.clock.advance(HOUR);
    site.move_on(&open);
    assert_eq!((site.status(&open), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
}
