//! When a bet of that title should expire (decisions, section 10).

use bolts_bets::Terms;
use bolts_kernel::Timestamp;
use chrono::{Days, NaiveDate};
use chrono_tz::America;

use super::dates::{Kind, Named, dates};
use super::hours::{ClockTime, first_time};
use super::words::Word;
use crate::new_york::{DEFAULT_HOUR, date_and_time, instant, instant_in};
use crate::trading_days;

/// The hour meant by 'tonight', and by a day that is today when 16:00 has passed: the last that the form offers.
const EVENING: u32 = 23;

/// The date that the title names at 16:00 New York, or at the hour it names; else the next trading day at 16:00.
///
/// Of several days the latest counts, and any day before a period such as 'this year'. One that has passed, or that is further away than a bet may run, names nothing.
pub(crate) fn expiry(words: &[Word], now: Timestamp) -> (Timestamp, Option<Named>) {
    let today = date_and_time(now).date();
    let time = first_time(words).map(|(_, time)| time);
    let in_reach = |at: &Timestamp| *at > now && *at <= now.years_after(Terms::MAX_YEARS_AHEAD);
    let all = dates(words, today);
    let has_day = all.iter().any(|named| named.kind != Kind::BareYear);
    let counting = all.into_iter().filter(|named| !(has_day && named.kind == Kind::BareYear));
    let reached = counting.filter_map(|named| {
        let tries = attempts(named, today, time);
        Some((tries.into_iter().flatten().find(in_reach)?, Some(named)))
    });
    let fallback = || {
        let today_or_tomorrow = [Some(today), today.succ_opt()].into_iter().flatten();
        let by_time = time.and_then(|time| today_or_tomorrow.filter_map(|day| at(day, time)).find(in_reach));
        let next = || instant(trading_days::next_after(today), DEFAULT_HOUR, 0).unwrap_or(now);
        (by_time.unwrap_or_else(next), None)
    };
    let is_day = |named: &Option<Named>| named.is_some_and(|named| named.kind != Kind::Period);
    reached.max_by_key(|(at, named)| (is_day(named), *at)).unwrap_or_else(fallback)
}

/// The instants that a date can mean, the likeliest first.
fn attempts(named: Named, today: NaiveDate, time: Option<ClockTime>) -> [Option<Timestamp>; 2] {
    let meant = |day: NaiveDate| match time {
        Some(time) => at(day, time),
        None if named.kind == Kind::Tonight => instant(day, EVENING, 0),
        None => instant(day, DEFAULT_HOUR, 0),
    };
    let second = match named.kind {
        Kind::Weekday => named.date.checked_add_days(Days::new(7)).and_then(meant),
        Kind::Day | Kind::Tonight | Kind::Period if named.date == today && time.is_none() => {
            instant(today, EVENING, 0)
        }
        Kind::Day | Kind::Tonight | Kind::Period | Kind::BareYear => None,
    };
    [meant(named.date), second]
}

/// That time on that day, by the clocks it names; midnight is the one at the day's end.
fn at(day: NaiveDate, time: ClockTime) -> Option<Timestamp> {
    let zone = time.zone.unwrap_or(America::New_York);
    if time.hour == 24 {
        return instant_in(zone, day.succ_opt()?, 0, time.minute);
    }
    // An hour that the spring change skips ends with the next one.
    instant_in(zone, day, time.hour, time.minute).or_else(|| instant_in(zone, day, time.hour + 1, 0))
}
