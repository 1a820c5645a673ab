//! The result of an action on a bet, or the reason why the action is refused.

use bolts_kernel::{Code, Timestamp, UserId, named};

use crate::bet::Bet;
use crate::terms::Outcome;

/// The result of one action on a bet. The use case records the whole result in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bet after the action.
    pub bet: Bet,
    /// The event for the bet's timeline. `None` if only [`Bet::marks`] changed, for example after a reminder.
    pub event: Option<Event>,
    /// The effect on the bet's escrow.
    pub escrow: EscrowEffect,
    /// The notifications to send.
    pub notices: Vec<Notice>,
}

/// The effect of an action on the bet's escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscrowEffect {
    /// No money moves.
    Unchanged,
    /// The stake of this user moves into escrow.
    Hold(UserId),
    /// The whole escrow goes to this user, the winner.
    PayOut(UserId),
    /// Every stake goes back to its owner.
    Refund,
}

/// One entry of a bet's timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The time of the event.
    pub at: Timestamp,
    /// The kind of the event.
    pub kind: EventKind,
    /// The author of the event.
    pub by: By,
    /// The outcome, reason or note that belongs to the event.
    pub detail: Option<String>,
}

/// The kinds of events in a bet's timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The creator created the bet and staked.
    Created,
    /// The acceptor accepted the bet and staked.
    Accepted,
    /// The creator deleted the bet before anybody accepted it.
    Deleted,
    /// The bet expired before anybody accepted it.
    Expired,
    /// An accepted bet expired. Its resolution is due.
    Due,
    /// A party opened the resolution of the bet.
    EndedEarly,
    /// A party proposed an outcome.
    Proposed,
    /// The other party accepted the proposed outcome.
    Agreed,
    /// A party declared the outcome (Manual Verification).
    Declared,
    /// The other party rejected the proposed outcome.
    Rejected,
    /// A party raised a dispute.
    Disputed,
    /// An admin or the arbiter ruled on the dispute.
    Ruled,
    /// Nobody answered the proposal in time, so the bet was settled as proposed.
    Stood,
    /// Nobody settled the bet in time.
    Lapsed,
    /// No admin ruled on the dispute in time.
    DisputeLapsed,
    /// An admin refunded the stakes.
    Refunded,
    /// An admin deleted the bet.
    AdminDeleted,
    /// The named arbiter accepted the invitation.
    ArbiterAccepted,
    /// The named arbiter declined the invitation.
    ArbiterDeclined,
    /// The arbiter gave the task up.
    ArbiterResigned,
    /// The arbiter did not rule in time, so the dispute went to the admins.
    HandedOver,
}

named!(EventKind {
    Created = "created",
    Accepted = "accepted",
    Deleted = "deleted",
    Expired = "expired",
    Due = "due",
    EndedEarly = "ended_early",
    Proposed = "proposed",
    Agreed = "agreed",
    Declared = "declared",
    Rejected = "rejected",
    Disputed = "disputed",
    Ruled = "ruled",
    Stood = "stood",
    Lapsed = "lapsed",
    DisputeLapsed = "dispute_lapsed",
    Refunded = "refunded",
    AdminDeleted = "admin_deleted",
    ArbiterAccepted = "arbiter_accepted",
    ArbiterDeclined = "arbiter_declined",
    ArbiterResigned = "arbiter_resigned",
    HandedOver = "handed_over",
});

/// The author of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The user who created the bet.
    Creator,
    /// The user who accepted the bet.
    Acceptor,
    /// An admin who is not a party.
    Admin(UserId),
    /// The arbiter of the bet.
    Arbiter,
    /// The clock, because a deadline passed.
    Clock,
}

impl By {
    /// The names of all roles.
    pub const ROLES: [&'static str; 5] = ["creator", "acceptor", "admin", "arbiter", "clock"];

    /// The name of the author's role in the timeline.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Creator => "creator",
            Self::Acceptor => "acceptor",
            Self::Admin(_) => "admin",
            Self::Arbiter => "arbiter",
            Self::Clock => "clock",
        }
    }
}

