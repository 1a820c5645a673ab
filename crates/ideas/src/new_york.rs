//! New York clocks: bets expire by them, wherever their parties live.

pub use bolts_kernel::to_new_york as date_and_time;

use bolts_kernel::Timestamp;
use chrono::{NaiveDate, NaiveTime, TimeZone};
use chrono_tz::{America::New_York, Tz};

/// The hour at which a bet expires whose title names none (specification, section 9).
pub const DEFAULT_HOUR: u32 = 16;

/// The instant at which New York clocks show that time.
///
/// Of an hour that the autumn change repeats the first is meant; one that the spring change skips has none.
pub fn instant(date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    instant_in(New_York, date, hour, minute)
}

/// The same by the clocks of another zone.
pub(crate) fn instant_in(zone: Tz, date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    let time = NaiveTime::from_hms_opt(hour, minute, 0)?;
    let local = zone.from_local_datetime(&date.and_time(time)).earliest()?;
    Some(local.to_utc().into())
}

/// 16:00 on that day; no change of the clocks ever skips it.
pub fn afternoon(date: NaiveDate) -> Timestamp {
    let fallback = || Timestamp::from(date.and_time(NaiveTime::MIN).and_utc());
    instant(date, DEFAULT_HOUR, 0).unwrap_or_else(fallback)
}
