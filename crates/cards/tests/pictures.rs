//! Compares drawn cards with stored pictures. `WRITE_PICTURES=1` stores the drawn cards instead, for review by eye.

use std::path::{Path, PathBuf};

use bolts_cards::{BetCard, Card, Ending, HEIGHT, Half, Side, Tone, WIDTH, draw};
use resvg::tiny_skia::Pixmap;

fn half(side: Side, option: &str) -> Half {
    Half {
        side,
        option: option.to_owned(),
        stake: "Stakes 500".to_owned(),
        share: 500,
        holder: "Creator's Pick".to_owned(),
        is_empty: false,
        result: None,
    }
}

/// An open bet with this title.
fn open(title: &str) -> BetCard {
    let other = Half { holder: "Not taken yet".to_owned(), is_empty: true, ..half(Side::B, "It stays dry") };
    BetCard {
        title: title.to_owned(),
        untitled: "A bet on Bolts".to_owned(),
        status: "Open until 24 Dec 2026".to_owned(),
        is_open: true,
        halves: [half(Side::A, "It snows"), other],
        pot_label: "Pot".to_owned(),
        pot: "1,000".to_owned(),
        unit: "Bolts".to_owned(),
        note: "Weather · Mutual Agreement".to_owned(),
    }
}

fn settled() -> BetCard {
    let result = |text: &str, tone| Some(Ending { text: text.to_owned(), tone });
    let won = Half {
        result: result("Won", Tone::Won),
        share: 990,
        stake: "Stakes 100,000,000".to_owned(),
        ..half(Side::B, &"A very long option ".repeat(5))
    };
    let lost = Half {
        result: result("Lost", Tone::Lost),
        share: 10,
        holder: "Taken by somebody_with_name".to_owned(),
        stake: "Stakes 1,000,000".to_owned(),
        ..half(Side::A, &"W".repeat(100))
    };
    BetCard {
        status: "Settled: B won".to_owned(),
        is_open: false,
        halves: [won, lost],
        pot: "101,000,000".to_owned(),
        unit: "test sats".to_owned(),
        ..open(
            "Will Bitcoin close above $150,000 on the last day of the year, by the price on the New York exchange?",
        )
    }
}

/// Every card with a stored picture.
fn cards() -> Vec<(&'static str, Card)> {
    let bet = |card| Card::Bet(Box::new(card));
    let mixed = "Gewinnt Łódź 🏀 gegen Αθήνα, Москва, தமிழ் или नई दिल्ली? שלום עולם مرحبا <b>&amp;</b>";
    vec![
        (
            "site",
            Card::Site {
                title: "Bolts".to_owned(),
                line: "Make a bet with a friend, share it, settle it together.".to_owned(),
            },
        ),
        ("open", bet(open("Snow on Christmas Day"))),
        ("settled", bet(settled())),
        ("wide", bet(open(&"W".repeat(200)))),
        ("hebrew", bet(open("האם יירד שלג בירושלים בחג המולד? (2026)"))),
        ("arabic", bet(open("هل سيفوز الأهلي بكأس العالم للأندية في 2026؟"))),
        ("emoji", bet(open(&"🚀🌕".repeat(30)))),
        ("mixed", bet(open(mixed))),
        ("unknown", bet(open(&"漢字".repeat(100)))),
    ]
}

fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"))
}

/// The mean difference of the two pictures, in 255ths.
fn difference(one: &Pixmap, other: &Pixmap) -> f64 {
    let sum: u64 = one.data().iter().zip(other.data()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.data().len() as f64
}

#[test]
fn cards_equal_their_stored_pictures() {
    for (name, card) in cards() {
        let png = draw(&card).expect("a picture");
        if std::env::var_os("WRITE_PICTURES").is_some() {
            std::fs::write(picture(name), &png).expect("a writable folder");
        }
        let drawn = Pixmap::decode_png(&png).expect("a PNG");
        assert_eq!((drawn.width(), drawn.height()), (WIDTH, HEIGHT), "{name}");
        let stored = std::fs::read(picture(name)).expect("a stored picture");
        let stored = Pixmap::decode_png(&stored).expect("a PNG");
        let difference = difference(&drawn, &stored);
        assert!(
            difference < 0.5,
            "{name} differs by {difference} of 255; WRITE_PICTURES=1 stores the new picture"
        );
    }
}
