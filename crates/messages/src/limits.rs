use std::time::Duration;

/// The maximum length of a message, in characters.
pub const MAX_TEXT: usize = 1_000;

/// The maximum length of the alternative text of a picture, in characters.
pub const MAX_ALT: usize = 300;

/// The maximum size of a picture, in bytes: 2 MiB. It applies to the uploaded file and to the stored file.
pub const MAX_PICTURE_BYTES: usize = 2 * 1_024 * 1_024;

/// The maximum number of pictures of a party on a bet. Each party has its own places, because nobody must be able to use
/// up the places that a party needs for evidence.
pub const PICTURES_OF_PARTY: u32 = 8;

/// The maximum number of pictures of the arbiter on a bet.
pub const PICTURES_OF_ARBITER: u32 = 4;

/// The time for which an author may delete a message.
pub const DELETABLE_FOR: Duration = Duration::from_mins(15);

/// The time for which a picture is kept that belongs to no message.
pub const LOOSE_KEPT: Duration = Duration::from_hours(24);
