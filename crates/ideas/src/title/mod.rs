//! Reads a bet out of its title: category, outcomes and expiry, by rules. The title is text that is looked at, word by
//! word; nothing in it is ever obeyed.

pub(crate) mod category;
mod dates;
mod expiry;
pub(crate) mod hours;
mod names;
pub(crate) mod options;
pub(crate) mod words;

use bolts_bets::{Category, Method, Text};
use bolts_kernel::{FieldError, Timestamp};
use bolts_ports::{Idea, IdeaDraft};

pub(crate) use dates::{month_end, on_or_after};
use options::{Line, Shape};

/// The bet that this title is the beginning of.
///
/// # Errors
/// The form would refuse it, which only a title can cause that the form would refuse.
pub fn complete(title: &Text, now: Timestamp) -> Result<Idea, Vec<FieldError>> {
    let words = words::words(title);
    let category = category::category(&words);
    let (expires_at, named) = expiry::expiry(&words, now);
    let shape = options::shape(title, &words, named.as_ref());
    let (option_a, option_b) = shape.options();
    let source = category::usual_source(category);
    let description = describe(title, &shape, (&option_a, &option_b), expires_at, category);
    let draft = IdeaDraft {
        title: title.to_string(),
        description,
        option_a,
        option_b,
        category: category.as_str().to_owned(),
        method: Method::MutualAgreement.as_str().to_owned(),
        source_url: source.map(|(_, url)| url.to_owned()).unwrap_or_default(),
        expires_at: expires_at.to_string(),
    };
    Idea::judge(draft, now)
}

/// When a bet of that title should expire, and whether the title itself says so.
pub(crate) fn expiry_of(title: &str, now: Timestamp) -> (Timestamp, bool) {
    let words = words::words(title);
    let (at, named) = expiry::expiry(&words, now);
    let has_hour = hours::first_time(&words).is_some_and(|(_, time)| time.zone != hours::Zone::Unknown);
    (at, named.is_some() || has_hour)
}

/// What decides, by what source, and what happens in the odd cases.
fn describe(
    title: &str,
    shape: &Shape,
    (a, b): (&str, &str),
    expires_at: Timestamp,
    category: Category,
) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let rule = if is_contest(&title, category) {
        of_a_contest(&title, shape, (a, b), expires_at)
    } else {
        by_a_moment(&title, shape, (a, b), expires_at)
    };
    match category::usual_source(category) {
        Some((name, _)) => format!("{rule} What {name} reports counts."),
        None => {
            format!("{rule} What both sides can see for themselves counts, else a source that both accept.")
        }
    }
}

/// Sport is played, and so is what two sides do to each other, unless it is measured: 'Bitcoin vs Ethereum'.
fn is_contest(title: &str, category: Category) -> bool {
    match category {
        Category::Sports => true,
        Category::Cryptocurrency | Category::Finance | Category::Weather => false,
        Category::Politics | Category::Entertainment | Category::Technology | Category::Other => {
            options::names_two_sides(title)
        }
    }
}

/// A game that begins at the expiry is not over then: its day decides which one is meant, and its end decides it.
fn of_a_contest(title: &str, shape: &Shape, (a, b): (&str, &str), expires_at: Timestamp) -> String {
    let day = crate::phrases::long_date(crate::new_york::date_and_time(expires_at).date());
    let held = format!(
        "A contest that the title names and that is held on or before {day}, New York time, counts until its end, whenever \
         that is: the expiry of this bet is no cut-off for its result."
    );
    let off = "cancelled or postponed past that day";
    match shape {
        Shape::Versus(..) => format!(
            "“{a}” wins if that side wins the contest named in the title, overtime and penalties included; “{b}” wins if \
             the other side does. {held} A draw, and a contest that is {off}, make the bet void."
        ),
        Shape::OverUnder(line) => format!(
            "“{a}” wins if the final figure is above {number}, “{b}” if it is below.{met} {held} If it is {off}, the bet is \
             void.",
            number = line.number,
            met = met_exactly(line),
        ),
        Shape::Above(_) | Shape::Below(_) => {
            format!("The final figure counts: “{a}” or else “{b}”. {held} If it is {off}, the bet is void.")
        }
        Shape::Choice(..) => format!(
            "“{a}” against “{b}”. {held} If neither or both are right, or it is {off}, the bet is void."
        ),
        Shape::ByDate(_) | Shape::YesNo => format!(
            "“{a}” wins if what the title says (“{title}”) comes true; otherwise “{b}” wins. {held} If it is {off}, “{b}” \
             wins. A tie or draw counts as not having won."
        ),
    }
}

/// What is not played has to be so at a moment.
fn by_a_moment(title: &str, shape: &Shape, (a, b): (&str, &str), expires_at: Timestamp) -> String {
    let until = crate::phrases::moment(expires_at);
    match shape {
        Shape::OverUnder(line) => format!(
            "“{a}” wins if the final figure is above {number}, “{b}” if it is below, as it stands by {until}.{met} If it is \
             cancelled or postponed past that time, the bet is void.",
            number = line.number,
            met = met_exactly(line),
        ),
        Shape::Above(_) | Shape::Below(_) => format!(
            "The last figure published before {until} counts: “{a}” or else “{b}”. If none is published because of a \
             cancellation or postponement, the bet is void."
        ),
        Shape::Versus(..) | Shape::Choice(..) => format!(
            "“{a}” against “{b}”, as it stands on {until}. If neither or both are right, or it is cancelled or postponed \
             past that time, the bet is void."
        ),
        Shape::ByDate(_) | Shape::YesNo => format!(
            "“{a}” wins if what the title says (“{title}”) has come true by {until}; otherwise “{b}” wins. If it is \
             cancelled or postponed past that time, “{b}” wins. A tie or draw counts as not having won."
        ),
    }
}

fn met_exactly(line: &Line) -> String {
    if line.can_be_met() { format!(" Exactly {} makes the bet void.", line.number) } else { String::new() }
}
