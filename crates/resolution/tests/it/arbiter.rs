//! The rules about the arbiter, as tables and at their exact times.
//!
//! The signs, the columns and the cells are those of `table.rs`. The column `status` is the status of the arbiter, who is
//! user 3. `outsider` is an admin who is neither a party nor the arbiter. All rows hold before and after the expiry, and
//! for both methods, except where a bet cannot exist.

use bolts_bets::{
    ArbiterStatus, Bet, EventKind, Method, NoticeKind, Outcome, Party, Recipient, SettledBy, Side, State,
};
use bolts_kernel::{Timestamp, UserId};
use bolts_resolution::deadlines::{self, Step};
use bolts_resolution::{Task, actions, answer_invitation, dispute, rule, rule_as_arbiter, turns};

use crate::support::{
    acceptor, act, admin, arbiter, awaiting, check_listed, creator, hour, just_before, pending, proposal,
    shifted, swept, with_arbiter,
};
use crate::table_run::{SITUATIONS, action, became, in_situation, short};

const TABLE: &str = "
action       by        status      pending   live      await     propos    void      disp      disp+p    paid      cancel
serve        arbiter   invited     PENDING   LIVE      AWAIT     AWAIT     AWAIT     disputed  disputed  resolved  cancelled
serve        arbiter   accepted    SAME      SAME      SAME      SAME      SAME      SAME      SAME      resolved  cancelled
serve        arbiter   declined    gone      gone      gone      gone      gone      gone      gone      resolved  cancelled
serve        arbiter   resigned    gone      gone      gone      gone      gone      gone      gone      resolved  cancelled
serve        arbiter   out_of_time .         .         .         .         .         late      late      resolved  cancelled
leave        arbiter   invited     PENDING   LIVE      AWAIT     AWAIT     AWAIT     AWAIT     AWAIT     resolved  cancelled
leave        arbiter   accepted    PENDING   LIVE      AWAIT     AWAIT     AWAIT     AWAIT     AWAIT     resolved  cancelled
leave        arbiter   declined    SAME      SAME      SAME      SAME      SAME      SAME      SAME      resolved  cancelled
leave        arbiter   resigned    SAME      SAME      SAME      SAME      SAME      SAME      SAME      resolved  cancelled
leave        arbiter   out_of_time .         .         .         .         .         late      late      resolved  cancelled
serve        creator   invited     !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
serve        acceptor  invited     !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
leave        outsider  accepted    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
serve        outsider  none        !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  arbiter   invited     !awaiting !awaiting !disputed !disputed !disputed !allowed  !allowed  resolved  !awaiting
arbitrate A  arbiter   accepted    !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting
arbitrate B  arbiter   accepted    !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting
arbitrate void arbiter accepted    !awaiting !awaiting !disputed !disputed !disputed BACK      BACK      resolved  !awaiting
arbitrate A  arbiter   declined    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  arbiter   resigned    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  arbiter   out_of_time .         .         .         .         .         late      late      resolved  !awaiting
arbitrate A  creator   accepted    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  acceptor  accepted    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  outsider  accepted    !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
arbitrate A  outsider  none        !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter  !arbiter
rule B       outsider  invited     !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting
rule B       outsider  accepted    !awaiting !awaiting !disputed !disputed !disputed rules     rules     resolved  !awaiting
rule B       arbiter   accepted    !awaiting !awaiting !disputed !disputed !disputed rules     rules     resolved  !awaiting
rule B       creator   accepted    conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict  conflict
rule B       outsider  declined    !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting
rule B       outsider  resigned    !awaiting !awaiting !disputed !disputed !disputed PAID      PAID      resolved  !awaiting
rule B       outsider  out_of_time .         .         .         .         .         PAID      PAID      resolved  !awaiting
refund       outsider  invited     BACK      BACK      BACK      BACK      BACK      BACK      BACK      resolved  cancelled
refund       outsider  accepted    BACK      BACK      BACK      BACK      BACK      rules     rules     resolved  cancelled
refund       outsider  out_of_time .         .         .         .         .         BACK      BACK      resolved  cancelled
admin delete outsider  accepted    BACK      BACK      BACK      BACK      BACK      BACK      BACK      GONE      GONE
accept free  arbiter   invited     arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter
accept free  arbiter   accepted    arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter
accept free  arbiter   declined    arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter
accept free  arbiter   resigned    arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter   arbiter
propose A    arbiter   accepted    !party    !party    !party    !party    !party    !party    !party    !party    !party
agree right  arbiter   accepted    !party    !party    !party    !party    !party    !party    !party    !party    !party
dispute      arbiter   accepted    !party    !party    !party    !party    !party    !party    !party    !party    !party
delete       arbiter   accepted    !party    !party    !party    !party    !party    !party    !party    !party    !party
end early    arbiter   accepted    !party    !party    !party    !party    !party    !party    !party    !party    !party
";

