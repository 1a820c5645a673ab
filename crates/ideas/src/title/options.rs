//! Finds the two outcomes of a bet from the shape of its title.

use super::dates::Named;
use super::hours::time_at_front;
use super::words::{Word, starts_with, words};

/// The shape of a title, with the parts of the title that its two outcomes contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Two sides of which only one can win: 'Chiefs vs Eagles'.
    Versus(String, String),
    /// A figure above or below a number: 'over/under 45.5 points'.
    OverUnder(Line),
    /// A figure above a number: 'Bitcoin above $100k on Friday'.
    Above(String),
    /// A figure below a number: 'Bitcoin below $100k on Friday'.
    Below(String),
    /// A choice between two things: 'Tea or coffee?'.
    Choice(String, String),
    /// An event before a date: 'Apple sells a foldable phone by March 3'. The value is 'by March 3', as the
    /// user typed it.
    ByDate(String),
    /// A question such as 'Will it snow?', and any title without another shape.
    YesNo,
}

impl Shape {
    /// Whether the title says one thing that comes true or not, so that odds in it are the odds of option A.
    pub(crate) fn says_one_thing(&self) -> bool {
        match self {
            Self::Above(_) | Self::Below(_) | Self::ByDate(_) | Self::YesNo => true,
            Self::Versus(..) | Self::OverUnder(_) | Self::Choice(..) => false,
        }
    }
}

/// The number in a title with 'over/under'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The number as the user typed it.
    pub(crate) number: String,
    /// The unit, or empty if the title names none.
    pub(crate) unit: String,
}

impl Line {
    /// Whether the figure can be exactly this number. If it can, the bet needs a rule for this case.
    pub(crate) fn can_be_met(&self) -> bool {
        !self.number.contains(".5")
    }

    fn text(&self) -> String {
        if self.unit.is_empty() { self.number.clone() } else { format!("{} {}", self.number, self.unit) }
    }
}

/// The maximum length of an outcome, in characters (`docs/product.md#limits`).
const LONGEST: usize = 100;

impl Shape {
    /// The two outcomes. They are 'Yes' and 'No' if the outcomes of the shape do not fit the limits or do not
    /// differ.
    pub(crate) fn options(&self) -> (String, String) {
        let pair = match self {
            Self::Versus(a, b) | Self::Choice(a, b) => (a.clone(), b.clone()),
            Self::OverUnder(line) => (format!("Over {}", line.text()), format!("Under {}", line.text())),
            Self::Above(number) => (format!("Above {number}"), format!("{number} or below")),
            Self::Below(number) => (format!("Below {number}"), format!("{number} or above")),
            Self::ByDate(date) => (format!("Yes, {date}"), "No, later or never".to_owned()),
            Self::YesNo => yes_or_no(),
        };
        let fits = |text: &String| (1..=LONGEST).contains(&text.trim().chars().count());
        let differ = pair.0.to_lowercase() != pair.1.to_lowercase();
        if fits(&pair.0) && fits(&pair.1) && differ { pair } else { yes_or_no() }
    }
}

fn yes_or_no() -> (String, String) {
    ("Yes".to_owned(), "No".to_owned())
}

/// The first words of questions that have the answer yes or no.
const ASKING: [&str; 16] = [
    "will", "is", "are", "does", "do", "did", "has", "have", "can", "could", "would", "should", "won't",
    "was", "may", "am",
];

/// Words that follow the name of a side and are not part of the name.
const AFTER_A_NAME: [&str; 44] = [
    "on",
    "at",
    "in",
    "by",
    "this",
    "next",
    "tomorrow",
    "tonight",
    "today",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "who",
    "which",
    "for",
    "before",
    "over",
    "under",
    "more",
    "most",
    "first",
    "better",
    "best",
    "winner",
    "game",
    "match",
    "fight",
    "final",
    "o/u",
    "over/under",
];

