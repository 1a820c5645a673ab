//! The operator compares the provider's lists with the ledger, and books what differs.

use std::time::Duration;

use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{NoticeBody, Owner, Received, SatsKind, Sent};
use bolts_testkit::msat;
use bolts_usecases::wallet::{
    Booking, Comparison, Destination, ReceivedDifference, ReconcileError, Resumed, SentDifference,
    WalletRules, WithdrawError,
};
use bolts_wallet::{Evidence, Watch, WithdrawalStatus};
use futures_executor::block_on;

use super::lists::{listed, received, unknown_deposit, unknown_payment};
use super::node::proof;
use super::{Site, sats};
use crate::stage::{DAY, HOUR};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

impl Site {
    fn sent_since(&self, since: Option<Timestamp>) -> Comparison<SentDifference> {
        block_on(self.wallets.compare_sent(since)).expect("compared")
    }

    fn received_since(&self, since: Option<Timestamp>) -> Comparison<ReceivedDifference> {
        block_on(self.wallets.compare_received(since)).expect("compared")
    }

    /// The differences of payments.
    pub(super) fn sent_differences(&self) -> Vec<SentDifference> {
        self.sent_since(Some(self.stage.now().before(DAY))).differences
    }

    /// The differences of deposits.
    pub(super) fn received_differences(&self) -> Vec<ReceivedDifference> {
        self.received_since(Some(self.stage.now().before(DAY))).differences
    }

    pub(super) fn list_sent(&self, sent: &[&Sent]) {
        self.node.books().sent = Some(sent.iter().map(|one| (*one).clone()).collect());
    }

    pub(super) fn book_sent(
        &self,
        difference: SentDifference,
        booking: Booking,
    ) -> Result<(), ReconcileError> {
        block_on(self.wallets.book_sent(difference, booking, "a restore".to_owned()))
    }

    fn book_received(&self, difference: ReceivedDifference, booking: Booking) -> Result<(), ReconcileError> {
        block_on(self.wallets.book_received(difference, booking, "a restore".to_owned()))
    }
}

fn refused_sent() -> Result<(), ReconcileError> {
    let why = "the payment is still in flight, or the ledger already has this payment and its owner";
    Err(ReconcileError::NotBookable(why))
}

fn refused_received() -> Result<(), ReconcileError> {
    Err(ReconcileError::NotBookable("the ledger already has this deposit and its owner"))
}

#[test]
fn lists_that_agree_show_no_difference() {
    let site = Site::new();
    let paid = site.sent();
    site.node.books().pay = Evidence::InFlight;
    let flying = site.sent();
    site.list_sent(&[&listed(&paid, true), &listed(&flying, false)]);
    let since = site.stage.now().before(DAY);
    let is_partial = false;
    let sent = Comparison { since, is_partial, listed: 2, differences: Vec::new() };
    assert_eq!(site.sent_since(Some(since)), sent);
    let received = Comparison { since, is_partial, listed: 1, differences: Vec::new() };
    assert_eq!(site.received_since(Some(since)), received);
}

#[test]
fn a_comparison_begins_at_the_last_clean_check() {
    let site = Site::new();
    site.stage.clock.advance(5 * HOUR);
    site.check();
    let checked = site.stage.now();
    site.stage.clock.advance(HOUR);
    let since = checked.before(10 * MINUTE);
    assert_eq!(site.sent_since(None).since, since);
    assert_eq!(site.node.latest("sent"), since.before(HOUR).to_string(), "the clocks may differ by an hour");
    let since = checked.before(70 * MINUTE);
    assert_eq!(site.received_since(None).since, since, "an open invoice is an hour old");
    assert_eq!(site.node.latest("received"), since.before(HOUR).to_string());
}

#[test]
fn only_the_provider_of_the_database_is_compared() {
    let site = Site::new();
    site.node.books().identity = Some("another wallet");
    let other = ReconcileError::OtherProvider("another wallet".to_owned(), "the node".to_owned());
    assert_eq!(block_on(site.wallets.compare_sent(None)), Err(other.clone()));
    assert_eq!(block_on(site.wallets.compare_received(None)), Err(other));
    site.node.books().identity = None;
    assert!(matches!(block_on(site.wallets.compare_sent(None)), Err(ReconcileError::Provider(_))));
}

