//! Tests of the grace period: a deadline that passed during an outage of more than an hour moves, once, to 24
//! hours after the end of the outage.

use bolts_bets::{Bet, Method, Outcome, Status};
use bolts_kernel::Timestamp;
use bolts_resolution::deadlines::{self, Deadline, Step, put_off, shortened};
use bolts_resolution::{acceptor_may_propose_at, end_early};

use crate::deadlines::{disputed, proposed, rejected};
use crate::effects::told_by;
use crate::support::{acceptor, awaiting, creator, hour, just_before, live, pending, shifted, swept};

const MUTUAL: Method = Method::MutualAgreement;
const LAPSE: i64 = 14 * 24;
const DISPUTE_LAPSE: i64 = 30 * 24;

/// A bet with an unanswered proposal, which stands 72 hours after the expiry.
fn standing() -> Bet {
    proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100))
}

/// The next decision of the clock and its time.
fn decision(bet: &Bet) -> (Step, Timestamp) {
    deadlines::decision(bet).map(|Deadline { at, step }| (step, at)).unwrap()
}

#[test]
fn stand_lapse_and_dispute_lapse_get_a_grace_period() {
    let cases = [
        (standing(), Step::Stand, 72),
        (live(MUTUAL), Step::Lapse, LAPSE),
        (live(Method::ManualVerification), Step::Lapse, LAPSE),
        (awaiting(MUTUAL), Step::Lapse, LAPSE),
        (disputed(awaiting(MUTUAL), hour(0)), Step::DisputeLapse, DISPUTE_LAPSE),
    ];
    for (bet, step, fell_at) in cases {
        let (from, to) = (hour(fell_at - 1), hour(fell_at + 1));
        let bet = put_off(bet, from, to).unwrap();
        assert_eq!(decision(&bet), (step, hour(fell_at + 1 + 24)));
        let (status, end) = (bet.status(), hour(fell_at + 25));
        assert_eq!(swept(bet.clone(), just_before(end)).status(), status);
        assert_ne!(swept(bet, end).status(), status);
    }
}

#[test]
fn an_expiry_gets_no_grace_period() {
    assert_eq!(put_off(pending(MUTUAL), hour(-5), hour(5)), None);
}

#[test]
fn a_bet_that_has_ended_gets_no_grace_period() {
    let ended = swept(standing(), hour(72));
    assert_eq!(ended.status(), Status::Resolved);
    assert_eq!(put_off(ended, hour(60), hour(80)), None);
}

#[test]
fn only_an_outage_of_more_than_an_hour_gives_a_grace_period() {
    let (from, to) = (hour(72), hour(73));
    assert_eq!(put_off(standing(), from, to), None);
    assert!(put_off(standing(), from, shifted(to, 1)).is_some());
}

#[test]
fn only_a_deadline_during_the_outage_gets_a_grace_period() {
    let at = hour(72);
    // The outage includes its first instant and excludes its end. So the first two outages contain the
    // deadline. The last two outages do not contain the deadline, so a user could act at the deadline.
    assert!(put_off(standing(), at, hour(75)).is_some());
    assert!(put_off(standing(), hour(70), shifted(at, 1)).is_some());
    assert_eq!(put_off(standing(), shifted(at, 1), hour(75)), None);
    assert_eq!(put_off(standing(), hour(70), at), None);
}

#[test]
fn a_deadline_gets_only_one_grace_period() {
    let bet = put_off(standing(), hour(71), hour(80)).unwrap();
    assert_eq!(decision(&bet), (Step::Stand, hour(104)));
    assert_eq!(put_off(bet.clone(), hour(100), hour(110)), None);
    assert_eq!(swept(bet, hour(110)).status(), Status::Resolved);
}

