//! On which day an idea of the stock is decided, counted from today.

use bolts_kernel::Timestamp;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use crate::title::{month_end, on_or_after};
use crate::{new_york, trading_days};

/// A bet has to be found and accepted before it is decided: nothing is decided sooner than in so many days.
const AHEAD: u64 = 2;

/// When an idea is decided.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// So many days from today; at least [`AHEAD`].
    InDays(u64),
    /// The next such weekday, 1 for Monday to 7 for Sunday.
    Next(u32),
    /// The same, at noon.
    NoonOn(u32),
    /// The next such weekday, and so many days until what it decided is published.
    Padded(u32, u64),
    /// The next Sunday whose weekend has not begun, with the days until its figures are published.
    Sunday,
    /// The next such day of the year that is more than a week away.
    On(u32, u32),
    /// The last day of this month, or of the next where less than a week is left.
    MonthEnd,
    /// The last day of this quarter, or of the next where less than two weeks are left.
    QuarterEnd,
    /// So many trading days from today; at least two.
    Trading(u32),
    /// This week's last trading day, or the next week's.
    TradingWeekEnd,
    /// The last trading day of this month, or of the next where less than two weeks are left.
    TradingMonthEnd,
}

/// The days that an idea's text can name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dates {
    /// The day on which it is asked for.
    pub(super) today: NaiveDate,
    /// The day after that one.
    pub(super) tomorrow: NaiveDate,
    /// The day that decides.
    pub(super) event: NaiveDate,
    /// When the bet expires: on the day that decides, or once what it decided is published.
    pub(super) expires_at: Timestamp,
}

impl When {
    /// The days of an idea that is asked for on that day; `None` at the end of the calendar.
    pub(super) fn on(self, today: NaiveDate) -> Option<Dates> {
        let after = |day: NaiveDate, days| day.checked_add_days(Days::new(days));
        let soonest = after(today, AHEAD)?;
        let (event, padding, hour) = match self {
            Self::InDays(days) => (after(today, days.max(AHEAD))?, 0, new_york::DEFAULT_HOUR),
            // What is played in the evening is over by the last hour that the form offers.
            Self::Next(weekday) => (on_or_after(soonest, weekday_of(weekday)?)?, 0, 23),
            Self::NoonOn(weekday) => (on_or_after(soonest, weekday_of(weekday)?)?, 0, 12),
            Self::Padded(weekday, days) => {
                (on_or_after(soonest, weekday_of(weekday)?)?, days, new_york::DEFAULT_HOUR)
            }
            Self::Sunday => (on_or_after(after(today, 3)?, Weekday::Sun)?, 2, new_york::DEFAULT_HOUR),
            Self::On(month, day) => (coming(after(today, 8)?, month, day)?, 0, new_york::DEFAULT_HOUR),
            Self::MonthEnd => (end_of(after(today, 7)?, 1)?, 0, new_york::DEFAULT_HOUR),
            Self::QuarterEnd => (end_of(after(today, 14)?, 3)?, 0, new_york::DEFAULT_HOUR),
            Self::Trading(count) => {
                let later = (0..count.max(2)).fold(today, |day, _| trading_days::next_after(day));
                (later, 0, new_york::DEFAULT_HOUR)
            }
            Self::TradingWeekEnd => {
                let friday = on_or_after(soonest, Weekday::Fri)?;
                let (this, next) =
                    (trading_days::last_until(friday), trading_days::last_until(after(friday, 7)?));
                // A holiday on the Friday can move the week's end to before the soonest day.
                (if this >= soonest { this } else { next }, 0, new_york::DEFAULT_HOUR)
            }
            Self::TradingMonthEnd => {
                let end = end_of(after(today, 14)?, 1)?;
                (trading_days::last_until(end), 0, new_york::DEFAULT_HOUR)
            }
        };
        let expires_at = new_york::instant(after(event, padding)?, hour, 0)?;
        Some(Dates { today, tomorrow: today.succ_opt()?, event, expires_at })
    }
}

fn weekday_of(number: u32) -> Option<Weekday> {
    Weekday::try_from(u8::try_from(number.checked_sub(1)?).ok()?).ok()
}

/// The next such day of the year, from that day on.
fn coming(from: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    let this = NaiveDate::from_ymd_opt(from.year(), month, day)?;
    if this >= from { Some(this) } else { NaiveDate::from_ymd_opt(from.year() + 1, month, day) }
}

/// The last day of that day's period of so many months.
fn end_of(day: NaiveDate, months: u32) -> Option<NaiveDate> {
    let to_last = (months - 1) - day.month0() % months;
    let last = day.with_day(1)?.checked_add_months(Months::new(to_last))?;
    month_end(last.year(), last.month())
}
