use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderValue, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, ResponseError, web};
use bolts_kernel::Code;

use crate::error::Problem;
use crate::keys::presents_key;
use crate::server::{Settings, State};

/// The header in which browsers say where a request comes from.
const FETCH_SITE: &str = "sec-fetch-site";

/// Refuses requests that do not come from our own pages (`docs/http-api.md#errors`). The request needs the header
/// `Origin` or `Sec-Fetch-Site`. Each of these headers that is present must name our own origin. Requests with safe
/// methods such as GET pass, because they change nothing. So do requests with an API key, because no other site can send one.
pub(crate) async fn same_origin<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let settings = request.app_data::<web::Data<State>>().map(|state| &state.settings);
    // The provider's webhook has neither `Origin` nor `Sec-Fetch-Site`. It is safe: it only causes a look-up.
    let is_webhook = request.path().starts_with("/api/deposit/webhook/");
    // A mail program has neither of the headers. The token in the path is the permission (RFC 8058).
    let is_unsubscription = request.path().starts_with("/api/unsubscribe/");
    let trusted = is_webhook
        || presents_key(&request)
        || is_unsubscription
        || request.method().is_safe()
        || settings.is_some_and(|settings| is_ours(&request, settings));
    if trusted {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    }
    Ok(request.into_response(refusal().error_response()).map_into_right_body())
}

fn refusal() -> Problem {
    Problem::new(Code::CrossOrigin, "This request did not come from a page of this site.")
}

/// Refuses a request that a page of another site caused, for a GET that counts towards a limit. A browser sends the session
/// cookie when it follows a link of another site. If the user entered the address, the header is `none`.
pub(crate) fn refuse_other_sites(request: &HttpRequest) -> Result<(), Problem> {
    let is_open = |site: &HeaderValue| site == "same-origin" || site == "none";
    if request.headers().get_all(FETCH_SITE).all(is_open) { Ok(()) } else { Err(refusal()) }
}

fn is_ours(request: &ServiceRequest, settings: &Settings) -> bool {
    let headers = request.headers();
    let host = || headers.get(HOST).and_then(|host| host.to_str().ok()).map(|host| format!("http://{host}"));
    let own = settings.public_origin.clone().or_else(host);
    // A header may occur twice. Then both values must be ours.
    let origin_ours = headers.get_all(ORIGIN).all(|origin| own.as_deref().is_some_and(|own| origin == own));
    let site_ours = headers.get_all(FETCH_SITE).all(|site| site == "same-origin");
    (headers.contains_key(ORIGIN) || headers.contains_key(FETCH_SITE)) && origin_ours && site_ours
}
