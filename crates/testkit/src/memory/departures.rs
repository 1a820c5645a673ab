use std::time::Duration;

use bolts_bets::{ArbiterStatus, Bet, Deletion, State as BetState, Status};
use bolts_kernel::{Amount, BetId, Currency, DepositId, Timestamp, UserId};
use bolts_ledger::Account;
use bolts_messages::Content;
use bolts_ports::{DepartureQueries, Departures, LateDeposit, Profile, Result, Ties, name_of_deleted};
use bolts_wallet::{Deposit, DepositState};

use super::MemoryStore;
use super::state::{State, broken};
use super::tx::MemoryTx;

fn is_open(bet: &Bet) -> bool {
    matches!(bet.status(), Status::Pending | Status::Accepted | Status::AwaitingResolution)
}

fn is_disputed(bet: &Bet) -> bool {
    match &bet.state {
        BetState::AwaitingResolution(negotiation) => negotiation.dispute.is_some(),
        BetState::Pending
        | BetState::Accepted(_)
        | BetState::Resolved { .. }
        | BetState::Cancelled { .. } => false,
    }
}

fn is_arbiter(bet: &Bet, user: UserId, status: ArbiterStatus) -> bool {
    bet.arbiter.is_some_and(|arbiter| arbiter.user == user && arbiter.status == status)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl State {
    fn open_bets(&self) -> impl Iterator<Item = &Bet> {
        self.live_bets().map(|row| &row.bet).filter(|bet| is_open(bet))
    }

    fn ties(&self, user: UserId) -> Result<Ties> {
        let own = || self.open_bets().filter(|bet| bet.party(user).is_some());
        let tasks = self.open_bets().filter(|bet| is_arbiter(bet, user, ArbiterStatus::Accepted));
        let withdrawals = self.withdrawals.iter().filter(|one| one.user == user && one.next_at().is_some());
        let deposits = self.deposits.values().filter(|deposit| deposit.user == user);
        let open = deposits.filter(|deposit| matches!(deposit.state, DepositState::Open { .. }));
        let sats = Amount::new(self.book.balance(Account::Available(user, Currency::Sats)));
        Ok(Ties {
            open_bets: number(own().filter(|bet| !is_disputed(bet)).count()),
            disputed_bets: number(own().filter(|bet| is_disputed(bet)).count()),
            arbiter_tasks: number(tasks.count()),
            withdrawals: number(withdrawals.count()),
            open_deposits: number(open.count()),
            sats: sats.map_err(|error| broken(error.to_string()))?,
            cooldown_until: self.cooldowns.get(&user).copied(),
            is_last_admin: self.admins() == [user],
        })
    }

    fn late_deposits(&self) -> Vec<LateDeposit> {
        let late = |deposit: &Deposit| {
            let DepositState::Paid(receipt) = deposit.state else { return None };
            let deleted_at = self.users.get(&deposit.user)?.deleted_at?;
            let (id, amount) = (deposit.id, receipt.credited());
            let key = format!("late:{id}");
            let booked = self.book.transfers().iter().find(|transfer| transfer.key() == key);
            (receipt.at >= deleted_at && !amount.is_zero()).then(|| LateDeposit {
                id,
                user: deposit.user,
                amount,
                paid_at: receipt.at,
                booked_at: booked.map(|transfer| transfer.at()),
            })
        };
        let mut all: Vec<_> = self.deposits.values().filter_map(late).collect();
        all.sort_by_key(|late| late.paid_at);
        all
    }

    /// The time of a deletion that begins at `at`: after the credit of every deposit of the user.
    fn time_of_deletion(&self, user: UserId, at: Timestamp) -> Timestamp {
        let own = self.deposits.values().filter(|deposit| deposit.user == user);
        let credits = own.filter_map(|deposit| match deposit.state {
            DepositState::Paid(receipt) => Some(receipt.at),
            DepositState::Open { .. } | DepositState::Lapsed => None,
        });
        credits.max().map_or(at, |last| at.max(last.after(Duration::from_micros(1))))
    }

    /// Removes the texts of the user's messages on bets of which the user was neither a party nor the arbiter.
    fn remove_texts(&mut self, user: UserId, at: Timestamp) {
        for row in self.messages.iter_mut().filter(|row| row.message.author == user) {
            let has_part = |bet: &Bet| {
                bet.party(user).is_some() || bet.arbiter.is_some_and(|arbiter| arbiter.user == user)
            };
            let stays = self.bets.get(&row.message.bet).is_some_and(|row| has_part(&row.bet));
            if !stays && row.message.text().is_some() {
                row.message.content = Content::Deleted(Deletion { at, by: user });
            }
        }
    }
}

impl Departures for MemoryTx {
    fn is_here(&mut self, user: UserId) -> Result<bool> {
        Ok(self.state.users.get(&user).is_some_and(|row| row.deleted_at.is_none()))
    }

    fn deleted_at(&mut self, user: UserId) -> Result<Option<Timestamp>> {
        Ok(self.state.users.get(&user).and_then(|row| row.deleted_at))
    }

    fn lock_user(&mut self, user: UserId) -> Result<bool> {
        self.is_here(user)
    }

    fn ties(&mut self, user: UserId) -> Result<Ties> {
        self.state.ties(user)
    }

    fn open_invitations(&mut self, user: UserId) -> Result<Vec<BetId>> {
        let invited = self.state.open_bets().filter(|bet| is_arbiter(bet, user, ArbiterStatus::Invited));
        Ok(invited.map(|bet| bet.id).collect())
    }

    fn erase(&mut self, user: UserId, at: Timestamp) -> Result<()> {
        let deleted_at = self.state.time_of_deletion(user, at);
        let (state, name) = (&mut self.state, name_of_deleted(user));
        let row = state.users.get_mut(&user).filter(|row| row.deleted_at.is_none());
        let row = row.ok_or_else(|| broken(format!("no user {user}")))?;
        let old = std::mem::replace(&mut row.email, name.clone());
        row.profile = Some(Profile { username: name, first_name: None, last_name: None });
        (row.is_admin, row.has_second_factor, row.deleted_at) = (false, false, Some(deleted_at));
        row.password_hash.clear();
        state.sessions.retain(|_, row| row.session.user != user);
        state.totp.remove(&user);
        state.keys.retain(|_, key| key.user != user);
        state.passkeys.retain(|_, passkey| passkey.user != user);
        state.recovery_codes.remove(&user);
        state.challenges.retain(|_, challenge| challenge.user != user);
        state.notifications.remove(&user);
        state.cooldowns.remove(&user);
        state.requests.retain(|(owner, ..), _| *owner != user);
        state.outgoing.erase(user, &old);
        state.remove_loose_pictures_of(user);
        state.remove_texts(user, at);
        Ok(())
    }

    fn late_deposit(&mut self, id: DepositId) -> Result<Option<LateDeposit>> {
        Ok(self.state.late_deposits().into_iter().find(|late| late.id == id))
    }
}

impl DepartureQueries for MemoryStore {
    fn ties_of(&self, user: UserId) -> Result<Ties> {
        self.state().ties(user)
    }

    fn late_deposits(&self) -> Result<Vec<LateDeposit>> {
        Ok(self.state().late_deposits())
    }
}
