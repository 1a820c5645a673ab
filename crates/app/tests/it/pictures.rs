//! Pictures over HTTP: a corpus of hostile files, the limits, and who sees which picture.

use std::io::{Cursor, Write};
use std::time::Duration;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, eventually, id};
use crate::messages::{Scene, path};
use crate::races::at_once;
use crate::wire::{connect, say, statuses};

const LIMIT: usize = 2 * 1_024 * 1_024;

/// A text that must be in no stored file.
const HIDDEN: &str = "<script>alert(document.cookie)</script>";

fn photo() -> RgbImage {
    RgbImage::from_fn(64, 48, |x, y| Rgb([(x * 4) as u8, (y * 5) as u8, 90]))
}

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).expect("an encoder");
    bytes.into_inner()
}

pub(crate) fn png() -> Vec<u8> {
    encoded(photo(), ImageFormat::Png)
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 },
        )
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let body = [kind, data].concat();
    let length = u32::try_from(data.len()).expect("a short chunk");
    [&length.to_be_bytes()[..], &body, &crc(&body).to_be_bytes()].concat()
}

/// The PNG file with a further chunk after its header.
fn with_chunk(png: &[u8], kind: &[u8], data: &[u8]) -> Vec<u8> {
    let header = 8 + 25;
    [&png[..header], &chunk(kind, data), &png[header..]].concat()
}

/// A PNG file of a few bytes that claims to have this many pixels.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let png = png();
    let data = png.windows(4).position(|kind| kind == b"IDAT").expect("data") - 4;
    [&png[..8], &chunk(b"IHDR", &header), &png[data..]].concat()
}

/// A photograph that is to be turned by 90 degrees, with a place and a comment.
fn jpeg_with_place() -> Vec<u8> {
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 90).encode_image(&photo()).expect("an encoder");
    let segment = |marker: u8, data: &[u8]| {
        let length = u16::try_from(data.len() + 2).expect("a short segment").to_be_bytes();
        [&[0xff, marker], &length[..], data].concat()
    };
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend(b"GPSLatitude 47.3769 N");
    [&jpeg[..2], &segment(0xe1, &exif), &segment(0xfe, HIDDEN.as_bytes()), &jpeg[2..]].concat()
}

pub(crate) fn upload_as(client: &Client, bet: &Value, fields: &[(&str, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, bytes) in fields {
        let file = if *name == "picture" {
            "; filename=\"../../evil.svg\"\r\nContent-Type: image/svg+xml"
        } else {
            ""
        };
        let head = format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(b"--line--\r\n");
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "multipart/form-data; boundary=line")];
    let path = format!("/api/bets/{}/pictures", id(bet));
    client.try_send("POST", &path, &headers, body).expect("an answer")
}

fn upload(client: &Client, bet: &Value, file: &[u8]) -> Answer {
    upload_as(client, bet, &[("picture", file)])
}

fn file_of(client: &Client, picture: &Value) -> Answer {
    client.get(&format!("/api/pictures/{}", id(picture)))
}

fn delete(client: &Client, picture: &Value) -> Answer {
    client.delete(&format!("/api/pictures/{}", id(picture)))
}

#[test]
fn a_hostile_file_is_stored_clean() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let after_the_end = [&png()[..], HIDDEN.as_bytes()].concat();
    let in_a_chunk = with_chunk(&png(), b"tEXt", &[b"Comment\0", HIDDEN.as_bytes()].concat());
    let (webp, jpeg) = (encoded(photo(), ImageFormat::WebP), jpeg_with_place());
    let webp = [&webp[..], HIDDEN.as_bytes()].concat();
    for (what, file, kind, size) in [
        ("a script after the end of a PNG", after_the_end, "image/png", (64, 48)),
        ("a script in a PNG chunk", in_a_chunk, "image/png", (64, 48)),
        ("a script after the end of a WebP", webp, "image/png", (64, 48)),
        ("a photograph with its place", jpeg, "image/jpeg", (48, 64)),
    ] {
        let stored = upload(&scene.ann, &bet, &file).ok(201);
        assert_eq!((&stored["width"], &stored["height"]), (&json!(size.0), &json!(size.1)), "{what}");
        let served = file_of(&scene.ann, &stored);
        assert_eq!(served.status, 200, "{what}");
        assert_eq!(served.headers["content-type"], kind, "{what}");
        for hidden in [HIDDEN, "Exif", "GPS", "47.3769", "Comment"] {
            let is_there = served.bytes.windows(hidden.len()).any(|part| part == hidden.as_bytes());
            assert!(!is_there, "{what}: {hidden}");
        }
        let seen = image::load_from_memory(&served.bytes).expect("a picture");
        assert_eq!((seen.width(), seen.height()), size, "{what}");
    }
    scene.server.assert_audit_clean();
}

