//! What keeps a user from deleting the account (`docs/product.md#deletion`).

use bolts_kernel::{Amount, Timestamp, named};
use bolts_ports::Ties;

/// A kind of obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObstacleKind {
    /// Bets with a stake of the user in escrow.
    OpenBets,
    /// Bets of the user in dispute.
    DisputedBets,
    /// Bets that have not ended and whose arbiter the user is, after accepting the invitation.
    ArbiterTasks,
    /// Withdrawals that have not ended.
    Withdrawals,
    /// Invoices that may still be paid, or may have been paid a moment ago.
    OpenDeposits,
    /// Sats on the balance.
    Sats,
    /// The cooldown after a password reset or the removal of a second factor.
    Cooldown,
    /// The user is the only admin.
    LastAdmin,
}

named!(ObstacleKind {
    OpenBets = "open_bets",
    DisputedBets = "disputed_bets",
    ArbiterTasks = "arbiter_tasks",
    Withdrawals = "withdrawals",
    OpenDeposits = "open_deposits",
    Sats = "sats",
    Cooldown = "cooldown",
    LastAdmin = "last_admin",
});

/// An obstacle to the deletion of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The kind.
    pub kind: ObstacleKind,
    /// How many bets, tasks, withdrawals, invoices or sats there are. The hours until the end of a cooldown, rounded up.
    pub count: i64,
}

/// The obstacles to a deletion at `now`, in the order of [`ObstacleKind`]. The account can be deleted if there are none.
///
/// A cooldown is an obstacle even without sats: a person who came into the account by a reset must not be able to delete it
/// before its owner has read the mail about the reset.
pub fn obstacles(ties: &Ties, now: Timestamp) -> Vec<Obstacle> {
    let hours = ties.cooldown_until.map_or(0, |until| {
        let seconds = until.since(now).as_secs_f64();
        (seconds / 3_600.0).ceil() as i64
    });
    let counts = [
        (ObstacleKind::OpenBets, ties.open_bets.into()),
        (ObstacleKind::DisputedBets, ties.disputed_bets.into()),
        (ObstacleKind::ArbiterTasks, ties.arbiter_tasks.into()),
        (ObstacleKind::Withdrawals, ties.withdrawals.into()),
        (ObstacleKind::OpenDeposits, ties.open_deposits.into()),
        (ObstacleKind::Sats, ties.sats.get()),
        (ObstacleKind::Cooldown, hours),
        (ObstacleKind::LastAdmin, ties.is_last_admin.into()),
    ];
    let obstacle = |(kind, count): (ObstacleKind, i64)| Obstacle { kind, count };
    counts.into_iter().map(obstacle).filter(|obstacle| obstacle.count > 0).collect()
}

impl Obstacle {
    /// The obstacle in words, such as `2 open bets`.
    pub fn words(self) -> String {
        let some = |one: &str, many: &str| match self.count {
            1 => format!("1 {one}"),
            count => format!("{} {many}", Amount::new(count).unwrap_or_default().grouped()),
        };
        match self.kind {
            ObstacleKind::OpenBets => some("open bet", "open bets"),
            ObstacleKind::DisputedBets => some("bet in dispute", "bets in dispute"),
            ObstacleKind::ArbiterTasks => some("open bet as its arbiter", "open bets as their arbiter"),
            ObstacleKind::Withdrawals => some("withdrawal under way", "withdrawals under way"),
            ObstacleKind::OpenDeposits => {
                some("deposit that may still arrive", "deposits that may still arrive")
            }
            ObstacleKind::Sats => some("sat on your balance", "sats on your balance"),
            ObstacleKind::Cooldown => {
                format!("a rest of {}", some("more hour", "more hours"))
            }
            ObstacleKind::LastAdmin => "the role of the only admin".to_owned(),
        }
    }
}

/// One sentence that names every obstacle.
pub(super) fn sentence(obstacles: &[Obstacle]) -> String {
    let words: Vec<String> = obstacles.iter().map(|obstacle| obstacle.words()).collect();
    let all = match words.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    format!("Your account cannot be deleted yet. It still has {all}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn now() -> Timestamp {
        Timestamp::parse("2026-11-23T12:00:00Z").unwrap()
    }

    fn found(ties: &Ties) -> Vec<(&'static str, i64)> {
        obstacles(ties, now()).into_iter().map(|one| (one.kind.as_str(), one.count)).collect()
    }

    #[test]
    fn each_tie_is_an_obstacle_of_its_own() {
        let none = Ties::default();
        assert_eq!(found(&none), []);
        let sats = Amount::new(1_500).unwrap();
        for (ties, expected) in [
            (Ties { open_bets: 2, ..none.clone() }, ("open_bets", 2)),
            (Ties { disputed_bets: 1, ..none.clone() }, ("disputed_bets", 1)),
            (Ties { arbiter_tasks: 3, ..none.clone() }, ("arbiter_tasks", 3)),
            (Ties { withdrawals: 1, ..none.clone() }, ("withdrawals", 1)),
            (Ties { open_deposits: 20, ..none.clone() }, ("open_deposits", 20)),
            (Ties { sats, ..none.clone() }, ("sats", 1_500)),
            (Ties { is_last_admin: true, ..none.clone() }, ("last_admin", 1)),
        ] {
            assert_eq!(found(&ties), [expected]);
        }
    }

    #[test]
    fn a_cooldown_counts_its_hours_until_its_very_end() {
        let until = |seconds: u64| Ties {
            cooldown_until: Some(now().after(Duration::from_secs(seconds))),
            ..Ties::default()
        };
        for (seconds, hours) in [(1, 1), (3_600, 1), (3_601, 2), (86_400, 24)] {
            assert_eq!(found(&until(seconds)), [("cooldown", hours)], "{seconds} s");
        }
        assert_eq!(found(&until(0)), [], "the cooldown ends at this instant");
        let over = Ties { cooldown_until: Some(now().before(Duration::from_secs(1))), ..Ties::default() };
        assert_eq!(found(&over), []);
    }

    #[test]
    fn the_sentence_names_all_with_their_numbers() {
        let ties = Ties {
            open_bets: 2,
            disputed_bets: 1,
            sats: Amount::new(1_500).unwrap(),
            is_last_admin: true,
            ..Ties::default()
        };
        assert_eq!(
            sentence(&obstacles(&ties, now())),
            "Your account cannot be deleted yet. It still has 2 open bets, 1 bet in dispute, 1,500 sats on your balance \
             and the role of the only admin."
        );
        let one = Ties { open_deposits: 1, ..Ties::default() };
        assert_eq!(
            sentence(&obstacles(&one, now())),
            "Your account cannot be deleted yet. It still has 1 deposit that may still arrive."
        );
        let words = |kind, count| Obstacle { kind, count }.words();
        assert_eq!(words(ObstacleKind::Cooldown, 1), "a rest of 1 more hour");
        assert_eq!(words(ObstacleKind::ArbiterTasks, 2), "2 open bets as their arbiter");
    }
}
