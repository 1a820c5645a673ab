//! What the users of a simulation want next.

use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{Outcome, Party, Side, State};
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
        0..5 => (user, creation(fate)),
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

fn creation(fate: &Fate) -> Want {
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

/// A fitting action on a bet, by one of its parties, an admin or a taker.
fn on_bet(crowd: &Crowd, store: &Arc<MemoryStore>, fate: &Fate, user: usize) -> (usize, Want) {
    let start = crowd.bets.len().saturating_sub(40);
    let Some((id, token)) = fate.pick(&crowd.bets[start..]) else { return (user, creation(fate)) };
    let Ok(Some(view)) = store.bet(&BetKey::Id(id)) else { return (user, Want::EndEarly(id)) };
    let bet = view.bet;
    let number = |party| {
        let found = bet.user(party).and_then(|id| crowd.members.iter().position(|member| member.id == id));
        found.unwrap_or(user)
    };
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
        State::AwaitingResolution(_) => (party, Want::Propose(id, outcome)),
        State::Resolved { .. } | State::Cancelled { .. } => (user, Want::Respond(id, Answer::Accept)),
    }
}

/// An action that must be refused, or that must do no harm.
fn hostile(crowd: &Crowd, fate: &Fate, user: usize) -> (usize, Want) {
    let bet = fate.pick(&crowd.bets).map(|(id, _)| id);
    let Some(bet) = bet else { return (user, Want::Claim("whale")) };
    let invoice = fate.pick(&crowd.invoices).unwrap_or_default();
    let want = match fate.below(9) {
        0 => Want::Rule(bet, Outcome::A),
        1 => Want::Refund(bet),
        2 => Want::Remove(bet),
        3 => Want::Claim("whale"),
        4 => Want::Accept { bet, side: Side::A, token: None },
        5 => Want::Withdraw { invoice, password: "guessed" },
        6 => Want::Grant { email: crowd.members[user].email.clone(), amount: 1_000_000 },
        7 => Want::Propose(bet, Outcome::B),
        _ => Want::Delete(bet),
    };
    (user, want)
}
