//! The texts of notifications.

use bolts_bets::NoticeKind;
use bolts_kernel::{Amount, TimeZone, Timestamp};
use bolts_ports::{AccountEvent, Factor, NoticeBody, NoticeParams, Origin, SecurityNotice};
use bolts_resolution::Task;

/// The text of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The title, in a few words.
    pub title: &'static str,
    /// One or two sentences.
    pub message: String,
    /// The deadline in the message, if there is one. The message shows it in New York time, and pages add the reader's
    /// local time.
    pub deadline: Option<Timestamp>,
}

impl Words {
    fn new(title: &'static str, message: String) -> Self {
        Self { title, message, deadline: None }
    }
}

/// The text of a notification. The server does not know the user's time zone. So the deadlines in a message are in
/// New York time and labelled as such. A message contains no other times.
pub fn words(body: &NoticeBody) -> Words {
    match body {
        NoticeBody::Bet { kind, params } => about_bet(*kind, params),
        NoticeBody::AchievementUnlocked { achievement } => about_achievement(achievement),
        NoticeBody::BoltsGranted { amount } => {
            let message = format!("An admin added {} Bolts to your balance.", amount.grouped());
            Words::new("Bolts Received", message)
        }
        NoticeBody::DepositReceived { amount } => {
            let message = format!("{} sats have been added to your balance.", amount.grouped());
            Words::new("Deposit Received", message)
        }
        NoticeBody::WithdrawalPaid { amount, fee } => {
            let (amount, fee) = (amount.grouped(), fee.grouped());
            let message =
                format!("Your withdrawal of {amount} sats has arrived. The routing fee was {fee} sats.");
            Words::new("Withdrawal Paid", message)
        }
        NoticeBody::WithdrawalRefunded { amount } => {
            let message =
                format!("Your withdrawal was not paid. {} sats are back in your balance.", amount.grouped());
            Words::new("Withdrawal Refunded", message)
        }
        NoticeBody::Account { event } => about_account(*event),
        NoticeBody::Security(notice) => about_security(notice),
    }
}

fn about_security(notice: &SecurityNotice) -> Words {
    let not_you = "If this was not you, change your password and end your other sessions.";
    match notice {
        SecurityNotice::FactorAdded(factor) => {
            let message = format!("{} now protects your account. {not_you}", factor_name(*factor));
            Words::new("Second Factor Added", message)
        }
        SecurityNotice::FactorRemoved(factor) => {
            let name = factor_name(*factor);
            let rest = "For 24 hours you can’t withdraw or stake sats";
            Words::new("Second Factor Removed", format!("{name} was removed. {rest}. {not_you}"))
        }
        SecurityNotice::RecoveryCodesReplaced => {
            let message =
                format!("You have new recovery codes. The old ones do not work any more. {not_you}");
            Words::new("New Recovery Codes", message)
        }
        SecurityNotice::PasskeyDisabled { name } => {
            let why = "A sign-in showed that a copy of it may exist";
            let advice = "Remove it in your account, and add a new one";
            Words::new("Passkey Disabled", format!("The passkey “{name}” is disabled. {why}. {advice}."))
        }
        SecurityNotice::RecoveryCodeUsed { left } => {
            let message = format!("A recovery code was used. Codes left: {left}. {not_you}");
            Words::new("Recovery Code Used", message)
        }
        SecurityNotice::NewDevice(Origin { device, network }) => {
            let device = device.as_deref().unwrap_or("A new browser");
            let network = network.as_deref().unwrap_or("an unknown network");
            Words::new("New Sign-in", format!("{device} signed in from {network}. {not_you}"))
        }
        SecurityNotice::ApiKeyMade { name } => {
            let message = format!("Programs with the key “{name}” can now use your account. {not_you}");
            Words::new("New API Key", message)
        }
        SecurityNotice::ApiKeyRevoked { name } => {
            let message =
                format!("Programs with the key “{name}” cannot use your account any more. {not_you}");
            Words::new("API Key Revoked", message)
        }
        SecurityNotice::ApiKeysRevoked => {
            let why = "They end together with your other sessions";
            let message = format!("Your API keys do not work any more. {why}. Your programs need new keys.");
            Words::new("API Keys Revoked", message)
        }
    }
}

const fn factor_name(factor: Factor) -> &'static str {
    match factor {
        Factor::Totp => "An authenticator app",
        Factor::Passkey => "A passkey",
        Factor::All => "Every second factor of your account",
    }
}

