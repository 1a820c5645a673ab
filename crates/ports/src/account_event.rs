use bolts_kernel::named;

/// An event of a user's account, of which the user is notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountEvent {
    /// The e-mail address was changed.
    EmailChanged,
    /// The mail server of the address refused mails for good.
    EmailStopped,
    /// The mail server of an address that the user requested refused the mail that confirms it.
    NewEmailRefused,
    /// The user changed the password.
    PasswordChanged,
    /// An admin set a one-time password.
    PasswordSetByAdmin,
    /// The password was set by a link in a mail.
    PasswordReset,
    /// A browser of the user is subscribed to push messages no more.
    PushStopped,
    /// The webhook answered that it wants no more events.
    WebhookStopped,
}

named!(AccountEvent {
    EmailChanged = "email_changed",
    EmailStopped = "email_stopped",
    NewEmailRefused = "new_email_refused",
    PasswordChanged = "password_changed",
    PasswordSetByAdmin = "password_set_by_admin",
    PasswordReset = "password_reset",
    PushStopped = "push_stopped",
    WebhookStopped = "webhook_stopped",
});
