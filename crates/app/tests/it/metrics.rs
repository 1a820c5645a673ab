//! The metrics for the operator's monitoring.

use std::time::Duration;

use bolts_testkit::free_port;

use crate::harness::{Client, Server, eventually};

/// A client for the metrics on this port.
fn metrics(port: u16) -> Client {
    Client::new(&format!("http://127.0.0.1:{port}"))
}

#[test]
fn metrics_have_their_own_port() {
    let port = free_port();
    let bind = format!("127.0.0.1:{port}");
    let server = Server::start_with(&["--metrics-bind", &bind]);
    let ann = server.user("ann");
    ann.bet(100);
    ann.get("/api/bets/none").problem(404, "bet_not_found");
    // The site answers `/metrics` with its page, like any unknown path.
    assert!(!ann.get("/metrics").text.contains("bolts_http"));
    // The test waits, because the first audit and two other tasks set metrics in their own time, and because the write
    // queue is not always empty.
    let last = [
        "bolts_audits_total 1",
        "bolts_ledger_balance",
        "bolts_disputes_unruled",
        "bolts_write_queue_jobs 0",
    ];
    let text = eventually("the metrics are there", Duration::from_secs(60), || {
        let text = metrics(port).get("/metrics").text;
        last.iter().all(|metric| text.contains(metric)).then_some(text)
    });
    for line in [
        "bolts_http_requests_total{route=\"/api/bets\",status=\"201\"} 1",
        "bolts_http_requests_total{route=\"/api/bets/{key}\",status=\"404\"} 1",
        "bolts_http_request_seconds_count{route=\"/api/auth/register\"} 1",
        "bolts_disputes_unruled 0",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    for begun in ["bolts_write_batch_jobs_count ", "bolts_pool_wait_seconds_count "] {
        assert!(text.contains(begun), "{begun:?} in {text}");
    }
    assert!(
        text.contains("bolts_audit_violations{check=\"1 all accounts of a currency sum to 0\"} 0"),
        "{text}"
    );
    assert!(!text.contains("ann@example.com"), "no user is named");
    assert_eq!(metrics(port).page("GET", "/api/auth/user", None).status, 404);
}

#[test]
fn metrics_are_off_unless_asked_for() {
    let server = Server::start();
    assert!(!server.client().get("/metrics").text.contains("bolts_http"));
}

/// No worker takes these mails, so an alarm about their age would never end.
#[test]
fn mails_of_a_site_without_a_relay_do_not_count_as_waiting() {
    let port = free_port();
    let server = Server::start_with(&["--metrics-bind", &format!("127.0.0.1:{port}")]);
    server.database.execute(
        "INSERT INTO deliveries (name, channel, address, cause, created_at, next_at)
         VALUES ('a mail', 'email', 'ann@example.com', 'reset_password', 5, 5)",
    );
    let text = eventually("the deliveries are there", Duration::from_secs(60), || {
        let text = metrics(port).get("/metrics").text;
        text.contains("bolts_deliveries_queued{channel=\"email\"}").then_some(text)
    });
    for metric in ["queued", "oldest_seconds"] {
        let line = format!("bolts_deliveries_{metric}{{channel=\"email\"}} 0\n");
        assert!(text.contains(&line), "{line:?} in {text}");
    }
}
