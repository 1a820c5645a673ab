//! Query parameters of lists, and the `Link` to the next page (`docs/http-api.md#bets`).

use std::collections::HashMap;
use std::fmt::Write;

use actix_web::http::header::{CONTENT_ENCODING, LINK, VARY};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_bets::{Category, Status};
use bolts_kernel::{Currency, FieldError, sha256_hex};
use bolts_ports::{Cursor, ListFilter, ListStatus, MessageOrder, PageRequest, Sort};
use bolts_wallet::WithdrawalStatus;
use serde::{Serialize, Serializer};

use crate::error::Problem;
use crate::middleware::{GZIP, packed};

const DEFAULT_LIMIT: u32 = 24;
const MAX_LIMIT: u32 = 100;

/// The space for the JSON of a page. It suffices for most pages of bets, so that the text is not copied while it grows.
const USUAL_BYTES: usize = 32 * 1_024;

/// The maximum length of a search text, in characters. Words after the first [`MAX_WORDS`] are ignored.
const MAX_SEARCH: usize = 200;
const MAX_WORDS: usize = 12;

/// The parameters of a request for a list.
pub(crate) struct ListQuery {
    pub(crate) filter: ListFilter,
    pub(crate) page: PageRequest,
    /// Whether the list has only bets that wait for the user.
    pub(crate) is_my_turn: bool,
    /// The order of messages. Lists of bets use `sort`.
    pub(crate) order: MessageOrder,
    /// The status of withdrawals. Lists of bets do not use it.
    pub(crate) withdrawal_status: Option<WithdrawalStatus>,
    fingerprint: String,
}

/// Reads the cursor, the limit, and the parameters in `allowed`. Ignores all other parameters. An invalid value
/// gives a 422 that names the parameter.
pub(crate) fn list_query(request: &HttpRequest, allowed: &[&str]) -> Result<ListQuery, Problem> {
    let parameters = web::Query::<HashMap<String, String>>::from_query(request.query_string())
        .map(web::Query::into_inner)
        .unwrap_or_default();
    let value = |name: &str| {
        parameters.get(name).map(String::as_str).filter(|text| !text.is_empty() && allowed.contains(&name))
    };
    let mut errors = Vec::new();
    let filter = ListFilter {
        words: value("q").map(|text| words(text, &mut errors)).unwrap_or_default(),
        category: known("category", value("category"), Category::parse, &mut errors),
        status: known("status", value("status"), status, &mut errors),
        currency: known("currency", value("currency"), Currency::parse, &mut errors),
        sort: known("sort", value("sort"), sort, &mut errors).unwrap_or_default(),
    };
    let withdrawal_status =
        known("withdrawalStatus", value("withdrawalStatus"), WithdrawalStatus::parse, &mut errors);
    let order = known("order", value("order"), message_order, &mut errors);
    let turn = known("turn", value("turn"), |name| (name == "mine").then_some(()), &mut errors);
    let limit = known("limit", parameters.get("limit").map(String::as_str), limit, &mut errors);
    let words = filter.words.join(" ");
    let text = |name: &str| value(name).unwrap_or_default();
    let sort = value("sort").unwrap_or("newest");
    let fingerprint = fingerprint(&[
        request.path(),
        &words,
        text("category"),
        text("status"),
        text("currency"),
        sort,
        text("withdrawalStatus"),
        text("turn"),
        text("order"),
    ]);
    let read_cursor = |text: &str| cursor(text, &fingerprint);
    let after = known("cursor", parameters.get("cursor").map(String::as_str), read_cursor, &mut errors);
    if errors.is_empty() {
        let page = PageRequest { limit: limit.unwrap_or(DEFAULT_LIMIT), after };
        let order = order.unwrap_or_default();
        Ok(ListQuery { filter, page, is_my_turn: turn.is_some(), order, withdrawal_status, fingerprint })
    } else {
        Err(Problem::invalid(errors))
    }
}

fn known<T>(
    name: &'static str,
    value: Option<&str>,
    parse: impl Fn(&str) -> Option<T>,
    errors: &mut Vec<FieldError>,
) -> Option<T> {
    let text = value?;
    let parsed = parse(text);
    if parsed.is_none() {
        errors.push(FieldError::new(name, format!("This is not a value that {name} can have")));
    }
    parsed
}

