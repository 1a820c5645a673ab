//! The provider of a database: the kind of sats never changes, and the provider does not change while
//! payments are open.

use bolts_kernel::Timestamp;
use bolts_ports::{StoreError, Tx, submit};

use super::{Wallets, look, pause};
use crate::App;
use crate::sweep::timestamp;

/// The setting with the kind of sats.
const SATS_KIND: &str = "sats_kind";

/// The setting with the identity of the provider that open payments are looked up at.
const BOOKS: &str = "provider_books";

/// The value that any provider may replace.
const NOBODYS: &str = "";

/// The setting that names the wallet or node itself, which is the same at every address; empty until it has said so.
const IDENTITY: &str = "provider_identity";

/// The setting that holds since when the database belongs to that wallet or node, in microseconds.
const SINCE: &str = "provider_since";

/// The result of a provider's claim on the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The provider may serve the database.
    Taken,
    /// The database has another kind of sats, which is named.
    OtherSats(String),
    /// Another provider, which is named, was told to make payments that are still open. This provider does
    /// not know them and would report that they were never made.
    OpenElsewhere(String),
    /// The keys that the provider was given do not allow what is needed; a sentence for the operator.
    LacksRight(String),
}

impl Wallets {
    /// Takes the database for sats of the provider's kind, for ever, and for its books. Unless it is taken, nothing may
    /// be served. A provider that does not answer is taken by its address, and known once it answers.
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
        let (books, now) = (self.lightning.books(), self.app.now());
        submit(&*self.app.store, move |tx| claim_books(tx, &books, identity.as_deref(), now)).await
    }
}

fn claim_books(
    tx: &mut dyn Tx,
    books: &str,
    identity: Option<&str>,
    now: Timestamp,
) -> Result<Claim, StoreError> {
    // Blocks other processes from sending a payment meanwhile.
    pause::standing(tx)?;
    look::begin(tx, now)?;
    let kept = tx.settings().put_first(BOOKS, books)?;
    let known = tx.settings().get(IDENTITY)?.unwrap_or_default();
    let is_elsewhere = kept != books && kept != NOBODYS;
    // Who says who it is, is known by that; anybody else by the address.
    let is_other = match identity {
        Some(identity) if !known.is_empty() => identity != known,
        Some(_) | None => is_elsewhere,
    };
    if is_other && tx.withdrawals().any_sending()? {
        return Ok(Claim::OpenElsewhere(if known.is_empty() { kept } else { known }));
    }
    // Nobody has said that there would be another one at this address: the first look asks the operator.
    if is_other && !is_elsewhere {
        return Ok(Claim::Taken);
    }
    tx.settings().put(BOOKS, books)?;
    if is_other || known.is_empty() {
        learn(tx, identity.unwrap_or_default(), now)?;
    }
    if is_other {
        // What its list names from before belongs to nobody here.
        look::note_known(tx, now)?;
    }
    Ok(Claim::Taken)
}

fn learn(tx: &mut dyn Tx, identity: &str, now: Timestamp) -> Result<(), StoreError> {
    tx.settings().put(IDENTITY, identity)?;
    tx.settings().put(SINCE, &now.micros().to_string())
}

/// Whether the provider at the known address is the wallet or node that the database belongs to; learns which one that
/// is, where it was known by its address alone.
pub(super) fn is_the_same(
    tx: &mut dyn Tx,
    identity: &str,
    books: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let known = tx.settings().get(IDENTITY)?.unwrap_or_default();
    if !known.is_empty() {
        return Ok(known == identity);
    }
    // After `same-provider` the next start learns it: a process that runs may still ask the one before.
    if tx.settings().get(BOOKS)?.is_some_and(|kept| kept == books) {
        learn(tx, identity, now)?;
    }
    Ok(true)
}

impl App {
    /// Records the operator's statement that the provider of the open payments has moved to another address
    /// and will serve next.
    pub async fn provider_moved(&self, reason: String) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            pause::standing(tx)?;
            let before = tx.settings().get(BOOKS)?.unwrap_or_default();
            tx.settings().put(BOOKS, NOBODYS)?;
            tx.settings().put(IDENTITY, NOBODYS)?;
            pause::record(tx, "provider_moved", None, format!("from {before}: {reason}"), now)
        })
        .await
    }
}

impl App {
    /// The wallet or node that the database belongs to, where it has said which one it is.
    pub(super) fn known_provider(&self) -> Result<Option<String>, StoreError> {
        Ok(self.queries.setting(IDENTITY)?.filter(|known| !known.is_empty()))
    }

    /// Since when the database belongs to its wallet or node.
    pub(super) fn provider_since(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.queries.setting(SINCE)?.as_deref().and_then(timestamp))
    }
}

/// Whether this provider still has the claim. Another process may have claimed the database for another
/// provider since.
pub(super) fn is_current(tx: &mut dyn Tx, books: &str) -> Result<bool, StoreError> {
    let kept = tx.settings().get(BOOKS)?;
    let is_current = kept.as_ref().is_none_or(|kept| kept == NOBODYS || kept == books);
    if !is_current {
        tracing::error!(books, ?kept, "sats wait: the database was taken for another Lightning provider");
    }
    Ok(is_current)
}
