//! Helpers for the tests of this crate: users, times, bets and actions. Times are in hours after the expiry
//! of the bet.

use std::time::Duration;

use bolts_bets::{
    Arbiter, ArbiterStatus, Bet, Change, Method, MethodPolicy, NewBet, Outcome, Refusal, Side, Terms,
    TermsDraft, Visibility, Waits,
};
use bolts_kernel::{ProposalId, Timestamp, UserId};
use bolts_resolution::{
    Answer, actions, admin_delete, answer_invitation, deadlines, dispute, end_early, propose, refund,
    respond, rule, rule_as_arbiter,
};

/// The creator's stake, and the stake of the acceptor.
pub(crate) const STAKES: (i64, i64) = (100, 60);

pub(crate) fn user(number: u128) -> UserId {
    format!("{number:032x}").parse().unwrap()
}

pub(crate) fn proposal(number: u128) -> ProposalId {
    format!("{number:032x}").parse().unwrap()
}

/// The creator, who has side A.
pub(crate) fn creator() -> UserId {
    user(1)
}

/// The acceptor, who has side B.
pub(crate) fn acceptor() -> UserId {
    user(2)
}

/// The arbiter of the bets that have one.
pub(crate) fn arbiter() -> UserId {
    user(3)
}

/// The bet with an arbiter of this status.
pub(crate) fn with_arbiter(bet: Bet, status: ArbiterStatus) -> Bet {
    Bet { arbiter: Some(Arbiter { user: arbiter(), status }), ..bet }
}

/// An admin who is not a party.
pub(crate) fn admin() -> UserId {
    user(4)
}

/// The time that is `hours` hours after the expiry. All bets of these tests have the same expiry.
pub(crate) fn hour(hours: i64) -> Timestamp {
    let expiry = Timestamp::parse("2026-12-24T21:00:00Z").unwrap();
    shifted(expiry, hours * 3_600_000_000)
}

pub(crate) fn shifted(at: Timestamp, micros: i64) -> Timestamp {
    Timestamp::from_micros(at.micros() + micros).unwrap()
}

/// The last microsecond before this instant.
pub(crate) fn just_before(at: Timestamp) -> Timestamp {
    shifted(at, -1)
}

pub(crate) fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 3_600)
}

/// A pending bet, created ten days before its expiry.
pub(crate) fn pending(method: Method) -> Bet {
    pending_with(method, Waits::default())
}

pub(crate) fn pending_with(method: Method, waits: Waits) -> Bet {
    pending_at(STAKES, method, waits)
}

/// A pending bet with the stakes of the creator and of the acceptor.
pub(crate) fn pending_at(stakes: (i64, i64), method: Method, waits: Waits) -> Bet {
    let draft = TermsDraft {
        title: "Will it snow in Boston?".to_owned(),
        option_a: "Yes".to_owned(),
        option_b: "No".to_owned(),
        stake_amount: stakes.0,
        opponent_stake: Some(stakes.1),
        currency: "bolts".to_owned(),
        method: method.to_string(),
        expires_at: hour(0).to_string(),
        ..TermsDraft::default()
    };
    let terms = Terms::parse(&draft, Visibility::Public, MethodPolicy::All, hour(-240)).unwrap();
    let id = format!("{:032x}", 77).parse().unwrap();
    let new = NewBet { id, creator: creator(), creator_side: Side::A, terms, waits, arbiter: None };
    Bet::create(new, hour(-240)).bet
}

/// A bet that the acceptor accepted nine days before its expiry.
pub(crate) fn live(method: Method) -> Bet {
    pending(method).accept(acceptor(), Side::B, hour(-216)).unwrap().bet
}

/// A bet whose resolution the creator opened five days before its expiry.
pub(crate) fn awaiting(method: Method) -> Bet {
    end_early(live(method), creator(), hour(-120)).unwrap().bet
}

/// The proposal that an answer names: no proposal, the current proposal, or another proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    No,
    Right,
    Wrong,
}

/// All actions on a bet after its creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Accept(Side),
    Delete,
    EndEarly,
    Propose(Outcome),
    Respond(Answer, Named),
    Dispute,
    Rule(Outcome),
    Refund,
    AdminDelete,
    /// The named arbiter accepts the invitation, or declines it or gives the task up.
    AnswerInvitation(bool),
    RuleAsArbiter(Outcome),
}

