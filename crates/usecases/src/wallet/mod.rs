//! Deposits and withdrawals over Lightning. Calls to the provider happen outside all jobs: one job records
//! the intention before the call, and another job records the result after it.

mod by_status;
mod copied;
mod deposits;
mod destination;
mod drain;
mod ending;
mod gate;
mod late_deposits;
mod listing;
mod look;
mod look_ups;
mod operator_settlement;
mod pause;
mod provider_identity;
mod reconcile;
mod reconcile_deposits;
mod refund_reconciliation;
mod sending;
mod solvency;
mod still_pending;
mod stop;
mod test_invoice;
mod withdraw;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_kernel::{Amount, UserId, WithdrawalId};
use bolts_ports::{Lightning, LightningAddresses, SatsKind};
use bolts_wallet::Waits;

use crate::App;
use drain::Drain;
use gate::Gate;
use look_ups::LookUps;

pub use by_status::Sending;
pub use copied::CopyKind;
pub use deposits::DepositError;
pub use destination::{Destination, DestinationError, Quote};
pub use late_deposits::LateDepositError;
pub use listing::Listing;
pub use operator_settlement::{Settle, SettleError};
pub use pause::{Pause, Resumed};
pub use provider_identity::Claim;
pub use reconcile::{Booking, Comparison, ReconcileError, SentDifference};
pub use reconcile_deposits::ReceivedDifference;
pub use solvency::Solvency;
pub use still_pending::StillPending;
pub use stop::SendingStop;
pub use test_invoice::{TestInvoice, TestInvoiceError};
pub use withdraw::{Withdraw, WithdrawError};

/// The operator's options for wallets.
#[derive(Clone, Debug)]
pub struct WalletRules {
    /// The limit of withdrawals per user in 24 hours, in sats. 0 means no limit.
    pub user_cap: i64,
    /// The limit of the net outflow of all users in 24 hours, in sats, see [`bolts_wallet::Outflow`]. 0 means
    /// no limit.
    pub total_cap: i64,
    /// The times to wait for the provider. `patience` must be twice `call`, so that even a call that begins late
    /// has ended when `patience` is over. From then on, a provider that does not know the payment may be told to
    /// pay again. If the first call were still under way, a failure of the second call would refund sats that the
    /// first call may still pay.
    pub waits: Waits,
    /// The operator's own sats at the provider. The solvency check does not count them towards the users' sats.
    pub float: Amount,
    /// The base URL at which the provider can reach this site for webhooks. `None` means no webhooks.
    pub webhooks: Option<String>,
}

impl Default for WalletRules {
    fn default() -> Self {
        let waits = Waits { patience: Duration::from_secs(90), call: Duration::from_secs(45) };
        let float = Amount::default();
        Self { user_cap: 1_000_000, total_cap: 10_000_000, waits, float, webhooks: None }
    }
}

/// The use cases that need a Lightning provider.
#[derive(Clone)]
pub struct Wallets {
    app: App,
    lightning: Arc<dyn Lightning>,
    addresses: Arc<dyn LightningAddresses>,
    rules: WalletRules,
    look_ups: Arc<LookUps>,
    /// The locks of users for whom this process is creating an invoice.
    invoice_locks: Arc<Mutex<HashMap<UserId, Arc<InvoiceLock>>>>,
    /// The refunded withdrawals that the provider no longer lists as in flight. The provider is not asked about
    /// them any more.
    released: Arc<Mutex<BTreeSet<WithdrawalId>>>,
    drain: Arc<Drain>,
    /// Whether a withdrawal waits until another payment, which is under way in any process, is answered.
    waits_for_room: Arc<AtomicBool>,
    gate: Arc<Gate>,
}

/// The lock of one user. It is held while an invoice for this user is being created.
type InvoiceLock = futures_util::lock::Mutex<()>;

impl Wallets {
    /// Connects the wallets with their ports.
    pub fn new(
        app: App,
        lightning: Arc<dyn Lightning>,
        addresses: Arc<dyn LightningAddresses>,
        rules: WalletRules,
    ) -> Self {
        Self {
            app,
            lightning,
            addresses,
            rules,
            look_ups: Arc::default(),
            invoice_locks: Arc::default(),
            released: Arc::default(),
            drain: Arc::default(),
            waits_for_room: Arc::default(),
            gate: Arc::default(),
        }
    }

    /// The kind of the site's sats: test sats or real sats.
    pub fn sats(&self) -> SatsKind {
        self.lightning.sats()
    }

    /// The kind and address of the provider in words.
    pub fn describe(&self) -> String {
        self.lightning.describe()
    }

    /// Prevents further steps of withdrawals from now on. A server that shuts down can then wait for the answers to
    /// all its payments.
    pub fn shut_down(&self) {
        self.drain.stop();
    }

    /// Whether no step of a withdrawal is running in this process.
    pub fn is_at_rest(&self) -> bool {
        self.drain.is_nothing()
    }

    /// Whether a check of this process has shown that provider and ledger agree. Before such a check, this process
    /// sends nothing.
    pub fn has_seen_agreement(&self) -> bool {
        self.gate.is_open()
    }

    /// The interval between calls of [`Wallets::look_at_refund`].
    pub fn refunds_looked_at_every(&self) -> Duration {
        self.rules.waits.patience * 8
    }

    /// The use cases without Lightning.
    pub fn app(&self) -> &App {
        &self.app
    }
}
