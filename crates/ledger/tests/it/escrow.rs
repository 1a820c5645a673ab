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

/// The stakes of the creator and of the acceptor of each bet.
type Stakes = (i64, i64);

/// Stakes from 1:100 to 100:1.
fn stakes() -> impl Strategy<Value = Stakes> {
    let smaller = || 1..1_000_i64;
    prop_oneof![
        smaller().prop_map(|units| (units, units)),
        smaller().prop_map(|units| (units, 100 * units)),
        smaller().prop_map(|units| (100 * units, units)),
        (smaller(), 1..=100_i64, any::<bool>()).prop_map(|(units, times, is_dear)| {
            if is_dear { (units * times, units) } else { (units, units * times) }
        }),
    ]
}

fn owners(which: u128, stakes: Stakes) -> Vec<(UserId, Money)> {
    let both = [(user(1), bolts(stakes.0)), (user(2), bolts(stakes.1))];
    both.into_iter().take(if which == BETS { 1 } else { 2 }).collect()
}

fn staked(stakes: Stakes) -> Book {
    let mut book = Book::default();
    for who in 1..=2 {
        book.post(&[admin_grant(user(who), amount(GRANT), operation(who), now()).unwrap()]).unwrap();
    }
    for which in 1..=BETS {
        for (owner, money) in owners(which, stakes) {
            book.post(&[stake(bet(which), owner, money, operation(9), now()).unwrap()]).unwrap();
        }
    }
    book
}

fn transfers(attempt: Attempt, stakes: Stakes, operation_number: u128) -> (u128, Vec<Transfer>) {
    let operation = operation(operation_number);
    match attempt {
        Attempt::PayOut { which, winner } => {
            let pot = owners(which, stakes).iter().map(|(_, stake)| stake.amount.get()).sum();
            let pot = bolts(pot);
            (which, vec![pay_out(bet(which), user(winner), pot, operation, now()).unwrap()])
        }
        Attempt::Refund { which, swapped } => {
            let mut owners = owners(which, stakes);
            if swapped {
                owners.reverse();
            }
            (which, refund(bet(which), &owners, operation, now()).unwrap())
        }
    }
}

proptest! {
    #[test]
    fn an_escrow_is_emptied_once(stakes in stakes(), attempts in prop::collection::vec(attempts(), 1..12)) {
        let mut book = staked(stakes);
        let mut emptied = Vec::new();
        for (number, attempt) in (100..).zip(attempts) {
            let (which, transfers) = transfers(attempt, stakes, number);
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
        prop_assert_eq!(held + returned, 3 * stakes.0 + 2 * stakes.1);
        prop_assert_eq!(book.balance(available(1)) + book.balance(available(2)) + held, 2 * GRANT);
    }
}

#[test]
fn a_user_stakes_once_on_a_bet() {
    let mut book = staked((100, 60));
    let again = stake(bet(1), user(1), bolts(50), operation(77), now()).unwrap();
    assert_eq!(book.post(std::slice::from_ref(&again)), Err(PostError::Duplicate(again.key().to_owned())));
    assert_eq!(book.balance(escrow(1)), 160);
}

#[test]
fn a_refund_gives_each_stake_to_its_owner() {
    let mut book = staked((100, 60));
    book.post(&refund(bet(1), &owners(1, (100, 60)), operation(50), now()).unwrap()).unwrap();
    book.post(&[pay_out(bet(2), user(2), bolts(160), operation(51), now()).unwrap()]).unwrap();
    assert_eq!(book.balance(available(1)), GRANT - 200);
    assert_eq!(book.balance(available(2)), GRANT + 100);
    assert_eq!((book.balance(escrow(1)), book.balance(escrow(2)), book.balance(escrow(3))), (0, 0, 100));
}
