use actix_web::{HttpResponse, web};
use bolts_bets::{Category, SourceUrl, Terms, Text};
use bolts_kernel::Timestamp;
use bolts_ports::Wording;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::body::{Body, FieldErrors};
use crate::dto::{IdeaJson, RemarkJson};
use crate::error::Problem;
use crate::server::State;
use crate::session::SignedIn;

/// The title of a bet to complete.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TitleJson {
    #[schema(min_length = 5, max_length = 200)]
    title: String,
}

/// The form of a bet that the user is still filling in. Any field may be missing or empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WordingJson {
    #[schema(max_length = 200)]
    title: Option<String>,
    #[schema(max_length = 5000)]
    description: Option<String>,
    #[schema(max_length = 100)]
    option_a: Option<String>,
    #[schema(max_length = 100)]
    option_b: Option<String>,
    category: Option<String>,
    #[schema(max_length = 2048)]
    source_url: Option<String>,
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// Returns a complete idea for a bet, different from the last one. At most 20 ideas and completions per user and hour.
#[utoipa::path(post, path = "/api/generate-bet-idea", operation_id = "generateBetIdea", tag = "ideas", responses(
    (status = 200, description = "A bet idea", body = IdeaJson),
    (status = 502, description = "No idea came", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn generate(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let idea = state.app.generate_idea(user.actor()).await?;
    Ok(HttpResponse::Ok().json(IdeaJson::from(idea)))
}

/// Completes a title to an idea for a bet. At most 20 ideas and completions per user and hour.
#[utoipa::path(post, path = "/api/complete-bet-idea", operation_id = "completeBetIdea", tag = "ideas",
    request_body = TitleJson, responses(
    (status = 200, description = "The completed bet idea", body = IdeaJson),
    (status = 502, description = "No idea came", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn complete(
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (TitleJson { title }, errors, _) = body.read().await?;
    errors.finish()?;
    let idea = state.app.complete_idea(user.actor(), &title).await?;
    Ok(HttpResponse::Ok().json(IdeaJson::from(idea)))
}

/// Finds problems with the wording of a bet, each with a suggested change. At most 120 checks per user and hour.
#[utoipa::path(post, path = "/api/check-bet-wording", operation_id = "checkBetWording", tag = "ideas",
    request_body = WordingJson,
    responses((status = 200, description = "The problems with the wording; empty if there are none",
        body = Vec<RemarkJson>)))]
pub(crate) async fn check(
    state: web::Data<State>,
    user: SignedIn,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, errors, _) = body.read().await?;
    let wording = wording(typed, errors)?;
    let remarks = state.app.check_wording(user.actor(), wording).await?;
    let remarks: Vec<RemarkJson> = remarks.into_iter().map(RemarkJson::from).collect();
    Ok(HttpResponse::Ok().json(remarks))
}

/// Reads a form that the user is still filling in. A text may be too short here, but not too long.
fn wording(typed: WordingJson, mut errors: FieldErrors) -> Result<Wording, Problem> {
    let mut text = |field: &'static str, text: Option<String>, most: usize, name: &str| {
        let text = errors.judge(Text::parse(field, name, &text.unwrap_or_default(), 0..=most));
        text.map(|text| text.to_string()).unwrap_or_default()
    };
    let mut wording = Wording {
        title: text("title", typed.title, *Terms::TITLE.end(), "Title"),
        description: text("description", typed.description, *Terms::DESCRIPTION.end(), "Description"),
        option_a: text("optionA", typed.option_a, *Terms::OPTION.end(), "Option A"),
        option_b: text("optionB", typed.option_b, *Terms::OPTION.end(), "Option B"),
        source_url: text("sourceUrl", typed.source_url, SourceUrl::MAX_CHARS, "Source URL"),
        category: None,
        expires_at: None,
    };
    if let Some(category) = typed.category.filter(|category| !category.is_empty()) {
        let message = "Category must be one of the listed categories";
        wording.category = errors.known("category", Category::parse(&category), message);
    }
    if let Some(expiry) = typed.expires_at.filter(|expiry| !expiry.is_empty()) {
        let message = "Expiry date must be a time such as 2026-11-20T21:00:00Z";
        wording.expires_at = errors.known("expiresAt", Timestamp::parse(&expiry).ok(), message);
    }
    errors.finish()?;
    Ok(wording)
}
