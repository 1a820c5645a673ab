//! Every fault on every call of a deposit: credited once, and only what arrived.

use bolts_testkit::provider::{Call, Fault};
use serde_json::json;

use super::{Deposit, Site, WHILE, both, sats};
use crate::harness::eventually;

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
