use std::time::Duration;

use bolts_bets::{
    Category, Method, MethodPolicy, SourceUrl, Terms, TermsDraft, Text, Visibility, trimmed_length_error,
};
use bolts_kernel::{FieldError, Timestamp, UserId};

use crate::Pending;

/// Which idea is asked for.
#[derive(Clone, Copy, Debug)]
pub struct IdeaRequest {
    /// Who asks: different users may get their ideas in a different order.
    pub user: UserId,
    /// Counts the user's requests, one higher each time.
    pub turn: u64,
    /// Now.
    pub now: Timestamp,
}

/// What a bet could be about, as texts that nobody has judged yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdeaDraft {
    /// At most 200 characters.
    pub title: String,
    /// At most 5,000 characters.
    pub description: String,
    /// At most 100 characters.
    pub option_a: String,
    /// The same, and different.
    pub option_b: String,
    /// One of the eight.
    pub category: String,
    /// `Mutual Agreement` or `Manual Verification`.
    pub method: String,
    /// An http or https URL, or empty.
    pub source_url: String,
    /// RFC 3339, or empty.
    pub expires_at: String,
}

/// What a bet could be about. It has passed the judgement of the create-bet form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea {
    /// One line.
    pub title: Text,
    /// What decides, and what happens in the odd cases.
    pub description: Text,
    /// The first outcome.
    pub option_a: Text,
    /// The second outcome.
    pub option_b: Text,
    /// What it is about.
    pub category: Category,
    /// How the outcome is found.
    pub method: Method,
    /// Where the outcome can be looked up.
    pub source_url: Option<SourceUrl>,
    /// When it should expire, if that was said; later than the time it was judged at.
    pub expires_at: Option<Timestamp>,
}

impl Idea {
    /// Judges a draft as the create-bet form would, with a stake that fits.
    ///
    /// # Errors
    /// Every field that the form would refuse.
    pub fn judge(draft: IdeaDraft, now: Timestamp) -> Result<Self, Vec<FieldError>> {
        let has_expiry = !draft.expires_at.is_empty();
        // Somebody has to fill it in where the idea does not: any time would be taken.
        let placeholder = || now.after(Duration::from_secs(3_600)).to_string();
        let expires_at = if has_expiry { draft.expires_at } else { placeholder() };
        let terms = TermsDraft {
            title: draft.title,
            description: draft.description,
            option_a: draft.option_a,
            option_b: draft.option_b,
            stake_amount: 1,
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
        })
    }
}

/// A bet's wording while somebody is still writing it: any of it may be empty, none of it is longer than the form allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// The title so far.
    pub title: String,
    /// The description so far.
    pub description: String,
    /// The first outcome.
    pub option_a: String,
    /// The second outcome.
    pub option_b: String,
    /// What it is about, if that was chosen.
    pub category: Option<Category>,
    /// Where the outcome can be looked up; not necessarily a URL yet.
    pub source_url: String,
    /// When it expires, if that was chosen.
    pub expires_at: Option<Timestamp>,
}

/// A field of the form that an amendment can fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordingField {
    /// The title.
    Title,
    /// The description.
    Description,
    /// The first outcome.
    OptionA,
    /// The second outcome.
    OptionB,
    /// The source.
    SourceUrl,
}

impl WordingField {
    /// Every field.
    pub const ALL: &'static [Self] =
        &[Self::Title, Self::Description, Self::OptionA, Self::OptionB, Self::SourceUrl];

    /// The field's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::OptionA => "optionA",
            Self::OptionB => "optionB",
            Self::SourceUrl => "sourceUrl",
        }
    }

    /// The field of that name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.as_str() == name)
    }

    /// The value as the form would take it; `None` where it would not, or where nothing would be left.
    pub fn judge(self, value: &str) -> Option<String> {
        let text = |min, max| trimmed_length_error(value, min, max, "", "").ok().map(|text| text.to_string());
        match self {
            Self::Title => text(5, 200),
            Self::Description => text(1, 5_000),
            Self::OptionA | Self::OptionB => text(1, 100),
            Self::SourceUrl => SourceUrl::parse(value).ok().flatten().map(|url| url.to_string()),
        }
    }
}

impl Wording {
    /// What the field says now.
    pub fn field(&self, field: WordingField) -> &str {
        match field {
            WordingField::Title => &self.title,
            WordingField::Description => &self.description,
            WordingField::OptionA => &self.option_a,
            WordingField::OptionB => &self.option_b,
            WordingField::SourceUrl => &self.source_url,
        }
    }

    /// The same wording with another value in that field.
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

/// Something that makes bets go wrong, and the amendment that mends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// One sentence for the bet's author.
    problem: String,
    /// The field to change.
    field: WordingField,
    /// Its whole new value.
    value: String,
}

impl Remark {
    /// The longest sentence, in characters.
    pub const MAX_PROBLEM_CHARS: usize = 300;

    /// Judges a remark on that wording: `None` where it says nothing, changes nothing, or the form would refuse the
    /// amended field.
    pub fn judge(wording: &Wording, problem: &str, field: WordingField, value: &str) -> Option<Self> {
        let problem = trimmed_length_error(problem, 1, Self::MAX_PROBLEM_CHARS, "", "").ok()?.to_string();
        let value = field.judge(value).filter(|value| value != wording.field(field).trim())?;
        Some(Self { problem, field, value })
    }

    /// One sentence for the bet's author.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// The field to change.
    pub fn field(&self) -> WordingField {
        self.field
    }

    /// Its whole new value.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// Whoever has the ideas failed, for the log: it never holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no idea came: {0}")]
pub struct IdeasFailed(pub String);

/// Has ideas for bets, and a second look at their wording.
///
/// Every text of a user is data: it must never be taken for instructions. What comes back must have been judged like a
/// form's input, which the types [`Idea`] and [`Remark`] see to. An answer or a failure must come within 20 seconds.
pub trait Ideas: Send + Sync {
    /// A whole idea. Must differ from what the same user got in the turn before.
    fn generate(&self, request: IdeaRequest) -> Pending<'_, Result<Idea, IdeasFailed>>;

    /// The bet that this title is the beginning of. Must keep the title, and must say when it expires: the date that the
    /// title names, at 16:00 New York unless it names an hour, else the next New York trading day at 16:00.
    fn complete(&self, title: Text, now: Timestamp) -> Pending<'_, Result<Idea, IdeasFailed>>;

    /// What makes this bet go wrong. Must not fail where rules can tell, so a model that fails is answered for by them.
    fn check(&self, wording: Wording) -> Pending<'_, Vec<Remark>>;
}
