//! Request bodies. A handler reads the body after its other checks, so that errors come in their documented
//! order (`docs/http-api.md#errors`).

mod fields;

use std::time::Duration;

use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest, dev::Payload, rt};
use bolts_kernel::Code;
use futures_util::StreamExt;
use futures_util::future::{Ready, ready};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub(crate) use self::fields::FieldErrors;
use crate::error::Problem;

/// The maximum size of a body, in bytes (`docs/product.md#limits`).
pub(crate) const LIMIT: usize = 64 * 1024;

/// The maximum time for a body to arrive.
const PATIENCE: Duration = Duration::from_secs(15);

/// A request body that has not been read yet.
pub(crate) struct Body {
    request: HttpRequest,
    payload: Payload,
}

impl FromRequest for Body {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { request: request.clone(), payload: payload.take() }))
    }
}

impl Body {
    /// Reads the body. Returns its JSON object as a `T`, the errors of the object's fields, and the bytes of the body.
    /// Other errors come in this order: 413, 415, 400, 422.
    pub(crate) async fn read<T: DeserializeOwned>(self) -> Result<(T, FieldErrors, Bytes), Problem> {
        let (object, bytes) = self.object().await?;
        let (body, errors) = fields::read(object)?;
        Ok((body, errors, bytes))
    }

    async fn object(self) -> Result<(Map<String, Value>, Bytes), Problem> {
        let declared = header(&self.request, &CONTENT_LENGTH).and_then(|text| text.parse::<usize>().ok());
        if declared.is_some_and(|length| length > LIMIT) {
            return Err(too_large());
        }
        let is_json = header(&self.request, &CONTENT_TYPE).is_some_and(is_json);
        let bytes = read(self.payload).await?;
        if !is_json && !bytes.is_empty() {
            let detail = "The request's body must be JSON, with Content-Type: application/json.";
            return Err(Problem::new(Code::NotJson, detail));
        }
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| {
            let detail = "The request's body is not valid JSON.";
            Problem::new(Code::MalformedJson, detail)
        })?;
        let Value::Object(object) = value else {
            return Err(Problem::new(Code::InvalidFields, "The request's body must be a JSON object."));
        };
        Ok((object, bytes))
    }
}

/// Whether the JSON object in the bytes of a body has this field, even if it is `null`. For a field whose absence means
/// something else than `null`.
pub(crate) fn has_field(body: &[u8], name: &str) -> bool {
    serde_json::from_slice::<Map<String, Value>>(body).is_ok_and(|object| object.contains_key(name))
}

fn header<'a>(request: &'a HttpRequest, name: &actix_web::http::header::HeaderName) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn too_large() -> Problem {
    Problem::new(Code::BodyTooLarge, "The request's body is larger than 64 KiB.")
}

async fn read(mut payload: Payload) -> Result<Bytes, Problem> {
    let all = async {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let cut_short = |_| Problem::new(Code::MalformedJson, "The request's body was cut short.");
            let chunk = chunk.map_err(cut_short)?;
            if bytes.len() + chunk.len() > LIMIT {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    };
    let slow = |_| Problem::new(Code::MalformedJson, "The request's body took too long to arrive.");
    rt::time::timeout(PATIENCE, all).await.map_err(slow)?
}