#[test]
fn an_unknown_payment_is_booked_as_a_withdrawal_of_its_user() {
    let site = Site::new();
    let (id, user) = (4_711_u128.into(), site.ann.actor.user);
    let sent = Sent { owner: Some(Owner { id, user }), ..unknown_payment(&site) };
    site.list_sent(&[&sent]);
    let difference = SentDifference::Unknown(sent.clone());
    assert_eq!(site.sent_differences(), vec![difference.clone()]);
    assert_eq!(difference.proposed(), Some(Booking::User(user)));
    assert_eq!(site.book_sent(difference.clone(), Booking::AsListed), refused_sent());
    assert_eq!(site.book_sent(difference.clone(), Booking::User(user)), Ok(()));
    assert_eq!((site.withdrawal(id).status(), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
    let detail = format!("{}: booked as withdrawal {id}: a restore", sent.payment_hash);
    assert_eq!(site.latest_action(), ("reconcile_withdrawal", detail));
    assert_eq!(site.sent_differences(), []);
    let known = Err(ReconcileError::NotBookable("the ledger knows this payment"));
    assert_eq!(site.book_sent(difference, Booking::User(user)), known);
    assert_eq!(site.sats(&site.ann), 8_998);
    site.stage.assert_sound();
}

/// A withdrawal keeps its id only if the id is free and the user is the owner in the provider's record.
#[test]
fn a_booked_payment_of_another_user_gets_a_new_id() {
    let site = Site::new();
    let bob = site.member("bob");
    site.give(&bob, 5_000);
    let held = site.held();
    let user = site.ann.actor.user;
    let booked = |sent: Sent, to: UserId| {
        let difference = SentDifference::Unknown(sent);
        assert_eq!(site.book_sent(difference, Booking::User(to)), Ok(()));
        site.latest_action().1
    };
    let sent = Sent { owner: Some(Owner { id: held.id, user }), ..unknown_payment(&site) };
    assert!(!booked(sent.clone(), user).contains(&held.id.to_string()), "the id is taken");
    let (id, payment_hash) = (4_711_u128.into(), proof(778).payment_hash());
    let detail = booked(Sent { owner: Some(Owner { id, user }), payment_hash, ..sent }, bob.actor.user);
    assert!(!detail.contains(&id.to_string()), "bob is not the owner: {detail}");
    assert_eq!((site.status(&held), site.sats(&bob)), (WithdrawalStatus::Held, 3_998));
    site.stage.assert_sound();
}

#[test]
fn a_payment_in_flight_is_not_booked_yet() {
    let site = Site::new();
    let owner = Some(Owner { id: 4_711_u128.into(), user: site.ann.actor.user });
    let unknown = SentDifference::Unknown(Sent { owner, is_paid: false, ..unknown_payment(&site) });
    let held = site.held();
    let not_sent = SentDifference::NotSentHere(listed(&held, false), held);
    for difference in [unknown, not_sent] {
        assert_eq!(difference.proposed(), None);
        for booking in [Booking::AsListed, Booking::User(site.ann.actor.user)] {
            assert_eq!(site.book_sent(difference.clone(), booking), refused_sent());
        }
    }
    assert_eq!(site.sats(&site.ann), 8_990);
}

#[test]
fn a_payment_of_an_open_withdrawal_is_booked_as_listed() {
    let site = Site::new();
    let held = site.held();
    let other = site.held();
    site.node.books().pay = Evidence::InFlight;
    site.move_on(&other);
    site.list_sent(&[&listed(&held, true), &listed(&other, true)]);
    let differences = site.sent_differences();
    let [SentDifference::NotSentHere(..), SentDifference::OpenHere(..)] = &differences[..] else {
        panic!("{differences:?}");
    };
    for difference in differences {
        assert_eq!(difference.proposed(), Some(Booking::AsListed));
        assert_eq!(site.book_sent(difference.clone(), Booking::Own), refused_sent());
        assert_eq!(site.book_sent(difference.clone(), Booking::AsListed), Ok(()));
        let ended = Err(ReconcileError::NotBookable("the withdrawal has ended"));
        assert_eq!(site.book_sent(difference, Booking::AsListed), ended);
    }
    let detail = format!("{}: withdrawal {} was paid: a restore", other.outgoing.payment_hash, other.id);
    assert_eq!(site.latest_action(), ("reconcile_withdrawal", detail));
    let ended = (site.status(&held), site.status(&other));
    assert_eq!(ended, (WithdrawalStatus::Paid, WithdrawalStatus::Paid));
    assert_eq!((site.sats(&site.ann), site.sent_differences()), (7_996, Vec::new()));
    site.stage.assert_sound();
}

#[test]
fn a_payment_that_the_user_cannot_cover_is_noted_as_the_loss_of_the_site() {
    let site = Site::new();
    let sent = Sent { amount: msat(10_000_000), ..unknown_payment(&site) };
    site.list_sent(&[&sent]);
    let difference = SentDifference::Unknown(sent.clone());
    let booked = site.book_sent(difference.clone(), Booking::User(site.ann.actor.user));
    assert!(matches!(booked, Err(ReconcileError::Insufficient(_))), "{booked:?}");
    assert_eq!(site.book_sent(difference, Booking::Own), Ok(()));
    let detail = format!("{}: the operator's own: a restore", sent.payment_hash);
    assert_eq!(site.latest_action(), ("reconcile_withdrawal", detail));
    let other = Sent { payment_hash: proof(778).payment_hash(), ..sent.clone() };
    site.list_sent(&[&sent, &other]);
    assert_eq!(site.sent_differences(), [SentDifference::Unknown(other)], "the note is about one payment");
    site.node.list_received(Received { payment_hash: sent.payment_hash, ..unknown_deposit(&site) });
    assert_eq!(site.received_differences().len(), 1, "and about one direction");
}

/// Bob deposits and withdraws after the copy. In the copy, his balance does not cover the withdrawal before his deposit is
/// booked.
#[test]
fn sats_that_came_and_went_after_the_copy_are_booked_once() {
    let site = Site::new();
    let bob = site.member("bob");
    let (user, copy) = (bob.actor.user, site.stage.store.copy());
    site.give(&bob, 5_000);
    let paid = site.request(&bob, Destination::Invoice(site.node.invoice(4_000_000))).expect("held");
    site.move_on(&paid);
    assert_eq!((site.status(&paid), site.sats(&bob)), (WithdrawalStatus::Paid, 998));
    site.stage.store.go_back_to(&copy);
    let sent = Sent { owner: Some(Owner { id: paid.id, user }), ..listed(&paid, true) };
    site.list_sent(&[&sent]);
    let check = || block_on(site.process(&site.node).check_solvency(&mut Watch::default())).expect("checked");
    check();
    assert!(site.pause().is_some() && site.sats(&bob) == 0);

    let payment = SentDifference::Unknown(sent);
    let booked = site.book_sent(payment.clone(), Booking::User(user));
    assert!(matches!(booked, Err(ReconcileError::Insufficient(_))), "{booked:?}");
    let as_loss = || site.book_sent(payment.clone(), Booking::Own);
    assert_eq!(as_loss(), Err(ReconcileError::DepositsFirst));
    for difference in site.received_differences() {
        assert_eq!(as_loss(), Err(ReconcileError::DepositsFirst));
        assert_eq!(site.book_received(difference, Booking::User(user)), Ok(()));
    }
    assert_eq!(site.received_differences(), []);
    // A check that still finds the payment does not ask for another comparison of the deposits.
    site.stage.clock.advance(SECOND);
    check();
    assert_eq!(site.book_sent(payment, Booking::User(user)), Ok(()));
    assert_eq!((site.status(&paid), site.sats(&bob)), (WithdrawalStatus::Paid, 998));
    assert_eq!(site.sent_differences(), []);
    assert_eq!(site.resume(), Resumed::Yes);
    site.stage.assert_sound();
}

/// A user may have spent the sats again, which only the books with all deposits show.
#[test]
fn a_loss_is_noted_after_the_deposits_are_compared() {
    let site = Site::new();
    let sent = Sent { amount: msat(10_000_000), ..unknown_payment(&site) };
    site.list_sent(&[&sent]);
    site.check();
    let note = || site.book_sent(SentDifference::Unknown(sent.clone()), Booking::Own);
    assert_eq!(note(), Err(ReconcileError::DepositsFirst));
    assert_eq!(site.received_differences(), []);
    assert_eq!(note(), Ok(()));
    assert_eq!((site.sent_differences(), site.resume()), (Vec::new(), Resumed::Yes));
}

/// After a restore, the ledger has no withdrawal for this payment, but its invoice may still be valid.
#[test]
fn an_invoice_of_a_noted_payment_is_not_paid_again() {
    let site = Site::new();
    let invoice = site.node.invoice(1_000_000);
    let payment_hash = site.node.decoded(&invoice).payment_hash;
    let sent = Sent { payment_hash, invoice: invoice.clone(), ..unknown_payment(&site) };
    site.list_sent(&[&sent]);
    assert_eq!(site.book_sent(SentDifference::Unknown(sent), Booking::Own), Ok(()));
    let again = site.request(&site.ann, Destination::Invoice(invoice));
    assert_eq!(again, Err(WithdrawError::UsedBefore));
    assert_eq!(site.sats(&site.ann), 10_000);
    assert!(site.withdraw(1_000).is_ok(), "the note is about one payment");
}

#[test]
fn a_paid_withdrawal_must_be_in_the_list_of_the_provider() {
    let site = Site::new();
    let early = site.sent();
    site.stage.clock.advance(MINUTE);
    let (late, seen) = (site.sent(), site.sent());
    site.list_sent(&[&listed(&seen, true)]);
    let missing = |since: Timestamp| site.sent_since(Some(since)).differences;
    let missing_there = |id| SentDifference::MissingThere(site.withdrawal(id));
    let all = [missing_there(late.id), missing_there(early.id)];
    assert_eq!(missing(early.created_at), all);
    assert_eq!(missing(early.created_at.after(SECOND)), [missing_there(late.id)]);
    assert_eq!(missing(early.created_at.before(DAY)), all);
    assert_eq!((all[0].hash(), all[0].proposed()), (late.outgoing.payment_hash, None));
    assert_eq!(site.book_sent(all[0].clone(), Booking::AsListed), refused_sent());
    assert_eq!(site.book_sent(all[0].clone(), Booking::Own), Ok(()));
    assert_eq!(missing(early.created_at), [missing_there(early.id)]);
}

/// Another provider made these payments, so they are not in the list of this one.
#[test]
fn payments_of_an_earlier_provider_are_not_missing() {
    let site = Site::new();
    site.sent();
    site.stage.clock.advance(MINUTE);
    let other = site.other_node("another", "another wallet");
    let wallets = site.process(&other);
    block_on(wallets.claim_database()).expect("claimed");
    let since = Some(site.stage.now().before(DAY));
    assert_eq!(block_on(wallets.compare_sent(since)).expect("compared").differences, []);
    assert_eq!(block_on(wallets.compare_received(since)).expect("compared").differences, []);
}

#[test]
fn a_provider_of_test_sats_keeps_no_list() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Test);
    site.check();
    site.sent();
    site.node.books().received = Some(Vec::new());
    assert_eq!((site.sent_differences(), site.received_differences()), (Vec::new(), Vec::new()));
}

