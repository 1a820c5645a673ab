use actix_web::{HttpResponse, web};

use crate::dto::ConfigJson;
use crate::error::Problem;
use crate::reads::read;
use crate::server::State;

/// Returns the public settings of the site.
#[utoipa::path(get, path = "/api/config", operation_id = "getSiteConfig", tag = "site",
    responses((status = 200, description = "The public settings", body = ConfigJson)))]
pub(crate) async fn public(state: web::Data<State>) -> Result<HttpResponse, Problem> {
    let app = state.app.clone();
    let (pause, stop) = read(&state, move |_| Ok((app.withdrawals_pause()?, app.sending_stop()?))).await?;
    Ok(HttpResponse::Ok().json(ConfigJson {
        is_test_mode: state.is_test_mode(),
        withdrawals_paused: pause.is_some(),
        withdrawals_waiting: stop.is_some() || !state.wallets.has_seen_agreement(),
        sends_mail: state.app.sends_mail(),
        requires_verified_email: state.app.requires_confirmed_email(),
        has_passkeys: state.app.has_passkeys(),
    }))
}
