//! A small model of the product. It was written from `docs/domain-rules.md`, `docs/product.md`, `docs/lightning.md`
//! and `docs/http-api.md`, and not from the code. It shares no type and no function with the product, so a mistake
//! in the product's rules does not repeat itself here.
//!
//! Users, bets, deposits and withdrawals are numbers in the order of their creation. Times are microseconds.

mod achievements;
mod action;
mod arbiter;
mod bet;
mod clock;
mod departure;
mod generate;
mod keys;
mod moves;
mod news;
mod requests;
mod wallet;
mod withdrawing;

pub use achievements::{ACHIEVEMENTS, Figures};
pub use action::{Action, Answer, Expiry, Host, Invoice, Named, Order, Plan, Say, Terms, Token};
pub use arbiter::Task;
pub use bet::{Bet, Cause, Outcome, Phase, Side};
pub use generate::Sequences;
pub use news::News;
pub use wallet::{Call, Deposit, Payment, Status, Word};

use std::collections::{BTreeMap, BTreeSet};

/// One second in microseconds.
pub const SECOND: i64 = 1_000_000;

/// One hour in microseconds.
pub const HOUR: i64 = 3_600 * SECOND;

/// The waiting times of all bets of the model. They are shorter than the defaults, so that a sequence reaches them
/// with few steps. They are options of the operator.
pub const STAND: i64 = 6 * HOUR;
pub(crate) const LAPSE: i64 = 30 * HOUR;
pub(crate) const DISPUTE_LAPSE: i64 = 48 * HOUR;
pub(crate) const REMINDER: i64 = 2 * HOUR;
pub(crate) const ARBITER: i64 = 12 * HOUR;

/// The most that one user may withdraw within 24 hours, in sats. An option of the operator.
pub const USER_CAP: i64 = 30_000;

/// The most bets that one user may create within an hour. An option of the operator.
pub const BETS_PER_HOUR: u32 = 3;

/// The time at which every sequence starts: noon UTC on 5 January 2026.
pub const START: i64 = 1_767_614_400 * SECOND;

/// The users who have sats at the start. The last two are admins.
pub const FIRST_USERS: usize = 5;

/// The users without sats at the start.
pub const GUESTS: usize = 3;

/// The sats that each of the first users has at the start.
pub const FIRST_SATS: i64 = 50_000;

/// A currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Money {
    /// Practice points.
    Bolts,
    /// Satoshis.
    Sats,
}

/// A user of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The number in the user's e-mail address.
    pub name: u8,
    /// The available Bolts.
    pub bolts: i64,
    /// The available sats.
    pub sats: i64,
    /// Whether the user is an admin.
    pub is_admin: bool,
    /// The unlocked achievements, as places in [`ACHIEVEMENTS`].
    pub unlocked: BTreeSet<usize>,
    /// The achievements with a claimed reward.
    pub claimed: BTreeSet<usize>,
    /// The end of the cooldown after a password reset.
    pub cooldown_until: i64,
    /// Whether the user has deleted the account.
    pub is_gone: bool,
    /// The notifications in the order in which they were written.
    news: Vec<News>,
    /// The number of the password. Each new password has another one.
    password: u32,
    /// The first bet of the current window of the hourly limit, and the number of bets in it.
    bets_made: Option<(i64, u32)>,
    /// The site refuses all bets until then, because the user has reached the limit.
    bets_refused_until: i64,
}

impl User {
    fn new(name: u8) -> Self {
        Self {
            name,
            bolts: 1_000,
            sats: 0,
            is_admin: false,
            unlocked: BTreeSet::new(),
            claimed: BTreeSet::new(),
            cooldown_until: 0,
            is_gone: false,
            news: Vec::new(),
            password: 0,
            bets_made: None,
            bets_refused_until: 0,
        }
    }

    fn balance(&mut self, currency: Money) -> &mut i64 {
        match currency {
            Money::Bolts => &mut self.bolts,
            Money::Sats => &mut self.sats,
        }
    }
}