/// A row of the table: the action, the user, the status of the arbiter, and the expected results.
fn cells(row: &str) -> (String, UserId, Option<ArbiterStatus>, Vec<String>) {
    let words: Vec<&str> = row.split_whitespace().collect();
    let by = |word: &str| match word {
        "creator" => Some(creator()),
        "acceptor" => Some(acceptor()),
        "arbiter" => Some(arbiter()),
        "outsider" => Some(admin()),
        _ => None,
    };
    let at = words.iter().position(|word| by(word).is_some()).expect("a user");
    let status = ArbiterStatus::parse(words[at + 1]);
    assert!(status.is_some() || words[at + 1] == "none", "{row}");
    let rest = words[at + 2..].iter().map(|&word| word.to_owned()).collect();
    (words[..at].join(" "), by(words[at]).expect("a user"), status, rest)
}

#[test]
fn every_action_with_an_arbiter_of_every_status() {
    let mut lines = TABLE.lines().filter(|line| !line.is_empty());
    let columns: Vec<&str> = lines.next().expect("a head").split_whitespace().skip(3).collect();
    assert!(columns.iter().all(|column| SITUATIONS.contains(column)));
    let mut checked = 0;
    for row in lines {
        let (name, by, status, expected) = cells(row);
        assert_eq!(expected.len(), columns.len(), "{row}");
        for method in [Method::MutualAgreement, Method::ManualVerification] {
            for (situation, cell) in columns.iter().zip(&expected) {
                let now = hour(-10);
                let Some(bet) = in_situation(situation, method, false).filter(|_| cell != ".") else {
                    continue;
                };
                let bet = status.map_or(bet.clone(), |status| with_arbiter(bet, status));
                let result = act(bet.clone(), action(&name), by, proposal(9), now);
                if let Err(why) = check_listed(&bet, action(&name), by, &result, now) {
                    panic!("{row}: {situation}: {why}");
                }
                let found = match &result {
                    Ok(change) => became(&bet, change),
                    Err(refusal) => short(*refusal),
                };
                assert_eq!(found, cell, "{row}: {situation}");
                checked += 1;
            }
        }
    }
    // 40 full rows have 9 and 6 cells, the 5 rows with dots 4 and 3.
    assert_eq!(checked, 40 * (9 + 6) + 5 * (4 + 3));
}

/// A bet that the acceptor disputed at `hour(1)`, with an arbiter of this status.
fn disputed(status: ArbiterStatus) -> Bet {
    let bet = with_arbiter(awaiting(Method::MutualAgreement), status);
    dispute(bet, acceptor(), "It did not snow.", hour(1)).expect("may be disputed").bet
}

/// The end of the arbiter's 7 days.
fn end() -> Timestamp {
    hour(1 + 7 * 24)
}

fn told(notices: &[bolts_bets::Notice]) -> Vec<(Recipient, NoticeKind)> {
    notices.iter().map(|notice| (notice.to, notice.kind)).collect()
}

