//! A new password by mail (`docs/product.md#e-mail`).

use std::net::IpAddr;
use std::time::Duration;

use bolts_kernel::{Code, OperationId, UserId};
use bolts_ports::{
    About, AccountEvent, Busy, Cause, Hint, Lane, Network, NewDelivery, Purpose, Recipient, StoreError,
    Token, Tx, submit_for,
};

use super::credentials::stored_email;
use super::email::{EmailError, confirmed};
use super::rate_limit::{TooMany, count, count_network};
use crate::mail::{self, InvalidToken};
use crate::{App, Refused};

/// The maximum number of mails for a new password, for each address and hour.
const MAILS: u32 = 3;

/// The maximum number of requests for such mails, for each network and hour.
const REQUESTS: u32 = 20;

const HOUR: Duration = Duration::from_secs(3_600);

/// After a new password by mail, the user can neither withdraw nor stake sats for this time.
const REST: Duration = Duration::from_secs(24 * 3_600);

/// The reason why no new password was set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResetError {
    /// The site sends no mails.
    #[error("This site sends no mails.")]
    NoMail,
    /// The token is not valid.
    #[error(transparent)]
    Token(#[from] InvalidToken),
    /// There were too many requests.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being hashed at the moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ResetError> for Refused {
    fn from(error: ResetError) -> Self {
        match error {
            ResetError::NoMail => Self::new(Code::MailOff, error.to_string()),
            ResetError::Token(error) => error.into(),
            ResetError::TooMany(error) => error.into(),
            ResetError::Busy(error) => error.into(),
            ResetError::Store(error) => error.into(),
        }
    }
}

job_error!(ResetError);

impl App {
    /// Sends a mail with a link for a new password, if a user has this address. The request does the same work for known
    /// and unknown addresses: only the worker that sends the mail looks for the user. Further requests for the same address
    /// have no effect for an hour.
    pub async fn request_password_reset(&self, email: &str, from: IpAddr) -> Result<(), ResetError> {
        if !self.rules.sends_mail {
            return Err(ResetError::NoMail);
        }
        let (now, email, network) = (self.now(), stored_email(email), Network::of(from));
        let name = format!("account.{}", self.id::<OperationId>());
        submit_for(&*self.store, Lane::visitor(from), move |tx| {
            count_network(tx, "reset_request", network, REQUESTS, HOUR, now)??;
            if count(tx, &format!("reset_mail:{email}"), MAILS, HOUR, now)?.is_err() {
                return Ok(());
            }
            Ok(tx.deliveries().enqueue(&NewDelivery {
                name: name.clone(),
                user: None,
                to: Recipient::Address(email.clone()),
                cause: Cause::ResetPassword,
                at: now,
                due_at: now,
            })?)
        })
        .await
    }

    /// Sets a new password with a token. Ends all sessions of the user. `new` must have passed
    /// [`super::new_password`].
    pub async fn reset_password_by_mail(
        &self,
        token: String,
        new: String,
        from: IpAddr,
    ) -> Result<(), ResetError> {
        self.count_token(from).await.map_err(|error| match error {
            EmailError::TooMany(error) => ResetError::TooMany(error),
            EmailError::Store(error) => ResetError::Store(error),
            EmailError::NoMail
            | EmailError::Taken
            | EmailError::Same
            | EmailError::Token(_)
            | EmailError::Password(_) => ResetError::Token(InvalidToken),
        })?;
        // The token is checked before the costly hash, and again after it.
        let (now, first) = (self.now(), token.clone());
        submit_for(&*self.store, Lane::visitor(from), move |tx| valid(tx, &first, now)).await?;
        let hash = self.environment.passwords.hash(Lane::visitor(from), new).await?;
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit_for(&*self.store, Lane::visitor(from), move |tx| {
            let token = valid(tx, &token, now)?;
            let user = token.user;
            set(tx, user, &hash, now)?;
            tx.tokens().remove(user, Purpose::ResetPassword)?;
            // The mail arrived, so the address is the user's.
            confirmed(tx, &token, &ids, now)?;
            Ok::<_, ResetError>(mail::tell(tx, user, AccountEvent::PasswordReset, &ids, now)?)
        })
        .await
    }
}

/// The token, if it is valid and its address is still the user's.
fn valid(tx: &mut dyn Tx, text: &str, now: bolts_kernel::Timestamp) -> Result<Token, ResetError> {
    let token = mail::used(tx, text, Purpose::ResetPassword, now)??;
    // The same order of locks as in a sign-in prevents a deadlock.
    tx.users().lock_credentials(token.user)?;
    let is_own = tx.users().view(token.user)?.is_some_and(|user| user.email == token.address);
    if is_own { Ok(token) } else { Err(InvalidToken.into()) }
}

/// Sets the password, starts the cooldown and ends all sessions.
fn set(tx: &mut dyn Tx, user: UserId, hash: &str, now: bolts_kernel::Timestamp) -> Result<(), StoreError> {
    tx.users().set_password(user, hash, None, now)?;
    tx.users().begin_cooldown(user, now.after(REST))?;
    tx.sessions().end_others(user, None)?;
    tx.outbox().enqueue(&[Hint { user, about: About::Sessions }], now)
}
