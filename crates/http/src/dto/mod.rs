//! The JSON of answers: camelCase, times in RFC 3339, amounts as whole numbers, absent values as `null`.

mod achievement;
mod admin;
mod arbiter;
mod bet;
mod deletion;
mod export;
mod figures;
mod idea;
mod key;
mod message;
mod notification;
mod schemas;
mod security;
mod timeline;
mod user;
mod wallet;

pub(crate) use achievement::AchievementJson;
pub(crate) use admin::{AdminActionJson, GrantedBoltsJson, RefundJson, TemporaryPasswordJson};
pub(crate) use bet::{BetJson, Viewer};
pub(crate) use deletion::{DeletionJson, ObstacleJson};
pub(crate) use export::{
    ActionOnUserJson, BetEventJson, NoticeDestinationJson, OwnDepositJson, OwnMessageJson, OwnPictureJson,
};
pub(crate) use figures::{CountJson, MarketStatsJson, StatsJson, TurnCountJson};
pub(crate) use idea::{IdeaJson, RemarkJson};
pub(crate) use key::ApiKeyJson;
pub(crate) use message::{MessageJson, UploadedJson};
pub(crate) use notification::NotificationJson;
pub(crate) use schemas::{
    code_schema, currency_schema, digest_schema, method_schema, scopes_schema, settling_schema, side_schema,
};
pub(crate) use security::{
    CeremonyJson, EndedSessionsJson, FactorsJson, NewTotpJson, RecoveryCodesJson, SessionJson, SteppedUpJson,
};
pub(crate) use timeline::TimelineJson;
pub(crate) use user::{NamedUserJson, UserJson};
pub(crate) use wallet::{
    AddedSatsJson, AdminWalletJson, AdminWithdrawalJson, ConfigJson, DepositStatusJson, InvoiceJson,
    MovementJson, QuoteJson, TestInvoiceJson, WithdrawalJson,
};

use serde::Serialize;
use utoipa::ToSchema;

/// The answer of a call that returns no data.
#[derive(Serialize, ToSchema)]
#[schema(as = Done)]
pub(crate) struct DoneJson {
    /// Always true.
    pub(crate) ok: bool,
}

/// The number of notifications that were unread.
#[derive(Serialize, ToSchema)]
#[schema(as = MarkedRead)]
pub(crate) struct MarkedReadJson {
    /// The number.
    pub(crate) marked: u64,
}

/// The number of removed notifications.
#[derive(Serialize, ToSchema)]
#[schema(as = Cleared)]
pub(crate) struct ClearedJson {
    /// The number.
    pub(crate) cleared: u64,
}

/// The result of a proposal or declaration.
#[derive(Serialize, ToSchema)]
#[schema(as = Proposed)]
pub(crate) struct ProposedJson<'a> {
    /// A text for the user. Contains 'Manual Verification' if the declaration settled the bet.
    pub(crate) message: &'a str,
    /// The bet after the call.
    pub(crate) bet: BetJson<'a>,
}
