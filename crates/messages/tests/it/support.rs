//! Helpers for the tests of this crate: users, and bets in each situation that the rules distinguish.

use bolts_bets::{
    Bet, Challenge, Dispute, MethodPolicy, Negotiation, NewBet, ShareToken, Side, State, Terms, TermsDraft,
    Visibility, Waits,
};
use bolts_kernel::{BetId, MessageId, Timestamp, UserId};
use bolts_messages::{Message, NewMessage, Refusal, message_text};

pub(crate) const CREATOR: u128 = 1;
pub(crate) const ACCEPTOR: u128 = 2;
pub(crate) const STRANGER: u128 = 3;
pub(crate) const ARBITER: u128 = 4;

pub(crate) fn user(number: u128) -> UserId {
    UserId::from(number)
}

pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

pub(crate) fn now() -> Timestamp {
    at("2026-11-20T21:00:00Z")
}

/// The status of a bet, as far as the rules of messages distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Pending,
    Live,
    Awaiting,
    Disputed,
}

pub(crate) const STAGES: [Stage; 4] = [Stage::Pending, Stage::Live, Stage::Awaiting, Stage::Disputed];

pub(crate) fn bet(stage: Stage, is_private: bool) -> Bet {
    let draft = TermsDraft {
        title: "Will it snow in Boston?".to_owned(),
        option_a: "Yes".to_owned(),
        option_b: "No".to_owned(),
        stake_amount: 100,
        currency: "bolts".to_owned(),
        method: "Mutual Agreement".to_owned(),
        expires_at: "2026-12-24T21:00:00Z".to_owned(),
        ..TermsDraft::default()
    };
    let visibility = if is_private {
        Visibility::Private(ShareToken::new("a secret".to_owned()))
    } else {
        Visibility::Public
    };
    let terms = Terms::parse(&draft, visibility, MethodPolicy::All, now()).unwrap();
    let new = NewBet {
        id: BetId::from(7),
        creator: user(CREATOR),
        creator_side: Side::A,
        terms,
        waits: Waits::default(),
        arbiter: Some(user(ARBITER)),
    };
    let mut bet = Bet::create(new, now()).bet;
    let challenge = Challenge { acceptor: user(ACCEPTOR), accepted_at: now() };
    let dispute = Dispute { by: user(ACCEPTOR), at: now(), reason: "It snowed.".to_owned() };
    bet.state = match stage {
        Stage::Pending => State::Pending,
        Stage::Live => State::Accepted(challenge),
        Stage::Awaiting => State::AwaitingResolution(Negotiation::new(challenge)),
        Stage::Disputed => {
            State::AwaitingResolution(Negotiation { dispute: Some(dispute), ..Negotiation::new(challenge) })
        }
    };
    bet
}

pub(crate) fn write(author: u128, bet: &Bet, at: Timestamp) -> Result<Message, Refusal> {
    let text = message_text("It is snowing.").unwrap();
    Message::write(NewMessage { id: MessageId::from(9), author: user(author), text }, bet, at)
}
