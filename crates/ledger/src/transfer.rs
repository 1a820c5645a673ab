use bolts_kernel::{BetId, DepositId, Money, OperationId, Timestamp, WithdrawalId};

use crate::account::Account;

/// What a transfer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Nothing but the account itself.
    None,
    /// A bet.
    Bet(BetId),
    /// A deposit.
    Deposit(DepositId),
    /// A withdrawal.
    Withdrawal(WithdrawalId),
}

/// Why money moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferKind {
    /// The 1,000 Bolts of a new user.
    SignUpGrant,
    /// Bolts that an admin gave.
    AdminGrant,
    /// The Bolts of an achievement.
    Reward,
    /// Into a bet's escrow.
    Stake,
    /// From a bet's escrow to the winner.
    Payout,
    /// From a bet's escrow back to the owner of the stake.
    Refund,
    /// Sats that arrived over Lightning.
    Deposit,
    /// Test sats that were added without a payment.
    TestDeposit,
    /// Into a withdrawal's hold: the amount and the reserve for its route.
    Hold,
    /// Sats that left over Lightning.
    Withdrawal,
    /// What the route cost.
    RoutingFee,
    /// What the route did not cost, back to the user.
    ReserveBack,
    /// From a withdrawal's hold back to the user, as it was not paid.
    WithdrawalRefund,
}

impl TransferKind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::SignUpGrant,
        Self::AdminGrant,
        Self::Reward,
        Self::Stake,
        Self::Payout,
        Self::Refund,
        Self::Deposit,
        Self::TestDeposit,
        Self::Hold,
        Self::Withdrawal,
        Self::RoutingFee,
        Self::ReserveBack,
        Self::WithdrawalRefund,
    ];

    /// The name that the API and the database use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignUpGrant => "sign_up_grant",
            Self::AdminGrant => "admin_grant",
            Self::Reward => "reward",
            Self::Stake => "stake",
            Self::Payout => "payout",
            Self::Refund => "refund",
            Self::Deposit => "deposit",
            Self::TestDeposit => "test_deposit",
            Self::Hold => "hold",
            Self::Withdrawal => "withdrawal",
            Self::RoutingFee => "routing_fee",
            Self::ReserveBack => "reserve_back",
            Self::WithdrawalRefund => "withdrawal_refund",
        }
    }

    /// Reads [`TransferKind::as_str`].
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A movement that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// Nothing would move.
    #[error("a transfer moves more than nothing")]
    Nothing,
    /// It would end where it began.
    #[error("a transfer needs two accounts")]
    SameAccount,
    /// Both accounts and the amount must be of one currency.
    #[error("a transfer stays in one currency")]
    CurrencyMismatch,
}

/// One movement: a positive amount from one account to another.
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

/// What the transfers of one operation share.
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

    /// The operation it is part of.
    pub const fn operation(&self) -> OperationId {
        self.operation
    }

    /// Its idempotency key: a ledger takes each key once.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where the money comes from.
    pub const fn from(&self) -> Account {
        self.from
    }

    /// Where it goes.
    pub const fn to(&self) -> Account {
        self.to
    }

    /// How much, always more than nothing.
    pub const fn money(&self) -> Money {
        self.money
    }

    /// Why.
    pub const fn kind(&self) -> TransferKind {
        self.kind
    }

    /// What it belongs to.
    pub const fn subject(&self) -> Subject {
        self.subject
    }

    /// When.
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
    fn it_needs_two_accounts_and_an_amount() {
        let issuance = Account::Issuance(Currency::Bolts);
        let same = transfer(issuance, issuance, 1, Currency::Bolts);
        assert_eq!(same.err(), Some(TransferError::SameAccount));
        let nothing = transfer(issuance, Account::Fees(Currency::Bolts), 0, Currency::Bolts);
        assert_eq!(nothing.err(), Some(TransferError::Nothing));
    }
}
