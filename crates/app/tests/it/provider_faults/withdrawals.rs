//! Every fault on every call of a withdrawal. Nothing is paid twice, no paid withdrawal is refunded, and a
//! withdrawal without proof waits for the operator.

use bolts_testkit::provider::{Call, Fate, Fault, Kind, Made, Status};

use crate::harness::{Client, eventually};
use crate::sats::{Site, WHILE, age, both, sats, see, settle, until, withdraw};

/// The amount of each withdrawal, in sats.
const AMOUNT: u64 = 900;

/// The hold of each withdrawal: the amount and the minimum fee limit of 10 sats.
const HELD: i64 = 910;

/// The cost of each payment: the amount and a routing fee of 1 sat.
const COST: i64 = 901;

/// The maximum number of withdrawals that one user can have under way.
const PER_USER: usize = 3;

/// The faults on the calls of one withdrawal.
#[derive(Clone, Debug, Default)]
struct Scenario {
    reserve: Vec<Fault>,
    pay: Vec<Fault>,
    look_up: Vec<Fault>,
}

/// The expected end of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Paid,
    Refunded,
    /// Only the operator can find out whether the withdrawal was paid.
    Open,
}

/// Whether the provider pays in spite of the fault.
const fn is_sent(fault: Fault) -> bool {
    !matches!(fault, Fault::TimeOutBefore | Fault::CloseBefore | Fault::ErrorBefore | Fault::Redirect)
}

impl Scenario {
    /// Every fault on each of these calls: the payment, the look-up of a payment that was made, the look-up of a
    /// payment that was not made, and (only with LNbits) the request for the fee reserve.
    fn all(kind: Kind) -> Vec<Self> {
        let on_paying = Fault::ALL.map(|fault| Self { pay: vec![fault], ..Self::default() });
        let looking_up = |lost: Fault| {
            move |fault| Self { pay: vec![lost], look_up: vec![fault, fault], ..Self::default() }
        };
        let on_reserve = Fault::ALL.map(|fault| Self { reserve: vec![fault], ..Self::default() });
        let mut all = on_paying.to_vec();
        all.extend(Fault::ALL.map(looking_up(Fault::CloseAfter)));
        all.extend(Fault::ALL.map(looking_up(Fault::CloseBefore)));
        if kind == Kind::Lnbits {
            all.extend(on_reserve);
        }
        all
    }

    fn end(&self, kind: Kind) -> End {
        let names_nothing = |fault: &Fault| {
            matches!(
                fault,
                Fault::WrongHash
                    | Fault::WrongAmount
                    | Fault::WrongPreimage
                    | Fault::Forgotten
                    | Fault::Slow(_)
            )
        };
        if self.reserve.iter().any(|fault| !names_nothing(fault)) {
            return End::Refunded;
        }
        match (kind, self.pay.first()) {
            // LND pays a hash at most once, so the server sends the payment again if there is no result.
            (Kind::Lnd, _) | (Kind::Lnbits, None) => End::Paid,
            (Kind::Lnbits, Some(Fault::Forgotten)) => End::Open,
            (Kind::Lnbits, Some(fault)) => {
                if is_sent(*fault) {
                    End::Paid
                } else {
                    End::Open
                }
            }
        }
    }

    /// The number of times that the provider is expected to have paid the hash in the end.
    fn times(&self, kind: Kind) -> u32 {
        match self.end(kind) {
            End::Paid => 1,
            End::Refunded => 0,
            End::Open => u32::from(self.pay.first().is_some_and(|fault| is_sent(*fault))),
        }
    }
}

struct Run {
    scenario: Scenario,
    made: Made,
    user: usize,
    id: String,
}

/// Starts all withdrawals, so that their faults happen at the same time.
fn begin(site: &Site, users: &[Client], scenarios: Vec<Scenario>) -> Vec<Run> {
    let begun = scenarios.into_iter().enumerate().map(|(n, scenario)| {
        let made = site.invoice(AMOUNT);
        let calls = [
            (Call::FeeReserve, &scenario.reserve),
            (Call::Pay, &scenario.pay),
            (Call::LookUpPayment, &scenario.look_up),
        ];
        for (call, faults) in calls {
            site.provider.fail_for(&made.payment_hash, call, faults);
        }
        let user = n / PER_USER;
        let id = withdraw(&users[user], &made);
        Run { scenario, made, user, id }
    });
    begun.collect()
}

