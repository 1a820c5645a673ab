//! The Lightning provider that a database belongs to. The kind of sats never changes. The provider does not change
//! while payments are open.

use bolts_kernel::Timestamp;
use bolts_ports::{StoreError, Tx, submit};
use bolts_wallet::{Evidence, Withdrawal};

use super::sending::reference;
use super::{Wallets, look, pause};
use crate::App;
use crate::operator;
use crate::sweep::timestamp;

/// The setting with the kind of sats.
const SATS_KIND: &str = "sats_kind";

/// The setting with the name (kind and address) of the provider at which open payments are looked up.
const PROVIDER: &str = "provider_provider";

/// The empty value of a setting. Any provider may replace it.
const NOBODYS: &str = "";

/// The setting with the identity of the provider's wallet or node. The identity stays the same if the address
/// changes. Empty until the provider has reported its identity.
const IDENTITY: &str = "provider_identity";

/// The setting with the time at which this wallet or node became the provider of the database, in microseconds.
const SINCE: &str = "provider_since";

/// The result of a provider's claim on the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The provider may serve the database.
    Taken,
    /// The database has another kind of sats. Contains the name of that kind.
    OtherSats(String),
    /// Another provider was told to make payments that are still open. This provider does not know these payments
    /// and would report that they were never made. Contains the name or the identity of the other provider.
    OpenElsewhere(String),
    /// The configured keys for the provider lack a right. Contains a sentence for the operator.
    LacksRight(String),
}

impl Wallets {
    /// Claims the database for this provider, and for ever for its kind of sats. Without the claim, the server must
    /// not start. A provider that does not answer is recognised by its address until it reports its identity.
    pub async fn claim_database(&self) -> Result<Claim, StoreError> {
        let kind = self.sats().as_str();
        let kept = submit(&*self.app.store, move |tx| tx.settings().put_first(SATS_KIND, kind)).await?;
        if kept != kind {
            return Ok(Claim::OtherSats(kept));
        }
        let identity = match self.lightning.missing_right().await {
            Ok(Some(why)) => return Ok(Claim::LacksRight(why)),
            Ok(None) => self.lightning.identity().await.ok(),
            Err(error) => {
                tracing::warn!(%error, "the Lightning provider does not say what its keys allow");
                None
            }
        };
        let (provider, now) = (self.lightning.provider_name(), self.app.now());
        submit(&*self.app.store, move |tx| claim_provider(tx, &provider, identity.as_deref(), now)).await
    }
}

fn claim_provider(
    tx: &mut dyn Tx,
    provider: &str,
    identity: Option<&str>,
    now: Timestamp,
) -> Result<Claim, StoreError> {
    // PostgreSQL locks each setting that a job reads. All jobs take these locks in one order, so that they do not deadlock: the
    // provider, the pause, and then a withdrawal.
    tx.settings().get(PROVIDER)?;
    // No other process can begin a payment during this transaction.
    pause::standing(tx)?;
    look::begin(tx, now)?;
    let kept = tx.settings().put_first(PROVIDER, provider)?;
    let known = tx.settings().get(IDENTITY)?.unwrap_or_default();
    let is_elsewhere = kept != provider && kept != NOBODYS;
    // The provider is recognised by its identity if the identity is known, otherwise by its address.
    let is_other = match identity {
        Some(identity) if !known.is_empty() => identity != known,
        Some(_) | None => is_elsewhere,
    };
    if is_other && tx.withdrawals().any_sending()? {
        return Ok(Claim::OpenElsewhere(if known.is_empty() { kept } else { known }));
    }
    // Another wallet or node answers at the known address, and the operator has not confirmed the change. Nothing is
    // stored here, so the first check reports the change.
    if is_other && !is_elsewhere {
        return Ok(Claim::Taken);
    }
    tx.settings().put(PROVIDER, provider)?;
    if is_other || known.is_empty() {
        remember(tx, identity.unwrap_or_default(), now)?;
    }
    if is_other {
        // Older records of the new provider do not concern this database.
        look::note_known(tx, now)?;
    }
    Ok(Claim::Taken)
}

