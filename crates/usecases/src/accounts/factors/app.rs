//! Adding an authenticator app.

use bolts_factors::{RecoveryCode, SECRET_BYTES, Totp, TotpSecret};
use bolts_kernel::Code;
use bolts_ports::{Factor, Lane, NoticeBody, SecurityNotice, StoreError, StoredTotp, submit_for};

use super::proof::{lock_session, take_code};
use super::{StepUpError, require_fresh_proof, wrong_code};
use crate::accounts::rate_limit::Attempt;
use crate::accounts::{PasswordError, PasswordOwner, Stale, TooMany};
use crate::notifications::tell;
use crate::{App, Refused};

/// An authenticator app that waits for its first code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTotp {
    /// The secret in the form that users type into an app.
    pub secret: String,
    /// The address for a QR code.
    pub uri: String,
}

/// The reason why an authenticator app was not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TotpError {
    /// The password is wrong or cannot be checked, or the second factor must be proved first.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The account has an authenticator app already.
    #[error("Your account has an authenticator app already. Remove it first.")]
    HasOne,
    /// No app waits for its first code.
    #[error("Please begin again and scan the new code.")]
    NotBegun,
    /// The code is not one of the new app.
    #[error("This code is wrong. Check the clock of your phone and enter the next one.")]
    WrongCode,
    /// There were too many wrong codes.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TotpError> for Refused {
    fn from(error: TotpError) -> Self {
        let detail = error.to_string();
        match error {
            TotpError::Password(PasswordError::WrongCurrent) => Self::wrong_password(),
            TotpError::Password(error) => error.into(),
            TotpError::HasOne => Self::new(Code::FactorExists, detail),
            TotpError::NotBegun => Self::new(Code::FactorNotBegun, detail),
            TotpError::WrongCode => {
                Self::invalid(vec![bolts_kernel::FieldError { message: detail, ..wrong_code("code") }])
            }
            TotpError::TooMany(error) => error.into(),
            TotpError::Store(error) => error.into(),
        }
    }
}

job_error!(TotpError);

impl From<Stale> for TotpError {
    fn from(stale: Stale) -> Self {
        Self::Password(stale.into())
    }
}

impl From<StepUpError> for TotpError {
    fn from(error: StepUpError) -> Self {
        match error {
            // `PasskeyDisabled` cannot occur: only a code confirms an app.
            StepUpError::Wrong { .. } | StepUpError::PasskeyDisabled => Self::WrongCode,
            StepUpError::SignedOut => Self::Password(PasswordError::SignedOut),
            StepUpError::TooMany(error) => Self::TooMany(error),
            StepUpError::Store(error) => Self::Store(error),
        }
    }
}

impl App {
    /// Makes the secret of a new authenticator app. The app is no second factor before its first code.
    pub async fn begin_totp(&self, owner: PasswordOwner, password: String) -> Result<NewTotp, TotpError> {
        let checked = self.check_password(&owner, password).await?;
        let mut bytes = [0; SECRET_BYTES];
        self.environment.random.fill(&mut bytes);
        let secret = TotpSecret::from_random(bytes);
        let new = NewTotp { secret: secret.base32(), uri: secret.uri(&owner.email) };
        let (now, user) = (self.now(), owner.user);
        submit_for(&*self.store, Lane::User(user), move |tx| {
            checked.still_holds(tx, now)??;
            if tx.factors().totp(user)?.is_some_and(|known| known.confirmed_at.is_some()) {
                return Err(TotpError::HasOne);
            }
            let totp = Totp { secret: secret.clone(), last_step: None };
            Ok(tx.factors().put_totp(user, &StoredTotp { totp, confirmed_at: None })?)
        })
        .await?;
        Ok(new)
    }

    /// Checks the first code of a new authenticator app, which becomes a second factor. With the first factor, the user
    /// gets recovery codes.
    pub async fn confirm_totp(
        &self,
        owner: PasswordOwner,
        code: String,
    ) -> Result<Vec<RecoveryCode>, TotpError> {
        let (now, ids, user) = (self.now(), self.environment.ids.clone(), owner.user);
        let codes = self.recovery_codes();
        let hashes: Vec<String> = codes.iter().map(RecoveryCode::hash).collect();
        let is_first = submit_for(&*self.store, Lane::User(user), move |tx| {
            lock_session(tx, &owner, now)?;
            // Another factor may have been added since the app was begun, by another session too.
            require_fresh_proof(tx, user, &owner.session, now)?.map_err(PasswordError::from)?;
            let known = tx.factors().totp(user)?.ok_or(TotpError::NotBegun)?;
            if known.confirmed_at.is_some() {
                return Err(TotpError::HasOne);
            }
            let attempt = Attempt::of_factor_in_session(user, &owner.session);
            attempt.begin(tx, 0, now)??;
            let confirmed = StoredTotp { confirmed_at: Some(now), ..known };
            if !take_code(tx, user, confirmed, &code, now)? {
                // An error would undo the job, and with it the count of wrong proofs. So the refusal is a result.
                return Ok(Err(TotpError::WrongCode));
            }
            attempt.succeeded(tx)?;
            let is_first = !tx.users().view(user)?.is_some_and(|view| view.has_second_factor);
            if is_first {
                tx.factors().set_second_factor(user, true)?;
                tx.factors().put_recovery_codes(user, &hashes)?;
            }
            tx.factors().set_proved(&owner.session, now)?;
            tell(tx, user, NoticeBody::Security(SecurityNotice::FactorAdded(Factor::Totp)), &ids, now)?;
            Ok(Ok(is_first))
        })
        .await??;
        Ok(if is_first { codes } else { Vec::new() })
    }
}
