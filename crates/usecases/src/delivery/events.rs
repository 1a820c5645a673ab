//! The events of webhooks.

use bolts_delivery::{Channel, Topic};
use bolts_ports::{Cause, Delivery, Event, Fate, Recipient, Result, Tx};

use super::carrier::Message;
use super::plan::Plan;

/// The kind of the event with which a user tests the webhook.
pub(crate) const TEST: &str = "test";

/// The event of a notification, if the user wants it.
pub(super) fn plan(tx: &mut dyn Tx, delivery: &Delivery) -> Result<Plan> {
    let (Cause::Notification { id, kind, bet, .. }, Recipient::Destination(to)) =
        (&delivery.cause, &delivery.to)
    else {
        return Ok(Plan::End(Fate::GivenUp("a webhook only gets notifications".to_owned())));
    };
    let Some(to) = tx.contacts().destination(*to)?.filter(|to| to.stopped.is_none()) else {
        return Ok(Plan::End(Fate::Dropped));
    };
    let Some(secret) = to.secret else {
        return Ok(Plan::End(Fate::GivenUp("the webhook has no secret".to_owned())));
    };
    let is_wanted = |wants: bolts_delivery::Wants| wants.has(Channel::Webhook);
    if kind != TEST && !is_wanted(tx.contacts().preferences(to.user)?.wants(Topic::of(kind))) {
        return Ok(Plan::End(Fate::Dropped));
    }
    let event = Event {
        name: delivery.name.clone(),
        url: to.address,
        secret,
        kind: kind.clone(),
        at: delivery.created_at,
        notification: *id,
        bet: *bet,
    };
    Ok(Plan::Send(Box::new(Message::Event(event)), Vec::new()))
}
