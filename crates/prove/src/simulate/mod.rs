//! A simulation of a site over weeks: one or two server processes on the store in memory, many users, a Lightning
//! provider and an operator, all on one clock that the simulation sets. Faults strike at random. Then all faults end,
//! and within twelve days all must come to rest. Every choice comes from the seed, so a seed replays exactly.

mod choose;
mod crowd;
mod disk;
mod fate;
mod node;
mod operator;
mod process;
mod rest;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{BetId, Timestamp};
use bolts_ports::{Clock, WalletQueries};
use bolts_testkit::{CountingRandomness, FakeClock, MemoryStore, PlainPasswords, SequentialIds};
use bolts_usecases::accounts::ProfileDraft;
use bolts_usecases::wallet::CopyKind;
use bolts_wallet::PaymentHash;
use futures_executor::block_on;

use crowd::{ADDRESS, Crowd, Member, PASSWORD, Request, Server, Want};
use fate::Fate;
pub use fate::Fault;
use node::{Incoming, Node, sleep};
use process::{Process, Shared};

use crate::model::{HOUR, START};

/// The length of the part without faults, in days. It is longer than every waiting time of a bet, with the grace period.
const QUIET_DAYS: i64 = 12;

/// A user repeats a request only within this time.
const REPEATED_WITHIN: Duration = Duration::from_secs(20 * 3_600);

/// The number of users. The last one is an admin.
const USERS: usize = 9;

/// What a simulation showed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The hash of the journal. Two runs of one seed have the same hash.
    pub hash: String,
    /// All events, one line each.
    pub journal: String,
    /// How often each fault struck.
    pub struck: BTreeMap<Fault, u64>,
    /// The number of requests of users.
    pub requests: u64,
    /// What must not be, in words. Empty if all is well.
    pub wrong: Vec<String>,
}

/// A state of the database to go back to.
struct Snapshot {
    store: MemoryStore,
    bets: Vec<BetId>,
    /// The payments that the site had ordered.
    payments: BTreeSet<PaymentHash>,
}

/// A simulated site.
pub(crate) struct World {
    shared: Shared,
    store: Arc<MemoryStore>,
    processes: Vec<Option<Process>>,
    /// The time at which each process that does not run starts again.
    starts_at: Vec<Timestamp>,
    crowd: Rc<RefCell<Crowd>>,
    /// An older state of the database.
    snapshot: Option<Snapshot>,
    /// The bets whose creation was acknowledged, without those that a restore took away.
    acknowledged: Vec<BetId>,
    has_been_restored: bool,
    requests: u64,
}

/// Runs the simulation with this seed: `busy_days` with faults, then twelve quiet days.
pub fn simulate(seed: u64, busy_days: u16) -> Outcome {
    let mut world = World::new(seed);
    world.run_until(START + i64::from(busy_days) * 24 * HOUR);
    world.shared.fate.be_quiet();
    // The clock may have jumped far beyond the end of the busy days.
    let rested = world.shared.clock.now().micros() + QUIET_DAYS * 24 * HOUR;
    world.run_until(rested);
    let wrong = world.what_is_wrong();
    let (journal, hash) = world.shared.fate.journal();
    Outcome { hash, journal, struck: world.shared.fate.struck(), requests: world.requests, wrong }
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("a time of a simulation")
}

impl World {
    fn new(seed: u64) -> Self {
        let (fate, clock) = (Fate::new(seed), FakeClock::at(at(START)));
        let node = Node::new(clock.clone(), fate.clone(), fate.one_in(2));
        let processes = if fate.one_in(2) { 1 } else { 2 };
        let shared = Shared {
            clock,
            fate,
            node,
            ids: SequentialIds::default(),
            random: CountingRandomness::default(),
            passwords: PlainPasswords::default(),
        };
        let store = Arc::new(MemoryStore::new());
        let mut world = Self {
            shared,
            store,
            processes: (0..processes).map(|_| None).collect(),
            starts_at: vec![at(START); processes],
            crowd: Rc::default(),
            snapshot: None,
            acknowledged: Vec::new(),
            has_been_restored: false,
            requests: 0,
        };
        world.register();
        world
    }

