//! The repositories and queries of deposits, withdrawals and wallets.

use bolts_kernel::{BetId, DepositId, Money, Timestamp, UserId, WithdrawalId};
use bolts_ledger::TransferKind;
use bolts_wallet::{Deposit, Outflow, PaymentHash, Reserves, Withdrawal, WithdrawalStatus};

use crate::error::Result;
use crate::queries::{Page, PageRequest};

/// The invoices of a user that can still be paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenInvoices {
    /// The number of these invoices.
    pub count: u32,
    /// The earliest expiry of these invoices.
    pub next_expiry: Option<Timestamp>,
}

/// Deposits.
pub trait Deposits {
    /// Adds a deposit. The call must fail if there is already a deposit with this payment hash.
    fn insert(&mut self, deposit: &Deposit) -> Result<()>;

    /// The deposit, locked against every other writer until the transaction ends.
    fn lock(&mut self, id: DepositId) -> Result<Option<Deposit>>;

    /// Records the state of a deposit. The call must fail if the deposit does not exist or was paid before.
    fn update(&mut self, deposit: &Deposit) -> Result<()>;

    /// The user's invoices that are unpaid and not expired at `now`. The call must block other calls for the same user
    /// until the transaction ends, so that the count stays correct.
    fn open_invoices(&mut self, user: UserId, now: Timestamp) -> Result<OpenInvoices>;

    /// Whether this site created an invoice with this hash.
    fn is_ours(&mut self, hash: PaymentHash) -> Result<bool>;
}

/// Withdrawals.
pub trait Withdrawals {
    /// Adds a withdrawal. If its payment hash was used for a withdrawal before, the call must change nothing and
    /// answer `false`.
    fn insert(&mut self, withdrawal: &Withdrawal) -> Result<bool>;

    /// The withdrawal, locked against every other writer until the transaction ends.
    fn lock(&mut self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// The number of attempts to pay this withdrawal. It is 0 if there is no such withdrawal. Locks nothing.
    fn attempts(&mut self, id: WithdrawalId) -> Result<u32>;

    /// Records the state of a withdrawal. The call must fail if the withdrawal does not exist or has ended.
    fn update(&mut self, withdrawal: &Withdrawal) -> Result<()>;

    /// Whether any withdrawal has the status `sending`.
    fn any_sending(&mut self) -> Result<bool>;

    /// The number of payment calls to the provider that may be under way at `now`, counted over all processes.
    fn calls_under_way(&mut self, now: Timestamp) -> Result<u32>;

    /// The number of the user's withdrawals that have not ended.
    fn in_flight(&mut self, user: UserId) -> Result<u32>;

    /// The sum of the user's withdrawals since `since`, in sats. Refunded withdrawals do not count.
    fn withdrawn(&mut self, user: UserId, since: Timestamp) -> Result<i64>;

    /// The net outflow since `since`, of this user and of all users: withdrawals minus credited deposits. Refunded
    /// withdrawals do not count. The total of all users adds only outflows above 0.
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

/// The bet that a transfer in a user's history belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFor {
    /// The id of the bet.
    pub id: BetId,
    /// The title of the bet.
    pub title: String,
    /// Whether the bet still has a page. A deleted bet has none.
    pub has_page: bool,
}

/// A transfer from or to a user's account, as the user's history shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The position in the order of transfers.
    pub seq: i64,
    /// The time of the transfer.
    pub at: Timestamp,
    /// The kind of the transfer.
    pub kind: TransferKind,
    /// The amount of the transfer, always above 0.
    pub money: Money,
    /// Whether the transfer increased the user's balance.
    pub is_incoming: bool,
    /// The bet that the transfer belongs to, if any.
    pub bet: Option<MovedFor>,
    /// The deposit that the transfer belongs to, if any.
    pub deposit: Option<DepositId>,
    /// The withdrawal that the transfer belongs to, if any.
    pub withdrawal: Option<WithdrawalId>,
}

/// The read side of wallets.
pub trait WalletQueries {
    /// The deposit with this id.
    fn deposit(&self, id: DepositId) -> Result<Option<Deposit>>;

    /// The deposit whose invoice has this payment hash.
    fn deposit_of(&self, hash: PaymentHash) -> Result<Option<Deposit>>;

    /// The paid deposits that were created at `since` or later, latest first.
    fn paid_deposits(&self, since: Timestamp) -> Result<Vec<Deposit>>;

    /// The open deposits for which the provider should be asked at `now`. The deposit that has waited longest comes
    /// first. A deposit is also due if a wrong clock has given the time of its next question ([`Timestamp::is_due`]).
    fn due_deposits(&self, now: Timestamp, limit: u32) -> Result<Vec<DepositId>>;

    /// The open deposits whose invoice expires after `then`, in any order.
    fn open_deposits_expiring_after(&self, then: Timestamp) -> Result<Vec<Deposit>>;

    /// The number of open deposits whose invoice expired before `then`.
    fn open_deposits_expired_before(&self, then: Timestamp) -> Result<u64>;

    /// The withdrawal with this id.
    fn withdrawal(&self, id: WithdrawalId) -> Result<Option<Withdrawal>>;

    /// The withdrawal that pays the invoice with this payment hash.
    fn withdrawal_of(&self, hash: PaymentHash) -> Result<Option<Withdrawal>>;

    /// The withdrawals that were refunded at `since` or later, although the provider may have been told to pay them.
    /// The latest refund comes first.
    fn refunded_after_attempts(&self, since: Timestamp, limit: u32) -> Result<Vec<Withdrawal>>;

    /// A user's withdrawals, newest first.
    fn withdrawals_of(&self, user: UserId, page: PageRequest) -> Result<Page<Withdrawal>>;

    /// The withdrawals of all users with this status, newest first. `None` means all statuses.
    fn withdrawals(
        &self,
        status: Option<WithdrawalStatus>,
        page: PageRequest,
    ) -> Result<Page<WithdrawalView>>;

    /// The withdrawals that need a step at `now`. Withdrawals with the status `sending` come first, then held withdrawals
    /// whose invoice has expired, then the other held ones. A pause stops the last group, and its withdrawals stay due,
    /// so they must not keep a limited call from the others. Within each group, users take turns: the withdrawal of a user
    /// with fewer older open withdrawals comes first, and then the withdrawal that has waited longest. A withdrawal is also
    /// due if a wrong clock has given the time of its next step ([`Timestamp::is_due`]).
    fn due_withdrawals(&self, now: Timestamp, limit: u32) -> Result<Vec<WithdrawalId>>;

    /// The transfers from and to the user's available accounts, newest first.
    fn history(&self, user: UserId, page: PageRequest) -> Result<Page<Movement>>;

    /// The sums of all users' sats, read at one moment.
    fn reserves(&self) -> Result<Reserves>;

    /// The value of the installation with this name.
    fn setting(&self, name: &str) -> Result<Option<String>>;
}
