//! Tests of the wording check: the problems that it finds, the wordings without a problem, and the proposed
//! changes.

use bolts_bets::Category;
use bolts_ideas::wording::remarks;
use bolts_ports::{Wording, WordingField};
use proptest::prelude::*;

fn wording(title: &str, description: &str, options: (&str, &str), source_url: &str) -> Wording {
    Wording {
        title: title.to_owned(),
        description: description.to_owned(),
        option_a: options.0.to_owned(),
        option_b: options.1.to_owned(),
        source_url: source_url.to_owned(),
        ..Wording::default()
    }
}

/// The fields that the remarks change, and the new value of the first field.
fn found(wording: &Wording) -> (Vec<&'static str>, String) {
    let all = remarks(wording);
    let first = all.first().map(|remark| remark.value().to_owned()).unwrap_or_default();
    (all.iter().map(|remark| remark.field().as_str()).collect(), first)
}

#[test]
fn each_rule_finds_its_problem_and_proposes_a_change() {
    let yes = ("Yes", "No");
    let url = "https://example.com/";
    for (what, wording, field, value) in [
        (
            "no source",
            wording("Will Bitcoin double by March 3?", "", yes, ""),
            "sourceUrl",
            "https://www.coingecko.com/",
        ),
        (
            "no source, where no page is the usual one",
            wording("Will my plant survive?", "It is green.", yes, ""),
            "description",
            "It is green. What both sides can see for themselves counts, else a source that both accept.",
        ),
        (
            "a time without a zone, in the title",
            wording("Will Bitcoin be above $90k at 9 PM?", "", yes, url),
            "title",
            "Will Bitcoin be above $90k at 9 PM New York time?",
        ),
        (
            "a time without a zone, in the description",
            wording("Will Bitcoin double?", "It is measured at 21:00, then again.", yes, url),
            "description",
            "It is measured at 21:00 New York time, then again.",
        ),
        (
            "the second of two times",
            wording("Will Bitcoin double?", "From 9 am ET to 5 pm.", yes, url),
            "description",
            "From 9 am ET to 5 pm New York time.",
        ),
        (
            "no rule for a tie",
            wording("Tea vs coffee", "If it is cancelled, nobody wins.", ("Tea", "Coffee"), url),
            "description",
            "If it is cancelled, nobody wins. If it ends in a tie or draw, the bet is void and both stakes go back.",
        ),
        (
            "no rule for a tie, among words that hold one",
            wording(
                "Tea vs coffee",
                "Both parties decide at the event; postponed is void.",
                ("Tea", "Coffee"),
                url,
            ),
            "description",
            "Both parties decide at the event; postponed is void. If it ends in a tie or draw, the bet is void and both \
             stakes go back.",
        ),
        (
            "no rule for no change",
            wording("The price of eggs in March", "", ("Up", "Down"), url),
            "description",
            "If there is no difference, it counts as a tie: the bet is void and both stakes go back.",
        ),
        (
            "no rule for a postponement",
            wording("Does the concert sell out?", "", yes, url),
            "description",
            "If it is postponed past the expiry of this bet or cancelled, the bet is void and both stakes go back.",
        ),
        (
            "no rule for a postponement, where a question names two sides",
            wording("Will Smith vs Jones end early?", "", yes, url),
            "description",
            "If it is postponed past the expiry of this bet or cancelled, the bet is void and both stakes go back.",
        ),
        (
            "options that overlap",
            wording("How many cats?", "", ("At least 3", "At most 3"), url),
            "optionB",
            "Under 3",
        ),
        (
            "options that leave a gap",
            wording("How many cats?", "", ("Over 3", "Under 3"), url),
            "optionB",
            "At most 3",
        ),
    ] {
        assert_eq!(found(&wording), (vec![field], value.to_owned()), "{what}");
    }
}

#[test]
fn wordings_without_a_problem_have_no_remarks() {
    let url = "https://example.com/";
    for wording in [
        wording("", "", ("", ""), ""),
        wording("Will it snow?", "What the weather service reports counts.", ("Snow", "No snow"), ""),
        wording("Will Bitcoin be above $90k at 9 PM ET?", "", ("Yes", "No"), url),
        wording("Will it rain at 9 PM?", "All times are London time.", ("Yes", "No"), url),
        wording("Will the yen rise by 19:00 JST?", "", ("Yes", "No"), url),
        wording("Will it rain in Mumbai at 7 PM IST?", "", ("Yes", "No"), url),
        wording("Tea vs coffee", "A tie or a postponement makes it void.", ("Tea", "Coffee"), url),
        wording("How many cats?", "Exactly 3 is a tie.", ("Over 3", "Under 3"), url),
        wording("Over/under 45.5 points", "Postponed games are void.", ("Over 45.5", "Under 45.5"), url),
        wording("A 3-2 win", "", ("Yes", "No"), url),
        wording("Will anybody run a mile under 3:43?", "", ("Yes", "No"), url),
    ] {
        assert_eq!(remarks(&wording), [], "{wording:?}");
    }
}

#[test]
fn the_chosen_category_takes_precedence_over_the_category_of_the_title() {
    let mut wording = wording("Will it be a good year?", "", ("Yes", "No"), "");
    wording.category = Some(Category::Weather);
    assert_eq!(found(&wording), (vec!["sourceUrl"], "https://www.weather.gov/".to_owned()));
}

#[test]
fn a_change_that_does_not_fit_a_field_is_proposed_for_another_field_or_left_out() {
    let long = format!("{} at 9 PM", "x".repeat(190));
    let (fields, value) = found(&wording(&long, "", ("Yes", "No"), "https://example.com/"));
    assert_eq!((fields, value.as_str()), (vec!["description"], "All times are New York time."));
    let full = "y".repeat(5_000);
    assert_eq!(remarks(&wording("Tea vs coffee", &full, ("Tea", "Coffee"), "https://example.com/")), []);
}

proptest! {
    #[test]
    fn after_all_proposed_changes_there_are_no_remarks(
        title in prop::sample::select(vec![
            "Chiefs vs Eagles at 9 PM", "Over/under 3 goals in the match at 21:00", "Will it snow at noon?", "Bitcoin up or down",
            "Who wins the race?", "Will my plant survive?", "Tea or coffee at 8:30 am", "Election at midnight",
        ]),
        description in prop::sample::select(vec!["", "It starts at 7pm.", "We will see", "Exactly as said.", "\u{e9}\u{1F600} 21:00"]),
        options in prop::sample::select(vec![
            ("Yes", "No"), ("Over 3", "Under 3"), ("Up", "Down"), ("A", "A or B"), ("", ""), ("3+", "up to 3"), ("Chiefs", "Eagles"),
            ("1-3", "2-4"),
        ]),
    ) {
        let mut wording = wording(title, description, options, "");
        for _ in 0..12 {
            let Some(remark) = remarks(&wording).into_iter().next() else { break };
            prop_assert!(remark.field().judge(remark.value()).is_some());
            prop_assert_ne!(wording.field(remark.field()), remark.value());
            wording = wording.with(remark.field(), remark.value().to_owned());
        }
        prop_assert_eq!(remarks(&wording), []);
    }

    #[test]
    fn random_texts_are_checked_without_a_panic(title in "\\PC{0,200}", description in "\\PC{0,300}", a in "\\PC{0,100}", b in "\\PC{0,100}") {
        for remark in remarks(&wording(&title, &description, (&a, &b), "")) {
            prop_assert!(WordingField::ALL.contains(&remark.field()));
            prop_assert!(!remark.problem().is_empty() && !remark.value().is_empty());
        }
    }
}
