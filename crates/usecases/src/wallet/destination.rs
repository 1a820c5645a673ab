use bolts_kernel::{Amount, FieldError, Timestamp};
use bolts_ports::{AddressError, DecodedInvoice};
use bolts_wallet::{Millisats, Outgoing, PaymentHash, fee_limit, withdrawal_amount};

use super::{Wallets, WithdrawError};

/// Where a withdrawal goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To an invoice with an amount (BOLT 11).
    Invoice(String),
    /// To a Lightning address, so many sats.
    Address(String, Amount),
}

/// What a withdrawal would be, before it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// What would leave, in sats.
    pub amount: Amount,
    /// The most that the route could cost, in sats.
    pub fee_limit: Amount,
    /// The node that would be paid, in hexadecimal; `None` for an address, which is asked only when it is paid.
    pub payee: Option<String>,
    /// Names the payment; `None` for an address.
    pub payment_hash: Option<PaymentHash>,
    /// The Lightning address.
    pub address: Option<String>,
    /// What the invoice is for.
    pub description: Option<String>,
    /// Until when it can be paid.
    pub expires_at: Option<Timestamp>,
}

impl Quote {
    /// What would be held, in sats.
    pub fn held(&self) -> Amount {
        // Both are at most some hundred millions.
        self.amount.checked_add(self.fee_limit).unwrap_or_default()
    }
}

/// Why nothing can be paid there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DestinationError {
    /// The field is at fault.
    #[error("{}", .0.message)]
    Invalid(FieldError),
    /// The address's server is.
    #[error(transparent)]
    Address(#[from] AddressError),
}

impl From<FieldError> for DestinationError {
    fn from(error: FieldError) -> Self {
        Self::Invalid(error)
    }
}

impl Wallets {
    /// What a withdrawal to this destination would be. Asks nobody but the database.
    ///
    /// # Errors
    /// The field at fault, or the database cannot be read.
    pub fn look_at_destination(&self, destination: &Destination) -> Result<Quote, WithdrawError> {
        let quote = self.quote(destination)?;
        let is_ours = match quote.payment_hash {
            Some(hash) => self.app.queries.deposit_of(hash)?.is_some(),
            None => false,
        };
        if is_ours { Err(own_invoice().into()) } else { Ok(quote) }
    }

    /// The same, asking nobody.
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

    /// The payment to this destination; a Lightning address is asked for its invoice.
    pub(super) async fn outgoing(&self, destination: Destination) -> Result<Outgoing, DestinationError> {
        let (decoded, amount, address) = match destination {
            Destination::Invoice(text) => {
                let (decoded, amount) = self.payable(&text)?;
                (decoded, amount, None)
            }
            Destination::Address(address, amount) => {
                let address = well_formed(&address)?;
                let decoded = self.addresses.invoice(address.clone(), amount).await?;
                // The same judgement as of an invoice that a user brings, whatever the adapter promises.
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

    /// The invoice and its amount, if it can be paid from here.
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

/// The refusal of an invoice that somebody was given here to deposit by.
pub(super) fn own_invoice() -> FieldError {
    invalid("This is a deposit invoice of this site; sats cannot be withdrawn to it")
}

fn invalid(message: &str) -> FieldError {
    FieldError::new("invoice", message)
}

/// A Lightning address looks like an email address (LUD-16); who answers there is the adapter's to find out.
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
