//! What the provider's own lists name and the ledger does not know: the sign of a database that was rolled back.

use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{StoreError, Tx};
use futures_util::future::join;

use super::Wallets;
use super::reconcile::SentDifference;
use super::reconcile_deposits::ReceivedDifference;
use crate::App;
use crate::sweep::{BEAT, timestamp};

/// The setting that holds until when the provider's lists named nothing that the ledger does not know, in microseconds.
const COMPARED: &str = "lists_compared_until";

/// The lists are read from this time before the first record of interest, because the provider has its own clock.
pub(super) const MARGIN: Duration = Duration::from_secs(600);

/// What a look at the lists showed.
pub(super) enum Lists {
    /// The ledger knows all that they name until then.
    Known {
        /// When they were asked for.
        until: Timestamp,
    },
    /// They name something that it does not know; a sentence for the operator.
    Strange(String),
    /// The provider did not say.
    Unclear,
}

/// Sees to it that there is a time from which on the lists are compared: when a server last ran on the database, so that
/// what was paid since a backup is seen.
pub(super) fn begin(tx: &mut dyn Tx, now: Timestamp) -> Result<(), StoreError> {
    let served_at = tx.settings().get(BEAT)?.as_deref().and_then(timestamp);
    let from = served_at.unwrap_or(now).micros().to_string();
    tx.settings().put_first(COMPARED, &from).map(drop)
}

/// Until then the ledger knows all that the lists name.
pub(super) fn note_known(tx: &mut dyn Tx, until: Timestamp) -> Result<(), StoreError> {
    tx.settings().put(COMPARED, &until.micros().to_string())
}

impl App {
    /// From when on the provider's lists are compared with the ledger.
    pub(super) fn compared_from(&self) -> Result<Timestamp, StoreError> {
        let until = self.queries.setting(COMPARED)?.as_deref().and_then(timestamp);
        Ok(until.unwrap_or_else(|| self.now()).before(MARGIN))
    }
}

impl Wallets {
    /// Compares what the provider's lists name since the last such look with the ledger.
    pub(super) async fn look_at_lists(&self) -> Result<Lists, StoreError> {
        let (until, since) = (self.app.now(), self.app.compared_from()?);
        let (sent, received) = match join(self.lightning.sent(since), self.lightning.received(since)).await {
            (Ok(sent), Ok(received)) => (sent, received),
            (Err(error), _) | (_, Err(error)) => {
                tracing::warn!(%error, "the provider's lists cannot be read");
                return Ok(Lists::Unclear);
            }
        };
        let (mut payments, mut deposits) = (0, 0);
        for record in sent {
            match self.app.sent_difference(record)? {
                Some(SentDifference::Unknown(_) | SentDifference::NotSentHere(..)) => payments += 1,
                Some(SentDifference::Refunded(sent, withdrawal)) if sent.is_paid => {
                    self.look_at_refund(&withdrawal).await?;
                }
                Some(
                    SentDifference::Refunded(..)
                    | SentDifference::OpenHere(..)
                    | SentDifference::MissingThere(_),
                )
                | None => {}
            }
        }
        for record in received {
            match self.app.received_difference(record)? {
                Some(ReceivedDifference::Unknown(record)) if record.is_deposit => deposits += 1,
                Some(
                    ReceivedDifference::Unknown(_)
                    | ReceivedDifference::NotCredited(..)
                    | ReceivedDifference::MissingThere(_),
                )
                | None => {}
            }
        }
        if payments + deposits == 0 {
            return Ok(Lists::Known { until });
        }
        Ok(Lists::Strange(format!(
            "the provider's lists name {payments} payments and {deposits} deposits that this database does not know: it may \
             have been restored. Run `bolts withdrawals reconcile` and `bolts deposits reconcile`, then \
             `bolts withdrawals resume`"
        )))
    }
}
