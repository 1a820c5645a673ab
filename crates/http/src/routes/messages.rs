use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_bets::ShareToken;
use bolts_kernel::{BetId, FieldError, MessageId, PictureId};
use bolts_messages::{PICTURES_OF_PARTY, message_text};
use bolts_ports::{BetKey, MessageView};
use bolts_usecases::Actor;
use bolts_usecases::bets::SeenBet;
use bolts_usecases::messages::{NewMessage, On};
use serde::Deserialize;
use utoipa::ToSchema;

use super::bets::{key, seen, token};
use crate::body::Body;
use crate::dto::{DoneJson, MessageJson, Viewer};
use crate::error::Problem;
use crate::idempotency::{idempotent, json, respond};
use crate::paging::list_query;
use crate::reads::{read, read_public};
use crate::server::State;
use crate::session::{MaybeSignedIn, SignedIn};

/// A new message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewMessageJson {
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
    /// Pictures that the user has uploaded to this bet, in the order in which readers see them.
    #[schema(max_items = 8)]
    picture_ids: Option<Vec<String>>,
}

/// Lists the messages of a bet, oldest first. With `order=newest` it begins with the newest message. The `Link` header
/// names the next page.
#[utoipa::path(get, path = "/api/bets/{key}/messages", operation_id = "listMessages", tag = "messages", params(
        ("key" = String, Path), ("token" = Option<String>, Query),
        ("order" = Option<String>, Query, description = "`oldest` or `newest`"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of the messages", body = Vec<MessageJson>)))]
pub(crate) async fn list(
    request: HttpRequest,
    state: web::Data<State>,
    viewer: MaybeSignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let bet = seen(&state, key(&path)?, viewer.actor(), token(&request)).await?.view.bet;
    let query = list_query(&request, &["order"])?;
    let (id, order, page) = (bet.id, query.order, query.page);
    let is_visitor = viewer.actor().is_none();
    let page = read_public(&state, is_visitor, move |app| app.queries().messages(id, order, page)).await?;
    let viewer = Viewer::of_list(viewer.actor(), state.app.now());
    Ok(query.respond(&request, page.next, page.items.iter().map(|view| MessageJson::of(view, &bet, viewer))))
}

/// Writes a message. While the bet is in dispute, a message of a party is evidence.
#[utoipa::path(post, path = "/api/bets/{key}/messages", operation_id = "writeMessage", tag = "messages",
    request_body = NewMessageJson,
    params(("key" = String, Path), ("token" = Option<String>, Query),
        ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, description = "The new message", body = MessageJson)))]
pub(crate) async fn write(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    body: Body,
) -> Result<HttpResponse, Problem> {
    let (actor, token) = (user.actor(), token(&request));
    let bet = seen(&state, key(&path)?, Some(actor), token.clone()).await?.view.bet;
    let (NewMessageJson { text, picture_ids }, mut errors, bytes) = body.read().await?;
    let pictures = errors.judge(picture_ids_of(&picture_ids.unwrap_or_default()));
    let text = errors.judge(message_text(&text));
    let (text, pictures) = errors.finish_with(text.zip(pictures))?;
    let on = On { bet: bet.id, token };
    let viewer = Viewer::of_list(Some(actor), state.app.now());
    let render = move |view: &MessageView| json(&MessageJson::of(view, &bet, viewer));
    let idempotency = idempotent(&request, actor.user, &bytes, render.clone())?;
    let reply = state.app.write_message(actor, on, NewMessage { text, pictures }, idempotency).await?;
    Ok(respond(StatusCode::CREATED, reply, render))
}

fn picture_ids_of(texts: &[String]) -> Result<Vec<PictureId>, FieldError> {
    let ids: Option<Vec<PictureId>> = texts.iter().map(|text| text.parse().ok()).collect();
    let fits = |ids: &Vec<PictureId>| ids.len() <= PICTURES_OF_PARTY as usize;
    ids.filter(fits).ok_or_else(|| FieldError::new("pictureIds", "These are not the ids of pictures"))
}

/// The bet of a message, if the viewer may see the bet.
async fn bet_if_seen(
    state: &web::Data<State>,
    bet: BetId,
    viewer: Option<Actor>,
    token: Option<ShareToken>,
) -> Result<Option<SeenBet>, Problem> {
    let app = state.app.clone();
    read(state, move |_| app.see_bet(&BetKey::Id(bet), viewer, token.as_ref())).await
}

/// Deletes a message. Its author may do so for 15 minutes, and an admin at any time.
#[utoipa::path(delete, path = "/api/messages/{id}", operation_id = "deleteMessage", tag = "messages",
    params(("id" = String, Path), ("token" = Option<String>, Query)),
    responses((status = 200, description = "The message is deleted. Its author and time stay", body = DoneJson)))]
pub(crate) async fn remove(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id: MessageId = path.parse().map_err(|_| Problem::message_not_found())?;
    let bet = read(&state, move |queries| queries.bet_of_message(id)).await?;
    let (bet, token) = (bet.ok_or_else(Problem::message_not_found)?, token(&request));
    let seen = bet_if_seen(&state, bet, Some(user.actor()), token.clone()).await?;
    seen.ok_or_else(Problem::message_not_found)?;
    state.app.delete_message(user.actor(), On { bet, token }, id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}
