//! The use cases in the test's process, on the database of this test binary. A test can set the clock, and
//! can act while a password is being checked or a Lightning address is being asked.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_bets::{Outcome, Side, TermsDraft};
use bolts_kernel::{Amount, BetId, Currency, Timestamp};
use bolts_lightning::{Lnbits, LnbitsOptions, Lnd, LndOptions, TestLightning, Timeouts, decode};
use bolts_ports::{
    AddressError, BetKey, Busy, Clock, DecodedInvoice, Lane, Lightning, LightningAddresses, Passwords,
    Pending, Queries, Store,
};
use bolts_store_diesel::{DatabaseUrl, SqliteOptions, SqliteStore};
use bolts_testkit::provider::{ADMIN_KEY, INVOICE_KEY, Kind, MACAROON, Provider, Wanted, make, now};
use bolts_testkit::{CountingRandomness, FakeClock, FakeIdeas, FakePictures, PlainPasswords, SequentialIds};
use bolts_usecases::accounts::{PasswordOwner, SignInError, SignedIn, session_hash};
use bolts_usecases::bets::{Accept, AcceptError, AcceptKey, Create, CreateError};
use bolts_usecases::wallet::{Destination, WalletRules, Wallets, Withdraw, WithdrawError};
use bolts_usecases::{Actor, App, Environment, Reply, Rules};
use futures_executor::block_on;

use crate::database::Database;
use crate::harness::binary;

/// The origin of the site.
pub(crate) const ORIGIN: &str = "https://bets.example";

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// An action that runs once, in the middle of another call.
#[derive(Clone, Default)]
pub(crate) struct Meanwhile(Arc<Mutex<Option<Happening>>>);

type Happening = Box<dyn FnOnce() -> Pending<'static, ()> + Send>;

impl Meanwhile {
    pub(crate) fn set(&self, happening: impl Future<Output = ()> + Send + 'static) {
        *self.0.lock().expect("no panic") = Some(Box::new(|| Box::pin(happening)));
    }

    async fn happen(&self) {
        let happening = self.0.lock().expect("no panic").take();
        if let Some(happening) = happening {
            happening().await;
        }
    }
}

/// Fast password hashing that runs another action during a check.
struct Interrupted(PlainPasswords, Meanwhile);

impl Passwords for Interrupted {
    fn hash(&self, lane: Lane, password: String) -> Pending<'_, Result<String, Busy>> {
        self.0.hash(lane, password)
    }

    fn verify(&self, lane: Lane, password: String, hash: Option<String>) -> Pending<'_, Result<bool, Busy>> {
        Box::pin(async move {
            self.1.happen().await;
            self.0.verify(lane, password, hash).await
        })
    }
}

/// A server of Lightning addresses that always gives an invoice and runs another action before that.
struct Host(Meanwhile);

impl LightningAddresses for Host {
    fn invoice(&self, _: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>> {
        Box::pin(async move {
            self.0.happen().await;
            let made = make(&Wanted::test_sats(amount.get().unsigned_abs()));
            Ok(decode(&made.text).expect("an invoice"))
        })
    }
}

pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) wallets: Wallets,
    pub(crate) clock: Arc<FakeClock>,
    /// The action that runs during the check of a password.
    pub(crate) while_checking: Meanwhile,
    /// The action that runs during the request to a Lightning address.
    pub(crate) while_asking: Meanwhile,
    queries: Arc<dyn Queries>,
    // This field is the last one, so that the database is dropped after all other fields.
    pub(crate) database: Database,
}

