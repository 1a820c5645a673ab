//! Both parties are reminded 24 hours before a proposal stands and before a bet lapses, once each.

use bolts_bets::{Bet, EscrowEffect, Method, Outcome, Waits};
use bolts_kernel::Timestamp;
use bolts_resolution::clock::{self, Deadline, Step};

use crate::clock::{disputed, proposed, rejected};
use crate::effects::told_by;
use crate::stage::{
    acceptor, awaiting, creator, hour, hours, just_before, live, pending, pending_with, swept,
};

const MUTUAL: Method = Method::MutualAgreement;
const LAPSE: i64 = 14 * 24;
const STAND_REMINDER: &str = "creator:stand_reminder A acceptor:stand_reminder A";
const LAPSE_REMINDER: &str = "creator:lapse_reminder acceptor:lapse_reminder";

/// Asserts that both are reminded of that deadline 24 hours before it, once, and gives the bet afterwards.
#[track_caller]
fn reminds(bet: &Bet, told: &str, deadline: Timestamp) -> Bet {
    let at = deadline.before(hours(24));
    let bet = swept(bet.clone(), just_before(at));
    assert_eq!(clock::next(&bet), Some(Deadline { at, step: Step::Remind }));
    let change = clock::due(&bet, at).unwrap();
    assert_eq!(told_by(&change), told);
    assert!(change.notices.iter().all(|notice| notice.until == Some(deadline)));
    assert_eq!((&change.event, change.escrow), (&None, EscrowEffect::Unchanged));
    assert_eq!((&change.bet.state, change.bet.updated_at), (&bet.state, bet.updated_at));
    assert_eq!(clock::due(&change.bet, just_before(deadline)), None, "once");
    change.bet
}

#[test]
fn before_a_proposal_stands() {
    let early = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100));
    reminds(&early, STAND_REMINDER, hour(72));
    let late = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(10));
    reminds(&late, STAND_REMINDER, hour(82));
}

#[test]
fn before_a_bet_lapses() {
    reminds(&live(MUTUAL), LAPSE_REMINDER, hour(LAPSE));
    reminds(&live(Method::ManualVerification), LAPSE_REMINDER, hour(LAPSE));
    reminds(&awaiting(MUTUAL), LAPSE_REMINDER, hour(LAPSE));
    let void = proposed(awaiting(MUTUAL), creator(), Outcome::Void, hour(10));
    let told = "creator:lapse_reminder void acceptor:lapse_reminder void";
    reminds(&void, told, hour(LAPSE + 10));
}

#[test]
fn of_each_new_deadline_anew() {
    let bet = reminds(&proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(0)), STAND_REMINDER, hour(72));
    let bet = rejected(bet, acceptor(), hour(60));
    let bet = reminds(&bet, LAPSE_REMINDER, hour(LAPSE + 60));
    let bet = proposed(bet, creator(), Outcome::A, hour(LAPSE + 50));
    reminds(&bet, STAND_REMINDER, hour(LAPSE + 50 + 72));
}

#[test]
fn never_of_an_expiry_or_a_dispute() {
    let bet = pending(MUTUAL);
    assert_eq!(clock::next(&bet), Some(Deadline { at: hour(0), step: Step::Expire }));
    let bet = disputed(proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(1)), hour(2));
    let end = hour(2 + 30 * 24);
    assert_eq!(clock::next(&bet), Some(Deadline { at: end, step: Step::DisputeLapse }));
    assert_eq!(clock::due(&bet, just_before(end)), None);
}

#[test]
fn not_where_the_wait_is_no_longer_than_the_notice() {
    let waits = Waits { stand: hours(24), lapse: hours(24), ..Waits::default() };
    let bet = pending_with(MUTUAL, waits).accept(acceptor(), bolts_bets::Side::B, hour(-216)).unwrap().bet;
    let told = swept(bet, hour(0));
    assert_eq!(clock::next(&told), Some(Deadline { at: hour(24), step: Step::Lapse }));
    let bet = proposed(told, creator(), Outcome::A, hour(1));
    assert_eq!(clock::next(&bet), Some(Deadline { at: hour(25), step: Step::Stand }));
}

#[test]
fn not_of_what_is_decided_already() {
    // Nothing ran for long: what would be told is overtaken by what is decided.
    let change = clock::due(&live(MUTUAL), hour(LAPSE)).unwrap();
    assert_eq!(told_by(&change), "creator:bet_lapsed acceptor:bet_lapsed");
    let bet = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100));
    let change = clock::due(&bet, hour(72)).unwrap();
    assert_eq!(told_by(&change), "creator:proposal_stood A acceptor:proposal_stood A");
}

#[test]
fn after_the_expiry_was_told_where_both_are_due() {
    let bet = live(MUTUAL);
    let now = hour(LAPSE - 1);
    let first = clock::due(&bet, now).unwrap();
    assert_eq!(told_by(&first), "creator:bet_due acceptor:bet_due");
    let second = clock::due(&first.bet, now).unwrap();
    assert_eq!(told_by(&second), LAPSE_REMINDER);
    assert_eq!(clock::due(&second.bet, now), None);
}
