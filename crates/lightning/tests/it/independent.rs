//! Checks against independent programs: another decoder of invoices, and another client of LND.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bolts_lightning::{TEST_PAYEE, TestLightning, decode};
use bolts_ports::Lightning;
use bolts_testkit::provider::{Kind, MACAROON, Provider, Wanted};
use bolts_testkit::{CountingRandomness, FakeClock};
use serde_json::{Value, json};

use crate::harness::{asking, real_now, run};

/// A Python program that prints the fields that PyPI's `bolt11` reads, one invoice per line.
const PROGRAM: &str = "
import sys, bolt11
for text in sys.argv[1:]:
    i = bolt11.decode(text)
    i = i if hasattr(i, 'payee') else i
    print(i.currency, i.amount_msat, i.payment_hash, i.payee, i.date, i.expiry, i.description, sep='|')
";

/// The path of a Python with `bolt11`, which `just test-rust` installs. The environment variable `BOLTS_BOLT11_PYTHON`
/// can name another path.
fn python() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bolt11/bin/python");
    std::env::var_os("BOLTS_BOLT11_PYTHON").map_or_else(usual, PathBuf::from)
}

#[test]
fn an_independent_decoder_reads_the_test_adapters_invoices() {
    let clock = FakeClock::at(real_now());
    let adapter = TestLightning::new(
        Duration::from_secs(5),
        Arc::new(clock.clone()),
        Arc::new(CountingRandomness::default()),
    );
    let made: Vec<_> = [1, 100, 2_100, 49_999, 50_000, 100_000_000]
        .map(|sats| (sats, run(adapter.create_invoice(asking(sats))).unwrap()))
        .into();
    let output = Command::new(python())
        .args(["-c", PROGRAM])
        .args(made.iter().map(|(_, made)| &made.invoice))
        .output()
        .expect("a Python with bolt11: `just bolt11` installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = String::from_utf8(output.stdout).unwrap();
    let seconds = real_seconds(&clock);
    let expected: Vec<_> = made
        .iter()
        .map(|(sats, made)| {
            let (hash, msat) = (made.payment_hash, sats * 1_000);
            format!("bcrt|{msat}|{hash}|{TEST_PAYEE}|{seconds}|3600|Deposit to Bolts")
        })
        .collect();
    assert_eq!(read.lines().collect::<Vec<_>>(), expected);
}

fn real_seconds(clock: &FakeClock) -> i64 {
    bolts_ports::Clock::now(clock).micros() / 1_000_000
}

/// A Python program that uses LNbits' client for LND, which is independent of this project. It prints the client's
/// result of each call as JSON. Before the second look-up of the invoice, it waits for a line of input.
const CLIENT: &str = "
import asyncio, json, sys
from lnbits.settings import settings
url, certificate, macaroon, theirs, unknown = sys.argv[1:]
settings.lnd_rest_endpoint, settings.lnd_rest_cert, settings.lnd_rest_macaroon = url, certificate, macaroon
from lnbits.wallets.lndrest import LndRestWallet

async def main():
    lnd = LndRestWallet()
    status = await lnd.status()
    made = await lnd.create_invoice(2500, memo='Deposit', expiry=600)
    unpaid = await lnd.get_invoice_status(made.checking_id)
    sent = await lnd.pay_invoice(theirs, 10000)
    again = await lnd.pay_invoice(theirs, 10000)
    paid = await lnd.get_payment_status(sent.checking_id)
    missing = await lnd.get_payment_status(unknown)
    print(json.dumps({
        'error': status.error_message, 'balance': status.balance_msat, 'invoice': made.payment_request,
        'hash': made.checking_id, 'unpaid': unpaid.paid, 'sent': [sent.ok, sent.fee_msat, sent.preimage],
        'again': [again.ok, again.error_message], 'paid': [paid.paid, paid.fee_msat, paid.preimage],
        'missing': missing.paid,
    }), flush=True)
    sys.stdin.readline()
    print(json.dumps((await lnd.get_invoice_status(made.checking_id)).paid), flush=True)

asyncio.run(main())
";

/// The tests do not run a real LND. Instead, this test checks that an independent client understands the scripted LND.
#[test]
fn an_independent_client_of_lnd_understands_the_scripted_one() {
    let provider = Provider::start(Kind::Lnd);
    let theirs = provider.invoice(&Wanted::sats(900));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lnd-client-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let certificate = folder.join("tls.cert");
    std::fs::write(&certificate, provider.certificate_pem().unwrap()).unwrap();
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/lnbits/bin/python");
    let mut client = Command::new(python)
        .args(["-B", "-c", CLIENT, &provider.url(), &certificate.display().to_string(), MACAROON])
        .args([&theirs.text, &"00".repeat(32)])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a Python with LNbits: `just lnbits` installs it");
    let mut said = BufReader::new(client.stdout.take().unwrap()).lines();
    // Other lines of the program's output are log lines and not JSON.
    let mut next = || -> Value {
        said.by_ref().find_map(|line| serde_json::from_str(&line.unwrap()).ok()).expect("a line of JSON")
    };

    let first = next();
    assert_eq!((&first["error"], &first["balance"]), (&Value::Null, &json!(100_000_000_000_i64)), "{first}");
    let invoice = decode(first["invoice"].as_str().unwrap()).unwrap();
    assert_eq!(invoice.amount.unwrap().get(), 2_500_000);
    assert_eq!(invoice.expires_at, invoice.created_at.after(Duration::from_secs(600)));
    assert_eq!(first["hash"], invoice.payment_hash.to_string());
    assert_eq!(first["unpaid"], Value::Null);
    assert_eq!(first["sent"], json!([true, 1_000, theirs.preimage]));
    assert_eq!(first["again"], json!([null, "invoice is already paid"]));
    assert_eq!(first["paid"], json!([true, 1_000, theirs.preimage]));
    assert_eq!(first["missing"], Value::Null);

    provider.receive(first["hash"].as_str().unwrap(), 2_500_000);
    client.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert_eq!(next(), json!(true));
    assert!(client.wait().unwrap().success());
    assert_eq!(provider.books(|books| books.times_paid(&theirs.payment_hash)), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}
