use std::time::Duration;

use bitcoin::hashes::Hash as _;
use bolts_kernel::Timestamp;
use bolts_ports::{DecodedInvoice, InvalidInvoice, SatsKind};
use bolts_wallet::{Millisats, PaymentHash};
use lightning_invoice::{
    Currency, DEFAULT_EXPIRY_TIME, RawBolt11Invoice, SignedRawBolt11Invoice, TaggedField,
};

/// Longer texts are refused unread: with a dozen route hints an invoice has some 1,500 characters.
const MAX_LENGTH: usize = 4_096;

/// What may stand before an invoice, as in links and QR codes.
const SCHEME: &str = "lightning:";

/// Reads an invoice (BOLT 11) of any network and checks its signature. Upper case and `lightning:` before it are taken.
///
/// It need not name features: some wallets' servers leave that field out, although the specification wants it.
///
/// # Errors
/// [`InvalidInvoice`] for what is longer than 4 KiB, no invoice, signed wrongly, or asks for parts of a millisat; and for
/// one without exactly one payment hash and one description, as programs differ in which of several they take.
pub fn decode(text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
    let text = bare(text)?;
    let signed: SignedRawBolt11Invoice =
        text.parse().map_err(|_| invalid("it is damaged, or something else"))?;
    if !signed.check_signature() {
        return Err(invalid("its signature is wrong"));
    }
    let payee = signed.recover_payee_pub_key().map_err(|_| invalid("its signature is wrong"))?;
    let raw = signed.raw_invoice();
    // A payee that is named is the one whom the signature was checked against.
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

/// The invoice alone, in lower case.
fn bare(text: &str) -> Result<String, InvalidInvoice> {
    if text.len() > MAX_LENGTH {
        return Err(invalid("it is too long"));
    }
    let text = text.trim();
    let scheme = text.get(..SCHEME.len()).filter(|start| start.eq_ignore_ascii_case(SCHEME));
    let text = &text[scheme.map_or(0, str::len)..];
    // BOLT 11 is in one case; the parser knows that, and so must not be handed what was made to be in one case.
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

/// The amount is written in parts of a bitcoin, down to a tenth of a millisat.
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
