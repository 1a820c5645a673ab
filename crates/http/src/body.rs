//! Request bodies. A body is read late, so that errors come in their documented order
//! (`docs/http-api.md#errors`). It is read field by field, so that an answer can list all invalid fields.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest, dev::Payload, rt};
use bolts_kernel::{Amount, FieldError};
use futures_util::StreamExt;
use futures_util::future::{Ready, ready};
use serde_json::{Map, Value};

use crate::error::Problem;

/// The maximum size of a body, in bytes (`docs/product.md#limits`).
pub(crate) const LIMIT: usize = 64 * 1024;

/// The maximum time for a body to arrive.
const PATIENCE: Duration = Duration::from_secs(15);

/// A body that was not read yet.
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
    /// The JSON object in the body, and the bytes of the body. Errors come in this order: 413, 415, 400, 422.
    pub(crate) async fn object(self) -> Result<(Fields, Bytes), Problem> {
        let declared = header(&self.request, &CONTENT_LENGTH).and_then(|text| text.parse::<usize>().ok());
        if declared.is_some_and(|length| length > LIMIT) {
            return Err(too_large());
        }
        let is_json = header(&self.request, &CONTENT_TYPE).is_some_and(is_json);
        let bytes = read(self.payload).await?;
        if !is_json && !bytes.is_empty() {
            let detail = "The request's body must be JSON, with Content-Type: application/json.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", detail));
        }
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| {
            let detail = "The request's body is not valid JSON.";
            Problem::new(StatusCode::BAD_REQUEST, "malformed_json", detail)
        })?;
        match value {
            Value::Object(map) => Ok((Fields { map, errors: Vec::new() }, bytes)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(Problem::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "invalid_fields",
                    "The request's body must be a JSON object.",
                ))
            }
        }
    }

    /// The amount in the field `amount`, checked by `judge`, and the bytes of the body.
    pub(crate) async fn amount(
        self,
        judge: impl FnOnce(i64) -> Result<Amount, FieldError>,
    ) -> Result<(Amount, Bytes), Problem> {
        let (mut fields, bytes) = self.object().await?;
        let units = fields.integer("amount", "Amount is required");
        fields.finish()?;
        let amount = judge(units).map_err(|error| Problem::invalid(vec![error]))?;
        Ok((amount, bytes))
    }
}

fn header<'a>(request: &'a HttpRequest, name: &actix_web::http::header::HeaderName) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "The request's body is larger than 64 KiB.")
}

async fn read(mut payload: Payload) -> Result<Bytes, Problem> {
    let all = async {
        let mut bytes = BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let cut_short = |_| {
                Problem::new(StatusCode::BAD_REQUEST, "malformed_json", "The request's body was cut short.")
            };
            let chunk = chunk.map_err(cut_short)?;
            if bytes.len() + chunk.len() > LIMIT {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    };
    let slow = |_| {
        Problem::new(StatusCode::BAD_REQUEST, "malformed_json", "The request's body took too long to arrive.")
    };
    rt::time::timeout(PATIENCE, all).await.map_err(slow)?
}

/// The fields of a JSON object, read one by one. Errors are collected. An absent field is the same as `null`.
pub(crate) struct Fields {
    map: Map<String, Value>,
    errors: Vec<FieldError>,
}

impl Fields {
    /// A text. Empty if the field is absent.
    pub(crate) fn text(&mut self, name: &'static str) -> String {
        match self.map.remove(name) {
            None | Some(Value::Null) => String::new(),
            // PostgreSQL cannot store NUL in a text, and no page sends it.
            Some(Value::String(text)) if text.contains('\0') => {
                self.wrong(name, "This must not contain a NUL character");
                String::new()
            }
            Some(Value::String(text)) => text,
            Some(_) => {
                self.wrong(name, "This must be a text");
                String::new()
            }
        }
    }

    /// A text that must be present and not empty.
    pub(crate) fn required_text(&mut self, name: &'static str, missing: &str) -> String {
        let known = self.errors.len();
        let text = self.text(name);
        if text.is_empty() && self.errors.len() == known {
            self.wrong(name, missing);
        }
        text
    }

    /// A whole number that must be present. 0 if it is not valid.
    pub(crate) fn integer(&mut self, name: &'static str, missing: &str) -> i64 {
        let message = match self.map.remove(name) {
            None | Some(Value::Null) => missing,
            Some(value) => match value.as_i64() {
                Some(number) => return number,
                None => "This must be a whole number",
            },
        };
        self.wrong(name, message);
        0
    }

    /// A boolean, if the field is present.
    pub(crate) fn boolean(&mut self, name: &'static str) -> Option<bool> {
        match self.map.remove(name) {
            None | Some(Value::Null) => None,
            Some(Value::Bool(value)) => Some(value),
            Some(_) => {
                self.wrong(name, "This must be true or false");
                None
            }
        }
    }

    /// Parses a text with `parse`. If the result is `None`, records this message as an error.
    pub(crate) fn one_of<T>(
        &mut self,
        name: &'static str,
        parse: impl Fn(&str) -> Option<T>,
        message: &str,
    ) -> Option<T> {
        let known = self.errors.len();
        let text = self.text(name);
        let value = parse(&text);
        if value.is_none() && self.errors.len() == known {
            self.wrong(name, message);
        }
        value
    }

    /// Records an error of a field.
    pub(crate) fn wrong(&mut self, field: &'static str, message: impl Into<String>) {
        self.errors.push(FieldError::new(field, message));
    }

    /// Returns a valid value, or records its error.
    pub(crate) fn judge<T>(&mut self, judged: Result<T, FieldError>) -> Option<T> {
        judged.map_err(|error| self.errors.push(error)).ok()
    }

    /// The errors so far.
    pub(crate) fn take_errors(&mut self) -> Vec<FieldError> {
        std::mem::take(&mut self.errors)
    }

    /// Answers 422 if there are errors.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        let errors = self.take_errors();
        if errors.is_empty() { Ok(()) } else { Err(Problem::invalid(errors)) }
    }
}
