//! A second implementation of the rules: checks for each change whether this user, or the clock, was permitted
//! to make the change at this time.

use bolts_bets::{
    ArbiterStatus, Bet, By, Change, EventKind, Method, Negotiation, Outcome, Party, Proposal, Recipient,
    State, Status,
};
use bolts_kernel::{Timestamp, UserId};

use super::invariants::{moved, rejections, same_acceptor};
use super::world::Checked;

/// The state of the bet before the change.
struct Before<'a> {
    bet: &'a Bet,
    standing: Option<Proposal>,
    disputed_at: Option<Timestamp>,
    expired: bool,
    /// The status of the arbiter.
    arbiter: Option<ArbiterStatus>,
}

impl<'a> Before<'a> {
    fn new(bet: &'a Bet, now: Timestamp) -> Self {
        let open = match &bet.state {
            State::AwaitingResolution(negotiation) => Some(negotiation),
            State::Pending | State::Accepted(_) | State::Resolved { .. } | State::Cancelled { .. } => None,
        };
        Self {
            bet,
            standing: open.and_then(|negotiation| negotiation.standing),
            disputed_at: open.and_then(|negotiation| negotiation.dispute.as_ref()).map(|dispute| dispute.at),
            expired: now >= bet.terms.expires_at,
            arbiter: bet.arbiter.map(|arbiter| arbiter.status),
        }
    }

    /// Whether a dispute waits for the arbiter.
    fn is_with_arbiter(&self) -> bool {
        self.disputed_at.is_some() && self.arbiter == Some(ArbiterStatus::Accepted)
    }

    /// The instant from which the time until a lapse counts: the latest of the expiry, the last proposal and
    /// the last rejection.
    fn lapse_counts_from(&self) -> Timestamp {
        let negotiation = self.bet.state.negotiation();
        let proposed = negotiation.and_then(|n: &Negotiation| n.last_proposed_at);
        let rejected = negotiation.and_then(|n| n.rejections.last_at);
        self.bet
            .terms
            .expires_at
            .max(proposed.unwrap_or(self.bet.created_at))
            .max(rejected.unwrap_or(self.bet.created_at))
    }
}

pub(crate) fn clock(bet: &Bet, change: &Change, now: Timestamp) -> Checked {
    let before = Before::new(bet, now);
    let waits = bet.waits;
    let permitted = match change.event.as_ref().map(|event| event.kind) {
        // A change without an event is a reminder. Only a bet with both stakes in escrow has reminders. A dispute has
        // a reminder only for the arbiter.
        None => {
            matches!(bet.status(), Status::Accepted | Status::AwaitingResolution)
                && (before.disputed_at.is_none() || before.is_with_arbiter())
        }
        Some(EventKind::HandedOver) => {
            before.is_with_arbiter()
                && before.disputed_at.is_some_and(|at| now >= at.after(waits.arbiter))
                && change.bet.arbiter.map(|arbiter| arbiter.status) == Some(ArbiterStatus::OutOfTime)
        }
        Some(EventKind::Expired) => bet.status() == Status::Pending && before.expired,
        Some(EventKind::Due) => before.expired && !bet.marks.due_told,
        Some(EventKind::Stood) => before.standing.is_some_and(|standing| {
            standing.outcome != Outcome::Void
                && before.disputed_at.is_none()
                && now >= standing.at.max(bet.terms.expires_at).after(waits.stand)
                && change.bet.winner() == standing.outcome.winning_side().and_then(|side| bet.user_on(side))
        }),
        Some(EventKind::Lapsed) => {
            before.standing.is_none_or(|standing| standing.outcome == Outcome::Void)
                && before.disputed_at.is_none()
                && now >= before.lapse_counts_from().after(waits.lapse)
        }
        Some(EventKind::DisputeLapsed) => {
            before.disputed_at.is_some_and(|at| now >= at.after(waits.dispute_lapse))
                // If a dispute lapses, no party may win with their own proposal.
                && change.bet.winner().is_none_or(|winner| before.standing.is_some_and(|p| p.by != winner))
        }
        Some(event) => return Err(format!("the clock never causes this event: {event}")),
    };
    if !permitted {
        return Err(format!(
            "the clock was not permitted to do this at {now}: {:?}, on {bet:?}",
            change.event
        ));
    }
    common(bet, change, None, now)
}

