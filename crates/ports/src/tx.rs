//! The repositories of a transaction.

use bolts_bets::{Bet, Change};
use bolts_kernel::{BetId, NotificationId, SessionId, Timestamp, UserId};
use bolts_ledger::{Account, Transfer};

use crate::deliveries::{Contacts, Deliveries, Tokens};
use crate::departures::Departures;
use crate::error::Result;
use crate::factors::{Factors, Origin};
use crate::hints::Hint;
use crate::keys::Keys;
use crate::messages::Messages;
use crate::passkeys::Passkeys;
use crate::queries::BetKey;
use crate::views::{BetView, Credentials, NoticeBody, NotificationView, Standing, Unlocked, UserView};
use crate::wallet::{Deposits, Withdrawals};

/// Declares [`Tx`], and implements it for each type that implements all repositories.
macro_rules! repositories {
    ($($(#[$doc:meta])* $name:ident: $repository:ident),* $(,)?) => {
        /// The repositories of one transaction. Each repository sees the changes of the other repositories. Each type
        /// that implements all repositories also implements this trait.
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
    /// The sessions of users.
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
    /// Messages and pictures on bets.
    messages: Messages,
    /// Notifications that leave the site, and other mails.
    deliveries: Deliveries,
    /// Destinations and preferences of users.
    contacts: Contacts,
    /// Tokens in mails.
    tokens: Tokens,
    /// Second factors of users.
    factors: Factors,
    /// The deletion of accounts.
    departures: Departures,
    /// Passkeys of users, and ceremonies with authenticators.
    passkeys: Passkeys,
    /// API keys of users.
    keys: Keys,
}

/// A new user.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// A new id for the user.
    pub id: UserId,
    /// The e-mail address in lower case, at most 254 characters.
    pub email: String,
    /// The hash of the user's password.
    pub password_hash: String,
    /// The time of the registration.
    pub at: Timestamp,
}

/// Users and their credentials.
pub trait Users {
    /// Adds a user with credentials. If the e-mail address is taken, the call must change nothing and answer `false`.
    fn insert(&mut self, user: &NewUser) -> Result<bool>;

    /// The user with this id.
    fn view(&mut self, id: UserId) -> Result<Option<UserView>>;

    /// The credentials of the user with this e-mail address. The caller passes the address in lower case.
    fn credentials(&mut self, email: &str) -> Result<Option<Credentials>>;

    /// The user's credentials, locked until the transaction ends. The call must return the latest committed state,
    /// even if it had to wait for another writer.
    fn lock_credentials(&mut self, user: UserId) -> Result<Option<Credentials>>;

    /// Starts a cooldown. Before the time `until`, the user can neither withdraw nor stake sats.
    fn begin_cooldown(&mut self, user: UserId, until: Timestamp) -> Result<()>;

    /// Shortens all cooldowns that end after `latest`, so that they end at `latest`. The call must change no other cooldown.
    fn shorten_cooldowns(&mut self, latest: Timestamp) -> Result<()>;

    /// The end of the user's latest cooldown, or `None` if the user never had a cooldown. The call must prevent
    /// changes to the cooldown by other transactions until this transaction ends.
    fn lock_cooldown(&mut self, user: UserId) -> Result<Option<Timestamp>>;

    /// Grants or revokes the admin rights of the user with this e-mail address. Returns the user's id, or `None` if
    /// there is no such user.
    fn set_admin(&mut self, email: &str, is_admin: bool) -> Result<Option<UserId>>;

    /// The ids of all admins.
    fn admins(&mut self) -> Result<Vec<UserId>>;

    /// The user with this username. Usernames that differ only in case count as equal. A deleted user is not found. Until the
    /// transaction ends, no other transaction can delete the user.
    fn by_username(&mut self, username: &str) -> Result<Option<UserId>>;

    /// Sets a user's names. Usernames that differ only in case count as equal. If another user has the username, the
    /// call must change nothing and answer `false`.
    fn set_profile(&mut self, id: UserId, profile: &Profile) -> Result<bool>;

    /// Sets a user's password. If `one_time_until` is set, the password is a one-time password: it expires at this
    /// time, and the user must change it.
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
    /// The username: 3 to 20 letters, digits or underscores. Usernames that differ only in case count as equal.
    pub username: String,
    /// The first name, at most 50 characters.
    pub first_name: Option<String>,
    /// The last name, at most 50 characters.
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
    /// The origin of the sign-in.
    pub origin: Origin,
    /// The time at which the user proved the second factor.
    pub proved_at: Option<Timestamp>,
}

/// The sessions of users. A call that ends sessions must also remove the push subscriptions of their browsers. The removal
/// of dead sessions must leave them: a user who was away for long still gets messages.
pub trait Sessions {
    /// Adds a session.
    fn insert(&mut self, session: &NewSession) -> Result<()>;

    /// The user of the session, if the session was used since `idle_after` and created since `born_after`. The session
    /// stays locked until the transaction ends.
    fn lock_live(
        &mut self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<UserId>>;

    /// Records that the session was used at this time.
    fn touch(&mut self, hash: &str, at: Timestamp) -> Result<()>;

    /// Replaces the hash of a session. The browsers that subscribed in the session must stay subscribed in it. The call must
    /// fail if there is no session with the old hash.
    fn renew(&mut self, hash: &str, new: &str) -> Result<()>;

    /// Ends a session and returns its user, if there is a session with this hash.
    fn end(&mut self, hash: &str) -> Result<Option<UserId>>;

    /// Ends the session with this id, if it belongs to this user. Otherwise the call must change nothing and answer
    /// `false`.
    fn end_one(&mut self, user: UserId, id: SessionId) -> Result<bool>;

    /// Ends all sessions of a user except the session with the hash `keep`. Returns the number of ended sessions.
    fn end_others(&mut self, user: UserId, keep: Option<&str>) -> Result<u64>;

    /// Ends all sessions of a user except the `keep` sessions that were used last. Returns the number of ended sessions. A user
    /// of an older version may have very many sessions, so one call may leave some of them to the next one.
    fn end_unused(&mut self, user: UserId, keep: u32) -> Result<u64>;

    /// Deletes at most `limit` sessions that were not used since `idle_after` or were created before `born_after`. Returns
    /// their number.
    fn remove_dead(&mut self, idle_after: Timestamp, born_after: Timestamp, limit: u32) -> Result<u64>;
}

/// Bets, their events and positions.
pub trait Bets {
    /// The bet, locked against all other writers until the transaction ends. `None` if the bet is deleted.
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>>;

    /// Locks a bet like [`lock`](Self::lock). Also locks the bet's escrow account and the user's available account
    /// in the currency of the bet, because the user is about to stake.
    fn lock_to_stake(&mut self, key: &BetKey, user: UserId) -> Result<Option<Bet>>;

    /// Adds a new bet with its event and the creator's position.
    fn insert(&mut self, created: &Change) -> Result<()>;

    /// Records a change of a locked bet: the bet, its event, its positions and the market figures. The call must fail
    /// if the bet does not exist.
    fn update(&mut self, change: &Change) -> Result<()>;

    /// Whether a bet of the party `user` depends on `other`: `other` is the opponent, and both stakes are in escrow. Or the
    /// bet has not ended, and `other` is its arbiter, who was invited or has accepted.
    fn depends_on(&mut self, user: UserId, other: UserId) -> Result<bool>;

    /// Adds the names of its users to a bet.
    fn named(&mut self, bet: Bet) -> Result<BetView>;
}

/// Accounts and transfers.
pub trait Ledger {
    /// Opens accounts with balance 0. An account that exists stays unchanged.
    fn open(&mut self, accounts: &[Account]) -> Result<()>;

    /// The balances of the accounts, in the order of the request. The accounts stay locked until the transaction ends.
    /// The call must take the locks in the order of [`Account`], whatever the order of the request. It fails if an
    /// account was never opened.
    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>>;

    /// Inserts the transfers and changes the balances. The call must fail, and the whole job must be undone, if an
    /// account would be overdrawn or a key was used before.
    ///
    /// # Errors
    /// [`crate::StoreError::Broken`] if an account would be overdrawn or a key was used before.
    fn post(&mut self, transfers: &[Transfer]) -> Result<()>;
}

/// A new notification.
#[derive(Clone, Debug)]
pub struct NewNotification {
    /// A new id for the notification.
    pub id: NotificationId,
    /// The user who gets the notification.
    pub user: UserId,
    /// The content of the notification.
    pub body: NoticeBody,
    /// The bet that the notification links to.
    pub bet: Option<BetId>,
    /// The time of the notification.
    pub at: Timestamp,
}

/// Notifications.
pub trait Notifications {
    /// Adds notifications. The store must keep at least the newest 200 notifications of each user. It may delete older
    /// ones. For each notification and each working destination of its user, the store must also write a delivery
    /// that is due at once.
    fn insert(&mut self, notifications: &[NewNotification]) -> Result<()>;

    /// Marks a notification of this user as read. `None` if the notification does not exist or belongs to another
    /// user.
    fn mark_read(
        &mut self,
        user: UserId,
        id: NotificationId,
        at: Timestamp,
    ) -> Result<Option<NotificationView>>;

    /// Marks all unread notifications of the user as read and returns their number.
    fn mark_all_read(&mut self, user: UserId, at: Timestamp) -> Result<u64>;

    /// Deletes all notifications of the user and returns their number.
    fn clear(&mut self, user: UserId) -> Result<u64>;
}

/// The key of an idempotent request. Two requests with the same key are the same request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// The user who sent the request.
    pub user: UserId,
    /// The method and the path of the request.
    pub route: String,
    /// The value of the header `Idempotency-Key`.
    pub key: String,
    /// The hash of the request's body.
    pub body_hash: String,
}

/// The result of a look-up of an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The key is new, or too old to count.
    Fresh,
    /// The request was answered before, with this text.
    Answered(String),
    /// The key was used with another body.
    Reused,
}

/// Answers to requests with an idempotency key, stored for 24 hours.
pub trait Idempotency {
    /// The state of a key. A key that is older than `since` counts as new, and may be deleted.
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay>;

    /// Stores a key that was new in this transaction, with the answer to its request. If another transaction has stored
    /// the key meanwhile, this job must not be kept and must run again (contention).
    fn store(&mut self, key: &IdempotencyKey, answer: &str, now: Timestamp) -> Result<()>;

    /// Deletes at most `limit` keys older than `since`. Returns their number.
    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64>;
}

/// The number of actions in a rate limit's bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitState {
    /// The number of actions since `since`.
    pub count: i64,
    /// The time at which the count started.
    pub since: Timestamp,
    /// The time of the latest counted action.
    pub last: Timestamp,
}

