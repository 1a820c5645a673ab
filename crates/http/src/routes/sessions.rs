use actix_session::Session;
use actix_web::{HttpResponse, web};
use bolts_kernel::SessionId;
use bolts_usecases::accounts::EndSessionError;

use crate::dto::{DoneJson, EndedSessionsJson, SessionJson};
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{OwnPassword, SignedIn, hash_of};

/// Lists the user's sessions, the latest used first.
#[utoipa::path(get, path = "/api/auth/sessions", operation_id = "listSessions", tag = "accounts",
    responses((status = 200, description = "The user's sessions", body = Vec<SessionJson>)))]
pub(crate) async fn list(
    state: web::Data<State>,
    session: Session,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let (app, current) = (state.app.clone(), hash_of(&session));
    let sessions = read(&state, move |_| app.sessions_of(user.0.id, &current)).await?;
    Ok(HttpResponse::Ok().json(sessions.into_iter().map(SessionJson::from).collect::<Vec<_>>()))
}

/// Ends one of the user's sessions.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", operation_id = "endSession", tag = "accounts",
    params(("id" = String, Path)),
    responses((status = 200, description = "The session has ended", body = DoneJson)))]
pub(crate) async fn end(
    state: web::Data<State>,
    user: OwnPassword,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id = path.parse::<SessionId>().map_err(|_| EndSessionError::NotFound)?;
    state.app.end_session(user.0.id, id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Ends all sessions of the user except the one of this request.
#[utoipa::path(post, path = "/api/auth/sessions/end-others", operation_id = "endOtherSessions", tag = "accounts",
    responses((status = 200, description = "The number of ended sessions", body = EndedSessionsJson)))]
pub(crate) async fn end_others(
    state: web::Data<State>,
    session: Session,
    user: OwnPassword,
) -> Result<HttpResponse, Problem> {
    let ended = state.app.end_other_sessions(user.0.id, hash_of(&session)).await?;
    Ok(HttpResponse::Ok().json(EndedSessionsJson { ended }))
}
