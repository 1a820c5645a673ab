use bolts_kernel::{Currency, Timestamp, UserId};
use bolts_ports::{NamedUser, UserView};
use serde::Serialize;
use utoipa::ToSchema;

/// The current user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub(crate) struct UserJson {
    #[schema(value_type = String)]
    id: UserId,
    email: String,
    #[schema(required)]
    username: Option<String>,
    #[schema(required)]
    first_name: Option<String>,
    #[schema(required)]
    last_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Available Bolts.
    bolts_balance: i64,
    /// Available sats.
    sats_balance: i64,
    is_admin: bool,
    /// Signed in with a one-time password. Almost all other calls are refused until the user changes it.
    must_change_password: bool,
}

impl From<UserView> for UserJson {
    fn from(user: UserView) -> Self {
        Self {
            id: user.id,
            email: user.email,
            username: user.username,
            first_name: user.first_name,
            last_name: user.last_name,
            created_at: user.created_at,
            bolts_balance: user.balances[Currency::Bolts].get(),
            sats_balance: user.balances[Currency::Sats].get(),
            is_admin: user.is_admin,
            must_change_password: user.must_change_password,
        }
    }
}

/// A user who was found by the beginning of the username.
#[derive(Serialize, ToSchema)]
#[schema(as = NamedUser)]
pub(crate) struct NamedUserJson {
    #[schema(value_type = String)]
    id: UserId,
    username: String,
}

impl From<NamedUser> for NamedUserJson {
    fn from(NamedUser { id, username }: NamedUser) -> Self {
        Self { id, username }
    }
}
