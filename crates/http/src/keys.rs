//! Requests with an API key: `Authorization: Bearer bolts_…` (`docs/http-api.md#programs`).
//!
//! [`with_key`] looks up the key of a request, before anything else looks at the request. [`admit`] runs once the route is
//! known, and lets a request with a key pass only if the table of scopes says so.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError, web};
use bolts_kernel::Code;
use bolts_keys::ApiKey;
use bolts_ports::{KeyView, UserView};

use crate::client_ip::address;
use crate::error::Problem;
use crate::reads::read;
use crate::scopes;
use crate::server::State;
use crate::session::record_use;

/// The valid key of a request.
struct Presented {
    key: ApiKey,
    view: KeyView,
    /// Whether the key has the scope of the route.
    is_admitted: bool,
}

/// The token of a header with the scheme `Bearer`. `None` if the header has another scheme.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(6)?;
    let is_bearer =
        scheme.eq_ignore_ascii_case(b"bearer") && token.first().is_none_or(u8::is_ascii_whitespace);
    is_bearer.then(|| token.trim_ascii())
}

/// The text of the key in the request's headers. `None` if the request presents no key. A text that cannot be a key, e.g. of
/// a malformed header, is empty, because such a request must be refused too.
///
/// A proxy before the site may pass on a token of its own, so a token that cannot be meant as a key presents none. A token that
/// contains the beginning of our keys always presents one: such a request never counts by its cookies. Neither does one
/// with an empty token, which a program sends that did not find its key.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let is_ours = |token: &[u8]| token.is_empty() || ApiKey::resembles(token);
    if !headers.get_all(AUTHORIZATION).filter_map(bearer).any(is_ours) {
        return None;
    }
    let mut all = headers.get_all(AUTHORIZATION).filter_map(|value| value.to_str().ok());
    match (all.next(), headers.get_all(AUTHORIZATION).count()) {
        (Some(only), 1) => Some(only.get(6..).unwrap_or_default().trim()),
        _ => Some(""),
    }
}

/// Whether a request presents a key, right or wrong. Such a request has no session: its cookies are ignored. No page of
/// another site can make a browser send this header, so the request needs no `Origin`.
pub(crate) fn presents_key(request: &ServiceRequest) -> bool {
    presented(request.headers()).is_some()
}

/// Looks up the key of a request. A wrong key is refused for every route, even for a public one, so that a program learns
/// at once that its key is no longer valid.
pub(crate) async fn with_key<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    if let Some(text) = presented(request.headers()).map(str::to_owned) {
        request.headers_mut().remove(COOKIE);
        match look_up(request.request(), &text).await {
            Ok(presented) => drop(request.extensions_mut().insert(presented)),
            Err(problem) => return Ok(refused(request, &problem).map_into_right_body()),
        }
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

async fn look_up(request: &HttpRequest, text: &str) -> Result<Presented, Problem> {
    let state = request.app_data::<web::Data<State>>().ok_or_else(Problem::internal)?;
    let wrong = async || Err(state.app.refuse_key(address(request, state)).await.into());
    let Some(key) = ApiKey::parse(text) else { return wrong().await };
    let (app, asked) = (state.app.clone(), key.clone());
    let Some(view) = read(state, move |_| app.key(&asked)).await? else { return wrong().await };
    if state.app.wants_key_touch(&view) {
        let (app, hash) = (state.app.clone(), key.hash());
        record_use("an API key", async move { app.touch_key(hash).await });
    }
    Ok(Presented { key, view, is_admitted: false })
}

fn refused(request: ServiceRequest, problem: &Problem) -> ServiceResponse {
    let mut response = problem.error_response();
    if response.status() == StatusCode::UNAUTHORIZED {
        let value = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        response.headers_mut().insert(WWW_AUTHENTICATE, value);
    }
    request.into_response(response)
}

/// Refuses a request with a key whose scopes do not include the route at `path`.
pub(crate) async fn admit(
    path: &'static str,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if let Err(problem) = judge(path, &request) {
        return Ok(refused(request, &problem));
    }
    next.call(request).await
}

fn judge(path: &str, request: &ServiceRequest) -> Result<(), Problem> {
    let mut extensions = request.extensions_mut();
    let Some(presented) = extensions.get_mut::<Presented>() else { return Ok(()) };
    let scope = scopes::needed(request.method().as_str(), path).ok_or_else(closed_to_keys)?;
    if !presented.view.scopes.allow(scope) {
        let detail = format!("This API key lacks the scope {}.", scope.as_str());
        return Err(Problem::new(Code::KeyNotAllowed, detail));
    }
    presented.is_admitted = true;
    Ok(())
}

fn closed_to_keys() -> Problem {
    Problem::new(Code::KeyNotAllowed, "API keys cannot do this. Please use the pages of the site.")
}

/// The user of the request's key. `None` if the request has no key. A route that did not ask [`admit`] is closed to keys.
pub(crate) fn user_of_key(request: &HttpRequest) -> Option<Result<UserView, Problem>> {
    let extensions = request.extensions();
    let presented = extensions.get::<Presented>()?;
    Some(if presented.is_admitted { Ok(presented.view.user.clone()) } else { Err(closed_to_keys()) })
}

/// The hash of the request's key, if the request has one.
pub(crate) fn hash_of_key(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<Presented>().map(|presented| presented.key.hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for value in values {
            map.append(AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        map
    }

    #[test]
    fn a_bearer_is_a_key_and_nothing_else_is() {
        for (values, expected) in [
            (&[][..], None),
            (&["Basic Ym9iOnNlY3JldA=="], None),
            (&["Bearerbolts_x"], None),
            (&["Bearer bolts_x"], Some("bolts_x")),
            (&["bearer   bolts_x "], Some("bolts_x")),
            (&["BEARER\tbolts_x"], Some("bolts_x")),
            (&["Bearer"], Some("")),
            (&["Bearer "], Some("")),
            (&["Bearer bolts_ä"], Some("")),
            (&["Bearer BOLTS_X"], Some("BOLTS_X")),
            (&["Bearer Bearer bolts_x"], Some("Bearer bolts_x")),
            (&["Bearer token=bolts_x"], Some("token=bolts_x")),
            // The token of a proxy.
            (&["Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln"], None),
            (&["Bearer ä"], None),
            (&["Bearer one", "Bearer two"], None),
            (&["Bearer one", "Bearer bolts_x"], Some("")),
            // Two headers: nobody can say which one counts.
            (&["Bearer bolts_x", "Bearer bolts_y"], Some("")),
            (&["Basic Ym9iOnNlY3JldA==", "Bearer bolts_x"], Some("")),
        ] {
            assert_eq!(presented(&headers(values)), expected, "{values:?}");
        }
    }
}
