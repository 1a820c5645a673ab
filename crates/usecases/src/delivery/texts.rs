//! The texts of mails and push messages. The texts of the notifications in them are in `notifications/wording.rs`.

/// The title that replaces the title of a private bet.
pub(super) const PRIVATE_BET: &str = "Private bet";

/// The message of an invitation. On the site it also has the title of the bet.
pub(super) const INVITATION: &str = "You are invited to be the arbiter of a bet. You rule if the two sides disagree. Accept or decline the invitation.";

pub(super) const OPEN_BET: &str = "Open the bet";
pub(super) const OPEN_ACCOUNT: &str = "Open your account";
pub(super) const OPEN_SITE: &str = "Open the site";

pub(super) const CHOOSE: &str = "Choose which mails you get";
pub(super) const STOP_TOPIC: &str = "Stop mails like this one";
pub(super) const STOP_DIGEST: &str = "Stop this digest";
pub(super) const WHY: &str = "You get this mail because this address belongs to your account.";
pub(super) const WHY_SECURITY: &str = "Mails about the security of your account cannot be turned off. If this was not you, set a new password at once.";

pub(super) const CONFIRM: &str = "Confirm your email address";
pub(super) const CONFIRM_TEXT: &str = "Somebody, probably you, gave this address for an account. Confirm it, and we tell you by \
                                       mail about your bets and about changes of your account.";
pub(super) const CONFIRM_BUTTON: &str = "Confirm this address";
pub(super) const CONFIRM_UNTIL: &str =
    "The link works once, for 24 hours. If this was not you, ignore this mail.";

pub(super) const RESET: &str = "Set a new password";
pub(super) const RESET_TEXT: &str =
    "Somebody, probably you, asked to set a new password for the account with this address.";
pub(super) const RESET_BUTTON: &str = "Set a new password";
pub(super) const RESET_UNTIL: &str = "The link works once, for 30 minutes. A new password ends all sessions. For 24 hours \
                                      after it, you can’t withdraw or stake sats. If this was not you, ignore this mail: your \
                                      password stays as it is.";

pub(super) const CHANGING: &str = "A new email address was requested";
pub(super) const CHANGING_TEXT: &str = "Somebody who is signed in to your account and knows your password asked to replace this \
                                        address. Nothing changes until the new address is confirmed.";
pub(super) const CHANGED: &str = "Your email address was changed";
pub(super) const CHANGED_TEXT: &str =
    "Your account has another email address now. This address gets no more mails.";
pub(super) const NOT_YOU: &str = "If this was not you, somebody knows your password. Sign in and change it, or ask the operator of the site for help.";

pub(super) const DELETED: &str = "Your account was deleted";
pub(super) const DELETED_TEXT: &str = "Your account and your personal data are deleted. Bets that have ended and messages on \
                                       them stay, without your name. You can register again with this address.";
pub(super) const DELETED_NOT_YOU: &str = "If this was not you, somebody knew your password. A deletion cannot be undone. Ask the operator of the site for help.";
pub(super) const DELETED_WHY: &str = "This is the last mail about this account.";

pub(super) const DIGEST: &str = "What happened on your bets";
pub(super) const DIGEST_TEXT: &str = "These notifications came since the last digest.";

pub(super) const PUSH_TEST: &str = "Push messages work";
pub(super) const PUSH_TEST_TEXT: &str = "This is the test that you asked for.";

pub(super) const TEST: &str = "Mail works";
pub(super) const TEST_TEXT: &str = "This is the mail of `bolts mail test`. The relay has taken it.";
