//! The actions of the two parties on an accepted bet.

use bolts_bets::{
    Bet, Challenge, Change, Dispute, EventKind, Method, Negotiation, NoticeKind, Outcome, Party, Proposal,
    Refusal, SettledBy, State,
};
use bolts_kernel::{ProposalId, Timestamp, UserId};

use crate::settle;

/// The answer of a party to a proposal of the other party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Accept the proposal. The acceptance settles the bet.
    Accept,
    /// Reject the proposal. Another proposal may follow.
    Reject,
}

fn party(bet: &Bet, user: UserId) -> Result<Party, Refusal> {
    bet.party(user).ok_or(Refusal::NotAParty)
}

/// Checks that the user may open the resolution. The returned challenge is `None` if the resolution is already
/// open.
pub(crate) fn check_end_early(
    bet: &Bet,
    user: UserId,
    now: Timestamp,
) -> Result<(Party, Option<Challenge>), Refusal> {
    let party = party(bet, user)?;
    let expired = bet.is_expired(now);
    match (&bet.state, party) {
        (State::Pending | State::Cancelled { .. }, _) => Err(Refusal::NotAccepted),
        (State::Resolved { .. }, _) => Err(Refusal::AlreadyResolved),
        (State::AwaitingResolution(Negotiation { dispute: Some(_), .. }), _) => Err(Refusal::Disputed),
        (State::AwaitingResolution(_), Party::Creator) => Err(Refusal::NotAccepted),
        (State::AwaitingResolution(_), Party::Acceptor) => Ok((party, None)),
        (State::Accepted(_), Party::Creator) if expired => Err(Refusal::Expired),
        (State::Accepted(_), Party::Acceptor) if !expired => Err(Refusal::NotExpired),
        (State::Accepted(challenge), _) => Ok((party, Some(*challenge))),
    }
}

/// Opens the resolution of an accepted bet. The button is 'End Bet Early' for the creator, and 'Resolve Expired
/// Bet' for the acceptor.
///
/// If the bet already awaits its resolution, the acceptor's call changes nothing and sends no notification.
///
/// # Errors
/// The user is not a party, the bet is disputed, or the status or the expiry of the bet does not allow the
/// action.
pub fn end_early(mut bet: Bet, user: UserId, now: Timestamp) -> Result<Change, Refusal> {
    let (party, challenge) = check_end_early(&bet, user, now)?;
    let Some(challenge) = challenge else {
        return Ok(Change::silent(bet));
    };
    bet.state = State::AwaitingResolution(Negotiation::new(challenge));
    let change = bet.changed(now, EventKind::EndedEarly, party.as_author());
    Ok(change.telling(party.other(), NoticeKind::ResolutionOpened))
}

/// Checks that the user may propose an outcome. Returns the negotiation to continue.
pub(crate) fn check_propose(
    bet: &Bet,
    user: UserId,
    now: Timestamp,
) -> Result<(Party, Negotiation), Refusal> {
    let party = party(bet, user)?;
    let negotiation = match &bet.state {
        State::Pending | State::Cancelled { .. } => return Err(Refusal::NotAccepted),
        State::Resolved { .. } => return Err(Refusal::AlreadyResolved),
        State::AwaitingResolution(negotiation) if negotiation.dispute.is_some() => {
            return Err(Refusal::Disputed);
        }
        State::Accepted(challenge) => Negotiation::new(*challenge),
        State::AwaitingResolution(negotiation) => negotiation.clone(),
    };
    may_propose(bet, party, &negotiation, now)?;
    Ok((party, negotiation))
}

