//! Tests of TLS: the LND adapter trusts only the certificate in its options.

use bolts_lightning::Lnd;
use bolts_ports::Lightning;
use bolts_testkit::provider::{Kind, Provider, Wanted};
use bolts_wallet::Evidence;

use crate::harness::{lnd_options, payment, run};

#[test]
fn the_nodes_own_certificate_is_trusted_and_no_other() {
    let provider = Provider::start(Kind::Lnd);
    let another = Provider::start(Kind::Lnd);
    let right = Lnd::new(&lnd_options(&provider.url(), provider.certificate_pem().unwrap())).unwrap();
    assert!(run(right.balance()).is_ok());

    let wrong = Lnd::new(&lnd_options(&provider.url(), another.certificate_pem().unwrap())).unwrap();
    let error = run(wrong.balance()).unwrap_err().0;
    assert!(error.contains("certificate"), "{error}");
    let made = provider.invoice(&Wanted::sats(100));
    assert!(matches!(run(wrong.pay(payment(&made))), Evidence::NotSent(_)));
    assert_eq!(provider.calls(bolts_testkit::provider::Call::Pay), 0);
}

/// The adapter does not check the names in the certificate: the certificate itself identifies the node.
#[test]
fn the_host_name_does_not_matter() {
    let provider = Provider::start(Kind::Lnd);
    let url = provider.url().replace("127.0.0.1", "localhost");
    let adapter = Lnd::new(&lnd_options(&url, provider.certificate_pem().unwrap())).unwrap();
    assert!(run(adapter.balance()).is_ok());
}
