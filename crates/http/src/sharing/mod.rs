//! What chats, social networks and search engines learn about the site without running its script: the tags in the head
//! of each page, and the cards (`docs/product.md#sharing`).

mod cards;
mod head;
mod pages;
mod words;

pub(crate) use cards::{CardKey, LIMITS, Printed, Subject, bet_card, site_card};
pub use pages::{PageHead, page_head};
pub(crate) use pages::{public_bet, told};

use actix_web::HttpRequest;
use actix_web::http::header::HOST;

use crate::server::Settings;

/// The scheme, host and port at which browsers reach the site. `None` if the operator named no address and the request
/// has no usable `Host`.
pub(crate) fn origin(request: &HttpRequest, settings: &Settings) -> Option<String> {
    let named = || {
        let host = request.headers().get(HOST)?.to_str().ok()?;
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b"-._:[]".contains(&b);
        (!host.is_empty() && host.bytes().all(is_part)).then(|| format!("http://{host}"))
    };
    settings.public_origin.clone().or_else(named)
}
