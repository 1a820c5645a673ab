//! The server is killed at each step of a withdrawal. After the restart the withdrawal is either paid once or refunded
//! once.

use std::process::Command;
use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fault, Kind, Made, Point};

use super::{Site, WHILE, both, come_to_rest, sats, see, settle, until, withdraw};
use crate::harness::{Client, eventually};

const AMOUNT: u64 = 900;

/// A site that was killed during a withdrawal, with the user and the withdrawal.
struct Killed {
    site: Site,
    user: Client,
    made: Made,
    id: String,
}

impl Killed {
    /// Kills the site while the provider is at this point of this call.
    fn at(kind: Kind, call: Call, point: Point) -> Self {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        let gate = site.provider.stall(call, point);
        let id = withdraw(&user, &made);
        gate.wait();
        site.server.kill();
        match point {
            // The killed server has lost the connection, so the provider does not carry out this call.
            Point::BeforeActing => gate.abandon(),
            Point::BeforeAnswering => drop(gate),
        }
        Self { site, user, made, id }
    }

    /// Starts the site again.
    fn restart(mut self) -> Self {
        self.site.server.restart();
        self.user = self.site.server.client().with_cookie(self.user.cookie());
        self
    }

    fn ends_paid_once(&self) {
        until(&self.user, &self.id, "paid");
        assert_eq!(sats(&self.user), 50_000 - 901);
        // Waits long enough for a wrong second payment to happen.
        thread::sleep(Duration::from_secs(3));
        assert_eq!(self.times_paid(), 1);
        self.site.assert_sound();
    }

    /// The provider does not know the payment. If the provider can lose records, this proves nothing. Then the
    /// withdrawal waits for the operator.
    fn stays_open_until_settled(&self) {
        eventually("it was asked about again and again", WHILE, || {
            let asked = self.site.provider.calls_for(&self.made.payment_hash, Call::LookUpPayment);
            (asked >= 3).then_some(())
        });
        assert_eq!(see(&self.user, &self.id)["status"], "sending");
        assert_eq!(self.times_paid(), 0);
        settle(&self.site, &self.id, "refunded");
        assert_eq!(see(&self.user, &self.id)["status"], "refunded");
        assert_eq!(sats(&self.user), 50_000);
        thread::sleep(Duration::from_secs(2));
        assert_eq!(self.times_paid(), 0);
        self.site.assert_sound();
    }

    fn times_paid(&self) -> u32 {
        self.site.provider.books(|books| books.times_paid(&self.made.payment_hash))
    }
}

/// The server is killed directly after it has committed the hold. No signal is fast enough for that, so the test kills
/// the server later, before the provider has paid, and sets the row back.
#[test]
fn killed_after_the_hold() {
    both(|kind| {
        let killed = Killed::at(kind, Call::Pay, Point::BeforeActing);
        killed.site.server.database.execute(
            "UPDATE withdrawals SET status = 'held', attempts = 0, first_attempt_at = NULL, questions = 0",
        );
        killed.restart().ends_paid_once();
    });
}

/// The server is killed during the request for the fee reserve. No attempt to pay is recorded, so the result is not in
/// doubt.
#[test]
fn reserve_asked_for() {
    Killed::at(Kind::Lnbits, Call::FeeReserve, Point::BeforeActing).restart().ends_paid_once();
}

/// The server is killed after it has committed the attempt, and before the provider pays.
#[test]
fn killed_after_the_attempt_was_recorded() {
    let killed = Killed::at(Kind::Lnbits, Call::Pay, Point::BeforeActing);
    killed.restart().stays_open_until_settled();
    let killed = Killed::at(Kind::Lnd, Call::Pay, Point::BeforeActing);
    killed.restart().ends_paid_once();
}

/// The server is killed after the provider has paid, and before the provider answers.
#[test]
fn killed_after_the_payment_was_sent() {
    both(|kind| {
        Killed::at(kind, Call::Pay, Point::BeforeAnswering).restart().ends_paid_once();
    });
}

