//! Deposits and withdrawals of sats over Lightning: their states and steps (`docs/lightning.md`). This crate
//! calls no provider. It gets a provider's answers as values.

mod deposit;
mod evidence;
mod limits;
mod msat;
mod payment;
mod settling;
mod solvency;
mod withdrawal;

pub use deposit::{AlreadyPaid, Credit, Deposit, DepositState, DepositStatus, INVOICE_LIFETIME, Receipt};
pub use evidence::{Doubt, Evidence};
pub use limits::{
    MAX_DEPOSIT_SATS, MAX_IN_FLIGHT, MAX_OPEN_INVOICES, MIN_DEPOSIT_SATS, MIN_WITHDRAWAL_SATS, Outflow,
    deposit_amount, fee_limit, test_amount, withdrawal_amount,
};
pub use msat::Millisats;
pub use payment::{HexError, PaymentHash, Preimage};
pub use settling::{Unsettled, Verdict};
pub use solvency::{Finding, Reserves, Watch, Withheld};
pub use withdrawal::{
    EndedBy, HoldEffect, Outgoing, Step, Trail, Waits, Withdrawal, WithdrawalState, WithdrawalStatus, Word,
};