/// Applies an action, but not the steps of the clock that are due. `fresh` is the id of a new proposal.
pub(crate) fn act(
    bet: Bet,
    action: Action,
    by: UserId,
    fresh: ProposalId,
    now: Timestamp,
) -> Result<Change, Refusal> {
    match action {
        Action::Accept(side) => bet.accept(by, side, now),
        Action::Delete => bet.delete(by, now),
        Action::EndEarly => end_early(bet, by, now),
        Action::Propose(outcome) => propose(bet, by, outcome, fresh, now),
        Action::Respond(answer, named) => {
            let standing = bet.state.negotiation().and_then(|negotiation| negotiation.standing);
            let named = match named {
                Named::No => None,
                Named::Right => Some(standing.map_or(proposal(600), |standing| standing.id)),
                Named::Wrong => Some(proposal(601)),
            };
            respond(bet, by, answer, named, now)
        }
        Action::Dispute => dispute(bet, by, "It did snow.", now),
        Action::Rule(outcome) => rule(bet, by, outcome, "Seen on the radar.", now),
        Action::Refund => refund(bet, by, now),
        Action::AdminDelete => admin_delete(bet, by, now),
        Action::AnswerInvitation(accept) => answer_invitation(bet, by, accept, now),
        Action::RuleAsArbiter(outcome) => rule_as_arbiter(bet, by, outcome, "Seen on the radar.", now),
    }
}

impl Action {
    /// The name of this action in the list of open actions.
    pub(crate) fn listed_as(self, bet: &Bet) -> bolts_bets::Action {
        let has_accepted = bet.arbiter.is_some_and(|one| one.status == ArbiterStatus::Accepted);
        match self {
            Self::Accept(_) => bolts_bets::Action::Accept,
            Self::Delete => bolts_bets::Action::Delete,
            Self::EndEarly => bolts_bets::Action::EndEarly,
            Self::Propose(_) => bolts_bets::Action::Propose,
            Self::Respond(Answer::Accept, _) => bolts_bets::Action::AcceptProposal,
            Self::Respond(Answer::Reject, _) => bolts_bets::Action::RejectProposal,
            Self::Dispute => bolts_bets::Action::Dispute,
            Self::Rule(_) | Self::RuleAsArbiter(_) => bolts_bets::Action::Rule,
            Self::AnswerInvitation(true) => bolts_bets::Action::AcceptArbitration,
            Self::AnswerInvitation(false) if has_accepted => bolts_bets::Action::ResignArbitration,
            Self::AnswerInvitation(false) => bolts_bets::Action::DeclineArbitration,
            Self::Refund => bolts_bets::Action::Refund,
            Self::AdminDelete => bolts_bets::Action::AdminDelete,
        }
    }

    fn is_for_admins(self) -> bool {
        matches!(self, Self::Refund | Self::AdminDelete)
    }
}

/// Checks that the list of open actions contains this action if the action changed the bet, and only then. A
/// refusal because of the content of the request (the option, the named proposal) counts as a change, because
/// the list does not consider this content. A deleted bet has no actions, because nobody sees the bet.
pub(crate) fn check_listed(
    bet: &Bet,
    action: Action,
    by: UserId,
    result: &Result<Change, Refusal>,
    now: Timestamp,
) -> Result<(), String> {
    let is_open = match result {
        Ok(change) => change.bet != *bet,
        Err(Refusal::OptionTaken | Refusal::ProposalChanged) => true,
        Err(_) => false,
    };
    let is_open = is_open && bet.deletion.is_none();
    for is_admin in [false, true] {
        let expected = if let Action::Rule(outcome) | Action::RuleAsArbiter(outcome) = action {
            // The list does not tell whether the user rules as the arbiter or as an admin.
            let may = |action| act(bet.clone(), action, by, proposal(602), now).is_ok();
            may(Action::RuleAsArbiter(outcome)) || is_admin && may(Action::Rule(outcome))
        } else {
            is_open && (is_admin || !action.is_for_admins())
        };
        let all = actions(bet, by, is_admin, now);
        if all.contains(&action.listed_as(bet)) != expected {
            return Err(format!(
                "{action:?} by {by:?} (admin: {is_admin}) gave {result:?}, but the actions are {all:?}"
            ));
        }
    }
    Ok(())
}

/// Applies all steps of the clock that are due, as every use case does before an action.
pub(crate) fn swept(mut bet: Bet, now: Timestamp) -> Bet {
    // At most three steps are due at once: an expiry, a reminder and a decision.
    for _ in 0..4 {
        let Some(change) = deadlines::due(&bet, now) else { return bet };
        bet = change.bet;
    }
    panic!("more than four steps of the clock are due at {now} on {bet:?}");
}
