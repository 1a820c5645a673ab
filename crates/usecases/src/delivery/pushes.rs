//! The messages for browsers.

use bolts_delivery::{Channel, Topic};
use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{Cause, Delivery, Destination, Fate, NoticeBody, PushMessage, Recipient, Result, Tx};
use serde_json::json;

use super::carrier::Message;
use super::events::TEST;
use super::letters::Notice;
use super::plan::{Plan, is_public, of_unknown_kind};
use super::texts;

/// The maximum length of the text, in characters. A push service takes about 4,000 bytes.
const LONGEST_TEXT: usize = 500;

/// The page that a message opens.
fn page(bet: Option<BetId>, topic: Topic) -> String {
    match (bet, topic) {
        (Some(bet), _) => format!("/bet/{bet}"),
        (None, Topic::Security) => "/account#security".to_owned(),
        (None, _) => "/".to_owned(),
    }
}

/// The message of a notification, if the user wants it.
pub(super) fn plan(tx: &mut dyn Tx, delivery: &Delivery, now: Timestamp) -> Result<Plan> {
    let (Cause::Notification { kind, params, bet, .. }, Recipient::Destination(to)) =
        (&delivery.cause, &delivery.to)
    else {
        return Ok(Plan::End(Fate::GivenUp("a browser only gets notifications".to_owned())));
    };
    let Some(to) = tx.contacts().destination(*to)? else { return Ok(Plan::End(Fate::Dropped)) };
    if kind == TEST {
        return message(tx, delivery, to, (texts::PUSH_TEST, texts::PUSH_TEST_TEXT.to_owned()), "/", false);
    }
    let Some(body) = NoticeBody::parse(kind, params) else {
        return Ok(Plan::End(of_unknown_kind(delivery, now)));
    };
    let (preferences, topic) = (tx.contacts().preferences(to.user)?, Topic::of(kind));
    if !preferences.wants(topic).has(Channel::Push) {
        return Ok(Plan::End(Fate::Dropped));
    }
    let is_public = is_public(tx, &body, *bet)?;
    let words = Notice { body: &body, bet: *bet, is_public }.words(&preferences);
    let text = words.message.chars().take(LONGEST_TEXT).collect();
    message(tx, delivery, to, (words.title, text), &page(*bet, topic), topic.is_urgent())
}

/// A message in the form that the service worker of the pages reads (`frontend/src/pwa/push.ts`).
fn message(
    tx: &mut dyn Tx,
    delivery: &Delivery,
    to: Destination,
    (title, text): (&str, String),
    page: &str,
    is_urgent: bool,
) -> Result<Plan> {
    let Some(keys) = to.secret else {
        return Ok(Plan::End(Fate::GivenUp("the browser has no keys".to_owned())));
    };
    let content = json!({
        "title": title,
        "body": text,
        "url": page,
        // A repeat replaces the message that the device shows already.
        "tag": delivery.name,
        "timestamp": delivery.created_at.micros() / 1_000,
        "unread": tx.deliveries().unread(to.user)?.len(),
    });
    let message = PushMessage { endpoint: to.address, keys, content: content.to_string(), is_urgent };
    Ok(Plan::Send(Box::new(Message::Push(message)), Vec::new()))
}
