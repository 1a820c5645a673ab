//! The background workers of the server.

use std::fmt::Display;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use actix_web::rt::System;
use actix_web::{rt, web};
use bolts_ports::{Fanout, StoreError};
use bolts_usecases::App;
use bolts_usecases::delivery::Courier;
use bolts_usecases::wallet::{Listing, Wallets};
use bolts_wallet::{Finding, Watch};
use futures_channel::oneshot;
use futures_util::FutureExt;
use futures_util::future::join_all;

use crate::metrics::{note_listing, note_solvency, note_unchecked};

/// The interval of the sweep.
const SWEEP_EVERY: Duration = Duration::from_secs(2);

/// The interval of heartbeats.
const BEAT_EVERY: Duration = Duration::from_secs(30);

/// The interval at which expired rows are deleted.
const TIDY_EVERY: Duration = Duration::from_hours(1);

/// The time from the start to the first deletion of expired rows. A server that restarts every hour also deletes them.
const TIDY_AFTER: Duration = Duration::from_mins(1);

/// The maximum time that a stopping server waits for the end of the workers' thread.
const LONGEST_END: Duration = Duration::from_secs(5);

/// The interval at which the outbox is checked for hints.
const RELAY_EVERY: Duration = Duration::from_millis(50);

/// The interval between two checks for due mails, push messages or webhooks.
const DELIVERIES_EVERY: Duration = Duration::from_secs(1);

/// The interval at which deposits and withdrawals are checked for due steps.
const WALLETS_EVERY: Duration = Duration::from_secs(1);

/// The interval of the solvency check.
const SOLVENCY_EVERY: Duration = Duration::from_mins(1);

/// The interval of the solvency check while sats seem to be missing, and after a start until a check finds no missing
/// sats.
const SUSPECT_EVERY: Duration = Duration::from_secs(5);

/// After this time without a clean check of the provider, the log gets an error, because nothing is sent meanwhile.
const LONG_UNCHECKED: Duration = Duration::from_mins(5);

/// The pause before a worker that panicked starts again.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// The worker that sends push messages.
pub(crate) const PUSHES: &str = "the sending of push messages";

/// The worker that sends to webhooks.
pub(crate) const WEBHOOKS: &str = "the sending to webhooks";

const DEPOSIT: &str = "a step of a deposit";
const DEPOSITS: &str = "the sweep of deposits";
const LISTED_DEPOSITS: &str = "the search for deposits in the provider's list";
const STOP: &str = "the check of a provider that stopped answering";
const WITHDRAWAL: &str = "a step of a withdrawal";
const WITHDRAWALS: &str = "the sweep of withdrawals";
const SOLVENCY: &str = "the solvency check";
const REFUND: &str = "the check of a refunded withdrawal";
const REFUNDS: &str = "the search for refunds to check";
const MAILS: &str = "the sending of mails";
const RELAY: &str = "the relay";
const HEARTBEAT: &str = "the heartbeat";
const SWEEP: &str = "the sweep";
const TIDY: &str = "tidying up";

/// The names of all workers in the log and in `bolts_worker_failures_total`.
pub(crate) const NAMES: [&str; 16] = [
    DEPOSIT,
    DEPOSITS,
    LISTED_DEPOSITS,
    STOP,
    WITHDRAWAL,
    WITHDRAWALS,
    SOLVENCY,
    REFUND,
    REFUNDS,
    MAILS,
    RELAY,
    HEARTBEAT,
    SWEEP,
    TIDY,
    PUSHES,
    WEBHOOKS,
];

/// The thread of the workers. Some of their steps block on the database, and the main thread must handle signals meanwhile.
pub(crate) struct Crew {
    /// Dropping the sender ends the thread.
    end: Option<oneshot::Sender<()>>,
    thread: JoinHandle<()>,
}

impl Crew {
    /// Starts the thread. `start` starts the workers on it.
    pub(crate) fn begin(start: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let (end, ended) = oneshot::channel::<()>();
        let work = move || {
            System::new().block_on(async {
                start();
                let _dropped = ended.await;
            });
        };
        let thread = thread::Builder::new().name("workers".to_owned()).spawn(work)?;
        Ok(Self { end: Some(end), thread })
    }
}

