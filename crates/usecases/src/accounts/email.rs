//! The e-mail address of a user: its confirmation and its change.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bolts_delivery::Channel;
use bolts_kernel::{Code, DestinationId, FieldError, OperationId, Timestamp, UserId};
use bolts_ports::{
    AccountEvent, Cause, Destination, Ids, Lane, Network, NewDelivery, NoticeBody, Purpose, Recipient,
    StoreError, Token, Tx, submit_for,
};

use super::password::{PasswordError, PasswordOwner};
use super::rate_limit::{TooMany, count, count_network};
use super::require_here;
use crate::delivery::tokens::{self, InvalidToken};
use crate::notifications::tell;
use crate::{App, Refused};

/// The maximum number of mails that confirm an address, for each user and hour, and for each address and hour. Requests for an
/// address that another user has count too. Otherwise a user could find out about any number of addresses whether they are
/// registered.
const CONFIRMATIONS: u32 = 5;

/// The maximum number of tokens that a network may try in an hour. A guess is hopeless anyway: a token has 256 random bits.
const TOKENS: u32 = 100;

const HOUR: Duration = Duration::from_hours(1);

/// The reason why an address was not changed or confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// The site sends no mails.
    #[error("This site sends no mails.")]
    NoMail,
    /// Another user has this address.
    #[error("This email is already registered.")]
    Taken,
    /// The new address is the old one.
    #[error("This is your email address already")]
    Same,
    /// The token is not valid.
    #[error(transparent)]
    Token(#[from] InvalidToken),
    /// There were too many requests.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The password was refused.
    #[error(transparent)]
    Password(PasswordError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EmailError> for Refused {
    fn from(error: EmailError) -> Self {
        let detail = error.to_string();
        match error {
            EmailError::NoMail => Self::new(Code::MailOff, detail),
            EmailError::Taken => Self::new(Code::EmailTaken, detail).on("newEmail"),
            EmailError::Same => Self::invalid(vec![FieldError::new("newEmail", detail)]),
            EmailError::Token(error) => error.into(),
            EmailError::TooMany(error) => error.into(),
            EmailError::Password(PasswordError::WrongCurrent) => {
                Self::invalid(vec![FieldError::new("password", PasswordError::WrongCurrent.to_string())])
            }
            EmailError::Password(error) => error.into(),
            EmailError::Store(error) => error.into(),
        }
    }
}

job_error!(EmailError);

impl From<PasswordError> for EmailError {
    fn from(error: PasswordError) -> Self {
        if let PasswordError::Store(error) = error { Self::Store(error) } else { Self::Password(error) }
    }
}

/// The state of a user's e-mail address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailState {
    /// Whether the user has confirmed the address.
    pub is_confirmed: bool,
    /// Another address that the user has requested and not confirmed yet.
    pub requested: Option<String>,
    /// The reason why no mails are sent to the address any more.
    pub stopped: Option<String>,
}

/// Counts a mail that confirms an address, for the user and for the address. The count for the address keeps many accounts from
/// filling one mailbox.
fn count_confirmation(
    tx: &mut dyn Tx,
    user: UserId,
    address: &str,
    now: Timestamp,
) -> Result<Result<(), TooMany>, StoreError> {
    let counted = count(tx, &format!("confirm_address:{user}"), CONFIRMATIONS, HOUR, now)?;
    if counted.is_err() {
        return Ok(counted);
    }
    count(tx, &format!("confirm_mail:{address}"), CONFIRMATIONS, HOUR, now)
}

/// Requests the mail that confirms an address.
pub(super) fn request_confirmation(
    tx: &mut dyn Tx,
    user: UserId,
    address: &str,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    enqueue(tx, user, address, Cause::ConfirmAddress, ids, at)
}

fn enqueue(
    tx: &mut dyn Tx,
    user: UserId,
    address: &str,
    cause: Cause,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let name = format!("account.{}", ids.id::<OperationId>());
    let to = Recipient::Address(address.to_owned());
    tx.deliveries().enqueue(&NewDelivery {
        name,
        channel: Channel::Email,
        user: Some(user),
        to,
        cause,
        at,
        due_at: at,
    })
}

/// Records that the user's current address was confirmed.
pub(super) fn confirmed(
    tx: &mut dyn Tx,
    token: &Token,
    ids: &Arc<dyn Ids>,
    at: Timestamp,
) -> Result<(), StoreError> {
    tx.contacts().put(&Destination {
        id: ids.id::<DestinationId>(),
        user: token.user,
        channel: Channel::Email,
        address: token.address.clone(),
        secret: None,
        browser: None,
        confirmed_at: at,
        stopped: None,
    })
}

impl App {
    /// Whether the site sends mails.
    pub fn sends_mail(&self) -> bool {
        self.rules.sends_mail
    }

    /// Whether users may only read until they confirm their address.
    pub fn requires_confirmed_email(&self) -> bool {
        self.rules.requires_confirmed_email
    }

    pub(super) fn needs_mail(&self) -> Result<(), EmailError> {
        if self.rules.sends_mail { Ok(()) } else { Err(EmailError::NoMail) }
    }

    /// Whether the user has confirmed an address. Blocks on the database.
    pub fn has_confirmed_email(&self, user: UserId) -> Result<bool, StoreError> {
        Ok(self.queries.email_destination(user)?.is_some())
    }

    /// The state of the user's address. Blocks on the database.
    pub fn email_state(&self, user: UserId, email: &str) -> Result<EmailState, StoreError> {
        let confirmed = self.queries.email_destination(user)?;
        let requested = self.queries.address_to_confirm(user, email, self.now())?;
        let stopped = confirmed.as_ref().and_then(|destination| destination.stopped.clone());
        Ok(EmailState { is_confirmed: confirmed.is_some(), requested, stopped })
    }

    /// Sends the mail that confirms the user's address. If the address is confirmed and works, nothing is sent.
    pub async fn request_email_confirmation(&self, user: UserId, email: &str) -> Result<(), EmailError> {
        self.needs_mail()?;
        let (now, ids, email) = (self.now(), self.environment.ids.clone(), email.to_owned());
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            if tx.contacts().email_of(user)?.is_some_and(|known| known.stopped.is_none()) {
                return Ok(());
            }
            count_confirmation(tx, user, &email, now)??;
            Ok(request_confirmation(tx, user, &email, &ids, now)?)
        })
        .await
    }

    /// Requests another address. It replaces the old one once it is confirmed. The old address gets a
    /// mail about the request.
    pub async fn request_email_change(
        &self,
        owner: PasswordOwner,
        password: String,
        new: String,
    ) -> Result<(), EmailError> {
        self.needs_mail()?;
        if new == owner.email {
            return Err(EmailError::Same);
        }
        let checked = self.check_password(&owner, password).await?;
        let (now, ids, user) = (self.now(), self.environment.ids.clone(), owner.user);
        let request = tokens::requested(&*self.environment.random, user, &new, now);
        submit_for(&*self.store, Lane::User(user), move |tx| {
            checked.still_holds(tx, now)?.map_err(PasswordError::from)?;
            count_confirmation(tx, user, &new, now)??;
            if tx.users().credentials(&new)?.is_some() {
                // An error would undo the job, and with it the count. So the refusal is a result.
                return Ok(Err(EmailError::Taken));
            }
            tx.tokens().remove(user, Purpose::ConfirmAddress)?;
            tx.tokens().insert(&request)?;
            request_confirmation(tx, user, &new, &ids, now)?;
            enqueue(tx, user, &owner.email, Cause::AddressChanging, &ids, now)?;
            Ok::<_, EmailError>(Ok(()))
        })
        .await?
    }

    /// Confirms the address to which the token was mailed. It becomes the user's address if it is another one.
    pub async fn confirm_email(&self, token: String, from: IpAddr) -> Result<(), EmailError> {
        let (now, ids) = (self.now(), self.environment.ids.clone());
        self.count_token(from).await??;
        submit_for(&*self.store, Lane::visitor(from), move |tx| {
            let token = tokens::used(tx, &token, Purpose::ConfirmAddress, now)??;
            let view = tx.users().view(token.user)?;
            let old = view.ok_or(InvalidToken)?.email;
            let is_new = old != token.address;
            if is_new && !tx.contacts().set_email(token.user, &token.address)? {
                return Err(EmailError::Taken);
            }
            confirmed(tx, &token, &ids, now)?;
            tx.tokens().remove(token.user, Purpose::ConfirmAddress)?;
            if is_new {
                // A link that was mailed to the old address must not open the account any more.
                tx.tokens().remove(token.user, Purpose::ResetPassword)?;
                enqueue(tx, token.user, &old, Cause::AddressChanged, &ids, now)?;
                tell(tx, token.user, NoticeBody::Account { event: AccountEvent::EmailChanged }, &ids, now)?;
            }
            Ok(())
        })
        .await
    }

    /// Counts an attempt to use a token. Attempts with a wrong token count too.
    pub(super) async fn count_token(&self, from: IpAddr) -> Result<Result<(), TooMany>, StoreError> {
        let (now, network) = (self.now(), Network::of(from));
        submit_for(&*self.store, Lane::visitor(from), move |tx| {
            count_network(tx, "mail_token", network, TOKENS, HOUR, now)
        })
        .await
    }
}
