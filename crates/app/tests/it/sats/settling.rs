//! The operator settles or pauses while a payment is being made. No withdrawal is both refunded and paid.

use std::process::Output;
use std::thread;
use std::time::Duration;

use bolts_testkit::provider::{Call, Fate, Fault, Kind, Made, Point};

use super::{Site, WHILE, age, both, sats, see, try_withdraw, until, withdraw};
use crate::harness::{Client, eventually};

const AMOUNT: u64 = 900;

/// A time-out so long that no call reaches it while a test holds the call, even on a busy machine.
const PATIENT: [&str; 4] = ["--lightning-timeout", "60s", "--withdrawal-patience", "1s"];

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The arguments of an operator who contradicts the provider's answer.
fn insisting<'a>(id: &'a str, outcome: &'a str) -> [&'a str; 6] {
    [id, outcome, "--reason", "sure", "--despite", "very sure"]
}

fn user_and_invoice(site: &Site) -> (Client, Made) {
    (site.user("ann", 50_000), site.invoice(AMOUNT))
}

/// A withdrawal whose payee delays the payment. The provider reports the payment as in flight.
fn held_back(site: &Site, user: &Client) -> (Made, String) {
    let made = site.invoice(AMOUNT);
    site.provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::IsHeld));
    let id = withdraw(user, &made);
    until(user, &id, "sending");
    (made, id)
}

/// The operator refunds a withdrawal while the server asks for the fee reserve. No payment was sent yet, so the refund
/// stays and no payment is sent later.
#[test]
fn refunded_while_the_reserve_is_asked_for() {
    let mut site = Site::start_with(Kind::Lnbits, &PATIENT);
    let (user, made) = user_and_invoice(&site);
    let gate = site.provider.stall(Call::FeeReserve, Point::BeforeAnswering);
    let id = withdraw(&user, &made);
    gate.wait();
    let settled = site.server.settle(&[&id, "refunded", "--reason", "it takes so long"]);
    assert!(settled.status.success(), "{settled:?}");
    assert_eq!(sats(&user), 50_000);
    drop(gate);

    // The server ends once no payment is under way.
    site.server.stop();
    assert_eq!(site.provider.calls_for(&made.payment_hash, Call::Pay), 0);
    assert_eq!(site.provider.books(|books| books.times_paid(&made.payment_hash)), 0);
    site.assert_sound();
}

/// Tests a refund during the request for the fee reserve, like the test above, but with a delay instead of a gate. A
/// real fault was found with such a delay.
#[test]
fn refunded_while_the_reserve_takes_its_time() {
    let mut site = Site::start_with(Kind::Lnbits, &PATIENT);
    let (user, made) = user_and_invoice(&site);
    let slow = [Fault::Slow(Duration::from_secs(5))];
    site.provider.fail_for(&made.payment_hash, Call::FeeReserve, &slow);
    let id = withdraw(&user, &made);
    thread::sleep(Duration::from_millis(1_200));
    let settled = site.server.settle(&[&id, "refunded", "--reason", "it takes so long"]);
    let is_refunded = settled.status.success();
    // The second request for a fee reserve gets the same delay. When its answer has arrived, the first answer has
    // arrived too.
    let later = site.invoice(AMOUNT);
    site.provider.fail_for(&later.payment_hash, Call::FeeReserve, &slow);
    let other = withdraw(&user, &later);
    until(&user, &other, "paid");
    // The server ends once no payment is under way.
    site.server.stop();
    let times = site.provider.books(|books| books.times_paid(&made.payment_hash));
    assert_eq!(times, u32::from(!is_refunded), "{settled:?}");
    site.assert_sound();
}

/// While a call to pay is under way, nobody can settle the withdrawal.
#[test]
fn settled_while_the_payment_is_made() {
    both(|kind| {
        for point in [Point::BeforeActing, Point::BeforeAnswering] {
            let site = Site::start_with(kind, &PATIENT);
            let (user, made) = user_and_invoice(&site);
            let gate = site.provider.stall(Call::Pay, point);
            let id = withdraw(&user, &made);
            gate.wait();
            for outcome in ["refunded", "paid"] {
                let said = refused(&site.server.settle(&insisting(&id, outcome)));
                assert!(said.contains("a call to pay may be under way"), "{said}");
            }
            drop(gate);
            until(&user, &id, "paid");
            assert_eq!(sats(&user), 50_000 - 901);
            site.assert_sound();
        }
    });
}