/// Proposes an outcome. Under Manual Verification the proposal settles the bet. Under Mutual Agreement the
/// other party must answer the proposal.
///
/// # Errors
/// The user is not a party, the party may not propose now, the status or the expiry of the bet does not allow a
/// proposal, the bet is disputed, or another proposal waits for an answer.
pub fn propose(
    mut bet: Bet,
    user: UserId,
    outcome: Outcome,
    id: ProposalId,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let (party, mut negotiation) = check_propose(&bet, user, now)?;
    bet.marks.deferred_until = None;
    match bet.terms.method {
        Method::ManualVerification => {
            let change = settle(bet, negotiation, outcome, SettledBy::Declaration, now);
            let change = change.recorded(EventKind::Declared, party.as_author()).detailed(outcome.as_str());
            Ok(change.telling_of(party.other(), NoticeKind::OutcomeDeclared, Some(outcome), None))
        }
        Method::MutualAgreement => {
            negotiation.standing = Some(Proposal { id, outcome, by: user, at: now });
            negotiation.last_proposed_at = Some(now);
            bet.state = State::AwaitingResolution(negotiation);
            let until = crate::deadlines::decision(&bet).map(|deadline| deadline.at);
            let change = bet.changed(now, EventKind::Proposed, party.as_author()).detailed(outcome.as_str());
            Ok(change.telling_of(party.other(), NoticeKind::OutcomeProposed, Some(outcome), until))
        }
    }
}

/// Checks whether the party may propose now, by the table in `docs/domain-rules.md#who-may-propose`.
fn may_propose(bet: &Bet, party: Party, negotiation: &Negotiation, now: Timestamp) -> Result<(), Refusal> {
    let awaiting = matches!(bet.state, State::AwaitingResolution(_));
    let expired = bet.is_expired(now);
    match (bet.terms.method, party) {
        (Method::ManualVerification, Party::Creator) if awaiting || expired => Ok(()),
        (Method::ManualVerification, Party::Creator) => Err(Refusal::NotAwaitingResolution),
        (Method::ManualVerification, Party::Acceptor) if expired => Ok(()),
        (Method::ManualVerification, Party::Acceptor) => Err(Refusal::NotExpired),
        (Method::MutualAgreement, Party::Acceptor) if !awaiting || now < acceptor_turn(bet, negotiation) => {
            Err(Refusal::NotAllowed)
        }
        (Method::MutualAgreement, _) if negotiation.standing.is_some() => Err(Refusal::ProposalPending),
        (Method::MutualAgreement, _) => Ok(()),
    }
}

/// The time from which the acceptor of a Mutual Agreement bet may propose. Without this rule a creator who lost
/// could wait until the bet lapses and get the stake back.
fn acceptor_turn(bet: &Bet, negotiation: &Negotiation) -> Timestamp {
    let from = bet.terms.expires_at.max(negotiation.rejections.last_at.unwrap_or(bet.terms.expires_at));
    from.after(bet.waits.stand)
}

/// The time from which the acceptor may propose, for the pages. `None` if there is no such time in the bet's
/// current state.
pub fn acceptor_may_propose_at(bet: &Bet) -> Option<Timestamp> {
    match (&bet.state, bet.terms.method) {
        (State::AwaitingResolution(n), _) if n.dispute.is_some() || n.standing.is_some() => None,
        (State::AwaitingResolution(n), Method::MutualAgreement) => Some(acceptor_turn(bet, n)),
        (State::Accepted(_) | State::AwaitingResolution(_), Method::ManualVerification) => {
            Some(bet.terms.expires_at)
        }
        (State::Accepted(_) | State::Pending | State::Resolved { .. } | State::Cancelled { .. }, _) => None,
    }
}

/// Checks that the user may give this answer. Returns the party, the negotiation and the proposal.
pub(crate) fn check_respond(
    bet: &Bet,
    user: UserId,
    answer: Answer,
) -> Result<(Party, Negotiation, Proposal), Refusal> {
    let party = party(bet, user)?;
    let negotiation = match &bet.state {
        State::Pending | State::Accepted(_) | State::Cancelled { .. } => {
            return Err(Refusal::NotAwaitingResolution);
        }
        State::Resolved { .. } => return Err(Refusal::AlreadyResolved),
        State::AwaitingResolution(negotiation) => negotiation,
    };
    if negotiation.standing.is_some_and(|proposal| proposal.by == user) {
        return Err(Refusal::NotAllowed);
    }
    if answer == Answer::Reject && negotiation.dispute.is_some() {
        return Err(Refusal::Disputed);
    }
    let proposal = negotiation.standing.ok_or(Refusal::NoProposal)?;
    Ok((party, negotiation.clone(), proposal))
}

