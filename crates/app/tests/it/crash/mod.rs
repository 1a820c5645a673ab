//! Kills the real server, its database and its Lightning provider with SIGKILL at random moments under load.
//!
//! Clients keep a journal of every request: the effect that the server confirmed, or that no answer came. After each kill
//! everything that was confirmed is there, and nothing else. An unanswered request has either happened as a whole or not
//! at all, and its repeat with the same `Idempotency-Key` says which. `BOLTS_KILLS=50` makes the test longer
//! (`just crash KILLS=50`), and `BOLTS_SEED` chooses the moments.

mod bettors;
mod journal;
mod saver;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use fastrand::Rng;

use self::bettors::Bettors;
use self::journal::Tally;
use self::saver::Saver;
use crate::database::KillableDatabase;
use crate::harness::{Client, Server, eventually, number};
use crate::lnbits_server::{Lnbits, Wallet};
use crate::sats::WHILE;

/// The number of kills without `BOLTS_KILLS`. Each of the faults below occurs.
const KILLS: u64 = 5;

/// The pairs of users that bet, and the users that move sats.
const PAIRS: u64 = 4;
const SAVERS: u64 = 2;

/// The number of confirmed requests before each kill.
const LOAD: u64 = 40;

/// A program that is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    /// The server. It starts again.
    Server,
    /// The server, and the next server while it starts.
    ServerTwice,
    /// The server of the database. Bolts must recover by itself.
    Database,
    /// The server of the database and Bolts, as in a power failure of the machine.
    Both,
    /// The site's LNbits.
    Lnbits,
}

impl Victim {
    /// All kinds on a database with or without a server.
    const fn all(has_server: bool) -> &'static [Self] {
        if has_server {
            &[Self::Server, Self::Database, Self::Lnbits, Self::Both, Self::ServerTwice]
        } else {
            &[Self::Server, Self::Lnbits, Self::ServerTwice]
        }
    }

    /// The first kills are one of each kind, and the others are drawn.
    fn next(kill: usize, all: &[Self], random: &mut Rng) -> Self {
        all.get(kill).copied().unwrap_or_else(|| all[random.usize(..all.len())])
    }
}

fn seed() -> u64 {
    let now = || SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
    number("BOLTS_SEED").unwrap_or_else(now)
}

struct Site {
    // The server is dropped before the programs that it needs.
    server: Server,
    lnbits: Lnbits,
    /// The site's wallet, which holds only the users' sats.
    wallet: Wallet,
    database: KillableDatabase,
}

impl Site {
    fn start() -> Self {
        let (lnbits, database) = (Lnbits::start(), KillableDatabase::new());
        let wallet = lnbits.site.neighbour();
        let mut options = wallet.options(&wallet.url);
        let further = [
            ["--lightning-timeout", "5s"],
            ["--withdrawal-patience", "2s"],
            ["--withdrawal-cap-user", "0"],
            ["--withdrawal-cap-total", "0"],
        ];
        options.extend(further.concat().into_iter().map(str::to_owned));
        let server = Server::on(database.database(), options);
        Self { server, lnbits, wallet, database }
    }

    fn kill(&mut self, victim: Victim) {
        match victim {
            Victim::Server | Victim::ServerTwice => self.server.kill(),
            Victim::Database => self.database.kill(),
            Victim::Both => {
                self.database.kill();
                self.server.kill();
            }
            Victim::Lnbits => self.lnbits.tell("kill site"),
        }
    }

    /// Starts again what was killed, and waits until the site works.
    fn mend(&mut self, victim: Victim) {
        match victim {
            Victim::Server => self.server.restart(),
            Victim::ServerTwice => {
                self.server.restart();
                self.server.kill();
                self.server.restart();
            }
            Victim::Database => self.database.start(),
            Victim::Both => {
                self.database.start();
                self.server.restart();
            }
            Victim::Lnbits => self.lnbits.tell("start site"),
        }
        let visitor = self.server.client();
        eventually("the site works again by itself", WHILE, || {
            (visitor.get("/readyz").status == 200).then_some(())
        });
    }

