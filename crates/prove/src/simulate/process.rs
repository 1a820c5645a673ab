//! One simulated server process: the use cases, their workers, and the requests under way.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bolts_bets::{MethodPolicy, Waits};
use bolts_ports::{Fanout, Hint};
use bolts_testkit::{
    CountingRandomness, FakeClock, FakeIdeas, FakePictures, MemoryStore, PlainPasswords, SequentialIds,
};
use bolts_usecases::wallet::{Claim, WalletRules, Wallets};
use bolts_usecases::{App, Environment, Rules};
use bolts_wallet::{Finding, Watch};
use futures_util::future::join_all;

use super::disk::Disk;
use super::fate::Fate;
use super::node::{CALL, FLOAT, NoAddresses, Node, sleep};
use crate::model::HOUR;

/// A future that the simulation polls.
pub(super) type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The waiting times of all bets. They are shorter than the defaults, so that two weeks have many deadlines.
pub(super) const WAITS: Waits = Waits {
    stand: Duration::from_secs(24 * 3_600),
    lapse: Duration::from_secs(4 * 24 * 3_600),
    dispute_lapse: Duration::from_secs(6 * 24 * 3_600),
    reminder: Duration::from_secs(6 * 3_600),
    arbiter: Duration::from_secs(2 * 24 * 3_600),
};

/// The parts of the world that all processes share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) clock: FakeClock,
    pub(super) fate: Fate,
    pub(super) node: Node,
    pub(super) ids: SequentialIds,
    pub(super) random: CountingRandomness,
    pub(super) passwords: PlainPasswords,
}

/// A server process.
pub(super) struct Process {
    pub(super) app: App,
    pub(super) wallets: Wallets,
    pub(super) disk: Arc<Disk>,
    is_up: Rc<Cell<bool>>,
    is_over: Rc<Cell<bool>>,
    tasks: Vec<Task>,
}

impl Process {
    /// Starts a process on this store.
    pub(super) fn start(shared: &Shared, store: &Arc<MemoryStore>) -> Self {
        let disk = Arc::new(Disk::new(store.clone(), shared.fate.clone()));
        let environment = Environment {
            clock: Arc::new(shared.clock.clone()),
            ids: Arc::new(shared.ids.clone()),
            random: Arc::new(shared.random.clone()),
            passwords: Arc::new(shared.passwords.clone()),
            ideas: Arc::new(FakeIdeas::default()),
            pictures: Arc::new(FakePictures),
            passkeys: None,
        };
        let rules = Rules {
            waits: WAITS,
            methods: MethodPolicy::All,
            signups_per_hour: 0,
            signins_per_minute: 0,
            ..Rules::default()
        };
        let app = App::new(disk.clone(), store.clone(), environment, rules);
        let waits = bolts_wallet::Waits { patience: CALL * 2, call: CALL };
        let float = bolts_kernel::Amount::new(FLOAT).unwrap_or_default();
        let wallet_rules = WalletRules { waits, float, ..WalletRules::default() };
        let wallets =
            Wallets::new(app.clone(), Arc::new(shared.node.clone()), Arc::new(NoAddresses), wallet_rules);
        let (is_up, is_over) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
        let main = serve(app.clone(), wallets.clone(), shared.clone(), is_up.clone(), is_over.clone());
        Self { app, wallets, disk, is_up, is_over, tasks: vec![Box::pin(main)] }
    }

    /// Whether the process serves requests.
    pub(super) fn is_up(&self) -> bool {
        self.is_up.get() && !self.is_gone()
    }

    /// Whether the process has crashed or ended.
    pub(super) fn is_gone(&self) -> bool {
        self.disk.has_crashed() || self.is_over.get()
    }

    pub(super) fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.tasks.push(Box::pin(task));
    }

    /// Lets all tasks go on as far as they can.
    pub(super) fn poll(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        let disk = self.disk.clone();
        self.tasks.retain_mut(|task| disk.has_crashed() || task.as_mut().poll(&mut context) == Poll::Pending);
    }

    /// The number of requests under way.
    pub(super) fn under_way(&self) -> usize {
        self.tasks.len().saturating_sub(1)
    }
}