/// The call to pay has ended without an answer, but the time of `--withdrawal-patience` is not over.
#[test]
fn settled_before_the_patience_has_passed() {
    both(|kind| {
        let site = Site::start_with(kind, &["--lightning-timeout", "60s", "--withdrawal-patience", "90s"]);
        let (user, made) = user_and_invoice(&site);
        site.provider.fail_for(&made.payment_hash, Call::Pay, &[Fault::CloseAfter]);
        let id = withdraw(&user, &made);
        let said = eventually("its call has ended", WHILE, || {
            let said = refused(&site.server.settle(&insisting(&id, "refunded")));
            said.contains("the provider has until").then_some(said)
        });
        assert!(said.contains("settle it after that"), "{said}");
        assert_eq!(see(&user, &id)["status"], "sending");
        site.assert_sound();
    });
}

/// A proof by the provider overrides the operator's decision. This works even if no server runs.
#[test]
fn the_provider_is_asked_first() {
    both(|kind| {
        let mut site = Site::start(kind);
        let (user, made) = user_and_invoice(&site);
        site.provider.fail_for(&made.payment_hash, Call::Pay, &[Fault::CloseAfter]);
        site.provider.fail(Call::LookUpPayment, Fault::ErrorBefore);
        let id = withdraw(&user, &made);
        eventually("it was sent", WHILE, || {
            site.provider.books(|books| books.times_paid(&made.payment_hash) == 1).then_some(())
        });
        site.server.kill();
        let said = refused(&site.server.settle_when_possible(&[&id, "refunded", "--reason", "unheard of"]));
        assert!(said.contains("no clear answer") && said.contains("--despite"), "{said}");

        site.provider.heal();
        let said = refused(&site.server.settle(&insisting(&id, "refunded")));
        assert!(said.contains("it was paid") && said.contains("No other result can be recorded"), "{said}");
        let listed = site.server.command(&["withdrawals", "list", "--all"]);
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains("  paid  "), "{listed}");
        site.assert_sound();
    });
}

/// The payee delays the payment. The operator can refund the withdrawal only with `--despite`. If the payment succeeds
/// afterwards, the commands report the loss for ever.
#[test]
fn refunded_though_it_is_on_its_way() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let (made, id) = held_back(&site, &user);
        for outcome in ["refunded", "paid"] {
            let said = refused(&site.server.settle_when_possible(&[&id, outcome, "--reason", "old"]));
            assert!(said.contains("it is on its way") && said.contains("--despite"), "{said}");
        }
        let settled = site.server.settle_when_possible(&insisting(&id, "refunded"));
        assert!(settled.status.success(), "{settled:?}");
        assert_eq!(see(&user, &id)["status"], "refunded");
        let admin = site.server.admin("admin");
        let actions = admin.get("/api/admin/actions").ok(200);
        let all = actions.as_array().expect("a list");
        let settling = all.iter().find(|row| row["action"] == "settle_withdrawal").expect("it is recorded");
        let detail = settling["detail"].as_str().expect("words");
        assert!(detail.contains("it is on its way") && detail.contains("very sure"), "{detail}");

        site.provider.books(|books| books.finish(&made.payment_hash, true));
        eventually("withdrawals are paused", WHILE, || {
            (user.get("/api/config").ok(200)["withdrawalsPaused"] == true).then_some(())
        });
        try_withdraw(&user, &site.invoice(AMOUNT).text).problem(409, "withdrawals_paused");
        assert!(site.server.command(&["withdrawals", "resume"]).status.success());
        site.server.kill();
        site.server.restart();
        for command in [&["audit"][..], &["withdrawals", "list"]] {
            let said = site.server.command(command);
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            let lost = said.lines().find(|line| line.starts_with("LOST"));
            assert!(lost.is_some_and(|line| line.contains(&id) && line.contains("900 sats")), "{said}");
        }
        site.assert_sound();
    });
}

