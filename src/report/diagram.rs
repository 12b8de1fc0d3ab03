//! Diagrams: boards with captions on a sheet, as SVG.

use std::fmt::Write;

use super::svg::{board_size, board_svg, push_board, svg_start};
use super::view::BoardView;
use crate::board::Side;
use crate::notation::Numbering;
use crate::rules::Position;
use crate::text::printable;

/// Space around the boards of a sheet, in user units; a square has 40.
const GAP: u32 = 24;
/// Height of a caption.
const CAPTION: u32 = 30;
const FONT: u32 = 17;
/// Average width of a character of a caption.
const LETTER: u32 = 9;

/// A position as a picture, with a caption for sheets.
///
/// # Examples
///
/// ```
/// use pdn::report::{BoardView, Diagram, sheet_svg};
/// use pdn::rules::{Position, Variant};
///
/// let start = Diagram::new(Position::start(Variant::ENGLISH), BoardView::default()).captioned("1. Old Fourteenth");
/// let sheet = sheet_svg(&[start.clone(), start], 2);
/// assert_eq!(sheet.matches("Old Fourteenth</text>").count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    position: Position,
    view: BoardView,
    caption: String,
}

impl Diagram {
    /// Returns a diagram without a caption.
    pub const fn new(position: Position, view: BoardView) -> Self {
        Self { position, view, caption: String::new() }
    }

    /// Sets the caption.
    #[must_use]
    pub fn captioned(self, caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..self }
    }

    /// Returns the width and height of the board in units of the picture.
    pub(crate) fn size(&self) -> (u32, u32) {
        board_size(self.numbering())
    }

    /// Returns the board as an SVG document, without its caption.
    pub fn svg(&self) -> String {
        board_svg(&self.position, self.numbering(), &self.view)
    }

    fn numbering(&self) -> Numbering {
        Numbering::for_variant(self.position.variant())
    }

    /// Appends the board with the side to move and the caption below it.
    fn push(&self, svg: &mut String) {
        let (width, height) = board_size(self.numbering());
        push_board(svg, &self.position, self.numbering(), &self.view);
        let fill = if self.position.turn() == Side::White { "#ffffff" } else { "#222222" };
        let middle = height + CAPTION / 2 + 2;
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<circle cx=\"9\" cy=\"{middle}\" r=\"8\" fill=\"{fill}\" stroke=\"#3a2a1a\" stroke-width=\"1.5\"/>"
        );
        // SVG does not wrap text, and its real width is known only to the program that draws it.
        let caption = shortened(&self.caption, (width - 26) / LETTER);
        let _ = writeln!(svg, "<text x=\"26\" y=\"{}\" font-size=\"{FONT}\">{}</text>", middle + 6, escaped(&caption));
    }
}

/// Returns diagrams on one sheet as an SVG document, in rows of `columns`, each with its caption and a disc in the colour
/// of the side to move.
///
/// # Panics
///
/// Panics if `columns` is 0.
pub fn sheet_svg(diagrams: &[Diagram], columns: usize) -> String {
    let (width, height) = cell_size(diagrams);
    let (all_width, all_height) = sheet_size(diagrams, columns);
    let mut svg = svg_start(all_width, all_height, "Diagrams");
    let _ = writeln!(svg, "<rect width=\"{all_width}\" height=\"{all_height}\" fill=\"#ffffff\"/>");
    for (n, diagram) in diagrams.iter().enumerate() {
        let (x, y) = (GAP + (n % columns) as u32 * width, GAP + (n / columns) as u32 * height);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        diagram.push(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the width and height of the SVG document of a sheet, in its units.
///
/// # Panics
///
/// Panics if `columns` is 0.
pub(crate) fn sheet_size(diagrams: &[Diagram], columns: usize) -> (u32, u32) {
    let (width, height) = cell_size(diagrams);
    let (columns_used, rows) = (columns.min(diagrams.len()), diagrams.len().div_ceil(columns));
    (columns_used as u32 * width + GAP, rows as u32 * height + GAP)
}

/// Returns the space that each diagram has on a sheet: enough for the largest one.
fn cell_size(diagrams: &[Diagram]) -> (u32, u32) {
    let largest = diagrams.iter().map(Diagram::size).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or_default();
    (largest.0 + GAP, largest.1 + CAPTION + GAP)
}

/// Returns at most `length` characters of a text, the last one an ellipsis if the text is longer.
pub(super) fn shortened(text: &str, length: u32) -> String {
    let text = printable(text);
    if text.chars().count() <= length as usize {
        return text.into_owned();
    }
    text.chars().take(length.saturating_sub(1) as usize).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn diagram(variant: Variant, caption: &str) -> Diagram {
        Diagram::new(Position::start(variant), BoardView::default()).captioned(caption)
    }

    #[test]
    fn sheets_have_rows_of_the_largest_board() {
        let boards =
            [diagram(Variant::INTERNATIONAL, "a"), diagram(Variant::RUSSIAN, "b"), diagram(Variant::RUSSIAN, "c")];
        let sheet = sheet_svg(&boards, 2);
        assert!(sheet.contains("viewBox=\"0 0 872 932\""), "{sheet}");
        assert_eq!(sheet.matches("<g transform=\"translate(24 478)\">").count(), 1);
        assert!(sheet_svg(&boards[1..], 5).contains("viewBox=\"0 0 712 398\""));
    }

    #[test]
    fn captions_are_escaped_and_fit() {
        let sheet = sheet_svg(&[diagram(Variant::RUSSIAN, "</text><script>\u{202e}")], 1);
        assert!(sheet.contains(">&lt;/text&gt;&lt;script&gt;\u{fffd}</text>"));
        assert!(
            sheet_svg(&[diagram(Variant::RUSSIAN, &"m".repeat(99))], 1)
                .contains(&format!(">{}…</text>", "m".repeat(31)))
        );
    }
}
