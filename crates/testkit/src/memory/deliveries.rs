//! Destinations, deliveries, preferences and tokens.

use std::collections::BTreeMap;

use bolts_bets::Visibility;
use bolts_delivery::{Channel, Preferences};
use bolts_kernel::{BetId, DestinationId, NotificationId, Timestamp, UserId};
use bolts_ports::{
    Backlog, BetKey, Cause, Contacts, Deliveries, Delivery, DeliveryQueries, Destination, Fate, NewDelivery,
    NewNotification, Purpose, Recipient, Result, Token, Tokens,
};

use super::MemoryStore;
use super::removal::Removal;
use super::state::{State, broken};
use super::tx::MemoryTx;

/// Destinations, deliveries, preferences and tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct Outgoing {
    destinations: BTreeMap<DestinationId, Destination>,
    deliveries: Vec<Row>,
    preferences: BTreeMap<UserId, Preferences>,
    tokens: BTreeMap<String, Token>,
}

#[derive(Clone, Debug)]
struct Row {
    delivery: Delivery,
    /// `None` as long as the delivery is queued.
    fate: Option<Fate>,
    next_at: Timestamp,
    leased_until: Option<Timestamp>,
    ended_at: Option<Timestamp>,
}

impl Row {
    fn is_due(&self, channel: Channel, now: Timestamp) -> bool {
        self.fate.is_none() && self.delivery.channel == channel && self.next_at <= now
    }

    fn is_free(&self, now: Timestamp) -> bool {
        self.leased_until.is_none_or(|until| until <= now)
    }
}

impl Outgoing {
    fn requested_address(&self, user: UserId, own: &str, now: Timestamp) -> Option<String> {
        let requested = self.tokens.values().filter(|token| {
            let is_valid = token.purpose == Purpose::ConfirmAddress && token.expires_at > now;
            token.user == user && is_valid && token.address != own
        });
        requested.max_by_key(|token| token.expires_at).map(|token| token.address.clone())
    }

    fn add(&mut self, delivery: Delivery, next_at: Timestamp) {
        if self.deliveries.iter().all(|row| row.delivery.name != delivery.name) {
            let id = self.deliveries.last().map_or(1, |row| row.delivery.id + 1);
            let delivery = Delivery { id, ..delivery };
            self.deliveries.push(Row { delivery, fate: None, next_at, leased_until: None, ended_at: None });
        }
    }

    /// Removes all that belongs to a user, and the mails to this address.
    pub(super) fn erase(&mut self, user: UserId, address: &str) {
        let is_theirs = |delivery: &Delivery| {
            delivery.user == Some(user) || delivery.to == Recipient::Address(address.to_owned())
        };
        self.deliveries.retain(|row| !is_theirs(&row.delivery));
        self.destinations.retain(|_, destination| destination.user != user);
        self.preferences.remove(&user);
        self.tokens.retain(|_, token| token.user != user);
    }

    /// Removes the browsers that subscribed in one of the ended sessions.
    pub(super) fn forget_browsers(&mut self, has_ended: impl Fn(&Destination, &str) -> bool) {
        self.destinations.retain(|_, destination| {
            destination.browser.as_ref().is_none_or(|browser| !has_ended(destination, &browser.session))
        });
    }

    /// Moves the browsers of a session whose hash has changed.
    pub(super) fn move_browsers(&mut self, from: &str, to: &str) {
        let browsers = self.destinations.values_mut().filter_map(|destination| destination.browser.as_mut());
        for browser in browsers.filter(|browser| browser.session == from) {
            browser.session = to.to_owned();
        }
    }

    /// The user's destinations, in the order of their confirmation.
    pub(super) fn destinations_of(&self, user: UserId) -> Vec<Destination> {
        let own = self.destinations.values().filter(|destination| destination.user == user);
        let mut own: Vec<Destination> = own.cloned().collect();
        own.sort_by_key(|destination| (destination.confirmed_at, destination.id));
        own
    }

    /// The user's only destination on this channel.
    fn single(&self, user: UserId, channel: Channel) -> Option<&Destination> {
        let mut own = self.destinations.values().filter(|destination| destination.user == user);
        own.find(|destination| destination.channel == channel)
    }
}

impl State {
    /// Writes the deliveries of a notification.
    pub(super) fn send(&mut self, new: &NewNotification) {
        let destinations: Vec<Destination> = self.outgoing.destinations.values().cloned().collect();
        let working = destinations.into_iter().filter(|d| d.user == new.user && d.stopped.is_none());
        for destination in working {
            let cause = Cause::Notification {
                id: new.id,
                kind: new.body.kind().to_owned(),
                params: new.body.params(),
                bet: new.bet,
            };
            let delivery = Delivery {
                id: 0,
                name: format!("{}.{}", new.id, destination.id),
                channel: destination.channel,
                user: Some(new.user),
                to: Recipient::Destination(destination.id),
                cause,
                created_at: new.at,
                attempts: 0,
            };
            self.outgoing.add(delivery, new.at);
        }
    }
}

