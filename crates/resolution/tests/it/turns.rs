//! The users that a bet waits for, as a table. The signs and columns are those of `table.rs`. A cell names the
//! task of the user in the first column. A dash means that the bet does not wait for this user, and a dot that
//! such a bet cannot exist.

use bolts_bets::{Bet, Method, Outcome};
use bolts_kernel::{Timestamp, UserId};
use bolts_resolution::{Answer, Task, actions, dispute, propose, respond, turns};

use crate::support::{
    acceptor, admin, awaiting, creator, hour, just_before, live, proposal, shifted, swept, user,
};
use crate::table_run::{SITUATIONS, in_situation};

const TABLE: &str = "
by        when  pending live    await   propos  void    disp    disp+p  paid    expired cancel
creator   M-    -       -       propose -       -       -       -       -       .       -
creator   M+    -       propose propose -       -       -       -       -       -       -
creator   V-    -       -       declare .       .       -       .       -       .       -
creator   V+    -       declare declare .       .       -       .       -       -       -
acceptor  M-    -       -       -       answer  answer  -       -       -       .       -
acceptor  M+    -       open    -       answer  answer  -       -       -       -       -
acceptor  V-    -       -       -       .       .       -       .       -       .       -
acceptor  V+    -       declare declare .       .       -       .       -       -       -
admin     M-    -       -       -       -       -       rule    rule    -       .       -
admin     M+    -       -       -       -       -       rule    rule    -       -       -
admin     V-    -       -       -       .       .       rule    .       -       .       -
admin     V+    -       -       -       .       .       rule    .       -       -       -
stranger  M-    -       -       -       -       -       -       -       -       .       -
stranger  M+    -       -       -       -       -       -       -       -       -       -
stranger  V-    -       -       -       .       .       -       .       -       .       -
stranger  V+    -       -       -       .       .       -       .       -       -       -
";

fn task(bet: &Bet, by: UserId, now: Timestamp) -> Option<Task> {
    turns(bet, now).of(bet, by, by == admin())
}

#[test]
fn a_bet_waits_for_the_users_of_the_table() {
    let rows = TABLE.lines().filter(|line| !line.is_empty()).skip(1);
    assert_eq!(rows.clone().count(), 16, "four users, two methods, before and after the expiry");
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let by = match words[0] {
            "creator" => creator(),
            "acceptor" => acceptor(),
            "admin" => admin(),
            _ => user(3),
        };
        let is_manual = words[1].starts_with('V');
        let method = if is_manual { Method::ManualVerification } else { Method::MutualAgreement };
        let is_after = words[1].ends_with('+');
        let now = hour(if is_after { 10 } else { -10 });
        for (situation, cell) in SITUATIONS.iter().zip(&words[2..]) {
            let Some(bet) = in_situation(situation, method, is_after) else {
                assert_eq!(*cell, ".", "{row}: {situation}");
                continue;
            };
            let found = task(&bet, by, now);
            assert_eq!(found.map_or("-", Task::as_str), *cell, "{row}: {situation}");
            assert_eq!(task(&swept(bet.clone(), now), by, now), found, "steps of the clock that are due");
            let open = actions(&bet, by, by == admin(), now);
            assert!(found.is_none_or(|task| open.contains(&task.action())), "{row}: {situation}");
        }
    }
}

/// The bet of a creator who opened the resolution and whose proposal the acceptor rejected at `hour(-90)`.
fn rejected() -> Bet {
    let proposed = propose(awaiting(Method::MutualAgreement), creator(), Outcome::A, proposal(7), hour(-100));
    respond(proposed.unwrap().bet, acceptor(), Answer::Reject, None, hour(-90)).unwrap().bet
}

#[test]
fn after_a_rejection_the_creator_proposes_again() {
    assert_eq!(task(&rejected(), creator(), hour(-80)), Some(Task::ProposeAgain));
    assert_eq!(task(&rejected(), acceptor(), hour(-80)), None);
}

#[test]
fn the_acceptors_turn_to_propose_begins_72_hours_after_the_expiry() {
    for (bet, expected) in
        [(awaiting(Method::MutualAgreement), Task::Propose), (rejected(), Task::ProposeAgain)]
    {
        assert_eq!(task(&bet, acceptor(), just_before(hour(72))), None);
        assert_eq!(task(&bet, acceptor(), hour(72)), Some(expected));
        assert_eq!(task(&bet, creator(), hour(72)), Some(expected), "it stays the creator's turn too");
    }
}

#[test]
fn a_live_bet_waits_for_its_parties_from_the_instant_of_its_expiry() {
    let bet = live(Method::MutualAgreement);
    assert_eq!(turns(&bet, just_before(hour(0))), turns(&bet, hour(-200)));
    assert_eq!(task(&bet, creator(), just_before(hour(0))), None);
    assert_eq!(task(&bet, creator(), hour(0)), Some(Task::Propose));
    assert_eq!(task(&bet, acceptor(), hour(0)), Some(Task::Open));
}

#[test]
fn a_bet_waits_for_nobody_from_the_instant_of_its_decision() {
    let proposed = propose(awaiting(Method::MutualAgreement), creator(), Outcome::A, proposal(7), hour(-100));
    let bet = proposed.unwrap().bet;
    assert_eq!(task(&bet, acceptor(), just_before(hour(72))), Some(Task::Answer));
    assert_eq!(task(&bet, acceptor(), hour(72)), None, "the proposal stands, also before a sweep");
    assert_eq!(task(&bet, acceptor(), shifted(hour(72), 1)), None);
}

#[test]
fn a_disputed_bet_does_not_wait_for_an_admin_who_is_a_party() {
    let bet = dispute(live(Method::MutualAgreement), acceptor(), "It did not snow.", hour(1)).unwrap().bet;
    assert_eq!(turns(&bet, hour(2)).of(&bet, creator(), true), None);
    assert_eq!(turns(&bet, hour(2)).of(&bet, acceptor(), true), None);
    assert_eq!(turns(&bet, hour(2)).of(&bet, admin(), true), Some(Task::Rule));
}
