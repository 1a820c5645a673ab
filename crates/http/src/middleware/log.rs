//! Request ids, request logs and request metrics.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};
use tracing::Instrument;

use crate::server::State;

/// Gives each request an id, logs the request with this id, and adds the id to the answer.
///
/// The log contains the pattern of the route instead of the path, because a path may contain a share token.
pub(crate) async fn log_and_name<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let state = request.app_data::<web::Data<State>>().cloned();
    let name = state.map(|state| state.request_id()).unwrap_or_default();
    let span = tracing::info_span!("request", id = %name, method = %request.method());
    let started = Instant::now();
    let mut response = next.call(request).instrument(span.clone()).await?;
    if let Ok(value) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    let route = response.request().match_pattern().unwrap_or_else(|| "(no route)".to_owned());
    let (status, elapsed) = (response.status().as_u16(), started.elapsed().as_secs_f64());
    span.in_scope(|| tracing::info!(route, status, ms = elapsed * 1_000.0, "answered"));
    count(route, status, elapsed);
    Ok(response)
}

fn count(route: String, status: u16, seconds: f64) {
    let status = status.to_string();
    metrics::counter!("bolts_http_requests_total", "route" => route.clone(), "status" => status).increment(1);
    metrics::histogram!("bolts_http_request_seconds", "route" => route).record(seconds);
}
