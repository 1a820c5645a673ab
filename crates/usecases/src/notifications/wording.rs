//! The texts of notifications.

mod bet;

use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{AccountEvent, Factor, NoticeBody, Origin, SecurityNotice};

use self::bet::about_bet;

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
        SecurityNotice::WebhookChanged => {
            let change = "Your webhook has a new address, which gets the events of your account";
            let message = format!("{change}. {not_you} A new password also removes the webhook.");
            Words::new("New Webhook", message)
        }
        SecurityNotice::WebhookRemoved => {
            let why = "A new password removes it, because somebody else may have set it";
            let message = format!("Your webhook gets no more events. {why}. Set it again in your account.");
            Words::new("Webhook Removed", message)
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
