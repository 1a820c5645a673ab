//! The checks after every step: invariants 1 to 5 of `docs/ledger.md#invariants`, and the parts of a bet that
//! must never change.

use bolts_bets::{Bet, EventKind, Outcome, Party, State, Status};
use bolts_kernel::{Currency, UserId};
use bolts_ledger::{Account, TransferKind};
use bolts_resolution::{Task, acceptor_may_propose_at, actions, deadlines, propose, turns};

use super::PEOPLE;
use super::world::{Checked, World};
use crate::support::{proposal, user};

pub(crate) fn all(world: &World) -> Checked {
    let violations = world.book.violations();
    if !violations.is_empty() {
        return Err(violations.join("; "));
    }
    escrow(world)?;
    settlement(world)?;
    balances(world)?;
    constants(&world.first, &world.bet)?;
    acceptors_turn(world)?;
    turn_of_somebody(world)
}

fn require(holds: bool, reason: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(reason()) }
}

/// Invariant 4: the escrow holds the creator's stake while the bet is pending, and both stakes while the bet is accepted
/// or awaits its resolution. After that, the escrow is empty.
fn escrow(world: &World) -> Checked {
    let held = world.book.balance(Account::Escrow(world.bet.id, Currency::Bolts));
    let (creators, acceptors) = world.stakes;
    let expected = match world.bet.status() {
        Status::Pending => creators,
        Status::Accepted | Status::AwaitingResolution => creators + acceptors,
        Status::Resolved | Status::Cancelled => 0,
    };
    require(held == expected, || format!("escrow holds {held}, not {expected}, in {}", world.bet.state))?;
    require(world.bet.escrowed().get() == held, || "`Bet::escrowed` differs from the ledger".to_owned())
}

/// Invariant 5: the escrow of a settled bet was paid out once: to the winner, or back to the owners of the
/// stakes.
fn settlement(world: &World) -> Checked {
    let count = |kind| world.book.transfers().iter().filter(|transfer| transfer.kind() == kind).count();
    let (stakes, payouts, refunds) =
        (count(TransferKind::Stake), count(TransferKind::Payout), count(TransferKind::Refund));
    let expected = match world.bet.status() {
        Status::Pending | Status::Accepted | Status::AwaitingResolution => (0, 0, 0),
        Status::Resolved => (1, 0, 1),
        Status::Cancelled => (0, stakes, 1),
    };
    let found = (payouts, refunds, world.emptied);
    require(found == expected, || format!("payouts, refunds, settlements: {found:?}, not {expected:?}"))?;
    let parties = if world.bet.acceptor().is_some() { 2 } else { 1 };
    require(stakes == parties, || format!("{stakes} stakes of {parties} parties"))
}

/// The balance of each user depends only on the status and the winner of the bet.
fn balances(world: &World) -> Checked {
    let (bet, (creators, acceptors)) = (&world.bet, world.stakes);
    for who in (1..=PEOPLE).map(user) {
        let (staked, opponents) = match bet.party(who) {
            Some(Party::Creator) => (creators, acceptors),
            Some(Party::Acceptor) => (acceptors, creators),
            None => (0, 0),
        };
        let change = match bet.status() {
            Status::Pending | Status::Accepted | Status::AwaitingResolution => -staked,
            Status::Cancelled => 0,
            Status::Resolved if bet.winner() == Some(who) => opponents,
            Status::Resolved => -staked,
        };
        let has = world.book.balance(Account::Available(who, Currency::Bolts));
        require(has == world.granted(who) + change, || format!("{who:?} has {has} in {}", bet.state))?;
    }
    Ok(())
}

fn constants(first: &Bet, bet: &Bet) -> Checked {
    let same = bet.terms == first.terms
        && (bet.id, bet.creator, bet.creator_side) == (first.id, first.creator, first.creator_side)
        && (bet.created_at, bet.waits) == (first.created_at, first.waits)
        && bet.arbiter.map(|arbiter| arbiter.user) == first.arbiter.map(|arbiter| arbiter.user);
    require(same, || "a constant part of the bet has changed".to_owned())?;
    let distinct = bet.acceptor() != Some(bet.creator);
    require(distinct, || "the creator accepted their own bet".to_owned())?;
    let is_party = bet.arbiter.is_some_and(|arbiter| bet.party(arbiter.user).is_some());
    require(!is_party, || "the arbiter is a party".to_owned())
}

