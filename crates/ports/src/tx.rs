use bolts_bets::{Bet, Change, ShareToken};
use bolts_kernel::{BetId, NotificationId, SessionId, Timestamp, UserId};
use bolts_ledger::{Account, Transfer};

use crate::error::Result;
use crate::hints::Hint;
use crate::views::{BetView, Credentials, NoticeBody, NotificationView, Unlocked, UserView};
use crate::wallet::{Deposits, Withdrawals};

/// The repositories of one transaction. They share it: what one wrote the others see.
pub trait Tx {
    /// Users and their credentials.
    fn users(&mut self) -> &mut dyn Users;
    /// Sessions.
    fn sessions(&mut self) -> &mut dyn Sessions;
    /// Bets, their history and positions.
    fn bets(&mut self) -> &mut dyn Bets;
    /// Accounts and transfers.
    fn ledger(&mut self) -> &mut dyn Ledger;
    /// Notifications.
    fn notifications(&mut self) -> &mut dyn Notifications;
    /// Answers to requests that may be repeated.
    fn idempotency(&mut self) -> &mut dyn Idempotency;
    /// Counts of what is limited.
    fn throttles(&mut self) -> &mut dyn Throttles;
    /// Named values of the whole installation.
    fn settings(&mut self) -> &mut dyn Settings;
    /// What admins did.
    fn admin_actions(&mut self) -> &mut dyn AdminActions;
    /// What is owed after the commit.
    fn outbox(&mut self) -> &mut dyn Outbox;
    /// What users have achieved.
    fn achievements(&mut self) -> &mut dyn Achievements;
    /// Deposits.
    fn deposits(&mut self) -> &mut dyn Deposits;
    /// Withdrawals.
    fn withdrawals(&mut self) -> &mut dyn Withdrawals;
}

/// A user who registers.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// A fresh id.
    pub id: UserId,
    /// Lower case, at most 254 characters.
    pub email: String,
    /// The password's hash.
    pub password_hash: String,
    /// When.
    pub at: Timestamp,
}

/// Users and their credentials.
pub trait Users {
    /// Adds a user with its credentials. Answers `false`, and must change nothing, where the email is taken.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, user: &NewUser) -> Result<bool>;

    /// The user of that id.
    ///
    /// # Errors
    /// The store's.
    fn view(&mut self, id: UserId) -> Result<Option<UserView>>;

    /// What a sign-in with this email, lower case, is checked against.
    ///
    /// # Errors
    /// The store's.
    fn credentials(&mut self, email: &str) -> Result<Option<Credentials>>;

    /// The user's credentials, locked until the transaction ends. Must give what was committed last, also where it had
    /// to wait for another writer of them.
    ///
    /// # Errors
    /// The store's.
    fn lock_credentials(&mut self, user: UserId) -> Result<Option<Credentials>>;

    /// Begins a cooldown: before `until` the user's sats are neither withdrawn nor staked.
    ///
    /// # Errors
    /// The store's.
    fn begin_cooldown(&mut self, user: UserId, until: Timestamp) -> Result<()>;

    /// The end of the user's latest cooldown, if there ever was one. Must hold the user's cooldown as it is until the
    /// transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn lock_cooldown(&mut self, user: UserId) -> Result<Option<Timestamp>>;

    /// Makes a user an admin, or no longer. Answers the user, if there is one of that email.
    ///
    /// # Errors
    /// The store's.
    fn set_admin(&mut self, email: &str, is_admin: bool) -> Result<Option<UserId>>;

    /// Every admin.
    ///
    /// # Errors
    /// The store's.
    fn admins(&mut self) -> Result<Vec<UserId>>;

    /// Sets a user's names. Answers `false`, and must change nothing, where somebody else has the username, in
    /// whatever case.
    ///
    /// # Errors
    /// The store's.
    fn set_profile(&mut self, id: UserId, profile: &Profile) -> Result<bool>;

    /// Sets a user's password; with `one_time_until` it opens the account until then and has to be changed.
    ///
    /// # Errors
    /// The store's.
    fn set_password(
        &mut self,
        id: UserId,
        hash: &str,
        one_time_until: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<()>;
}

/// A user's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// 3 to 20 letters, digits and underscores; unique in whatever case.
    pub username: String,
    /// At most 50 characters.
    pub first_name: Option<String>,
    /// At most 50 characters.
    pub last_name: Option<String>,
}

/// A session that begins.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Names it.
    pub id: SessionId,
    /// The hash of the secret in the cookie.
    pub hash: String,
    /// Whose it is.
    pub user: UserId,
    /// When.
    pub at: Timestamp,
}

