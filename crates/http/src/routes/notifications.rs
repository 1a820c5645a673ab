use actix_web::{HttpResponse, web};
use bolts_kernel::{Code, NotificationId};

use crate::dto::{ClearedJson, MarkedReadJson, NotificationJson};
use crate::error::Problem;
use crate::reads::read as ask;
use crate::server::State;
use crate::session::SignedIn;

/// Lists the user's notifications, latest first.
#[utoipa::path(get, path = "/api/notifications", operation_id = "listNotifications", tag = "notifications",
    responses((status = 200, description = "The user's notifications, latest first",
        body = Vec<NotificationJson>)))]
pub(crate) async fn list(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let all = ask(&state, move |queries| queries.notifications(user.0.id)).await?;
    let all: Vec<NotificationJson> = all.iter().map(NotificationJson::from).collect();
    Ok(HttpResponse::Ok().json(all))
}

/// Marks a notification as read.
#[utoipa::path(post, path = "/api/notifications/{id}/read", operation_id = "markNotificationRead", tag = "notifications",
    params(("id" = String, Path)),
    responses((status = 200, description = "The notification, read", body = NotificationJson)))]
pub(crate) async fn read(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let missing = || {
        let detail = "This notification doesn't exist any more.";
        Problem::new(Code::NotificationNotFound, detail)
    };
    let id: NotificationId = path.parse().map_err(|_| missing())?;
    let found = state.app.read_notification(user.0.id, id).await?.ok_or_else(missing)?;
    Ok(HttpResponse::Ok().json(NotificationJson::from(&found)))
}

/// Marks all notifications of the user as read.
#[utoipa::path(post, path = "/api/notifications/read-all", operation_id = "markAllNotificationsRead",
    tag = "notifications",
    responses((status = 200, description = "The number of notifications that were unread", body = MarkedReadJson)))]
pub(crate) async fn read_all(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let marked = state.app.read_all_notifications(user.0.id).await?;
    Ok(HttpResponse::Ok().json(MarkedReadJson { marked }))
}

/// Removes all notifications of the user.
#[utoipa::path(delete, path = "/api/notifications/clear-all", operation_id = "clearNotifications",
    tag = "notifications",
    responses((status = 200, description = "The number of removed notifications", body = ClearedJson)))]
pub(crate) async fn clear(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let cleared = state.app.clear_notifications(user.0.id).await?;
    Ok(HttpResponse::Ok().json(ClearedJson { cleared }))
}
