//! Opens the database and the address of the server. If the database server is away, the program waits for it. Meanwhile the
//! process answers that it lives and is not ready.

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};
use std::{io, thread};

use actix_web::rt;
use actix_web::rt::net::TcpSocket;
use futures_channel::oneshot;
use futures_util::future::{Either, select};

use crate::Failure;
use crate::only_server::OnlyServer;
use crate::signals::Signals;
use crate::store::{Closed, Database};

/// The pause before the second attempt. Each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// The time after which the log says again that the server waits.
const SAY_AGAIN: Duration = Duration::from_secs(30);

/// What the server needs first.
pub(crate) struct Opened {
    pub(crate) database: Database,
    pub(crate) listener: TcpListener,
    /// `None` if there was no wait. Until then, a signal ends the process.
    pub(crate) signals: Option<Signals>,
    /// No other server uses the database until this is dropped.
    pub(crate) only: OnlyServer,
}

/// Opens the database, and migrates its schema if necessary. Waits at most `wait` for a database server that is away. Returns
/// `None` if a signal ends the wait. `metrics` is the address of the metrics, which the caller listens on.
pub(crate) async fn open(
    url: &str,
    bind: SocketAddr,
    metrics: Option<SocketAddr>,
    wait: Duration,
) -> Result<Option<Opened>, Failure> {
    // A new version that is started beside a running server must not migrate the database of the running one.
    [Some(bind), metrics].into_iter().flatten().try_for_each(probe)?;
    let only = OnlyServer::of(url)?;
    let why = match Database::try_open(url) {
        Ok(database) => return Ok(Some(Opened { database, listener: listen(bind)?, signals: None, only })),
        Err(Closed::Away(why)) if !wait.is_zero() => why,
        Err(closed) => return Err(closed.into()),
    };
    let listener = listen(bind)?;
    let meanwhile =
        listener.try_clone().and_then(bolts_http::serve_waiting).map_err(|error| unusable(bind, &error))?;
    let (handle, mut signals) = (meanwhile.handle(), Signals::listen()?);
    rt::spawn(meanwhile);
    let opened = attempts(url.to_owned(), wait, why)?;
    let Either::Left((opened, _)) = select(opened, Box::pin(signals.next())).await else { return Ok(None) };
    let database = opened.map_err(|_| Failure::start_up("the database could not be opened"))??;
    handle.stop(true).await;
    Ok(Some(Opened { database, listener, signals: Some(signals), only }))
}

/// Fails if another program listens on the address. The socket is bound and does not listen, so that no client connects to it.
fn probe(address: SocketAddr) -> Result<(), Failure> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
    let bound = socket.and_then(|socket| {
        // As `TcpListener::bind` does: old connections of an earlier server do not count.
        socket.set_reuseaddr(true)?;
        socket.bind(address)
    });
    bound.map_err(|error| unusable(address, &error))
}

fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| unusable(address, &error))
}

fn unusable(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::start_up(format!("cannot listen on {address}: {error}"))
}

/// Tries to open the database until this succeeds, cannot succeed, or has taken too long. An attempt may block for seconds, so
/// it has its own thread, which the end of the process ends.
fn attempts(
    url: String,
    wait: Duration,
    mut why: String,
) -> Result<oneshot::Receiver<Result<Database, Failure>>, Failure> {
    let (reply, answer) = oneshot::channel();
    let begun = Instant::now();
    let attempts = move || {
        let (mut pause, mut said) = (FIRST_PAUSE, None);
        let outcome = loop {
            if said.is_none_or(|at: Instant| at.elapsed() >= SAY_AGAIN) {
                said = Some(Instant::now());
                tracing::warn!(why, waited = begun.elapsed().as_secs(), "the server waits for its database");
            }
            thread::sleep(pause.min(wait.saturating_sub(begun.elapsed())));
            pause = LONGEST_PAUSE.min(pause * 2);
            match Database::try_open(&url) {
                Ok(database) => {
                    tracing::info!(waited = begun.elapsed().as_secs(), "the database answers");
                    break Ok(database);
                }
                Err(Closed::Away(again)) if begun.elapsed() < wait => why = again,
                Err(closed) => break Err(closed.into()),
            }
        };
        drop(reply.send(outcome));
    };
    let started = thread::Builder::new().name("opening".to_owned()).spawn(attempts);
    started.map_err(|error| Failure::start_up(format!("cannot start a thread: {error}")))?;
    Ok(answer)
}
