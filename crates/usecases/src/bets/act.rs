//! Actions on a bet that need no new stake: lock, decide, record.

use std::sync::Arc;

use bolts_bets::{Bet, Change, Refusal, ShareToken};
use bolts_kernel::{BetId, Code, Timestamp};
use bolts_ports::{BetView, Ids, Lane, Need, StoreError, Tx, submit_needing};

use super::cooldown::{Cooldown, may_give_away};
use super::{may_see, record};
use crate::idempotency::once;
use crate::{Actor, App, Hourly, HourlyLimit, Idempotent, KeyReused, Refused, Reply, Rules};

/// The reason why an action on a bet was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The bet does not exist, or the user may not see it.
    #[error("This bet doesn't exist or has been removed.")]
    NotFound,
    /// A rule refuses the action.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A cooldown after a password reset blocks decisions that give money away.
    #[error(transparent)]
    Cooldown(#[from] Cooldown),
    /// The user has reached the hourly limit of this action.
    #[error(transparent)]
    TooMany(#[from] HourlyLimit),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// A deadline of the bet must be applied first.
    #[error("a deadline of the bet has to be applied first")]
    Overdue(BetId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ActionError> for Refused {
    fn from(error: ActionError) -> Self {
        let detail = error.to_string();
        match error {
            ActionError::NotFound => Self::new(Code::BetNotFound, detail),
            ActionError::Refused(refusal) => refusal.into(),
            ActionError::Cooldown(cooldown) => cooldown.into(),
            ActionError::TooMany(limit) => limit.into(),
            ActionError::KeyReused(error) => error.into(),
            // The use cases handle this error, so it should not get here. If it does, the client may try again.
            ActionError::Overdue(_) => Self::unavailable(),
            ActionError::Store(error) => error.into(),
        }
    }
}

impl ActionError {
    /// The bet with the due deadline, if this error is `Overdue`.
    pub(super) fn overdue(&self) -> Option<BetId> {
        if let Self::Overdue(bet) = self { Some(*bet) } else { None }
    }

    fn hourly_limit(&self) -> Option<HourlyLimit> {
        if let Self::TooMany(limit) = self { Some(*limit) } else { None }
    }
}

job_error!(ActionError);

/// The maximum number of attempts at an action. If a deadline of the bet is due, all due deadlines are applied
/// before the next attempt. A third attempt is needed only if another deadline passes in between.
const ROUNDS: usize = 3;

/// The function of the domain that decides about an action.
pub(crate) type Decision = Arc<dyn Fn(Bet, Timestamp) -> Result<Change, Refusal> + Send + Sync>;

/// A function that writes further rows in the transaction of an action.
pub(crate) type Extra = Arc<dyn Fn(&mut dyn Tx, &Change) -> bolts_ports::Result<()> + Send + Sync>;

/// An action on one bet. It may run more than once, for example after a deadline was applied.
#[derive(Clone)]
pub(crate) struct Action {
    pub(crate) actor: Actor,
    pub(crate) bet: BetId,
    pub(crate) decide: Decision,
    pub(crate) extra: Option<Extra>,
    /// The hourly limit that the action counts towards.
    pub(crate) hourly: Option<Hourly>,
    pub(crate) idempotency: Option<Idempotent<BetView>>,
}

impl App {
    /// Locks the bet, decides, and records the change. For actions that need no new stake.
    pub(crate) async fn act(&self, action: Action) -> Result<Reply<BetView>, ActionError> {
        let (hourly, user, idempotency) = (action.hourly, action.actor.user, action.idempotency.clone());
        let attempt = self.run_action(action);
        match hourly {
            Some(kind) => {
                self.within_hourly(user, kind, idempotency, ActionError::hourly_limit, attempt).await
            }
            None => attempt.await,
        }
    }

    async fn run_action(&self, action: Action) -> Result<Reply<BetView>, ActionError> {
        self.past_deadlines(ActionError::overdue, async || {
            let (now, ids, action) = (self.now(), self.environment.ids.clone(), action.clone());
            let (rules, need) = (self.rules, Some(Need::Bet(action.bet)));
            submit_needing(&*self.store, Lane::User(action.actor.user), need, move |tx| {
                // A 404 comes before the answer to an earlier request with the same key.
                let bet = seen(tx, &action)?;
                once(tx, action.idempotency.as_ref(), now, |tx| run(tx, &action, bet, rules, &ids, now))
            })
            .await
        })
        .await
    }

    /// Runs an action on a bet. If a deadline of the bet is due, this applies the deadline and runs the
    /// action again.
    pub(crate) async fn past_deadlines<T, E: From<StoreError>>(
        &self,
        overdue: fn(&E) -> Option<BetId>,
        attempt: impl AsyncFn() -> Result<T, E>,
    ) -> Result<T, E> {
        for _ in 0..ROUNDS {
            let answer = attempt().await;
            let Some(bet) = answer.as_ref().err().and_then(overdue) else { return answer };
            self.settle_due(bet).await?;
        }
        Err(StoreError::Unavailable("deadlines of the bet keep falling".to_owned()).into())
    }
}

/// Locks the bet, which the actor must see.
fn seen(tx: &mut dyn Tx, action: &Action) -> Result<Bet, ActionError> {
    let bet = tx.bets().lock(action.bet)?.filter(|bet| may_see(bet, Some(action.actor), None));
    bet.ok_or(ActionError::NotFound)
}

fn run(
    tx: &mut dyn Tx,
    action: &Action,
    bet: Bet,
    rules: Rules,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<BetView, ActionError> {
    not_overdue(&bet, now)?;

    let change = (action.decide)(bet, now)?;
    may_give_away(tx, &change, action.actor.user, now)??;

    if let Some(hourly) = action.hourly {
        hourly.count(tx, action.actor.user, rules, now)??;
    }
    record::update(tx, &change, ids, now)?;
    if let Some(extra) = &action.extra {
        extra(tx, &change)?;
    }
    Ok(tx.bets().named(change.bet)?)
}

/// Checks that the actor may see the bet, and that no deadline is due.
pub(crate) fn seen_and_not_overdue(
    bet: &Bet,
    actor: Actor,
    token: Option<&ShareToken>,
    now: Timestamp,
) -> Result<(), ActionError> {
    if !may_see(bet, Some(actor), token) {
        return Err(ActionError::NotFound);
    }
    not_overdue(bet, now)
}

fn not_overdue(bet: &Bet, now: Timestamp) -> Result<(), ActionError> {
    if bolts_resolution::deadlines::is_overdue(bet, now) { Err(ActionError::Overdue(bet.id)) } else { Ok(()) }
}
