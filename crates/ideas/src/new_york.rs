//! Conversions from and to New York time, which is the default time zone of expiries.

use bolts_kernel::{TimeZone, Timestamp};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// The hour, in New York time, at which a bet expires if its title names no hour (`docs/product.md#ideas`).
pub const DEFAULT_HOUR: u32 = 16;

/// The date and time that clocks in New York show at this instant.
pub fn date_and_time(at: Timestamp) -> NaiveDateTime {
    TimeZone::NEW_YORK.local(at)
}

/// The instant at which clocks in New York show this date and time. For hours that a change of the clocks skips or repeats,
/// see [`TimeZone::instant`].
pub fn instant(date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    instant_in(TimeZone::NEW_YORK, date, hour, minute)
}

/// The instant at which clocks in this time zone show this date and time.
pub(crate) fn instant_in(zone: TimeZone, date: NaiveDate, hour: u32, minute: u32) -> Option<Timestamp> {
    let time = NaiveTime::from_hms_opt(hour, minute, 0)?;
    zone.instant(date.and_time(time))
}

/// The instant of 16:00 in New York on this date. No change of the clocks skips 16:00.
pub fn afternoon(date: NaiveDate) -> Timestamp {
    let fallback = || Timestamp::from(date.and_time(NaiveTime::MIN).and_utc());
    instant(date, DEFAULT_HOUR, 0).unwrap_or_else(fallback)
}
