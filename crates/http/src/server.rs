//! The HTTP server and its settings.

use std::net::{IpAddr, TcpListener};

use actix_http::{HttpService, Protocol};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::cookie::Key;
use actix_web::dev::{AppConfig, Server};
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::web::ServiceConfig;
use actix_web::{App as Actix, Error, web};
use bolts_cards::Press;
use bolts_ports::{Ids, Replicas, SatsKind};
use bolts_usecases::App;
use bolts_usecases::wallet::Wallets;
use socket2::SockRef;
use std::sync::Arc;
use std::time::Duration;

use crate::connection::{IDLE_CONNECTION, SEND_BUFFER, TimedStream, note_request};
use crate::hub::Hub;
use crate::keys::with_key;
use crate::lookups::Lookups;
use crate::middleware::{
    close_when_draining, compress, hold_chunked_body, log_and_name, same_origin, security_headers,
    show_what_is_on_disk,
};
use crate::paging::PageJson;
use crate::shared_reads::SharedReads;
use crate::uploads::Uploads;
use crate::{routes, session, sharing};

/// The maximum time that a stopping server waits for requests in flight (`docs/operations.md#running`).
pub const LONGEST_STOP: Duration = Duration::from_secs(30);

/// The maximum time for a connection to close.
const CLOSING_PATIENCE: Duration = Duration::from_secs(1);

/// The operator's options for HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The scheme, host and port at which browsers reach the site. `None` means http and the header `Host`.
    pub public_origin: Option<String>,
    /// The proxies whose X-Forwarded-For is trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// Whether queries are fast enough to run on the threads that serve requests.
    pub reads_in_place: bool,
    /// The number of threads that serve requests.
    pub workers: usize,
}

impl Settings {
    pub(crate) fn is_https(&self) -> bool {
        self.public_origin.as_deref().is_some_and(|origin| origin.starts_with("https://"))
    }
}

/// A function that registers the routes of the web UI: all paths outside of the API.
pub type UiRoutes = fn(&mut ServiceConfig);

/// The data that all handlers share.
pub(crate) struct State {
    pub(crate) app: App,
    pub(crate) wallets: Wallets,
    pub(crate) settings: Settings,
    pub(crate) hub: Arc<Hub>,
    /// The key that signs cookies.
    pub(crate) cookie_key: Key,
    pub(crate) lookups: Lookups,
    /// The pages of public bets that visitors wait for.
    pub(crate) visitors_pages: SharedReads<PageJson>,
    /// The uploads in flight.
    pub(crate) uploads: Arc<Uploads>,
    /// The public key of the site for push services.
    pub(crate) push_key: String,
    /// The replicas for reads of visitors.
    pub(crate) replicas: Option<Arc<dyn Replicas>>,
    /// Draws the cards of bets.
    pub(crate) cards: Press,
    ids: Arc<dyn Ids>,
}

impl State {
    fn new(app: App, parts: Parts<'_>, settings: Settings) -> Self {
        let Parts { ids, hub, wallets, replicas, cookie_key, push_key } = parts;
        Self {
            app,
            wallets,
            settings,
            hub,
            cookie_key: Key::from(cookie_key),
            lookups: Lookups::default(),
            visitors_pages: SharedReads::default(),
            uploads: Arc::default(),
            push_key,
            replicas,
            cards: Press::new(sharing::LIMITS),
            ids,
        }
    }

    /// Whether the site has test sats.
    pub(crate) fn is_test_mode(&self) -> bool {
        self.wallets.sats() == SatsKind::Test
    }

    /// A new id for a request.
    pub(crate) fn request_id(&self) -> String {
        format!("{:032x}", self.ids.next())
    }
}

/// The parts from which [`serve`] builds the server.
pub struct Parts<'a> {
    /// The source of request ids.
    pub ids: Arc<dyn Ids>,
    /// The event streams of this process.
    pub hub: Arc<Hub>,
    /// The use cases that need a Lightning provider.
    pub wallets: Wallets,
    /// The replicas for reads of visitors, if there are any.
    pub replicas: Option<Arc<dyn Replicas>>,
    /// The key that signs cookies: 64 bytes, the same for all processes.
    pub cookie_key: &'a [u8],
    /// The public key of the site for push services, in base64url.
    pub push_key: String,
}

/// Serves the API and the UI on a bound listener until its handle is stopped. The caller handles signals.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    app: App,
    parts: Parts<'_>,
    settings: Settings,
    ui: UiRoutes,
) -> std::io::Result<Server> {
    let (is_https, workers) = (settings.is_https(), settings.workers);
    let state = web::Data::new(State::new(app, parts, settings));
    let address = listener.local_addr()?;
    // Each connection inherits the size.
    SockRef::from(&listener).set_send_buffer_size(SEND_BUFFER)?;
    let builder = Server::build();
    let stopping = builder.graceful_shutdown_signal();
    let server = builder.workers(workers).shutdown_timeout(LONGEST_STOP.as_secs()).disable_signals().listen(
        "http",
        listener,
        move || {
            let app = Actix::new()
                .app_data(state.clone())
                .wrap(from_fn(compress))
                .wrap(session::middleware(state.cookie_key.clone(), is_https))
                .wrap(from_fn(with_key))
                .wrap(from_fn(show_what_is_on_disk))
                .wrap(from_fn(same_origin))
                .wrap(from_fn(security_headers))
                .wrap(from_fn(log_and_name))
                .wrap(from_fn(hold_chunked_body))
                .wrap(from_fn(close_when_draining))
                .wrap(from_fn(note_request))
                .configure(routes::configure)
                .configure(ui);
            let app = app.into_factory().map_err(|error: Error| error.error_response());
            let stopping = stopping.clone();
            // The set-up equals the one in actix's HttpServer, except for a stream with a time limit for request heads.
            let http = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stopping = stopping.clone();
                    async move { stopping.notified().await }
                })
                .keep_alive(IDLE_CONNECTION)
                // 0 means no limit. `TimedStream` has the limit, for every request.
                .client_request_timeout(Duration::ZERO)
                .client_disconnect_timeout(CLOSING_PATIENCE)
                .local_addr(address)
                .on_connect_ext(TimedStream::introduce)
                .finish(map_config(app, |()| AppConfig::default()));
            fn_service(|stream: TcpStream| async {
                let peer = stream.peer_addr().ok();
                Ok((TimedStream::new(stream), Protocol::Http1, peer))
            })
            .and_then(http)
        },
    )?;
    Ok(server.run())
}
