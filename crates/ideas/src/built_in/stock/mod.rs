//! The stock: at least sixteen ideas for each category, written for this site. Each request fills in the dates.
//!
//! Each idea follows these rules:
//! - The outcome cannot be known before the expiry, because users can accept the bet until then.
//! - The outcome is known within about ten days after the expiry, because a bet that nobody settles lapses
//!   after fourteen days.
//! - An idea about a seasonal sport is offered only in its season.
//! - Both outcomes are about equally likely.
//! - If a page settles the bet, the idea names the page.
//! - The rule for ties and postponements is the same for all ideas. `Template::fill` adds it.

mod cryptocurrency;
mod entertainment;
mod finance;
mod other;
mod politics;
mod sports;
mod technology;
mod weather;

use bolts_bets::{Category, Method};
use bolts_kernel::Timestamp;
use bolts_ports::IdeaDraft;
use chrono::Days;

use super::days::{Dates, When};
use crate::{new_york, phrases, trading_days};

/// The source that settles a bet: its name and its URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source(&'static str, &'static str);

/// No public source. Only the two parties can see the outcome.
const OWN_EYES: Source = Source("", "");

/// An idea: its title, the rule of the bet, the outcomes, the source, and the rule for the dates. A name in
/// braces is a placeholder for a date or time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template(&'static str, &'static str, (&'static str, &'static str), Source, When);

/// The ideas of one category.
pub(super) struct Shelf {
    /// The category of the ideas.
    pub(super) category: Category,
    /// The ideas of the category, in season and out of season.
    pub(super) ideas: &'static [Template],
}

/// The ideas of all categories.
pub(super) const SHELVES: [Shelf; 8] = [
    Shelf { category: Category::Cryptocurrency, ideas: cryptocurrency::IDEAS },
    Shelf { category: Category::Sports, ideas: sports::IDEAS },
    Shelf { category: Category::Politics, ideas: politics::IDEAS },
    Shelf { category: Category::Weather, ideas: weather::IDEAS },
    Shelf { category: Category::Entertainment, ideas: entertainment::IDEAS },
    Shelf { category: Category::Technology, ideas: technology::IDEAS },
    Shelf { category: Category::Finance, ideas: finance::IDEAS },
    Shelf { category: Category::Other, ideas: other::IDEAS },
];

impl Shelf {
    /// The ideas that are in season on the day of `now`.
    pub(super) fn in_season(&self, now: Timestamp) -> Vec<&'static Template> {
        let today = new_york::date_and_time(now).date();
        self.ideas.iter().filter(|Template(_, _, _, _, when)| when.is_in_season(today)).collect()
    }
}

impl Template {
    /// The idea with its dates filled in. `None` if a date is out of the calendar's range.
    pub(super) fn fill(&self, category: Category, now: Timestamp) -> Option<IdeaDraft> {
        let Self(title, rule, (a, b), Source(name, url), when) = self;
        let today = new_york::date_and_time(now).date();
        let dates = when.on(today)?;
        let filled = |text: &str| fill(text, &dates);
        let source = if url.is_empty() {
            "Settled by what both sides can see for themselves.".to_owned()
        } else {
            format!("Settled by {name}.")
        };
        // The expiry comes before the event, so a postponement is measured in days from the planned date.
        let odd = "A tie that neither outcome covers makes the bet void, and so does a cancellation, or a postponement by \
                   more than ten days.";
        Some(IdeaDraft {
            title: filled(title),
            description: format!("{} {source} {odd}", filled(rule)),
            option_a: (*a).to_owned(),
            option_b: (*b).to_owned(),
            category: category.as_str().to_owned(),
            method: Method::MutualAgreement.as_str().to_owned(),
            source_url: (*url).to_owned(),
            expires_at: dates.expires_at.to_string(),
            odds_a: None,
        })
    }
}

