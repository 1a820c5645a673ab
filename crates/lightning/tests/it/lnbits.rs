use std::time::Duration;

use bolts_lightning::{Lnbits, LnbitsOptions};
use bolts_ports::{Lightning, NodeCheck, Payment, SatsKind};
use bolts_testkit::provider::{
    ADMIN_KEY, Call, Fate, Fault, INVOICE_KEY, Kind, Provider, Reply, Server, Wanted,
};
use bolts_wallet::{Evidence, Millisats};
use serde_json::{Value, json};

use crate::harness::{adapter, asking, lnbits_options, payment, reference, run, sats};

#[test]
fn the_adapter_describes_itself() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    assert_eq!(adapter.sats(), SatsKind::Real);
    assert!(!adapter.may_resend());
    assert_eq!(adapter.describe(), format!("LNbits at {}/", provider.url()));
}

#[test]
fn a_payment_ends_with_its_proof() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(2_500));
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::NotFound { is_proof: false });
    let paid = Evidence::Paid {
        preimage: Some(made.preimage.parse().unwrap()),
        fee: Millisats::new(1_000).unwrap(),
    };
    let payment = Payment { fee_limit: sats(25), ..payment(&made) };
    assert_eq!(run(adapter.pay(payment.clone())), paid);
    assert_eq!(run(adapter.look_up_payment(reference(&made))), paid);
    // LNbits answers a second attempt with 'already paid', which does not prove the cost of this payment.
    assert!(matches!(run(adapter.pay(payment)), Evidence::Unknown(_)));
    assert_eq!(provider.books(|books| books.times_paid(&made.payment_hash)), 1);
}

#[test]
fn a_missing_preimage_is_accepted() {
    let provider = Provider::start(Kind::Lnbits);
    let made = bolts_testkit::provider::make(&Wanted::sats(100));
    let evidence = run(adapter(&provider).pay(payment(&made)));
    assert_eq!(evidence, Evidence::Paid { preimage: None, fee: Millisats::new(1_000).unwrap() });
}

#[test]
fn failed_proves_nothing() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::Fails));
    assert!(matches!(run(adapter.pay(payment(&made))), Evidence::Unknown(_)));
    assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::Unknown(_)));
}

#[test]
fn a_payment_under_way_is_in_flight() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fates.insert(made.payment_hash.clone(), Fate::IsHeld));
    assert_eq!(run(adapter.pay(payment(&made))), Evidence::InFlight);
    assert_eq!(run(adapter.look_up_payment(reference(&made))), Evidence::InFlight);
    provider.books(|books| books.finish(&made.payment_hash, true));
    assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::Paid { .. }));
}

#[test]
fn refusals_before_sending_mean_not_sent() {
    let refusal = |change: &dyn Fn(&Provider), options: &dyn Fn(&mut LnbitsOptions), wanted: Wanted| {
        let provider = Provider::start(Kind::Lnbits);
        change(&provider);
        let mut changed = lnbits_options(&provider.url());
        options(&mut changed);
        let made = provider.invoice(&wanted);
        let evidence = run(Lnbits::new(&changed).unwrap().pay(payment(&made)));
        assert_eq!(provider.books(|books| books.times_paid(&made.payment_hash)), 0);
        evidence
    };
    let balance = |millisats| move |provider: &Provider| provider.books(|books| books.balance = millisats);
    let none = |_: &Provider| {};
    let as_is = |_: &mut LnbitsOptions| {};
    let is_refusal = |evidence: Evidence| assert!(matches!(evidence, Evidence::NotSent(_)), "{evidence:?}");
    is_refusal(refusal(&balance(99_999), &as_is, Wanted::sats(100)));
    is_refusal(refusal(&balance(100_001), &as_is, Wanted::sats(100)));
    is_refusal(refusal(
        &none,
        &|options| options.admin_key = "0123456789abcdef".to_owned(),
        Wanted::sats(100),
    ));
    is_refusal(refusal(&none, &|options| options.admin_key = INVOICE_KEY.to_owned(), Wanted::sats(100)));
    is_refusal(refusal(&none, &as_is, Wanted { millisats: None, ..Wanted::sats(0) }));
}

