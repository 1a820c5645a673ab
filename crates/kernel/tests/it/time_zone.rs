//! Tests of time zones.

use std::fs;
use std::path::Path;

use bolts_kernel::{TimeZone, Timestamp, UnknownTimeZone};
use chrono::{NaiveDate, Timelike};
use proptest::prelude::*;
use serde::Deserialize;

/// The file of a table of dates and times in New York. The tests of the pages use it too.
const CASES: &str = "../../frontend/src/lib/new-york-cases.json";

#[derive(Deserialize)]
struct Case {
    date: NaiveDate,
    hour: u32,
    utc: Option<Timestamp>,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let cases: Vec<Case> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(cases.len() > 100);
    cases
}

#[test]
fn each_instant_of_the_table_gives_its_hour() {
    for Case { date, hour, utc } in cases() {
        let Some(at) = utc else { continue };
        let shown = TimeZone::NEW_YORK.local(at);
        assert_eq!((shown.date(), shown.hour(), shown.minute()), (date, hour, 0), "{at}");
    }
}

#[test]
fn each_hour_of_the_table_gives_its_instant() {
    for Case { date, hour, utc } in cases() {
        let shown = date.and_hms_opt(hour, 0, 0).unwrap();
        assert_eq!(TimeZone::NEW_YORK.instant(shown), utc, "{shown}");
    }
}

#[test]
fn a_repeated_hour_shows_two_instants_alike() {
    let instant = |text| Timestamp::parse(text).unwrap();
    let (first, second) = (instant("2026-11-01T05:00:00Z"), instant("2026-11-01T06:00:00Z"));
    assert_eq!(TimeZone::NEW_YORK.local(first), TimeZone::NEW_YORK.local(second));
}

#[test]
fn every_zone_is_read_by_its_name() {
    use TimeZone as Zone;
    let named = [
        Zone::UTC,
        Zone::CHICAGO,
        Zone::DENVER,
        Zone::LONDON,
        Zone::LOS_ANGELES,
        Zone::NEW_YORK,
        Zone::PARIS,
        Zone::TOKYO,
    ];
    for zone in TimeZone::all().chain(named) {
        assert_eq!(zone.to_string().parse(), Ok(zone));
        assert_eq!(zone.to_string().to_lowercase().parse(), Ok(zone));
    }
    for unknown in ["", "Mars/Olympus", "Europe", "EST5EDT4", "../etc/passwd"] {
        assert_eq!(unknown.parse::<TimeZone>(), Err(UnknownTimeZone), "{unknown}");
    }
}

proptest! {
    #[test]
    fn a_date_and_time_gives_the_first_instant_at_which_clocks_show_it(
        zone in proptest::sample::select(TimeZone::all().collect::<Vec<_>>()),
        at in super::instants(),
    ) {
        let shown = zone.local(at);
        let first = zone.instant(shown).expect("clocks show it");
        prop_assert!(first <= at);
        prop_assert!(first == at || zone.local(first) == shown);
    }
}
