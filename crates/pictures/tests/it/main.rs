//! Tests of the decoding of pictures. `crates/app/tests/it/pictures.rs` sends hostile files over HTTP.

#![allow(clippy::unwrap_used, reason = "a failure in a helper should fail the test")]

use std::io::Cursor;

use bolts_messages::{MAX_PICTURE_BYTES, PictureFormat};
use bolts_pictures::{PictureWorker, clean};
use bolts_ports::{BadPicture, CleanPicture, CleaningFailed, Lane, PictureCleaner};
use futures_executor::block_on;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// A picture whose left half is red and whose right half is blue.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(
        width,
        height,
        |x, _| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) },
    )
}

/// Pixels that no encoder can compress.
fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 1_u64;
    RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let [.., a, b, c] = state.to_be_bytes();
        Rgb([a, b ^ (state >> 40) as u8, c ^ (state >> 48) as u8])
    })
}

fn file(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn shown(clean: &CleanPicture) -> DynamicImage {
    let picture = image::load_from_memory(&clean.bytes).unwrap();
    assert_eq!(picture.dimensions(), (clean.width, clean.height));
    assert!(clean.bytes.len() <= MAX_PICTURE_BYTES);
    picture
}

#[test]
fn each_format_is_stored_anew() {
    let picture = halves(40, 30);
    for (format, stored) in [
        (ImageFormat::Png, PictureFormat::Png),
        (ImageFormat::WebP, PictureFormat::Png),
        (ImageFormat::Jpeg, PictureFormat::Jpeg),
    ] {
        let clean = clean(&file(picture.clone(), format)).unwrap();
        assert_eq!(clean.format, stored, "{format:?}");
        let seen = shown(&clean).into_rgb8();
        assert_eq!(seen.dimensions(), (40, 30));
        assert!(seen.get_pixel(5, 5)[0] > 180 && seen.get_pixel(35, 5)[2] > 180, "{format:?}");
    }
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let png = file(halves(40, 30), ImageFormat::Png);
    for (file, expected) in [
        (&b""[..], BadPicture::Empty),
        (b"x", BadPicture::UnknownFormat),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", BadPicture::UnknownFormat),
        (b"GIF89a\x01\0\x01\0\0\0\0;", BadPicture::UnknownFormat),
        (&png[..20], BadPicture::Unreadable),
        (&png[..png.len() / 2], BadPicture::Unreadable),
    ] {
        assert_eq!(clean(file), Err(expected), "{:?}", &file[..file.len().min(12)]);
    }
}

#[test]
fn a_picture_has_at_most_sixteen_megapixels() {
    assert!(clean(&file(DynamicImage::new_luma8(4_096, 4_096), ImageFormat::Png)).is_ok());
    for (width, height) in [(16_385, 1), (1, 16_385)] {
        let long = file(DynamicImage::new_luma8(width, height), ImageFormat::Png);
        assert_eq!(clean(&long), Err(BadPicture::TooManyPixels));
    }
    for large in [DynamicImage::new_rgba8(4_097, 4_097), DynamicImage::new_luma8(4_097, 4_097)] {
        assert_eq!(clean(&file(large, ImageFormat::Png)), Err(BadPicture::TooManyPixels));
    }
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    let padding: &[u8] = if data.len() % 2 == 1 { &[0] } else { &[] };
    [&name[..], &length, data, padding].concat()
}

/// A WebP file with a picture of 16 by 16 pixels and these chunks.
fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = chunk(b"VP8X", &[0, 0, 0, 0, 15, 0, 0, 15, 0, 0]);
    chunk(b"RIFF", &[&b"WEBP"[..], &header, &chunks.concat()].concat())
}

#[test]
fn a_webp_file_does_not_say_how_much_memory_is_allocated() {
    let plain = file(halves(16, 16), ImageFormat::WebP);
    let pixels = plain[12..].to_vec();
    assert!(clean(&webp(std::slice::from_ref(&pixels))).is_ok());
    // A chunk of nearly 4 GiB, of which the file has only the header, also behind the end of the file by its first header.
    let endless = [&b"EXIF"[..], &0xffff_fffe_u32.to_le_bytes()].concat();
    assert_eq!(clean(&webp(&[pixels.clone(), endless.clone()])), Err(BadPicture::Unreadable));
    assert!(clean(&[webp(&[pixels]), endless].concat()).is_ok());
    // A frame of 16,383 by 16,383 pixels.
    let frame = [&[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f][..], &[0; 400_000]].concat();
    assert_eq!(clean(&webp(&[chunk(b"VP8 ", &frame)])), Err(BadPicture::Unreadable));
    assert_eq!(
        clean(&chunk(b"RIFF", &[&b"WEBP"[..], &chunk(b"VP8 ", &frame)].concat())),
        Err(BadPicture::TooManyPixels)
    );
}

