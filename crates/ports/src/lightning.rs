//! The ports to Lightning: the provider, and Lightning addresses.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use bolts_kernel::{Amount, DepositId, Timestamp, UserId, WithdrawalId, named};
use bolts_wallet::{Evidence, Millisats, PaymentHash, Preimage};

use crate::environment::Pending;

/// The kind of sats in a database. The kind never changes, because test sats must never be withdrawn as money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatsKind {
    /// Test sats without value. Their invoices belong to regtest.
    Test,
    /// Bitcoin. The invoices belong to the main network.
    Real,
}

named!(SatsKind { Test = "test", Real = "real" });

/// The content of an invoice (BOLT 11). The signature of the invoice was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedInvoice {
    /// The invoice in lower case, without the prefix `lightning:`.
    pub text: String,
    /// The kind of sats, according to the network of the invoice. `None` for a network other than the main network and
    /// regtest.
    pub network: Option<SatsKind>,
    /// The payment hash.
    pub payment_hash: PaymentHash,
    /// The amount, if the invoice names one.
    pub amount: Option<Millisats>,
    /// The creation time of the invoice.
    pub created_at: Timestamp,
    /// The expiry of the invoice.
    pub expires_at: Timestamp,
    /// The description, if the invoice contains it as text.
    pub description: Option<String>,
    /// The SHA-256 of the description, if the invoice contains it as a hash.
    pub description_hash: Option<[u8; 32]>,
    /// The public key of the payee's node, in hexadecimal.
    pub payee: String,
}

/// The text is not a payable invoice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a Lightning invoice: {0}")]
pub struct InvalidInvoice(pub String);

/// The provider's answer cannot be used: a time-out, a 5xx, a truncated or too large body, or invalid content. The
/// provider may or may not have carried out the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the Lightning provider's answer is unclear: {0}")]
pub struct Unclear(pub String);

/// The result of a check whether the node behind the provider answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeCheck {
    /// The node answers.
    Answers,
    /// The provider answers, but its rate limit is reached. So it did not ask its node.
    NotAsked,
}

/// The prefix of the description of every deposit invoice. It distinguishes deposit invoices from other invoices in
/// the provider's list.
pub const DEPOSIT_MEMO: &str = "Deposit to Bolts";

/// The owner of a deposit or a withdrawal. Adapters write the owner into the provider's record, if the record has room
/// for it. If the database is rolled back and loses the row, the provider's record still names the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner<Id> {
    /// The id of the deposit or withdrawal.
    pub id: Id,
    /// The id of the user.
    pub user: UserId,
}

/// A paid invoice in the provider's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The payment hash.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The amount that arrived.
    pub amount: Millisats,
    /// The creation time of the invoice.
    pub created_at: Timestamp,
    /// Whether the invoice was created for a deposit. `false` if another program or person created it in the same
    /// wallet.
    pub is_deposit: bool,
    /// The owner of the deposit, if the record names the owner.
    pub owner: Option<Owner<DepositId>>,
}

/// A payment in the provider's own list that succeeded or is in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The payment hash.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11). Empty if the provider does not store the invoice.
    pub invoice: String,
    /// The paid amount, without the cost of the route.
    pub amount: Millisats,
    /// The cost of the route.
    pub fee: Millisats,
    /// The time at which the provider was told to pay.
    pub created_at: Timestamp,
    /// The preimage, which proves the payment, if the provider gives it.
    pub preimage: Option<Preimage>,
    /// Whether the payment succeeded. Otherwise the payment is in flight.
    pub is_paid: bool,
    /// The owner of the withdrawal, if the record names the owner.
    pub owner: Option<Owner<WithdrawalId>>,
}

