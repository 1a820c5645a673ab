//! A transfer of money, the reason of the transfer, and the bet, deposit or withdrawal that the transfer belongs to.

use bolts_kernel::{BetId, DepositId, Money, OperationId, Timestamp, WithdrawalId, named};

use crate::account::Account;

/// The bet, deposit or withdrawal that a transfer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The transfer belongs only to a user, for example the grant at sign-up.
    None,
    /// The transfer belongs to a bet.
    Bet(BetId),
    /// The transfer belongs to a deposit.
    Deposit(DepositId),
    /// The transfer belongs to a withdrawal.
    Withdrawal(WithdrawalId),
}

/// The reason of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferKind {
    /// The 1,000 Bolts of a new user.
    SignUpGrant,
    /// Bolts that an admin gave to a user.
    AdminGrant,
    /// The Bolts that a user gets for an achievement.
    Reward,
    /// The Bolts of a deleted user, which go back to their source.
    AccountClosed,
    /// A stake, which moves into the escrow of a bet.
    Stake,
    /// The whole escrow of a bet, which goes to the winner.
    Payout,
    /// A stake, which goes from the escrow of a bet back to its owner.
    Refund,
    /// Sats that arrived over Lightning.
    Deposit,
    /// Test sats that were added without a payment.
    TestDeposit,
    /// Sats that arrived after their user had deleted the account, and that the operator gave to another user.
    LateDepositMoved,
    /// Such sats that the operator took over, to pay them in another way.
    LateDepositKept,
    /// The amount of a withdrawal and the reserve for its routing fee, which move into the hold.
    Hold,
    /// Sats that left over Lightning.
    Withdrawal,
    /// The routing fee of a withdrawal.
    RoutingFee,
    /// The unused part of the reserve, which goes back to the user.
    ReserveBack,
    /// The whole hold of a withdrawal that was not paid, which goes back to the user.
    WithdrawalRefund,
}

named!(TransferKind {
    SignUpGrant = "sign_up_grant",
    AdminGrant = "admin_grant",
    Reward = "reward",
    AccountClosed = "account_closed",
    Stake = "stake",
    Payout = "payout",
    Refund = "refund",
    Deposit = "deposit",
    TestDeposit = "test_deposit",
    LateDepositMoved = "late_deposit_moved",
    LateDepositKept = "late_deposit_kept",
    Hold = "hold",
    Withdrawal = "withdrawal",
    RoutingFee = "routing_fee",
    ReserveBack = "reserve_back",
    WithdrawalRefund = "withdrawal_refund",
});

/// The reason why a transfer is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// The amount is 0.
    #[error("the amount of a transfer must be above 0")]
    Nothing,
    /// Both accounts are the same.
    #[error("a transfer needs two different accounts")]
    SameAccount,
    /// The two accounts and the amount are not all in the same currency.
    #[error("a transfer needs two accounts and an amount of the same currency")]
    CurrencyMismatch,
}

/// A transfer of an amount above 0 from one account to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    operation: OperationId,
    key: String,
    from: Account,
    to: Account,
    money: Money,
    kind: TransferKind,
    subject: Subject,
    at: Timestamp,
}

/// The data that all transfers of one operation share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occasion {
    pub(crate) operation: OperationId,
    pub(crate) kind: TransferKind,
    pub(crate) subject: Subject,
    pub(crate) at: Timestamp,
}

impl Transfer {
    pub(crate) fn new(
        occasion: Occasion,
        key: String,
        from: Account,
        to: Account,
        money: Money,
    ) -> Result<Self, TransferError> {
        if money.amount.is_zero() {
            return Err(TransferError::Nothing);
        }
        if from == to {
            return Err(TransferError::SameAccount);
        }
        if from.currency() != money.currency || to.currency() != money.currency {
            return Err(TransferError::CurrencyMismatch);
        }
        let Occasion { operation, kind, subject, at } = occasion;
        Ok(Self { operation, key, from, to, money, kind, subject, at })
    }

    /// The operation that the transfer is part of.
    pub const fn operation(&self) -> OperationId {
        self.operation
    }

    /// The idempotency key. A ledger accepts each key only once.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The account that the money leaves.
    pub const fn from(&self) -> Account {
        self.from
    }

    /// The account that receives the money.
    pub const fn to(&self) -> Account {
        self.to
    }

    /// The amount, always above 0, and its currency.
    pub const fn money(&self) -> Money {
        self.money
    }

    /// The reason of the transfer.
    pub const fn kind(&self) -> TransferKind {
        self.kind
    }

    /// The bet, deposit or withdrawal that the transfer belongs to.
    pub const fn subject(&self) -> Subject {
        self.subject
    }

    /// The time of the transfer.
    pub const fn at(&self) -> Timestamp {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use bolts_kernel::{Amount, Currency, UserId};

    use super::*;

    fn transfer(
        from: Account,
        to: Account,
        units: i64,
        currency: Currency,
    ) -> Result<Transfer, TransferError> {
        let operation = format!("{:032x}", 1).parse().unwrap();
        let at = Timestamp::from_micros(0).unwrap();
        let occasion = Occasion { operation, kind: TransferKind::Stake, subject: Subject::None, at };
        Transfer::new(occasion, "key".to_owned(), from, to, Money::new(Amount::new(units).unwrap(), currency))
    }

    #[test]
    fn currencies_are_never_mixed() {
        let user: UserId = format!("{:032x}", 1).parse().unwrap();
        let bet: BetId = format!("{:032x}", 2).parse().unwrap();
        for from in Currency::ALL {
            for to in Currency::ALL {
                for moved in Currency::ALL {
                    let made = transfer(Account::Available(user, from), Account::Escrow(bet, to), 1, moved);
                    let fits = from == to && to == moved;
                    assert_eq!(made.err(), (!fits).then_some(TransferError::CurrencyMismatch));
                }
            }
        }
    }

    #[test]
    fn a_transfer_needs_two_accounts_and_an_amount() {
        let issuance = Account::Issuance(Currency::Bolts);
        let same = transfer(issuance, issuance, 1, Currency::Bolts);
        assert_eq!(same.err(), Some(TransferError::SameAccount));
        let nothing = transfer(issuance, Account::Fees(Currency::Bolts), 0, Currency::Bolts);
        assert_eq!(nothing.err(), Some(TransferError::Nothing));
    }
}
