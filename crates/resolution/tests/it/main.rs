//! Tests of the rules in `docs/domain-rules.md`: who may do what to a bet, and what the clock does.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod arbiter;
mod deadlines;
mod deadlines_put_off;
mod deadlines_reminders;
mod effects;
mod model;
mod support;
mod table;
mod table_run;
mod turns;
