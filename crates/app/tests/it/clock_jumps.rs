//! The clock jumps forward, or the machine sleeps, while a server runs.

use bolts_bets::Outcome;
use bolts_kernel::BetId;
use bolts_resolution::Answer;
use bolts_testkit::{DAY, HOUR};
use futures_executor::block_on;

use crate::stage::{Session, Stage, actor};

/// Writes heartbeats and sweeps every hour, like a running server.
fn run_for(stage: &Stage, hours: u32) {
    for _ in 0..hours {
        stage.clock.advance(HOUR);
        block_on(stage.app.heartbeat()).expect("noted");
        block_on(stage.app.sweep()).expect("swept");
    }
}

/// Two live bets on which Ann has proposed that she won. In a day each proposal will settle its bet if Bob does not
/// answer.
fn proposed(stage: &Stage) -> ((Session, Session), [BetId; 2]) {
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let bets = [(); 2].map(|()| {
        let bet = stage.create(&ann, (100, "bolts"), HOUR).expect("created");
        stage.accept(&bob, bet).expect("accepted");
        stage.propose(&ann, bet, Outcome::A);
        bet
    });
    run_for(stage, 49);
    ((ann, bob), bets)
}

#[test]
fn a_sweep_after_a_jump_of_the_clock_moves_the_deadlines_in_it() {
    let stage = Stage::new();
    let (_, [bet, _]) = proposed(&stage);
    stage.clock.advance(10 * DAY);
    // The sweep runs before the next heartbeat.
    block_on(stage.app.sweep()).expect("swept");
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, 23);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, 1);
    assert_eq!(stage.status(bet), "resolved", "a day later silence decides");
    stage.assert_audit_clean();
}

#[test]
fn an_action_after_a_jump_of_the_clock_succeeds_and_settles_nothing() {
    let stage = Stage::new();
    let ((_, bob), [one, other]) = proposed(&stage);
    stage.clock.advance(10 * DAY);
    // Neither a sweep nor a heartbeat has run since the jump, so Bob's answer must first apply the deadlines that have
    // passed.
    let answer = stage.app.respond_to_proposal(actor(&bob), one, Answer::Reject, None, None);
    block_on(answer).expect("Bob can still answer");
    assert_eq!((stage.status(one), stage.status(other)), ("awaiting_resolution", "awaiting_resolution"));
    block_on(stage.app.sweep()).expect("swept");
    assert_eq!(stage.status(other), "awaiting_resolution");
    stage.assert_audit_clean();
}

#[test]
fn a_clock_that_is_set_back_again_settles_nothing_early() {
    let stage = Stage::new();
    let (_, [bet, _]) = proposed(&stage);
    let before = bolts_ports::Clock::now(&*stage.clock);
    stage.clock.advance(10 * DAY);
    block_on(stage.app.sweep()).expect("swept");
    stage.clock.set(before);
    // The first heartbeat after the clock is right comes in an hour, and the parties have a day from then on.
    run_for(&stage, 24);
    assert_eq!(stage.status(bet), "awaiting_resolution");
    run_for(&stage, 1);
    assert_eq!(stage.status(bet), "resolved");
    stage.assert_audit_clean();
}

#[test]
fn a_gap_of_less_than_an_hour_moves_no_deadline() {
    let stage = Stage::new();
    let (_, [bet, _]) = proposed(&stage);
    run_for(&stage, 23);
    stage.clock.advance(HOUR);
    block_on(stage.app.sweep()).expect("swept");
    assert_eq!(stage.status(bet), "resolved");
    stage.assert_audit_clean();
}
