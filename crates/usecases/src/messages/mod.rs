//! Messages and pictures on bets.

mod delete;
mod pictures;
mod tell;
mod write;

pub use pictures::NewPicture;
pub use write::NewMessage;

use bolts_bets::{Bet, ShareToken};
use bolts_kernel::{BetId, Code, FieldError, Timestamp};
use bolts_messages::Refusal;
use bolts_ports::{Busy, StoreError, Tx};
use bolts_resolution::deadlines;

use crate::bets::may_see;
use crate::{Actor, HourlyLimit, KeyReused, Refused};

/// The reason why an action on messages or pictures was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The bet does not exist, or the user may not see it.
    #[error("This bet doesn't exist or has been removed.")]
    BetNotFound,
    /// The message does not exist, or the user may not see its bet.
    #[error("There is no such message.")]
    MessageNotFound,
    /// The picture does not exist, or the user may not see it.
    #[error("There is no such picture.")]
    PictureNotFound,
    /// A rule refuses the action.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A field of the request is invalid.
    #[error("{}", .0.message)]
    Invalid(FieldError),
    /// The user has reached the hourly limit of this action.
    #[error(transparent)]
    TooMany(#[from] HourlyLimit),
    /// Too many pictures wait.
    #[error(transparent)]
    Busy(#[from] Busy),
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

impl From<MessageError> for Refused {
    fn from(error: MessageError) -> Self {
        let detail = error.to_string();
        match error {
            MessageError::BetNotFound => Self::new(Code::BetNotFound, detail),
            MessageError::MessageNotFound => Self::new(Code::MessageNotFound, detail),
            MessageError::PictureNotFound => Self::new(Code::PictureNotFound, detail),
            MessageError::Refused(refusal) => Self::new(refusal.code(), detail),
            MessageError::Invalid(field) => Self::invalid(vec![field]),
            MessageError::TooMany(limit) => limit.into(),
            MessageError::Busy(busy) => busy.into(),
            MessageError::KeyReused(error) => error.into(),
            // The use cases handle this error, so it should not get here. If it does, the client may try again.
            MessageError::Overdue(_) => Self::unavailable(),
            MessageError::Store(error) => error.into(),
        }
    }
}

impl MessageError {
    fn overdue(&self) -> Option<BetId> {
        if let Self::Overdue(bet) = self { Some(*bet) } else { None }
    }

    fn hourly_limit(&self) -> Option<HourlyLimit> {
        if let Self::TooMany(limit) = self { Some(*limit) } else { None }
    }
}

job_error!(MessageError);

/// The bet that an action is about, with the token of its link if the user presented it.
#[derive(Clone, Debug)]
pub struct On {
    /// The bet.
    pub bet: BetId,
    /// The token.
    pub token: Option<ShareToken>,
}

/// Locks the bet. Its status decides what is evidence, so a deadline that is due comes first.
fn lock_seen(tx: &mut dyn Tx, on: &On, actor: Actor, now: Timestamp) -> Result<Bet, MessageError> {
    let bet = tx.bets().lock(on.bet)?.ok_or(MessageError::BetNotFound)?;
    if !may_see(&bet, Some(actor), on.token.as_ref()) {
        Err(MessageError::BetNotFound)
    } else if deadlines::is_overdue(&bet, now) {
        Err(MessageError::Overdue(bet.id))
    } else {
        Ok(bet)
    }
}
