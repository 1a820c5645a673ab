//! The repositories of a transaction.

use bolts_bets::{Bet, Change};
use bolts_kernel::{BetId, NotificationId, SessionId, Timestamp, UserId};
use bolts_ledger::{Account, Transfer};

use crate::error::Result;
use crate::hints::Hint;
use crate::queries::BetKey;
use crate::views::{BetView, Credentials, NoticeBody, NotificationView, Standing, Unlocked, UserView};
use crate::wallet::{Deposits, Withdrawals};

/// Declares [`Tx`], and implements it for each type that implements all repositories.
macro_rules! repositories {
    ($($(#[$doc:meta])* $name:ident: $repository:ident),* $(,)?) => {
        /// The repositories of one transaction. Each of them sees the changes that the others made. A type that
        /// implements all repositories is a transaction.
        pub trait Tx {
            $($(#[$doc])* fn $name(&mut self) -> &mut dyn $repository;)*
        }

        impl<T: $($repository +)*> Tx for T {
            $(fn $name(&mut self) -> &mut dyn $repository {
                self
            })*
        }
    };
}

repositories! {
    /// Users and their credentials.
    users: Users,
    /// Sessions.
    sessions: Sessions,
    /// Bets, their events and positions.
    bets: Bets,
    /// Accounts and transfers.
    ledger: Ledger,
    /// Notifications.
    notifications: Notifications,
    /// Answers to requests with an idempotency key.
    idempotency: Idempotency,
    /// Counts for rate limits.
    throttles: Throttles,
    /// Named values of the whole installation.
    settings: Settings,
    /// Recorded actions of admins.
    admin_actions: AdminActions,
    /// Hints to send after the commit.
    outbox: Outbox,
    /// Achievements of users.
    achievements: Achievements,
    /// Deposits.
    deposits: Deposits,
    /// Withdrawals.
    withdrawals: Withdrawals,
}

/// A new user.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// A new id.
    pub id: UserId,
    /// The e-mail address in lower case, at most 254 characters.
    pub email: String,
    /// The password's hash.
    pub password_hash: String,
    /// The time of the registration.
    pub at: Timestamp,
}

/// Users and their credentials.
pub trait Users {
    /// Adds a user with credentials. If the e-mail address is taken, must change nothing and answers `false`.
    fn insert(&mut self, user: &NewUser) -> Result<bool>;

    /// The user with this id.
    fn view(&mut self, id: UserId) -> Result<Option<UserView>>;

    /// The credentials of the user with this e-mail address, which is in lower case.
    fn credentials(&mut self, email: &str) -> Result<Option<Credentials>>;

    /// The user's credentials, locked until the transaction ends. Must return the latest committed state,
    /// even if the call had to wait for another writer.
    fn lock_credentials(&mut self, user: UserId) -> Result<Option<Credentials>>;

    /// Starts a cooldown: until `until` the user can neither withdraw nor stake sats.
    fn begin_cooldown(&mut self, user: UserId, until: Timestamp) -> Result<()>;

    /// The end of the user's latest cooldown, if there ever was one. Must keep other transactions from
    /// changing the cooldown until this transaction ends.
    fn lock_cooldown(&mut self, user: UserId) -> Result<Option<Timestamp>>;

    /// Grants or revokes admin rights. Returns the user with this e-mail address, if there is one.
    fn set_admin(&mut self, email: &str, is_admin: bool) -> Result<Option<UserId>>;

    /// All admins.
    fn admins(&mut self) -> Result<Vec<UserId>>;

    /// Sets a user's names. If another user has the username (without regard to case), must change nothing
    /// and answers `false`.
    fn set_profile(&mut self, id: UserId, profile: &Profile) -> Result<bool>;

    /// Sets a user's password. With `one_time_until` it is a one-time password: it is valid until then and
    /// must be changed.
    fn set_password(
        &mut self,
        id: UserId,
        hash: &str,
        one_time_until: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<()>;
}

/// The names of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// 3 to 20 letters, digits or underscores, unique without regard to case.
    pub username: String,
    /// At most 50 characters.
    pub first_name: Option<String>,
    /// At most 50 characters.
    pub last_name: Option<String>,
}

/// A new session.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The id of the session.
    pub id: SessionId,
    /// The hash of the secret in the cookie.
    pub hash: String,
    /// The user of the session.
    pub user: UserId,
    /// The time of the sign-in.
    pub at: Timestamp,
}

/// Sessions.
pub trait Sessions {
    /// Adds a session.
    fn insert(&mut self, session: &NewSession) -> Result<()>;

    /// The user of the session, if it was used since `idle_after` and created since `born_after`. Locks the
    /// session until the transaction ends.
    fn lock_live(
        &mut self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<UserId>>;

    /// Records the use of the session.
    fn touch(&mut self, hash: &str, at: Timestamp) -> Result<()>;

    /// Ends a session and returns its user, if there is a session with this hash.
    fn end(&mut self, hash: &str) -> Result<Option<UserId>>;

    /// Ends all sessions of a user except the one with the hash `keep`.
    fn end_others(&mut self, user: UserId, keep: Option<&str>) -> Result<()>;

    /// Deletes all sessions that were not used since `idle_after` or were created before `born_after`.
    fn remove_dead(&mut self, idle_after: Timestamp, born_after: Timestamp) -> Result<()>;
}

/// Bets, their events and positions.
pub trait Bets {
    /// The bet, locked against all other writers until the transaction ends. `None` if it is deleted.
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>>;

    /// Locks a bet like [`lock`](Self::lock). Also locks the bet's escrow account and the user's available account
    /// in the currency of the bet, because the user is about to stake.
    fn lock_to_stake(&mut self, key: &BetKey, user: UserId) -> Result<Option<Bet>>;

    /// Adds a new bet with its event and the creator's position.
    fn insert(&mut self, created: &Change) -> Result<()>;

    /// Records a change of a locked bet: the bet, its event, its positions and the market figures. Must fail
    /// if the bet does not exist.
    fn update(&mut self, change: &Change) -> Result<()>;

    /// Whether two users are the parties of a bet with both stakes in escrow.
    fn is_open_between(&mut self, one: UserId, other: UserId) -> Result<bool>;

    /// Adds the names of its users to a bet.
    fn named(&mut self, bet: Bet) -> Result<BetView>;
}

/// Accounts and transfers.
pub trait Ledger {
    /// Opens accounts with balance 0. An account that exists stays unchanged.
    fn open(&mut self, accounts: &[Account]) -> Result<()>;

    /// The balances of the accounts in the order of the request, locked until the transaction ends. Must lock
    /// in the order of [`Account`], whatever the order of the request. Fails if an account was never opened.
    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>>;

    /// Inserts the transfers and changes the balances. If an account would be overdrawn, or a key was used
    /// before, must fail and must undo the whole job.
    ///
    /// # Errors
    /// [`crate::StoreError::Broken`] in these two cases.
    fn post(&mut self, transfers: &[Transfer]) -> Result<()>;
}

/// A new notification.
#[derive(Clone, Debug)]
pub struct NewNotification {
    /// A new id.
    pub id: NotificationId,
    /// The user who gets the notification.
    pub user: UserId,
    /// The content.
    pub body: NoticeBody,
    /// The bet that the notification links to.
    pub bet: Option<BetId>,
    /// The time of the notification.
    pub at: Timestamp,
}

/// Notifications.
pub trait Notifications {
    /// Adds notifications. Must keep at least the newest 200 of each user. Older ones may be deleted.
    fn insert(&mut self, notifications: &[NewNotification]) -> Result<()>;

    /// Marks a notification of this user as read. `None` if it does not exist or belongs to another user.
    fn mark_read(
        &mut self,
        user: UserId,
        id: NotificationId,
        at: Timestamp,
    ) -> Result<Option<NotificationView>>;

    /// Deletes all notifications of the user and returns their number.
    fn clear(&mut self, user: UserId) -> Result<u64>;
}

/// The key of an idempotent request. Two requests with the same key are the same request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// The user who sent the request.
    pub user: UserId,
    /// The method and the path.
    pub route: String,
    /// The value of the header `Idempotency-Key`.
    pub key: String,
    /// The hash of the body.
    pub body_hash: String,
}

/// The result of a look-up of an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The key is new. `begin` has inserted it.
    Fresh,
    /// The request was answered before, with this text.
    Answered(String),
    /// The key was used with another body.
    Reused,
}

/// Answers to requests with an idempotency key, stored for 24 hours.
pub trait Idempotency {
    /// Looks up a key like `begin`, but does not insert it.
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay>;

    /// Inserts the key, or returns its state. Keys older than `since` count as unused.
    fn begin(&mut self, key: &IdempotencyKey, since: Timestamp, now: Timestamp) -> Result<Replay>;

    /// Stores the answer for a key that `begin` inserted in this transaction.
    fn finish(&mut self, key: &IdempotencyKey, answer: &str) -> Result<()>;

    /// Deletes keys older than `since`.
    fn remove_old(&mut self, since: Timestamp) -> Result<()>;
}

/// The count of a limited action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitState {
    /// The count since `since`.
    pub count: i64,
    /// The start of the count.
    pub since: Timestamp,
    /// The time of the latest count.
    pub last: Timestamp,
}

