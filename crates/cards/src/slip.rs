//! The design of the cards, as SVG. It is the slip of the bet page in the light theme
//! (`frontend/src/features/bets/components/Slip.tsx`).

use std::fmt::Write;

use resvg::usvg::Node;

use crate::fonts::{self, Typeface, family};
use crate::text::{Line, Measured, Run};
use crate::{BetCard, Card, Ending, HEIGHT, Half, Side, Tone, WIDTH};

const GROUND: &str = "#f7f0e1";
const SURFACE: &str = "#fffcf5";
const LINE: &str = "#e3d5b8";
const CONTROL: &str = "#877c68";
const TEXT: &str = "#201a10";
const MUTED: &str = "#5c5546";
const ACCENT: &str = "#8a5a00";
const ACCENT_FILL: &str = "#f2b84b";
const ON_ACCENT: &str = "#1c1405";
const SIDE_A: &str = "#00618a";
const SIDE_B: &str = "#b0244a";
const WON: &str = "#0e6b43";
const LOST: &str = "#b3261e";

/// The distance of the content from the edges.
const MARGIN: f32 = 56.0;
/// The right edge of the content.
const RIGHT: f32 = 1200.0 - MARGIN;
/// The place of the title, between the head and the slip.
const TITLE_TOP: f32 = 112.0;
const TITLE_HEIGHT: f32 = 178.0;
const SLIP_TOP: f32 = 306.0;
const SLIP_HEIGHT: f32 = 236.0;
/// The width of the place of the pot.
const POT_WIDTH: f32 = 176.0;
/// The smallest share of a half in the width of both, so that an option has room at odds of 100 to 1.
const LEAST_SHARE: f32 = 0.34;

/// Font sizes and numbers of lines for a title, the largest first.
const TITLE_FORMS: [(f32, usize); 4] = [(66.0, 1), (58.0, 2), (48.0, 3), (42.0, 3)];
const OPTION_FORMS: [(f32, usize); 3] = [(38.0, 1), (34.0, 2), (28.0, 2)];

/// The card as an SVG document.
pub(crate) fn svg(card: &Card) -> String {
    let mut page = Page::new();
    match card {
        Card::Bet(bet) => page.bet(bet),
        Card::Site { title, line } => page.site(title, line),
    }
    page.finish()
}

/// The alignment of a line in its place: at the side where reading begins, or in the middle.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
}

/// A style of text.
#[derive(Clone, Copy)]
struct Style {
    typeface: Typeface,
    size: f32,
    colour: &'static str,
}

const fn small(colour: &'static str) -> Style {
    Style { typeface: Typeface::Text, size: 26.0, colour }
}

/// A place for text: its left edge and its width.
#[derive(Clone, Copy)]
struct Column {
    left: f32,
    width: f32,
}

struct Page {
    svg: String,
}

