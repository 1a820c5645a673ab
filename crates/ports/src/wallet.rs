//! The repositories and queries of deposits, withdrawals and wallets.

use bolts_kernel::{BetId, DepositId, Money, Timestamp, UserId, WithdrawalId};
use bolts_ledger::TransferKind;
use bolts_wallet::{Deposit, Outflow, PaymentHash, Reserves, Withdrawal, WithdrawalStatus};

use crate::error::Result;
use crate::queries::{Page, PageRequest};

/// The invoices of a user that can still be paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenInvoices {
    /// The number of invoices.
    pub count: u32,
    /// The earliest expiry.
    pub next_expiry: Option<Timestamp>,
}

/// Deposits.
pub trait Deposits {
    /// Adds a deposit. Must fail if its payment hash exists.
    fn insert(&mut self, deposit: &Deposit) -> Result<()>;

    /// The deposit, locked against every other writer until the transaction ends.
    fn lock(&mut self, id: DepositId) -> Result<Option<Deposit>>;

    /// Records the state of a deposit. Must fail if the deposit does not exist or was paid before.
    fn update(&mut self, deposit: &Deposit) -> Result<()>;

    /// The user's unpaid invoices at `now`. Must block another such call for this user until the transaction
    /// ends, so that the count stays correct.
    fn open_invoices(&mut self, user: UserId, now: Timestamp) -> Result<OpenInvoices>;

    /// Whether this site created an invoice with this hash.
    fn is_ours(&mut self, hash: PaymentHash) -> Result<bool>;
}

/// Withdrawals.
pub trait Withdrawals {
    /// Adds a withdrawal. If its payment hash was used for a withdrawal before, must change nothing and
    /// answers `false`.
    fn insert(&mut self, withdrawal: &Withdrawal) -> Result<bool>;

    /// The withdrawal, locked against every other writer until the transaction ends.
    fn lock(&mut self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// Records the state of a withdrawal. Must fail if the withdrawal does not exist or has ended.
    fn update(&mut self, withdrawal: &Withdrawal) -> Result<()>;

    /// Whether any withdrawal is `sending`.
    fn any_sending(&mut self) -> Result<bool>;

    /// The number of calls to pay that may be under way at `now`, from any process.
    fn calls_under_way(&mut self, now: Timestamp) -> Result<u32>;

    /// The number of the user's withdrawals that have not ended.
    fn in_flight(&mut self, user: UserId) -> Result<u32>;

    /// The sum of the user's withdrawals since then that were not refunded, in sats.
    fn withdrawn(&mut self, user: UserId, since: Timestamp) -> Result<i64>;

    /// The net outflow since then: withdrawals that were not refunded minus paid invoices, of this user and
    /// of all users.
    fn outflow(&mut self, user: UserId, since: Timestamp) -> Result<Outflow>;
}

/// A withdrawal with its user, for admins and the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalView {
    /// The withdrawal.
    pub withdrawal: Withdrawal,
    /// The user's e-mail address.
    pub email: String,
}

/// The bet that a movement belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFor {
    /// The bet.
    pub id: BetId,
    /// The title of the bet.
    pub title: String,
    /// Whether the bet still has a page.
    pub has_page: bool,
}

/// A transfer from the view of the user whose account it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The position in the order of transfers.
    pub seq: i64,
    /// The time of the transfer.
    pub at: Timestamp,
    /// The kind of the transfer.
    pub kind: TransferKind,
    /// The amount, always above 0.
    pub money: Money,
    /// Whether the transfer increased the user's balance.
    pub is_incoming: bool,
    /// The bet concerned.
    pub bet: Option<MovedFor>,
    /// The deposit concerned.
    pub deposit: Option<DepositId>,
    /// The withdrawal concerned.
    pub withdrawal: Option<WithdrawalId>,
}

/// The read side of wallets.
pub trait WalletQueries {
    /// The deposit with this id.
    fn deposit(&self, id: DepositId) -> Result<Option<Deposit>>;

    /// The deposit whose invoice has that hash.
    fn deposit_of(&self, hash: PaymentHash) -> Result<Option<Deposit>>;

    /// The deposits that were made since then and were paid, latest first.
    fn paid_deposits(&self, since: Timestamp) -> Result<Vec<Deposit>>;

    /// The open deposits about which the provider should be asked at `now`. The longest waiting one comes
    /// first.
    fn due_deposits(&self, now: Timestamp, limit: u32) -> Result<Vec<DepositId>>;

    /// The open deposits whose invoice expires after `then`, in any order.
    fn open_deposits_expiring_after(&self, then: Timestamp) -> Result<Vec<Deposit>>;

    /// The number of open deposits whose invoice expired before `then`.
    fn open_deposits_expired_before(&self, then: Timestamp) -> Result<u64>;

    /// The withdrawal with this id.
    fn withdrawal(&self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// The withdrawal that pays that hash.
    fn withdrawal_of(&self, hash: PaymentHash) -> Result<Option<Withdrawal>>;

    /// The withdrawals that were refunded at `since` or later although the provider may have been told to pay them. The
    /// latest refund comes first.
    fn refunded_after_attempts(&self, since: Timestamp, limit: u32) -> Result<Vec<Withdrawal>>;

    /// A user's withdrawals, newest first.
    fn withdrawals_of(&self, user: UserId, page: PageRequest) -> Result<Page<Withdrawal>>;

    /// The withdrawals of all users, newest first, with one status or all.
    fn withdrawals(
        &self,
        status: Option<WithdrawalStatus>,
        page: PageRequest,
    ) -> Result<Page<WithdrawalView>>;

    /// The withdrawals that need a step at `now`. Those in `sending` come first, because a pause stops all
    /// others. Within both groups the longest waiting one comes first.
    fn due_withdrawals(&self, now: Timestamp, limit: u32) -> Result<Vec<WithdrawalId>>;

    /// The transfers from and to the user's available accounts, newest first.
    fn history(&self, user: UserId, page: PageRequest) -> Result<Page<Movement>>;

    /// The users' sats at one moment.
    fn reserves(&self) -> Result<Reserves>;

    /// A named value of the installation.
    fn setting(&self, name: &str) -> Result<Option<String>>;
}
