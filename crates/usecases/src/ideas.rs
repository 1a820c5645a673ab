//! Ideas for bets, and a second look at their wording (decisions, section 10).

use std::time::Duration;

use bolts_bets::trimmed_length_error;
use bolts_kernel::{FieldError, Timestamp, UserId};
use bolts_ports::{
    Idea, IdeaRequest, IdeasFailed, JobError, Lane, Remark, StoreError, Tally, Tx, Wording, submit_for,
};

use crate::accounts::{TooMany, count};
use crate::{Actor, App};

/// Ideas and completions that a user gets in an hour, both together. An attempt that fails counts: it was asked for.
const IDEAS_PER_HOUR: u32 = 20;

/// Wording checks that a user gets in an hour. The form asks whenever its author pauses, so this is more than ideas.
const CHECKS_PER_HOUR: u32 = 120;

/// The window of both limits.
const HOUR: Duration = Duration::from_secs(3_600);

/// How long a user may be away and still get another idea than the last one.
const TURN_KEPT: Duration = Duration::from_secs(365 * 24 * 3_600);

/// Microseconds of a day.
const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;

/// Why there is no idea.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdeaError {
    /// The title cannot be one.
    #[error("Some fields need another look.")]
    Invalid(Vec<FieldError>),
    /// The user has had enough for this hour.
    #[error("You have asked for many ideas. Please wait a while and try again.")]
    TooMany(TooMany),
    /// Whoever has the ideas failed.
    #[error("No idea came this time. Please try again.")]
    Unavailable(#[from] IdeasFailed),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JobError for IdeaError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

impl From<TooMany> for IdeaError {
    fn from(error: TooMany) -> Self {
        Self::TooMany(error)
    }
}

/// Why a wording was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The user has had enough for this hour.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JobError for CheckError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

impl App {
    /// A whole idea for a bet, another one than the user got last.
    ///
    /// # Errors
    /// [`IdeaError`].
    pub async fn generate_idea(&self, actor: Actor) -> Result<Idea, IdeaError> {
        let (user, now) = (actor.user, self.now());
        let turn = submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            count_idea(tx, user, now)?;
            Ok::<_, IdeaError>(next_turn(tx, user, now)?)
        })
        .await?;
        Ok(self.environment.ideas.generate(IdeaRequest { user, turn, now }).await?)
    }

    /// The bet that this title is the beginning of.
    ///
    /// # Errors
    /// [`IdeaError`].
    pub async fn complete_idea(&self, actor: Actor, title: &str) -> Result<Idea, IdeaError> {
        let title = trimmed_length_error(title, 5, 200, "Title", "Title must be at least 5 characters");
        let title = title.map_err(|message| IdeaError::Invalid(vec![FieldError::new("title", message)]))?;
        let (user, now) = (actor.user, self.now());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| count_idea(tx, user, now)).await?;
        Ok(self.environment.ideas.complete(title, now).await?)
    }

    /// What makes the bet go wrong that somebody is writing.
    ///
    /// # Errors
    /// [`CheckError`].
    pub async fn check_wording(&self, actor: Actor, wording: Wording) -> Result<Vec<Remark>, CheckError> {
        let (bucket, now) = (format!("wording:{}", actor.user), self.now());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            Ok::<_, CheckError>(count(tx, &bucket, CHECKS_PER_HOUR, HOUR, now)??)
        })
        .await?;
        Ok(self.environment.ideas.check(wording).await)
    }
}

/// Counted before anybody is asked, so that many at once cannot slip through.
fn count_idea(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<(), IdeaError> {
    Ok(count(tx, &format!("idea:{user}"), IDEAS_PER_HOUR, HOUR, now)??)
}

/// One more than the user's last turn, so that the next idea is another one. Tallies are forgotten two days after their
/// last count; this one is dated ahead, so that it is kept for a year. Where it is lost all the same, as in a copied
/// database, the number of the day takes its place.
fn next_turn(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> bolts_ports::Result<u64> {
    let bucket = format!("idea_turn:{user}");
    let before = tx.throttles().lock(&bucket)?;
    let turn = before.map_or(now.micros() / DAY_MICROS, |tally| tally.count + 1);
    let since = before.map_or(now, |tally| tally.since);
    tx.throttles().put(&bucket, Tally { count: turn, since, last: now.after(TURN_KEPT) })?;
    Ok(turn.unsigned_abs())
}
