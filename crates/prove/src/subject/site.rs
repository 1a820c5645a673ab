//! A site on one store, with a clock that the sequence sets.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{MethodPolicy, ShareToken, Waits};
use bolts_kernel::{ApiKeyId, BetId, DepositId, ProposalId, Timestamp, UserId, WithdrawalId};
use bolts_ports::{SatsKind, StoreError};
use bolts_testkit::{CountingRandomness, FakeClock, FakeIdeas, FakePictures, PlainPasswords, SequentialIds};
use bolts_usecases::wallet::{WalletRules, Wallets};
use bolts_usecases::{App, Environment, Rules};
use bolts_wallet::Watch;
use futures_executor::block_on;

use super::Door;
use super::provider::{Hosts, Scripted, address};
use crate::backend::{Backend, Opened};
use crate::model::{
    ARBITER, Action, Answer, BETS_PER_HOUR, Call, DISPUTE_LAPSE, FIRST_SATS, FIRST_USERS, GUESTS, HOUR,
    Invoice, LAPSE, Plan, REMINDER, STAND, START, USER_CAP,
};

/// The address of all users.
pub(super) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A session is renewed after this time, long before it ends without use.
const RENEWED_AFTER: i64 = 20 * 24 * HOUR;

/// A registered user.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) id: UserId,
    pub(super) email: String,
    pub(super) password: String,
    /// The secret of the session, or its cookie.
    pub(super) session: String,
    /// The device of the latest sign-in, or its cookie.
    pub(super) device: String,
    pub(super) signed_in_at: i64,
    pub(super) is_admin: bool,
    /// Whether the user has deleted the account.
    pub(super) is_gone: bool,
}

impl Account {
    /// The account of a new user.
    pub(super) fn new(id: UserId, email: String, signed_in_at: i64) -> Self {
        let (session, device, password) = (String::new(), String::new(), FIRST_PASSWORD.to_owned());
        Self { id, email, password, session, device, signed_in_at, is_admin: false, is_gone: false }
    }
}

/// The password with which users sign up.
pub(super) const FIRST_PASSWORD: &str = "secret";

/// A bet of the site.
#[derive(Clone, Debug)]
pub(super) struct KnownBet {
    pub(super) id: BetId,
    pub(super) token: Option<ShareToken>,
    pub(super) latest_proposal: Option<ProposalId>,
}

/// A site on one store.
pub(crate) struct Site {
    pub(super) clock: FakeClock,
    pub(super) provider: Scripted,
    hosts: Hosts,
    pub(super) app: App,
    pub(super) wallets: Wallets,
    pub(super) opened: Opened,
    pub(super) accounts: Vec<Account>,
    pub(super) bets: Vec<KnownBet>,
    pub(super) deposits: Vec<DepositId>,
    pub(super) withdrawals: Vec<(WithdrawalId, String)>,
    /// The API keys, each with its id.
    pub(super) keys: Vec<(ApiKeyId, String)>,
    /// The number of passwords that were set so far.
    pub(super) passwords: u32,
}

fn micros(length: i64) -> Duration {
    Duration::from_micros(length.unsigned_abs())
}

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("a time of a sequence")
}

fn failed(error: StoreError) -> String {
    format!("the store failed: {error}")
}

/// The username of the user with this number.
pub(super) fn username(name: u8) -> String {
    format!("user_{name}")
}

/// The address of the user with this number.
pub(super) fn email(name: u8) -> String {
    format!("user{name}@example.com")
}

