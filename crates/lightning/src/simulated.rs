//! The adapter `test`: invoices of regtest, without money.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use bitcoin::hashes::{Hash as _, sha256};
use bitcoin::secp256k1::{self, Secp256k1, SecretKey};
use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{
    Clock, DecodedInvoice, InvalidInvoice, InvoiceState, Lightning, MadeInvoice, NewInvoice, NodeCheck,
    Payment, Pending, Randomness, Received, Reference, SatsKind, Sent, Unclear,
};
use bolts_wallet::{Evidence, Millisats, PaymentHash};
use lightning_invoice::{
    Bolt11Invoice, Currency, InvoiceBuilder, PaymentSecret, SignOrCreationError, SignedRawBolt11Invoice,
};

use crate::invoice::{decode, epoch};

/// The key that signs invoices. It is public, so invoices signed with it have no value.
const TEST_KEY: [u8; 32] = *b"worthless sats of a Bolts server";

/// The public key of [`TEST_KEY`], in hexadecimal: the payee of the adapter's invoices.
pub const TEST_PAYEE: &str = "027ef1096bc727d09dafbcbd77814c293677b5a02929ea9746247ded276e7e5bbb";

/// The maximum length of a description in BOLT 11, in bytes.
const MAX_MEMO_BYTES: usize = 639;

/// The fee of every route of the test network, in sats.
const FEE_SATS: i64 = 1;

/// The balance of the adapter, in millisats. It is the amount of all bitcoin that will ever exist, so it limits
/// nothing in practice.
const BALANCE_MSAT: i64 = 21_000_000 * 100_000_000 * 1_000;

/// The adapter `test`, without money. Its invoices are valid invoices of regtest. They count as paid after a
/// configured time.
///
/// The adapter stores nothing. It computes every answer from the invoice and the time. So a server can be restarted,
/// and several servers can share a database.
pub struct TestLightning {
    settle_after: Duration,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Randomness>,
}

impl TestLightning {
    /// An adapter whose invoices count as paid after `settle_after`.
    pub fn new(settle_after: Duration, clock: Arc<dyn Clock>, random: Arc<dyn Randomness>) -> Self {
        Self { settle_after, clock, random }
    }

    fn make(&self, new: &NewInvoice) -> Result<MadeInvoice, SignOrCreationError<secp256k1::Error>> {
        let mut preimage = [0; 32];
        self.random.fill(&mut preimage);
        let payment_hash = sha256::Hash::hash(&preimage);
        let now = self.clock.now().since(epoch());
        let invoice = InvoiceBuilder::new(Currency::Regtest)
            .description(cut(&new.memo))
            .payment_hash(payment_hash)
            .duration_since_epoch(Duration::from_secs(now.as_secs()))
            .min_final_cltv_expiry_delta(18)
            .payment_secret(self.secret_at(now))
            .amount_milli_satoshis(new.amount.get().unsigned_abs().saturating_mul(1_000))
            .expiry_time(new.lifetime)
            .try_build_signed(|message| {
                let key = SecretKey::from_slice(&TEST_KEY)?;
                Ok(Secp256k1::new().sign_ecdsa_recoverable(message, &key))
            })?;
        let payment_hash = PaymentHash::new(payment_hash.to_byte_array());
        Ok(MadeInvoice { invoice: invoice.to_string(), payment_hash })
    }

    /// A payment secret that begins with the microseconds of the creation time, because the invoice itself contains
    /// only whole seconds. Without the microseconds, a short test would depend on the fraction of a second at which it
    /// starts.
    fn secret_at(&self, now: Duration) -> PaymentSecret {
        let mut secret = [0; 32];
        self.random.fill(&mut secret);
        secret[..4].copy_from_slice(&now.subsec_micros().to_be_bytes());
        PaymentSecret(secret)
    }

    fn state(&self, text: &str) -> Result<InvoiceState, Unclear> {
        let unclear = |why: &str| Unclear(format!("this is no invoice of the test adapter: {why}"));
        let decoded = decode(text).map_err(|error| unclear(&error.0))?;
        let amount = decoded.amount.ok_or_else(|| unclear("it asks for no amount"))?;
        if decoded.payee != TEST_PAYEE || decoded.network != Some(SatsKind::Test) {
            return Err(unclear("somebody else made it"));
        }
        let made_at = made_at(&decoded).ok_or_else(|| unclear("it has no time"))?;
        let is_paid = self.clock.now() >= made_at.after(self.settle_after);
        Ok(if is_paid { InvoiceState::Paid(amount) } else { InvoiceState::Unpaid })
    }

