//! Reads times of day in a text, such as '9 pm', '21:00 UTC' and 'noon'.

use bolts_kernel::TimeZone;

use super::words::{Word, starts_with};

/// A time of day in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockTime {
    /// The hour, 0 to 23. 24 means midnight at the end of the day.
    pub(crate) hour: u32,
    /// The minute, 0 to 59.
    pub(crate) minute: u32,
    /// The time zone.
    pub(crate) zone: Zone,
    /// The number of words of the time, without the words of the time zone.
    pub(crate) words: usize,
}

/// The time zone of a time of day in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// The text names no time zone.
    Unsaid,
    /// The text names this time zone.
    Known(TimeZone),
    /// The text contains an abbreviation that is unknown or has several meanings: 'IST' is the time of India,
    /// Israel or Ireland.
    Unknown,
}

/// Names of time zones that can follow a time. A name such as 'BST' (British Summer Time) means the local time
/// of its place, in summer and in winter. Any other abbreviation is [`Zone::Unknown`], so its hour does not
/// count.
const ZONES: [(&str, TimeZone); 23] = [
    ("new york time", TimeZone::NEW_YORK),
    ("new york", TimeZone::NEW_YORK),
    ("eastern time", TimeZone::NEW_YORK),
    ("eastern", TimeZone::NEW_YORK),
    ("et", TimeZone::NEW_YORK),
    ("est", TimeZone::NEW_YORK),
    ("edt", TimeZone::NEW_YORK),
    ("ct", TimeZone::CHICAGO),
    ("cst", TimeZone::CHICAGO),
    ("cdt", TimeZone::CHICAGO),
    ("mt", TimeZone::DENVER),
    ("mst", TimeZone::DENVER),
    ("mdt", TimeZone::DENVER),
    ("pt", TimeZone::LOS_ANGELES),
    ("pst", TimeZone::LOS_ANGELES),
    ("pdt", TimeZone::LOS_ANGELES),
    ("utc", TimeZone::UTC),
    ("gmt", TimeZone::UTC),
    ("london time", TimeZone::LONDON),
    ("bst", TimeZone::LONDON),
    ("cet", TimeZone::PARIS),
    ("cest", TimeZone::PARIS),
    ("jst", TimeZone::TOKYO),
];

/// The time zone at the start of the words.
fn zone(words: &[Word]) -> Zone {
    if let Some((zone, _)) = zone_at(words) {
        return Zone::Known(zone);
    }
    let is_zone = words.first().is_some_and(|word| word.is_capitals && looks_like_a_zone(&word.text));
    if is_zone { Zone::Unknown } else { Zone::Unsaid }
}

/// The known time zone at the start of the words, with the number of its words.
fn zone_at(words: &[Word]) -> Option<(TimeZone, usize)> {
    ZONES.iter().find_map(|(name, zone)| Some((*zone, starts_with(words, name)?)))
}

/// Whether the text looks like the abbreviation of a time zone. True for 'IST' and 'UTC+2', false for 'NBA'
/// and 'UFC', which can also follow a time.
fn looks_like_a_zone(text: &str) -> bool {
    let letters = text.split(['+', '-', '−']).next().unwrap_or_default();
    let has_offset = letters.len() < text.len();
    match letters {
        "utc" | "gmt" => has_offset,
        _ => {
            (3..=5).contains(&text.len())
                && text.bytes().all(|b| b.is_ascii_alphabetic())
                && text.ends_with('t')
        }
    }
}

/// The number of words in the time of day at the start, with its time zone. `None` if the words do not begin
/// with a time.
pub(crate) fn time_at_front(words: &[Word]) -> Option<usize> {
    let count = time_at(words, true)?.words;
    Some(count + zone_at(&words[count..]).map_or(0, |(_, count)| count))
}

/// The first time of day in these words, and the index of its first word.
pub(crate) fn first_time(words: &[Word]) -> Option<(usize, ClockTime)> {
    (0..words.len()).find_map(|at| Some((at, time_at(&words[at..], is_expected(words, at))?)))
}

/// Whether a text such as `3:30` is a time of day at this index and not a duration. The text is a time of day
/// if it follows a word such as 'at' or the name of a day, or if it is a whole phrase, such as '(18:45)'.
fn is_expected(words: &[Word], at: usize) -> bool {
    const LEADS: [&str; 24] = [
        "at",
        "by",
        "before",
        "until",
        "till",
        "from",
        "to",
        "after",
        "since",
        "around",
        "on",
        "today",
        "tonight",
        "tomorrow",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "morning",
        "evening",
        "night",
    ];
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    before.is_some_and(|before| LEADS.contains(&before.text.as_str()))
        || (before.is_none_or(|before| before.ends_phrase) && words[at].ends_phrase)
}

