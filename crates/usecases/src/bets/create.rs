//! A user creates a bet.

use bolts_bets::{Bet, NewBet, ShareToken, Side, Terms, TermsDraft, Visibility};
use bolts_kernel::{BetId, FieldError, Timestamp};
use bolts_ledger::Account;
use bolts_ports::{BetView, Lane, Need, StoreError, submit_for, submit_needing};

use super::cooldown::no_cooldown;
use super::{Cooldown, Shortfall, arbiter, record};
use crate::idempotency::{answered, once};
use crate::secret::random_text;
use crate::{Actor, App, Hourly, HourlyLimit, Idempotent, KeyReused, Refused, Reply};

/// A request to create a bet.
#[derive(Clone, Debug)]
pub struct Create {
    /// The terms as the user typed them.
    pub draft: TermsDraft,
    /// The side of the creator.
    pub side: Side,
    /// Whether the bet is reachable only by its link.
    pub is_private: bool,
    /// The username of the arbiter, if the creator names one.
    pub arbiter: Option<String>,
}

/// The reason why a bet was not created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    /// Some terms are not valid.
    #[error("Some fields need another look.")]
    Invalid(Vec<FieldError>),
    /// The balance does not cover the stake.
    #[error(transparent)]
    Insufficient(#[from] Shortfall),
    /// A cooldown after a password reset blocks stakes of money.
    #[error(transparent)]
    Cooldown(#[from] Cooldown),
    /// The user has reached the hourly limit of new bets.
    #[error(transparent)]
    TooMany(#[from] HourlyLimit),
    /// See [`KeyReused`].
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CreateError> for Refused {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Invalid(errors) => Self::invalid(errors),
            CreateError::Insufficient(shortfall) => shortfall.into(),
            CreateError::Cooldown(cooldown) => cooldown.into(),
            CreateError::TooMany(limit) => limit.into(),
            CreateError::KeyReused(error) => error.into(),
            CreateError::Store(error) => error.into(),
        }
    }
}

job_error!(CreateError);

impl App {
    /// Creates a bet and puts the creator's stake into escrow.
    pub async fn create_bet(
        &self,
        actor: Actor,
        create: Create,
        idempotency: Option<Idempotent<BetView>>,
    ) -> Result<Reply<BetView>, CreateError> {
        let now = self.now();
        let visibility =
            if create.is_private { Visibility::Private(self.share_token()) } else { Visibility::Public };
        let terms = match Terms::parse(&create.draft, visibility, self.rules.methods, now) {
            Ok(terms) => terms,
            // A repeated request gets its first answer, even if the bet has expired since.
            Err(errors) => {
                let earlier = self.created_before(actor, idempotency, now).await?;
                return earlier.ok_or(CreateError::Invalid(errors));
            }
        };
        let new = NewBet {
            id: self.id::<BetId>(),
            creator: actor.user,
            creator_side: create.side,
            terms,
            waits: self.rules.waits,
            arbiter: None,
        };
        let named = create.arbiter;
        let (ids, rules, again) = (self.environment.ids.clone(), self.rules, idempotency.clone());
        let need = Some(Need::NewBet(new.creator, new.terms.stake.currency));
        let attempt = submit_needing(&*self.store, Lane::User(actor.user), need, move |tx| {
            once(tx, again.as_ref(), now, |tx| {
                let stake = new.terms.stake;
                let arbiter = named.as_deref().map(|name| arbiter::named(tx, name, new.creator));
                let arbiter =
                    arbiter.transpose()?.transpose().map_err(|error| CreateError::Invalid(vec![error]))?;
                no_cooldown(tx, new.creator, stake, now)??;
                record::cover(tx, new.creator, stake)??;

                let created = Bet::create(NewBet { arbiter, ..new.clone() }, now);

                Hourly::Bets.count(tx, new.creator, rules, now)??;
                let created = arbiter::notified_hourly(tx, created, now)?;
                tx.bets().insert(&created)?;
                tx.ledger().open(&[Account::Escrow(new.id, stake.currency)])?;
                record::money(tx, &created, &ids, now)?;
                let told = record::notices(tx, &created, &ids, now)?;
                record::follow(tx, &created, told, &ids, now)?;
                Ok(tx.bets().named(created.bet)?)
            })
        });
        let reached = |error: &CreateError| match error {
            CreateError::TooMany(limit) => Some(*limit),
            CreateError::Invalid(_)
            | CreateError::Insufficient(_)
            | CreateError::Cooldown(_)
            | CreateError::KeyReused(_)
            | CreateError::Store(_) => None,
        };
        self.within_hourly(actor.user, Hourly::Bets, idempotency, reached, attempt).await
    }

    /// The first answer to a request with this key and body, if there is one.
    async fn created_before(
        &self,
        actor: Actor,
        idempotency: Option<Idempotent<BetView>>,
        now: Timestamp,
    ) -> Result<Option<Reply<BetView>>, CreateError> {
        let Some(repeat) = idempotency else { return Ok(None) };
        let told = submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            answered::<_, CreateError>(tx, Some(&repeat), now)
        });
        match told.await {
            // The fields of another request are judged before its key.
            Err(CreateError::KeyReused(_)) => Ok(None),
            told => Ok(told?.map(Reply::Replayed)),
        }
    }

    /// A share token of 128 random bits.
    fn share_token(&self) -> ShareToken {
        ShareToken::new(random_text::<16>(&*self.environment.random))
    }
}
