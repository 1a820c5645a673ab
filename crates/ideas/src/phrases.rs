//! Dates and times as text for titles and descriptions.

use bolts_kernel::Timestamp;
use chrono::{NaiveDate, Timelike};

use crate::new_york::date_and_time;

/// A date such as `November 27, 2026`.
pub(crate) fn date(day: NaiveDate) -> String {
    day.format("%B %-d, %Y").to_string()
}

/// A date such as `Friday, November 27, 2026`.
pub(crate) fn long_date(day: NaiveDate) -> String {
    day.format("%A, %B %-d, %Y").to_string()
}

/// An instant such as `4:00 PM New York time on Friday, November 27, 2026`.
pub(crate) fn moment(at: Timestamp) -> String {
    let local = date_and_time(at);
    let hour = hour(local.hour(), local.minute());
    format!("{hour} New York time on {}", long_date(local.date()))
}

/// A time such as `4:00 PM`.
pub(crate) fn hour(hour: u32, minute: u32) -> String {
    let half = if hour < 12 { "AM" } else { "PM" };
    let of_twelve = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
    format!("{of_twelve}:{minute:02} {half}")
}
