//! Achievements. The transaction of an action also unlocks the achievements that the action causes. The user can
//! claim each reward once (`docs/product.md#statistics-and-achievements`).

use std::sync::Arc;

use bolts_achievements::{Achievement, LONGEST_STREAK, find, locked, newly_unlocked, win_streak};
use bolts_bets::{Change, EscrowEffect};
use bolts_kernel::{Amount, Code, Currency, FieldError, NotificationId, OperationId, Timestamp, UserId};
use bolts_ledger::Account;
use bolts_ports::{
    About, Hint, Ids, Lane, NewNotification, NoticeBody, Result, Standing, StoreError, Tx, figures_of,
    submit_for,
};

use crate::accounts::require_here;
use crate::idempotency::once;
use crate::{App, Idempotent, KeyReused, Refused, Reply};

/// The reason why a reward was not given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// No achievement has this id.
    #[error("There is no such achievement.")]
    Unknown(FieldError),
    /// The user has not unlocked the achievement.
    #[error("You have not unlocked this achievement yet.")]
    Locked,
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ClaimError> for Refused {
    fn from(error: ClaimError) -> Self {
        let detail = error.to_string();
        match error {
            ClaimError::Unknown(field) => Self::invalid(vec![field]),
            ClaimError::Locked => Self::new(Code::AchievementLocked, detail),
            ClaimError::KeyReused(error) => error.into(),
            ClaimError::Store(error) => error.into(),
        }
    }
}

job_error!(ClaimError);

/// Unlocks the achievements that a change of a bet causes: a stake counts as a bet, and a payout as a win.
/// Returns the user if the user got a notification.
pub(crate) fn follow(
    tx: &mut dyn Tx,
    change: &Change,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Option<UserId>> {
    match change.escrow {
        // Only a win can extend a win streak, so a stake unlocks no achievement for streaks.
        EscrowEffect::Hold(user) => unlock(tx, user, ids, now, |_| Ok(0)),
        EscrowEffect::PayOut(winner) => unlock(tx, winner, ids, now, |tx| streak(tx, winner)),
        EscrowEffect::Unchanged | EscrowEffect::Refund => Ok(None),
    }
}

fn streak(tx: &mut dyn Tx, user: UserId) -> Result<i64> {
    tx.achievements().latest_results(user, LONGEST_STREAK).map(win_streak)
}

/// Unlocks all achievements that the user has reached. Returns the user if the user got a notification.
fn unlock(
    tx: &mut dyn Tx,
    user: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
    streak: impl FnOnce(&mut dyn Tx) -> Result<i64>,
) -> Result<Option<UserId>> {
    let Standing { stats, unlocked } = tx.achievements().standing(user)?;
    if locked(&unlocked).next().is_none() {
        return Ok(None);
    }
    let figures = figures_of(&stats, streak(tx)?);
    let mut told = Vec::new();
    for achievement in newly_unlocked(&figures, &unlocked) {
        if tx.achievements().unlock(user, achievement.id, now)? {
            told.push(NewNotification {
                id: ids.id::<NotificationId>(),
                user,
                body: NoticeBody::AchievementUnlocked { achievement: achievement.id.to_owned() },
                bet: None,
                at: now,
            });
        }
    }
    if told.is_empty() {
        return Ok(None);
    }
    tx.notifications().insert(&told)?;
    Ok(Some(user))
}

impl App {
    /// Gives the reward of an achievement that the user has reached, once. A second claim has no effect.
    pub async fn claim_reward(
        &self,
        user: UserId,
        id: &str,
        idempotency: Option<Idempotent<()>>,
    ) -> std::result::Result<Reply<()>, ClaimError> {
        let unknown = || FieldError::new("achievementId", "There is no such achievement");
        let achievement = find(id).ok_or_else(|| ClaimError::Unknown(unknown()))?;
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            once(tx, idempotency.as_ref(), now, |tx| claim(tx, user, achievement, &ids, now))
        })
        .await
    }
}

fn claim(
    tx: &mut dyn Tx,
    user: UserId,
    achievement: &Achievement,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> std::result::Result<(), ClaimError> {
    require_here(tx, user)?;
    let mut hints = Vec::new();
    if !is_unlocked(tx, user, achievement)? {
        // The achievement may be reached all the same. Two changes in different currencies at the same time do not see each
        // other, and the deletion of a lost bet can complete a streak.
        tx.ledger().lock(&[Account::Available(user, Currency::Bolts)])?;
        let told = unlock(tx, user, ids, now, |tx| streak(tx, user))?;
        if !is_unlocked(tx, user, achievement)? {
            return Err(ClaimError::Locked);
        }
        hints.extend(told.map(|user| Hint { user, about: About::Notification }));
    }

    if !tx.achievements().claim(user, achievement.id, now)? {
        return Ok(());
    }

    let bolts = Amount::new(achievement.reward.bolts).unwrap_or_default();
    let reward = bolts_ledger::reward(user, achievement.id, bolts, ids.id::<OperationId>(), now)
        .map_err(|error| StoreError::Broken(error.to_string()))?;
    tx.ledger().post(&[reward])?;
    hints.push(Hint { user, about: About::Balance });
    Ok(tx.outbox().enqueue(&hints, now)?)
}

fn is_unlocked(tx: &mut dyn Tx, user: UserId, achievement: &Achievement) -> Result<bool> {
    let unlocked = tx.achievements().unlocked(user)?;
    Ok(unlocked.iter().any(|unlocked| unlocked.achievement == achievement.id))
}