    fn pay_now(text: &str) -> Evidence {
        let decoded = match decode(text) {
            Ok(decoded) => decoded,
            Err(error) => return Evidence::NotSent(error.to_string()),
        };
        if decoded.network != Some(SatsKind::Test) || decoded.amount.is_none() {
            return Evidence::NotSent("The invoice is not one of regtest with an amount.".to_owned());
        }
        match decoded.description.as_deref() {
            Some("fail") => Evidence::Failed("The payment failed, as its invoice asked for.".to_owned()),
            Some("unknown") => unknown(),
            Some(_) | None => Evidence::Paid { preimage: None, fee: fee() },
        }
    }
}

fn unknown() -> Evidence {
    Evidence::Unknown("the payment stays in doubt, as its invoice asked for".to_owned())
}

fn fee() -> Millisats {
    Millisats::from_sats(Amount::new(FEE_SATS).unwrap_or_default())
}

/// The longest beginning of `memo` that fits into an invoice.
fn cut(memo: &str) -> String {
    let mut end = memo.len().min(MAX_MEMO_BYTES);
    while !memo.is_char_boundary(end) {
        end -= 1;
    }
    memo[..end].to_owned()
}

/// The creation time of an invoice of this adapter, with a precision of microseconds.
fn made_at(decoded: &DecodedInvoice) -> Option<Timestamp> {
    let signed: SignedRawBolt11Invoice = decoded.text.parse().ok()?;
    let secret = Bolt11Invoice::from_signed(signed).ok()?.payment_secret().0;
    let micros = u32::from_be_bytes([secret[0], secret[1], secret[2], secret[3]]);
    Some(decoded.created_at.after(Duration::from_micros(u64::from(micros))))
}

impl Lightning for TestLightning {
    fn sats(&self) -> SatsKind {
        SatsKind::Test
    }

    fn describe(&self) -> String {
        format!("test (no money; invoices settle by themselves after {:?})", self.settle_after)
    }

    fn provider_name(&self) -> String {
        "test".to_owned()
    }

    fn may_resend(&self) -> bool {
        true
    }

    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
        decode(text)
    }

    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>> {
        let made = self.make(&new).map_err(|error| Unclear(error.to_string()));
        Box::pin(ready(made))
    }

    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>> {
        Box::pin(ready(self.state(&reference.invoice)))
    }

    fn paid_among(
        &self,
        invoices: Vec<Reference>,
        _since: Timestamp,
    ) -> Pending<'_, Result<Vec<(PaymentHash, Millisats)>, Unclear>> {
        // The adapter keeps no list, so it reads each invoice.
        let paid = |reference: Reference| match self.state(&reference.invoice) {
            Ok(InvoiceState::Paid(amount)) => Some((reference.payment_hash, amount)),
            Ok(InvoiceState::Unpaid) | Err(Unclear(_)) => None,
        };
        Box::pin(ready(Ok(invoices.into_iter().filter_map(paid).collect())))
    }

    fn before_paying(&self, _payment: Payment) -> Pending<'_, Result<(), String>> {
        Box::pin(ready(Ok(())))
    }

    fn pay(&self, payment: Payment) -> Pending<'_, Evidence> {
        Box::pin(ready(Self::pay_now(&payment.reference.invoice)))
    }

    fn answers(&self, _about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>> {
        Box::pin(ready(Ok(NodeCheck::Answers)))
    }

    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence> {
        let description = decode(&reference.invoice).ok().and_then(|decoded| decoded.description);
        let evidence = match description.as_deref() {
            Some("unknown") => unknown(),
            Some(_) | None => Evidence::NotFound { is_proof: true },
        };
        Box::pin(ready(evidence))
    }

    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>> {
        let balance = Millisats::new(BALANCE_MSAT).map_err(|error| Unclear(error.to_string()));
        Box::pin(ready(balance))
    }

    fn withheld(
        &self,
        _payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>> {
        Box::pin(ready(Ok(BTreeMap::new())))
    }

    fn identity(&self) -> Pending<'_, Result<String, Unclear>> {
        Box::pin(ready(Ok("test".to_owned())))
    }

    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>> {
        Box::pin(ready(Ok(None)))
    }

    // The adapter stores no payments, so the lists of invoices and payments are empty.
    fn received(&self, _since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn sent(&self, _since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>> {
        Box::pin(ready(Ok(Vec::new())))
    }
}
