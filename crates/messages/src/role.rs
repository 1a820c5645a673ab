use bolts_bets::{ArbiterStatus, Bet, State, Visibility};
use bolts_kernel::UserId;

use crate::limits::{PICTURES_OF_ARBITER, PICTURES_OF_PARTY};
use crate::refusal::Refusal;

/// The role in which a user writes on a bet. This is the only place that decides who may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The creator or the acceptor of the bet.
    Party,
    /// The arbiter of the bet, who has accepted.
    Arbiter,
    /// The user who is invited to be the arbiter and has not answered.
    Invited,
    /// Another signed-in user, on a public bet.
    Bystander,
}

impl Role {
    /// The role of a user who may see the bet.
    ///
    /// # Errors
    /// [`Refusal::MayNotWrite`] if the user may read the messages but not write.
    pub fn of(bet: &Bet, user: UserId) -> Result<Self, Refusal> {
        let arbiter = bet.arbiter_named(user).filter(|arbiter| arbiter.takes_part());
        match &bet.terms.visibility {
            _ if bet.party(user).is_some() => Ok(Self::Party),
            _ if arbiter.is_some_and(|arbiter| arbiter.status == ArbiterStatus::Invited) => Ok(Self::Invited),
            _ if arbiter.is_some() => Ok(Self::Arbiter),
            Visibility::Public => Ok(Self::Bystander),
            Visibility::Private(_) => Err(Refusal::MayNotWrite),
        }
    }

    /// The maximum number of pictures of one user in this role on a bet. With 0 the user may attach none. The creator
    /// names the invited user without asking, so this user has no pictures.
    pub const fn pictures(self) -> u32 {
        match self {
            Self::Party => PICTURES_OF_PARTY,
            Self::Arbiter => PICTURES_OF_ARBITER,
            Self::Invited | Self::Bystander => 0,
        }
    }

    /// Whether a message that a user in this role writes now is evidence.
    pub fn writes_evidence(self, bet: &Bet) -> bool {
        match self {
            Self::Party => is_disputed(bet),
            Self::Arbiter | Self::Invited | Self::Bystander => false,
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
