//! The texts of notifications about a bet.

use bolts_bets::NoticeKind as Kind;
use bolts_kernel::{TimeZone, Timestamp};
use bolts_ports::NoticeParams;
use bolts_resolution::Task;

use super::Words;

pub(super) fn about_bet(kind: Kind, p: &NoticeParams) -> Words {
    // Only some messages contain a result, which may be empty.
    let message = message(kind, p).trim_end().to_owned();
    Words { title: title(kind), message, deadline: named_deadline(kind, p) }
}

const fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::BetAccepted => "Bet Accepted",
        Kind::BetExpired => "Bet Expired",
        Kind::BetDue => "Time to Settle",
        Kind::ResolutionOpened => "Bet Ended",
        Kind::OutcomeProposed => "Outcome Proposed",
        Kind::OutcomeDeclared => "Outcome Declared",
        Kind::OutcomeAccepted => "Outcome Accepted",
        Kind::OutcomeRejected => "Outcome Rejected",
        Kind::BetDisputed => "Bet Disputed",
        Kind::DisputeToRule | Kind::DisputeToArbitrate => "Dispute to Rule On",
        Kind::BetRuled | Kind::ArbiterRuled => "Dispute Ruled",
        Kind::ProposalStood => "Outcome Stands",
        Kind::BetLapsed => "Bet Cancelled",
        Kind::DisputeLapsed => "Dispute Closed",
        Kind::BetRefunded => "Bet Refunded",
        Kind::BetRemoved => "Bet Removed",
        Kind::MessageWritten => "New Messages",
        Kind::StandReminder => "Answer Needed",
        Kind::LapseReminder => "Bet Not Settled",
        Kind::ArbiterInvited => "Arbiter Wanted",
        Kind::ArbiterAccepted => "Arbiter Accepted",
        Kind::ArbiterDeclined => "Arbiter Declined",
        Kind::ArbiterResigned => "Arbiter Stepped Down",
        Kind::ArbiterReminder => "Ruling Needed",
        Kind::DisputeHandedOver => "Dispute Handed Over",
    }
}

fn message(kind: Kind, p: &NoticeParams) -> String {
    let title = &p.title;
    let until = p.until.map(deadline).unwrap_or_default();
    let (outcome, result, stake_back) = (outcome(p), result(p), stake_back(p));
    match kind {
        Kind::BetAccepted => {
            let taker = p.taker.as_deref().unwrap_or("Somebody");
            format!("{taker} took the other side of “{title}”. It is live.")
        }
        Kind::BetExpired => format!("Nobody took “{title}” in time. {stake_back}"),
        Kind::BetDue => {
            let task = due(p);
            format!("“{title}” has expired. {task} If nobody settles it by {until}, both stakes go back.")
        }
        Kind::ResolutionOpened => {
            format!("The other side ended “{title}”. Now one of you says what happened.")
        }
        Kind::OutcomeProposed => {
            let stands =
                named_deadline(kind, p).map(|_| format!("If you don’t answer, it stands on {until}."));
            let stands = stands.unwrap_or_default();
            format!("{outcome} was proposed for “{title}”. Accept or reject it. {stands}")
        }
        Kind::OutcomeDeclared => format!("{outcome} was declared for “{title}”. {result}"),
        Kind::OutcomeAccepted => format!("Your outcome for “{title}” was accepted. {result}"),
        Kind::OutcomeRejected => {
            format!(
                "Your outcome for “{title}” was rejected. You can propose another one, or start a dispute."
            )
        }
        Kind::BetDisputed if p.until.is_none() => {
            format!("The other side disputes “{title}”. An admin will rule on it.")
        }
        Kind::BetDisputed => {
            format!(
                "The other side disputes “{title}”. The arbiter can rule on it until {until}, then the admins."
            )
        }
        Kind::DisputeToRule => format!("“{title}” waits for an admin's ruling."),
        Kind::BetRuled => format!("An admin ruled on “{title}”: {outcome}. {result}"),
        Kind::ProposalStood => {
            format!("Nobody answered the proposal for “{title}”, so it stands: {outcome}. {result}")
        }
        Kind::BetLapsed => format!("Nobody settled “{title}” in time. {stake_back}"),
        // The notification of an admin names no outcome, because an admin has no stake to win or lose.
        Kind::DisputeLapsed if p.outcome.is_none() => {
            format!("Nobody ruled on “{title}” in time, so the bet was settled without a ruling.")
        }
        Kind::DisputeLapsed => {
            format!("Nobody ruled on “{title}” in time. It was settled as {outcome}. {result}")
        }
        Kind::BetRefunded => format!("An admin cancelled “{title}”. {stake_back}"),
        Kind::BetRemoved => format!("An admin removed “{title}”. Any stakes still in it went back."),
        Kind::MessageWritten => format!("There are new messages on “{title}”."),
        Kind::StandReminder => {
            format!("“{title}” waits for an answer. If none comes, {outcome} stands on {until}.")
        }
        Kind::LapseReminder => {
            format!("“{title}” is not settled yet. If nobody settles it by {until}, both stakes go back.")
        }
        Kind::ArbiterInvited => {
            let task = "You rule if the two sides disagree. Accept or decline the invitation.";
            format!("You are invited to be the arbiter of “{title}”. {task}")
        }
        Kind::ArbiterAccepted => {
            format!("The arbiter of “{title}” accepted, and rules if there is a dispute.")
        }
        Kind::ArbiterDeclined => {
            format!("The arbiter of “{title}” declined. An admin rules if there is a dispute.")
        }
        Kind::ArbiterResigned => {
            format!("The arbiter of “{title}” stepped down. An admin rules if there is a dispute.")
        }
        Kind::DisputeToArbitrate => format!("“{title}” is disputed. Rule on it before {until}."),
        Kind::ArbiterReminder => {
            format!("“{title}” still waits for your ruling. On {until} it goes to the admins.")
        }
        Kind::DisputeHandedOver => {
            format!("The arbiter did not rule in time, so an admin will rule on “{title}”.")
        }
        Kind::ArbiterRuled => format!("The arbiter ruled on “{title}”: {outcome}. {result}"),
    }
}

