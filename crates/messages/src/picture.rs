//! A picture on a bet, and the rules about uploads.

use bolts_bets::{Bet, Text};
use bolts_kernel::{BetId, FieldError, MessageId, PictureId, Timestamp, UserId, named};

use crate::limits::MAX_ALT;
use crate::refusal::Refusal;
use crate::role::Role;

/// A stored picture, without its bytes. It was encoded anew, so its file has neither metadata nor hidden parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The id of the picture.
    pub id: PictureId,
    /// The bet that the picture belongs to.
    pub bet: BetId,
    /// The user who uploaded the picture.
    pub author: UserId,
    /// The message with the picture. `None` until the author attaches the picture. Only the author sees it until then.
    pub message: Option<MessageId>,
    /// The format of the stored file.
    pub format: PictureFormat,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The alternative text for readers who cannot see the picture. It may be empty.
    pub alt: Text,
    /// The time of the upload.
    pub created_at: Timestamp,
}

/// The format of a stored picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureFormat {
    /// PNG, without loss.
    Png,
    /// JPEG, for photographs.
    Jpeg,
}

named!(PictureFormat {
    Png = "png",
    Jpeg = "jpeg",
});

impl Picture {
    /// Checks that the author may delete the picture alone.
    ///
    /// # Errors
    /// [`Refusal::PictureInMessage`].
    pub fn check_delete(&self) -> Result<(), Refusal> {
        if self.message.is_none() { Ok(()) } else { Err(Refusal::PictureInMessage) }
    }
}

impl PictureFormat {
    /// The media type of a file in this format.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// Checks the alternative text of a picture: at most 300 characters.
pub fn alternative_text(typed: &str) -> Result<Text, FieldError> {
    Text::parse("alt", "Description of the picture", typed, 0..=MAX_ALT)
}

/// Checks that a user who may see the bet may attach pictures.
///
/// # Errors
/// [`Refusal::MayNotAttach`].
pub fn check_attach(bet: &Bet, user: UserId) -> Result<(), Refusal> {
    places(bet, user).map(drop)
}

/// Checks that a user who may see the bet may upload one more picture. `uploads` is the number of pictures of the user on
/// the bet, with those that belong to no message yet. The pictures of other users do not matter.
///
/// # Errors
/// The user may not attach pictures, or has the maximum number of pictures.
pub fn check_upload(bet: &Bet, user: UserId, uploads: u32) -> Result<(), Refusal> {
    let places = places(bet, user)?;
    if uploads < places { Ok(()) } else { Err(Refusal::ShareUsed(places)) }
}

/// The maximum number of pictures of the user on the bet, at least 1.
fn places(bet: &Bet, user: UserId) -> Result<u32, Refusal> {
    let places = Role::of(bet, user).map_or(0, Role::pictures);
    if places > 0 { Ok(places) } else { Err(Refusal::MayNotAttach) }
}

/// Checks the pictures that a user chose for a message. `loose` are the pictures that the user has uploaded to the bet
/// and that belong to no message yet.
pub fn check_chosen(chosen: &[PictureId], loose: &[PictureId]) -> Result<(), FieldError> {
    let is_known = |(at, id): (usize, &PictureId)| loose.contains(id) && !chosen[..at].contains(id);
    if chosen.iter().enumerate().all(is_known) {
        Ok(())
    } else {
        let message = "A picture is no longer there, or belongs to another message. Please add it again";
        Err(FieldError::new("pictureIds", message))
    }
}
