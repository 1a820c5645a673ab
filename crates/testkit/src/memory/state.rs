//! The data of the memory store.

use std::collections::{BTreeMap, BTreeSet};

use bolts_bets::{Bet, Event, Visibility};
use bolts_kernel::{
    Amount, ApiKeyId, BetId, Currency, DepositId, PasskeyId, PerCurrency, PictureId, Timestamp, UserId,
};
use bolts_ledger::{Account, Book};
use bolts_ports::{
    AdminAction, BetKey, BetView, Ceremony, Challenge, Hint, NewSession, NotificationView, Person, Profile,
    RateLimitState, Result, StoreError, StoredKey, StoredPasskey, StoredTotp, Unlocked, UserView,
};
use bolts_wallet::{Deposit, Withdrawal};

use super::deliveries::Outgoing;
use super::messages::{MessageRow, PictureRow};
use super::shared::Shared;

/// All data of a store.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) users: Shared<BTreeMap<UserId, UserRow>>,
    pub(super) sessions: Shared<BTreeMap<String, SessionRow>>,
    pub(super) bets: Shared<BTreeMap<BetId, BetRow>>,
    pub(super) accounts: Shared<BTreeSet<Account>>,
    pub(super) book: Shared<Book>,
    /// The notifications of each user, oldest first.
    pub(super) notifications: Shared<BTreeMap<UserId, Vec<NotificationView>>>,
    pub(super) requests: Shared<BTreeMap<RequestKey, RequestRow>>,
    pub(super) rate_limits: Shared<BTreeMap<String, RateLimitState>>,
    pub(super) settings: Shared<BTreeMap<String, String>>,
    pub(super) admin_actions: Shared<Vec<AdminAction>>,
    /// The rows of the outbox.
    pub(super) owed: Shared<Vec<Vec<Hint>>>,
    /// The achievements of each user, in the order of their unlocks.
    pub(super) unlocked: Shared<BTreeMap<UserId, Vec<Unlocked>>>,
    /// The deposits, in the order of their creation, because ids sort in this order.
    pub(super) deposits: Shared<BTreeMap<DepositId, Deposit>>,
    /// The withdrawals, in the order of their creation.
    pub(super) withdrawals: Shared<Vec<Withdrawal>>,
    /// The messages, in the order in which they were written.
    pub(super) messages: Shared<Vec<MessageRow>>,
    pub(super) pictures: Shared<BTreeMap<PictureId, PictureRow>>,
    /// The time at which each user's cooldown ends.
    pub(super) cooldowns: Shared<BTreeMap<UserId, Timestamp>>,
    /// Destinations, deliveries, preferences and tokens.
    pub(super) outgoing: Shared<Outgoing>,
    pub(super) totp: Shared<BTreeMap<UserId, StoredTotp>>,
    /// The hashes of each user's recovery codes.
    pub(super) recovery_codes: Shared<BTreeMap<UserId, BTreeSet<String>>>,
    pub(super) challenges: Shared<BTreeMap<String, Challenge>>,
    pub(super) passkeys: Shared<BTreeMap<PasskeyId, StoredPasskey>>,
    pub(super) ceremonies: Shared<BTreeMap<String, Ceremony>>,
    pub(super) keys: Shared<BTreeMap<ApiKeyId, StoredKey>>,
}

#[derive(Clone, Debug)]
pub(super) struct UserRow {
    pub(super) email: String,
    pub(super) password_hash: String,
    pub(super) changed_at: Timestamp,
    pub(super) one_time_until: Option<Timestamp>,
    pub(super) profile: Option<Profile>,
    pub(super) created_at: Timestamp,
    pub(super) is_admin: bool,
    pub(super) has_second_factor: bool,
    pub(super) deleted_at: Option<Timestamp>,
}

#[derive(Clone, Debug)]
pub(super) struct SessionRow {
    pub(super) session: NewSession,
    pub(super) last_seen_at: Timestamp,
}

#[derive(Clone, Debug)]
pub(super) struct BetRow {
    /// The position of the bet in the order of creation.
    pub(super) seq: i64,
    pub(super) bet: Bet,
    pub(super) events: Vec<Event>,
}

/// The user, the route and the idempotency key of a request.
pub(super) type RequestKey = (UserId, String, String);

#[derive(Clone, Debug)]
pub(super) struct RequestRow {
    pub(super) body_hash: String,
    pub(super) at: Timestamp,
    pub(super) answer: String,
}

impl State {
    pub(super) fn user(&self, id: UserId) -> Result<Option<UserView>> {
        let here = self.users.get(&id).filter(|row| row.deleted_at.is_none());
        let Some(row) = here else { return Ok(None) };
        let mut balances = PerCurrency::default();
        for currency in Currency::ALL {
            balances[currency] = self.available(id, currency)?;
        }
        Ok(Some(UserView {
            id,
            email: row.email.clone(),
            username: row.profile.as_ref().map(|profile| profile.username.clone()),
            first_name: row.profile.as_ref().and_then(|profile| profile.first_name.clone()),
            last_name: row.profile.as_ref().and_then(|profile| profile.last_name.clone()),
            created_at: row.created_at,
            balances,
            is_admin: row.is_admin,
            has_second_factor: row.has_second_factor,
            must_change_password: row.one_time_until.is_some(),
        }))
    }

    fn available(&self, user: UserId, currency: Currency) -> Result<Amount> {
        let balance = self.book.balance(Account::Available(user, currency));
        Amount::new(balance).map_err(|error| broken(format!("the {currency} of {user}: {error}")))
    }

    pub(super) fn user_of(&self, email: &str) -> Option<(UserId, &UserRow)> {
        let mut here = self.users.iter().filter(|(_, row)| row.deleted_at.is_none());
        here.find(|(_, row)| row.email == email).map(|(id, row)| (*id, row))
    }

    /// All admins, oldest first.
    pub(super) fn admins(&self) -> Vec<UserId> {
        let mut admins: Vec<_> = self.users.iter().filter(|(_, row)| row.is_admin).collect();
        admins.sort_by_key(|(id, row)| (row.created_at, **id));
        admins.into_iter().map(|(id, _)| *id).collect()
    }

    /// The bets that are not deleted.
    pub(super) fn live_bets(&self) -> impl Iterator<Item = &BetRow> {
        self.bets.values().filter(|row| row.bet.deletion.is_none())
    }

    pub(super) fn find(&self, key: &BetKey) -> Option<&BetRow> {
        match key {
            BetKey::Id(id) => self.bets.get(id).filter(|row| row.bet.deletion.is_none()),
            BetKey::Token(token) => self.live_bets().find(|row| match &row.bet.terms.visibility {
                Visibility::Private(own) => own == token,
                Visibility::Public => false,
            }),
        }
    }

    pub(super) fn view(&self, row: &BetRow) -> Result<BetView> {
        self.named(row.bet.clone())
    }

    pub(super) fn named(&self, bet: Bet) -> Result<BetView> {
        let creator = self.person(bet.creator)?;
        let acceptor = bet.acceptor().map(|user| self.person(user)).transpose()?;
        let arbiter = bet.arbiter.map(|arbiter| self.person(arbiter.user)).transpose()?;
        Ok(BetView { bet, creator, acceptor, arbiter })
    }

    pub(super) fn person(&self, id: UserId) -> Result<Person> {
        let row = self.users.get(&id).ok_or_else(|| broken(format!("no user {id}")))?;
        let username = row.profile.as_ref().map(|profile| profile.username.clone());
        Ok(Person { username, email: row.email.clone() })
    }
}

pub(super) fn broken(what: impl Into<String>) -> StoreError {
    StoreError::Broken(what.into())
}
