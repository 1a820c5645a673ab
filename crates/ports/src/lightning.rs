use std::fmt;
use std::time::Duration;

use bolts_kernel::{Amount, Timestamp};
use bolts_wallet::{Evidence, Millisats, PaymentHash};

use crate::environment::Pending;

/// What the sats of a database are. One of the two for ever: test sats must never be withdrawn as money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatsKind {
    /// Of no value; invoices are of regtest.
    Test,
    /// Bitcoin; invoices are of the main network.
    Real,
}

impl SatsKind {
    /// The name that the database keeps.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Real => "real",
        }
    }
}

impl fmt::Display for SatsKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an invoice says (BOLT 11), its signature checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedInvoice {
    /// Lower case, without `lightning:` before it.
    pub text: String,
    /// Whose sats it asks for; `None` for a network that is neither the main one nor regtest.
    pub network: Option<SatsKind>,
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// What it asks for, if it says.
    pub amount: Option<Millisats>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it can be paid.
    pub expires_at: Timestamp,
    /// What it is for, where it says so in words.
    pub description: Option<String>,
    /// The SHA-256 of what it is for, where it says so by hash.
    pub description_hash: Option<[u8; 32]>,
    /// The public key of the node that is paid, in hexadecimal.
    pub payee: String,
}

/// A text that is no invoice that could be paid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a Lightning invoice: {0}")]
pub struct InvalidInvoice(pub String);

/// The provider's answer cannot be used: a time-out, a 5xx, a cut or huge body, nonsense. It says nothing of whether
/// what was asked for happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the Lightning provider's answer is unclear: {0}")]
pub struct Unclear(pub String);

/// An invoice to be made.
#[derive(Clone, Debug)]
pub struct NewInvoice {
    /// How much it asks for.
    pub amount: Amount,
    /// What payers are shown.
    pub memo: String,
    /// How long it can be paid.
    pub lifetime: Duration,
    /// Where the provider may say that it was paid.
    pub webhook: Option<String>,
}

/// An invoice that the provider says it made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeInvoice {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The payment hash under which the provider knows it.
    pub payment_hash: PaymentHash,
}

/// Which invoice or payment is asked about: the hash names it, and an adapter that keeps nothing itself reads the rest
/// in the invoice.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11).
    pub invoice: String,
}

/// A payment to be made.
#[derive(Clone, Debug)]
pub struct Payment {
    /// What is paid.
    pub reference: Reference,
    /// The most that the route may cost.
    pub fee_limit: Amount,
}

/// What an invoice's own provider says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceState {
    /// Nobody has paid it.
    Unpaid,
    /// So much arrived, and is the provider's to keep.
    Paid(Millisats),
}

/// A node on the Lightning network, or a wallet on somebody's.
///
/// No call may wait for ever, and no answer may be held to prove more than it does: whatever is not understood is
/// [`Unclear`] or [`Evidence::Unknown`], never a failure.
pub trait Lightning: Send + Sync {
    /// What its sats are.
    fn sats(&self) -> SatsKind;

    /// What it is and where, for people; without any secret.
    fn describe(&self) -> String;

    /// Names the books that its answers come from. That these know nothing of a payment says nothing of a payment that
    /// others were told to make.
    fn books(&self) -> String;

    /// Whether [`Lightning::pay`] pays a hash at most once, whatever it has forgotten, so that a payment that it does
    /// not know may be tried again.
    fn may_resend(&self) -> bool;

    /// Reads an invoice of any network and checks its signature.
    ///
    /// # Errors
    /// [`InvalidInvoice`].
    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice>;

    /// Makes an invoice. Unclear means: there may be one, which nobody has seen.
    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>>;

    /// Whether an invoice of its own was paid. Must answer `Paid` only for what has arrived for good. Unclear means:
    /// ask again later.
    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>>;

    /// Pays an invoice, the route costing at most the fee limit. Must be told by its caller's committed record first.
    /// [`Evidence::NotSent`] and [`Evidence::Failed`] must rest on answers that are known to mean it; everything else
    /// is unknown: the payment may have been made, or be made later.
    fn pay(&self, payment: Payment) -> Pending<'_, Evidence>;

    /// What became of a payment. Unknown means: ask again later.
    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence>;

    /// What it holds, without what is on its way out. Unclear means: nothing is known.
    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>>;
}

/// Why a Lightning address gave no invoice. Each is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is not of the form `name@example.com`.
    #[error("This is not a Lightning address")]
    Malformed,
    /// It does not take this amount.
    #[error("This address takes {} to {} sats", grouped(*min), grouped(*max))]
    Amount {
        /// The least it takes, in sats.
        min: i64,
        /// The most it takes, in sats.
        max: i64,
    },
    /// Its server cannot be reached, or is not one that may be reached.
    #[error("The address's server could not be reached")]
    Unreachable(String),
    /// Its server said no.
    #[error("The address's server refused: {0}")]
    Refused(String),
    /// What its server gave is not what was asked for.
    #[error("The address's server gave an invoice that does not fit")]
    WrongInvoice(String),
}

fn grouped(sats: i64) -> String {
    Amount::new(sats).unwrap_or_default().grouped()
}

/// Asks Lightning addresses for invoices (LUD-16, LUD-06): over https, at public addresses only.
pub trait LightningAddresses: Send + Sync {
    /// An invoice of exactly this amount from `address`, checked against what its server described.
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>>;
}
