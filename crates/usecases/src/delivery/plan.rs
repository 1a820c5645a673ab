//! Decides in one job whether claimed deliveries are sent, and writes the mails.

use std::time::Duration;

use bolts_delivery::{Channel, Preferences, Topic};
use bolts_kernel::{BetId, NotificationId, Timestamp, UserId};
use bolts_ports::{
    Cause, Delivery, Destination, Fate, Letter, Mail, NewDelivery, NoticeBody, Purpose, Randomness,
    Recipient, Result, Tx,
};

use super::carrier::Message;
use super::courier::LEASE;
use super::letters::{self, Notice, Site};
use super::{tokens, unsubscribe};

/// The maximum number of notifications in a digest. The next digest has the others.
const DIGEST_ITEMS: usize = 100;

/// If a notification is held less than this time before a digest, the digest may miss it, because another process may already be
/// writing the mail. So the next digest is written too.
const DIGEST_OVERLAP: Duration = Duration::from_mins(10);

/// The content of a notification, and the bet that it links to.
type Body = (NoticeBody, Option<BetId>);

/// A held delivery that a digest contains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) id: i64,
    pub(super) created_at: Timestamp,
}

/// A message that is ready.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) delivery: Delivery,
    pub(super) message: Message,
    /// The held deliveries that the message contains.
    pub(super) contains: Vec<Held>,
}

/// The decision about a delivery.
pub(super) enum Plan {
    Send(Box<Message>, Vec<Held>),
    End(Fate),
}

impl Plan {
    fn mail(mail: Mail, contains: Vec<Held>) -> Self {
        Self::Send(Box::new(Message::Mail(mail)), contains)
    }
}

/// The messages of these deliveries. All other deliveries are settled.
pub(super) fn ready(
    tx: &mut dyn Tx,
    claimed: Vec<Delivery>,
    now: Timestamp,
    plan: impl Fn(&mut dyn Tx, &Delivery) -> Result<Plan>,
) -> Result<Vec<Ready>> {
    let mut ready: Vec<Ready> = Vec::new();
    for delivery in claimed {
        let is_digest = |other: &Delivery| other.cause == Cause::Digest && other.user == delivery.user;
        if is_digest(&delivery) && ready.iter().any(|one| is_digest(&one.delivery)) {
            // Both digests would have the same notifications. After the attempt, the second one has those that are left.
            tx.deliveries().settle(delivery.id, &Fate::PutOff(now.after(LEASE)), now)?;
            continue;
        }
        match plan(tx, &delivery)? {
            Plan::Send(message, contains) => ready.push(Ready { delivery, message: *message, contains }),
            Plan::End(fate) => tx.deliveries().settle(delivery.id, &fate, now)?,
        }
    }
    Ok(ready)
}

/// The tools of a plan for mails.
pub(super) struct Planner<'a> {
    pub(super) site: &'a Site,
    pub(super) random: &'a dyn Randomness,
    pub(super) now: Timestamp,
}

