//! The terms of a bet, and the validation of the terms that a user typed.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use bolts_kernel::{Amount, Currency, FieldError, Money, Timestamp, named};

use crate::odds::parse_opponent_stake;
use crate::text::{SourceUrl, Text};

/// One of the two sides of a bet. Each side stands for one option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Option A.
    A,
    /// Option B.
    B,
}

named!(Side { A = "A", B = "B" });

impl Side {
    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The outcome of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Option A came true.
    A,
    /// Option B came true.
    B,
    /// Neither option won. Both stakes go back to their owners.
    Void,
}

named!(Outcome { A = "A", B = "B", Void = "void" });

impl Outcome {
    /// The side that wins, or `None` for `void`.
    pub const fn winning_side(self) -> Option<Side> {
        match self {
            Self::A => Some(Side::A),
            Self::B => Some(Side::B),
            Self::Void => None,
        }
    }
}

/// The topic of a bet (`docs/product.md#the-bet`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Bets about cryptocurrencies and tokens.
    Cryptocurrency,
    /// Bets about matches and athletes.
    Sports,
    /// Bets about elections and votes.
    Politics,
    /// Bets about temperatures, snow and storms.
    Weather,
    /// Bets about movies, music and awards.
    Entertainment,
    /// Bets about technology companies and launches.
    Technology,
    /// Bets about markets and interest rates.
    Finance,
    /// Bets about any other topic. A bet without a category gets this category.
    Other,
}

named!(Category {
    Cryptocurrency = "Cryptocurrency",
    Sports = "Sports",
    Politics = "Politics",
    Weather = "Weather",
    Entertainment = "Entertainment",
    Technology = "Technology",
    Finance = "Finance",
    Other = "Other",
});

/// The resolution method: how the parties decide the outcome (`docs/product.md#the-bet`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// One party proposes an outcome. The other party accepts or rejects the proposal.
    MutualAgreement,
    /// One party declares the outcome. The declaration is final.
    ManualVerification,
}

named!(Method { MutualAgreement = "Mutual Agreement", ManualVerification = "Manual Verification" });

/// The currencies for which the operator allows Manual Verification (`--manual-verification`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MethodPolicy {
    /// All currencies.
    #[default]
    All,
    /// Only the currency Bolts.
    BoltsOnly,
}

/// The maximum length of a share token, in characters. New tokens have 22 characters.
const MAX_TOKEN: usize = 100;

/// The secret part of a private bet's link. The caller must generate a new token from at least 128 random bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ShareToken(String);

impl ShareToken {
    /// Wraps a token that comes from a random source or from the database.
    pub fn new(token: String) -> Self {
        Self(token)
    }

    /// Parses a text as a share token. `None` if the text cannot be a token.
    pub fn parse(text: &str) -> Option<Self> {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let fits = (1..=MAX_TOKEN).contains(&text.len()) && text.chars().all(is_letter);
        fits.then(|| Self(text.to_owned()))
    }

    /// The token in the form that the link contains.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShareToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A log must not contain the token, because the token opens the bet.
        f.write_str("ShareToken(…)")
    }
}

/// The visibility of a bet: the users who may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody may see the bet, and the marketplace lists it.
    Public,
    /// The parties, the admins, and every user who has the link may see the bet.
    Private(ShareToken),
}

/// The waiting times before a deadline, in whole seconds (`docs/domain-rules.md#the-clock`). Each bet keeps the
/// waiting times that applied at its creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The time after which an unanswered proposal stands. Under Mutual Agreement, the acceptor may propose
    /// after the same waiting time.
    pub stand: Duration,
    /// The time without progress after which a bet is cancelled.
    pub lapse: Duration,
    /// The time after which a dispute without a ruling is settled.
    pub dispute_lapse: Duration,
    /// The time between a reminder and the deadline of `stand`, `lapse` or `arbiter`.
    pub reminder: Duration,
    /// The time that the arbiter has to rule on a dispute. After this time the admins rule.
    pub arbiter: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        const HOUR: u64 = 3_600;
        Self {
            stand: Duration::from_secs(72 * HOUR),
            lapse: Duration::from_secs(14 * 24 * HOUR),
            dispute_lapse: Duration::from_secs(30 * 24 * HOUR),
            reminder: Duration::from_secs(24 * HOUR),
            arbiter: Duration::from_secs(7 * 24 * HOUR),
        }
    }
}

