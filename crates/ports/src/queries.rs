//! The read side of the database: bets, users, lists and figures.

use bolts_bets::{Category, Event, ShareToken, Status};
use bolts_kernel::{BetId, Currency, Timestamp, UserId};
use futures_channel::oneshot;

use crate::deliveries::DeliveryQueries;
use crate::departures::DepartureQueries;
use crate::error::Result;
use crate::exports::ExportQueries;
use crate::factors::FactorQueries;
use crate::keys::KeyQueries;
use crate::messages::MessageQueries;
use crate::sitemap::SitemapQueries;
use crate::views::{
    AchievementsView, AdminActionView, BetView, MarketStats, NamedUser, NotificationView, SessionView, Stats,
    UserView,
};
use crate::wallet::WalletQueries;

/// The number of events of a bet that one read returns. The parties of a bet may propose and reject again and again.
pub const LATEST_EVENTS: u32 = 500;

/// The id or the link's token, by which a caller asks for a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BetKey {
    /// The id of the bet.
    Id(BetId),
    /// The secret token of the bet's link.
    Token(ShareToken),
}

/// The bet statuses that a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListStatus {
    /// Pending and accepted bets.
    Active,
    /// Bets with this status.
    Only(Status),
}

impl ListStatus {
    /// Whether a list with this filter shows bets of `status`.
    pub fn has(self, status: Status) -> bool {
        match self {
            Self::Active => matches!(status, Status::Pending | Status::Accepted),
            Self::Only(only) => only == status,
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The newest bet comes first.
    #[default]
    Newest,
    /// The oldest bet comes first.
    Oldest,
    /// The largest stake comes first. Among equal stakes, the newest bet comes first.
    StakeDesc,
    /// The smallest stake comes first. Among equal stakes, the oldest bet comes first.
    StakeAsc,
    /// The bet that expires first comes first. Among bets that expire at the same time, the oldest bet comes first.
    /// The list begins with expired bets unless its cursor is [`Cursor::expiring_after`].
    EndingSoon,
    /// The largest pot comes first. Among equal pots, the newest bet comes first. The pot is both stakes together,
    /// also before anybody has taken the open side.
    PotDesc,
}

/// The filter of a list of bets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListFilter {
    /// Every word must occur in the title or the description. The last word also matches the beginning of a
    /// longer word. Words have only lower-case letters and digits.
    pub words: Vec<String>,
    /// Only bets of this category. `None` means all categories.
    pub category: Option<Category>,
    /// Only bets with these statuses. `None` means all statuses.
    pub status: Option<ListStatus>,
    /// Only bets with stakes in this currency. `None` means all currencies.
    pub currency: Option<Currency>,
    /// The order of the list.
    pub sort: Sort,
}

/// The position of the last row of a page. The next page starts after this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The sort key of the last row, or 0 if the list is in the order of creation. Callers pass this value back
    /// unchanged.
    pub key: i64,
    /// The position of the last row in the order of creation.
    pub seq: i64,
}

impl Cursor {
    /// The position before the first bet that expires after `now`, in the order [`Sort::EndingSoon`].
    pub const fn expiring_after(now: Timestamp) -> Self {
        Self { key: now.micros(), seq: i64::MAX }
    }
}

/// A request for one page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// The maximum number of rows.
    pub limit: u32,
    /// The page starts after this row. `None` means the first page.
    pub after: Option<Cursor>,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of the page.
    pub items: Vec<T>,
    /// The cursor for the next page. `None` on the last page.
    pub next: Option<Cursor>,
}

/// Completes when the changes that were visible are on the disk.
pub type OnDisk = oneshot::Receiver<()>;

