//! Reads the parts of a date: months, weekdays, days and years.

use chrono::Weekday;

/// Reads the name of a month such as `march` or `mar`.
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

/// Whether a date can follow this word.
pub(super) fn is_before_a_date(word: &str) -> bool {
    matches!(word, "on" | "by" | "before" | "until" | "till" | "of" | "from" | "after" | "since" | "through")
}

/// Whether `name`, for example the short name 'sun', means a weekday after this word. In 'hours of sun' and
/// 'before sun rises', 'sun' is not a weekday.
pub(super) fn is_before_a_weekday(word: &str, name: &str) -> bool {
    match name {
        "sun" | "sat" | "wed" => matches!(word, "on" | "by" | "this" | "next" | "until" | "till"),
        _ => is_before_a_date(word) || matches!(word, "this" | "next"),
    }
}

/// Reads the name of a weekday. A short name such as 'sat' or 'sun' also has another meaning, so the short name
/// counts only if a date is `expected`.
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

/// Reads a day of a month such as `3`, `3rd` or `31st`.
pub(super) fn ordinal(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let day = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(suffix, "" | "st" | "nd" | "rd" | "th").then_some(day)
}

/// Reads a year from 2000 to 2200, such as `2027`.
pub(super) fn year_of(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (2000..=2200).contains(year))
}
