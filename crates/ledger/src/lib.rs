//! Double entry (decisions, section 6): every movement of Bolts and sats is a [`Transfer`] from one account to
//! another, and never changed or removed.
//!
//! Transfers are built only by the functions of this crate, one a reason, so that one that does not balance, mixes
//! currencies or lacks its idempotency key cannot be made.

mod account;
mod book;
mod lightning;
mod moves;
mod transfer;

pub use account::Account;
pub use book::{Book, PostError};
pub use lightning::{deposit, give_back, hold, settle, test_deposit};
pub use moves::{SIGN_UP_GRANT, admin_grant, covers, pay_out, refund, reward, sign_up_grant, stake};
pub use transfer::{Subject, Transfer, TransferError, TransferKind};
