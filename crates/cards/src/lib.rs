//! The cards of bets: pictures that chats and social networks show beside a link (`docs/product.md#sharing`). This crate
//! draws a card from texts and knows no rules of bets.
//!
//! [`draw`] makes one picture. [`Press`] draws on its own thread, with a bounded queue and a bounded cache.

mod fonts;
mod press;
mod slip;
mod text;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

pub use press::{Full, Limits, Picture, Press};

/// The width of a card, in pixels.
pub const WIDTH: u32 = 1200;

/// The height of a card, in pixels.
pub const HEIGHT: u32 = 630;

/// The version of the design. A change of the design needs a new version, because caches keep cards by a key that
/// contains it.
pub const DESIGN: u32 = 2;

/// The content of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Card {
    /// A bet.
    Bet(Box<BetCard>),
    /// The site itself. Pages of private bets show this card too.
    Site {
        /// The large line.
        title: String,
        /// A sentence below.
        line: String,
    },
}

/// The card of a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetCard {
    /// The title of the bet.
    pub title: String,
    /// The text in the place of a title whose letters are in no font.
    pub untitled: String,
    /// The status, in a few words.
    pub status: String,
    /// Whether somebody can take the bet. An open bet has a filled badge.
    pub is_open: bool,
    /// The creator's half on the left, the other half on the right.
    pub halves: [Half; 2],
    /// The word above the pot.
    pub pot_label: String,
    /// The pot, as a number.
    pub pot: String,
    /// The unit of the pot.
    pub unit: String,
    /// The line at the bottom.
    pub note: String,
}

/// One half of the slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// The side.
    pub side: Side,
    /// The text of the option.
    pub option: String,
    /// What this side pays, in words.
    pub stake: String,
    /// The share of this side in the pot, in thousandths. A larger share gets a wider half.
    pub share: u32,
    /// Who holds this side, in a few words.
    pub holder: String,
    /// Whether nobody has taken this side.
    pub is_empty: bool,
    /// How this side ended, if the bet has ended.
    pub result: Option<Ending>,
}

/// A side of a bet, which gives a half its letter and its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Option A.
    A,
    /// Option B.
    B,
}

/// How a side ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result in words.
    pub text: String,
    /// The colour of the words.
    pub tone: Tone,
}

/// The colour of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The side won.
    Won,
    /// The side lost.
    Lost,
    /// The stake went back.
    Neutral,
}

/// Draws a card as a PNG of [`WIDTH`] × [`HEIGHT`] pixels. `None` if the picture cannot be made. No text of a card causes
/// this.
pub fn draw(card: &Card) -> Option<Vec<u8>> {
    render(&slip::svg(card))?.encode_png().ok()
}

fn render(svg: &str) -> Option<Pixmap> {
    let mut pixels = Pixmap::new(WIDTH, HEIGHT)?;
    resvg::render(&parse(svg)?, Transform::identity(), &mut pixels.as_mut());
    Some(pixels)
}

fn parse(svg: &str) -> Option<Tree> {
    let fonts = fonts::all();
    let options =
        Options { fontdb: fonts.database.clone(), font_resolver: fonts.resolver(), ..Options::default() };
    Tree::from_str(svg, &options).ok()
}
