//! Bets that live through random actions: after each, the store knows what the domain knows.

use std::time::Duration;

use bolts_bets::{Bet, Change, Method, Outcome, Party, Refusal, Terms};
use bolts_kernel::{ProposalId, UserId};
use bolts_resolution::{Answer, clock};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::bets::runner;
use super::{Subject, assert_kept, read, shown};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, terms};

/// How many lives are lived, and how long they are at most.
const LIVES: u32 = 40;
const ACTIONS: usize = 14;

#[derive(Clone, Copy, Debug)]
enum Action {
    Accept,
    Delete,
    EndEarly(Party),
    Propose(Party, Outcome),
    Respond(Party, Answer),
    Dispute(Party),
    Rule(Outcome),
    Refund,
    AdminDelete,
    Wait(Duration),
}

fn actions() -> impl Strategy<Value = Action> {
    let party = || select(&[Party::Creator, Party::Acceptor][..]);
    let outcome = || select(Outcome::ALL);
    let answer = select(&[Answer::Accept, Answer::Reject, Answer::Reject][..]);
    let waits = [HOUR, 11 * HOUR, DAY, 3 * DAY, 14 * DAY, 30 * DAY];
    prop_oneof![
        8 => Just(Action::Accept),
        1 => Just(Action::Delete),
        4 => party().prop_map(Action::EndEarly),
        6 => (party(), outcome()).prop_map(|(party, outcome)| Action::Propose(party, outcome)),
        5 => (party(), answer).prop_map(|(party, answer)| Action::Respond(party, answer)),
        2 => party().prop_map(Action::Dispute),
        2 => outcome().prop_map(Action::Rule),
        1 => Just(Action::Refund),
        1 => Just(Action::AdminDelete),
        4 => select(waits.to_vec()).prop_map(Action::Wait),
    ]
}

/// Whatever happens to a bet, in whatever order: it is read as it was written, it is overdue exactly when the clock
/// has something to do, and the ledger stays sound.
pub fn any_life_of_a_bet_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let people = ["ann", "bob", "admin"].map(|name| scene.user(name));
    let lives = (select(Method::ALL), vec(actions(), 1..ACTIONS));
    let outcome = runner(LIVES).run(&lives, |(method, actions)| {
        let terms = Terms { method, stake: bolts(1), expires_at: scene.now().after(2 * DAY), ..terms() };
        let mut bet = scene.create(people[0], terms);
        for action in actions {
            if let Action::Wait(time) = action {
                scene.clock.advance(time);
                assert_overdue_as_the_clock_says(store, &bet, &scene);
            }
            while let Some(change) = clock::due(&bet, scene.now()) {
                bet = scene.record(change);
                assert_kept(store, &bet);
            }
            if let Some(Ok(change)) = act(action, &bet, people, &scene) {
                bet = scene.record(change);
            }
            if bet.deletion.is_some() {
                assert_eq!(shown(store, bet.id), None);
                return Ok(());
            }
            assert_kept(store, &bet);
        }
        Ok(())
    });
    outcome.expect("every life is kept");
    for check in read(store.audit()) {
        assert_eq!(check.violations, Vec::<String>::new(), "{}", check.name);
    }
}

fn assert_overdue_as_the_clock_says(store: &dyn Subject, bet: &Bet, scene: &Scene<'_>) {
    let overdue = read(store.overdue(scene.now(), 1_000)).contains(&bet.id);
    assert_eq!(overdue, clock::is_overdue(bet, scene.now()), "{bet:?}");
}

fn act(action: Action, bet: &Bet, people: [UserId; 3], scene: &Scene<'_>) -> Option<Result<Change, Refusal>> {
    let [ann, bob, admin] = people;
    let now = scene.now();
    let user = |party| if party == Party::Creator { ann } else { bob };
    let bet = bet.clone();
    let side = bet.creator_side.opposite();
    Some(match action {
        Action::Accept => bet.accept(bob, side, now),
        Action::Delete => bet.delete(ann, now),
        Action::EndEarly(party) => bolts_resolution::end_early(bet, user(party), now),
        Action::Propose(party, outcome) => {
            bolts_resolution::propose(bet, user(party), outcome, scene.id(ProposalId::from_uuid), now)
        }
        Action::Respond(party, answer) => bolts_resolution::respond(bet, user(party), answer, None, now),
        Action::Dispute(party) => bolts_resolution::dispute(bet, user(party), "It did not.", now),
        Action::Rule(outcome) => bolts_resolution::rule(bet, admin, outcome, "", now),
        Action::Refund => bolts_resolution::refund(bet, admin, now),
        Action::AdminDelete => bolts_resolution::admin_delete(bet, admin, now),
        Action::Wait(_) => return None,
    })
}
