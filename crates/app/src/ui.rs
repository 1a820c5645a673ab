//! The web UI, embedded in the binary. Browsers cache files with a hash in their names for a year. They never cache the
//! HTML page, in which the server writes tags about the address.

use std::borrow::Cow;
use std::io::Read;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Bytes, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

/// The output of `npm run build` in `frontend/dist`. Empty if the UI was not built.
#[derive(RustEmbed)]
#[folder = "../../frontend/dist"]
#[allow_missing = true]
struct Files;

/// The page of a binary that was built without the UI.
const WITHOUT_UI: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Bolts</title>\
    <h1>Bolts</h1><p>This binary was built without its web pages. Build them first (<code>just build</code> does both), \
    or use the API under <code>/api</code>.</p></html>";

/// The encodings of the compressed files that the build writes, each with its file ending. The smallest form comes
/// first.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Serves all paths outside of the API. The answer is a file of the UI or an HTML page. The page's script reads the
/// path.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config.default_service(web::to(answer));
}

/// Whether the binary contains the UI.
pub(crate) fn is_built_in() -> bool {
    Files::get("index.html").is_some()
}

async fn answer(request: HttpRequest) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::MethodNotAllowed().insert_header(("Allow", "GET, HEAD")).finish();
    }
    let path = request.path().trim_start_matches('/');
    if path.starts_with("assets/") {
        return match file(&request, path) {
            Some(response) => response,
            None => HttpResponse::NotFound().content_type("text/plain; charset=utf-8").body("Not found\n"),
        };
    }
    let is_file = !path.is_empty() && !path.ends_with(".html");
    let found = is_file.then(|| file(&request, path)).flatten();
    match found {
        Some(file) => file,
        None => page(&request).await,
    }
}

/// Answers with an HTML page. For each route that has its own script, the build writes one page for visitors and one
/// for members. The browser can then fetch the script at once, and a visitor's page need not ask the server who is
/// signed in.
async fn page(request: &HttpRequest) -> HttpResponse {
    let who = if bolts_http::has_session_cookie(request) { "member" } else { "visitor" };
    let first = request.path().split('/').nth(1).unwrap_or_default();
    let own = format!("pages/{who}/{first}.html");
    let common = format!("pages/{who}/index.html");
    let pages = [own.as_str(), common.as_str(), "index.html"];
    let found = pages.into_iter().find_map(Files::get);
    let page = found.as_ref().and_then(|file| std::str::from_utf8(&file.data).ok()).unwrap_or(WITHOUT_UI);
    let head = bolts_http::page_head(request).await;
    let mut response = HttpResponse::build(StatusCode::OK);
    response.content_type("text/html; charset=utf-8").insert_header((CACHE_CONTROL, "no-store"));
    if !head.is_listed {
        response.insert_header(("X-Robots-Tag", "noindex"));
    }
    response.body(with_head(page, &head.html))
}

/// The page with these tags in the place of its own title and description.
fn with_head(page: &str, head: &str) -> String {
    let page = without(page, "<meta name=\"description\"", ">");
    match page.split_once("<title>").and_then(|(before, rest)| Some((before, rest.split_once("</title>")?.1)))
    {
        Some((before, after)) => [before, head, after].concat(),
        None => page,
    }
}

/// The text without the first part that begins and ends like this.
fn without(text: &str, begin: &str, end: &str) -> String {
    match text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1))) {
        Some((before, after)) => [before, after].concat(),
        None => text.to_owned(),
    }
}

fn file(request: &HttpRequest, path: &str) -> Option<HttpResponse> {
    let (encoding, data) = ENCODINGS
        .into_iter()
        .filter(|(encoding, _)| bolts_http::accepts(request, encoding))
        .find_map(|(encoding, ending)| Some((Some(encoding), compressed(path, ending)?)))
        .or_else(|| Some((None, plain(path)?)))?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, content_type(path)));
    response.insert_header((VARY, "Accept-Encoding"));
    let cached = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-store" };
    response.insert_header((CACHE_CONTROL, cached));
    if let Some(encoding) = encoding {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    Some(response.body(data))
}

fn compressed(path: &str, ending: &str) -> Option<Bytes> {
    Files::get(&format!("{path}.{ending}")).map(bytes)
}

/// The file without compression. If the build kept only compressed forms of the file, this function unpacks one of them.
fn plain(path: &str) -> Option<Bytes> {
    Files::get(path).map(bytes).or_else(|| {
        let packed = compressed(path, "gz")?;
        let mut plain = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut plain).ok()?;
        Some(plain.into())
    })
}

/// The content type of a file that the build writes, by its ending.
fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_replace_those_of_the_build() {
        let page = "<head><meta name=\"description\" content=\"a\"><meta name=\"b\"><title>c</title></head>";
        assert_eq!(with_head(page, "<title>d</title>"), "<head><meta name=\"b\"><title>d</title></head>");
        assert_eq!(with_head("<p>", "<title>d</title>"), "<p>");
    }

    #[test]
    fn every_file_has_a_content_type_and_a_plain_form() {
        for file in Files::iter() {
            let path = file.trim_end_matches(".gz").trim_end_matches(".br");
            assert_ne!(content_type(path), "application/octet-stream", "{path}");
            assert!(plain(path).is_some_and(|data| !data.is_empty()), "{path}");
        }
    }
}