/// Everything that the model knows.
#[derive(Clone, Debug)]
pub struct World {
    /// The current time.
    pub now: i64,
    /// All users.
    pub users: Vec<User>,
    /// All bets, deleted bets included.
    pub bets: Vec<Bet>,
    /// All deposits.
    pub deposits: Vec<Deposit>,
    /// All withdrawals.
    pub withdrawals: Vec<Payment>,
    /// The time of the last heartbeat of a server.
    heartbeat: i64,
    /// The outages, each with its start and its end.
    outages: Vec<(i64, i64)>,
    /// The times at which a creator's invitation was told to a user.
    invited: BTreeMap<(usize, usize), i64>,
    /// The time of the last request for the provider's list of paid invoices.
    listed_at: Option<i64>,
    /// The requests with an idempotency key.
    sent: Vec<requests::Sent>,
    /// The answers that are kept for repeats.
    answers: BTreeMap<requests::Name, requests::Kept>,
    /// The API keys, revoked keys included.
    keys: Vec<keys::Key>,
    /// The number of invoices of other nodes so far.
    bills: usize,
    /// What the site did wrong towards the provider, in words.
    complaints: Vec<String>,
    /// Whether the provider pays a payment hash at most once and never forgets payments, as LND does.
    pub is_lnd: bool,
}

impl World {
    /// The world at the start of every sequence.
    pub fn new(is_lnd: bool) -> Self {
        let mut users: Vec<User> = (0..(FIRST_USERS + GUESTS) as u8).map(User::new).collect();
        for user in &mut users[..FIRST_USERS] {
            user.sats = FIRST_SATS;
            let amounts = vec![FIRST_SATS];
            let title = "Deposit Received".to_owned();
            user.news.push(News { at: START, title, bet: None, amounts, is_read: false });
        }
        for admin in &mut users[FIRST_USERS - 2..FIRST_USERS] {
            admin.is_admin = true;
        }
        let deposits = (0..FIRST_USERS).map(Deposit::first).collect();
        Self {
            now: START,
            users,
            bets: Vec::new(),
            deposits,
            withdrawals: Vec::new(),
            heartbeat: START,
            outages: Vec::new(),
            invited: BTreeMap::new(),
            listed_at: None,
            sent: Vec::new(),
            answers: BTreeMap::new(),
            keys: Vec::new(),
            bills: 0,
            complaints: Vec::new(),
            is_lnd,
        }
    }

    /// Does the action, and returns the answer that the user gets. `heard` are the calls to the provider during the
    /// action, and what the provider answered.
    pub fn step(&mut self, action: &Action, heard: &[Call]) -> Answer {
        // The session of a deleted user has ended.
        if action.user().is_some_and(|user| self.users[user].is_gone) {
            return Answer::of(refused("not_signed_in").map(|()| Answer::Done));
        }
        Answer::of(self.act(action, heard))
    }

