//! When a bet of that title should expire (decisions, section 10).

use std::time::Duration;

use bolts_bets::Terms;
use bolts_kernel::Timestamp;
use chrono::{Days, NaiveDate};
use chrono_tz::America;

use super::dates::{Kind, Named, dates};
use super::hours::{ClockTime, Zone, first_time};
use super::words::Word;
use crate::new_york::{DEFAULT_HOUR, date_and_time, instant, instant_in};
use crate::trading_days;

/// The hour meant by 'tonight', and by a day that is today when 16:00, or the hour that is named, has passed: the last that the form offers.
const EVENING: u32 = 23;

/// An hour, in seconds.
const HOUR: u64 = 3_600;

/// The date that the title names at 16:00 New York, or at the hour it names; else the next trading day at 16:00.
///
/// Of several days the latest counts, and any day before a period such as 'this year'. One that has passed, or that is
/// further away than a bet may run, names nothing.
pub(crate) fn expiry(words: &[Word], now: Timestamp) -> (Timestamp, Option<Named>) {
    let today = date_and_time(now).date();
    // An hour by clocks that nobody can tell is none.
    let time = first_time(words).map(|(_, time)| time).filter(|time| time.zone != Zone::Unknown);
    let in_reach = |at: &Timestamp| *at > now && *at <= now.years_after(Terms::MAX_YEARS_AHEAD);
    let all = dates(words, today);
    let has_day = all.iter().any(|named| named.kind != Kind::BareYear);
    let is_undated = all.is_empty();
    let counting = all.into_iter().filter(|named| !(has_day && named.kind == Kind::BareYear));
    let reached = counting.filter_map(|named| {
        let tries = attempts(named, now, time);
        Some((tries.into_iter().flatten().find(in_reach)?, Some(named)))
    });
    let fallback = || {
        let today_or_tomorrow = [Some(today), today.succ_opt()].into_iter().flatten();
        // An hour of a day that is over says nothing about another day.
        let by_time = time
            .filter(|_| is_undated)
            .and_then(|time| today_or_tomorrow.filter_map(|day| at(day, time)).find(in_reach));
        let next = || instant(trading_days::next_after(today), DEFAULT_HOUR, 0).unwrap_or(now);
        (by_time.unwrap_or_else(next), None)
    };
    let is_day = |named: &Option<Named>| named.is_some_and(|named| named.kind != Kind::Period);
    reached.max_by_key(|(at, named)| (is_day(named), *at)).unwrap_or_else(fallback)
}

/// The instants that a date can mean, the likeliest first.
fn attempts(named: Named, now: Timestamp, time: Option<ClockTime>) -> [Option<Timestamp>; 2] {
    let today = date_and_time(now).date();
    let meant = |day: NaiveDate| match time {
        Some(time) => at(day, time),
        None if named.evening => instant(day, EVENING, 0),
        None => instant(day, DEFAULT_HOUR, 0),
    };
    let this_evening = || instant(today, EVENING, 0).filter(|_| named.date == today);
    match named.kind {
        Kind::Hours(count) => [full_hour(now.after(Duration::from_secs(u64::from(count) * HOUR))), None],
        Kind::Weekday => [meant(named.date), named.date.checked_add_days(Days::new(7)).and_then(meant)],
        Kind::Day | Kind::Evening | Kind::Period => [meant(named.date), this_evening()],
        Kind::BareYear => [meant(named.date), None],
    }
}

/// The same instant, or the next at which an hour begins.
fn full_hour(at: Timestamp) -> Option<Timestamp> {
    let micros = i64::try_from(HOUR).ok()? * 1_000_000;
    Timestamp::from_micros((at.micros().checked_add(micros - 1)?).div_euclid(micros) * micros).ok()
}

/// That time on that day, by the clocks it names; midnight is the one at the day's end.
fn at(day: NaiveDate, time: ClockTime) -> Option<Timestamp> {
    let zone = match time.zone {
        Zone::Known(zone) => zone,
        Zone::Unsaid | Zone::Unknown => America::New_York,
    };
    if time.hour == 24 {
        return instant_in(zone, day.succ_opt()?, 0, time.minute);
    }
    // An hour that the spring change skips ends with the next one.
    instant_in(zone, day, time.hour, time.minute).or_else(|| instant_in(zone, day, time.hour + 1, 0))
}
