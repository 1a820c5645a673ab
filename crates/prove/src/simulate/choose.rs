//! What the users of a simulation want next.

use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{ArbiterStatus, Bet, Outcome, Party, ShareToken, Side, State};
use bolts_kernel::BetId;
use bolts_ports::{BetKey, Queries};
use bolts_resolution::Answer;
use bolts_testkit::MemoryStore;

use super::crowd::{Crowd, Want};
use super::fate::Fate;
use super::node::Node;

const OUTCOMES: [Outcome; 3] = [Outcome::A, Outcome::B, Outcome::Void];

/// The user who acts next, and the user's wish.
pub(super) fn next(crowd: &mut Crowd, store: &Arc<MemoryStore>, node: &Node, fate: &Fate) -> (usize, Want) {
    let user = fate.below(crowd.members.len() as u64) as usize;
    match fate.below(20) {
        0..5 => (user, creation(crowd, fate)),
        5..12 => on_bet(crowd, store, fate, user),
        12..14 => (user, Want::Deposit(fate.between(100, 50_000))),
        14 => match fate.pick(&crowd.deposits) {
            Some((owner, deposit)) => (if fate.one_in(8) { user } else { owner }, Want::Poll(deposit)),
            None => (user, Want::Deposit(1_000)),
        },
        15..18 => (user, withdrawal(crowd, node, fate)),
        18 => (
            user,
            Want::Claim(
                fate.pick(&["first_bet", "first_win", "win_streak_3", "high_roller"]).unwrap_or("whale"),
            ),
        ),
        _ => hostile(crowd, fate, user),
    }
}

fn creation(crowd: &Crowd, fate: &Fate) -> Want {
    let (currency, stake) =
        if fate.one_in(2) { ("bolts", fate.between(1, 200)) } else { ("sats", fate.between(100, 5_000)) };
    Want::Create {
        currency,
        stake,
        // Odds from 1:3 to 3:1, as far as the currency allows.
        against: fate.between(stake / 3, 3 * stake).max(if currency == "sats" { 100 } else { 1 }),
        is_manual: fate.one_in(3),
        is_private: fate.one_in(5),
        expires_in: Duration::from_secs(60 + fate.below(3 * 24 * 3_600)),
        // A creator may not name the own username, and some try.
        arbiter: if fate.one_in(2) { fate.pick(&crowd.members).map(|member| member.username) } else { None },
    }
}

fn withdrawal(crowd: &mut Crowd, node: &Node, fate: &Fate) -> Want {
    // Some users try an invoice again.
    let again = if fate.one_in(10) { fate.pick(&crowd.invoices) } else { None };
    let invoice = again.unwrap_or_else(|| {
        let lifetime = Duration::from_secs(60 * (1 + fate.below(24 * 60)));
        node.foreign_invoice(fate.between(100_000, 10_000_000), lifetime)
    });
    crowd.invoices.push(invoice.clone());
    Want::Withdraw { invoice, password: super::crowd::PASSWORD }
}

/// One of the newer bets. Bets whose parties settle are rare and have the most rules, so a few draws look for one.
fn draw(crowd: &Crowd, store: &Arc<MemoryStore>, fate: &Fate) -> Option<(BetId, Option<ShareToken>)> {
    let newer = &crowd.bets[crowd.bets.len().saturating_sub(150)..];
    let is_settling = |id| {
        let view = store.bet(&BetKey::Id(id)).ok().flatten();
        view.is_some_and(|view| matches!(view.bet.state, State::AwaitingResolution(_)))
    };
    let mut found = fate.pick(newer)?;
    for _ in 0..5 {
        if is_settling(found.0) {
            break;
        }
        found = fate.pick(newer)?;
    }
    Some(found)
}

