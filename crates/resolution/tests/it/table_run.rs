//! Reads the tables of `table.rs` and compares the rules with the tables. Fails if a case is missing or occurs
//! twice.

use std::collections::BTreeMap;

use bolts_bets::{Bet, Change, EscrowEffect, Method, Outcome, Refusal, Side, State, Status};
use bolts_kernel::{Timestamp, UserId};
use bolts_resolution::{Answer, actions, dispute, propose, refund, respond};

use crate::support::{
    Action, Named, acceptor, act, admin, awaiting, check_listed, creator, hour, live, pending, proposal,
    swept, user,
};

pub(crate) const SITUATIONS: [&str; 10] =
    ["pending", "live", "await", "propos", "void", "disp", "disp+p", "paid", "expired", "cancel"];

/// One case: an action by a user, under one method, before or after the expiry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    action: String,
    by: String,
    manual: bool,
    after_expiry: bool,
}

/// Checks every cell of the table. Also checks that the table contains each case exactly once: each action, by
/// each kind of user, before and after the expiry, under both methods.
#[track_caller]
pub(crate) fn check(actions: &[&str], table: &str) {
    let rows = read(table);
    let mut expected: Vec<Case> = Vec::new();
    for action in actions.iter().flat_map(|action| alternatives(action)) {
        for by in ["creator", "acceptor", "outsider"] {
            for (manual, after_expiry) in [(false, false), (false, true), (true, false), (true, true)] {
                expected.push(Case { action: action.clone(), by: by.to_owned(), manual, after_expiry });
            }
        }
    }
    expected.sort();
    assert_eq!(rows.keys().cloned().collect::<Vec<_>>(), expected, "the cases of the table");
    for (case, cells) in rows {
        for (situation, cell) in SITUATIONS.iter().zip(cells) {
            check_cell(&case, situation, &cell);
        }
    }
}

fn check_cell(case: &Case, situation: &str, cell: &str) {
    let method = if case.manual { Method::ManualVerification } else { Method::MutualAgreement };
    let now = hour(if case.after_expiry { 10 } else { -10 });
    let Some(bet) = in_situation(situation, method, case.after_expiry) else { return };
    let unswept = bet.clone();
    let bet = swept(bet, now);
    for by in people(&case.by) {
        let result = act(bet.clone(), action(&case.action), by, proposal(9), now);
        check_listed(&bet, action(&case.action), by, &result, now).unwrap();
        assert_eq!(actions(&unswept, by, true, now), actions(&bet, by, true, now), "steps that are due");
        let found = match &result {
            Ok(change) => became(&bet, change),
            Err(refusal) => short(*refusal),
        };
        assert_eq!(found, cell, "{case:?} {situation} by {by:?}");
        if let Ok(change) = &result {
            check_change(&bet, action(&case.action), by, change, now);
        }
    }
}

/// A bet in the situation with this name, reached by actions of users. `None` if such a bet cannot exist.
pub(crate) fn in_situation(name: &str, method: Method, after_expiry: bool) -> Option<Bet> {
    let mutual = method == Method::MutualAgreement;
    let proposed = |outcome| propose(awaiting(method), creator(), outcome, proposal(7), hour(-100)).ok();
    let disputed =
        |bet| dispute(bet, acceptor(), "It did not snow.", hour(-90)).map(|change| change.bet).ok();
    match name {
        "pending" => Some(pending(method)),
        "live" => Some(live(method)),
        "await" => Some(awaiting(method)),
        "propos" if mutual => proposed(Outcome::A).map(|change| change.bet),
        "void" if mutual => proposed(Outcome::Void).map(|change| change.bet),
        "disp" => disputed(awaiting(method)),
        "disp+p" if mutual => proposed(Outcome::A).and_then(|change| disputed(change.bet)),
        "propos" | "void" | "disp+p" => None,
        "paid" if mutual => {
            let bet = proposed(Outcome::A)?.bet;
            respond(bet, acceptor(), Answer::Accept, None, hour(-80)).map(|change| change.bet).ok()
        }
        "paid" => proposed(Outcome::A).map(|change| change.bet),
        "expired" => after_expiry.then(|| swept(pending(method), hour(0))),
        "cancel" => refund(live(method), admin(), hour(-50)).map(|change| change.bet).ok(),
        name => panic!("no situation is called {name}"),
    }
}

fn people(name: &str) -> Vec<UserId> {
    match name {
        "creator" => vec![creator()],
        "acceptor" => vec![acceptor()],
        "outsider" => vec![user(3), admin()],
        name => panic!("nobody is called {name}"),
    }
}

/// The action with this name in the tables.
pub(crate) fn action(name: &str) -> Action {
    match name {
        "accept free" => Action::Accept(Side::B),
        "accept taken" => Action::Accept(Side::A),
        "delete" => Action::Delete,
        "end early" => Action::EndEarly,
        "dispute" => Action::Dispute,
        "refund" => Action::Refund,
        "admin delete" => Action::AdminDelete,
        "serve" => Action::AnswerInvitation(true),
        "leave" => Action::AnswerInvitation(false),
        name => match name.split_once(' ') {
            Some(("propose", outcome)) => Action::Propose(Outcome::parse(outcome).unwrap()),
            Some(("arbitrate", outcome)) => Action::RuleAsArbiter(Outcome::parse(outcome).unwrap()),
            Some(("rule", outcome)) => Action::Rule(Outcome::parse(outcome).unwrap()),
            Some(("agree", named)) => Action::Respond(Answer::Accept, naming(named)),
            Some(("reject", named)) => Action::Respond(Answer::Reject, naming(named)),
            _ => panic!("no action is called {name}"),
        },
    }
}

