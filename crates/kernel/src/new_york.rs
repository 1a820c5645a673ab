//! New York time. Expiries of bets are chosen in this time zone.

use chrono::NaiveDateTime;
use chrono_tz::America::New_York;

use crate::Timestamp;

/// The date and time that clocks in New York show at this instant.
pub fn to_new_york(at: Timestamp) -> NaiveDateTime {
    at.to_chrono().with_timezone(&New_York).naive_local()
}
