//! The trading days of the New York Stock Exchange and the times of their close, computed from the rules of
//! the exchange.
//!
//! No public crate fits: the maintained crate (`nyse-holiday-cal`) has no early closes, and the calendars of
//! other crates end before 2035. The exchange has few rules, and has not changed them since 2022.
//! `tests/it/calendar.rs` compares the results with the list that the exchange publishes.

use std::iter::successors;

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// The hour at which trading ends on a normal trading day, in New York time.
pub const CLOSE: u32 = 16;

/// The hour at which trading ends on the day before some holidays and on the day after Thanksgiving, in New
/// York time.
pub const EARLY_CLOSE: u32 = 13;

/// Days on which the exchange is closed although no rule says so. The exchange announces such a day only a few
/// days before.
const CLOSED_ONCE: [(i32, u32, u32, &str); 1] = [(2025, 1, 9, "National Day of Mourning")];

/// The holiday for which the exchange is closed on this date, if any. A weekend is not a holiday.
pub fn holiday(date: NaiveDate) -> Option<&'static str> {
    let once =
        |(y, m, d, _): &&(i32, u32, u32, &str)| (date.year(), date.month(), date.day()) == (*y, *m, *d);
    if let Some((_, _, _, name)) = CLOSED_ONCE.iter().find(once) {
        return Some(name);
    }
    let year = date.year();
    // If New Year's Day is a Saturday, the exchange is open on the Friday before, because the accounting year
    // ends on this Friday.
    let new_year = day(year, 1, 1).filter(|first| first.weekday() != Weekday::Sat).and_then(observed);
    let all = [
        (new_year, "New Year's Day"),
        (nth(year, 1, Weekday::Mon, 3), "Martin Luther King, Jr. Day"),
        (nth(year, 2, Weekday::Mon, 3), "Washington's Birthday"),
        (easter(year).and_then(|sunday| sunday.checked_sub_days(Days::new(2))), "Good Friday"),
        (last(year, 5, Weekday::Mon), "Memorial Day"),
        (day(year, 6, 19).and_then(observed), "Juneteenth"),
        (day(year, 7, 4).and_then(observed), "Independence Day"),
        (nth(year, 9, Weekday::Mon, 1), "Labor Day"),
        (thanksgiving(year), "Thanksgiving Day"),
        (day(year, 12, 25).and_then(observed), "Christmas Day"),
    ];
    all.into_iter().find(|(on, _)| *on == Some(date)).map(|(_, name)| name)
}

/// Whether the exchange trades on this date.
pub fn is_trading_day(date: NaiveDate) -> bool {
    !matches!(date.weekday(), Weekday::Sat | Weekday::Sun) && holiday(date).is_none()
}

/// The hour at which trading ends on this date, in New York time. `None` if the exchange is closed.
///
/// Trading ends at 13:00 on the day after Thanksgiving, and on 3 July and 24 December if that day is a Monday,
/// Tuesday, Wednesday or Thursday. On all other trading days, trading ends at 16:00.
pub fn close_hour(date: NaiveDate) -> Option<u32> {
    if !is_trading_day(date) {
        return None;
    }
    let before_friday = date.weekday().num_days_from_monday() < Weekday::Fri.num_days_from_monday();
    let is_eve = matches!((date.month(), date.day()), (7, 3) | (12, 24)) && before_friday;
    let after_thanksgiving = thanksgiving(date.year()).and_then(|day| day.succ_opt()) == Some(date);
    Some(if is_eve || after_thanksgiving { EARLY_CLOSE } else { CLOSE })
}

/// The first trading day after this date.
pub fn next_after(date: NaiveDate) -> NaiveDate {
    let later = successors(date.succ_opt(), NaiveDate::succ_opt);
    later.take(14).find(|day| is_trading_day(*day)).unwrap_or(date)
}

/// The last trading day on or before this date.
pub fn last_until(date: NaiveDate) -> NaiveDate {
    let earlier = successors(Some(date), NaiveDate::pred_opt);
    earlier.take(14).find(|day| is_trading_day(*day)).unwrap_or(date)
}

fn day(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, day)
}

/// The day on which the exchange is closed for a holiday: the Friday before a Saturday, the Monday after a
/// Sunday, otherwise the holiday itself.
fn observed(holiday: NaiveDate) -> Option<NaiveDate> {
    match holiday.weekday() {
        Weekday::Sat => holiday.pred_opt(),
        Weekday::Sun => holiday.succ_opt(),
        Weekday::Mon | Weekday::Tue | Weekday::Wed | Weekday::Thu | Weekday::Fri => Some(holiday),
    }
}

fn nth(year: i32, month: u32, weekday: Weekday, n: u8) -> Option<NaiveDate> {
    NaiveDate::from_weekday_of_month_opt(year, month, weekday, n)
}

fn last(year: i32, month: u32, weekday: Weekday) -> Option<NaiveDate> {
    nth(year, month, weekday, 5).or_else(|| nth(year, month, weekday, 4))
}

/// Thanksgiving Day, which is the fourth Thursday of November.
fn thanksgiving(year: i32) -> Option<NaiveDate> {
    nth(year, 11, Weekday::Thu, 4)
}

/// Easter Sunday of the Gregorian calendar, by the usual computation with the 19-year cycle of the moon.
fn easter(year: i32) -> Option<NaiveDate> {
    let century = year / 100;
    let golden = year % 19;
    let skipped = century - century / 4 - (8 * century + 13) / 25;
    let moon = (skipped + 19 * golden + 15) % 30;
    let moon = moon - (moon / 28) * (1 - (29 / (moon + 1)) * ((21 - golden) / 11));
    let weekday = (year + year / 4 + moon + 2 - century + century / 4) % 7;
    let from_march = moon - weekday;
    let month = 3 + (from_march + 40) / 44;
    let day_of_month = from_march + 28 - 31 * (month / 4);
    day(year, u32::try_from(month).ok()?, u32::try_from(day_of_month).ok()?)
}
