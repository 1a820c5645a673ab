//! A new password by mail (`docs/product.md#e-mail`).

use std::net::IpAddr;
use std::time::Duration;

use bolts_delivery::Channel;
use bolts_kernel::{Code, OperationId};
use bolts_ports::{
    AccountEvent, Busy, Cause, Lane, Network, NewDelivery, NoticeBody, Purpose, Recipient, StoreError, Token,
    Tx, submit_for,
};

use super::cooldown::begin_cooldown;
use super::credentials::stored_email;
use super::email::confirmed;
use super::password::replace_password;
use super::rate_limit::{TooMany, count, count_network};
use crate::delivery::tokens::{self, InvalidToken};
use crate::notifications::tell;
use crate::{App, Refused};

/// The maximum number of mails for a new password, for each address and hour.
const MAILS: u32 = 3;

/// The maximum number of requests for such mails, for each network and hour.
const REQUESTS: u32 = 20;

const HOUR: Duration = Duration::from_hours(1);

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
    /// and unknown addresses: only the worker that sends the mail looks for the user. An address gets at most three
    /// such mails in an hour. Further requests have no effect.
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
                channel: Channel::Email,
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
        self.count_token(from).await??;
        // The token is checked before the costly hash, and again after it.
        let (now, first) = (self.now(), token.clone());
        submit_for(&*self.store, Lane::visitor(from), move |tx| valid(tx, &first, now)).await?;
        let hash = self.environment.passwords.hash(Lane::visitor(from), new).await?;
        let (now, ids) = (self.now(), self.environment.ids.clone());
        submit_for(&*self.store, Lane::visitor(from), move |tx| {
            let token = valid(tx, &token, now)?;
            let user = token.user;
            replace_password(tx, user, &hash, None, None, (&ids, now))?;
            begin_cooldown(tx, user, now)?;
            // The mail arrived, so the address is the user's.
            confirmed(tx, &token, &ids, now)?;
            Ok::<_, ResetError>(tell(
                tx,
                user,
                NoticeBody::Account { event: AccountEvent::PasswordReset },
                &ids,
                now,
            )?)
        })
        .await
    }
}

/// The token, if it is valid and its address is still the user's.
fn valid(tx: &mut dyn Tx, text: &str, now: bolts_kernel::Timestamp) -> Result<Token, ResetError> {
    let token = tokens::used(tx, text, Purpose::ResetPassword, now)??;
    // The same order of locks as in a sign-in prevents a deadlock.
    tx.users().lock_credentials(token.user)?;
    let is_own = tx.users().view(token.user)?.is_some_and(|user| user.email == token.address);
    if is_own { Ok(token) } else { Err(InvalidToken.into()) }
}
