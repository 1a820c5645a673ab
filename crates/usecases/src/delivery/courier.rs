//! The worker. A claimed delivery belongs to one process until its lease ends. A process that dies between the attempt and
//! its record sends the mail again later, with the same Message-ID.

use std::sync::Arc;
use std::time::Duration;

use bolts_delivery::{Channel, Permit, retry_after};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{
    AccountEvent, Cause, Delivery, Fate, Ids, Mailer, NoticeBody, Pusher, Recipient, StoreError, Tx,
    Undelivered, Webhooks, submit,
};
use futures_util::StreamExt;
use futures_util::stream::iter;

use super::carrier::Carrier;
use super::drain::{Drain, Gone, Outcome};
use super::letters::Site;
use super::lifetime::{ends_with, give_up, is_over, note_late};
use super::plan::{Planner, Ready, ready};
use super::servers::{Server, Servers, Slot};
use super::{events, pushes};
use crate::App;
use crate::notifications::tell;

/// The time for which a claimed delivery belongs to its process. An attempt takes 200 s at most.
pub(super) const LEASE: Duration = Duration::from_mins(10);

/// The maximum number of deliveries that one round claims.
const BATCH: u32 = 32;

/// After this time the rest of a batch waits for a later round, so that no lease ends during an attempt.
const ROUND: Duration = Duration::from_secs(400);

/// The wait of a delivery whose attempt the breaker stopped.
const AFTER_BREAKER: Duration = Duration::from_secs(30);

/// The wait of a delivery to a server that has enough attempts under way.
const AFTER_OTHERS: Duration = Duration::from_secs(5);

/// Sends the due deliveries of one channel.
#[derive(Clone)]
pub struct Courier {
    app: App,
    carrier: Carrier,
    servers: Arc<Servers>,
    drain: Arc<Drain>,
}

/// Claimed deliveries that are sent one after the other.
pub struct Route {
    ready: Vec<Ready>,
    slot: Slot,
    claimed_at: Timestamp,
}

impl Courier {
    /// The worker for mails of a site at this origin (scheme, host and port).
    ///
    /// # Errors
    /// The store failed.
    pub async fn new(app: App, mailer: Arc<dyn Mailer>, origin: String) -> Result<Self, StoreError> {
        let key = app.mail_key().await?;
        let carrier = Carrier::Mails(mailer, Arc::new(Site { origin, key }));
        Ok(Self::by(app, carrier))
    }

    /// The worker for push messages.
    pub fn pushes(app: App, pusher: Arc<dyn Pusher>) -> Self {
        Self::by(app, Carrier::Pushes(pusher))
    }

    /// The worker for webhooks.
    pub fn webhooks(app: App, webhooks: Arc<dyn Webhooks>) -> Self {
        Self::by(app, Carrier::Webhooks(webhooks))
    }

    fn by(app: App, carrier: Carrier) -> Self {
        Self { app, carrier, servers: Arc::default(), drain: Arc::default() }
    }

    /// Begins no attempt from now on, because the server is stopping. Claimed deliveries without an attempt go back, so that
    /// another process sends them at once.
    pub fn shut_down(&self) {
        self.drain.stop();
    }

    /// Whether nothing is under way: neither a claim, nor an attempt, nor the record of one.
    pub fn is_at_rest(&self) -> bool {
        self.drain.is_nothing() && self.servers.under_way() == 0
    }

    /// Whether a delivery is due, or a result waits to be recorded. Blocks on the database.
    pub fn is_due(&self) -> Result<bool, StoreError> {
        if self.drain.has_unrecorded() {
            return Ok(true);
        }
        self.app.queries.is_delivery_due(self.carrier.channel(), self.app.now())
    }

    /// Claims a batch of deliveries and sends them. Returns the number of claimed deliveries.
    pub async fn deliver(&self) -> Result<usize, StoreError> {
        let (claimed, routes) = self.take().await?;
        let carried = iter(routes).map(|route| self.carry(route)).buffer_unordered(self.carrier.at_once());
        let carried: Vec<Result<(), StoreError>> = carried.collect().await;
        carried.into_iter().collect::<Result<(), StoreError>>()?;
        Ok(claimed)
    }

