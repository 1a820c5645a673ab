//! The signals that end the server.

use actix_web::rt::signal::unix::{Signal, SignalKind, signal};
use futures_util::future::select;

use crate::Failure;

/// SIGTERM and SIGINT.
pub(crate) struct Signals {
    term: Signal,
    int: Signal,
}

impl Signals {
    /// From now on these signals do not end the process.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let listen = |kind| {
            signal(kind).map_err(|error| Failure::start_up(format!("cannot listen for signals: {error}")))
        };
        Ok(Self { term: listen(SignalKind::terminate())?, int: listen(SignalKind::interrupt())? })
    }

    /// Waits for the next of the signals.
    pub(crate) async fn next(&mut self) {
        select(Box::pin(self.term.recv()), Box::pin(self.int.recv())).await;
    }
}
