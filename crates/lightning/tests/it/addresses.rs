//! Tests of Lightning addresses: honest servers, wrong invoices and offers, private networks, redirects.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolts_lightning::{AddressOptions, Addresses};
use bolts_ports::{AddressError, DecodedInvoice, LightningAddresses, SatsKind};
use bolts_testkit::FakeClock;
use bolts_testkit::provider::{Network, Reply, Request, Server, Wanted, make, now};
use serde_json::{Value, json};

use crate::harness::{TIMEOUTS, real_now, run, sats};

const METADATA: &str = r#"[["text/plain","Sats for Alice"],["text/identifier","alice@example.com"]]"#;

fn addresses(allow_private: bool) -> Addresses {
    let options = AddressOptions { sats: SatsKind::Real, allow_private, timeouts: TIMEOUTS };
    Addresses::new(options, Arc::new(FakeClock::at(real_now()))).expect("a client")
}

/// The invoice of an honest server for 2,500 sats.
fn honest() -> Wanted {
    Wanted { description: METADATA.to_owned(), is_hashed: true, ..Wanted::sats(2_500) }
}

/// A server for Lightning addresses, and Alice's address on this server. `offer` changes the honest offer, and `give`
/// changes the honest invoice.
fn server(offer: fn(&mut Value), give: fn(&mut Wanted)) -> (Server, String) {
    let origin = Arc::new(Mutex::new(String::new()));
    let own = origin.clone();
    let server =
        Server::start(None, move |request| answer(request, &own.lock().expect("a lock"), offer, give));
    *origin.lock().expect("a lock") = server.url();
    let address = format!("alice@{}", server.address());
    (server, address)
}

fn answer(request: &Request, origin: &str, offer: fn(&mut Value), give: fn(&mut Wanted)) -> Reply {
    match request.path.as_str() {
        "/.well-known/lnurlp/alice" => {
            let mut honest = json!({
                "tag": "payRequest", "callback": format!("{origin}/pay?user=7"), "metadata": METADATA,
                "minSendable": 100_500, "maxSendable": 100_000_999, "commentAllowed": 0,
            });
            offer(&mut honest);
            Reply::json(200, &honest)
        }
        "/pay" => {
            assert_eq!(request.query, "user=7&amount=2500000");
            let mut wanted = honest();
            give(&mut wanted);
            Reply::json(200, &json!({ "pr": make(&wanted).text, "routes": [] }))
        }
        _ => Reply::json(404, &json!({ "detail": "Not found" })),
    }
}

fn ask(offer: fn(&mut Value), give: fn(&mut Wanted)) -> Result<DecodedInvoice, AddressError> {
    let (_server, address) = server(offer, give);
    run(addresses(true).invoice(address, sats(2_500)))
}

#[test]
fn an_honest_server_gives_the_invoice() {
    let invoice = ask(|_| {}, |_| {}).unwrap();
    assert_eq!(invoice.amount.unwrap().get(), 2_500_000);
    // The server stores names in lower case. A user may type them in upper case.
    let (_server, address) = server(|_| {}, |_| {});
    let typed = format!(" {} ", address.replace("alice", "Alice"));
    assert!(run(addresses(true).invoice(typed, sats(2_500))).is_ok());
}

/// LUD-06 once asked for the hash of the metadata. Many servers cannot write this hash into an invoice.
#[test]
fn an_invoice_may_have_any_description() {
    let invoice = ask(|_| {}, |wanted| wanted.is_hashed = false).unwrap();
    assert_eq!((invoice.description.as_deref(), invoice.description_hash), (Some(METADATA), None));
    let invoice = ask(|_| {}, |wanted| wanted.description.push(' ')).unwrap();
    assert!(invoice.description_hash.is_some());
    assert!(ask(|offer| offer["metadata"] = Value::Null, |_| {}).is_ok());
}

