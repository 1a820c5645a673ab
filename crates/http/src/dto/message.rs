use bolts_bets::Bet;
use bolts_kernel::{MessageId, PictureId, Timestamp, UserId};
use bolts_messages::Picture;
use bolts_ports::{AttachedPicture, MessageView};
use serde::Serialize;
use utoipa::ToSchema;

use super::Viewer;
use super::bet::Email;

/// A message on a bet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Message)]
pub(crate) struct MessageJson<'a> {
    #[schema(value_type = String)]
    id: MessageId,
    author: AuthorJson<'a>,
    /// Plain text. `null` once the message is deleted.
    #[schema(required)]
    text: Option<&'a str>,
    pictures: Vec<PictureJson<'a>>,
    /// Whether a party wrote the message while the bet was in dispute.
    is_evidence: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    deleted_at: Option<Timestamp>,
    /// Whether the viewer may delete the message now.
    can_delete: bool,
}

/// The author of a message.
#[derive(Serialize, ToSchema)]
#[schema(as = Author)]
pub(crate) struct AuthorJson<'a> {
    #[schema(value_type = String)]
    id: UserId,
    #[schema(required)]
    username: Option<&'a str>,
    /// Always masked, e.g. `a•••@example.com`.
    #[schema(value_type = String)]
    email: Email<'a>,
}

/// A picture of a message. `GET /api/pictures/{id}` returns its file.
#[derive(Serialize, ToSchema)]
#[schema(as = AttachedPicture)]
pub(crate) struct PictureJson<'a> {
    #[schema(value_type = String)]
    id: PictureId,
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
    /// The alternative text. It may be empty.
    alt: &'a str,
}

/// An uploaded picture. A message can attach it by its id.
#[derive(Serialize, ToSchema)]
#[schema(as = UploadedPicture)]
pub(crate) struct UploadedJson {
    #[schema(value_type = String)]
    id: PictureId,
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
}

impl<'a> MessageJson<'a> {
    pub(crate) fn of(view: &'a MessageView, bet: &Bet, viewer: Viewer) -> Self {
        let message = &view.message;
        let can_delete = viewer.actor.is_some_and(|actor| {
            let right = message.check_delete(bet, actor.user, actor.is_admin, viewer.now);
            message.deleted_at().is_none() && right.is_ok()
        });
        Self {
            id: message.id,
            author: AuthorJson {
                id: message.author,
                username: view.author.username.as_deref(),
                email: Email::Masked(&view.author.email),
            },
            text: message.text(),
            pictures: view.pictures.iter().map(PictureJson::from).collect(),
            is_evidence: message.is_evidence,
            created_at: message.created_at,
            deleted_at: message.deleted_at(),
            can_delete,
        }
    }
}

impl<'a> From<&'a AttachedPicture> for PictureJson<'a> {
    fn from(picture: &'a AttachedPicture) -> Self {
        Self { id: picture.id, width: picture.width, height: picture.height, alt: &picture.alt }
    }
}

impl From<&Picture> for UploadedJson {
    fn from(picture: &Picture) -> Self {
        Self { id: picture.id, width: picture.width, height: picture.height }
    }
}
