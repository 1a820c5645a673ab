//! Reads the dates in a title, such as 'March 3', 'Friday' and 'by the end of the month'. The meaning of such
//! dates depends on today's date. Names of holidays, quarters and counts such as 'in 2 weeks' are not read: the
//! user sets the expiry of such a bet in the form.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use super::names::{is_before_a_date, is_before_a_weekday, month_of, ordinal, weekday_of, year_of};
use super::words::{Word, starts_with};

/// A date that a title names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The date.
    pub(crate) date: NaiveDate,
    /// The kind of the date.
    pub(crate) kind: Kind,
    /// Whether the title means the evening of the day. An evening has its own default hour.
    pub(crate) evening: bool,
    /// The index of the date's first word in the title.
    pub(crate) at: usize,
    /// The number of words of the date.
    pub(crate) words: usize,
}

/// The kind of a date in a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A day: 'March 3', 'tomorrow'.
    Day,
    /// A weekday, which can also mean the same day a week later: 'Friday'.
    Weekday,
    /// The evening of today: 'tonight'.
    Evening,
    /// A period that may not be a deadline: 'Person of the Year'. A day in the same title takes precedence.
    Period,
    /// A year without a word such as 'in' or 'by': 'World Cup 2030'. Such a year counts only if the title names
    /// no other date.
    BareYear,
}

/// Reads a date that begins at the word with this index. Returns the date, its kind and the number of its
/// words.
type Reader = fn(&Title<'_>, usize) -> Option<(NaiveDate, Kind, usize)>;

/// The title and today's date, which the readers need.
struct Title<'a> {
    words: &'a [Word],
    today: NaiveDate,
}

impl Title<'_> {
    fn text(&self, at: usize) -> &str {
        self.words.get(at).map(|word| word.text.as_str()).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map(|at| self.text(at)).unwrap_or_default()
    }

    /// The kind of the period at this word: [`Kind::Day`] for a deadline such as 'by the end of the year',
    /// otherwise [`Kind::Period`].
    fn period(&self, at: usize) -> Kind {
        let leads = |back: usize| at.checked_sub(back).map(|at| self.text(at)).unwrap_or_default();
        let is_deadline = (1..=4)
            .map(leads)
            .take_while(|word| is_before_a_period(word))
            .any(|word| matches!(word, "by" | "before" | "until" | "till" | "end"));
        if is_deadline { Kind::Day } else { Kind::Period }
    }

    fn is_night(&self, at: usize) -> bool {
        let word = self.text(at);
        matches!(word.strip_suffix("'s").unwrap_or(word), "night" | "evening")
    }

    fn phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        starts_with(self.words.get(at..)?, phrase)
    }
}

const READERS: [Reader; 7] =
    [numeric, month_and_day, day_and_month, month, relative_day, relative_period, year];

/// All dates in the title, in order.
pub(crate) fn dates(words: &[Word], today: NaiveDate) -> Vec<Named> {
    let title = Title { words, today };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        match READERS.iter().find_map(|read| read(&title, at)) {
            Some((date, kind, count)) => {
                let night = matches!(kind, Kind::Day | Kind::Weekday) && title.is_night(at + count);
                let words = count + usize::from(night);
                found.push(Named { date, kind, evening: night || kind == Kind::Evening, at, words });
                at += words;
            }
            None => at += 1,
        }
    }
    found
}

/// Reads `2026-12-31`, `12/31/2026`, and `12/31` after a word such as 'on'.
fn numeric(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let text = title.text(at);
    let numbers =
        |separator| text.split(separator).map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    let date = match (numbers('-').as_deref(), numbers('/').as_deref()) {
        (Some([year @ 2000..=2200, month, day]), _) => day_of(i32::try_from(*year).ok()?, *month, *day),
        (_, Some([month, day, year @ 2000..=2200])) => day_of(i32::try_from(*year).ok()?, *month, *day),
        (_, Some([month, day, year @ 24..=99])) => day_of(2000 + i32::try_from(*year).ok()?, *month, *day),
        (_, Some([month, day])) if is_before_a_date(title.before(at)) => coming(title.today, *month, *day),
        _ => None,
    }?;
    Some((date, Kind::Day, 1))
}

fn is_before_a_period(word: &str) -> bool {
    matches!(word, "by" | "before" | "until" | "till" | "end" | "of" | "the" | "this" | "next" | "current")
}

/// Reads `March 3` and `Mar 3rd, 2027`.
fn month_and_day(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let (month, day) = (month_of(title.text(at))?, ordinal(title.text(at + 1))?);
    with_year(title, month, day, at, 2)
}

/// Reads `3 March` and `3rd of March 2027`.
fn day_and_month(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let day = ordinal(title.text(at))?;
    let gap = usize::from(title.text(at + 1) == "of");
    let month = month_of(title.text(at + 1 + gap))?;
    with_year(title, month, day, at, 2 + gap)
}

