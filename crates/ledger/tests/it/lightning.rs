//! Tests of the transfers of deposits and withdrawals.

use bolts_kernel::{Amount, Currency, DepositId, OperationId, UserId, WithdrawalId};
use bolts_ledger::{
    Account, Book, PostError, Transfer, TransferError, TransferKind, deposit, give_back, hold, late_deposit,
    settle, test_deposit,
};
use proptest::prelude::*;

use crate::support::now as at;

const SATS: Currency = Currency::Sats;

fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(number: u128) -> T {
    format!("{number:032x}").parse().unwrap()
}

fn sats(units: i64) -> Amount {
    Amount::new(units).unwrap()
}

fn operation(number: u128) -> OperationId {
    id(number)
}

fn user() -> UserId {
    id(1)
}

fn withdrawal() -> WithdrawalId {
    id(3)
}

fn held(units: i64) -> Transfer {
    hold(withdrawal(), user(), sats(units), operation(2), at()).unwrap()
}

/// A book in which the user deposited this number of sats.
fn deposited(units: i64) -> Book {
    let mut book = Book::default();
    let deposit_id: DepositId = id(2);
    book.post(&[deposit(deposit_id, user(), sats(units), operation(1), at()).unwrap()]).unwrap();
    book
}

fn balances(book: &Book) -> (i64, i64, i64, i64) {
    let of = |account| book.balance(account);
    (
        of(Account::Available(user(), SATS)),
        of(Account::Hold(withdrawal())),
        of(Account::Lightning(SATS)),
        of(Account::Fees(SATS)),
    )
}

/// The sats of a deleted user go to another user or to the operator, and only once.
#[test]
fn a_late_deposit_is_booked_once() {
    let other: UserId = id(9);
    let booked = |to| late_deposit(id(2), (user(), to), sats(500), operation(3), at());
    let (moved, kept) = (booked(Some(other)).unwrap(), booked(None).unwrap());
    assert_eq!((moved.kind(), kept.kind()), (TransferKind::LateDepositMoved, TransferKind::LateDepositKept));
    assert_eq!(booked(Some(user())).err(), Some(TransferError::SameAccount));
    let mut book = deposited(500);
    book.post(std::slice::from_ref(&moved)).unwrap();
    assert_eq!((balances(&book), book.balance(Account::Available(other, SATS))), ((0, 0, -500, 0), 500));
    let mut book = deposited(700);
    book.post(&[kept]).unwrap();
    assert_eq!(balances(&book), (200, 0, -200, 0));
    assert!(matches!(book.post(&[moved]), Err(PostError::Duplicate(_))));
}

#[test]
fn a_deposit_is_credited_once() {
    let mut book = deposited(500);
    assert_eq!(balances(&book), (500, 0, -500, 0));
    let again = deposit(id(2), user(), sats(7), operation(9), at()).unwrap();
    assert!(matches!(book.post(&[again]), Err(PostError::Duplicate(_))));
}

#[test]
fn a_settled_hold_splits_into_amount_fee_and_unused_reserve() {
    let mut book = deposited(500);
    book.post(&[held(110)]).unwrap();
    assert_eq!(balances(&book), (390, 110, -500, 0));
    let parts = (sats(100), sats(4), sats(6));
    book.post(&settle(withdrawal(), user(), parts, operation(3), at()).unwrap()).unwrap();
    assert_eq!(balances(&book), (396, 0, -400, 4));
    assert!(book.violations().is_empty());
}

#[test]
fn a_hold_is_settled_or_refunded_and_only_once() {
    let mut book = deposited(500);
    book.post(&[held(110)]).unwrap();
    let back = || give_back(withdrawal(), user(), sats(110), operation(4), at()).unwrap();
    book.post(&[back()]).unwrap();
    assert_eq!(balances(&book), (500, 0, -500, 0));
    assert!(book.post(&[back()]).is_err());
    let parts = (sats(100), sats(0), sats(10));
    assert!(book.post(&settle(withdrawal(), user(), parts, operation(5), at()).unwrap()).is_err());
    assert_eq!(balances(&book), (500, 0, -500, 0));
}

#[test]
fn a_hold_above_the_balance_is_refused() {
    assert_eq!(
        deposited(100).post(&[held(101)]),
        Err(PostError::Overdrawn(Account::Available(user(), SATS)))
    );
}

#[test]
fn test_sats_come_from_the_lightning_account() {
    let mut book = Book::default();
    book.post(&[test_deposit(user(), sats(9), operation(1), at()).unwrap()]).unwrap();
    assert_eq!(balances(&book), (9, 0, -9, 0));
}

proptest! {
    #[test]
    fn a_settlement_neither_loses_nor_creates_sats(amount in 1_i64..1_000_000, limit in 1_i64..10_000, share in 0_i64..=100) {
        let fee = limit * share / 100;
        let mut book = deposited(amount + limit);
        book.post(&[held(amount + limit)]).unwrap();
        let parts = (sats(amount), sats(fee), sats(limit - fee));
        book.post(&settle(withdrawal(), user(), parts, operation(3), at()).unwrap()).unwrap();
        prop_assert_eq!(balances(&book), (limit - fee, 0, -limit, fee));
        prop_assert!(book.violations().is_empty());
    }
}
