//! Mails, push messages and events of webhooks: the worker that sends them, and what the links in mails do.

mod accounts;
mod courier;
mod late;
mod leaving;
mod letters;
mod preferences;
mod push;
mod webhook;

use std::collections::VecDeque;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_delivery::{Channel, Preferences};
use bolts_ports::{
    Cause, DeliveryQueries, Fate, Mail, Mailer, NewDelivery, Pending, Recipient, StoreError, Undelivered,
    submit,
};
use bolts_usecases::delivery::Courier;
use bolts_usecases::notifications::WebhookChoice;
use bolts_usecases::{Actor, App, Rules};
use futures_executor::block_on;
use mockall::mock;

use crate::stage::{ADDRESS, DAY, Stage};

mock! {
    Relay {}

    impl Mailer for Relay {
        fn send(&self, mail: Mail) -> Pending<'static, Result<(), Undelivered>>;
    }
}

/// A site that sends mails, and its relay.
struct Post {
    stage: Stage,
    courier: Courier,
    relay: Relay,
}

/// The relay's side of the test.
#[derive(Clone, Default)]
struct Relay {
    /// All mails that reached the relay, also those that it refused.
    seen: Arc<Mutex<Vec<Mail>>>,
    /// The next answers. After them, the relay takes everything.
    answers: Arc<Mutex<VecDeque<Undelivered>>>,
}

impl Relay {
    fn mailer(&self) -> Arc<dyn Mailer> {
        let (relay, mut mock) = (self.clone(), MockRelay::new());
        mock.expect_send().returning(move |mail| {
            relay.seen.lock().expect("no panic").push(mail);
            let refusal = relay.answers.lock().expect("no panic").pop_front();
            Box::pin(ready(refusal.map_or(Ok(()), Err)))
        });
        Arc::new(mock)
    }

    /// Lets the next attempts fail.
    fn refuses(&self, why: impl IntoIterator<Item = Undelivered>) {
        self.answers.lock().expect("no panic").extend(why);
    }

    /// Takes the mails that reached the relay since the last call.
    fn mails(&self) -> Vec<Mail> {
        std::mem::take(&mut *self.seen.lock().expect("no panic"))
    }
}

fn courier(app: &App, mailer: Arc<dyn Mailer>) -> Courier {
    block_on(Courier::new(app.clone(), mailer, "https://bets.example".to_owned())).expect("ready")
}

/// Rules of a site that sends mails.
fn rules() -> Rules {
    Rules { signins_per_minute: 0, signups_per_hour: 0, sends_mail: true, ..Rules::default() }
}

impl Post {
    fn new() -> Self {
        let (stage, relay) = (Stage::with_rules(rules()), Relay::default());
        let courier = courier(&stage.app, relay.mailer());
        Self { stage, courier, relay }
    }

    /// Sends what is due, and returns the mails that reached the relay.
    fn deliver(&self) -> Vec<Mail> {
        while block_on(self.courier.deliver()).expect("delivered") > 0 {}
        self.relay.mails()
    }

    /// A user who has confirmed the address.
    fn user(&self, name: &str) -> Actor {
        let actor = self.stage.user(name);
        let mail = only(self.deliver());
        self.confirm(&token(&mail)).expect("confirmed");
        actor
    }

    /// What is due now is left for the digest of the next day. Returns this digest.
    fn digest(&self) -> Mail {
        assert_eq!(self.deliver(), []);
        self.stage.clock.advance(DAY);
        only(self.deliver())
    }

    fn confirm(&self, token: &str) -> Result<(), bolts_usecases::accounts::EmailError> {
        block_on(self.stage.app.confirm_email(token.to_owned(), ADDRESS))
    }

    /// The kinds of the user's notifications, newest first.
    fn notified(&self, actor: Actor) -> Vec<&'static str> {
        let all = bolts_ports::Queries::notifications(&*self.stage.store, actor.user).expect("readable");
        all.iter().map(|one| one.body.kind()).collect()
    }
}

fn choose(post: &Post, actor: Actor, change: impl FnOnce(&mut Preferences)) {
    let mut preferences = post.stage.store.preferences_of(actor.user).expect("readable");
    change(&mut preferences);
    let change = move |own: &mut Preferences| *own = preferences.clone();
    block_on(post.stage.app.change_choices(actor.user, WebhookChoice::Keep, change)).expect("stored");
}

/// Writes a delivery of a notification whose kind only another version of the program knows. It has this age and is due now, or
/// is held for the digest. The user has an unread notification.
fn of_another_version(stage: &Stage, actor: Actor, channel: Channel, age: Duration, is_held: bool) {
    let (now, user) = (stage.now(), actor.user);
    let written = submit::<_, StoreError, _>(&*stage.store, move |tx| {
        let to = match channel {
            Channel::Email => tx.contacts().email_of(user)?,
            Channel::Push => tx.contacts().browsers_of(user)?.pop(),
            Channel::Webhook => tx.contacts().webhook_of(user)?,
        };
        let id = tx.deliveries().unread(user)?.pop().expect("a notification");
        let (kind, params) = ("weather_changed".to_owned(), "{}".to_owned());
        tx.deliveries().enqueue(&NewDelivery {
            name: "of another version".to_owned(),
            channel,
            user: Some(user),
            to: Recipient::Destination(to.expect("a destination").id),
            cause: Cause::Notification { id, kind, params, bet: None },
            at: now.before(age),
            due_at: now,
        })?;
        let due = if is_held { tx.deliveries().claim(channel, now, now, 9)? } else { Vec::new() };
        due.iter().try_for_each(|one| tx.deliveries().settle(one.id, &Fate::Held, now))
    });
    block_on(written).expect("written");
}

/// The only mail.
fn only(mut mails: Vec<Mail>) -> Mail {
    assert_eq!(mails.len(), 1, "{mails:#?}");
    mails.remove(0)
}

/// The token in the mail's button.
fn token(mail: &Mail) -> String {
    let (_, link) = mail.letter.button.as_ref().expect("a button");
    link.split_once('#').expect("a token").1.to_owned()
}

fn subjects(mails: &[Mail]) -> Vec<(&str, &str)> {
    mails.iter().map(|mail| (mail.to.as_str(), mail.letter.subject.as_str())).collect()
}