/// Accepts or rejects the proposal of the other party. `named` is the proposal that the user saw, if the
/// request names one.
///
/// # Errors
/// The user is not a party or made the proposal, no proposal waits for an answer, the request names another
/// proposal, or the user rejects while the bet is disputed.
pub fn respond(
    mut bet: Bet,
    user: UserId,
    answer: Answer,
    named: Option<ProposalId>,
    now: Timestamp,
) -> Result<Change, Refusal> {
    let (party, mut negotiation, proposal) = check_respond(&bet, user, answer)?;
    if named.is_some_and(|id| id != proposal.id) {
        return Err(Refusal::ProposalChanged);
    }
    let outcome = Some(proposal.outcome);
    match answer {
        Answer::Accept => {
            let change = settle(bet, negotiation, proposal.outcome, SettledBy::Agreement, now);
            let change = change.recorded(EventKind::Agreed, party.as_author());
            let change = change.detailed(proposal.outcome.as_str());
            Ok(change.telling_of(party.other(), NoticeKind::OutcomeAccepted, outcome, None))
        }
        Answer::Reject => {
            negotiation.standing = None;
            negotiation.rejections.count = negotiation.rejections.count.saturating_add(1);
            negotiation.rejections.last_at = Some(now);
            bet.marks.deferred_until = None;
            bet.state = State::AwaitingResolution(negotiation);
            let change = bet.changed(now, EventKind::Rejected, party.as_author());
            let change = change.detailed(proposal.outcome.as_str());
            Ok(change.telling_of(party.other(), NoticeKind::OutcomeRejected, outcome, None))
        }
    }
}

/// Checks that the user may raise a dispute. Returns the negotiation to continue.
pub(crate) fn check_dispute(
    bet: &Bet,
    user: UserId,
    now: Timestamp,
) -> Result<(Party, Negotiation), Refusal> {
    let party = party(bet, user)?;
    match &bet.state {
        State::Pending | State::Cancelled { .. } => Err(Refusal::NotAccepted),
        State::Resolved { .. } => Err(Refusal::AlreadyResolved),
        State::Accepted(_) if !bet.is_expired(now) => Err(Refusal::NotExpired),
        State::Accepted(challenge) => Ok((party, Negotiation::new(*challenge))),
        State::AwaitingResolution(negotiation) if negotiation.dispute.is_some() => Err(Refusal::Disputed),
        State::AwaitingResolution(negotiation) => Ok((party, negotiation.clone())),
    }
}

/// Raises a dispute, so that the arbiter or, without one who accepted, an admin rules on the bet. If a proposal waits for an answer, the other party can
/// still accept the proposal and so settle the bet.
///
/// # Errors
/// The user is not a party, the bet is already disputed, or the status or the expiry of the bet does not allow
/// a dispute.
pub fn dispute(mut bet: Bet, user: UserId, reason: &str, now: Timestamp) -> Result<Change, Refusal> {
    let (party, mut negotiation) = check_dispute(&bet, user, now)?;
    negotiation.dispute = Some(Dispute { by: user, at: now, reason: reason.to_owned() });
    bet.marks.deferred_until = None;
    bet.state = State::AwaitingResolution(negotiation);
    let change = bet.changed(now, EventKind::Disputed, party.as_author()).detailed(reason);
    // The notification names the arbiter's deadline if the arbiter rules.
    let until = crate::deadlines::arbiter_deadline(&change.bet);
    let change = change.telling_of(party.other(), NoticeKind::BetDisputed, None, until);
    Ok(match until {
        Some(_) => change.telling_arbiter(NoticeKind::DisputeToArbitrate, until),
        None => change.telling_admins(NoticeKind::DisputeToRule),
    })
}
