use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use crate::server::State;

/// The Content-Security-Policy. Scripts, styles and fonts come only from this origin, and inline scripts and styles
/// are forbidden. Images may also be data URLs (QR codes).
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
                   connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                   frame-ancestors 'none'";

/// Marks an answer that sets its own `Content-Security-Policy`. The handler puts this value into the extensions of the answer.
pub(crate) struct OwnHeaders;

/// Adds the security headers to every answer, errors included.
pub(crate) async fn security_headers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let is_card = request.path().starts_with("/og/");
    let is_https = request.app_data::<web::Data<State>>().is_some_and(|state| state.settings.is_https());
    let mut response = next.call(request).await?;
    let has_own = response.response().extensions().get::<OwnHeaders>().is_some();
    let headers = response.headers_mut();
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    if !has_own {
        set(CONTENT_SECURITY_POLICY, CSP);
    }
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "same-origin");
    set(
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=()",
    );
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    // Chats in a browser show cards of other sites. All other files are only for our own pages.
    let readers = if is_card { "cross-origin" } else { "same-origin" };
    set(HeaderName::from_static("cross-origin-resource-policy"), readers);
    if is_https {
        set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    // An answer is for one user and soon outdated, unless its handler says otherwise. The path does not tell the API: it may
    // also be written as `/%61pi/`.
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}
