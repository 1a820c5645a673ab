//! Sats over Lightning: in by deposits, out by withdrawals. What the provider is asked for is asked outside every job;
//! a job before it records the intent, a job after it what came of it.

mod copied;
mod deposits;
mod destination;
mod end;
mod gate;
mod look;
mod lost;
mod pause;
mod provider;
mod reconcile;
mod reconcile_deposits;
mod sending;
mod settling;
mod solvency;
mod stop;
mod test_invoice;
mod underway;
mod withdraw;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId};
use bolts_ports::{Lightning, LightningAddresses, SatsKind};
use bolts_wallet::{Deposit, Waits};

use crate::App;
use gate::Gate;
use underway::Underway;

pub use copied::CopyKind;
pub use deposits::DepositError;
pub use destination::{Destination, DestinationError, Quote};
pub use pause::{Pause, Resumed, Sending};
pub use provider::Claim;
pub use reconcile::{Booking, Comparison, ReconcileError, SentDifference};
pub use reconcile_deposits::ReceivedDifference;
pub use settling::{Settle, SettleError};
pub use solvency::Solvency;
pub use stop::SendingStop;
pub use test_invoice::{TestInvoice, TestInvoiceError};
pub use withdraw::{Withdraw, WithdrawError};

/// The provider is asked about the same deposit no more often than this, whoever wants to know.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// The same, once its invoice has expired: of such ones a user can have any number.
const EXPIRED_ASKED_EVERY: Duration = Duration::from_secs(60);

/// What the operator decided about wallets.
#[derive(Clone, Debug)]
pub struct WalletRules {
    /// What a user can withdraw in 24 hours, in sats; 0 for no limit.
    pub user_cap: i64,
    /// What all users together can withdraw in 24 hours beyond what they deposit, in sats, see
    /// [`bolts_wallet::Outflow`]; 0 for no limit.
    pub total_cap: i64,
    /// How long the provider is waited for. The patience is twice as long as the call to pay can take, as the call may
    /// begin late by half of it: a provider that knows nothing of the payment then may be told again, and were the first
    /// call still on its way, a failure of the second would refund what the first may pay.
    pub waits: Waits,
    /// The operator's own sats at the provider. They cover no user's sats.
    pub float: Amount,
    /// Under which address the provider reaches this site to say that an invoice was paid; `None` for no such word.
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
    /// When the provider was last asked about a deposit by this process, and how long it is left alone then.
    asked: Arc<Mutex<HashMap<DepositId, (Timestamp, Duration)>>>,
    /// Whose invoices are being made by this process.
    turns: Arc<Mutex<HashMap<UserId, Arc<Turn>>>>,
    underway: Arc<Underway>,
    /// Whether a withdrawal waits until one that is under way in any process has been answered.
    waits_for_room: Arc<AtomicBool>,
    gate: Arc<Gate>,
}

/// Held while one invoice of a user is made.
type Turn = futures_util::lock::Mutex<()>;

impl Wallets {
    /// Wires the wallets.
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
            asked: Arc::default(),
            turns: Arc::default(),
            underway: Arc::default(),
            waits_for_room: Arc::default(),
            gate: Arc::default(),
        }
    }

    /// What the site's sats are.
    pub fn sats(&self) -> SatsKind {
        self.lightning.sats()
    }

    /// What the provider is and where, for people.
    pub fn describe(&self) -> String {
        self.lightning.describe()
    }

    /// No withdrawal is moved on from now on, so that a server that stops leaves no payment whose answer it does not
    /// wait for.
    pub fn stop(&self) {
        self.underway.stop();
    }

    /// Whether no withdrawal is being moved on by this process.
    pub fn is_at_rest(&self) -> bool {
        self.underway.is_nothing()
    }

    /// Whether this process has seen since its start that the provider and the ledger agree: it sends nothing before.
    pub fn has_seen_agreement(&self) -> bool {
        self.gate.is_open()
    }

    /// How often [`Wallets::look_at_refund`] makes sense.
    pub fn refunds_looked_at_every(&self) -> Duration {
        self.rules.waits.patience * 8
    }

    /// The product beside the wallets.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Whether the provider may be asked about the deposit again already.
    fn may_ask(&self, deposit: &Deposit, now: Timestamp) -> bool {
        let every = if now < deposit.expires_at { ASKED_EVERY } else { EXPIRED_ASKED_EVERY };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back must not silence a deposit.
        asked.retain(|_, (at, every)| *at <= now && now.since(*at) < *every);
        let is_first = !asked.contains_key(&deposit.id);
        if is_first {
            asked.insert(deposit.id, (now, every));
        }
        is_first
    }
}
