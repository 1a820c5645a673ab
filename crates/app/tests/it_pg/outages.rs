//! Outages of the database server, and checks of its certificate.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bolts_testkit::free_port;
use bolts_testkit::postgres::{Cluster, hand_over};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use serde_json::{Value, json};

use crate::database::Database;
use crate::harness::{Client, Server, at_best_within, binary, eventually, new_bet};

fn server_at(url: String) -> Server {
    Server::on(Arc::new(Database::At(url)), vec![])
}

/// The bets that the server confirmed to the clients, and the statuses of refusals.
#[derive(Default)]
struct Journal {
    created: Mutex<Vec<Value>>,
    refused: Mutex<Vec<u16>>,
}

fn load(client: &Client, journal: &Journal, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let answer = client.post("/api/bets", new_bet(json!({"stakeAmount": 1})));
        match answer.status {
            201 => journal.created.lock().expect("no panic").push(answer.json()["id"].clone()),
            status => {
                journal.refused.lock().expect("no panic").push(status);
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

#[test]
fn no_confirmed_bet_is_lost_when_the_database_stops_under_load() {
    let cluster = Cluster::new();
    let server = server_at(cluster.database("bolts"));
    let makers: Vec<Client> = (0..8).map(|number| server.user(&format!("maker{number}"))).collect();
    // `fast` is a stop of PostgreSQL by the operator, and `immediate` is a crash of PostgreSQL.
    for mode in ["fast", "immediate"] {
        let (journal, stop) = (Journal::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            for maker in &makers {
                scope.spawn(|| load(maker, &journal, &stop));
            }
            thread::sleep(Duration::from_millis(400));
            cluster.stop(mode);
            eventually("requests are refused", Duration::from_secs(60), || {
                (journal.refused.lock().expect("no panic").len() > 8).then_some(())
            });
            assert_eq!(server.client().get("/readyz").status, 503);
            assert_eq!(server.client().get("/healthz").status, 200);
            cluster.start();
            let before = journal.created.lock().expect("no panic").len();
            eventually("it works again by itself", Duration::from_secs(15), || {
                (journal.created.lock().expect("no panic").len() > before + 8).then_some(())
            });
            stop.store(true, Ordering::Relaxed);
        });
        let refused = journal.refused.into_inner().expect("no panic");
        assert!(refused.iter().all(|status| *status == 503), "{mode}: {refused:?}");
        for id in journal.created.into_inner().expect("no panic") {
            let path = format!("/api/bets/{}", id.as_str().expect("an id"));
            eventually("the read side is back", Duration::from_secs(10), || {
                let status = makers[0].get(&path).status;
                assert!([200, 503].contains(&status), "{mode}: what was acknowledged is there, not {status}");
                (status == 200).then_some(())
            });
        }
        server.assert_audit_clean();
    }
}

/// Prometheus waits 10 s for the metrics. A server without metrics would look like one that is down.
#[test]
fn metrics_are_served_soon_while_the_database_is_stopped() {
    let cluster = Cluster::new();
    let bind = format!("127.0.0.1:{}", free_port());
    let arguments = ["--metrics-bind", &bind].map(str::to_owned).to_vec();
    let _server = Server::on(Arc::new(Database::At(cluster.database("bolts"))), arguments);
    let metrics = Client::new(&format!("http://{bind}"));
    eventually("the values of the database are there", Duration::from_secs(60), || {
        metrics.get("/metrics").text.contains("bolts_withdrawals_sending 0").then_some(())
    });
    cluster.stop("fast");
    at_best_within(Duration::from_secs(5), |_| {
        let asked = Instant::now();
        let answer = metrics.get("/metrics");
        assert!(answer.status == 200 && answer.text.contains("bolts_worker_failures_total"), "{answer:?}");
        asked.elapsed()
    });
}

/// The audit waits for a lock, as it may wait for minutes on a large database.
#[test]
fn a_server_stops_at_once_during_an_audit() {
    let cluster = Cluster::new();
    let url = cluster.database("bolts");
    drop(server_at(url.clone()));
    let mut owner = PgConnection::establish(&url).expect("connected");
    owner.batch_execute("BEGIN; LOCK TABLE transfers").expect("locked");
    let mut server = server_at(url);
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'transfers'::regclass AND NOT granted";
    eventually("the audit waits", Duration::from_secs(20), || {
        let waiting =
            diesel::select(diesel::dsl::sql::<BigInt>(&format!("({waits})"))).get_result(&mut owner);
        (waiting == Ok(1_i64)).then_some(())
    });
    let (code, took) = server.stop();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// The workers wait for a lock, as they wait for a database that does not answer.
#[test]
fn a_server_handles_signals_while_its_workers_wait() {
    let cluster = Cluster::new();
    let url = cluster.database("bolts");
    let server =
        Server::on(Arc::new(Database::At(url.clone())), ["--drain-for", "1h"].map(str::to_owned).to_vec());
    let mut owner = PgConnection::establish(&url).expect("connected");
    owner.batch_execute("BEGIN; LOCK TABLE settings").expect("locked");
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'settings'::regclass AND NOT granted";
    eventually("a worker waits", Duration::from_secs(20), || {
        let waiting = diesel::select(diesel::dsl::sql::<BigInt>(&format!("({waits})")))
            .get_result::<i64>(&mut owner)
            .expect("a count");
        (waiting > 0).then_some(())
    });
    let status = || server.client().get("/readyz").status;
    assert_eq!(status(), 200);
    server.ask_to_stop();
    // A statement may wait for 15 s.
    eventually("it is not ready", Duration::from_secs(10), || (status() == 503).then_some(()));
}

fn openssl(folder: &Path, arguments: &[&str]) {
    let output = Command::new("openssl").args(arguments).current_dir(folder).output().expect("openssl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A self-signed certificate for this name.
fn certificate(folder: &Path, file: &str, name: &str) {
    let (key, certificate) = (format!("{file}.key"), format!("{file}.crt"));
    let subject = format!("/CN={name}");
    let names = format!("subjectAltName=DNS:{name}");
    openssl(
        folder,
        &[
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            &subject,
            "-addext",
            &names,
            "-keyout",
            &key,
            "-out",
            &certificate,
        ],
    );
    hand_over(&folder.join(&key));
}

#[test]
fn a_server_must_have_a_certificate_for_its_name() {
    let settings = [("ssl", "on"), ("ssl_cert_file", "../server.crt"), ("ssl_key_file", "../server.key")];
    let known = tempfile::tempdir().expect("a folder");
    let cluster = Cluster::start_with(&settings, |folder| {
        certificate(folder, "server", "localhost");
        certificate(folder, "stranger", "localhost");
        for file in ["server.crt", "stranger.crt"] {
            std::fs::copy(folder.join(file), known.path().join(file)).expect("a copy");
        }
    });
    drop(cluster.database("bolts"));
    let url = |host: &str, trusted: &str| {
        let root = known.path().join(trusted).display().to_string();
        format!("postgres://bolts@{host}:{}/bolts?sslmode=verify-full&sslrootcert={root}", cluster.port())
    };
    let server = server_at(url("localhost", "server.crt"));
    assert_eq!(server.user("ann").bolts(), 1_000);
    for refused in [url("localhost", "stranger.crt"), url("127.0.0.1", "server.crt")] {
        let output = binary().args(["audit", "--database-url", &refused]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{refused}");
    }
}
