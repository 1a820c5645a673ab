//! The worker. A claimed delivery belongs to one process until its lease ends. A process that dies between the attempt and
//! its record sends the mail again later, with the same Message-ID.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bolts_delivery::{Breaker, Channel, LINK_ATTEMPTS_FOR, NOTICE_ATTEMPTS_FOR, Permit, Topic, retry_after};
use bolts_kernel::Timestamp;
use bolts_ports::{
    AccountEvent, Cause, Delivery, Fate, Ids, Mailer, NoticeBody, Recipient, StoreError, Tx, Undelivered,
    submit,
};
use futures_util::StreamExt;
use futures_util::stream::iter;

use super::letters::Site;
use super::plan::{Planner, Ready};
use crate::App;
use crate::notifications::tell;

/// The time for which a claimed delivery belongs to its process. An attempt takes less than a minute, and a batch has
/// [`BATCH`] ÷ [`AT_ONCE`] attempts one after the other.
const LEASE: Duration = Duration::from_secs(600);

/// The maximum number of deliveries that one round claims.
const BATCH: u32 = 32;

/// The maximum number of mails that are being sent at once.
const AT_ONCE: usize = 4;

/// After this time the rest of a batch waits for a later round, so that no lease ends during an attempt.
const ROUND: Duration = Duration::from_secs(400);

/// The wait of a delivery whose attempt the breaker stopped.
const AFTER_BREAKER: Duration = Duration::from_secs(30);

/// Sends the due deliveries. A channel has a port that sends, and a breaker.
#[derive(Clone)]
pub struct Courier {
    app: App,
    mailer: Arc<dyn Mailer>,
    site: Arc<Site>,
    breaker: Arc<Mutex<Breaker>>,
}

impl Courier {
    /// The worker of a site at this origin (scheme, host and port).
    ///
    /// # Errors
    /// The store failed.
    pub async fn new(app: App, mailer: Arc<dyn Mailer>, origin: String) -> Result<Self, StoreError> {
        let key = app.mail_key().await?;
        Ok(Self { app, mailer, site: Arc::new(Site { origin, key }), breaker: Arc::default() })
    }

    /// Whether a mail is due. Blocks on the database.
    pub fn is_due(&self) -> Result<bool, StoreError> {
        self.app.queries.is_delivery_due(Channel::Email, self.app.now())
    }

    /// Claims a batch of mails and sends them. Returns the number of claimed deliveries.
    pub async fn deliver(&self) -> Result<usize, StoreError> {
        let started = self.app.now();
        let limit = match self.breaker().permit(started) {
            Permit::Many => BATCH,
            Permit::One => 1,
            Permit::None => return Ok(0),
        };
        let (claimed, ready) = self.claim(started, limit).await?;
        let attempts = iter(ready).map(|ready| self.attempt(ready, started));
        let recorded: Vec<Result<(), StoreError>> = attempts.buffer_unordered(AT_ONCE).collect().await;
        recorded.into_iter().collect::<Result<(), StoreError>>()?;
        Ok(claimed)
    }

    async fn claim(&self, now: Timestamp, limit: u32) -> Result<(usize, Vec<Ready>), StoreError> {
        let (site, random) = (self.site.clone(), self.app.environment.random.clone());
        submit(&*self.app.store, move |tx| {
            let claimed = tx.deliveries().claim(Channel::Email, now, now.after(LEASE), limit)?;
            let count = claimed.len();
            let planner = Planner { site: &site, random: &*random, now };
            Ok::<_, StoreError>((count, planner.ready(tx, claimed)?))
        })
        .await
    }

    async fn attempt(&self, ready: Ready, started: Timestamp) -> Result<(), StoreError> {
        let Ready { delivery, mail, contains } = ready;
        let now = self.app.now();
        let is_stopped = self.breaker().permit(now) == Permit::None || now.since(started) > ROUND;
        if is_stopped {
            let fate = Fate::Again(now.after(AFTER_BREAKER), "the channel rests".to_owned());
            return self.record(delivery, Vec::new(), fate, None).await;
        }
        let to = mail.to.clone();
        let sent = self.mailer.send(mail).await;
        let now = self.app.now();
        self.note(&delivery, &sent, &to, now);
        let gone = match &sent {
            Err(Undelivered::Gone(why)) => Some(why.clone()),
            Ok(()) | Err(_) => None,
        };
        let fate = sent.map_or_else(|why| self.after(&delivery, &why, now), |()| Fate::Sent);
        self.record(delivery, contains, fate, gone).await
    }

