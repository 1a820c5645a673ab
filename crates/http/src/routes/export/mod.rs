//! The export of an account: one JSON document of all that is the user's. It is written while it is sent, a page of rows at
//! a time, so its size needs no memory.

mod parts;

use actix_session::Session;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::Timestamp;
use bolts_ports::{Cursor, UserView};
use bolts_usecases::App;
use futures_util::stream::try_unfold;
use serde_json::Value;

use crate::error::Problem;
use crate::middleware::refuse_other_sites;
use crate::reads::piece;
use crate::server::State;
use crate::session::{OwnPassword, owner};
use parts::{PARTS, Part};

/// The name and version of the format. A program that reads the document can check it.
const FORMAT: &str = "bolts-account-export-1";

/// The user and session of an export.
#[derive(Clone)]
struct Export {
    app: App,
    user: UserView,
    session: String,
    now: Timestamp,
}

/// The part of the document that has not been sent yet.
enum Rest {
    Head,
    /// A list or an object that begins.
    Part(usize),
    /// The rows of a list after this cursor.
    Rows(usize, Cursor),
    Nothing,
}

/// Returns all that is the user's as one JSON document.
#[utoipa::path(get, path = "/api/account/export", operation_id = "exportAccount", tag = "accounts",
    responses((status = 200, description = "The document; its last field is `complete`, which is true",
        content_type = "application/json", body = serde_json::Value)))]
pub(crate) async fn export(
    request: HttpRequest,
    state: web::Data<State>,
    session: Session,
    user: OwnPassword,
) -> Result<HttpResponse, Problem> {
    refuse_other_sites(&request)?;
    let (view, owner) = (user.0.clone(), owner(user.0, &session));
    let hash = owner.session.clone();
    state.app.begin_export(owner).await?;
    let export = Export { app: state.app.clone(), user: view, session: hash, now: state.app.now() };
    let day = export.now.to_string().chars().take(10).collect::<String>();
    let name = format!("attachment; filename=\"bolts-{day}.json\"");
    let document = try_unfold(Rest::Head, move |rest| {
        let export = export.clone();
        async move { next_on_disk(export, rest).await.map_err(actix_web::Error::from) }
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((CONTENT_DISPOSITION, name))
        .streaming(document))
}

/// As [`next`], when the piece is on the disk.
async fn next_on_disk(export: Export, rest: Rest) -> Result<Option<(Bytes, Rest)>, Problem> {
    let queries = export.app.queries().clone();
    piece(&queries, move || next(&export, rest)).await.flatten()
}

/// The next piece of the document, and what is left after it.
fn next(export: &Export, rest: Rest) -> Result<Option<(Bytes, Rest)>, Problem> {
    let (text, rest) = match rest {
        Rest::Head => {
            let (format, at) = (Value::from(FORMAT), Value::from(export.now.to_string()));
            (format!("{{\"format\":{format},\n\"exportedAt\":{at}"), Rest::Part(0))
        }
        Rest::Part(index) => match PARTS.get(index) {
            None => (",\n\"complete\":true}\n".to_owned(), Rest::Nothing),
            Some((name, Part::Whole(read))) => {
                (format!(",\n\"{name}\":{}", read(export)?), Rest::Part(index + 1))
            }
            Some((name, Part::List(read))) => {
                let (rows, after) = read(export, None)?;
                let first = format!(",\n\"{name}\":[\n{}", joined(&rows));
                ended(first, index, after)
            }
        },
        Rest::Rows(index, after) => {
            let Some((_, Part::List(read))) = PARTS.get(index) else { return Ok(None) };
            let (rows, after) = read(export, Some(after))?;
            // Rows may be deleted between two pages.
            let comma = if rows.is_empty() { "" } else { ",\n" };
            ended(format!("{comma}{}", joined(&rows)), index, after)
        }
        Rest::Nothing => return Ok(None),
    };
    Ok(Some((Bytes::from(text), rest)))
}

fn joined(rows: &[Value]) -> String {
    rows.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n")
}

fn ended(text: String, index: usize, after: Option<Cursor>) -> (String, Rest) {
    match after {
        Some(after) => (text, Rest::Rows(index, after)),
        None => (text + "]", Rest::Part(index + 1)),
    }
}
