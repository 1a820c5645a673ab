//! The solvency check: compares samples of the provider's balance with the users' sats.

use std::sync::Arc;

use bolts_kernel::{Amount, Timestamp, WithdrawalId};
use bolts_ports::{StoreError, Tx, submit};
use bolts_wallet::{Finding, Millisats, Watch};
use serde::{Deserialize, Serialize};

use super::gate::Gate;
use super::look::{self, Lists};
use super::still_pending::StillPending;
use super::{Wallets, pause, provider_identity};
use crate::App;

/// The setting with the latest sample.
const SOLVENCY: &str = "solvency";

/// A sample of the solvency check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solvency {
    /// The time of the sample.
    pub at: Timestamp,
    /// The users' sats (available, in escrow and held), without the sats held for payments under way.
    pub liabilities: Amount,
    /// The sats held for payments under way.
    pub in_flight: Amount,
    /// The provider's balance without payments under way, in millisats. `None` if the provider did not
    /// answer.
    pub holdings_msat: Option<i64>,
    /// The operator's own sats in `holdings_msat`.
    #[serde(default)]
    pub float: Amount,
    /// The withdrawals that were refunded here and are still pending at the provider. `holdings_msat` lacks
    /// the sats that the provider withholds for them.
    #[serde(default)]
    pub still_pending: Vec<StillPending>,
    /// The refunded withdrawals whose payments were in flight before. The provider has not said clearly how they ended. Each check
    /// looks them up until 30 days after the refund, because they may have been paid.
    #[serde(default)]
    pub unclear_refunds: Vec<WithdrawalId>,
    /// Whether the holdings without the float, together with the withheld sats, cover the liabilities. `None`
    /// if the provider did not answer.
    pub is_covered: Option<bool>,
    /// Whether sats were missing in the latest check that the provider answered. If so, nothing is sent.
    #[serde(default)]
    pub is_suspect: bool,
}

impl Solvency {
    /// The sats that the provider withholds for refunded withdrawals that are still pending there.
    pub fn withheld(&self) -> Millisats {
        let sum = self.still_pending.iter().fold(0_i64, |sum, row| sum.saturating_add(row.msat));
        Millisats::new(sum).unwrap_or_default()
    }
}

/// Whether sats were missing in the latest check of any process that the provider answered.
pub(super) fn is_suspect(tx: &mut dyn Tx) -> Result<bool, StoreError> {
    Ok(tx.settings().get(SOLVENCY)?.as_deref().map(read).transpose()?.is_some_and(|sample| sample.is_suspect))
}

fn read(json: &str) -> Result<Solvency, StoreError> {
    serde_json::from_str(json).map_err(|error| StoreError::Broken(format!("the setting {SOLVENCY}: {error}")))
}

impl App {
    /// The latest sample of any process.
    pub fn solvency(&self) -> Result<Option<Solvency>, StoreError> {
        self.queries.setting(SOLVENCY)?.as_deref().map(read).transpose()
    }
}

/// The result of a check of the provider.
struct Look {
    sample: Solvency,
    finding: Finding,
    identity: Option<String>,
    lists: Lists,
}

/// The outcome of storing the result of a check.
enum Outcome {
    /// The result was not stored: the database now belongs to another provider, another wallet or node answers at
    /// the provider's address, or the database went back.
    Dropped,
    /// The result was stored.
    Kept {
        /// Whether withdrawals were paused because of this result.
        is_paused: bool,
        /// The number of all attempts to pay so far.
        attempts: u64,
    },
}

impl Wallets {
    /// Checks the provider: its identity, its lists, and whether its balance covers the users' sats. Several
    /// samples in a row with missing sats pause withdrawals. A payment in the lists that the ledger does not
    /// know pauses withdrawals at once.
    pub async fn check_solvency(&self, watch: &mut Watch) -> Result<(Finding, Solvency), StoreError> {
        let generation = self.gate.generation();
        let identity = self.lightning.identity().await;
        let identity =
            identity.inspect_err(|error| tracing::warn!(%error, "the provider does not report its identity"));
        let lists = self.look_at_lists().await?;
        let sample = self.sample().await?;
        let finding = watch.observe(sample.is_covered);
        let look = Look { sample: sample.clone(), finding, identity: identity.ok(), lists };
        self.keep(look, generation).await?;
        Ok((finding, sample))
    }

    /// Compares the provider's balance with the users' sats.
    async fn sample(&self) -> Result<Solvency, StoreError> {
        // These withdrawals were refunded before the first sample of the liabilities, so both samples include their
        // sats.
        let refunds = self.refunds_to_ask_about()?;
        // One sample of the liabilities comes before and one after the provider's answer. A movement in
        // between shows in one of them. Missing sats show in both.
        let before = self.app.queries.reserves()?;
        let holdings = match self.lightning.balance().await {
            Ok(holdings) => Some(holdings),
            Err(error) => {
                tracing::warn!(%error, "the provider's balance is not known");
                None
            }
        };
        let reserves = self.app.queries.reserves()?;
        // The provider is asked about refunds after its balance. So every refunded payment that is in flight now was
        // already in flight when the provider read its balance.
        let pending = match holdings {
            Some(_) => self.ask_about(refunds).await?,
            None => refunds.unanswered(),
        };
        let float = self.rules.float;
        let is_covered = holdings.and_then(|holdings| {
            let for_users = without(holdings, float);
            let found = [before, reserves].map(|sample| sample.are_covered_by(for_users, pending.withheld));
            // The result is 'covered' if one sample is covered. Otherwise it is unclear if one sample is unclear.
            found.into_iter().max_by_key(|covered| match covered {
                Some(true) => 2,
                None => 1,
                Some(false) => 0,
            })?
        });
        Ok(Solvency {
            at: self.app.now(),
            liabilities: reserves.liabilities(),
            in_flight: reserves.in_flight,
            holdings_msat: holdings.map(Millisats::get),
            float,
            still_pending: pending.rows,
            unclear_refunds: pending.unclear,
            is_covered,
            is_suspect: is_covered == Some(false),
        })
    }

