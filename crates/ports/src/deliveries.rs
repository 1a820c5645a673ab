//! The repositories and queries of everything that leaves the site, and the ports of its channels.

use std::fmt;
use std::time::Duration;

use bolts_delivery::{Channel, Preferences, wait_for_other_version};
use bolts_kernel::{BetId, DestinationId, NotificationId, Timestamp, UserId};

use crate::environment::Pending;
use crate::error::Result;

/// A place to which a user's notifications are sent: a verified e-mail address, a browser, or a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The id of the destination.
    pub id: DestinationId,
    /// The user.
    pub user: UserId,
    /// The channel.
    pub channel: Channel,
    /// The e-mail address, or the address of the browser or webhook.
    pub address: String,
    /// The key that signs the events of a webhook, or the keys that encrypt for a browser. `None` for e-mail.
    pub secret: Option<Secret>,
    /// The browser of a push subscription. `None` for other channels.
    pub browser: Option<Browser>,
    /// The time at which the user confirmed the destination.
    pub confirmed_at: Timestamp,
    /// The reason why nothing is sent there any more. `None` while the destination works.
    pub stopped: Option<String>,
}

/// A browser that gets push messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    /// The hash of the session in which the browser subscribed.
    pub session: String,
    /// Browser and system in words.
    pub device: Option<String>,
}

/// A secret that the site needs in readable form. Its debug form does not show it, so that no log does.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text of the secret.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Why a delivery was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A notification of the user. The delivery has a copy of its content, so that nobody can stop the delivery by
    /// deleting the notification.
    Notification {
        /// The notification.
        id: NotificationId,
        /// The name of its kind.
        kind: String,
        /// Its parameters as JSON.
        params: String,
        /// The bet that it links to.
        bet: Option<BetId>,
    },
    /// A mail with all notifications that were held for the digest.
    Digest,
    /// The mail that confirms an address. The address may be a new one of the user.
    ConfirmAddress,
    /// The mail that lets the owner of the address set a new password. Whether a user has the address is only looked up
    /// when the mail is sent, so that the request takes the same time for known and unknown addresses.
    ResetPassword,
    /// Tells an old address that a new one was requested.
    AddressChanging,
    /// Tells an old address that a new one replaced it.
    AddressChanged,
    /// Tells the address of a deleted account that the account is deleted.
    AccountDeleted,
}

impl Cause {
    /// Whether the delivery contains notifications. All others are mails with a link and notices to an address, which are
    /// claimed first ([`Deliveries::claim`]).
    pub const fn is_a_notification(&self) -> bool {
        matches!(self, Self::Notification { .. } | Self::Digest)
    }
}

/// The destination of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A user's destination. Its address is looked up when the delivery is sent.
    Destination(DestinationId),
    /// This e-mail address.
    Address(String),
}

/// A message to send by one channel, such as a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The number of the delivery, in the order in which they were written.
    pub id: i64,
    /// The name that all attempts share. The Message-ID of a mail is made from it.
    pub name: String,
    /// The channel.
    pub channel: Channel,
    /// The user whom the delivery is about. `None` if this is not known yet.
    pub user: Option<UserId>,
    /// Where it goes.
    pub to: Recipient,
    /// Why it was written.
    pub cause: Cause,
    /// The time from which its age counts ([`NewDelivery::at`]).
    pub created_at: Timestamp,
    /// The number of attempts, with the current one.
    pub attempts: u32,
}

/// A delivery to write. Deliveries of notifications are written by [`crate::Notifications::insert`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// The name that all attempts share. If there is a delivery with this name, nothing is written.
    pub name: String,
    /// The channel.
    pub channel: Channel,
    /// The user whom the delivery is about, if known.
    pub user: Option<UserId>,
    /// Where it goes.
    pub to: Recipient,
    /// Why it is written.
    pub cause: Cause,
    /// The time from which its age counts: the current time, or the time at which a digest is due.
    pub at: Timestamp,
    /// The time before which it is not sent.
    pub due_at: Timestamp,
}

/// What happens to a delivery: the decision before it is sent, or the result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was sent, or it is a part of a digest that was sent.
    Sent,
    /// It is not sent alone. The next digest of the user contains it.
    Held,
    /// It is not sent, because the user does not want it or it has lost its purpose.
    Dropped,
    /// It could not be sent and is given up, for this reason.
    GivenUp(String),
    /// The attempt failed for this reason. The next attempt is at this time.
    Again(Timestamp, String),
    /// No attempt was made, so none is counted. The next attempt is at this time.
    PutOff(Timestamp),
}

impl Fate {
    /// The fate of a delivery that only another version of the program can read. It waits for a process of that version, and is
    /// given up for this reason if none takes it.
    pub fn of_other_version(created_at: Timestamp, now: Timestamp, why: impl Into<String>) -> Self {
        match wait_for_other_version(now.since(created_at)) {
            Some(wait) => Self::PutOff(now.after(wait)),
            None => Self::GivenUp(why.into()),
        }
    }
}