/// What `bolts serve` does: it claims the database, notes an outage, and starts the workers.
async fn serve(app: App, wallets: Wallets, shared: Shared, is_up: Rc<Cell<bool>>, is_over: Rc<Cell<bool>>) {
    let claim = wallets.claim_database().await;
    if claim != Ok(Claim::Taken) || app.heartbeat().await.is_err() {
        shared.fate.note(app.now(), &format!("a process does not start: {claim:?}"));
        is_over.set(true);
        return;
    }
    is_up.set(true);
    let workers: Vec<Task> = vec![
        Box::pin(sweeps(app.clone(), shared.clone())),
        Box::pin(deposits(wallets.clone(), shared.clone())),
        Box::pin(lists(wallets.clone(), shared.clone())),
        Box::pin(withdrawals(wallets.clone(), shared.clone())),
        Box::pin(solvency(wallets.clone(), shared.clone())),
        Box::pin(refunds(wallets, shared)),
    ];
    join_all(workers).await;
}

fn note<T>(shared: &Shared, what: &str, done: Result<T, bolts_ports::StoreError>) {
    if let Err(error) = done {
        shared.fate.note(bolts_ports::Clock::now(&shared.clock), &format!("{what} failed: {error}"));
    }
}

/// Hints to the open pages go nowhere.
struct Nowhere;

impl Fanout for Nowhere {
    fn publish(&self, _: &[Hint]) {}
}

async fn sweeps(app: App, shared: Shared) {
    let mut tidied = app.now().micros();
    loop {
        note(&shared, "the heartbeat", app.heartbeat().await);
        note(&shared, "the sweep", app.sweep().await);
        note(&shared, "the relay", app.relay(&Nowhere).await);
        if app.now().micros() - tidied >= HOUR {
            tidied = app.now().micros();
            note(&shared, "tidying up", app.tidy().await);
        }
        sleep(&shared.clock, Duration::from_secs(2)).await;
    }
}

async fn deposits(wallets: Wallets, shared: Shared) {
    loop {
        match wallets.due_deposits() {
            Ok(due) => {
                for done in join_all(due.into_iter().map(|deposit| wallets.move_deposit_on(deposit))).await {
                    note(&shared, "a step of a deposit", done);
                }
            }
            Err(error) => note::<()>(&shared, "the sweep of deposits", Err(error)),
        }
        sleep(&shared.clock, Duration::from_secs(1)).await;
    }
}

async fn lists(wallets: Wallets, shared: Shared) {
    loop {
        match wallets.deposits_to_list() {
            Ok(open) => note(&shared, "the list of deposits", wallets.credit_listed(open).await),
            Err(error) => note::<()>(&shared, "the list of deposits", Err(error)),
        }
        sleep(&shared.clock, Duration::from_secs(1)).await;
    }
}

async fn withdrawals(wallets: Wallets, shared: Shared) {
    loop {
        note(&shared, "the check of a provider that stopped answering", wallets.look_at_stop().await);
        match wallets.due_withdrawals() {
            Ok(due) => {
                for done in join_all(due.into_iter().map(|id| wallets.move_on(id))).await {
                    note(&shared, "a step of a withdrawal", done);
                }
            }
            Err(error) => note::<()>(&shared, "the sweep of withdrawals", Err(error)),
        }
        sleep(&shared.clock, Duration::from_secs(1)).await;
    }
}

async fn solvency(wallets: Wallets, shared: Shared) {
    let mut watch = Watch::default();
    loop {
        let wait = match wallets.check_solvency(&mut watch).await {
            Ok((finding, _)) if finding == Finding::Suspect || !wallets.has_seen_agreement() => 5,
            Ok(_) => 60,
            Err(error) => {
                note::<()>(&shared, "the solvency check", Err(error));
                60
            }
        };
        sleep(&shared.clock, Duration::from_secs(wait)).await;
    }
}

async fn refunds(wallets: Wallets, shared: Shared) {
    loop {
        for refunded in wallets.watched_refunds().unwrap_or_default() {
            note(&shared, "the check of a refunded withdrawal", wallets.look_at_refund(&refunded).await);
        }
        sleep(&shared.clock, wallets.refunds_looked_at_every()).await;
    }
}