#[test]
fn an_unknown_deposit_is_credited_to_its_user() {
    let site = Site::new();
    let (id, user) = (4_711_u128.into(), site.ann.actor.user);
    let listed = Received { owner: Some(Owner { id, user }), ..unknown_deposit(&site) };
    site.node.list_received(listed.clone());
    let difference = ReceivedDifference::Unknown(listed.clone());
    assert_eq!(site.received_differences(), vec![difference.clone()]);
    assert_eq!((difference.hash(), difference.proposed()), (listed.payment_hash, Some(Booking::User(user))));
    assert_eq!(site.book_received(difference.clone(), Booking::AsListed), refused_received());
    assert_eq!(site.book_received(difference.clone(), Booking::User(user)), Ok(()));
    assert_eq!(site.sats(&site.ann), 10_500);
    let detail = format!("{}: credited as deposit {id}: a restore", listed.payment_hash);
    assert_eq!(site.latest_action(), ("reconcile_deposit", detail));
    assert_eq!(site.received_differences(), []);
    let known = Err(ReconcileError::NotBookable("the ledger knows this deposit"));
    assert_eq!(site.book_received(difference, Booking::User(user)), known);
    site.stage.assert_sound();
}

#[test]
fn a_booked_deposit_of_another_user_gets_a_new_id() {
    let site = Site::new();
    let (bob, user) = (site.member("bob"), site.ann.actor.user);
    let taken = site.deposit(&site.ann, 500);
    let unknown = Received { owner: Some(Owner { id: taken.id, user }), ..unknown_deposit(&site) };
    let book = |received: Received, to: UserId| {
        assert_eq!(site.book_received(ReceivedDifference::Unknown(received), Booking::User(to)), Ok(()));
        site.latest_action().1
    };
    assert!(!book(unknown.clone(), user).contains(&taken.id.to_string()), "the id is taken");
    let (id, payment_hash) = (4_711_u128.into(), proof(889).payment_hash());
    let detail = book(Received { owner: Some(Owner { id, user }), payment_hash, ..unknown }, bob.actor.user);
    assert!(!detail.contains(&id.to_string()), "bob is not the owner: {detail}");
    assert_eq!((site.sats(&site.ann), site.sats(&bob)), (10_500, 500));
    assert_eq!(site.told(&bob), [NoticeBody::DepositReceived { amount: sats(500) }]);
    site.stage.assert_sound();
}

