//! Whether two outcomes exclude each other and leave nothing out, as far as their words tell.

use crate::title::options::number;
use crate::title::words::{Word, starts_with, words};

/// What is wrong with a pair of outcomes, with a second outcome that mends it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Clash {
    /// Both can be true.
    Overlap(String),
    /// Neither is true where the number is met exactly.
    Gap(String),
}

/// The clash between two outcomes, if their words show one.
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

/// Whether one outcome says the other and more, without a word that turns it round: 'Lakers' in 'Lakers or Celtics'.
fn contains(short: &[Word], long: &[Word]) -> bool {
    const TURNS: [&str; 24] = [
        "no", "not", "never", "none", "nobody", "neither", "without", "less", "fewer", "other", "any",
        "anything", "anyone", "lose", "loses", "lost", "below", "under", "later", "except", "but", "isn't",
        "won't", "doesn't",
    ];
    let turns = |all: &[Word]| all.iter().any(|word| TURNS.contains(&word.text.as_str()));
    let texts = |all: &[Word]| all.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
    let (inner, outer) = (texts(short), texts(long));
    let within = outer.windows(inner.len()).any(|part| part == inner.as_slice());
    within && turns(short) == turns(long)
}

/// The numbers that an outcome speaks of.
#[derive(Clone, Debug)]
struct Range {
    low: f64,
    has_low: bool,
    high: f64,
    has_high: bool,
    /// The number as it was typed, with what follows it.
    number: String,
    unit: String,
}

impl Range {
    /// Reads 'over 3 goals', 'at least 3', '3 or more', '2-4', '3'; `None` where it is no range of numbers.
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
        let trail = ["or more", "or higher", "or above", "or over", "and more", "or greater"];
        let down = ["or less", "or fewer", "or lower", "or below", "or under"];
        let trails = |phrases: &[&str]| phrases.iter().find_map(|phrase| starts_with(rest, phrase));
        let (bound, skipped) = match lead {
            Some((_, bound)) => (bound, 0),
            None => match (trails(&trail), trails(&down)) {
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

    /// Whether a number is in both. What is counted has to be the same thing.
    fn meets(&self, other: &Self) -> bool {
        let below = |one: &Self, two: &Self| {
            one.high < two.low || (one.high == two.low && !(one.has_high && two.has_low))
        };
        self.unit_fits(other) && !below(self, other) && !below(other, self)
    }

    /// Whether exactly the whole number between the two is in neither.
    fn leaves_out(&self, other: &Self) -> bool {
        let touch = |one: &Self, two: &Self| {
            one.high == two.low && !one.has_high && !two.has_low && two.low.fract() == 0.0
        };
        self.unit_fits(other) && (touch(self, other) || touch(other, self))
    }

    fn unit_fits(&self, other: &Self) -> bool {
        self.unit == other.unit || self.unit.is_empty() || other.unit.is_empty()
    }

    /// What is true exactly where this is not; `None` where no few words say it.
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

/// How an outcome is bounded by its number.
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
    fn outcomes_that_can_both_be_true_are_told_from_those_that_cannot() {
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
    fn what_mends_a_clash_does_not_clash() {
        for (a, b) in
            [("Over 3", "Under 3"), ("At least 3", "At most 3"), ("Under 10 °C", "Over 9 °C"), ("1-4", "4")]
        {
            let Some(Clash::Overlap(mended) | Clash::Gap(mended)) = clash(a, b) else { panic!("{a} / {b}") };
            assert_eq!(clash(a, &mended), None, "{a} / {mended}");
        }
    }
}