/// Counts of limited actions, shared by all processes.
pub trait Throttles {
    /// Adds 1 to the count of a bucket, in one statement. A count that started at `expired` or earlier starts again at
    /// `now`. So does a count that a wrong clock started ([`Timestamp::is_of_wrong_clock`]). If the count has already reached
    /// `limit` (at least 1), the call must change nothing and return the time at which the count started.
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>>;

    /// Adds 1 to the count of a bucket whose limit is rarely reached. The store may do so at the end of the transaction. If
    /// the limit is reached then, the job must run again (contention), and this run gets the answer of
    /// [`count`](Self::count).
    fn count_rare(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        self.count(bucket, limit, expired, now)
    }

    /// The count of a bucket, locked until the transaction ends.
    fn lock(&mut self, bucket: &str) -> Result<Option<RateLimitState>>;

    /// Sets the count of a bucket.
    fn put(&mut self, bucket: &str, tally: RateLimitState) -> Result<()>;

    /// Deletes the count of a bucket.
    fn forget(&mut self, bucket: &str) -> Result<()>;

    /// Deletes the counts of the bucket with this name, and of all buckets whose names begin with it and a colon.
    fn forget_all(&mut self, beginning: &str) -> Result<()>;

    /// Deletes at most `limit` counts that did not change since `since`. Returns their number.
    fn remove_old(&mut self, since: Timestamp, limit: u32) -> Result<u64>;
}