/// The adapter's evidence, if the provider answers a payment with this status and body.
fn told_to_pay(status: u16, body: Value) -> Evidence {
    let made = bolts_testkit::provider::make(&Wanted::sats(100));
    let server = Server::start(None, move |request| {
        if request.method == "GET" {
            return Reply::json(200, &json!({ "fee_reserve": 2_000 }));
        }
        Reply::json(status, &body)
    });
    run(Lnbits::new(&lnbits_options(&server.url())).expect("options that fit").pay(payment(&made)))
}

#[test]
fn only_known_words_with_their_status_are_refusals() {
    let says = |status, detail: &str| told_to_pay(status, json!({ "detail": detail, "status": "failed" }));
    for detail in [
        "Insufficient balance.",
        "Bolt11 decoding failed.",
        "Amountless invoices not supported.",
        "Payment failed: Only internal invoices can be used!",
        "You must reserve at least (2  sat) to cover potential routing fees.",
    ] {
        assert!(matches!(says(520, detail), Evidence::NotSent(_)), "{detail}");
        assert!(matches!(says(500, detail), Evidence::Unknown(_)), "{detail}");
        assert!(matches!(says(201, detail), Evidence::Unknown(_)), "{detail}");
    }
    for (status, detail) in [
        (520, "Payment failed: connection reset"),
        (520, "Payment failed: Insufficient balance."),
        (520, "Payment is still pending."),
        (520, "Payment already paid."),
        (520, "Internal invoice already paid."),
        (520, "Payment is failed node, retrying is not possible."),
        (500, "Unexpected error! ID: 0"),
        (404, "Not Found"),
        (403, "Forbidden"),
        (401, "Unauthorized"),
        (429, "Too many requests"),
    ] {
        assert!(matches!(says(status, detail), Evidence::Unknown(_)), "{status} {detail}");
    }
}

/// Payments without an answer stop the sending. An answer that proves nothing shows that LNbits answers.
#[test]
fn no_answer_differs_from_an_answer_that_proves_nothing() {
    for fault in [Fault::CloseBefore, Fault::CloseAfter, Fault::ErrorBefore, Fault::Garbage, Fault::CutBody] {
        let provider = Provider::start(Kind::Lnbits);
        let adapter = adapter(&provider);
        let made = provider.invoice(&Wanted::sats(100));
        provider.fail_once(Call::Pay, fault);
        assert!(matches!(run(adapter.pay(payment(&made))), Evidence::NoAnswer(_)), "{fault:?}");
        provider.fail_once(Call::LookUpPayment, fault);
        assert!(matches!(run(adapter.look_up_payment(reference(&made))), Evidence::NoAnswer(_)), "{fault:?}");
    }
    let refused = json!({ "detail": "Payment failed: x", "status": "failed" });
    let expected = Evidence::Unknown("status 520: Payment failed: x".to_owned());
    assert_eq!(told_to_pay(520, refused), expected);
}

/// LNbits checks its rate limit before it processes a payment. So its rate-limit message proves that nothing was sent.
#[test]
fn a_payment_above_the_rate_limit_was_not_made() {
    let limited = |status, words: &str| told_to_pay(status, json!({ "error": words }));
    assert!(matches!(limited(429, "Rate limit exceeded: 200 per 1 minute"), Evidence::NotSent(_)));
    assert!(matches!(limited(500, "Rate limit exceeded: 200 per 1 minute"), Evidence::Unknown(_)));
    assert!(matches!(limited(429, "Too many requests"), Evidence::Unknown(_)));
}

#[test]
fn a_fee_question_above_the_rate_limit_says_that_the_wallet_is_busy() {
    let asked = |status: u16| {
        let limited = json!({ "error": "Rate limit exceeded: 200 per 1 minute" });
        let server = Server::start(None, move |_| Reply::json(status, &limited));
        let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
        run(adapter.before_paying(payment(&bolts_testkit::provider::make(&Wanted::sats(100)))))
    };
    assert_eq!(asked(429), Err("The site's Lightning wallet is too busy now.".to_owned()));
    assert_eq!(asked(503), Err("The site's Lightning wallet could not be reached.".to_owned()));
}

