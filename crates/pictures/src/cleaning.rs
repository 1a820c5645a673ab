//! One picture: decode within limits, turn upright, encode anew.

use std::io::Cursor;

use bolts_messages::{MAX_PICTURE_BYTES, PictureFormat};
use bolts_ports::{BadPicture, CleanPicture};
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageResult, Limits, RgbImage};

use crate::riff;

/// The maximum number of pixels: 16 megapixels.
const MAX_PIXELS: u64 = 16 * 1_024 * 1_024;

/// The maximum memory of a decoded picture: 4 bytes for each pixel.
const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;

/// The maximum width and height, in pixels.
const MAX_SIDE: u32 = 16_384;

/// The qualities at which a photograph is encoded until it fits.
const QUALITIES: [u8; 4] = [88, 75, 60, 40];

/// Decodes a file and encodes its picture anew.
///
/// # Errors
/// The file is no picture, or the picture is damaged, animated, or too large.
pub fn clean(file: &[u8]) -> Result<CleanPicture, BadPicture> {
    if file.is_empty() {
        return Err(BadPicture::Empty);
    }
    // The format follows from the first bytes. The name and the declared type of the file may be wrong.
    let (picture, is_photograph) = match image::guess_format(file) {
        Ok(ImageFormat::Png) => (png(file)?, false),
        Ok(ImageFormat::Jpeg) => (decoded(JpegDecoder::new(Cursor::new(file)))?, true),
        Ok(ImageFormat::WebP) => (webp(file)?, false),
        Ok(_) | Err(_) => return Err(BadPicture::UnknownFormat),
    };
    encoded(picture, is_photograph)
}

fn png(file: &[u8]) -> Result<DynamicImage, BadPicture> {
    let decoder = PngDecoder::with_limits(Cursor::new(file), limits()).map_err(refusal)?;
    if decoder.is_apng().map_err(refusal)? {
        return Err(BadPicture::Animated);
    }
    decoded(Ok(decoder))
}

fn webp(file: &[u8]) -> Result<DynamicImage, BadPicture> {
    let file = riff::until_its_end(file);
    let decoder = WebPDecoder::new(Cursor::new(file)).map_err(refusal)?;
    if decoder.has_animation() {
        return Err(BadPicture::Animated);
    }
    riff::check(file, decoder.dimensions())?;
    decoded(Ok(decoder))
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    limits
}

/// Decodes a picture and turns it as its Exif data says. The size is checked before memory is allocated.
fn decoded<D: ImageDecoder>(decoder: ImageResult<D>) -> Result<DynamicImage, BadPicture> {
    let mut decoder = decoder.map_err(refusal)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(BadPicture::Unreadable);
    }
    let has_too_many_pixels = u64::from(width) * u64::from(height) > MAX_PIXELS;
    if width > MAX_SIDE
        || height > MAX_SIDE
        || has_too_many_pixels
        || decoder.total_bytes() > MAX_DECODED_BYTES
    {
        return Err(BadPicture::TooManyPixels);
    }
    decoder.set_limits(limits()).map_err(refusal)?;
    // Broken Exif data does not make a picture unreadable.
    let orientation = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    if let Some(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    Ok(picture)
}

fn refusal(error: image::ImageError) -> BadPicture {
    tracing::debug!(%error, "a picture was refused");
    match error {
        image::ImageError::Limits(_) => BadPicture::TooManyPixels,
        image::ImageError::Decoding(_)
        | image::ImageError::Encoding(_)
        | image::ImageError::Parameter(_)
        | image::ImageError::Unsupported(_)
        | image::ImageError::IoError(_) => BadPicture::Unreadable,
    }
}

/// Encodes a picture: a photograph as JPEG, any other picture as PNG, or as JPEG if the PNG file would be too large.
fn encoded(picture: DynamicImage, is_photograph: bool) -> Result<CleanPicture, BadPicture> {
    let (width, height) = (picture.width(), picture.height());
    let fits = |bytes: &Vec<u8>| bytes.len() <= MAX_PICTURE_BYTES;
    let picture = with_eight_bits(picture);
    if !is_photograph {
        let bytes = as_png(&picture)?;
        if fits(&bytes) {
            return Ok(CleanPicture { format: PictureFormat::Png, width, height, bytes });
        }
    }
    let opaque = on_white(picture);
    for quality in QUALITIES {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(&opaque).map_err(refusal)?;
        if fits(&bytes) {
            return Ok(CleanPicture { format: PictureFormat::Jpeg, width, height, bytes });
        }
    }
    Err(BadPicture::TooDetailed)
}

/// The picture with 8 bits for each channel. Screens show no more.
fn with_eight_bits(picture: DynamicImage) -> DynamicImage {
    let color = picture.color();
    if color.bytes_per_pixel() == color.channel_count() {
        picture
    } else if color.has_alpha() {
        picture.into_rgba8().into()
    } else {
        picture.into_rgb8().into()
    }
}

fn as_png(picture: &DynamicImage) -> Result<Vec<u8>, BadPicture> {
    let mut file = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive);
    picture.write_with_encoder(encoder).map_err(refusal)?;
    Ok(file)
}

/// The picture without transparency. JPEG has none, so transparent parts become white.
fn on_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let rgba = picture.into_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [r, g, b, alpha] = rgba.get_pixel(x, y).0;
        let over = |channel: u8| {
            let sum = u32::from(channel) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
            u8::try_from(sum / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([r, g, b].map(over))
    })
}
