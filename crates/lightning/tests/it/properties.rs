//! Property tests: arbitrary input from outside neither makes an adapter panic nor counts as proof.

use bolts_lightning::{Lnbits, Lnd, decode};
use bolts_ports::Lightning;
use bolts_testkit::provider::{Reply, Server, Tls, Wanted, make};
use bolts_wallet::Evidence;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

use crate::harness::{lnbits_options, lnd_options, payment, real_now, reference, run};

proptest! {
    #[test]
    fn decoding_any_text_does_not_panic(text in ".{0,300}") {
        let _judged = decode(&text);
    }

    #[test]
    fn decoding_bech32_letters_does_not_panic(text in "(lightning:)?ln(bc|bcrt|tb)[0-9]{0,22}[munp]?1[02-9ac-hj-np-z]{0,400}") {
        let _judged = decode(&text);
    }

    #[test]
    fn damage_never_changes_what_an_invoice_says(at in 0_usize..300, with in "[02-9ac-hj-np-z1]") {
        let made = make(&Wanted::sats(100));
        let mut text = made.text.clone();
        let at = at % text.len();
        text.replace_range(at..=at, &with);
        if let Ok(decoded) = decode(&text) {
            prop_assert_eq!(decoded.payment_hash.to_string(), made.payment_hash);
            prop_assert_eq!(text, made.text);
        }
    }
}

/// Random JSON with the field names of the providers, so that it is often almost valid.
fn nearly_right() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i64>().prop_map(|number| json!(number.to_string())),
        prop_oneof![
            Just("success"),
            Just("pending"),
            Just("failed"),
            Just("SUCCEEDED"),
            Just("FAILED"),
            Just("SETTLED"),
            Just("Insufficient balance."),
            Just("Payment does not exist."),
            Just("payment isn't initiated"),
        ]
        .prop_map(Value::from),
        "[0-9a-f]{64}".prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("paid"),
        Just("status"),
        Just("details"),
        Just("payment_hash"),
        Just("amount"),
        Just("fee"),
        Just("preimage"),
        Just("result"),
        Just("error"),
        Just("code"),
        Just("message"),
        Just("state"),
        Just("amt_paid_msat"),
        Just("value_msat"),
        Just("fee_msat"),
        Just("payment_preimage"),
        Just("balance"),
        Just("local_balance"),
        Just("msat"),
        Just("fee_reserve"),
        Just("r_hash"),
        Just("detail"),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(name.clone().prop_map(str::to_owned), inner, 0..8).prop_map(Value::from_iter),
        ]
    })
}

/// A provider gives the same arbitrary answer to every call. No such answer contains our payment hash, so no
/// payment may count as paid or failed. 'Not sent' is possible only for errors that a provider reports before
/// it sends.
#[test]
fn an_arbitrary_answer_proves_nothing() {
    let answer = Arc::new(Mutex::new((200_u16, Value::Null)));
    let said = answer.clone();
    let reply = move || {
        let (status, body) = said.lock().unwrap().clone();
        Reply::json(status, &body)
    };
    let again = reply.clone();
    let http = Server::start(None, move |request| match request.path.ends_with("fee-reserve") {
        true => Reply::json(200, &json!({ "fee_reserve": 0 })),
        false => reply(),
    });
    let https = Server::start(Some(Tls::self_signed()), move |_| again());
    let lnbits = Lnbits::new(&lnbits_options(&http.url())).unwrap();
    let lnd = Lnd::new(&lnd_options(&https.url(), https.certificate_pem().unwrap())).unwrap();
    let made = make(&Wanted::sats(100));
    let status = prop_oneof![Just(200_u16), Just(201), Just(404), Just(500), Just(520)];
    // `just fuzz` names the number of cases.
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100);
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    proptest!(config, |(status in status, body in nearly_right())| {
        *answer.lock().unwrap() = (status, body);
        for adapter in [&lnbits as &dyn Lightning, &lnd] {
            for evidence in [run(adapter.pay(payment(&made))), run(adapter.look_up_payment(reference(&made)))] {
                let is_proof = matches!(evidence, Evidence::Paid { .. } | Evidence::Failed(_));
                prop_assert!(!is_proof, "{evidence:?}");
            }
            let _unclear = run(adapter.look_up_invoice(reference(&made)));
            let _unclear = run(adapter.balance());
            let _unclear = run(adapter.identity());
            let _unclear = run(adapter.missing_right());
            let _unclear = run(adapter.received(real_now()));
            let _unclear = run(adapter.sent(real_now()));
            let _unclear = run(adapter.create_invoice(crate::harness::asking(100)));
        }
    });
}