/// A JPEG file with Exif data: the orientation, and a text as a stand-in for a place.
fn turned(orientation: u8) -> Vec<u8> {
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 95).encode_image(&halves(40, 30)).unwrap();
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"GPSLatitude 47.3769 N");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[test]
fn a_photograph_is_upright_and_has_no_metadata() {
    for (orientation, size, red_at) in [
        (1, (40, 30), (5, 15)),
        (3, (40, 30), (35, 15)),
        (6, (30, 40), (15, 5)),
        (8, (30, 40), (15, 35)),
        (99, (40, 30), (5, 15)),
    ] {
        let clean = clean(&turned(orientation)).unwrap();
        let seen = shown(&clean).into_rgb8();
        assert_eq!(seen.dimensions(), size, "{orientation}");
        assert!(seen.get_pixel(red_at.0, red_at.1)[0] > 180, "{orientation}");
        for hidden in [&b"Exif"[..], b"GPS", b"47.3769"] {
            assert!(!clean.bytes.windows(hidden.len()).any(|part| part == hidden), "{orientation}");
        }
    }
}

#[test]
fn a_detailed_picture_becomes_a_photograph_that_fits() {
    let noisy = noise(1_100, 1_100);
    let png = file(noisy, ImageFormat::Png);
    assert!(png.len() > MAX_PICTURE_BYTES);
    let clean = clean(&png).unwrap();
    assert_eq!(clean.format, PictureFormat::Jpeg);
    shown(&clean);
}

#[test]
fn transparency_is_kept_or_becomes_white() {
    let clear = RgbaImage::from_pixel(20, 20, Rgba([0, 0, 0, 0]));
    let kept = clean(&file(clear, ImageFormat::Png)).unwrap();
    assert_eq!(shown(&kept).get_pixel(3, 3)[3], 0);
    let noisy = DynamicImage::from(noise(1_100, 1_100)).into_rgba8();
    let half =
        RgbaImage::from_fn(
            1_100,
            1_100,
            |x, y| {
                if x < 550 { Rgba([9, 9, 9, 0]) } else { *noisy.get_pixel(x, y) }
            },
        );
    // The bytes of noise alone are more than fit.
    let seen = shown(&clean(&file(noise_beside(half), ImageFormat::Png)).unwrap());
    assert!(!seen.color().has_alpha());
    assert!(seen.get_pixel(3, 3)[0] > 240);
}

/// The picture with a strip of further noise below.
fn noise_beside(picture: RgbaImage) -> RgbaImage {
    let more = DynamicImage::from(noise(1_100, 700)).into_rgba8();
    RgbaImage::from_fn(1_100, 1_800, |x, y| {
        if y < 1_100 { *picture.get_pixel(x, y) } else { *more.get_pixel(x, y - 1_100) }
    })
}

#[test]
fn sixteen_bits_become_eight() {
    let deep = DynamicImage::from(halves(40, 30)).into_rgb16();
    let clean = clean(&file(deep, ImageFormat::Png)).unwrap();
    assert_eq!(shown(&clean).color(), image::ColorType::Rgb8);
}

#[test]
fn the_worker_answers_every_file() {
    let worker = PictureWorker::start();
    let png = file(halves(40, 30), ImageFormat::Png);
    let first = worker.clean(Lane::Site, png);
    let second = worker.clean(Lane::Site, Vec::new());
    assert!(block_on(first).is_ok());
    assert_eq!(block_on(second), Err(CleaningFailed::Bad(BadPicture::Empty)));
}

#[test]
fn a_full_queue_refuses_at_once() {
    let worker = PictureWorker::start();
    let large = file(DynamicImage::new_luma8(4_000, 4_000), ImageFormat::Png);
    let waiting: Vec<_> = (0..40).map(|_| worker.clean(Lane::Site, large.clone())).collect();
    let answers: Vec<_> = waiting.into_iter().map(block_on).collect();
    let refused = answers.iter().filter(|answer| matches!(answer, Err(CleaningFailed::Busy(_)))).count();
    assert!((7..=8).contains(&refused), "32 wait and at most one is in work: {refused}");
    assert!(answers[0].is_ok());
}