fn every_fault(kind: Kind) {
    let site = Site::start(kind);
    let scenarios = Scenario::all(kind);
    let users: Vec<Client> =
        (0..scenarios.len().div_ceil(PER_USER)).map(|n| site.user(&format!("user{n}"), 50_000)).collect();
    let runs = begin(&site, &users, scenarios);

    for run in &runs {
        let (user, scenario) = (&users[run.user], &run.scenario);
        match scenario.end(kind) {
            End::Paid => drop(until(user, &run.id, "paid")),
            End::Refunded => drop(until(user, &run.id, "refunded")),
            End::Open => {
                eventually("it was asked about again and again", WHILE, || {
                    let asked = site.provider.calls_for(&run.made.payment_hash, Call::LookUpPayment);
                    (asked >= scenario.look_up.len() + 2).then_some(())
                });
                assert_eq!(see(user, &run.id)["status"], "sending", "{kind:?} {scenario:?}");
            }
        }
        let times = site.provider.books(|books| books.times_paid(&run.made.payment_hash));
        assert_eq!(times, scenario.times(kind), "{kind:?} {scenario:?}");
    }
    site.assert_sound();
    settle_the_rest(&site, &users, &runs);

    for (n, user) in users.iter().enumerate() {
        let own = runs.iter().filter(|run| run.user == n);
        let spent: i64 = own.map(|run| i64::from(run.scenario.times(kind)) * COST).sum();
        // A withdrawal that the operator settles as paid has no routing fee.
        let forgiven = runs.iter().filter(|run| run.user == n && was_settled_as_paid(run, kind)).count();
        let forgiven = i64::try_from(forgiven).expect("few");
        assert_eq!(sats(user), 50_000 - spent + forgiven, "user {n}");
    }
    site.assert_sound();
}

fn was_settled_as_paid(run: &Run, kind: Kind) -> bool {
    run.scenario.end(kind) == End::Open && run.scenario.times(kind) == 1
}

/// The operator settles the withdrawals that LNbits does not know. Before that, admins see these withdrawals as open.
fn settle_the_rest(site: &Site, users: &[Client], runs: &[Run]) {
    let kind = site.provider.kind();
    let open: Vec<&Run> = runs.iter().filter(|run| run.scenario.end(kind) == End::Open).collect();
    let admin = site.server.admin("admin");
    let shown = admin.get("/api/admin/withdrawals?withdrawalStatus=sending&limit=100").ok(200);
    assert_eq!(shown.as_array().map(Vec::len), Some(open.len()), "{shown}");
    for run in open {
        let before = sats(&users[run.user]);
        let outcome = if was_settled_as_paid(run, kind) { "paid" } else { "refunded" };
        settle(site, &run.id, outcome);
        assert_eq!(see(&users[run.user], &run.id)["status"], outcome);
        let back = if outcome == "paid" { HELD - i64::try_from(AMOUNT).expect("few") } else { HELD };
        assert_eq!(sats(&users[run.user]), before + back);
    }
}

#[test]
fn every_fault_of_lnbits() {
    every_fault(Kind::Lnbits);
}

#[test]
fn every_fault_of_lnd() {
    every_fault(Kind::Lnd);
}

/// A route that costs more than the fee limit is not used.
#[test]
fn a_route_above_the_fee_limit_is_not_used() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 50_000);
        site.provider.books(|books| {
            books.fee = 11_000;
            books.reserve = Some(11_000);
        });
        let made = site.invoice(AMOUNT);
        let id = withdraw(&ann, &made);
        let refunded = until(&ann, &id, "refunded");
        assert!(
            refunded["refundReason"].as_str().is_some_and(|reason| reason.contains("route")),
            "{refunded}"
        );
        assert_eq!(sats(&ann), 50_000);
        assert_eq!(site.provider.books(|books| books.times_paid(&made.payment_hash)), 0);

        site.provider.books(|books| {
            books.fee = 10_000;
            books.reserve = Some(10_000);
        });
        let made = site.invoice(AMOUNT);
        let id = withdraw(&ann, &made);
        let paid = until(&ann, &id, "paid");
        assert_eq!((&paid["fee"], &paid["feeLimit"]), (&serde_json::json!(10), &serde_json::json!(10)));
        assert_eq!(paid["preimage"], made.preimage);
        assert_eq!(sats(&ann), 50_000 - HELD);
        let limit = site.provider.books(|books| books.limits.last().cloned());
        assert_eq!(limit, Some((made.payment_hash, 10_000)), "{kind:?}");
        site.assert_sound();
    });
}

