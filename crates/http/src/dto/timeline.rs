use bolts_bets::{Bet, Event, EventKind};
use bolts_kernel::Timestamp;
use bolts_resolution::deadlines::{self, Deadline};
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::{author_schema, event_schema, step_schema};

/// The next step of the clock if nobody acts.
#[derive(Serialize, ToSchema)]
#[schema(as = NextEvent)]
pub(crate) struct NextJson {
    #[schema(schema_with = step_schema)]
    event: &'static str,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

impl From<Deadline> for NextJson {
    fn from(deadline: Deadline) -> Self {
        Self { event: deadline.step.as_str(), at: deadline.at }
    }
}

/// One event in the history of a bet.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineEvent)]
pub(crate) struct EventJson {
    #[schema(format = DateTime)]
    at: String,
    #[schema(schema_with = event_schema)]
    event: &'static str,
    #[schema(schema_with = author_schema)]
    by: &'static str,
    /// The outcome, reason or note of the event.
    #[schema(required)]
    detail: Option<String>,
}

impl EventJson {
    /// The event. The text of a dispute appears only if `is_concerned`.
    pub(crate) fn of(event: Event, is_concerned: bool) -> Self {
        Self {
            at: event.at.to_string(),
            event: event.kind.as_str(),
            by: event.by.as_str(),
            detail: event.detail.filter(|_| is_concerned || event.kind != EventKind::Disputed),
        }
    }
}

/// The latest 500 events in the history of a bet, oldest first, and the next step of the clock.
#[derive(Serialize, ToSchema)]
#[schema(as = Timeline)]
pub(crate) struct TimelineJson {
    events: Vec<EventJson>,
    #[schema(required)]
    next: Option<NextJson>,
}

impl TimelineJson {
    /// The timeline of a bet. The texts of a dispute appear only if `is_concerned`.
    pub(crate) fn of(bet: &Bet, events: Vec<Event>, is_concerned: bool) -> Self {
        Self {
            events: events.into_iter().map(|event| EventJson::of(event, is_concerned)).collect(),
            next: deadlines::decision(bet).map(NextJson::from),
        }
    }
}
