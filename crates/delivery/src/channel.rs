use bolts_kernel::named;

/// A way by which a notification leaves the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// E-mail.
    Email,
    /// Web push, to one browser of the user.
    Push,
    /// The user's webhook.
    Webhook,
}

named!(Channel {
    Email = "email",
    Push = "push",
    Webhook = "webhook",
});