    /// The fate of a delivery after a failed attempt.
    fn after(&self, delivery: &Delivery, why: &Undelivered, now: Timestamp) -> Fate {
        let is_final = matches!(why, Undelivered::Gone(_) | Undelivered::Refused(_));
        let wait = retry_after(delivery.attempts, self.jitter());
        let next = now.after(wait);
        if is_final || next >= delivery.created_at.after(attempts_for(&delivery.cause)) {
            Fate::GivenUp(why.to_string())
        } else {
            Fate::Again(next, why.to_string())
        }
    }

    fn jitter(&self) -> u32 {
        let mut bytes = [0; 4];
        self.app.environment.random.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Counts an attempt. The log has neither the address nor the content.
    fn note(&self, delivery: &Delivery, sent: &Result<(), Undelivered>, to: &str, now: Timestamp) {
        let outcome = match sent {
            Ok(()) => "sent",
            Err(Undelivered::Unavailable(_)) => "unavailable",
            Err(Undelivered::Later(_)) => "later",
            Err(Undelivered::Gone(_)) => "gone",
            Err(Undelivered::Refused(_)) => "refused",
        };
        let channel = delivery.channel.as_str();
        metrics::counter!("bolts_deliveries_total", "channel" => channel, "outcome" => outcome).increment(1);
        let Err(why) = sent else { return self.breaker().answered() };
        let (delivery, attempts) = (delivery.id, delivery.attempts);
        let said = why.to_string().replace(to, "(address)");
        tracing::warn!(channel, delivery, attempts, why = said, "something could not be sent");
        if !matches!(why, Undelivered::Unavailable(_)) {
            self.breaker().answered();
        } else if self.breaker().failed(now) {
            tracing::error!(
                channel,
                why = said,
                "the channel rests, because its server does not take anything"
            );
        }
    }

    /// Records the fate of a delivery and of the deliveries that it contains. Stops a destination that is gone.
    async fn record(
        &self,
        delivery: Delivery,
        contains: Vec<i64>,
        fate: Fate,
        gone: Option<String>,
    ) -> Result<(), StoreError> {
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        submit(&*self.app.store, move |tx| {
            tx.deliveries().settle(delivery.id, &fate, now)?;
            // After a failed attempt, the notifications of a digest wait for the next attempt.
            if !matches!(fate, Fate::Again(..)) {
                contains.iter().try_for_each(|id| tx.deliveries().settle(*id, &fate, now))?;
            }
            match &gone {
                Some(why) => stop(tx, &delivery, why, &ids, now),
                None => Ok(()),
            }
        })
        .await
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time after which a delivery that cannot be sent is given up.
fn attempts_for(cause: &Cause) -> Duration {
    match cause {
        Cause::ConfirmAddress | Cause::ResetPassword => LINK_ATTEMPTS_FOR,
        Cause::Notification { kind, .. } if Topic::of(kind) == Topic::Security => NOTICE_ATTEMPTS_FOR * 2,
        Cause::Notification { .. }
        | Cause::Digest
        | Cause::AddressChanging
        | Cause::AddressChanged
        | Cause::AccountDeleted => NOTICE_ATTEMPTS_FOR,
    }
}

/// Stops a destination that is gone, and tells its user on the site.
fn stop(
    tx: &mut dyn Tx,
    delivery: &Delivery,
    why: &str,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let user = match &delivery.to {
        Recipient::Destination(id) if tx.contacts().stop(*id, why)? => delivery.user,
        Recipient::Destination(_) => None,
        // The confirmation of an address could not be sent.
        Recipient::Address(_) if delivery.cause == Cause::ConfirmAddress => delivery.user,
        Recipient::Address(_) => None,
    };
    let body = NoticeBody::Account { event: AccountEvent::EmailStopped };
    user.map_or(Ok(()), |user| tell(tx, user, body, ids, now))
}
