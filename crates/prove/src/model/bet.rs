//! The rules of a bet, from the tables of `docs/domain-rules.md`.

use super::action::{Expiry, Named, Terms, Token};
use super::clock::Deadline;
use super::{Money, STAND, Verdict, World, refused, refused_on};

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

    fn other(&self, user: usize) -> usize {
        if user == self.creator { self.acceptor.unwrap_or(user) } else { self.creator }
    }

    fn on_side(&self, side: Side) -> usize {
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

impl World {
    /// The bet with this number, as the user sees it: after all steps of the clock that are due. A user who may not see
    /// the bet gets the same answer as for a bet that does not exist.
    pub(super) fn seen(
        &mut self,
        user: usize,
        bet: usize,
        token: Token,
    ) -> Result<usize, (&'static str, Option<&'static str>)> {
        let unknown = ("bet_not_found", None);
        let found = self.bets.get(bet).filter(|bet| !bet.is_deleted).ok_or(unknown)?;
        let may_see =
            !found.is_private || found.concerns(user) || self.users[user].is_admin || token == Token::Right;
        if !may_see {
            return Err(unknown);
        }
        self.apply_due(bet);
        Ok(bet)
    }

    pub(super) fn create(&mut self, user: usize, terms: &Terms) -> Verdict {
        if terms.same_options {
            return refused_on("invalid_fields", "optionB");
        }
        let least = if terms.currency == Money::Sats { 100 } else { 1 };
        if !(least..=100_000_000).contains(&terms.stake) {
            return refused_on("invalid_fields", "stakeAmount");
        }
        let against = terms.opponent_stake.unwrap_or(terms.stake);
        let is_fair = against <= 100 * terms.stake && terms.stake <= 100 * against.clamp(0, 100_000_000);
        if !(least..=100_000_000).contains(&against) || !is_fair {
            return refused_on("invalid_fields", "opponentStake");
        }
        let Expiry::In(wait) = terms.expiry else { return refused_on("invalid_fields", "expiresAt") };
        if wait <= 0 {
            return refused_on("invalid_fields", "expiresAt");
        }
        let arbiter = self.arbiter_for(user, terms.arbiter)?;
        let arbiter = arbiter.map(|named| (named, super::Task::Invited));
        self.take_stake(user, terms.currency, terms.stake)?;
        self.bets.push(Bet {
            creator: user,
            acceptor: None,
            stake: terms.stake,
            opponent_stake: against,
            currency: terms.currency,
            is_manual: terms.is_manual,
            creator_side: terms.side,
            is_private: terms.is_private,
            expires_at: self.now + wait,
            phase: Phase::Pending,
            proposal: None,
            last_proposed_at: None,
            rejections: 0,
            last_rejected_at: None,
            disputed_at: None,
            arbiter,
            is_deleted: false,
            deferred_until: None,
            is_due_told: false,
            reminded_of: None,
        });
        self.unlock(user, false);
        Ok(())
    }

    fn take_stake(&mut self, user: usize, currency: Money, stake: i64) -> Verdict {
        let now = self.now;
        let user = &mut self.users[user];
        if currency == Money::Sats && now < user.rests_until {
            return refused("sats_in_cooldown");
        }
        let balance = user.balance(currency);
        if *balance < stake {
            return refused("insufficient_balance");
        }
        *balance -= stake;
        Ok(())
    }

    pub(super) fn accept(&mut self, user: usize, bet: usize, side: Side, token: Token) -> Verdict {
        let bet = self.seen(user, bet, token)?;
        self.bets[bet].may_accept(user, self.now)?;
        if side == self.bets[bet].creator_side {
            return refused("option_taken");
        }
        self.take_stake(user, self.bets[bet].currency, self.bets[bet].opponent_stake)?;
        self.bets[bet].acceptor = Some(user);
        self.bets[bet].phase = Phase::Accepted;
        self.unlock(user, false);
        Ok(())
    }

    pub(super) fn delete(&mut self, user: usize, bet: usize) -> Verdict {
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_delete(user)?;
        self.bets[bet].is_deleted = true;
        self.cancel(bet, Cause::Deleted);
        Ok(())
    }

    pub(super) fn end_early(&mut self, user: usize, bet: usize) -> Verdict {
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_end_early(user, self.now)?;
        self.bets[bet].phase = Phase::Awaiting;
        Ok(())
    }

    pub(super) fn propose(&mut self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_propose(user, now)?;
        if self.bets[bet].is_manual {
            self.settle(bet, outcome);
            return Ok(());
        }
        let one = &mut self.bets[bet];
        one.phase = Phase::Awaiting;
        one.proposal = Some(Proposal { outcome, by: user, at: now });
        one.last_proposed_at = Some(now);
        one.deferred_until = None;
        Ok(())
    }

    pub(super) fn respond(&mut self, user: usize, bet: usize, accepts: bool, named: Named) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_respond(user, accepts)?;
        if named == Named::Other {
            return refused("proposal_changed");
        }
        let Some(proposal) = self.bets[bet].proposal else { return refused("no_proposal") };
        if accepts {
            self.settle(bet, proposal.outcome);
            return Ok(());
        }
        let one = &mut self.bets[bet];
        one.proposal = None;
        one.rejections += 1;
        one.last_rejected_at = Some(now);
        one.deferred_until = None;
        Ok(())
    }

    pub(super) fn dispute(&mut self, user: usize, bet: usize) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_dispute(user, now)?;
        let one = &mut self.bets[bet];
        one.phase = Phase::Awaiting;
        one.disputed_at = Some(now);
        one.deferred_until = None;
        Ok(())
    }

    pub(super) fn rule(&mut self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        self.only_admins(user)?;
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_rule(user)?;
        self.settle(bet, outcome);
        Ok(())
    }

    pub(super) fn refund(&mut self, user: usize, bet: usize) -> Verdict {
        self.only_admins(user)?;
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_refund(user)?;
        self.cancel(bet, Cause::Refunded);
        Ok(())
    }

    pub(super) fn remove(&mut self, user: usize, bet: usize) -> Verdict {
        self.only_admins(user)?;
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].no_conflict(user)?;
        self.bets[bet].is_deleted = true;
        if self.bets[bet].is_open() {
            self.cancel(bet, Cause::Deleted);
        }
        Ok(())
    }

    pub(super) fn settle(&mut self, bet: usize, outcome: Outcome) {
        let Outcome::Wins(side) = outcome else { return self.cancel(bet, Cause::Void) };
        let one = &mut self.bets[bet];
        let (winner, pot, currency) = (one.on_side(side), one.pot(), one.currency);
        one.phase = Phase::Resolved(winner);
        *self.users[winner].balance(currency) += pot;
        self.unlock(winner, true);
    }

    pub(super) fn cancel(&mut self, bet: usize, cause: Cause) {
        let one = &mut self.bets[bet];
        one.phase = Phase::Cancelled(cause);
        let (currency, creators) = (one.currency, (one.creator, one.stake));
        let acceptors = one.acceptor.map(|acceptor| (acceptor, one.opponent_stake));
        for (owner, stake) in [Some(creators), acceptors].into_iter().flatten() {
            *self.users[owner].balance(currency) += stake;
        }
    }

    /// The outcome of a dispute that nobody ruled on: the standing proposal of A or B if it favours the party who did
    /// not make it, else void.
    pub(super) fn unruled(bet: &Bet) -> Outcome {
        match bet.proposal {
            Some(Proposal { outcome: Outcome::Wins(side), by, .. }) if bet.on_side(side) != by => {
                Outcome::Wins(side)
            }
            _ => Outcome::Void,
        }
    }

    /// The names of the actions that are open to the user, in the order of `docs/http-api.md#bets`, with the steps of
    /// the clock that are due counted as done.
    pub fn open_actions(&self, user: usize, bet: usize) -> Vec<&'static str> {
        let mut ahead = self.clone();
        ahead.apply_due(bet);
        let (one, now, is_admin) = (&ahead.bets[bet], ahead.now, ahead.users[user].is_admin);
        let opens = one.phase != Phase::Awaiting;
        let all = [
            ("accept", one.may_accept(user, now).is_ok()),
            ("delete", one.may_delete(user).is_ok()),
            ("end_early", one.may_end_early(user, now).is_ok() && opens),
            ("propose", one.may_propose(user, now).is_ok()),
            ("accept_proposal", one.may_respond(user, true).is_ok()),
            ("reject_proposal", one.may_respond(user, false).is_ok()),
            ("dispute", one.may_dispute(user, now).is_ok()),
            ("rule", one.may_arbitrate(user).is_ok() || is_admin && one.may_rule(user).is_ok()),
            ("refund", is_admin && one.may_refund(user).is_ok()),
            ("admin_delete", is_admin && one.no_conflict(user).is_ok()),
            ("accept_arbitration", one.may_answer(user, true) == Ok(Some(super::Task::Accepted))),
            ("decline_arbitration", one.may_answer(user, false) == Ok(Some(super::Task::Declined))),
            ("resign_arbitration", one.may_answer(user, false) == Ok(Some(super::Task::Resigned))),
        ];
        all.into_iter().filter(|(_, is_open)| *is_open).map(|(name, _)| name).collect()
    }

    /// The time of the next deadline of the bet, if it has one.
    pub fn next_deadline(&self, bet: usize) -> Option<i64> {
        let bet = self.bets.get(bet)?;
        bet.hand_over_at().or_else(|| bet.decision().map(|Deadline { at, .. }| at))
    }
}
