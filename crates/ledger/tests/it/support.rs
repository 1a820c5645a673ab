//! Helpers for the tests of this crate: users, bets, accounts and amounts.

use bolts_kernel::{Amount, BetId, Currency, Money, OperationId, Timestamp, UserId};
use bolts_ledger::Account;

pub(crate) fn user(number: u128) -> UserId {
    format!("{number:032x}").parse().unwrap()
}

pub(crate) fn bet(number: u128) -> BetId {
    format!("{:032x}", 0xb000 + number).parse().unwrap()
}

pub(crate) fn operation(number: u128) -> OperationId {
    format!("{number:032x}").parse().unwrap()
}

pub(crate) fn now() -> Timestamp {
    Timestamp::parse("2026-11-20T21:00:00Z").unwrap()
}

pub(crate) fn amount(units: i64) -> Amount {
    Amount::new(units).unwrap()
}

pub(crate) fn bolts(units: i64) -> Money {
    Money::new(amount(units), Currency::Bolts)
}

pub(crate) fn sats(units: i64) -> Money {
    Money::new(amount(units), Currency::Sats)
}

pub(crate) fn available(who: u128) -> Account {
    Account::Available(user(who), Currency::Bolts)
}

pub(crate) fn escrow(which: u128) -> Account {
    Account::Escrow(bet(which), Currency::Bolts)
}