impl Deliveries for MemoryTx {
    fn enqueue(&mut self, new: &NewDelivery) -> Result<()> {
        let NewDelivery { name, channel, user, to, cause, at, due_at } = new.clone();
        let delivery = Delivery { id: 0, name, channel, user, to, cause, created_at: at, attempts: 0 };
        self.state.outgoing.add(delivery, due_at);
        Ok(())
    }

    fn claim(
        &mut self,
        channel: Channel,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>> {
        let rows = self.state.outgoing.deliveries.iter_mut();
        let mut free: Vec<_> = rows.filter(|row| row.is_due(channel, now) && row.is_free(now)).collect();
        free.sort_by_key(|row| (row.delivery.cause.is_a_notification(), row.next_at, row.delivery.id));
        let taken = free.into_iter().take(limit as usize);
        Ok(taken
            .map(|row| {
                row.leased_until = Some(until);
                row.delivery.attempts += 1;
                row.delivery.clone()
            })
            .collect())
    }

    fn settle(&mut self, id: i64, fate: &Fate, now: Timestamp) -> Result<()> {
        let rows = self.state.outgoing.deliveries.iter_mut();
        let open = |row: &Row| matches!(row.fate, None | Some(Fate::Held));
        if let Some(row) = rows.into_iter().find(|row| row.delivery.id == id && open(row)) {
            row.leased_until = None;
            match fate {
                Fate::Again(at, _) => (row.next_at, row.fate) = (*at, None),
                Fate::PutOff(at) => {
                    (row.next_at, row.fate) = (*at, None);
                    row.delivery.attempts -= 1;
                }
                Fate::Sent | Fate::Held | Fate::Dropped | Fate::GivenUp(_) => {
                    row.ended_at = (*fate != Fate::Held).then_some(now);
                    row.fate = Some(fate.clone());
                }
            }
        }
        Ok(())
    }

    fn held(&mut self, user: UserId, limit: u32, _: Timestamp) -> Result<Vec<Delivery>> {
        let rows = self.state.outgoing.deliveries.iter();
        let held = rows.filter(|row| row.fate == Some(Fate::Held) && row.delivery.user == Some(user));
        Ok(held.take(limit as usize).map(|row| row.delivery.clone()).collect())
    }

    fn unread(&mut self, user: UserId) -> Result<Vec<NotificationId>> {
        let own = self.state.notifications.get(&user).into_iter().flatten();
        Ok(own.filter(|notification| !notification.is_read).map(|notification| notification.id).collect())
    }

    fn is_public(&mut self, bet: BetId) -> Result<bool> {
        let found = self.state.find(&BetKey::Id(bet));
        Ok(found.is_some_and(|row| row.bet.terms.visibility == Visibility::Public))
    }

    fn untaken(
        &mut self,
        channel: Channel,
        due_at: Timestamp,
        limit: u32,
        _: Timestamp,
    ) -> Result<Vec<Delivery>> {
        let rows = self.state.outgoing.deliveries.iter();
        let mut free: Vec<_> =
            rows.filter(|row| row.is_due(channel, due_at) && row.is_free(due_at)).collect();
        free.sort_by_key(|row| (row.next_at, row.delivery.id));
        Ok(free.into_iter().take(limit as usize).map(|row| row.delivery.clone()).collect())
    }

    fn remove_ended(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        let is_kept = |row: &Row| row.ended_at.is_none_or(|at| at >= before);
        self.state.outgoing.deliveries.retain(|row| some.keeps(is_kept(row)));
        Ok(some.removed())
    }
}

impl Contacts for MemoryTx {
    fn destination(&mut self, id: DestinationId) -> Result<Option<Destination>> {
        Ok(self.state.outgoing.destinations.get(&id).cloned())
    }

    fn email_of(&mut self, user: UserId) -> Result<Option<Destination>> {
        Ok(self.state.outgoing.single(user, Channel::Email).cloned())
    }

    fn webhook_of(&mut self, user: UserId) -> Result<Option<Destination>> {
        Ok(self.state.outgoing.single(user, Channel::Webhook).cloned())
    }

    fn browsers_of(&mut self, user: UserId) -> Result<Vec<Destination>> {
        let mut own = self.state.outgoing.destinations_of(user);
        own.retain(|destination| destination.channel == Channel::Push);
        Ok(own)
    }

