//! Checks whether a viewer may see a bet.

use bolts_bets::{Bet, ShareToken, Visibility};
use bolts_ports::{BetKey, BetView, Result};

use crate::{Actor, App};

/// A bet that the viewer may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenBet {
    /// The bet with the names of its parties.
    pub view: BetView,
    /// Whether the viewer presented the token of the bet's link.
    pub with_token: bool,
}

/// Whether this is the token of the bet's link. A public bet has no token.
pub fn is_token_of(bet: &Bet, token: Option<&ShareToken>) -> bool {
    match &bet.terms.visibility {
        Visibility::Public => false,
        Visibility::Private(secret) => token == Some(secret),
    }
}

/// Whether the viewer is a party of the bet, its arbiter or an admin. Only these users read the texts of a dispute, and
/// they see a private bet without its link.
pub fn is_concerned(bet: &Bet, viewer: Option<Actor>) -> bool {
    viewer.is_some_and(|actor| actor.is_admin || bet.concerns(actor.user))
}

/// Whether this viewer may see the bet. A private bet exists only for its parties, for its arbiter, for admins,
/// and for viewers who present its share token (`docs/product.md#promises`).
pub fn may_see(bet: &Bet, viewer: Option<Actor>, token: Option<&ShareToken>) -> bool {
    match &bet.terms.visibility {
        Visibility::Public => true,
        Visibility::Private(_) => is_token_of(bet, token) || is_concerned(bet, viewer),
    }
}

impl App {
    /// The bet with this key, if the viewer may see it. Blocks on the database.
    pub fn see_bet(
        &self,
        key: &BetKey,
        viewer: Option<Actor>,
        token: Option<&ShareToken>,
    ) -> Result<Option<SeenBet>> {
        let token = match key {
            BetKey::Id(_) => token,
            BetKey::Token(token) => Some(token),
        };
        let view = self.queries.bet(key)?.filter(|view| may_see(&view.bet, viewer, token));
        Ok(view.map(|view| SeenBet { with_token: is_token_of(&view.bet, token), view }))
    }
}