/// LNbits answers look-ups from its own records, and asks its node for an invoice. The two calls have rate limits of their own.
#[test]
fn a_rate_limit_says_nothing_about_the_node() {
    let asked = |look_up: u16, probe: u16| {
        let limited = json!({ "error": "Rate limit exceeded: 200 per 1 minute" });
        let server = Server::start(None, move |request| {
            Reply::json(if request.method == "GET" { look_up } else { probe }, &limited)
        });
        let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
        run(adapter.answers(reference(&bolts_testkit::provider::make(&Wanted::sats(100)))))
    };
    for (look_up, probe) in [(200, 201), (429, 201)] {
        assert_eq!(asked(look_up, probe), Ok(NodeCheck::Answers));
    }
    for (look_up, probe) in [(429, 429), (404, 429)] {
        assert_eq!(asked(look_up, probe), Ok(NodeCheck::NotAsked));
    }
    for (look_up, probe) in [(200, 520), (429, 520), (503, 201), (401, 201)] {
        assert!(asked(look_up, probe).is_err(), "{look_up} {probe}");
    }
}

/// LNbits passes on the message of its node. If the node is another LNbits server, that server adds a prefix of its
/// own.
#[test]
fn what_a_node_gave_up_or_never_sent_was_not_made() {
    let failed = |detail: &str| told_to_pay(520, json!({ "detail": detail, "status": "failed" }));
    for proved in [
        "Invalid invoice. Bolt11 changed.",
        "Payment failed: FAILURE_REASON_NO_ROUTE",
        "Payment failed: Payment failed: Payment failed: FAILURE_REASON_NO_ROUTE.",
        "Payment failed: Payment failed: Payment failed: Only internal invoices can be used!.",
        "Invoice amount 900 sats is too high. Max allowed: 800 sats.",
    ] {
        assert!(matches!(failed(proved), Evidence::NotSent(_)), "{proved}");
    }
    for open in [
        "FAILURE_REASON_NO_ROUTE",
        "Payment failed: no route",
        "Payment failed: Payment failed: Insufficient balance..",
        "Payment failed: Payment failed: You must reserve at least (2  sat) to cover potential routing fees..",
        "Payment failed: without an error message.",
        "Payment failed: Unable to connect to http://node.",
        "Payment failed: Payment failed: Internal invoice already paid..",
        "Payment is failed node, retrying is not possible.",
    ] {
        assert!(matches!(failed(open), Evidence::Unknown(_)), "{open}");
    }
}

/// LNbits accepts no fee limit with a payment, so the adapter asks for LNbits' fee reserve before the payment.
#[test]
fn a_payment_is_not_sent_if_the_reserve_exceeds_the_limit() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    let made = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.reserve = Some(10_001));
    assert!(run(adapter.before_paying(payment(&made))).is_err());
    provider.books(|books| books.reserve = Some(10_000));
    assert_eq!(run(adapter.before_paying(payment(&made))), Ok(()));
    assert_eq!(provider.calls(Call::Pay), 0);
}

#[test]
fn a_route_above_the_fee_limit_is_not_used() {
    let provider = Provider::start(Kind::Lnbits);
    let made = provider.invoice(&Wanted::sats(100));
    provider.books(|books| books.fee = 2_001);
    assert!(matches!(run(adapter(&provider).pay(payment(&made))), Evidence::Unknown(_)));
    assert_eq!(provider.books(|books| books.times_paid(&made.payment_hash)), 0);
}

