use bolts_bets::{Category, Event, ShareToken, Status};
use bolts_kernel::{BetId, Timestamp, UserId};

use crate::error::Result;
use crate::views::{
    AchievementsView, AdminActionView, BetView, NotificationView, SessionView, Stats, Tiles, UserView,
};
use crate::wallet::WalletQueries;

/// How a bet is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BetKey {
    /// By its id.
    Id(BetId),
    /// By the secret of its link.
    Token(ShareToken),
}

/// Which bets a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListStatus {
    /// Pending or accepted.
    Active,
    /// One status.
    Only(Status),
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Latest first.
    #[default]
    Newest,
    /// Earliest first.
    Oldest,
    /// Largest stake first, latest first among equals.
    StakeDesc,
    /// Smallest stake first, latest first among equals.
    StakeAsc,
}

/// What a list of bets is narrowed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListFilter {
    /// Words that all have to be in title or description, the last one also as a beginning; lower case, letters
    /// and digits only.
    pub words: Vec<String>,
    /// One category.
    pub category: Option<Category>,
    /// Some statuses; every one where `None`.
    pub status: Option<ListStatus>,
    /// The order.
    pub sort: Sort,
}

/// Where a page ended: the next one begins behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The last row's sort key where the list has one beside the order of creation, else 0. Callers keep it as it is.
    pub key: i64,
    /// The last row's place in the order of creation.
    pub seq: i64,
}

/// One page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// At most so many rows.
    pub limit: u32,
    /// Behind this one; from the start where `None`.
    pub after: Option<Cursor>,
}

/// The rows of a page, and where the next one begins, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Behind the last row; `None` on the last page.
    pub next: Option<Cursor>,
}

/// The read side of the database. Every call must see everything that was committed before it began, and must leave
/// deleted bets out.
pub trait Queries: WalletQueries + Send + Sync {
    /// Whether the database answers.
    ///
    /// # Errors
    /// It does not.
    fn ready(&self) -> Result<()>;

    /// The session of that hash and its user, if it has been used since `idle_after`, was begun since `born_after`,
    /// and its user is not disabled.
    ///
    /// # Errors
    /// The database cannot be read.
    fn session(
        &self,
        hash: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Option<SessionView>>;

    /// The user of that id.
    ///
    /// # Errors
    /// The database cannot be read.
    fn user(&self, id: UserId) -> Result<Option<UserView>>;

    /// Whether anybody has registered.
    ///
    /// # Errors
    /// The database cannot be read.
    fn has_users(&self) -> Result<bool>;

    /// Every admin, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn admins(&self) -> Result<Vec<UserView>>;

    /// A bet that is not deleted.
    ///
    /// # Errors
    /// The database cannot be read.
    fn bet(&self, key: &BetKey) -> Result<Option<BetView>>;

    /// Public bets.
    ///
    /// # Errors
    /// The database cannot be read.
    fn public_bets(&self, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>>;

    /// The bets that a user made or accepted, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn bets_of(&self, user: UserId, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>>;

    /// The disputes that wait for a ruling, longest waiting first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn disputes(&self, page: PageRequest) -> Result<Page<BetView>>;

    /// The marketplace's tiles.
    ///
    /// # Errors
    /// The database cannot be read.
    fn tiles(&self) -> Result<Tiles>;

    /// A user's figures.
    ///
    /// # Errors
    /// The database cannot be read.
    fn stats(&self, user: UserId) -> Result<Stats>;

    /// A bet's history, oldest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn events(&self, bet: BetId) -> Result<Vec<Event>>;

    /// A user's notifications, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn notifications(&self, user: UserId) -> Result<Vec<NotificationView>>;

    /// The bets for which the clock has something to do at `now`, longest overdue first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn overdue(&self, now: Timestamp, limit: u32) -> Result<Vec<BetId>>;

    /// What a user's progress is shown from.
    ///
    /// # Errors
    /// The database cannot be read.
    fn achievements(&self, user: UserId) -> Result<AchievementsView>;

    /// Every bet that is not deleted, latest first, private ones too: for admins.
    ///
    /// # Errors
    /// The database cannot be read.
    fn all_bets(&self, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>>;

    /// What admins did, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn admin_actions(&self, page: PageRequest) -> Result<Page<AdminActionView>>;

    /// Whether anything is owed; cheap enough to be asked many times a second.
    ///
    /// # Errors
    /// The database cannot be read.
    fn is_owed(&self) -> Result<bool>;
}
