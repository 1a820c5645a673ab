//! The parts ("chunks") of a WebP file, by RFC 9649. The decoder has no memory limit of its own. It allocates what the header of
//! a chunk and the header of a lossy frame say, before it compares them with the file and with the size of the picture.

use bolts_ports::BadPicture;

/// The beginning of the file, up to the length in its first header.
pub(crate) fn until_its_end(file: &[u8]) -> &[u8] {
    let length = file.get(4..).and_then(<[u8]>::first_chunk).map(|length| as_length(*length));
    let end = length.and_then(|length| length.checked_add(8));
    end.and_then(|end| file.get(..end)).unwrap_or(file)
}

/// Checks that all chunks are in the file, and that lossy frames have the size of the picture.
///
/// # Errors
/// [`BadPicture::Unreadable`] if not.
pub(crate) fn check(file: &[u8], size: (u32, u32)) -> Result<(), BadPicture> {
    let mut rest = file.get(12..).unwrap_or_default();
    while let Some((name, after)) = rest.split_first_chunk::<4>()
        && let Some((length, after)) = after.split_first_chunk()
    {
        let length = as_length(*length);
        let data = after.get(..length).ok_or(BadPicture::Unreadable)?;
        if name == b"VP8 " && size_of_frame(data) != Some(size) {
            return Err(BadPicture::Unreadable);
        }
        // Chunks begin at even positions.
        rest = after.get(length.next_multiple_of(2)..).unwrap_or_default();
    }
    Ok(())
}

fn as_length(bytes: [u8; 4]) -> usize {
    usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX)
}

/// Width and height of a lossy frame, by RFC 6386, section 9.1.
fn size_of_frame(data: &[u8]) -> Option<(u32, u32)> {
    let [width_low, width_high, height_low, height_high] = *data.get(6..)?.first_chunk()?;
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Some((side(width_low, width_high), side(height_low, height_high)))
}
