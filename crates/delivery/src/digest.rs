use std::fmt;
use std::str::FromStr;

use bolts_kernel::{Timestamp, named};
use chrono::{Datelike, Duration, NaiveTime, Weekday};
use chrono_tz::Tz;

/// How often the user gets a mail with all notifications that were not mailed at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digest {
    /// Never.
    Off,
    /// Each day at 08:00.
    #[default]
    Daily,
    /// Each Monday at 08:00.
    Weekly,
}

named!(Digest {
    Off = "off",
    Daily = "daily",
    Weekly = "weekly",
});

/// The hour of the digest, in the user's time zone.
const HOUR: u32 = 8;

/// A time zone of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeZone(Tz);

/// The text is not the name of a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is not a time zone such as Europe/Berlin")]
pub struct UnknownTimeZone;

impl Default for TimeZone {
    /// New York, in which the site names its deadlines.
    fn default() -> Self {
        Self(Tz::America__New_York)
    }
}

impl FromStr for TimeZone {
    type Err = UnknownTimeZone;

    fn from_str(name: &str) -> Result<Self, UnknownTimeZone> {
        name.parse().map(Self).map_err(|_| UnknownTimeZone)
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Digest {
    /// The time of the first digest after `now`. `None` if the user gets no digest.
    pub fn next(self, now: Timestamp, zone: TimeZone) -> Option<Timestamp> {
        let is_day = |day: chrono::NaiveDate| match self {
            Self::Off => false,
            Self::Daily => true,
            Self::Weekly => day.weekday() == Weekday::Mon,
        };
        let today = now.to_chrono().with_timezone(&zone.0).date_naive();
        let eight = NaiveTime::from_hms_opt(HOUR, 0, 0)?;
        // Nine days contain a Monday after `now`, even if a zone skips a day, as Samoa did.
        let days = (0..9).filter_map(|ahead| today.checked_add_signed(Duration::days(ahead)));
        let times = days.filter(|day| is_day(*day)).filter_map(|day| {
            let local = day.and_time(eight).and_local_timezone(zone.0);
            local.earliest().map(|at| Timestamp::from(at.to_utc()))
        });
        times.into_iter().find(|at| *at > now)
    }
}