/// A notification to send. Its text is written when the user reads the notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The recipient of the notification.
    pub to: Recipient,
    /// The subject of the notification.
    pub kind: NoticeKind,
    /// The outcome that the text of the notification names, if any.
    pub outcome: Option<Outcome>,
    /// The deadline that the text of the notification names, if any.
    pub until: Option<Timestamp>,
}

/// The recipient of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// One user.
    User(UserId),
    /// Every admin who is not a party of the bet.
    Admins,
}

/// The subject of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A user accepted the bet.
    BetAccepted,
    /// The bet expired before anybody accepted it.
    BetExpired,
    /// An accepted bet expired. The text of the notification names the possible actions and the deadline.
    BetDue,
    /// The other party opened the resolution.
    ResolutionOpened,
    /// The other party proposed an outcome.
    OutcomeProposed,
    /// The other party declared the outcome (Manual Verification).
    OutcomeDeclared,
    /// The proposal was accepted.
    OutcomeAccepted,
    /// The proposal was rejected.
    OutcomeRejected,
    /// The other party raised a dispute.
    BetDisputed,
    /// For admins: a dispute waits for a ruling.
    DisputeToRule,
    /// An admin ruled on the dispute.
    BetRuled,
    /// Nobody answered the proposal in time, so the bet was settled as proposed.
    ProposalStood,
    /// Nobody settled the bet in time, so the stakes went back.
    BetLapsed,
    /// No admin ruled on the dispute in time, so the bet was settled.
    DisputeLapsed,
    /// An admin refunded the stakes.
    BetRefunded,
    /// An admin deleted the bet.
    BetRemoved,
    /// The time to answer the proposal ends soon, by default in 24 hours.
    StandReminder,
    /// The time to settle the bet ends soon, by default in 24 hours.
    LapseReminder,
    /// For the arbiter: the creator invites the user to be the arbiter.
    ArbiterInvited,
    /// The named arbiter accepted the invitation.
    ArbiterAccepted,
    /// The named arbiter declined the invitation.
    ArbiterDeclined,
    /// The arbiter gave the task up.
    ArbiterResigned,
    /// For the arbiter: a dispute waits for the arbiter's ruling.
    DisputeToArbitrate,
    /// For the arbiter: the time to rule ends soon, by default in 24 hours.
    ArbiterReminder,
    /// The arbiter did not rule in time, so the dispute went to the admins.
    DisputeHandedOver,
    /// The arbiter ruled on the dispute.
    ArbiterRuled,
    /// Another user wrote messages on the bet.
    MessageWritten,
}

named!(NoticeKind {
    BetAccepted = "bet_accepted",
    BetExpired = "bet_expired",
    BetDue = "bet_due",
    ResolutionOpened = "resolution_opened",
    OutcomeProposed = "outcome_proposed",
    OutcomeDeclared = "outcome_declared",
    OutcomeAccepted = "outcome_accepted",
    OutcomeRejected = "outcome_rejected",
    BetDisputed = "bet_disputed",
    DisputeToRule = "dispute_to_rule",
    BetRuled = "bet_ruled",
    ProposalStood = "proposal_stood",
    BetLapsed = "bet_lapsed",
    DisputeLapsed = "dispute_lapsed",
    BetRefunded = "bet_refunded",
    BetRemoved = "bet_removed",
    StandReminder = "stand_reminder",
    LapseReminder = "lapse_reminder",
    ArbiterInvited = "arbiter_invited",
    ArbiterAccepted = "arbiter_accepted",
    ArbiterDeclined = "arbiter_declined",
    ArbiterResigned = "arbiter_resigned",
    DisputeToArbitrate = "dispute_to_arbitrate",
    ArbiterReminder = "arbiter_reminder",
    DisputeHandedOver = "dispute_handed_over",
    ArbiterRuled = "arbiter_ruled",
    MessageWritten = "message_written",
});

