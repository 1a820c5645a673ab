//! Reads of visitors on a replica.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bolts_testkit::free_port;
use bolts_testkit::postgres::Cluster;
use serde_json::Value;

use crate::database::Database;
use crate::harness::{Client, Server, eventually, id};

/// The longest time by which the replica may be behind.
const LAG: Duration = Duration::from_secs(2);

/// A primary, a replica, and a server that reads from both.
struct Site {
    primary: Cluster,
    replica: Cluster,
    server: Server,
    metrics: String,
}

impl Site {
    /// `place` is the port at which the server reaches the replica.
    fn start(place: impl FnOnce(&Cluster) -> u16) -> Self {
        let primary = Cluster::new();
        let url = primary.database("bolts");
        let replica = primary.standby();
        let read_url = format!("postgres://bolts@127.0.0.1:{}/bolts", place(&replica));
        let metrics = format!("127.0.0.1:{}", free_port());
        let lag = format!("{}s", LAG.as_secs());
        let arguments = ["--metrics-bind", &metrics, "--read-url", &read_url, "--read-lag", &lag];
        let arguments = arguments.map(str::to_owned).to_vec();
        let server = Server::on(Arc::new(Database::At(url)), arguments);
        Self { primary, replica, server, metrics: format!("http://{metrics}") }
    }

    /// The number of reads of visitors from the replica or the primary, by the metrics.
    fn reads(&self, from: &str) -> u64 {
        let page = Client::new(&self.metrics).get("/metrics").text;
        let line = format!("bolts_visitor_reads_total{{from=\"{from}\"}} ");
        page.lines().find_map(|found| found.strip_prefix(&line)).map_or(0, |n| n.parse().expect("a number"))
    }

    fn visitor(&self) -> Client {
        self.server.client()
    }

    /// Waits until visitors read from the replica.
    fn uses_the_replica(&self) {
        let before = self.reads("replica");
        eventually("visitors read from the replica", Duration::from_secs(30), || {
            self.visitor().get("/api/bets/stats").ok(200);
            (self.reads("replica") > before).then_some(())
        });
    }
}

fn lists(client: &Client, bet: &Value) -> bool {
    let bets = client.get("/api/bets/public").ok(200);
    bets.as_array().is_some_and(|bets| bets.iter().any(|listed| listed["id"] == bet["id"]))
}

#[test]
fn visitors_never_read_a_replica_that_is_too_old() {
    let site = Site::start(Cluster::port);
    let ann = site.server.user("ann");
    site.uses_the_replica();
    let replayed = ann.bet(100);
    eventually("the replica has the bet", Duration::from_secs(30), || {
        lists(&site.visitor(), &replayed).then_some(())
    });
    let _ = site.replica.psql("postgres", "SELECT pg_wal_replay_pause()");
    let bet = ann.bet(100);
    let committed = Instant::now();
    assert!(lists(&ann, &bet), "users see what they just did");
    assert_eq!(ann.get("/api/bets/stats").ok(200)["totalBetsCount"], 2);
    let path = format!("/api/bets/{}", id(&bet));
    assert_eq!(site.visitor().get(&path).status, 200, "a visitor with the link of a new bet");
    // The replica is paused, so every answer with the bet comes from the primary.
    let seen = eventually("visitors see the bet", Duration::from_secs(30), || {
        let asked = Instant::now();
        let is_listed = lists(&site.visitor(), &bet);
        assert!(is_listed || asked < committed + LAG, "{:?} after the commit", asked - committed);
        is_listed.then(|| committed.elapsed())
    });
    println!("visitors saw the bet {seen:?} after its commit, with a bound of {LAG:?}");
    let _ = site.replica.psql("postgres", "SELECT pg_wal_replay_resume()");
    site.uses_the_replica();
    site.server.assert_audit_clean();
}

/// Reads public pages as a visitor until `until` holds. Each answer must be a success.
fn reads_until(site: &Site, bet: &Value, until: impl Fn() -> bool) {
    let (done, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    let paths =
        ["/api/bets/public".to_owned(), "/api/bets/stats".to_owned(), format!("/api/bets/{}", id(bet))];
    thread::scope(|scope| {
        for path in &paths {
            scope.spawn(|| {
                let visitor = site.visitor();
                while !done.load(Ordering::Relaxed) {
                    visitor.get(path).ok(200);
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        eventually("the condition", Duration::from_secs(60), || until().then_some(()));
        // Some more answers of each kind, after the condition.
        let enough = answers.load(Ordering::Relaxed) + 30;
        eventually("answers", Duration::from_secs(60), || {
            (answers.load(Ordering::Relaxed) >= enough).then_some(())
        });
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_killed_replica_costs_no_page() {
    let site = Site::start(Cluster::port);
    let bet = site.server.user("ann").bet(100);
    site.uses_the_replica();
    let before = site.reads("primary");
    let killed = AtomicBool::new(false);
    reads_until(&site, &bet, || {
        if !killed.swap(true, Ordering::Relaxed) {
            site.replica.kill();
        }
        site.reads("primary") > before + 10
    });
    site.replica.start();
    site.uses_the_replica();
}

/// A way to a server that can stop to carry bytes, as a broken network does.
struct Network {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Network {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = is_cut.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let streams = (from.try_clone().expect("a stream"), to.try_clone().expect("a stream"));
                    let cut = cut.clone();
                    thread::spawn(move || carry(streams, &cut));
                }
            }
        });
        Self { port, is_cut }
    }
}

/// Carries bytes until the end of a stream. While the network is cut, the bytes wait.
fn carry((mut from, mut to): (TcpStream, TcpStream), is_cut: &AtomicBool) {
    let mut bytes = [0; 4_096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while is_cut.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(std::net::Shutdown::Both));
}

#[test]
fn a_replica_that_does_not_answer_costs_no_page() {
    let mut network = None;
    let site = Site::start(|replica| network.insert(Network::to(replica.port())).port);
    let network = network.expect("the server has a replica");
    let bet = site.server.user("ann").bet(100);
    site.uses_the_replica();
    let before = site.reads("primary");
    reads_until(&site, &bet, || {
        network.is_cut.store(true, Ordering::Relaxed);
        site.reads("primary") > before + 10
    });
    network.is_cut.store(false, Ordering::Relaxed);
    site.uses_the_replica();
}

#[test]
fn another_database_is_no_replica() {
    let other = Cluster::new();
    drop(other.database("bolts"));
    let site = Site::start(|_| other.port());
    eventually("the log says so", Duration::from_secs(30), || {
        site.server.log().contains("the replica is not used").then_some(())
    });
    let bet = site.server.user("ann").bet(100);
    assert!(lists(&site.visitor(), &bet));
    assert_eq!(site.reads("replica"), 0);
    assert_eq!(site.primary.psql("bolts", "SELECT count(*) FROM bets"), "1");
}
