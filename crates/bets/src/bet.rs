use bolts_kernel::{Amount, BetId, Timestamp, UserId};

use crate::change::{By, Change, EscrowEffect, Event, EventKind, Notice, NoticeKind, Recipient, Refusal};
use crate::state::{CancelReason, Challenge, Deletion, Negotiation, State, Status};
use crate::terms::{Outcome, Side, Terms, Waits};

/// A bet between two people at even odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bet {
    /// Its id.
    pub id: BetId,
    /// Who made it.
    pub creator: UserId,
    /// The side the creator took.
    pub creator_side: Side,
    /// What was agreed; never changes.
    pub terms: Terms,
    /// How long the clock waits on this bet.
    pub waits: Waits,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Where it stands.
    pub state: State,
    /// What the clock has already done on it.
    pub marks: Marks,
    /// Set once it is off every list and page; the ledger keeps its history.
    pub deletion: Option<Deletion>,
}

/// What the clock has already done on a bet, so that it does it once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Both parties were told that the expiry has come.
    pub due_told: bool,
    /// The deadline of which the parties were reminded.
    pub reminded_of: Option<Timestamp>,
    /// The clock decides nothing before this, as no server ran when the deadline fell.
    pub deferred_until: Option<Timestamp>,
}

/// One of the two who staked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// Made the bet.
    Creator,
    /// Took the other side.
    Acceptor,
}

impl Party {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Creator => Self::Acceptor,
            Self::Acceptor => Self::Creator,
        }
    }

    /// This party as the author of an event.
    pub const fn as_author(self) -> By {
        match self {
            Self::Creator => By::Creator,
            Self::Acceptor => By::Acceptor,
        }
    }
}

/// What it takes to make a bet.
#[derive(Clone, Debug)]
pub struct NewBet {
    /// A fresh id.
    pub id: BetId,
    /// Who makes it.
    pub creator: UserId,
    /// The side the creator takes.
    pub creator_side: Side,
    /// What is bet on.
    pub terms: Terms,
    /// The waiting times in force.
    pub waits: Waits,
}

impl Bet {
    /// Makes a pending bet; the creator's stake is to be held.
    pub fn create(new: NewBet, now: Timestamp) -> Change {
        let bet = Self {
            id: new.id,
            creator: new.creator,
            creator_side: new.creator_side,
            terms: new.terms,
            waits: new.waits,
            created_at: now,
            updated_at: now,
            state: State::Pending,
            marks: Marks::default(),
            deletion: None,
        };
        let escrow = EscrowEffect::Hold(bet.creator);
        bet.changed(now, EventKind::Created, By::Creator).with_escrow(escrow)
    }

    /// A signed-in user takes the side that the creator left.
    ///
    /// # Errors
    /// In the order in which the API checks: own bet; a status or an expiry that does not allow it; the
    /// creator's side.
    pub fn accept(mut self, user: UserId, option: Side, now: Timestamp) -> Result<Change, Refusal> {
        if user == self.creator {
            return Err(Refusal::OwnBet);
        }
        match &self.state {
            State::Pending if self.is_expired(now) => return Err(Refusal::Expired),
            State::Cancelled { reason: CancelReason::Expired, .. } => return Err(Refusal::Expired),
            State::Pending => {}
            State::Accepted(_)
            | State::AwaitingResolution(_)
            | State::Resolved { .. }
            | State::Cancelled { .. } => return Err(Refusal::NotPending),
        }
        if option == self.creator_side {
            return Err(Refusal::OptionTaken);
        }
        self.state = State::Accepted(Challenge { acceptor: user, accepted_at: now });
        let change = self.changed(now, EventKind::Accepted, By::Acceptor);
        Ok(change.with_escrow(EscrowEffect::Hold(user)).telling(Party::Creator, NoticeKind::BetAccepted))
    }

    /// The creator takes a pending bet back.
    ///
    /// # Errors
    /// Anybody else; any other status.
    pub fn delete(mut self, user: UserId, now: Timestamp) -> Result<Change, Refusal> {
        match self.party(user) {
            None => return Err(Refusal::NotAParty),
            Some(Party::Acceptor) => return Err(Refusal::NotAllowed),
            Some(Party::Creator) => {}
        }
        if self.status() != Status::Pending {
            return Err(Refusal::NotPending);
        }
        self.deletion = Some(Deletion { at: now, by: user });
        Ok(self.cancelled(CancelReason::Deleted, now).recorded(EventKind::Deleted, By::Creator))
    }

    /// The status's name.
    pub const fn status(&self) -> Status {
        self.state.status()
    }

