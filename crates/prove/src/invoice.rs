//! Invoices of the providers in this crate. The port leaves the form of an invoice to the adapter, so these are plain
//! text and need no cryptography.

use bolts_kernel::Timestamp;
use bolts_ports::{DecodedInvoice, InvalidInvoice, SatsKind};
use bolts_wallet::{Millisats, PaymentHash, Preimage};

/// The content of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    pub(crate) network: Option<SatsKind>,
    /// The number from which preimage and hash are made.
    pub(crate) number: u64,
    pub(crate) msat: Option<i64>,
    pub(crate) created_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

/// The preimage of the payment with this number.
pub(crate) fn preimage(number: u64) -> Preimage {
    let mut bytes = [0x5b; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Preimage::new(bytes)
}

impl Slip {
    pub(crate) fn hash(&self) -> PaymentHash {
        preimage(self.number).payment_hash()
    }

    pub(crate) fn text(&self) -> String {
        let network = match self.network {
            Some(SatsKind::Real) => "main",
            Some(SatsKind::Test) => "test",
            None => "other",
        };
        let msat = self.msat.map_or_else(|| "-".to_owned(), |msat| msat.to_string());
        let (created, expires) = (self.created_at.micros(), self.expires_at.micros());
        format!("ln.{network}.{}.{msat}.{created}.{expires}", self.number)
    }

    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('.').collect();
        let [_, network, number, msat, created, expires] = parts[..] else { return None };
        let network = match network {
            "main" => Some(SatsKind::Real),
            "test" => Some(SatsKind::Test),
            _ => None,
        };
        let time = |text: &str| Timestamp::from_micros(text.parse().ok()?).ok();
        let (number, msat) = (number.parse().ok()?, msat.parse().ok());
        Some(Self { network, number, msat, created_at: time(created)?, expires_at: time(expires)? })
    }
}

/// Reads an invoice, as [`bolts_ports::Lightning::decode`] must.
pub(crate) fn decode(text: &str) -> Result<DecodedInvoice, InvalidInvoice> {
    let text = text.trim().to_lowercase();
    let slip = Slip::parse(&text).ok_or_else(|| InvalidInvoice("not a slip".to_owned()))?;
    Ok(DecodedInvoice {
        network: slip.network,
        payment_hash: slip.hash(),
        amount: slip.msat.and_then(|msat| Millisats::new(msat).ok()),
        created_at: slip.created_at,
        expires_at: slip.expires_at,
        description: None,
        description_hash: None,
        payee: "02".repeat(33),
        text,
    })
}
