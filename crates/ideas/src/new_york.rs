//! Conversions from and to New York time, which is the default time zone of expiries.

pub use bolts_kernel::to_new_york as date_and_time;

use bolts_kernel::Timestamp;
use chrono::{NaiveDate, NaiveTime, TimeZone};
use chrono_tz::{America::New_York, Tz};

/// The hour, in New York time, at which a bet expires if its title names no hour (`docs/product.md#ideas`).
pub const DEFAULT_HOUR: u32 = 16;

/// The instant at which clocks in New York show this date and time.
///
/// The change to summer time skips an hour. For a time in this hour the result is `None`. The change to
/// winter time repeats an hour. For a time in this hour the result is the first of the two instants.
pub fn instant(date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    instant_in(New_York, date, hour, minute)
}

/// The instant at which clocks in this time zone show this date and time. Skipped and repeated hours are
/// treated as in [`instant`].
pub(crate) fn instant_in(zone: Tz, date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    let time = NaiveTime::from_hms_opt(hour, minute, 0)?;
    let local = zone.from_local_datetime(&date.and_time(time)).earliest()?;
    Some(local.to_utc().into())
}

/// The instant of 16:00 in New York on this date. No change of the clocks skips 16:00.
pub fn afternoon(date: NaiveDate) -> Timestamp {
    let fallback = || Timestamp::from(date.and_time(NaiveTime::MIN).and_utc());
    instant(date, DEFAULT_HOUR, 0).unwrap_or_else(fallback)
}
