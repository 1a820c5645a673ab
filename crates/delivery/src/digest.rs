use bolts_kernel::{TimeZone, Timestamp, named};
use chrono::{Datelike, Duration, NaiveTime, Weekday};

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

impl Digest {
    /// The time of the first digest after `now`. `None` if the user gets no digest.
    pub fn next(self, now: Timestamp, zone: TimeZone) -> Option<Timestamp> {
        let is_day = |day: chrono::NaiveDate| match self {
            Self::Off => false,
            Self::Daily => true,
            Self::Weekly => day.weekday() == Weekday::Mon,
        };
        let today = zone.local(now).date();
        let eight = NaiveTime::from_hms_opt(HOUR, 0, 0)?;
        // Nine days contain a Monday after `now`, even if a zone skips a day, as Samoa did.
        let days = (0..9).filter_map(|ahead| today.checked_add_signed(Duration::days(ahead)));
        let times = days.filter(|day| is_day(*day)).filter_map(|day| zone.instant(day.and_time(eight)));
        times.into_iter().find(|at| *at > now)
    }
}