/// LNbits may report 'failed' for a payment that its node has sent, so this report causes no refund.
#[test]
fn failed_is_no_proof_from_lnbits() {
    let site = Site::start(Kind::Lnbits);
    let ann = site.user("ann", 50_000);
    let made = site.invoice(AMOUNT);
    site.provider.books(|books| {
        books.fates.insert(made.payment_hash.clone(), Fate::Fails);
    });
    let id = withdraw(&ann, &made);
    eventually("it was asked about again and again", WHILE, || {
        (site.provider.calls_for(&made.payment_hash, Call::LookUpPayment) >= 3).then_some(())
    });
    assert_eq!(see(&ann, &id)["status"], "sending");
    // The payment arrives in the end.
    site.provider.books(|books| {
        let record = books.payments.get_mut(&made.payment_hash).expect("a payment");
        record.status = Status::Paid;
        books.paid.insert(made.payment_hash.clone(), 1);
    });
    until(&ann, &id, "paid");
    site.assert_sound();
}

/// A payment that LND reports as failed is refunded.
#[test]
fn failed_is_proof_from_lnd() {
    let site = Site::start(Kind::Lnd);
    let ann = site.user("ann", 50_000);
    let made = site.invoice(AMOUNT);
    site.provider.books(|books| {
        books.fates.insert(made.payment_hash.clone(), Fate::IsHeld);
    });
    let id = withdraw(&ann, &made);
    eventually("it was asked about", WHILE, || {
        (site.provider.calls_for(&made.payment_hash, Call::LookUpPayment) >= 2).then_some(())
    });
    assert_eq!(see(&ann, &id)["status"], "sending");
    assert_eq!(sats(&ann), 50_000 - HELD);
    site.provider.books(|books| books.finish(&made.payment_hash, false));
    until(&ann, &id, "refunded");
    assert_eq!(sats(&ann), 50_000);
    site.assert_sound();
}

/// Makes the provider give no proof about this payment: LNbits does not know it, and LND keeps it in flight.
fn leave_open(site: &Site, made: &Made) {
    match site.provider.kind() {
        Kind::Lnbits => {
            site.provider.fail(Call::LookUpPayment, Fault::Forgotten);
            site.provider.fail_for(&made.payment_hash, Call::Pay, &[Fault::CloseAfter]);
        }
        Kind::Lnd => {
            site.provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::IsHeld));
        }
    }
}

/// Restarts the site as if the withdrawals had been `sending` for this number of hours.
fn restart_after(site: &mut Site, hours: u32) {
    site.server.kill();
    age(site, hours);
    site.server.restart();
}

/// Waits until the metrics show this number of withdrawals under way and in doubt.
fn await_metrics(metrics: &Client, sending: u32, in_doubt: u32) {
    let wanted = [
        format!("bolts_withdrawals_sending {sending}\n"),
        format!("bolts_withdrawals_in_doubt {in_doubt}\n"),
        format!("bolts_withdrawals_in_doubt_sats {}\n", i64::from(in_doubt) * HELD),
    ];
    eventually(&format!("{wanted:?}"), WHILE, || {
        let text = metrics.get("/metrics").text;
        wanted.iter().all(|line| text.contains(line)).then_some(())
    });
}

/// The log line that alerts the operator.
fn alarm(site: &Site) -> Option<String> {
    let log = site.server.log();
    log.lines()
        .find(|line| line.contains("in doubt for an hour: look for its payment hash"))
        .map(str::to_owned)
}

/// No withdrawal stays open without notice. After an hour the log, the metrics and the admin panel alert the
/// operator, until the withdrawal is settled.
#[test]
fn an_hour_in_doubt_raises_the_alarm() {
    both(|kind| {
        let (mut site, metrics) = Site::start_with_metrics(kind);
        let ann = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        leave_open(&site, &made);
        let id = withdraw(&ann, &made);
        until(&ann, &id, "sending");
        restart_after(&mut site, 0);
        await_metrics(&metrics, 1, 0);
        assert_eq!(alarm(&site), None, "{kind:?}: it is too early");

        restart_after(&mut site, 1);
        await_metrics(&metrics, 1, 1);
        let said = eventually("the alarm is in the log", WHILE, || alarm(&site));
        assert!(said.contains("ERROR") && said.contains(&id), "{said}");
        let listed = site.server.command(&["withdrawals", "list"]);
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains(&id) && listed.contains("IN DOUBT"), "{listed}");
        let admin = site.server.admin("admin");
        assert_eq!(admin.get("/api/admin/wallet").ok(200)["inDoubt"], 1);
        let ann = site.server.client().with_cookie(ann.cookie());
        assert_eq!(see(&ann, &id)["isInDoubt"], true);

        settle(&site, &id, "paid");
        assert_eq!(see(&ann, &id)["status"], "paid");
        site.assert_sound();
        restart_after(&mut site, 1);
        await_metrics(&metrics, 0, 0);
        assert_eq!(alarm(&site), None, "{kind:?}: it is settled");
    });
}
