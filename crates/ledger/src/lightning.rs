//! The transfers of deposits and withdrawals over Lightning.

use bolts_kernel::{Amount, Currency, DepositId, Money, OperationId, Timestamp, UserId, WithdrawalId};

use crate::account::Account;
use crate::transfer::{Occasion, Subject, Transfer, TransferError, TransferKind};

const SATS: Currency = Currency::Sats;

fn available(user: UserId) -> Account {
    Account::Available(user, SATS)
}

/// Credits the sats that arrived for a deposit. The idempotency key allows one credit for each deposit.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0.
pub fn deposit(
    deposit: DepositId,
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion =
        Occasion { operation, kind: TransferKind::Deposit, subject: Subject::Deposit(deposit), at };
    credit(user, amount, occasion, format!("deposit:{deposit}"))
}

fn credit(user: UserId, amount: Amount, occasion: Occasion, key: String) -> Result<Transfer, TransferError> {
    Transfer::new(occasion, key, Account::Lightning(SATS), available(user), Money::new(amount, SATS))
}

/// Adds test sats without a payment. The idempotency key allows one credit for each operation.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0.
pub fn test_deposit(
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = Occasion { operation, kind: TransferKind::TestDeposit, subject: Subject::None, at };
    credit(user, amount, occasion, format!("test:{operation}"))
}

/// Books the sats of a deposit that arrived after its user `of` had deleted the account. They go to another user, or out of
/// the ledger if `to` is `None`: then they are the operator's, who owes them to the person who paid. The idempotency key
/// allows one booking for each deposit.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0, and [`TransferError::SameAccount`] if both users are the same.
pub fn late_deposit(
    deposit: DepositId,
    (of, to): (UserId, Option<UserId>),
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let (kind, to) = match to {
        Some(user) => (TransferKind::LateDepositMoved, available(user)),
        None => (TransferKind::LateDepositKept, Account::Lightning(SATS)),
    };
    let occasion = Occasion { operation, kind, subject: Subject::Deposit(deposit), at };
    Transfer::new(occasion, format!("late:{deposit}"), available(of), to, Money::new(amount, SATS))
}

/// Moves the amount of a withdrawal and the reserve for its routing fee into the withdrawal's hold. The idempotency
/// key allows one hold for each withdrawal.
///
/// # Errors
/// [`TransferError::Nothing`] if `held` is 0.
pub fn hold(
    withdrawal: WithdrawalId,
    user: UserId,
    held: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = withdrawal_occasion(withdrawal, TransferKind::Hold, operation, at);
    let money = Money::new(held, SATS);
    Transfer::new(occasion, format!("hold:{withdrawal}"), available(user), Account::Hold(withdrawal), money)
}

/// Settles a paid withdrawal: the amount leaves, the fee goes to the account of fees, and the unused reserve
/// goes back to the user.
///
/// The first transfer has the same idempotency key as the transfer of [`give_back`]. So a withdrawal is either settled
/// or refunded, and only once.
///
/// # Errors
/// [`TransferError::Nothing`] if the amount is 0.
pub fn settle(
    withdrawal: WithdrawalId,
    user: UserId,
    (amount, fee, unused_reserve): (Amount, Amount, Amount),
    operation: OperationId,
    at: Timestamp,
) -> Result<Vec<Transfer>, TransferError> {
    let parts = [
        (TransferKind::Withdrawal, Account::Lightning(SATS), amount),
        (TransferKind::RoutingFee, Account::Fees(SATS), fee),
        (TransferKind::ReserveBack, available(user), unused_reserve),
    ];
    let part = |(index, (kind, to, amount)): (usize, (TransferKind, Account, Amount))| {
        let occasion = withdrawal_occasion(withdrawal, kind, operation, at);
        let (key, from) = (format!("end:{withdrawal}:{index}"), Account::Hold(withdrawal));
        Transfer::new(occasion, key, from, to, Money::new(amount, SATS))
    };
    // A fee or an unused reserve of 0 needs no transfer.
    let moved =
        parts.into_iter().enumerate().filter(|(index, (.., amount))| *index == 0 || !amount.is_zero());
    moved.map(part).collect()
}

/// Refunds a withdrawal: the whole hold goes back to the user.
///
/// # Errors
/// [`TransferError::Nothing`] if `held` is 0.
pub fn give_back(
    withdrawal: WithdrawalId,
    user: UserId,
    held: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = withdrawal_occasion(withdrawal, TransferKind::WithdrawalRefund, operation, at);
    let money = Money::new(held, SATS);
    Transfer::new(occasion, format!("end:{withdrawal}:0"), Account::Hold(withdrawal), available(user), money)
}

const fn withdrawal_occasion(
    withdrawal: WithdrawalId,
    kind: TransferKind,
    operation: OperationId,
    at: Timestamp,
) -> Occasion {
    Occasion { operation, kind, subject: Subject::Withdrawal(withdrawal), at }
}
