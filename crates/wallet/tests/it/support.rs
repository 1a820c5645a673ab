use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId, WithdrawalId};
use bolts_wallet::{Deposit, Evidence, Millisats, Outgoing, PaymentHash, Preimage, Waits, Withdrawal};

pub(crate) const HOUR: Duration = Duration::from_secs(3_600);
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
pub(crate) const WAITS: Waits = Waits { patience: PATIENCE, call: Duration::from_secs(5) };

pub(crate) fn now() -> Timestamp {
    Timestamp::parse("2026-01-05T12:00:00Z").unwrap()
}

pub(crate) fn sats(units: i64) -> Amount {
    Amount::new(units).unwrap()
}

pub(crate) fn msat(units: i64) -> Millisats {
    Millisats::new(units).unwrap()
}

pub(crate) fn preimage() -> Preimage {
    Preimage::new([7; 32])
}

pub(crate) fn hash() -> PaymentHash {
    preimage().payment_hash()
}

fn id<T: std::str::FromStr<Err: std::fmt::Debug>>() -> T {
    format!("{:032x}", 1).parse().unwrap()
}

pub(crate) fn user() -> UserId {
    id()
}

/// A deposit of 5,000 sats. Its invoice expires after an hour.
pub(crate) fn deposit() -> Deposit {
    let id: DepositId = id();
    Deposit::open(id, user(), sats(5_000), ("lnbc…".to_owned(), hash()), (now(), now().after(HOUR)))
}

/// A held withdrawal of `amount` millisats. Its invoice expires after an hour.
pub(crate) fn held(amount: i64) -> Withdrawal {
    let id: WithdrawalId = id();
    let outgoing = Outgoing {
        invoice: "lnbc…".to_owned(),
        payment_hash: hash(),
        amount: msat(amount),
        expires_at: now().after(HOUR),
        address: None,
    };
    Withdrawal::request(id, user(), outgoing, now())
}

/// A withdrawal of `amount` millisats after `attempts` attempts to pay.
pub(crate) fn sending(amount: i64, attempts: u32) -> Withdrawal {
    let first = held(amount).attempt(now(), &WAITS).unwrap();
    (1..attempts).fold(first, |sending, _| {
        let answered = sending.heard(&Evidence::Unknown("time-out".to_owned()), true, now());
        answered.resend(now(), &WAITS).unwrap()
    })
}
