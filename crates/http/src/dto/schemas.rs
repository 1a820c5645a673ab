//! The OpenAPI schemas of texts that are names of values. The domain has the lists of the names.

use bolts_bets::{
    Action, ArbiterStatus, By, CancelReason, Category, EventKind, Method, Outcome, SettledBy, Side, Status,
};
use bolts_delivery::Digest;
use bolts_kernel::{Code, Currency};
use bolts_keys::Scope;
use bolts_ledger::TransferKind;
use bolts_ports::WordingField;
use bolts_resolution::Task;
use bolts_resolution::deadlines::Step;
use bolts_usecases::accounts::ObstacleKind;
use bolts_wallet::{DepositStatus, WithdrawalStatus};
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, SchemaType, Type};

fn one_of(values: &[&'static str]) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values.iter().copied())).build()
}

fn one_of_or_null(values: &[&'static str]) -> Object {
    let values: Vec<Option<&str>> = values.iter().copied().map(Some).chain([None]).collect();
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(values))
        .build()
}

pub(super) fn list_of(values: &[&'static str]) -> Array {
    ArrayBuilder::new().items(one_of(values)).build()
}

/// Defines a schema function for each enum.
macro_rules! name_schemas {
    ($($function:ident: $form:ident $type:ident;)*) => {$(
        pub(crate) fn $function() -> utoipa::openapi::schema::Object {
            $form(&$type::ALL.map($type::as_str))
        }
    )*};
}

name_schemas! {
    arbiter_status_schema: one_of ArbiterStatus;
    cancel_reason_schema: one_of_or_null CancelReason;
    category_schema: one_of Category;
    code_schema: one_of Code;
    currency_schema: one_of Currency;
    deposit_status_schema: one_of DepositStatus;
    digest_schema: one_of Digest;
    event_schema: one_of EventKind;
    method_schema: one_of Method;
    obstacle_schema: one_of ObstacleKind;
    outcome_schema: one_of_or_null Outcome;
    settled_by_schema: one_of_or_null SettledBy;
    settling_schema: one_of Outcome;
    side_schema: one_of Side;
    status_schema: one_of Status;
    task_schema: one_of_or_null Task;
    transfer_schema: one_of TransferKind;
    winning_schema: one_of_or_null Side;
    withdrawal_status_schema: one_of WithdrawalStatus;
    wording_field_schema: one_of WordingField;
}

pub(super) fn author_schema() -> Object {
    one_of(&By::ROLES)
}

/// The steps of the clock that end a bet.
pub(super) fn step_schema() -> Object {
    one_of(&Step::ENDS.map(Step::as_str))
}

pub(super) fn actions_schema() -> Array {
    list_of(&Action::ALL.map(Action::as_str))
}

pub(crate) fn scopes_schema() -> Array {
    list_of(&Scope::ALL.map(Scope::as_str))
}
