//! The transfers of grants, rewards, stakes, payouts and refunds.

use bolts_kernel::{Amount, BetId, Currency, Money, OperationId, Timestamp, UserId};

use crate::account::Account;
use crate::transfer::{Occasion, Subject, Transfer, TransferError, TransferKind};

/// The Bolts that every new user gets (`docs/product.md#what-it-is`).
pub const SIGN_UP_GRANT: i64 = 1_000;

/// Whether the balance `available` is at least `need`. Both are in the same currency.
pub fn covers(available: Amount, need: Amount) -> bool {
    available >= need
}

/// Gives a new user the Bolts for the sign-up. The idempotency key allows one grant for each user.
pub fn sign_up_grant(user: UserId, operation: OperationId, at: Timestamp) -> Result<Transfer, TransferError> {
    let amount = Amount::new(SIGN_UP_GRANT).unwrap_or_default();
    let kind = TransferKind::SignUpGrant;
    issue(user, amount, Occasion { operation, kind, subject: Subject::None, at }, format!("grant:{user}"))
}

/// Gives a user Bolts on behalf of an admin. The idempotency key allows one grant for each operation.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0.
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

/// Pays the reward of an achievement. The idempotency key allows one reward for each user and achievement.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0.
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

/// Gives the Bolts of a deleted user back to their source. The idempotency key allows one such transfer for each user.
///
/// # Errors
/// [`TransferError::Nothing`] if `amount` is 0.
pub fn account_closed(
    user: UserId,
    amount: Amount,
    operation: OperationId,
    at: Timestamp,
) -> Result<Transfer, TransferError> {
    let (kind, currency) = (TransferKind::AccountClosed, Currency::Bolts);
    let occasion = Occasion { operation, kind, subject: Subject::None, at };
    let (from, to) = (Account::Available(user, currency), Account::Issuance(currency));
    Transfer::new(occasion, format!("closed:{user}"), from, to, Money::new(amount, currency))
}

/// Moves a user's stake into the escrow of a bet. The idempotency key allows one stake for each bet and user.
///
/// # Errors
/// [`TransferError::Nothing`] if the stake is 0.
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

/// Pays the whole escrow of a bet to the winner.
///
/// The transfer has the same idempotency key as the first transfer of [`refund`]. So an escrow is either paid out or
/// refunded, and only once.
///
/// # Errors
/// [`TransferError::Nothing`] if the pot is 0.
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

/// Gives every stake of a bet back to its owner. `stakes` must contain each owner only once.
///
/// # Errors
/// [`TransferError::Nothing`] if a stake is 0.
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