fn open(database: &Database) -> (Arc<dyn Store>, Arc<dyn Queries>) {
    match DatabaseUrl::parse(&database.url()).expect("a database") {
        DatabaseUrl::Sqlite(path) => {
            let store = SqliteStore::open(&path, SqliteOptions::default()).expect("a file");
            let store = Arc::new(store);
            (store.clone(), store)
        }
        #[cfg(feature = "postgres")]
        DatabaseUrl::Postgres(url) => {
            let options = bolts_store_diesel::PostgresOptions::default();
            let store = Arc::new(bolts_store_diesel::PostgresStore::open(&url, options).expect("a database"));
            (store.clone(), store)
        }
        #[cfg(not(feature = "postgres"))]
        DatabaseUrl::Postgres(url) => panic!("no PostgreSQL in this build: {url}"),
    }
}

fn adapter(provider: &Provider) -> Arc<dyn Lightning> {
    let (url, timeouts) = (provider.url(), Timeouts::default());
    match provider.kind() {
        Kind::Lnbits => {
            let (admin_key, invoice_key) = (ADMIN_KEY.to_owned(), Some(INVOICE_KEY.to_owned()));
            let options = LnbitsOptions { url, admin_key, invoice_key, timeouts };
            Arc::new(Lnbits::new(&options).expect("good options"))
        }
        Kind::Lnd => {
            let certificate_pem = provider.certificate_pem().expect("a certificate").as_bytes().to_vec();
            let options = LndOptions { url, macaroon: MACAROON.to_owned(), certificate_pem, timeouts };
            Arc::new(Lnd::new(&options).expect("good options"))
        }
    }
}

