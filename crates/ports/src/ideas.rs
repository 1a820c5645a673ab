//! The port for ideas, completions and wording checks (`docs/product.md#ideas`).

use std::time::Duration;

use bolts_bets::{Category, Method, MethodPolicy, Odds, SourceUrl, Terms, TermsDraft, Text, Visibility};
use bolts_kernel::{FieldError, Timestamp, UserId, named};

use crate::Pending;

/// A request for an idea.
#[derive(Clone, Copy, Debug)]
pub struct IdeaRequest {
    /// The user who asks for an idea. Two users may get the ideas in a different order.
    pub user: UserId,
    /// The number of this request. It goes up by 1 with each request of the user.
    pub turn: u64,
    /// The current time.
    pub now: Timestamp,
}

/// The texts of an idea before they are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdeaDraft {
    /// The title, at most 200 characters.
    pub title: String,
    /// The description, at most 5,000 characters.
    pub description: String,
    /// The first outcome, at most 100 characters.
    pub option_a: String,
    /// The second outcome, at most 100 characters, and different from `option_a`.
    pub option_b: String,
    /// The name of one of the eight categories.
    pub category: String,
    /// The method: `Mutual Agreement` or `Manual Verification`.
    pub method: String,
    /// The source: an http or https URL, or empty.
    pub source_url: String,
    /// The expiry: a time in RFC 3339, or empty.
    pub expires_at: String,
    /// The odds of the first outcome that the title names or the model estimates.
    pub odds_a: Option<Odds>,
}

/// An idea for a bet that meets the rules of the create-bet form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea {
    /// The title of the bet.
    pub title: Text,
    /// The rule that decides the bet, and what happens in special cases.
    pub description: Text,
    /// The first outcome of the bet.
    pub option_a: Text,
    /// The second outcome of the bet.
    pub option_b: Text,
    /// The category of the bet.
    pub category: Category,
    /// The way in which the outcome is determined.
    pub method: Method,
    /// A page that shows the outcome.
    pub source_url: Option<SourceUrl>,
    /// The proposed expiry, if the draft had one. It was in the future when the draft was checked.
    pub expires_at: Option<Timestamp>,
    /// The suggested odds of `option_a`. The user decides whether the bet gets them.
    pub odds_a: Option<Odds>,
}

impl Idea {
    /// Checks a draft by the rules of the create-bet form. Drafts have no stake, so the check uses a valid
    /// placeholder.
    ///
    /// # Errors
    /// The errors of all fields that the form would refuse.
    pub fn judge(draft: IdeaDraft, now: Timestamp) -> Result<Self, Vec<FieldError>> {
        let has_expiry = !draft.expires_at.is_empty();
        // If the draft has no expiry, any valid time serves as a placeholder for the check.
        let placeholder = || now.after(Duration::from_hours(1)).to_string();
        let expires_at = if has_expiry { draft.expires_at } else { placeholder() };
        let terms = TermsDraft {
            title: draft.title,
            description: draft.description,
            option_a: draft.option_a,
            option_b: draft.option_b,
            stake_amount: 1,
            opponent_stake: None,
            currency: "bolts".to_owned(),
            category: draft.category,
            method: draft.method,
            source_url: draft.source_url,
            expires_at,
            resolution_date: String::new(),
            time_zone: String::new(),
        };
        let terms = Terms::parse(&terms, Visibility::Public, MethodPolicy::All, now)?;
        Ok(Self {
            title: terms.title,
            description: terms.description,
            option_a: terms.option_a,
            option_b: terms.option_b,
            category: terms.category,
            method: terms.method,
            source_url: terms.source_url,
            expires_at: has_expiry.then_some(terms.expires_at),
            odds_a: draft.odds_a,
        })
    }
}

/// The texts of a bet that a user is still writing. Each text may be empty. No text is longer than the form allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// The title so far.
    pub title: String,
    /// The description so far.
    pub description: String,
    /// The text of the first outcome so far.
    pub option_a: String,
    /// The text of the second outcome so far.
    pub option_b: String,
    /// The category, if the user has chosen one.
    pub category: Option<Category>,
    /// The text of the source field. It need not be a valid URL yet.
    pub source_url: String,
    /// The expiry, if the user has chosen one.
    pub expires_at: Option<Timestamp>,
}

