use actix_web::{HttpRequest, HttpResponse, web};

use crate::dto::{AdminWalletJson, AdminWithdrawalJson};
use crate::error::Problem;
use crate::paging::list_query;
use crate::reads::read;
use crate::server::State;
use crate::session::Admin;

/// Lists the withdrawals of all users, latest first.
#[utoipa::path(get, path = "/api/admin/withdrawals", operation_id = "listAllWithdrawals", tag = "admin",
    params(
        ("withdrawalStatus" = Option<String>, Query),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of all users' withdrawals, latest first",
        body = Vec<AdminWithdrawalJson>)))]
pub(crate) async fn withdrawals(
    request: HttpRequest,
    state: web::Data<State>,
    _admin: Admin,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &["withdrawalStatus"])?;
    let (page, status, now) = (query.page, query.withdrawal_status, state.app.now());
    let page = read(&state, move |queries| queries.withdrawals(status, page)).await?;
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| AdminWithdrawalJson::of(view, now))))
}

/// Returns the state of the site's wallet: whether withdrawals are paused, and whether the users' sats are covered.
#[utoipa::path(get, path = "/api/admin/wallet", operation_id = "getWalletOverview", tag = "admin",
    responses((status = 200, description = "The state of the site's Lightning wallet",
        body = AdminWalletJson)))]
pub(crate) async fn overview(state: web::Data<State>, _admin: Admin) -> Result<HttpResponse, Problem> {
    let app = state.app.clone();
    let (pause, stop, solvency, in_doubt) = read(&state, move |_| {
        let in_doubt = app.sending_withdrawals()?.in_doubt.len();
        Ok((app.withdrawals_pause()?, app.sending_stop()?, app.solvency()?, in_doubt))
    })
    .await?;
    Ok(HttpResponse::Ok().json(AdminWalletJson {
        is_test_mode: state.is_test_mode(),
        pause: pause.map(Into::into),
        sending_stop: stop.map(Into::into),
        solvency: solvency.map(Into::into),
        in_doubt,
    }))
}