impl Page {
    fn new() -> Self {
        let mut page = Self { svg: String::new() };
        page.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>"#
        ));
        page
    }

    fn finish(mut self) -> String {
        self.svg.push_str("</svg>");
        self.svg
    }

    fn add(&mut self, markup: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(markup);
    }

    fn bet(&mut self, bet: &BetCard) {
        let badge = self.badge(&bet.status, bet.is_open);
        self.logo(MARGIN, 36.0, 56.0);
        let name = Style { typeface: Typeface::Display, size: 38.0, colour: TEXT };
        self.text(
            "Bolts",
            name,
            Column { left: MARGIN + 70.0, width: badge - MARGIN - 90.0 },
            77.0,
            Anchor::Start,
        );
        self.title(bet);
        self.slip(bet);
        let all = Column { left: MARGIN, width: RIGHT - MARGIN };
        self.text(&bet.note, small(MUTED), all, 592.0, Anchor::Start);
    }

    fn site(&mut self, title: &str, line: &str) {
        self.logo(MARGIN + 24.0, 120.0, 150.0);
        let column = Column { left: MARGIN + 24.0, width: RIGHT - MARGIN - 48.0 };
        let large = Style { typeface: Typeface::Display, size: 84.0, colour: TEXT };
        self.text(title, large, column, 390.0, Anchor::Start);
        let style = Style { typeface: Typeface::Text, size: 36.0, colour: MUTED };
        let (lines, _) = Measured::new(style.typeface, line).lines(style.size, column.width, 2);
        self.lines(&lines, style, column, 462.0, 50.0);
    }

    fn title(&mut self, bet: &BetCard) {
        let mut title = Measured::new(Typeface::Display, &bet.title);
        if !title.is_legible() {
            title = Measured::new(Typeface::Display, &bet.untitled);
        }
        let column = Column { left: MARGIN, width: RIGHT - MARGIN };
        let (lines, size) = fit(&title, column.width, &TITLE_FORMS);
        let step = size * 1.16;
        // The lines stand in the middle of their place.
        let top = TITLE_TOP + (TITLE_HEIGHT - step * count(&lines)) / 2.0;
        let style = Style { typeface: Typeface::Display, size, colour: TEXT };
        self.lines(&lines, style, column, top + size * 0.92, step);
    }

    fn slip(&mut self, bet: &BetCard) {
        let [creator, other] = &bet.halves;
        let room = RIGHT - MARGIN - POT_WIDTH;
        let left = room * share(creator, other);
        let seam = MARGIN + left + POT_WIDTH / 2.0;
        let (width, bottom) = (RIGHT - MARGIN, SLIP_TOP + SLIP_HEIGHT);
        self.add(format_args!(
            r#"<rect x="{MARGIN}" y="{SLIP_TOP}" width="{width}" height="{SLIP_HEIGHT}" rx="18" fill="{SURFACE}" stroke="{LINE}" stroke-width="2"/>"#
        ));
        // The notches at both ends of the seam: half circles in the colour of the ground.
        for (y, sweep) in [(SLIP_TOP - 1.0, 0), (bottom + 1.0, 1)] {
            let (from, to) = (seam - 18.0, seam + 18.0);
            self.add(format_args!(
                r#"<path d="M{from} {y}A18 18 0 0 {sweep} {to} {y}" fill="{GROUND}" stroke="{LINE}" stroke-width="2"/>"#
            ));
        }
        for (from, to) in [(SLIP_TOP + 26.0, SLIP_TOP + 52.0), (bottom - 54.0, bottom - 24.0)] {
            self.add(format_args!(
                r#"<path d="M{seam} {from}V{to}" stroke="{CONTROL}" stroke-width="3" stroke-dasharray="0 8" stroke-linecap="round"/>"#
            ));
        }
        self.pot(bet, Column { left: MARGIN + left, width: POT_WIDTH });
        self.half(creator, Column { left: MARGIN, width: left });
        self.half(other, Column { left: seam + POT_WIDTH / 2.0, width: room - left });
    }

    fn pot(&mut self, bet: &BetCard, column: Column) {
        let middle = SLIP_TOP + SLIP_HEIGHT / 2.0;
        self.text(&bet.pot_label, small(MUTED), column, middle - 36.0, Anchor::Middle);
        let style = Style { typeface: Typeface::Display, size: 48.0, colour: TEXT };
        self.figure(&bet.pot, style, column, middle + 10.0, Anchor::Middle);
        self.text(&bet.unit, small(MUTED), column, middle + 44.0, Anchor::Middle);
    }

    fn half(&mut self, half: &Half, place: Column) {
        if half.is_empty {
            let (x, y) = (place.left + 12.0, SLIP_TOP + 12.0);
            let (width, height) = (place.width - 24.0, SLIP_HEIGHT - 24.0);
            self.add(format_args!(
                r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="none" stroke="{CONTROL}" stroke-width="3" stroke-dasharray="10 8"/>"#
            ));
        }
        let column = Column { left: place.left + 30.0, width: place.width - 60.0 };
        let letter_end = self.letter(half.side, column.left, SLIP_TOP + 28.0);
        let beside =
            Column { left: letter_end + 14.0, width: column.left + column.width - letter_end - 14.0 };
        self.figure(&half.stake, small(MUTED), beside, SLIP_TOP + 56.0, Anchor::Start);
        self.option(half, column);
        self.holder(half, column);
    }

    fn option(&mut self, half: &Half, column: Column) {
        let mut option = Measured::new(Typeface::Display, &half.option);
        if !option.is_legible() {
            option = Measured::new(Typeface::Display, untitled(half.side));
        }
        let (lines, size) = fit(&option, column.width, &OPTION_FORMS);
        let step = size * 1.2;
        let top = SLIP_TOP + 82.0 + (90.0 - step * count(&lines)).max(0.0) / 2.0;
        let style = Style { typeface: Typeface::Display, size, colour: TEXT };
        self.lines(&lines, style, column, top + size * 0.9, step);
    }

    fn holder(&mut self, half: &Half, column: Column) {
        let y = SLIP_TOP + SLIP_HEIGHT - 30.0;
        let colour = if half.is_empty { ACCENT } else { MUTED };
        let Some(Ending { text, tone }) = &half.result else {
            self.text(&half.holder, small(colour), column, y, Anchor::Start);
            return;
        };
        let colour = match tone {
            Tone::Won => WON,
            Tone::Lost => LOST,
            Tone::Neutral => TEXT,
        };
        let style = small(colour);
        self.text(text, style, column, y, Anchor::Start);
        let taken = Measured::new(style.typeface, text).width(style.size) + 16.0;
        if taken + 60.0 < column.width {
            let rest = Column { left: column.left + taken, width: column.width - taken };
            self.text(&half.holder, small(MUTED), rest, y, Anchor::Start);
        }
    }

    /// Draws the letter of a side in its box. Returns the right edge of the box.
    fn letter(&mut self, side: Side, x: f32, y: f32) -> f32 {
        let (letter, colour) = match side {
            Side::A => ("A", SIDE_A),
            Side::B => ("B", SIDE_B),
        };
        self.add(format_args!(
            r#"<rect x="{x}" y="{y}" width="38" height="38" rx="7" fill="none" stroke="{colour}" stroke-width="3"/>"#
        ));
        let style = Style { typeface: Typeface::Display, size: 26.0, colour };
        self.text(letter, style, Column { left: x, width: 38.0 }, y + 28.0, Anchor::Middle);
        x + 38.0
    }

    /// Draws the status at the top right. Returns its left edge.
    fn badge(&mut self, status: &str, is_open: bool) -> f32 {
        let (fill, line, colour) =
            if is_open { (ACCENT_FILL, ACCENT_FILL, ON_ACCENT) } else { (GROUND, CONTROL, MUTED) };
        let style = small(colour);
        let width = Measured::new(style.typeface, status).width(style.size).min(620.0) + 44.0;
        let x = RIGHT - width;
        self.add(format_args!(
            r#"<rect x="{x}" y="38" width="{width}" height="52" rx="26" fill="{fill}" stroke="{line}" stroke-width="2"/>"#
        ));
        self.text(status, style, Column { left: x, width }, 73.0, Anchor::Middle);
        x
    }

    /// The logo of the site (`frontend/src/ui/Logo.tsx`).
    fn logo(&mut self, x: f32, y: f32, size: f32) {
        let scale = size / 32.0;
        self.add(format_args!(
            r#"<g transform="translate({x} {y}) scale({scale})"><path fill="none" stroke="{TEXT}" stroke-width="1.6" d="M4 8a3 3 0 0 1 3-3h5.6a3.4 3.4 0 0 0 6.8 0H25a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3h-5.6a3.4 3.4 0 0 0-6.8 0H7a3 3 0 0 1-3-3z"/><path fill="{ACCENT}" d="M17.4 9.5 10.6 17.3h4.7l-1 5.4 7-7.9h-4.8z"/></g>"#
        ));
    }

    /// Draws one line, cut to its place. A line from right to left begins at the right edge of its place.
    fn text(&mut self, text: &str, style: Style, column: Column, y: f32, anchor: Anchor) {
        let (lines, _) = Measured::new(style.typeface, text).lines(style.size, column.width / 0.98, 1);
        for line in &lines {
            self.line(line, style, column, y, anchor);
        }
    }

    /// Draws a text with a figure. The text is never cut: a wide one is smaller.
    fn figure(&mut self, text: &str, style: Style, column: Column, y: f32, anchor: Anchor) {
        let width = Measured::new(style.typeface, text).width(style.size).max(1.0);
        let size = style.size * (column.width * 0.96 / width).min(1.0);
        self.text(text, Style { size, ..style }, column, y, anchor);
    }

    fn lines(&mut self, lines: &[Line], style: Style, column: Column, first: f32, step: f32) {
        let mut y = first;
        for line in lines {
            self.line(line, style, column, y, Anchor::Start);
            y += step;
        }
    }

    /// Draws a line. Letters that join may take more room than alone, so a line that would leave its place is smaller.
    fn line(&mut self, line: &Line, style: Style, column: Column, y: f32, anchor: Anchor) {
        let widths: Vec<f32> = line.runs.iter().map(|run| width(run, style.size)).collect();
        let scale = (column.width / widths.iter().sum::<f32>().max(1.0)).min(1.0);
        let style = Style { size: style.size * scale, ..style };
        let widths: Vec<f32> = widths.into_iter().map(|width| width * scale).collect();
        let room = column.width - widths.iter().sum::<f32>();
        let mut x = column.left
            + match anchor {
                Anchor::Start if line.is_rtl => room,
                Anchor::Start => 0.0,
                Anchor::Middle => room / 2.0,
            };
        for (run, width) in line.runs.iter().zip(widths) {
            let text = markup(run, x, y, style);
            self.svg.push_str(&text);
            x += width;
        }
    }
}