/// A field of the form that a remark can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordingField {
    /// The title of the bet.
    Title,
    /// The description of the bet.
    Description,
    /// The text of the first outcome.
    OptionA,
    /// The text of the second outcome.
    OptionB,
    /// The URL of the source.
    SourceUrl,
}

named!(WordingField {
    Title = "title",
    Description = "description",
    OptionA = "optionA",
    OptionB = "optionB",
    SourceUrl = "sourceUrl",
});

impl WordingField {
    /// The value as the form would store it. `None` if the form would refuse the value, or if nothing is left
    /// after trimming.
    pub fn judge(self, value: &str) -> Option<String> {
        let text = |limits| Text::parse("", "", value, limits).ok().map(|text| text.to_string());
        match self {
            Self::Title => text(Terms::TITLE),
            Self::Description => text(Terms::DESCRIPTION).filter(|text| !text.is_empty()),
            Self::OptionA | Self::OptionB => text(Terms::OPTION),
            Self::SourceUrl => SourceUrl::parse(value).ok().flatten().map(|url| url.to_string()),
        }
    }
}

impl Wording {
    /// The current text of this field of the form.
    pub fn field(&self, field: WordingField) -> &str {
        match field {
            WordingField::Title => &self.title,
            WordingField::Description => &self.description,
            WordingField::OptionA => &self.option_a,
            WordingField::OptionB => &self.option_b,
            WordingField::SourceUrl => &self.source_url,
        }
    }

    /// This wording with a new value in one field.
    #[must_use]
    pub fn with(mut self, field: WordingField, value: String) -> Self {
        let place = match field {
            WordingField::Title => &mut self.title,
            WordingField::Description => &mut self.description,
            WordingField::OptionA => &mut self.option_a,
            WordingField::OptionB => &mut self.option_b,
            WordingField::SourceUrl => &mut self.source_url,
        };
        *place = value;
        self
    }
}

/// A problem in the wording of a bet, with a corrected value for one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// One sentence for the author of the bet.
    problem: String,
    /// The field to change.
    field: WordingField,
    /// The corrected value of the whole field.
    value: String,
}

impl Remark {
    /// The maximum length of the sentence, in characters.
    pub const MAX_PROBLEM_CHARS: usize = 300;

    /// Checks a remark on this wording. `None` if the sentence is empty or too long, if the value changes nothing, or
    /// if the form would refuse the value.
    pub fn judge(wording: &Wording, problem: &str, field: WordingField, value: &str) -> Option<Self> {
        let problem = Text::parse("", "", problem, 1..=Self::MAX_PROBLEM_CHARS).ok()?.to_string();
        let value = field.judge(value).filter(|value| value != wording.field(field).trim())?;
        Some(Self { problem, field, value })
    }

    /// One sentence for the author of the bet.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// The field to change.
    pub fn field(&self) -> WordingField {
        self.field
    }

    /// The corrected value of the whole field.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// The source of ideas failed. The text goes to the log, so it must not contain an API key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no idea came: {0}")]
pub struct IdeasFailed(pub String);

/// Gives ideas for bets, completes titles and checks wordings.
///
/// Texts of users are data: an implementation must never treat them as instructions. The types [`Idea`] and [`Remark`]
/// make sure that each answer was checked like the input of a form. Each call must answer or fail within 20 seconds.
pub trait Ideas: Send + Sync {
    /// A new idea. It must differ from the idea that the same user got for the previous turn.
    fn generate(&self, request: IdeaRequest) -> Pending<'_, Result<Idea, IdeasFailed>>;

    /// A complete bet with this title.
    ///
    /// The call must keep the title and must set an expiry. If the title names a date, the expiry is on this date, at
    /// the hour that the title names or else at 16:00 New York time. If the title names no date, the expiry is 16:00
    /// on the next New York trading day.
    fn complete(&self, title: Text, now: Timestamp) -> Pending<'_, Result<Idea, IdeasFailed>>;

    /// The problems of this wording. The call must not fail as long as the built-in rules can answer. If a model
    /// fails, the rules answer instead.
    fn check(&self, wording: Wording) -> Pending<'_, Vec<Remark>>;
}
