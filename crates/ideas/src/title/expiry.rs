//! The expiry of a bet, read from its title (`docs/product.md#ideas`).

use bolts_bets::Terms;
use bolts_kernel::{TimeZone, Timestamp};
use chrono::{Days, NaiveDate};

use super::dates::{Kind, Named, dates};
use super::hours::{ClockTime, Zone, first_time};
use super::words::Word;
use crate::new_york::{DEFAULT_HOUR, date_and_time, instant, instant_in};
use crate::trading_days;

/// The last hour that the form offers. A bet with 'tonight' in its title expires at this hour. So does a bet
/// with today's date in its title, if 16:00 or the hour in the title has passed.
const EVENING: u32 = 23;

/// The expiry: the date in the title at the hour in the title or at 16:00 New York time. A title with an hour
/// and without a date gives this hour today or tomorrow. A title without both gives the next trading day at
/// 16:00.
///
/// If the title names several days, the latest day counts. A day takes precedence over a period such as 'this
/// year'. A date that has passed, or that is further ahead than the limit for bets, does not count.
pub(crate) fn expiry(words: &[Word], now: Timestamp) -> (Timestamp, Option<Named>) {
    let today = date_and_time(now).date();
    // An hour in an unknown time zone does not count.
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
        // If the title names a date that does not count, the hour in the title does not apply to another day.
        let by_time = time
            .filter(|_| is_undated)
            .and_then(|time| today_or_tomorrow.filter_map(|day| at(day, time)).find(in_reach));
        let next = || instant(trading_days::next_after(today), DEFAULT_HOUR, 0).unwrap_or(now);
        (by_time.unwrap_or_else(next), None)
    };
    let is_day = |named: &Option<Named>| named.is_some_and(|named| named.kind != Kind::Period);
    reached.max_by_key(|(at, named)| (is_day(named), *at)).unwrap_or_else(fallback)
}

/// The instants that a date can mean, the most likely one first.
fn attempts(named: Named, now: Timestamp, time: Option<ClockTime>) -> [Option<Timestamp>; 2] {
    let today = date_and_time(now).date();
    let meant = |day: NaiveDate| match time {
        Some(time) => at(day, time),
        None if named.evening => instant(day, EVENING, 0),
        None => instant(day, DEFAULT_HOUR, 0),
    };
    let this_evening = || instant(today, EVENING, 0).filter(|_| named.date == today);
    match named.kind {
        Kind::Weekday => [meant(named.date), named.date.checked_add_days(Days::new(7)).and_then(meant)],
        Kind::Day | Kind::Evening | Kind::Period => [meant(named.date), this_evening()],
        Kind::BareYear => [meant(named.date), None],
    }
}

/// The instant of this time on this day, in the time zone that the title names. Midnight means the end of the
/// day.
fn at(day: NaiveDate, time: ClockTime) -> Option<Timestamp> {
    let zone = match time.zone {
        Zone::Known(zone) => zone,
        Zone::Unsaid | Zone::Unknown => TimeZone::NEW_YORK,
    };
    if time.hour == 24 {
        return instant_in(zone, day.succ_opt()?, 0, time.minute);
    }
    // The change to summer time skips an hour. A time in this hour becomes the next full hour.
    instant_in(zone, day, time.hour, time.minute).or_else(|| instant_in(zone, day, time.hour + 1, 0))
}
