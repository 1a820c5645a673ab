use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use bolts_ports::{Cursor, Page, PageRequest, Sort};
use bolts_usecases::Actor;

use crate::dto::{BetJson, CountJson, MarketStatsJson, TurnCountJson, Viewer};
use crate::error::Problem;
use crate::middleware::{GZIP, accepts};
use crate::paging::{ListQuery, PageJson, list_query};
use crate::reads::{is_of_visitor, read, read_public};
use crate::server::State;
use crate::session::{Reader, SignedIn};

/// Lists public bets. The `Link` header names the next page.
#[utoipa::path(get, path = "/api/bets/public", operation_id = "listPublicBets", tag = "bets", params(
        ("q" = Option<String>, Query, description = "words, all of them in title or description"),
        ("category" = Option<String>, Query), ("status" = Option<String>, Query, description = "`active` or one status"),
        ("currency" = Option<String>, Query, description = "`bolts` or `sats`"),
        ("sort" = Option<String>, Query,
            description = "`newest`, `oldest`, `stake_desc`, `stake_asc`, `ending_soon`, `pot_desc`"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of public bets", body = Vec<BetJson>)))]
pub(crate) async fn public(
    request: HttpRequest,
    state: web::Data<State>,
    reader: Reader,
) -> Result<HttpResponse, Problem> {
    let query = Arc::new(list_query(&request, &["q", "category", "status", "currency", "sort"])?);
    let page = if reader.actor().is_some() {
        public_page(&state, &query, reader.actor()).await?
    } else {
        // The page is the same for all visitors. They share its compression too, which takes longer than the rest.
        let is_packed = accepts(&request, GZIP);
        let shared = (state.clone(), query.clone());
        let read = move || {
            let (state, query) = shared.clone();
            async move {
                let page = public_page(&state, &query, None).await?;
                Ok(if is_packed { page.packed() } else { page })
            }
        };
        let key = format!("{is_packed} {}", request.query_string());
        state.visitors_pages.get(&key, read).await?
    };
    Ok(query.respond_with(&request, page))
}

async fn public_page(
    state: &web::Data<State>,
    query: &ListQuery,
    actor: Option<Actor>,
) -> Result<PageJson, Problem> {
    let (filter, now) = (query.filter.clone(), state.app.now());
    let first = (filter.sort == Sort::EndingSoon).then(|| Cursor::expiring_after(now));
    let page = PageRequest { after: query.page.after.or(first), ..query.page };
    let page =
        read_public(state, actor.is_none(), move |app| app.queries().public_bets(&filter, page)).await?;
    let viewer = Viewer::of_list(actor, now);
    Ok(PageJson::new(page.next, page.items.iter().map(|view| BetJson::of(view, viewer))))
}

/// Lists the user's bets, latest first. The `Link` header names the next page. With `turn=mine` it lists only the
/// bets that wait for the user, the soonest deadline first, on one page.
#[utoipa::path(get, path = "/api/bets/my", operation_id = "listMyBets", tag = "bets", params(
        ("status" = Option<String>, Query), ("turn" = Option<String>, Query, description = "`mine`: only bets that wait for the user"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the user's bets, newest first", body = Vec<BetJson>)))]
pub(crate) async fn mine(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &["status", "turn"])?;
    let (actor, filter, page) = (user.actor(), &query.filter, query.page);
    let page = if query.is_my_turn {
        let (app, status) = (state.app.clone(), filter.status);
        let waiting = read(&state, move |_| app.turns_of(actor)).await?.into_iter();
        let wanted = waiting.filter(|view| status.is_none_or(|status| status.has(view.bet.status())));
        Page { items: wanted.take(page.limit as usize).collect(), next: None }
    } else {
        let status = filter.status;
        read(&state, move |queries| queries.bets_of(actor.user, status, page)).await?
    };
    let viewer = Viewer::of_list(Some(actor), state.app.now());
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| BetJson::of(view, viewer))))
}

/// Lists the bets of which the user is the arbiter, latest first. The `Link` header names the next page.
#[utoipa::path(get, path = "/api/bets/arbitrated", operation_id = "listArbitratedBets", tag = "bets", params(
        ("status" = Option<String>, Query),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the bets of which the user is the arbiter, newest first",
        body = Vec<BetJson>)))]
pub(crate) async fn arbitrated(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &["status"])?;
    let (actor, status, page) = (user.actor(), query.filter.status, query.page);
    let page = read(&state, move |queries| queries.bets_arbitrated_by(actor.user, status, page)).await?;
    let viewer = Viewer::of_list(Some(actor), state.app.now());
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| BetJson::of(view, viewer))))
}

/// Returns the number of bets that wait for the user.
#[utoipa::path(get, path = "/api/bets/turn-count", operation_id = "countMyTurns", tag = "bets",
    responses((status = 200, description = "The number of bets in the list with `turn=mine`", body = TurnCountJson)))]
pub(crate) async fn turn_count(state: web::Data<State>, user: SignedIn) -> Result<HttpResponse, Problem> {
    let (app, actor) = (state.app.clone(), user.actor());
    let turns = read(&state, move |_| app.turns_of(actor)).await?;
    Ok(HttpResponse::Ok().json(TurnCountJson { turn_count: turns.len() }))
}

/// Returns the number of public bets.
#[utoipa::path(get, path = "/api/bets/total-count", operation_id = "countBets", tag = "bets",
    responses((status = 200, description = "The number of public bets", body = CountJson)))]
pub(crate) async fn total_count(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, Problem> {
    let market_stats =
        read_public(&state, is_of_visitor(&request), |app| app.queries().market_stats()).await?;
    Ok(HttpResponse::Ok().json(CountJson { total_bets_count: market_stats.total_bets }))
}

/// Returns the figures of the marketplace.
#[utoipa::path(get, path = "/api/bets/stats", operation_id = "getMarketStats", tag = "bets",
    responses((status = 200, description = "The figures of the marketplace", body = MarketStatsJson)))]
pub(crate) async fn market_stats(
    request: HttpRequest,
    state: web::Data<State>,
) -> Result<HttpResponse, Problem> {
    let market_stats =
        read_public(&state, is_of_visitor(&request), |app| app.queries().market_stats()).await?;
    Ok(HttpResponse::Ok().json(MarketStatsJson::from(market_stats)))
}
