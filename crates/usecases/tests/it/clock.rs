//! Deadlines: applied by the sweep or by whoever acts first, put off after an outage.

use std::time::Duration;

use bolts_bets::{Outcome, Refusal};
use bolts_resolution::Answer;
use bolts_usecases::bets::ActionError;
use futures_executor::block_on;

use crate::stage::{DAY, HOUR, Stage};

/// Beats as a running server does, until so much time has passed.
fn run_for(stage: &Stage, time: Duration) {
    let until = stage.now().after(time);
    while stage.now() < until {
        stage.clock.advance(HOUR.min(until.since(stage.now())));
        stage.beat();
        stage.sweep();
    }
}

#[test]
fn a_sweep_does_what_is_due_and_no_more() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bets = [(); 5].map(|()| stage.create(ann, DAY));
    let later = stage.create(ann, 2 * DAY);
    let live = stage.live(ann, bob, DAY);
    stage.beat();
    assert_eq!(stage.sweep(), 0);
    run_for(&stage, DAY);
    assert!(bets.iter().all(|bet| stage.status(*bet) == "cancelled"));
    assert_eq!((stage.status(later), stage.status(live)), ("pending", "accepted"));
    assert_eq!(stage.told(bob), ["bet_due"]);
    assert_eq!(stage.bolts(ann), 800);
    stage.assert_sound();
}

#[test]
fn parties_are_reminded_once_before_silence_decides() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.beat();
    run_for(&stage, DAY);
    stage.propose(ann, bet, Outcome::A);
    run_for(&stage, 2 * DAY - HOUR);
    assert_eq!(stage.told(bob), ["outcome_proposed", "bet_due"]);
    run_for(&stage, HOUR);
    assert_eq!(stage.told(bob), ["stand_reminder", "outcome_proposed", "bet_due"]);
    run_for(&stage, DAY - HOUR);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!(stage.status(bet), "resolved");
    assert_eq!(stage.told(bob)[0], "proposal_stood");
    assert_eq!((stage.bolts(ann), stage.bolts(bob)), (1_100, 900));
    stage.assert_sound();
}

#[test]
fn an_action_meets_the_bet_as_its_deadlines_left_it() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.beat();
    run_for(&stage, DAY);
    stage.propose(ann, bet, Outcome::A);
    run_for(&stage, 3 * DAY - HOUR);
    // No sweep comes by in the last hour, so Bob's answer is what applies the deadline.
    stage.clock.advance(HOUR);
    let late = stage.answer(bob, bet, Answer::Reject);
    assert_eq!(late, Err(ActionError::Refused(Refusal::AlreadyResolved)));
    assert_eq!((stage.status(bet), stage.bolts(ann)), ("resolved", 1_100));
    stage.assert_sound();
}

#[test]
fn what_fell_while_no_server_ran_is_put_off_by_a_day_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (answered, silent) = (stage.live(ann, bob, DAY), stage.live(ann, bob, DAY));
    stage.beat();
    run_for(&stage, DAY);
    stage.propose(ann, answered, Outcome::A);
    stage.propose(ann, silent, Outcome::A);
    run_for(&stage, 2 * DAY);
    // Both proposals would stand a day later; for two days there is no server.
    stage.clock.advance(2 * DAY);
    stage.beat();
    stage.sweep();
    assert_eq!(
        (stage.status(answered), stage.status(silent)),
        ("awaiting_resolution", "awaiting_resolution")
    );
    assert!(stage.answer(bob, answered, Answer::Reject).is_ok(), "Bob can still answer");
    run_for(&stage, DAY - HOUR);
    assert_eq!(stage.status(silent), "awaiting_resolution");
    run_for(&stage, HOUR);
    assert_eq!((stage.status(answered), stage.status(silent)), ("awaiting_resolution", "resolved"));
    stage.assert_sound();
}

#[test]
fn a_second_outage_does_not_put_the_same_deadline_off_again() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.beat();
    run_for(&stage, DAY);
    stage.propose(ann, bet, Outcome::A);
    for expected in ["awaiting_resolution", "resolved"] {
        stage.clock.advance(4 * DAY);
        stage.beat();
        stage.sweep();
        assert_eq!(stage.status(bet), expected);
    }
}

#[test]
fn a_short_stop_puts_nothing_off() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bet = stage.live(ann, bob, DAY);
    stage.beat();
    run_for(&stage, DAY);
    stage.propose(ann, bet, Outcome::A);
    run_for(&stage, 3 * DAY - HOUR / 2);
    stage.clock.advance(HOUR);
    stage.beat();
    stage.sweep();
    assert_eq!(stage.status(bet), "resolved");
}

#[test]
fn an_expiry_in_an_outage_is_not_put_off() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let bet = stage.create(ann, DAY);
    stage.beat();
    stage.clock.advance(3 * DAY);
    stage.beat();
    stage.sweep();
    assert_eq!((stage.status(bet), stage.bolts(ann)), ("cancelled", 1_000));
}

#[test]
fn what_is_kept_for_a_time_only_is_tidied() {
    let stage = Stage::new();
    stage.user("ann");
    block_on(stage.app.tidy()).expect("tidied");
    let signed_in =
        block_on(stage.app.sign_in("ann@example.com", "secret".to_owned(), crate::stage::ADDRESS));
    let secret = signed_in.expect("signed in").secret;
    stage.clock.advance(31 * DAY);
    block_on(stage.app.tidy()).expect("tidied");
    // Even with the clock set back the session is gone, as its row is.
    assert_eq!(stage.app.session(&secret), Ok(None));
}
