//! The bets that wait for a user.

use bolts_bets::Bet;
use bolts_kernel::Timestamp;
use bolts_kernel::UserId;
use bolts_ports::{BetView, PageRequest, Result};
use bolts_resolution::{Task, deadlines, turns};

use crate::{Actor, App};

/// The maximum number of a user's unsettled bets, and of disputes, that are read for one list. So the cost does not
/// grow with the number of bets.
const MOST_READ: u32 = 100;

/// The maximum number of open invitations to be an arbiter that are read for one list.
const MOST_INVITATIONS: u32 = 20;

impl App {
    /// The bets that wait for this user, the soonest deadline first. Invitations to be an arbiter come last: anybody can invite a
    /// user, and a page may show only the first bets. Blocks on the database.
    ///
    /// The rule is [`bolts_resolution::turns`]. The list learns of an expiry when the clock applies it, together with
    /// the notification of the parties. It considers only the user's first 100 unsettled bets, the disputes before the user as
    /// the arbiter included, the first 20 invitations, and for admins the first 100 disputes.
    pub fn turns_of(&self, actor: Actor) -> Result<Vec<BetView>> {
        let mut views = self.queries.unsettled_of(actor.user, MOST_READ, MOST_INVITATIONS)?;
        if actor.is_admin {
            views.extend(self.queries.disputes(PageRequest { limit: MOST_READ, after: None })?.items);
        }
        let now = self.now();
        let task = |bet: &Bet| turns(bet, now).of(bet, actor.user, actor.is_admin);
        let waiting = views.into_iter().filter_map(|view| Some((task(&view.bet)?, view)));
        let mut waiting: Vec<(Task, BetView)> = waiting.collect();
        waiting.sort_by_key(|(task, BetView { bet, .. })| {
            (*task == Task::AnswerInvitation, deadline(bet, actor.user), bet.id)
        });
        Ok(waiting.into_iter().map(|(_, view)| view).collect())
    }
}

/// The time until which the user should act.
fn deadline(bet: &Bet, user: UserId) -> Option<Timestamp> {
    let own = deadlines::arbiter_deadline(bet).filter(|_| bet.ruling_arbiter() == Some(user));
    own.or_else(|| deadlines::decision(bet).map(|decision| decision.at))
}
