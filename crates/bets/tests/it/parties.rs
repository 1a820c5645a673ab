//! What a bet is for each of its parties: side, stake, outcome and statistics.

use bolts_bets::{
    Bet, CancelReason, Contribution, Negotiation, NewBet, Outcome, Party, Proposal, Rejections, SettledBy,
    Settlement, Side, State, Waits,
};
use bolts_kernel::{Amount, Currency, Money};

use crate::support::{NOW, at, draft, parse, user};

fn pending(creator_side: Side) -> Bet {
    let (terms, waits) = (parse(&draft()).unwrap(), Waits::default());
    let new = NewBet { id: 77.into(), creator: user(0), creator_side, terms, waits, arbiter: None };
    Bet::create(new, at(NOW)).bet
}

fn live(creator_side: Side) -> Bet {
    pending(creator_side).accept(user(1), creator_side.opposite(), at(NOW)).unwrap().bet
}

/// A live bet with a proposal and a rejection before it.
fn negotiated(creator_side: Side) -> (Bet, Negotiation) {
    let mut bet = live(creator_side);
    let State::Accepted(challenge) = bet.state else { panic!("the bet is live") };
    let negotiation = Negotiation {
        standing: Some(Proposal { id: 5.into(), outcome: Outcome::A, by: user(0), at: at(NOW) }),
        last_proposed_at: Some(at(NOW)),
        rejections: Rejections { count: 1, last_at: Some(at(NOW)) },
        ..Negotiation::new(challenge)
    };
    bet.state = State::AwaitingResolution(negotiation.clone());
    (bet, negotiation)
}

fn resolved(creator_side: Side, winning: Side) -> Bet {
    let (mut bet, negotiation) = negotiated(creator_side);
    let settlement = Settlement { at: at(NOW), by: SettledBy::Agreement };
    bet.state = State::Resolved { negotiation, winning, settlement };
    bet
}

fn bolts(units: i64) -> Money {
    Money::new(Amount::new(units).unwrap(), Currency::Bolts)
}

#[test]
fn each_party_has_a_side_and_a_stake_and_nobody_else_has() {
    for side in [Side::A, Side::B] {
        let bet = live(side);
        assert_eq!([0, 1, 2].map(|n| bet.side_of(user(n))), [Some(side), Some(side.opposite()), None]);
        assert_eq!([0, 1, 2].map(|n| bet.stake_by(user(n))), [Some(bolts(100)), Some(bolts(60)), None]);
    }
    assert_eq!(pending(Side::A).side_of(user(1)), None);
}

#[test]
fn an_outcome_has_the_text_of_its_option() {
    let bet = pending(Side::B);
    assert_eq!(
        [Outcome::A, Outcome::B, Outcome::Void].map(|outcome| bet.outcome_text(outcome)),
        ["Yes", "No", "void"]
    );
}

#[test]
fn the_statistics_count_what_a_bet_gave_and_took() {
    let both = |bet: &Bet| [Party::Creator, Party::Acceptor].map(|party| bet.contribution_of(party));
    let [won, lost] = [60, 100].map(|units| Amount::new(units).unwrap());
    for side in [Side::A, Side::B] {
        assert_eq!(both(&pending(side)), [Contribution::Open, Contribution::None]);
        assert_eq!(both(&live(side)), [Contribution::Open; 2]);
        assert_eq!(both(&negotiated(side).0), [Contribution::Open; 2]);
        assert_eq!(both(&resolved(side, side)), [Contribution::Won(won), Contribution::Lost(won)]);
        assert_eq!(
            both(&resolved(side, side.opposite())),
            [Contribution::Lost(lost), Contribution::Won(lost)]
        );
        let expired = pending(side).cancelled(CancelReason::Expired, at(NOW)).bet;
        assert_eq!(both(&expired), [Contribution::None; 2]);
        let refunded = live(side).cancelled(CancelReason::Refunded, at(NOW)).bet;
        assert_eq!(both(&refunded), [Contribution::Void; 2]);
        let deleted = pending(side).delete(user(0), at(NOW)).unwrap().bet;
        assert_eq!(both(&deleted), [Contribution::None; 2]);
    }
}

#[test]
fn a_cancellation_keeps_the_history_and_ends_the_proposal() {
    let (bet, negotiation) = negotiated(Side::A);
    let State::Cancelled { negotiation: kept, .. } = bet.cancelled(CancelReason::Refunded, at(NOW)).bet.state
    else {
        panic!("the bet is cancelled")
    };
    assert_eq!(kept, Some(Negotiation { standing: None, ..negotiation }));
}
