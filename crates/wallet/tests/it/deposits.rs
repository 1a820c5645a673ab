use std::time::Duration;

use bolts_wallet::{AlreadyPaid, Deposit, DepositState, DepositStatus};

use crate::support::{HOUR, deposit, msat, now, sats};

#[test]
fn an_early_or_late_payment_is_credited_once() {
    let lapsed = deposit().unpaid(now().after(26 * HOUR));
    assert_eq!(lapsed.state, DepositState::Lapsed);
    for (before, at) in
        [(deposit(), now()), (deposit(), now().after(2 * HOUR)), (lapsed, now().after(40 * HOUR))]
    {
        let credit = before.paid(msat(5_000_000), at).unwrap();
        assert_eq!(credit.amount, sats(5_000));
        assert_eq!(credit.deposit.status(at), DepositStatus::Paid);
        assert_eq!(credit.deposit.paid(msat(5_000_000), at), Err(AlreadyPaid));
    }
}

#[test]
fn the_credit_is_the_amount_that_arrived() {
    for (arrived, credited, dust) in
        [(0, 0, 0), (999, 0, 999), (1_000, 1, 0), (4_999_999, 4_999, 999), (7_000_001, 7_000, 1)]
    {
        let credit = deposit().paid(msat(arrived), now()).unwrap();
        let DepositState::Paid(receipt) = credit.deposit.state else { panic!("the deposit is not paid") };
        assert_eq!((credit.amount, receipt.received.dust()), (sats(credited), dust), "{arrived}");
    }
}

#[test]
fn an_unpaid_invoice_is_pending_until_it_expires() {
    let last = now().after(HOUR).before(Duration::from_micros(1));
    assert_eq!(deposit().status(last), DepositStatus::Pending);
    assert_eq!(deposit().status(now().after(HOUR)), DepositStatus::Expired);
}

#[test]
fn requests_become_rarer_and_end_a_day_after_the_expiry() {
    let (mut deposit, mut at, mut waits) = (deposit(), now(), Vec::new());
    while let DepositState::Open { next_check_at, .. } = deposit.state {
        waits.push(next_check_at.since(at).as_secs());
        at = next_check_at;
        deposit = deposit.unpaid(at);
    }
    assert_eq!(&waits[..5], [5, 7, 11, 16, 25]);
    assert!(waits.is_sorted() && waits.last() == Some(&600));
    assert!((100..400).contains(&waits.len()), "{} requests in all", waits.len());
    let late = at.since(now().after(25 * HOUR));
    assert!(at >= now().after(25 * HOUR) && late <= Duration::from_secs(600), "the last request was at {at}");
    assert_eq!(deposit.state, DepositState::Lapsed);
    assert_eq!(deposit.clone().unpaid(at), deposit);
}

#[test]
fn without_a_clear_answer_requests_go_on_for_a_month() {
    let (mut deposit, mut at, mut waits) = (deposit(), now(), Vec::new());
    while let DepositState::Open { next_check_at, .. } = deposit.state {
        waits.push(next_check_at.since(at).as_secs());
        at = next_check_at;
        deposit = deposit.unanswered(at);
    }
    assert_eq!(waits.last(), Some(&3_600));
    assert!(at >= now().after(30 * 24 * HOUR), "the requests ended at {at}");
    let silent_for_two_days = self::deposit().unanswered(now().after(49 * HOUR));
    assert!(matches!(silent_for_two_days.state, DepositState::Open { .. }));
    assert_eq!(silent_for_two_days.unpaid(now().after(50 * HOUR)).state, DepositState::Lapsed);
}

#[test]
fn the_list_is_searched_for_an_hour_and_an_alarm_waits_a_day_and_an_hour_after_the_expiry() {
    assert_eq!(Deposit::listed_if_expiring_after(now()), now().before(HOUR));
    assert_eq!(Deposit::overdue_before(now()), now().before(25 * HOUR));
}