/// Checks that `acceptor_may_propose_at`, which the pages use, agrees with `propose`.
fn acceptors_turn(world: &World) -> Checked {
    let Some(acceptor) = world.bet.acceptor() else { return Ok(()) };
    let said = acceptor_may_propose_at(&world.bet).is_some_and(|at| world.now >= at);
    let done = propose(world.bet.clone(), acceptor, Outcome::Void, proposal(5), world.now).is_ok();
    require(said == done, || format!("`acceptor_may_propose_at`: {said}, `propose`: {done}"))
}

/// Checks that a bet in question always waits for a user, so that a user can always end the bet, and that each
/// user whom the bet waits for can do the task.
fn turn_of_somebody(world: &World) -> Checked {
    let (bet, now) = (deadlines::caught_up(&world.bet, world.now), world.now);
    let turns = turns(&world.bet, now);
    let is_in_question = match &bet.state {
        State::Accepted(_) => bet.is_expired(now),
        State::AwaitingResolution(_) => true,
        State::Pending | State::Resolved { .. } | State::Cancelled { .. } => false,
    };
    let rules = turns.arbiter == Some(Task::Rule);
    let waits = turns.admins || rules || turns.creator.is_some() || turns.acceptor.is_some();
    require(waits == (is_in_question && bet.deletion.is_none()), || format!("{turns:?} in {}", bet.state))?;
    for user in (1..=PEOPLE).map(user) {
        let tasks = [false, true].map(|is_admin| (is_admin, turns.of(&bet, user, is_admin)));
        for (is_admin, task) in tasks {
            let open = actions(&world.bet, user, is_admin, now);
            require(task.is_none_or(|task| open.contains(&task.action())), || {
                format!("the bet waits for {user:?} with {task:?}, but the actions are {open:?}")
            })?;
        }
    }
    Ok(())
}

/// The statuses that a bet may have before an event, and the status after the event.
pub(crate) fn edges(event: EventKind) -> (&'static [Status], Status) {
    use Status::{Accepted, AwaitingResolution, Cancelled, Pending, Resolved};
    match event {
        EventKind::Created => (&[], Pending),
        EventKind::Accepted => (&[Pending], Accepted),
        EventKind::Deleted | EventKind::Expired => (&[Pending], Cancelled),
        EventKind::Due => (&[Accepted], Accepted),
        EventKind::EndedEarly => (&[Accepted], AwaitingResolution),
        EventKind::Proposed | EventKind::Disputed => (&[Accepted, AwaitingResolution], AwaitingResolution),
        EventKind::Rejected => (&[AwaitingResolution], AwaitingResolution),
        EventKind::Declared => (&[Accepted, AwaitingResolution], Resolved),
        EventKind::Agreed | EventKind::Ruled | EventKind::Stood | EventKind::DisputeLapsed => {
            (&[AwaitingResolution], Resolved)
        }
        EventKind::Lapsed => (&[Accepted, AwaitingResolution], Cancelled),
        EventKind::HandedOver => (&[AwaitingResolution], AwaitingResolution),
        // These events keep the status, see `moved`.
        EventKind::ArbiterAccepted | EventKind::ArbiterDeclined | EventKind::ArbiterResigned => {
            (&[Pending, Accepted, AwaitingResolution], Pending)
        }
        EventKind::Refunded | EventKind::AdminDeleted => {
            (&[Pending, Accepted, AwaitingResolution], Cancelled)
        }
    }
}

/// Checks that the event allows this change of status. A bet that is settled as void becomes cancelled
/// instead of resolved.
pub(crate) fn moved(before: &Bet, after: &Bet, event: Option<EventKind>, is_void: bool) -> Checked {
    let (from, to) = (before.status(), after.status());
    let Some(event) = event else {
        return require(before.state == after.state, || "a change without an event".to_owned());
    };
    let ended = from.has_ended();
    if ended {
        let removed = event == EventKind::AdminDeleted && before.state == after.state;
        return require(removed, || format!("{event} on a bet that has ended"));
    }
    let (sources, target) = edges(event);
    let is_arbiters =
        matches!(event, EventKind::ArbiterAccepted | EventKind::ArbiterDeclined | EventKind::ArbiterResigned);
    let target = if is_arbiters {
        from
    } else if target == Status::Resolved && is_void {
        Status::Cancelled
    } else {
        target
    };
    require(sources.contains(&from) && to == target, || format!("{event} led from {from} to {to}"))
}

pub(crate) fn rejections(bet: &Bet) -> u32 {
    bet.state.negotiation().map_or(0, |negotiation| negotiation.rejections.count)
}

pub(crate) fn same_acceptor(before: &Bet, after: &Bet) -> bool {
    let was: Option<UserId> = before.acceptor();
    was.is_none() || was == after.acceptor()
}
