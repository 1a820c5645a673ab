use bolts_kernel::{Amount, Currency, DepositId, Money, OperationId, Timestamp, UserId, WithdrawalId};

use crate::account::Account;
use crate::transfer::{Occasion, Subject, Transfer, TransferError, TransferKind};

const SATS: Currency = Currency::Sats;

fn available(user: UserId) -> Account {
    Account::Available(user, SATS)
}

/// Sats that arrived for a deposit, once per deposit.
///
/// # Errors
/// [`TransferError::Nothing`] where less than a sat arrived.
pub fn deposit(
    deposit: DepositId,
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion =
        Occasion { operation, kind: TransferKind::Deposit, subject: Subject::Deposit(deposit), at };
    arrive(user, amount, occasion, format!("deposit:{deposit}"))
}

fn arrive(user: UserId, amount: Amount, occasion: Occasion, key: String) -> Result<Transfer, TransferError> {
    Transfer::new(occasion, key, Account::Lightning(SATS), available(user), Money::new(amount, SATS))
}

/// Test sats that nobody paid for; the operation makes it unique.
///
/// # Errors
/// [`TransferError::Nothing`] for an amount of 0.
pub fn test_deposit(
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = Occasion { operation, kind: TransferKind::TestDeposit, subject: Subject::None, at };
    arrive(user, amount, occasion, format!("test:{operation}"))
}

/// A withdrawal's amount and the reserve for its route into its hold, once per withdrawal.
///
/// # Errors
/// [`TransferError::Nothing`] for an amount of 0.
pub fn hold(
    withdrawal: WithdrawalId,
    user: UserId,
    held: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = end(withdrawal, TransferKind::Hold, operation, at);
    let money = Money::new(held, SATS);
    Transfer::new(occasion, format!("hold:{withdrawal}"), available(user), Account::Hold(withdrawal), money)
}

/// A paid withdrawal: its amount leaves, the fee goes to the fees, the rest of the reserve back to the user.
///
/// The key of the first transfer is the same as that of [`give_back`]: a hold ends once, one way or the other.
///
/// # Errors
/// [`TransferError::Nothing`] for an amount of 0.
pub fn settle(
    withdrawal: WithdrawalId,
    user: UserId,
    (amount, fee, rest): (Amount, Amount, Amount),
    operation: OperationId,
    at: Timestamp,
) -> Result<Vec<Transfer>, TransferError> {
    let parts = [
        (TransferKind::Withdrawal, Account::Lightning(SATS), amount),
        (TransferKind::RoutingFee, Account::Fees(SATS), fee),
        (TransferKind::ReserveBack, available(user), rest),
    ];
    let part = |(index, (kind, to, amount)): (usize, (TransferKind, Account, Amount))| {
        let occasion = end(withdrawal, kind, operation, at);
        let (key, from) = (format!("end:{withdrawal}:{index}"), Account::Hold(withdrawal));
        Transfer::new(occasion, key, from, to, Money::new(amount, SATS))
    };
    // A free route has no fee, and one that cost all of the reserve leaves nothing of it.
    let moved =
        parts.into_iter().enumerate().filter(|(index, (.., amount))| *index == 0 || !amount.is_zero());
    moved.map(part).collect()
}

/// All of a withdrawal's hold back to its user.
///
/// # Errors
/// [`TransferError::Nothing`] for an empty hold.
pub fn give_back(
    withdrawal: WithdrawalId,
    user: UserId,
    held: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = end(withdrawal, TransferKind::WithdrawalRefund, operation, at);
    let money = Money::new(held, SATS);
    Transfer::new(occasion, format!("end:{withdrawal}:0"), Account::Hold(withdrawal), available(user), money)
}

const fn end(
    withdrawal: WithdrawalId,
    kind: TransferKind,
    operation: OperationId,
    at: Timestamp,
) -> Occasion {
    Occasion { operation, kind, subject: Subject::Withdrawal(withdrawal), at }
}
