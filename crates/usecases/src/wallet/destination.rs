//! The destination of a withdrawal: an invoice or a Lightning address.

use bolts_kernel::{Amount, FieldError, Timestamp};
use bolts_ports::{AddressError, DecodedInvoice};
use bolts_wallet::{Millisats, Outgoing, PaymentHash, fee_limit, withdrawal_amount};

use super::{Wallets, WithdrawError};
use crate::Refused;

/// The destination of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// An invoice with an amount (BOLT 11).
    Invoice(String),
    /// A Lightning address, and the amount in sats.
    Address(String, Amount),
}

/// A preview of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The amount to pay, in sats.
    pub amount: Amount,
    /// The fee limit of the route, in sats.
    pub fee_limit: Amount,
    /// The public key of the payee's node, in hexadecimal. `None` for a Lightning address, because its server
    /// is asked only when the withdrawal is made.
    pub payee: Option<String>,
    /// The payment hash of the invoice. `None` for a Lightning address.
    pub payment_hash: Option<PaymentHash>,
    /// The Lightning address. `None` for an invoice.
    pub address: Option<String>,
    /// The description of the invoice, if it has one.
    pub description: Option<String>,
    /// The expiry of the invoice. `None` for a Lightning address.
    pub expires_at: Option<Timestamp>,
}

impl Quote {
    /// The sats that the withdrawal would hold.
    pub fn held(&self) -> Amount {
        // The sum cannot overflow, because amount and fee limit are both at most some hundred million sats.
        self.amount.checked_add(self.fee_limit).unwrap_or_default()
    }
}

/// The reason why a destination cannot be paid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DestinationError {
    /// An input field is not valid.
    #[error("{}", .0.message)]
    Invalid(FieldError),
    /// The server of the Lightning address refused or failed.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl From<DestinationError> for Refused {
    fn from(error: DestinationError) -> Self {
        match error {
            DestinationError::Invalid(error) => Self::invalid(vec![error]),
            DestinationError::Address(error) => error.into(),
        }
    }
}

impl From<FieldError> for DestinationError {
    fn from(error: FieldError) -> Self {
        Self::Invalid(error)
    }
}

impl Wallets {
    /// Previews a withdrawal to this destination. Calls no other server.
    ///
    /// # Errors
    /// The destination is not valid, or the database cannot be read.
    pub fn look_at_destination(&self, destination: &Destination) -> Result<Quote, WithdrawError> {
        let quote = self.quote(destination)?;
        let is_ours = match quote.payment_hash {
            Some(hash) => self.app.queries.deposit_of(hash)?.is_some(),
            None => false,
        };
        if is_ours { Err(own_invoice().into()) } else { Ok(quote) }
    }

    /// Previews a withdrawal without the database, so a deposit invoice of this site is not refused here.
    pub(super) fn quote(&self, destination: &Destination) -> Result<Quote, FieldError> {
        match destination {
            Destination::Invoice(text) => {
                let (decoded, amount) = self.payable(text)?;
                let sats = amount.ceil_sats();
                Ok(Quote {
                    amount: sats,
                    fee_limit: fee_limit(sats),
                    payee: Some(decoded.payee),
                    payment_hash: Some(decoded.payment_hash),
                    address: None,
                    description: decoded.description,
                    expires_at: Some(decoded.expires_at),
                })
            }
            Destination::Address(address, amount) => {
                let amount = withdrawal_amount(amount.get())?;
                Ok(Quote {
                    amount,
                    fee_limit: fee_limit(amount),
                    payee: None,
                    payment_hash: None,
                    address: Some(well_formed(address)?),
                    description: None,
                    expires_at: None,
                })
            }
        }
    }

    /// The payment that a withdrawal to this destination must make. Gets the invoice of a Lightning address from its
    /// server.
    pub(super) async fn outgoing(&self, destination: Destination) -> Result<Outgoing, DestinationError> {
        let (decoded, amount, address) = match destination {
            Destination::Invoice(text) => {
                let (decoded, amount) = self.payable(&text)?;
                (decoded, amount, None)
            }
            Destination::Address(address, amount) => {
                let address = well_formed(&address)?;
                let decoded = self.addresses.invoice(address.clone(), amount).await?;
                // The invoice of a Lightning address must pass the same checks as an invoice from a user, even if
                // the adapter has already checked it.
                let misfit = |error: FieldError| AddressError::WrongInvoice(error.message);
                let (decoded, asked) = self.judged(decoded).map_err(misfit)?;
                if asked != Millisats::from_sats(amount) {
                    return Err(AddressError::WrongInvoice("another amount".to_owned()).into());
                }
                (decoded, asked, Some(address))
            }
        };
        let DecodedInvoice { text: invoice, payment_hash, expires_at, .. } = decoded;
        Ok(Outgoing { invoice, payment_hash, amount, expires_at, address })
    }

    /// Decodes an invoice. Returns the invoice and its amount if the site can pay the invoice.
    fn payable(&self, text: &str) -> Result<(DecodedInvoice, Millisats), FieldError> {
        let decoded = self.lightning.decode(text);
        self.judged(decoded.map_err(|_| invalid("This is not a valid Lightning invoice"))?)
    }

    fn judged(&self, decoded: DecodedInvoice) -> Result<(DecodedInvoice, Millisats), FieldError> {
        if decoded.network != Some(self.sats()) {
            return Err(invalid("This invoice is of another network than the sats of this site"));
        }
        let amount = decoded.amount.filter(|amount| *amount > Millisats::ZERO);
        let amount = amount.ok_or_else(|| invalid("This invoice names no amount; ask for one that does"))?;
        withdrawal_amount(amount.ceil_sats().get()).map_err(|error| invalid(&error.message))?;
        if decoded.expires_at <= self.app.now() {
            return Err(invalid("This invoice has expired"));
        }
        Ok((decoded, amount))
    }
}

/// The refusal of a deposit invoice of this site.
pub(super) fn own_invoice() -> FieldError {
    invalid("This is a deposit invoice of this site; sats cannot be withdrawn to it")
}

fn invalid(message: &str) -> FieldError {
    FieldError::new("invoice", message)
}

/// Checks that a Lightning address has the form of an e-mail address (LUD-16). The adapter finds out later whether
/// the server of the address answers.
fn well_formed(address: &str) -> Result<String, FieldError> {
    let address = address.trim().to_lowercase();
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.+".contains(c);
    let fits = address.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && name.chars().all(is_name) && !host.is_empty() && !host.contains(['@', '/', ' '])
    });
    if fits && address.len() <= 320 {
        Ok(address)
    } else {
        Err(FieldError::new("lightningAddress", "This is not a Lightning address"))
    }
}
