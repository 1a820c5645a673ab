//! Makes each call to a provider a span of the trace (`docs/operations.md#traces`).

use std::collections::BTreeMap;
use std::sync::Arc;

use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{
    AddressError, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, LightningAddresses, MadeInvoice,
    NewInvoice, NodeCheck, Payment, Pending, Received, Reference, SatsKind, Sent, TRACED, Unclear,
};
use bolts_wallet::{Evidence, Millisats, PaymentHash};
use tracing::field::Empty;
use tracing::{Instrument, Span, debug_span};

/// A provider, or the servers of Lightning addresses, with a span for each call. The spans name the call and nothing of its
/// content.
pub struct Traced<T: ?Sized>(pub Arc<T>);

fn span(call: &'static str) -> Span {
    debug_span!(
        target: TRACED,
        "lightning",
        otel.name = format_args!("lightning {call}"),
        otel.kind = "client",
        otel.status_code = Empty,
        lightning.call = call,
    )
}

/// The answer of a call that gives evidence. It has no failure.
fn evidence<'a>(call: &'static str, answer: Pending<'a, Evidence>) -> Pending<'a, Evidence> {
    Box::pin(answer.instrument(span(call)))
}

/// The answer of a call that can fail.
fn answer<'a, T: 'a, E: 'a>(
    call: &'static str,
    answer: Pending<'a, Result<T, E>>,
) -> Pending<'a, Result<T, E>> {
    let span = span(call);
    let answered = span.clone();
    Box::pin(async move {
        let answer = answer.instrument(span).await;
        if answer.is_err() {
            answered.record("otel.status_code", "ERROR");
        }
        answer
    })
}

impl Lightning for Traced<dyn Lightning> {
    fn sats(&self) -> SatsKind {
        self.0.sats()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn provider_name(&self) -> String {
        self.0.provider_name()
    }

    fn may_resend(&self) -> bool {
        self.0.may_resend()
    }

    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
        self.0.decode(text)
    }

    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>> {
        answer("create_invoice", self.0.create_invoice(new))
    }

    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>> {
        answer("look_up_invoice", self.0.look_up_invoice(reference))
    }

    fn paid_among(
        &self,
        invoices: Vec<Reference>,
        since: Timestamp,
    ) -> Pending<'_, Result<Vec<(PaymentHash, Millisats)>, Unclear>> {
        answer("paid_among", self.0.paid_among(invoices, since))
    }

    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>> {
        answer("before_paying", self.0.before_paying(payment))
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        evidence("pay", self.0.pay(payment))
    }

    fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        answer("answers", self.0.answers(about))
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        evidence("look_up_payment", self.0.look_up_payment(reference))
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        answer("balance", self.0.balance())
    }

    fn withheld(
        &self,
        payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        answer("withheld", self.0.withheld(payments))
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        answer("identity", self.0.identity())
    }

    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>> {
        answer("missing_right", self.0.missing_right())
    }

    fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>> {
        answer("received", self.0.received(since))
    }

    fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>> {
        answer("sent", self.0.sent(since))
    }
}

impl LightningAddresses for Traced<dyn LightningAddresses> {
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>> {
        answer("invoice of an address", self.0.invoice(address, amount))
    }
}
