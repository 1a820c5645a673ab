//! Whose word counts: a database belongs to one kind of sats for ever, and to one provider while payments are open.

use bolts_ports::{StoreError, Tx, submit};

use super::{Wallets, pause};
use crate::App;

/// The setting that holds what the database's sats are.
const SATS_KIND: &str = "sats_kind";

/// The setting that names the books in which open payments are looked up.
const BOOKS: &str = "provider_books";

/// The books of whoever comes next.
const NOBODYS: &str = "";

/// Whether the provider may serve the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It may.
    Taken,
    /// The sats of this database are of another kind, which is named.
    OtherSats(String),
    /// Payments are open that other books, which are named, were told of. To those of this provider they would look as
    /// if they had never been made.
    OpenElsewhere(String),
}

impl Wallets {
    /// Takes the database for sats of the provider's kind, for ever, and for its books. Unless it is taken, nothing may
    /// be served.
    ///
    /// # Errors
    /// The store's.
    pub async fn claim_database(&self) -> Result<Claim, StoreError> {
        let (kind, books) = (self.sats().as_str(), self.lightning.books());
        submit(&*self.app.store, move |tx| {
            let kept = tx.settings().put_first(SATS_KIND, kind)?;
            if kept != kind {
                return Ok(Claim::OtherSats(kept));
            }
            // Held so that no other process sends one meanwhile.
            pause::standing(tx)?;
            let kept = tx.settings().put_first(BOOKS, &books)?;
            if kept != books {
                if kept != NOBODYS && tx.withdrawals().any_sending()? {
                    return Ok(Claim::OpenElsewhere(kept));
                }
                tx.settings().put(BOOKS, &books)?;
            }
            Ok(Claim::Taken)
        })
        .await
    }
}

impl App {
    /// The operator says that the provider that was told of the open payments is the one that serves next, at another
    /// address.
    ///
    /// # Errors
    /// The store's.
    pub async fn provider_moved(&self, reason: String) -> Result<(), StoreError> {
        let now = self.now();
        submit(&*self.store, move |tx| {
            pause::standing(tx)?;
            let before = tx.settings().get(BOOKS)?.unwrap_or_default();
            tx.settings().put(BOOKS, NOBODYS)?;
            pause::record(tx, "provider_moved", None, format!("from {before}: {reason}"), now)
        })
        .await
    }
}

/// Whether these are the books that count: another process may have taken the database for others since.
pub(super) fn is_current(tx: &mut dyn Tx, books: &str) -> Result<bool, StoreError> {
    let kept = tx.settings().get(BOOKS)?;
    let is_current = kept.as_ref().is_none_or(|kept| kept == NOBODYS || kept == books);
    if !is_current {
        tracing::error!(books, ?kept, "sats wait: the database was taken for another Lightning provider");
    }
    Ok(is_current)
}