    /// Claims a batch of deliveries. The routes can be carried at the same time. A route that is dropped is sent again after
    /// its lease. Returns the number of claimed deliveries too. Claims nothing while a result cannot be recorded.
    pub async fn take(&self) -> Result<(usize, Vec<Route>), StoreError> {
        let _claim = self.drain.claim();
        self.record_rest().await?;
        if self.drain.is_stopping() {
            return Ok((0, Vec::new()));
        }
        let now = self.app.now();
        let places = self.carrier.at_once().saturating_sub(self.servers.under_way());
        let limit = match self.servers.permit(None, now) {
            Permit::Many if self.carrier.has_one_server() => BATCH,
            Permit::Many => BATCH.min(u32::try_from(places).unwrap_or(BATCH)),
            Permit::One => 1,
            Permit::None => 0,
        };
        if limit == 0 {
            return Ok((0, Vec::new()));
        }
        let (claimed, ready) = self.claim(now, limit).await?;
        self.drain.works();
        let mut routes = Vec::new();
        for (server, ready) in self.by_server(ready) {
            let user = ready.first().and_then(|one| one.delivery.user);
            match self.servers.place(server, user) {
                Some(slot) => routes.push(Route { ready, slot, claimed_at: now }),
                None => self.put_off(ready, now).await?,
            }
        }
        Ok((claimed, routes))
    }

    async fn claim(&self, now: Timestamp, limit: u32) -> Result<(usize, Vec<Ready>), StoreError> {
        let (carrier, random) = (self.carrier.clone(), self.app.environment.random.clone());
        let (count, late, ready) = submit(&*self.app.store, move |tx| {
            let claimed = tx.deliveries().claim(carrier.channel(), now, now.after(LEASE), limit)?;
            let count = claimed.len();
            let (late, timely): (Vec<_>, Vec<_>) =
                claimed.into_iter().partition(|delivery| is_over(delivery, now));
            late.iter().try_for_each(|delivery| give_up(tx, delivery, now))?;
            let ready = match &carrier {
                Carrier::Mails(_, site) => {
                    let planner = Planner { site, random: &*random, now };
                    ready(tx, timely, now, |tx, delivery| planner.plan(tx, delivery))
                }
                Carrier::Pushes(_) => ready(tx, timely, now, |tx, delivery| pushes::plan(tx, delivery, now)),
                Carrier::Webhooks(_) => ready(tx, timely, now, events::plan),
            };
            Ok::<_, StoreError>((count, late.len(), ready?))
        })
        .await?;
        note_late(self.carrier.channel(), late as u64);
        Ok((count, ready))
    }

    /// The messages to one server go one after the other, so that a slow server takes one place. Mails have one relay, which
    /// takes several at once.
    fn by_server(&self, ready: Vec<Ready>) -> Vec<(Server, Vec<Ready>)> {
        let mut routes: Vec<(Server, Vec<Ready>)> = Vec::new();
        for one in ready {
            let server = match &one.delivery.to {
                Recipient::Destination(id) if !self.carrier.has_one_server() => Some(*id),
                Recipient::Destination(_) | Recipient::Address(_) => None,
            };
            match routes.iter_mut().find(|(known, _)| server.is_some() && *known == server) {
                Some((_, route)) => route.push(one),
                None => routes.push((server, vec![one])),
            }
        }
        routes
    }

    async fn put_off(&self, ready: Vec<Ready>, now: Timestamp) -> Result<(), StoreError> {
        for Ready { delivery, .. } in ready {
            self.record(Outcome::put_off(delivery, now.after(AFTER_OTHERS), now.after(LEASE))).await?;
        }
        Ok(())
    }

    /// Sends the deliveries of a route. Returns the first failure to record a result.
    pub async fn carry(&self, route: Route) -> Result<(), StoreError> {
        let mut carried = Ok(());
        for ready in route.ready {
            carried = carried.and(self.attempt(ready, route.slot.server(), route.claimed_at).await);
        }
        carried
    }

