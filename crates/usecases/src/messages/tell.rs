//! The notifications and hints of messages.

use std::collections::BTreeSet;
use std::sync::Arc;

use bolts_bets::{Bet, NoticeKind, Party};
use bolts_kernel::{NotificationId, Timestamp, UserId};
use bolts_messages::Message;
use bolts_ports::{About, Hint, Ids, NewNotification, NoticeBody, NoticeParams, Result, Tx};

use crate::notifications::may_tell;

/// The pages of the authors of this many latest messages fetch a new message at once. All other readers get it with
/// the next poll.
const LATEST: u32 = 20;

/// The parties and this arbiter.
fn with_parties(bet: &Bet, arbiter: Option<UserId>) -> impl Iterator<Item = UserId> {
    let parties = [Party::Creator, Party::Acceptor].into_iter().filter_map(|party| bet.user(party));
    parties.chain(arbiter)
}

/// The users who get notifications of messages on this bet. An arbiter gets none before accepting: anybody can invite a user,
/// and must not fill the user's list.
fn notified(bet: &Bet) -> impl Iterator<Item = UserId> {
    with_parties(bet, bet.ruling_arbiter())
}

/// Notifies the users concerned, except the author, and sends hints to the open pages. A notification contains no part
/// of the message, because the messages of a private bet never leave the bet.
pub(super) fn of_new_message(
    tx: &mut dyn Tx,
    bet: &Bet,
    message: &Message,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<()> {
    let mut notifications = Vec::new();
    for reader in notified(bet).filter(|reader| *reader != message.author) {
        let bucket = format!("message_notice:{}:{reader}", bet.id);
        // A party of a bet that has ended may have deleted the account.
        if may_tell(tx, &bucket, now)? && tx.departures().is_here(reader)? {
            let params = NoticeParams::about(bet, None, None, reader);
            let body = NoticeBody::Bet { kind: NoticeKind::MessageWritten, params };
            let id = ids.id::<NotificationId>();
            notifications.push(NewNotification { id, user: reader, body, bet: Some(bet.id), at: now });
        }
    }
    if !notifications.is_empty() {
        tx.notifications().insert(&notifications)?;
    }
    let told = notifications.iter().map(|new| Hint { user: new.user, about: About::Notification });
    of_change(tx, bet, told.collect(), now)
}

/// Sends hints that the messages of the bet have changed, after the given hints.
pub(super) fn of_change(tx: &mut dyn Tx, bet: &Bet, mut hints: Vec<Hint>, now: Timestamp) -> Result<()> {
    let mut readers: BTreeSet<UserId> = with_parties(bet, bet.active_arbiter()).collect();
    readers.extend(tx.messages().recent_authors(bet.id, LATEST)?);
    hints.extend(readers.into_iter().map(|user| Hint { user, about: About::Bet(bet.id) }));
    tx.outbox().enqueue(&hints, now)
}
