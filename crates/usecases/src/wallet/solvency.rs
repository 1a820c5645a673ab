use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{StoreError, submit};
use bolts_wallet::{Finding, Millisats, Watch};
use serde::{Deserialize, Serialize};

use super::{Wallets, pause, provider};
use crate::App;

/// The setting that holds the latest sample.
const SOLVENCY: &str = "solvency";

/// Whether the users' sats were there, at some moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solvency {
    /// When.
    pub at: Timestamp,
    /// The users' sats: available, in escrow, held; without those on their way out.
    pub liabilities: Amount,
    /// Held for payments on their way out, in sats.
    pub in_flight: Amount,
    /// What the provider holds beside what is on its way out, in millisats; `None` where it did not say.
    pub holdings_msat: Option<i64>,
    /// Whether that covers the liabilities.
    pub is_covered: Option<bool>,
}

impl App {
    /// The latest sample, by whichever process took it.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn solvency(&self) -> Result<Option<Solvency>, StoreError> {
        let Some(json) = self.queries.setting(SOLVENCY)? else { return Ok(None) };
        let broken = |error| StoreError::Broken(format!("the setting {SOLVENCY}: {error}"));
        serde_json::from_str(&json).map(Some).map_err(broken)
    }
}

impl Wallets {
    /// Takes a sample of the provider's balance against the users' sats. Several bad ones in a row pause withdrawals.
    ///
    /// # Errors
    /// The store's.
    pub async fn check_solvency(&self, watch: &mut Watch) -> Result<(Finding, Solvency), StoreError> {
        // What comes or goes while the provider answers is counted in one of two samples; what is missing, in both.
        let before = self.app.queries.reserves()?;
        let holdings = match self.lightning.balance().await {
            Ok(holdings) => Some(holdings),
            Err(error) => {
                tracing::warn!(%error, "the provider's balance is not known");
                None
            }
        };
        let reserves = self.app.queries.reserves()?;
        let is_covered =
            holdings.map(|holdings| before.are_covered_by(holdings) || reserves.are_covered_by(holdings));
        let finding = watch.observe(is_covered);
        let sample = Solvency {
            at: self.app.now(),
            liabilities: reserves.liabilities(),
            in_flight: reserves.in_flight,
            holdings_msat: holdings.map(Millisats::get),
            is_covered,
        };
        self.keep(&sample, finding).await?;
        Ok((finding, sample))
    }

    async fn keep(&self, sample: &Solvency, finding: Finding) -> Result<(), StoreError> {
        let json = serde_json::to_string(sample).map_err(|error| StoreError::Broken(error.to_string()))?;
        let (now, missing, books) = (sample.at, shortfall(sample), self.lightning.books());
        // A look that met silence says nothing new, however the ones before it went.
        let is_breach = finding == Finding::Breach && sample.is_covered == Some(false);
        let paused = submit(&*self.app.store, move |tx| {
            // Another provider holds the sats by now.
            if !provider::is_current(tx, &books)? {
                return Ok(false);
            }
            tx.settings().put(SOLVENCY, &json)?;
            if !is_breach {
                return Ok(false);
            }
            let reason = format!("the provider holds {missing} sats less than the users have");
            pause::begin(tx, &reason, now)
        })
        .await?;
        if paused {
            tracing::error!(missing, "users' sats are not covered; withdrawals are paused");
        }
        Ok(())
    }
}

/// How many sats are missing, a begun one counted.
fn shortfall(sample: &Solvency) -> i64 {
    let holdings = Millisats::new(sample.holdings_msat.unwrap_or_default()).unwrap_or_default();
    (sample.liabilities.get() - holdings.floor_sats().get()).max(0)
}