    /// Whether `now` is at or past the expiry. A deadline holds from its instant.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.terms.expires_at
    }

    /// Who accepted, if somebody has.
    pub fn acceptor(&self) -> Option<UserId> {
        self.state.challenge().map(|challenge| challenge.acceptor)
    }

    /// Which party the user is, if any.
    pub fn party(&self, user: UserId) -> Option<Party> {
        if user == self.creator {
            Some(Party::Creator)
        } else if Some(user) == self.acceptor() {
            Some(Party::Acceptor)
        } else {
            None
        }
    }

    /// The user who is that party.
    pub fn user(&self, party: Party) -> Option<UserId> {
        match party {
            Party::Creator => Some(self.creator),
            Party::Acceptor => self.acceptor(),
        }
    }

    /// The user on that side, if it is taken.
    pub fn user_on(&self, side: Side) -> Option<UserId> {
        if side == self.creator_side { Some(self.creator) } else { self.acceptor() }
    }

    /// The user who won, once it is resolved.
    pub fn winner(&self) -> Option<UserId> {
        match &self.state {
            State::Resolved { winning, .. } => self.user_on(*winning),
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) | State::Cancelled { .. } => {
                None
            }
        }
    }

    /// What the outcome is called on this bet.
    pub fn outcome_text(&self, outcome: Outcome) -> &str {
        match outcome {
            Outcome::A => &self.terms.option_a,
            Outcome::B => &self.terms.option_b,
            Outcome::Void => "void",
        }
    }

    /// What the escrow holds in this state: one stake, two, or nothing (decisions, section 6, invariant 4).
    pub fn escrowed(&self) -> Amount {
        let stake = self.terms.stake.amount;
        match self.state {
            State::Pending => stake,
            // Stakes are at most 100,000,000, so two of them always fit.
            State::Accepted(_) | State::AwaitingResolution(_) => stake.checked_add(stake).unwrap_or(stake),
            State::Resolved { .. } | State::Cancelled { .. } => Amount::ZERO,
        }
    }

    /// This bet, moved to cancelled, with every stake going back. The caller says which event that was.
    #[must_use]
    pub fn cancelled(mut self, reason: CancelReason, now: Timestamp) -> Change {
        let negotiation = match self.state {
            State::Pending => None,
            State::Accepted(challenge) => Some(Negotiation::new(challenge)),
            State::AwaitingResolution(negotiation) => Some(Negotiation { standing: None, ..negotiation }),
            State::Resolved { .. } | State::Cancelled { .. } => {
                unreachable!("a bet that ended holds nothing to give back")
            }
        };
        self.state = State::Cancelled { negotiation, reason, at: now, settled_by: None };
        self.updated_at = now;
        Change { bet: self, event: None, escrow: EscrowEffect::Refund, notices: Vec::new() }
    }

    /// This bet, as it now is, with the event that made it so.
    #[must_use]
    pub fn changed(mut self, now: Timestamp, kind: EventKind, by: By) -> Change {
        self.updated_at = now;
        Change { bet: self, event: None, escrow: EscrowEffect::Unchanged, notices: Vec::new() }
            .recorded(kind, by)
    }
}

impl Change {
    /// The same change, recorded as this event, at the time the bet changed.
    #[must_use]
    pub fn recorded(mut self, kind: EventKind, by: By) -> Self {
        self.event = Some(Event { at: self.bet.updated_at, kind, by, detail: None });
        self
    }

    /// The same change, with a detail on its event.
    #[must_use]
    pub fn detailed(mut self, detail: impl Into<String>) -> Self {
        if let Some(event) = &mut self.event {
            event.detail = Some(detail.into());
        }
        self
    }

    /// The same change, with this effect on the escrow.
    #[must_use]
    pub fn with_escrow(mut self, escrow: EscrowEffect) -> Self {
        self.escrow = escrow;
        self
    }

    /// The same change, telling a party, if there is one.
    #[must_use]
    pub fn telling(self, party: Party, kind: NoticeKind) -> Self {
        self.telling_of(party, kind, None, None)
    }

    /// The same change, telling a party of an outcome or a deadline.
    #[must_use]
    pub fn telling_of(
        mut self,
        party: Party,
        kind: NoticeKind,
        outcome: Option<Outcome>,
        until: Option<Timestamp>,
    ) -> Self {
        if let Some(user) = self.bet.user(party) {
            self.notices.push(Notice { to: Recipient::User(user), kind, outcome, until });
        }
        self
    }

    /// The same change, telling both parties the same.
    #[must_use]
    pub fn telling_both(self, kind: NoticeKind, outcome: Option<Outcome>, until: Option<Timestamp>) -> Self {
        self.telling_of(Party::Creator, kind, outcome, until).telling_of(
            Party::Acceptor,
            kind,
            outcome,
            until,
        )
    }

    /// The same change, telling every admin who is no party.
    #[must_use]
    pub fn telling_admins(mut self, kind: NoticeKind) -> Self {
        self.notices.push(Notice { to: Recipient::Admins, kind, outcome: None, until: None });
        self
    }
}
