//! Tests of the stock of ideas: the form accepts every idea on every kind of day, and no user gets the same
//! idea twice in a row.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bolts_bets::{Category, MethodPolicy, Terms, TermsDraft, Visibility};
use bolts_ideas::{BuiltIn, new_york, trading_days, wording};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{Idea, IdeaRequest, Ideas, Wording};

use crate::now;

fn user(number: u128) -> UserId {
    UserId::from(number)
}

async fn idea(number: u128, turn: u64, now: Timestamp) -> Idea {
    let idea = BuiltIn.generate(IdeaRequest { user: user(number), turn, now }).await;
    idea.unwrap_or_else(|error| panic!("{number} {turn} {now}: {error}"))
}

fn draft(idea: &Idea) -> TermsDraft {
    TermsDraft {
        title: idea.title.to_string(),
        description: idea.description.to_string(),
        option_a: idea.option_a.to_string(),
        option_b: idea.option_b.to_string(),
        stake_amount: 100,
        currency: "sats".to_owned(),
        category: idea.category.as_str().to_owned(),
        method: idea.method.as_str().to_owned(),
        source_url: idea.source_url.as_deref().unwrap_or_default().to_owned(),
        expires_at: idea.expires_at.map(|at| at.to_string()).unwrap_or_default(),
        ..TermsDraft::default()
    }
}

/// Fifty instants in three years at different hours. They include ends of months and years, weekends, a leap
/// day and changes of the clocks.
fn days() -> Vec<Timestamp> {
    let odd = [
        "2026-12-31T23:30:00Z",
        "2027-01-01T04:59:59Z",
        "2027-01-01T05:00:00Z",
        "2028-02-29T12:00:00Z",
        "2027-03-14T06:59:00Z",
        "2026-11-01T05:30:00Z",
        "2026-11-25T20:00:00Z",
        "2026-11-27T18:30:00Z",
        "2026-12-24T18:00:00Z",
        "2027-12-17T03:00:00Z",
    ];
    let even = (0..40).map(|n| now().after(Duration::from_secs(n * (27 * 86_400 + 5 * 3_600 + 17))));
    odd.iter().map(|text| Timestamp::parse(text).expect("usable")).chain(even).collect()
}

#[tokio::test]
async fn a_thousand_ideas_on_fifty_days_pass_the_form() {
    assert!(BuiltIn::size() >= 120, "{}", BuiltIn::size());
    let days = days();
    assert_eq!(days.len(), 50);
    let mut checked = 0;
    for (index, now) in days.into_iter().enumerate() {
        for turn in 0..BuiltIn::round(now) {
            let idea = idea(u128::try_from(index).unwrap(), turn, now).await;
            let terms = Terms::parse(&draft(&idea), Visibility::Public, MethodPolicy::BoltsOnly, now);
            let terms = terms.unwrap_or_else(|errors| panic!("{}: {errors:?}", &*idea.title));
            let time_to_accept = terms.expires_at.since(now);
            assert!(
                time_to_accept >= Duration::from_secs(30 * 3_600),
                "{}: {time_to_accept:?}",
                &*idea.title
            );
            let texts = [&idea.title, &idea.description, &idea.option_a, &idea.option_b];
            assert!(texts.iter().all(|text| !text.contains(['{', '}'])), "{idea:?}");
            assert!(idea.title.chars().count() <= 140, "{}", &*idea.title);
            checked += 1;
        }
    }
    assert!(checked >= 1_000, "{checked}");
}

#[tokio::test]
async fn the_wording_check_has_no_remark_on_any_idea() {
    for now in days() {
        for turn in 0..BuiltIn::round(now) {
            let idea = idea(1, turn, now).await;
            let wording = Wording {
                title: idea.title.to_string(),
                description: idea.description.to_string(),
                option_a: idea.option_a.to_string(),
                option_b: idea.option_b.to_string(),
                category: Some(idea.category),
                source_url: idea.source_url.as_deref().unwrap_or_default().to_owned(),
                expires_at: idea.expires_at,
            };
            assert_eq!(wording::remarks(&wording), [], "{wording:?}");
            let has_source = idea.source_url.is_some() || idea.category == Category::Other;
            assert!(has_source, "{}", &*idea.title);
        }
    }
}

#[tokio::test]
async fn a_user_gets_all_ideas_in_season_before_one_repeats() {
    for number in 0..40 {
        let mut seen = BTreeSet::new();
        for turn in 0..BuiltIn::round(now()) {
            seen.insert(idea(number, turn, now()).await.title.to_string());
        }
        assert_eq!(seen.len(), BuiltIn::offered(now()), "user {number}");
    }
}

#[tokio::test]
async fn the_categories_take_turns_even_if_days_pass_between_requests() {
    let days = days();
    for number in 0..40 {
        for turn in 0..u64::try_from(days.len()).unwrap() {
            let days = days.iter().cycle().skip(usize::try_from(turn).unwrap());
            let mut categories = BTreeSet::new();
            for (turn, day) in (turn..).zip(days).take(Category::ALL.len()) {
                categories.insert(idea(number, turn, *day).await.category.as_str());
            }
            assert_eq!(categories.len(), Category::ALL.len(), "user {number}, turn {turn}: {categories:?}");
        }
    }
}

#[tokio::test]
async fn every_category_has_ideas_and_users_get_them_in_different_orders() {
    let mut titles: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for turn in 0..BuiltIn::round(now()) {
        let idea = idea(7, turn, now()).await;
        titles.entry(idea.category.as_str()).or_default().insert(idea.title.to_string());
    }
    assert_eq!(titles.len(), Category::ALL.len());
    assert!(titles.values().all(|titles| titles.len() >= 15), "{titles:?}");
    let (mut first, mut categories) = (BTreeSet::new(), BTreeSet::new());
    for number in 0..40 {
        let idea = idea(number << 64, 0, now()).await;
        first.insert(idea.title.to_string());
        categories.insert(idea.category.as_str());
    }
    assert!(first.len() > 20 && categories.len() == Category::ALL.len(), "{first:?}");
}

#[tokio::test]
async fn market_ideas_are_decided_on_trading_days() {
    let mut found = BTreeSet::new();
    for now in days() {
        for turn in 0..BuiltIn::round(now) {
            let idea = idea(3, turn, now).await;
            if idea.title.contains("S&P 500 close higher") {
                let day = new_york::date_and_time(idea.expires_at.unwrap()).date();
                assert!(trading_days::is_trading_day(day), "{}", &*idea.title);
                found.insert(now);
            }
        }
    }
    assert_eq!(found.len(), 50);
}
