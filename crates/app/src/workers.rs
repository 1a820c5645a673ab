//! What the server does without being asked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::{rt, web};
use bolts_ports::{Fanout, StoreError};
use bolts_usecases::App;

/// How often it is looked for what is due; decisions, section 5, ask for 30 s.
const SWEEP_EVERY: Duration = Duration::from_secs(2);

/// How often it is noted that a server runs.
const BEAT_EVERY: Duration = Duration::from_secs(30);

/// How often what is kept for a time only is removed.
const TIDY_EVERY: Duration = Duration::from_secs(3_600);

/// How often it is looked for hints that are owed to open pages.
const RELAY_EVERY: Duration = Duration::from_millis(50);

/// Starts what goes on beside the requests. A failure is logged, and the next round tries again.
pub(crate) fn start(app: App, fanout: Arc<dyn Fanout>) {
    sweep(app.clone());
    relay(app, fanout);
}

fn relay(app: App, fanout: Arc<dyn Fanout>) {
    rt::spawn(async move {
        loop {
            rt::time::sleep(RELAY_EVERY).await;
            match is_owed(&app).await {
                Ok(false) => {}
                Ok(true) => log("the relay", app.relay(&*fanout).await.map(drop)),
                Err(error) => log("the relay", Err(error)),
            }
        }
    });
}

/// Asked on a thread that may block: a database that is gone must not hold up signals.
async fn is_owed(app: &App) -> Result<bool, StoreError> {
    let queries = app.queries().clone();
    let asked = web::block(move || queries.is_owed()).await;
    asked.map_err(|_| StoreError::Unavailable("the server is stopping".to_owned()))?
}

fn sweep(app: App) {
    rt::spawn(async move {
        let (mut beaten, mut tidied) = (Instant::now(), Instant::now());
        loop {
            rt::time::sleep(SWEEP_EVERY).await;
            if beaten.elapsed() >= BEAT_EVERY {
                beaten = Instant::now();
                log("the heartbeat", app.beat().await);
            }
            match app.sweep().await {
                Ok(0) => {}
                Ok(bets) => {
                    metrics::counter!("bolts_swept_bets_total").increment(bets);
                    tracing::info!(bets, "swept");
                }
                Err(error) => log("the sweep", Err(error)),
            }
            if tidied.elapsed() >= TIDY_EVERY {
                tidied = Instant::now();
                log("tidying up", app.tidy().await);
            }
        }
    });
}

fn log(what: &str, done: Result<(), StoreError>) {
    if let Err(error) = done {
        metrics::counter!("bolts_worker_failures_total", "worker" => what.to_owned()).increment(1);
        tracing::error!(%error, "{what} failed and will be tried again");
    }
}