    async fn attempt(&self, ready: Ready, server: Server, started: Timestamp) -> Result<(), StoreError> {
        let Ready { delivery, message, contains } = ready;
        let (now, until) = (self.app.now(), started.after(LEASE));
        if self.drain.is_failing() {
            self.drain.keep(Outcome::put_off(delivery, now, until));
            return Ok(());
        }
        if self.drain.is_stopping() {
            return self.record(Outcome::put_off(delivery, now, until)).await;
        }
        let rests = self.servers.permit(server, now) == Permit::None && !is_new_test(&delivery);
        if rests || now.since(started) > ROUND {
            return self.record(Outcome::put_off(delivery, now.after(AFTER_BREAKER), until)).await;
        }
        let to = message.to().to_owned();
        let sent = self.carrier.send(message).await;
        let now = self.app.now();
        self.note(&delivery, server, &sent, &to, now);
        let gone = match &sent {
            Err(Undelivered::Gone(why)) => Some(Gone { address: to, why: why.clone() }),
            Ok(()) | Err(_) => None,
        };
        let fate = sent.map_or_else(|why| self.after(&delivery, &why, now), |()| Fate::Sent);
        self.record(Outcome { delivery, contains, fate, gone, until }).await
    }

    /// The fate of a delivery after a failed attempt. Counts the delivery if it is too late for another attempt.
    fn after(&self, delivery: &Delivery, why: &Undelivered, now: Timestamp) -> Fate {
        let is_final = matches!(why, Undelivered::Gone(_) | Undelivered::Refused(_));
        let asked = if let Undelivered::Wait(asked, _) = why { *asked } else { Duration::ZERO };
        let wait = retry_after(delivery.attempts, self.jitter());
        let next = now.after(wait.max(asked));
        let is_late = !is_final && is_over(delivery, next);
        note_late(delivery.channel, u64::from(is_late));
        if is_final || is_late { Fate::GivenUp(why.to_string()) } else { Fate::Again(next, why.to_string()) }
    }