    /// Registers all users before the first fault, so that every older state of the database knows them.
    fn register(&mut self) {
        // The process is only a help for the set-up: its workers never run.
        let calm = Fate::new(0);
        calm.be_quiet();
        let process = Process::start(&Shared { fate: calm, ..self.shared.clone() }, &self.store);
        for number in 0..USERS {
            let email = format!("user{number}@example.com");
            let signed_in = block_on(process.app.register(email.clone(), PASSWORD.to_owned(), ADDRESS));
            let id = signed_in.expect("a sign-up on a calm store").user.id;
            let username = format!("user_{number}");
            let profile = ProfileDraft { username: username.clone(), ..ProfileDraft::default() };
            block_on(process.app.set_profile(id, &profile)).expect("a username on a calm store");
            let member = Member { id, email, username, is_admin: number + 1 == USERS };
            self.crowd.borrow_mut().members.push(member);
        }
        let admin = self.crowd.borrow().members[USERS - 1].email.clone();
        block_on(process.app.set_admin(&admin, true)).expect("an admin on a calm store");
    }

    fn run_until(&mut self, end: i64) {
        while self.shared.clock.now().micros() < end {
            self.tick();
        }
    }

    /// The length of the next step of time.
    fn step(&self) -> Duration {
        let fate = &self.shared.fate;
        if fate.is_quiet() {
            return Duration::from_secs(3_000);
        }
        Duration::from_secs(match fate.below(10) {
            0..4 => 1 + fate.below(60),
            4..7 => 60 + fate.below(1_200),
            _ => 1_200 + fate.below(2_100),
        })
    }

    fn tick(&mut self) {
        self.move_clock();
        self.run_processes();
        if self.shared.fate.is_quiet() {
            self.call_operator();
            return self.poll();
        }
        self.strike();
        for _ in 0..1 + self.shared.fate.below(3) {
            self.request();
        }
        self.pay_an_invoice();
        if self.shared.fate.one_in(12) {
            self.call_operator();
        }
        if self.shared.fate.one_in(150) {
            self.take_snapshot();
        }
        self.poll();
    }

    fn move_clock(&mut self) {
        let (clock, fate) = (&self.shared.clock, &self.shared.fate);
        if fate.strikes(Fault::ClockForward, 500) {
            clock.advance(Duration::from_secs(3_600 * (2 + fate.below(30))));
        }
        if fate.strikes(Fault::ClockBack, 400) {
            clock.set(clock.now().before(Duration::from_secs(1 + fate.below(600))));
        }
        clock.advance(self.step());
    }

    /// Ends processes that crashed, and starts those whose time has come.
    fn run_processes(&mut self) {
        let now = self.shared.clock.now();
        for number in 0..self.processes.len() {
            if self.processes[number].as_ref().is_some_and(Process::is_gone) {
                self.stop(number, Duration::from_secs(5 + self.shared.fate.below(900)));
            }
            if self.processes[number].is_none() && now >= self.starts_at[number] {
                self.shared.fate.note(now, &format!("process {number} starts"));
                self.processes[number] = Some(Process::start(&self.shared, &self.store));
            }
        }
        self.poll();
    }

    fn poll(&mut self) {
        // A task may make room for another, so all are polled twice.
        for _ in 0..2 {
            self.processes.iter_mut().flatten().for_each(Process::poll);
        }
    }

    /// Ends a process at once. Its requests get no answer.
    fn stop(&mut self, number: usize, pause: Duration) {
        self.shared.fate.note(self.shared.clock.now(), &format!("process {number} ends"));
        self.processes[number] = None;
        self.starts_at[number] = self.shared.clock.now().after(pause);
    }

    fn stop_all(&mut self, pause: Duration) {
        (0..self.processes.len()).for_each(|number| self.stop(number, pause));
    }

