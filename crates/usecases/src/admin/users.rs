//! Actions of admins on users: gifts of Bolts, and password resets.

use std::time::Duration;

use bolts_bets::Refusal;
use bolts_kernel::{Amount, Code, Currency, FieldError, OperationId, Timestamp, UserId};
use bolts_ports::{AccountEvent, AdminAction, Busy, Lane, NoticeBody, StoreError, Tx, submit_for};

use crate::accounts::{begin_cooldown, replace_password, stored_email};
use crate::idempotency::once;
use crate::notifications::{tell, tell_of_money};
use crate::{Actor, App, Idempotent, KeyReused, Refused, Reply};

/// The lifetime of a one-time password: 24 hours (`docs/product.md#users-and-sessions`).
const ONE_TIME: Duration = Duration::from_hours(24);

/// The characters of a one-time password, without characters that look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The number of characters of a one-time password. 16 characters with 5 random bits each give 80 bits.
const LENGTH: usize = 16;

/// The maximum gift of an admin to a user, in Bolts.
const MOST: i64 = 100_000_000;

/// The reason why an admin's action on a user was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserActionError {
    /// No user has this e-mail address.
    #[error("Nobody is registered with this email.")]
    NotFound,
    /// The user is not an admin, or has a conflict of interest.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// Too many passwords are being hashed at the moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<UserActionError> for Refused {
    fn from(error: UserActionError) -> Self {
        let detail = error.to_string();
        match error {
            UserActionError::NotFound => Self::new(Code::UserNotFound, detail),
            UserActionError::Refused(refusal) => refusal.into(),
            UserActionError::KeyReused(error) => error.into(),
            UserActionError::Busy(error) => error.into(),
            UserActionError::Store(error) => error.into(),
        }
    }
}

job_error!(UserActionError);

/// The result of a gift of Bolts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedBolts {
    /// The e-mail address of the user.
    pub email: String,
    /// The number of Bolts that the user got.
    pub amount: Amount,
    /// The user's balance after the gift.
    pub balance: Amount,
}

/// Checks the amount of a gift: 1 to 100,000,000 Bolts.
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

/// The user with this e-mail address. Until the transaction ends, the user cannot delete the account.
fn find(tx: &mut dyn Tx, email: &str) -> Result<UserId, UserActionError> {
    let user = tx.users().credentials(email)?.ok_or(UserActionError::NotFound)?.user;
    // A deletion locks the credentials first, and removes them.
    let locked = tx.users().lock_credentials(user)?.ok_or(UserActionError::NotFound)?;
    Ok(locked.user)
}

impl App {
    /// Gives Bolts to a user. `amount` must have passed [`grant_amount`].
    pub async fn grant_bolts(
        &self,
        actor: Actor,
        email: &str,
        amount: Amount,
        idempotency: Option<Idempotent<GrantedBolts>>,
    ) -> Result<Reply<GrantedBolts>, UserActionError> {
        if !actor.is_admin {
            return Err(Refusal::NotAllowed.into());
        }
        let (now, email) = (self.now(), stored_email(email));
        let operation = self.id::<OperationId>();
        let ids = self.environment.ids.clone();
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            once(tx, idempotency.as_ref(), now, |tx| {
                let user = find(tx, &email)?;
                let grant = bolts_ledger::admin_grant(user, amount, operation, now)
                    .map_err(|error| StoreError::Broken(error.to_string()))?;
                tx.ledger().post(&[grant])?;
                tell_of_money(tx, user, NoticeBody::BoltsGranted { amount }, &ids, now)?;
                record(tx, actor, "grant_bolts", user, Some(amount.to_string()), now)?;
                let view = tx.users().view(user)?;
                let view = view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")))?;
                Ok(GrantedBolts { email: view.email, amount, balance: view.balances[Currency::Bolts] })
            })
        })
        .await
    }

    /// Replaces a user's password by a random one-time password and ends the user's sessions. Returns the
    /// password, which is not stored in readable form (`docs/product.md#users-and-sessions`).
    ///
    /// # Errors
    /// For example, the action is refused if the user is the opponent or the arbiter in an open bet of the admin, or an admin who
    /// could rule on one.
    pub async fn reset_password(&self, actor: Actor, email: &str) -> Result<String, UserActionError> {
        if !actor.is_admin {
            return Err(Refusal::NotAllowed.into());
        }
        let password = self.one_time_password();
        let hash = self.environment.passwords.hash(Lane::User(actor.user), password.clone()).await?;
        let (now, email, ids) = (self.now(), stored_email(email), self.environment.ids.clone());
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            let user = find(tx, &email)?;
            // With the password, the admin could agree or rule in the user's name.
            if tx.bets().depends_on(actor.user, user)? || may_rule_for(tx, actor.user, user)? {
                return Err(Refusal::ConflictOfInterest.into());
            }
            replace_password(tx, user, &hash, Some(now.after(ONE_TIME)), None, (&ids, now))?;
            begin_cooldown(tx, user, now)?;
            let event = AccountEvent::PasswordSetByAdmin;
            tell(tx, user, NoticeBody::Account { event }, &ids, now)?;
            Ok::<_, UserActionError>(record(tx, actor, "reset_password", user, None, now)?)
        })
        .await?;
        Ok(password)
    }

    /// A random password of 80 bits that is easy to read aloud.
    pub fn one_time_password(&self) -> String {
        let mut bytes = [0; LENGTH];
        self.environment.random.fill(&mut bytes);
        // 256 is a multiple of 32, so all characters have the same probability.
        bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}

/// Whether `other` is another admin, who could rule on a bet of this user.
fn may_rule_for(tx: &mut dyn Tx, user: UserId, other: UserId) -> Result<bool, StoreError> {
    if user == other || !tx.users().view(other)?.is_some_and(|view| view.is_admin) {
        return Ok(false);
    }
    let ties = tx.departures().ties(user)?;
    Ok(ties.open_bets + ties.disputed_bets > 0)
}

fn record(
    tx: &mut dyn Tx,
    actor: Actor,
    action: &'static str,
    user: UserId,
    detail: Option<String>,
    at: Timestamp,
) -> bolts_ports::Result<()> {
    let user = Some(user);
    tx.admin_actions().record(&AdminAction { admin: Some(actor.user), action, user, bet: None, detail, at })
}
