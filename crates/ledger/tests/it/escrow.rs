//! Tests with random payouts and refunds, in random order and repeated: an escrow is emptied exactly once.

use bolts_kernel::{Money, UserId};
use bolts_ledger::{Book, PostError, Transfer, TransferKind, admin_grant, pay_out, refund, stake};
use proptest::prelude::*;

use crate::support::{amount, available, bet, bolts, escrow, now, operation, user};

/// The number of bets. User 1 creates all bets. User 2 accepts all bets except the last.
const BETS: u128 = 3;
const GRANT: i64 = 1_000_000;

#[derive(Clone, Copy, Debug)]
enum Attempt {
    PayOut { which: u128, winner: u128 },
    Refund { which: u128, swapped: bool },
}

fn attempts() -> impl Strategy<Value = Attempt> {
    prop_oneof![
        (1..=BETS, 1..=2_u128).prop_map(|(which, winner)| Attempt::PayOut { which, winner }),
        (1..=BETS, any::<bool>()).prop_map(|(which, swapped)| Attempt::Refund { which, swapped }),
    ]
}

fn owners(which: u128, units: i64) -> Vec<(UserId, Money)> {
    let people = if which == BETS { 1..=1 } else { 1..=2_u128 };
    people.map(|who| (user(who), bolts(units))).collect()
}

fn staked(units: i64) -> Book {
    let mut book = Book::default();
    for who in 1..=2 {
        book.post(&[admin_grant(user(who), amount(GRANT), operation(who), now()).unwrap()]).unwrap();
    }
    for which in 1..=BETS {
        for (owner, money) in owners(which, units) {
            book.post(&[stake(bet(which), owner, money, operation(9), now()).unwrap()]).unwrap();
        }
    }
    book
}

fn transfers(attempt: Attempt, units: i64, operation_number: u128) -> (u128, Vec<Transfer>) {
    let operation = operation(operation_number);
    match attempt {
        Attempt::PayOut { which, winner } => {
            let pot = bolts(units * i64::try_from(owners(which, units).len()).unwrap());
            (which, vec![pay_out(bet(which), user(winner), pot, operation, now()).unwrap()])
        }
        Attempt::Refund { which, swapped } => {
            let mut stakes = owners(which, units);
            if swapped {
                stakes.reverse();
            }
            (which, refund(bet(which), &stakes, operation, now()).unwrap())
        }
    }
}

proptest! {
    #[test]
    fn an_escrow_is_emptied_once(units in 1..100_000_i64, attempts in prop::collection::vec(attempts(), 1..12)) {
        let mut book = staked(units);
        let mut emptied = Vec::new();
        for (number, attempt) in (100..).zip(attempts) {
            let (which, transfers) = transfers(attempt, units, number);
            let before = book.balance(escrow(which));
            match book.post(&transfers) {
                Ok(()) => {
                    prop_assert!(!emptied.contains(&which), "{which} was emptied before");
                    prop_assert_eq!((before > 0, book.balance(escrow(which))), (true, 0));
                    emptied.push(which);
                }
                // The ledger refuses the second attempt because of its key, before it checks the balance of
                // the escrow.
                Err(PostError::Duplicate(_)) => prop_assert!(emptied.contains(&which)),
                Err(error) => prop_assert!(false, "{}", error),
            }
            prop_assert_eq!(book.violations(), [""; 0]);
        }
        let held: i64 = (1..=BETS).map(|which| book.balance(escrow(which))).sum();
        let out = book.transfers().iter().filter(|t| matches!(t.kind(), TransferKind::Payout | TransferKind::Refund));
        let returned: i64 = out.map(|transfer| transfer.money().amount.get()).sum();
        prop_assert_eq!(held + returned, 5 * units);
        prop_assert_eq!(book.balance(available(1)) + book.balance(available(2)) + held, 2 * GRANT);
    }
}

#[test]
fn a_user_stakes_once_on_a_bet() {
    let mut book = staked(100);
    let again = stake(bet(1), user(1), bolts(50), operation(77), now()).unwrap();
    assert_eq!(book.post(std::slice::from_ref(&again)), Err(PostError::Duplicate(again.key().to_owned())));
    assert_eq!(book.balance(escrow(1)), 200);
}

#[test]
fn a_refund_gives_each_stake_to_its_owner() {
    let mut book = staked(100);
    book.post(&refund(bet(1), &owners(1, 100), operation(50), now()).unwrap()).unwrap();
    book.post(&[pay_out(bet(2), user(2), bolts(200), operation(51), now()).unwrap()]).unwrap();
    assert_eq!(book.balance(available(1)), GRANT - 200);
    assert_eq!(book.balance(available(2)), GRANT + 100);
    assert_eq!((book.balance(escrow(1)), book.balance(escrow(2)), book.balance(escrow(3))), (0, 0, 100));
}
