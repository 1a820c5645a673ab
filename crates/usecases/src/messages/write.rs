use std::sync::Arc;

use bolts_bets::Text;
use bolts_kernel::{MessageId, PictureId, Timestamp};
use bolts_messages::{Message, check_attach, check_chosen};
use bolts_ports::{Ids, Lane, MessageView, Tx, submit_for};

use super::{MessageError, On, lock_seen, tell};
use crate::accounts::require_here;
use crate::idempotency::once;
use crate::{Actor, App, Hourly, Idempotent, Reply, Rules};

/// The content of a new message.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// The text, which has passed `bolts_messages::message_text`.
    pub text: Text,
    /// Pictures that the author has uploaded to the bet before, in the order in which readers see them.
    pub pictures: Vec<PictureId>,
}

impl App {
    /// Writes a message on a bet, and tells the parties.
    pub async fn write_message(
        &self,
        actor: Actor,
        on: On,
        new: NewMessage,
        idempotency: Option<Idempotent<MessageView>>,
    ) -> Result<Reply<MessageView>, MessageError> {
        let kept = idempotency.clone();
        let attempt = self.past_deadlines(MessageError::overdue, async || {
            let (on, new, kept) = (on.clone(), new.clone(), kept.clone());
            let (now, ids, rules) = (self.now(), self.environment.ids.clone(), self.rules);
            submit_for(&*self.store, Lane::User(actor.user), move |tx| {
                once(tx, kept.as_ref(), now, |tx| write(tx, actor, &on, &new, (rules, &ids, now)))
            })
            .await
        });
        self.within_hourly(actor.user, Hourly::Messages, idempotency, MessageError::hourly_limit, attempt)
            .await
    }
}

fn write(
    tx: &mut dyn Tx,
    actor: Actor,
    on: &On,
    new: &NewMessage,
    (rules, ids, now): (Rules, &Arc<dyn Ids>, Timestamp),
) -> Result<MessageView, MessageError> {
    require_here(tx, actor.user)?;
    let bet = lock_seen(tx, on, actor, now)?;

    let draft =
        bolts_messages::NewMessage { id: ids.id::<MessageId>(), author: actor.user, text: new.text.clone() };
    let message = Message::write(draft, &bet, now)?;
    if !new.pictures.is_empty() {
        // The arbiter may have uploaded a picture and given the task up since.
        check_attach(&bet, actor.user)?;
        let loose = tx.messages().loose_pictures(bet.id, actor.user)?;
        check_chosen(&new.pictures, &loose).map_err(MessageError::Invalid)?;
    }
    Hourly::Messages.count(tx, actor.user, rules, now)??;

    tx.messages().insert(&message, &new.pictures)?;
    tell::of_new_message(tx, &bet, &message, ids, now)?;
    Ok(tx.messages().view(message)?)
}
