use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::FieldError;

use crate::dto::{NamedUserJson, StatsJson};
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::SignedIn;

/// The user's figures, over all bets.
#[utoipa::path(get, path = "/api/users/stats", operation_id = "getUserStats", tag = "accounts",
    responses((status = 200, description = "The user's statistics", body = StatsJson)))]
pub(crate) async fn stats(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let stats = read(&state, move |queries| queries.stats(user.0.id)).await?;
    Ok(HttpResponse::Ok().json(StatsJson::from(stats)))
}

/// The beginning of a username in the parameter `q`: 1 to 20 letters, digits or underscores.
fn beginning(request: &HttpRequest) -> Result<String, Problem> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
    let found = pairs.ok().and_then(|pairs| pairs.into_inner().into_iter().find(|(name, _)| name == "q"));
    let text = found.map(|(_, text)| text).unwrap_or_default();
    let fits = (1..=20).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let message = "Type 1 to 20 letters, digits or underscores";
    if fits { Ok(text) } else { Err(Problem::invalid(vec![FieldError::new("q", message)])) }
}

/// Finds users by the beginning of their usernames, at most 8.
#[utoipa::path(get, path = "/api/users/search", operation_id = "searchUsers", tag = "accounts",
    params(("q" = String, Query, min_length = 1, max_length = 20, pattern = "^[A-Za-z0-9_]*$")),
    responses((status = 200, description = "The users in the order of their usernames, without the reader",
        body = Vec<NamedUserJson>)))]
pub(crate) async fn search(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let (app, reader) = (state.app.clone(), user.0.id);
    app.count_search(reader)?;
    let beginning = beginning(&request)?;
    let found = read(&state, move |_| app.find_users(reader, &beginning)).await?;
    Ok(HttpResponse::Ok().json(found.into_iter().map(NamedUserJson::from).collect::<Vec<_>>()))
}