/// The due deliveries of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The channel.
    pub channel: Channel,
    /// The number of deliveries that are due.
    pub due: i64,
    /// The time since which the oldest of them is due.
    pub oldest: Timestamp,
}

/// Deliveries. [`crate::Notifications::insert`] must write one delivery for each working destination of the user, in the
/// same transaction. A method that returns deliveries leaves out those that another version of the program has written and that
/// this version cannot read. It gives them their fate ([`Fate::of_other_version`]) and reads on, so that readable ones behind them
/// are found.
pub trait Deliveries {
    /// Writes a delivery, unless there is one with this name.
    fn enqueue(&mut self, new: &NewDelivery) -> Result<()>;

    /// Takes at most `limit` deliveries that are due on the channel and that no other worker has taken. Mails with a link and
    /// notices to an address come before notifications and digests, so that they do not wait behind a thousand digests of
    /// one hour. Of each kind, the delivery that has been due for the longest time comes first. Other workers must not get the
    /// deliveries before `until`. Each claim counts as an attempt.
    fn claim(
        &mut self,
        channel: Channel,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>>;

    /// Records the fate of a delivery. The call must change nothing if the delivery has ended before.
    fn settle(&mut self, id: i64, fate: &Fate, now: Timestamp) -> Result<()>;

    /// The deliveries that are held for the user's digest, oldest first, at most `limit`.
    fn held(&mut self, user: UserId, limit: u32, now: Timestamp) -> Result<Vec<Delivery>>;

    /// The user's unread notifications.
    fn unread(&mut self, user: UserId) -> Result<Vec<NotificationId>>;

    /// Whether everybody may see this bet. `false` for a deleted bet.
    fn is_public(&mut self, bet: BetId) -> Result<bool>;

    /// At most `limit` queued deliveries of the channel that were due at this time and that no worker has taken since then, the
    /// oldest first.
    fn untaken(
        &mut self,
        channel: Channel,
        due_at: Timestamp,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Delivery>>;

    /// Deletes at most `limit` deliveries that ended before this time. Returns their number.
    fn remove_ended(&mut self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// Destinations and preferences of users.
pub trait Contacts {
    /// The destination with this id.
    fn destination(&mut self, id: DestinationId) -> Result<Option<Destination>>;

    /// The user's e-mail destination.
    fn email_of(&mut self, user: UserId) -> Result<Option<Destination>>;

    /// The user's webhook.
    fn webhook_of(&mut self, user: UserId) -> Result<Option<Destination>>;

    /// The browsers of the user, the one that subscribed last at the end.
    fn browsers_of(&mut self, user: UserId) -> Result<Vec<Destination>>;

    /// Deletes the destination. The call must leave its deliveries alone.
    fn remove(&mut self, id: DestinationId) -> Result<()>;

    /// Stores the destination. A user has at most one e-mail destination and one webhook: the call must replace it, and the
    /// old id must stay. The same holds for a browser that the user already has. A browser has one user: the call must
    /// take it from every other user.
    fn put(&mut self, destination: &Destination) -> Result<()>;

    /// Stops the destination for this reason, if it still has this address. Returns whether the call stopped it: `false` if it
    /// was stopped before, or has another address.
    fn stop(&mut self, id: DestinationId, address: &str, reason: &str) -> Result<bool>;

    /// The user's preferences, locked until the transaction ends. The default if the user has chosen nothing. The default also
    /// replaces each value that another version of the program has stored and that this version cannot read.
    fn preferences(&mut self, user: UserId) -> Result<Preferences>;

    /// Stores the user's preferences.
    fn set_preferences(&mut self, user: UserId, preferences: &Preferences) -> Result<()>;

    /// Changes the user's e-mail address. If another user has it, the call must change nothing and answer `false`.
    fn set_email(&mut self, user: UserId, email: &str) -> Result<bool>;
}

/// The purpose of a token in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// To confirm the address.
    ConfirmAddress,
    /// To set a new password.
    ResetPassword,
}

bolts_kernel::named!(Purpose {
    ConfirmAddress = "confirm_address",
    ResetPassword = "reset_password",
});

/// A token that was mailed to a user. The store has only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The hash of the token.
    pub hash: String,
    /// The purpose.
    pub purpose: Purpose,
    /// The user.
    pub user: UserId,
    /// The address to which the token was mailed.
    pub address: String,
    /// The token is not valid from this time on.
    pub expires_at: Timestamp,
}

/// Tokens in mails.
pub trait Tokens {
    /// Stores a token.
    fn insert(&mut self, token: &Token) -> Result<()>;

    /// The token with this hash and purpose, locked until the transaction ends.
    fn lock(&mut self, hash: &str, purpose: Purpose) -> Result<Option<Token>>;

    /// Deletes the user's tokens with this purpose.
    fn remove(&mut self, user: UserId, purpose: Purpose) -> Result<()>;

    /// The address of the user's token for confirming an address other than `own` that is valid at `now`, the latest first.
    fn requested_address(&mut self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>>;

    /// Deletes the user's tokens for confirming an address other than `own`.
    fn remove_requested(&mut self, user: UserId, own: &str) -> Result<()>;

    /// Deletes at most `limit` tokens that expired before this time. Returns their number.
    fn remove_expired(&mut self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// The read side of deliveries.
pub trait DeliveryQueries {
    /// Whether a delivery is due on the channel. The query is cheap enough for each second.
    fn is_delivery_due(&self, channel: Channel, now: Timestamp) -> Result<bool>;

    /// The due deliveries of each channel. A channel without due deliveries has no entry.
    fn backlogs(&self, now: Timestamp) -> Result<Vec<Backlog>>;

    /// The user's e-mail destination.
    fn email_destination(&self, user: UserId) -> Result<Option<Destination>>;

    /// The user's webhook.
    fn webhook(&self, user: UserId) -> Result<Option<Destination>>;

    /// The same as [`Tokens::requested_address`].
    fn address_to_confirm(&self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>>;

    /// The same as [`Contacts::preferences`], without a lock.
    fn preferences_of(&self, user: UserId) -> Result<Preferences>;
}

/// Why something could not be sent. All channels share these reasons, so that one worker serves all of them. The texts are
/// for the operator. They must contain no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// The channel does not work now: its server could not be reached, did not answer in time, or refused the site itself.
    /// The server may have taken the message.
    #[error("not available: {0}")]
    Unavailable(String),
    /// The server answered that it cannot take this message now.
    #[error("refused for now: {0}")]
    Later(String),
    /// The server answered that it cannot take this message before this time has passed.
    #[error("refused for now: {1}")]
    Wait(Duration, String),
    /// The destination does not exist any more.
    #[error("the destination is gone: {0}")]
    Gone(String),
    /// The server refuses this message for good.
    #[error("refused: {0}")]
    Refused(String),
}

/// A mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The name from which the Message-ID is made. All attempts to send a mail must share it.
    pub name: String,
    /// The address of the recipient.
    pub to: String,
    /// The content.
    pub letter: Letter,
    /// The address at which a POST of the mail's reader unsubscribes (RFC 8058). `None` for mails that cannot be turned
    /// off.
    pub unsubscribe: Option<String>,
}

/// The content of a mail. The adapter writes it as plain text and as HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// The subject, which is also the heading.
    pub subject: String,
    /// The paragraphs above the button.
    pub paragraphs: Vec<String>,
    /// The notifications of a digest.
    pub items: Vec<LetterItem>,
    /// The button: its text and its address.
    pub button: Option<(String, String)>,
    /// The lines below, each with an address or without.
    pub footer: Vec<(String, Option<String>)>,
}

/// A notification in a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterItem {
    /// The title.
    pub title: String,
    /// The text.
    pub text: String,
    /// The address of the page.
    pub link: Option<String>,
}

/// Sends mails. The call must end within 200 s, whatever the server does.
pub trait Mailer: Send + Sync {
    /// Sends the mail. `Ok` means that the server has taken it. An adapter may answer [`Undelivered::Gone`] only if the
    /// server refused this recipient for good.
    fn send(&self, mail: Mail) -> Pending<'_, Result<(), Undelivered>>;
}

/// A message for one browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushMessage {
    /// The address that the browser's push service gave to the browser.
    pub endpoint: String,
    /// The public key and the secret of the browser: `p256dh` and `auth` of the subscription, in base64url without padding,
    /// with a dot between them.
    pub keys: Secret,
    /// The content, which the service worker of the pages reads: JSON.
    pub content: String,
    /// Whether the device shall be woken up for it.
    pub is_urgent: bool,
}

/// Sends messages to browsers (web push, RFC 8030). The call must end within a minute, whatever the push service does, and
/// the service must not be able to read the content.
pub trait Pusher: Send + Sync {
    /// Sends the message. `Ok` means that the push service has taken it. An adapter may answer [`Undelivered::Gone`] only
    /// if the browser has unsubscribed, or if its keys cannot be used.
    fn send(&self, message: PushMessage) -> Pending<'_, Result<(), Undelivered>>;
}

/// An event for a user's webhook. It has ids and no content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name that all attempts share. The id of the event is made from it.
    pub name: String,
    /// The address of the webhook.
    pub url: String,
    /// The key that signs the event.
    pub secret: Secret,
    /// The kind of the notification.
    pub kind: String,
    /// The time of the notification.
    pub at: Timestamp,
    /// The notification.
    pub notification: NotificationId,
    /// The bet that the notification links to.
    pub bet: Option<BetId>,
}

/// Sends events to the webhooks of users. The call must end within a minute, whatever the receiver does.
pub trait Webhooks: Send + Sync {
    /// Sends the event. `Ok` means that the receiver has taken it. An adapter may answer [`Undelivered::Gone`] only if the
    /// receiver wants no more events.
    fn send(&self, event: Event) -> Pending<'_, Result<(), Undelivered>>;
}
