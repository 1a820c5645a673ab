use bolts_bets::Arbiter;
use bolts_kernel::UserId;
use bolts_ports::Person;
use serde::Serialize;
use utoipa::ToSchema;

use super::bet::{Email, Viewer, email};
use super::schemas::arbiter_status_schema;

/// The user whom the creator named as the arbiter of a bet.
#[derive(Serialize, ToSchema)]
#[schema(as = Arbiter)]
pub(crate) struct ArbiterJson<'a> {
    #[schema(value_type = String)]
    id: UserId,
    #[schema(required)]
    username: Option<&'a str>,
    /// Masked, e.g. `a•••@example.com`. Only the user and admins see it in full, and not in lists.
    #[schema(value_type = String)]
    email: Email<'a>,
    /// The answer to the invitation, and what became of the task.
    #[schema(schema_with = arbiter_status_schema)]
    status: &'static str,
}

impl<'a> ArbiterJson<'a> {
    /// The arbiter as this viewer sees the user.
    pub(super) fn of(arbiter: Arbiter, person: &'a Person, viewer: Viewer) -> Self {
        Self {
            id: arbiter.user,
            username: person.username.as_deref(),
            email: email(person, arbiter.user, viewer),
            status: arbiter.status.as_str(),
        }
    }
}