#[test]
fn a_file_that_is_no_picture_is_refused() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let animated = with_chunk(&png(), b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    let moving_webp =
        b"RIFF\x26\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0ANIM\x06\0\0\0\xff\xff\xff\xff\0\0";
    let svg = format!("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\">{HIDDEN}</svg>");
    let page = format!("<!doctype html>{HIDDEN}");
    let (png, jpeg) = (png(), jpeg_with_place());
    for (what, file) in [
        ("nothing", &b""[..]),
        ("an SVG", svg.as_bytes()),
        ("a page", page.as_bytes()),
        ("a PDF", b"%PDF-1.7\n1 0 obj"),
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;"),
        ("a bomb of 50,000 by 50,000", &bomb(50_000, 50_000)),
        ("a bomb of 16,000 by 16,000", &bomb(16_000, 16_000)),
        ("an animated PNG", &animated),
        ("an animated WebP", moving_webp),
        ("a PNG cut in half", &png[..png.len() / 2]),
        ("a JPEG cut in its header", &jpeg[..120]),
        ("the first bytes of a PNG", &png[..8]),
    ] {
        let answer = upload(&scene.ann, &bet, file);
        assert_eq!(answer.status, 422, "{what}: {}", answer.text);
        answer.invalid(&["picture"]);
    }
    // A photograph that lacks its last bytes is either refused or stored clean.
    let cut = upload(&scene.ann, &bet, &jpeg[..jpeg.len() - 40]);
    assert!(matches!(cut.status, 201 | 422), "{}", cut.text);
    assert_eq!(upload(&scene.ann, &bet, &png).status, 201, "the worker still works");
}

#[test]
fn the_form_of_an_upload_is_checked() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let target = format!("/api/bets/{}/pictures", id(&bet));
    let (own, png) = (("Sec-Fetch-Site", "same-origin"), png());
    scene.ann.post(&target, json!({})).problem(415, "not_a_form");
    let form = [own, ("Content-Type", "multipart/form-data; boundary=line")];
    scene.ann.send("POST", &target, &form, "--line\r\nConte").problem(400, "malformed_form");
    scene
        .ann
        .send("POST", &target, &[own, ("Content-Type", "multipart/form-data")], "x")
        .problem(400, "malformed_form");
    upload_as(&scene.ann, &bet, &[("alt", b"Nothing")]).invalid(&["picture"]);
    upload_as(&scene.ann, &bet, &[("picture", &png), ("picture", &png)]).invalid(&["picture"]);
    upload_as(&scene.ann, &bet, &[("picture", &png), ("alt", b"\xff")]).invalid(&["alt"]);
    upload_as(&scene.ann, &bet, &[("picture", &png), ("alt", "é".repeat(301).as_bytes())]).invalid(&["alt"]);
    let full = vec![0; LIMIT];
    upload(&scene.ann, &bet, &full).invalid(&["picture"]);
    upload(&scene.ann, &bet, &[full.clone(), vec![0]].concat()).problem(413, "body_too_large");
    // A body that is declared too large is refused before it arrives.
    let cookie = scene.ann.cookie().expect("a cookie");
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\nContent-Type: \
         multipart/form-data; boundary=line\r\nContent-Length: 2200000\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(statuses(&say(&scene.server.base, head.as_bytes())), [413]);
    // Only uploads may be this large.
    let message = json!({"text": "x".repeat(70_000)});
    scene.ann.post(&path(&bet), message).problem(413, "body_too_large");
    let stranger = upload(&scene.stranger, &bet, &png);
    stranger.problem(403, "not_a_party");
    upload(&scene.server.client(), &bet, &png).problem(401, "not_signed_in");
}

#[test]
fn each_party_adds_eight_pictures_and_the_arbiter_four() {
    let scene = Scene::start();
    scene.stranger.page("PATCH", "/api/auth/profile", Some(&json!({"username": "umpire"}))).ok(200);
    let bet = scene.live(json!({"arbiter": "umpire"}));
    let png = png();
    upload(&scene.stranger, &bet, &png).problem(403, "not_a_party");
    scene.stranger.act(&bet, "arbiter", json!({"accept": true})).ok(200);
    for (client, number) in [(&scene.ann, 8), (&scene.stranger, 4), (&scene.bob, 8)] {
        for _ in 0..number {
            assert_eq!(upload(client, &bet, &png).status, 201);
        }
        upload(client, &bet, &png).problem(409, "picture_limit_reached");
    }
    let other = scene.live(json!({}));
    assert_eq!(upload(&scene.ann, &other, &png).status, 201);
}