impl Planner<'_> {
    /// Decides about a delivery, and writes its mail.
    pub(super) fn plan(&self, tx: &mut dyn Tx, delivery: &Delivery) -> Result<Plan> {
        match (&delivery.cause, &delivery.to) {
            (Cause::Notification { kind, params, bet, .. }, Recipient::Destination(id)) => {
                let Some(to) = tx.contacts().destination(*id)?.filter(|to| to.stopped.is_none()) else {
                    return Ok(Plan::End(Fate::Dropped));
                };
                let Some(body) = NoticeBody::parse(kind, params) else {
                    return Ok(Plan::End(of_unknown_kind(delivery, self.now)));
                };
                let is_public = is_public(tx, &body, *bet)?;
                self.notice(tx, delivery, &to, &Notice { body: &body, bet: *bet, is_public })
            }
            (Cause::Digest, Recipient::Destination(id)) => match tx.contacts().destination(*id)? {
                Some(to) => self.digest(tx, delivery, &to),
                None => Ok(Plan::End(Fate::Dropped)),
            },
            (cause, Recipient::Address(address)) => self.account(tx, delivery, cause, address),
            (_, Recipient::Destination(_)) => {
                Ok(Plan::End(Fate::GivenUp("a mail without its address".to_owned())))
            }
        }
    }

    /// The mail of a notification, if the user wants it at once. Otherwise the digest gets it.
    fn notice(
        &self,
        tx: &mut dyn Tx,
        delivery: &Delivery,
        to: &Destination,
        notice: &Notice<'_>,
    ) -> Result<Plan> {
        let preferences = tx.contacts().preferences(to.user)?;
        let topic = Topic::of(notice.body.kind());
        if preferences.wants(topic).has(delivery.channel) {
            let letter = letters::notice(self.site, to.user, notice, &preferences);
            let stops = topic.can_be_turned_off(Channel::Email).then_some(unsubscribe::What::Topic(topic));
            return Ok(Plan::mail(self.mail(delivery, to, letter, stops), Vec::new()));
        }
        let next = preferences.digest.next(self.now, preferences.time_zone);
        let Some(due_at) = next.filter(|_| delivery.channel == Channel::Email) else {
            return Ok(Plan::End(Fate::Dropped));
        };
        enqueue_digest(tx, to, due_at)?;
        if due_at.since(self.now) < DIGEST_OVERLAP {
            enqueue_digest_after(tx, to, &preferences, due_at)?;
        }
        Ok(Plan::End(Fate::Held))
    }

    /// The mail with the oldest held notifications that are unread. If a mail cannot have all of them, the next digest is written
    /// too.
    fn digest(&self, tx: &mut dyn Tx, delivery: &Delivery, to: &Destination) -> Result<Plan> {
        let preferences = tx.contacts().preferences(to.user)?;
        let is_wanted = to.stopped.is_none() && preferences.digest != bolts_delivery::Digest::Off;
        let unread = if is_wanted { tx.deliveries().unread(to.user)? } else { Vec::new() };
        let mut held = self.held(tx, to.user, &unread)?;
        if held.is_empty() {
            return Ok(Plan::End(Fate::Dropped));
        }
        if held.len() > DIGEST_ITEMS {
            held.truncate(DIGEST_ITEMS);
            enqueue_digest_after(tx, to, &preferences, self.now)?;
        }
        let (contains, bodies): (Vec<Held>, Vec<Body>) = held.into_iter().unzip();
        let letter = self.digest_letter(tx, to.user, &bodies, &preferences)?;
        let mail = self.mail(delivery, to, letter, Some(unsubscribe::What::Digest));
        Ok(Plan::mail(mail, contains))
    }

    /// The oldest held deliveries with notifications in `unread`, at most one more than a digest takes. Settles the other held
    /// deliveries before them.
    fn held(&self, tx: &mut dyn Tx, user: UserId, unread: &[NotificationId]) -> Result<Vec<(Held, Body)>> {
        loop {
            let (mut wanted, mut others) = (Vec::new(), Vec::new());
            for one in tx.deliveries().held(user, DIGEST_ITEMS as u32 + 1, self.now)? {
                match unread_body(&one, unread, self.now) {
                    Ok(body) => wanted.push((Held { id: one.id, created_at: one.created_at }, body)),
                    Err(fate) => others.push((one.id, fate)),
                }
            }
            if others.is_empty() {
                return Ok(wanted);
            }
            for (id, fate) in others {
                tx.deliveries().settle(id, &fate, self.now)?;
            }
        }
    }

    fn digest_letter(
        &self,
        tx: &mut dyn Tx,
        user: UserId,
        bodies: &[Body],
        preferences: &Preferences,
    ) -> Result<Letter> {
        let mut notices = Vec::new();
        for (body, bet) in bodies {
            notices.push(Notice { body, bet: *bet, is_public: is_public(tx, body, *bet)? });
        }
        Ok(letters::digest(self.site, user, &notices, preferences))
    }

    /// The mails about the address and the password of an account.
    fn account(&self, tx: &mut dyn Tx, delivery: &Delivery, cause: &Cause, address: &str) -> Result<Plan> {
        let letter = match cause {
            Cause::AddressChanging => Some(letters::changing(self.site)),
            Cause::AddressChanged => Some(letters::changed(self.site)),
            Cause::AccountDeleted => Some(letters::deleted(self.site)),
            Cause::ConfirmAddress => self.confirmation(tx, delivery, address)?,
            Cause::ResetPassword => {
                let known = tx.users().credentials(address)?.map(|credentials| credentials.user);
                let token = self.token(tx, delivery, (Purpose::ResetPassword, known, address))?;
                token.map(|token| letters::reset(self.site, &token))
            }
            Cause::Notification { .. } | Cause::Digest => None,
        };
        let Some(letter) = letter else { return Ok(Plan::End(Fate::Dropped)) };
        let (name, to) = (delivery.name.clone(), address.to_owned());
        Ok(Plan::mail(Mail { name, to, letter, unsubscribe: None }, Vec::new()))
    }

    fn confirmation(&self, tx: &mut dyn Tx, delivery: &Delivery, address: &str) -> Result<Option<Letter>> {
        let Some(user) = delivery.user else { return Ok(None) };
        // A later confirmation, for example of another address, ends this request.
        let confirmed = tx.contacts().email_of(user)?.filter(|to| to.confirmed_at > delivery.created_at);
        let own = tx.users().view(user)?.map(|view| view.email);
        if confirmed.is_some() || !self.is_requested(tx, user, own.as_deref(), address)? {
            return Ok(None);
        }
        let token = self.token(tx, delivery, (Purpose::ConfirmAddress, Some(user), address))?;
        Ok(token.map(|token| letters::confirm(self.site, &token)))
    }

    /// Whether the address is the user's own one, or the other one that the user requested last.
    fn is_requested(&self, tx: &mut dyn Tx, user: UserId, own: Option<&str>, address: &str) -> Result<bool> {
        let Some(own) = own else { return Ok(false) };
        Ok(own == address || tx.tokens().requested_address(user, own, self.now)?.as_deref() == Some(address))
    }

    /// A new token. `None` if there is no user, or if the token would have expired.
    fn token(
        &self,
        tx: &mut dyn Tx,
        delivery: &Delivery,
        (purpose, user, address): (Purpose, Option<UserId>, &str),
    ) -> Result<Option<String>> {
        let is_late = self.now >= delivery.created_at.after(tokens::lifetime(purpose));
        let Some(user) = user.filter(|_| !is_late) else { return Ok(None) };
        tokens::fresh(tx, self.random, (purpose, user, address), delivery.created_at).map(Some)
    }

    fn mail(
        &self,
        delivery: &Delivery,
        to: &Destination,
        letter: Letter,
        stops: Option<unsubscribe::What>,
    ) -> Mail {
        let unsubscribe = stops.map(|what| self.site.one_click(to.user, what));
        Mail { name: delivery.name.clone(), to: to.address.clone(), letter, unsubscribe }
    }
}

