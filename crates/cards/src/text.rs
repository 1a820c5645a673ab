//! Lines of text that fit into a width.

use std::ops::Range;

use unicode_bidi::{BidiInfo, Direction, Level};
use unicode_segmentation::UnicodeSegmentation;

use crate::fonts::{self, Index, Typeface};

const ELLIPSIS: char = '…';

/// Stands for a character that no font has. The font with the emoji has this empty box.
const UNKNOWN: char = '\u{25FB}';

/// The part of the width that a line may use by the sum of its letters' widths. A word can be a little wider than this sum.
const RESERVE: f32 = 0.98;

/// A part of a line that one font can draw, in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) font: Index,
    /// The text, in the order in which it is read.
    pub(crate) text: String,
    pub(crate) is_rtl: bool,
}

impl Run {
    pub(crate) fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// The runs from left to right.
    pub(crate) runs: Vec<Run>,
    /// Whether the line is read from right to left.
    pub(crate) is_rtl: bool,
}

/// A text in a typeface, with the widths of its characters.
pub(crate) struct Measured {
    /// The grapheme clusters: what a reader takes for one character.
    clusters: Vec<Cluster>,
    is_rtl: bool,
    ellipsis: Cluster,
}

#[derive(Clone, Debug)]
struct Cluster {
    text: String,
    font: Index,
    /// In thousandths of the font size.
    width: u32,
    is_known: bool,
}

impl Measured {
    pub(crate) fn new(typeface: Typeface, text: &str) -> Self {
        let text = plain(text);
        let is_rtl = matches!(unicode_bidi::get_base_direction(text.as_str()), Direction::Rtl);
        let clusters = text.graphemes(true).map(|cluster| Cluster::new(typeface, cluster)).collect();
        Self { clusters, is_rtl, ellipsis: Cluster::new(typeface, &ELLIPSIS.to_string()) }
    }

    /// Whether the fonts have at least half of the visible characters. A text with fewer would be a row of empty boxes.
    pub(crate) fn is_legible(&self) -> bool {
        let visible = || self.clusters.iter().filter(|cluster| cluster.is_visible());
        let (known, all) = (visible().filter(|cluster| cluster.is_known).count(), visible().count());
        known > 0 && known * 2 >= all
    }

    /// The whole width at this font size, in pixels.
    pub(crate) fn width(&self, size: f32) -> f32 {
        self.clusters.iter().map(|cluster| cluster.at(size)).sum()
    }

    /// Breaks the text into at most `most` lines. The last line ends with an ellipsis if the text is longer. The flag
    /// says whether the whole text fits.
    pub(crate) fn lines(&self, size: f32, width: f32, most: usize) -> (Vec<Line>, bool) {
        let room = width * RESERVE;
        let (mut lines, mut start) = (Vec::new(), 0);
        while start < self.clusters.len() {
            let end = self.break_after(start, size, room);
            if lines.len() + 1 == most && end < self.clusters.len() {
                lines.push(self.cut(start, size, room));
                return (lines, false);
            }
            lines.push(self.line(start..end, false));
            start = end;
            while self.clusters.get(start).is_some_and(Cluster::is_space) {
                start += 1;
            }
        }
        (lines, true)
    }

    /// The end of the line that begins here: after the last word that fits, or in a word that is longer than a line.
    fn break_after(&self, start: usize, size: f32, room: f32) -> usize {
        let fitting = self.fitting(start, size, room);
        if fitting == self.clusters.len() || self.may_break_before(fitting) {
            return fitting;
        }
        (start + 1..fitting).rev().find(|at| self.may_break_before(*at)).unwrap_or(fitting)
    }

    /// The end of the clusters from `start` on that fit. At least one counts as fitting.
    fn fitting(&self, start: usize, size: f32, room: f32) -> usize {
        let mut taken = 0.0;
        let too_wide = self.clusters[start..].iter().position(|cluster| {
            taken += cluster.at(size);
            taken > room && !cluster.is_space()
        });
        too_wide.map_or(self.clusters.len(), |count| start + count.max(1))
    }

    fn may_break_before(&self, at: usize) -> bool {
        at > 0
            && self.clusters.get(at).is_some_and(|next| {
                let before = &self.clusters[at - 1];
                before.is_space() || (before.is_ideograph() && next.is_word()) || next.is_ideograph()
            })
    }

    /// The last line of a text that is too long.
    fn cut(&self, start: usize, size: f32, room: f32) -> Line {
        let room = room - self.ellipsis.at(size);
        let end = self.fitting(start, size, room);
        self.line(start..end, true)
    }

