//! A bet, its actions 'create', 'accept' and 'delete', and helpers that build a [`Change`].

use bolts_kernel::{Amount, BetId, Money, Timestamp, UserId};

use crate::arbiter::Arbiter;
use crate::change::{By, Change, EscrowEffect, Event, EventKind, Notice, NoticeKind, Recipient, Refusal};
use crate::state::{CancelReason, Challenge, Deletion, Negotiation, State, Status};
use crate::terms::{Outcome, Side, Terms, Waits};

/// A bet between two users. Each side has its own stake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bet {
    /// The id of the bet.
    pub id: BetId,
    /// The user who created the bet.
    pub creator: UserId,
    /// The side that the creator took.
    pub creator_side: Side,
    /// The terms, which never change.
    pub terms: Terms,
    /// The waiting times of this bet.
    pub waits: Waits,
    /// The arbiter, if the creator named one.
    pub arbiter: Option<Arbiter>,
    /// The time of creation.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
    /// The status, with the data that belongs to the status.
    pub state: State,
    /// The steps that the clock has already done on this bet.
    pub marks: Marks,
    /// The deletion, if the bet was deleted. No list and no page shows a deleted bet, but the ledger keeps its
    /// transfers.
    pub deletion: Option<Deletion>,
}

/// The steps that the clock has already done on a bet. The clock does each of them only once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The clock has told both parties that the bet expired.
    pub due_told: bool,
    /// The deadline that the parties were last reminded of.
    pub reminded_of: Option<Timestamp>,
    /// The end of the grace period. Before this time the clock does not settle or cancel the bet. A deadline
    /// gets a grace period if the deadline falls in an outage of more than an hour.
    pub deferred_until: Option<Timestamp>,
}

/// One of the two users who staked on the bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The user who created the bet.
    Creator,
    /// The user who accepted the bet.
    Acceptor,
}

impl Party {
    /// The other party.
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

/// The data of a new bet.
#[derive(Clone, Debug)]
pub struct NewBet {
    /// An id that no other bet has.
    pub id: BetId,
    /// The user who creates the bet.
    pub creator: UserId,
    /// The side that the creator takes.
    pub creator_side: Side,
    /// The validated terms.
    pub terms: Terms,
    /// The waiting times in the server's configuration.
    pub waits: Waits,
    /// The user whom the creator names as the arbiter. It must not be the creator.
    pub arbiter: Option<UserId>,
}

impl Bet {
    /// Creates a pending bet. The change moves the creator's stake into escrow, and invites the arbiter.
    pub fn create(new: NewBet, now: Timestamp) -> Change {
        let bet = Self {
            id: new.id,
            creator: new.creator,
            creator_side: new.creator_side,
            terms: new.terms,
            waits: new.waits,
            arbiter: new.arbiter.map(Arbiter::invited),
            created_at: now,
            updated_at: now,
            state: State::Pending,
            marks: Marks::default(),
            deletion: None,
        };
        let escrow = EscrowEffect::Hold(bet.creator);
        let created = bet.changed(now, EventKind::Created, By::Creator).with_escrow(escrow);
        created.telling_arbiter(NoticeKind::ArbiterInvited, None)
    }

    /// Checks that the user may accept the bet now. The option and the balance are not checked.
    ///
    /// # Errors
    /// In this order: the user is the creator, the user is the named arbiter, or the status or the expiry of the bet does not allow accepting.
    pub fn check_accept(&self, user: UserId, now: Timestamp) -> Result<(), Refusal> {
        if user == self.creator {
            return Err(Refusal::OwnBet);
        }
        if self.arbiter_named(user).is_some() {
            return Err(Refusal::IsArbiter);
        }
        match &self.state {
            State::Pending if self.is_expired(now) => Err(Refusal::Expired),
            State::Cancelled { reason: CancelReason::Expired, .. } => Err(Refusal::Expired),
            State::Pending => Ok(()),
            State::Accepted(_)
            | State::AwaitingResolution(_)
            | State::Resolved { .. }
            | State::Cancelled { .. } => Err(Refusal::NotPending),
        }
    }

