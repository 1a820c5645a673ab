use bolts_kernel::Timestamp;
use bolts_ports::{Movement, SatsKind, WithdrawalView};
use bolts_usecases::wallet::{Pause, Quote, SendingStop, Solvency, TestInvoice};
use bolts_wallet::{Deposit, DepositState, Millisats, Withdrawal, WithdrawalState};
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::{currency_schema, deposit_status_schema, transfer_schema, withdrawal_status_schema};

/// The public settings of the site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Config)]
pub(crate) struct ConfigJson {
    /// Whether sats are test sats without value. Every page that shows sats says so.
    pub(crate) is_test_mode: bool,
    /// Whether withdrawals are paused, so that no sats can be withdrawn for now.
    pub(crate) withdrawals_paused: bool,
    /// Whether new withdrawals wait because the Lightning provider does not answer, or was not checked since the start.
    pub(crate) withdrawals_waiting: bool,
    /// Whether the site sends mails. Otherwise no page offers anything that needs them.
    pub(crate) sends_mail: bool,
    /// Whether a user may only read until the e-mail address is verified.
    pub(crate) requires_verified_email: bool,
    /// Whether users can have passkeys. Otherwise no page offers them.
    pub(crate) has_passkeys: bool,
}

/// An invoice for a deposit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DepositInvoice)]
pub(crate) struct InvoiceJson {
    invoice_id: String,
    /// BOLT 11.
    lightning_invoice: String,
    /// In sats.
    amount: i64,
    is_test_mode: bool,
    /// The expiry of the invoice.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl InvoiceJson {
    pub(crate) fn of(deposit: &Deposit, sats: SatsKind) -> Self {
        Self {
            invoice_id: deposit.id.to_string(),
            lightning_invoice: deposit.invoice.clone(),
            amount: deposit.asked.get(),
            is_test_mode: sats == SatsKind::Test,
            expires_at: deposit.expires_at.to_string(),
        }
    }
}

/// The state of a deposit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DepositState)]
pub(crate) struct DepositStatusJson {
    /// Whether the deposit was credited.
    paid: bool,
    #[schema(schema_with = deposit_status_schema)]
    status: &'static str,
    /// The credited amount, in sats.
    #[schema(required)]
    credited: Option<i64>,
}

impl DepositStatusJson {
    pub(crate) fn of(deposit: &Deposit, now: Timestamp) -> Self {
        let credited = match deposit.state {
            DepositState::Paid(receipt) => Some(receipt.credited().get()),
            DepositState::Open { .. } | DepositState::Lapsed => None,
        };
        Self { paid: credited.is_some(), status: deposit.status(now).as_str(), credited }
    }
}

/// Added test sats.
#[derive(Serialize, ToSchema)]
#[schema(as = AddedSats)]
pub(crate) struct AddedSatsJson {
    /// The number of test sats.
    pub(crate) amount: i64,
}

/// A preview of a withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WithdrawalQuote)]
pub(crate) struct QuoteJson {
    /// The amount that the payee would get, in sats.
    amount: i64,
    /// The maximum cost of the route, in sats. The user gets the unused part back.
    fee_limit: i64,
    /// The public key of the payee's node; null for a Lightning address.
    #[schema(required)]
    payee: Option<String>,
    #[schema(required)]
    lightning_address: Option<String>,
    /// The description of the invoice.
    #[schema(required)]
    description: Option<String>,
    #[schema(required, format = DateTime)]
    expires_at: Option<String>,
}

impl From<Quote> for QuoteJson {
    fn from(quote: Quote) -> Self {
        Self {
            amount: quote.amount.get(),
            fee_limit: quote.fee_limit.get(),
            payee: quote.payee,
            lightning_address: quote.address,
            description: quote.description,
            expires_at: quote.expires_at.map(|at| at.to_string()),
        }
    }
}

/// An invoice for trying a withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TestInvoice)]
pub(crate) struct TestInvoiceJson {
    /// BOLT 11, on regtest.
    invoice: String,
    /// In sats.
    amount: i64,
    /// The expiry of the invoice.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl From<TestInvoice> for TestInvoiceJson {
    fn from(made: TestInvoice) -> Self {
        Self { invoice: made.invoice, amount: made.amount.get(), expires_at: made.expires_at.to_string() }
    }
}

/// A withdrawal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Withdrawal)]
pub(crate) struct WithdrawalJson {
    id: String,
    #[schema(schema_with = withdrawal_status_schema)]
    status: &'static str,
    /// The amount that the payee gets, in sats.
    amount: i64,
    /// The maximum cost of the route, in sats. Held together with the amount.
    fee_limit: i64,
    /// The cost of the route, in sats.
    #[schema(required)]
    fee: Option<i64>,
    #[schema(required)]
    lightning_address: Option<String>,
    /// BOLT 11.
    invoice: String,
    payment_hash: String,
    /// The proof of payment, if the provider gave one.
    #[schema(required)]
    preimage: Option<String>,
    /// The reason why the withdrawal was not paid.
    #[schema(required)]
    refund_reason: Option<String>,
    /// Whether the withdrawal has been `sending` for so long (an hour) that the operator has to look at it.
    is_in_doubt: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
}

