//! Tests of the decisions of the clock. Each step is due from the very instant of its deadline, and not a
//! microsecond before.

use bolts_bets::{Bet, CancelReason, EscrowEffect, Method, Outcome, Refusal, SettledBy, State, Status};
use bolts_kernel::{Timestamp, UserId};
use bolts_resolution::deadlines::{self, Deadline, Step};
use bolts_resolution::{Answer, acceptor_may_propose_at, dispute, end_early, propose, respond};

use crate::effects::{event_of, told_by};
use crate::support::{
    acceptor, awaiting, creator, hour, just_before, live, pending, proposal, shifted, swept,
};

const MUTUAL: Method = Method::MutualAgreement;
const MANUAL: Method = Method::ManualVerification;

// The default waiting times of 14 days and 30 days, in hours.
const LAPSE: i64 = 14 * 24;
const DISPUTE_LAPSE: i64 = 30 * 24;

pub(crate) fn proposed(bet: Bet, by: UserId, outcome: Outcome, at: Timestamp) -> Bet {
    propose(swept(bet, at), by, outcome, proposal(7), at).unwrap().bet
}

pub(crate) fn rejected(bet: Bet, by: UserId, at: Timestamp) -> Bet {
    respond(swept(bet, at), by, Answer::Reject, None, at).unwrap().bet
}

pub(crate) fn disputed(bet: Bet, at: Timestamp) -> Bet {
    dispute(swept(bet, at), acceptor(), "It did not snow.", at).unwrap().bet
}

/// Asserts that `step` ends the bet at the instant `at` and not before. Returns the bet after the step.
#[track_caller]
fn decides(bet: Bet, step: Step, at: Timestamp) -> Bet {
    assert!(Step::ENDS.contains(&step), "{step}");
    assert_eq!(deadlines::decision(&bet), Some(Deadline { at, step }));
    let before = swept(bet.clone(), just_before(at));
    assert_eq!(before.status(), bet.status(), "a microsecond before");
    assert!(!deadlines::is_overdue(&before, just_before(at)) && deadlines::is_overdue(&before, at));
    let after = swept(before, at);
    assert!(after.status().has_ended(), "at the instant");
    assert_eq!((deadlines::decision(&after), deadlines::next(&after)), (None, None));
    assert_eq!(deadlines::due(&after, shifted(at, i64::from(u32::MAX))), None);
    after
}

fn cancel_reason(bet: &Bet) -> Option<CancelReason> {
    if let State::Cancelled { reason, .. } = &bet.state { Some(*reason) } else { None }
}

fn settled_by(bet: &Bet) -> Option<SettledBy> {
    match &bet.state {
        State::Resolved { settlement, .. } => Some(settlement.by),
        State::Cancelled { settled_by, .. } => *settled_by,
        State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => None,
    }
}

#[test]
fn a_pending_bet_expires() {
    for method in [MUTUAL, MANUAL] {
        let bet = decides(pending(method), Step::Expire, hour(0));
        assert_eq!(cancel_reason(&bet), Some(CancelReason::Expired));
        let change = deadlines::due(&pending(method), hour(0)).unwrap();
        assert_eq!((event_of(&change).as_str(), change.escrow), ("expired clock", EscrowEffect::Refund));
        assert_eq!(told_by(&change), "creator:bet_expired");
    }
}

#[test]
fn both_parties_are_notified_once_when_an_accepted_bet_expires() {
    for method in [MUTUAL, MANUAL] {
        let bet = live(method);
        assert_eq!(deadlines::next(&bet), Some(Deadline { at: hour(0), step: Step::Due }));
        assert_eq!(deadlines::due(&bet, just_before(hour(0))), None);
        let change = deadlines::due(&bet, hour(0)).unwrap();
        assert_eq!((event_of(&change).as_str(), change.escrow), ("due clock", EscrowEffect::Unchanged));
        assert_eq!(told_by(&change), "creator:bet_due acceptor:bet_due");
        assert!(change.notices.iter().all(|notice| notice.until == Some(hour(LAPSE))));
        assert_eq!(change.bet.status(), Status::Accepted);
        assert_eq!(deadlines::due(&change.bet, hour(0)), None);
    }
}

#[test]
fn an_unanswered_proposal_stands_72_hours_after_the_later_of_its_time_and_the_expiry() {
    for (proposed_at, stands_at) in [(-100, 72), (-72, 72), (-1, 72), (0, 72), (1, 73), (10, 82), (300, 372)]
    {
        for (outcome, winner) in [(Outcome::A, creator()), (Outcome::B, acceptor())] {
            let bet = proposed(awaiting(MUTUAL), creator(), outcome, hour(proposed_at));
            let change =
                deadlines::due(&swept(bet.clone(), just_before(hour(stands_at))), hour(stands_at)).unwrap();
            assert_eq!(event_of(&change), format!("stood clock: {outcome}"));
            let told = format!("creator:proposal_stood {outcome} acceptor:proposal_stood {outcome}");
            assert_eq!((told_by(&change), change.escrow), (told, EscrowEffect::PayOut(winner)));
            let bet = decides(bet, Step::Stand, hour(stands_at));
            assert_eq!((bet.winner(), settled_by(&bet)), (Some(winner), Some(SettledBy::Stand)));
        }
    }
}

