//! Tests that compare the trading days with the list of the exchange.

use bolts_ideas::trading_days;
use chrono::{Datelike, NaiveDate, Weekday};

/// Each line has the year, the holidays on weekdays, and the early closes after the bar. The exchange published
/// the lists of 2024 to 2028. The later lists follow the rules of the exchange, and were compared with an
/// independent calendar.
const YEARS: &str = "
2024 01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25 | 07-03 11-29 12-24
2025 01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25 | 07-03 11-28 12-24
2026 01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25 | 11-27 12-24
2027 01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24 | 11-26
2028 01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25 | 07-03 11-24
2029 01-01 01-15 02-19 03-30 05-28 06-19 07-04 09-03 11-22 12-25 | 07-03 11-23 12-24
2030 01-01 01-21 02-18 04-19 05-27 06-19 07-04 09-02 11-28 12-25 | 07-03 11-29 12-24
2031 01-01 01-20 02-17 04-11 05-26 06-19 07-04 09-01 11-27 12-25 | 07-03 11-28 12-24
2032 01-01 01-19 02-16 03-26 05-31 06-18 07-05 09-06 11-25 12-24 | 11-26
2033 01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26 | 11-25
2034 01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25 | 07-03 11-24
2035 01-01 01-15 02-19 03-23 05-28 06-19 07-04 09-03 11-22 12-25 | 07-03 11-23 12-24
";

#[test]
fn every_day_from_2024_to_2035_matches_the_calendar_of_the_exchange() {
    let mut days = 0;
    for line in YEARS.lines().filter(|line| !line.is_empty()) {
        let (year, rest) = line.split_once(' ').unwrap();
        let (closed, early) = rest.split_once(" | ").unwrap();
        let on = |list: &str, day: &str| list.split(' ').any(|one| one == day);
        let first = NaiveDate::from_ymd_opt(year.parse().unwrap(), 1, 1).unwrap();
        for date in first.iter_days().take_while(|date| date.year() == first.year()) {
            let day = date.format("%m-%d").to_string();
            let is_weekend = matches!(date.weekday(), Weekday::Sat | Weekday::Sun);
            let expected = match (is_weekend || on(closed, &day), on(early, &day)) {
                (true, _) => None,
                (false, true) => Some(13),
                (false, false) => Some(16),
            };
            assert_eq!(trading_days::close_hour(date), expected, "{date}");
            assert_eq!(trading_days::is_trading_day(date), expected.is_some(), "{date}");
            days += 1;
        }
    }
    assert_eq!(days, 4_383, "twelve years, three of them leap years");
}

#[test]
fn the_next_trading_day_skips_weekends_and_holidays() {
    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    for (date, next, last) in [
        ("2026-11-18", "2026-11-19", "2026-11-18"),
        ("2026-11-20", "2026-11-23", "2026-11-20"),
        ("2026-11-25", "2026-11-27", "2026-11-25"),
        ("2026-11-26", "2026-11-27", "2026-11-25"),
        ("2026-12-24", "2026-12-28", "2026-12-24"),
        ("2025-01-08", "2025-01-10", "2025-01-08"),
        ("2027-12-31", "2028-01-03", "2027-12-31"),
        ("2026-04-05", "2026-04-06", "2026-04-02"),
    ] {
        assert_eq!(trading_days::next_after(day(date)), day(next), "after {date}");
        assert_eq!(trading_days::last_until(day(date)), day(last), "until {date}");
    }
    assert_eq!(trading_days::holiday(day("2026-04-03")), Some("Good Friday"));
    assert_eq!(trading_days::holiday(day("2026-11-27")), None);
}