/// The server is killed after the provider's answer has arrived at the machine, and before the server reads the answer.
#[test]
fn killed_before_the_answer_was_read() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        let gate = site.provider.stall(Call::Pay, Point::BeforeAnswering);
        let id = withdraw(&user, &made);
        gate.wait();
        let stopped = Command::new("kill").args(["-STOP", &site.server.process_id().to_string()]).status();
        assert!(stopped.expect("kill runs").success());
        drop(gate);
        thread::sleep(Duration::from_millis(300));
        site.server.kill();
        Killed { site, user, made, id }.restart().ends_paid_once();
    });
}

/// The operator refunds a withdrawal that the provider has paid. A worker finds this mistake after the withdrawal has
/// ended, and reports it once.
#[test]
fn a_payment_long_after_its_refund_is_found() {
    both(|kind| {
        let site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        site.provider.fail_for(&made.payment_hash, Call::Pay, &[Fault::CloseAfter]);
        site.provider.fail(Call::LookUpPayment, Fault::ErrorBefore);
        let id = withdraw(&user, &made);
        until(&user, &id, "sending");
        settle(&site, &id, "refunded");
        let is_paused = || user.get("/api/config").ok(200)["withdrawalsPaused"] == true;
        assert!(!is_paused());

        site.provider.heal();
        eventually("withdrawals are paused", WHILE, || is_paused().then_some(()));
        assert_eq!(see(&user, &id)["status"], "refunded");
        let resumed = site.server.command(&["withdrawals", "resume"]);
        assert!(resumed.status.success());
        let looked = || site.provider.calls_for(&made.payment_hash, Call::LookUpPayment);
        let before = looked();
        eventually("it is looked at again", WHILE, || (looked() >= before + 2).then_some(()));
        assert!(!is_paused());
        site.assert_sound();
    });
}

/// A server that stops waits for the results of payments under way and starts no other payments.
#[test]
fn a_stop_waits_for_payments_under_way() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        let gate = site.provider.stall(Call::Pay, Point::BeforeAnswering);
        let id = withdraw(&user, &made);
        gate.wait();
        site.server.stop_accepting();
        // Only the payment under way can keep the server from stopping for this long.
        thread::sleep(Duration::from_millis(500));
        drop(gate);
        let (code, _) = site.server.stop();
        assert_eq!(code, Some(0));
        let listed = site.server.command(&["withdrawals", "list", "--all"]);
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains("  paid  "), "{listed}");
        Killed { site, user, made, id }.restart().ends_paid_once();
    });
}

/// The server is killed after it has recorded the result of the payment.
#[test]
fn killed_after_the_result_was_recorded() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        let id = withdraw(&user, &made);
        until(&user, &id, "paid");
        site.server.kill();
        let asked = |site: &Site| {
            let calls = [Call::FeeReserve, Call::Pay, Call::LookUpPayment, Call::LookUpInvoice];
            calls.map(|call| site.provider.calls(call))
        };
        let calls = asked(&site);
        let killed = Killed { site, user, made, id }.restart();
        killed.ends_paid_once();
        assert_eq!(asked(&killed.site), calls, "what has ended is asked about no more");
    });
}

/// The site is killed at random moments during many withdrawals.
#[test]
fn killed_at_random_moments() {
    both(|kind| {
        let mut site = Site::start(kind);
        let mut users: Vec<Client> = (0..4).map(|n| site.user(&format!("user{n}"), 50_000)).collect();
        for round in 0..3_u64 {
            let invoices: Vec<Vec<Made>> =
                users.iter().map(|_| (0..3).map(|_| site.invoice(AMOUNT)).collect()).collect();
            thread::scope(|scope| {
                for (user, invoices) in users.iter().zip(&invoices) {
                    scope.spawn(move || invoices.iter().for_each(|made| drop(answered_or_not(user, made))));
                }
                thread::sleep(Duration::from_millis(40 * (round + 1)));
                site.server.kill();
            });
            site.server.restart();
            users = users.iter().map(|user| site.server.client().with_cookie(user.cookie())).collect();
            for open in come_to_rest(&site, &users) {
                settle(&site, open["id"].as_str().expect("an id"), "refunded");
            }
        }
        site.assert_sound();
    });
}

fn answered_or_not(user: &Client, made: &Made) -> Option<crate::harness::Answer> {
    let body = serde_json::json!({"invoice": made.text, "password": "secret"}).to_string().into_bytes();
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
    user.try_send("POST", "/api/withdrawals", &headers, body)
}