#[test]
fn a_paid_deposit_that_was_not_credited_is_booked_as_listed() {
    let site = Site::new();
    let open = site.deposit(&site.ann, 500);
    site.node.list_received(received(&open));
    let differences = site.received_differences();
    let [difference @ ReceivedDifference::NotCredited(..)] = &differences[..] else {
        panic!("{differences:?}");
    };
    assert_eq!(difference.proposed(), Some(Booking::AsListed));
    assert_eq!(site.book_received(difference.clone(), Booking::Own), refused_received());
    assert_eq!(site.book_received(difference.clone(), Booking::AsListed), Ok(()));
    let detail = format!("{}: deposit {} was paid: a restore", open.payment_hash, open.id);
    assert_eq!(site.latest_action(), ("reconcile_deposit", detail));
    assert_eq!((site.sats(&site.ann), site.received_differences()), (10_500, Vec::new()));
}

#[test]
fn a_credited_deposit_must_be_in_the_list_of_the_provider() {
    let site = Site::new();
    let credited = site.give(&site.ann, 500);
    site.node.books().received.as_mut().expect("a list").pop();
    let missing = ReceivedDifference::MissingThere(credited);
    assert_eq!(site.received_differences(), vec![missing.clone()]);
    assert_eq!((missing.is_counted(), missing.proposed()), (true, None));
    assert_eq!(site.book_received(missing.clone(), Booking::AsListed), refused_received());
    assert_eq!(site.book_received(missing, Booking::Own), Ok(()));
    assert_eq!(site.received_differences(), []);
}