/// Words that come before the name of a side and are not part of the name.
const BEFORE_A_NAME: [&str; 42] = [
    "who",
    "which",
    "what",
    "wins",
    "win",
    "will",
    "winner",
    "of",
    "in",
    "bet",
    "on",
    "game",
    "match",
    "between",
    "tonight",
    "tonight's",
    "today",
    "today's",
    "tomorrow",
    "tomorrow's",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "monday's",
    "tuesday's",
    "wednesday's",
    "thursday's",
    "friday's",
    "saturday's",
    "sunday's",
    "this",
    "next",
    "is",
    "better",
    "fight",
    "final",
    "nfl",
    "nba",
];

/// Names of events that come before the name of a side.
const EVENTS: [&str; 14] = [
    "super bowl",
    "world series",
    "nba finals",
    "stanley cup",
    "world cup",
    "champions league",
    "premier league",
    "mlb",
    "nhl",
    "ufc",
    "grand final",
    "world cup final",
    "fa cup",
    "wimbledon final",
];

/// Finds the shape of a title. `named` is the date in the title.
pub(crate) fn shape(title: &str, words: &[Word], named: Option<&Named>) -> Shape {
    over_under(title, words)
        .or_else(|| asks(words).then_some(Shape::YesNo))
        .or_else(|| figure_of_a_contest(title, words))
        .or_else(|| versus(title, words))
        .or_else(|| choice(title, words))
        .or_else(|| threshold(title, words))
        .or_else(|| by_date(title, words, named))
        .unwrap_or(Shape::YesNo)
}

fn asks(words: &[Word]) -> bool {
    words.first().is_some_and(|word| ASKING.contains(&word.text.as_str()))
}

fn over_under(title: &str, words: &[Word]) -> Option<Shape> {
    const NAMES: [&str; 6] =
        ["over/under", "over-under", "o/u", "over or under", "over under", "total over/under"];
    let found = |at: usize| NAMES.iter().find_map(|name| starts_with(&words[at..], name)).map(|n| (at, n));
    let (at, count) = (0..words.len()).find_map(found)?;
    let after = at + count;
    let near = (after..words.len().min(after + 3)).find(|i| is_number(&words[*i].text));
    let before = at.checked_sub(1).filter(|i| is_number(&words[*i].text));
    let number = near.or(before)?;
    let unit = words.get(number + 1).filter(|_| near.is_some() && !words[number].ends_phrase);
    let is_unit = |word: &&Word| {
        word.text.chars().all(char::is_alphabetic) && !AFTER_A_NAME.contains(&word.text.as_str())
    };
    let unit = unit.filter(is_unit).map(|word| title[word.start..word.end].to_owned()).unwrap_or_default();
    let number = title[words[number].start..words[number].end].to_owned();
    Some(Shape::OverUnder(Line { number, unit }))
}

/// The shape of a title such as 'Total goals over 2.5 in Arsenal vs Chelsea'. The number comes before the two
/// sides, so the bet is about the number.
fn figure_of_a_contest(title: &str, words: &[Word]) -> Option<Shape> {
    threshold(title, &words[..between_sides(words)?])
}

/// The index of the word between two sides, such as 'vs'.
fn between_sides(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| matches!(word.text.as_str(), "vs" | "v" | "versus"))
}

/// Whether the title names two sides with 'vs' between them.
pub(crate) fn names_two_sides(title: &str) -> bool {
    between_sides(&words(title)).is_some()
}

fn versus(title: &str, words: &[Word]) -> Option<Shape> {
    let at = between_sides(words)?;
    let left = &words[..at];
    // The name of the first side begins after the last colon or bracket: 'Super Bowl: Chiefs vs Eagles'.
    let begin =
        left.iter().rposition(|word| word.ends_phrase && !is_abbreviation(title, word)).map_or(0, |i| i + 1);
    let left = without_lead(without_count(&left[begin.min(left.len())..]));
    let right = name_at(&words[at + 1..]);
    Some(Shape::Versus(slice(title, left)?, slice(title, right)?))
}

