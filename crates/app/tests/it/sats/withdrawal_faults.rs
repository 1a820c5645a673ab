//! Every fault on every call of a withdrawal: nothing is paid twice, nothing that was paid is refunded, and what cannot
//! be known waits for the operator.

use bolts_testkit::provider::{Call, Fate, Fault, Kind, Made, Status};

use super::{Site, WHILE, age, both, sats, see, settle, until, withdraw};
use crate::harness::{Client, eventually};

/// What each withdrawal asks for, in sats.
const AMOUNT: u64 = 900;

/// What each withdrawal holds: the amount, and at least 10 sats for the route.
const HELD: i64 = 910;

/// What each payment costs: the amount, and a sat for the route.
const COST: i64 = 901;

/// So many withdrawals of a user can be on their way.
const PER_USER: usize = 3;

/// What goes wrong with one withdrawal, call by call.
#[derive(Clone, Debug, Default)]
struct Scenario {
    reserve: Vec<Fault>,
    pay: Vec<Fault>,
    look_up: Vec<Fault>,
}

/// How a withdrawal has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Paid,
    Refunded,
    /// Nobody but the operator can know.
    Open,
}

/// Whether the provider paid all the same.
const fn is_sent(fault: Fault) -> bool {
    !matches!(fault, Fault::TimeOutBefore | Fault::CloseBefore | Fault::ErrorBefore | Fault::Redirect)
}

impl Scenario {
    /// Each fault on paying; then on looking up what was paid, and what was not; then on what is asked before.
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
            // LND pays a hash once, so it is told again.
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

    /// How often the hash may have been paid in the end.
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

/// Begins them all, so that they go wrong side by side.
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
        // What the operator settles as paid has a route for nothing.
        let forgiven = runs.iter().filter(|run| run.user == n && was_settled_as_paid(run, kind)).count();
        let forgiven = i64::try_from(forgiven).expect("few");
        assert_eq!(sats(user), 50_000 - spent + forgiven, "user {n}");
    }
    site.assert_sound();
}

fn was_settled_as_paid(run: &Run, kind: Kind) -> bool {
    run.scenario.end(kind) == End::Open && run.scenario.times(kind) == 1
}

/// The operator looks into the wallet and says what became of what LNbits does not know; admins see it waiting.
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

/// A route that costs more than what was set aside for it is not taken.
#[test]
fn a_route_past_the_reserve() {
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

/// LNbits may say 'failed' of what its node has sent: nothing is refunded on its word.
#[test]
fn lnbits_own_failed_is_not_believed() {
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
    // And in the end it did arrive.
    site.provider.books(|books| {
        let record = books.payments.get_mut(&made.payment_hash).expect("a payment");
        record.status = Status::Paid;
        books.paid.insert(made.payment_hash.clone(), 1);
    });
    until(&ann, &id, "paid");
    site.assert_sound();
}

/// What LND gives up is refunded, whatever was held.
#[test]
fn lnds_failed_is_believed() {
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

/// Whatever is asked, nobody says what became of this payment: LNbits has forgotten it, LND holds it.
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

/// Starts the site again as if what is being sent had been so for as many hours.
fn restart_after(site: &mut Site, hours: u32) {
    site.server.kill();
    age(site, hours);
    site.server.restart();
}

/// Waits for the metrics to say how many withdrawals are on their way, and how many of them in doubt.
fn await_figures(figures: &Client, sending: u32, in_doubt: u32) {
    let wanted = [
        format!("bolts_withdrawals_sending {sending}\n"),
        format!("bolts_withdrawals_in_doubt {in_doubt}\n"),
        format!("bolts_withdrawals_in_doubt_sats {}\n", i64::from(in_doubt) * HELD),
    ];
    eventually(&format!("{wanted:?}"), WHILE, || {
        let text = figures.get("/metrics").text;
        wanted.iter().all(|line| text.contains(line)).then_some(())
    });
}

/// The line of the log that tells the operator.
fn alarm(site: &Site) -> Option<String> {
    let log = site.server.log();
    log.lines().find(|line| line.contains("in doubt for an hour: settle it by hand")).map(str::to_owned)
}

/// Nothing is stuck in silence: an hour later the operator hears of it, wherever he listens, until he settles it.
#[test]
fn an_hour_in_doubt_raises_the_alarm() {
    both(|kind| {
        let (mut site, figures) = Site::start_with_figures(kind);
        let ann = site.user("ann", 50_000);
        let made = site.invoice(AMOUNT);
        leave_open(&site, &made);
        let id = withdraw(&ann, &made);
        until(&ann, &id, "sending");
        restart_after(&mut site, 0);
        await_figures(&figures, 1, 0);
        assert_eq!(alarm(&site), None, "{kind:?}: it is too early");

        restart_after(&mut site, 1);
        await_figures(&figures, 1, 1);
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
        await_figures(&figures, 0, 0);
        assert_eq!(alarm(&site), None, "{kind:?}: it is settled");
    });
}
