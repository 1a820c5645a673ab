//! Request ids, request logs, request metrics, and the spans of requests in traces.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};
use bolts_ports::TRACED;
use tracing::field::Empty;
use tracing::{Instrument, Span, debug_span};

use crate::server::State;

/// Gives each request an id, logs the request with this id, and adds the id to the answer.
///
/// Log and traces contain the pattern of the route instead of the path, because a path may contain a share token.
pub(crate) async fn log_and_name<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let state = request.app_data::<web::Data<State>>().cloned();
    let name = state.map(|state| state.request_id()).unwrap_or_default();
    let span = tracing::info_span!("request", id = %name, method = %request.method());
    let trace = trace(&request, &name);
    let started = Instant::now();
    // The span of the trace is the inner one, so that it is the current span of the handler.
    let mut response = next.call(request).instrument(trace.clone()).instrument(span.clone()).await?;
    if let Ok(value) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    let route = response.request().match_pattern().unwrap_or_else(|| "(no route)".to_owned());
    let (status, elapsed) = (response.status().as_u16(), started.elapsed().as_secs_f64());
    span.in_scope(|| tracing::info!(route, status, ms = elapsed * 1_000.0, "answered"));
    answered(&trace, &route, status);
    count(route, status, elapsed);
    Ok(response)
}

/// The span of a request in its trace. The checks of proxies come every second, so they have none. A `traceparent` of the
/// client is ignored (`docs/operations.md#traces`).
fn trace(request: &ServiceRequest, name: &str) -> Span {
    if matches!(request.path(), "/healthz" | "/readyz") {
        return Span::none();
    }
    debug_span!(
        target: TRACED,
        parent: None,
        "request",
        otel.kind = "server",
        otel.status_code = Empty,
        request.id = name,
        http.request.method = known(request.method()),
        http.route = Empty,
        http.response.status_code = Empty,
    )
}

/// A method of HTTP. A client can send any word as the method.
fn known(method: &Method) -> &'static str {
    let all = [
        Method::GET,
        Method::POST,
        Method::HEAD,
        Method::DELETE,
        Method::PATCH,
        Method::PUT,
        Method::OPTIONS,
    ];
    let names = ["GET", "POST", "HEAD", "DELETE", "PATCH", "PUT", "OPTIONS"];
    all.iter().zip(names).find(|(known, _)| *known == method).map_or("_OTHER", |(_, name)| name)
}

fn answered(trace: &Span, route: &str, status: u16) {
    trace.record("http.route", route);
    trace.record("http.response.status_code", i64::from(status));
    if status >= 500 {
        trace.record("otel.status_code", "ERROR");
    }
}

fn count(route: String, status: u16, seconds: f64) {
    let status = status.to_string();
    metrics::counter!("bolts_http_requests_total", "route" => route.clone(), "status" => status).increment(1);
    metrics::histogram!("bolts_http_request_seconds", "route" => route).record(seconds);
}
