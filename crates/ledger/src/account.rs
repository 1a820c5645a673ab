//! The accounts of the ledger.

use bolts_kernel::{BetId, Currency, Source, UserId, WithdrawalId};

/// An account, which holds money of one currency (`docs/ledger.md#accounts`).
///
/// Every store locks accounts in the sort order of this type. This prevents deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// The balance that a user can stake or withdraw.
    Available(UserId, Currency),
    /// The stakes of a bet.
    Escrow(BetId, Currency),
    /// The amount and the fee limit of a withdrawal until the withdrawal is paid or refunded. Always sats.
    Hold(WithdrawalId),
    /// The source of a currency that the site issues. The balance is the number of units that were given out, as a
    /// negative number.
    Issuance(Currency),
    /// The source of a currency that comes over Lightning. The balance is the units that left minus the units
    /// that came in.
    Lightning(Currency),
    /// The routing fees that were paid for withdrawals.
    Fees(Currency),
}

impl Account {
    /// The accounts of the system. They exist from the start, without an owner.
    pub fn of_the_system() -> impl Iterator<Item = Self> {
        Currency::ALL.into_iter().flat_map(|currency| match currency.spec().source {
            Source::Issuance => vec![Self::Issuance(currency)],
            Source::Lightning => vec![Self::Lightning(currency), Self::Fees(currency)],
        })
    }

    /// The currency of this account.
    pub const fn currency(self) -> Currency {
        match self {
            Self::Available(_, currency)
            | Self::Escrow(_, currency)
            | Self::Issuance(currency)
            | Self::Lightning(currency)
            | Self::Fees(currency) => currency,
            Self::Hold(_) => Currency::Sats,
        }
    }

    /// Whether the balance may go below 0. This is allowed only for the accounts through which money enters the
    /// system.
    pub const fn may_overdraw(self) -> bool {
        match self {
            Self::Issuance(_) | Self::Lightning(_) => true,
            Self::Available(..) | Self::Escrow(..) | Self::Hold(_) | Self::Fees(_) => false,
        }
    }

    /// The name of the account's kind in the database.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Available(..) => "available",
            Self::Escrow(..) => "escrow",
            Self::Hold(_) => "hold",
            Self::Issuance(_) => "issuance",
            Self::Lightning(_) => "lightning",
            Self::Fees(_) => "fees",
        }
    }

    /// The id of the user, bet or withdrawal that owns the account. Empty for the accounts of the system.
    pub fn owner(self) -> String {
        match self {
            Self::Available(user, _) => user.to_string(),
            Self::Escrow(bet, _) => bet.to_string(),
            Self::Hold(withdrawal) => withdrawal.to_string(),
            Self::Issuance(_) | Self::Lightning(_) | Self::Fees(_) => String::new(),
        }
    }
}