    /// Stores the result of a check that began in this generation of the gate.
    async fn keep(&self, look: Look, generation: u32) -> Result<(), StoreError> {
        let missing = shortfall(&look.sample);
        let agrees = look.sample.is_covered == Some(true)
            && look.identity.is_some()
            && matches!(look.lists, Lists::Known { .. });
        let strange = if let Lists::Strange(found) = &look.lists { Some(found.reason()) } else { None };
        let (provider, address) = (self.lightning.provider_name(), self.lightning.describe());
        let (look, gate) = (Arc::new(look), self.gate.clone());
        let outcome =
            submit(&*self.app.store, move |tx| keep(tx, &look, (&gate, generation), (&provider, &address)));
        let is_paused = match outcome.await? {
            Outcome::Dropped => {
                self.gate.close();
                return Ok(());
            }
            Outcome::Kept { is_paused, attempts } => {
                self.gate.know(attempts);
                is_paused
            }
        };
        match (is_paused, strange) {
            (true, Some(reason)) => tracing::error!(reason, "withdrawals are paused"),
            (true, None) => tracing::error!(missing, "users' sats are not covered; withdrawals are paused"),
            (false, _) => {}
        }
        if agrees {
            self.gate.open(generation);
        } else if !self.gate.is_open() {
            tracing::warn!("nothing is sent until the provider's balance and lists agree with the ledger");
        }
        Ok(())
    }
}

fn keep(
    tx: &mut dyn Tx,
    look: &Look,
    (gate, generation): (&Gate, u32),
    (provider, address): (&str, &str),
) -> Result<Outcome, StoreError> {
    let now = look.sample.at;
    if !provider_identity::is_current(tx, provider)? {
        return Ok(Outcome::Dropped);
    }
    // This read locks the pause before the sample. The code that sends locks both in the same order, which prevents a
    // deadlock.
    pause::standing(tx)?;
    // A check that began before the database went back has compared the lists with another ledger.
    let attempts = gate.attempts(tx)?.filter(|_| gate.generation() == generation);
    let Some(attempts) = attempts else { return Ok(Outcome::Dropped) };
    if let Some(identity) = &look.identity
        && !provider_identity::is_the_same(tx, identity, provider, now)?
    {
        let reason = format!(
            "another wallet or node than before answers as {address}: if that is meant, and it holds the users' sats, say so \
             by `bolts withdrawals same-provider`, then `bolts withdrawals resume`"
        );
        if pause::begin(tx, &reason, now)? {
            tracing::error!(reason, "withdrawals are paused");
        }
        return Ok(Outcome::Dropped);
    }
    let was_suspect = look.sample.is_covered.is_none() && is_suspect(tx)?;
    let sample = Solvency { is_suspect: look.sample.is_suspect || was_suspect, ..look.sample.clone() };
    let json = serde_json::to_string(&sample).map_err(|error| StoreError::Broken(error.to_string()))?;
    tx.settings().put(SOLVENCY, &json)?;
    match &look.lists {
        Lists::Known { until } => look::note_known(tx, *until)?,
        Lists::Strange(found) => {
            let is_paused = pause::begin_until_reconciled(tx, found, now)?;
            return Ok(Outcome::Kept { is_paused, attempts });
        }
        Lists::Unclear => {}
    }
    // If the provider did not answer, the sample causes no pause, even if earlier samples showed missing sats.
    let is_breach = look.finding == Finding::Breach && sample.is_covered == Some(false);
    let reason = reason(&sample);
    Ok(Outcome::Kept { is_paused: is_breach && pause::begin(tx, &reason, now)?, attempts })
}

/// The provider's balance without the operator's own sats.
fn without(holdings: Millisats, float: Amount) -> Millisats {
    Millisats::new((holdings.get() - Millisats::from_sats(float).get()).max(0)).unwrap_or_default()
}

/// The number of missing sats, rounded up. Sats that the provider withholds for refunded withdrawals do not
/// count as missing.
fn shortfall(sample: &Solvency) -> i64 {
    let holdings = Millisats::new(sample.holdings_msat.unwrap_or_default()).unwrap_or_default();
    let there = without(holdings, sample.float).get().saturating_add(sample.withheld().get());
    (sample.liabilities.get() - there / 1_000).max(0)
}

/// The reason of a pause by the solvency check.
fn reason(sample: &Solvency) -> String {
    let missing = format!("the provider holds {} sats less than the users have", shortfall(sample));
    let withheld = sample.withheld().ceil_sats();
    if withheld == Amount::default() {
        return missing;
    }
    format!("{missing}, besides {withheld} sats that it withholds for refunded withdrawals")
}
