//! Creates BOLT 11 invoices for tests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bitcoin::hashes::{Hash as _, sha256};
use bitcoin::secp256k1::{Secp256k1, SecretKey};
use lightning_invoice::{Currency, InvoiceBuilder, PaymentSecret, RawTaggedField, TaggedField};

/// The network of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// The main network: real sats.
    Main,
    /// Regtest: test sats.
    Regtest,
    /// A test network that Bolts does not use.
    Testnet,
    /// A test network that Bolts does not use.
    Signet,
}

/// The content of an invoice to create.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The amount, in millisats. `None` leaves the amount to the payer.
    pub millisats: Option<u64>,
    /// The description.
    pub description: String,
    /// Whether the invoice contains only the hash of the description.
    pub is_hashed: bool,
    /// The time in which the invoice can be paid.
    pub lifetime: Duration,
    /// The creation time, as time since 1970.
    pub made_at: Duration,
    /// The network.
    pub network: Network,
    /// Whether the invoice has a features field, as BOLT 11 requires. LNbits' FakeWallet leaves the field out.
    pub has_features: bool,
}

impl Wanted {
    /// An ordinary invoice of the main network, created now.
    pub fn sats(sats: u64) -> Self {
        Self {
            millisats: Some(sats * 1_000),
            description: "coffee".to_owned(),
            is_hashed: false,
            lifetime: Duration::from_secs(3_600),
            made_at: now(),
            network: Network::Main,
            has_features: true,
        }
    }

    /// An ordinary invoice of regtest, created now.
    pub fn test_sats(sats: u64) -> Self {
        Self { network: Network::Regtest, ..Self::sats(sats) }
    }
}

/// A new invoice with its preimage. On a real network only the payee knows the preimage before the payment.
#[derive(Clone, Debug)]
pub struct Made {
    /// The invoice (BOLT 11).
    pub text: String,
    /// The payment hash in hexadecimal.
    pub payment_hash: String,
    /// The preimage in hexadecimal.
    pub preimage: String,
}

/// The current time, as time since 1970.
#[expect(clippy::disallowed_methods, reason = "the program under test uses the real clock")]
pub fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// 32 bytes that are unique across calls and processes.
fn unique() -> [u8; 32] {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{} {} {count}", now().as_nanos(), std::process::id());
    sha256::Hash::hash(seed.as_bytes()).to_byte_array()
}

/// Creates an invoice, signed with a fixed key that only tests use.
///
/// # Panics
/// If BOLT 11 cannot express the content.
pub fn make(wanted: &Wanted) -> Made {
    let currency = match wanted.network {
        Network::Main => Currency::Bitcoin,
        Network::Regtest => Currency::Regtest,
        Network::Testnet => Currency::BitcoinTestnet,
        Network::Signet => Currency::Signet,
    };
    let preimage = unique();
    let payment_hash = sha256::Hash::hash(&preimage);
    let builder = InvoiceBuilder::new(currency);
    let builder = if wanted.is_hashed {
        builder.description_hash(sha256::Hash::hash(wanted.description.as_bytes()))
    } else {
        builder.description(wanted.description.clone())
    };
    let builder = builder
        .payment_hash(payment_hash)
        .duration_since_epoch(Duration::from_secs(wanted.made_at.as_secs()))
        .min_final_cltv_expiry_delta(18)
        .payment_secret(PaymentSecret(unique()))
        .expiry_time(wanted.lifetime);
    let builder = match wanted.millisats {
        Some(millisats) => builder.amount_milli_satoshis(millisats),
        None => builder,
    };
    let mut raw = builder.build_raw().expect("an invoice that can be made");
    if !wanted.has_features {
        let is_feature = |field: &RawTaggedField| {
            matches!(field, RawTaggedField::KnownSemantics(TaggedField::Features(_)))
        };
        raw.data.tagged_fields.retain(|field| !is_feature(field));
    }
    let key = SecretKey::from_slice(b"a node that exists in tests only").expect("a key");
    let signed = raw.sign::<_, ()>(|message| Ok(Secp256k1::new().sign_ecdsa_recoverable(message, &key)));
    let signed = signed.expect("a signature");
    Made {
        text: signed.to_string(),
        payment_hash: hex::encode(payment_hash.to_byte_array()),
        preimage: hex::encode(preimage),
    }
}
