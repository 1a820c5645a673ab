//! Webhooks that are lost or arrive at a bad moment, over HTTP. `listed_deposits` tests more of these cases with a test
//! clock.

use std::time::{Duration, Instant};

use bolts_testkit::provider::{Call, Fault, Made, Wanted, make, now};

use super::metric;
use crate::harness::{Client, at_best_within, eventually};
use crate::sats::{Deposit, Site, WHILE, both, sats};

/// The longest time from a payment to its credit.
const CREDITED_WITHIN: Duration = Duration::from_secs(15);

/// An unpaid invoice that the user requested 50 minutes ago. The database refuses a change of a deposit's times, so the
/// test inserts a changed copy of another deposit's row.
fn old_deposit(site: &Site, user: &Client, number: u32) -> Made {
    let (age, young) = (Duration::from_secs(50 * 60), site.deposit(user, 900));
    let made = make(&Wanted { made_at: now() - age, ..Wanted::sats(900) });
    site.provider.books(|books| {
        let own = books.invoices[&young.hash].clone();
        books.invoices.insert(made.payment_hash.clone(), own);
        books.times.insert(made.payment_hash.clone(), now() - age);
    });
    insert_copy(site, &young, &made, age, number);
    made
}

/// Inserts a copy of a deposit, older by `age`. The copy has been looked up so often that its next look-up is an hour
/// away.
fn insert_copy(site: &Site, young: &Deposit, made: &Made, age: Duration, number: u32) {
    let (micros, hash, invoice) = (age.as_micros(), &made.payment_hash, &made.text);
    let next_check_at = (now() + Duration::from_secs(3_600)).as_micros();
    site.server.database.execute(&format!(
        "INSERT INTO deposits (id, user_id, asked, invoice, payment_hash, created_at, expires_at, status, checks, \
         next_check_at) SELECT '{number:032x}', user_id, asked, '{invoice}', '{hash}', created_at - {micros}, \
         expires_at - {micros}, status, 12, {next_check_at} FROM deposits WHERE payment_hash = '{}'",
        young.hash
    ));
}

/// Look-ups of single invoices fail, so only the provider's list shows that an invoice was paid.
#[test]
fn payments_without_a_webhook_are_credited_within_15_seconds() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        site.provider.fail(Call::LookUpInvoice, Fault::ErrorBefore);
        let credited = |hash: &str| {
            let (before, paid) = (sats(&ann), Instant::now());
            site.provider.receive(hash, 900_000);
            eventually("it is credited", WHILE, || (sats(&ann) == before + 900).then_some(()));
            paid.elapsed()
        };
        at_best_within(CREDITED_WITHIN, |_| credited(&site.deposit(&ann, 900).hash));
        at_best_within(CREDITED_WITHIN, |attempt| {
            let old = old_deposit(&site, &ann, attempt);
            let waited = credited(&old.payment_hash);
            assert_eq!(site.provider.calls_for(&old.payment_hash, Call::LookUpInvoice), 0, "{kind:?}");
            waited
        });
        site.assert_sound();
    });
}

/// The next look-up by the worker is an hour away and the list cannot be read, so only the webhook can cause a credit.
#[test]
fn a_webhook_within_a_second_of_another_question_is_not_lost() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        site.provider.fail(Call::List, Fault::ErrorBefore);
        let deposit = site.deposit(&ann, 2_500);
        let later = (now() + Duration::from_secs(3_600)).as_micros();
        site.server.database.execute(&format!("UPDATE deposits SET checks = 12, next_check_at = {later}"));
        assert!(!deposit.is_paid(&ann));
        site.provider.receive(&deposit.hash, 2_500_000);
        let stranger = site.server.client();
        let path = format!("/api/deposit/webhook/{}", deposit.id);
        for _ in 0..3 {
            assert_eq!(stranger.send("POST", &path, &[], "{}").status, 200);
        }
        eventually("the deposit is credited", WHILE, || (sats(&ann) == 2_500).then_some(()));
        let asked = site.provider.calls_for(&deposit.hash, Call::LookUpInvoice);
        assert!(asked <= 3, "{kind:?}: {asked} look-ups");
        site.assert_sound();
    });
}

#[test]
fn the_operator_sees_that_the_list_cannot_be_read() {
    both(|kind| {
        let (site, metrics) = Site::start_with_metrics(kind);
        let ann = site.user("ann", 0);
        site.provider.fail(Call::List, Fault::Garbage);
        let deposit = site.deposit(&ann, 700);
        let counted =
            |result: &str| metric(&metrics, &format!("bolts_deposit_lists_total{{result=\"{result}\"}}"));
        eventually("two lists fail", WHILE, || (counted("unreadable") >= 2.0).then_some(()));
        let said =
            || site.server.log().matches("the provider's list of paid invoices cannot be read").count();
        eventually("the log says so", WHILE, || (said() > 0).then_some(()));
        assert_eq!(said(), 1, "{kind:?}: it is said once");
        site.provider.receive(&deposit.hash, 700_000);
        eventually("single look-ups go on", WHILE, || (sats(&ann) == 700).then_some(()));

        site.provider.heal();
        site.provider.fail(Call::LookUpInvoice, Fault::ErrorBefore);
        let other = site.deposit(&ann, 300);
        site.provider.receive(&other.hash, 300_000);
        eventually("the list is read again", WHILE, || (sats(&ann) == 1_000).then_some(()));
        let is_counted = || metrics.get("/metrics").text.contains("bolts_deposits_found_in_list_total 1");
        eventually("it is counted", WHILE, || (counted("read") > 0.0 && is_counted()).then_some(()));
        site.assert_sound();
    });
}
