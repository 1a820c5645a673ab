//! The limit on exports of an account. The crate `http` writes the document.

use std::time::Duration;

use bolts_ports::{Lane, StoreError, submit_for};

use super::password::PasswordOwner;
use super::rate_limit::{TooMany, count};
use super::{StepUpRequired, require_fresh_proof};
use crate::{App, Refused};

/// The maximum number of exports of a user in [`WINDOW`].
const EXPORTS: u32 = 5;

const WINDOW: Duration = Duration::from_hours(24);

/// The reason why an export was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The user must prove the second factor first.
    #[error(transparent)]
    StepUpRequired(#[from] StepUpRequired),
    /// There were too many exports.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ExportError> for Refused {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::StepUpRequired(error) => error.into(),
            ExportError::TooMany(error) => error.into(),
            ExportError::Store(error) => error.into(),
        }
    }
}

job_error!(ExportError);

impl App {
    /// Counts an export towards the user's daily limit. A user with a second factor must have proved it in the last 5
    /// minutes. No password is asked: the export has nothing that the pages of this session do not show.
    pub async fn begin_export(&self, owner: PasswordOwner) -> Result<(), ExportError> {
        let (now, user) = (self.now(), owner.user);
        let limit = if self.rules.writes_per_minute == 0 { 0 } else { EXPORTS };
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_fresh_proof(tx, user, &owner.session, now)??;
            Ok(count(tx, &format!("export:{user}"), limit, WINDOW, now)??)
        })
        .await
    }
}