/// The time of day at the start of the words. A text such as `3:30` counts only if `is_expected` is true or a
/// time zone follows.
fn time_at(words: &[Word], is_expected: bool) -> Option<ClockTime> {
    let first = words.first()?;
    let after = |count: usize| words.get(count..).unwrap_or_default();
    let made = |hour, minute, count| Some(ClockTime { hour, minute, zone: zone(after(count)), words: count });
    match first.text.as_str() {
        "noon" | "midday" => return made(12, 0, 1),
        "midnight" => return made(24, 0, 1),
        _ => {}
    }
    if let Some((number, half)) = split_half(&first.text) {
        let (hour, minute) = hour_and_minute(number)?;
        return made(half.of(hour)?, minute, 1);
    }
    let second = words.get(1).map(|word| word.text.as_str()).unwrap_or_default();
    if let (Some(half), Some((hour, minute))) = (Half::parse(second), hour_and_minute(&first.text)) {
        return made(half.of(hour)?, minute, 2);
    }
    let (hour, minute) = hour_and_minute(&first.text).filter(|_| first.text.contains(':'))?;
    made(hour, minute, 1).filter(|time| is_expected || time.zone != Zone::Unsaid)
}

#[derive(Clone, Copy)]
enum Half {
    Am,
    Pm,
}

impl Half {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "am" | "a.m" => Some(Self::Am),
            "pm" | "p.m" => Some(Self::Pm),
            _ => None,
        }
    }

    /// Converts an hour of a 12-hour clock to a 24-hour clock.
    fn of(self, hour: u32) -> Option<u32> {
        let hour = (1..=12).contains(&hour).then_some(hour % 12)?;
        Some(match self {
            Self::Am => hour,
            Self::Pm => hour + 12,
        })
    }
}

/// Splits a text such as `9pm` into its number and its half of the day.
fn split_half(text: &str) -> Option<(&str, Half)> {
    let at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, half) = text.split_at_checked(at)?;
    Half::parse(half).filter(|_| !number.is_empty()).map(|half| (number, half))
}

/// Reads `9`, `9:30` or `21:00`.
fn hour_and_minute(text: &str) -> Option<(u32, u32)> {
    let (hour, minute) = text.split_once(':').unwrap_or((text, "00"));
    let is_number = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(hour) || !is_number(minute) || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour <= 23 && minute <= 59).then_some((hour, minute))
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn read(text: &str) -> Option<(u32, u32, Option<TimeZone>)> {
        first_time(&words(text)).map(|(_, time)| match time.zone {
            Zone::Known(zone) => (time.hour, time.minute, Some(zone)),
            Zone::Unsaid => (time.hour, time.minute, None),
            Zone::Unknown => panic!("{text}"),
        })
    }

    #[test]
    fn ambiguous_and_unknown_zones_are_recognised() {
        let zone = |text: &str| first_time(&words(text)).map(|(_, time)| time.zone);
        for text in ["19:00 IST", "7 PM IST", "at 9 pm UTC+2", "9pm GMT-3 on Friday", "noon VLAT"] {
            assert_eq!(zone(text), Some(Zone::Unknown), "{text}");
        }
        for text in
            ["at 9 PM NBA finals", "7 PM UFC fight", "7 pm but not later", "at 18:00 GTA", "at noon Best"]
        {
            assert_eq!(zone(text), Some(Zone::Unsaid), "{text}");
        }
        for name in ["JST", "jst"] {
            assert_eq!(zone(&format!("19:00 {name}")), Some(Zone::Known(TimeZone::TOKYO)), "{name}");
        }
    }

    #[test]
    fn times_of_day_are_read() {
        let ny = Some(TimeZone::NEW_YORK);
        for (text, expected) in [
            ("at 9 PM", Some((21, 0, None))),
            ("by 9pm ET", Some((21, 0, ny))),
            ("9:30 p.m. New York time", Some((21, 30, ny))),
            ("12am", Some((0, 0, None))),
            ("12 pm", Some((12, 0, None))),
            ("noon Eastern", Some((12, 0, ny))),
            ("midnight", Some((24, 0, None))),
            ("21:00 UTC", Some((21, 0, Some(TimeZone::UTC)))),
            ("(18:45)", Some((18, 45, None))),
            ("Arsenal against Chelsea (18:45)", Some((18, 45, None))),
            ("Friday 20:00", Some((20, 0, None))),
            ("19:30 UTC", Some((19, 30, Some(TimeZone::UTC)))),
            ("the marathon under 3:30 on Sunday", None),
            ("a mile in 4:10, or faster", None),
            ("13 pm", None),
            ("25:00", None),
            ("9:3", None),
            ("pm", None),
            ("3-2 win", None),
            ("100 am", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