/// The beginning of an upload. Most of the form is missing.
fn unfinished(client: &Client, bet: &Value) -> String {
    let cookie = client.cookie().expect("a cookie");
    format!(
        "POST /api/bets/{}/pictures HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: \
         {cookie}\r\nContent-Type: multipart/form-data; boundary=line\r\nContent-Length: 2000000\r\nConnection: \
         close\r\n\r\n--line\r\n",
        id(bet)
    )
}

#[test]
fn a_user_who_may_not_attach_is_refused_before_the_form_arrives() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let begun = unfinished(&scene.stranger, &bet);
    assert_eq!(statuses(&say(&scene.server.base, begun.as_bytes())), [403]);
}

#[test]
fn a_user_has_two_uploads_in_flight() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let (begun, patience) = (unfinished(&scene.ann, &bet), Duration::from_secs(10));
    let held = [(); 3].map(|()| {
        let mut connection = connect(&scene.server.base, patience);
        connection.write_all(begun.as_bytes()).expect("sent");
        connection.set_nonblocking(true).expect("a socket");
        connection
    });
    eventually("one of three is refused, so two are in flight", patience, || {
        held.iter().any(|connection| connection.peek(&mut [0]).is_ok()).then_some(())
    });
    let refused = upload(&scene.ann, &bet, b"no picture");
    refused.problem(429, "too_many_requests");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(upload(&scene.bob, &bet, &png()).status, 201, "other users have places of their own");
    drop(held);
    eventually("the places are free again", patience, || {
        Some(upload(&scene.ann, &bet, &png())).filter(|answer| answer.status == 201)
    });
}

#[test]
fn ten_files_an_hour_are_decoded_for_a_user() {
    let server = Server::start_with(&["--writes-per-minute", "300"]);
    let (ann, bob) = (server.user("ann"), server.user("bob"));
    let bet = ann.bet(1);
    bob.accept(&bet).ok(200);
    for _ in 0..10 {
        upload(&ann, &bet, b"no picture").invalid(&["picture"]);
    }
    upload(&ann, &bet, &png()).problem(429, "too_many_pictures");
    assert_eq!(upload(&bob, &bet, &png()).status, 201);
}

#[test]
fn a_picture_belongs_to_one_message_of_its_author() {
    let scene = Scene::start();
    let (bet, other) = (scene.live(json!({})), scene.live(json!({})));
    let alt = "A \"thermometer\" <b>in snow</b>";
    let first = upload_as(&scene.ann, &bet, &[("picture", &png()), ("alt", alt.as_bytes())]).ok(201);
    let second = upload(&scene.ann, &bet, &png()).ok(201);
    let send = |client: &Client, bet: &Value, ids: &[&Value]| {
        let ids: Vec<&Value> = ids.iter().map(|picture| &picture["id"]).collect();
        client.post(&path(bet), json!({"text": "Look.", "pictureIds": ids}))
    };
    send(&scene.bob, &bet, &[&first]).invalid(&["pictureIds"]);
    send(&scene.ann, &other, &[&first]).invalid(&["pictureIds"]);
    send(&scene.ann, &bet, &[&first, &first]).invalid(&["pictureIds"]);
    let message = send(&scene.ann, &bet, &[&second, &first]).ok(201);
    let expected = json!([
        {"id": second["id"], "width": 64, "height": 48, "alt": ""},
        {"id": first["id"], "width": 64, "height": 48, "alt": alt},
    ]);
    assert_eq!(message["pictures"], expected);
    send(&scene.ann, &bet, &[&first]).invalid(&["pictureIds"]);
    assert_eq!(scene.stranger.get(&path(&bet)).ok(200)[0]["pictures"], expected);
    // With the message, its pictures are gone.
    scene.ann.delete(&format!("/api/messages/{}", id(&message))).ok(200);
    file_of(&scene.ann, &first).problem(404, "picture_not_found");
    assert_eq!(scene.ann.get(&path(&bet)).ok(200)[0]["pictures"], json!([]));
    scene.server.assert_audit_clean();
}

#[test]
fn its_author_deletes_a_picture_that_no_message_has() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let uploads = [(); 8].map(|()| upload(&scene.ann, &bet, &png()).ok(201));
    upload(&scene.ann, &bet, &png()).problem(409, "picture_limit_reached");
    let [wrong, sent, ..] = &uploads;
    let send = |picture: &Value| {
        scene.ann.post(&path(&bet), json!({"text": "Look.", "pictureIds": [picture["id"]]}))
    };
    send(sent).ok(201);
    for client in [&scene.bob, &scene.stranger, &scene.root] {
        for picture in [wrong, sent] {
            delete(client, picture).problem(404, "picture_not_found");
        }
    }
    delete(&scene.server.client(), wrong).problem(401, "not_signed_in");
    assert_eq!(delete(&scene.ann, wrong).ok(200), json!({"ok": true}));
    delete(&scene.ann, wrong).problem(404, "picture_not_found");
    file_of(&scene.ann, wrong).problem(404, "picture_not_found");
    send(wrong).invalid(&["pictureIds"]);
    delete(&scene.ann, sent).problem(409, "picture_in_message");
    assert_eq!(file_of(&scene.bob, sent).status, 200);
    upload(&scene.ann, &bet, &png()).ok(201);
    upload(&scene.ann, &bet, &png()).problem(409, "picture_limit_reached");
    scene.server.assert_audit_clean();
}

