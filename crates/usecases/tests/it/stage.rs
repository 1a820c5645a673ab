//! The use cases on a memory store, with short helpers for tests.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{Outcome, Side, TermsDraft};
use bolts_kernel::{BetId, Currency, Timestamp};
use bolts_ports::{Audit, BetKey, BetView, Clock, IdempotencyKey, NoticeBody, Passwords, Queries, Store};
use bolts_resolution::Answer;
use bolts_testkit::{
    CountingRandomness, FakeClock, FakeIdeas, FakePictures, MemoryStore, PlainPasswords, SequentialIds, start,
};
use bolts_usecases::accounts::{PasswordOwner, ProfileDraft, SignInError, SignedIn, session_hash};
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::{Actor, App, Environment, Idempotent, Reply, Rules};
use futures_executor::block_on;

use crate::factors::FakeSite;

pub(crate) const HOUR: Duration = Duration::from_secs(3_600);
pub(crate) const DAY: Duration = Duration::from_secs(24 * 3_600);
pub(crate) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) ideas: FakeIdeas,
}

fn environment(clock: &Arc<FakeClock>, passwords: Arc<dyn Passwords>, ideas: &FakeIdeas) -> Environment {
    Environment {
        clock: clock.clone(),
        ids: Arc::new(SequentialIds::default()),
        random: Arc::new(CountingRandomness::default()),
        passwords,
        ideas: Arc::new(ideas.clone()),
        pictures: Arc::new(FakePictures),
        passkeys: Some(Arc::new(FakeSite::default())),
    }
}

fn app(
    store: Arc<dyn Store>,
    queries: &Arc<MemoryStore>,
    clock: &Arc<FakeClock>,
    passwords: Arc<dyn Passwords>,
    ideas: &FakeIdeas,
    rules: Rules,
) -> App {
    App::new(store, queries.clone(), environment(clock, passwords, ideas), rules)
}

/// The user and the session of a request that asks the password.
pub(crate) fn owner(session: &SignedIn) -> PasswordOwner {
    let (user, email) = (session.user.id, session.user.email.clone());
    PasswordOwner { user, email, session: session_hash(&session.secret) }
}

/// Rules without a limit on sign-ins per network, so that a test can sign in as often as it needs.
fn lifted() -> Rules {
    Rules { signins_per_minute: 0, ..Rules::default() }
}