/// The terms of a bet, which never change after the creation. `docs/product.md#limits` lists their limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The title, 5 to 200 characters.
    pub title: Text,
    /// The description, 0 to 5,000 characters.
    pub description: Text,
    /// The text of option A, 1 to 100 characters.
    pub option_a: Text,
    /// The text of option B, 1 to 100 characters. Readers must be able to tell the texts of the two options apart
    /// ([`Text::reads_like`]).
    pub option_b: Text,
    /// The stake of the creator.
    pub stake: Money,
    /// The stake of the user who takes the other side, in the currency of `stake`.
    pub opponent_stake: Amount,
    /// The topic.
    pub category: Category,
    /// The method by which the parties decide the outcome.
    pub method: Method,
    /// A link to a page that shows the outcome.
    pub source_url: Option<SourceUrl>,
    /// The expiry. From this instant on, nobody can accept the bet, and both parties may resolve it.
    pub expires_at: Timestamp,
    /// The time at which the creator expects the outcome to be known.
    pub resolution_date: Option<Timestamp>,
    /// The IANA name of the creator's time zone, in which the creator chose the expiry.
    pub time_zone: Option<Text>,
    /// The visibility of the bet.
    pub visibility: Visibility,
}

/// The terms of a bet as a user typed them, not yet validated.
#[derive(Clone, Debug, Default)]
pub struct TermsDraft {
    /// See [`Terms::title`].
    pub title: String,
    /// See [`Terms::description`].
    pub description: String,
    /// See [`Terms::option_a`].
    pub option_a: String,
    /// See [`Terms::option_b`].
    pub option_b: String,
    /// The stake of the creator, in whole units of the currency.
    pub stake_amount: i64,
    /// The stake of the other side, in whole units of the currency. `None` means the same stake.
    pub opponent_stake: Option<i64>,
    /// The currency, as the name of a [`Currency`].
    pub currency: String,
    /// The category, as the name of a [`Category`]. Empty means `Other`.
    pub category: String,
    /// The method: `Mutual Agreement` or `Manual Verification`.
    pub method: String,
    /// The source link: an http or https URL, or empty.
    pub source_url: String,
    /// The expiry, as a time in RFC 3339.
    pub expires_at: String,
    /// The time at which the outcome should be known, in RFC 3339, or empty.
    pub resolution_date: String,
    /// The IANA name of the creator's time zone, or empty.
    pub time_zone: String,
}

impl Terms {
    /// The limits of a title, in characters.
    pub const TITLE: RangeInclusive<usize> = 5..=200;

    /// The limits of a description, in characters.
    pub const DESCRIPTION: RangeInclusive<usize> = 0..=5_000;

    /// The limits of the text of an option, in characters.
    pub const OPTION: RangeInclusive<usize> = 1..=100;

    /// The longest time between creation and expiry, in calendar years. The limit is in calendar years, because
    /// users choose a calendar date in the form.
    pub const MAX_YEARS_AHEAD: u32 = 5;

    /// Validates all fields of a draft.
    ///
    /// # Errors
    /// All invalid fields, so that the form can show all errors at once.
    pub fn parse(
        draft: &TermsDraft,
        visibility: Visibility,
        policy: MethodPolicy,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut keep = |text: Result<Text, FieldError>| text.map_err(|error| errors.push(error)).ok();
        let title = keep(Text::parse_line("title", "Title", &draft.title, Self::TITLE));
        let description =
            keep(Text::parse("description", "Description", &draft.description, Self::DESCRIPTION));
        let option_a = keep(Text::parse_line("optionA", "Option A", &draft.option_a, Self::OPTION));
        let option_b = keep(Text::parse_line("optionB", "Option B", &draft.option_b, Self::OPTION));
        let time_zone = keep(Text::parse("timeZone", "Time zone", &draft.time_zone, 0..=64));
        if let (Some(a), Some(b)) = (&option_a, &option_b)
            && a.reads_like(b)
        {
            errors.push(FieldError::new("optionB", "Option B must differ from Option A"));
        }
        let stakes = parse_stakes(draft).map_err(|error| errors.push(error)).ok();
        let category = parse_category(&draft.category).map_err(|error| errors.push(error)).ok();
        let method = parse_method(draft, policy).map_err(|error| errors.push(error)).ok();
        let source_url = SourceUrl::parse(&draft.source_url).map_err(|error| errors.push(error)).ok();
        let expires_at = parse_expiry(&draft.expires_at, now).map_err(|error| errors.push(error)).ok();
        let resolution_date =
            parse_resolution_date(&draft.resolution_date).map_err(|error| errors.push(error)).ok();
        let all = (title, description, option_a, option_b, time_zone, stakes, category, method);
        match (all, source_url, expires_at, resolution_date) {
            (
                (
                    Some(title),
                    Some(description),
                    Some(option_a),
                    Some(option_b),
                    Some(time_zone),
                    Some((stake, opponent_stake)),
                    Some(category),
                    Some(method),
                ),
                Some(source_url),
                Some(expires_at),
                Some(resolution_date),
            ) if errors.is_empty() => Ok(Self {
                title,
                description,
                option_a,
                option_b,
                stake,
                opponent_stake,
                category,
                method,
                source_url,
                expires_at,
                resolution_date,
                time_zone: (!time_zone.is_empty()).then_some(time_zone),
                visibility,
            }),
            _ => Err(errors),
        }
    }
}

