use actix_web::{HttpRequest, HttpResponse, web};

use crate::dto::AdminActionJson;
use crate::error::Problem;
use crate::paging::list_query;
use crate::reads::read;
use crate::server::State;
use crate::session::Admin;

/// Lists the actions of admins, latest first.
#[utoipa::path(get, path = "/api/admin/actions", operation_id = "listAdminActions", tag = "admin", params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the actions of admins, latest first",
        body = Vec<AdminActionJson>)))]
pub(crate) async fn list(
    request: HttpRequest,
    state: web::Data<State>,
    _admin: Admin,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &[])?;
    let page = query.page;
    let page = read(&state, move |queries| queries.admin_actions(page)).await?;
    Ok(query.respond(&request, page.next, page.items.iter().map(AdminActionJson::from)))
}