impl Drop for Crew {
    /// Ends the workers. A worker that still waits for the database ends with the process.
    fn drop(&mut self) {
        drop(self.end.take());
        let until = Instant::now() + LONGEST_END;
        while !self.thread.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Starts the workers of the site. If a worker's round fails, the failure is logged and the next round tries
/// again.
pub(crate) fn start(app: App, fanout: Arc<dyn Fanout>) {
    spawn(SWEEP, app.clone(), sweep);
    spawn(TIDY, app.clone(), tidy);
    spawn(RELAY, (app, fanout), relay);
}

/// Starts the workers of deposits and withdrawals.
pub(crate) fn watch_wallets(wallets: &Wallets) {
    spawn(DEPOSITS, wallets.clone(), deposits);
    spawn(LISTED_DEPOSITS, wallets.clone(), listed_deposits);
    spawn(WITHDRAWALS, wallets.clone(), withdrawals);
    spawn(SOLVENCY, wallets.clone(), solvency);
    spawn(REFUNDS, wallets.clone(), refunds);
}

/// Starts a worker, which runs for ever. A worker that panics starts again.
fn spawn<T: Clone + 'static, W: Future<Output = ()> + 'static>(
    what: &'static str,
    with: T,
    worker: impl Fn(T) -> W + 'static,
) {
    rt::spawn(async move {
        loop {
            let run = worker(with.clone());
            step(what, run.map(Ok)).await;
            rt::time::sleep(AFTER_PANIC).await;
        }
    });
}

/// Carries out a step of a worker. A failure is counted and logged, and so is a panic.
async fn step(what: &'static str, run: impl Future<Output = Result<(), StoreError>>) {
    match AssertUnwindSafe(run).catch_unwind().await {
        Ok(done) => log(what, done),
        Err(_) => failed(what, &"it panicked"),
    }
}

async fn deposits(wallets: Wallets) {
    loop {
        rt::time::sleep(WALLETS_EVERY).await;
        let asking = wallets.clone();
        match in_background(move || asking.due_deposits()).await {
            Ok(due) => {
                join_all(due.into_iter().map(|deposit| step(DEPOSIT, wallets.move_deposit_on(deposit))))
                    .await;
            }
            Err(error) => log(DEPOSITS, Err(error)),
        }
    }
}

/// Searches the provider's list of paid invoices for open deposits. Logs the first failure of a
/// series of failures, and the end of the series.
async fn listed_deposits(wallets: Wallets) {
    let mut was_readable = true;
    loop {
        rt::time::sleep(WALLETS_EVERY).await;
        let asking = wallets.clone();
        let searched = match in_background(move || asking.deposits_to_list()).await {
            Ok(open) => wallets.credit_listed(open).await,
            Err(error) => Err(error),
        };
        match searched {
            Ok(Listing::NotAsked) => {}
            Ok(Listing::Read(found)) => {
                note_listing("read", found);
                if !was_readable {
                    tracing::info!("the provider's list of paid invoices can be read again");
                }
                was_readable = true;
            }
            Ok(Listing::Unreadable(error)) => {
                note_listing("unreadable", 0);
                if was_readable {
                    tracing::warn!(
                        %error,
                        "the provider's list of paid invoices cannot be read: a payment without a webhook is found by \
                         the next look-up of its invoice, up to 10 minutes later"
                    );
                }
                was_readable = false;
            }
            Err(error) => log(LISTED_DEPOSITS, Err(error)),
        }
    }
}

async fn withdrawals(wallets: Wallets) {
    loop {
        rt::time::sleep(WALLETS_EVERY).await;
        step(STOP, wallets.look_at_stop()).await;
        let asking = wallets.clone();
        match in_background(move || asking.due_withdrawals()).await {
            // A payment can take a minute, so each payment runs in its own task.
            Ok(due) => due.into_iter().for_each(|id| {
                let wallets = wallets.clone();
                rt::spawn(async move { step(WITHDRAWAL, wallets.move_on(id)).await });
            }),
            Err(error) => log(WITHDRAWALS, Err(error)),
        }
    }
}

/// Repeats the solvency check. The interval is shorter while sats seem to be missing, and while withdrawals wait for a clean
/// check.
async fn solvency(wallets: Wallets) {
    let (mut watch, mut unchecked) = (Watch::default(), Unchecked::default());
    unchecked.note(&wallets);
    loop {
        let is_suspect = match wallets.check_solvency(&mut watch).await {
            Ok((finding, sample)) => {
                note_solvency(finding, &sample);
                finding == Finding::Suspect
            }
            Err(error) => {
                log(SOLVENCY, Err(error));
                false
            }
        };
        let is_unchecked = unchecked.note(&wallets);
        rt::time::sleep(if is_suspect || is_unchecked { SUSPECT_EVERY } else { SOLVENCY_EVERY }).await;
    }
}

/// Measures for how long withdrawals have waited for a clean check of the provider.
#[derive(Debug, Default)]
struct Unchecked {
    since: Option<Instant>,
    is_logged: bool,
}

impl Unchecked {
    /// Records whether withdrawals wait for a clean check, and logs an error if they have waited for long. Returns whether they
    /// wait.
    fn note(&mut self, wallets: &Wallets) -> bool {
        let is_unchecked = !wallets.has_seen_agreement();
        note_unchecked(is_unchecked);
        if self.becomes_long(is_unchecked, Instant::now()) {
            tracing::error!(
                "nothing has been sent for 5 minutes: the provider's balance and lists do not agree with the ledger, or the \
                 provider does not answer. Withdrawals are held meanwhile"
            );
        }
        is_unchecked
    }

    /// Whether the wait has become longer than [`LONG_UNCHECKED`]. Returns `true` only once for each wait.
    fn becomes_long(&mut self, is_unchecked: bool, now: Instant) -> bool {
        if !is_unchecked {
            *self = Self::default();
            return false;
        }
        let since = *self.since.get_or_insert(now);
        let is_long = now.duration_since(since) >= LONG_UNCHECKED;
        is_long && !std::mem::replace(&mut self.is_logged, true)
    }
}

/// Looks for withdrawals that the operator refunded although the provider paid them.
async fn refunds(wallets: Wallets) {
    loop {
        let asking = wallets.clone();
        match in_background(move || asking.watched_refunds()).await {
            Ok(watched) => {
                for refunded in &watched {
                    step(REFUND, async { wallets.look_at_refund(refunded).await.map(drop) }).await;
                }
            }
            Err(error) => log(REFUNDS, Err(error)),
        }
        rt::time::sleep(wallets.refunds_looked_at_every()).await;
    }
}

/// Starts the worker that sends mails.
pub(crate) fn send_mails(courier: Courier) {
    spawn(MAILS, courier, |courier| {
        repeat(DELIVERIES_EVERY, MAILS, async move || {
            if is_due(&courier).await? {
                // A batch follows the other without a pause as long as something is due.
                while courier.deliver().await? > 0 {}
            }
            Ok(())
        })
    });
}

/// Starts a worker that sends to servers of users. Each route of deliveries has its own task, so that a slow server does
/// not hold up the others. `what` names the worker in the log.
pub(crate) fn send_to_receivers(what: &'static str, courier: Courier) {
    spawn(what, courier, move |courier| {
        repeat(DELIVERIES_EVERY, what, async move || {
            if is_due(&courier).await? {
                start_routes(what, &courier).await?;
            }
            Ok(())
        })
    });
}

async fn start_routes(what: &'static str, courier: &Courier) -> Result<(), StoreError> {
    loop {
        let (taken, routes) = courier.take().await?;
        if taken == 0 {
            return Ok(());
        }
        for route in routes {
            let courier = courier.clone();
            rt::spawn(async move { step(what, courier.carry(route)).await });
        }
    }
}

async fn is_due(courier: &Courier) -> Result<bool, StoreError> {
    let courier = courier.clone();
    in_background(move || courier.is_due()).await
}

async fn relay((app, fanout): (App, Arc<dyn Fanout>)) {
    repeat(RELAY_EVERY, RELAY, async move || {
        if is_owed(&app).await? {
            app.relay(&*fanout).await?;
        }
        Ok(())
    })
    .await;
}

/// Runs rounds for ever, with a pause before each one. A round that fails is logged, and the next round tries again.
async fn repeat(every: Duration, what: &'static str, round: impl AsyncFn() -> Result<(), StoreError>) {
    loop {
        rt::time::sleep(every).await;
        log(what, round().await);
    }
}

async fn is_owed(app: &App) -> Result<bool, StoreError> {
    let queries = app.queries().clone();
    in_background(move || queries.is_owed()).await
}

/// Runs a query on a thread that may block, so that the other workers go on even if the database does not answer.
async fn in_background<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let asked = web::block(ask).await;
    asked.map_err(|_| StoreError::Unavailable("the server is stopping".to_owned()))?
}

async fn sweep(app: App) {
    let mut beaten = Instant::now();
    loop {
        rt::time::sleep(SWEEP_EVERY).await;
        if beaten.elapsed() >= BEAT_EVERY {
            beaten = Instant::now();
            step(HEARTBEAT, app.heartbeat()).await;
        }
        step(SWEEP, apply_deadlines(&app)).await;
    }
}

async fn apply_deadlines(app: &App) -> Result<(), StoreError> {
    let bets = app.sweep().await?;
    if bets > 0 {
        metrics::counter!("bolts_swept_bets_total").increment(bets);
        tracing::info!(bets, "deadlines of bets were applied");
    }
    Ok(())
}

async fn tidy(app: App) {
    rt::time::sleep(TIDY_AFTER).await;
    loop {
        step(TIDY, app.tidy()).await;
        rt::time::sleep(TIDY_EVERY).await;
    }
}

fn log(what: &'static str, done: Result<(), StoreError>) {
    debug_assert!(NAMES.contains(&what), "the counter of {what:?} does not begin at 0");
    if let Err(error) = done {
        failed(what, &error);
    }
}

fn failed(what: &'static str, error: &dyn Display) {
    metrics::counter!("bolts_worker_failures_total", "worker" => what).increment(1);
    tracing::error!(%error, "{what} failed and will be tried again");
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;
    use std::rc::Rc;

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    /// The metrics that `run` records. `run` is called in the runtime of the workers.
    fn recorded(run: impl AsyncFnOnce()) -> String {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || System::new().block_on(run()));
        recorder.handle().render()
    }

