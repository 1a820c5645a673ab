//! A user accepts a bet.

use std::sync::Arc;

use bolts_bets::{Refusal, ShareToken, Side};
use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{BetKey, BetView, Ids, JobError, Lane, Need, StoreError, Tx, submit_needing};

use super::act::seen_and_not_overdue;
use super::cooldown::no_cooldown;
use super::{ActionError, Cooldown, Shortfall, record};
use crate::idempotency::once;
use crate::{Actor, App, Idempotent, KeyReused, Refused, Reply};

/// The bet to accept, in one of the three forms of the request (`docs/http-api.md#bets`).
#[derive(Clone, Debug)]
pub enum AcceptKey {
    /// The id of the bet, and the share token if the request has one.
    Id(BetId, Option<ShareToken>),
    /// Only the share token.
    Token(ShareToken),
}

/// A request to accept a bet.
#[derive(Clone, Debug)]
pub struct Accept {
    /// The bet to accept.
    pub key: AcceptKey,
    /// The side to take. It must be the side that is still free.
    pub option: Side,
}

/// The reason why a bet was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcceptError {
    /// A refusal that any action on a bet can get.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// The balance does not cover the stake.
    #[error(transparent)]
    Insufficient(#[from] Shortfall),
    /// A cooldown after a password reset blocks stakes of money.
    #[error(transparent)]
    Cooldown(#[from] Cooldown),
}

impl From<AcceptError> for Refused {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Action(error) => error.into(),
            AcceptError::Insufficient(shortfall) => shortfall.into(),
            AcceptError::Cooldown(cooldown) => cooldown.into(),
        }
    }
}

impl From<StoreError> for AcceptError {
    fn from(error: StoreError) -> Self {
        Self::Action(error.into())
    }
}

impl From<KeyReused> for AcceptError {
    fn from(error: KeyReused) -> Self {
        Self::Action(error.into())
    }
}

impl From<Refusal> for AcceptError {
    fn from(refusal: Refusal) -> Self {
        Self::Action(refusal.into())
    }
}

impl JobError for AcceptError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Action(error) => error.as_store(),
            Self::Insufficient(_) | Self::Cooldown(_) => None,
        }
    }
}

impl App {
    /// Accepts a bet: the acceptor gets the free side, and their stake goes into escrow.
    ///
    /// # Errors
    /// If many users accept a bet at once, all but one are refused.
    pub async fn accept_bet(
        &self,
        actor: Actor,
        accept: Accept,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Result<Reply<BetView>, AcceptError> {
        let overdue = |error: &AcceptError| match error {
            AcceptError::Action(error) => error.overdue(),
            AcceptError::Insufficient(_) | AcceptError::Cooldown(_) => None,
        };
        self.past_deadlines(overdue, async || {
            let (now, ids) = (self.now(), self.environment.ids.clone());
            let (accept, idempotency) = (accept.clone(), idempotency.clone());
            let need = match &accept.key {
                AcceptKey::Id(bet, _) => Some(Need::Stake(*bet, actor.user)),
                AcceptKey::Token(_) => None,
            };
            submit_needing(&*self.store, Lane::User(actor.user), need, move |tx| {
                once(tx, idempotency.as_ref(), now, |tx| run(tx, actor, &accept, &ids, now))
            })
            .await
        })
        .await
    }
}

fn run(
    tx: &mut dyn Tx,
    actor: Actor,
    accept: &Accept,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<BetView, AcceptError> {
    let (key, token) = match &accept.key {
        AcceptKey::Id(id, token) => (BetKey::Id(*id), token.as_ref()),
        AcceptKey::Token(token) => (BetKey::Token(token.clone()), Some(token)),
    };
    let bet = tx.bets().lock_to_stake(&key, actor.user)?.ok_or(ActionError::NotFound)?;
    seen_and_not_overdue(&bet, actor, token, now)?;
    let stake = bet.stake_of(bet.creator_side.opposite());

    let change = bet.accept(actor.user, accept.option, now)?;
    no_cooldown(tx, actor.user, stake, now)??;
    record::cover(tx, actor.user, stake)??;

    record::update(tx, &change, ids, now)?;
    Ok(tx.bets().named(change.bet)?)
}
