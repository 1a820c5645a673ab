use bolts_kernel::{Amount, BetId, Currency, Money, OperationId, Timestamp, UserId};

use crate::account::Account;
use crate::transfer::{Occasion, Subject, Transfer, TransferError, TransferKind};

/// What every new user gets, in Bolts (specification, section 9).
pub const SIGN_UP_GRANT: i64 = 1_000;

/// Whether `available` covers `need`, both of one currency.
pub fn covers(available: Amount, need: Amount) -> bool {
    available >= need
}

/// The Bolts of a new user, once.
///
/// # Errors
/// None that a caller could cause.
pub fn sign_up_grant(user: UserId, operation: OperationId, at: Timestamp) -> Result<Transfer, TransferError> {
    let amount = Amount::new(SIGN_UP_GRANT).unwrap_or_default();
    let kind = TransferKind::SignUpGrant;
    issue(user, amount, Occasion { operation, kind, subject: Subject::None, at }, format!("grant:{user}"))
}

/// Bolts that an admin gives; the operation makes it unique.
///
/// # Errors
/// [`TransferError::Nothing`] for an amount of 0.
pub fn admin_grant(
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let kind = TransferKind::AdminGrant;
    issue(
        user,
        amount,
        Occasion { operation, kind, subject: Subject::None, at },
        format!("admin:{operation}"),
    )
}

/// The Bolts of an achievement, once per user and achievement.
///
/// # Errors
/// [`TransferError::Nothing`] for an amount of 0.
pub fn reward(
    user: UserId,
    achievement: &str,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let kind = TransferKind::Reward;
    let key = format!("reward:{user}:{achievement}");
    issue(user, amount, Occasion { operation, kind, subject: Subject::None, at }, key)
}

fn issue(user: UserId, amount: Amount, occasion: Occasion, key: String) -> Result<Transfer, TransferError> {
    let currency = Currency::Bolts;
    let (from, to) = (Account::Issuance(currency), Account::Available(user, currency));
    Transfer::new(occasion, key, from, to, Money::new(amount, currency))
}

/// A user's stake into a bet's escrow, once per bet and user.
///
/// # Errors
/// [`TransferError::Nothing`] for a stake of 0.
pub fn stake(
    bet: BetId,
    user: UserId,
    money: Money,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = Occasion { operation, kind: TransferKind::Stake, subject: Subject::Bet(bet), at };
    let (from, to) = (Account::Available(user, money.currency), Account::Escrow(bet, money.currency));
    Transfer::new(occasion, format!("stake:{bet}:{user}"), from, to, money)
}

/// All of a bet's escrow to its winner.
///
/// The key is the same as that of a refund's first transfer: an escrow is emptied once, one way or the other.
///
/// # Errors
/// [`TransferError::Nothing`] for an empty pot.
pub fn pay_out(
    bet: BetId,
    winner: UserId,
    pot: Money,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let occasion = Occasion { operation, kind: TransferKind::Payout, subject: Subject::Bet(bet), at };
    let (from, to) = (Account::Escrow(bet, pot.currency), Account::Available(winner, pot.currency));
    Transfer::new(occasion, format!("empty:{bet}:0"), from, to, pot)
}

/// Every stake of a bet back to its owner; `stakes` names each owner once.
///
/// # Errors
/// [`TransferError::Nothing`] where a stake is 0.
pub fn refund(
    bet: BetId,
    stakes: &[(UserId, Money)],
    operation: OperationId,
    at: Timestamp,
) -> Result<Vec<Transfer>, TransferError> {
    let occasion = Occasion { operation, kind: TransferKind::Refund, subject: Subject::Bet(bet), at };
    let back = |(index, &(owner, money)): (usize, &(UserId, Money))| {
        let (from, to) = (Account::Escrow(bet, money.currency), Account::Available(owner, money.currency));
        Transfer::new(occasion, format!("empty:{bet}:{index}"), from, to, money)
    };
    stakes.iter().enumerate().map(back).collect()
}
