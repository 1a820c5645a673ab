//! Random users create, accept and delete bets at random times. The results are compared with a second
//! implementation of the rules.

use bolts_bets::{
    Bet, By, CancelReason, Change, EscrowEffect, EventKind, NewBet, NoticeKind, Recipient, Refusal, Side,
    State, Status, Waits,
};
use bolts_kernel::Timestamp;
use proptest::prelude::*;

use crate::support::{NOW, at, draft, parse, user};

/// The number of users. User 0 is the creator.
const PEOPLE: u8 = 4;

fn created(side: Side) -> Change {
    let id = format!("{:032x}", 77).parse().unwrap();
    let terms = parse(&draft()).unwrap();
    let new =
        NewBet { id, creator: user(0), creator_side: side, terms, waits: Waits::default(), arbiter: None };
    Bet::create(new, at(NOW))
}

fn expiry() -> Timestamp {
    at(&draft().expires_at)
}

#[test]
fn a_new_bet_is_pending_with_its_creators_stake_in_escrow() {
    let change = created(Side::B);
    assert_eq!(change.bet.status(), Status::Pending);
    assert_eq!(change.escrow, EscrowEffect::Hold(user(0)));
    assert_eq!(change.bet.escrowed().get(), 100);
    assert_eq!(
        (change.bet.stakes(), change.bet.pot().amount.get()),
        (vec![(user(0), change.bet.stake_of(Side::B))], 160)
    );
    let event = change.event.unwrap();
    assert_eq!((event.kind, event.by, event.at), (EventKind::Created, By::Creator, at(NOW)));
    assert_eq!(change.notices, []);
    assert_eq!((change.bet.winner(), change.bet.acceptor()), (None, None));
}

#[test]
fn a_bet_cannot_be_accepted_from_the_instant_of_its_expiry() {
    let accept = |now| created(Side::A).bet.accept(user(1), Side::B, now).map(|change| change.bet.status());
    let last = Timestamp::from_micros(expiry().micros() - 1).unwrap();
    assert_eq!(accept(last), Ok(Status::Accepted));
    assert_eq!(accept(expiry()), Err(Refusal::Expired));
}

#[test]
fn an_expired_bet_stays_expired_after_its_cancellation() {
    let swept = created(Side::A).bet.cancelled(CancelReason::Expired, expiry()).bet;
    assert_eq!(swept.accept(user(1), Side::B, expiry()).err(), Some(Refusal::Expired));
    let refunded = created(Side::A).bet.cancelled(CancelReason::Refunded, at(NOW)).bet;
    assert_eq!(refunded.accept(user(1), Side::B, at(NOW)).err(), Some(Refusal::NotPending));
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Accept { by: u8, option: Side },
    Delete { by: u8 },
}

fn actions() -> impl Strategy<Value = (Action, i64)> {
    let side = prop_oneof![Just(Side::A), Just(Side::B)];
    let action = prop_oneof![
        (0..PEOPLE, side).prop_map(|(by, option)| Action::Accept { by, option }),
        (0..PEOPLE).prop_map(|by| Action::Delete { by }),
    ];
    let from_expiry = prop_oneof![-3_000_000_000_000_i64..0, -2..=2_i64, 0..3_000_000_000_000_i64];
    (action, from_expiry)
}

/// The expected result of one action according to the table in `docs/domain-rules.md#a-bets-life`.
fn expected(bet: &Bet, action: Action, now: Timestamp) -> Result<Status, Refusal> {
    let acceptor = bet.acceptor();
    match action {
        Action::Accept { by: 0, .. } => Err(Refusal::OwnBet),
        Action::Accept { .. } if bet.status() != Status::Pending => Err(Refusal::NotPending),
        Action::Accept { .. } if now >= expiry() => Err(Refusal::Expired),
        Action::Accept { option, .. } if option == bet.creator_side => Err(Refusal::OptionTaken),
        Action::Accept { .. } => Ok(Status::Accepted),
        Action::Delete { by: 0 } if bet.status() == Status::Pending => Ok(Status::Cancelled),
        Action::Delete { by: 0 } => Err(Refusal::NotPending),
        Action::Delete { by } if acceptor == Some(user(by)) => Err(Refusal::NotAllowed),
        Action::Delete { .. } => Err(Refusal::NotAParty),
    }
}

fn check(before: &Bet, action: Action, change: &Change, now: Timestamp) -> Result<(), TestCaseError> {
    let bet = &change.bet;
    prop_assert_eq!(&bet.terms, &before.terms);
    prop_assert_eq!(
        (bet.id, bet.creator, bet.creator_side),
        (before.id, before.creator, before.creator_side)
    );
    prop_assert_eq!((bet.created_at, bet.updated_at), (before.created_at, now));
    let event = change.event.clone().unwrap();
    prop_assert_eq!(event.at, now);
    match action {
        Action::Accept { by, option } => {
            prop_assert_eq!((event.kind, event.by), (EventKind::Accepted, By::Acceptor));
            prop_assert_eq!((change.escrow, bet.escrowed().get()), (EscrowEffect::Hold(user(by)), 160));
            prop_assert_eq!(
                bet.stakes(),
                [(user(0), bet.stake_of(option.opposite())), (user(by), bet.stake_of(option))]
            );
            prop_assert_eq!(bet.staked(), bet.pot());
            prop_assert_eq!(
                (bet.user_on(option), bet.user_on(option.opposite())),
                (Some(user(by)), Some(user(0)))
            );
            let told: Vec<_> = change.notices.iter().map(|notice| (notice.to, notice.kind)).collect();
            prop_assert_eq!(told, [(Recipient::User(user(0)), NoticeKind::BetAccepted)]);
        }
        Action::Delete { .. } => {
            prop_assert_eq!((event.kind, event.by), (EventKind::Deleted, By::Creator));
            prop_assert_eq!((change.escrow, bet.escrowed().get()), (EscrowEffect::Refund, 0));
            let deleted = matches!(bet.state, State::Cancelled { reason: CancelReason::Deleted, .. });
            prop_assert!(deleted, "{:?}", bet.state);
            prop_assert_eq!(bet.deletion.map(|deletion| (deletion.by, deletion.at)), Some((user(0), now)));
            prop_assert!(change.notices.is_empty());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn random_actions_follow_the_rules(
        creator_side in prop_oneof![Just(Side::A), Just(Side::B)],
        actions in prop::collection::vec(actions(), 1..12),
    ) {
        let mut bet = created(creator_side).bet;
        for (action, from_expiry) in actions {
            let now = Timestamp::from_micros(expiry().micros() + from_expiry).unwrap();
            let result = match action {
                Action::Accept { by, option } => bet.clone().accept(user(by), option, now),
                Action::Delete { by } => bet.clone().delete(user(by), now),
            };
            let status = result.as_ref().map(|change| change.bet.status()).map_err(|refusal| *refusal);
            prop_assert_eq!(status, expected(&bet, action, now), "{:?} at {} on {:?}", action, now, bet.state);
            if let Ok(change) = result {
                check(&bet, action, &change, now)?;
                bet = change.bet;
            }
        }
    }
}