/// Sessions.
pub trait Sessions {
    /// Adds a session.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, session: &NewSession) -> Result<()>;

    /// Whose session it is, if it has been used since `idle_after` and was begun since `born_after`; locked until the
    /// transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn lock_live(
        &mut self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<UserId>>;

    /// Notes that the session is in use.
    ///
    /// # Errors
    /// The store's.
    fn touch(&mut self, hash: &str, at: Timestamp) -> Result<()>;

    /// Ends a session; answers whose it was, if there was one of that hash.
    ///
    /// # Errors
    /// The store's.
    fn end(&mut self, hash: &str) -> Result<Option<UserId>>;

    /// Ends every session of a user but the one of that hash.
    ///
    /// # Errors
    /// The store's.
    fn end_others(&mut self, user: UserId, keep: Option<&str>) -> Result<()>;

    /// Removes every session that was not used since `idle_after` or began before `born_after`.
    ///
    /// # Errors
    /// The store's.
    fn remove_dead(&mut self, idle_after: Timestamp, born_after: Timestamp) -> Result<()>;
}

/// Bets, their history and positions.
pub trait Bets {
    /// The bet, locked against every other writer until the transaction ends; `None` where it is deleted.
    ///
    /// # Errors
    /// The store's.
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>>;

    /// The same by the secret of its link.
    ///
    /// # Errors
    /// The store's.
    fn lock_by_token(&mut self, token: &ShareToken) -> Result<Option<Bet>>;

    /// Adds a created bet with its event and its creator's position.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, created: &Change) -> Result<()>;

    /// Records a change of a locked bet: the bet, its event, the positions, the tiles.
    /// Must fail where the bet is not there.
    ///
    /// # Errors
    /// The store's.
    fn update(&mut self, change: &Change) -> Result<()>;

    /// Whether two users are the parties of a bet that holds their stakes.
    ///
    /// # Errors
    /// The store's.
    fn is_open_between(&mut self, one: UserId, other: UserId) -> Result<bool>;

    /// The bet with the people on it, as this transaction sees it; `None` where it is deleted.
    ///
    /// # Errors
    /// The store's.
    fn view(&mut self, id: BetId) -> Result<Option<BetView>>;
}

/// Accounts and transfers.
pub trait Ledger {
    /// Makes the accounts, empty; one that is there stays as it is.
    ///
    /// # Errors
    /// The store's.
    fn open(&mut self, accounts: &[Account]) -> Result<()>;

    /// The accounts' balances in the order asked, locked until the transaction ends. Must lock in the order of
    /// [`Account`], whatever the order asked. An account that was never opened is a failure.
    ///
    /// # Errors
    /// The store's.
    fn lock(&mut self, accounts: &[Account]) -> Result<Vec<i64>>;

    /// Records the transfers and moves the balances. Must fail, with nothing of the job kept, where an account would
    /// be overdrawn or a key was used before.
    ///
    /// # Errors
    /// The store's; [`crate::StoreError::Broken`] for those two.
    fn post(&mut self, transfers: &[Transfer]) -> Result<()>;
}

/// A notification to be written.
#[derive(Clone, Debug)]
pub struct NewNotification {
    /// A fresh id.
    pub id: NotificationId,
    /// Whose it is.
    pub user: UserId,
    /// What it says.
    pub body: NoticeBody,
    /// Where a click on it leads.
    pub bet: Option<BetId>,
    /// When.
    pub at: Timestamp,
}

/// Notifications.
pub trait Notifications {
    /// Adds notifications. Must keep at least the latest 200 of each user; older ones may go.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, notifications: &[NewNotification]) -> Result<()>;

    /// Marks one of the user's own as read; `None` where it is not there or not the user's.
    ///
    /// # Errors
    /// The store's.
    fn mark_read(
        &mut self,
        user: UserId,
        id: NotificationId,
        at: Timestamp,
    ) -> Result<Option<NotificationView>>;

    /// Removes all of the user's; answers how many.
    ///
    /// # Errors
    /// The store's.
    fn clear(&mut self, user: UserId) -> Result<u64>;
}

/// What makes two requests the same request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// Who asks.
    pub user: UserId,
    /// What for: the method and the path.
    pub route: String,
    /// What the client sent in `Idempotency-Key`.
    pub key: String,
    /// A hash of the body.
    pub body_hash: String,
}

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// It is new, and its key is now taken.
    Fresh,
    /// It was answered: with this.
    Answered(String),
    /// Its key was used with another body.
    Reused,
}

/// Answers to requests that may be repeated, kept for 24 hours.
pub trait Idempotency {
    /// What `begin` would say, without taking the key.
    ///
    /// # Errors
    /// The store's.
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay>;