/// Counts of limited actions, shared by all processes.
pub trait Throttles {
    /// Counts one more in the bucket, in one statement. A count that began at `expired` or before begins anew at `now`.
    /// If the count has reached `limit` (at least 1), must change nothing and return the start of the count.
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>>;

    /// The count of a bucket, locked until the transaction ends.
    fn lock(&mut self, bucket: &str) -> Result<Option<RateLimitState>>;

    /// Sets the count of a bucket.
    fn put(&mut self, bucket: &str, tally: RateLimitState) -> Result<()>;

    /// Deletes the count of a bucket.
    fn forget(&mut self, bucket: &str) -> Result<()>;

    /// Deletes all counts that did not change since `since`.
    fn remove_old(&mut self, since: Timestamp) -> Result<()>;
}

/// Named values of the whole installation.
pub trait Settings {
    /// The value, locked until the transaction ends.
    fn get(&mut self, name: &str) -> Result<Option<String>>;

    /// Sets the value.
    fn put(&mut self, name: &str, value: &str) -> Result<()>;

    /// Sets the value only if it is absent. Returns the value that is stored then.
    fn put_first(&mut self, name: &str, value: &str) -> Result<String>;
}

/// An action of an admin, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminAction {
    /// The admin. `None` for the operator at the command line.
    pub admin: Option<UserId>,
    /// The name of the action in snake case.
    pub action: &'static str,
    /// The user concerned.
    pub user: Option<UserId>,
    /// The bet concerned.
    pub bet: Option<BetId>,
    /// Further details in words.
    pub detail: Option<String>,
    /// The time of the action.
    pub at: Timestamp,
}

