//! Prometheus metrics on a separate address for the operator's network. Off by default.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::{App as Actix, HttpResponse, HttpServer, rt, web};
use bolts_delivery::Channel;
use bolts_kernel::WithdrawalId;
use bolts_ports::{Audit, PageRequest, Queries, StoreError};
use bolts_usecases::App;
use bolts_usecases::wallet::{Sending, Solvency};
use bolts_wallet::Finding;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::{Failure, traces, workers};

/// The buckets of the latency histogram, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];

/// The buckets of the batch histogram, in jobs.
const JOBS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The interval of the ledger's audit.
const AUDIT_EVERY: Duration = Duration::from_hours(1);

/// The interval of the checks of disputes, deposits and withdrawals.
const DISPUTES_EVERY: Duration = Duration::from_mins(1);

/// A dispute that waits longer than this for a ruling raises an alarm: 3 days.
const ALARM_AFTER: Duration = Duration::from_hours(3 * 24);

/// A delivery that waits longer than this raises an alarm: 15 minutes.
const LATE: Duration = Duration::from_mins(15);

/// The minimum interval between two reads of the sums of all accounts.
const TOTALS_EVERY: Duration = Duration::from_mins(1);

/// The longest time that a request to `/metrics` waits for the database. Prometheus waits 10 s for the answer. It must get the
/// other values also while the database is away.
const READ_WAIT: Duration = Duration::from_secs(2);

/// The interval at which the samples of histograms are moved into their buckets.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// The sources of metrics that are read at each request to `/metrics`, so that alarms use current values.
struct Asked {
    app: App,
    audit: Arc<dyn Audit>,
    /// The time of the last read of the sums. The lock is held during each read.
    totals_at: Mutex<Option<Instant>>,
}

impl Asked {
    /// Reads the values, unless another request is reading them. Otherwise requests would take one thread after the other while
    /// the database does not answer.
    fn read(&self) {
        let mut totals_at = match self.totals_at.try_lock() {
            Ok(totals_at) => totals_at,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        drop(withdrawals(&self.app));
        held(&self.app);
        drop(deliveries(&self.app));
        if totals_at.is_none_or(|at| at.elapsed() >= TOTALS_EVERY) {
            *totals_at = Some(Instant::now());
            totals(&*self.audit);
        }
    }
}

/// Starts to collect metrics, and serves them under `/metrics` on this address.
pub(crate) fn serve(bind: SocketAddr, app: App, audit: Arc<dyn Audit>) -> Result<SocketAddr, Failure> {
    let unusable = |error: String| Failure::start_up(format!("cannot serve metrics on {bind}: {error}"));
    let buckets = |builder: PrometheusBuilder, name: &str, limits: &[f64]| {
        builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), limits)
    };
    let builder = buckets(PrometheusBuilder::new(), "bolts_http_request_seconds", &SECONDS)
        .and_then(|builder| buckets(builder, "bolts_pool_wait_seconds", &SECONDS))
        .and_then(|builder| buckets(builder, "bolts_write_batch_jobs", &JOBS))
        .map_err(|error| unusable(error.to_string()))?;
    let handle = builder.install_recorder().map_err(|error| unusable(error.to_string()))?;
    let listener = TcpListener::bind(bind).map_err(|error| unusable(error.to_string()))?;
    let address = listener.local_addr().map_err(|error| unusable(error.to_string()))?;
    begin();
    let cleaned = handle.clone();
    rt::spawn(upkeep(UPKEEP_EVERY, move || cleaned.run_upkeep()));
    let asked = web::Data::new(Asked { app, audit, totals_at: Mutex::default() });
    let pages = HttpServer::new(move || {
        let app = Actix::new().app_data(web::Data::new(handle.clone())).app_data(asked.clone());
        app.route("/metrics", web::get().to(page))
    });
    let pages =
        pages.workers(1).disable_signals().listen(listener).map_err(|error| unusable(error.to_string()))?;
    rt::spawn(pages.run());
    Ok(address)
}

