//! The contribution of one bet to the statistics of its parties.

use bolts_kernel::Amount;

use crate::bet::{Bet, Party};
use crate::state::State;

/// The contribution of one bet to the statistics of one of its parties
/// (`docs/product.md#statistics-and-achievements`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contribution {
    /// The bet does not count: it was deleted, it was cancelled before anybody accepted it, or it has no
    /// acceptor and this party is the acceptor.
    #[default]
    None,
    /// The bet is open and the stake of the party is in escrow.
    Open,
    /// The bet was cancelled after a user had accepted it, and both stakes went back.
    Void,
    /// The party won this amount from the opponent.
    Won(Amount),
    /// The party lost this amount to the opponent.
    Lost(Amount),
}

impl Bet {
    /// The contribution of this bet to the statistics of this party.
    pub fn contribution_of(&self, party: Party) -> Contribution {
        let Some(side) = self.user(party).and_then(|user| self.side_of(user)) else {
            return Contribution::None;
        };
        match &self.state {
            _ if self.deletion.is_some() => Contribution::None,
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => Contribution::Open,
            State::Cancelled { negotiation: None, .. } => Contribution::None,
            State::Cancelled { negotiation: Some(_), .. } => Contribution::Void,
            State::Resolved { winning, .. } if *winning == side => {
                Contribution::Won(self.stake_of(side.opposite()).amount)
            }
            State::Resolved { .. } => Contribution::Lost(self.stake_of(side).amount),
        }
    }
}