    /// Faults of machines and databases.
    fn strike(&mut self) {
        let fate = self.shared.fate.clone();
        let number = fate.below(self.processes.len() as u64) as usize;
        let waits = self.processes[number].as_ref().is_some_and(|process| process.under_way() > 0);
        if waits && fate.strikes(Fault::CrashInCall, 10) {
            self.stop(number, Duration::from_secs(5 + fate.below(600)));
        }
        if fate.strikes(Fault::Restart, 120) {
            self.stop(number, Duration::from_secs(1 + fate.below(60)));
        }
        if fate.strikes(Fault::Outage, 400) {
            self.stop_all(Duration::from_secs(3_600 * (1 + fate.below(40))));
        }
        if self.snapshot.is_some() && fate.strikes(Fault::RestoreOfBackup, 500) {
            self.restore(true);
        }
        if self.snapshot.is_some() && fate.strikes(Fault::RestoreOfSnapshot, 500) {
            self.restore(false);
        }
    }

    fn take_snapshot(&mut self) {
        // Before a server has used the database, it is the database of a new site. No check can see that it is old.
        if self.requests == 0 {
            return;
        }
        self.note_acknowledged();
        let (store, bets) = (self.store.copy(), self.acknowledged.clone());
        self.snapshot = Some(Snapshot { store, bets, payments: self.shared.node.ordered() });
    }

    /// Adds the bets that users know of. A user knows a bet only after its creation was acknowledged.
    fn note_acknowledged(&mut self) {
        let crowd = self.crowd.clone();
        for (id, _) in &crowd.borrow().bets {
            if !self.acknowledged.contains(id) {
                self.acknowledged.push(*id);
            }
        }
    }

    /// Stops all processes and replaces the database by the snapshot.
    fn restore(&mut self, is_backup: bool) {
        let Some(snapshot) = self.snapshot.take() else { return };
        self.stop_all(Duration::from_secs(60 + self.shared.fate.below(7_200)));
        self.store = Arc::new(snapshot.store);
        self.acknowledged = snapshot.bets;
        self.crowd.borrow_mut().bets.retain(|(id, _)| self.acknowledged.contains(id));
        self.crowd.borrow_mut().unanswered.clear();
        self.has_been_restored = true;
        self.shared.node.forget_others(&snapshot.payments);
        self.shared.fate.note(self.shared.clock.now(), &format!("a restore; of a backup: {is_backup}"));
        if is_backup {
            let calm = Fate::new(0);
            calm.be_quiet();
            let process = Process::start(&Shared { fate: calm, ..self.shared.clone() }, &self.store);
            let (name, value) = process.app.pause_of_copy(CopyKind::Backup).expect("a calm store");
            let put = bolts_ports::submit(&*self.store, move |tx| tx.settings().put(name, &value));
            block_on(put).expect("a calm store");
        }
    }

    /// A process that serves, if there is one.
    fn serving(&self) -> Option<usize> {
        let up = self
            .processes
            .iter()
            .enumerate()
            .filter(|(_, process)| process.as_ref().is_some_and(Process::is_up));
        let up: Vec<usize> = up.map(|(number, _)| number).collect();
        self.shared.fate.pick(&up)
    }

    fn call_operator(&mut self) {
        let Some(number) = self.serving() else { return };
        let (node, fate) = (self.shared.node.clone(), self.shared.fate.clone());
        if let Some(process) = &mut self.processes[number] {
            let wallets = process.wallets.clone();
            process.spawn(operator::attend(wallets, node, fate));
        }
    }

