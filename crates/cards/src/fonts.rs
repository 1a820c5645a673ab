//! The fonts of the cards. The pages' own fonts have the Latin letters, the Noto fonts have other scripts and emoji.
//! `fonts/README.md` says how the files were made.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use resvg::usvg::FontResolver;
use resvg::usvg::fontdb::{Database, ID, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use crate::text::is_joiner;

/// The typeface of a text. Each has its own Latin letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typeface {
    /// Titles, options and figures.
    Display,
    /// All other texts.
    Text,
}

/// The index of a font in the list of all fonts.
pub(crate) type Index = usize;

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("../fonts/", $name, ".ttf.gz")).as_slice()
    };
}

const DISPLAY: [&[u8]; 2] = [font!("familjen-grotesk-latin"), font!("familjen-grotesk-latin-ext")];
const TEXT: [&[u8]; 2] = [font!("instrument-sans-latin"), font!("instrument-sans-latin-ext")];
const OTHERS: [&[u8]; 8] = [
    font!("noto-sans-latin-ext"),
    font!("noto-sans-vietnamese"),
    font!("noto-sans-cyrillic"),
    font!("noto-sans-greek"),
    font!("noto-sans-hebrew"),
    font!("noto-sans-arabic"),
    font!("noto-sans-devanagari"),
    font!("noto-emoji"),
];

/// A font, with what the layout asks about it.
struct Font {
    id: ID,
    /// The width of each character that the font has, in thousandths of the font size, sorted by character.
    widths: Vec<(u32, u16)>,
}

/// All fonts, in memory.
pub(crate) struct Fonts {
    pub(crate) database: Arc<Database>,
    fonts: Vec<Font>,
}

/// The fonts. The first call unpacks them.
pub(crate) fn all() -> &'static Fonts {
    static FONTS: LazyLock<Fonts> = LazyLock::new(Fonts::load);
    &FONTS
}

impl Fonts {
    fn load() -> Self {
        let mut database = Database::new();
        let files = DISPLAY.into_iter().chain(TEXT).chain(OTHERS);
        let fonts = files.filter_map(|file| Font::load(&mut database, file)).collect();
        Self { database: Arc::new(database), fonts }
    }

    /// The font for a character, and the character's width in thousandths of the font size. `None` if no font has it.
    pub(crate) fn find(&self, typeface: Typeface, letter: char) -> Option<(Index, u16)> {
        self.order(typeface).find_map(|index| Some((index, self.width(index, letter)?)))
    }

    /// The font for what a reader takes for one character: the first font that has all parts, otherwise the first that has
    /// the first part.
    pub(crate) fn for_cluster(&self, typeface: Typeface, cluster: &str) -> Option<Index> {
        let has = |index, letter| is_joiner(letter) || self.width(index, letter).is_some();
        let whole = self.order(typeface).find(|index| cluster.chars().all(|letter| has(*index, letter)));
        whole.or_else(|| Some(self.find(typeface, cluster.chars().next()?)?.0))
    }

    /// The fonts in the order in which a typeface asks them.
    fn order(&self, typeface: Typeface) -> impl Iterator<Item = Index> + use<> {
        let own = match typeface {
            Typeface::Display => 0..DISPLAY.len(),
            Typeface::Text => DISPLAY.len()..DISPLAY.len() + TEXT.len(),
        };
        own.chain(DISPLAY.len() + TEXT.len()..self.fonts.len())
    }

    /// The width of a character in a font, in thousandths of the font size. `None` if the font does not have it.
    pub(crate) fn width(&self, index: Index, letter: char) -> Option<u16> {
        let widths = &self.fonts.get(index)?.widths;
        let found = widths.binary_search_by_key(&u32::from(letter), |(code, _)| *code).ok()?;
        Some(widths[found].1)
    }

    /// Resolves the family names that [`family`] writes. There is no other fallback, because the layout has already
    /// chosen a font for each character.
    pub(crate) fn resolver(&self) -> FontResolver<'_> {
        FontResolver {
            select_font: Box::new(|font, _| {
                let named = font.families().first()?.to_string();
                let index: Index = named.trim_matches('"').strip_prefix(FAMILY)?.parse().ok()?;
                self.fonts.get(index).map(|font| font.id)
            }),
            select_fallback: Box::new(|_, _, _| None),
        }
    }
}

const FAMILY: &str = "font-";

/// The name of a font in the SVG.
pub(crate) fn family(index: Index) -> String {
    format!("{FAMILY}{index}")
}

impl Font {
    /// `None` if the file is no font. A test loads each file.
    fn load(database: &mut Database, packed: &[u8]) -> Option<Self> {
        let mut bytes = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut bytes).ok()?;
        let font = FontRef::new(&bytes).ok()?;
        let metrics = font.glyph_metrics(Size::new(1000.0), LocationRef::default());
        let width = |glyph| metrics.advance_width(glyph).unwrap_or_default().round();
        let mut widths: Vec<_> =
            font.charmap().mappings().map(|(code, glyph)| (code, width(glyph) as u16)).collect();
        widths.sort_unstable();
        let id = database.load_font_source(Source::Binary(Arc::new(bytes))).first().copied()?;
        Some(Self { id, widths })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_font() {
        let fonts = &all().fonts;
        assert_eq!(fonts.len(), DISPLAY.len() + TEXT.len() + OTHERS.len());
        assert!(fonts.iter().all(|font| font.widths.len() > 50));
    }

    #[test]
    fn each_script_has_its_font() {
        let fonts = all();
        let font = |letter| fonts.find(Typeface::Text, letter).map(|(index, _)| index);
        assert_eq!(fonts.find(Typeface::Display, 'W').map(|(index, _)| index), Some(0));
        assert_eq!(
            "Wőữжλאبह🚀".chars().map(font).collect::<Vec<_>>(),
            [Some(2), Some(3), Some(5), Some(6), Some(7), Some(8), Some(9), Some(10), Some(11)]
        );
        assert_eq!(font('漢'), None);
    }
}