/// Moves the samples of histograms into their buckets again and again. A sample takes memory until then, and a request to
/// `/metrics`, which moves them too, may never come.
async fn upkeep(every: Duration, run: impl Fn()) {
    loop {
        rt::time::sleep(every).await;
        run();
    }
}

/// Counters from 0, and a gauge that exists only after an attempt to send. An alert on the growth of a counter works only if the
/// counter exists before its first event.
fn begin() {
    for name in [
        "bolts_audits_total",
        "bolts_deposits_found_in_list_total",
        "bolts_late_deposits_total",
        "bolts_solvency_unanswered_total",
        "bolts_swept_bets_total",
        "bolts_withdrawals_refused_by_total_cap_total",
        "bolts_write_refused_total",
    ] {
        metrics::counter!(name).absolute(0);
    }
    for result in ["read", "unreadable"] {
        metrics::counter!("bolts_deposit_lists_total", "result" => result).absolute(0);
    }
    for worker in workers::NAMES {
        metrics::counter!("bolts_worker_failures_total", "worker" => worker).absolute(0);
    }
    for from in ["replica", "primary"] {
        metrics::counter!("bolts_visitor_reads_total", "from" => from).absolute(0);
    }
    for result in traces::RESULTS {
        metrics::counter!("bolts_trace_spans_total", "result" => result).absolute(0);
    }
    for result in ["stored", "refused"] {
        metrics::counter!("bolts_pictures_total", "result" => result).absolute(0);
    }
    for channel in Channel::ALL.map(Channel::as_str) {
        metrics::gauge!("bolts_deliveries_resting_servers", "channel" => channel).set(0.0);
        for outcome in ["sent", "later", "unavailable", "gone", "refused", "too_late"] {
            metrics::counter!("bolts_deliveries_total", "channel" => channel, "outcome" => outcome)
                .absolute(0);
        }
    }
}

async fn page(handle: web::Data<PrometheusHandle>, asked: web::Data<Asked>) -> HttpResponse {
    drop(rt::time::timeout(READ_WAIT, web::block(move || asked.read())).await);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(handle.render())
}

/// Audits the ledger every hour. Checks disputes, deposits and withdrawals every minute. A problem appears in the log
/// and in a metric, and the server continues.
///
/// # Errors
/// The thread of the audit cannot be started.
pub(crate) fn watch(app: App, audit: Arc<dyn Audit>) -> io::Result<()> {
    let audit = move || {
        loop {
            audited(&*audit);
            thread::sleep(AUDIT_EVERY);
        }
    };
    // The audit of a large database takes minutes. A server that stops would wait for a task of the runtime, but the end
    // of the process ends this thread.
    thread::Builder::new().name("audit".to_owned()).spawn(audit)?;
    rt::spawn(async move {
        loop {
            let (queries, now) = (app.queries().clone(), app.now());
            drop(web::block(move || disputes(&*queries, now)).await);
            let app = app.clone();
            let looked = move || {
                deposits(&app);
                for (channel, age) in deliveries(&app) {
                    if age >= LATE {
                        let channel = channel.as_str();
                        tracing::error!(
                            channel,
                            seconds = age.as_secs(),
                            "deliveries have been due for more than 15 minutes"
                        );
                    }
                }
                alarm(&withdrawals(&app));
            };
            drop(web::block(looked).await);
            rt::time::sleep(DISPUTES_EVERY).await;
        }
    });
    Ok(())
}

fn audited(audit: &dyn Audit) {
    match audit.audit() {
        Ok(checks) => {
            for check in checks {
                metrics::gauge!("bolts_audit_violations", "check" => check.name)
                    .set(check.violations.len() as f64);
                for violation in &check.violations {
                    tracing::error!(check = check.name, violation, "the ledger's invariants do not hold");
                }
            }
            metrics::counter!("bolts_audits_total").increment(1);
        }
        Err(error) => tracing::error!(%error, "the audit could not run"),
    }
}

