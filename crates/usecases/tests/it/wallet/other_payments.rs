//! A payment in the provider's list whose payment hash is that of another withdrawal.

use bolts_ports::{Owner, SatsKind, Sent};
use bolts_testkit::msat;
use bolts_usecases::wallet::{Booking, ReconcileError, Resumed, SentDifference, WalletRules, WithdrawError};
use bolts_wallet::{Evidence, WithdrawalStatus};

use super::Site;
use super::lists::listed;

fn refused() -> Result<(), ReconcileError> {
    Err(ReconcileError::NotBookable("the withdrawal with this payment hash is of another amount or user"))
}

/// The database was rolled back, and lacks a withdrawal. A user can make an invoice of another amount with the same payment
/// hash, and request its withdrawal before the first check.
#[test]
fn before_a_clean_check_a_withdrawal_needs_a_payment_that_the_provider_does_not_know() {
    let site = Site::unchecked(WalletRules::default(), SatsKind::Real);
    let request = |said: Evidence| {
        site.node.books().look_up = said;
        site.withdraw(1_000)
    };
    let why = || "words".to_owned();
    for known in
        [Evidence::Paid { preimage: None, fee: msat(2_000) }, Evidence::InFlight, Evidence::Failed(why())]
    {
        assert_eq!(request(known.clone()), Err(WithdrawError::UsedBefore), "{known}");
    }
    for unclear in [Evidence::NotSent(why()), Evidence::NoAnswer(why()), Evidence::Unknown(why())] {
        assert_eq!(request(unclear.clone()), Err(WithdrawError::Paused), "{unclear}");
    }
    assert_eq!(site.sats(&site.ann), 10_000);
    assert!(request(Evidence::NotFound { is_proof: false }).is_ok());
    let asked = || site.node.count("look up payment");
    assert_eq!(asked(), 7);
    // The provider is not asked for a withdrawal that is refused anyway, or after a clean check.
    assert!(matches!(site.withdraw(9_901), Err(WithdrawError::Insufficient(_))));
    site.check();
    assert!(request(Evidence::InFlight).is_ok());
    assert_eq!(asked(), 7);
}

/// The database was rolled back, and lacks a withdrawal of 1,000,000 sats. A user has requested a withdrawal with its payment
/// hash before a check noticed this.
#[test]
fn a_payment_of_another_amount_is_not_booked_as_listed() {
    let site = Site::new();
    let held = site.held();
    let sent = Sent { amount: msat(1_000_000_000), ..listed(&held, true) };
    site.list_sent(&[&sent]);
    site.check();
    assert!(site.pause().is_some());
    let difference = SentDifference::Other(sent.clone(), held.clone());
    assert_eq!(site.sent_differences(), vec![difference.clone()]);
    assert_eq!((difference.hash(), difference.proposed()), (sent.payment_hash, None));
    for booking in [Booking::AsListed, Booking::User(site.ann.actor.user)] {
        assert_eq!(site.book_sent(difference.clone(), booking), refused());
    }
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Held, 8_990));
    assert_eq!(site.book_sent(difference.clone(), Booking::Own), Err(ReconcileError::DepositsFirst));
    assert_eq!((site.received_differences(), site.resume()), (Vec::new(), Resumed::NotReconciled));
    // The operator notes the loss. The provider cannot pay the hash again, so the held withdrawal ends.
    assert_eq!(site.book_sent(difference, Booking::Own), Ok(()));
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Refunded, 10_000));
    let detail = format!("{}: the operator's own: a restore", sent.payment_hash);
    assert_eq!(site.latest_action(), ("reconcile_withdrawal", detail));
    assert_eq!((site.sent_differences(), site.resume()), (Vec::new(), Resumed::Yes));
    site.stage.assert_sound();
}

#[test]
fn a_withdrawal_differs_from_a_payment_of_another_amount_in_each_status() {
    let site = Site::new();
    let paid = site.sent();
    site.node.books().pay = Evidence::InFlight;
    let (open, refunded) = (site.sent(), site.refunded_by_operator());
    let all = [paid, open, refunded];
    let listed = all.each_ref().map(|one| Sent { amount: msat(1_000_001), ..listed(one, true) });
    site.list_sent(&[&listed[0], &listed[1], &listed[2]]);
    let differing: Vec<_> =
        listed.into_iter().zip(&all).map(|(sent, one)| SentDifference::Other(sent, one.clone())).collect();
    assert_eq!(site.sent_differences(), differing);
    for difference in differing {
        assert_eq!(site.book_sent(difference.clone(), Booking::AsListed), refused());
        assert_eq!(site.book_sent(difference, Booking::Own), Ok(()));
    }
    assert_eq!(site.sent_differences(), []);
    let statuses = all.each_ref().map(|one| site.status(one));
    let unchanged = [WithdrawalStatus::Paid, WithdrawalStatus::Sending, WithdrawalStatus::Refunded];
    assert_eq!(statuses, unchanged, "the note changes only a withdrawal that was not sent");
}

/// The provider's record names the user of a withdrawal that the database has lost.
#[test]
fn a_payment_for_another_user_is_booked_only_to_the_user_whom_the_operator_names() {
    let site = Site::new();
    let (held, bob) = (site.held(), site.member("bob"));
    let owner = Some(Owner { id: 4_711_u128.into(), user: bob.actor.user });
    let sent = Sent { owner, ..listed(&held, true) };
    site.list_sent(&[&sent]);
    let difference = SentDifference::Other(sent, held.clone());
    assert_eq!(site.sent_differences(), vec![difference.clone()]);
    assert_eq!(difference.proposed(), None);
    for booking in [Booking::AsListed, Booking::User(bob.actor.user)] {
        assert_eq!(site.book_sent(difference.clone(), booking), refused());
    }
    assert_eq!(site.book_sent(difference, Booking::User(site.ann.actor.user)), Ok(()));
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
    assert_eq!(site.sent_differences(), []);
    site.stage.assert_sound();
}

/// After a restore, a user may request the same withdrawal again. It gets a new id.
#[test]
fn a_payment_of_an_earlier_withdrawal_of_the_same_user_is_booked_as_listed() {
    let site = Site::new();
    let held = site.held();
    let owner = Some(Owner { id: 4_711_u128.into(), user: site.ann.actor.user });
    site.list_sent(&[&Sent { owner, ..listed(&held, true) }]);
    let differences = site.sent_differences();
    let [difference @ SentDifference::NotSentHere(..)] = &differences[..] else { panic!("{differences:?}") };
    assert_eq!(site.book_sent(difference.clone(), Booking::AsListed), Ok(()));
    assert_eq!((site.status(&held), site.sats(&site.ann)), (WithdrawalStatus::Paid, 8_998));
}
