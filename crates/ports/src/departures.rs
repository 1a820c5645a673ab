//! The deletion of accounts.

use bolts_kernel::{Amount, BetId, DepositId, Timestamp, UserId};

use crate::error::Result;

/// What ties a user to the site: bets, tasks and money that need the user. The use case decides which of them keep the
/// user from deleting the account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// The bets with a stake of the user in escrow, without those in dispute.
    pub open_bets: u32,
    /// The bets of the user that are in dispute.
    pub disputed_bets: u32,
    /// The bets that have not ended and whose arbiter the user is, after accepting the invitation.
    pub arbiter_tasks: u32,
    /// The withdrawals that have not ended.
    pub withdrawals: u32,
    /// The deposits about which the server still asks the provider, because they may still be paid.
    pub open_deposits: u32,
    /// The available sats.
    pub sats: Amount,
    /// The end of the latest cooldown. It may be in the past.
    pub cooldown_until: Option<Timestamp>,
    /// Whether the user is an admin and there is no other one.
    pub is_last_admin: bool,
}

/// A deposit that was credited to a user after the deletion of the account. If less than 1 sat arrived, there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateDeposit {
    /// The deposit.
    pub id: DepositId,
    /// The deleted user.
    pub user: UserId,
    /// The credited sats.
    pub amount: Amount,
    /// The time at which the sats were credited. It is not before the deletion.
    pub paid_at: Timestamp,
    /// The time at which the operator booked the sats to somebody else.
    pub booked_at: Option<Timestamp>,
}

/// The name that replaces all names of a deleted user: `deleted-` and 12 digits of the user's id. No user can choose it,
/// because a username has no hyphen, and it is no e-mail address.
pub fn name_of_deleted(user: UserId) -> String {
    let id = user.to_string();
    // The first digits of an id are a time. The last ones are random.
    format!("deleted-{}", &id[id.len() - 12..])
}

/// The deletion of accounts. The row of a deleted user stays, because bets, transfers and messages refer to it.
pub trait Departures {
    /// Whether the user exists and is not deleted. Until the transaction ends, no other transaction can delete the user:
    /// the call must wait for a deletion that is under way, and answer what it leaves.
    fn is_here(&mut self, user: UserId) -> Result<bool>;

    /// The time at which the user was deleted. `None` for a user who is here, and for an unknown one. The call must wait and
    /// keep the user like [`is_here`](Self::is_here).
    fn deleted_at(&mut self, user: UserId) -> Result<Option<Timestamp>>;

    /// Locks the user for a deletion. Until the transaction ends, no other transaction may add a row that refers to the
    /// user. Answers `false` if the user does not exist or is deleted. Of two admins who are deleted at once, the second one
    /// must see in [`Ties::is_last_admin`] that the first one is gone.
    fn lock_user(&mut self, user: UserId) -> Result<bool>;

    /// What ties the user to the site. The call must see what other transactions have committed.
    fn ties(&mut self, user: UserId) -> Result<Ties>;

    /// The bets that have not ended and that invite the user as their arbiter, oldest first.
    fn open_invitations(&mut self, user: UserId) -> Result<Vec<BetId>>;

    /// Deletes the user. [`name_of_deleted`] replaces username and e-mail address, so that others can use them. The call must
    /// remove: names, admin rights, credentials, sessions, API keys, second factors, challenges, notifications, preferences,
    /// destinations, deliveries, tokens, answers to idempotent requests, pictures that no message has, and the counts
    /// of wrong passwords. Messages on bets of which the user was neither a party nor the arbiter lose their text. All other
    /// messages stay.
    ///
    /// The time of the deletion is `at`. If a deposit of the user was credited then or later, because a clock is wrong, the
    /// time of the deletion must be the next instant after this credit. So a deposit is late exactly if its time is not before
    /// the deletion.
    fn erase(&mut self, user: UserId, at: Timestamp) -> Result<()>;

    /// The deposit with this id, if it was credited to a deleted user. The caller must have locked the deposit
    /// ([`Deposits::lock`](crate::Deposits::lock)).
    fn late_deposit(&mut self, id: DepositId) -> Result<Option<LateDeposit>>;
}

/// The read side of deletions.
pub trait DepartureQueries {
    /// What ties the user to the site.
    fn ties_of(&self, user: UserId) -> Result<Ties>;

    /// All deposits that were credited to deleted users, oldest first.
    fn late_deposits(&self) -> Result<Vec<LateDeposit>>;
}