/// The session of a signed-in user.
pub(crate) type Session = SignedIn;

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with(WalletRules::default())
    }

    pub(crate) fn with(rules: WalletRules) -> Self {
        Self::build(rules, |clock| {
            let random = Arc::new(CountingRandomness::default());
            Arc::new(TestLightning::new(Duration::from_secs(5), clock, random))
        })
    }

    /// The use cases with real sats at a scripted provider.
    pub(crate) fn over(provider: &Provider) -> Self {
        Self::build(WalletRules::default(), |_| adapter(provider))
    }

    fn build(rules: WalletRules, lightning: impl FnOnce(Arc<FakeClock>) -> Arc<dyn Lightning>) -> Self {
        let database = Database::new();
        let (store, queries) = open(&database);
        let began = i64::try_from(now().as_micros()).expect("before 9999");
        let clock = Arc::new(FakeClock::at(Timestamp::from_micros(began).expect("in range")));
        let (while_checking, while_asking) = (Meanwhile::default(), Meanwhile::default());
        let environment = Environment {
            clock: clock.clone(),
            ids: Arc::new(SequentialIds::default()),
            random: Arc::new(CountingRandomness::default()),
            passwords: Arc::new(Interrupted(PlainPasswords::default(), while_checking.clone())),
            ideas: Arc::new(FakeIdeas::default()),
            pictures: Arc::new(FakePictures),
            passkeys: Some(Arc::new(bolts_passkeys::Site::at(ORIGIN).expect("a domain"))),
        };
        let limits =
            Rules { signups_per_hour: 0, signins_per_minute: 0, sends_mail: true, ..Rules::default() };
        let app = App::new(store, queries.clone(), environment, limits);
        let host = Arc::new(Host(while_asking.clone()));
        let wallets = Wallets::new(app.clone(), lightning(clock.clone()), host, rules);
        block_on(app.heartbeat()).expect("noted");
        Self { app, wallets, clock, while_checking, while_asking, queries, database }
    }

    /// The wallets of another process on the same database.
    pub(crate) fn other_process(&self, provider: &Provider) -> Wallets {
        let host = Arc::new(Host(self.while_asking.clone()));
        Wallets::new(self.app.clone(), adapter(provider), host, WalletRules::default())
    }

    pub(crate) fn queries(&self) -> &dyn Queries {
        &*self.queries
    }

    /// Asserts that `bolts audit` finds nothing.
    pub(crate) fn assert_audit_clean(&self) {
        let audit =
            binary().args(["audit", "--database-url", &self.database.url()]).output().expect("it runs");
        assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    }

    pub(crate) fn user(&self, name: &str) -> Session {
        block_on(self.app.register(email(name), "secret".to_owned(), ADDRESS)).expect("registered")
    }

    pub(crate) fn admin(&self, name: &str) -> Actor {
        let root = self.user(name);
        block_on(self.app.set_admin(&email(name), true)).expect("granted");
        Actor { is_admin: true, ..actor(&root) }
    }

    pub(crate) fn sign_in(&self, name: &str, password: &str) -> Result<Session, SignInError> {
        block_on(self.app.sign_in(&email(name), password.to_owned(), ADDRESS))
    }

    pub(crate) fn is_alive(&self, session: &Session) -> bool {
        self.app.session(&session.secret).expect("readable").is_some()
    }

    pub(crate) fn add_sats(&self, session: &Session, units: i64) {
        let amount = Amount::new(units).expect("not below 0");
        block_on(self.wallets.add_test_sats(session.user.id, amount, None)).expect("added");
    }

    pub(crate) fn sats(&self, session: &Session) -> i64 {
        self.queries.user(session.user.id).expect("readable").expect("there").balances[Currency::Sats].get()
    }

    /// Withdraws this number of sats to a Lightning address.
    pub(crate) fn withdraw(&self, session: &Session, sats: i64) -> Result<(), WithdrawError> {
        let destination =
            Destination::Address("carol@example.com".to_owned(), Amount::new(sats).expect("not below 0"));
        let withdraw = Withdraw { owner: owner(session).into(), password: "secret".to_owned(), destination };
        block_on(self.wallets.withdraw(withdraw, None)).map(drop)
    }

    /// A request for a public bet with its creator on side A. It expires after this time.
    pub(crate) fn terms(&self, (amount, currency): (i64, &str), expires_in: Duration) -> Create {
        let draft = TermsDraft {
            title: "Will it snow?".to_owned(),
            option_a: "Snow".to_owned(),
            option_b: "No snow".to_owned(),
            stake_amount: amount,
            currency: currency.to_owned(),
            method: "Mutual Agreement".to_owned(),
            expires_at: self.clock.now().after(expires_in).to_string(),
            ..TermsDraft::default()
        };
        Create { draft, side: Side::A, is_private: false, arbiter: None }
    }

    /// A bet as in [`terms`](Self::terms).
    pub(crate) fn create(
        &self,
        session: &Session,
        (amount, currency): (i64, &str),
        expires_in: Duration,
    ) -> Result<BetId, CreateError> {
        self.send(session, self.terms((amount, currency), expires_in))
    }

    /// Creates the bet of this request.
    pub(crate) fn send(&self, session: &Session, create: Create) -> Result<BetId, CreateError> {
        match block_on(self.app.create_bet(actor(session), create, None))? {
            Reply::Done(view) => Ok(view.bet.id),
            Reply::Replayed(answer) => panic!("repeated: {answer}"),
        }
    }

    pub(crate) fn accept(&self, session: &Session, bet: BetId) -> Result<(), AcceptError> {
        let accept = Accept { key: AcceptKey::Id(bet, None), option: Side::B };
        block_on(self.app.accept_bet(actor(session), accept, None)).map(drop)
    }

    pub(crate) fn propose(&self, session: &Session, bet: BetId, outcome: Outcome) {
        block_on(self.app.propose_outcome(actor(session), bet, outcome, None)).expect("proposed");
    }

    pub(crate) fn status(&self, bet: BetId) -> &'static str {
        self.queries.bet(&BetKey::Id(bet)).expect("readable").expect("there").bet.status().as_str()
    }
}

pub(crate) fn email(name: &str) -> String {
    format!("{name}@example.com")
}

pub(crate) fn actor(session: &Session) -> Actor {
    Actor::from(&session.user)
}

pub(crate) fn owner(session: &Session) -> PasswordOwner {
    PasswordOwner {
        user: session.user.id,
        email: session.user.email.clone(),
        session: session_hash(&session.secret),
    }
}