/// The reason why an action on a bet is refused. A refused action changes nothing. The order of the checks is
/// in `docs/domain-rules.md#order-of-refusals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The creator cannot accept their own bet.
    #[error("You can’t accept your own bet.")]
    OwnBet,
    /// The creator has already taken this side.
    #[error("This side is already taken by the bet's creator.")]
    OptionTaken,
    /// The action needs a pending bet.
    #[error("This bet is no longer waiting for a challenger.")]
    NotPending,
    /// The action needs an accepted bet.
    #[error("This bet is not live.")]
    NotAccepted,
    /// The action needs a bet that awaits its resolution.
    #[error("This bet is not awaiting resolution.")]
    NotAwaitingResolution,
    /// The bet is resolved and its winner is paid.
    #[error("This bet has already been settled.")]
    AlreadyResolved,
    /// The bet is cancelled and its stakes went back.
    #[error("This bet has been cancelled.")]
    Cancelled,
    /// The bet is disputed and waits for a ruling.
    #[error("This bet is disputed and waits for a ruling.")]
    Disputed,
    /// The bet is not disputed, so there is nothing to rule on.
    #[error("This bet is not disputed.")]
    NotDisputed,
    /// The action is possible only after the expiry.
    #[error("This bet has not expired yet.")]
    NotExpired,
    /// The action is possible only before the expiry.
    #[error("This bet has expired.")]
    Expired,
    /// No proposal waits for an answer.
    #[error("There is no proposed outcome to answer.")]
    NoProposal,
    /// A proposal already waits for an answer. Only one proposal may wait at a time.
    #[error("A proposed outcome is already waiting for an answer.")]
    ProposalPending,
    /// The answer names a proposal that differs from the proposal that waits for an answer.
    #[error("The proposed outcome has changed. Look at the new one before you answer.")]
    ProposalChanged,
    /// The user is not a party of the bet.
    #[error("You have no stake in this bet.")]
    NotAParty,
    /// The user is a party, but only the other party may do this action now.
    #[error("You can’t do this on this bet.")]
    NotAllowed,
    /// The admin is a party of the bet, and admins must not decide about their own money.
    #[error("You have a stake in this bet, so another admin has to do this.")]
    ConflictOfInterest,
    /// The named arbiter of a bet cannot be a party.
    #[error("You were named as this bet's arbiter, so you can’t take a side.")]
    IsArbiter,
    /// The user is not the arbiter of the bet, or no longer.
    #[error("You are not the arbiter of this bet.")]
    NotArbiter,
    /// The user declined the invitation or gave the task up before.
    #[error("You stepped down as this bet's arbiter, and can’t come back.")]
    ArbiterGone,
    /// The arbiter did not rule in time, so the admins rule.
    #[error("The arbiter's time to rule is over. The admins rule now.")]
    ArbiterOutOfTime,
    /// The arbiter still has time to rule, so no admin may decide the dispute.
    #[error("This dispute is with the bet's arbiter, who still has time to rule.")]
    ArbiterRules,
}

impl Refusal {
    /// The code of this refusal in the API.
    pub const fn code(self) -> Code {
        match self {
            Self::OwnBet => Code::OwnBet,
            Self::OptionTaken => Code::OptionTaken,
            Self::NotPending => Code::BetNotPending,
            Self::NotAccepted => Code::BetNotAccepted,
            Self::NotAwaitingResolution => Code::BetNotAwaitingResolution,
            Self::AlreadyResolved => Code::BetAlreadyResolved,
            Self::Cancelled => Code::BetCancelled,
            Self::Disputed => Code::BetDisputed,
            Self::NotDisputed => Code::BetNotDisputed,
            Self::NotExpired => Code::BetNotExpired,
            Self::Expired => Code::BetExpired,
            Self::NoProposal => Code::NoProposal,
            Self::ProposalPending => Code::ProposalPending,
            Self::ProposalChanged => Code::ProposalChanged,
            Self::NotAParty => Code::NotAParty,
            Self::NotAllowed => Code::NotAllowed,
            Self::ConflictOfInterest => Code::ConflictOfInterest,
            Self::IsArbiter => Code::IsArbiter,
            Self::NotArbiter => Code::NotArbiter,
            Self::ArbiterGone => Code::ArbiterGone,
            Self::ArbiterOutOfTime => Code::ArbiterOutOfTime,
            Self::ArbiterRules => Code::ArbiterRules,
        }
    }
}