/// The stakes of the creator and of the opponent.
fn parse_stakes(draft: &TermsDraft) -> Result<(Money, Amount), FieldError> {
    let stake = parse_stake(draft)?;
    Ok((stake, parse_opponent_stake(draft.opponent_stake, stake)?))
}

fn parse_stake(draft: &TermsDraft) -> Result<Money, FieldError> {
    let currency: Currency = draft.currency.parse().map_err(|_| {
        let names = Currency::ALL.map(Currency::as_str).join(" or ");
        FieldError::new("currencyType", format!("Currency must be {names}"))
    })?;
    let spec = currency.spec();
    let (word, limit) = match draft.stake_amount {
        units if units < spec.min_stake => ("Minimum", spec.min_stake),
        units if units > spec.max_stake => ("Maximum", spec.max_stake),
        units => {
            return Amount::new(units)
                .map(|amount| Money::new(amount, currency))
                .map_err(|_| FieldError::new("stakeAmount", "Stake amount must be a whole number"));
        }
    };
    let unit = if limit == 1 { spec.unit } else { spec.units };
    let limit = Amount::new(limit).unwrap_or_default().grouped();
    let message = format!("{word} stake for {} bets is {limit} {unit}.", spec.title);
    Err(FieldError::new("stakeAmount", message))
}

fn parse_category(name: &str) -> Result<Category, FieldError> {
    if name.is_empty() {
        return Ok(Category::Other);
    }
    Category::parse(name)
        .ok_or_else(|| FieldError::new("category", "Category must be one of the listed categories"))
}

fn parse_method(draft: &TermsDraft, policy: MethodPolicy) -> Result<Method, FieldError> {
    let error = |message| Err(FieldError::new("resolutionMethod", message));
    if draft.method.is_empty() {
        return error("Resolution method is required");
    }
    match (Method::parse(&draft.method), policy) {
        (None, _) => error("Resolution method must be Mutual Agreement or Manual Verification"),
        (Some(Method::ManualVerification), MethodPolicy::BoltsOnly)
            if Currency::parse(&draft.currency).is_some_and(|currency| currency != Currency::Bolts) =>
        {
            error("Manual Verification is for Bolts bets only on this site")
        }
        (Some(method), MethodPolicy::All | MethodPolicy::BoltsOnly) => Ok(method),
    }
}

fn parse_expiry(text: &str, now: Timestamp) -> Result<Timestamp, FieldError> {
    let error = |message| FieldError::new("expiresAt", message);
    if text.is_empty() {
        return Err(error("Expiry date is required"));
    }
    let at = Timestamp::parse(text)
        .map_err(|_| error("Expiry date must be a time such as 2026-11-20T21:00:00Z"))?;
    if at <= now {
        return Err(error("Expiry date must be in the future"));
    }
    if at > now.years_after(Terms::MAX_YEARS_AHEAD) {
        return Err(error("Expiry date must be at most 5 years ahead"));
    }
    Ok(at)
}

fn parse_resolution_date(text: &str) -> Result<Option<Timestamp>, FieldError> {
    if text.is_empty() {
        return Ok(None);
    }
    Timestamp::parse(text).map(Some).map_err(|_| {
        FieldError::new("resolutionDate", "Resolution date must be a time such as 2026-11-20T21:00:00Z")
    })
}