/// The content of a held notification that the user has not read. Otherwise the fate of the delivery.
fn unread_body(held: &Delivery, unread: &[NotificationId], now: Timestamp) -> Result<Body, Fate> {
    if let Cause::Notification { id, kind, params, bet } = &held.cause
        && unread.contains(id)
    {
        NoticeBody::parse(kind, params).map(|body| (body, *bet)).ok_or_else(|| of_unknown_kind(held, now))
    } else {
        Err(Fate::Dropped)
    }
}

/// The fate of a notification whose kind only another version of the program knows.
pub(super) fn of_unknown_kind(delivery: &Delivery, now: Timestamp) -> Fate {
    Fate::of_other_version(delivery.created_at, now, "a notification of an unknown kind")
}

/// Writes the first digest after this time, if the user gets digests.
fn enqueue_digest_after(
    tx: &mut dyn Tx,
    to: &Destination,
    preferences: &Preferences,
    after: Timestamp,
) -> Result<()> {
    match preferences.digest.next(after, preferences.time_zone) {
        Some(due_at) => enqueue_digest(tx, to, due_at),
        None => Ok(()),
    }
}

fn enqueue_digest(tx: &mut dyn Tx, to: &Destination, due_at: Timestamp) -> Result<()> {
    tx.deliveries().enqueue(&NewDelivery {
        // The name lets only one digest be written for each time, also if two processes try.
        name: format!("digest.{}.{}", to.user, due_at.micros()),
        channel: Channel::Email,
        user: Some(to.user),
        to: Recipient::Destination(to.id),
        cause: Cause::Digest,
        // The time for its attempts begins when it is due. A weekly digest waits longer than these attempts may take.
        at: due_at,
        due_at,
    })
}

/// Whether everybody may see the bet that the notification is about. A deleted bet does not count as public.
pub(super) fn is_public(tx: &mut dyn Tx, body: &NoticeBody, bet: Option<BetId>) -> Result<bool> {
    match (body, bet) {
        (NoticeBody::Bet { .. }, Some(bet)) => tx.deliveries().is_public(bet),
        (NoticeBody::Bet { .. }, None) => Ok(false),
        (_, _) => Ok(true),
    }
}
