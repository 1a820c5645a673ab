//! The repository and the queries of messages and pictures, and the port that decodes pictures.

use bolts_bets::Text;
use bolts_kernel::{BetId, MessageId, PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture, PictureFormat};

use crate::environment::{Busy, Pending};
use crate::error::Result;
use crate::network::Lane;
use crate::queries::{Page, PageRequest};
use crate::views::Person;

/// Messages and pictures.
pub trait Messages {
    /// Adds a message, and attaches these loose pictures of its author to it, in this order. The call must fail if one
    /// of the pictures is not loose.
    fn insert(&mut self, message: &Message, pictures: &[PictureId]) -> Result<()>;

    /// The message, locked until the transaction ends.
    fn lock(&mut self, id: MessageId) -> Result<Option<Message>>;

    /// Records the deletion of a message. The call must delete the text and the pictures of the message.
    fn delete(&mut self, message: &Message) -> Result<()>;

    /// A message with its author and its pictures.
    fn view(&mut self, message: Message) -> Result<MessageView>;

    /// The different authors of the latest `count` messages of the bet.
    fn recent_authors(&mut self, bet: BetId, count: u32) -> Result<Vec<UserId>>;

    /// Adds a picture that belongs to no message.
    fn insert_picture(&mut self, picture: &Picture, bytes: &[u8]) -> Result<()>;

    /// The picture without its bytes, locked until the transaction ends.
    fn lock_picture(&mut self, id: PictureId) -> Result<Option<Picture>>;

    /// Deletes a picture that belongs to no message. The call must fail if there is no such loose picture.
    fn delete_picture(&mut self, id: PictureId) -> Result<()>;

    /// The number of pictures of the user on the bet, with those that belong to no message.
    fn uploads(&mut self, bet: BetId, user: UserId) -> Result<u32>;

    /// The pictures of the user on the bet that belong to no message, locked until the transaction ends.
    fn loose_pictures(&mut self, bet: BetId, user: UserId) -> Result<Vec<PictureId>>;

    /// Deletes at most `limit` pictures that were uploaded before `before` and belong to no message. Returns their number.
    fn remove_loose_pictures(&mut self, before: Timestamp, limit: u32) -> Result<u64>;
}

/// A message with the data that its readers see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageView {
    /// The message.
    pub message: Message,
    /// The author of the message.
    pub author: Person,
    /// The pictures, in the order in which the author attached them.
    pub pictures: Vec<AttachedPicture>,
}

/// A picture of a message, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedPicture {
    /// The id of the picture.
    pub id: PictureId,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The alternative text. It may be empty.
    pub alt: Text,
}

impl From<&Picture> for AttachedPicture {
    fn from(picture: &Picture) -> Self {
        Self { id: picture.id, width: picture.width, height: picture.height, alt: picture.alt.clone() }
    }
}

/// The order of a list of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageOrder {
    /// The oldest message comes first.
    #[default]
    OldestFirst,
    /// The newest message comes first.
    NewestFirst,
}

/// The read side of messages and pictures. The callers check whether the reader may see the bet.
pub trait MessageQueries {
    /// A page of the messages of a bet. Deleted messages are included.
    fn messages(&self, bet: BetId, order: MessageOrder, page: PageRequest) -> Result<Page<MessageView>>;

    /// The bet of this message.
    fn bet_of_message(&self, id: MessageId) -> Result<Option<BetId>>;

    /// The picture with this id, without its bytes.
    fn picture(&self, id: PictureId) -> Result<Option<Picture>>;

    /// The bytes of this picture. `None` if the picture was deleted.
    fn picture_bytes(&self, id: PictureId) -> Result<Option<Vec<u8>>>;
}

/// A picture that was decoded and encoded anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanPicture {
    /// The format of `bytes`.
    pub format: PictureFormat,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The new file, at most `MAX_PICTURE_BYTES` long.
    pub bytes: Vec<u8>,
}

/// The reason why a file cannot be stored as a picture. Each message is a sentence for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPicture {
    /// The file is empty.
    #[error("The file is empty")]
    Empty,
    /// The file is not in one of the three formats.
    #[error("The picture must be a PNG, JPEG or WebP file")]
    UnknownFormat,
    /// The picture has several frames.
    #[error("Animated pictures cannot be stored. Please choose a picture without animation")]
    Animated,
    /// The decoded picture would need too much memory.
    #[error("The picture has too many pixels. Please choose one with at most 16 megapixels")]
    TooManyPixels,
    /// The file is damaged or cut short.
    #[error("The picture cannot be read. The file may be damaged")]
    Unreadable,
    /// No encoding of the picture is small enough to be stored.
    #[error("The picture is too detailed to be stored. Please choose a smaller one")]
    TooDetailed,
}

/// Decodes pictures and encodes them anew. The work must not run on the threads that serve requests, and must use
/// bounded memory. If pictures wait, their lanes must take turns.
pub trait PictureCleaner: Send + Sync {
    /// The picture in this file, encoded anew and upright. The result must contain nothing of the file except the
    /// pixels.
    fn clean(&self, lane: Lane, file: Vec<u8>) -> Pending<'_, Result<CleanPicture, CleaningFailed>>;
}

/// The reason why [`PictureCleaner::clean`] returned no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CleaningFailed {
    /// The file cannot be stored as a picture.
    #[error(transparent)]
    Bad(#[from] BadPicture),
    /// Too many pictures wait.
    #[error(transparent)]
    Busy(#[from] Busy),
}
