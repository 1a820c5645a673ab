use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{ResponseError, web};
use bolts_kernel::Code;

use crate::error::Problem;
use crate::server::{Settings, State};

/// Refuses requests that do not come from our own pages (`docs/http-api.md#errors`). The request needs the header
/// `Origin` or `Sec-Fetch-Site`. Each of these headers that is present must name our own origin. Requests with safe
/// methods such as GET pass, because they change nothing.
pub(crate) async fn same_origin<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let settings = request.app_data::<web::Data<State>>().map(|state| &state.settings);
    // The provider's webhook has neither `Origin` nor `Sec-Fetch-Site`. It is safe: it only causes a look-up.
    let is_webhook = request.path().starts_with("/api/deposit/webhook/");
    let trusted = is_webhook
        || request.method().is_safe()
        || settings.is_some_and(|settings| is_ours(&request, settings));
    if trusted {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    let detail = "This request did not come from a page of this site.";
    let problem = Problem::new(Code::CrossOrigin, detail);
    Ok(request.into_response(problem.error_response()).map_into_right_body())
}

fn is_ours(request: &ServiceRequest, settings: &Settings) -> bool {
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let origin = header(ORIGIN.as_str());
    let site = header("Sec-Fetch-Site");
    let own =
        settings.public_origin.clone().or_else(|| header(HOST.as_str()).map(|host| format!("http://{host}")));
    let origin_ours = origin.is_none_or(|origin| own.as_deref() == Some(origin));
    let site_ours = site.is_none_or(|site| site == "same-origin");
    (origin.is_some() || site.is_some()) && origin_ours && site_ours
}
