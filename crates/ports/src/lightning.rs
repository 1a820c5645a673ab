use std::fmt;
use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId, WithdrawalId};
use bolts_wallet::{Evidence, Millisats, PaymentHash, Preimage};

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

/// How every invoice for a deposit begins what it says it is for: so the provider's list tells them from other invoices.
pub const DEPOSIT_MEMO: &str = "Deposit to Bolts";

/// Whose a deposit or a withdrawal is. Adapters write it into the provider's own record where that has room for it. If a
/// database is rolled back and loses the row, the provider's record still says whose it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner<Id> {
    /// The deposit or withdrawal.
    pub id: Id,
    /// Its user.
    pub user: UserId,
}

/// A paid invoice in the provider's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// What arrived.
    pub amount: Millisats,
    /// When the invoice was made.
    pub created_at: Timestamp,
    /// Whether it was made for a deposit, and not by somebody else who uses the same wallet.
    pub is_deposit: bool,
    /// Whose deposit it is, where the record says so.
    pub owner: Option<Owner<DepositId>>,
}

/// A payment in the provider's own list that was made or is on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Names the payment.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11); empty where the provider does not keep it.
    pub invoice: String,
    /// What was paid, without the route's cost.
    pub amount: Millisats,
    /// What the route cost.
    pub fee: Millisats,
    /// When the provider was told to pay.
    pub created_at: Timestamp,
    /// The proof, where the provider gives it.
    pub preimage: Option<Preimage>,
    /// Whether it was made; else it is on its way.
    pub is_paid: bool,
    /// Whose withdrawal it is, where the record says so.
    pub owner: Option<Owner<WithdrawalId>>,
}

/// An invoice to be made.
#[derive(Clone, Debug)]
pub struct NewInvoice {
    /// Whose deposit it is for.
    pub owner: Owner<DepositId>,
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
    /// Whose withdrawal it is.
    pub owner: Owner<WithdrawalId>,
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

    /// Asks what has to be known before a payment, above all whether its route may cost more than the fee limit. Must
    /// send nothing. An error is a sentence for the user: the payment cannot be made.
    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>>;

    /// Pays an invoice, the route costing at most the fee limit. Must be told by its caller's committed record first,
    /// and [`Lightning::before_paying`] must have been asked.
    /// [`Evidence::NotSent`] and [`Evidence::Failed`] must rest on answers that are known to mean it; everything else
    /// is unknown: the payment may have been made, or be made later.
    fn pay(&self, payment: Payment) -> Pending<'_, Evidence>;

    /// Whether it answers, and the node behind it too. `about` names a payment that it was told of, which it may be asked
    /// about. An error means: what it is told now may stay without an answer.
    fn answers(&self, about: Reference) -> Pending<'_, Result<(), Unclear>>;

    /// What became of a payment. Unknown means: ask again later.
    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence>;

    /// What it holds, without what is on its way out. Unclear means: nothing is known.
    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>>;

    /// Which wallet or node it is: the same at every address, and another one for every other wallet or node.
    fn identity(&self) -> Pending<'_, Result<String, Unclear>>;

    /// Whether the keys that it was given lack a right: a sentence for the operator. Must move no money.
    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>>;

    /// The paid invoices of its own list that were made at `since` or later. Must leave none out.
    fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>>;

    /// The payments of its own list, made or on their way, that it was told of at `since` or later. Must leave none
    /// out; those that failed are not among them.
    fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>>;
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