    fn line(&self, range: Range<usize>, has_ellipsis: bool) -> Line {
        let clusters = &self.clusters[range];
        let length = clusters.iter().rposition(|cluster| !cluster.is_space()).map_or(0, |last| last + 1);
        let clusters: Vec<_> =
            clusters[..length].iter().chain(has_ellipsis.then_some(&self.ellipsis)).collect();
        Line { runs: visual_runs(&clusters, self.is_rtl), is_rtl: self.is_rtl }
    }
}

/// The runs of a line from left to right.
fn visual_runs(clusters: &[&Cluster], is_rtl: bool) -> Vec<Run> {
    let text: String = clusters.iter().map(|cluster| cluster.text.as_str()).collect();
    let bidi = BidiInfo::new(&text, Some(if is_rtl { Level::rtl() } else { Level::ltr() }));
    let Some(paragraph) = bidi.paragraphs.first() else { return Vec::new() };
    let (levels, parts) = bidi.visual_runs(paragraph, paragraph.range.clone());
    let mut line = Vec::new();
    for part in parts {
        let is_rtl = levels[part.start].is_rtl();
        let mut runs: Vec<Run> = Vec::new();
        let mut end = 0;
        for cluster in clusters {
            end += cluster.text.len();
            if !part.contains(&(end - cluster.text.len())) {
                continue;
            }
            match runs.last_mut() {
                // A space at the end of a run from right to left would stand at its other end.
                Some(run)
                    if run.font == cluster.font && !(is_rtl && (run.is_space() || cluster.is_space())) =>
                {
                    run.text.push_str(&cluster.text);
                }
                _ => runs.push(Run { font: cluster.font, text: cluster.text.clone(), is_rtl }),
            }
        }
        if is_rtl {
            runs.reverse();
        }
        line.extend(runs);
    }
    line
}

impl Cluster {
    /// The characters of a cluster share a font: one that has all of them, otherwise one that has the first. A mark that
    /// this font lacks is left out, because the font would draw an empty box in its place.
    fn new(typeface: Typeface, text: &str) -> Self {
        let fonts = fonts::all();
        let Some(font) = fonts.for_cluster(typeface, text) else {
            let (font, width) = fonts.find(typeface, UNKNOWN).unwrap_or_default();
            return Self { text: UNKNOWN.to_string(), font, width: u32::from(width), is_known: false };
        };
        let is_kept = |letter: &char| is_joiner(*letter) || fonts.width(font, *letter).is_some();
        let text: String = text.chars().filter(is_kept).collect();
        let width = |letter| fonts.width(font, letter).map_or(0, u32::from);
        Self { width: text.chars().map(width).sum(), text, font, is_known: true }
    }

    fn at(&self, size: f32) -> f32 {
        self.width as f32 * size / 1000.0
    }

    fn is_space(&self) -> bool {
        self.text == " "
    }

    fn is_visible(&self) -> bool {
        self.text.chars().any(|letter| letter != ' ' && !is_joiner(letter))
    }

    fn is_word(&self) -> bool {
        self.text.chars().all(char::is_alphanumeric)
    }

    /// Whether a line may break before this character, although no space stands there.
    fn is_ideograph(&self) -> bool {
        const IDEOGRAPHS: [std::ops::RangeInclusive<char>; 5] = [
            '\u{2E80}'..='\u{2FDF}',
            '\u{3040}'..='\u{9FFF}',
            '\u{AC00}'..='\u{D7AF}',
            '\u{F900}'..='\u{FAFF}',
            '\u{1F300}'..='\u{3FFFF}',
        ];
        self.text.chars().next().is_some_and(|first| IDEOGRAPHS.iter().any(|range| range.contains(&first)))
    }
}

/// Whether the character only says how its neighbours look. No font draws it: joiners, variation selectors, and the tags of
/// flags.
pub(crate) const fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0020}'..='\u{E007F}')
}