    fn remove(&mut self, id: DestinationId) -> Result<()> {
        self.state.outgoing.destinations.remove(&id);
        Ok(())
    }

    fn put(&mut self, new: &Destination) -> Result<()> {
        let all = &mut self.state.outgoing.destinations;
        let is_browser = |old: &Destination| old.channel == Channel::Push && old.address == new.address;
        if new.channel == Channel::Push {
            all.retain(|_, old| old.user == new.user || !is_browser(old));
        }
        let is_same = |old: &Destination| {
            let is_single = new.channel != Channel::Push || old.address == new.address;
            old.user == new.user && old.channel == new.channel && is_single
        };
        let id = all.values().find(|old| is_same(old)).map_or(new.id, |old| old.id);
        all.insert(id, Destination { id, ..new.clone() });
        Ok(())
    }

    fn stop(&mut self, id: DestinationId, address: &str, reason: &str) -> Result<bool> {
        let found = self.state.outgoing.destinations.get_mut(&id);
        let working = found.filter(|found| found.address == address && found.stopped.is_none());
        Ok(working.map(|found| found.stopped = Some(reason.to_owned())).is_some())
    }

    fn preferences(&mut self, user: UserId) -> Result<Preferences> {
        Ok(self.state.outgoing.preferences.get(&user).cloned().unwrap_or_default())
    }

    fn set_preferences(&mut self, user: UserId, preferences: &Preferences) -> Result<()> {
        self.state.outgoing.preferences.insert(user, preferences.clone());
        Ok(())
    }

    fn set_email(&mut self, user: UserId, email: &str) -> Result<bool> {
        if self.state.user_of(email).is_some_and(|(owner, _)| owner != user) {
            return Ok(false);
        }
        let row = self.state.users.get_mut(&user).ok_or_else(|| broken(format!("no user {user}")))?;
        row.email = email.to_owned();
        Ok(true)
    }
}

impl Tokens for MemoryTx {
    fn insert(&mut self, token: &Token) -> Result<()> {
        match self.state.outgoing.tokens.insert(token.hash.clone(), token.clone()) {
            None => Ok(()),
            Some(_) => Err(broken("there is a token of that hash")),
        }
    }

    fn lock(&mut self, hash: &str, purpose: Purpose) -> Result<Option<Token>> {
        let found = self.state.outgoing.tokens.get(hash).filter(|token| token.purpose == purpose);
        Ok(found.cloned())
    }

    fn remove(&mut self, user: UserId, purpose: Purpose) -> Result<()> {
        self.state.outgoing.tokens.retain(|_, token| token.user != user || token.purpose != purpose);
        Ok(())
    }

    fn requested_address(&mut self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>> {
        Ok(self.state.outgoing.requested_address(user, own, now))
    }

    fn remove_requested(&mut self, user: UserId, own: &str) -> Result<()> {
        let is_it = |token: &Token| {
            token.user == user && token.purpose == Purpose::ConfirmAddress && token.address != own
        };
        self.state.outgoing.tokens.retain(|_, token| !is_it(token));
        Ok(())
    }

    fn remove_expired(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        let mut some = Removal::of(limit);
        self.state.outgoing.tokens.retain(|_, token| some.keeps(token.expires_at >= before));
        Ok(some.removed())
    }
}

impl DeliveryQueries for MemoryStore {
    fn is_delivery_due(&self, channel: Channel, now: Timestamp) -> Result<bool> {
        let state = self.state();
        Ok(state.outgoing.deliveries.iter().any(|row| row.is_due(channel, now) && row.is_free(now)))
    }

    fn backlogs(&self, now: Timestamp) -> Result<Vec<Backlog>> {
        let state = self.state();
        let backlog = |channel| {
            let due: Vec<_> =
                state.outgoing.deliveries.iter().filter(|row| row.is_due(channel, now)).collect();
            let oldest = due.iter().map(|row| row.next_at).min()?;
            Some(Backlog { channel, due: due.len() as i64, oldest })
        };
        Ok(Channel::ALL.into_iter().filter_map(backlog).collect())
    }

    fn email_destination(&self, user: UserId) -> Result<Option<Destination>> {
        Ok(self.state().outgoing.single(user, Channel::Email).cloned())
    }

    fn webhook(&self, user: UserId) -> Result<Option<Destination>> {
        Ok(self.state().outgoing.single(user, Channel::Webhook).cloned())
    }

    fn address_to_confirm(&self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>> {
        Ok(self.state().outgoing.requested_address(user, own, now))
    }

    fn preferences_of(&self, user: UserId) -> Result<Preferences> {
        Ok(self.state().outgoing.preferences.get(&user).cloned().unwrap_or_default())
    }
}
