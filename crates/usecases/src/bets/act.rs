use std::sync::Arc;

use bolts_bets::{Bet, Change, Refusal, ShareToken};
use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{BetView, Ids, JobError, Lane, StoreError, Tx, submit_for};

use super::{may_see, record};
use crate::once::once;
use crate::{Actor, App, Hourly, HourlyLimit, KeyReused, Once, Reply, Rules};

/// Why an action on a bet was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// There is no such bet, or not for this user.
    #[error("This bet doesn't exist or has been removed.")]
    NotFound,
    /// The rules do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The user has acted as often within an hour as is allowed.
    #[error(transparent)]
    TooMany(#[from] HourlyLimit),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The clock has something to do on the bet first.
    #[error("a deadline of the bet has to be applied first")]
    Overdue(BetId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ActionError {
    /// The bet on which the clock comes first, where that is what this says.
    pub(super) fn overdue(&self) -> Option<BetId> {
        if let Self::Overdue(bet) = self { Some(*bet) } else { None }
    }

    fn hourly_limit(&self) -> Option<HourlyLimit> {
        if let Self::TooMany(limit) = self { Some(*limit) } else { None }
    }
}

impl JobError for ActionError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// How often an action waits for the clock's steps on its bet: each round applies all that are due, so a second one
/// is needed only where a deadline falls in between.
const ROUNDS: usize = 3;

/// What a user wants to do on a bet.
pub(crate) type Decision = Arc<dyn Fn(Bet, Timestamp) -> Result<Change, Refusal> + Send + Sync>;

/// Further rows that an action records in its transaction.
pub(crate) type Extra = Arc<dyn Fn(&mut dyn Tx, &Change) -> bolts_ports::Result<()> + Send + Sync>;

/// An action on one bet, ready to be run, maybe more than once.
#[derive(Clone)]
pub(crate) struct Action {
    pub(crate) actor: Actor,
    pub(crate) bet: BetId,
    pub(crate) decide: Decision,
    pub(crate) extra: Option<Extra>,
    /// The limit that it counts against.
    pub(crate) hourly: Option<Hourly>,
    pub(crate) repeat: Option<Once<BetView>>,
}

impl App {
    /// Lock, decide, record for an action that moves no new stake in.
    pub(crate) async fn act(&self, action: Action) -> Result<Reply<BetView>, ActionError> {
        let (hourly, user, repeat) = (action.hourly, action.actor.user, action.repeat.clone());
        let attempt = self.run_action(action);
        match hourly {
            Some(kind) => self.within_hourly(user, kind, repeat, ActionError::hourly_limit, attempt).await,
            None => attempt.await,
        }
    }

    async fn run_action(&self, action: Action) -> Result<Reply<BetView>, ActionError> {
        self.past_deadlines(ActionError::overdue, async || {
            let (now, ids, action) = (self.now(), self.environment.ids.clone(), action.clone());
            let rules = self.rules;
            submit_for(&*self.store, Lane::User(action.actor.user), move |tx| {
                once(tx, action.repeat.as_ref(), now, |tx| run(tx, &action, rules, &ids, now))
            })
            .await
        })
        .await
    }

    /// Tries what a user wants to do on a bet; where the clock comes first, it does what is due, and it is tried again.
    pub(super) async fn past_deadlines<T, E: From<StoreError>>(
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

fn run(
    tx: &mut dyn Tx,
    action: &Action,
    rules: Rules,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<BetView, ActionError> {
    let bet = tx.bets().lock(action.bet)?.ok_or(ActionError::NotFound)?;
    seen_and_not_overdue(&bet, action.actor, None, now)?;

    let change = (action.decide)(bet, now)?;

    if let Some(hourly) = action.hourly {
        hourly.count(tx, action.actor.user, rules, now)??;
    }
    record::update(tx, &change, ids, now)?;
    if let Some(extra) = &action.extra {
        extra(tx, &change)?;
    }
    view_after(tx, change)
}

/// The bet exists for this actor, and no deadline is to be applied before anything else.
pub(crate) fn seen_and_not_overdue(
    bet: &Bet,
    actor: Actor,
    token: Option<&ShareToken>,
    now: Timestamp,
) -> Result<(), ActionError> {
    if !may_see(bet, Some(actor), token) {
        return Err(ActionError::NotFound);
    }
    if bolts_resolution::clock::is_overdue(bet, now) { Err(ActionError::Overdue(bet.id)) } else { Ok(()) }
}

/// The bet as it now is, for the answer; one that was just deleted is seen a last time.
pub(crate) fn view_after(tx: &mut dyn Tx, change: Change) -> Result<BetView, ActionError> {
    if change.bet.deletion.is_some() {
        let nobody = || bolts_ports::Person { username: None, email: String::new() };
        let acceptor = change.bet.acceptor().map(|_| nobody());
        return Ok(BetView { bet: change.bet, creator: nobody(), acceptor });
    }
    let id = change.bet.id;
    Ok(tx.bets().view(id)?.ok_or_else(|| StoreError::Broken(format!("bet {id} vanished")))?)
}