    /// Accepts the bet: the user takes the side that the creator did not take.
    ///
    /// # Errors
    /// The errors of [`Bet::check_accept`]. After them: the creator has already taken the option.
    pub fn accept(mut self, user: UserId, option: Side, now: Timestamp) -> Result<Change, Refusal> {
        self.check_accept(user, now)?;
        if option == self.creator_side {
            return Err(Refusal::OptionTaken);
        }
        self.state = State::Accepted(Challenge { acceptor: user, accepted_at: now });
        let change = self.changed(now, EventKind::Accepted, By::Acceptor);
        Ok(change.with_escrow(EscrowEffect::Hold(user)).telling(Party::Creator, NoticeKind::BetAccepted))
    }

    /// Checks that the user may delete the bet.
    ///
    /// # Errors
    /// The user is not the creator, or the bet is not pending.
    pub fn check_delete(&self, user: UserId) -> Result<(), Refusal> {
        match self.party(user) {
            None => Err(Refusal::NotAParty),
            Some(Party::Acceptor) => Err(Refusal::NotAllowed),
            Some(Party::Creator) if self.status() != Status::Pending => Err(Refusal::NotPending),
            Some(Party::Creator) => Ok(()),
        }
    }

    /// Deletes a pending bet. Only the creator may delete the bet.
    ///
    /// # Errors
    /// The errors of [`Bet::check_delete`].
    pub fn delete(mut self, user: UserId, now: Timestamp) -> Result<Change, Refusal> {
        self.check_delete(user)?;
        self.deletion = Some(Deletion { at: now, by: user });
        Ok(self.cancelled(CancelReason::Deleted, now).recorded(EventKind::Deleted, By::Creator))
    }

    /// The status of the bet.
    pub const fn status(&self) -> Status {
        self.state.status()
    }

    /// Whether the bet has expired at `now`. A bet is expired from the very instant of its expiry.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.terms.expires_at
    }

    /// The user who accepted the bet, if it was accepted.
    pub fn acceptor(&self) -> Option<UserId> {
        self.state.challenge().map(|challenge| challenge.acceptor)
    }

    /// The role of the user in the bet. `None` if the user is not a party.
    pub fn party(&self, user: UserId) -> Option<Party> {
        if user == self.creator {
            Some(Party::Creator)
        } else if Some(user) == self.acceptor() {
            Some(Party::Acceptor)
        } else {
            None
        }
    }

    /// The user in this role. `None` for the acceptor of a bet that nobody has accepted.
    pub fn user(&self, party: Party) -> Option<UserId> {
        match party {
            Party::Creator => Some(self.creator),
            Party::Acceptor => self.acceptor(),
        }
    }

    /// The side of this user. `None` if the user is not a party.
    pub fn side_of(&self, user: UserId) -> Option<Side> {
        self.party(user).map(|party| match party {
            Party::Creator => self.creator_side,
            Party::Acceptor => self.creator_side.opposite(),
        })
    }

    /// The user on this side, or `None` if the side is free.
    pub fn user_on(&self, side: Side) -> Option<UserId> {
        if side == self.creator_side { Some(self.creator) } else { self.acceptor() }
    }

