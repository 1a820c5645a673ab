//! Numbers and names that dates are made of.

use chrono::Weekday;

/// `March`, `mar`.
pub(super) fn month_of(word: &str) -> Option<u32> {
    const NAMES: [(&str, &str); 12] = [
        ("january", "jan"),
        ("february", "feb"),
        ("march", "mar"),
        ("april", "apr"),
        ("may", "may"),
        ("june", "jun"),
        ("july", "jul"),
        ("august", "aug"),
        ("september", "sept"),
        ("october", "oct"),
        ("november", "nov"),
        ("december", "dec"),
    ];
    let word = if word == "sep" { "sept" } else { word };
    let found = NAMES.iter().position(|(long, short)| word == *long || word == *short)?;
    u32::try_from(found + 1).ok()
}

/// Words that a date follows.
pub(super) fn is_before_a_date(word: &str) -> bool {
    matches!(word, "on" | "by" | "before" | "until" | "till" | "of" | "from" | "after" | "since" | "through")
}

/// Whether a short name of a weekday is meant as one after that word: 'hours of sun' and 'before sun rises' speak of the
/// sun.
pub(super) fn is_before_a_weekday(word: &str, name: &str) -> bool {
    match name {
        "sun" | "sat" | "wed" => matches!(word, "on" | "by" | "this" | "next" | "until" | "till"),
        _ => is_before_a_date(word) || matches!(word, "this" | "next"),
    }
}

/// Short names are words of their own ('sat', 'sun'), so they count only where a date is expected.
pub(super) fn weekday_of(word: &str, expected: bool) -> Option<Weekday> {
    let (_, weekday) = [
        ("monday", Weekday::Mon),
        ("tuesday", Weekday::Tue),
        ("wednesday", Weekday::Wed),
        ("thursday", Weekday::Thu),
        ("friday", Weekday::Fri),
        ("saturday", Weekday::Sat),
        ("sunday", Weekday::Sun),
    ]
    .into_iter()
    .find(|(name, _)| word == *name || (expected && word.len() >= 3 && name.starts_with(word)))?;
    Some(weekday)
}

/// `3`, `3rd`, `31st`.
pub(super) fn ordinal(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(suffix, "" | "st" | "nd" | "rd" | "th").then_some(day)
}

/// `3-5` as the last of these days.
pub(super) fn last_of_days(word: &str) -> Option<u32> {
    let (first, last) = word.split_once(['-', '–'])?;
    let (first, last) = (ordinal(first)?, ordinal(last)?);
    (first < last).then_some(last)
}

/// `2027`.
pub(super) fn year_of(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (2000..=2200).contains(year))
}

/// `3`, `three`, `a`.
pub(super) fn count_of(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 13] = [
        "a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if let Some(found) = NUMBERS.iter().position(|number| *number == word) {
        return u32::try_from(found.max(1)).ok();
    }
    word.parse().ok().filter(|count| (1..=2_000).contains(count))
}
