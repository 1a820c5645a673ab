//! Tests of the site-wide limit on withdrawals.

use bolts_kernel::Amount;
use bolts_wallet::Outflow;

const CAP: i64 = 10_000;

fn has_room(own: i64, all: i64, withdrawal: i64) -> bool {
    let withdrawal = Amount::new(withdrawal).expect("not below 0");
    Outflow { own, all }.has_room_for(withdrawal, CAP)
}

#[test]
fn the_last_quarter_is_kept_for_small_withdrawals() {
    assert!(has_room(0, 0, 7_500) && !has_room(0, 0, 7_501));
    assert!(has_room(0, 7_400, 100), "within a hundredth of the cap");
    assert!(!has_room(0, 7_400, 101));
    assert!(has_room(0, 9_900, 100) && !has_room(0, 9_901, 100), "the cap holds for all");
    assert!(!has_room(50, 9_000, 51), "the day's other withdrawals of the user count");
}

#[test]
fn withdrawing_own_deposits_uses_up_nothing_of_the_limit() {
    assert!(has_room(-5_000, CAP, 5_000));
    assert!(!has_room(-5_000, CAP, 5_001));
    // The 5,000 sats that the user deposited do not count. The limit applies to the rest of the withdrawal.
    assert!(has_room(-5_000, 0, 12_500) && !has_room(-5_000, 0, 12_501));
    assert!(has_room(-5_000, 7_000, 5_500) && !has_room(-5_000, 7_000, 5_501));
}

#[test]
fn no_cap_is_no_limit() {
    let most = Amount::new(i64::MAX).expect("not below 0");
    assert!(Outflow { own: i64::MAX, all: i64::MAX }.has_room_for(most, 0));
    assert!(!Outflow { own: i64::MAX, all: i64::MAX }.has_room_for(most, CAP));
}