#[test]
fn a_grace_period_that_a_wrong_clock_gave_ends_a_day_after_the_clock_is_right() {
    let bet = put_off(standing(), hour(71), hour(10_000)).unwrap();
    let right = shortened(&bet, hour(60)).unwrap();
    assert_eq!(decision(&right), (Step::Stand, hour(84)));
    let early = shortened(&bet, hour(40)).unwrap();
    assert_eq!(decision(&early), (Step::Stand, hour(72)), "not before the deadline");
    assert_eq!(shortened(&right, hour(60)), None);
    assert_eq!(shortened(&standing(), hour(60)), None);
}

/// The clock was ahead when the parties acted.
#[test]
fn deadlines_of_actions_in_the_future_count_from_now() {
    let (ahead, now) = (hour(71), 5);
    let cases = [
        (proposed(awaiting(MUTUAL), creator(), Outcome::A, ahead), Step::Stand, 72),
        (proposed(awaiting(MUTUAL), creator(), Outcome::Void, ahead), Step::Lapse, LAPSE),
        (rejected(standing(), acceptor(), ahead), Step::Lapse, LAPSE),
        (disputed(awaiting(MUTUAL), ahead), Step::DisputeLapse, DISPUTE_LAPSE),
    ];
    for (bet, step, wait) in cases {
        assert_eq!(decision(&bet), (step, hour(71 + wait)));
        let right = shortened(&bet, hour(now)).unwrap();
        assert_eq!(decision(&right), (step, hour(now + wait)));
        assert_eq!(shortened(&right, hour(now)), None);
        assert_eq!(shortened(&bet, ahead), None, "the time has come");
    }
    let bet = shortened(&rejected(standing(), acceptor(), ahead), hour(now)).unwrap();
    assert_eq!(acceptor_may_propose_at(&bet), Some(hour(now + 72)));
}

/// The clock was ahead when it told the parties that the bet had expired.
#[test]
fn an_expiry_that_was_told_too_early_is_told_again() {
    let told = swept(live(MUTUAL), hour(1));
    assert_eq!(deadlines::due(&told, hour(1)), None);
    let right = shortened(&told, hour(-1)).unwrap();
    assert_eq!(deadlines::next(&right), Some(Deadline { at: hour(0), step: Step::Due }));
    assert_eq!(shortened(&told, hour(0)), None);
}

#[test]
fn a_new_deadline_gets_its_own_grace_period() {
    let lapse_put_off = put_off(awaiting(MUTUAL), hour(LAPSE - 1), hour(LAPSE + 1)).unwrap();
    let stand_put_off = put_off(standing(), hour(71), hour(80)).unwrap();
    let cases = [
        (proposed(lapse_put_off, creator(), Outcome::B, hour(LAPSE + 2)), Step::Stand, LAPSE + 2 + 72),
        (rejected(stand_put_off.clone(), acceptor(), hour(90)), Step::Lapse, 90 + LAPSE),
        (disputed(stand_put_off, hour(90)), Step::DisputeLapse, 90 + DISPUTE_LAPSE),
    ];
    for (bet, step, at) in cases {
        assert_eq!(decision(&bet), (step, hour(at)));
        let bet = put_off(bet, hour(at - 1), hour(at + 1)).unwrap();
        assert_eq!(decision(&bet), (step, hour(at + 1 + 24)));
    }
}

#[test]
fn opening_the_resolution_keeps_the_grace_period_of_the_lapse() {
    let bet = put_off(live(MUTUAL), hour(LAPSE - 1), hour(LAPSE + 1)).unwrap();
    let bet = swept(bet, hour(LAPSE + 2));
    let bet = end_early(bet, acceptor(), hour(LAPSE + 2)).unwrap().bet;
    assert_eq!(decision(&bet), (Step::Lapse, hour(LAPSE + 25)));
}

#[test]
fn both_parties_are_reminded_at_the_start_of_a_grace_period() {
    let bet = put_off(standing(), hour(71), hour(80)).unwrap();
    let change = deadlines::due(&bet, hour(80)).unwrap();
    assert_eq!(told_by(&change), "creator:stand_reminder A acceptor:stand_reminder A");
    assert!(change.notices.iter().all(|notice| notice.until == Some(hour(104))));
    assert_eq!(deadlines::due(&change.bet, just_before(hour(104))), None);
}