/// A request with this idempotency key. `render` makes the answer that is kept for a repeat.
pub(crate) fn once<T>(actor: Actor, key: &str, render: fn(&T) -> String) -> Option<Idempotent<T>>
where
    T: 'static,
{
    let [route, key, body_hash] = ["POST /api/request", key, "body"].map(str::to_owned);
    let key = IdempotencyKey { user: actor.user, route, key, body_hash };
    Some(Idempotent { key, render: Arc::new(render) })
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with_rules(lifted())
    }

    pub(crate) fn with_rules(rules: Rules) -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FakeClock::at(start())));
        let ideas = FakeIdeas::default();
        let passwords = Arc::new(PlainPasswords::default());
        let app = app(store.clone(), &store, &clock, passwords, &ideas, rules);
        Self { app, store, clock, ideas }
    }

    /// The use cases on the same store, with another password service, of a site that sends mails.
    pub(crate) fn with_passwords(&self, passwords: Arc<dyn Passwords>) -> App {
        let rules = Rules { sends_mail: true, ..lifted() };
        app(self.store.clone(), &self.store, &self.clock, passwords, &self.ideas, rules)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn user(&self, name: &str) -> Actor {
        Actor::from(&self.signed_up(name).user)
    }

    /// The first session of a new user.
    pub(crate) fn signed_up(&self, name: &str) -> SignedIn {
        let fresh = self.app.register(format!("{name}@example.com"), "secret".to_owned(), ADDRESS);
        block_on(fresh).expect("registered")
    }

    /// A sign-in from a network and with a browser that the user did not use before.
    pub(crate) fn sign_in(&self, name: &str, password: &str) -> Result<SignedIn, SignInError> {
        block_on(self.app.sign_in(&format!("{name}@example.com"), password.to_owned(), ADDRESS))
    }

    pub(crate) fn is_alive(&self, session: &SignedIn) -> bool {
        self.app.session(&session.secret).expect("readable").is_some()
    }

    /// The kinds of all of the user's notifications, newest first.
    pub(crate) fn notified(&self, session: &SignedIn) -> Vec<&'static str> {
        let all = self.store.notifications(session.user.id).expect("readable");
        all.iter().map(|one| one.body.kind()).collect()
    }

    pub(crate) fn admin(&self, name: &str) -> Actor {
        Actor { is_admin: true, ..self.user(name) }
    }

    pub(crate) fn name(&self, actor: Actor, username: &str) {
        let draft = ProfileDraft { username: username.to_owned(), ..ProfileDraft::default() };
        block_on(self.app.set_profile(actor.user, &draft)).expect("named");
    }

    pub(crate) fn bolts(&self, actor: Actor) -> i64 {
        self.store.user(actor.user).expect("readable").expect("there").balances[Currency::Bolts].get()
    }

    /// The use cases on the same store, of a site without an address of its own.
    pub(crate) fn without_passkeys(&self) -> App {
        let environment = environment(&self.clock, Arc::new(PlainPasswords::default()), &self.ideas);
        App::new(
            self.store.clone(),
            self.store.clone(),
            Environment { passkeys: None, ..environment },
            lifted(),
        )
    }

    /// The use cases of another process on the same store.
    pub(crate) fn other_process(&self) -> App {
        self.other_process_with(lifted())
    }

    /// The use cases of another process on the same store, with other rules.
    pub(crate) fn other_process_with(&self, rules: Rules) -> App {
        let passwords = Arc::new(PlainPasswords::default());
        app(self.store.clone(), &self.store, &self.clock, passwords, &self.ideas, rules)
    }

    /// The use cases of another process, which writes by this store.
    pub(crate) fn other_process_by(&self, store: Arc<dyn Store>) -> App {
        let passwords = Arc::new(PlainPasswords::default());
        app(store, &self.store, &self.clock, passwords, &self.ideas, lifted())
    }

    /// A stage whose use cases write by this store to a memory store.
    pub(crate) fn writing_by<S: Store + 'static>(store: impl FnOnce(Arc<MemoryStore>) -> S) -> Self {
        let stage = Self::new();
        let passwords = Arc::new(PlainPasswords::default());
        let store = Arc::new(store(stage.store.clone()));
        let app = app(store, &stage.store, &stage.clock, passwords, &stage.ideas, lifted());
        Self { app, ..stage }
    }

    /// Creates a bet of 100 Bolts that expires after this time. The creator takes side A.
    pub(crate) fn create(&self, actor: Actor, expires_in: Duration) -> BetId {
        self.created(actor, self.wanted(expires_in)).bet.id
    }

    pub(crate) fn created(&self, actor: Actor, create: Create) -> BetView {
        match block_on(self.app.create_bet(actor, create, None)).expect("created") {
            Reply::Done(view) => view,
            Reply::Replayed(answer) => panic!("repeated: {answer}"),
        }
    }

    /// The request that [`Stage::create`] sends.
    pub(crate) fn wanted(&self, expires_in: Duration) -> Create {
        let draft = TermsDraft {
            title: "Will it snow?".to_owned(),
            option_a: "Snow".to_owned(),
            option_b: "No snow".to_owned(),
            stake_amount: 100,
            currency: "bolts".to_owned(),
            method: "Mutual Agreement".to_owned(),
            expires_at: self.now().after(expires_in).to_string(),
            ..TermsDraft::default()
        };
        Create { draft, side: Side::A, is_private: false, arbiter: None }
    }

    pub(crate) fn accept(&self, actor: Actor, bet: BetId) {
        let accept = Accept { key: AcceptKey::Id(bet, None), option: Side::B };
        block_on(self.app.accept_bet(actor, accept, None)).expect("accepted");
    }

    /// Creates a bet and accepts it.
    pub(crate) fn live(&self, maker: Actor, taker: Actor, expires_in: Duration) -> BetId {
        let bet = self.create(maker, expires_in);
        self.accept(taker, bet);
        bet
    }

    pub(crate) fn propose(&self, actor: Actor, bet: BetId, outcome: Outcome) {
        block_on(self.app.propose_outcome(actor, bet, outcome, None)).expect("proposed");
    }

    pub(crate) fn answer(
        &self,
        actor: Actor,
        bet: BetId,
        answer: Answer,
    ) -> Result<Reply<BetView>, bolts_usecases::bets::ActionError> {
        block_on(self.app.respond_to_proposal(actor, bet, answer, None, None))
    }

    /// Sweeps once. A server does this every two seconds.
    pub(crate) fn sweep(&self) -> u64 {
        block_on(self.app.sweep()).expect("swept")
    }

    /// Writes a heartbeat, as a server does at its start and every half minute.
    pub(crate) fn heartbeat(&self) {
        block_on(self.app.heartbeat()).expect("noted");
    }

    pub(crate) fn status(&self, bet: BetId) -> &'static str {
        self.view(bet).bet.status().as_str()
    }

    pub(crate) fn view(&self, bet: BetId) -> BetView {
        self.store.bet(&BetKey::Id(bet)).expect("readable").expect("there")
    }

    /// The kinds of the user's notifications about bets, newest first.
    pub(crate) fn told(&self, actor: Actor) -> Vec<&'static str> {
        let all = self.store.notifications(actor.user).expect("readable");
        let about_bets = all.iter().filter(|one| matches!(one.body, NoticeBody::Bet { .. }));
        about_bets.map(|one| one.body.kind()).collect()
    }

    pub(crate) fn assert_sound(&self) {
        let checks = self.store.audit().expect("readable");
        let violations: Vec<String> = checks.into_iter().flat_map(|check| check.violations).collect();
        assert_eq!(violations, [""; 0]);
    }
}