/// Replaces the placeholders in a text with the dates.
fn fill(text: &str, dates: &Dates) -> String {
    let event = dates.event;
    let before = |days| event.checked_sub_days(Days::new(days)).unwrap_or(event);
    let later = |days| event.checked_add_days(Days::new(days)).unwrap_or(event);
    let close = trading_days::close_hour(event).unwrap_or(trading_days::CLOSE);
    let fills = [
        ("{date}", phrases::long_date(event)),
        ("{day}", phrases::date(event)),
        ("{before}", phrases::date(before(1))),
        ("{week}", phrases::date(before(7))),
        ("{trading_before}", phrases::date(trading_days::last_until(before(1)))),
        ("{after}", phrases::date(later(1))),
        ("{end}", phrases::date(later(7))),
        ("{trading_end}", phrases::date(trading_days::last_until(later(7)))),
        ("{month}", event.format("%B %Y").to_string()),
        ("{year}", event.format("%Y").to_string()),
        ("{close}", phrases::hour(close, 0)),
        ("{moment}", phrases::moment(dates.expires_at)),
    ];
    fills.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[cfg(test)]
mod tests {
    use chrono::{Datelike, NaiveDate};

    use super::*;

    fn all() -> impl Iterator<Item = &'static Template> {
        SHELVES.iter().flat_map(|shelf| shelf.ideas)
    }

    fn days() -> impl Iterator<Item = NaiveDate> {
        NaiveDate::from_ymd_opt(2026, 11, 18).unwrap().iter_days().take(3 * 365)
    }

    #[test]
    fn every_idea_leaves_time_to_accept_and_expires_by_16_00_of_its_day() {
        for today in days() {
            for Template(title, rule, _, _, when) in all() {
                let dates = when.on(today).unwrap();
                let (event, expires_at) = (dates.event, new_york::date_and_time(dates.expires_at));
                assert!(expires_at <= event.and_hms_opt(16, 0, 0).unwrap(), "{today}: {title}");
                // An idea that names the moment of its expiry expires on the decision day.
                if [title, rule].iter().any(|text| text.contains("{moment}")) {
                    assert_eq!(expires_at.date(), event, "{today}: {title}");
                }
                let asked_at = new_york::instant(today, 23, 30).unwrap();
                let time_to_accept = dates.expires_at.since(asked_at).as_secs();
                assert!(time_to_accept >= 30 * 3_600, "{today}: {title}");
                let wait = event.signed_duration_since(today).num_days();
                assert!((2..=50).contains(&wait), "{today}: {title}");
            }
        }
    }

    #[test]
    fn ideas_about_a_whole_day_expire_before_the_day_can_show_the_outcome() {
        for Template(title, rule, _, _, when) in all() {
            // An idea that compares the decision day with the day before must expire before the decision day
            // begins.
            let early = ["{trading_before}", "{before}"].iter().any(|before| rule.contains(before));
            let whole_day = rule.contains("on that day") && !rule.contains("PM New York time");
            if early || whole_day || title.starts_with("Does it rain") {
                let today = new_york::date_and_time(Timestamp::parse("2026-11-18T15:00:00Z").unwrap()).date();
                let dates = when.on(today).unwrap();
                let hour = if early { 0 } else { 12 };
                let latest = dates.event.and_hms_opt(hour, 0, 0).unwrap();
                assert!(new_york::date_and_time(dates.expires_at) <= latest, "{title}");
            }
        }
    }

    #[test]
    fn every_day_offers_at_least_100_ideas_all_in_season() {
        const SEASONS: [(&str, &[u32]); 16] = [
            ("NBA", &[11, 12, 1, 2, 3]),
            ("WNBA", &[6, 7, 8]),
            ("NFL", &[10, 11, 12]),
            ("NHL", &[11, 12, 1, 2, 3]),
            ("MLB", &[4, 5, 6, 7, 8, 9]),
            ("ATP", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
            ("PGA", &[1, 2, 3, 4, 5, 6, 7, 8]),
            ("UFC", &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ("Premier", &[9, 10, 11, 12, 1, 2, 3, 4]),
            ("Liga", &[9, 10, 11, 12, 1, 2, 3, 4]),
            ("Bundesliga", &[9, 10, 11]),
            ("Brazil's", &[8, 9, 10, 11]),
            ("Atlantic", &[8, 9, 10]),
            ("Pacific", &[7, 8, 9]),
            ("snow", &[1, 2]),
            ("House", &[9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7]),
        ];
        for today in days() {
            let now = new_york::instant(today, 10, 0).unwrap();
            let offered: Vec<_> = SHELVES.iter().map(|shelf| shelf.in_season(now)).collect();
            let fewest = offered.iter().map(Vec::len).min().unwrap();
            assert!(fewest >= 5, "{today}: {fewest}");
            let offered: Vec<_> = offered.into_iter().flatten().collect();
            assert!(offered.len() >= 100, "{today}: {}", offered.len());
            for Template(title, _, _, _, when) in offered {
                let month = when.on(today).unwrap().event.month();
                let words: Vec<&str> = title.split([' ', '\'', '?']).collect();
                for (name, months) in SEASONS {
                    let name = name.trim_end_matches("'s");
                    let is_meant = words.contains(&name)
                        && !title.contains("White House")
                        && !title.contains("rain or snow");
                    assert!(!is_meant || months.contains(&month), "{today}: {title}");
                }
            }
        }
    }
}
