//! `Idempotency-Key`: a repeated request gets the first answer again
//! (`docs/http-api.md#repeating-a-request`).

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use bolts_kernel::{Code, UserId, sha256_hex};
use bolts_ports::IdempotencyKey;
use bolts_usecases::{Idempotent, Reply};
use serde::Serialize;

use crate::error::Problem;

/// The maximum length of a key, in characters.
const LONGEST: usize = 200;

/// The idempotency key of this request, and the function that writes its answer. `None` if the request has no key.
pub(crate) fn idempotent<T>(
    request: &HttpRequest,
    user: UserId,
    body: &[u8],
    render: impl Fn(&T) -> String + Send + Sync + 'static,
) -> Result<Option<Idempotent<T>>, Problem> {
    let Some(value) = request.headers().get("Idempotency-Key") else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (1..=LONGEST).contains(&key.len())).ok_or_else(|| {
        let detail = "Idempotency-Key must be 1 to 200 visible ASCII characters.";
        Problem::new(Code::InvalidFields, detail)
    })?;
    let key = IdempotencyKey {
        user,
        route: format!("{} {}", request.method(), request.path()),
        key: key.to_owned(),
        body_hash: sha256_hex(body),
    };
    Ok(Some(Idempotent { key, render: Arc::new(render) }))
}

/// The HTTP response to a request that may be a repeat.
pub(crate) fn respond<T>(status: StatusCode, reply: Reply<T>, render: impl Fn(&T) -> String) -> HttpResponse {
    let (body, replayed) = match reply {
        Reply::Done(answer) => (render(&answer), false),
        Reply::Replayed(body) => (body, true),
    };
    let mut response = HttpResponse::build(status);
    response.content_type("application/json");
    if replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
    }
    response.body(body)
}

/// The answer as JSON. Serialization cannot fail for the types that answers use.
pub(crate) fn json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}
