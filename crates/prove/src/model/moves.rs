//! What the actions on a bet do, from the tables of `docs/domain-rules.md`.

use super::action::{Expiry, Terms, Token};
use super::bet::{Bet, Cause, Outcome, Phase, Proposal, Side};
use super::clock::Deadline;
use super::news::To;
use super::{BETS_PER_HOUR, HOUR, Money, Refusal, SECOND, Verdict, World, refused, refused_on};

impl World {
    /// The bet with this number, as the user sees it: after all steps of the clock that are due. A user who may not see
    /// the bet gets the same answer as for a bet that does not exist.
    pub(super) fn seen(&mut self, user: usize, bet: usize, token: Token) -> Result<usize, Refusal> {
        if !self.may_see(user, bet, token) {
            return Err(("bet_not_found", None));
        }
        self.apply_due(bet);
        Ok(bet)
    }

    /// Whether the bet exists for this user.
    pub(super) fn may_see(&self, user: usize, bet: usize, token: Token) -> bool {
        let may_see = |bet: &Bet| {
            !bet.is_private || bet.concerns(user) || self.users[user].is_admin || token == Token::Right
        };
        self.bets.get(bet).is_some_and(|bet| !bet.is_deleted && may_see(bet))
    }

    /// The checks of a new bet that need only its fields and the time.
    pub(super) fn judge(terms: &Terms) -> Verdict {
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
        match terms.expiry {
            Expiry::In(1..) => Ok(()),
            Expiry::In(_) | Expiry::TooFar => refused_on("invalid_fields", "expiresAt"),
        }
    }

