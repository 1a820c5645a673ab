//! Ideas for bets, completions of titles, and checks of wordings (`docs/product.md#ideas`).

use std::time::Duration;

use bolts_bets::{Terms, Text};
use bolts_kernel::{Code, FieldError, Timestamp, UserId};
use bolts_ports::{
    Idea, IdeaRequest, IdeasFailed, Lane, RateLimitState, Remark, StoreError, Tx, Wording, submit_for,
};

use crate::accounts::{TooMany, count};
use crate::{Actor, App, Refused};

/// The limit of ideas and completions together, per user and hour. A failed request counts too.
const IDEAS_PER_HOUR: u32 = 20;

/// The limit of wording checks per user and hour. It is higher than the limit of ideas, because the form requests
/// a check each time the user stops typing.
const CHECKS_PER_HOUR: u32 = 120;

/// The window of the limits on ideas and wording checks: 1 hour.
const HOUR: Duration = Duration::from_hours(1);

/// The time for which the number of a user's last idea (the turn) is kept, so that the next idea differs.
const TURN_KEPT: Duration = Duration::from_hours(365 * 24);

/// The number of microseconds in a day.
const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;

/// The reason why there is no idea.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdeaError {
    /// The title is not valid.
    #[error("Some fields need another look.")]
    Invalid(Vec<FieldError>),
    /// The user has reached the hourly limit.
    #[error("You have asked for many ideas. Please wait a while and try again.")]
    TooMany(TooMany),
    /// The source of ideas failed.
    #[error("No idea came this time. Please try again.")]
    Unavailable(#[from] IdeasFailed),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<IdeaError> for Refused {
    fn from(error: IdeaError) -> Self {
        let detail = error.to_string();
        match error {
            IdeaError::Invalid(errors) => Self::invalid(errors),
            IdeaError::TooMany(TooMany { retry_after }) => {
                Self::new(Code::TooManyRequests, detail).retry_after(retry_after)
            }
            IdeaError::Unavailable(error) => {
                tracing::warn!(%error, "the source of ideas failed");
                Self::new(Code::IdeasUnavailable, detail)
            }
            IdeaError::Store(error) => error.into(),
        }
    }
}

job_error!(IdeaError);

impl From<TooMany> for IdeaError {
    fn from(error: TooMany) -> Self {
        Self::TooMany(error)
    }
}

/// The reason why a wording was not checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The user has reached the hourly limit.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CheckError> for Refused {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::TooMany(error) => error.into(),
            CheckError::Store(error) => error.into(),
        }
    }
}

job_error!(CheckError);

impl App {
    /// A new idea for a bet. It differs from the last idea that the user got.
    pub async fn generate_idea(&self, actor: Actor) -> Result<Idea, IdeaError> {
        let (user, now) = (actor.user, self.now());
        let turn = submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            count_idea(tx, user, now)?;
            Ok::<_, IdeaError>(next_turn(tx, user, now)?)
        })
        .await?;
        Ok(self.environment.ideas.generate(IdeaRequest { user, turn, now }).await?)
    }

    /// A complete bet that begins with this title.
    pub async fn complete_idea(&self, actor: Actor, title: &str) -> Result<Idea, IdeaError> {
        let title = Text::parse_line("title", "Title", title, Terms::TITLE);
        let title = title.map_err(|error| IdeaError::Invalid(vec![error]))?;
        let (user, now) = (actor.user, self.now());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| count_idea(tx, user, now)).await?;
        Ok(self.environment.ideas.complete(title, now).await?)
    }

    /// Finds problems in the wording of a bet that the user is still writing.
    pub async fn check_wording(&self, actor: Actor, wording: Wording) -> Result<Vec<Remark>, CheckError> {
        let (bucket, now) = (format!("wording:{}", actor.user), self.now());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            Ok::<_, CheckError>(count(tx, &bucket, CHECKS_PER_HOUR, HOUR, now)??)
        })
        .await?;
        Ok(self.environment.ideas.check(wording).await)
    }
}

/// Counts a request for an idea. The count comes before the call to the source of ideas, so that simultaneous
/// requests cannot exceed the limit.
fn count_idea(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> Result<(), IdeaError> {
    Ok(count(tx, &format!("idea:{user}"), IDEAS_PER_HOUR, HOUR, now)??)
}

/// The number of the user's next idea (the turn): the last number plus 1, so that the next idea differs. Other
/// counts are deleted two days after their last change. This count gets a date one year in the future, so it is
/// kept for a year. If there is no count, as in a copied database, the first turn is the number of the current day.
fn next_turn(tx: &mut dyn Tx, user: UserId, now: Timestamp) -> bolts_ports::Result<u64> {
    let bucket = format!("idea_turn:{user}");
    let before = tx.throttles().lock(&bucket)?;
    let turn = before.map_or(now.micros() / DAY_MICROS, |known| known.count + 1);
    let since = before.map_or(now, |known| known.since);
    tx.throttles().put(&bucket, RateLimitState { count: turn, since, last: now.after(TURN_KEPT) })?;
    Ok(turn.unsigned_abs())
}