/// The text with single spaces, and without control characters and invisible marks. Some marks change the order of letters,
/// and could mix the text with other texts of the card. Others only say where a word may break.
fn plain(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}');
    let kept = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let kept: String = kept.filter(|c| !c.is_control() && !is_mark(*c)).collect();
    kept.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: f32, most: usize) -> (Vec<String>, bool) {
        let (lines, is_whole) = Measured::new(Typeface::Text, text).lines(20.0, width, most);
        let texts = lines.iter().map(|line| line.runs.iter().map(|run| run.text.as_str()).collect());
        (texts.collect(), is_whole)
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(
            lines("one two three four", 120.0, 3),
            (vec!["one two".into(), "three four".into()], true)
        );
        assert_eq!(lines("  one \n\t two ", 100.0, 3), (vec!["one two".into()], true));
        assert_eq!(lines("", 100.0, 3), (vec![], true));
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken_and_a_long_text_is_cut() {
        let (broken, is_whole) = lines(&"W".repeat(200), 200.0, 3);
        assert!(!is_whole && broken.len() == 3, "{broken:?}");
        assert!(broken[0].chars().all(|c| c == 'W') && broken[2].ends_with("W…"), "{broken:?}");
        let (broken, is_whole) = lines(&"漢".repeat(12), 200.0, 3);
        assert!(is_whole && broken.len() == 2, "{broken:?}");
    }

    #[test]
    fn no_line_is_wider_than_its_place() {
        let texts =
            ["W".repeat(200), "word ".repeat(40), "🚀".repeat(100), "שלום ".repeat(40), "漢字".repeat(100)];
        for (text, size) in texts.iter().flat_map(|text| [20.0, 48.0, 58.0].map(|size| (text, size))) {
            let (lines, _) = Measured::new(Typeface::Display, text).lines(size, 300.0, 3);
            assert!((1..=3).contains(&lines.len()), "{text}");
            for line in lines {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                assert!(Measured::new(Typeface::Display, &text).width(size) <= 300.0, "{text}");
            }
        }
    }

    #[test]
    fn the_narrowest_place_takes_one_character() {
        let (lines, is_whole) = lines("WWW", 1.0, 2);
        assert!(!is_whole && lines == ["W", "W…"], "{lines:?}");
    }

    #[test]
    fn characters_of_several_code_points_stay_together() {
        let family = "👨‍👩‍👧";
        let (lines, _) = lines(&family.repeat(20), 200.0, 30);
        assert!(lines.iter().all(|line| line.replace(family, "").is_empty()), "{lines:?}");
    }

    #[test]
    fn marks_that_change_the_order_are_left_out() {
        assert_eq!(plain("a\u{202E}b\u{0000}c\u{2067}d\u{FEFF}"), "abcd");
        assert!(Measured::new(Typeface::Text, "שלום to all").is_rtl);
        assert!(!Measured::new(Typeface::Text, "to all: שלום").is_rtl);
    }

    #[test]
    fn runs_stand_from_left_to_right() {
        let runs = |text| {
            let (lines, _) = Measured::new(Typeface::Text, text).lines(20.0, 2000.0, 1);
            let runs = lines.into_iter().flat_map(|line| line.runs).map(|run| (run.text, run.is_rtl));
            runs.collect::<Vec<_>>()
        };
        let run = |text: &str, is_rtl| (text.to_owned(), is_rtl);
        assert_eq!(runs("a b"), [run("a b", false)]);
        assert_eq!(runs("a שלום b"), [run("a ", false), run("שלום", true), run(" b", false)]);
        assert_eq!(runs("שלום a"), [run("a", false), run(" ", true), run("שלום", true)]);
        assert_eq!(runs("அ"), [run("\u{25FB}", false)]);
    }

    #[test]
    fn marks_stay_with_their_letter_in_a_font_that_has_both() {
        let of = |text: &str| Measured::new(Typeface::Display, text).clusters;
        let [plain, marked] = [&of("x")[0], &of("x\u{489}\u{489}")[0]];
        assert_eq!((&*marked.text, marked.width), ("x", plain.width), "no font has this mark");
        let composed = &of("z\u{301}")[0];
        assert_eq!((&*composed.text, composed.is_known), ("z\u{301}", true));
        let keycap = &of("1\u{FE0F}\u{20E3}")[0];
        assert_eq!((&*keycap.text, keycap.font), ("1\u{FE0F}\u{20E3}", of("🚀")[0].font));
    }

    #[test]
    fn a_text_is_legible_if_the_fonts_have_half_of_it() {
        let is_legible = |text| Measured::new(Typeface::Display, text).is_legible();
        assert!(is_legible("Does 漢字 win?") && is_legible("🚀"));
        assert!(!is_legible("漢字漢字 ok?") && !is_legible("漢") && !is_legible(""));
        assert!(!is_legible("\u{200B}\u{200B} \u{200C}") && !is_legible("\u{3164}"), "nobody sees these");
    }
}
