//! Tests of New York time with a table of cases. The frontend's tests use the same table.

use std::fs;
use std::path::Path;

use bolts_kernel::{Timestamp, to_new_york};
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
fn each_instant_of_the_table_gives_its_hour() {
    for Case { date, hour, utc } in cases() {
        let Some(at) = utc else { continue };
        let shown = to_new_york(at);
        assert_eq!((shown.date(), shown.hour(), shown.minute()), (date, hour, 0), "{at}");
    }
}

#[test]
fn a_repeated_hour_shows_two_instants_alike() {
    let instant = |text| Timestamp::parse(text).unwrap();
    let (first, second) = (instant("2026-11-01T05:00:00Z"), instant("2026-11-01T06:00:00Z"));
    assert_eq!(to_new_york(first), to_new_york(second));
}