impl WithdrawalJson {
    pub(crate) fn of(withdrawal: &Withdrawal, now: Timestamp) -> Self {
        let (preimage, refund_reason, ended_at) = match &withdrawal.state {
            WithdrawalState::Held | WithdrawalState::Sending { .. } => (None, None, None),
            WithdrawalState::Paid { preimage, at, .. } => (*preimage, None, Some(at)),
            WithdrawalState::Refunded { reason, at, .. } => (None, Some(reason.clone()), Some(at)),
        };
        Self {
            id: withdrawal.id.to_string(),
            status: withdrawal.status().as_str(),
            amount: withdrawal.amount().get(),
            fee_limit: withdrawal.fee_limit.get(),
            fee: withdrawal.fee().map(|fee| fee.get()),
            lightning_address: withdrawal.outgoing.address.clone(),
            invoice: withdrawal.outgoing.invoice.clone(),
            payment_hash: withdrawal.outgoing.payment_hash.to_string(),
            preimage: preimage.map(|preimage| preimage.to_string()),
            refund_reason,
            is_in_doubt: withdrawal.is_in_doubt(now),
            created_at: withdrawal.created_at.to_string(),
            ended_at: ended_at.map(Timestamp::to_string),
        }
    }
}

/// A withdrawal, as admins see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AdminWithdrawal)]
pub(crate) struct AdminWithdrawalJson {
    user_email: String,
    /// The number of times that the provider was told to pay.
    attempts: u32,
    withdrawal: WithdrawalJson,
}

impl AdminWithdrawalJson {
    pub(crate) fn of(view: &WithdrawalView, now: Timestamp) -> Self {
        Self {
            user_email: view.email.clone(),
            attempts: view.withdrawal.attempts(),
            withdrawal: WithdrawalJson::of(&view.withdrawal, now),
        }
    }
}

/// One movement of a user's money.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Movement)]
pub(crate) struct MovementJson {
    pub(crate) id: String,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    #[schema(schema_with = transfer_schema)]
    pub(crate) kind: &'static str,
    #[schema(schema_with = currency_schema)]
    pub(crate) currency: &'static str,
    /// Below 0 for an outgoing movement.
    pub(crate) amount: i64,
    /// The bet of the movement, if the bet still has a page.
    #[schema(required)]
    pub(crate) bet_id: Option<String>,
    #[schema(required)]
    pub(crate) bet_title: Option<String>,
    #[schema(required)]
    pub(crate) deposit_id: Option<String>,
    #[schema(required)]
    pub(crate) withdrawal_id: Option<String>,
}

impl From<&Movement> for MovementJson {
    fn from(movement: &Movement) -> Self {
        let units = movement.money.amount.get();
        let bet = movement.bet.as_ref();
        Self {
            id: movement.seq.to_string(),
            at: movement.at.to_string(),
            kind: movement.kind.as_str(),
            currency: movement.money.currency.as_str(),
            amount: if movement.is_incoming { units } else { -units },
            bet_id: bet.filter(|bet| bet.has_page).map(|bet| bet.id.to_string()),
            bet_title: bet.map(|bet| bet.title.clone()),
            deposit_id: movement.deposit.map(|id| id.to_string()),
            withdrawal_id: movement.withdrawal.map(|id| id.to_string()),
        }
    }
}

/// The state of the site's wallet, for admins.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AdminWallet)]
pub(crate) struct AdminWalletJson {
    pub(crate) is_test_mode: bool,
    /// Why withdrawals are paused; null if they are not.
    #[schema(required)]
    pub(crate) pause: Option<PauseJson>,
    /// Why new withdrawals wait; null if they are sent.
    #[schema(required)]
    pub(crate) sending_stop: Option<PauseJson>,
    /// The latest check of the provider's balance.
    #[schema(required)]
    pub(crate) solvency: Option<SolvencyJson>,
    /// The number of withdrawals whose result has been open for an hour. The operator settles them.
    pub(crate) in_doubt: usize,
}

/// A pause or stop of withdrawals.
#[derive(Serialize, ToSchema)]
#[schema(as = Pause)]
pub(crate) struct PauseJson {
    reason: String,
    #[schema(format = DateTime)]
    at: String,
}

impl From<Pause> for PauseJson {
    fn from(pause: Pause) -> Self {
        Self { reason: pause.reason, at: pause.at.to_string() }
    }
}

impl From<SendingStop> for PauseJson {
    fn from(stop: SendingStop) -> Self {
        Self { reason: stop.reason, at: stop.at.to_string() }
    }
}

/// The comparison of the users' sats with the provider's balance.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Solvency)]
pub(crate) struct SolvencyJson {
    #[schema(format = DateTime)]
    at: String,
    /// The users' sats, without those of payments under way.
    liabilities: i64,
    /// The sats of payments under way.
    in_flight: i64,
    /// The provider's balance in whole sats; null if the provider did not answer.
    #[schema(required)]
    holdings: Option<i64>,
    /// The number of withdrawals that were refunded here and are still pending at the provider.
    still_pending: usize,
    /// The sats that the provider withholds for these withdrawals. `holdings` does not include them.
    withheld: i64,
    /// Whether `holdings` and `withheld` together cover the users' sats.
    #[schema(required)]
    is_covered: Option<bool>,
}

impl From<Solvency> for SolvencyJson {
    fn from(solvency: Solvency) -> Self {
        let whole = |msat| Millisats::new(msat).ok().map(|msat| msat.floor_sats().get());
        Self {
            at: solvency.at.to_string(),
            liabilities: solvency.liabilities.get(),
            in_flight: solvency.in_flight.get(),
            holdings: solvency.holdings_msat.and_then(whole),
            still_pending: solvency.still_pending.len(),
            withheld: solvency.withheld().ceil_sats().get(),
            is_covered: solvency.is_covered,
        }
    }
}
