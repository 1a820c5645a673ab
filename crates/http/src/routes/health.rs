use actix_web::{HttpResponse, web};

use crate::error::Problem;
use crate::reads::read;
use crate::server::State;

/// 200 while the process lives.
#[utoipa::path(get, path = "/healthz", operation_id = "getHealth", tag = "health",
    responses((status = 200, description = "Alive")))]
pub(crate) async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({ "ok": true }))
}

/// 200 while the database answers and the server is not about to stop, else 503.
#[utoipa::path(get, path = "/readyz", operation_id = "getReadiness", tag = "health",
    responses((status = 200, description = "Ready")))]
pub(crate) async fn ready(state: web::Data<State>) -> Result<HttpResponse, Problem> {
    if state.hub.is_draining() {
        return Ok(not_ready());
    }
    read(&state, |queries| queries.ready()).await?;
    Ok(HttpResponse::Ok().json(serde_json::json!({ "ok": true })))
}

/// The answer of `/readyz` of a server that is not ready.
pub(crate) fn not_ready() -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(serde_json::json!({ "ok": false }))
}
