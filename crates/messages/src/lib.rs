//! The rules of messages and pictures on a bet: who may write, what is evidence, and who may delete a message
//! (`docs/product.md#messages`).
//!
//! Whoever may see a bet may read its messages. So this crate has no rule about reading.

mod limits;
mod message;
mod picture;
mod refusal;
mod role;

pub use limits::{
    DELETABLE_FOR, LOOSE_KEPT, MAX_ALT, MAX_PICTURE_BYTES, MAX_TEXT, PICTURES_OF_ARBITER, PICTURES_OF_PARTY,
};
pub use message::{Content, DeletedBy, Message, NewMessage, message_text};
pub use picture::{Picture, PictureFormat, alternative_text, check_attach, check_chosen, check_upload};
pub use refusal::Refusal;
pub use role::Role;