    /// What the site did wrong towards the provider since the last call.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    fn complain(&mut self, what: String) {
        self.complaints.push(what);
    }

    fn act(&mut self, action: &Action, heard: &[Call]) -> Result<Answer, Refusal> {
        match *action {
            Action::Order { ref order, key } => return self.order(order, key, heard),
            Action::Repeat { user, order } => return self.repeat(user, order, heard),
            Action::SignUp { name } => self.sign_up(name)?,
            Action::ResetPassword { admin, user } => self.reset_password(admin, user)?,
            Action::Delete { user, bet } => self.delete(user, bet)?,
            Action::EndEarly { user, bet } => self.end_early(user, bet)?,
            Action::Dispute { user, bet } => self.dispute(user, bet)?,
            Action::AnswerInvitation { user, bet, accepts } => self.answer_invitation(user, bet, accepts)?,
            Action::Remove { user, bet } => self.remove(user, bet)?,
            Action::Claim { user, achievement } => self.claim(user, achievement)?,
            Action::Deposit { user, amount, is_silent } => self.deposit(user, amount, is_silent)?,
            Action::Poll { user, deposit } => self.poll(user, deposit, heard)?,
            Action::DeleteAccount { user, is_right } => self.delete_account(user, is_right)?,
            Action::MakeKey { user, days, is_right } => self.make_key(user, days, is_right)?,
            Action::RevokeKey { user, key } => self.revoke_key(user, key)?,
            Action::UseKey { key } => self.use_key(key)?,
            Action::Read { user, place } => self.read(user, place)?,
            Action::ReadAll { user } => return Ok(self.read_all(user)),
            Action::Clear { user } => return Ok(self.clear(user)),
            Action::Pass { micros } => self.pass(micros),
            Action::Outage { micros } => {
                self.now += micros;
                self.beat();
            }
            Action::Jump { micros } => self.now += micros,
            Action::Sweep => self.sweep(),
            Action::Receive { deposit, msat } => self.receive(deposit, msat),
            Action::Work { .. } => self.work(heard),
        }
        Ok(Answer::Done)
    }

    /// The user with this number in the e-mail address and the username. Both can be taken again after a deletion.
    fn named(&self, name: u8) -> Option<usize> {
        self.users.iter().position(|user| user.name == name && !user.is_gone)
    }

    fn sign_up(&mut self, name: u8) -> Verdict {
        if self.named(name).is_some() {
            return refused_on("email_taken", "email");
        }
        self.users.push(User::new(name));
        Ok(())
    }

    fn grant(&mut self, admin: usize, user: u8, amount: i64) -> Verdict {
        self.only_admins(admin)?;
        Self::judge_grant(amount)?;
        let Some(found) = self.named(user) else { return refused("user_not_found") };
        self.users[found].bolts += amount;
        self.tell_alone(found, "Bolts Received", vec![amount]);
        Ok(())
    }

    fn judge_grant(amount: i64) -> Verdict {
        if (1..=100_000_000).contains(&amount) { Ok(()) } else { refused_on("invalid_fields", "amount") }
    }

    fn reset_password(&mut self, admin: usize, user: u8) -> Verdict {
        self.only_admins(admin)?;
        let Some(user) = self.named(user) else { return refused("user_not_found") };
        let are_opponents = |bet: &Bet| {
            bet.is_open() && (bet.parties() == (admin, Some(user)) || bet.parties() == (user, Some(admin)))
        };
        // The admin could rule through the arbiter's account.
        let may_rule = |bet: &Bet| {
            let is_arbiter =
                matches!(bet.arbiter, Some((named, Task::Invited | Task::Accepted)) if named == user);
            bet.is_open() && bet.is_party(admin) && is_arbiter
        };
        let is_other_admin = self.users[user].is_admin && user != admin;
        let is_own = |bet: &Bet| bet.is_open() && bet.is_party(admin);
        if self.bets.iter().any(|bet| are_opponents(bet) || may_rule(bet) || is_other_admin && is_own(bet)) {
            return refused("conflict_of_interest");
        }
        self.users[user].cooldown_until = self.now + 24 * HOUR;
        self.tell_alone(user, "Password Set by an Admin", Vec::new());
        // The user signs in with the one-time password and sets a new one.
        self.users[user].password += 1;
        self.revoke_keys(user);
        self.tell_alone(user, "Password Changed", Vec::new());
        Ok(())
    }

    fn only_admins(&self, user: usize) -> Verdict {
        if self.users[user].is_admin { Ok(()) } else { refused("not_allowed") }
    }
}

/// The code of a refusal, and the field at fault if a field is named.
pub(crate) type Refusal = (&'static str, Option<&'static str>);

pub(crate) type Verdict = Result<(), Refusal>;

fn refused(code: &'static str) -> Verdict {
    Err((code, None))
}

fn refused_on(code: &'static str, field: &'static str) -> Verdict {
    Err((code, Some(field)))
}
