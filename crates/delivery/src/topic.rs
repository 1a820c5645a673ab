use bolts_kernel::named;

use crate::Channel;

/// A group of kinds of notifications. A user chooses the channels of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// A user took the user's bet.
    Accepted,
    /// The other party ended the bet, or proposed or rejected an outcome.
    Proposed,
    /// A bet has expired, and it is time to settle it.
    Due,
    /// A dispute, or a dispute that waits for the user's ruling.
    Disputed,
    /// A ruling on a dispute.
    Ruled,
    /// A bet was settled or cancelled.
    Settled,
    /// A deadline comes soon.
    Reminders,
    /// Invitations to be an arbiter, and the answers to them.
    Arbiter,
    /// Messages on a bet.
    Messages,
    /// Bolts and sats that came in.
    Money,
    /// Achievements.
    Achievements,
    /// Password, e-mail address, second factor, sign-ins, webhook and withdrawals. Cannot be turned off by e-mail.
    Security,
    /// All other kinds.
    Other,
}

named!(Topic {
    Accepted = "accepted",
    Proposed = "proposed",
    Due = "due",
    Disputed = "disputed",
    Ruled = "ruled",
    Settled = "settled",
    Reminders = "reminders",
    Arbiter = "arbiter",
    Messages = "messages",
    Money = "money",
    Achievements = "achievements",
    Security = "security",
    Other = "other",
});

/// A kind whose name contains one of these words is about the security of the account. So a new kind of this sort needs
/// no line in [`Topic::of`].
const SECURITY_WORDS: [&str; 12] = [
    "security", "password", "email", "factor", "totp", "passkey", "recovery", "session", "device", "sign_in",
    "account", "api_key",
];

impl Topic {
    /// The topic of a kind of notifications, by the kind's name in the database.
    pub fn of(kind: &str) -> Self {
        match kind {
            "bet_accepted" => Self::Accepted,
            "resolution_opened" | "outcome_proposed" | "outcome_rejected" => Self::Proposed,
            "bet_due" => Self::Due,
            "bet_disputed" | "dispute_to_rule" | "dispute_to_arbitrate" | "dispute_handed_over" => {
                Self::Disputed
            }
            "bet_ruled" | "arbiter_ruled" => Self::Ruled,
            "outcome_declared" | "outcome_accepted" | "proposal_stood" | "bet_lapsed" | "dispute_lapsed"
            | "bet_refunded" | "bet_removed" | "bet_expired" => Self::Settled,
            "stand_reminder" | "lapse_reminder" | "arbiter_reminder" => Self::Reminders,
            "arbiter_invited" | "arbiter_accepted" | "arbiter_declined" | "arbiter_resigned" => Self::Arbiter,
            "message_written" => Self::Messages,
            "deposit_received" | "bolts_granted" => Self::Money,
            "achievement_unlocked" => Self::Achievements,
            "withdrawal_paid" | "withdrawal_refunded" | "webhook_changed" | "webhook_removed" => {
                Self::Security
            }
            other if SECURITY_WORDS.iter().any(|word| other.contains(word)) => Self::Security,
            _ => Self::Other,
        }
    }

    /// Whether notifications of this topic leave by the channel at once if the user has chosen nothing. A user who gives a
    /// webhook gets everything.
    pub const fn is_on_at_first(self, channel: Channel) -> bool {
        match channel {
            Channel::Webhook => true,
            Channel::Email | Channel::Push => match self {
                Self::Accepted
                | Self::Proposed
                | Self::Due
                | Self::Disputed
                | Self::Ruled
                | Self::Settled
                | Self::Reminders
                | Self::Security => true,
                Self::Arbiter | Self::Messages | Self::Money | Self::Achievements | Self::Other => false,
            },
        }
    }

    /// Whether a sleeping device shall be woken up for the topic, because a deadline runs or the account is in danger.
    pub const fn is_urgent(self) -> bool {
        match self {
            Self::Proposed | Self::Due | Self::Disputed | Self::Reminders | Self::Security => true,
            Self::Accepted
            | Self::Ruled
            | Self::Settled
            | Self::Arbiter
            | Self::Messages
            | Self::Money
            | Self::Achievements
            | Self::Other => false,
        }
    }

    /// Whether the user may turn the topic off on this channel. A thief with a stolen session must not be able to silence
    /// the mails that tell the user of the theft.
    pub const fn can_be_turned_off(self, channel: Channel) -> bool {
        !matches!((self, channel), (Self::Security, Channel::Email))
    }
}
