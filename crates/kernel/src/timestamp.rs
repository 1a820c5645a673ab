//! Instants in UTC with a precision of one microsecond.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, Datelike, Months, Timelike, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The text is not a time in RFC 3339, or the time is outside the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time in RFC 3339")]
pub struct TimestampError;

/// An instant in UTC, in whole microseconds. Both databases store microseconds, so an instant is stored without
/// rounding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

// RFC 3339 writes a year with four digits. The limits are 0001-01-01T00:00:00Z and
// 9999-12-31T23:59:59.999999Z.
const MIN_MICROS: i64 = -62_135_596_800_000_000;
const MAX_MICROS: i64 = 253_402_300_799_999_999;

/// The clocks of several servers of a site differ by less.
pub const CLOCK_TOLERANCE: Duration = Duration::from_hours(1);

impl Timestamp {
    /// The instant `micros` microseconds after the Unix epoch.
    ///
    /// # Errors
    /// The instant is outside the years 1 to 9999.
    pub fn from_micros(micros: i64) -> Result<Self, TimestampError> {
        if (MIN_MICROS..=MAX_MICROS).contains(&micros) { Ok(Self(micros)) } else { Err(TimestampError) }
    }

    /// The number of microseconds since the Unix epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads a time in RFC 3339 with any offset. Digits below a microsecond are cut off.
    ///
    /// # Errors
    /// The text has another form, or the time is outside the years 1 to 9999.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let time = DateTime::parse_from_rfc3339(text).map_err(|_| TimestampError)?;
        Self::from_micros(time.timestamp_micros())
    }

    /// This instant as a type of `chrono`, for calendars and formatting.
    pub fn to_chrono(self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0).unwrap_or_default()
    }

    /// The instant `wait` later, at most the end of the year 9999.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros).min(MAX_MICROS))
    }

    /// The same day and time `years` calendar years later, at most the end of the year 9999.
    ///
    /// 29 February becomes 28 February if the later year is not a leap year.
    #[must_use]
    pub fn years_after(self, years: u32) -> Self {
        let later =
            years.checked_mul(12).and_then(|months| self.to_chrono().checked_add_months(Months::new(months)));
        later.map_or(Self(MAX_MICROS), Self::from)
    }

    /// The instant `wait` earlier, at least the start of the year 1.
    #[must_use]
    pub fn before(self, wait: Duration) -> Self {
        let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(micros).max(MIN_MICROS))
    }

    /// The time from `earlier` to this instant, or zero if `earlier` is the later instant.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Whether a clock that was wrong has given this instant: it is more than [`CLOCK_TOLERANCE`] after `now`.
    pub fn is_of_wrong_clock(self, now: Self) -> bool {
        self.since(now) > CLOCK_TOLERANCE
    }

    /// This instant, or `now` if a wrong clock has given this instant.
    #[must_use]
    pub fn corrected(self, now: Self) -> Self {
        if self.is_of_wrong_clock(now) { now } else { self }
    }

    /// Whether a step with this time is due at `now`. A time that a wrong clock has given counts as due.
    pub fn is_due(self, now: Self) -> bool {
        self <= now || self.is_of_wrong_clock(now)
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(time: DateTime<Utc>) -> Self {
        Self(time.timestamp_micros().clamp(MIN_MICROS, MAX_MICROS))
    }
}

/// The text of a time in RFC 3339, in UTC.
struct Rfc3339 {
    bytes: [u8; 27],
    length: usize,
}

impl Rfc3339 {
    /// A page of a list has more than a hundred times, so the digits go straight into an array. chrono's formatter would
    /// allocate a text for each of them.
    fn of(at: Timestamp) -> Self {
        let time = at.to_chrono();
        let mut bytes = *b"0000-00-00T00:00:00.000000Z";
        let whole = [
            (0..4, time.year().unsigned_abs()),
            (5..7, time.month()),
            (8..10, time.day()),
            (11..13, time.hour()),
            (14..16, time.minute()),
            (17..19, time.second()),
            (20..26, time.timestamp_subsec_micros()),
        ];
        for (place, number) in whole {
            write_digits(&mut bytes[place], number);
        }
        // The fraction has as many digits as it needs: none, three or six.
        let length = match time.timestamp_subsec_micros() {
            0 => 20,
            micros if micros % 1_000 == 0 => 24,
            _ => 27,
        };
        bytes[length - 1] = b'Z';
        Self { bytes, length }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// Fills the place with the last digits of a number.
fn write_digits(place: &mut [u8], mut number: u32) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Rfc3339::of(*self).as_str())
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Rfc3339::of(*self).as_str())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use chrono::SecondsFormat;

    use super::*;

    #[test]
    fn reads_any_offset_and_writes_utc() {
        let time = Timestamp::parse("2026-11-20T16:00:00-05:00").unwrap();
        assert_eq!(time.to_string(), "2026-11-20T21:00:00Z");
        let fraction = Timestamp::parse("2026-11-20T21:00:00.1234567Z").unwrap();
        assert_eq!(fraction.to_string(), "2026-11-20T21:00:00.123456Z");
        assert!(Timestamp::parse("2026-11-20").is_err());
        assert!(Timestamp::parse("tomorrow").is_err());
    }

    #[test]
    fn the_first_and_the_last_instant_have_texts() {
        for text in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-02-03T04:05:06.070Z"] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_time_more_than_an_hour_ahead_is_of_a_wrong_clock() {
        let now = Timestamp::parse("2026-11-20T21:00:00Z").unwrap();
        let ahead = now.after(Duration::from_hours(1));
        let wrong = ahead.after(Duration::from_micros(1));
        assert!(wrong.is_of_wrong_clock(now) && wrong.is_due(now));
        assert_eq!((wrong.corrected(now), ahead.corrected(now)), (now, ahead));
        assert!(now.is_due(now) && !ahead.is_due(now));
        for right in [ahead, now, now.before(Duration::from_hours(1_000))] {
            assert!(!right.is_of_wrong_clock(now), "{right}");
        }
    }

    proptest::proptest! {
        #[test]
        fn texts_are_those_of_chrono(micros in MIN_MICROS..=MAX_MICROS, unit in 0_u32..7) {
            // Whole seconds and milliseconds have shorter texts.
            let unit = 10_i64.pow(unit);
            let at = Timestamp::from_micros(micros / unit * unit).unwrap();
            let expected = at.to_chrono().to_rfc3339_opts(SecondsFormat::AutoSi, true);
            assert_eq!(at.to_string(), expected);
            assert_eq!(serde_json::to_string(&at).unwrap(), format!("\"{expected}\""));
        }
    }

    #[test]
    fn arithmetic_stops_at_the_first_and_last_instant() {
        let last = Timestamp::parse("9999-12-31T23:59:59.999999Z").unwrap();
        assert_eq!(last.after(Duration::MAX), last);
        let noon = Timestamp::parse("2026-01-01T12:00:00Z").unwrap();
        let later = noon.after(Duration::from_secs(90));
        assert_eq!(later.since(noon), Duration::from_secs(90));
        assert_eq!(noon.since(later), Duration::ZERO);
        assert_eq!(later.before(Duration::from_secs(90)), noon);
    }
}