impl Site {
    /// An empty site.
    pub(super) fn open(backend: Backend, is_lnd: bool) -> Result<Self, String> {
        let opened = backend.open();
        let clock = FakeClock::at(at(START));
        let environment = Environment {
            clock: Arc::new(clock.clone()),
            ids: Arc::new(SequentialIds::default()),
            random: Arc::new(CountingRandomness::default()),
            passwords: Arc::new(PlainPasswords::default()),
            ideas: Arc::new(FakeIdeas::default()),
            pictures: Arc::new(FakePictures),
            passkeys: None,
        };
        let waits = Waits {
            stand: micros(STAND),
            lapse: micros(LAPSE),
            dispute_lapse: micros(DISPUTE_LAPSE),
            reminder: micros(REMINDER),
            arbiter: micros(ARBITER),
        };
        let rules = Rules {
            waits,
            methods: MethodPolicy::All,
            signups_per_hour: 0,
            signins_per_minute: 0,
            bets_per_hour: BETS_PER_HOUR,
            writes_per_minute: 0,
            sends_mail: false,
            requires_confirmed_email: false,
            calls_private_receivers: false,
            require_admin_factor: false,
        };
        let app = App::new(opened.store.clone(), opened.queries.clone(), environment, rules);
        let provider = Scripted::new(clock.clone(), is_lnd);
        let wallet_rules = WalletRules { user_cap: USER_CAP, total_cap: 0, ..WalletRules::default() };
        let hosts = Hosts::new(provider.clone());
        let (lightning, addresses) = (Arc::new(provider.clone()), Arc::new(hosts.clone()));
        let wallets = Wallets::new(app.clone(), lightning, addresses, wallet_rules);
        let site = Self {
            clock,
            provider,
            hosts,
            app,
            wallets,
            opened,
            accounts: Vec::new(),
            bets: Vec::new(),
            deposits: Vec::new(),
            withdrawals: Vec::new(),
            keys: Vec::new(),
            passwords: 0,
        };
        block_on(site.wallets.claim_database()).map_err(failed)?;
        block_on(site.app.heartbeat()).map_err(failed)?;
        block_on(site.wallets.check_solvency(&mut Watch::default())).map_err(failed)?;
        Ok(site)
    }

    /// Registers the first users, gives them their sats, and makes the last two admins.
    pub(super) fn set_up(&mut self, door: &mut dyn Door) -> Result<(), String> {
        for user in 0..FIRST_USERS {
            let deposit = Action::Deposit { user, amount: FIRST_SATS, is_silent: false };
            let receive = Action::Receive { deposit: user, msat: FIRST_SATS * 1_000 };
            let sign_up = Action::SignUp { name: user as u8 };
            for action in [sign_up, deposit, receive, Action::Poll { user, deposit: user }] {
                self.prepare(door, &action)?;
            }
        }
        for name in FIRST_USERS..FIRST_USERS + GUESTS {
            self.prepare(door, &Action::SignUp { name: name as u8 })?;
        }
        for admin in &mut self.accounts[FIRST_USERS - 2..FIRST_USERS] {
            block_on(self.app.set_admin(&admin.email, true)).map_err(failed)?;
            admin.is_admin = true;
        }
        self.provider.heard();
        Ok(())
    }

    fn prepare(&mut self, door: &mut dyn Door, action: &Action) -> Result<(), String> {
        let answer = match self.act(action) {
            Some(done) => done.map(|()| Answer::Done)?,
            None => door.act(self, action)?,
        };
        if answer == Answer::Done { Ok(()) } else { Err(format!("{action:?} of the set-up: {answer:?}")) }
    }

    pub(super) fn now(&self) -> i64 {
        self.app.now().micros()
    }

    /// The calls to the provider since the last call of this function, with their answers.
    pub(crate) fn heard(&self) -> Vec<Call> {
        self.provider.heard()
    }

    /// The violations that the audit finds.
    ///
    /// # Errors
    /// The audit failed.
    pub(crate) fn violations(&self) -> Result<Vec<String>, String> {
        let checks = self.opened.audit.audit().map_err(failed)?;
        Ok(checks.into_iter().flat_map(|check| check.violations).collect())
    }

    /// The bet, and an id that no bet has for a number without a bet.
    pub(super) fn bet_id(&self, bet: usize) -> BetId {
        self.bets.get(bet).map_or_else(|| BetId::from(0xdead_u128), |bet| bet.id)
    }

    /// The invoice of a withdrawal, or the Lightning address.
    pub(super) fn invoice(&self, invoice: Invoice, msat: i64) -> String {
        let (now, hour) = (self.now(), HOUR);
        let fresh = |network, msat, expires| self.provider.invoice(msat, network, at(expires));
        let real = Some(SatsKind::Real);
        // The server refuses an empty invoice as a missing field, before it looks at the idempotency key.
        let unknown = || "lnbc-unknown".to_owned();
        match invoice {
            Invoice::Fresh => fresh(real, Some(msat), now + hour),
            Invoice::Again(number) => {
                self.withdrawals.get(number).map_or_else(unknown, |(_, invoice)| invoice.clone())
            }
            Invoice::Deposit(number) => {
                let found = self.deposits.get(number).map(|id| self.app.queries().deposit(*id));
                found.and_then(Result::ok).flatten().map_or_else(unknown, |deposit| deposit.invoice)
            }
            Invoice::Expired => fresh(real, Some(msat), now),
            Invoice::NoAmount => fresh(real, None, now + hour),
            Invoice::OtherNetwork => fresh(Some(SatsKind::Test), Some(msat), now + hour),
            Invoice::Garbage => "garbage".to_owned(),
            Invoice::Address(host) => address(host),
        }
    }