    /// A user sends a request: a new one, or one whose answer was lost.
    fn request(&mut self) {
        let Some(number) = self.serving() else { return };
        let fate = self.shared.fate.clone();
        let now = self.shared.clock.now();
        // A key counts for 24 hours. A later repeat would be a new request.
        let lost =
            self.crowd.borrow_mut().unanswered.pop().filter(|(at, _)| now.since(*at) < REPEATED_WITHIN);
        let request = match lost {
            Some((_, request)) => request,
            None => {
                let mut crowd = self.crowd.borrow_mut();
                let (user, want) = choose::next(&mut crowd, &self.store, &self.shared.node, &fate);
                crowd.next += 1;
                let fresh = (now, crowd.next);
                let valid = crowd.keys.get(&user).filter(|(at, _)| now.since(*at) < REPEATED_WITHIN);
                let (at, key) =
                    valid.copied().filter(|_| fate.strikes(Fault::KeyReused, 40)).unwrap_or(fresh);
                crowd.keys.insert(user, (at, key));
                Request { user, want, key: key.to_string() }
            }
        };
        let copies = if fate.strikes(Fault::RequestTwice, 25) { 2 } else { 1 };
        // A deposit has no key, so its repeat is a new request.
        let has_key = !matches!(request.want, Want::Deposit(_) | Want::Grant { .. });
        if has_key && fate.strikes(Fault::AnswerLost, 25) {
            self.crowd.borrow_mut().unanswered.push((now, request.clone()));
        }
        for _ in 0..copies {
            self.requests += 1;
            let (crowd, request) = (self.crowd.clone(), request.clone());
            if let Some(process) = &mut self.processes[number] {
                let (app, wallets, fate) = (process.app.clone(), process.wallets.clone(), fate.clone());
                process.spawn(async move {
                    crowd::send(Server { app, wallets, fate }, crowd, request).await;
                });
            }
        }
    }

    /// Somebody pays an invoice, and the provider calls the webhook.
    fn pay_an_invoice(&mut self) {
        let (fate, now) = (self.shared.fate.clone(), self.shared.clock.now());
        let unpaid = self.unpaid();
        if fate.strikes(Fault::WebhookForged, 30)
            && let Some((_, one)) = fate.pick(&unpaid)
        {
            self.call_webhook(one.owner.id);
        }
        let late = fate.strikes(Fault::PaidLate, 60);
        let (open, mut expired): (Vec<_>, Vec<_>) =
            unpaid.into_iter().partition(|(_, one)| now < one.expires_at);
        // The site asks about an invoice until a day after its expiry.
        expired.retain(|(_, one)| now < one.expires_at.after(Duration::from_secs(20 * 3_600)));
        let Some((hash, one)) = fate.pick(if late { &expired } else { &open }) else { return };
        if !late && !fate.one_in(3) {
            return;
        }
        let msat = if fate.strikes(Fault::PaidTooLittle, 20) {
            fate.between(1, one.msat)
        } else if fate.strikes(Fault::PaidTooMuch, 20) {
            one.msat + fate.between(1, 5_000)
        } else {
            one.msat
        };
        if let Some(incoming) = self.shared.node.books().incoming.get_mut(&hash) {
            incoming.received = Some(msat);
        }
        fate.note(now, &format!("{msat} msat arrive for {}", one.owner.id));
        let calls = if fate.strikes(Fault::WebhookLost, 4) {
            0
        } else if fate.strikes(Fault::WebhookTwice, 4) {
            2
        } else {
            1
        };
        (0..calls).for_each(|_| self.call_webhook(one.owner.id));
    }

    /// The unpaid invoices that users have. After a crash or a restore, the database may not know an invoice. Nobody pays
    /// such an invoice here: after a crash no user has seen it. After a restore, a payment that comes later than the first
    /// check is found only by `bolts deposits reconcile --since`.
    fn unpaid(&self) -> Vec<(PaymentHash, Incoming)> {
        let books = self.shared.node.books();
        let unpaid = books.incoming.iter().filter(|(_, one)| one.received.is_none());
        let is_known = |hash| self.store.deposit_of(hash).is_ok_and(|found| found.is_some());
        unpaid.filter(|(hash, _)| is_known(**hash)).map(|(hash, one)| (*hash, one.clone())).collect()
    }

    fn call_webhook(&mut self, deposit: bolts_kernel::DepositId) {
        let Some(number) = self.serving() else { return };
        let clock = self.shared.clock.clone();
        if let Some(process) = &mut self.processes[number] {
            let (app, wallets) = (process.app.clone(), process.wallets.clone());
            process.spawn(async move {
                let Ok(found) = app.queries().deposit(deposit) else { return };
                let mut wait = wallets.hear_of_deposit(found).await.unwrap_or_default();
                while let Some(some) = wait {
                    sleep(&clock, some).await;
                    wait = wallets.look_for_webhook(deposit).await.unwrap_or_default();
                }
            });
        }
    }
}
