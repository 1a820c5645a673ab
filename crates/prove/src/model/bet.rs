//! The rules of a bet, from the tables of `docs/domain-rules.md`.

use super::{Money, STAND, Verdict, refused};

/// A side of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the two sides have no other names")]
pub enum Side {
    A,
    B,
}

/// An outcome that can be proposed or ruled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side wins.
    Wins(Side),
    /// Both stakes go back.
    Void,
}

/// The status of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waits for a challenger.
    Pending,
    /// Live.
    Accepted,
    /// Awaits its resolution.
    Awaiting,
    /// The user with this number won.
    Resolved(usize),
    /// All stakes are back.
    Cancelled(Cause),
}

/// The reason of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub enum Cause {
    Expired,
    Deleted,
    Void,
    Lapsed,
    Refunded,
}

/// A proposal that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    pub(crate) outcome: Outcome,
    pub(crate) by: usize,
    pub(crate) at: i64,
}

/// A bet.
#[derive(Clone, Debug)]
pub struct Bet {
    /// The user who created the bet.
    pub creator: usize,
    /// The user who accepted the bet.
    pub acceptor: Option<usize>,
    /// The creator's stake.
    pub stake: i64,
    /// The acceptor's stake.
    pub opponent_stake: i64,
    /// The currency of the stake.
    pub currency: Money,
    pub(crate) is_manual: bool,
    pub(crate) creator_side: Side,
    pub(crate) is_private: bool,
    /// The expiry.
    pub expires_at: i64,
    /// The status.
    pub phase: Phase,
    /// The proposal that waits for an answer.
    pub proposal: Option<Proposal>,
    /// The number of proposals under Mutual Agreement so far.
    pub(crate) proposals: u32,
    pub(crate) last_proposed_at: Option<i64>,
    /// The number of rejected proposals.
    pub rejections: u32,
    pub(crate) last_rejected_at: Option<i64>,
    pub(crate) disputed_at: Option<i64>,
    /// The named arbiter, and what became of the task.
    pub arbiter: Option<(usize, super::Task)>,
    /// Whether the bet was deleted.
    pub is_deleted: bool,
    /// The end of the grace period after an outage.
    pub(crate) deferred_until: Option<i64>,
    /// The clock has told both parties that the bet expired.
    pub(crate) is_due_told: bool,
    /// The deadline of the last reminder.
    pub(crate) reminded_of: Option<i64>,
}

impl Bet {
    /// The creator and the acceptor.
    pub const fn parties(&self) -> (usize, Option<usize>) {
        (self.creator, self.acceptor)
    }

    /// The stake of a party.
    pub const fn stake_of(&self, user: usize) -> i64 {
        if self.creator == user { self.stake } else { self.opponent_stake }
    }

    /// Both stakes together.
    pub const fn pot(&self) -> i64 {
        self.stake + self.opponent_stake
    }

    /// Whether stakes are in escrow.
    pub const fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Pending | Phase::Accepted | Phase::Awaiting)
    }

    /// Whether the bet is disputed and waits for a ruling.
    pub fn is_disputed(&self) -> bool {
        self.phase == Phase::Awaiting && self.disputed_at.is_some()
    }

    pub(crate) fn is_party(&self, user: usize) -> bool {
        self.creator == user || self.acceptor == Some(user)
    }

    /// Whether the user sees the bet also if it is private.
    pub(crate) fn concerns(&self, user: usize) -> bool {
        self.is_party(user) || self.is_active_arbiter(user)
    }

    fn is_expired(&self, now: i64) -> bool {
        now >= self.expires_at
    }

    pub(super) fn other(&self, user: usize) -> usize {
        if user == self.creator { self.acceptor.unwrap_or(user) } else { self.creator }
    }

    pub(super) fn on_side(&self, side: Side) -> usize {
        if side == self.creator_side { self.creator } else { self.other(self.creator) }
    }

    /// The acceptor of a Mutual Agreement bet may propose from this time on.
    pub(crate) fn acceptors_turn(&self) -> i64 {
        self.expires_at.max(self.last_rejected_at.unwrap_or(self.expires_at)) + STAND
    }
}

/// The checks of actions, in the order of `docs/domain-rules.md#order-of-refusals`. They are also what the list of
/// open actions shows.
impl Bet {
    pub(crate) fn may_accept(&self, user: usize, now: i64) -> Verdict {
        match self.phase {
            _ if user == self.creator => refused("own_bet"),
            _ if self.is_named(user) => refused("is_arbiter"),
            Phase::Cancelled(Cause::Expired) => refused("bet_expired"),
            Phase::Pending if self.is_expired(now) => refused("bet_expired"),
            Phase::Pending => Ok(()),
            Phase::Accepted | Phase::Awaiting | Phase::Resolved(_) | Phase::Cancelled(_) => {
                refused("bet_not_pending")
            }
        }
    }

