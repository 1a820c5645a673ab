//! New York time, tested with a table of cases. The tests of the pages use the same table.

use std::fs;
use std::path::Path;

use bolts_kernel::{Timestamp, from_new_york, to_new_york};
use chrono::{NaiveDate, Timelike};
use serde::Deserialize;

const CASES: &str = "../../frontend/src/lib/new-york-cases.json";

#[derive(Deserialize)]
struct Case {
    date: NaiveDate,
    hour: u32,
    utc: Option<Timestamp>,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn each_hour_of_the_table_gives_its_instant() {
    let cases = cases();
    assert_eq!(cases.iter().filter(|case| case.utc.is_none()).count(), 12, "one skipped hour in each year");
    for Case { date, hour, utc } in cases {
        assert_eq!(from_new_york(date, hour), utc, "{date} {hour}:00");
    }
}

#[test]
fn each_instant_of_the_table_gives_its_hour() {
    for Case { date, hour, utc } in cases() {
        let Some(at) = utc else { continue };
        let shown = to_new_york(at);
        assert_eq!((shown.date(), shown.hour(), shown.minute()), (date, hour, 0), "{at}");
    }
}

#[test]
fn a_repeated_hour_means_the_first_of_its_two_instants() {
    let day = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let instant = |text| Timestamp::parse(text).unwrap();
    let (first, second) = (instant("2026-11-01T05:00:00Z"), instant("2026-11-01T06:00:00Z"));
    assert_eq!(to_new_york(first), to_new_york(second));
    assert_eq!(from_new_york(day, 1), Some(first));
}

#[test]
fn hours_above_23_are_refused() {
    let day = NaiveDate::from_ymd_opt(2026, 6, 10).unwrap();
    assert!(from_new_york(day, 23).is_some());
    assert_eq!(from_new_york(day, 24), None);
    assert_eq!(from_new_york(day, u32::MAX), None);
}
