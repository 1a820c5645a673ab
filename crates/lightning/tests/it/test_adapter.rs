//! Tests of the adapter `test`, which uses test sats.

use std::sync::Arc;
use std::time::Duration;

use bolts_lightning::{TEST_PAYEE, TestLightning, decode};
use bolts_ports::{InvoiceState, Lightning, MadeInvoice, Reference, SatsKind};
use bolts_testkit::provider::{Wanted, make};
use bolts_testkit::{CountingRandomness, FakeClock};
use bolts_wallet::{Evidence, Millisats};

use crate::harness::{asking, payment, real_now, reference, run, sats};

fn adapter(clock: &FakeClock, settle_after: Duration) -> TestLightning {
    TestLightning::new(settle_after, Arc::new(clock.clone()), Arc::new(CountingRandomness::default()))
}

fn own(made: &MadeInvoice) -> Reference {
    Reference { payment_hash: made.payment_hash, invoice: made.invoice.clone() }
}

#[test]
fn invoices_are_valid_invoices_of_regtest() {
    let clock = FakeClock::at(real_now());
    let adapter = adapter(&clock, Duration::from_secs(5));
    let made = run(adapter.create_invoice(asking(2_100))).unwrap();
    assert!(made.invoice.starts_with("lnbcrt21u1"), "{}", made.invoice);
    let decoded = decode(&made.invoice).unwrap();
    assert_eq!(decoded.network, Some(SatsKind::Test));
    assert_eq!(decoded.payment_hash, made.payment_hash);
    assert_eq!(decoded.amount, Some(Millisats::from_sats(sats(2_100))));
    assert_eq!(decoded.description.as_deref(), Some("Deposit to Bolts"));
    assert_eq!(decoded.expires_at, decoded.created_at.after(Duration::from_secs(3_600)));
    assert_eq!(decoded.payee, TEST_PAYEE);
    // The library's stricter type for invoices accepts the invoice too.
    assert!(made.invoice.parse::<lightning_invoice::Bolt11Invoice>().is_ok());
    let other = run(adapter.create_invoice(asking(2_100))).unwrap();
    assert_ne!(other.payment_hash, made.payment_hash);
}

#[test]
fn an_invoice_settles_at_its_instant_and_not_before() {
    let start = real_now();
    // The settlement does not depend on the fraction of a second at which the invoice was created.
    for offset in [0, 1, 499_999, 999_999] {
        let clock = FakeClock::at(start.after(Duration::from_micros(offset)));
        let adapter = adapter(&clock, Duration::from_secs(5));
        let made = run(adapter.create_invoice(asking(100))).unwrap();
        clock.advance(Duration::from_micros(4_999_999));
        assert_eq!(run(adapter.look_up_invoice(own(&made))), Ok(InvoiceState::Unpaid));
        clock.advance(Duration::from_micros(1));
        let paid = Ok(InvoiceState::Paid(Millisats::from_sats(sats(100))));
        assert_eq!(run(adapter.look_up_invoice(own(&made))), paid);
    }
}

#[test]
fn settled_invoices_are_found_among_others() {
    let clock = FakeClock::at(real_now());
    let adapter = adapter(&clock, Duration::from_secs(5));
    let old = run(adapter.create_invoice(asking(100))).unwrap();
    clock.advance(Duration::from_secs(5));
    let young = run(adapter.create_invoice(asking(200))).unwrap();
    let foreign = reference(&make(&Wanted::test_sats(300)));
    let paid = run(adapter.paid_among(vec![own(&young), own(&old), foreign], real_now()));
    assert_eq!(paid, Ok(vec![(old.payment_hash, Millisats::from_sats(sats(100)))]));
}

#[test]
fn another_process_gives_the_same_answer() {
    let clock = FakeClock::at(real_now());
    let made = run(adapter(&clock, Duration::ZERO).create_invoice(asking(100))).unwrap();
    let another = adapter(&clock, Duration::from_secs(5));
    assert_eq!(run(another.look_up_invoice(own(&made))), Ok(InvoiceState::Unpaid));
    clock.advance(Duration::from_secs(5));
    assert!(matches!(run(another.look_up_invoice(own(&made))), Ok(InvoiceState::Paid(_))));
}

#[test]
fn invoices_of_other_nodes_are_refused() {
    let adapter = adapter(&FakeClock::at(real_now()), Duration::ZERO);
    let foreign = make(&Wanted::test_sats(100));
    assert!(run(adapter.look_up_invoice(reference(&foreign))).is_err());
    let nonsense = Reference { invoice: "nonsense".to_owned(), ..reference(&foreign) };
    assert!(run(adapter.look_up_invoice(nonsense)).is_err());
}

#[test]
fn the_description_decides_the_result_of_a_payment() {
    let adapter = adapter(&FakeClock::at(real_now()), Duration::ZERO);
    let described =
        |description: &str| make(&Wanted { description: description.to_owned(), ..Wanted::test_sats(100) });
    let fee = Millisats::from_sats(sats(1));
    assert_eq!(run(adapter.pay(payment(&described("rent")))), Evidence::Paid { preimage: None, fee });
    assert!(matches!(run(adapter.pay(payment(&described("fail")))), Evidence::Failed(_)));
    assert!(matches!(run(adapter.pay(payment(&described("unknown")))), Evidence::Unknown(_)));
    assert!(matches!(run(adapter.pay(payment(&make(&Wanted::sats(100))))), Evidence::NotSent(_)));
    let endless = make(&Wanted { millisats: None, ..Wanted::test_sats(0) });
    assert!(matches!(run(adapter.pay(payment(&endless))), Evidence::NotSent(_)));

    let look_up = |description: &str| run(adapter.look_up_payment(reference(&described(description))));
    assert!(matches!(look_up("unknown"), Evidence::Unknown(_)));
    assert_eq!(look_up("rent"), Evidence::NotFound { is_proof: true });
    assert!(adapter.may_resend());
}

#[test]
fn the_balance_exceeds_all_possible_liabilities() {
    let adapter = adapter(&FakeClock::at(real_now()), Duration::ZERO);
    let balance = run(adapter.balance()).unwrap();
    assert_eq!(balance.floor_sats(), sats(2_100_000_000_000_000));
    assert_eq!(adapter.sats(), SatsKind::Test);
    assert!(adapter.describe().contains("no money"));
}

#[test]
fn a_long_memo_is_cut_between_characters() {
    let adapter = adapter(&FakeClock::at(real_now()), Duration::ZERO);
    let memo = "€".repeat(400);
    let made = run(adapter.create_invoice(bolts_ports::NewInvoice { memo, ..asking(100) })).unwrap();
    assert_eq!(decode(&made.invoice).unwrap().description.unwrap(), "€".repeat(213));
}
