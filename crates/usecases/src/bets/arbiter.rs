//! Actions of the named arbiter of a bet, and the choice of an arbiter.

use std::sync::Arc;

use bolts_bets::{Change, NoticeKind, Outcome, Text};
use bolts_kernel::{BetId, FieldError, Timestamp, UserId};
use bolts_ports::{BetView, Ids, StoreError, Tx};
use bolts_resolution::deadlines;

use super::parties::Acted;
use super::record;
use crate::notifications::may_tell;
use crate::{Actor, App, Hourly, Idempotent};

impl App {
    /// The named arbiter accepts or declines the invitation. After an acceptance, `accept = false` gives the task up.
    pub async fn answer_invitation(&self, actor: Actor, bet: BetId, accept: bool) -> Acted {
        self.act_as_party(actor, bet, Some(Hourly::Actions), None, move |bet, now| {
            bolts_resolution::answer_invitation(bet, actor.user, accept, now)
        })
        .await
    }

    /// The arbiter rules on a dispute. `note` must have passed [`arbiters_note`].
    pub async fn rule_as_arbiter(
        &self,
        actor: Actor,
        bet: BetId,
        outcome: Outcome,
        note: String,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Acted {
        self.act_as_party(actor, bet, None, idempotency, move |bet, now| {
            bolts_resolution::rule_as_arbiter(bet, actor.user, outcome, &note, now)
        })
        .await
    }
}

/// Declines an invitation in the transaction of a deletion of an account. If a deadline of the bet must be applied first,
/// the inner error names the bet.
pub(crate) fn decline_invitation(
    tx: &mut dyn Tx,
    bet: BetId,
    user: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Result<(), BetId>, StoreError> {
    // Another job may have deleted the bet since it was found.
    let Some(bet) = tx.bets().lock(bet)? else { return Ok(Ok(())) };
    if deadlines::is_overdue(&bet, now) {
        return Ok(Err(bet.id));
    }
    // The bet may also have ended since then.
    let Ok(change) = bolts_resolution::answer_invitation(bet, user, false, now) else { return Ok(Ok(())) };
    record::update(tx, &change, ids, now).map(Ok)
}

/// Checks the note of an arbiter's ruling: 1 to 2,000 characters. The parties have no other reason to read.
pub fn arbiters_note(text: &str) -> Result<String, FieldError> {
    Text::parse("note", "Note", text, 1..=2_000).map(|text| text.to_string())
}

/// The user with this username as the arbiter of a bet of `creator`. The inner error says why the user cannot be the
/// arbiter.
pub(super) fn named(
    tx: &mut dyn Tx,
    username: &str,
    creator: UserId,
) -> Result<Result<UserId, FieldError>, StoreError> {
    let error = |message: &str| Ok(Err(FieldError::new("arbiter", message)));
    match tx.users().by_username(username)? {
        None => error("No user has this username."),
        Some(user) if user == creator => error("You cannot be the arbiter of your own bet."),
        Some(user) => Ok(Ok(user)),
    }
}

/// The change of a new bet. The notification of the arbiter is left out if the creator has caused one for this user within the
/// last hour. The invitation is still in the list of the bets that wait for the arbiter.
pub(super) fn notified_hourly(
    tx: &mut dyn Tx,
    mut created: Change,
    now: Timestamp,
) -> Result<Change, StoreError> {
    let Some(arbiter) = created.bet.arbiter else { return Ok(created) };
    let bucket = format!("invitation_notice:{}:{}", created.bet.creator, arbiter.user);
    if !may_tell(tx, &bucket, now)? {
        created.notices.retain(|notice| notice.kind != NoticeKind::ArbiterInvited);
    }
    Ok(created)
}