    /// The winner of a resolved bet. `None` for any other bet.
    pub fn winner(&self) -> Option<UserId> {
        match &self.state {
            State::Resolved { winning, .. } => self.user_on(*winning),
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) | State::Cancelled { .. } => {
                None
            }
        }
    }

    /// The text of the option that the outcome names, or `void`.
    pub fn outcome_text(&self, outcome: Outcome) -> &str {
        match outcome {
            Outcome::A => &self.terms.option_a,
            Outcome::B => &self.terms.option_b,
            Outcome::Void => "void",
        }
    }

    /// The stake of this user. `None` if the user is not a party.
    pub fn stake_by(&self, user: UserId) -> Option<Money> {
        self.side_of(user).map(|side| self.stake_of(side))
    }

    /// The users who have staked, the creator first, with their stakes.
    pub fn stakes(&self) -> Vec<(UserId, Money)> {
        let sides = [self.creator_side, self.creator_side.opposite()];
        sides.into_iter().filter_map(|side| Some((self.user_on(side)?, self.stake_of(side)))).collect()
    }

    /// The sum of the stakes of the users who have staked.
    pub fn staked(&self) -> Money {
        self.sum(self.stakes().into_iter().map(|(_, stake)| stake))
    }

    /// The amount that the winner gets: the stakes of both sides.
    pub fn pot(&self) -> Money {
        self.sum([Side::A, Side::B].map(|side| self.stake_of(side)))
    }

    fn sum(&self, stakes: impl IntoIterator<Item = Money>) -> Money {
        let nothing = Money::new(Amount::ZERO, self.terms.stake.currency);
        // A stake is at most 100,000,000, so the sum cannot overflow.
        stakes.into_iter().fold(nothing, |sum, stake| sum.checked_add(stake).unwrap_or(sum))
    }

    /// The amount in the bet's escrow in the current status (`docs/ledger.md#invariants`, invariant 4).
    pub fn escrowed(&self) -> Amount {
        match self.state {
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => self.staked().amount,
            State::Resolved { .. } | State::Cancelled { .. } => Amount::ZERO,
        }
    }

    /// Cancels the bet and gives every stake back. The caller must add the event.
    #[must_use]
    pub fn cancelled(mut self, reason: CancelReason, now: Timestamp) -> Change {
        let negotiation = match self.state {
            State::Pending => None,
            State::Accepted(challenge) => Some(Negotiation::new(challenge)),
            State::AwaitingResolution(negotiation) => Some(Negotiation { standing: None, ..negotiation }),
            State::Resolved { .. } | State::Cancelled { .. } => {
                unreachable!("a resolved or cancelled bet has no stakes to give back")
            }
        };
        self.state = State::Cancelled { negotiation, reason, at: now, settled_by: None };
        self.updated_at = now;
        Change::silent(self).with_escrow(EscrowEffect::Refund)
    }

    /// Returns a change with this event. The caller has already changed the bet.
    #[must_use]
    pub fn changed(mut self, now: Timestamp, kind: EventKind, by: By) -> Change {
        self.updated_at = now;
        Change::silent(self).recorded(kind, by)
    }
}

impl Change {
    /// A change that moves no money, and has no event and no notification.
    #[must_use]
    pub const fn silent(bet: Bet) -> Self {
        Self { bet, event: None, escrow: EscrowEffect::Unchanged, notices: Vec::new() }
    }

    /// Sets the event of this change, at the time of the bet's last change.
    #[must_use]
    pub fn recorded(mut self, kind: EventKind, by: By) -> Self {
        self.event = Some(Event { at: self.bet.updated_at, kind, by, detail: None });
        self
    }

    /// Adds a detail to the event.
    #[must_use]
    pub fn detailed(mut self, detail: impl Into<String>) -> Self {
        if let Some(event) = &mut self.event {
            event.detail = Some(detail.into());
        }
        self
    }

    /// Sets the effect on the escrow.
    #[must_use]
    pub fn with_escrow(mut self, escrow: EscrowEffect) -> Self {
        self.escrow = escrow;
        self
    }

    /// Adds a notification for a party. If the party is the acceptor and nobody has accepted the bet yet,
    /// nothing is added.
    #[must_use]
    pub fn telling(self, party: Party, kind: NoticeKind) -> Self {
        self.telling_of(party, kind, None, None)
    }

    /// Adds a notification for a party. The notification may name an outcome and a deadline.
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

    /// Adds the same notification for both parties.
    #[must_use]
    pub fn telling_both(self, kind: NoticeKind, outcome: Option<Outcome>, until: Option<Timestamp>) -> Self {
        self.telling_of(Party::Creator, kind, outcome, until).telling_of(
            Party::Acceptor,
            kind,
            outcome,
            until,
        )
    }

    /// Adds a notification for every admin who is not a party.
    #[must_use]
    pub fn telling_admins(mut self, kind: NoticeKind) -> Self {
        self.notices.push(Notice { to: Recipient::Admins, kind, outcome: None, until: None });
        self
    }
}