#[test]
fn an_unanswered_void_proposal_lapses_and_never_stands() {
    for (proposed_at, lapses_at) in [(-100, LAPSE), (0, LAPSE), (10, LAPSE + 10), (300, LAPSE + 300)] {
        let bet = proposed(awaiting(MUTUAL), creator(), Outcome::Void, hour(proposed_at));
        let bet = decides(bet, Step::Lapse, hour(lapses_at));
        assert_eq!((cancel_reason(&bet), settled_by(&bet)), (Some(CancelReason::Lapsed), None));
    }
}

#[test]
fn a_bet_lapses_14_days_after_the_latest_of_expiry_proposal_and_rejection() {
    let opened_late = |method| {
        let bet = swept(live(method), hour(200));
        end_early(bet, acceptor(), hour(200)).unwrap().bet
    };
    let turned_down = |outcome, at, rejected_at| {
        rejected(proposed(awaiting(MUTUAL), creator(), outcome, hour(at)), acceptor(), hour(rejected_at))
    };
    let cases = [
        ("live", live(MUTUAL), LAPSE),
        ("live, manual", live(MANUAL), LAPSE),
        ("opened early", awaiting(MUTUAL), LAPSE),
        ("opened late", opened_late(MUTUAL), LAPSE),
        ("opened late, manual", opened_late(MANUAL), LAPSE),
        ("rejected before the expiry", turned_down(Outcome::A, -100, -90), LAPSE),
        ("rejected at the expiry", turned_down(Outcome::B, -1, 0), LAPSE),
        ("rejected after the expiry", turned_down(Outcome::A, -100, 50), LAPSE + 50),
        ("void rejected", turned_down(Outcome::Void, 20, 200), LAPSE + 200),
        (
            "void proposed after a rejection",
            proposed(turned_down(Outcome::A, -100, 50), creator(), Outcome::Void, hour(60)),
            LAPSE + 60,
        ),
    ];
    for (name, bet, lapses_at) in cases {
        let change =
            deadlines::due(&swept(bet.clone(), just_before(hour(lapses_at))), hour(lapses_at)).unwrap();
        assert_eq!(
            (event_of(&change).as_str(), change.escrow),
            ("lapsed clock", EscrowEffect::Refund),
            "{name}"
        );
        assert_eq!(told_by(&change), "creator:bet_lapsed acceptor:bet_lapsed", "{name}");
        let bet = decides(bet, Step::Lapse, hour(lapses_at));
        assert_eq!(cancel_reason(&bet), Some(CancelReason::Lapsed), "{name}");
    }
}

#[test]
fn an_unruled_dispute_follows_only_a_proposal_that_favours_the_other_party() {
    // The creator has side A, and the acceptor has side B. The acceptor may propose from 72 hours after the
    // expiry.
    let by_creator = |outcome| disputed(proposed(awaiting(MUTUAL), creator(), outcome, hour(1)), hour(70));
    let by_acceptor = |outcome| disputed(proposed(awaiting(MUTUAL), acceptor(), outcome, hour(72)), hour(80));
    let cases = [
        ("none", disputed(awaiting(MUTUAL), hour(-90)), -90, None),
        ("none, manual, from live", disputed(live(MANUAL), hour(20)), 20, None),
        ("void by creator", by_creator(Outcome::Void), 70, None),
        ("creator for himself", by_creator(Outcome::A), 70, None),
        ("creator for acceptor", by_creator(Outcome::B), 70, Some((Outcome::B, acceptor()))),
        ("void by acceptor", by_acceptor(Outcome::Void), 80, None),
        ("acceptor for himself", by_acceptor(Outcome::B), 80, None),
        ("acceptor for creator", by_acceptor(Outcome::A), 80, Some((Outcome::A, creator()))),
    ];
    for (name, bet, disputed_at, settled) in cases {
        let at = hour(disputed_at + DISPUTE_LAPSE);
        let change = deadlines::due(&swept(bet.clone(), just_before(at)), at).unwrap();
        let outcome = settled.map_or(Outcome::Void, |(outcome, _)| outcome);
        assert_eq!(event_of(&change), format!("dispute_lapsed clock: {outcome}"), "{name}");
        let told = format!(
            "creator:dispute_lapsed {outcome} acceptor:dispute_lapsed {outcome} admins:dispute_lapsed"
        );
        assert_eq!(told_by(&change), told, "{name}");
        let escrow = settled.map_or(EscrowEffect::Refund, |(_, winner)| EscrowEffect::PayOut(winner));
        assert_eq!(change.escrow, escrow, "{name}");
        let bet = decides(bet, Step::DisputeLapse, at);
        assert_eq!(bet.winner(), settled.map(|(_, winner)| winner), "{name}");
        assert_eq!(cancel_reason(&bet), settled.is_none().then_some(CancelReason::Void), "{name}");
        assert_eq!(settled_by(&bet), Some(SettledBy::DisputeLapse), "{name}");
    }
}