#[test]
fn a_new_bet_invites_its_arbiter() {
    let waits = bolts_bets::Waits::default();
    let terms = pending(Method::MutualAgreement).terms;
    let id = pending(Method::MutualAgreement).id;
    let new = bolts_bets::NewBet {
        id,
        creator: creator(),
        creator_side: Side::A,
        terms,
        waits,
        arbiter: Some(arbiter()),
    };
    let created = Bet::create(new.clone(), hour(-240));
    assert_eq!(told(&created.notices), [(Recipient::User(arbiter()), NoticeKind::ArbiterInvited)]);
    assert_eq!(created.bet.arbiter.map(|one| one.status), Some(ArbiterStatus::Invited));
    let alone = Bet::create(bolts_bets::NewBet { arbiter: None, ..new }, hour(-240));
    assert_eq!((alone.bet.arbiter, alone.notices), (None, Vec::new()));
}

#[test]
fn a_dispute_goes_to_an_arbiter_who_accepted_and_else_to_the_admins() {
    let by = |status| {
        let bet = with_arbiter(awaiting(Method::MutualAgreement), status);
        dispute(bet, acceptor(), "It did not snow.", hour(1)).expect("may be disputed")
    };
    let other = (Recipient::User(creator()), NoticeKind::BetDisputed);
    let change = by(ArbiterStatus::Accepted);
    assert_eq!(told(&change.notices), [other, (Recipient::User(arbiter()), NoticeKind::DisputeToArbitrate)]);
    assert!(change.notices.iter().all(|notice| notice.until == Some(end())));
    for status in [ArbiterStatus::Invited, ArbiterStatus::Declined, ArbiterStatus::Resigned] {
        let change = by(status);
        assert_eq!(told(&change.notices), [other, (Recipient::Admins, NoticeKind::DisputeToRule)]);
        assert!(change.notices.iter().all(|notice| notice.until.is_none()));
        assert_eq!(deadlines::arbiter_deadline(&change.bet), None);
    }
}

#[test]
fn the_arbiter_has_seven_days_and_then_the_admins_rule() {
    let bet = disputed(ArbiterStatus::Accepted);
    assert_eq!(deadlines::arbiter_deadline(&bet), Some(end()));
    let last = just_before(end());
    let reminded = swept(bet.clone(), last);
    assert!(rule_as_arbiter(reminded.clone(), arbiter(), Outcome::A, "Seen.", last).is_ok());
    assert_eq!(rule(reminded, admin(), Outcome::A, "", last).map_err(short), Err("rules"));

    let late = swept(bet, end());
    assert_eq!(late.arbiter.map(|one| one.status), Some(ArbiterStatus::OutOfTime));
    assert_eq!(
        rule_as_arbiter(late.clone(), arbiter(), Outcome::A, "Seen.", end()).map_err(short),
        Err("late")
    );
    assert_eq!(deadlines::arbiter_deadline(&late), None);
    let ruled = rule(late.clone(), admin(), Outcome::B, "", end()).expect("the admins rule");
    assert_eq!(ruled.bet.winner(), Some(acceptor()));
    // For the admins it is what is left of the 30 days.
    let decision = deadlines::decision(&late).expect("an open bet");
    assert_eq!((decision.at, decision.step), (hour(1 + 30 * 24), Step::DisputeLapse));
}

#[test]
fn the_clock_reminds_the_arbiter_once_and_hands_the_dispute_over_once() {
    let bet = disputed(ArbiterStatus::Accepted);
    let next = deadlines::next(&bet).expect("an open bet");
    assert_eq!((next.at, next.step), (hour(1 + 6 * 24), Step::Remind));
    assert_eq!(deadlines::due(&bet, just_before(next.at)), None);
    let reminder = deadlines::due(&bet, next.at).expect("a reminder");
    assert_eq!(told(&reminder.notices), [(Recipient::User(arbiter()), NoticeKind::ArbiterReminder)]);
    assert_eq!((reminder.event, reminder.notices[0].until), (None, Some(end())));

    let bet = reminder.bet;
    let next = deadlines::next(&bet).expect("an open bet");
    assert_eq!((next.at, next.step), (end(), Step::HandOver));
    assert_eq!(deadlines::due(&bet, just_before(end())), None);
    let over = deadlines::due(&bet, end()).expect("the hand-over");
    assert_eq!(over.event.map(|event| event.kind), Some(EventKind::HandedOver));
    let users = [creator(), acceptor(), arbiter()].map(Recipient::User);
    let mut expected = users.map(|user| (user, NoticeKind::DisputeHandedOver)).to_vec();
    expected.push((Recipient::Admins, NoticeKind::DisputeToRule));
    assert_eq!(told(&over.notices), expected);
    let next = deadlines::next(&over.bet).expect("an open bet");
    assert_eq!((next.at, next.step), (hour(1 + 30 * 24), Step::DisputeLapse));
}