fn totals(audit: &dyn Audit) {
    match audit.totals() {
        Ok(totals) => {
            for total in totals {
                let (kind, currency) = (total.kind, total.currency.as_str());
                metrics::gauge!("bolts_ledger_balance", "account" => kind, "currency" => currency)
                    .set(total.balance as f64);
            }
        }
        Err(error) => tracing::error!(%error, "the ledger's totals could not be read"),
    }
}

/// Records the result of a solvency check.
pub(crate) fn note_solvency(finding: Finding, sample: &Solvency) {
    let suspicion = match finding {
        Finding::Sound => 0.0,
        Finding::Suspect => 1.0,
        Finding::Breach => 2.0,
    };
    metrics::gauge!("bolts_solvency_suspicion").set(suspicion);
    metrics::gauge!("bolts_solvency_liabilities_sats").set(sample.liabilities.get() as f64);
    metrics::gauge!("bolts_solvency_float_sats").set(sample.float.get() as f64);
    metrics::gauge!("bolts_solvency_in_flight_sats").set(sample.in_flight.get() as f64);
    metrics::gauge!("bolts_solvency_withheld_sats").set(sample.withheld().get() as f64 / 1_000.0);
    metrics::gauge!("bolts_withdrawals_still_pending").set(sample.still_pending.len() as f64);
    if let Some(holdings) = sample.holdings_msat {
        metrics::gauge!("bolts_solvency_holdings_sats").set(holdings as f64 / 1_000.0);
    }
    let unanswered = u64::from(sample.holdings_msat.is_none());
    metrics::counter!("bolts_solvency_unanswered_total").increment(unanswered);
}

/// Records whether withdrawals wait for a clean check of the provider.
pub(crate) fn note_unchecked(is_unchecked: bool) {
    metrics::gauge!("bolts_withdrawals_unchecked").set(f64::from(u8::from(is_unchecked)));
}

/// Counts a request for the provider's list of paid invoices, and the open deposits that were found in the list.
pub(crate) fn note_listing(result: &'static str, found: usize) {
    metrics::counter!("bolts_deposit_lists_total", "result" => result).increment(1);
    metrics::counter!("bolts_deposits_found_in_list_total").increment(found as u64);
}

/// Reports the number of expired deposits for which the provider has given no clear answer.
fn deposits(app: &App) {
    match app.unanswered_deposits() {
        Ok(unanswered) => {
            if unanswered > 0 {
                tracing::error!(unanswered, "the provider does not say whether expired deposits were paid");
            }
            metrics::gauge!("bolts_deposits_unanswered").set(unanswered as f64);
        }
        Err(error) => tracing::error!(%error, "the deposits could not be read"),
    }
}

/// Records the withdrawals under way and in doubt, and whether withdrawals are paused or stopped. Returns the ids of
/// the withdrawals in doubt.
fn withdrawals(app: &App) -> Vec<WithdrawalId> {
    match (app.withdrawals_pause(), app.sending_stop()) {
        (Ok(pause), Ok(stop)) => {
            metrics::gauge!("bolts_withdrawals_paused").set(f64::from(u8::from(pause.is_some())));
            metrics::gauge!("bolts_withdrawals_stopped").set(f64::from(u8::from(stop.is_some())));
        }
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "whether withdrawals are sent could not be read");
        }
    }
    match app.sending_withdrawals() {
        Ok(Sending { count, in_doubt, in_doubt_sats }) => {
            metrics::gauge!("bolts_withdrawals_sending").set(count as f64);
            metrics::gauge!("bolts_withdrawals_in_doubt").set(in_doubt.len() as f64);
            metrics::gauge!("bolts_withdrawals_in_doubt_sats").set(in_doubt_sats as f64);
            in_doubt
        }
        Err(error) => {
            tracing::error!(%error, "the withdrawals could not be read");
            Vec::new()
        }
    }
}

