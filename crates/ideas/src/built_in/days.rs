//! The dates of an idea of the stock, computed from today's date: the decision day, on which the outcome is
//! decided, and the expiry of the bet.

use bolts_kernel::Timestamp;
use chrono::{Datelike, Days, NaiveDate, Weekday};

use crate::title::{month_end, on_or_after};
use crate::{new_york, trading_days};

/// The minimum number of days between today and the decision day. Users need this time to find and accept the
/// bet.
const AHEAD: u64 = 2;

/// The hour of the expiry if the event is in the evening.
const NOON: u32 = 12;

/// The rule for the decision day of an idea and for the expiry of its bet. Users can accept a bet until its
/// expiry, so the bet expires before the outcome can be known.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// The decision day is this number of days after today, at least [`AHEAD`]. The bet expires on this day at
    /// 16:00. The event begins at 16:00 or on the next day.
    InDays(u64),
    /// The decision day is the next weekday with this number, from 1 for Monday to 7 for Sunday. The bet
    /// expires on this day at noon. The event is in the evening.
    Next(u32),
    /// The decision day is the next weekday with this number, from 1 for Monday to 7 for Sunday. The bet
    /// expires on the day before at 16:00, because the event can begin in the first hour of the day, in any
    /// time zone.
    AllDay(u32),
    /// The decision day is the Sunday of the next weekend. The bet expires at noon on the Friday, when the
    /// weekend begins.
    Weekend,
    /// The decision day is the last day of a month, more than a week from today. The bet expires a week
    /// earlier, when the period of the comparison begins.
    MonthEnd,
    /// The decision day is this number of trading days after today, at least three. The bet expires at the
    /// close of the trading day before, when the period of the comparison begins.
    Trading(u32),
    /// The decision day is this number of trading days after today, at least two. The bet expires at the close
    /// of this day.
    AtClose(u32),
    /// The decision day is the last trading day of this week or of the next week. The bet expires at the close
    /// of the trading day before.
    TradingWeekEnd,
    /// The decision day is the last trading day of a month, more than a week from today. The bet expires at the
    /// last close that is at least a week before.
    TradingMonthEnd,
    /// The dates follow the rule in the third value. The idea is offered only if the decision day is in the
    /// season of the idea. The numbers are the first and the last month of the season, from 1 to 12. A season
    /// may continue into the next year.
    InSeason(u32, u32, &'static When),
}

/// The dates of an idea.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dates {
    /// The decision day of the idea.
    pub(super) event: NaiveDate,
    /// The expiry of the bet, which is never later than the decision day.
    pub(super) expires_at: Timestamp,
}

impl When {
    /// The dates of an idea that a user requests on the day `today`. `None` if a date is out of the
    /// calendar's range.
    pub(super) fn on(self, today: NaiveDate) -> Option<Dates> {
        let after = |day: NaiveDate, days| day.checked_add_days(Days::new(days));
        let soonest = after(today, AHEAD)?;
        let weekday = |from: NaiveDate, number| on_or_after(from, weekday_of(number)?);
        let before = |day: NaiveDate, days| day.checked_sub_days(Days::new(days));
        // The decision day, and the day and hour of the expiry.
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
                // If the week ends with a holiday, the expiry can be too soon. Then the idea is about the next
                // week.
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

    /// Whether the decision day of an idea is in the season of the idea, if a user requests the idea on the day
    /// `today`.
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

/// The decision day, and the day and hour of the last close that is at least `days` days earlier.
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

/// The last day of the month that contains this day.
fn end_of_month(day: NaiveDate) -> Option<NaiveDate> {
    month_end(day.year(), day.month())
}