    /// Takes the key, or says what is known of it. What is older than `since` is as if it never was.
    ///
    /// # Errors
    /// The store's.
    fn begin(&mut self, key: &IdempotencyKey, since: Timestamp, now: Timestamp) -> Result<Replay>;

    /// Keeps the answer under a key that `begin` took in this transaction.
    ///
    /// # Errors
    /// The store's.
    fn finish(&mut self, key: &IdempotencyKey, answer: &str) -> Result<()>;

    /// Removes what is older than `since`.
    ///
    /// # Errors
    /// The store's.
    fn remove_old(&mut self, since: Timestamp) -> Result<()>;
}

/// How often something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How often since `since`.
    pub count: i64,
    /// When the counting began.
    pub since: Timestamp,
    /// When it happened last.
    pub last: Timestamp,
}

/// Counts of what is limited, shared by all processes.
pub trait Throttles {
    /// Counts one more in the bucket, in one statement. A count that began at `expired` or before begins anew at `now`.
    /// Where `limit`, which is at least 1, are counted already, must change nothing and answer when that count began.
    ///
    /// # Errors
    /// The store's.
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>>;

    /// The tally of a bucket, locked until the transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn lock(&mut self, bucket: &str) -> Result<Option<Tally>>;

    /// Sets it.
    ///
    /// # Errors
    /// The store's.
    fn put(&mut self, bucket: &str, tally: Tally) -> Result<()>;

    /// Forgets it.
    ///
    /// # Errors
    /// The store's.
    fn forget(&mut self, bucket: &str) -> Result<()>;

    /// Removes every tally whose last count is older than `since`.
    ///
    /// # Errors
    /// The store's.
    fn remove_old(&mut self, since: Timestamp) -> Result<()>;
}

/// Named values of the whole installation.
pub trait Settings {
    /// The value, locked until the transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn get(&mut self, name: &str) -> Result<Option<String>>;

    /// Sets it.
    ///
    /// # Errors
    /// The store's.
    fn put(&mut self, name: &str, value: &str) -> Result<()>;

    /// Sets it where it is not set yet; answers what is set then.
    ///
    /// # Errors
    /// The store's.
    fn put_first(&mut self, name: &str, value: &str) -> Result<String>;
}

/// Something an admin did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminAction {
    /// Who; `None` for the operator at the command line.
    pub admin: Option<UserId>,
    /// What, in snake case.
    pub action: &'static str,
    /// On whom.
    pub user: Option<UserId>,
    /// On which bet.
    pub bet: Option<BetId>,
    /// Further words.
    pub detail: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What admins did. Never changed or removed.
pub trait AdminActions {
    /// Adds one.
    ///
    /// # Errors
    /// The store's.
    fn record(&mut self, action: &AdminAction) -> Result<()>;
}

/// What users have achieved. The figures count what this transaction has written already.
pub trait Achievements {
    /// What the user has unlocked, oldest first, locked until the transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn unlocked(&mut self, user: UserId) -> Result<Vec<Unlocked>>;

    /// Notes an unlock; answers `false`, and must change nothing, where it was noted before.
    ///
    /// # Errors
    /// The store's.
    fn unlock(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// Notes a claim; answers `false`, and must change nothing, where it is not unlocked or was claimed before.
    ///
    /// # Errors
    /// The store's.
    fn claim(&mut self, user: UserId, achievement: &str, at: Timestamp) -> Result<bool>;

    /// How many bets the user made or accepted, as `Figures` counts them; no more than `up_to` are counted.
    ///
    /// # Errors
    /// The store's.
    fn total_bets(&mut self, user: UserId, up_to: i64) -> Result<i64>;

    /// The results of the user's latest resolved bets, by creation, latest first: whether each was won.
    ///
    /// # Errors
    /// The store's.
    fn latest_results(&mut self, user: UserId, count: i64) -> Result<Vec<bool>>;

    /// What the user won from opponents, in sats.
    ///
    /// # Errors
    /// The store's.
    fn sats_won(&mut self, user: UserId) -> Result<i64>;
}

/// What is owed after the commit: written with what causes it, done by the relay, by one process each.
pub trait Outbox {
    /// Owes these hints.
    ///
    /// # Errors
    /// The store's.
    fn owe(&mut self, hints: &[Hint], at: Timestamp) -> Result<()>;

    /// Takes what is owed, oldest first, of at most so many rows. Must give each row to one taker only, and must not
    /// wait for another taker.
    ///
    /// # Errors
    /// The store's.
    fn take(&mut self, rows: i64) -> Result<Vec<Hint>>;
}
