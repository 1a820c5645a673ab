//! Tests of the LND adapter against the scripted LND.

use std::time::Duration;

use bolts_lightning::Lnd;
use bolts_ports::{Lightning, Reference, SatsKind};
use bolts_testkit::provider::{Call, Fate, Fault, Kind, Made, Provider, Reply, Server, Tls, Wanted, make};
use bolts_wallet::{Evidence, Millisats, Preimage};
use serde_json::{Value, json};

use crate::harness::{adapter, asking, lnd_options, payment, reference, run};

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
    // For a held payment, LND keeps the stream open and sends no further update. The call ends long before its time-out,
    // because LND has answered.
    let mut options = lnd_options(&provider.url(), provider.certificate_pem().unwrap());
    options.timeouts.answer = Duration::from_millis(200);
    assert_eq!(run(Lnd::new(&options).unwrap().pay(payment(&made))), Evidence::InFlight);
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::InFlight);
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::Unknown(_)), "in transition");
    provider.books(|books| books.finish(&made.payment_hash, false));
    assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::Failed(_)));
}

/// An update of a payment of 100 sats. `attempts` fills the list of attempts.
fn update(hash: &str, (status, preimage): (&str, &str), attempts: &str) -> Value {
    json!({ "result": {
        "payment_hash": hash, "value_msat": "100000", "status": status, "payment_preimage": preimage,
        "fee_msat": "1000", "htlcs": [attempts],
    } })
}

/// An LND that answers each request with these lines.
fn telling(lines: &[Value]) -> (Server, Lnd) {
    let reply = Reply::lines(200, lines);
    let server = Server::start(Some(Tls::self_signed()), move |_| reply.clone());
    let options = lnd_options(&server.url(), server.certificate_pem().expect("TLS"));
    let lnd = Lnd::new(&options).expect("options");
    (server, lnd)
}

/// LND writes zeros while it does not know the preimage, and a payee can choose zeros as the preimage.
#[test]
fn a_preimage_of_zeros_proves_a_payment_that_succeeded() {
    let (zeros, invoice) = (Preimage::new([0; 32]), make(&Wanted::sats(100)).text);
    let hash = zeros.payment_hash();
    let look_up = |status: &str, preimage: &str| {
        let (_server, lnd) = telling(&[update(&hash.to_string(), (status, preimage), "")]);
        run(lnd.look_up_payment(Reference { payment_hash: hash, invoice: invoice.clone() }))
    };
    let paid = Evidence::Paid { preimage: Some(zeros), fee: Millisats::new(1_000).unwrap() };
    assert_eq!(look_up("SUCCEEDED", &zeros.to_string()), paid);
    assert_eq!(look_up("IN_FLIGHT", &zeros.to_string()), Evidence::InFlight);
    assert!(matches!(look_up("SUCCEEDED", ""), Evidence::Unknown(_)));
}

/// Each update repeats all attempts. So all updates of a payment can be longer than any other answer.
#[test]
fn updates_are_limited_one_by_one_and_together() {
    let pay = |made: &Made, in_flight: usize, length: usize| {
        let (hash, attempts) = (&made.payment_hash, "x".repeat(length));
        let mut lines = vec![update(hash, ("IN_FLIGHT", ""), &attempts); in_flight];
        lines.push(update(hash, ("SUCCEEDED", &made.preimage), &attempts));
        let (_server, lnd) = telling(&lines);
        run(lnd.pay(payment(made)))
    };
    let made = make(&Wanted::sats(100));
    let ended = pay(&made, 3, 600_000);
    assert!(matches!(ended, Evidence::Paid { .. }), "{ended:?}");
    for (in_flight, length) in [(17, 1_000_000), (1, 2_000_000)] {
        let open = pay(&made, in_flight, length);
        assert!(matches!(open, Evidence::Unknown(_) | Evidence::NoAnswer(_)), "{open:?}");
    }
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
