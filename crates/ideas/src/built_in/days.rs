//! On which day an idea of the stock is decided, counted from today.

use bolts_kernel::Timestamp;
use chrono::{Datelike, Days, NaiveDate, Weekday};

use crate::title::{month_end, on_or_after};
use crate::{new_york, trading_days};

/// A bet has to be found and accepted before it is decided: nothing is decided sooner than in so many days.
const AHEAD: u64 = 2;

/// Before evening.
const NOON: u32 = 12;

/// When an idea is decided, and when its bet expires: before the outcome can be known, for until then it can be accepted.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// So many days from today, at least [`AHEAD`], at 16:00: what decides begins then, or on the day after.
    InDays(u64),
    /// The next such weekday, 1 for Monday to 7 for Sunday; at noon, before what is played or published in its evening.
    Next(u32),
    /// The next such weekday that decides from its first hour on, wherever: it expires on the eve.
    AllDay(u32),
    /// The Sunday of the next weekend, which begins on the Friday: it expires at noon of that one.
    Weekend,
    /// The last day of a month that is more than a week away: it expires a week before, when the comparison begins.
    MonthEnd,
    /// So many trading days from today, at least three: it expires at the close before, when the comparison begins.
    Trading(u32),
    /// At the close of so many trading days from today, at least two.
    AtClose(u32),
    /// This week's last trading day, or the next week's: it expires at the close before.
    TradingWeekEnd,
    /// The last trading day of a month that is more than a week away: it expires at the last close a week before.
    TradingMonthEnd,
    /// Like another, and only where the day that decides is in one of the months from the first to the last, which may be
    /// one of the next year.
    InSeason(u32, u32, &'static When),
}

/// The days that an idea's text can name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dates {
    /// The day that decides.
    pub(super) event: NaiveDate,
    /// When the bet expires: never later than on the day that decides.
    pub(super) expires_at: Timestamp,
}

impl When {
    /// The days of an idea that is asked for on that day; `None` at the end of the calendar.
    pub(super) fn on(self, today: NaiveDate) -> Option<Dates> {
        let after = |day: NaiveDate, days| day.checked_add_days(Days::new(days));
        let soonest = after(today, AHEAD)?;
        let weekday = |from: NaiveDate, number| on_or_after(from, weekday_of(number)?);
        let before = |day: NaiveDate, days| day.checked_sub_days(Days::new(days));
        // The day that decides, and the day and hour of the expiry.
        let (event, day, hour) = match self {
            Self::InDays(days) => same_day(after(today, days.max(AHEAD))?, new_york::DEFAULT_HOUR),
            Self::Next(number) => same_day(weekday(soonest, number)?, NOON),
            Self::AllDay(number) => {
                let event = weekday(after(soonest, 1)?, number)?;
                (event, before(event, 1)?, new_york::DEFAULT_HOUR)
            }
            Self::Weekend => {
                let event = on_or_after(after(soonest, 2)?, Weekday::Sun)?;
                (event, before(event, 2)?, NOON)
            }
            Self::MonthEnd => {
                let event = end_of_month(after(today, 10)?)?;
                (event, before(event, 7)?, new_york::DEFAULT_HOUR)
            }
            Self::Trading(count) => at_close_before(trading_days_after(today, count.max(3)), 1)?,
            Self::AtClose(count) => {
                let event = trading_days_after(today, count.max(2));
                same_day(event, close_of(event))
            }
            Self::TradingWeekEnd => {
                let friday = on_or_after(soonest, Weekday::Fri)?;
                let this = at_close_before(trading_days::last_until(friday), 1)?;
                // A holiday can move the week's end to before the soonest day.
                if this.1 >= soonest {
                    this
                } else {
                    at_close_before(trading_days::last_until(after(friday, 7)?), 1)?
                }
            }
            Self::TradingMonthEnd => {
                at_close_before(trading_days::last_until(end_of_month(after(today, 17)?)?), 7)?
            }
            Self::InSeason(_, _, when) => return when.on(today),
        };
        let expires_at = new_york::instant(day, hour, 0)?;
        Some(Dates { event, expires_at })
    }

    /// Whether an idea that is asked for on that day is decided in its season.
    pub(super) fn is_in_season(self, today: NaiveDate) -> bool {
        match self {
            Self::InSeason(first, last, when) => when.on(today).is_some_and(|dates| {
                let month = dates.event.month();
                if first <= last { (first..=last).contains(&month) } else { month >= first || month <= last }
            }),
            Self::InDays(_)
            | Self::Next(_)
            | Self::AllDay(_)
            | Self::Weekend
            | Self::MonthEnd
            | Self::Trading(_)
            | Self::AtClose(_)
            | Self::TradingWeekEnd
            | Self::TradingMonthEnd => true,
        }
    }
}

fn trading_days_after(today: NaiveDate, count: u32) -> NaiveDate {
    (0..count).fold(today, |day, _| trading_days::next_after(day))
}

fn same_day(event: NaiveDate, hour: u32) -> (NaiveDate, NaiveDate, u32) {
    (event, event, hour)
}

/// That day, and the last close that is at least so many days before it.
fn at_close_before(event: NaiveDate, days: u64) -> Option<(NaiveDate, NaiveDate, u32)> {
    let day = trading_days::last_until(event.checked_sub_days(Days::new(days))?);
    Some((event, day, close_of(day)))
}

fn close_of(day: NaiveDate) -> u32 {
    trading_days::close_hour(day).unwrap_or(trading_days::CLOSE)
}

fn weekday_of(number: u32) -> Option<Weekday> {
    Weekday::try_from(u8::try_from(number.checked_sub(1)?).ok()?).ok()
}

/// The last day of that day's month.
fn end_of_month(day: NaiveDate) -> Option<NaiveDate> {
    month_end(day.year(), day.month())
}