    fn jitter(&self) -> u32 {
        let mut bytes = [0; 4];
        self.app.environment.random.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Counts an attempt. The log has neither the address nor the content.
    fn note(
        &self,
        delivery: &Delivery,
        server: Server,
        sent: &Result<(), Undelivered>,
        to: &str,
        now: Timestamp,
    ) {
        let (outcome, has_failed) = match sent {
            Ok(()) => ("sent", false),
            Err(Undelivered::Unavailable(_)) => ("unavailable", true),
            // A user's server must not take places again and again by late refusals. The relay may refuse single mails.
            Err(Undelivered::Later(_) | Undelivered::Wait(..)) => ("later", server.is_some()),
            Err(Undelivered::Gone(_)) => ("gone", false),
            Err(Undelivered::Refused(_)) => ("refused", false),
        };
        let channel = delivery.channel.as_str();
        metrics::counter!("bolts_deliveries_total", "channel" => channel, "outcome" => outcome).increment(1);
        let is_rest = if has_failed {
            self.servers.failed(server, now)
        } else {
            self.servers.answered(server);
            false
        };
        metrics::gauge!("bolts_deliveries_resting_servers", "channel" => channel)
            .set(self.servers.resting(now) as f64);
        let Err(why) = sent else { return };
        let (delivery, attempts) = (delivery.id, delivery.attempts);
        let said = why.to_string().replace(to, "(address)");
        // A user could fill the log with the failures of an own server.
        if server.is_some() {
            tracing::debug!(channel, delivery, attempts, why = said, "a delivery failed");
            return;
        }
        tracing::warn!(channel, delivery, attempts, why = said, "a delivery failed");
        if is_rest {
            tracing::error!(
                channel,
                why = said,
                "the server of this channel takes nothing: deliveries wait for a while"
            );
        }
    }

    /// Records the outcomes that the database did not take before, as long as their leases last.
    async fn record_rest(&self) -> Result<(), StoreError> {
        if self.drain.is_failing() {
            // No outcome is taken before the database takes a job: one that is not final would be lost.
            submit(&*self.app.store, |_: &mut dyn Tx| Ok::<_, StoreError>(())).await?;
            self.drain.works();
        }
        while let Some(outcome) = self.drain.take_unrecorded() {
            if self.app.now() < outcome.until {
                self.record(outcome).await?;
            }
        }
        Ok(())
    }

    /// Records an outcome. If the database does not take it, nothing more is sent until the database works again.
    async fn record(&self, outcome: Outcome) -> Result<(), StoreError> {
        let recorded = self.write(outcome.clone()).await;
        match &recorded {
            Ok(()) => self.drain.works(),
            Err(StoreError::Unavailable(_) | StoreError::Contention) => self.drain.fails(outcome),
            Err(StoreError::Broken(_) | StoreError::UserGone) => {}
        }
        recorded
    }

    /// Writes the fate of a delivery and of the deliveries that it contains. Stops a destination that is gone.
    async fn write(&self, outcome: Outcome) -> Result<(), StoreError> {
        let (now, ids) = (self.app.now(), self.app.environment.ids.clone());
        submit(&*self.app.store, move |tx| {
            let Outcome { delivery, contains, fate, gone, .. } = &outcome;
            // The deletion of an account locks the user before the deliveries too.
            if let Some(gone) = gone {
                stop(tx, delivery, gone, &ids, now)?;
            }
            tx.deliveries().settle(delivery.id, fate, now)?;
            // After a failed attempt, the notifications of a digest wait for the next attempt.
            if matches!(fate, Fate::Again(..) | Fate::PutOff(_)) {
                return Ok(());
            }
            let is_given_up = matches!(fate, Fate::GivenUp(_));
            let mut ended = contains.iter().filter(|one| !is_given_up || ends_with(delivery, one.created_at));
            ended.try_for_each(|one| tx.deliveries().settle(one.id, fate, now))
        })
        .await
    }
}

/// Whether this is the first attempt of a test. The user may have repaired the server, so a test does not wait until the server
/// has rested.
fn is_new_test(delivery: &Delivery) -> bool {
    let is_test = matches!(&delivery.cause, Cause::Notification { kind, .. } if kind == events::TEST);
    is_test && delivery.attempts == 1
}

/// Stops a destination that is gone, and tells its user on the site. A destination whose address was changed since the attempt
/// stays as it is. A browser that is gone never comes back under its address, so its destination is removed.
fn stop(
    tx: &mut dyn Tx,
    delivery: &Delivery,
    Gone { address, why }: &Gone,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(user) = delivery.user else { return Ok(()) };
    // A deleted user has no destinations, and gets no notifications.
    if !tx.departures().is_here(user)? {
        return Ok(());
    }
    let has_stopped = match (&delivery.to, delivery.channel) {
        (Recipient::Destination(id), Channel::Push) => {
            let known = tx.contacts().destination(*id)?;
            let is_same = known.is_some_and(|known| known.address == *address);
            if is_same {
                tx.contacts().remove(*id)?;
            }
            is_same
        }
        (Recipient::Destination(id), Channel::Email | Channel::Webhook) => {
            tx.contacts().stop(*id, address, why)?
        }
        // The confirmation of an address could not be sent.
        (Recipient::Address(_), _) => delivery.cause == Cause::ConfirmAddress,
    };
    if !has_stopped {
        return Ok(());
    }
    let event = match (&delivery.to, delivery.channel) {
        (Recipient::Address(address), Channel::Email) if !is_address_of(tx, user, address)? => {
            AccountEvent::NewEmailRefused
        }
        (_, Channel::Email) => AccountEvent::EmailStopped,
        (_, Channel::Push) => AccountEvent::PushStopped,
        (_, Channel::Webhook) => AccountEvent::WebhookStopped,
    };
    tell(tx, user, NoticeBody::Account { event }, ids, now)
}

/// Whether the user signs in with this address. A requested address is not yet one.
fn is_address_of(tx: &mut dyn Tx, user: UserId, address: &str) -> Result<bool, StoreError> {
    Ok(tx.users().credentials(address)?.is_some_and(|known| known.user == user))
}
