use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, ETAG, EntityTag, Header, IfNoneMatch, VARY,
};
use actix_web::{HttpRequest, HttpResponse, web};
use bolts_kernel::PictureId;
use bolts_messages::{Picture, alternative_text};
use bolts_usecases::messages::{NewPicture, On};
use utoipa::ToSchema;

use super::bets::{key, seen, token};
use crate::dto::{DoneJson, UploadedJson};
use crate::error::Problem;
use crate::form::PictureForm;
use crate::middleware::OwnHeaders;
use crate::reads::read;
use crate::server::State;
use crate::session::{MaybeSignedIn, SignedIn};

/// A picture can neither run scripts nor load anything, even if a browser shows it as a page.
const CSP: &str = "default-src 'none'; sandbox";

/// A picture never changes, so a browser may keep it for 30 days. Other caches may not.
const CACHE: &str = "private, max-age=2592000, immutable";

/// The form of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes the form in the OpenAPI document")]
pub(crate) struct PictureFormJson {
    /// A PNG, JPEG or WebP file of at most 2 MiB and 16 megapixels.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    picture: Vec<u8>,
    /// The alternative text for readers who cannot see the picture.
    #[schema(max_length = 300)]
    alt: Option<String>,
}

/// The file of a picture.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it only describes the file in the OpenAPI document")]
pub(crate) struct PictureFile(Vec<u8>);

/// Uploads a picture to a bet. It is stored anew, without metadata. A message can attach it within a day.
#[utoipa::path(post, path = "/api/bets/{key}/pictures", operation_id = "uploadPicture", tag = "messages",
    request_body(content = PictureFormJson, content_type = "multipart/form-data"),
    params(("key" = String, Path), ("token" = Option<String>, Query)),
    responses((status = 201, description = "The stored picture", body = UploadedJson)))]
pub(crate) async fn upload(
    request: HttpRequest,
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
    form: PictureForm,
) -> Result<HttpResponse, Problem> {
    let (actor, token) = (user.actor(), token(&request));
    let bet = seen(&state, key(&path)?, Some(actor), token.clone()).await?.view.bet;
    // A form takes memory while it arrives. So everything that needs no form comes first.
    form.check_head()?;
    state.app.check_upload_begins(actor, &bet)?;
    // The place is taken until the picture is stored, because the file is in memory until then.
    let _place = state.uploads.begin(actor.user)?;
    let form = form.read().await?;
    let alt = alternative_text(&form.alt).map_err(|error| Problem::invalid(vec![error]))?;
    let new = NewPicture { file: form.file, alt };
    let picture = state.app.upload_picture(actor, On { bet: bet.id, token }, new).await?;
    Ok(HttpResponse::build(StatusCode::CREATED).json(UploadedJson::from(&picture)))
}

/// Returns the file of a picture to the viewers of its bet. Before the picture is attached to a message, only the user
/// who uploaded it sees it.
#[utoipa::path(get, path = "/api/pictures/{id}", operation_id = "getPicture", tag = "messages",
    params(("id" = String, Path), ("token" = Option<String>, Query)),
    responses((status = 200, description = "The file of the picture",
        content((PictureFile = "image/png"), (PictureFile = "image/jpeg")))))]
pub(crate) async fn show(
    request: HttpRequest,
    state: web::Data<State>,
    viewer: MaybeSignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id: PictureId = path.parse().map_err(|_| Problem::picture_not_found())?;
    let (app, actor, token) = (state.app.clone(), viewer.actor(), token(&request));
    let picture = read(&state, move |_| app.see_picture(id, actor, token.as_ref())).await?;
    let picture = picture.ok_or_else(Problem::picture_not_found)?;
    let tag = EntityTag::new_strong(id.to_string());
    if is_known(&request, &tag) {
        return Ok(answer(StatusCode::NOT_MODIFIED, &picture, tag, Vec::new()));
    }
    let bytes = read(&state, move |queries| queries.picture_bytes(id)).await?;
    let bytes = bytes.ok_or_else(Problem::picture_not_found)?;
    Ok(answer(StatusCode::OK, &picture, tag, bytes))
}

/// Deletes a picture that no message has. Only the user who uploaded it may do so.
#[utoipa::path(delete, path = "/api/pictures/{id}", operation_id = "deletePicture", tag = "messages",
    params(("id" = String, Path)),
    responses((status = 200, description = "The picture is deleted", body = DoneJson)))]
pub(crate) async fn remove(
    state: web::Data<State>,
    user: SignedIn,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let id: PictureId = path.parse().map_err(|_| Problem::picture_not_found())?;
    state.app.delete_picture(user.actor(), id).await?;
    Ok(HttpResponse::Ok().json(DoneJson { ok: true }))
}

/// Whether the browser has the picture already. The file of a picture never changes.
fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => request.headers().contains_key(actix_web::http::header::IF_NONE_MATCH),
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}

fn answer(status: StatusCode, picture: &Picture, tag: EntityTag, bytes: Vec<u8>) -> HttpResponse {
    let name = format!("inline; filename=\"picture-{}.{}\"", picture.id, picture.format);
    let mut response = HttpResponse::build(status);
    response
        .content_type(picture.format.media_type())
        .insert_header((CONTENT_DISPOSITION, name))
        .insert_header((CONTENT_SECURITY_POLICY, CSP))
        .insert_header((CACHE_CONTROL, CACHE))
        // After a change of the user, the browser must ask again.
        .insert_header((VARY, "Cookie"))
        .insert_header((ETAG, tag.to_string()));
    let mut response = response.body(bytes);
    response.extensions_mut().insert(OwnHeaders);
    response
}