#[test]
fn invoices_that_do_not_match_the_request_are_refused() {
    let wrong = |give| match ask(|_| {}, give) {
        Err(AddressError::WrongInvoice(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(wrong(|wanted| wanted.millisats = Some(2_500_001)).contains("amount"));
    assert!(wrong(|wanted| wanted.millisats = Some(250_000_000)).contains("amount"));
    assert!(wrong(|wanted| wanted.millisats = None).contains("amount"));
    assert!(wrong(|wanted| wanted.network = Network::Regtest).contains("network"));
    assert!(wrong(|wanted| wanted.network = Network::Signet).contains("network"));
    assert!(wrong(|wanted| wanted.made_at = now() - Duration::from_secs(7_200)).contains("expired"));
}

#[test]
fn invalid_offers_are_refused() {
    let refused = |offer| match ask(offer, |_| {}) {
        Err(AddressError::Refused(_) | AddressError::Unreachable(_)) => {}
        other => panic!("{other:?}"),
    };
    refused(|offer| offer["tag"] = json!("withdrawRequest"));
    refused(|offer| offer["callback"] = json!("pay"));
    refused(|offer| offer["callback"] = json!("ftp://127.0.0.1/pay"));
    refused(|offer| offer["callback"] = json!("http://user:password@127.0.0.1/pay"));
    refused(|offer| offer["callback"] = json!("file:///etc/passwd"));
    refused(|offer| offer["minSendable"] = Value::Null);
    refused(|offer| offer["maxSendable"] = json!(-1));
    refused(|offer| *offer = json!([]));
    let limits = ask(|offer| offer["minSendable"] = json!(3_000_001), |_| {});
    assert_eq!(limits, Err(AddressError::Amount { min: 3_001, max: 100_000 }));
    let limits = ask(|offer| offer["maxSendable"] = json!(2_499_999), |_| {});
    assert_eq!(limits, Err(AddressError::Amount { min: 101, max: 2_499 }));
}

#[test]
fn a_servers_error_message_is_cleaned_and_cut() {
    let reason = format!("no such\u{1b}[31m\r\n user \u{202e}{}", "x".repeat(5_000));
    let server =
        Server::start(None, move |_| Reply::json(200, &json!({ "status": "ERROR", "reason": reason })));
    let address = format!("bob@{}", server.address());
    let Err(AddressError::Refused(words)) = run(addresses(true).invoice(address, sats(100))) else {
        panic!("it refused");
    };
    assert!(words.starts_with("no such [31m user xxx"), "{words}");
    assert!(words.chars().count() <= 201 && !words.chars().any(char::is_control));
}

#[test]
fn malformed_addresses_are_refused() {
    for address in [
        "",
        "alice",
        "@",
        "alice@",
        "@example.com",
        "alice@exa mple.com",
        "alice@example.com/../x",
        "a/b@example.com",
        "alice@example.com?x=",
        "alice@@example.com",
        "alice@example.com#",
        "älice@example.com",
        "alice@例え.jp",
        "alice@[::1]",
        "alice@example.com\\x",
        "alice@user:pw@example.com",
        "al%69ce@example.com",
        "lnurl1dp68gurn8ghj7",
    ] {
        let answer = run(addresses(true).invoice(address.to_owned(), sats(100)));
        assert_eq!(answer, Err(AddressError::Malformed), "{address}");
    }
    let long = format!("{}@example.com", "a".repeat(300));
    assert_eq!(run(addresses(false).invoice(long, sats(100))), Err(AddressError::Malformed));
    // A port in the address is allowed only if private networks are allowed.
    let with_port = run(addresses(false).invoice("alice@example.com:8080".to_owned(), sats(100)));
    assert_eq!(with_port, Err(AddressError::Malformed));
}

/// Many ways in which a URL can name this machine or a private network.
#[test]
fn private_networks_are_not_called() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let server = Server::start(None, move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Reply::close()
    });
    let addresses = addresses(false);
    for host in [
        "127.0.0.1",
        "localhost",
        "LOCALHOST",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
    ] {
        let answer = run(addresses.invoice(format!("alice@{host}"), sats(100)));
        let Err(AddressError::Unreachable(why)) = &answer else { panic!("{host}: {answer:?}") };
        assert!(why.contains("not on the public internet"), "{host}: {why}");
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    drop(server);
}

#[test]
fn no_redirect_is_followed() {
    let (honest, _) = server(|_| {}, |_| {});
    let target = format!("{}/.well-known/lnurlp/alice", honest.url());
    let redirecting = Server::start(None, move |_| Reply::redirect(&target));
    let answer = run(addresses(true).invoice(format!("alice@{}", redirecting.address()), sats(2_500)));
    assert_eq!(answer, Err(AddressError::Unreachable("status 307".to_owned())));
}

#[test]
fn answers_of_broken_servers_are_refused() {
    for reply in [
        Reply::close(),
        Reply::server_error(),
        Reply::json(200, &json!({ "tag": "payRequest" })).cut(),
        Reply::json(200, &json!({ "tag": "payRequest" })).padded(2 * 1024 * 1024),
        Reply::json(200, &json!("hello")).with_body(b"hello".to_vec()),
        Reply::json(200, &Value::Null),
    ] {
        let server = Server::start(None, move |_| reply.clone());
        let answer = run(addresses(true).invoice(format!("alice@{}", server.address()), sats(100)));
        assert!(answer.is_err(), "{answer:?}");
    }
}
