//! Every fault on every call of a deposit: credited once, and only what arrived.

use std::time::Duration;

use bolts_kernel::Timestamp;
use bolts_testkit::provider::{Books, Call, Fault, Network};
use bolts_wallet::INVOICE_LIFETIME;
use serde_json::json;

use super::{Deposit, Site, WHILE, both, sats};
use crate::harness::{eventually, in_seconds};

/// Whether the answer comes whole, and only says something else or late.
const fn is_whole(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::WrongHash | Fault::WrongAmount | Fault::WrongPreimage | Fault::Forgotten | Fault::Slow(_)
    )
}

#[test]
fn making_an_invoice() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
        for fault in Fault::ALL {
            site.provider.fail_once(Call::CreateInvoice, fault);
            let answer = ann.post("/api/deposit/create-invoice", json!({"amount": 2_500}));
            // What is not what was asked for, nobody sees.
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

/// Makes a provider's new invoices wrong.
type Spoil = fn(&mut Books);

/// What nobody can pay with real sats, or can pay no more, nobody sees, and nothing of it is kept.
#[test]
fn an_invoice_of_another_network_or_of_the_past() {
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

        // Old, and not too old: the rest of its time is all that is promised.
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
fn looking_it_up() {
    both(|kind| {
        let site = Site::start(kind);
        let ann = site.user("ann", 0);
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
            // It is credited what the provider says has arrived.
            let credited = if *fault == Fault::WrongAmount { 1_250 } else { 2_500 };
            assert_eq!(deposit.status(&ann)["credited"], credited, "{kind:?} {fault:?}");
        }
        assert_eq!(sats(&ann), 15 * 2_500 + 1_250, "{kind:?}");
        site.assert_sound();
    });
}

/// The provider works and does not, in turns.
#[test]
fn flapping() {
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