/// The words of a name without a count before it: 'Arsenal' for 'Most goals in Arsenal'.
fn without_count(words: &[Word]) -> &[Word] {
    const COUNTS: [&str; 12] = [
        "most",
        "total",
        "number",
        "goals",
        "points",
        "runs",
        "cards",
        "corners",
        "touchdowns",
        "first",
        "more",
        "score",
    ];
    let is_count = words.first().is_some_and(|word| COUNTS.contains(&word.text.as_str()));
    let at =
        words.iter().position(|word| matches!(word.text.as_str(), "in" | "of" | "for")).filter(|_| is_count);
    at.map_or(words, |at| &words[at + 1..])
}

/// Whether the word is an abbreviation with a full stop, as in 'St. Louis' and 'vs.'. Such a full stop does
/// not end a phrase.
fn is_abbreviation(title: &str, word: &Word) -> bool {
    title[word.end..].starts_with('.') && word.end - word.start <= 3
}

fn without_lead(mut words: &[Word]) -> &[Word] {
    while let Some((first, rest)) = words.split_first() {
        let event =
            EVENTS.iter().find_map(|event| starts_with(words, event)).filter(|count| *count < words.len());
        words = match event {
            Some(count) => &words[count..],
            None if BEFORE_A_NAME.contains(&first.text.as_str()) => rest,
            None => break,
        };
    }
    words
}

/// The words at the start that are part of the name of a side.
fn name_at(words: &[Word]) -> &[Word] {
    let stop =
        words.iter().position(|word| AFTER_A_NAME.contains(&word.text.as_str())).unwrap_or(words.len());
    let phrase = words.iter().position(|word| word.ends_phrase).map_or(words.len(), |i| i + 1);
    &words[..stop.min(phrase)]
}

/// The shape of a title such as 'Tea or coffee?', with at most a few words on both sides of 'or'.
fn choice(title: &str, words: &[Word]) -> Option<Shape> {
    const MOST: usize = 4;
    let at = words.iter().position(|word| word.text == "or")?;
    let begin = words[..at].iter().rposition(|word| word.ends_phrase).map_or(0, |i| i + 1);
    let left = without_lead(&words[begin.min(at)..at]);
    let right = name_at(&words[at + 1..]);
    let fits = |side: &[Word]| (1..=MOST).contains(&side.len());
    let no_number = |side: &[Word]| !side.iter().any(|word| is_number(&word.text));
    if !fits(left) || !fits(right) || !no_number(left) || words[at + 1..].iter().any(|word| word.text == "or")
    {
        return None;
    }
    Some(Shape::Choice(slice(title, left)?, slice(title, right)?))
}

/// The shape of a title with a text such as 'above $100k' or 'below 4%'. The value is the number as the user
/// typed it.
fn threshold(title: &str, words: &[Word]) -> Option<Shape> {
    type Make = fn(String) -> Shape;
    const LEADS: [(&str, Make); 10] = [
        ("above", Shape::Above),
        ("over", Shape::Above),
        ("more than", Shape::Above),
        ("higher than", Shape::Above),
        ("exceeds", Shape::Above),
        ("tops", Shape::Above),
        ("below", Shape::Below),
        ("under", Shape::Below),
        ("less than", Shape::Below),
        ("lower than", Shape::Below),
    ];
    let (at, make) = (0..words.len()).find_map(|at| {
        let found = LEADS.iter().find_map(|(lead, make)| Some((starts_with(&words[at..], lead)?, make)));
        found.map(|(count, make)| (at + count, make))
    })?;
    let number = words.get(at).filter(|word| is_number(&word.text))?;
    Some(make(title[number.start..end_of_figure(title, words, at)].to_owned()))
}

