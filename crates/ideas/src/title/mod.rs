//! Rules that read the category, the outcomes and the expiry of a bet from its title. The title is only data.
//! The rules never follow instructions in a title.

pub(crate) mod category;
mod dates;
mod expiry;
pub(crate) mod hours;
mod names;
mod odds;
pub(crate) mod options;
pub(crate) mod words;

use bolts_bets::{Category, Method, Text};
use bolts_kernel::{FieldError, Timestamp};
use bolts_ports::{Idea, IdeaDraft};

pub(crate) use dates::{month_end, on_or_after};
use options::{Line, Shape};

/// Completes the bet with this title.
///
/// # Errors
/// The form would refuse the title.
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
        odds_a: shape.says_one_thing().then(|| odds::odds(&words)).flatten(),
    };
    Idea::judge(draft, now)
}

/// The expiry of a bet with this title, and whether the title names a date or an hour.
pub(crate) fn expiry_of(title: &str, now: Timestamp) -> (Timestamp, bool) {
    let words = words::words(title);
    let (at, named) = expiry::expiry(&words, now);
    let has_hour = hours::first_time(&words).is_some_and(|(_, time)| time.zone != hours::Zone::Unknown);
    (at, named.is_some() || has_hour)
}

/// The description of the bet: its rule, its source, and the rules for ties, cancellations and postponements.
fn describe(
    title: &str,
    shape: &Shape,
    (a, b): (&str, &str),
    expires_at: Timestamp,
    category: Category,
) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let rule = if is_contest(&title, category) {
        contest_rule(&title, shape, (a, b), expires_at)
    } else {
        moment_rule(&title, shape, (a, b), expires_at)
    };
    match category::usual_source(category) {
        Some((name, _)) => format!("{rule} What {name} reports counts."),
        None => {
            format!("{rule} What both sides can see for themselves counts, else a source that both accept.")
        }
    }
}

/// Whether the bet is about a contest. The result of a contest decides such a bet. The state at the expiry
/// decides any other bet. All bets in Sports are about a contest. A bet with two sides in its title is about a
/// contest too, unless its category is about figures, as in 'Bitcoin vs Ethereum'.
fn is_contest(title: &str, category: Category) -> bool {
    match category {
        Category::Sports => true,
        Category::Cryptocurrency | Category::Finance | Category::Weather => false,
        Category::Politics | Category::Entertainment | Category::Technology | Category::Other => {
            options::names_two_sides(title)
        }
    }
}

/// The rule for a bet about a contest. A contest can end after the expiry. So the day of the expiry only
/// tells which contest is meant, and the result at the end of the contest decides.
fn contest_rule(title: &str, shape: &Shape, (a, b): (&str, &str), expires_at: Timestamp) -> String {
    let day = crate::phrases::long_date(crate::new_york::date_and_time(expires_at).date());
    let held = format!(
        "A contest that the title names counts if it is held on or before {day}, New York time. The final result counts, \
         even after expiry."
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
            met = rule_for_an_exact_hit(line),
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

/// The rule for a bet that is not about a contest. The state at the expiry decides.
fn moment_rule(title: &str, shape: &Shape, (a, b): (&str, &str), expires_at: Timestamp) -> String {
    let until = crate::phrases::moment(expires_at);
    match shape {
        Shape::OverUnder(line) => format!(
            "“{a}” wins if the final figure is above {number}, “{b}” if it is below, as it stands by {until}.{met} If it is \
             cancelled or postponed past that time, the bet is void.",
            number = line.number,
            met = rule_for_an_exact_hit(line),
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

fn rule_for_an_exact_hit(line: &Line) -> String {
    if line.can_be_met() { format!(" Exactly {} makes the bet void.", line.number) } else { String::new() }
}
