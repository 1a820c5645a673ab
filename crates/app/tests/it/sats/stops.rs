//! A provider that does not answer payments. Sending stops after three unanswered payments, and continues once the
//! provider answers again.

use bolts_testkit::provider::{Call, Fault, Kind, Made};

use super::{Site, WHILE, both, settle, until, withdraw};
use crate::harness::{Client, eventually};

/// Several users request withdrawals while the provider answers no payment. Returns the invoices, and the ids of the
/// withdrawals.
fn outage(site: &Site, users: &[Client]) -> Vec<(Made, String)> {
    site.provider.fail(Call::Pay, Fault::CloseBefore);
    site.provider.fail(Call::LookUpPayment, Fault::ErrorBefore);
    let ask = |user: &Client| {
        let made = site.invoice(900);
        let id = withdraw(user, &made);
        (made, id)
    };
    users.iter().flat_map(|user| [ask(user), ask(user)]).collect()
}

fn is_waiting(site: &Site) -> bool {
    site.server.client().get("/api/config").ok(200)["withdrawalsWaiting"] == true
}

#[test]
fn three_payments_without_an_answer_stop_the_sending() {
    both(|kind| {
        let mut site = Site::start(kind);
        let users: Vec<Client> = (0..5).map(|n| site.user(&format!("user{n}"), 5_000)).collect();
        let asked = outage(&site, &users);
        eventually("sending has stopped", WHILE, || is_waiting(&site).then_some(()));
        // Both this process and the next one ask the provider several times about the payments, and send no further
        // payment.
        site.server.kill();
        site.server.restart();
        let looks = || site.provider.calls(Call::LookUpPayment);
        let before = looks();
        eventually("it is looked at", WHILE, || (looks() >= before + 8).then_some(()));
        assert_eq!(site.provider.calls(Call::Pay), 3, "{kind:?}");
        assert!(is_waiting(&site));
        let listed = site.server.command(&["withdrawals", "list"]);
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert!(listed.contains("Withdrawals wait since"), "{listed}");
        assert!(listed.contains("attempts: 1; the invoice expires at"), "{listed}");
        assert!(listed.contains("the provider said: no clear answer"), "{listed}");
        let admin = site.server.admin("admin");
        let reason = admin.get("/api/admin/wallet").ok(200)["sendingStop"]["reason"].clone();
        assert!(reason.as_str().is_some_and(|reason| reason.contains("no clear answer")), "{reason}");

        let told: Vec<bool> = asked
            .iter()
            .map(|(made, _)| site.provider.calls_for(&made.payment_hash, Call::Pay) > 0)
            .collect();
        site.provider.heal();
        let users: Vec<Client> =
            users.iter().map(|user| site.server.client().with_cookie(user.cookie())).collect();
        let mut left = Vec::new();
        for (n, (_, id)) in asked.iter().enumerate() {
            // LNbits was called for three payments and does not know their results. LND is called for these payments
            // again.
            if kind == Kind::Lnbits && told[n] {
                left.push((n, id));
                continue;
            }
            until(&users[n / 2], id, "paid");
        }
        eventually("sending goes on", WHILE, || (!is_waiting(&site)).then_some(()));
        for (n, id) in left {
            settle(&site, id, "refunded");
            until(&users[n / 2], id, "refunded");
        }
        site.assert_sound();
    });
}