#[test]
fn an_arbiter_who_gives_up_during_a_dispute_hands_it_to_the_admins() {
    let given =
        answer_invitation(disputed(ArbiterStatus::Accepted), arbiter(), false, hour(9)).expect("may give up");
    let both = [creator(), acceptor()].map(|user| (Recipient::User(user), NoticeKind::ArbiterResigned));
    assert_eq!(told(&given.notices[..2]), both);
    assert_eq!(told(&given.notices[2..]), [(Recipient::Admins, NoticeKind::DisputeToRule)]);
    assert!(rule(given.bet, admin(), Outcome::Void, "", hour(9)).is_ok());

    let live = with_arbiter(crate::support::live(Method::MutualAgreement), ArbiterStatus::Accepted);
    let given = answer_invitation(live, arbiter(), false, hour(-9)).expect("may give up");
    assert_eq!(told(&given.notices), both, "without a dispute the admins have nothing to do");
}

#[test]
fn a_ruling_of_the_arbiter_is_told_as_such() {
    for outcome in Outcome::ALL {
        let bet = disputed(ArbiterStatus::Accepted);
        let change =
            rule_as_arbiter(bet, arbiter(), outcome, "Seen on the radar.", hour(5)).expect("may rule");
        let event = change.event.expect("an event");
        assert_eq!((event.kind, event.by), (EventKind::Ruled, bolts_bets::By::Arbiter));
        assert_eq!(event.detail, Some(format!("{outcome}: Seen on the radar.")));
        let both = [creator(), acceptor()].map(|user| (Recipient::User(user), NoticeKind::ArbiterRuled));
        assert_eq!(told(&change.notices), both);
        let by = match &change.bet.state {
            State::Resolved { settlement, .. } => Some(settlement.by),
            State::Cancelled { settled_by, .. } => *settled_by,
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => None,
        };
        assert_eq!(by, Some(SettledBy::ArbiterRuling));
    }
}

#[test]
fn an_outage_at_the_end_of_the_arbiters_time_gives_a_grace_period() {
    let bet = swept(disputed(ArbiterStatus::Accepted), just_before(end()));
    let back = shifted(end(), 2 * 3_600_000_000);
    let later = deadlines::put_off(bet.clone(), just_before(end()), back).expect("a grace period");
    assert_eq!(deadlines::arbiter_deadline(&later), Some(back.after(deadlines::PUT_OFF)));
    assert!(rule_as_arbiter(swept(later.clone(), back), arbiter(), Outcome::A, "Seen.", back).is_ok());
    assert_eq!(deadlines::put_off(bet, shifted(end(), 1), back), None, "it fell before this outage");
    // The grace period ends with the hand-over, so that the decision can get its own.
    let over = swept(later, back.after(deadlines::PUT_OFF));
    assert_eq!(over.marks.deferred_until, None);
    let decision = deadlines::decision(&over).expect("an open bet").at;
    let outage = deadlines::put_off(over, just_before(decision), shifted(decision, 2 * 3_600_000_000));
    assert!(outage.is_some_and(|bet| deadlines::decision(&bet).is_some_and(|one| one.at > decision)));
}

