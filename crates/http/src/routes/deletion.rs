use actix_session::Session;
use actix_web::{HttpRequest, HttpResponse, web};

use super::factors::PasswordJson;
use crate::body::Body;
use crate::device;
use crate::dto::{DeletionJson, DoneJson, ObstacleJson};
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;
use crate::session::{self, OwnPassword};

/// The obstacles to the deletion of the user's account.
#[utoipa::path(get, path = "/api/account/deletion", operation_id = "getAccountDeletion", tag = "accounts",
    responses((status = 200, description = "The obstacles", body = DeletionJson)))]
pub(crate) async fn obstacles(state: web::Data<State>, user: OwnPassword) -> Result<HttpResponse, Problem> {
    let app = state.app.clone();
    let obstacles = read(&state, move |_| app.obstacles_of(user.0.id)).await?;
    let obstacles = obstacles.iter().map(ObstacleJson::from).collect();
    Ok(HttpResponse::Ok().json(DeletionJson { obstacles }))
}

/// Deletes the user's account for ever, and signs out.
#[utoipa::path(delete, path = "/api/account", operation_id = "deleteAccount", tag = "accounts",
    request_body = PasswordJson,
    responses((status = 200, description = "The account is deleted", body = DoneJson)))]
pub(crate) async fn delete(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    user: OwnPassword,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (typed, errors, _) = body.read::<PasswordJson>().await?;
    let password = typed.judge(errors)?;
    let deleted = state.app.delete_account(session::owner(user.0, &session), password).await;
    deleted.map_err(Problem::of_deletion)?;
    session.purge();
    let mut answer = HttpResponse::Ok();
    if let Some(cookie) = device::forgotten(&request, &state) {
        answer.cookie(cookie);
    }
    Ok(answer.json(DoneJson { ok: true }))
}
