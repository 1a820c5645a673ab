//! Every fault on every call of a deposit. Each deposit is credited once, with the amount that arrived.

use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_testkit::provider::{Books, Call, Fault, Network};
use bolts_wallet::INVOICE_LIFETIME;
use serde_json::json;

use crate::harness::{eventually, in_seconds};
use crate::sats::{Deposit, Site, WHILE, both, sats};

/// Whether the provider's answer arrives completely under this fault, even if it is late or has wrong content.
const fn is_whole(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::WrongHash | Fault::WrongAmount | Fault::WrongPreimage | Fault::Forgotten | Fault::Slow(_)
    )
}

#[test]
fn faults_on_creating_an_invoice() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        for fault in Fault::ALL {
            site.provider.fail_once(Call::CreateInvoice, fault);
            let answer = ann.post("/api/deposit/create-invoice", json!({"amount": 2_500}));
            // An invoice that does not match the request is not shown to the user.
            if is_whole(fault) && !matches!(fault, Fault::WrongHash | Fault::WrongAmount) {
                answer.ok(201);
            } else {
                let problem = answer.problem(503, "lightning_unavailable");
                assert!(answer.headers.contains_key("retry-after"));
                assert!(!problem.to_string().contains("lnbc"), "{kind:?} {fault:?}: {problem}");
            }
            site.provider.heal();
        }
        assert_eq!(sats(&ann), 0);
        site.assert_sound();
    });
}

/// A change that makes the provider's new invoices wrong.
type Spoil = fn(&mut Books);

/// An invoice that cannot be paid with real sats, or cannot be paid any more, is neither shown nor stored.
#[test]
fn an_invoice_of_another_network_or_an_expired_one_is_not_shown() {
    let wrong: [(&str, Spoil); 5] = [
        ("regtest", |books| books.network = Network::Regtest),
        ("testnet", |books| books.network = Network::Testnet),
        ("signet", |books| books.network = Network::Signet),
        ("expired just now", |books| books.age = INVOICE_LIFETIME),
        ("expired yesterday", |books| books.age = 24 * INVOICE_LIFETIME),
    ];
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        let ask = || ann.post("/api/deposit/create-invoice", json!({"amount": 2_500}));
        for (what, spoil) in wrong {
            site.provider.books(spoil);
            let answer = ask();
            let problem = answer.problem(503, "lightning_unavailable");
            assert!(answer.headers.contains_key("retry-after"));
            let made: Vec<String> = site.provider.books(|books| {
                (books.network, books.age) = (Network::Main, Duration::ZERO);
                books.invoices.values().map(|own| own.invoice.clone()).collect()
            });
            let shown = problem.to_string();
            assert!(!made.iter().any(|invoice| shown.contains(invoice)), "{kind:?} {what}: {shown}");
            assert_eq!(site.server.database.rows("deposits"), 0, "{kind:?} {what}");
        }
        assert_eq!(site.provider.calls(Call::CreateInvoice), wrong.len());

        // For an older invoice that is still valid, the server tells the user only the rest of the invoice's lifetime.
        site.provider.books(|books| books.age = INVOICE_LIFETIME - Duration::from_secs(600));
        let made = ask().ok(201);
        let expires_at = made["expiresAt"].as_str().and_then(|text| Timestamp::parse(text).ok());
        let rest = expires_at.expect("an expiry").since(Timestamp::parse(&in_seconds(0)).expect("now"));
        assert!(rest <= Duration::from_secs(600) && rest > Duration::from_secs(500), "{kind:?} {rest:?}");
        assert_eq!(site.server.database.rows("deposits"), 1);
        site.assert_sound();
    });
}

#[test]
fn faults_on_looking_up_an_invoice() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        // Requests for the provider's list fail too, because the list would credit the deposits without a look-up.
        site.provider.fail(Call::List, Fault::ErrorBefore);
        let deposits: Vec<(Fault, Deposit)> =
            Fault::ALL.map(|fault| (fault, site.deposit(&ann, 2_500))).into_iter().collect();
        for (fault, deposit) in &deposits {
            site.provider.fail_for(&deposit.hash, Call::LookUpInvoice, &[*fault, *fault]);
        }
        for (_, deposit) in &deposits {
            site.provider.receive(&deposit.hash, 2_500_000);
        }
        for (fault, deposit) in &deposits {
            eventually(&format!("{kind:?} {fault:?} is credited"), WHILE, || {
                deposit.is_paid(&ann).then_some(())
            });
            // The credit is the amount that the provider reports.
            let credited = if *fault == Fault::WrongAmount { 1_250 } else { 2_500 };
            assert_eq!(deposit.status(&ann)["credited"], credited, "{kind:?} {fault:?}");
        }
        assert_eq!(sats(&ann), 15 * 2_500 + 1_250, "{kind:?}");
        site.assert_sound();
    });
}

/// Every second call to the provider fails.
#[test]
fn deposits_over_a_flapping_provider() {
    both(|kind| {
        let site = Site::start(kind);
        for call in Call::ALL {
            site.provider.flap(call, Fault::ErrorAfter);
        }
        let ann = site.user("ann", 0);
        let made = eventually("an invoice is made", WHILE, || {
            let made = ann.post("/api/deposit/create-invoice", json!({"amount": 2_500}));
            (made.status == 201).then(|| made.json())
        });
        let invoice = made["lightningInvoice"].as_str().expect("an invoice").to_owned();
        let hash = site.provider.books(|books| books.hash_of(&invoice)).expect("a hash");
        let deposit = Deposit { id: made["invoiceId"].as_str().expect("an id").to_owned(), invoice, hash };
        site.provider.receive(&deposit.hash, 2_500_000);
        eventually("the deposit is credited", WHILE, || deposit.is_paid(&ann).then_some(()));
        assert_eq!(sats(&ann), 2_500);
        site.assert_sound();
    });
}