fn naming(name: &str) -> Named {
    match name {
        "unnamed" => Named::No,
        "right" => Named::Right,
        "wrong" => Named::Wrong,
        name => panic!("no proposal is named {name}"),
    }
}

pub(crate) fn became(before: &Bet, change: &Change) -> &'static str {
    if change.bet == *before && change.event.is_none() && change.notices.is_empty() {
        return "SAME";
    }
    match change.bet.status() {
        Status::Pending => "PENDING",
        Status::Accepted => "LIVE",
        Status::AwaitingResolution => "AWAIT",
        Status::Resolved | Status::Cancelled if change.bet.status() == before.status() => "GONE",
        Status::Resolved => "PAID",
        Status::Cancelled => "BACK",
    }
}

pub(crate) fn short(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::OwnBet => "own",
        Refusal::OptionTaken => "taken",
        Refusal::NotPending => "!pending",
        Refusal::NotAccepted => "!accepted",
        Refusal::NotAwaitingResolution => "!awaiting",
        Refusal::AlreadyResolved => "resolved",
        Refusal::Cancelled => "cancelled",
        Refusal::Disputed => "disputed",
        Refusal::NotDisputed => "!disputed",
        Refusal::NotExpired => "!expired",
        Refusal::Expired => "expired",
        Refusal::NoProposal => "none",
        Refusal::ProposalPending => "stands",
        Refusal::ProposalChanged => "changed",
        Refusal::NotAParty => "!party",
        Refusal::NotAllowed => "!allowed",
        Refusal::ConflictOfInterest => "conflict",
        Refusal::IsArbiter => "arbiter",
        Refusal::NotArbiter => "!arbiter",
        Refusal::ArbiterGone => "gone",
        Refusal::ArbiterOutOfTime => "late",
        Refusal::ArbiterRules => "rules",
    }
}

/// Checks the effect on the escrow, the winner, the deletion and the proposal after an action.
fn check_change(before: &Bet, action: Action, by: UserId, change: &Change, now: Timestamp) {
    let outcome = match action {
        Action::Propose(outcome) | Action::Rule(outcome) | Action::RuleAsArbiter(outcome) => Some(outcome),
        Action::Respond(Answer::Accept, _) => {
            before.state.negotiation().and_then(|n| n.standing).map(|standing| standing.outcome)
        }
        Action::Respond(Answer::Reject, _)
        | Action::Accept(_)
        | Action::Delete
        | Action::EndEarly
        | Action::Dispute
        | Action::Refund
        | Action::AdminDelete
        | Action::AnswerInvitation(_) => None,
    };
    let winner = if outcome == Some(Outcome::A) { creator() } else { acceptor() };
    let escrow = match became(before, change) {
        "LIVE" => EscrowEffect::Hold(by),
        "PAID" => EscrowEffect::PayOut(winner),
        "BACK" => EscrowEffect::Refund,
        _ => EscrowEffect::Unchanged,
    };
    assert_eq!(change.escrow, escrow, "{action:?}");
    assert_eq!(change.bet.winner(), if before.winner().is_some() { before.winner() } else { paid(change) });
    assert_eq!(change.bet.terms, before.terms);
    let deletes = matches!(action, Action::Delete | Action::AdminDelete);
    assert_eq!(change.bet.deletion.map(|deletion| (deletion.by, deletion.at)), deletes.then_some((by, now)));
    if action == Action::Propose(Outcome::B) && change.bet.status() == Status::AwaitingResolution {
        let State::AwaitingResolution(negotiation) = &change.bet.state else { panic!("no negotiation") };
        let standing = negotiation.standing.unwrap();
        assert_eq!((standing.id, standing.outcome), (proposal(9), Outcome::B));
        assert_eq!((standing.by, standing.at), (by, now));
    }
}

fn paid(change: &Change) -> Option<UserId> {
    if let EscrowEffect::PayOut(winner) = change.escrow { Some(winner) } else { None }
}

/// Expands a text with alternatives: `propose A/B` becomes `propose A` and `propose B`.
fn alternatives(text: &str) -> Vec<String> {
    let (head, tail) = text.rsplit_once(' ').map_or(("", text), |(head, tail)| (head, tail));
    tail.split('/').map(|last| format!("{head} {last}").trim().to_owned()).collect()
}

fn read(table: &str) -> BTreeMap<Case, Vec<String>> {
    let mut rows = BTreeMap::new();
    let mut lines = table.lines().filter(|line| !line.trim().is_empty());
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(head[3..], SITUATIONS, "the head of the table");
    for line in lines {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let cells = words.split_off(words.len() - SITUATIONS.len());
        let (when, by) = (words.pop().unwrap(), words.pop().unwrap());
        for case in cases(&words.join(" "), by, when) {
            let given = rows.insert(case.clone(), cells.iter().map(|cell| (*cell).to_owned()).collect());
            assert!(given.is_none(), "given twice: {case:?}");
        }
    }
    rows
}

fn cases(action: &str, by: &str, when: &str) -> Vec<Case> {
    let (mutual, manual) = (!when.contains('V'), !when.contains('M'));
    let (before, after) = (!when.contains('+'), !when.contains('-'));
    let mut cases = Vec::new();
    for action in alternatives(action) {
        for by in by.split('/') {
            for (manual, is_meant) in [(false, mutual), (true, manual)] {
                for (after_expiry, is_then) in [(false, before), (true, after)] {
                    if is_meant && is_then {
                        cases.push(Case { action: action.clone(), by: by.to_owned(), manual, after_expiry });
                    }
                }
            }
        }
    }
    cases
}