/// The outage contains the end of the arbiter's time and the dispute lapse.
#[test]
fn after_an_outage_over_both_deadlines_the_admins_get_time_after_the_arbiter() {
    let lapse = hour(1 + 30 * 24);
    let lapsed = swept(disputed(ArbiterStatus::Accepted), lapse);
    assert!(lapsed.status().has_ended(), "nobody gets more time without an outage");

    let bet = swept(disputed(ArbiterStatus::Accepted), just_before(end()));
    let back = shifted(lapse, 2 * 3_600_000_000);
    let later = deadlines::put_off(bet, just_before(end()), back).expect("a grace period");
    let over = back.after(deadlines::PUT_OFF);
    let late = swept(later.clone(), over);
    assert_eq!(late.arbiter.map(|one| one.status), Some(ArbiterStatus::OutOfTime));
    assert!(rule(late.clone(), admin(), Outcome::B, "", over).is_ok());
    let last = over.after(deadlines::PUT_OFF);
    let decision = deadlines::decision(&late).expect("an open bet");
    assert_eq!((decision.at, decision.step), (last, Step::DisputeLapse));
    assert_eq!(deadlines::put_off(late.clone(), over, last.after(deadlines::PUT_OFF)), None);
    assert!(swept(late, last).status().has_ended());

    let given = answer_invitation(later, arbiter(), false, back).expect("may give up").bet;
    assert_eq!(deadlines::decision(&given).map(|one| one.at), Some(over), "a day for the admins");
}

#[test]
fn the_grace_period_of_the_arbiter_ends_when_the_arbiter_gives_up() {
    let back = shifted(end(), 2 * 3_600_000_000);
    let later = deadlines::put_off(disputed(ArbiterStatus::Accepted), just_before(end()), back);
    let later = later.expect("a grace period");
    let given = answer_invitation(later, arbiter(), false, back).expect("may give up").bet;
    assert_eq!(given.marks.deferred_until, None);
    let decision = deadlines::decision(&given).expect("an open bet").at;
    let outage = deadlines::put_off(given, just_before(decision), shifted(decision, 2 * 3_600_000_000));
    assert!(outage.is_some(), "the decision can get its own");
}

#[test]
fn a_bet_waits_for_its_arbiter_to_answer_and_to_rule() {
    let task = |bet: &Bet, user| turns(bet, hour(2)).of(bet, user, user == admin());
    let early = hour(-230);
    for (status, answers) in [
        (ArbiterStatus::Invited, Some(Task::AnswerInvitation)),
        (ArbiterStatus::Accepted, None),
        (ArbiterStatus::Declined, None),
        (ArbiterStatus::Resigned, None),
    ] {
        let bet = with_arbiter(pending(Method::MutualAgreement), status);
        assert_eq!(turns(&bet, early).of(&bet, arbiter(), false), answers, "{status}");
        assert_eq!(turns(&bet, early).of(&bet, creator(), false), None);
        assert_eq!(turns(&bet, hour(0)).of(&bet, arbiter(), false), None, "the clock cancels the bet");
    }
    for (status, of_arbiter, of_admin) in [
        (ArbiterStatus::Invited, None, Some(Task::Rule)),
        (ArbiterStatus::Accepted, Some(Task::Rule), None),
        (ArbiterStatus::Declined, None, Some(Task::Rule)),
        (ArbiterStatus::Resigned, None, Some(Task::Rule)),
        (ArbiterStatus::OutOfTime, None, Some(Task::Rule)),
    ] {
        let bet = with_arbiter(disputed(ArbiterStatus::Invited), status);
        assert_eq!((task(&bet, arbiter()), task(&bet, admin())), (of_arbiter, of_admin), "{status}");
        assert_eq!((task(&bet, creator()), task(&bet, acceptor())), (None, None));
    }
    let late = disputed(ArbiterStatus::Accepted);
    assert_eq!(turns(&late, end()).of(&late, arbiter(), false), None);
    assert_eq!(turns(&late, end()).of(&late, admin(), true), Some(Task::Rule), "also before a sweep");
    assert!(actions(&late, admin(), true, end()).contains(&bolts_bets::Action::Rule));
}

#[test]
fn only_parties_and_an_active_arbiter_are_concerned() {
    for status in ArbiterStatus::ALL.iter().copied() {
        let bet = with_arbiter(pending(Method::MutualAgreement), status);
        let active = !matches!(status, ArbiterStatus::Declined | ArbiterStatus::Resigned);
        assert_eq!(bet.concerns(arbiter()), active, "{status}");
        assert!(bet.concerns(bet.user(Party::Creator).expect("a creator")));
        assert!(!bet.concerns(admin()) && !bet.concerns(acceptor()));
    }
}