    pub(super) fn create(&mut self, user: usize, terms: &Terms) -> Verdict {
        Self::judge(terms)?;
        let Expiry::In(wait) = terms.expiry else { return refused_on("invalid_fields", "expiresAt") };
        if self.now < self.users[user].bets_refused_until {
            return refused("too_many_bets");
        }
        let arbiter = self.arbiter_for(user, terms.arbiter)?;
        let arbiter = arbiter.map(|named| (named, super::Task::Invited));
        self.can_stake(user, terms.currency, terms.stake)?;
        self.count_bet(user)?;
        *self.users[user].balance(terms.currency) -= terms.stake;
        self.bets.push(Bet {
            creator: user,
            acceptor: None,
            stake: terms.stake,
            opponent_stake: terms.opponent_stake.unwrap_or(terms.stake),
            currency: terms.currency,
            is_manual: terms.is_manual,
            creator_side: terms.side,
            is_private: terms.is_private,
            expires_at: self.now + wait,
            phase: Phase::Pending,
            proposal: None,
            proposals: 0,
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
        if arbiter.is_some_and(|(named, _)| self.is_told_of_invitation(user, named)) {
            self.tell(To::Arbiter, self.bets.len() - 1, "Arbiter Wanted");
        }
        self.unlock(user, false);
        Ok(())
    }

    /// Whether a user is told of an invitation: once an hour for each creator.
    fn is_told_of_invitation(&mut self, creator: usize, named: usize) -> bool {
        let (now, pair) = (self.now, (creator, named));
        let is_told = self.invited.get(&pair).is_none_or(|since| now >= since + HOUR);
        if is_told {
            self.invited.insert(pair, now);
        }
        is_told
    }

    fn can_stake(&mut self, user: usize, currency: Money, stake: i64) -> Verdict {
        let now = self.now;
        let user = &mut self.users[user];
        if currency == Money::Sats && now < user.cooldown_until {
            return refused("sats_in_cooldown");
        }
        if *user.balance(currency) < stake { refused("insufficient_balance") } else { Ok(()) }
    }

    /// A user in a cooldown gives no sats away: a thief may own the account that gets them.
    pub(super) fn may_give_away(&self, user: usize, bet: usize) -> Verdict {
        let is_in_cooldown =
            self.bets[bet].currency == Money::Sats && self.now < self.users[user].cooldown_until;
        if is_in_cooldown { refused("sats_in_cooldown") } else { Ok(()) }
    }

    /// Whether a party may propose or accept this outcome. A party who would lose by it may not in a cooldown.
    fn may_agree(&self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        match outcome {
            Outcome::Wins(side) if self.bets[bet].on_side(side) != user => self.may_give_away(user, bet),
            Outcome::Wins(_) | Outcome::Void => Ok(()),
        }
    }

    /// Counts a new bet towards the hourly limit. The window begins with its first bet. A site that has once refused
    /// a user because of the limit refuses all further bets until the window ends, before it looks at the balance.
    fn count_bet(&mut self, user: usize) -> Verdict {
        let now = self.now;
        let user = &mut self.users[user];
        let (since, count) = user.bets_made.filter(|(since, _)| now < since + HOUR).unwrap_or((now, 0));
        if count >= BETS_PER_HOUR {
            // A client is told to wait for at least one second.
            user.bets_refused_until = (since + HOUR).max(now + SECOND);
            return refused("too_many_bets");
        }
        user.bets_made = Some((since, count + 1));
        Ok(())
    }

    pub(super) fn accept(&mut self, user: usize, bet: usize, side: Side, token: Token) -> Verdict {
        let bet = self.seen(user, bet, token)?;
        self.bets[bet].may_accept(user, self.now)?;
        if side == self.bets[bet].creator_side {
            return refused("option_taken");
        }
        let (currency, stake) = (self.bets[bet].currency, self.bets[bet].opponent_stake);
        self.can_stake(user, currency, stake)?;
        *self.users[user].balance(currency) -= stake;
        self.bets[bet].acceptor = Some(user);
        self.bets[bet].phase = Phase::Accepted;
        self.tell(To::User(self.bets[bet].creator), bet, "Bet Accepted");
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
        if self.bets[bet].phase == Phase::Accepted {
            self.bets[bet].phase = Phase::Awaiting;
            self.tell(To::User(self.bets[bet].other(user)), bet, "Bet Ended");
        }
        Ok(())
    }

    pub(super) fn propose(&mut self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_propose(user, now)?;
        self.may_agree(user, bet, outcome)?;
        let other = To::User(self.bets[bet].other(user));
        if self.bets[bet].is_manual {
            self.settle(bet, outcome);
            self.tell(other, bet, "Outcome Declared");
            return Ok(());
        }
        let one = &mut self.bets[bet];
        one.phase = Phase::Awaiting;
        one.proposal = Some(Proposal { outcome, by: user, at: now });
        one.proposals += 1;
        one.last_proposed_at = Some(now);
        one.deferred_until = None;
        self.tell(other, bet, "Outcome Proposed");
        Ok(())
    }

    /// `named` is the number of the proposal that the answer names: 1 for the first proposal of the bet.
    pub(super) fn respond(&mut self, user: usize, bet: usize, accepts: bool, named: Option<u32>) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_respond(user, accepts)?;
        if named.is_some_and(|number| number != self.bets[bet].proposals) {
            return refused("proposal_changed");
        }
        let Some(proposal) = self.bets[bet].proposal else { return refused("no_proposal") };
        if accepts {
            self.may_agree(user, bet, proposal.outcome)?;
            self.settle(bet, proposal.outcome);
            self.tell(To::User(proposal.by), bet, "Outcome Accepted");
            return Ok(());
        }
        let one = &mut self.bets[bet];
        one.proposal = None;
        one.rejections += 1;
        one.last_rejected_at = Some(now);
        one.deferred_until = None;
        self.tell(To::User(proposal.by), bet, "Outcome Rejected");
        Ok(())
    }

    pub(super) fn dispute(&mut self, user: usize, bet: usize) -> Verdict {
        let (bet, now) = (self.seen(user, bet, Token::None)?, self.now);
        self.bets[bet].may_dispute(user, now)?;
        let one = &mut self.bets[bet];
        one.phase = Phase::Awaiting;
        one.disputed_at = Some(now);
        one.deferred_until = None;
        let (other, ruler) = (one.other(user), if one.is_with_arbiter() { To::Arbiter } else { To::Admins });
        self.tell(To::User(other), bet, "Bet Disputed");
        self.tell(ruler, bet, "Dispute to Rule On");
        Ok(())
    }

    pub(super) fn rule(&mut self, user: usize, bet: usize, outcome: Outcome) -> Verdict {
        self.only_admins(user)?;
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_rule(user)?;
        self.may_give_away(user, bet)?;
        self.settle(bet, outcome);
        self.tell(To::Parties, bet, "Dispute Ruled");
        Ok(())
    }

    pub(super) fn refund(&mut self, user: usize, bet: usize) -> Verdict {
        self.only_admins(user)?;
        let bet = self.seen(user, bet, Token::None)?;
        self.bets[bet].may_refund(user)?;
        self.may_give_away(user, bet)?;
        self.cancel(bet, Cause::Refunded);
        self.tell(To::Parties, bet, "Bet Refunded");
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
        self.tell(To::Parties, bet, "Bet Removed");
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
        let (now, is_admin) = (self.now, self.users[user].is_admin);
        let ahead = self.is_behind(bet).then(|| {
            let mut ahead = self.clone();
            ahead.apply_due(bet);
            ahead
        });
        let one = &ahead.as_ref().unwrap_or(self).bets[bet];
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
