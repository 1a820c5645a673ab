//! Reads Lightning invoices (BOLT 11).

use std::time::Duration;

use bitcoin::hashes::Hash as _;
use bolts_kernel::Timestamp;
use bolts_ports::{DecodedInvoice, InvalidInvoice, SatsKind};
use bolts_wallet::{Millisats, PaymentHash};
use lightning_invoice::{
    Currency, DEFAULT_EXPIRY_TIME, RawBolt11Invoice, SignedRawBolt11Invoice, TaggedField,
};

/// The maximum length of an invoice, in bytes. Longer texts are refused without parsing. An invoice with a dozen route
/// hints has about 1,500 characters.
const MAX_LENGTH: usize = 4_096;

/// The URI scheme that links and QR codes put before an invoice.
const SCHEME: &str = "lightning:";

/// Reads an invoice (BOLT 11) of any network and checks its signature. Upper case and the prefix `lightning:`
/// are allowed.
///
/// The invoice may lack a features field. The servers of some wallets leave this field out, although BOLT 11 requires
/// it.
///
/// # Errors
/// [`InvalidInvoice`] if the text is longer than 4 KiB, is not an invoice, has a wrong signature, or asks for a
/// fraction of a millisat. The invoice must also have exactly one payment hash and one description. If there were
/// several, two programs might use different ones.
pub fn decode(text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
    let text = bare(text)?;
    let signed: SignedRawBolt11Invoice =
        text.parse().map_err(|_| invalid("it is damaged, or something else"))?;
    if !signed.check_signature() {
        return Err(invalid("its signature is wrong"));
    }
    let payee = signed.recover_payee_pub_key().map_err(|_| invalid("its signature is wrong"))?;
    let raw = signed.raw_invoice();
    // If the invoice names a payee, the signature was checked against the key of this payee.
    let payee = raw.payee_pub_key().cloned().unwrap_or(payee).0.to_string();
    let created_at = Duration::from_secs(raw.data.timestamp.as_unix_timestamp());
    let lifetime =
        raw.expiry_time().map_or(Duration::from_secs(DEFAULT_EXPIRY_TIME), |time| *time.as_duration());
    let created_at = epoch().after(created_at);
    Ok(DecodedInvoice {
        network: network(&raw.currency()),
        payment_hash: payment_hash(raw)?,
        amount: amount(raw)?,
        created_at,
        expires_at: created_at.after(lifetime),
        description: raw.description().map(ToString::to_string),
        description_hash: raw.description_hash().map(|hash| hash.0.to_byte_array()),
        payee,
        text,
    })
}

fn invalid(why: &str) -> InvalidInvoice {
    InvalidInvoice(why.to_owned())
}

pub(crate) fn epoch() -> Timestamp {
    Timestamp::from_micros(0).unwrap_or_else(|_| unreachable!("1970 is a time"))
}

/// The invoice without the prefix `lightning:`, in lower case.
fn bare(text: &str) -> Result<String, InvalidInvoice> {
    if text.len() > MAX_LENGTH {
        return Err(invalid("it is too long"));
    }
    let text = text.trim();
    let scheme = text.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
    let text = &text[scheme.map_or(0, str::len)..];
    // BOLT 11 forbids mixed case. This check must come before the conversion to lower case, because the parser sees
    // only the converted text.
    let is_mixed =
        text.chars().any(|c| c.is_ascii_lowercase()) && text.chars().any(|c| c.is_ascii_uppercase());
    if is_mixed {
        return Err(invalid("it mixes upper and lower case"));
    }
    Ok(text.to_ascii_lowercase())
}

fn network(currency: &Currency) -> Option<SatsKind> {
    match currency {
        Currency::Bitcoin => Some(SatsKind::Real),
        Currency::Regtest => Some(SatsKind::Test),
        Currency::BitcoinTestnet | Currency::Simnet | Currency::Signet => None,
    }
}

fn payment_hash(raw: &RawBolt11Invoice) -> Result<PaymentHash, InvalidInvoice> {
    let count = |is: fn(&TaggedField) -> bool| raw.known_tagged_fields().filter(|field| is(field)).count();
    let described =
        count(|field| matches!(field, TaggedField::Description(_) | TaggedField::DescriptionHash(_)));
    if described != 1 {
        return Err(invalid("it does not say once what it is for"));
    }
    match raw.payment_hash() {
        Some(hash) if count(|field| matches!(field, TaggedField::PaymentHash(_))) == 1 => {
            Ok(PaymentHash::new(hash.0.to_byte_array()))
        }
        Some(_) | None => Err(invalid("it does not name one payment")),
    }
}

/// The amount of an invoice. BOLT 11 writes the amount as a fraction of a bitcoin, down to a tenth of a millisat.
fn amount(raw: &RawBolt11Invoice) -> Result<Option<Millisats>, InvalidInvoice> {
    if raw.hrp.raw_amount.is_none() {
        return Ok(None);
    }
    let pico_bitcoin = raw.amount_pico_btc().ok_or_else(|| invalid("it asks for more than there is"))?;
    if pico_bitcoin % 10 != 0 {
        return Err(invalid("it asks for parts of a millisat"));
    }
    let millisats =
        i64::try_from(pico_bitcoin / 10).map_err(|_| invalid("it asks for more than there is"))?;
    Millisats::new(millisats).map(Some).map_err(|_| invalid("it asks for more than there is"))
}
