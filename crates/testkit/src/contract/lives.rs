//! Contract of bets under random actions: after each action the store holds the same bet as the domain.

use std::time::Duration;

use bolts_bets::{Bet, Change, Method, Outcome, Refusal, Terms};
use bolts_kernel::{ProposalId, UserId};
use bolts_resolution::{Answer, deadlines};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::bets::runner;
use super::{Subject, assert_kept, read, shown};
use crate::Scene;
use crate::fixtures::{DAY, HOUR, bolts, terms};

/// The number of bets in this test. `STEPS` is the maximum number of actions on one bet.
const LIVES: u32 = 100;
const STEPS: usize = 12;

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The time that passes before the action, if any.
    wait: Option<Duration>,
    /// Whether this step deletes or refunds the bet. Such steps are rare in the test, because few actions are
    /// possible after them.
    is_drastic: bool,
    /// The random choice of one of the possible actions.
    choice: Index,
}

fn steps() -> impl Strategy<Value = Step> {
    let waits = [HOUR, 11 * HOUR, DAY, 3 * DAY, 14 * DAY, 30 * DAY];
    let wait = option::weighted(0.25, select(waits.to_vec()));
    let parts = (wait, proptest::bool::weighted(0.1), any::<Index>());
    parts.prop_map(|(wait, is_drastic, choice)| Step { wait, is_drastic, choice })
}

/// After any sequence of actions, the store returns the bet as it was written. The store lists the bet as
/// overdue exactly when a step of the clock is due. The audit finds no violation.
pub fn any_life_of_a_bet_is_kept(store: &dyn Subject) {
    let scene = Scene::new(store);
    let people = ["ann", "bob", "admin"].map(|name| scene.user(name));
    // Bets with Mutual Agreement allow more actions, so the test runs more of them.
    let methods = [Method::MutualAgreement, Method::MutualAgreement, Method::ManualVerification];
    let lives = (select(methods.to_vec()), vec(steps(), 4..=STEPS));
    let outcome = runner(LIVES).run(&lives, |(method, steps)| {
        let terms = Terms {
            method,
            stake: bolts(1),
            opponent_stake: bolts(2).amount,
            expires_at: scene.now().after(2 * DAY),
            ..terms()
        };
        let bet = scene.create(people[0], terms);
        live(store, &scene, people, bet, &steps);
        Ok(())
    });
    outcome.expect("every life is kept");
    for check in read(store.audit()) {
        assert_eq!(check.violations, Vec::<String>::new(), "{}", check.name);
    }
}

fn live(store: &dyn Subject, scene: &Scene<'_>, people: [UserId; 3], mut bet: Bet, steps: &[Step]) {
    for step in steps {
        if let Some(wait) = step.wait {
            scene.clock.advance(wait);
            let overdue = read(store.overdue(scene.now(), 1_000)).contains(&bet.id);
            assert_eq!(overdue, deadlines::is_overdue(&bet, scene.now()), "{bet:?}");
        }
        while let Some(change) = deadlines::due(&bet, scene.now()) {
            bet = scene.record(change);
            assert_kept(store, &bet);
        }
        let offered = if step.is_drastic { drastic } else { usual };
        let mut possible: Vec<Change> = offered(&bet, people, scene).into_iter().flatten().collect();
        if possible.is_empty() {
            continue;
        }
        bet = scene.record(possible.swap_remove(step.choice.index(possible.len())));
        if bet.deletion.is_some() {
            return assert_eq!(shown(store, bet.id), None);
        }
        assert_kept(store, &bet);
    }
}

type Tried = Vec<Result<Change, Refusal>>;

/// Tries the actions that end a bet without an outcome. The rules may refuse some of them.
fn drastic(bet: &Bet, [ann, _, admin]: [UserId; 3], scene: &Scene<'_>) -> Tried {
    let now = scene.now();
    vec![
        bet.clone().delete(ann, now),
        bolts_resolution::refund(bet.clone(), admin, now),
        bolts_resolution::admin_delete(bet.clone(), admin, now),
    ]
}

/// Tries the actions that lead to an outcome, for each user. The rules may refuse some of them.
fn usual(bet: &Bet, [ann, bob, admin]: [UserId; 3], scene: &Scene<'_>) -> Tried {
    let now = scene.now();
    let mut tried = vec![bet.clone().accept(bob, bet.creator_side.opposite(), now)];
    for outcome in Outcome::ALL {
        tried.push(bolts_resolution::rule(bet.clone(), admin, outcome, "", now));
    }
    for user in [ann, bob] {
        tried.push(bolts_resolution::end_early(bet.clone(), user, now));
        tried.push(bolts_resolution::dispute(bet.clone(), user, "It did not.", now));
        for answer in [Answer::Accept, Answer::Reject] {
            tried.push(bolts_resolution::respond(bet.clone(), user, answer, None, now));
        }
        for outcome in Outcome::ALL {
            let id = scene.id::<ProposalId>();
            tried.push(bolts_resolution::propose(bet.clone(), user, outcome, id, now));
        }
    }
    tried
}
