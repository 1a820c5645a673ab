//! Sign-ups.

use std::time::Duration;

use bolts_kernel::{Code, Currency, OperationId, UserId};
use bolts_ledger::Account;
use bolts_ports::{Busy, Network, NewUser, StoreError, submit_for};

use super::SignedIn;
use super::email::request_confirmation;
use super::rate_limit::{TooMany, Visitor, count_network};
use crate::{App, Refused};

/// The reason why a registration failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Another user has this e-mail address.
    #[error("This email is already registered.")]
    EmailTaken,
    /// There were too many sign-ups from this network.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// Too many passwords are being hashed at the moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RegisterError> for Refused {
    fn from(error: RegisterError) -> Self {
        let detail = error.to_string();
        match error {
            RegisterError::EmailTaken => Self::new(Code::EmailTaken, detail).on("email"),
            RegisterError::TooMany(error) => error.into(),
            RegisterError::Busy(error) => error.into(),
            RegisterError::Store(error) => error.into(),
        }
    }
}

job_error!(RegisterError);

impl App {
    /// Registers a user with 1,000 Bolts and signs the user in. `email` and `password` must have passed
    /// [`super::email`] and [`super::password`].
    pub async fn register(
        &self,
        email: String,
        password: String,
        from: impl Into<Visitor>,
    ) -> Result<SignedIn, RegisterError> {
        let from = from.into();
        self.count_sign_up(&from).await?;
        let password_hash = self.environment.passwords.hash(from.lane(), password).await?;

        let now = self.now();
        let new = NewUser { id: self.id::<UserId>(), email, password_hash, at: now };
        let (secret, session) = self.new_session(new.id, now, &from, None);
        let operation = self.id::<OperationId>();
        let device = self.device_of(new.id, None);
        let (ids, sends_mail) = (self.environment.ids.clone(), self.rules.sends_mail);
        let user = submit_for(&*self.store, from.lane(), move |tx| {
            if !tx.users().insert(&new)? {
                return Err(RegisterError::EmailTaken);
            }
            let accounts = Currency::ALL.map(|currency| Account::Available(new.id, currency));
            tx.ledger().open(&accounts)?;
            let grant = bolts_ledger::sign_up_grant(new.id, operation, now)
                .map_err(|error| StoreError::Broken(error.to_string()))?;
            tx.ledger().post(&[grant])?;
            tx.sessions().insert(&session)?;
            if sends_mail {
                request_confirmation(tx, new.id, &new.email, &ids, now)?;
            }
            let user = tx.users().view(new.id)?;
            user.ok_or_else(|| StoreError::Broken(format!("user {} vanished", new.id)).into())
        })
        .await?;
        Ok(SignedIn { user, secret, device })
    }

    /// Counts a sign-up. Failed sign-ups count too. Otherwise the limit would not stop an attacker who tests
    /// which e-mail addresses are registered.
    async fn count_sign_up(&self, from: &Visitor) -> Result<(), RegisterError> {
        let (now, limit) = (self.now(), self.rules.signups_per_hour);
        let hour = Duration::from_hours(1);
        let network = Network::of(from.address);
        submit_for(&*self.store, from.lane(), move |tx| {
            Ok(count_network(tx, "sign_up", network, limit, hour, now)??)
        })
        .await
    }
}