/// Who may do what about a bet that has expired, for one of its parties.
fn due(p: &NoticeParams) -> &'static str {
    match p.task.as_deref().and_then(Task::parse) {
        Some(Task::Propose) => "Propose the outcome now. The other side then accepts or rejects it.",
        Some(Task::Open) => {
            "The creator should propose the outcome now. If the creator does not, choose ‘Resolve Expired Bet’, and you can \
             propose it yourself later."
        }
        Some(Task::Declare) => "Either of you may declare the outcome now. The first declaration is final.",
        Some(Task::Answer | Task::ProposeAgain | Task::Rule | Task::AnswerInvitation) | None => {
            "It is time to settle it."
        }
    }
}

/// The deadline in the message of a notification of this kind, if the message contains one.
fn named_deadline(kind: Kind, p: &NoticeParams) -> Option<Timestamp> {
    match kind {
        Kind::BetDue
        | Kind::BetDisputed
        | Kind::StandReminder
        | Kind::LapseReminder
        | Kind::DisputeToArbitrate
        | Kind::ArbiterReminder => p.until,
        Kind::OutcomeProposed => p.until.filter(|_| p.outcome.as_deref() != Some("void")),
        Kind::BetAccepted
        | Kind::BetExpired
        | Kind::ResolutionOpened
        | Kind::OutcomeDeclared
        | Kind::OutcomeAccepted
        | Kind::OutcomeRejected
        | Kind::DisputeToRule
        | Kind::BetRuled
        | Kind::ProposalStood
        | Kind::BetLapsed
        | Kind::DisputeLapsed
        | Kind::BetRefunded
        | Kind::BetRemoved
        | Kind::ArbiterInvited
        | Kind::ArbiterAccepted
        | Kind::ArbiterDeclined
        | Kind::ArbiterResigned
        | Kind::DisputeHandedOver
        | Kind::ArbiterRuled
        | Kind::MessageWritten => None,
    }
}

fn outcome(p: &NoticeParams) -> String {
    match (p.outcome.as_deref(), &p.outcome_text) {
        (Some("void"), _) => "‘Void’ (both stakes go back)".to_owned(),
        (Some(option), Some(text)) => format!("Option {option} ({text})"),
        (Some(option), None) => format!("Option {option}"),
        (None, _) => "No outcome".to_owned(),
    }
}

fn result(p: &NoticeParams) -> String {
    match p.won {
        Some(true) => format!("You won {}.", opponent_stake(p)),
        Some(false) => format!("You lost {}.", stake(p)),
        None if p.outcome.as_deref() == Some("void") => stake_back(p),
        None => String::new(),
    }
}

fn stake_back(p: &NoticeParams) -> String {
    format!("Your stake of {} is back in your balance.", stake(p))
}

fn stake(p: &NoticeParams) -> String {
    format!("{} {}", p.stake.grouped(), p.currency.spec().units)
}

/// The stake of the other party, which the winner gets.
fn opponent_stake(p: &NoticeParams) -> String {
    format!("{} {}", p.opponent_stake.unwrap_or(p.stake).grouped(), p.currency.spec().units)
}

fn deadline(at: Timestamp) -> String {
    TimeZone::NEW_YORK.local(at).format("%b %-d, %Y, %-I:%M %p New York time").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_in_new_york_time_summer_and_winter() {
        let texts = ["2026-07-04T16:05:00Z", "2026-12-06T05:37:00Z"]
            .map(|at| deadline(Timestamp::parse(at).unwrap()));
        assert_eq!(texts, ["Jul 4, 2026, 12:05 PM New York time", "Dec 6, 2026, 12:37 AM New York time"]);
    }
}
