//! Deposits, withdrawals and what a wallet shows.

use bolts_kernel::{BetId, DepositId, Money, Timestamp, UserId, WithdrawalId};
use bolts_ledger::TransferKind;
use bolts_wallet::{Deposit, Outflow, PaymentHash, Reserves, Withdrawal, WithdrawalStatus};

use crate::error::Result;
use crate::queries::{Page, PageRequest};

/// The unpaid invoices of a user that can still be paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenInvoices {
    /// How many.
    pub count: u32,
    /// When the first of them expires.
    pub next_expiry: Option<Timestamp>,
}

/// Deposits.
pub trait Deposits {
    /// Adds one. Must fail where its payment hash is known.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, deposit: &Deposit) -> Result<()>;

    /// The deposit, locked against every other writer until the transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn lock(&mut self, id: DepositId) -> Result<Option<Deposit>>;

    /// Records its state. Must fail where it is not there, and where it was paid before.
    ///
    /// # Errors
    /// The store's.
    fn update(&mut self, deposit: &Deposit) -> Result<()>;

    /// The user's unpaid invoices at `now`. Must hold the user against another such call until the transaction ends,
    /// so that what is counted stays true.
    ///
    /// # Errors
    /// The store's.
    fn open_invoices(&mut self, user: UserId, now: Timestamp) -> Result<OpenInvoices>;

    /// Whether somebody was given an invoice of that hash here.
    ///
    /// # Errors
    /// The store's.
    fn is_ours(&mut self, hash: PaymentHash) -> Result<bool>;
}

/// Withdrawals.
pub trait Withdrawals {
    /// Adds one. Answers `false`, and must change nothing, where its payment hash was withdrawn to before.
    ///
    /// # Errors
    /// The store's.
    fn insert(&mut self, withdrawal: &Withdrawal) -> Result<bool>;

    /// The withdrawal, locked against every other writer until the transaction ends.
    ///
    /// # Errors
    /// The store's.
    fn lock(&mut self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// Records its state. Must fail where it is not there, and where it ended before.
    ///
    /// # Errors
    /// The store's.
    fn update(&mut self, withdrawal: &Withdrawal) -> Result<()>;

    /// Whether any is being sent, or may have been.
    ///
    /// # Errors
    /// The store's.
    fn any_sending(&mut self) -> Result<bool>;

    /// How many calls to pay may be under way at `now`, made by any process.
    ///
    /// # Errors
    /// The store's.
    fn calls_under_way(&mut self, now: Timestamp) -> Result<u32>;

    /// How many of the user's have not ended.
    ///
    /// # Errors
    /// The store's.
    fn in_flight(&mut self, user: UserId) -> Result<u32>;

    /// What the user asked for since then and was not refunded, in sats.
    ///
    /// # Errors
    /// The store's.
    fn withdrawn(&mut self, user: UserId, since: Timestamp) -> Result<i64>;

    /// The same less what was credited for paid invoices since then: the user's, and everybody's.
    ///
    /// # Errors
    /// The store's.
    fn outflow(&mut self, user: UserId, since: Timestamp) -> Result<Outflow>;
}

/// A withdrawal with its user, for admins and the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalView {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// The user's email.
    pub email: String,
}

/// A bet that a movement belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFor {
    /// The bet.
    pub id: BetId,
    /// Its title.
    pub title: String,
    /// Whether it still has a page.
    pub has_page: bool,
}

/// One transfer, as the user sees it on whose account it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Its place in the order of transfers.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub kind: TransferKind,
    /// How much, always more than nothing.
    pub money: Money,
    /// Whether it came in.
    pub is_incoming: bool,
    /// The bet it belongs to.
    pub bet: Option<MovedFor>,
    /// The deposit it belongs to.
    pub deposit: Option<DepositId>,
    /// The withdrawal it belongs to.
    pub withdrawal: Option<WithdrawalId>,
}

/// The read side of wallets.
pub trait WalletQueries {
    /// The deposit of that id.
    ///
    /// # Errors
    /// The database cannot be read.
    fn deposit(&self, id: DepositId) -> Result<Option<Deposit>>;

    /// The deposit whose invoice has that hash.
    ///
    /// # Errors
    /// The database cannot be read.
    fn deposit_of(&self, hash: PaymentHash) -> Result<Option<Deposit>>;

    /// The deposits that were made since then and were paid, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn paid_deposits(&self, since: Timestamp) -> Result<Vec<Deposit>>;

    /// The open deposits whose provider is to be asked at `now`, longest waiting first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn due_deposits(&self, now: Timestamp, limit: u32) -> Result<Vec<DepositId>>;

    /// How many deposits are open whose invoice expired before `then`.
    ///
    /// # Errors
    /// The database cannot be read.
    fn open_deposits_expired_before(&self, then: Timestamp) -> Result<u64>;

    /// The withdrawal of that id.
    ///
    /// # Errors
    /// The database cannot be read.
    fn withdrawal(&self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// The withdrawal that pays that hash.
    ///
    /// # Errors
    /// The database cannot be read.
    fn withdrawal_of(&self, hash: PaymentHash) -> Result<Option<Withdrawal>>;

    /// A user's withdrawals, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn withdrawals_of(&self, user: UserId, page: PageRequest) -> Result<Page<Withdrawal>>;

    /// Everybody's withdrawals, of one status or of all, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn withdrawals(
        &self,
        status: Option<WithdrawalStatus>,
        page: PageRequest,
    ) -> Result<Page<WithdrawalView>>;

    /// The withdrawals that need something at `now`: first what is being sent, as a pause holds up all others, and then
    /// longest waiting first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn due_withdrawals(&self, now: Timestamp, limit: u32) -> Result<Vec<WithdrawalId>>;

    /// Every transfer from or to the user's available accounts, latest first.
    ///
    /// # Errors
    /// The database cannot be read.
    fn history(&self, user: UserId, page: PageRequest) -> Result<Page<Movement>>;

    /// What the users' sats amount to, all of one moment.
    ///
    /// # Errors
    /// The database cannot be read.
    fn reserves(&self) -> Result<Reserves>;

    /// A named value of the installation.
    ///
    /// # Errors
    /// The database cannot be read.
    fn setting(&self, name: &str) -> Result<Option<String>>;
}
