//! `bolts serve`: runs the server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use actix_web::rt::task::JoinHandle;
use actix_web::rt::{self, System};
use bolts_hooks::PushKey;
use bolts_http::{Hub, LONGEST_STOP, Parts, Settings};
use bolts_mail::Smtp;
use bolts_ports::StoreError;
use bolts_usecases::App;
use bolts_usecases::delivery::Courier;
use bolts_usecases::wallet::{Claim, Wallets};
use futures_util::future::select;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry};

use crate::config::{LogFormat, ServeOptions};
use crate::environment::TimeOrderedIds;
use crate::ideas::Source;
use crate::lightning::other_sats;
use crate::opening::Opened;
use crate::signals::Signals;
use crate::store::Database;
use crate::traces::Traces;
use crate::{Failure, commands, log, metrics, opening, ui, version, wiring, workers};

/// The relay for mails, and the origin of the links in them.
type Post = (Arc<Smtp>, String);

/// Migrates the database and serves the site until a signal stops it.
pub(crate) fn run(database_url: &str, options: &ServeOptions) -> Result<(), Failure> {
    let traces = start_log(options)?;
    let (bind, settings, post) = (options.bind()?, options.http()?, options.post()?);
    let system = System::new();
    let opened = system.block_on(opening::open(
        database_url,
        bind,
        options.metrics_bind(),
        options.database_wait(),
    ))?;
    // A signal ends the wait for the database.
    let Some(Opened { database, listener, signals, only }) = opened else { return Ok(()) };
    let settings = Settings { reads_in_place: database.reads_in_place(), ..settings };
    let collector = traces.as_ref().map(Traces::describe);
    let served = system.block_on(serve(&database, options, (settings, post, collector), (listener, signals)));
    drop(system);
    // Dropping the store commits the last jobs.
    drop(database);
    drop(only);
    if let Some(traces) = traces {
        traces.finish();
    }
    served
}

async fn serve(
    database: &Database,
    options: &ServeOptions,
    (settings, post, collector): (Settings, Option<Post>, Option<&str>),
    (listener, signals): (TcpListener, Option<Signals>),
) -> Result<(), Failure> {
    let Source { ideas, name: ideas_name } = options.ideas.source()?;
    let app = wiring::site(database, options.rules(), ideas, options.passkeys());
    let wallets = options.lightning.wallets(app.clone(), settings.public_origin.clone())?;
    claim(&wallets).await?;
    let key = wiring::cookie_key(&*database.store()).await.map_err(unusable)?;
    let push_key = wiring::push_key(&*database.store()).await.map_err(unusable)?;
    // The heartbeat records an outage before the first request is served, so that deadlines get their grace period.
    app.heartbeat().await.map_err(unusable)?;
    let hub = Arc::new(Hub::default());
    let live = database.live(hub.clone())?;
    let parts = Parts {
        ids: Arc::new(TimeOrderedIds),
        hub: hub.clone(),
        wallets: wallets.clone(),
        replicas: database.replicas(&options.read_urls(), options.read_lag())?,
        cookie_key: &key,
        push_key: push_key.public(),
    };
    let relay = post.as_ref().map(|(relay, _)| relay.clone());
    let mail = relay.as_ref().map_or_else(|| "off".to_owned(), |relay| relay.describe());
    let mut modes = vec![("lightning", wallets.describe()), ("ideas", ideas_name), ("mail", mail)];
    modes.extend(collector.map(|collector| ("traces", collector.to_owned())));
    let couriers = Couriers::new(&app, options, post, push_key, settings.public_origin.clone()).await?;
    let under_way = UnderWay { wallets: wallets.clone(), couriers: couriers.all() };
    let address = listener.local_addr().map_err(|error| Failure::start_up(error.to_string()))?;
    let server = bolts_http::serve(listener, app.clone(), parts, settings, ui::routes)
        .map_err(|error| Failure::start_up(format!("cannot listen on {address}: {error}")))?;
    let signals = signals.map_or_else(Signals::listen, Ok)?;
    let stopped = stop_when_told(signals, server.handle(), (hub, under_way.clone()), options.drain_for());
    let metrics =
        options.metrics_bind().map(|bind| metrics::serve(bind, app.clone(), database.audit())).transpose()?;
    metrics::watch(app.clone(), database.audit()).map_err(no_thread)?;
    let fanout = live.fanout.clone();
    let crew = workers::Crew::begin(move || {
        couriers.start();
        workers::start(app, fanout);
        workers::watch_wallets(&wallets);
    });
    let crew = crew.map_err(no_thread)?;
    announce(address, metrics, database, &modes);
    server.await.map_err(|error| Failure::answer(format!("the server failed: {error}")))?;
    if let Ok(told_at) = stopped.await {
        under_way.finish(told_at + LONGEST_STOP).await;
    }
    if let Some(relay) = relay {
        relay.close().await;
    }
    drop(crew);
    Ok(())
}