/// The SVG of a run that begins at `x`.
fn markup(run: &Run, x: f32, y: f32, Style { size, colour, .. }: Style) -> String {
    let (name, text) = (family(run.font), escaped(&run.text));
    // The marks make the whole run go from right to left, punctuation at its ends included.
    let (open, close) = if run.is_rtl { ("\u{2067}", "\u{2069}") } else { ("", "") };
    format!(
        r#"<text x="{x}" y="{y}" font-family="{name}" font-size="{size}" fill="{colour}" xml:space="preserve">{open}{text}{close}</text>"#
    )
}

/// The exact width of a run, in which letters may join and move.
fn width(run: &Run, size: f32) -> f32 {
    if run.is_space() {
        return f32::from(fonts::all().width(run.font, ' ').unwrap_or_default()) * size / 1000.0;
    }
    let style = Style { typeface: Typeface::Text, size, colour: TEXT };
    let text = markup(run, 0.0, 0.0, style);
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">{text}</svg>"#);
    let tree = crate::parse(&svg);
    tree.and_then(|tree| match tree.root().children().first() {
        Some(Node::Text(text)) => Some(text.bounding_box().width()),
        _ => None,
    })
    .unwrap_or_default()
}

/// The width of the left half, as a fraction of the width of both halves.
fn share(left: &Half, right: &Half) -> f32 {
    let all = (left.share + right.share).max(1);
    (left.share as f32 / all as f32).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE)
}

