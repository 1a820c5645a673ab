use bolts_ports::{Idea, Remark};
use serde::Serialize;
use utoipa::ToSchema;

use super::bet::decimal;
use super::schemas::{category_schema, method_schema, wording_field_schema};

/// An idea for a bet. The form is filled in with it. The server does not store it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BetIdea)]
pub(crate) struct IdeaJson {
    title: String,
    description: String,
    option_a: String,
    option_b: String,
    #[schema(schema_with = category_schema)]
    category: &'static str,
    #[schema(schema_with = method_schema)]
    resolution_method: &'static str,
    #[schema(required)]
    source_url: Option<String>,
    /// The proposed expiry; always present for a completion.
    #[schema(required, format = DateTime)]
    expiry_date: Option<String>,
    /// The suggested odds of option A, as decimal odds. Only completions suggest odds.
    #[schema(required, minimum = 1.01, maximum = 101)]
    odds_a: Option<f64>,
}

impl From<Idea> for IdeaJson {
    fn from(idea: Idea) -> Self {
        Self {
            title: idea.title.to_string(),
            description: idea.description.to_string(),
            option_a: idea.option_a.to_string(),
            option_b: idea.option_b.to_string(),
            category: idea.category.as_str(),
            resolution_method: idea.method.as_str(),
            source_url: idea.source_url.map(|url| url.to_string()),
            expiry_date: idea.expires_at.map(|at| at.to_string()),
            odds_a: idea.odds_a.map(decimal),
        }
    }
}

/// A problem with the wording of a bet.
#[derive(Serialize, ToSchema)]
#[schema(as = WordingRemark)]
pub(crate) struct RemarkJson {
    /// One sentence for the bet's author.
    problem: String,
    suggestion: SuggestionJson,
}

/// The change that solves the problem.
#[derive(Serialize, ToSchema)]
#[schema(as = WordingSuggestion)]
pub(crate) struct SuggestionJson {
    /// The field of the form to change.
    #[schema(schema_with = wording_field_schema)]
    field: &'static str,
    /// The complete new value of the field, which the form accepts.
    value: String,
}

impl From<Remark> for RemarkJson {
    fn from(remark: Remark) -> Self {
        let suggestion = SuggestionJson { field: remark.field().as_str(), value: remark.value().to_owned() };
        Self { problem: remark.problem().to_owned(), suggestion }
    }
}