    #[test]
    fn a_worker_that_panics_is_counted_and_begins_anew() {
        let runs = Rc::new(Cell::new(0));
        let worker = |runs: Rc<Cell<u32>>| async move {
            runs.set(runs.get() + 1);
            assert!(runs.get() > 1, "the first run panics");
            pending::<()>().await;
        };
        let metrics = recorded(async || {
            spawn(SWEEP, runs.clone(), worker);
            let started = Instant::now();
            while runs.get() < 2 {
                assert!(started.elapsed() < Duration::from_secs(60), "it does not begin anew");
                rt::time::sleep(Duration::from_millis(10)).await;
            }
        });
        let counted = "bolts_worker_failures_total{worker=\"the sweep\"} 1";
        assert!(metrics.contains(counted), "{metrics}");
    }

    #[test]
    fn failures_and_panics_of_a_step_count() {
        let metrics = recorded(async || {
            step(TIDY, async { Ok(()) }).await;
            step(TIDY, async { Err(StoreError::Contention) }).await;
            step(TIDY, async { panic!("a step panics") }).await;
        });
        let counted = "bolts_worker_failures_total{worker=\"tidying up\"} 2";
        assert!(metrics.contains(counted), "{metrics}");
    }

    #[test]
    fn five_minutes_without_a_clean_check_are_logged_once() {
        let (mut unchecked, start) = (Unchecked::default(), Instant::now());
        let mut at = |seconds, is_unchecked| {
            unchecked.becomes_long(is_unchecked, start + Duration::from_secs(seconds))
        };
        assert_eq!([0, 299].map(|seconds| at(seconds, true)), [false, false]);
        assert_eq!([300, 305, 9_000].map(|seconds| at(seconds, true)), [true, false, false]);
        assert!(!at(9_005, false), "a check was clean");
        assert_eq!([9_010, 9_309, 9_310].map(|seconds| at(seconds, true)), [false, false, true]);
    }
}