/// The byte position at which the figure with this number ends. The scale ('million') and the unit ('points')
/// belong to the figure.
fn end_of_figure(title: &str, words: &[Word], number: usize) -> usize {
    const SCALES: [&str; 4] = ["thousand", "million", "billion", "trillion"];
    const UNITS: [&str; 22] = [
        "percent",
        "per cent",
        "points",
        "degrees",
        "celsius",
        "fahrenheit",
        "mph",
        "km/h",
        "inches",
        "inch",
        "cm",
        "mm",
        "feet",
        "miles",
        "hours",
        "days",
        "minutes",
        "seconds",
        "dollars",
        "euros",
        "goals",
        "votes",
    ];
    let mut last = number;
    for parts in [&SCALES[..], &UNITS[..]] {
        let rest = if words[last].ends_phrase { &[] } else { &words[last + 1..] };
        last += parts.iter().find_map(|part| starts_with(rest, part)).unwrap_or(0);
    }
    let is_degree = |word: &&Word| {
        matches!(word.text.as_str(), "f" | "c") && title[words[last].end..word.start].trim() == "°"
    };
    let end = words.get(last + 1).filter(is_degree).map_or(words[last].end, |word| word.end);
    // A percent or degree sign after a space is not a word, so the search for units above does not find the
    // sign.
    let rest = title[end..].trim_start();
    let sign = rest.chars().next().filter(|c| matches!(c, '%' | '°'));
    sign.map_or(end, |sign| title.len() - rest.len() + sign.len_utf8())
}

/// The shape of a title with a text such as 'by March 3' or 'before the end of 2027'. Only words of a date
/// may come between 'by' and the date, so 'an album by Drake on Friday' does not have this shape.
fn by_date(title: &str, words: &[Word], named: Option<&Named>) -> Option<Shape> {
    let named = named?;
    let is_lead = |word: &Word| matches!(word.text.as_str(), "by" | "before");
    let begin = (0..named.at).rev().find(|i| is_lead(&words[*i]))?;
    let mut between = begin + 1;
    while between < named.at {
        between += words_of_a_date(&words[between..])?;
    }
    let end = words.get(named.at + named.words - 1)?.end;
    let lead = &words[begin];
    Some(Shape::ByDate(format!("{}{}", lead.text, title.get(lead.end..end)?)))
}

/// The number of words at the start that can come between 'by' and its date: an hour, a weekday or 'the end
/// of'.
fn words_of_a_date(words: &[Word]) -> Option<usize> {
    const WORDS: [&str; 19] = [
        "the",
        "end",
        "of",
        "on",
        "this",
        "next",
        "early",
        "mid",
        "late",
        "start",
        "beginning",
        "close",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    if let Some(count) = time_at_front(words) {
        return Some(count);
    }
    words.first().filter(|word| WORDS.contains(&word.text.as_str())).map(|_| 1)
}

/// Whether the text is a number such as `45.5`, `$100k`, `4%`, `1,000` or `1.2m`.
pub(crate) fn is_number(text: &str) -> bool {
    number(text).is_some()
}

/// The value of a number that may have a currency sign, a unit or a scale such as `k`.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['$', '€', '£', '+']);
    let text = ["°f", "°c"].into_iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(text);
    let text = text.trim_end_matches(['%', '°', '+', '$']);
    let (digits, scale) = match text.char_indices().last()? {
        (at, 'k') => (&text[..at], 1e3),
        (at, 'm') => (&text[..at], 1e6),
        (at, 'b') => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    let is_plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-'));
    let value: f64 = digits.replace(',', "").parse().ok().filter(|_| is_plain)?;
    Some(value * scale)
}

/// The part of the title that these words cover, with a capital first letter.
fn slice(title: &str, words: &[Word]) -> Option<String> {
    let text = title.get(words.first()?.start..words.last()?.end)?;
    let mut chars = text.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// The shape of a title, found without the date in the title. The wording check uses this shape.
pub(crate) fn shape_of(title: &str) -> Shape {
    shape(title, &words(title), None)
}
