//! The bets that wait for a user.

use bolts_bets::Bet;
use bolts_kernel::Timestamp;
use bolts_kernel::UserId;
use bolts_ports::{BetView, PageRequest, Result};
use bolts_resolution::{deadlines, turns};

use crate::{Actor, App};

/// The maximum number of a user's unsettled bets, and of disputes, that are read for one list. So the cost does not
/// grow with the number of bets.
const MOST_READ: u32 = 100;

impl App {
    /// The bets that wait for this user, the soonest deadline first. Blocks on the database.
    ///
    /// The rule is [`bolts_resolution::turns`]. The list learns of an expiry when the clock applies it, together with
    /// the notification of the parties. It considers only the user's first 100 unsettled bets, the bets that wait for the
    /// user as their arbiter included, and for admins the first 100 disputes.
    pub fn turns_of(&self, actor: Actor) -> Result<Vec<BetView>> {
        let mut views = self.queries.unsettled_of(actor.user, MOST_READ)?;
        if actor.is_admin {
            views.extend(self.queries.disputes(PageRequest { limit: MOST_READ, after: None })?.items);
        }
        let now = self.now();
        views.retain(|view| turns(&view.bet, now).of(&view.bet, actor.user, actor.is_admin).is_some());
        views.sort_by_key(|view| (deadline(&view.bet, actor.user), view.bet.id));
        Ok(views)
    }
}

/// The time until which the user should act.
fn deadline(bet: &Bet, user: UserId) -> Option<Timestamp> {
    let own = deadlines::arbiter_deadline(bet).filter(|_| bet.ruling_arbiter() == Some(user));
    own.or_else(|| deadlines::decision(bet).map(|decision| decision.at))
}
