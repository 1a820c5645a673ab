use bolts_kernel::{BetId, Currency, UserId, WithdrawalId};

/// Where money can be.
///
/// The order is the order in which accounts are locked: users' and bets' accounts by their id, the system's last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// What a user can stake or withdraw.
    Available(UserId, Currency),
    /// What a bet holds.
    Escrow(BetId, Currency),
    /// What a withdrawal holds until its fate is known. Always sats.
    Hold(WithdrawalId),
    /// Bolts given out. Goes below 0.
    Issuance(Currency),
    /// Sats that came in and went out over Lightning. Goes below 0.
    Lightning(Currency),
    /// Routing fees that withdrawals paid.
    Fees(Currency),
}

impl Account {
    /// The currency that this account is in.
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

    /// Whether its balance may go below 0: only where money enters the system.
    pub const fn may_overdraw(self) -> bool {
        match self {
            Self::Issuance(_) | Self::Lightning(_) => true,
            Self::Available(..) | Self::Escrow(..) | Self::Hold(_) | Self::Fees(_) => false,
        }
    }

    /// The name of its kind in the database.
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

    /// The id of the user, bet or withdrawal it belongs to; empty for the system's accounts.
    pub fn owner(self) -> String {
        match self {
            Self::Available(user, _) => user.to_string(),
            Self::Escrow(bet, _) => bet.to_string(),
            Self::Hold(withdrawal) => withdrawal.to_string(),
            Self::Issuance(_) | Self::Lightning(_) | Self::Fees(_) => String::new(),
        }
    }
}
