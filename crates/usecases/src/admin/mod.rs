//! The actions of admins and of the operator. The transaction of each action also records the action and its author.

mod users;

pub use users::{GrantedBolts, UserActionError, grant_amount};

use std::sync::Arc;

use bolts_bets::{Bet, Change, Outcome, Refusal, Text};
use bolts_kernel::{BetId, FieldError, Timestamp, UserId};
use bolts_ports::{AdminAction, BetView, StoreError, submit};

use crate::accounts::stored_email;
use crate::bets::ActionError;
use crate::bets::act::Action;
use crate::{Actor, App, Idempotent, Reply, operator};

/// Checks the note of a ruling: at most 2,000 characters.
pub fn ruling_note(text: &str) -> Result<String, FieldError> {
    Text::parse("note", "Note", text, 0..=2_000).map(|text| text.to_string())
}

impl App {
    /// Rules on a dispute. `note` must have passed [`ruling_note`].
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if the user is not an admin.
    pub async fn rule_on_bet(
        &self,
        actor: Actor,
        bet: BetId,
        outcome: Outcome,
        note: String,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Result<Reply<BetView>, ActionError> {
        let detail = bolts_resolution::ruling(outcome, &note);
        self.act_as_admin(actor, bet, "rule_on_bet", Some(detail), idempotency, move |bet, now| {
            bolts_resolution::rule(bet, actor.user, outcome, &note, now)
        })
        .await
    }

    /// Refunds all stakes of a bet.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if the user is not an admin.
    pub async fn refund_bet(
        &self,
        actor: Actor,
        bet: BetId,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Result<Reply<BetView>, ActionError> {
        self.act_as_admin(actor, bet, "refund_bet", None, idempotency, move |bet, now| {
            bolts_resolution::refund(bet, actor.user, now)
        })
        .await
    }

    /// Deletes a bet from all lists and pages. Stakes in escrow go back to their owners.
    ///
    /// # Errors
    /// [`Refusal::NotAllowed`] if the user is not an admin.
    pub async fn remove_bet(&self, actor: Actor, bet: BetId) -> Result<Reply<BetView>, ActionError> {
        self.act_as_admin(actor, bet, "delete_bet", None, None, move |bet, now| {
            bolts_resolution::admin_delete(bet, actor.user, now)
        })
        .await
    }

    async fn act_as_admin(
        &self,
        actor: Actor,
        bet: BetId,
        name: &'static str,
        detail: Option<String>,
        idempotency: Option<Idempotent<BetView>>,
        decide: impl Fn(Bet, Timestamp) -> Result<Change, Refusal> + Send + Sync + 'static,
    ) -> Result<Reply<BetView>, ActionError> {
        if !actor.is_admin {
            return Err(Refusal::NotAllowed.into());
        }
        let extra = move |tx: &mut dyn bolts_ports::Tx, change: &Change| {
            tx.admin_actions().record(&AdminAction {
                admin: Some(actor.user),
                action: name,
                user: None,
                bet: Some(change.bet.id),
                detail: detail.clone(),
                at: change.bet.updated_at,
            })
        };
        let (decide, extra) = (Arc::new(decide), Some(Arc::new(extra) as _));
        self.act(Action { actor, bet, decide, extra, hourly: None, idempotency }).await
    }

    /// Grants or revokes the admin rights of a user, on a command of the operator. Returns the user with this
    /// e-mail address, if there is one.
    pub async fn set_admin(&self, email: &str, is_admin: bool) -> Result<Option<UserId>, StoreError> {
        let (now, email) = (self.now(), stored_email(email));
        submit(&*self.store, move |tx| {
            let user = tx.users().set_admin(&email, is_admin)?;
            if user.is_some() {
                let action = if is_admin { "grant_admin" } else { "revoke_admin" };
                operator::record(tx, action, user, None, now)?;
            }
            Ok::<_, StoreError>(user)
        })
        .await
    }
}
