//! Random users do random actions on a bet at random times. A ledger keeps the stakes. The tests check all
//! invariants after every step.
//!
//! `PROPTEST_CASES=100000` runs many more sequences than the default. A failure prints the shortest failing
//! sequence and the result of each step.

mod invariants;
mod permitted;
mod world;

use bolts_bets::{Method, Outcome, Side, Waits};
use bolts_resolution::Answer;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::support::{Action, Named, hours};
use world::{Setting, Step, World};

/// The number of users: the creator, three users who can accept (one of them also acts as admin, one is the
/// arbiter of some bets), and one user whose balance does not cover the acceptor's stake.
const PEOPLE: u128 = 5;

/// The stakes of the creator and of the acceptor, from 1:100 to 100:1.
fn stakes() -> impl Strategy<Value = (i64, i64)> {
    prop_oneof![
        1 => Just((100, 100)),
        1 => Just((1, 100)),
        1 => Just((100, 1)),
        3 => (1..=100_i64, 1..=100_i64),
    ]
}

fn settings() -> impl Strategy<Value = Setting> {
    let short = Waits {
        stand: hours(2),
        lapse: hours(5),
        dispute_lapse: hours(7),
        reminder: hours(3),
        arbiter: hours(4),
    };
    let waits = prop_oneof![3 => Just(Waits::default()), 1 => Just(short)];
    let method = prop_oneof![3 => Just(Method::MutualAgreement), 1 => Just(Method::ManualVerification)];
    let side = prop_oneof![Just(Side::A), Just(Side::B)];
    // Most sequences begin with an accepted bet, because few actions are possible on a pending bet.
    let flags = (prop::bool::weighted(0.8), prop::bool::weighted(0.6));
    let all = (method, side, waits, flags, stakes());
    all.prop_map(|(method, creator_side, waits, (is_accepted, has_arbiter), stakes)| Setting {
        method,
        creator_side,
        waits,
        is_accepted,
        has_arbiter,
        stakes,
    })
}

fn actions() -> impl Strategy<Value = Action> {
    let side = prop_oneof![Just(Side::A), Just(Side::B)];
    let outcome = || prop_oneof![Just(Outcome::A), Just(Outcome::B), Just(Outcome::Void)];
    let answer = prop_oneof![1 => Just(Answer::Accept), 3 => Just(Answer::Reject)];
    let named = prop_oneof![2 => Just(Named::No), 2 => Just(Named::Right), 1 => Just(Named::Wrong)];
    // Actions that end the bet are rare, so that sequences reach more states.
    prop_oneof![
        10 => side.prop_map(Action::Accept),
        1 => Just(Action::Delete),
        6 => Just(Action::EndEarly),
        12 => outcome().prop_map(Action::Propose),
        12 => (answer, named).prop_map(|(answer, named)| Action::Respond(answer, named)),
        4 => Just(Action::Dispute),
        3 => outcome().prop_map(Action::Rule),
        1 => Just(Action::Refund),
        1 => Just(Action::AdminDelete),
        3 => prop::bool::weighted(0.7).prop_map(Action::AnswerInvitation),
        2 => outcome().prop_map(Action::RuleAsArbiter),
    ]
}

fn arbiters_actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => prop::bool::weighted(0.8).prop_map(Action::AnswerInvitation),
        1 => Just(Action::RuleAsArbiter(Outcome::B)),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    let micros = prop_oneof![0..7_200_000_000_u64, 0..360_000_000_000_u64, 0..3_000_000_000_000_u64];
    prop_oneof![
        12 => (1..=PEOPLE, actions()).prop_map(|(by, action)| Step::Act { by, action }),
        // The creator (user 1) and user 2 act more often than the others.
        12 => (1..=2_u128, actions()).prop_map(|(by, action)| Step::Act { by, action }),
        // User 3 is the arbiter, if there is one.
        3 => arbiters_actions().prop_map(|action| Step::Act { by: 3, action }),
        3 => micros.clone().prop_map(|micros| Step::Wait { micros, sweeps: true }),
        1 => micros.clone().prop_map(|micros| Step::Wait { micros, sweeps: false }),
        4 => (-1..=1_i64).prop_map(|micros_off| Step::WaitForNext { micros_off }),
        1 => micros.prop_map(|micros| Step::Outage { micros }),
    ]
}

proptest! {
    #[test]
    fn no_sequence_of_actions_breaks_an_invariant(
        setting in settings(),
        steps in prop::collection::vec(steps(), 1..40),
    ) {
        let mut world = World::new(setting);
        for step in steps {
            world.apply(step).map_err(|reason| world.failure(&reason))?;
        }
        world.run_the_clock_to_the_end().map_err(|reason| world.failure(&reason))?;
    }
}

/// The generator must produce every kind of event, or the property test above misses cases.
#[test]
fn the_sequences_produce_every_kind_of_event() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    let sequences = (settings(), prop::collection::vec(steps(), 1..40));
    for _ in 0..2_000 {
        let (setting, steps) = sequences.new_tree(&mut runner).unwrap().current();
        let mut world = World::new(setting);
        for step in steps {
            world.apply(step).unwrap();
        }
        world.run_the_clock_to_the_end().unwrap();
        seen.extend(world.seen.iter().map(|event| event.as_str()));
    }
    let all = bolts_bets::EventKind::ALL.iter().map(|event| event.as_str());
    assert_eq!(all.filter(|event| !seen.contains(event)).collect::<Vec<_>>(), [""; 0], "never happened");
}
