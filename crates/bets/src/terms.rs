use std::fmt;
use std::time::Duration;

use bolts_kernel::{Amount, Currency, FieldError, Money, Timestamp};

use crate::state::named;
use crate::text::{SourceUrl, Text, trimmed_length_error};

/// One of a bet's two outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Option A.
    A,
    /// Option B.
    B,
}

named!(Side { A = "A", B = "B" });

impl Side {
    /// The side across the seam.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a bet ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Option A came true.
    A,
    /// Option B came true.
    B,
    /// Neither can be said: both stakes go back.
    Void,
}

named!(Outcome { A = "A", B = "B", Void = "void" });

impl Outcome {
    /// The side that wins, or none.
    pub const fn winning_side(self) -> Option<Side> {
        match self {
            Self::A => Some(Side::A),
            Self::B => Some(Side::B),
            Self::Void => None,
        }
    }
}

/// What a bet is about (specification, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Coins and tokens.
    Cryptocurrency,
    /// Matches and athletes.
    Sports,
    /// Elections and votes.
    Politics,
    /// Snow, heat and storms.
    Weather,
    /// Movies, music, awards.
    Entertainment,
    /// Launches and companies.
    Technology,
    /// Markets and rates.
    Finance,
    /// Anything else; also where the creator named none.
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

/// How the outcome is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// One party proposes, the other accepts or rejects.
    MutualAgreement,
    /// The declaration of whoever may declare is final.
    ManualVerification,
}

named!(Method { MutualAgreement = "Mutual Agreement", ManualVerification = "Manual Verification" });

/// For which currencies the operator allows Manual Verification (`--manual-verification`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MethodPolicy {
    /// For both, as specified.
    #[default]
    All,
    /// For Bolts only.
    BoltsOnly,
}

/// The longest token, in letters; those that are made have 22.
const MAX_TOKEN: usize = 100;

/// The secret part of a private bet's link: at least 128 random bits, made by the caller.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ShareToken(String);

impl ShareToken {
    /// Wraps a token that came from a random source or a store.
    pub fn new(token: String) -> Self {
        Self(token)
    }

    /// Reads what somebody presents as a token; `None` for what none can be.
    pub fn parse(text: &str) -> Option<Self> {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let fits = (1..=MAX_TOKEN).contains(&text.len()) && text.chars().all(is_letter);
        fits.then(|| Self(text.to_owned()))
    }

    /// The token as it stands in the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShareToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever reads the log must not be able to open the bet.
        f.write_str("ShareToken(…)")
    }
}

/// Who can find a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody, in the marketplace.
    Public,
    /// Its parties, admins and whoever has the link.
    Private(ShareToken),
}

/// How long the clock waits, frozen on a bet at its creation (decisions, section 5). Whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// Until an unanswered proposal stands, and until the acceptor may propose too.
    pub stand: Duration,
    /// Until a bet that nobody settles is cancelled.
    pub lapse: Duration,
    /// Until a dispute that nobody rules on is settled.
    pub dispute_lapse: Duration,
    /// How long before `stand` and `lapse` the parties are reminded.
    pub reminder: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        const HOUR: u64 = 3_600;
        Self {
            stand: Duration::from_secs(72 * HOUR),
            lapse: Duration::from_secs(14 * 24 * HOUR),
            dispute_lapse: Duration::from_secs(30 * 24 * HOUR),
            reminder: Duration::from_secs(24 * HOUR),
        }
    }
}

/// What two people bet on. Never changes after creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// 5 to 200 characters.
    pub title: Text,
    /// Up to 5,000 characters, maybe none.
    pub description: Text,
    /// What is Option A, 1 to 100 characters.
    pub option_a: Text,
    /// What is Option B, 1 to 100 characters, another than Option A.
    pub option_b: Text,
    /// What each side stakes.
    pub stake: Money,
    /// What it is about.
    pub category: Category,
    /// How the outcome is found.
    pub method: Method,
    /// Where the outcome can be looked up.
    pub source_url: Option<SourceUrl>,
    /// From when nobody can accept any more, and the parties may resolve it.
    pub expires_at: Timestamp,
    /// When the creator expects the outcome to be known.
    pub resolution_date: Option<Timestamp>,
    /// The creator's time zone, an IANA name, kept beside the UTC expiry to be able to show what was meant.
    pub time_zone: Option<Text>,
    /// Who can find it.
    pub visibility: Visibility,
}