#[test]
fn a_disputed_bet_neither_stands_nor_lapses() {
    let bet = disputed(proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100)), just_before(hour(72)));
    assert_eq!(swept(bet, hour(72 + LAPSE + 24)).status(), Status::AwaitingResolution);
    let bet = disputed(awaiting(MUTUAL), just_before(hour(LAPSE)));
    assert_eq!(swept(bet, hour(LAPSE + 24)).status(), Status::AwaitingResolution);
}

#[test]
fn the_acceptor_may_propose_72_hours_after_the_later_of_expiry_and_last_rejection() {
    let turned_down = |rejected_at| {
        rejected(proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(-100)), acceptor(), hour(rejected_at))
    };
    let cases = [
        ("opened before the expiry", awaiting(MUTUAL), 72),
        ("opened by the acceptor", end_early(live(MUTUAL), acceptor(), hour(1)).unwrap().bet, 72),
        ("rejected before the expiry", turned_down(-90), 72),
        ("rejected after the expiry", turned_down(50), 122),
    ];
    for (name, bet, turn) in cases {
        assert_eq!(acceptor_may_propose_at(&bet), Some(hour(turn)), "{name}");
        for outcome in [Outcome::A, Outcome::B, Outcome::Void] {
            let propose = |at| propose(swept(bet.clone(), at), acceptor(), outcome, proposal(8), at);
            assert_eq!(propose(just_before(hour(turn))).err(), Some(Refusal::NotAllowed), "{name}");
            assert_eq!(propose(hour(turn)).unwrap().bet.status(), Status::AwaitingResolution, "{name}");
        }
    }
}

#[test]
fn the_acceptor_may_propose_only_in_an_open_resolution_without_proposal_or_dispute() {
    let late = hour(100);
    let try_it =
        |bet: &Bet| propose(swept(bet.clone(), late), acceptor(), Outcome::B, proposal(8), late).err();
    let unopened = live(MUTUAL);
    assert_eq!((try_it(&unopened), acceptor_may_propose_at(&unopened)), (Some(Refusal::NotAllowed), None));
    let standing = proposed(awaiting(MUTUAL), creator(), Outcome::A, hour(80));
    assert_eq!(
        (try_it(&standing), acceptor_may_propose_at(&standing)),
        (Some(Refusal::ProposalPending), None)
    );
    let in_dispute = disputed(awaiting(MUTUAL), hour(80));
    assert_eq!((try_it(&in_dispute), acceptor_may_propose_at(&in_dispute)), (Some(Refusal::Disputed), None));
    assert_eq!(acceptor_may_propose_at(&live(MANUAL)), Some(hour(0)));
    assert_eq!(acceptor_may_propose_at(&pending(MANUAL)), None);
}

#[test]
fn only_the_creator_may_answer_the_acceptors_proposal() {
    let bet = proposed(awaiting(MUTUAL), acceptor(), Outcome::B, hour(72));
    let answer = |by, answer| respond(bet.clone(), by, answer, Some(proposal(7)), hour(73));
    assert_eq!(answer(acceptor(), Answer::Accept).err(), Some(Refusal::NotAllowed));
    assert_eq!(answer(acceptor(), Answer::Reject).err(), Some(Refusal::NotAllowed));
    let accepted = answer(creator(), Answer::Accept).unwrap();
    assert_eq!(accepted.bet.winner(), Some(acceptor()));
    assert_eq!(told_by(&accepted), "acceptor:outcome_accepted B");
    let turned_down = answer(creator(), Answer::Reject).unwrap();
    assert_eq!(told_by(&turned_down), "acceptor:outcome_rejected B");
    assert_eq!(turned_down.bet.state.negotiation().map(|n| n.rejections.count), Some(1));
    let stood = decides(bet, Step::Stand, hour(144));
    assert_eq!(stood.winner(), Some(acceptor()));
}

#[test]
fn the_creator_may_propose_on_an_expired_bet_without_opening_the_resolution() {
    let bet = proposed(live(MUTUAL), creator(), Outcome::B, hour(5));
    assert_eq!(decides(bet, Step::Stand, hour(77)).winner(), Some(acceptor()));
}