/// The read side of the database. Each call must see everything that was committed before the call began. No
/// call returns deleted bets.
pub trait Queries:
    WalletQueries
    + MessageQueries
    + SitemapQueries
    + DeliveryQueries
    + FactorQueries
    + KeyQueries
    + DepartureQueries
    + ExportQueries
    + Send
    + Sync
{
    /// Checks that the database answers.
    fn ready(&self) -> Result<()>;

    /// Completes when everything that queries have seen so far is on the disk. `None` if all of it is there already. An answer to a user
    /// must wait for this, because what a user has read must not disappear in a power failure.
    fn on_disk(&self) -> Option<OnDisk> {
        None
    }

    /// The sessions with these hashes and their users, in the order of the hashes. `None` if the session was not used
    /// since `idle_after` or was created before `born_after`.
    fn sessions(
        &self,
        hashes: &[String],
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<Option<SessionView>>>;

    /// The user with this id. `None` if the user is deleted.
    fn user(&self, id: UserId) -> Result<Option<UserView>>;

    /// At most `limit` users whose usernames begin with this text, in the alphabetical order of the usernames. The case
    /// of letters does not matter. The text has only letters, digits and underscores.
    fn users_named(&self, beginning: &str, limit: u32) -> Result<Vec<NamedUser>>;

    /// Whether at least one user exists.
    fn has_users(&self) -> Result<bool>;

    /// All admins, in the order of their registration.
    fn admins(&self) -> Result<Vec<UserView>>;

    /// The bet with this key. `None` if the bet is unknown or deleted.
    fn bet(&self, key: &BetKey) -> Result<Option<BetView>>;

    /// A page of the public bets.
    fn public_bets(&self, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>>;

    /// A page of the bets that a user created or accepted, newest first.
    fn bets_of(&self, user: UserId, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>>;

    /// A page of the bets of which this user is the arbiter, newest first. Bets whose invitation the user declined are
    /// not included, and neither are bets for which the user gave the task up.
    fn bets_arbitrated_by(
        &self,
        user: UserId,
        status: Option<ListStatus>,
        page: PageRequest,
    ) -> Result<Page<BetView>>;

    /// The bets that may wait for this user, the bet with the soonest next step of the clock first: the first `limit` tasks, and
    /// the first `invitations` open invitations to be an arbiter. Anybody can invite a user, so invitations must not displace
    /// tasks.
    ///
    /// Tasks are the party's bets that await their resolution, the accepted bets whose expiry the clock has told
    /// (`Marks::due_told`), and the disputes on which the user rules as the arbiter. A party has no task on a disputed bet, and
    /// none on a bet with a standing proposal of this party. Invitations are the undisputed bets to whose arbiter the user was
    /// named.
    fn unsettled_of(&self, user: UserId, limit: u32, invitations: u32) -> Result<Vec<BetView>>;

    /// A page of the disputes that wait for a ruling of an admin, and not of an arbiter. The oldest dispute comes first.
    fn disputes(&self, page: PageRequest) -> Result<Page<BetView>>;

    /// The market figures at the top of the marketplace page.
    fn market_stats(&self) -> Result<MarketStats>;

    /// The statistics of a user.
    fn stats(&self, user: UserId) -> Result<Stats>;

    /// The latest [`LATEST_EVENTS`] events of a bet, oldest first. The call must return no more.
    fn events(&self, bet: BetId) -> Result<Vec<Event>>;

    /// The notifications of a user, newest first.
    fn notifications(&self, user: UserId) -> Result<Vec<NotificationView>>;

    /// At most `limit` bets with a deadline that has passed at `now`. The bet that has waited longest comes first.
    fn overdue(&self, now: Timestamp, limit: u32) -> Result<Vec<BetId>>;

    /// The data for the user's progress in achievements.
    fn achievements(&self, user: UserId) -> Result<AchievementsView>;

    /// A page of all bets, newest first. Private bets are included, deleted bets are not. Only admins may see this
    /// list.
    fn all_bets(&self, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>>;

    /// A page of the recorded actions of admins, newest first.
    fn admin_actions(&self, page: PageRequest) -> Result<Page<AdminActionView>>;

    /// Whether the outbox has rows. The query is cheap enough for many calls per second.
    fn is_owed(&self) -> Result<bool>;
}