fn unusable(error: StoreError) -> Failure {
    Failure::start_up(format!("the database cannot be used: {error}"))
}

fn no_thread(error: io::Error) -> Failure {
    Failure::start_up(format!("cannot start a thread: {error}"))
}

/// Makes sure that the provider may pay for this database.
async fn claim(wallets: &Wallets) -> Result<(), Failure> {
    match wallets.claim_database().await.map_err(unusable)? {
        Claim::Taken => Ok(()),
        Claim::OtherSats(kept) => Err(Failure::start_up(other_sats(&kept, wallets.sats()))),
        Claim::LacksRight(why) => Err(Failure::start_up(why)),
        Claim::OpenElsewhere(books) => {
            let line = format!(
                "Withdrawals are open at another provider ({books}). Only that provider knows their result. Serve with it \
                 until they have ended, or run `bolts withdrawals settle`. If it only has a new address, run `bolts withdrawals \
                 same-provider`."
            );
            Err(Failure::start_up(line))
        }
    }
}

/// The senders of notifications that leave the site. Without a relay there is none for mails.
struct Couriers {
    mails: Option<Courier>,
    pushes: Courier,
    webhooks: Courier,
}

impl Couriers {
    async fn new(
        app: &App,
        options: &ServeOptions,
        post: Option<Post>,
        push_key: PushKey,
        origin: Option<String>,
    ) -> Result<Self, Failure> {
        let mails = match post {
            Some((relay, origin)) => Some(Courier::new(app.clone(), relay, origin).await.map_err(unusable)?),
            None => None,
        };
        let pushes = Courier::pushes(app.clone(), options.receivers.pusher(push_key, origin)?);
        let webhooks = Courier::webhooks(app.clone(), options.receivers.webhooks()?);
        Ok(Self { mails, pushes, webhooks })
    }

    fn all(&self) -> Vec<Courier> {
        [&self.pushes, &self.webhooks].into_iter().chain(&self.mails).cloned().collect()
    }

    /// Starts a worker for each on this thread.
    fn start(self) {
        self.mails.into_iter().for_each(workers::send_mails);
        workers::send_to_receivers(workers::PUSHES, self.pushes);
        workers::send_to_receivers(workers::WEBHOOKS, self.webhooks);
    }
}

/// What the server does beside requests and must not break off.
#[derive(Clone)]
struct UnderWay {
    wallets: Wallets,
    couriers: Vec<Courier>,
}

impl UnderWay {
    /// Begins nothing more.
    fn stop(&self) {
        self.wallets.shut_down();
        self.couriers.iter().for_each(Courier::shut_down);
    }

    /// Waits until the provider has answered all payments under way and the results of all attempts to send are recorded, or
    /// until the time limit. A withdrawal without an answer would stay open, and a message without a result would be sent again.
    async fn finish(&self, until: Instant) {
        let is_at_rest = || self.wallets.is_at_rest() && self.couriers.iter().all(Courier::is_at_rest);
        while !is_at_rest() && Instant::now() < until {
            rt::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Handles SIGTERM and SIGINT. For `drain_for`, the server still serves and says that it is not ready. Then it accepts no
/// more connections, ends the event streams, starts no payments and sends nothing, and finishes the requests in flight. Returns
/// the time at which the second part begins.
fn stop_when_told(
    mut signals: Signals,
    server: ServerHandle,
    (hub, under_way): (Arc<Hub>, UnderWay),
    drain_for: Duration,
) -> JoinHandle<Instant> {
    rt::spawn(async move {
        signals.next().await;
        hub.drain();
        select(Box::pin(rt::time::sleep(drain_for)), Box::pin(signals.next())).await;
        let told_at = Instant::now();
        hub.close();
        under_way.stop();
        server.stop(true).await;
        told_at
    })
}

fn announce(address: SocketAddr, metrics: Option<SocketAddr>, database: &Database, modes: &[(&str, String)]) {
    let pages = if ui::is_built_in() { "built in" } else { "not built into this binary" };
    commands::say(&format!("Bolts {} serves http://{address}", version::VERSION));
    commands::say(&format!("  database   {}", database.describe()));
    for (name, mode) in modes {
        commands::say(&format!("  {name:<9}  {mode}"));
    }
    commands::say(&format!("  web pages  {pages}"));
    if let Some(metrics) = metrics {
        commands::say(&format!("  metrics    http://{metrics}/metrics"));
    }
}

/// Starts the log, and the traces if there is a collector.
fn start_log(options: &ServeOptions) -> Result<Option<Traces>, Failure> {
    let (filter, traces) = (options.log_filter()?, options.traces.start()?);
    let log = match options.log_format {
        LogFormat::Text => log::lines().with_filter(filter).boxed(),
        LogFormat::Json => log::lines().json().with_filter(filter).boxed(),
    };
    let layers: Vec<_> = [Some(log), traces.as_ref().map(Traces::layer)].into_iter().flatten().collect();
    Registry::default().with(layers).init();
    Ok(traces)
}
