//! Cards, and the files for search engines.

use std::fmt::Write;

use actix_web::http::header::{CACHE_CONTROL, ETAG, EntityTag, Header, IfNoneMatch, LOCATION};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use bolts_ports::SITEMAP_PART;

use crate::error::Problem;
use crate::reads::read;
use crate::routes::pictures::PictureFile;
use crate::server::State;
use crate::sharing::{CardKey, Printed, Subject, bet_card, origin, public_bet, site_card, told};

/// Caches may keep a card for a day. The key of a card names its content, so only a deleted bet needs a limit.
const CARD_AGE: &str = "public, max-age=86400";

/// Search engines may read the list of bets again after this time.
const LIST_AGE: &str = "public, max-age=3600";

/// Returns the card of a public bet, or of the site. The page of a bet names the key.
#[utoipa::path(get, path = "/og/{key}.png", operation_id = "getCard", tag = "site",
    params(("key" = String, Path, description = "a key from the tag `og:image` of a page")),
    responses(
        (status = 200, description = "A PNG of 1200 × 630 pixels", content_type = "image/png", body = PictureFile),
        (status = 302, description = "The card has changed: the address of the new one"),
        (status = 304, description = "The card of `If-None-Match`"),
        (status = 404, description = "No public bet has this card"),
        (status = 503, description = "Too many cards wait to be drawn")))]
pub(crate) async fn card(
    request: HttpRequest,
    state: web::Data<State>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let key: CardKey = path.parse().map_err(|()| Problem::not_found())?;
    let current = printed(&state, key.subject).await?;
    if current.key != key {
        let mut moved = HttpResponse::Found();
        return Ok(moved
            .insert_header((LOCATION, current.key.path()))
            .insert_header((CACHE_CONTROL, "no-cache"))
            .finish());
    }
    let tag = EntityTag::new_strong(key.digest);
    let mut response = if names(&request, &tag) { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag.to_string())).insert_header((CACHE_CONTROL, CARD_AGE));
    if names(&request, &tag) {
        return Ok(response.finish());
    }
    let picture = current.picture(&state).await?;
    Ok(response.content_type("image/png").body(Bytes::from_owner(picture)))
}

/// The card of this subject as it is now. 404 without a word about the reason if there is none.
async fn printed(state: &web::Data<State>, subject: Subject) -> Result<Printed, Problem> {
    match subject {
        Subject::Site => Ok(site_card()),
        Subject::Bet(id) => {
            // A card and the page that names it must not come from two replicas, so cards are read on the primary.
            let view = public_bet(state, id, false).await?.ok_or_else(Problem::not_found)?;
            Ok(bet_card(told(state, &view)))
        }
    }
}

/// Whether the client already has the card.
fn names(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|one| one.weak_eq(tag)),
        Err(_) => false,
    }
}

/// Says that search engines may read every page. Pages that they must not list say so in their head, so they must be able to
/// read it.
#[utoipa::path(get, path = "/robots.txt", operation_id = "getRobots", tag = "site",
    responses((status = 200, description = "The rules for search engines", content_type = "text/plain", body = String)))]
pub(crate) async fn robots(request: HttpRequest, state: web::Data<State>) -> HttpResponse {
    let mut text = "User-agent: *\nDisallow:\n".to_owned();
    if let Some(origin) = origin(&request, &state.settings) {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nSitemap: {origin}/sitemap.xml\n");
    }
    file("text/plain; charset=utf-8", text)
}

/// Returns the list of the parts of the sitemap.
#[utoipa::path(get, path = "/sitemap.xml", operation_id = "getSitemap", tag = "site",
    responses((status = 200, description = "A sitemap index", content_type = "application/xml", body = String)))]
pub(crate) async fn sitemap(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, Problem> {
    let origin = origin(&request, &state.settings).ok_or_else(Problem::not_found)?;
    let parts = read(&state, |queries| queries.sitemap_parts()).await?;
    let mut items = String::new();
    for part in 0..parts.min(MOST_PARTS) {
        let _ = write!(items, "<sitemap><loc>{origin}/sitemap/{part}.xml</loc></sitemap>");
    }
    Ok(xml("sitemapindex", &items))
}

/// The maximum number of parts in an index, by the protocol of sitemaps.
const MOST_PARTS: u32 = 50_000;

/// Returns a part of the sitemap: public bets in the order of their creation.
#[utoipa::path(get, path = "/sitemap/{part}.xml", operation_id = "getSitemapPart", tag = "site",
    params(("part" = u32, Path, description = "from 0 on")),
    responses(
        (status = 200, description = "A sitemap", content_type = "application/xml", body = String),
        (status = 404, description = "Not the number of a part")))]
pub(crate) async fn sitemap_part(
    request: HttpRequest,
    state: web::Data<State>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let part: u32 = path.parse().map_err(|_| Problem::not_found())?;
    let origin = origin(&request, &state.settings).ok_or_else(Problem::not_found)?;
    let entries = read(&state, move |queries| queries.sitemap_part(part)).await?;
    let mut items = String::with_capacity(SITEMAP_PART as usize * 150);
    for entry in entries {
        let (bet, at) = (entry.bet, entry.updated_at);
        let _ = write!(items, "<url><loc>{origin}/bet/{bet}</loc><lastmod>{at}</lastmod></url>");
    }
    Ok(xml("urlset", &items))
}

fn xml(root: &str, items: &str) -> HttpResponse {
    let name = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let text = format!(r#"<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{name}">{items}</{root}>"#);
    file("application/xml; charset=utf-8", text)
}

fn file(content_type: &str, text: String) -> HttpResponse {
    HttpResponse::Ok().content_type(content_type).insert_header((CACHE_CONTROL, LIST_AGE)).body(text)
}
