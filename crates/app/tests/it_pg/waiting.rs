//! The start of a server whose database is away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use bolts_testkit::free_port;
use bolts_testkit::postgres::{Cluster, hand_over};
use diesel::prelude::*;
use serde_json::json;

use crate::harness::{Client, binary, eventually};

/// A server that may not have said its address yet.
struct Starting {
    process: Option<Child>,
    base: String,
}

impl Starting {
    fn at(url: &str, wait: &str) -> Self {
        let address = format!("127.0.0.1:{}", free_port());
        let process = binary()
            .args(["serve", "--bind", &address, "--database-wait", wait, "--database-url", url])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        Self { process: Some(process), base: format!("http://{address}") }
    }

    fn client(&self) -> Client {
        Client::new(&self.base)
    }

    fn status(&self, path: &str) -> Option<u16> {
        self.client().try_send("GET", path, &[], Vec::new()).map(|answer| answer.status)
    }

    /// Waits until the server waits.
    fn waits(&self) {
        eventually("it lives and is not ready", Duration::from_secs(20), || {
            ((self.status("/healthz"), self.status("/readyz")) == (Some(200), Some(503))).then_some(())
        });
    }

    fn is_ready(&self) {
        eventually("it is ready", Duration::from_secs(30), || {
            (self.status("/readyz") == Some(200)).then_some(())
        });
    }

    /// Sends SIGTERM, and returns what the server said until its end.
    fn stop(mut self) -> Output {
        let process = self.process.take().expect("it runs");
        let asked = Command::new("kill").args(["-TERM", &process.id().to_string()]).status();
        assert!(asked.expect("kill runs").success());
        process.wait_with_output().expect("it ended")
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            drop(process.kill());
            drop(process.wait());
        }
    }
}

fn times(output: &Output, words: &str) -> usize {
    String::from_utf8_lossy(&output.stderr).matches(words).count()
}

fn tcp(cluster: &Cluster, database: &str) -> String {
    format!("postgres://bolts:hush@127.0.0.1:{}/{database}", cluster.port())
}

#[test]
fn a_server_waits_for_a_database_that_starts_later() {
    let cluster = Cluster::new();
    let url = cluster.database("bolts");
    cluster.stop("fast");
    let (began, server) = (Instant::now(), Starting::at(&url, "10m"));
    server.waits();
    let refused = server.client().get("/api/bets/public");
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(refused.json()["code"], "unavailable");
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    cluster.start();
    server.is_ready();
    let ann = server.client();
    ann.register("ann@example.com");
    let bet = ann.bet_with(json!({}));
    assert_eq!(ann.see(&bet)["status"], "pending");
    let ended = server.stop();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    // The server says again every 30 s that it waits.
    let most = 1 + began.elapsed().as_secs() as usize / 30;
    assert!((1..=most).contains(&times(&ended, "waits for its database")), "{ended:?}");
    assert_eq!(times(&ended, "the database answers"), 1);
}

/// Starts a cluster, and makes it a standby that follows no primary.
fn standby(settings: &[(&str, &str)]) -> Cluster {
    let mut folder = PathBuf::new();
    let cluster = Cluster::start_with(settings, |place: &Path| place.clone_into(&mut folder));
    cluster.stop("fast");
    let signal = folder.join("data/standby.signal");
    fs::write(&signal, "").expect("a file");
    hand_over(&signal);
    cluster.start();
    cluster
}

#[test]
fn a_server_waits_for_a_standby_that_becomes_the_primary() {
    let cluster = standby(&[]);
    let url = tcp(&cluster, "postgres");
    let server = Starting::at(&url, "10m");
    server.waits();
    let mut conn = PgConnection::establish(&url).expect("connected");
    diesel::sql_query("SELECT pg_promote()").execute(&mut conn).expect("promoted");
    server.is_ready();
}

#[test]
fn a_server_that_starts_is_no_fault_of_the_configuration() {
    // A server that replays its log gives the same answer, but only for a moment.
    let cluster = standby(&[("hot_standby", "off")]);
    let check = |wait: &str| {
        let url = tcp(&cluster, "postgres");
        let words = ["serve", "--check", "--database-wait", wait, "--database-url", &url];
        binary().args(words).output().expect("it runs")
    };
    let patient = check("90s");
    let said = String::from_utf8_lossy(&patient.stdout);
    assert!(patient.status.success(), "{patient:?}");
    assert!(said.contains("not accepting connections") && said.contains("will wait 1m 30s for it"), "{said}");
    assert_eq!(check("0s").status.code(), Some(2));
}

#[test]
fn the_wait_ends_with_its_time_and_with_a_signal() {
    let nobody = format!("postgres://bolts:hush@127.0.0.1:{}/bolts", free_port());
    let words = ["serve", "--bind", "127.0.0.1:0", "--database-wait", "1s", "--database-url", &nobody];
    let ended = binary().args(words).output().expect("it runs");
    assert_eq!((ended.status.code(), times(&ended, "waits for its database")), (Some(2), 1), "{ended:?}");
    assert!(times(&ended, "bolts: the database is not available") == 1 && times(&ended, "hush") == 0);
    let server = Starting::at(&nobody, "10m");
    server.waits();
    let asked = Instant::now();
    let ended = server.stop();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(asked.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_server_does_not_wait_for_what_cannot_come() {
    let cluster = Cluster::start_with(&[], |folder| {
        let rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(folder.join("data/pg_hba.conf"), rules).expect("a file");
    });
    let of = |url: &str| {
        let words = ["serve", "--bind", "127.0.0.1:0", "--database-wait", "1h", "--database-url", url];
        let ended = binary().args(words).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert_eq!((times(&ended, "\n"), times(&ended, "hush")), (1, 0), "{ended:?}");
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    let wrong_password = of(&tcp(&cluster, "bolts"));
    assert!(wrong_password.contains("password authentication failed"), "{wrong_password}");
    let no_database = of(&cluster.database("here").replace("/here?", "/elsewhere?"));
    assert!(no_database.contains("\"elsewhere\" does not exist"), "{no_database}");
}