/// The content of an invoice to create.
#[derive(Clone, Debug)]
pub struct NewInvoice {
    /// The owner of the deposit.
    pub owner: Owner<DepositId>,
    /// The amount of the invoice, in sats.
    pub amount: Amount,
    /// The description that payers see.
    pub memo: String,
    /// The time from the creation to the expiry of the invoice.
    pub lifetime: Duration,
    /// The URL that the provider may call when the invoice is paid.
    pub webhook: Option<String>,
}

/// An invoice that the provider has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeInvoice {
    /// The invoice (BOLT 11).
    pub invoice: String,
    /// The payment hash by which the provider finds the invoice.
    pub payment_hash: PaymentHash,
}

/// The invoice or payment that a look-up is about. The payment hash identifies it. An adapter that keeps no records
/// reads all other data from the invoice.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The payment hash.
    pub payment_hash: PaymentHash,
    /// The invoice (BOLT 11).
    pub invoice: String,
}

/// A payment to make.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The owner of the withdrawal.
    pub owner: Owner<WithdrawalId>,
    /// The invoice to pay.
    pub reference: Reference,
    /// The maximum fee of the route, in sats.
    pub fee_limit: Amount,
}

/// The state of an invoice, according to the provider that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceState {
    /// The invoice is not paid.
    Unpaid,
    /// The invoice is paid. This amount arrived and is final.
    Paid(Millisats),
}

/// A Lightning provider: a node, or a wallet on a node of another operator.
///
/// Each call must end within a limited time. An answer must never count as more proof than it is: for an unexpected
/// answer, an adapter must return [`Unclear`] or [`Evidence::Unknown`], and never a failed payment. If no answer comes,
/// it must return [`Unclear`] or [`Evidence::NoAnswer`].
pub trait Lightning: Send + Sync {
    /// The kind of the provider's sats.
    fn sats(&self) -> SatsKind;

    /// The kind and address of the provider in words, without secrets.
    fn describe(&self) -> String;

    /// The name under which the database remembers the provider: the provider's kind and address. A provider that does
    /// not know a payment proves nothing about a payment that another provider was told to make.
    fn provider_name(&self) -> String;

    /// Whether [`Lightning::pay`] pays a payment hash at most once, even after the provider lost its record of the
    /// payment. If so, a payment that the provider does not know may be sent again.
    fn may_resend(&self) -> bool;

    /// Reads an invoice of any network and checks its signature.
    fn decode(&self, text: &str) -> Result<DecodedInvoice, InvalidInvoice>;

    /// Creates an invoice. After [`Unclear`] there may be an invoice that no user has seen.
    fn create_invoice(&self, new: NewInvoice) -> Pending<'_, Result<MadeInvoice, Unclear>>;

    /// Whether an invoice of this provider was paid. Must answer `Paid` only for an amount that has finally
    /// arrived. After [`Unclear`] the caller should ask again later.
    fn look_up_invoice(&self, reference: Reference) -> Pending<'_, Result<InvoiceState, Unclear>>;

