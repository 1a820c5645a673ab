//! Uploads: a form with a picture (multipart/form-data). A handler reads the form after its other checks, like a
//! [`Body`](crate::body::Body). Only these forms may be larger than other bodies.

use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::{FromRequest, HttpRequest, dev::Payload, rt};
use bolts_kernel::{Code, FieldError};
use bolts_messages::MAX_PICTURE_BYTES;
use futures_util::StreamExt;
use futures_util::future::{Ready, ready};

use crate::error::Problem;

/// The maximum size of a form, in bytes: a picture, its alternative text, and the lines between them.
const LIMIT: usize = MAX_PICTURE_BYTES + 16 * 1_024;

/// The maximum size of the field `alt`, in bytes. Its limit in characters is lower.
const MAX_ALT_BYTES: usize = 8 * 1_024;

/// The maximum time for a form to arrive. A slow phone needs about half a minute for 2 MiB.
const PATIENCE: Duration = Duration::from_secs(90);

/// A form that has not been read yet.
pub(crate) struct PictureForm {
    request: HttpRequest,
    payload: Payload,
}

/// The content of the form.
#[derive(Default)]
pub(crate) struct UploadedFile {
    /// The bytes of the field `picture`.
    pub(crate) file: Vec<u8>,
    /// The field `alt`. Empty if the form has no such field.
    pub(crate) alt: String,
}

impl FromRequest for PictureForm {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { request: request.clone(), payload: payload.take() }))
    }
}

impl PictureForm {
    /// Checks the head of the request. Errors come in this order: 413, 415.
    pub(crate) fn check_head(&self) -> Result<(), Problem> {
        let header = |name| self.request.headers().get(name).and_then(|value| value.to_str().ok());
        let declared = header(CONTENT_LENGTH).and_then(|text| text.parse::<usize>().ok());
        if declared.is_some_and(|length| length > LIMIT) {
            return Err(too_large());
        }
        if !header(CONTENT_TYPE).is_some_and(is_form) {
            let detail = "The request's body must be a form, with Content-Type: multipart/form-data.";
            return Err(Problem::new(Code::NotAForm, detail));
        }
        Ok(())
    }

    /// Reads the form, whose head has passed [`Self::check_head`]. Errors come in this order: 413, 400, 422.
    pub(crate) async fn read(self) -> Result<UploadedFile, Problem> {
        let mut left = LIMIT;
        let limited = self.payload.map(move |chunk| {
            let chunk = chunk?;
            left = left.checked_sub(chunk.len()).ok_or(PayloadError::Overflow)?;
            Ok(chunk)
        });
        let fields = fields(Multipart::new(self.request.headers(), limited));
        let slow = |_| Problem::new(Code::MalformedForm, "The picture took too long to arrive.");
        rt::time::timeout(PATIENCE, fields).await.map_err(slow)?
    }
}

fn is_form(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("multipart/form-data")
}

fn too_large() -> Problem {
    Problem::new(Code::BodyTooLarge, "The picture is larger than 2 MiB. Please choose a smaller one.")
}

fn broken(error: MultipartError) -> Problem {
    if matches!(error, MultipartError::Payload(PayloadError::Overflow)) {
        return too_large();
    }
    Problem::new(Code::MalformedForm, "The request's form cannot be read or was cut short.")
}

async fn fields(mut form: Multipart) -> Result<UploadedFile, Problem> {
    let (mut picture, mut alt) = (None, None);
    while let Some(field) = form.next().await {
        let mut field = field.map_err(broken)?;
        match field.name().unwrap_or_default() {
            "picture" if picture.is_none() => picture = Some(bytes(&mut field, MAX_PICTURE_BYTES).await?),
            "alt" if alt.is_none() => alt = Some(bytes(&mut field, MAX_ALT_BYTES).await?),
            name @ ("picture" | "alt") => {
                let name = if name == "alt" { "alt" } else { "picture" };
                return Err(Problem::invalid(vec![FieldError::new(name, "This field must occur only once")]));
            }
            _ => drop(bytes(&mut field, LIMIT).await?),
        }
    }
    let missing = || Problem::invalid(vec![FieldError::new("picture", "Please choose a picture")]);
    let not_text = |_| Problem::invalid(vec![FieldError::new("alt", "This must be a text")]);
    let alt = String::from_utf8(alt.unwrap_or_default()).map_err(not_text)?;
    Ok(UploadedFile { file: picture.ok_or_else(missing)?, alt })
}

async fn bytes(field: &mut Field, limit: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.next().await {
        let chunk = chunk.map_err(broken)?;
        if bytes.len() + chunk.len() > limit {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
