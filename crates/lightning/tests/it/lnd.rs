//! Tests of the LND adapter against the scripted LND.

use bolts_lightning::Lnd;
use bolts_ports::{Lightning, SatsKind};
use bolts_testkit::provider::{Call, Fate, Fault, Kind, Provider, Wanted};
use bolts_wallet::{Evidence, Millisats};

use crate::harness::{adapter, asking, impatient_adapter, lnd_options, payment, reference, run};

#[test]
fn the_adapter_describes_itself() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    assert_eq!(adapter.sats(), SatsKind::Real);
    assert!(adapter.may_resend());
    assert_eq!(adapter.describe(), format!("LND at {}/", provider.url()));
}

#[test]
fn a_payment_ends_with_its_proof() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(2_500));
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::NotFound { is_proof: true });
    let paid = Evidence::Paid {
        preimage: Some(made.preimage.parse().unwrap()),
        fee: Millisats::new(1_000).unwrap(),
    };
    assert_eq!(run(adapter.pay(payment(&made))), paid);
    assert_eq!(run(adapter.look_up_payment(reference(&made))), paid);
    // LND refuses to pay the same invoice again. Only the look-up shows the result of the payment.
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::Unknown(_)));
    assert_eq!(provider.books(|books| books.times_paid(&made.payment_hash)), 1);
    assert_eq!(provider.books(|books| books.limits.clone()), [(made.payment_hash, 10_000)]);
}

#[test]
fn a_repeated_payment_is_paid_once() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(100));
    provider.fail_once(Call::Pay, Fault::CloseAfter);
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::NoAnswer(_)));
    provider.fail_once(Call::LookUpPayment, Fault::Forgotten);
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::NotFound { is_proof: true });
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::Unknown(_)));
    assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::Paid { .. }));
    assert_eq!(provider.books(|books| books.times_paid(&made.payment_hash)), 1);
}

#[test]
fn final_failures_are_recognised() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    let without_route = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fates.insert(without_route.payment_hash.clone(), Fate::Fails));
    let failed =
        Evidence::Failed("No route to the invoice's node was found within the fee limit.".to_owned());
    assert_eq!(run(adapter.pay(payment(&without_route))), failed);
    assert_eq!(run(adapter.look_up_payment(reference(&without_route))), failed);

    let dear = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fee = 10_001);
    assert_eq!(run(adapter.pay(payment(&dear))), failed);
    assert_eq!(provider.books(|books| books.times_paid(&dear.payment_hash)), 0);

    let large = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.balance = 109_999);
    let failed = Evidence::Failed("The site's Lightning node cannot pay so much now.".to_owned());
    assert_eq!(run(adapter.pay(payment(&large))), failed);
}

#[test]
fn a_payment_under_way_is_in_flight() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::IsHeld));
    // For a held payment, LND keeps the stream open longer than the client's time-out. It has answered 'in flight'.
    assert!(matches!(run(impatient_adapter(&provider).pay(payment(&made))), Evidence::Unknown(_)));
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::InFlight);
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::Unknown(_)), "in transition");
    provider.books(|books| books.finish(&made.payment_hash, false));
    assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::Failed(_)));
}

#[test]
fn refusals_before_sending_mean_not_sent() {
    let provider = Provider::start(Kind::Lnd);
    let adapter = adapter(&provider);
    let made_at = bolts_testkit::provider::now() - std::time::Duration::from_secs(7_200);
    let expired = provider.invoice(&Wanted { made_at, ..Wanted::sats(100) });
    let regtest = provider.invoice(&Wanted::test_sats(100));
    let own = run(adapter.create_invoice(asking(100))).unwrap();
    let own = bolts_ports::Payment {
        reference: bolts_ports::Reference { payment_hash: own.payment_hash, invoice: own.invoice },
        ..payment(&expired)
    };
    for payment in [payment(&expired), payment(&regtest), own] {
        let evidence = run(adapter.pay(payment));
        assert!(matches!(evidence, Evidence::NotSent(_)), "{evidence:?}");
    }
    assert!(provider.books(|books| books.paid.is_empty()));
}

#[test]
fn a_wrong_macaroon_proves_nothing() {
    let provider = Provider::start(Kind::Lnd);
    let mut options = lnd_options(&provider.url(), provider.certificate_pem().unwrap());
    options.macaroon = "0201".to_owned();
    let stranger = Lnd::new(&options).unwrap();
    let made = provider.invoice(&Wanted::sats(100));
    assert!(matches!(run(stranger.pay(payment(&made))), Evidence::Unknown(_)));
    assert!(matches!(run(stranger.look_up_payment(reference(&made))), Evidence::Unknown(_)));
    assert!(run(stranger.balance()).is_err());
}
