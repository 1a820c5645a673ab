use bolts_kernel::{Timestamp, UserId};

use crate::bet::Bet;
use crate::state::named;
use crate::terms::Outcome;

/// What one transition did: everything that has to be recorded together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bet as it is afterwards.
    pub bet: Bet,
    /// What happened; `None` where only the clock's own marks changed, as after a reminder.
    pub event: Option<Event>,
    /// What becomes of the escrow.
    pub escrow: EscrowEffect,
    /// Whom to tell what.
    pub notices: Vec<Notice>,
}

/// What a transition does to the bet's escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscrowEffect {
    /// Nothing moves.
    Unchanged,
    /// The user's stake moves into escrow.
    Hold(UserId),
    /// All of it goes to the winner.
    PayOut(UserId),
    /// Every stake goes back to its owner.
    Refund,
}

/// One line of a bet's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
    /// Who.
    pub by: By,
    /// The outcome, reason or note that belongs to it.
    pub detail: Option<String>,
}

/// What can happen to a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Its creator staked.
    Created,
    /// Its acceptor staked.
    Accepted,
    /// Its creator took it back before anybody accepted.
    Deleted,
    /// It expired without a challenger.
    Expired,
    /// It reached its expiry with both stakes in.
    Due,
    /// A party opened its resolution.
    EndedEarly,
    /// A party proposed an outcome.
    Proposed,
    /// The other party accepted the proposed outcome.
    Agreed,
    /// A party declared the outcome (Manual Verification).
    Declared,
    /// The other party turned the proposal down.
    Rejected,
    /// A party called for an admin.
    Disputed,
    /// An admin decided.
    Ruled,
    /// The proposal stood, unanswered.
    Stood,
    /// Nobody settled it in time.
    Lapsed,
    /// Nobody ruled in time.
    DisputeLapsed,
    /// An admin gave the stakes back.
    Refunded,
    /// An admin removed it.
    AdminDeleted,
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
});

/// Who did something to a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The user who made it.
    Creator,
    /// The user who took the other side.
    Acceptor,
    /// An admin who is no party.
    Admin(UserId),
    /// Nobody: a deadline passed.
    Clock,
}

impl By {
    /// The role's name in the timeline.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Creator => "creator",
            Self::Acceptor => "acceptor",
            Self::Admin(_) => "admin",
            Self::Clock => "clock",
        }
    }
}

/// A notification to be written, worded only when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// To whom.
    pub to: Recipient,
    /// About what.
    pub kind: NoticeKind,
    /// The outcome it speaks of, where there is one.
    pub outcome: Option<Outcome>,
    /// The deadline it speaks of, where there is one.
    pub until: Option<Timestamp>,
}

/// To whom a notice goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// One user.
    User(UserId),
    /// Every admin who is no party of the bet.
    Admins,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Somebody took the other side.
    BetAccepted,
    /// Nobody did before the expiry.
    BetExpired,
    /// The expiry came: who may do what, until when.
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
    /// The other party called for a ruling.
    BetDisputed,
    /// For admins: a dispute waits in the queue.
    DisputeToRule,
    /// An admin decided.
    BetRuled,
    /// An unanswered proposal was taken as accepted.
    ProposalStood,
    /// Nobody settled it; the stakes are back.
    BetLapsed,
    /// Nobody ruled on the dispute; it is settled.
    DisputeLapsed,
    /// An admin gave the stakes back.
    BetRefunded,
    /// An admin removed the bet.
    BetRemoved,
    /// A day is left to answer the proposal.
    StandReminder,
    /// A day is left to settle the bet.
    LapseReminder,
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
});

/// Why an action on a bet is not possible (decisions, section 3). The bet stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// Nobody bets against himself.
    #[error("You cannot accept your own bet.")]
    OwnBet,
    /// The creator has that side.
    #[error("This side is already taken by the bet's creator.")]
    OptionTaken,
    /// Only a bet without a challenger allows it.
    #[error("This bet is no longer waiting for a challenger.")]
    NotPending,
    /// Only a live bet allows it.
    #[error("This bet is not live.")]
    NotAccepted,
    /// Only a bet that awaits its resolution allows it.
    #[error("This bet is not awaiting resolution.")]
    NotAwaitingResolution,
    /// The winner has been paid.
    #[error("This bet has already been settled.")]
    AlreadyResolved,
    /// The stakes are back with their owners.
    #[error("This bet has been cancelled.")]
    Cancelled,
    /// It waits for a ruling.
    #[error("This bet is disputed and waits for an admin's ruling.")]
    Disputed,
    /// There is nothing to rule on.
    #[error("This bet is not disputed.")]
    NotDisputed,
    /// It is too early.
    #[error("This bet has not expired yet.")]
    NotExpired,
    /// It is too late.
    #[error("This bet has expired.")]
    Expired,
    /// There is nothing to answer.
    #[error("There is no proposed outcome to answer.")]
    NoProposal,
    /// One at a time.
    #[error("A proposed outcome is already waiting for an answer.")]
    ProposalPending,
    /// The answer was meant for another proposal.
    #[error("The proposed outcome has changed. Look at the new one before you answer.")]
    ProposalChanged,
    /// Only the two who staked.
    #[error("You are not a party of this bet.")]
    NotAParty,
    /// The other party may, this one may not (yet).
    #[error("This is not yours to do on this bet.")]
    NotAllowed,
    /// An admin does not decide about his own money.
    #[error("You are a party of this bet, so another admin has to do this.")]
    ConflictOfInterest,
}

impl Refusal {
    /// The stable code that the API answers with.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OwnBet => "own_bet",
            Self::OptionTaken => "option_taken",
            Self::NotPending => "bet_not_pending",
            Self::NotAccepted => "bet_not_accepted",
            Self::NotAwaitingResolution => "bet_not_awaiting_resolution",
            Self::AlreadyResolved => "bet_already_resolved",
            Self::Cancelled => "bet_cancelled",
            Self::Disputed => "bet_disputed",
            Self::NotDisputed => "bet_not_disputed",
            Self::NotExpired => "bet_not_expired",
            Self::Expired => "bet_expired",
            Self::NoProposal => "no_proposal",
            Self::ProposalPending => "proposal_pending",
            Self::ProposalChanged => "proposal_changed",
            Self::NotAParty => "not_a_party",
            Self::NotAllowed => "not_allowed",
            Self::ConflictOfInterest => "conflict_of_interest",
        }
    }

    /// Whether it is about who asks (403) rather than about the bet's state (409).
    pub const fn is_about_the_actor(self) -> bool {
        match self {
            Self::OwnBet | Self::NotAParty | Self::NotAllowed | Self::ConflictOfInterest => true,
            Self::OptionTaken
            | Self::NotPending
            | Self::NotAccepted
            | Self::NotAwaitingResolution
            | Self::AlreadyResolved
            | Self::Cancelled
            | Self::Disputed
            | Self::NotDisputed
            | Self::NotExpired
            | Self::Expired
            | Self::NoProposal
            | Self::ProposalPending
            | Self::ProposalChanged => false,
        }
    }
}