/// Records for how long the oldest withdrawal has waited to be sent, whatever holds it up.
fn held(app: &App) {
    match app.oldest_held() {
        Ok(oldest) => {
            let age = oldest.map_or(Duration::ZERO, |oldest| app.now().since(oldest));
            metrics::gauge!("bolts_withdrawals_held_oldest_seconds").set(age.as_secs_f64());
        }
        Err(error) => tracing::error!(%error, "the held withdrawals could not be read"),
    }
}

/// Records the deliveries that are due. Returns the time that the oldest of each channel has waited. A channel without a worker
/// counts as empty: its deliveries stay until they are given up, and an alarm would not end before that.
fn deliveries(app: &App) -> Vec<(Channel, Duration)> {
    let now = app.now();
    match app.queries().backlogs(now) {
        Ok(backlogs) => {
            let age_of = |channel| {
                let has_worker = channel != Channel::Email || app.sends_mail();
                let own = backlogs.iter().find(|backlog| has_worker && backlog.channel == channel);
                let age = own.map_or(Duration::ZERO, |backlog| now.since(backlog.oldest));
                let due = own.map_or(0, |backlog| backlog.due);
                metrics::gauge!("bolts_deliveries_queued", "channel" => channel.as_str()).set(due as f64);
                metrics::gauge!("bolts_deliveries_oldest_seconds", "channel" => channel.as_str())
                    .set(age.as_secs_f64());
                (channel, age)
            };
            Channel::ALL.into_iter().map(age_of).collect()
        }
        Err(error) => {
            tracing::error!(%error, "the deliveries could not be read");
            Vec::new()
        }
    }
}

/// Logs an error for each withdrawal in doubt.
fn alarm(in_doubt: &[WithdrawalId]) {
    for id in in_doubt {
        tracing::error!(
            withdrawal = %id,
            "a withdrawal has been in doubt for an hour: look for its payment hash at the node, then run `bolts \
             withdrawals settle`"
        );
    }
}

fn disputes(queries: &dyn Queries, now: bolts_kernel::Timestamp) {
    match unruled(queries, now) {
        Ok((waiting, overdue)) => {
            metrics::gauge!("bolts_disputes_unruled").set(waiting as f64);
            metrics::gauge!("bolts_disputes_unruled_over_3_days").set(overdue as f64);
            if overdue > 0 {
                tracing::warn!(overdue, "disputes have waited for a ruling for more than 3 days");
            }
        }
        Err(error) => tracing::error!(%error, "the disputes could not be read"),
    }
}

/// The number of disputes without a ruling, and the number of disputes that have waited for a ruling for 3 days or
/// longer.
fn unruled(queries: &dyn Queries, now: bolts_kernel::Timestamp) -> Result<(usize, usize), StoreError> {
    let (mut waiting, mut overdue, mut after) = (0, 0, None);
    loop {
        let page = queries.disputes(PageRequest { limit: 100, after })?;
        let disputed = page.items.iter().filter_map(|view| view.bet.state.negotiation()?.dispute.as_ref());
        overdue += disputed.filter(|dispute| now.since(dispute.at) >= ALARM_AFTER).count();
        waiting += page.items.len();
        after = page.next;
        if after.is_none() {
            return Ok((waiting, overdue));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use actix_web::rt::System;

    use super::*;

    #[test]
    fn upkeep_runs_again_and_again_without_a_request() {
        let runs = Rc::new(Cell::new(0));
        let counted = runs.clone();
        System::new().block_on(async {
            rt::spawn(upkeep(Duration::from_millis(1), move || counted.set(counted.get() + 1)));
            let started = Instant::now();
            while runs.get() < 3 {
                assert!(started.elapsed() < Duration::from_secs(60), "{} runs", runs.get());
                rt::time::sleep(Duration::from_millis(1)).await;
            }
        });
    }
}