pub(crate) fn action(bet: &Bet, change: &Change, by: UserId, now: Timestamp) -> Checked {
    let before = Before::new(bet, now);
    let party = bet.party(by);
    let others = before.standing.is_some_and(|standing| standing.by != by);
    let open = before.disputed_at.is_none();
    let is_arbiter = bet.arbiter.is_some_and(|arbiter| arbiter.user == by);
    let is = |status| is_arbiter && before.arbiter == Some(status);
    let permitted = match change.event.as_ref().map(|event| event.kind) {
        None => change.bet == *bet && (is_arbiter || party == Some(Party::Acceptor) && open),
        Some(EventKind::Accepted) => party.is_none() && !is_arbiter && !before.expired,
        Some(EventKind::Deleted) => party == Some(Party::Creator),
        Some(EventKind::EndedEarly) => {
            party == Some(if before.expired { Party::Acceptor } else { Party::Creator })
        }
        Some(EventKind::Proposed | EventKind::Declared) => {
            before.standing.is_none() && open && may_propose(&before, party, now)
        }
        Some(EventKind::Agreed) => party.is_some() && others,
        Some(EventKind::Rejected) => party.is_some() && others && open,
        Some(EventKind::Disputed) => {
            party.is_some() && open && (before.expired || bet.status() != Status::Accepted)
        }
        Some(EventKind::Ruled) => party.is_none() && !open && (is_arbiter || !before.is_with_arbiter()),
        Some(EventKind::Refunded) => party.is_none() && !before.is_with_arbiter(),
        Some(EventKind::AdminDeleted) => party.is_none(),
        Some(EventKind::ArbiterAccepted) => is(ArbiterStatus::Invited) && open,
        Some(EventKind::ArbiterDeclined) => is(ArbiterStatus::Invited),
        Some(EventKind::ArbiterResigned) => is(ArbiterStatus::Accepted),
        Some(event) => return Err(format!("no user causes this event: {event}")),
    };
    if !permitted {
        return Err(format!("{by:?} was not permitted to do this at {now}: {:?}, on {bet:?}", change.event));
    }
    common(bet, change, Some(by), now)
}

/// Whether the party may propose, by the table in `docs/domain-rules.md#who-may-propose`.
fn may_propose(before: &Before<'_>, party: Option<Party>, now: Timestamp) -> bool {
    let bet = before.bet;
    let awaiting = bet.status() == Status::AwaitingResolution;
    let rejected = bet.state.negotiation().and_then(|n| n.rejections.last_at).unwrap_or(bet.created_at);
    match (bet.terms.method, party) {
        (_, None) => false,
        (Method::ManualVerification, Some(Party::Creator)) => awaiting || before.expired,
        (Method::ManualVerification, Some(Party::Acceptor)) => before.expired,
        (Method::MutualAgreement, Some(Party::Creator)) => true,
        (Method::MutualAgreement, Some(Party::Acceptor)) => {
            awaiting && now >= bet.terms.expires_at.max(rejected).after(bet.waits.stand)
        }
    }
}

/// The checks that apply to every change, whether a user or the clock made it.
fn common(bet: &Bet, change: &Change, by: Option<UserId>, now: Timestamp) -> Checked {
    let event = change.event.as_ref();
    let void = Some(Outcome::Void.as_str());
    let is_void =
        event.and_then(|event| event.detail.as_deref()).and_then(|detail| detail.split(':').next()) == void;
    moved(bet, &change.bet, event.map(|event| event.kind), is_void)?;
    let rejected = u32::from(event.is_some_and(|event| event.kind == EventKind::Rejected));
    if change.bet.status() != Status::Pending && rejections(&change.bet) != rejections(bet) + rejected {
        return Err(format!("rejections: {} became {}", rejections(bet), rejections(&change.bet)));
    }
    if !same_acceptor(bet, &change.bet) {
        return Err("the acceptor has changed".to_owned());
    }
    if event.is_some_and(|event| event.at != now || change.bet.updated_at != now) {
        return Err("the event does not have the current time".to_owned());
    }
    let author = event.map(|event| event.by);
    let rules = bet.arbiter.filter(|arbiter| arbiter.status == ArbiterStatus::Accepted);
    let expected = event.map(|event| match by.map(|by| (by, change.bet.party(by))) {
        None => By::Clock,
        Some((_, Some(party))) => party.as_author(),
        Some((by, None)) => {
            let answers = matches!(
                event.kind,
                EventKind::ArbiterAccepted | EventKind::ArbiterDeclined | EventKind::ArbiterResigned
            );
            let is_ruling = event.kind == EventKind::Ruled && rules.is_some_and(|arbiter| arbiter.user == by);
            if answers || is_ruling { By::Arbiter } else { By::Admin(by) }
        }
    });
    if author != expected {
        return Err(format!("the author is {expected:?}, but the event says {author:?}"));
    }
    check_notices(change, by)
}

/// Checks that the users who get notifications are parties or the arbiter, and that nobody gets a notification of their own
/// action.
fn check_notices(change: &Change, by: Option<UserId>) -> Checked {
    for notice in &change.notices {
        if let Recipient::User(user) = notice.to
            && (change.bet.party(user).is_none() && change.bet.arbiter_named(user).is_none()
                || Some(user) == by)
        {
            return Err(format!("{user:?} must not get the notification {}", notice.kind));
        }
    }
    Ok(())
}