/// Other payments into the wallet are shown, and do not keep withdrawals paused.
#[test]
fn a_foreign_payment_into_the_wallet_does_not_count_as_a_difference() {
    let site = Site::new();
    site.node.books().sent = Some(vec![unknown_payment(&site)]);
    site.check();
    site.list_sent(&[]);
    assert_eq!(site.sent_differences(), []);
    let foreign = Received { is_deposit: false, ..unknown_deposit(&site) };
    site.node.list_received(unknown_deposit(&site));
    assert!(site.received_differences().iter().all(ReceivedDifference::is_counted));
    assert_eq!(site.resume(), Resumed::NotReconciled);
    site.node.books().received.as_mut().expect("a list").pop();
    site.node.list_received(foreign.clone());
    let difference = ReceivedDifference::Unknown(foreign);
    assert_eq!(site.received_differences(), vec![difference.clone()]);
    assert!(!difference.is_counted());
    assert_eq!(site.resume(), Resumed::Yes);
}

#[test]
fn the_operator_finds_a_user_by_the_address() {
    let site = Site::new();
    let found = |email: &str| block_on(site.stage.app.user_of_email(email)).expect("readable");
    assert_eq!(found(" Ann@Example.com"), Some(site.ann.actor.user));
    assert_eq!(found("eve@example.com"), None);
}