    /// This user's browser at the server that runs now.
    fn moved(&self, client: &Client) -> Client {
        self.server.client().with_cookie(client.cookie())
    }
}

/// The clients, with their journals.
struct Clients {
    bettors: Vec<Bettors>,
    savers: Vec<Saver>,
}

impl Clients {
    fn new(site: &Site, random: &mut Rng) -> Self {
        let root = site.server.admin("root");
        let bettors = (0..PAIRS).map(|n| Bettors::new(site, &root, n, random.fork())).collect();
        let savers = (0..SAVERS).map(|n| Saver::new(site, n, random.fork())).collect();
        Self { bettors, savers }
    }

    /// Sends requests from all clients. Kills the victim at a random moment of the load.
    fn load_and_kill(&mut self, site: &mut Site, victim: Victim, tally: &Tally, random: &mut Rng) {
        let stop = AtomicBool::new(false);
        let before = tally.confirmed();
        let customer = site.lnbits.customer.clone();
        thread::scope(|scope| {
            let (stop, customer) = (&stop, &customer);
            self.bettors.iter_mut().for_each(|pair| drop(scope.spawn(move || pair.load(stop, tally))));
            self.savers
                .iter_mut()
                .for_each(|saver| drop(scope.spawn(move || saver.load(customer, stop, tally))));
            eventually("there is load", WHILE, || (tally.confirmed() >= before + LOAD).then_some(()));
            thread::sleep(Duration::from_millis(random.u64(..300)));
            site.kill(victim);
            // The other programs go on for a while, and their requests meet the missing one.
            thread::sleep(Duration::from_millis(random.u64(..500)));
            stop.store(true, Ordering::Relaxed);
        });
    }

    /// Compares the site with the journals.
    fn check(&mut self, site: &Site, tally: &Tally) {
        for pair in &mut self.bettors {
            pair.move_to(site);
            pair.settle(tally);
        }
        for saver in &mut self.savers {
            saver.move_to(site);
            saver.settle(tally);
        }
        site.server.assert_audit_clean();
    }
}

#[test]
fn every_acknowledged_effect_survives_a_kill() {
    let (kills, seed) = (number("BOLTS_KILLS").unwrap_or(KILLS), seed());
    println!("BOLTS_SEED={seed} chooses the same moments");
    let (mut random, tally, started) = (Rng::with_seed(seed), Tally::default(), Instant::now());
    let mut site = Site::start();
    let customer_before = site.lnbits.customer.balance();
    let mut clients = Clients::new(&site, &mut random);
    let (all, mut victims) = (Victim::all(site.database.has_server()), Vec::new());
    for kill in 0..usize::try_from(kills).expect("a number") {
        let victim = Victim::next(kill, all, &mut random);
        clients.load_and_kill(&mut site, victim, &tally, &mut random);
        site.mend(victim);
        clients.check(&site, &tally);
        victims.push(victim);
        println!(
            "kill {} of {kills}, {victim:?}: {tally}; all there, audit clean; {} s",
            kill + 1,
            started.elapsed().as_secs()
        );
    }
    let is_each_met = all.iter().all(|one| victims.contains(one));
    assert!(is_each_met || victims.len() < all.len(), "of {all:?} only {victims:?}");
    let sats = saver::come_to_rest(&site, &clients.savers);
    site.server.assert_audit_clean();
    assert_eq!(site.lnbits.customer.balance(), customer_before - sats.paid_in + sats.paid_out);
    let count = |one| victims.iter().filter(|victim| **victim == one).count();
    println!(
        "{kills} kills ({} server, {} server again while it started, {} database, {} both, {} LNbits): {tally}; {sats}; \
         nothing lost, nothing else; {} s",
        count(Victim::Server),
        count(Victim::ServerTwice),
        count(Victim::Database),
        count(Victim::Both),
        count(Victim::Lnbits),
        started.elapsed().as_secs(),
    );
    tally.assert_load();
}