/// The smallest and largest stake in a currency's units (decisions, section 4).
pub const fn stake_limits(currency: Currency) -> (i64, i64) {
    match currency {
        Currency::Bolts => (1, 100_000_000),
        Currency::Sats => (100, 100_000_000),
    }
}

/// A bet's terms as somebody typed them.
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
    /// Whole units of the currency.
    pub stake_amount: i64,
    /// `bolts` or `sats`.
    pub currency: String,
    /// One of the eight, or empty for Other.
    pub category: String,
    /// `Mutual Agreement` or `Manual Verification`.
    pub method: String,
    /// An http or https URL, or empty.
    pub source_url: String,
    /// RFC 3339.
    pub expires_at: String,
    /// RFC 3339, or empty.
    pub resolution_date: String,
    /// An IANA name, or empty.
    pub time_zone: String,
}

impl Terms {
    /// The longest time between creation and expiry, in calendar years: a form's user counts in dates.
    pub const MAX_YEARS_AHEAD: u32 = 5;

    /// Judges a draft as a whole, so that a form can show everything that is wrong at once.
    ///
    /// # Errors
    /// Every field that cannot be used.
    pub fn parse(
        draft: &TermsDraft,
        visibility: Visibility,
        policy: MethodPolicy,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut text = |field: &'static str, value: &str, limits: (usize, usize), name: &str, short: &str| {
            trimmed_length_error(value, limits.0, limits.1, name, short)
                .map_err(|message| errors.push(FieldError::new(field, message)))
                .ok()
        };
        let title = text("title", &draft.title, (5, 200), "Title", "Title must be at least 5 characters");
        let description = text("description", &draft.description, (0, 5_000), "Description", "");
        let option_a = text("optionA", &draft.option_a, (1, 100), "Option A", "Option A is required");
        let option_b = text("optionB", &draft.option_b, (1, 100), "Option B", "Option B is required");
        let time_zone = text("timeZone", &draft.time_zone, (0, 64), "Time zone", "");
        if let (Some(a), Some(b)) = (&option_a, &option_b)
            && a.to_lowercase() == b.to_lowercase()
        {
            errors.push(FieldError::new("optionB", "Option B must differ from Option A"));
        }
        let stake = parse_stake(draft).map_err(|error| errors.push(error)).ok();
        let category = parse_category(&draft.category).map_err(|error| errors.push(error)).ok();
        let method = parse_method(draft, policy).map_err(|error| errors.push(error)).ok();
        let source_url = SourceUrl::parse(&draft.source_url).map_err(|error| errors.push(error)).ok();
        let expires_at = parse_expiry(&draft.expires_at, now).map_err(|error| errors.push(error)).ok();
        let resolution_date =
            parse_resolution_date(&draft.resolution_date).map_err(|error| errors.push(error)).ok();
        let all = (title, description, option_a, option_b, time_zone, stake, category, method);
        match (all, source_url, expires_at, resolution_date) {
            (
                (
                    Some(title),
                    Some(description),
                    Some(option_a),
                    Some(option_b),
                    Some(time_zone),
                    Some(stake),
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

fn parse_stake(draft: &TermsDraft) -> Result<Money, FieldError> {
    let currency: Currency = draft
        .currency
        .parse()
        .map_err(|_| FieldError::new("currencyType", "Currency must be bolts or sats"))?;
    let (min, max) = stake_limits(currency);
    let message = if draft.stake_amount < min {
        match currency {
            Currency::Bolts => "Minimum stake for Bolts bets is 1 bolt.",
            Currency::Sats => "Minimum stake for Sats bets is 100 sats.",
        }
    } else if draft.stake_amount > max {
        match currency {
            Currency::Bolts => "Maximum stake for Bolts bets is 100,000,000 Bolts.",
            Currency::Sats => "Maximum stake for Sats bets is 100,000,000 sats.",
        }
    } else {
        let amount = Amount::new(draft.stake_amount);
        return amount
            .map(|amount| Money::new(amount, currency))
            .map_err(|_| FieldError::new("stakeAmount", "Stake amount must be a whole number"));
    };
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
        (Some(Method::ManualVerification), MethodPolicy::BoltsOnly) if draft.currency == "sats" => {
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
