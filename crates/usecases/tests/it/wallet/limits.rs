//! The limits of withdrawals.

use std::time::Duration;

use bolts_usecases::wallet::{Destination, WalletRules, WithdrawError};
use bolts_wallet::{Evidence, WithdrawalStatus};
use futures_executor::block_on;

use super::{Site, sats};
use crate::stage::DAY;

const SECOND: Duration = Duration::from_secs(1);

fn capped(user_cap: i64, total_cap: i64) -> Site {
    Site::with_rules(WalletRules { user_cap, total_cap, ..WalletRules::default() })
}

impl Site {
    /// An admin resets Ann's password, so Ann is in a cooldown.
    fn reset_password(&self) {
        let reset = self.stage.app.reset_password(self.stage.admin("root"), "ann@example.com");
        block_on(reset).expect("reset");
    }
}

/// A thief of the password may have requested the withdrawal before the reset.
#[test]
fn a_withdrawal_that_was_held_before_a_cooldown_is_not_sent_in_it() {
    let site = Site::new();
    let held = site.held();
    site.reset_password();
    site.move_on(&held);
    assert_eq!((site.status(&held), site.node.count("pay")), (WithdrawalStatus::Refunded, 0));
    assert_eq!(site.sats(&site.ann), 10_000);
    site.stage.assert_sound();
}

/// The thief's invoice may be valid for longer than the cooldown.
#[test]
fn a_withdrawal_that_was_held_before_a_cooldown_is_not_sent_after_it() {
    let site = Site::new();
    let held = site.held();
    site.reset_password();
    site.stage.clock.advance(DAY + SECOND);
    site.move_on(&held);
    assert_eq!((site.status(&held), site.node.count("pay")), (WithdrawalStatus::Refunded, 0));
}

/// The thief requests the withdrawal, and then the password is reset, while the clock is two days ahead.
#[test]
fn a_withdrawal_of_a_clock_that_was_wrong_is_not_sent_in_a_cooldown() {
    let site = Site::new();
    let (stage, right) = (&site.stage, site.stage.now());
    stage.heartbeat();
    stage.clock.advance(2 * DAY);
    stage.heartbeat();
    let held = site.held();
    site.reset_password();
    stage.clock.set(right);
    stage.heartbeat();
    site.move_on(&held);
    assert_eq!((site.status(&held), site.node.count("pay")), (WithdrawalStatus::Refunded, 0));
    stage.assert_sound();
}

#[test]
fn a_payment_is_not_sent_again_in_a_cooldown() {
    let site = Site::new();
    site.node.books().may_resend = true;
    site.node.books().pay = Evidence::NoAnswer("a time-out".to_owned());
    site.node.books().look_up = Evidence::NotFound { is_proof: true };
    let sent = site.sent();
    site.reset_password();
    site.stage.clock.advance(120 * SECOND);
    site.move_on(&sent);
    assert_eq!((site.status(&sent), site.node.count("pay")), (WithdrawalStatus::Sending, 1));
}

#[test]
fn a_user_withdraws_up_to_the_limit_within_24_hours() {
    let site = capped(3_000, 0);
    let left = |units| Err(WithdrawError::UserCap { left: sats(units) });
    assert_eq!(site.withdraw(3_001), left(3_000));
    let first = site.withdraw(1_000).expect("held");
    assert_eq!(site.withdraw(2_001), left(2_000));
    let second = site.withdraw(2_000).expect("the rest of the limit");
    assert_eq!(site.withdraw(100), left(0));
    site.move_on(&first);
    site.move_on(&second);
    site.stage.clock.advance(DAY);
    assert_eq!(site.withdraw(100), left(0), "24 hours include their start");
    site.stage.clock.advance(SECOND);
    assert!(site.withdraw(3_000).is_ok());
}

#[test]
fn a_limit_of_nothing_is_no_limit() {
    let site = capped(0, 0);
    assert!(site.withdraw(9_900).is_ok());
}

/// The last quarter of the limit of all users is kept for withdrawals of at most a hundredth of it.
#[test]
fn all_users_together_withdraw_up_to_the_limit() {
    let site = capped(0, 20_000);
    let bob = site.member("bob");
    site.give(&bob, 10_000);
    site.stage.clock.advance(2 * DAY);
    let withdraw = |amount: i64| site.request(&bob, Destination::Invoice(site.node.invoice(amount * 1_000)));
    site.withdraw(9_900).expect("held");
    assert_eq!(withdraw(5_101), Err(WithdrawError::TotalCap));
    withdraw(5_100).expect("three quarters of the limit");
    assert_eq!(withdraw(200), Err(WithdrawError::TotalCap));
    let eve = site.member("eve");
    site.give(&eve, 500);
    site.stage.clock.advance(SECOND);
    let small = site.request(&eve, Destination::Invoice(site.node.invoice(200_000)));
    assert!(small.is_ok(), "{small:?}");
}

#[test]
fn three_withdrawals_of_a_user_may_be_under_way() {
    let site = Site::new();
    let first = site.held();
    site.held();
    site.held();
    assert_eq!(site.withdraw(1_000), Err(WithdrawError::TooManyInFlight));
    site.move_on(&first);
    assert!(site.withdraw(1_000).is_ok(), "one has ended");
}

#[test]
fn an_invoice_is_paid_once() {
    let site = Site::new();
    let invoice = Destination::Invoice(site.node.invoice(1_000_000));
    let paid = site.request(&site.ann, invoice.clone()).expect("held");
    site.move_on(&paid);
    assert_eq!(site.request(&site.ann, invoice), Err(WithdrawError::UsedBefore));
    assert_eq!(site.sats(&site.ann), 8_998);
    site.stage.assert_sound();
}

#[test]
fn amount_and_reserve_must_be_covered() {
    let site = Site::new();
    assert!(matches!(site.withdraw(9_901), Err(WithdrawError::Insufficient(_))));
    assert!(site.withdraw(9_900).is_ok(), "9,900 and a reserve of 99");
}
