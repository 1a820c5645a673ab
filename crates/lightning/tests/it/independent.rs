//! The test adapter's invoices as a decoder reads them that shares no line of code with this project.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use bolts_lightning::{TEST_PAYEE, TestLightning};
use bolts_ports::Lightning;
use bolts_testkit::{CountingRandomness, FakeClock};

use crate::harness::{asking, real_now, run};

/// Prints what PyPI's bolt11 reads, a line each.
const PROGRAM: &str = "
import sys, bolt11
for text in sys.argv[1:]:
    i = bolt11.decode(text)
    i = i if hasattr(i, 'payee') else i
    print(i.currency, i.amount_msat, i.payment_hash, i.payee, i.date, i.expiry, i.description, sep='|')
";

/// `just test-rust` installs it; `BOLTS_BOLT11_PYTHON` names another Python that has it.
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
