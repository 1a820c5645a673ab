//! The clock of the machine. Deadlines of bets depend on it.

use bolts_kernel::Timestamp;
use bolts_ports::Clock;
use bolts_store_diesel::Inspection;

use super::Finding;
use crate::environment::SystemClock;

const SUBJECT: &str = "clock";

/// The largest difference to another clock that needs no attention, in microseconds.
const DIFFERENCE: i64 = 2_000_000;

/// The beginning of the year of this version, 2026-01-01, in microseconds. A machine without a battery starts with an
/// earlier time.
const RELEASED: i64 = 1_767_225_600_000_000;

const FIX: &str = "synchronise the clock by NTP, such as with systemd-timesyncd or chrony";

pub(super) fn look(database: Option<&Inspection>) -> Vec<Finding> {
    let now = SystemClock.now();
    let fact = |name| database.and_then(|found| found.facts.get(name)).and_then(|text| text.parse().ok());
    let faults = faults(now, fact("now"), fact("heartbeat"));
    if faults.is_empty() { vec![Finding::fine(SUBJECT, now.to_string())] } else { faults }
}

/// Compares the clock with the clock of the database's server and with the last heartbeat of a server, in microseconds.
fn faults(now: Timestamp, of_database: Option<i64>, heartbeat: Option<i64>) -> Vec<Finding> {
    let mut faults = Vec::new();
    if now.micros() < RELEASED {
        faults.push(Finding::fault(
            SUBJECT,
            format!("it is {now}, which is before this version was made"),
            FIX,
        ));
    }
    if let Some(difference) =
        of_database.map(|there| (now.micros() - there).abs()).filter(|apart| *apart > DIFFERENCE)
    {
        let said = format!(
            "the clock differs from the clock of the database's server by {} s",
            difference / 1_000_000
        );
        faults.push(Finding::fault(SUBJECT, said, FIX));
    }
    if let Some(ahead) = heartbeat.map(|last| last - now.micros()).filter(|ahead| *ahead > DIFFERENCE) {
        let said = format!(
            "the last heartbeat is {} s ahead of this clock: one of the two times was wrong",
            ahead / 1_000_000
        );
        faults.push(Finding::fault(SUBJECT, said, FIX));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_clock_is_found_by_another_clock_and_by_the_last_server() {
        let at = |micros| Timestamp::from_micros(micros).expect("a time");
        let now = RELEASED + 86_400_000_000;
        let count = |now, there, heartbeat| faults(at(now), there, heartbeat).len();
        assert_eq!(count(now, None, None), 0);
        assert_eq!(count(now, Some(now + DIFFERENCE), Some(now - 1)), 0);
        assert_eq!(count(now, Some(now + DIFFERENCE + 1), None), 1);
        assert_eq!(count(now, Some(now - DIFFERENCE - 1), None), 1);
        assert_eq!(count(now, None, Some(now + DIFFERENCE + 1)), 1);
        assert_eq!(count(0, None, Some(now)), 2);
    }
}
