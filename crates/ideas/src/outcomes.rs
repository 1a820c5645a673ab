//! Checks, from the words of two outcomes, whether both outcomes or neither outcome can be true.

use crate::title::options::number;
use crate::title::words::{Word, starts_with, words};

/// A problem of two outcomes. The value is a new text for the second outcome, which removes the problem.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Clash {
    /// Both outcomes can be true at once.
    Overlap(String),
    /// Neither outcome is true if the figure is exactly the number in the outcomes.
    Gap(String),
}

/// Finds the problem of two outcomes. `None` if their words show no problem.
pub(crate) fn clash(a: &str, b: &str) -> Option<Clash> {
    let (first, second) = (words(a), words(b));
    if first.is_empty() || second.is_empty() {
        return None;
    }
    if let (Some(one), Some(other)) = (Range::read(&first), Range::read(&second)) {
        let rest = || one.opposite().unwrap_or_else(anything_else);
        return if one.meets(&other) {
            Some(Clash::Overlap(rest()))
        } else if one.leaves_out(&other) {
            Some(Clash::Gap(rest()))
        } else {
            None
        };
    }
    let overlaps = contains(&first, &second) || contains(&second, &first);
    overlaps.then(|| Clash::Overlap(anything_else()))
}

fn anything_else() -> String {
    "Any other outcome".to_owned()
}

/// Whether the long outcome contains the words of the short outcome, as in 'Lakers' and 'Lakers or Celtics'.
/// The result is false if only one of the two outcomes contains a negating word such as 'not'.
fn contains(short: &[Word], long: &[Word]) -> bool {
    const NEGATIONS: [&str; 24] = [
        "no", "not", "never", "none", "nobody", "neither", "without", "less", "fewer", "other", "any",
        "anything", "anyone", "lose", "loses", "lost", "below", "under", "later", "except", "but", "isn't",
        "won't", "doesn't",
    ];
    let has_negation = |all: &[Word]| all.iter().any(|word| NEGATIONS.contains(&word.text.as_str()));
    let texts = |all: &[Word]| all.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
    let (inner, outer) = (texts(short), texts(long));
    let within = outer.windows(inner.len()).any(|part| part == inner.as_slice());
    within && has_negation(short) == has_negation(long)
}

/// The range of numbers that an outcome names.
#[derive(Clone, Debug)]
struct Range {
    low: f64,
    has_low: bool,
    high: f64,
    has_high: bool,
    /// The number as the user typed it.
    number: String,
    /// The words after the number.
    unit: String,
}