/// The author sends the message in one tab, and removes its picture in another one.
#[test]
fn of_a_message_and_the_deletion_of_its_picture_one_succeeds() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    for round in 0..8 {
        let picture = upload(&scene.ann, &bet, &png()).ok(201);
        let message = json!({"text": "Look.", "pictureIds": [picture["id"]]});
        let statuses = at_once(&[true, false], |sends| {
            if *sends {
                scene.ann.post(&path(&bet), message.clone()).status
            } else {
                delete(&scene.ann, &picture).status
            }
        });
        assert!([vec![201, 409], vec![422, 200]].contains(&statuses), "round {round}: {statuses:?}");
        assert_eq!(file_of(&scene.bob, &picture).status == 200, statuses[0] == 201, "round {round}");
    }
    scene.server.assert_audit_clean();
}

#[test]
fn an_arbiter_who_gave_the_task_up_attaches_no_picture() {
    let scene = Scene::start();
    scene.stranger.page("PATCH", "/api/auth/profile", Some(&json!({"username": "umpire"}))).ok(200);
    let bet = scene.live(json!({"arbiter": "umpire"}));
    scene.stranger.act(&bet, "arbiter", json!({"accept": true})).ok(200);
    let picture = upload(&scene.stranger, &bet, &png()).ok(201);
    scene.stranger.act(&bet, "arbiter", json!({"accept": false})).ok(200);
    let message = json!({"text": "Look.", "pictureIds": [picture["id"]]});
    scene.stranger.post(&path(&bet), message).problem(403, "not_a_party");
    scene.stranger.post(&path(&bet), json!({"text": "I only say something."})).ok(201);
    upload(&scene.stranger, &bet, &png()).problem(403, "not_a_party");
}

#[test]
fn a_picture_is_served_to_those_who_see_its_bet() {
    let scene = Scene::start();
    let bet = scene.live(json!({"isPrivate": true}));
    let token = bet["shareToken"].as_str().expect("a token");
    let picture = upload(&scene.ann, &bet, &png()).ok(201);
    let visitor = scene.server.client();
    let with_token = format!("/api/pictures/{}?token={token}", id(&picture));
    assert_eq!(file_of(&scene.ann, &picture).status, 200, "its author previews it");
    for client in [&scene.bob, &scene.root, &scene.stranger, &visitor] {
        file_of(client, &picture).problem(404, "picture_not_found");
        client.get(&with_token).problem(404, "picture_not_found");
    }
    scene.ann.post(&path(&bet), json!({"text": "Look.", "pictureIds": [picture["id"]]})).ok(201);
    for client in [&scene.ann, &scene.bob, &scene.root] {
        assert_eq!(file_of(client, &picture).status, 200);
    }
    for client in [&scene.stranger, &visitor] {
        file_of(client, &picture).problem(404, "picture_not_found");
        assert_eq!(client.get(&with_token).status, 200);
    }
}

#[test]
fn a_picture_comes_with_strict_headers_and_is_kept_by_browsers() {
    let scene = Scene::start();
    let bet = scene.live(json!({}));
    let picture = upload(&scene.ann, &bet, &png()).ok(201);
    scene.ann.post(&path(&bet), json!({"text": "Look.", "pictureIds": [picture["id"]]})).ok(201);
    let served = file_of(&scene.server.client(), &picture);
    let header = |answer: &Answer, name: &str| {
        answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let name = format!("inline; filename=\"picture-{}.png\"", id(&picture));
    for (header_name, expected) in [
        ("content-type", "image/png"),
        ("content-disposition", name.as_str()),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cache-control", "private, max-age=2592000, immutable"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(header(&served, header_name), expected);
    }
    assert!(header(&served, "vary").contains("Cookie"));
    let tag = header(&served, "etag");
    let target = format!("/api/pictures/{}", id(&picture));
    let again = scene.ann.page_with("GET", &target, &[("If-None-Match", &tag)], None);
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    assert_eq!(header(&again, "etag"), tag);
    let other = scene.ann.page_with("GET", &target, &[("If-None-Match", "\"another\"")], None);
    assert_eq!((other.status, &other.bytes), (200, &served.bytes));
    let refused = scene.ann.get(&format!("/api/pictures/{}", "0".repeat(32)));
    refused.problem(404, "picture_not_found");
    assert_eq!(header(&refused, "cache-control"), "no-store");
}
