//! The stock: ideas written for this site, sixteen for each category, whose dates are filled in on the day they are asked for.
//!
//! What decides lies in the future on every such day, each outcome is about as likely as the other, and where a page
//! settles the bet it is named. What a tie or a postponement means is said for all of them in one place.

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

/// Who settles a bet: a name, and where to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source(&'static str, &'static str);

/// What only the two themselves can see.
const OWN_EYES: Source = Source("", "");

/// Title, rule, outcomes, source and day. Braces hold what the day fills in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template(&'static str, &'static str, (&'static str, &'static str), Source, When);

/// Every category's ideas.
const STOCK: [(Category, &[Template]); 8] = [
    (Category::Cryptocurrency, cryptocurrency::IDEAS),
    (Category::Sports, sports::IDEAS),
    (Category::Politics, politics::IDEAS),
    (Category::Weather, weather::IDEAS),
    (Category::Entertainment, entertainment::IDEAS),
    (Category::Technology, technology::IDEAS),
    (Category::Finance, finance::IDEAS),
    (Category::Other, other::IDEAS),
];

/// How many ideas there are.
pub(super) fn size() -> usize {
    STOCK.iter().map(|(_, ideas)| ideas.len()).sum()
}

/// The idea of that number: the categories take turns.
pub(super) fn at(number: usize) -> Option<(Category, &'static Template)> {
    let most = STOCK.iter().map(|(_, ideas)| ideas.len()).max()?;
    let rounds =
        (0..most).flat_map(|round| STOCK.iter().map(move |(category, ideas)| (category, ideas.get(round))));
    let mut all = rounds.filter_map(|(category, idea)| Some((*category, idea?)));
    all.nth(number % size())
}

impl Template {
    /// The idea as of now.
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
        let odd = "A tie that neither outcome covers makes the bet void, and so does a cancellation, or a postponement \
                   past its expiry.";
        Some(IdeaDraft {
            title: filled(title),
            description: format!("{} {source} {odd}", filled(rule)),
            option_a: (*a).to_owned(),
            option_b: (*b).to_owned(),
            category: category.as_str().to_owned(),
            method: Method::MutualAgreement.as_str().to_owned(),
            source_url: (*url).to_owned(),
            expires_at: dates.expires_at.to_string(),
        })
    }
}

/// Puts the days in place of their names.
fn fill(text: &str, dates: &Dates) -> String {
    let event = dates.event;
    let before = |days| event.checked_sub_days(Days::new(days)).unwrap_or(event);
    let close = trading_days::close_hour(event).unwrap_or(trading_days::CLOSE);
    let fills = [
        ("{date}", phrases::long_date(event)),
        ("{day}", phrases::date(event)),
        ("{before}", phrases::date(before(1))),
        ("{week}", phrases::date(before(7))),
        ("{trading_before}", phrases::date(trading_days::last_until(before(1)))),
        ("{tomorrow}", phrases::date(dates.tomorrow)),
        ("{first_trading}", phrases::date(trading_days::next_after(dates.today))),
        ("{month}", event.format("%B %Y").to_string()),
        ("{year}", event.format("%Y").to_string()),
        ("{close}", phrases::hour(close, 0)),
        ("{moment}", phrases::moment(dates.expires_at)),
    ];
    fills.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}
