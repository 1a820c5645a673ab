//! A server that is about to stop says so, and serves until then.

use std::time::Duration;

use crate::harness::{Server, eventually};

/// A proxy notices only at its next check that a process stops. Without this time, requests until then would fail.
#[test]
fn a_server_is_not_ready_before_it_stops_and_still_serves() {
    let mut server = Server::start_with(&["--drain-for", "1h"]);
    let ann = server.user("ann");
    let status = |path: &str| server.client().get(path).status;
    let closes =
        || server.client().get("/healthz").headers.get("connection").is_some_and(|value| value == "close");
    assert_eq!((status("/readyz"), closes()), (200, false));
    server.ask_to_stop();
    eventually("it is not ready", Duration::from_secs(10), || (status("/readyz") == 503).then_some(()));
    assert_eq!((status("/healthz"), status("/api/bets/public")), (200, 200), "new connections are served");
    assert!(closes(), "a proxy does not keep the connection for a later POST");
    ann.bet(100);
    // The second signal ends the wait.
    let (code, took) = server.stop();
    assert!(code == Some(0) && took < Duration::from_secs(10), "{code:?} after {took:?}");
}
