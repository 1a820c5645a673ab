use std::sync::Arc;

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::UserId;
use bolts_ports::{Cursor, Page, PageRequest, Queries};
use futures_util::stream::try_unfold;

use crate::dto::MovementJson;
use crate::error::Problem;
use crate::paging::list_query;
use crate::reads::{piece, read};
use crate::server::State;
use crate::session::SignedIn;

/// The number of rows that one query reads for the CSV.
const ROWS: u32 = 500;

/// Lists all movements of the user's money, latest first.
#[utoipa::path(get, path = "/api/wallet/history", operation_id = "listWalletHistory", tag = "wallet", params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the movements of the user's balances, latest first",
        body = Vec<MovementJson>)))]
pub(crate) async fn history(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let query = list_query(&request, &[])?;
    let (page, owner) = (query.page, user.0.id);
    let page = read(&state, move |queries| queries.history(owner, page)).await?;
    Ok(query.respond(&request, page.next, page.items.iter().map(MovementJson::from)))
}

/// Returns all movements of the user's money as CSV (RFC 4180).
#[utoipa::path(get, path = "/api/wallet/history.csv", operation_id = "downloadWalletHistory", tag = "wallet",
    responses((status = 200, description = "All movements", content_type = "text/csv",
        body = String)))]
pub(crate) async fn history_csv(state: web::Data<State>, user: SignedIn) -> HttpResponse {
    let (queries, owner) = (state.app.queries().clone(), user.0.id);
    let begin = Rest::Head;
    let lines = try_unfold(begin, move |rest| {
        let queries = queries.clone();
        async move { next_lines(queries, owner, rest).await }
    });
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"bolts-history.csv\""))
        .streaming(lines)
}

/// The part of the CSV that has not been sent yet.
enum Rest {
    Head,
    Behind(Option<Cursor>),
    Nothing,
}

async fn next_lines(
    queries: Arc<dyn Queries>,
    owner: UserId,
    rest: Rest,
) -> Result<Option<(Bytes, Rest)>, actix_web::Error> {
    let after = match rest {
        Rest::Head => return Ok(Some((Bytes::from(head()?), Rest::Behind(None)))),
        Rest::Behind(after) => after,
        Rest::Nothing => return Ok(None),
    };
    let asked = queries.clone();
    let asked = piece(&queries, move || asked.history(owner, PageRequest { limit: ROWS, after })).await?;
    let page = asked.map_err(Problem::from)?;
    let rest = if page.next.is_some() { Rest::Behind(page.next) } else { Rest::Nothing };
    Ok(Some((Bytes::from(lines(&page)?), rest)))
}

fn head() -> Result<Vec<u8>, Problem> {
    written(&[["time", "kind", "currency", "amount", "bet", "deposit", "withdrawal"].map(str::to_owned)])
}

fn lines(page: &Page<bolts_ports::Movement>) -> Result<Vec<u8>, Problem> {
    let rows: Vec<[String; 7]> =
        page.items.iter().map(|movement| row(MovementJson::from(movement))).collect();
    written(&rows)
}

fn row(movement: MovementJson) -> [String; 7] {
    let MovementJson { at, kind, currency, amount, bet_title, deposit_id, withdrawal_id, .. } = movement;
    let id = |id: Option<String>| id.unwrap_or_default();
    let title = harmless(&bet_title.unwrap_or_default());
    [at, kind.to_owned(), currency.to_owned(), amount.to_string(), title, id(deposit_id), id(withdrawal_id)]
}

/// Keeps spreadsheets from running a cell of the CSV as a formula. Spreadsheets do so if a cell begins with `=` or
/// a similar character. A cell may contain the title of a bet, which other users can choose.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

fn written(rows: &[[String; 7]]) -> Result<Vec<u8>, Problem> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|_| Problem::internal())?;
    }
    writer.into_inner().map_err(|_| Problem::internal())
}