impl Range {
    /// Reads texts such as 'over 3 goals', 'at least 3', '3 or more', '2-4' and '3'. `None` for any other
    /// text.
    fn read(all: &[Word]) -> Option<Self> {
        const LEADS: [(&str, Bound); 17] = [
            ("more than", Bound::Above),
            ("greater than", Bound::Above),
            ("higher than", Bound::Above),
            ("over", Bound::Above),
            ("above", Bound::Above),
            ("at least", Bound::From),
            ("minimum", Bound::From),
            ("less than", Bound::Below),
            ("fewer than", Bound::Below),
            ("lower than", Bound::Below),
            ("under", Bound::Below),
            ("below", Bound::Below),
            ("at most", Bound::UpTo),
            ("no more than", Bound::UpTo),
            ("not more than", Bound::UpTo),
            ("up to", Bound::UpTo),
            ("exactly", Bound::Exactly),
        ];
        let lead = LEADS.iter().find_map(|(lead, bound)| Some((starts_with(all, lead)?, *bound)));
        let at = lead.map_or(0, |(count, _)| count);
        let typed = all.get(at)?;
        let rest = &all[at + 1..];
        let up = ["or more", "or higher", "or above", "or over", "and more", "or greater"];
        let down = ["or less", "or fewer", "or lower", "or below", "or under"];
        let trails = |phrases: &[&str]| phrases.iter().find_map(|phrase| starts_with(rest, phrase));
        let (bound, skipped) = match lead {
            Some((_, bound)) => (bound, 0),
            None => match (trails(&up), trails(&down)) {
                (Some(count), _) => (Bound::From, count),
                (None, Some(count)) => (Bound::UpTo, count),
                (None, None) if typed.text.ends_with('+') => (Bound::From, 0),
                (None, None) => (Bound::Exactly, 0),
            },
        };
        let unit = rest[skipped..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        if lead.is_none()
            && let Some((low, high)) = typed.text.split_once('-')
            && let (Some(low), Some(high)) = (number(low), number(high))
        {
            let both = Self { low, has_low: true, high, has_high: true, number: typed.text.clone(), unit };
            return Some(both);
        }
        let value = number(&typed.text)?;
        let number = typed.text.trim_end_matches('+').to_owned();
        let (low, has_low, high, has_high) = match bound {
            Bound::Above => (value, false, f64::INFINITY, false),
            Bound::From => (value, true, f64::INFINITY, false),
            Bound::Below => (f64::NEG_INFINITY, false, value, false),
            Bound::UpTo => (f64::NEG_INFINITY, false, value, true),
            Bound::Exactly => (value, true, value, true),
        };
        Some(Self { low, has_low, high, has_high, number, unit })
    }

    /// Whether the two ranges have a number in common. The units must be equal, unless a unit is missing.
    fn meets(&self, other: &Self) -> bool {
        let below = |one: &Self, two: &Self| {
            one.high < two.low || (one.high == two.low && !(one.has_high && two.has_low))
        };
        self.unit_fits(other) && !below(self, other) && !below(other, self)
    }

    /// Whether the two ranges meet at a whole number that neither range contains.
    fn leaves_out(&self, other: &Self) -> bool {
        let touch = |one: &Self, two: &Self| {
            one.high == two.low && !one.has_high && !two.has_low && two.low.fract() == 0.0
        };
        self.unit_fits(other) && (touch(self, other) || touch(other, self))
    }

    fn unit_fits(&self, other: &Self) -> bool {
        self.unit == other.unit || self.unit.is_empty() || other.unit.is_empty()
    }

    /// An outcome that is true for exactly the numbers outside this range. `None` for a range with two ends.
    fn opposite(&self) -> Option<String> {
        let lead = match (self.low == f64::NEG_INFINITY, self.high == f64::INFINITY) {
            (true, _) if self.has_high => "Over",
            (true, _) => "At least",
            (false, true) if self.has_low => "Under",
            (false, true) => "At most",
            (false, false) => return None,
        };
        Some(format!("{lead} {} {}", self.number, self.unit).trim_end().to_owned())
    }
}

/// The kind of limit that the number in an outcome sets.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Above,
    From,
    Below,
    UpTo,
    Exactly,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_and_gaps_between_outcomes_are_found() {
        let over = |text: &str| Some(Clash::Overlap(text.to_owned()));
        let gap = |text: &str| Some(Clash::Gap(text.to_owned()));
        for (a, b, expected) in [
            ("Snow", "No snow", None),
            ("Yes", "No", None),
            ("Chiefs", "Eagles", None),
            ("Over 45.5 points", "Under 45.5 points", None),
            ("Over 3", "3 or under", None),
            ("At least 3", "Under 3", None),
            ("0-2 goals", "3+ goals", None),
            ("Above $100k", "$100k or below", None),
            ("Yes, by March 3", "No, later or never", None),
            ("Lakers", "Any other team", None),
            ("Trump wins", "Trump loses", None),
            ("Over 3", "Under 3", gap("At most 3")),
            ("Over 3 goals", "Under 3 goals", gap("At most 3 goals")),
            ("Under 10", "Over 10", gap("At least 10")),
            ("At least 3", "At most 3", over("Under 3")),
            ("3 or more", "3 or fewer", over("Under 3")),
            ("Up to 5", "5+", over("Over 5")),
            ("2-4", "4 or more", over("Any other outcome")),
            ("Lakers", "Lakers or Celtics", over("Any other outcome")),
            ("They win", "They win by ten", over("Any other outcome")),
            ("Yes", "YES", over("Any other outcome")),
        ] {
            assert_eq!(clash(a, b), expected, "{a} / {b}");
        }
        assert_eq!(clash("", "Yes"), None);
    }

    #[test]
    fn the_proposed_outcome_removes_the_problem() {
        for (a, b) in
            [("Over 3", "Under 3"), ("At least 3", "At most 3"), ("Under 10 °C", "Over 9 °C"), ("1-4", "4")]
        {
            let Some(Clash::Overlap(mended) | Clash::Gap(mended)) = clash(a, b) else { panic!("{a} / {b}") };
            assert_eq!(clash(a, &mended), None, "{a} / {mended}");
        }
    }
}
