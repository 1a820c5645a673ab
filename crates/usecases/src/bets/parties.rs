//! Actions of the parties on their bet.

use std::sync::Arc;

use bolts_bets::{Bet, Change, Outcome, Refusal, Text};
use bolts_kernel::{BetId, FieldError, ProposalId, Timestamp};
use bolts_ports::BetView;
use bolts_resolution::Answer;

use super::ActionError;
use super::act::Action;
use crate::{Actor, App, Hourly, Idempotent, Reply};

/// The result of an action of a party.
pub(super) type Acted = Result<Reply<BetView>, ActionError>;

impl App {
    pub(super) async fn act_as_party(
        &self,
        actor: Actor,
        bet: BetId,
        hourly: Option<Hourly>,
        idempotency: Option<Idempotent<BetView>>,
        decide: impl Fn(Bet, Timestamp) -> Result<Change, Refusal> + Send + Sync + 'static,
    ) -> Acted {
        self.act(Action { actor, bet, decide: Arc::new(decide), extra: None, hourly, idempotency }).await
    }

    /// The creator deletes a pending bet and gets the stake back.
    pub async fn delete_bet(&self, actor: Actor, bet: BetId) -> Acted {
        self.act_as_party(actor, bet, None, None, move |bet, now| bet.delete(actor.user, now)).await
    }

    /// Opens the resolution of a bet. The button is 'End Bet Early' for the creator and 'Resolve Expired Bet' for
    /// the acceptor.
    pub async fn end_bet_early(&self, actor: Actor, bet: BetId) -> Acted {
        self.act_as_party(actor, bet, None, None, move |bet, now| {
            bolts_resolution::end_early(bet, actor.user, now)
        })
        .await
    }

    /// Proposes an outcome. Under Manual Verification, this declares the outcome.
    pub async fn propose_outcome(
        &self,
        actor: Actor,
        bet: BetId,
        outcome: Outcome,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Acted {
        let id = self.id::<ProposalId>();
        self.act_as_party(actor, bet, Some(Hourly::Actions), idempotency, move |bet, now| {
            bolts_resolution::propose(bet, actor.user, outcome, id, now)
        })
        .await
    }

    /// Accepts or rejects the proposal that waits for an answer. `named` is the id of the proposal that the user
    /// saw, if the client sends this id.
    pub async fn respond_to_proposal(
        &self,
        actor: Actor,
        bet: BetId,
        answer: Answer,
        named: Option<ProposalId>,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Acted {
        self.act_as_party(actor, bet, Some(Hourly::Actions), idempotency, move |bet, now| {
            bolts_resolution::respond(bet, actor.user, answer, named, now)
        })
        .await
    }

    /// Disputes a bet. `reason` must have passed [`dispute_reason`].
    pub async fn dispute_bet(&self, actor: Actor, bet: BetId, reason: String) -> Acted {
        self.act_as_party(actor, bet, Some(Hourly::Actions), None, move |bet, now| {
            bolts_resolution::dispute(bet, actor.user, &reason, now)
        })
        .await
    }
}

/// Checks the reason of a dispute: 1 to 2,000 characters.
pub fn dispute_reason(text: &str) -> Result<String, FieldError> {
    Text::parse("reason", "Reason", text, 1..=2_000).map(|text| text.to_string())
}
