use std::time::Duration;

use bolts_bets::Refusal;
use bolts_kernel::{Amount, FieldError, OperationId, Timestamp};
use bolts_ports::{
    About, AdminAction, Busy, Credentials, Hint, JobError, Lane, NoticeBody, StoreError, Tx, submit_for,
};

use crate::notifications::tell_of_money;
use crate::once::once;
use crate::{Actor, App, KeyReused, Once, Reply};

/// How long a one-time password opens the account (decisions, section 7).
const ONE_TIME: Duration = Duration::from_secs(24 * 3_600);

/// The letters of a one-time password: none that is easily mistaken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// How many letters it has: 80 bits.
const LENGTH: usize = 16;

/// The most that is given at once.
const MOST: i64 = 100_000_000;

/// Why an admin's action on a user was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserActionError {
    /// Nobody has that email.
    #[error("Nobody is registered with this email.")]
    NotFound,
    /// Not an admin, or one with an interest in it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// Too many passwords are being hashed.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl JobError for UserActionError {
    fn as_store(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// What a gift of Bolts came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedBolts {
    /// To whom.
    pub email: String,
    /// How many.
    pub amount: Amount,
    /// What that user now has.
    pub balance: Amount,
}

/// Judges how many Bolts are given: 1 to 100,000,000.
///
/// # Errors
/// The field error.
pub fn grant_amount(units: i64) -> Result<Amount, FieldError> {
    let message = match units {
        ..1 => "Amount must be at least 1",
        1..=MOST => {
            return Amount::new(units).map_err(|error| FieldError::new("amount", error.to_string()));
        }
        _ => "Amount must be at most 100,000,000",
    };
    Err(FieldError::new("amount", message))
}

fn find(tx: &mut dyn Tx, email: &str) -> Result<Credentials, UserActionError> {
    tx.users().credentials(email)?.ok_or(UserActionError::NotFound)
}

impl App {
    /// Gives Bolts to a user. `amount` has been judged by [`grant_amount`].
    ///
    /// # Errors
    /// [`UserActionError`].
    pub async fn grant_bolts(
        &self,
        actor: Actor,
        email: &str,
        amount: Amount,
        repeat: Option<Once<GrantedBolts>>,
    ) -> Result<Reply<GrantedBolts>, UserActionError> {
        if !actor.is_admin {
            return Err(Refusal::NotAllowed.into());
        }
        let (now, email) = (self.now(), email.trim().to_lowercase());
        let operation = self.id(OperationId::from_uuid);
        let ids = self.environment.ids.clone();
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            once(tx, repeat.as_ref(), now, |tx| {
                let user = find(tx, &email)?.user;
                let grant = bolts_ledger::admin_grant(user, amount, operation, now)
                    .map_err(|error| StoreError::Broken(error.to_string()))?;
                tx.ledger().post(&[grant])?;
                tell_of_money(tx, user, NoticeBody::BoltsGranted { amount }, &ids, now)?;
                record(tx, actor, "grant_bolts", user, Some(amount.to_string()), now)?;
                let view = tx.users().view(user)?;
                let view = view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")))?;
                Ok(GrantedBolts { email: view.email, amount, balance: view.bolts })
            })
        })
        .await
    }

    /// Gives a user a random one-time password in place of the old one, ends the user's sessions, and answers the
    /// password, which nobody can see again (decisions, section 7).
    ///
    /// # Errors
    /// [`UserActionError`]; not allowed on an opponent in an open bet.
    pub async fn reset_password(&self, actor: Actor, email: &str) -> Result<String, UserActionError> {
        if !actor.is_admin {
            return Err(Refusal::NotAllowed.into());
        }
        let password = self.one_time_password();
        let hash = self.environment.passwords.hash(Lane::User(actor.user), password.clone()).await?;
        let (now, email) = (self.now(), email.trim().to_lowercase());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            let user = find(tx, &email)?.user;
            if tx.bets().is_open_between(actor.user, user)? {
                return Err(Refusal::ConflictOfInterest.into());
            }
            tx.users().set_password(user, &hash, Some(now.after(ONE_TIME)), now)?;
            tx.users().begin_cooldown(user, now.after(ONE_TIME))?;
            tx.sessions().end_others(user, None)?;
            tx.outbox().owe(&[Hint { user, about: About::Sessions }], now)?;
            Ok::<_, UserActionError>(record(tx, actor, "reset_password", user, None, now)?)
        })
        .await?;
        Ok(password)
    }

    /// A random password of 80 bits, easy to read aloud.
    pub fn one_time_password(&self) -> String {
        let mut bytes = [0; LENGTH];
        self.environment.random.fill(&mut bytes);
        // 32 letters divide 256 evenly, so every letter is as likely as any other.
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}

fn record(
    tx: &mut dyn Tx,
    actor: Actor,
    action: &'static str,
    user: bolts_kernel::UserId,
    detail: Option<String>,
    at: Timestamp,
) -> bolts_ports::Result<()> {
    let user = Some(user);
    tx.admin_actions().record(&AdminAction { admin: Some(actor.user), action, user, bet: None, detail, at })
}
