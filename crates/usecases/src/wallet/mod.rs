//! Sats over Lightning: in by deposits, out by withdrawals. What the provider is asked for is asked outside every job;
//! a job before it records the intent, a job after it what came of it.

mod deposits;
mod destination;
mod end;
mod pause;
mod provider;
mod sending;
mod solvency;
mod withdraw;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bolts_kernel::{DepositId, Timestamp, UserId};
use bolts_ports::{Lightning, LightningAddresses, SatsKind};

use crate::App;

pub use deposits::DepositError;
pub use destination::{Destination, DestinationError, Quote};
pub use pause::{Pause, SettleError};
pub use provider::Claim;
pub use solvency::Solvency;
pub use withdraw::{Withdraw, WithdrawError};

/// The same deposit's provider is asked no more often than this, whoever wants to know.
const ASKED_EVERY: Duration = Duration::from_secs(1);

/// What the operator decided about wallets.
#[derive(Clone, Debug)]
pub struct WalletRules {
    /// What a user can withdraw in 24 hours, in sats; 0 for no limit.
    pub user_cap: i64,
    /// What all users together can withdraw in 24 hours, in sats; 0 for no limit.
    pub total_cap: i64,
    /// How long the provider gets to answer an attempt before it is asked what became of it. Longer than any call to it
    /// takes: a provider that knows nothing of the payment then may be told again, and were the first call still on its
    /// way, a failure of the second would refund what the first may pay.
    pub patience: Duration,
    /// Under which address the provider reaches this site to say that an invoice was paid; `None` for no such word.
    pub webhooks: Option<String>,
}

impl Default for WalletRules {
    fn default() -> Self {
        Self { user_cap: 1_000_000, total_cap: 10_000_000, patience: Duration::from_secs(60), webhooks: None }
    }
}

/// The use cases that need a Lightning provider.
#[derive(Clone)]
pub struct Wallets {
    app: App,
    lightning: Arc<dyn Lightning>,
    addresses: Arc<dyn LightningAddresses>,
    rules: WalletRules,
    /// When the provider was last asked about a deposit by this process.
    asked: Arc<Mutex<HashMap<DepositId, Timestamp>>>,
    /// Whose invoices are being made by this process.
    turns: Arc<Mutex<HashMap<UserId, Arc<Turn>>>>,
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
        Self { app, lightning, addresses, rules, asked: Arc::default(), turns: Arc::default() }
    }

    /// What the site's sats are.
    pub fn sats(&self) -> SatsKind {
        self.lightning.sats()
    }

    /// What the provider is and where, for people.
    pub fn describe(&self) -> String {
        self.lightning.describe()
    }

    /// The product beside the wallets.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Whether the provider may be asked about the deposit again already.
    fn may_ask(&self, deposit: DepositId, now: Timestamp) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back must not silence a deposit.
        asked.retain(|_, at| *at <= now && now.since(*at) < ASKED_EVERY);
        let is_first = !asked.contains_key(&deposit);
        if is_first {
            asked.insert(deposit, now);
        }
        is_first
    }
}
