use bolts_bets::{Bet, State, Visibility};
use bolts_kernel::UserId;

use crate::refusal::Refusal;

/// The role in which a user writes on a bet. This is the only place that decides who may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The creator or the acceptor of the bet.
    Party,
    /// The arbiter of the bet, also before the answer to the invitation.
    Arbiter,
    /// Another signed-in user, on a public bet.
    Bystander,
}

impl Role {
    /// The role of a user who may see the bet.
    ///
    /// # Errors
    /// [`Refusal::MayNotWrite`] if the user may read the messages but not write.
    pub fn of(bet: &Bet, user: UserId) -> Result<Self, Refusal> {
        match &bet.terms.visibility {
            _ if bet.party(user).is_some() => Ok(Self::Party),
            _ if bet.active_arbiter() == Some(user) => Ok(Self::Arbiter),
            Visibility::Public => Ok(Self::Bystander),
            Visibility::Private(_) => Err(Refusal::MayNotWrite),
        }
    }

    /// Whether a user in this role may attach pictures.
    pub const fn may_attach(self) -> bool {
        match self {
            Self::Party | Self::Arbiter => true,
            Self::Bystander => false,
        }
    }

    /// Whether a message that a user in this role writes now is evidence.
    pub fn writes_evidence(self, bet: &Bet) -> bool {
        match self {
            Self::Party => is_disputed(bet),
            Self::Arbiter | Self::Bystander => false,
        }
    }
}

/// Whether a dispute about the bet waits for a ruling.
pub(crate) fn is_disputed(bet: &Bet) -> bool {
    match &bet.state {
        State::AwaitingResolution(negotiation) => negotiation.dispute.is_some(),
        State::Pending | State::Accepted(_) | State::Resolved { .. } | State::Cancelled { .. } => false,
    }
}