    /// The paid invoices among the given invoices, with the amounts that arrived. None of the given invoices was
    /// created before `since`. The adapter needs one call to the provider, or one call for each page of the provider's
    /// list. The answer must contain only amounts that have finally arrived. An invoice that is missing in the answer
    /// may have been paid nevertheless.
    fn paid_among(
        &self,
        invoices: Vec<Reference>,
        since: Timestamp,
    ) -> Pending<'_, Result<Vec<(PaymentHash, Millisats)>, Unclear>> {
        Box::pin(async move {
            let asked: HashSet<PaymentHash> = invoices.iter().map(|invoice| invoice.payment_hash).collect();
            let listed = self.received(since).await?.into_iter();
            let paid = listed.map(|received| (received.payment_hash, received.amount));
            Ok(paid.filter(|(hash, _)| asked.contains(hash)).collect())
        })
    }

    /// Checks before a payment that its route cannot cost more than the fee limit, if the provider needs this check.
    /// The call must send nothing. An error means that the payment cannot be made. The error is a sentence for the
    /// user.
    fn before_paying(&self, payment: Payment) -> Pending<'_, Result<(), String>>;

    /// Pays an invoice. The route may cost at most the fee limit. The caller must have committed the attempt, and must
    /// have called [`Lightning::before_paying`]. An adapter may return [`Evidence::NotSent`] and [`Evidence::Failed`]
    /// only for answers that are known to mean this. It must return [`Evidence::Unknown`] for answers that it does not
    /// recognise: the payment may have been made, or may be made later.
    fn pay(&self, payment: Payment) -> Pending<'_, Evidence>;

    /// Checks that the provider and the node behind the provider answer. `about` names a payment that the provider was
    /// told to make. The call may look up this payment. After an error, further calls may get no answer. A refusal because of the
    /// provider's rate limit is no error.
    fn answers(&self, about: Reference) -> Pending<'_, Result<NodeCheck, Unclear>>;

    /// The result of a payment. After [`Evidence::NoAnswer`] and [`Evidence::Unknown`] the caller should ask again later.
    fn look_up_payment(&self, reference: Reference) -> Pending<'_, Evidence>;

    /// The balance of the wallet or node. The sats of payments in flight are already subtracted. After [`Unclear`] the
    /// balance is not known.
    fn balance(&self) -> Pending<'_, Result<Millisats, Unclear>>;

    /// The sats that payments in flight take off the balance: for each payment, its amount and the provider's reserve
    /// for its route. Of the given payments, the answer names only those in flight. After [`Unclear`] nothing is known
    /// about any of them.
    fn withheld(
        &self,
        payments: Vec<Reference>,
    ) -> Pending<'_, Result<BTreeMap<PaymentHash, Millisats>, Unclear>>;

    /// The identity of the wallet or node. It must be the same if the provider's address changes, and different for
    /// every other wallet or node.
    fn identity(&self) -> Pending<'_, Result<String, Unclear>>;

    /// Checks the rights of the keys. Returns a sentence for the operator if a right is missing. The call must move no
    /// money.
    fn missing_right(&self) -> Pending<'_, Result<Option<String>, Unclear>>;

    /// The paid invoices in the provider's list that were created at `since` or later. The call must leave none of
    /// them out.
    fn received(&self, since: Timestamp) -> Pending<'_, Result<Vec<Received>, Unclear>>;

    /// The payments in the provider's list that the provider was told to make at `since` or later. The call must leave
    /// out no payment that succeeded or is in flight. Failed payments are not included.
    fn sent(&self, since: Timestamp) -> Pending<'_, Result<Vec<Sent>, Unclear>>;
}

/// The reason why a Lightning address gave no invoice. Each message is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text does not have the form `name@example.com`.
    #[error("This is not a Lightning address")]
    Malformed,
    /// The address does not accept this amount.
    #[error("This address takes {} to {} sats", grouped(*min), grouped(*max))]
    Amount {
        /// The minimum amount, in sats.
        min: i64,
        /// The maximum amount, in sats.
        max: i64,
    },
    /// The server cannot be reached, or the rules forbid a call to it.
    #[error("The address's server could not be reached")]
    Unreachable(String),
    /// The server refused the request.
    #[error("The address's server refused: {0}")]
    Refused(String),
    /// The server's invoice does not match the request.
    #[error("The address's server gave an invoice that does not fit")]
    WrongInvoice(String),
}

fn grouped(sats: i64) -> String {
    Amount::new(sats).unwrap_or_default().grouped()
}

/// Asks the servers of Lightning addresses for invoices (LUD-16, LUD-06), over https and only at public IP
/// addresses.
pub trait LightningAddresses: Send + Sync {
    /// An invoice of exactly this amount from `address`. The adapter must check the amount, the network and the expiry of
    /// the invoice. The description may be any.
    fn invoice(&self, address: String, amount: Amount) -> Pending<'_, Result<DecodedInvoice, AddressError>>;
}
