//! Secrets do not appear in debug output, errors or logs. Invalid options are refused.

use std::time::Duration;

use bolts_lightning::{Lnbits, LnbitsOptions, Lnd, LndOptions};
use bolts_testkit::provider::{ADMIN_KEY, Call, Fault, INVOICE_KEY, Kind, MACAROON, Provider, Wanted};
use bolts_wallet::Evidence;

use crate::harness::{adapter, lnbits_options, lnd_options, payment, reference, run};

fn holds_a_secret(text: &str) -> bool {
    [ADMIN_KEY, INVOICE_KEY, MACAROON].iter().any(|secret| text.contains(secret))
}

#[test]
fn debug_shows_no_secret() {
    let provider = Provider::start(Kind::Lnd);
    let lnd = lnd_options(&provider.url(), provider.certificate_pem().unwrap());
    let lnbits = lnbits_options("http://127.0.0.1:1");
    let shown = format!(
        "{lnbits:?} {lnbits:#?} {lnd:?} {lnd:#?} {:?} {:?}",
        Lnbits::new(&lnbits).unwrap(),
        Lnd::new(&lnd).unwrap()
    );
    assert!(!holds_a_secret(&shown), "{shown}");
}

#[test]
fn no_evidence_and_no_error_shows_a_secret() {
    for kind in Kind::ALL {
        let provider = Provider::start(kind);
        let adapter = adapter(&provider);
        let made = provider.invoice(&Wanted::sats(100));
        for fault in
            [Fault::ErrorBefore, Fault::CloseAfter, Fault::Garbage, Fault::CutBody, Fault::WrongPreimage]
        {
            for call in Call::ALL {
                provider.fail(call, fault);
            }
            let shown = format!(
                "{:?} {:?} {:?} {}",
                run(adapter.pay(payment(&made))),
                run(adapter.look_up_payment(reference(&made))),
                run(adapter.balance()),
                adapter.describe(),
            );
            assert!(!holds_a_secret(&shown) && !shown.contains(&made.preimage), "{shown}");
            provider.heal();
        }
        let Evidence::Paid { preimage: Some(_), .. } = run(adapter.look_up_payment(reference(&made))) else {
            panic!("the payment must be found");
        };
    }
}

/// Some proxies repeat a wrong key in their error message.
#[test]
fn a_secret_that_a_server_echoes_is_removed() {
    let secret = ADMIN_KEY.to_owned();
    let server = bolts_testkit::provider::Server::start(None, move |_| {
        let words = format!("key {secret} \u{1b}[31munknown\r\n{}", "x".repeat(1_000));
        bolts_testkit::provider::Reply::json(500, &serde_json::json!({ "detail": words }))
    });
    let adapter = Lnbits::new(&lnbits_options(&server.url())).unwrap();
    let error = run(bolts_ports::Lightning::balance(&adapter)).unwrap_err().0;
    assert!(!holds_a_secret(&error) && error.len() < 300 && !error.chars().any(char::is_control), "{error}");
    assert!(error.contains("key …"), "{error}");
}

#[test]
fn invalid_options_are_refused() {
    let lnbits = |change: fn(&mut LnbitsOptions)| {
        let mut options = lnbits_options("http://127.0.0.1:5000");
        change(&mut options);
        Lnbits::new(&options).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(lnbits(|_| {}), Ok(()));
    assert_eq!(lnbits(|options| options.url = "https://lnbits.example.com/pay".to_owned()), Ok(()));
    assert_eq!(lnbits(|options| options.url = "http://lnbits:5000".to_owned()), Ok(()));
    for url in [
        "",
        "lnbits.example.com",
        "ftp://x",
        "http://lnbits.example.com",
        "https://u:p@x.org",
        "https://x.org?a=b",
    ] {
        let mut options = lnbits_options(url);
        options.timeouts.connect = Duration::from_secs(1);
        let error = Lnbits::new(&options).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("the address of LNbits"), "{url}: {error}");
    }
    assert!(lnbits(|options| options.admin_key.clear()).unwrap_err().contains("admin key"));
    assert!(
        lnbits(|options| options.invoice_key = Some("a\nb".to_owned())).unwrap_err().contains("invoice key")
    );

    let provider = Provider::start(Kind::Lnd);
    let lnd = |change: fn(&mut LndOptions)| {
        let mut options = lnd_options(&provider.url(), provider.certificate_pem().unwrap());
        change(&mut options);
        Lnd::new(&options).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(lnd(|_| {}), Ok(()));
    assert!(lnd(|options| options.url = "http://127.0.0.1:8080".to_owned()).unwrap_err().contains("https"));
    assert!(lnd(|options| options.macaroon = "no hex".to_owned()).unwrap_err().contains("macaroon"));
    assert!(lnd(|options| options.macaroon.clear()).unwrap_err().contains("macaroon"));
    assert!(
        lnd(|options| options.certificate_pem = b"nonsense".to_vec()).unwrap_err().contains("certificate")
    );
    let twice = |options: &mut LndOptions| options.certificate_pem = options.certificate_pem.repeat(2);
    assert!(lnd(twice).unwrap_err().contains("one alone"));
}
