//! Tests of reminders. Both parties get a reminder 24 hours before a proposal stands, and 24 hours before a bet
//! lapses.

use bolts_bets::{Bet, EscrowEffect, Method, Outcome, Waits};
use bolts_kernel::Timestamp;
use bolts_resolution::deadlines::{self, Deadline, Step};

use crate::deadlines::{disputed, proposed, rejected};
use crate::effects::told_by;
use crate::support::{
    acceptor, awaiting, creator, hour, hours, just_before, live, pending, pending_with, swept,
};

const MUTUAL: Method = Method::MutualAgreement;
const LAPSE: i64 = 14 * 24;
const STAND_REMINDER: &str = "creator:stand_reminder A acceptor:stand_reminder A";
const LAPSE_REMINDER: &str = "creator:lapse_reminder acceptor:lapse_reminder";

/// Asserts that both parties get one reminder, 24 hours before `deadline`. Returns the bet after the reminder.
#[track_caller]
fn assert_reminder(bet: &Bet, told: &str, deadline: Timestamp) -> Bet {
    let at = deadline.before(hours(24));
    let bet = swept(bet.clone(), just_before(at));
    assert_eq!(deadlines::next(&bet), Some(Deadline { at, step: Step::Remind }));
    let change = deadlines::due(&bet, at).unwrap();
    assert_eq!(told_by(&change), told);
    assert!(change.notices.iter().all(|notice| notice.until == Some(deadline)));
    assert_eq!((&change.event, change.escrow), (&None, EscrowEffect::Unchanged));
    assert_eq!((&change.bet.state, change.bet.updated_at), (&bet.state, bet.updated_at));
    assert_eq!(deadlines::due(&change.bet, just_before(deadline)), None, "once");
    change.bet
}

#[test]
fn a_reminder_comes_before_a_proposal_stands() {
    let early = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100));
    assert_reminder(&early, STAND_REMINDER, hour(72));
    let late = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(10));
    assert_reminder(&late, STAND_REMINDER, hour(82));
}

#[test]
fn a_reminder_comes_before_a_bet_lapses() {
    assert_reminder(&live(MUTUAL), LAPSE_REMINDER, hour(LAPSE));
    assert_reminder(&live(Method::ManualVerification), LAPSE_REMINDER, hour(LAPSE));
    assert_reminder(&awaiting(MUTUAL), LAPSE_REMINDER, hour(LAPSE));
    let void = proposed(awaiting(MUTUAL), creator(), Outcome::Void, hour(10));
    let told = "creator:lapse_reminder void acceptor:lapse_reminder void";
    assert_reminder(&void, told, hour(LAPSE + 10));
}

#[test]
fn each_new_deadline_has_its_own_reminder() {
    let bet = assert_reminder(
        &proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(0)),
        STAND_REMINDER,
        hour(72),
    );
    let bet = rejected(bet, acceptor(), hour(60));
    let bet = assert_reminder(&bet, LAPSE_REMINDER, hour(LAPSE + 60));
    let bet = proposed(bet, creator(), Outcome::A, hour(LAPSE + 50));
    assert_reminder(&bet, STAND_REMINDER, hour(LAPSE + 50 + 72));
}

#[test]
fn an_expiry_and_a_dispute_have_no_reminder() {
    let bet = pending(MUTUAL);
    assert_eq!(deadlines::next(&bet), Some(Deadline { at: hour(0), step: Step::Expire }));
    let bet = disputed(proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(1)), hour(2));
    let end = hour(2 + 30 * 24);
    assert_eq!(deadlines::next(&bet), Some(Deadline { at: end, step: Step::DisputeLapse }));
    assert_eq!(deadlines::due(&bet, just_before(end)), None);
}

#[test]
fn a_waiting_time_of_at_most_24_hours_has_no_reminder() {
    let waits = Waits { stand: hours(24), lapse: hours(24), ..Waits::default() };
    let bet = pending_with(MUTUAL, waits).accept(acceptor(), bolts_bets::Side::B, hour(-216)).unwrap().bet;
    let told = swept(bet, hour(0));
    assert_eq!(deadlines::next(&told), Some(Deadline { at: hour(24), step: Step::Lapse }));
    let bet = proposed(told, creator(), Outcome::A, hour(1));
    assert_eq!(deadlines::next(&bet), Some(Deadline { at: hour(25), step: Step::Stand }));
}

#[test]
fn an_overdue_decision_has_no_reminder() {
    // No step was applied for a long time, so the decision is already due. The clock decides and sends no
    // reminder.
    let change = deadlines::due(&live(MUTUAL), hour(LAPSE)).unwrap();
    assert_eq!(told_by(&change), "creator:bet_lapsed acceptor:bet_lapsed");
    let bet = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100));
    let change = deadlines::due(&bet, hour(72)).unwrap();
    assert_eq!(told_by(&change), "creator:proposal_stood A acceptor:proposal_stood A");
}

#[test]
fn the_notification_of_the_expiry_comes_before_an_overdue_reminder() {
    let bet = live(MUTUAL);
    let now = hour(LAPSE - 1);
    let first = deadlines::due(&bet, now).unwrap();
    assert_eq!(told_by(&first), "creator:bet_due acceptor:bet_due");
    let second = deadlines::due(&first.bet, now).unwrap();
    assert_eq!(told_by(&second), LAPSE_REMINDER);
    assert_eq!(deadlines::due(&second.bet, now), None);
}