fn about_account(event: AccountEvent) -> Words {
    let (title, message) = match event {
        AccountEvent::EmailChanged => (
            "Email Address Changed",
            "Your account has a new email address. You sign in with it from now on.",
        ),
        AccountEvent::EmailStopped => (
            "Email Stopped",
            "Your mail server refuses our mails, so we stopped sending them. Confirm your address again in your \
             account.",
        ),
        AccountEvent::NewEmailRefused => (
            "New Email Address Refused",
            "The mail server of your new email address refuses our mails, so you can’t confirm this address. Your old \
             address stays. Check the new one, and request it again in your account.",
        ),
        AccountEvent::PasswordChanged => (
            "Password Changed",
            "Your password was changed, and your other sessions have ended. If this was not you, set a new password \
             by “Forgot password” at the sign-in, or ask the operator of the site.",
        ),
        AccountEvent::PasswordSetByAdmin => (
            "Password Set by an Admin",
            "An admin set a one-time password for you, and you are signed out everywhere. For 24 hours you can’t \
             withdraw or stake sats. If you did not ask for this, tell the operator of the site.",
        ),
        AccountEvent::PasswordReset => (
            "Password Reset",
            "Your password was set through a link in a mail, and you are signed out everywhere. For 24 hours you \
             can’t withdraw or stake sats.",
        ),
        AccountEvent::PushStopped => (
            "Push Messages Stopped",
            "One of your browsers gets no more push messages: it has unsubscribed, or its settings block them. You can turn \
             them on again in your account, on that device.",
        ),
        AccountEvent::WebhookStopped => (
            "Webhook Stopped",
            "Your webhook answered that it wants no more events (410), so we stopped sending them. Save its address \
             again in your account to go on.",
        ),
    };
    Words::new(title, message.to_owned())
}

fn about_achievement(id: &str) -> Words {
    // Another version may have stored an id that this catalogue does not have. Then the id serves as the name.
    let name = bolts_achievements::find(id).map_or(id, |achievement| achievement.name);
    let reward = bolts_achievements::find(id).map(|achievement| achievement.reward.bolts).unwrap_or_default();
    let reward = Amount::new(reward).unwrap_or_default().grouped();
    let message = format!("You unlocked “{name}”: {reward} Bolts for you.");
    Words::new("Achievement Unlocked", message)
}

