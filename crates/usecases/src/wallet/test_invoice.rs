use bolts_kernel::{Amount, Code, DepositId, Timestamp, UserId};
use bolts_ports::{NewInvoice, Owner, SatsKind, Unclear};
use bolts_wallet::INVOICE_LIFETIME;

use super::Wallets;
use crate::Refused;

/// The reason why no test invoice was created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TestInvoiceError {
    /// This site's sats are real.
    #[error("Test invoices are made only where sats are test sats.")]
    NotTest,
    /// The provider created no valid invoice.
    #[error(transparent)]
    Provider(#[from] Unclear),
}

impl From<TestInvoiceError> for Refused {
    fn from(error: TestInvoiceError) -> Self {
        let detail = error.to_string();
        match error {
            TestInvoiceError::NotTest => Self::new(Code::NotAllowed, detail),
            TestInvoiceError::Provider(error) => error.into(),
        }
    }
}

/// An invoice with which a user can try a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestInvoice {
    /// The invoice (BOLT 11), for the network regtest.
    pub invoice: String,
    /// The amount, in sats.
    pub amount: Amount,
    /// The expiry of the invoice.
    pub expires_at: Timestamp,
}

impl Wallets {
    /// Creates an invoice with which a user can try a withdrawal, on a site with test sats. The invoice is not stored
    /// as a deposit. So a withdrawal can pay the invoice, and no user is credited.
    pub async fn test_invoice(&self, user: UserId, amount: Amount) -> Result<TestInvoice, TestInvoiceError> {
        if self.sats() != SatsKind::Test {
            return Err(TestInvoiceError::NotTest);
        }
        let memo = "Test withdrawal from Bolts".to_owned();
        let owner = Owner { id: self.app.id::<DepositId>(), user };
        let wanted = NewInvoice { owner, amount, memo, lifetime: INVOICE_LIFETIME, webhook: None };
        let made = self.lightning.create_invoice(wanted).await?;
        let decoded = self.lightning.decode(&made.invoice).map_err(|error| Unclear(error.to_string()))?;
        Ok(TestInvoice { invoice: decoded.text, amount, expires_at: decoded.expires_at })
    }
}
