//! A ledger with double entry (`docs/ledger.md`). Every movement of money is a [`Transfer`] from one
//! account to another. A transfer is never changed or removed.
//!
//! Only the functions of this crate build transfers, one function for each reason. So every transfer
//! balances, stays in one currency and has an idempotency key.

mod account;
mod book;
mod lightning;
mod moves;
mod transfer;

pub use account::Account;
pub use book::{Book, PostError};
pub use lightning::{deposit, give_back, hold, late_deposit, settle, test_deposit};
pub use moves::{
    SIGN_UP_GRANT, account_closed, admin_grant, covers, pay_out, refund, reward, sign_up_grant, stake,
};
pub use transfer::{Subject, Transfer, TransferError, TransferKind};
