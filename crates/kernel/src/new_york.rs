//! New York time. Expiries of bets are chosen in this time zone.

use chrono::{NaiveDate, NaiveDateTime, TimeZone};
use chrono_tz::America::New_York;

use crate::Timestamp;

/// The instant at which clocks in New York show this date and this full hour (0 to 23).
///
/// The change to summer time skips an hour. For this hour the result is `None`, and the pages do not offer
/// the hour. The change to winter time repeats an hour. For this hour the result is the first of the two
/// instants. The pages follow the same rule (`frontend/src/lib`). The same table of cases tests both.
pub fn from_new_york(date: NaiveDate, hour: u32) -> Option<Timestamp> {
    let shown = date.and_hms_opt(hour, 0, 0)?;
    New_York.from_local_datetime(&shown).earliest().map(|at| Timestamp::from(at.to_utc()))
}

/// The date and time that clocks in New York show at this instant.
pub fn to_new_york(at: Timestamp) -> NaiveDateTime {
    at.to_chrono().with_timezone(&New_York).naive_local()
}