/// The lines in the largest form in which the whole text fits, or the smallest form with an ellipsis.
fn fit(text: &Measured, width: f32, forms: &[(f32, usize)]) -> (Vec<Line>, f32) {
    let mut fitted = (Vec::new(), 0.0);
    for (size, most) in forms {
        let (lines, is_whole) = text.lines(*size, width, *most);
        fitted = (lines, *size);
        if is_whole {
            break;
        }
    }
    fitted
}

fn count(lines: &[Line]) -> f32 {
    lines.len() as f32
}

/// The text in the place of an option whose letters are in no font.
const fn untitled(side: Side) -> &'static str {
    match side {
        Side::A => "Option A",
        Side::B => "Option B",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(side: Side, option: &str) -> Half {
        let [stake, holder] = ["Stakes 1", "ann"].map(str::to_owned);
        Half { side, option: option.to_owned(), stake, share: 100, holder, is_empty: false, result: None }
    }

    #[test]
    fn no_text_leaves_its_place() {
        for text in [
            "a\u{489}\u{489}\u{489}".repeat(25),
            "z\u{301}\u{302}".repeat(33),
            "\u{645}\u{64F}\u{62D}\u{64E}\u{645}\u{651}\u{64E}\u{62F} ".repeat(12),
            "\u{FDFD}".repeat(100),
            "क्षत्रिय ".repeat(12),
            "aא".repeat(50),
            "👩🏽‍❤️‍💋‍👨🏻 ".repeat(9),
        ] {
            let word = |text: &str| text.to_owned();
            let halves = [half(Side::A, &text), Half { share: 900, ..half(Side::B, &text) }];
            let [title, untitled, status] = [text.repeat(2), word("A bet"), word("Live")];
            let [pot_label, pot, unit, note] = ["Pot", "8", "Bolts", "Other"].map(word);
            let bet = BetCard { title, untitled, status, is_open: false, halves, pot_label, pot, unit, note };
            let pot = MARGIN + (RIGHT - MARGIN - POT_WIDTH) * LEAST_SHARE;
            let tree = crate::parse(&svg(&Card::Bet(Box::new(bet)))).expect("a picture");
            for node in tree.root().children() {
                let Node::Text(found) = node else { continue };
                let place = found.bounding_box();
                assert!(place.left() >= MARGIN - 1.0 && place.right() <= RIGHT + 1.0, "{text}: {place:?}");
                let is_in_left_half = place.top() > SLIP_TOP && place.bottom() < 560.0 && place.left() < pot;
                assert!(!is_in_left_half || place.right() <= pot + 1.0, "{text}: {place:?}");
            }
        }
    }
}