/// With a key that belongs to no wallet, LNbits says whether any wallet has paid. This answer must not count as proof
/// of the site's own payment.
#[test]
fn a_wrong_key_proves_nothing() {
    let provider = Provider::start(Kind::Lnbits);
    let made = provider.invoice(&Wanted::sats(100));
    run(adapter(&provider).pay(payment(&made)));
    let own = run(adapter(&provider).create_invoice(asking(100))).unwrap();
    provider.receive(&own.payment_hash.to_string(), 100_000);
    let mut options = lnbits_options(&provider.url());
    options.admin_key = "0123456789abcdef".to_owned();
    options.invoice_key = None;
    let stranger = Lnbits::new(&options).unwrap();
    assert!(matches!(run(stranger.look_up_payment(reference(&made))), Evidence::Unknown(_)));
    let own = bolts_ports::Reference { payment_hash: own.payment_hash, invoice: own.invoice };
    assert!(run(stranger.look_up_invoice(own)).is_err());
    assert!(run(stranger.balance()).is_err());
}

#[test]
fn an_invoice_of_the_wallet_is_no_payment() {
    let provider = Provider::start(Kind::Lnbits);
    let adapter = adapter(&provider);
    let own = run(adapter.create_invoice(asking(100))).unwrap();
    provider.receive(&own.payment_hash.to_string(), 100_000);
    let reference = bolts_ports::Reference { payment_hash: own.payment_hash, invoice: own.invoice };
    assert_eq!(run(adapter.look_up_payment(reference)), Evidence::NotFound { is_proof: false });
}

#[test]
fn the_admin_key_is_enough() {
    let provider = Provider::start(Kind::Lnbits);
    let options = LnbitsOptions { invoice_key: None, ..lnbits_options(&provider.url()) };
    let adapter = Lnbits::new(&options).unwrap();
    assert!(run(adapter.create_invoice(asking(100))).is_ok());
    assert!(run(adapter.balance()).is_ok());
}

/// The invoice key is used for invoices and the balance. The admin key is used for payments.
#[test]
fn each_call_uses_the_right_key() {
    let (tell, told) = std::sync::mpsc::channel();
    let tell = std::sync::Mutex::new(tell);
    let server = Server::start(None, move |request| {
        tell.lock().unwrap().send(request.clone()).unwrap();
        match request.path.as_str() {
            "/lnbits/api/v1/payments/fee-reserve" => Reply::json(200, &json!({ "fee_reserve": 0 })),
            _ => Reply::json(500, &json!({ "detail": "no" })),
        }
    });
    let adapter = Lnbits::new(&lnbits_options(&format!("{}/lnbits", server.url()))).unwrap();
    let webhook = Some("https://bolts.example/api/deposit/webhook".to_owned());
    let new = bolts_ports::NewInvoice { lifetime: Duration::from_secs(600), webhook, ..asking(100) };
    let key = |request: &bolts_testkit::provider::Request| request.header("x-api-key").unwrap().to_owned();

    let _unclear = run(adapter.create_invoice(new));
    let request = told.recv().unwrap();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/lnbits/api/v1/payments"));
    assert_eq!(key(&request), INVOICE_KEY);
    let expected = json!({
        "out": false, "amount": 100, "unit": "sat", "memo": "Deposit to Bolts", "expiry": 600,
        "webhook": "https://bolts.example/api/deposit/webhook",
        "extra": { "bolts_deposit": format!("{} {}", "d0".repeat(16), "a5".repeat(16)) },
    });
    assert_eq!(request.body, expected);

    let made = bolts_testkit::provider::make(&Wanted::sats(100));
    run(adapter.before_paying(payment(&made))).unwrap();
    assert_eq!(told.recv().unwrap().query, format!("invoice={}", made.text));
    let _unknown = run(adapter.pay(payment(&made)));
    let request = told.recv().unwrap();
    assert_eq!(key(&request), ADMIN_KEY);
    let extra = json!({ "bolts_withdrawal": format!("{} {}", "e1".repeat(16), "a5".repeat(16)) });
    assert_eq!(request.body, json!({ "out": true, "bolt11": made.text, "extra": extra }));

    let _unclear = run(adapter.look_up_invoice(reference(&made)));
    assert_eq!(key(&told.recv().unwrap()), INVOICE_KEY);
    let _unclear = run(adapter.balance());
    assert_eq!(key(&told.recv().unwrap()), INVOICE_KEY);
}
