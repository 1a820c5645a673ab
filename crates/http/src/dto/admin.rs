use bolts_ports::{AdminActionView, BetView};
use bolts_usecases::admin::GrantedBolts;
use serde::Serialize;
use utoipa::ToSchema;

use super::bet::{BetJson, Viewer};

/// The result of a refund.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Refund)]
pub(crate) struct RefundJson<'a> {
    /// The sum over all users.
    refunded_amount: i64,
    #[schema(schema_with = crate::dto::currency_schema)]
    currency: &'static str,
    /// The number of users who got their stake back.
    refunded_users: i64,
    bet: BetJson<'a>,
}

impl<'a> RefundJson<'a> {
    /// Describes the refund of a bet that an admin has just cancelled.
    pub(crate) fn of(view: &'a BetView, viewer: Viewer) -> Self {
        let refunded = view.bet.staked();
        Self {
            refunded_amount: refunded.amount.get(),
            currency: refunded.currency.as_str(),
            refunded_users: view.bet.stakes().len() as i64,
            bet: BetJson::of(view, viewer),
        }
    }
}

/// The result of a gift of Bolts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GrantedBolts)]
pub(crate) struct GrantedBoltsJson {
    user_email: String,
    amount: i64,
    /// The user's new balance in Bolts.
    bolts_balance: i64,
}

impl From<&GrantedBolts> for GrantedBoltsJson {
    fn from(granted: &GrantedBolts) -> Self {
        let (amount, bolts_balance) = (granted.amount.get(), granted.balance.get());
        Self { user_email: granted.email.clone(), amount, bolts_balance }
    }
}

/// A one-time password, shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TemporaryPassword)]
pub(crate) struct TemporaryPasswordJson {
    pub(crate) temporary_password: String,
}

/// An action of an admin.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AdminAction)]
pub(crate) struct AdminActionJson {
    id: String,
    /// The admin's email; null for the operator on the command line.
    #[schema(required)]
    admin: Option<String>,
    action: String,
    /// The email of the affected user.
    #[schema(required)]
    user: Option<String>,
    #[schema(required)]
    bet_id: Option<String>,
    #[schema(required)]
    detail: Option<String>,
    #[schema(format = DateTime)]
    at: String,
}

impl From<&AdminActionView> for AdminActionJson {
    fn from(view: &AdminActionView) -> Self {
        Self {
            id: view.seq.to_string(),
            admin: view.admin.clone(),
            action: view.action.clone(),
            user: view.user.clone(),
            bet_id: view.bet.map(|id| id.to_string()),
            detail: view.detail.clone(),
            at: view.at.to_string(),
        }
    }
}