    pub(crate) fn may_delete(&self, user: usize) -> Verdict {
        if self.acceptor == Some(user) {
            return refused("not_allowed");
        }
        self.only_parties(user)?;
        if self.phase == Phase::Pending { Ok(()) } else { refused("bet_not_pending") }
    }

    fn only_parties(&self, user: usize) -> Verdict {
        if self.is_party(user) { Ok(()) } else { refused("not_a_party") }
    }

    pub(crate) fn may_end_early(&self, user: usize, now: i64) -> Verdict {
        self.only_parties(user)?;
        let is_creator = user == self.creator;
        match self.phase {
            Phase::Pending | Phase::Cancelled(_) => refused("bet_not_accepted"),
            Phase::Resolved(_) => refused("bet_already_resolved"),
            Phase::Awaiting if self.is_disputed() => refused("bet_disputed"),
            Phase::Awaiting if is_creator => refused("bet_not_accepted"),
            Phase::Accepted if is_creator && self.is_expired(now) => refused("bet_expired"),
            Phase::Accepted if !is_creator && !self.is_expired(now) => refused("bet_not_expired"),
            Phase::Awaiting | Phase::Accepted => Ok(()),
        }
    }

    pub(crate) fn may_propose(&self, user: usize, now: i64) -> Verdict {
        self.only_parties(user)?;
        let is_creator = user == self.creator;
        let is_awaiting = self.phase == Phase::Awaiting;
        match self.phase {
            Phase::Pending | Phase::Cancelled(_) => return refused("bet_not_accepted"),
            Phase::Resolved(_) => return refused("bet_already_resolved"),
            Phase::Awaiting if self.is_disputed() => return refused("bet_disputed"),
            Phase::Awaiting | Phase::Accepted => {}
        }
        if self.is_manual {
            return match (is_creator, self.is_expired(now)) {
                (_, true) => Ok(()),
                (true, false) if is_awaiting => Ok(()),
                (true, false) => refused("bet_not_awaiting_resolution"),
                (false, false) => refused("bet_not_expired"),
            };
        }
        if !is_creator && (!is_awaiting || now < self.acceptors_turn()) {
            return refused("not_allowed");
        }
        if self.proposal.is_some() { refused("proposal_pending") } else { Ok(()) }
    }

    pub(crate) fn may_respond(&self, user: usize, accepts: bool) -> Verdict {
        self.only_parties(user)?;
        match self.phase {
            Phase::Pending | Phase::Accepted | Phase::Cancelled(_) => {
                return refused("bet_not_awaiting_resolution");
            }
            Phase::Resolved(_) => return refused("bet_already_resolved"),
            Phase::Awaiting => {}
        }
        match self.proposal {
            Some(proposal) if proposal.by == user => refused("not_allowed"),
            _ if !accepts && self.is_disputed() => refused("bet_disputed"),
            None => refused("no_proposal"),
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn may_dispute(&self, user: usize, now: i64) -> Verdict {
        self.only_parties(user)?;
        match self.phase {
            Phase::Pending | Phase::Cancelled(_) => refused("bet_not_accepted"),
            Phase::Resolved(_) => refused("bet_already_resolved"),
            Phase::Accepted if !self.is_expired(now) => refused("bet_not_expired"),
            Phase::Awaiting if self.is_disputed() => refused("bet_disputed"),
            Phase::Accepted | Phase::Awaiting => Ok(()),
        }
    }

    pub(crate) fn may_rule(&self, admin: usize) -> Verdict {
        self.no_conflict(admin)?;
        match self.phase {
            Phase::Resolved(_) => refused("bet_already_resolved"),
            Phase::Awaiting if self.is_with_arbiter() => refused("arbiter_rules"),
            Phase::Awaiting if self.is_disputed() => Ok(()),
            Phase::Awaiting => refused("bet_not_disputed"),
            Phase::Pending | Phase::Accepted | Phase::Cancelled(_) => refused("bet_not_awaiting_resolution"),
        }
    }

    pub(crate) fn may_refund(&self, admin: usize) -> Verdict {
        self.no_conflict(admin)?;
        match self.phase {
            Phase::Resolved(_) => refused("bet_already_resolved"),
            Phase::Cancelled(_) => refused("bet_cancelled"),
            Phase::Awaiting if self.is_with_arbiter() => refused("arbiter_rules"),
            Phase::Pending | Phase::Accepted | Phase::Awaiting => Ok(()),
        }
    }

    pub(crate) fn no_conflict(&self, admin: usize) -> Verdict {
        if self.is_party(admin) { refused("conflict_of_interest") } else { Ok(()) }
    }
}
