use std::net::{IpAddr, TcpListener};

use actix_web::cookie::Key;
use actix_web::middleware::from_fn;
use actix_web::web::ServiceConfig;
use actix_web::{App as Actix, HttpServer, dev::Server, web};
use bolts_ports::Ids;
use bolts_ports::SatsKind;
use bolts_usecases::App;
use bolts_usecases::wallet::Wallets;
use std::sync::Arc;
use std::time::Duration;

use crate::hub::Hub;
use crate::middleware::{hold_chunked_body, log_and_name, same_origin, security_headers};
use crate::{routes, session};

/// How long what is in flight is waited for once the server is told to stop (decisions, section 2).
pub const LONGEST_STOP: Duration = Duration::from_secs(30);

/// How long a client may take to send a request's head.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);

/// How long a connection without a request stays open: longer than proxies keep theirs, commonly 60 s, or one of them
/// would send a request into a connection that is being closed.
const IDLE_CONNECTION: Duration = Duration::from_secs(75);

/// What the operator decided about HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Scheme, host and port under which browsers reach the site; http and the request's Host where `None`.
    pub public_origin: Option<String>,
    /// Proxies whose X-Forwarded-For is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// Whether look-ups are cheap enough for the threads that serve requests.
    pub reads_in_place: bool,
    /// How many threads serve requests.
    pub workers: usize,
}

impl Settings {
    pub(crate) fn is_https(&self) -> bool {
        self.public_origin.as_deref().is_some_and(|origin| origin.starts_with("https://"))
    }
}

/// Registers the routes of the web UI: everything that is not the API's.
pub type UiRoutes = fn(&mut ServiceConfig);

/// What every handler has.
pub(crate) struct State {
    pub(crate) app: App,
    pub(crate) wallets: Wallets,
    pub(crate) settings: Settings,
    pub(crate) hub: Arc<Hub>,
    ids: Arc<dyn Ids>,
}

impl State {
    /// Whether the site's sats are test sats.
    pub(crate) fn is_test_mode(&self) -> bool {
        self.wallets.sats() == SatsKind::Test
    }

    /// A fresh name for a request.
    pub(crate) fn request_id(&self) -> String {
        format!("{:032x}", self.ids.next())
    }
}

/// What the server is made of, beside the product itself.
pub struct Parts<'a> {
    /// Names requests.
    pub ids: Arc<dyn Ids>,
    /// The event streams of this process.
    pub hub: Arc<Hub>,
    /// What needs a Lightning provider.
    pub wallets: Wallets,
    /// Signs cookies: 64 bytes that all processes share.
    pub cookie_key: &'a [u8],
}

/// Serves the API and the UI on a bound listener, until its handle is told to stop: the caller listens for signals.
///
/// # Errors
/// The listener cannot be used.
pub fn serve(
    listener: TcpListener,
    app: App,
    parts: Parts<'_>,
    settings: Settings,
    ui: UiRoutes,
) -> std::io::Result<Server> {
    let (key, is_https, workers) = (Key::from(parts.cookie_key), settings.is_https(), settings.workers);
    let state =
        web::Data::new(State { app, wallets: parts.wallets, settings, hub: parts.hub, ids: parts.ids });
    let server = HttpServer::new(move || {
        Actix::new()
            .app_data(state.clone())
            .wrap(session::middleware(key.clone(), is_https))
            .wrap(from_fn(same_origin))
            .wrap(from_fn(security_headers))
            .wrap(from_fn(log_and_name))
            .wrap(from_fn(hold_chunked_body))
            .configure(routes::configure)
            .configure(ui)
    });
    let server = server
        .workers(workers)
        .client_request_timeout(HEAD_PATIENCE)
        .keep_alive(IDLE_CONNECTION)
        .shutdown_timeout(LONGEST_STOP.as_secs())
        .disable_signals()
        .listen(listener)?;
    Ok(server.run())
}
