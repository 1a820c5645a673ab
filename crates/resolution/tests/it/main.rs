//! Who may do what to a bet and what the clock settles, judged against section 5 of the decisions.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod clock;
mod clock_put_off;
mod clock_reminders;
mod effects;
mod model;
mod stage;
mod table;
mod table_run;