/// A fitting action on a bet, by one of its parties, an admin or a taker.
fn on_bet(crowd: &Crowd, store: &Arc<MemoryStore>, fate: &Fate, user: usize) -> (usize, Want) {
    let Some((id, token)) = draw(crowd, store, fate) else { return (user, creation(crowd, fate)) };
    let Ok(Some(view)) = store.bet(&BetKey::Id(id)) else { return (user, Want::EndEarly(id)) };
    let bet = view.bet;
    if let Some(found) = by_arbiter(crowd, fate, &bet) {
        return found;
    }
    let number = |party| bet.user(party).and_then(|id| crowd.number(id)).unwrap_or(user);
    let (creator, acceptor) = (number(Party::Creator), number(Party::Acceptor));
    let party = if fate.one_in(2) { creator } else { acceptor };
    let outcome = fate.pick(&OUTCOMES).unwrap_or(Outcome::Void);
    match &bet.state {
        State::Pending if fate.one_in(8) => (creator, Want::Delete(id)),
        State::Pending => (user, Want::Accept { bet: id, side: Side::B, token }),
        State::Accepted(_) => match fate.below(4) {
            0 => (party, Want::EndEarly(id)),
            1 => (party, Want::Dispute(id)),
            _ => (party, Want::Propose(id, outcome)),
        },
        State::AwaitingResolution(one) if one.dispute.is_some() && fate.one_in(3) => {
            (crowd.members.len() - 1, Want::Rule(id, outcome))
        }
        State::AwaitingResolution(one) if one.standing.is_some() => match fate.below(6) {
            0 => (party, Want::Dispute(id)),
            1 | 2 => (party, Want::Respond(id, Answer::Reject)),
            _ => (party, Want::Respond(id, Answer::Accept)),
        },
        State::AwaitingResolution(one) if one.dispute.is_none() && fate.one_in(3) => {
            (party, Want::Dispute(id))
        }
        State::AwaitingResolution(_) => (party, Want::Propose(id, outcome)),
        State::Resolved { .. } | State::Cancelled { .. } => (user, Want::Respond(id, Answer::Accept)),
    }
}

/// An action of the arbiter of this bet, if one takes part and has something to do.
fn by_arbiter(crowd: &Crowd, fate: &Fate, bet: &Bet) -> Option<(usize, Want)> {
    let arbiter = bet.arbiter.filter(|arbiter| arbiter.takes_part())?;
    let user = crowd.number(arbiter.user)?;
    let is_disputed = match &bet.state {
        State::AwaitingResolution(one) => one.dispute.is_some(),
        State::Pending | State::Accepted(_) => false,
        State::Resolved { .. } | State::Cancelled { .. } => return None,
    };
    let (chances, want) = match arbiter.status {
        ArbiterStatus::Invited => (1, Want::AnswerInvitation { bet: bet.id, accepts: !fate.one_in(5) }),
        ArbiterStatus::Accepted if is_disputed => {
            (2, Want::Arbitrate(bet.id, fate.pick(&OUTCOMES).unwrap_or(Outcome::Void)))
        }
        ArbiterStatus::Accepted => (30, Want::AnswerInvitation { bet: bet.id, accepts: false }),
        ArbiterStatus::OutOfTime => (5, Want::Arbitrate(bet.id, Outcome::A)),
        ArbiterStatus::Declined | ArbiterStatus::Resigned => return None,
    };
    fate.one_in(chances).then_some((user, want))
}

/// An action that must be refused, or that must do no harm.
fn hostile(crowd: &Crowd, fate: &Fate, user: usize) -> (usize, Want) {
    let bet = fate.pick(&crowd.bets).map(|(id, _)| id);
    let Some(bet) = bet else { return (user, Want::Claim("whale")) };
    let invoice = fate.pick(&crowd.invoices).unwrap_or_default();
    let want = match fate.below(10) {
        0 => Want::Rule(bet, Outcome::A),
        1 => Want::Refund(bet),
        2 => Want::Remove(bet),
        3 => Want::Claim("whale"),
        4 => Want::Accept { bet, side: Side::A, token: None },
        5 => Want::Withdraw { invoice, password: "guessed" },
        6 => Want::Grant { email: crowd.members[user].email.clone(), amount: 1_000_000 },
        7 => Want::Propose(bet, Outcome::B),
        8 => Want::Arbitrate(bet, Outcome::B),
        _ => Want::Delete(bet),
    };
    (user, want)
}