/// The record of admin actions. Rows are never changed or deleted.
pub trait AdminActions {
    /// Adds an action.
    fn record(&mut self, action: &AdminAction) -> Result<()>;
}

/// Achievements of users. The figures include the changes of this transaction.
pub trait Achievements {
    /// The user's unlocked achievements, oldest first, locked until the transaction ends.
    fn unlocked(&mut self, user: UserId) -> Result<Vec<Unlocked>>;

    /// Records an unlock. If it was recorded before, must change nothing and answers `false`.
    fn unlock(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// Records a claim. If the achievement is locked or was claimed before, must change nothing and answers
    /// `false`.
    fn claim(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// The statistics and the unlocked achievements of the user. The caller must have locked an account of the
    /// user, so that no other transaction changes them meanwhile.
    fn standing(&mut self, user: UserId) -> Result<Standing>;

    /// Whether the user won, for each of their latest resolved bets. The newest bet comes first (by
    /// creation).
    fn latest_results(&mut self, user: UserId, count: i64) -> Result<Vec<bool>>;
}

/// Hints to send after the commit. The transaction that causes a hint writes it. The relay of one process
/// sends it.
pub trait Outbox {
    /// Adds hints.
    fn enqueue(&mut self, hints: &[Hint], at: Timestamp) -> Result<()>;

    /// Takes the oldest hints, from at most `rows` rows. Must give each row to only one caller and must not
    /// wait for other callers.
    fn take(&mut self, rows: i64) -> Result<Vec<Hint>>;
}