fn remember(tx: &mut dyn Tx, identity: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.settings().put(IDENTITY, identity)?;
    tx.settings().put(SINCE, &now.micros().to_string())
}

/// Whether the provider at the known address is the wallet or node that the database belongs to. If only the
/// address was known, the identity is stored now.
pub(super) fn is_the_same(
    tx: &mut dyn Tx,
    identity: &str,
    provider: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let known = tx.settings().get(IDENTITY)?.unwrap_or_default();
    if !known.is_empty() {
        return Ok(known == identity);
    }
    // The command `same-provider` empties the name and the identity. Then only the next start stores the identity,
    // because a running process may still use the previous provider.
    if tx.settings().get(PROVIDER)?.is_some_and(|kept| kept == provider) {
        remember(tx, identity, now)?;
    }
    Ok(true)
}

impl App {
    /// Records the operator's statement that the provider of the open payments has a new address and will serve next.
    /// After that, any provider may claim the database.
    pub async fn provider_moved(&self, reason: String) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            let before = tx.settings().get(PROVIDER)?.unwrap_or_default();
            pause::standing(tx)?;
            tx.settings().put(PROVIDER, NOBODYS)?;
            tx.settings().put(IDENTITY, NOBODYS)?;
            operator::record(tx, "provider_moved", None, Some(format!("from {before}: {reason}")), now)
        })
        .await
    }
}

impl Wallets {
    /// The provider's answer about a payment. 'Not known' of another wallet or node proves nothing. So 'not known'
    /// counts only if the provider is the wallet or node that the database belongs to. Another one may answer at the
    /// known address, and no check may have noticed this yet.
    pub(super) async fn fate(&self, withdrawal: &Withdrawal) -> Result<Evidence, StoreError> {
        let evidence = self.lightning.look_up_payment(reference(withdrawal)).await;
        if !matches!(evidence, Evidence::NotFound { .. }) {
            return Ok(evidence);
        }
        let known = self.app.known_provider()?;
        Ok(match (self.lightning.identity().await, known) {
            (Ok(identity), Some(known)) if identity == known => evidence,
            (Ok(_), Some(_)) => {
                Evidence::Unknown("another wallet or node than before knows no such payment".to_owned())
            }
            (Ok(_), None) => Evidence::Unknown(
                "it knows no such payment, and the database does not know yet which wallet or node it belongs to"
                    .to_owned(),
            ),
            (Err(error), _) => Evidence::Unknown(format!(
                "it knows no such payment, and does not say which wallet or node it is: {error}"
            )),
        })
    }

    /// Whether the provider reports another identity than that of the wallet or node that the database belongs to.
    pub(super) async fn is_another_provider(&self) -> Result<bool, StoreError> {
        let Some(known) = self.app.known_provider()? else { return Ok(false) };
        Ok(self.lightning.identity().await.is_ok_and(|identity| identity != known))
    }
}

impl App {
    /// The wallet or node that the database belongs to, if the provider has reported its identity.
    pub(super) fn known_provider(&self) -> Result<Option<String>, StoreError> {
        Ok(self.queries.setting(IDENTITY)?.filter(|known| !known.is_empty()))
    }

    /// The time at which the wallet or node became the provider of the database.
    pub(super) fn provider_since(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.queries.setting(SINCE)?.as_deref().and_then(timestamp))
    }
}

/// Whether the database still belongs to this provider. Another process may have claimed the database for another
/// provider.
pub(super) fn is_current(tx: &mut dyn Tx, provider: &str) -> Result<bool, StoreError> {
    let kept = tx.settings().get(PROVIDER)?;
    let is_current = kept.as_ref().is_none_or(|kept| kept == NOBODYS || kept == provider);
    if !is_current {
        tracing::error!(provider, ?kept, "nothing is sent: the database belongs to another provider");
    }
    Ok(is_current)
}
