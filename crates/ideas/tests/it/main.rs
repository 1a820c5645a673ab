//! Tests of the stock of ideas, the rules that read titles and wordings, the trading days, and the adapter
//! for models, which talks to a scripted server.

mod calendar;
mod model;
mod server;
mod stock;
mod titles;
mod wordings;

use bolts_kernel::Timestamp;

/// The current time in these tests: Wednesday, 18 November 2026, 10:00 in New York.
pub(crate) fn now() -> Timestamp {
    Timestamp::parse("2026-11-18T15:00:00Z").expect("usable")
}