/// One command settles several withdrawals. If the provider proves another result for a withdrawal, the command refuses
/// to settle that withdrawal and records the proved result. It settles the others.
#[test]
fn several_are_settled_and_the_one_that_was_paid_is_refused() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let [first, second, third] = [(); 3].map(|()| held_back(&site, &user));
        let ids = [&first, &second, &third].map(|(_, id)| id.as_str());
        let words = ["refunded", "--reason", "old"];
        let said = refused(&site.server.settle_when_possible(&[&ids[..], &words].concat()));
        assert!(said.contains("3 of 3 withdrawals were not settled"), "{said}");
        for id in ids {
            let line = said.lines().find(|line| line.contains(id));
            assert!(line.is_some_and(|line| line.contains("it is on its way")), "{said}");
            assert_eq!(see(&user, id)["status"], "sending", "{kind:?}");
        }

        // No server runs, so the database does not get the result of the payment by itself.
        site.server.kill();
        site.provider.books(|books| books.finish(&second.0.payment_hash, true));
        let words = ["refunded", "--reason", "old", "--despite", "sure"];
        let settled = site.server.settle_when_possible(&[&ids[..], &words].concat());
        let said = refused(&settled);
        assert!(said.contains(&second.1) && said.contains("it was paid"), "{said}");
        let settled = String::from_utf8_lossy(&settled.stdout).into_owned();
        for (_, id) in [&first, &third] {
            assert!(!said.contains(id.as_str()), "{said}");
            assert!(settled.contains(&format!("The withdrawal {id} is settled as refunded.")), "{settled}");
        }

        site.server.restart();
        let user = site.server.client().with_cookie(user.cookie());
        let ends = ids.map(|id| see(&user, id)["status"].clone());
        assert_eq!(ends, ["refunded", "paid", "refunded"], "{kind:?}");
        assert_eq!(sats(&user), 50_000 - 901);
        site.assert_sound();
    });
}

/// `--all-in-doubt` settles the withdrawals that have been open for an hour, and no others.
#[test]
fn all_in_doubt_are_settled_at_once() {
    both(|kind| {
        let site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let old = [(); 2].map(|()| held_back(&site, &user).1);
        age(&site, 2);
        let (_, young) = held_back(&site, &user);
        // This command waits until both withdrawals can be settled. It is refused, because `--despite` is missing.
        let said =
            refused(&site.server.settle_when_possible(&["--all-in-doubt", "refunded", "--reason", "old"]));
        assert!(said.contains("2 of 2 withdrawals were not settled"), "{said}");
        let words =
            ["--all-in-doubt", "refunded", "--reason", "the node was away", "--despite", "not in its books"];
        let settled = site.server.settle(&words);
        assert!(settled.status.success(), "{settled:?}");
        let said = String::from_utf8_lossy(&settled.stdout).into_owned();
        for id in &old {
            assert!(said.contains(&format!("The withdrawal {id} is settled as refunded.")), "{said}");
            assert_eq!(see(&user, id)["status"], "refunded", "{kind:?}");
        }
        assert_eq!(see(&user, &young)["status"], "sending", "{kind:?}");
        assert_eq!(sats(&user), 50_000 - 910);

        let nothing = site.server.settle(&words);
        assert!(nothing.status.success(), "{nothing:?}");
        let said = String::from_utf8_lossy(&nothing.stdout).into_owned();
        assert!(said.contains("No withdrawal is in doubt."), "{said}");
        site.assert_sound();
    });
}

/// Nothing is settled if the provider's options do not match the database.
#[test]
fn another_provider_is_not_asked() {
    both(|kind| {
        let mut site = Site::start(kind);
        let user = site.user("ann", 50_000);
        let (_, id) = held_back(&site, &user);
        site.server.kill();
        let words = [&["withdrawals", "settle"][..], &insisting(&id, "refunded")].concat();
        let said = refused(&site.server.command(&words));
        assert!(said.contains("another Lightning provider"), "{said}");
        site.assert_sound();
    });
}

/// If the operator pauses withdrawals while the server asks for the fee reserve, the server sends the withdrawal only
/// after the pause.
#[test]
fn paused_while_the_reserve_is_asked_for() {
    let site = Site::start_with(Kind::Lnbits, &PATIENT);
    let (user, made) = user_and_invoice(&site);
    let gate = site.provider.stall(Call::FeeReserve, Point::BeforeAnswering);
    let id = withdraw(&user, &made);
    gate.wait();
    let paused = site.server.command(&["withdrawals", "pause", "--reason", "the node moves house"]);
    assert!(paused.status.success(), "{paused:?}");
    drop(gate);
    // The test waits for a deposit, which is credited even during a pause. A wrong payment would have been sent before
    // that.
    let bob = site.user("bob", 1_000);
    assert_eq!(site.provider.calls(Call::Pay), 0);
    assert_eq!(see(&user, &id)["status"], "held");

    assert!(site.server.command(&["withdrawals", "resume"]).status.success());
    until(&user, &id, "paid");
    assert_eq!((sats(&user), sats(&bob)), (50_000 - 901, 1_000));
    site.assert_sound();
}