fn about_bet(kind: NoticeKind, p: &NoticeParams) -> Words {
    let title = &p.title;
    let until = p.until.map(deadline).unwrap_or_default();
    let outcome = outcome(p);
    let result = result(p);
    let (head, message) = match kind {
        NoticeKind::BetAccepted => {
            let taker = p.taker.as_deref().unwrap_or("Somebody");
            ("Bet Accepted", format!("{taker} took the other side of “{title}”. It is live."))
        }
        NoticeKind::BetExpired => (
            "Bet Expired",
            format!("Nobody took “{title}” in time. Your stake of {} is back in your balance.", stake(p)),
        ),
        NoticeKind::BetDue => {
            let task = due(p);
            let end = format!("If nobody settles it by {until}, both stakes go back.");
            ("Time to Settle", format!("“{title}” has expired. {task} {end}"))
        }
        NoticeKind::ResolutionOpened => {
            ("Bet Ended", format!("The other side ended “{title}”. Now one of you says what happened."))
        }
        NoticeKind::OutcomeProposed => (
            "Outcome Proposed",
            match p.until {
                Some(_) if p.outcome.as_deref() != Some("void") => format!(
                    "{outcome} was proposed for “{title}”. Accept or reject it. If you don’t answer, it stands on {until}."
                ),
                Some(_) | None => format!("{outcome} was proposed for “{title}”. Accept or reject it."),
            },
        ),
        NoticeKind::OutcomeDeclared => {
            ("Outcome Declared", format!("{outcome} was declared for “{title}”. {result}"))
        }
        NoticeKind::OutcomeAccepted => {
            ("Outcome Accepted", format!("Your outcome for “{title}” was accepted. {result}"))
        }
        NoticeKind::OutcomeRejected => (
            "Outcome Rejected",
            format!(
                "Your outcome for “{title}” was rejected. You can propose another one, or start a dispute."
            ),
        ),
        NoticeKind::BetDisputed => {
            let ruler = match p.until {
                Some(_) => format!("The arbiter can rule on it until {until}, then the admins."),
                None => "An admin will rule on it.".to_owned(),
            };
            ("Bet Disputed", format!("The other side disputes “{title}”. {ruler}"))
        }
        NoticeKind::DisputeToRule => {
            ("Dispute to Rule On", format!("“{title}” waits for an admin's ruling."))
        }
        NoticeKind::BetRuled => {
            ("Dispute Ruled", format!("An admin ruled on “{title}”: {outcome}. {result}"))
        }
        NoticeKind::ProposalStood => (
            "Outcome Stands",
            format!("Nobody answered the proposal for “{title}”, so it stands: {outcome}. {result}"),
        ),
        NoticeKind::BetLapsed => (
            "Bet Cancelled",
            format!("Nobody settled “{title}” in time. Your stake of {} is back in your balance.", stake(p)),
        ),
        // The notification of an admin names no outcome, because an admin has no stake to win or lose.
        NoticeKind::DisputeLapsed if p.outcome.is_none() => (
            "Dispute Closed",
            format!("Nobody ruled on “{title}” in time, so the bet was settled without a ruling."),
        ),
        NoticeKind::DisputeLapsed => (
            "Dispute Closed",
            format!("Nobody ruled on “{title}” in time. It was settled as {outcome}. {result}"),
        ),
        NoticeKind::BetRefunded => (
            "Bet Refunded",
            format!("An admin cancelled “{title}”. Your stake of {} is back in your balance.", stake(p)),
        ),
        NoticeKind::BetRemoved => {
            ("Bet Removed", format!("An admin removed “{title}”. Any stakes still in it went back."))
        }
        NoticeKind::MessageWritten => ("New Messages", format!("There are new messages on “{title}”.")),
        NoticeKind::StandReminder => (
            "Answer Needed",
            format!("“{title}” waits for an answer. If none comes, {outcome} stands on {until}."),
        ),
        NoticeKind::LapseReminder => (
            "Bet Not Settled",
            format!("“{title}” is not settled yet. If nobody settles it by {until}, both stakes go back."),
        ),
        NoticeKind::ArbiterInvited => {
            let task = "You rule if the two sides disagree. Accept or decline the invitation.";
            ("Arbiter Wanted", format!("You are invited to be the arbiter of “{title}”. {task}"))
        }
        NoticeKind::ArbiterAccepted => (
            "Arbiter Accepted",
            format!("The arbiter of “{title}” accepted, and rules if there is a dispute."),
        ),
        NoticeKind::ArbiterDeclined => (
            "Arbiter Declined",
            format!("The arbiter of “{title}” declined. An admin rules if there is a dispute."),
        ),
        NoticeKind::ArbiterResigned => (
            "Arbiter Stepped Down",
            format!("The arbiter of “{title}” stepped down. An admin rules if there is a dispute."),
        ),
        NoticeKind::DisputeToArbitrate => {
            ("Dispute to Rule On", format!("“{title}” is disputed. Rule on it before {until}."))
        }
        NoticeKind::ArbiterReminder => (
            "Ruling Needed",
            format!("“{title}” still waits for your ruling. On {until} it goes to the admins."),
        ),
        NoticeKind::DisputeHandedOver => {
            let why = "The arbiter did not rule in time";
            ("Dispute Handed Over", format!("{why}, so an admin will rule on “{title}”."))
        }
        NoticeKind::ArbiterRuled => {
            ("Dispute Ruled", format!("The arbiter ruled on “{title}”: {outcome}. {result}"))
        }
    };
    Words { title: head, message: message.trim_end().to_owned(), deadline: named_deadline(kind, p) }
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
fn named_deadline(kind: NoticeKind, p: &NoticeParams) -> Option<Timestamp> {
    match kind {
        NoticeKind::BetDue
        | NoticeKind::BetDisputed
        | NoticeKind::StandReminder
        | NoticeKind::LapseReminder
        | NoticeKind::DisputeToArbitrate
        | NoticeKind::ArbiterReminder => p.until,
        NoticeKind::OutcomeProposed => p.until.filter(|_| p.outcome.as_deref() != Some("void")),
        NoticeKind::BetAccepted
        | NoticeKind::BetExpired
        | NoticeKind::ResolutionOpened
        | NoticeKind::OutcomeDeclared
        | NoticeKind::OutcomeAccepted
        | NoticeKind::OutcomeRejected
        | NoticeKind::DisputeToRule
        | NoticeKind::BetRuled
        | NoticeKind::ProposalStood
        | NoticeKind::BetLapsed
        | NoticeKind::DisputeLapsed
        | NoticeKind::BetRefunded
        | NoticeKind::BetRemoved
        | NoticeKind::ArbiterInvited
        | NoticeKind::ArbiterAccepted
        | NoticeKind::ArbiterDeclined
        | NoticeKind::ArbiterResigned
        | NoticeKind::DisputeHandedOver
        | NoticeKind::ArbiterRuled
        | NoticeKind::MessageWritten => None,
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
        None if p.outcome.as_deref() == Some("void") => {
            format!("Your stake of {} is back in your balance.", stake(p))
        }
        None => String::new(),
    }
}

fn stake(p: &NoticeParams) -> String {
    format!("{} {}", p.stake.grouped(), p.currency.spec().units)
}

/// What a winner adds to the own stake.
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
