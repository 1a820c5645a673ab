//! Checks whether the provider's lists contain payments that the ledger does not know. Such payments are a sign that
//! the database was rolled back.

use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_ports::{Received, Sent, StoreError, Tx};
use bolts_wallet::INVOICE_LIFETIME;
use futures_util::future::join;

use super::Wallets;
use super::reconcile::SentDifference;
use super::reconcile_deposits::ReceivedDifference;
use crate::App;
use crate::sweep::{AHEAD_AT_MOST, HEARTBEAT, timestamp};

/// The setting with the time up to which the ledger knows everything in the provider's lists, in
/// microseconds.
const COMPARED: &str = "lists_compared_until";

/// The lists are read from 10 minutes before the start of the period, because the provider's clock may differ.
pub(super) const MARGIN: Duration = Duration::from_mins(10);

/// The result of a check of the lists.
pub(super) enum Lists {
    /// The ledger knows everything in the lists.
    Known {
        /// The time at which the lists were requested.
        until: Timestamp,
    },
    /// The lists contain payments or deposits that the ledger does not know.
    Strange(UnknownRecords),
    /// The provider gave no answer, or no clear answer about a payment in its list.
    Unclear,
}

/// The payments and deposits in the lists that the ledger does not know.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnknownRecords {
    /// The number of payments.
    pub(super) payments: u32,
    /// The number of deposits.
    pub(super) deposits: u32,
    /// The time at which the lists were requested.
    pub(super) at: Timestamp,
}

impl UnknownRecords {
    /// The reason of a pause, in a sentence for the operator.
    pub(super) fn reason(&self) -> String {
        let Self { payments, deposits, at: _ } = self;
        format!(
            "the provider's lists name {payments} payments and {deposits} deposits that this database does not know: it may \
             have been restored. Run `bolts deposits reconcile`, then `bolts withdrawals reconcile`, then `bolts withdrawals \
             resume`"
        )
    }
}

/// Sets the start of the period in which the lists are compared, if no start is set. The start is the last heartbeat
/// of a server on this database. So the check finds payments that were made after a backup.
pub(super) fn begin(tx: &mut dyn Tx, now: Timestamp) -> Result<(), StoreError> {
    let served_at = tx.settings().get(HEARTBEAT)?.as_deref().and_then(timestamp);
    let from = served_at.unwrap_or(now).micros().to_string();
    tx.settings().put_first(COMPARED, &from).map(drop)
}

/// Records the time up to which the ledger knows everything in the lists.
pub(super) fn note_known(tx: &mut dyn Tx, until: Timestamp) -> Result<(), StoreError> {
    tx.settings().put(COMPARED, &until.micros().to_string())
}

impl App {
    /// The start of the period in which the lists are compared with the ledger. It is never in the future, although the clock may
    /// have been ahead at the last clean check. A check by a clock that was far ahead has read no record. In this case the period
    /// begins 7 days ago, but not before the provider became the provider of this database.
    pub(super) fn compared_from(&self) -> Result<Timestamp, StoreError> {
        let (until, now) = (self.queries.setting(COMPARED)?.as_deref().and_then(timestamp), self.now());
        let until = match until {
            Some(until) if until.since(now) > MARGIN => {
                let ours = self.provider_since()?.filter(|since| *since <= now).unwrap_or(now);
                ours.max(now.before(AHEAD_AT_MOST))
            }
            Some(until) => until.min(now),
            None => now,
        };
        Ok(until.before(MARGIN))
    }

    /// The time from which on the provider's invoices are compared. An invoice that was open at the last clean check may
    /// have been paid since, so the period begins one lifetime of an invoice earlier. Invoices from before the provider
    /// became the provider of this database do not count.
    pub(super) fn invoices_compared_from(&self) -> Result<Timestamp, StoreError> {
        let since = self.compared_from()?;
        let Some(ours) = self.provider_since()? else { return Ok(since) };
        Ok(since.before(INVOICE_LIFETIME).max(ours.before(MARGIN)).min(since))
    }
}

impl Wallets {
    /// Compares the provider's lists with the ledger, from the last clean check on.
    pub(super) async fn look_at_lists(&self) -> Result<Lists, StoreError> {
        let at = self.app.now();
        let (paid_from, made_from) = (self.app.compared_from()?, self.app.invoices_compared_from()?);
        let lists = join(self.lightning.sent(paid_from), self.lightning.received(made_from));
        let (sent, received) = match lists.await {
            (Ok(sent), Ok(received)) => (sent, received),
            (Err(error), _) | (_, Err(error)) => {
                tracing::warn!(%error, "the provider's lists cannot be read");
                return Ok(Lists::Unclear);
            }
        };
        let (payments, is_clear) = self.unknown_payments(sent).await?;
        let deposits = self.unknown_deposits(received).await?;
        if payments + deposits > 0 {
            return Ok(Lists::Strange(UnknownRecords { payments, deposits, at }));
        }
        // Without a clear answer, the next check reads this part of the list again.
        Ok(if is_clear { Lists::Known { until: at } } else { Lists::Unclear })
    }

    /// Returns the number of paid invoices for deposits that the ledger does not know. Credits each known deposit that is paid and
    /// not credited: if the clock was ahead for a while, no job asks about such a deposit any more.
    async fn unknown_deposits(&self, received: Vec<Received>) -> Result<u32, StoreError> {
        let mut unknown = 0;
        for record in received {
            match self.app.received_difference(record)? {
                Some(ReceivedDifference::Unknown(record)) => unknown += u32::from(record.is_deposit),
                Some(ReceivedDifference::NotCredited(record, deposit)) => {
                    // One deposit that cannot be credited does not stop the check.
                    if let Err(error) = self.credit(deposit.id, record.amount).await {
                        tracing::error!(deposit = %deposit.id, %error, "a paid deposit could not be credited");
                    }
                }
                Some(ReceivedDifference::MissingThere(_)) | None => {}
            }
        }
        Ok(unknown)
    }

    /// The number of payments that the ledger does not know, or has not sent. Also returns whether the ledger knows each
    /// payment in the list whose withdrawal was refunded here.
    async fn unknown_payments(&self, sent: Vec<Sent>) -> Result<(u32, bool), StoreError> {
        let (mut unknown, mut is_clear) = (0, true);
        for record in sent {
            match self.app.sent_difference(record)? {
                Some(
                    SentDifference::Unknown(_) | SentDifference::NotSentHere(..) | SentDifference::Other(..),
                ) => unknown += 1,
                Some(SentDifference::Refunded(sent, withdrawal)) if sent.is_paid => {
                    is_clear &= self.records_loss(&withdrawal).await?;
                }
                Some(
                    SentDifference::Refunded(..)
                    | SentDifference::OpenHere(..)
                    | SentDifference::MissingThere(_),
                )
                | None => {}
            }
        }
        Ok((unknown, is_clear))
    }
}
