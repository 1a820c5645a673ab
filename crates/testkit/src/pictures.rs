//! A fake cleaner of pictures.

use std::future::ready;

use bolts_messages::PictureFormat;
use bolts_ports::{BadPicture, CleanPicture, CleaningFailed, Lane, Pending, PictureCleaner};

/// A cleaner that takes every file that is not empty for a PNG picture of one pixel, and keeps its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct FakePictures;

impl PictureCleaner for FakePictures {
    fn clean(&self, _: Lane, file: Vec<u8>) -> Pending<'_, Result<CleanPicture, CleaningFailed>> {
        let picture = CleanPicture { format: PictureFormat::Png, width: 1, height: 1, bytes: file };
        let is_empty = picture.bytes.is_empty();
        Box::pin(ready(if is_empty { Err(BadPicture::Empty.into()) } else { Ok(picture) }))
    }
}
