use bolts_kernel::MessageId;
use bolts_messages::{Content, DeletedBy};
use bolts_ports::{AdminAction, Lane, Tx, submit_for};

use super::{MessageError, On, lock_seen, tell};
use crate::{Actor, App};

impl App {
    /// Deletes a message with its pictures. Its author and its time stay as a trace. A repeat changes nothing.
    pub async fn delete_message(&self, actor: Actor, on: On, id: MessageId) -> Result<(), MessageError> {
        self.past_deadlines(MessageError::overdue, async || {
            let (on, now) = (on.clone(), self.now());
            submit_for(&*self.store, Lane::User(actor.user), move |tx| delete(tx, actor, &on, id, now)).await
        })
        .await
    }
}

fn delete(
    tx: &mut dyn Tx,
    actor: Actor,
    on: &On,
    id: MessageId,
    now: bolts_kernel::Timestamp,
) -> Result<(), MessageError> {
    let bet = lock_seen(tx, on, actor, now)?;
    let message = tx.messages().lock(id)?.filter(|message| message.bet == bet.id);
    let message = message.ok_or(MessageError::MessageNotFound)?;

    if matches!(message.content, Content::Deleted(_)) {
        return Ok(());
    }
    let right = message.check_delete(&bet, actor.user, actor.is_admin, now)?;

    let author = message.author;
    tx.messages().delete(&message.deleted(actor.user, now))?;
    if right == DeletedBy::Admin {
        tx.admin_actions().record(&AdminAction {
            admin: Some(actor.user),
            action: "delete_message",
            user: Some(author),
            bet: Some(bet.id),
            detail: Some(format!("message {id}")),
            at: now,
        })?;
    }
    Ok(tell::of_change(tx, &bet, Vec::new(), now)?)
}
