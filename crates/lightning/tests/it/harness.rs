use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bolts_kernel::{Amount, Timestamp, UserId};
use bolts_lightning::{Lnbits, LnbitsOptions, Lnd, LndOptions, Timeouts};
use bolts_ports::{DEPOSIT_MEMO, Lightning, NewInvoice, Owner, Payment, Reference};
use bolts_testkit::provider::{ADMIN_KEY, INVOICE_KEY, Kind, MACAROON, Made, Provider, now};

/// Time-outs for calls that get an answer. The answer comes in time even on a busy machine.
pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(60),
    answer: Duration::from_secs(60),
    payment: Duration::from_secs(60),
};

/// Time-outs for calls that get no answer, so that the tests need not wait for long.
const SHORT: Timeouts =
    Timeouts { answer: Duration::from_secs(2), payment: Duration::from_secs(2), ..TIMEOUTS };

/// Runs a call until it ends.
pub(crate) fn run<T>(call: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(call)
}

pub(crate) fn lnbits_options(url: &str) -> LnbitsOptions {
    LnbitsOptions {
        url: url.to_owned(),
        admin_key: ADMIN_KEY.to_owned(),
        invoice_key: Some(INVOICE_KEY.to_owned()),
        timeouts: TIMEOUTS,
    }
}

pub(crate) fn lnd_options(url: &str, certificate_pem: &str) -> LndOptions {
    LndOptions {
        url: url.to_owned(),
        macaroon: MACAROON.to_owned(),
        certificate_pem: certificate_pem.as_bytes().to_vec(),
        timeouts: TIMEOUTS,
    }
}

/// The adapter for a scripted provider.
pub(crate) fn adapter(provider: &Provider) -> Arc<dyn Lightning> {
    adapter_with(provider, TIMEOUTS)
}

/// An adapter that soon gives up a call without an answer.
pub(crate) fn impatient_adapter(provider: &Provider) -> Arc<dyn Lightning> {
    adapter_with(provider, SHORT)
}

fn adapter_with(provider: &Provider, timeouts: Timeouts) -> Arc<dyn Lightning> {
    match provider.kind() {
        Kind::Lnbits => {
            let options = LnbitsOptions { timeouts, ..lnbits_options(&provider.url()) };
            Arc::new(Lnbits::new(&options).expect("good options"))
        }
        Kind::Lnd => {
            let pem = provider.certificate_pem().expect("a certificate");
            let options = LndOptions { timeouts, ..lnd_options(&provider.url(), pem) };
            Arc::new(Lnd::new(&options).expect("good options"))
        }
    }
}

pub(crate) fn sats(units: i64) -> Amount {
    Amount::new(units).expect("sats")
}

pub(crate) fn asking(units: i64) -> NewInvoice {
    let lifetime = Duration::from_secs(3_600);
    let owner = Owner { id: "d0".repeat(16).parse().expect("an id"), user: user() };
    NewInvoice { owner, amount: sats(units), memo: DEPOSIT_MEMO.to_owned(), lifetime, webhook: None }
}

/// The owner of the deposits and withdrawals of these tests.
pub(crate) fn user() -> UserId {
    "a5".repeat(16).parse().expect("an id")
}

pub(crate) fn reference(made: &Made) -> Reference {
    Reference { payment_hash: made.payment_hash.parse().expect("a hash"), invoice: made.text.clone() }
}

pub(crate) fn payment(made: &Made) -> Payment {
    let owner = Owner { id: "e1".repeat(16).parse().expect("an id"), user: user() };
    Payment { owner, reference: reference(made), fee_limit: sats(10) }
}

pub(crate) fn real_now() -> Timestamp {
    let micros = i64::try_from(now().as_micros()).expect("a time");
    Timestamp::from_micros(micros).expect("a time")
}
