//! The arbiter of a bet: a user whom the creator names to rule on a dispute (`docs/domain-rules.md#the-arbiter`).

use bolts_kernel::{Timestamp, UserId, named};

use crate::bet::Bet;
use crate::change::{Change, Notice, NoticeKind, Recipient};

/// The user whom the creator of a bet named as its arbiter. The user never changes. The arbiter is never a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arbiter {
    /// The named user.
    pub user: UserId,
    /// The answer of this user, and what became of the task.
    pub status: ArbiterStatus,
}

/// The answer of a named arbiter, and what became of the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArbiterStatus {
    /// The user has not answered the invitation.
    Invited,
    /// The user accepted. A dispute goes to this user.
    Accepted,
    /// The user declined the invitation.
    Declined,
    /// The user accepted, and gave the task up later.
    Resigned,
    /// The user accepted, and did not rule on a dispute in time.
    OutOfTime,
}

named!(ArbiterStatus {
    Invited = "invited",
    Accepted = "accepted",
    Declined = "declined",
    Resigned = "resigned",
    OutOfTime = "out_of_time",
});

impl Arbiter {
    /// A user who is invited to be the arbiter of a bet.
    pub const fn invited(user: UserId) -> Self {
        Self { user, status: ArbiterStatus::Invited }
    }

    /// Whether the user takes part in the bet and sees it like a party. A user who declined or gave the task up does
    /// not.
    pub const fn takes_part(self) -> bool {
        match self.status {
            ArbiterStatus::Invited | ArbiterStatus::Accepted | ArbiterStatus::OutOfTime => true,
            ArbiterStatus::Declined | ArbiterStatus::Resigned => false,
        }
    }
}

impl Bet {
    /// The arbiter, if the creator named this user. The answer of the user does not matter.
    pub fn arbiter_named(&self, user: UserId) -> Option<Arbiter> {
        self.arbiter.filter(|arbiter| arbiter.user == user)
    }

    /// The arbiter who takes part in the bet.
    pub fn active_arbiter(&self) -> Option<UserId> {
        self.arbiter.filter(|arbiter| arbiter.takes_part()).map(|arbiter| arbiter.user)
    }

    /// The arbiter who rules on a dispute of this bet. `None` if the admins rule.
    pub fn ruling_arbiter(&self) -> Option<UserId> {
        self.arbiter.filter(|arbiter| arbiter.status == ArbiterStatus::Accepted).map(|arbiter| arbiter.user)
    }

    /// Whether the user is a party or the active arbiter. These users see a private bet without its link, and read
    /// the texts of a dispute.
    pub fn concerns(&self, user: UserId) -> bool {
        self.party(user).is_some() || self.active_arbiter() == Some(user)
    }
}

impl Change {
    /// Adds a notification for the named arbiter. The notification may name a deadline.
    #[must_use]
    pub fn telling_arbiter(mut self, kind: NoticeKind, until: Option<Timestamp>) -> Self {
        if let Some(arbiter) = self.bet.arbiter {
            self.notices.push(Notice { to: Recipient::User(arbiter.user), kind, outcome: None, until });
        }
        self
    }
}