    /// The user with this number in the e-mail address.
    pub(super) fn named(&self, name: u8) -> Result<usize, String> {
        let (email, mut accounts) = (email(name), self.accounts.iter());
        accounts
            .position(|account| account.email == email && !account.is_gone)
            .ok_or_else(|| format!("no {email}"))
    }

    /// The id of an API key, and an id that no key has for a number without a key.
    pub(super) fn key_id(&self, key: usize) -> ApiKeyId {
        self.keys.get(key).map_or_else(|| ApiKeyId::from(0xdead_u128), |(id, _)| *id)
    }

    /// The text of an API key, or of a key that never was.
    pub(super) fn key(&self, key: usize) -> String {
        self.keys.get(key).map_or_else(|| format!("bolts_{}", "A".repeat(43)), |(_, text)| text.clone())
    }

    /// A password that nobody had before.
    pub(super) fn new_password(&mut self) -> String {
        self.passwords += 1;
        format!("{FIRST_PASSWORD}-{}", self.passwords)
    }

    /// Decides the result of the payment to a destination. The invoice of an earlier withdrawal keeps its plan.
    pub(super) fn plan(&self, invoice: &str, plan: Plan) {
        self.hosts.plan(self.withdrawals.len(), plan);
        if self.withdrawals.iter().all(|(_, known)| known != invoice) {
            self.provider.plan(invoice, self.withdrawals.len(), plan);
        }
    }

    /// Whether the user's session should be renewed.
    pub(super) fn is_stale(&self, user: usize) -> bool {
        let account = &self.accounts[user];
        !account.is_gone && self.now() - account.signed_in_at > RENEWED_AFTER
    }

    /// Does an action of the clock, of the workers or of a payer. `None` for an action of a user.
    pub(super) fn act(&mut self, action: &Action) -> Option<Result<(), String>> {
        let done = match *action {
            Action::Pass { micros } => self.pass(micros),
            Action::Outage { micros: length } => {
                self.clock.advance(micros(length));
                block_on(self.app.heartbeat())
            }
            Action::Jump { micros: length } => {
                self.clock.advance(micros(length));
                Ok(())
            }
            Action::Sweep => block_on(self.app.sweep()).map(drop),
            Action::Receive { deposit, msat } => self.receive(deposit, msat),
            Action::Work { is_unclear } => self.work(is_unclear),
            Action::Order { .. }
            | Action::Repeat { .. }
            | Action::SignUp { .. }
            | Action::ResetPassword { .. }
            | Action::Delete { .. }
            | Action::EndEarly { .. }
            | Action::Dispute { .. }
            | Action::AnswerInvitation { .. }
            | Action::Remove { .. }
            | Action::Claim { .. }
            | Action::Deposit { .. }
            | Action::Poll { .. }
            | Action::DeleteAccount { .. }
            | Action::MakeKey { .. }
            | Action::RevokeKey { .. }
            | Action::UseKey { .. }
            | Action::Read { .. }
            | Action::ReadAll { .. }
            | Action::Clear { .. } => return None,
        };
        Some(done.map_err(failed))
    }

    fn pass(&self, length: i64) -> Result<(), StoreError> {
        let mut left = length;
        while left > 0 {
            let some = left.min(HOUR);
            self.clock.advance(micros(some));
            left -= some;
            block_on(self.app.heartbeat())?;
        }
        Ok(())
    }

    fn receive(&self, deposit: usize, msat: i64) -> Result<(), StoreError> {
        let Some(id) = self.deposits.get(deposit) else { return Ok(()) };
        if let Some(deposit) = self.app.queries().deposit(*id)? {
            self.provider.receive(deposit.payment_hash, msat);
        }
        Ok(())
    }

    /// The workers of deposits and withdrawals run once. The list comes first, so that the model knows whether it is due.
    fn work(&self, is_unclear: bool) -> Result<(), StoreError> {
        self.provider.be_silent(is_unclear);
        let done = self.work_once();
        self.provider.be_silent(false);
        done
    }

    fn work_once(&self) -> Result<(), StoreError> {
        let open = self.wallets.deposits_to_list()?;
        block_on(self.wallets.credit_listed(open))?;
        for deposit in self.wallets.due_deposits()? {
            block_on(self.wallets.move_deposit_on(deposit))?;
        }
        block_on(self.wallets.look_at_stop())?;
        for withdrawal in self.wallets.due_withdrawals()? {
            block_on(self.wallets.move_on(withdrawal))?;
        }
        Ok(())
    }
}
