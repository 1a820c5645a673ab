use chrono::{NaiveDate, NaiveDateTime, TimeZone};
use chrono_tz::America::New_York;

use crate::Timestamp;

/// The instant at which clocks in New York show this full hour, 0 to 23, of this day: the zone in which bets expire.
///
/// `None` for an hour that the spring change skips, which is therefore not offered; of one that the autumn change
/// repeats, the first is meant. The pages decide by the same rule, and one table of cases tests both.
pub fn from_new_york(date: NaiveDate, hour: u32) -> Option<Timestamp> {
    let shown = date.and_hms_opt(hour, 0, 0)?;
    New_York.from_local_datetime(&shown).earliest().map(|at| Timestamp::from(at.to_utc()))
}

/// What calendar and clock in New York show at this instant.
pub fn to_new_york(at: Timestamp) -> NaiveDateTime {
    at.to_chrono().with_timezone(&New_York).naive_local()
}
