//! Rules that find problems in the wording of a bet: no source, a time without a time zone, no rule for a tie
//! or a postponement, and outcomes that overlap. Each remark proposes a change. After the change, the rule that
//! made the remark finds no problem.

use bolts_bets::Category;
use bolts_ports::{Remark, Wording, WordingField};

use crate::outcomes::{Clash, clash};
use crate::title::category::{category, usual_source};
use crate::title::hours::{Zone, first_time};
use crate::title::options::{Shape, shape_of};
use crate::title::words::{Word, weight, words};

/// A rule of the wording check. If it finds a problem, it returns the problem, the field to change and the new
/// value of this field.
type Rule = fn(&Wording) -> Option<(&'static str, WordingField, String)>;

const RULES: [Rule; 5] = [overlap, no_source, no_zone, no_tie_rule, no_postponement_rule];

/// All problems that the rules find. A form without a title has no remarks.
pub fn remarks(wording: &Wording) -> Vec<Remark> {
    if wording.title.trim().is_empty() {
        return Vec::new();
    }
    let found = RULES.iter().filter_map(|rule| rule(wording));
    found.filter_map(|(problem, field, value)| Remark::judge(wording, problem, field, &value)).collect()
}

/// The category that the user chose. If the user chose no category or `Other`, the category that the title
/// indicates.
fn about(wording: &Wording) -> Category {
    wording
        .category
        .filter(|chosen| *chosen != Category::Other)
        .unwrap_or_else(|| category(&words(&wording.title)))
}

/// The description field, and its text with this sentence added.
fn described(wording: &Wording, sentence: &str) -> (WordingField, String) {
    let before = wording.description.trim_end();
    let value = if before.is_empty() { sentence.to_owned() } else { format!("{before} {sentence}") };
    (WordingField::Description, value)
}

/// Whether the text contains one of these phrases as whole words. For example, 'tie' does not occur in
/// 'parties'.
fn mentions(text: &str, phrases: &str) -> bool {
    weight(&words(text), phrases.split(", ")) > 0
}

/// Finds a bet that names no source for its outcome. Without a source the two parties may disagree about the
/// outcome.
fn no_source(wording: &Wording) -> Option<(&'static str, WordingField, String)> {
    const NAMED: &str = "according to, as reported, reports, report, reported by, published, official, officially, source, \
                         sources, counts, announces, announced, settled by, see for themselves";
    if !wording.source_url.trim().is_empty()
        || mentions(&wording.description, NAMED)
        || wording.description.contains("://")
    {
        return None;
    }
    let problem = "Nothing says where the outcome is looked up.";
    let (field, value) = match usual_source(about(wording)) {
        Some((_, url)) => (WordingField::SourceUrl, url.to_owned()),
        None => described(
            wording,
            "What both sides can see for themselves counts, else a source that both accept.",
        ),
    };
    Some((problem, field, value))
}

/// Finds a time of day without a time zone.
fn no_zone(wording: &Wording) -> Option<(&'static str, WordingField, String)> {
    const CLAUSES: &str = "new york time, eastern time, local time, times are, all times, time zone";
    const PROBLEM: &str = "A time of day is named without its time zone.";
    let whole = format!("{} {}", wording.title, wording.description);
    if mentions(&whole, CLAUSES) {
        return None;
    }
    [WordingField::Title, WordingField::Description].into_iter().find_map(|field| {
        let text = wording.field(field);
        let end = end_of_bare_time(&words(text))?;
        let value = format!("{} New York time{}", &text[..end], &text[end..]);
        if field.judge(&value).is_some() {
            return Some((PROBLEM, field, value));
        }
        let (field, value) = described(wording, "All times are New York time.");
        Some((PROBLEM, field, value))
    })
}

/// The byte position after the first time of day without a time zone. A time zone also applies to the times
/// before it: in 'from 9 to 10 AM UTC' both times are in UTC.
fn end_of_bare_time(all: &[Word]) -> Option<usize> {
    let (mut from, mut bare) = (0, None);
    while let Some((at, time)) = first_time(&all[from..]) {
        let after = from + at + time.words;
        bare = match time.zone {
            // An unknown abbreviation may be a time zone that the parties know, so no other time zone is
            // added.
            Zone::Known(_) | Zone::Unknown => None,
            Zone::Unsaid => bare.or_else(|| all.get(after - 1).map(|word| word.end)),
        };
        from = after;
    }
    bare
}

const TIES: &str = "tie, ties, tied, draw, draws, drawn, exactly, equal, equals, push, overtime, extra time, level, neither, \
                    same as, shared, dead heat, even, penalties, penalty";

/// Finds a bet without a rule for a tie, for a number that is met exactly, or for a figure that does not
/// change.
fn no_tie_rule(wording: &Wording) -> Option<(&'static str, WordingField, String)> {
    if mentions(&wording.description, TIES) {
        return None;
    }
    let with = |problem, sentence: &str| {
        let (field, value) = described(wording, sentence);
        Some((problem, field, value))
    };
    match shape_of(&wording.title) {
        Shape::OverUnder(line) if line.can_be_met() => with(
            "Nothing says what happens if the number is met exactly.",
            &format!("If it is exactly {}, the bet is void and both stakes go back.", line.number),
        ),
        Shape::Versus(..) => with(
            "Nothing says what happens in a tie.",
            "If it ends in a tie or draw, the bet is void and both stakes go back.",
        ),
        Shape::OverUnder(_)
        | Shape::Above(_)
        | Shape::Below(_)
        | Shape::Choice(..)
        | Shape::ByDate(_)
        | Shape::YesNo
            if is_either_way(wording) =>
        {
            with(
                "Nothing says what happens if there is no difference.",
                "If there is no difference, it counts as a tie: the bet is void and both stakes go back.",
            )
        }
        Shape::OverUnder(_)
        | Shape::Above(_)
        | Shape::Below(_)
        | Shape::Choice(..)
        | Shape::ByDate(_)
        | Shape::YesNo => None,
    }
}

/// Whether the outcomes are two directions such as 'up' and 'down'. A figure that does not change fits neither
/// direction.
fn is_either_way(wording: &Wording) -> bool {
    const PAIRS: [(&str, &str); 6] = [
        ("up", "down"),
        ("higher", "lower"),
        ("rise", "fall"),
        ("rises", "falls"),
        ("increase", "decrease"),
        ("more", "fewer"),
    ];
    let first = |text: &str| words(text).first().map(|word| word.text.clone()).unwrap_or_default();
    let (a, b) = (first(&wording.option_a), first(&wording.option_b));
    PAIRS.iter().any(|(one, other)| (a == *one && b == *other) || (a == *other && b == *one))
}

/// Finds a bet on an event without a rule for a postponement or cancellation. A postponed event may have no
/// result when the bet expires.
fn no_postponement_rule(wording: &Wording) -> Option<(&'static str, WordingField, String)> {
    const RULED: &str = "postpone, postponed, postponement, rescheduled, delay, delayed, delays, cancel, cancelled, canceled, \
                         cancellation, called off, abandoned, put off, suspended, not held, not played, take place";
    const EVENTS: [&str; 27] = [
        "vs",
        "versus",
        "match",
        "game",
        "fight",
        "race",
        "concert",
        "ceremony",
        "launch",
        "election",
        "premiere",
        "debate",
        "final",
        "finals",
        "tournament",
        "bout",
        "grand prix",
        "referendum",
        "vote",
        "opening",
        "draft",
        "marathon",
        "super bowl",
        "world series",
        "world cup",
        "derby",
        "halftime show",
    ];
    if mentions(&wording.description, RULED) {
        return None;
    }
    let title = words(&wording.title);
    let is_event = weight(&title, EVENTS) > 0
        || matches!(shape_of(&wording.title), Shape::Versus(..))
        || about(wording) == Category::Sports;
    if !is_event {
        return None;
    }
    let (field, value) = described(
        wording,
        "If it is postponed past the expiry of this bet or cancelled, the bet is void and both stakes go back.",
    );
    Some(("Nothing says what happens if it is postponed or cancelled.", field, value))
}

/// Finds two outcomes that can both be true, or that can both be false.
fn overlap(wording: &Wording) -> Option<(&'static str, WordingField, String)> {
    let (problem, other) = match clash(&wording.option_a, &wording.option_b)? {
        Clash::Overlap(other) => ("Both outcomes can be true at once.", other),
        Clash::Gap(_) if mentions(&wording.description, TIES) => return None,
        Clash::Gap(other) => ("The two outcomes leave out the case between them.", other),
    };
    Some((problem, WordingField::OptionB, other))
}