fn with_year(
    title: &Title<'_>,
    month: u32,
    day: u32,
    at: usize,
    count: usize,
) -> Option<(NaiveDate, Kind, usize)> {
    match year_of(title.text(at + count)) {
        Some(year) => Some((day_of(year, month, day)?, Kind::Day, count + 1)),
        None => Some((coming(title.today, month, day)?, Kind::Day, count)),
    }
}

/// Reads `March 2027`, and `March` after a word such as 'in'. The result is the last day of the month. After
/// the word 'before', the result is the day before the month begins.
fn month(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let month = month_of(title.text(at))?;
    let before = title.before(at);
    let named = year_of(title.text(at + 1));
    let follows = matches!(
        before,
        "in" | "by"
            | "before"
            | "until"
            | "during"
            | "this"
            | "next"
            | "of"
            | "early"
            | "mid"
            | "late"
            | "for"
    );
    if named.is_none() && !follows {
        return None;
    }
    let today = title.today;
    let year = named.unwrap_or(today.year() + i32::from(month < today.month()));
    let date = if before == "before" { day_of(year, month, 1)?.pred_opt()? } else { month_end(year, month)? };
    Some((date, title.period(at), 1 + usize::from(named.is_some())))
}

/// Reads `today`, `tonight`, `tomorrow`, weekdays and weekends.
fn relative_day(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let (today, word) = (title.today, title.text(at));
    let modifier = title.before(at);
    match word.strip_suffix("'s").unwrap_or(word) {
        "today" => Some((today, Kind::Day, 1)),
        "tonight" => Some((today, Kind::Evening, 1)),
        "tomorrow" => Some((today.succ_opt()?, Kind::Day, 1)),
        "weekend" => {
            let sunday = on_or_after(today, Weekday::Sun)?;
            let sunday = if modifier == "next" { sunday.checked_add_days(Days::new(7))? } else { sunday };
            Some((sunday, Kind::Day, 1))
        }
        name => {
            let weekday = weekday_of(name, is_before_a_weekday(modifier, name))?;
            let (of_next_week, count) = of_next_week(title, at);
            if modifier == "next" || of_next_week {
                let monday = on_or_after(today.succ_opt()?, Weekday::Mon)?;
                return Some((on_or_after(monday, weekday)?, Kind::Day, count));
            }
            Some((on_or_after(today, weekday)?, Kind::Weekday, 1))
        }
    }
}

/// Whether the weekday at this word is in the next week, as in 'Tuesday next week' and 'next week on Tuesday'.
/// Also returns the number of words from the weekday to the end of the phrase.
fn of_next_week(title: &Title<'_>, at: usize) -> (bool, usize) {
    let leads = ["next week", "next week on"].into_iter().any(|phrase| {
        at.checked_sub(phrase.split(' ').count()).and_then(|at| title.phrase(at, phrase)).is_some()
    });
    let trails = ["next week", "of next week"].into_iter().find_map(|phrase| title.phrase(at + 1, phrase));
    (leads || trails.is_some(), 1 + trails.unwrap_or_default())
}

/// Reads `this week`, `end of the month` and `next year`. The result is the last day of the period. The result
/// for a week is its Friday.
fn relative_period(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let (today, word, modifier) = (title.today, title.text(at), title.before(at));
    let is_next = modifier == "next";
    if !(is_next || matches!(modifier, "this" | "the" | "of" | "current")) {
        return None;
    }
    let date = match word {
        "week" if is_next => on_or_after(on_or_after(today.succ_opt()?, Weekday::Mon)?, Weekday::Fri),
        "week" => on_or_after(today, Weekday::Fri),
        "month" if is_next => {
            let later = today.checked_add_months(Months::new(1))?;
            month_end(later.year(), later.month())
        }
        "month" => month_end(today.year(), today.month()),
        "year" => day_of(today.year() + i32::from(is_next), 12, 31),
        _ => None,
    }?;
    Some((date, title.period(at), 1))
}

/// Reads a year. For `in 2027` and `by the end of 2027` the result is the last day of the year. For `by 2027`
/// and `before 2027` the result is the day before the year begins.
fn year(title: &Title<'_>, at: usize) -> Option<(NaiveDate, Kind, usize)> {
    let year = year_of(title.text(at))?;
    match title.before(at) {
        "by" | "before" | "until" => Some((day_of(year - 1, 12, 31)?, Kind::Day, 1)),
        "in" | "of" | "during" | "end" | "for" => Some((day_of(year, 12, 31)?, title.period(at), 1)),
        _ => Some((day_of(year, 12, 31)?, Kind::BareYear, 1)),
    }
}

fn day_of(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, day)
}

/// The next date with this month and day, from today on. The search covers eight years, because the next 29
/// February can be eight years away.
fn coming(today: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    (0..=8).filter_map(|years| day_of(today.year() + years, month, day)).find(|date| *date >= today)
}

/// The last day of a month.
pub(crate) fn month_end(year: i32, month: u32) -> Option<NaiveDate> {
    day_of(year, month, 1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// The first date with this weekday, on or after `day`.
pub(crate) fn on_or_after(day: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    day.checked_add_days(Days::new(weekday.days_since(day.weekday()).into()))
}
