use std::io::Write;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpRequest};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The name of the encoding in headers.
pub(crate) const GZIP: &str = "gzip";

/// The smallest answer that is compressed. A shorter answer fits into one packet of the network anyway.
const LEAST_BYTES: usize = 1024;
/// The types of answers that the server makes for each request. The build compresses the files of the UI.
const TYPES: [&str; 2] = ["application/json", "text/html"];

/// Compresses JSON and HTML answers to GET requests with gzip, if the client accepts gzip. A list of bets then has a
/// fifth of its bytes.
///
/// The BREACH attack guesses a secret in an answer from the sizes of many compressed answers. For this, another site must
/// make the browser send many requests as the user. The session cookie is `SameSite=Lax`, so a browser sends the cookie
/// only when the user opens a page.
pub(crate) async fn compress<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Bytes>>, Error> {
    let is_accepted = request.method() == Method::GET && accepts(request.request(), GZIP);
    let mut response = next.call(request).await?;
    if !has_type(response.headers()) || response.headers().contains_key(CONTENT_ENCODING) {
        return Ok(response.map_into_left_body());
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
    if !is_accepted {
        return Ok(response.map_into_left_body());
    }
    Ok(response.map_body(|head, body| match body.try_into_bytes() {
        Ok(plain) => EitherBody::right(match packed(&plain) {
            Some(packed) => {
                head.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(GZIP));
                packed
            }
            None => plain,
        }),
        Err(stream) => EitherBody::left(stream),
    }))
}

fn has_type(headers: &HeaderMap) -> bool {
    let full = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    TYPES.contains(&full.split(';').next().unwrap_or_default().trim())
}

/// The text in gzip's form, if it is not too short. The level is the fastest one, because the time of the server counts
/// more than the last tenth of the bytes. It takes 0.1 ms for a page of bets.
pub(crate) fn packed(plain: &[u8]) -> Option<Bytes> {
    if plain.len() < LEAST_BYTES {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::fast());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Whether the client accepts this encoding by its name (RFC 9110, section 12.5.3).
pub fn accepts(request: &HttpRequest, encoding: &str) -> bool {
    let header =
        request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    header.split(',').any(|part| {
        let mut words = part.split(';').map(str::trim);
        let named = words.next() == Some(encoding);
        named && !words.any(|word| word.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0)))
    })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn encodings_are_taken_only_where_they_are_accepted() {
        let request =
            |header: &str| TestRequest::get().insert_header((ACCEPT_ENCODING, header)).to_http_request();
        assert!(accepts(&request("gzip, deflate, br"), "br"));
        assert!(accepts(&request("br;q=0.5"), "br"));
        assert!(!accepts(&request("br;q=0, gzip"), "br"));
        assert!(!accepts(&request("identity"), "gzip"));
        assert!(!accepts(&TestRequest::get().to_http_request(), "gzip"));
    }
}