/// Named values of the whole installation.
pub trait Settings {
    /// The value with this name, locked until the transaction ends.
    fn get(&mut self, name: &str) -> Result<Option<String>>;

    /// Sets the value with this name.
    fn put(&mut self, name: &str, value: &str) -> Result<()>;

    /// Sets the value only if there is none yet. Returns the value that is stored after the call.
    fn put_first(&mut self, name: &str, value: &str) -> Result<String>;
}

/// A new entry for the record of admin actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminAction {
    /// The admin. `None` for the operator at the command line.
    pub admin: Option<UserId>,
    /// The name of the action in snake case.
    pub action: &'static str,
    /// The user whom the action affects, if any.
    pub user: Option<UserId>,
    /// The bet that the action affects, if any.
    pub bet: Option<BetId>,
    /// Further details about the action, in words.
    pub detail: Option<String>,
    /// The time of the action.
    pub at: Timestamp,
}

/// The record of admin actions. Rows are never changed or deleted.
pub trait AdminActions {
    /// Adds an action to the record.
    fn record(&mut self, action: &AdminAction) -> Result<()>;
}

/// Achievements of users. The figures include the changes of this transaction.
pub trait Achievements {
    /// The user's unlocked achievements, oldest first, locked until the transaction ends.
    fn unlocked(&mut self, user: UserId) -> Result<Vec<Unlocked>>;

    /// Records that the user unlocked the achievement. If this is already recorded, the call must change nothing and
    /// answer `false`.
    fn unlock(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// Records that the user claimed the reward of the achievement. If the achievement is locked, or its reward was
    /// claimed before, the call must change nothing and answer `false`.
    fn claim(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// The statistics and the unlocked achievements of the user. The caller must have locked an account of the user, so that
    /// no other transaction adds a stake, a win or a refund in the account's currency meanwhile. A loss or the deletion of an
    /// ended bet may be missing, because neither locks the account: no achievement is unlocked by a loss. The figures of another
    /// currency may miss any change that another transaction makes at the same time.
    fn standing(&mut self, user: UserId) -> Result<Standing>;

    /// The results of the user's latest `count` resolved bets, newest bet (by creation) first. `true` means that the
    /// user won.
    fn latest_results(&mut self, user: UserId, count: i64) -> Result<Vec<bool>>;
}

/// Hints to send after the commit. A transaction writes the hints for its own changes. Later the relay of one process
/// sends them.
pub trait Outbox {
    /// Adds hints to the outbox.
    fn enqueue(&mut self, hints: &[Hint], at: Timestamp) -> Result<()>;

    /// Takes the oldest hints, from at most `rows` rows. The store must give each row to only one caller. The call
    /// must not wait for other callers.
    fn take(&mut self, rows: i64) -> Result<Vec<Hint>>;
}
