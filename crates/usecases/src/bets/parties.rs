use std::sync::Arc;

use bolts_bets::{Bet, Change, Outcome, Refusal};
use bolts_kernel::{BetId, FieldError, ProposalId, Timestamp};
use bolts_ports::BetView;
use bolts_resolution::Answer;

use super::ActionError;
use super::act::Action;
use crate::{Actor, App, Hourly, Once, Reply};

/// What a party's action on a bet comes to.
type Acted = Result<Reply<BetView>, ActionError>;

impl App {
    async fn act_as_party(
        &self,
        actor: Actor,
        bet: BetId,
        hourly: Option<Hourly>,
        repeat: Option<Once<BetView>>,
        decide: impl Fn(Bet, Timestamp) -> Result<Change, Refusal> + Send + Sync + 'static,
    ) -> Acted {
        self.act(Action { actor, bet, decide: Arc::new(decide), extra: None, hourly, repeat }).await
    }

    /// The creator takes a pending bet back, with the stake.
    ///
    /// # Errors
    /// [`ActionError`].
    pub async fn delete_bet(&self, actor: Actor, bet: BetId) -> Acted {
        self.act_as_party(actor, bet, None, None, move |bet, now| bet.delete(actor.user, now)).await
    }

    /// 'End Bet Early' or 'Resolve Expired Bet'.
    ///
    /// # Errors
    /// [`ActionError`].
    pub async fn end_bet_early(&self, actor: Actor, bet: BetId) -> Acted {
        self.act_as_party(actor, bet, None, None, move |bet, now| {
            bolts_resolution::end_early(bet, actor.user, now)
        })
        .await
    }

    /// Proposes an outcome, or declares it under Manual Verification.
    ///
    /// # Errors
    /// [`ActionError`].
    pub async fn propose_outcome(
        &self,
        actor: Actor,
        bet: BetId,
        outcome: Outcome,
        repeat: Option<Once<BetView>>,
    ) -> Acted {
        let id = self.id(ProposalId::from_uuid);
        self.act_as_party(actor, bet, Some(Hourly::Actions), repeat, move |bet, now| {
            bolts_resolution::propose(bet, actor.user, outcome, id, now)
        })
        .await
    }

    /// Accepts or rejects the standing proposal; `named` is the one that the user saw, where the client says so.
    ///
    /// # Errors
    /// [`ActionError`].
    pub async fn respond_to_proposal(
        &self,
        actor: Actor,
        bet: BetId,
        answer: Answer,
        named: Option<ProposalId>,
        repeat: Option<Once<BetView>>,
    ) -> Acted {
        self.act_as_party(actor, bet, Some(Hourly::Actions), repeat, move |bet, now| {
            bolts_resolution::respond(bet, actor.user, answer, named, now)
        })
        .await
    }

    /// Calls for an admin's ruling; `reason` has been judged by [`dispute_reason`].
    ///
    /// # Errors
    /// [`ActionError`].
    pub async fn dispute_bet(&self, actor: Actor, bet: BetId, reason: String) -> Acted {
        self.act_as_party(actor, bet, Some(Hourly::Actions), None, move |bet, now| {
            bolts_resolution::dispute(bet, actor.user, &reason, now)
        })
        .await
    }
}

/// Judges the reason of a dispute: 1 to 2,000 characters.
///
/// # Errors
/// The field error.
pub fn dispute_reason(text: &str) -> Result<String, FieldError> {
    bolts_bets::trimmed_length_error(text, 1, 2_000, "Reason", "Reason is required")
        .map(|text| text.to_string())
        .map_err(|message| FieldError::new("reason", message))
}