fn words(text: &str, errors: &mut Vec<FieldError>) -> Vec<String> {
    if text.chars().count() > MAX_SEARCH {
        errors.push(FieldError::new("q", "The search must be at most 200 characters"));
    }
    // The decoder of the query string has replaced invalid UTF-8 by the replacement character.
    if text.contains(['\0', char::REPLACEMENT_CHARACTER]) {
        errors.push(FieldError::new("q", "The search must be a text"));
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(str::to_lowercase).collect()
}

fn status(name: &str) -> Option<ListStatus> {
    if name == "active" { Some(ListStatus::Active) } else { Status::parse(name).map(ListStatus::Only) }
}

fn sort(name: &str) -> Option<Sort> {
    match name {
        "newest" => Some(Sort::Newest),
        "oldest" => Some(Sort::Oldest),
        "stake_desc" => Some(Sort::StakeDesc),
        "stake_asc" => Some(Sort::StakeAsc),
        "ending_soon" => Some(Sort::EndingSoon),
        "pot_desc" => Some(Sort::PotDesc),
        _ => None,
    }
}

fn message_order(name: &str) -> Option<MessageOrder> {
    match name {
        "oldest" => Some(MessageOrder::OldestFirst),
        "newest" => Some(MessageOrder::NewestFirst),
        _ => None,
    }
}

fn limit(text: &str) -> Option<u32> {
    text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit))
}

/// A hash of the list, filter and order that a cursor belongs to. The cursor of another list, filter or order is
/// refused, because it would show wrong rows.
fn fingerprint(list: &[&str]) -> String {
    let mut text = sha256_hex(list.join("\n"));
    text.truncate(16);
    text
}

fn cursor(text: &str, fingerprint: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.split('.');
    let (of, key, seq) = (parts.next()?, parts.next()?, parts.next()?);
    if of != fingerprint || parts.next().is_some() {
        return None;
    }
    Some(Cursor { key: key.parse().ok()?, seq: seq.parse().ok()? })
}

/// A page of a list as JSON.
#[derive(Clone)]
pub(crate) struct PageJson {
    next: Option<Cursor>,
    items: Bytes,
    is_packed: bool,
}

impl PageJson {
    pub(crate) fn new(next: Option<Cursor>, items: impl Iterator<Item: Serialize>) -> Self {
        let mut body = Vec::with_capacity(USUAL_BYTES);
        // Serialization cannot fail for the types that answers use.
        let _ = serde_json::Serializer::new(&mut body).collect_seq(items);
        Self { next, items: body.into(), is_packed: false }
    }

    /// The page in gzip's form, if it is not too short.
    pub(crate) fn packed(self) -> Self {
        match packed(&self.items) {
            Some(items) => Self { items, is_packed: true, ..self },
            None => self,
        }
    }
}

impl ListQuery {
    /// The answer for a page: a JSON array, and the `Link` header if there is a next page.
    pub(crate) fn respond(
        &self,
        request: &HttpRequest,
        next: Option<Cursor>,
        items: impl Iterator<Item: Serialize>,
    ) -> HttpResponse {
        self.respond_with(request, PageJson::new(next, items))
    }

    /// The answer for a page that is JSON already.
    pub(crate) fn respond_with(&self, request: &HttpRequest, page: PageJson) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        response.content_type("application/json");
        if page.is_packed {
            response.insert_header((CONTENT_ENCODING, GZIP)).insert_header((VARY, "Accept-Encoding"));
        }
        if let Some(next) = page.next {
            response.insert_header((LINK, self.link(request, next)));
        }
        response.body(page.items)
    }

    fn link(&self, request: &HttpRequest, next: Cursor) -> String {
        let cursor = URL_SAFE_NO_PAD.encode(format!("{}.{}.{}", self.fingerprint, next.key, next.seq));
        let mut target = format!("{}?", request.path());
        // The other parameters stay as the client wrote them, so that the next page belongs to the same list.
        for pair in request.query_string().split('&').filter(|pair| !pair.is_empty()) {
            if pair != "cursor" && !pair.starts_with("cursor=") && !pair.contains(['<', '>', '"']) {
                // Writing to a String cannot fail.
                let _ = write!(target, "{pair}&");
            }
        }
        format!("<{target}cursor={cursor}>; rel=\"next\"")
    }
}
