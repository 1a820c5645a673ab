//! A bet's two outcomes, from the shape of its title.

use super::dates::Named;
use super::hours::time_at_front;
use super::words::{Word, starts_with, words};

/// What a title is, and the two outcomes that follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// 'Chiefs vs Eagles': two that cannot both win.
    Versus(String, String),
    /// 'over/under 45.5 points': a number that is passed or not.
    OverUnder(Line),
    /// 'Bitcoin above $100k on Friday'.
    Above(String),
    /// 'Bitcoin below $100k on Friday'.
    Below(String),
    /// 'Tea or coffee?'.
    Choice(String, String),
    /// 'Apple sells a foldable phone by March 3': 'by March 3' as it was typed.
    ByDate(String),
    /// 'Will it snow?', and whatever has no other shape.
    YesNo,
}

/// The number of an over/under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// As it was typed.
    pub(crate) number: String,
    /// What is counted, if that was said.
    pub(crate) unit: String,
}

impl Line {
    /// Whether it can be met exactly, so that a rule for that case is needed.
    pub(crate) fn can_be_met(&self) -> bool {
        !self.number.contains(".5")
    }

    fn text(&self) -> String {
        if self.unit.is_empty() { self.number.clone() } else { format!("{} {}", self.number, self.unit) }
    }
}

/// The longest outcome, in characters (decisions, section 4).
const LONGEST: usize = 100;

impl Shape {
    /// The two outcomes.
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

/// Verbs that begin a question which is answered by yes or no.
const ASKING: [&str; 16] = [
    "will", "is", "are", "does", "do", "did", "has", "have", "can", "could", "would", "should", "won't",
    "was", "may", "am",
];

/// Words that end a contestant's name.
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

/// Words before a contestant's name that are none of it.
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

/// Events before a contestant's name.
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

/// The shape of a title. `named` is the date that it names.
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

/// 'Total goals over 2.5 in Arsenal vs Chelsea': the number comes first, so it is what the bet is about.
fn figure_of_a_contest(title: &str, words: &[Word]) -> Option<Shape> {
    threshold(title, &words[..between_sides(words)?])
}

/// Where the word between two contestants is.
fn between_sides(words: &[Word]) -> Option<usize> {
    words.iter().position(|word| matches!(word.text.as_str(), "vs" | "v" | "versus"))
}

/// Whether the title names two contestants, whatever it asks of them.
pub(crate) fn names_two_sides(title: &str) -> bool {
    between_sides(&words(title)).is_some()
}

fn versus(title: &str, words: &[Word]) -> Option<Shape> {
    let at = between_sides(words)?;
    let left = &words[..at];
    // A colon or bracket before the name ends what is not part of it: 'Super Bowl: Chiefs vs Eagles'.
    let begin =
        left.iter().rposition(|word| word.ends_phrase && !is_initials(title, word)).map_or(0, |i| i + 1);
    let left = without_lead(without_count(&left[begin.min(left.len())..]));
    let right = name_at(&words[at + 1..]);
    Some(Shape::Versus(slice(title, left)?, slice(title, right)?))
}

/// 'Most goals in Arsenal' as 'Arsenal': what is counted is no part of a name.
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

/// 'St. Louis' and 'vs.' end no phrase.
fn is_initials(title: &str, word: &Word) -> bool {
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

/// The words up to the first that ends a name.
fn name_at(words: &[Word]) -> &[Word] {
    let stop =
        words.iter().position(|word| AFTER_A_NAME.contains(&word.text.as_str())).unwrap_or(words.len());
    let phrase = words.iter().position(|word| word.ends_phrase).map_or(words.len(), |i| i + 1);
    &words[..stop.min(phrase)]
}

/// 'Tea or coffee?': a few words on both sides, and nothing else.
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

/// 'above $100k', 'below 4%': the number as it was typed.
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

/// Where the figure ends that begins with this number: its scale and unit are a part of it.
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
    // A lone sign is no word of its own.
    let rest = title[end..].trim_start();
    let sign = rest.chars().next().filter(|c| matches!(c, '%' | '°'));
    sign.map_or(end, |sign| title.len() - rest.len() + sign.len_utf8())
}

/// 'by March 3', 'before the end of 2027': nothing but the date may follow, or it is somebody's album.
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

/// How many words, from the first on, can stand between 'by' and its date: an hour, a weekday, 'the end of'.
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

/// `45.5`, `$100k`, `4%`, `1,000`, `1.2m`.
pub(crate) fn is_number(text: &str) -> bool {
    number(text).is_some()
}

/// The value of a number with what people write around it.
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

/// The part of the title that these words are; its first letter in capitals.
fn slice(title: &str, words: &[Word]) -> Option<String> {
    let text = title.get(words.first()?.start..words.last()?.end)?;
    let mut chars = text.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// The shape of a bare text, for tests and the wording check.
pub(crate) fn shape_of(title: &str) -> Shape {
    shape(title, &words(title), None)
}
