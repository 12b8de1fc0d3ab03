//! A board as SVG, and pictures as PNG.

use std::fmt::Write;

#[cfg(feature = "png")]
use resvg::tiny_skia::{Pixmap, Transform};
#[cfg(feature = "png")]
use resvg::usvg::{Options, Tree};

#[cfg(feature = "png")]
use super::fonts::REGULAR;
use super::view::{Arrow, BoardView};
use crate::board::{Piece, Side, Square};
#[cfg(feature = "png")]
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::rules::Position;

/// Width and height of a square, in user units.
const SIZE: u32 = 40;
const LIGHT: &str = "#f2e2c0";
const DARK: &str = "#b98a5a";
const LAST: &str = "#d8b13c";
const LINES: &str = "#3a2a1a";

/// Returns the board as an SVG document. Squares show their names unless the view hides them, the last move is highlighted,
/// and coloured squares and arrows are drawn as the view requests.
pub fn board_svg(position: &Position, numbering: Numbering, view: &BoardView) -> String {
    titled_board_svg(position, numbering, view, &format!("{} to move", position.turn()))
}

/// Returns the board as [`board_svg`] does, with a title, which is HTML.
pub(super) fn titled_board_svg(position: &Position, numbering: Numbering, view: &BoardView, title: &str) -> String {
    let (width, height) = board_size(numbering);
    let mut svg = svg_start(width, height, title);
    push_board(&mut svg, position, numbering, view);
    svg.push_str("</svg>\n");
    svg
}

/// Returns the start of a document, of this size in user units.
pub(super) fn svg_start(width: u32, height: u32, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\">\n<title>{title}</title>\n"
    )
}

/// Returns the width and height of a board in user units.
pub(super) fn board_size(numbering: Numbering) -> (u32, u32) {
    let shape = numbering.shape();
    (u32::from(shape.width()) * SIZE, u32::from(shape.height()) * SIZE)
}

/// Appends a board whose top left corner is at the origin.
pub(super) fn push_board(svg: &mut String, position: &Position, numbering: Numbering, view: &BoardView) {
    let (width, height) = board_size(numbering);
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{LIGHT}\"/>");
    let mut picture = Picture { svg, position, numbering, view };
    for square in numbering.shape().squares() {
        picture.square(square);
    }
    view.arrows.iter().for_each(|&arrow| picture.arrow(arrow));
}

/// Returns the colour of a letter in `[%csl …]` and `[%cal …]`.
const fn colour_of(letter: char) -> &'static str {
    match letter {
        'R' => "#c03030",
        'Y' => "#d0a000",
        'B' => "#3060c0",
        'C' => "#30a0a0",
        'M' => "#a030a0",
        _ => "#309030",
    }
}

struct Picture<'a> {
    svg: &'a mut String,
    position: &'a Position,
    numbering: Numbering,
    view: &'a BoardView,
}

impl Picture<'_> {
    /// Returns the top left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (column, row) = self.view.place(self.numbering, square);
        (u32::from(column) * SIZE, u32::from(row) * SIZE)
    }

    fn centre(&self, square: Square) -> (u32, u32) {
        let (x, y) = self.corner(square);
        (x + SIZE / 2, y + SIZE / 2)
    }

    fn square(&mut self, square: Square) {
        let marked = self.view.marked.iter().find(|marked| marked.square == square);
        let fill = match marked {
            Some(marked) => Some(colour_of(marked.colour)),
            None if self.view.is_last(square) => Some(LAST),
            // If every square is playable, as in Turkish draughts, none is dark.
            None => Some(DARK).filter(|_| !self.numbering.shape().every_square()),
        };
        let (x, y) = self.corner(square);
        if let Some(fill) = fill {
            let _ =
                writeln!(self.svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{fill}\"/>");
        }
        if let Some((side, piece)) = self.position.piece_at(square) {
            self.piece(square, side, piece);
        }
        if self.view.nameless {
            return;
        }
        let (name, left, base) = (self.numbering.name(square), x + 2, y + 9);
        let _ = writeln!(self.svg, "<text x=\"{left}\" y=\"{base}\" font-size=\"9\" fill=\"{LINES}\">{name}</text>");
    }

    fn piece(&mut self, square: Square, side: Side, piece: Piece) {
        let (cx, cy) = self.centre(square);
        let (fill, mark) = match side {
            Side::White => ("#ffffff", LINES),
            Side::Black => ("#222222", "#ffffff"),
        };
        let _ = writeln!(
            self.svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"15\" fill=\"{fill}\" stroke=\"{LINES}\" stroke-width=\"2\"/>"
        );
        if piece == Piece::King {
            let _ = writeln!(
                self.svg,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"9\" fill=\"none\" stroke=\"{mark}\" stroke-width=\"3\"/>"
            );
        }
    }

    /// Draws a line to the middle of a square, with a head.
    fn arrow(&mut self, arrow: Arrow) {
        let ((x1, y1), (x2, y2)) = (self.centre(arrow.from), self.centre(arrow.to));
        let colour = colour_of(arrow.colour);
        let angle = (f64::from(y2) - f64::from(y1)).atan2(f64::from(x2) - f64::from(x1)).to_degrees().round();
        let _ = writeln!(
            self.svg,
            "<g fill=\"{colour}\" opacity=\"0.8\"><line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" \
             stroke-width=\"5\"/><polygon points=\"6,0 -10,-9 -10,9\" transform=\"translate({x2} {y2}) rotate({angle})\"/></g>"
        );
    }
}

/// Returns an SVG document as PNG, enlarged by a factor. Text is drawn in Noto Sans; letters that it lacks are in a system font, and
/// omitted if there is none.
///
/// # Errors
///
/// If the document is not SVG, or the picture is too large.
#[cfg(feature = "png")]
pub fn png(svg: &str, factor: f32) -> Result<Vec<u8>> {
    Renderer::new().draw(svg, factor)?.encode_png().map_err(unavailable)
}

/// Returns an SVG document as PNG, as [`png`] does, but draws no text: fonts take a hundred times as long to load as a board to draw.
///
/// # Errors
///
/// If the document is not SVG, or the picture is too large.
#[cfg(all(feature = "png", feature = "query", feature = "report"))]
pub(crate) fn without_text(svg: &str, factor: f32) -> Result<Vec<u8>> {
    Renderer(Options::default()).draw(svg, factor)?.encode_png().map_err(unavailable)
}

/// Largest number of pixels of a picture. They take 4 bytes each, and memory that cannot be had ends the program.
#[cfg(feature = "png")]
const MAX_PIXELS: u64 = 1 << 28;

/// Draws SVG documents with the font of the program and those of the system, which take longer to load than a document to draw.
#[cfg(feature = "png")]
pub(super) struct Renderer(Options<'static>);

#[cfg(feature = "png")]
impl Renderer {
    pub(super) fn new() -> Self {
        let mut options = Options::default();
        let fonts = options.fontdb_mut();
        // Without it, a system that lacks Arial draws no names of squares. The others have the letters that it lacks.
        fonts.load_font_data(REGULAR.to_vec());
        fonts.load_system_fonts();
        // Aliases of fontconfig set it too, even to a font that is not installed.
        fonts.set_sans_serif_family("Noto Sans");
        Self(options)
    }

    /// Returns a document as pixels, enlarged by a factor.
    pub(super) fn draw(&self, svg: &str, factor: f32) -> Result<Pixmap> {
        let tree = Tree::from_str(svg, &self.0).map_err(unavailable)?;
        let [width, height] = [tree.size().width(), tree.size().height()].map(|length| (length * factor).ceil() as u32);
        let too_large = || Error::unavailable(format!("a picture of {width} by {height} pixels is too large"));
        let fits = u64::from(width) * u64::from(height) <= MAX_PIXELS;
        let mut picture = fits.then(|| Pixmap::new(width, height)).flatten().ok_or_else(too_large)?;
        resvg::render(&tree, Transform::from_scale(factor, factor), &mut picture.as_mut());
        Ok(picture)
    }
}

/// Returns the error of a picture that cannot be made.
#[cfg(feature = "png")]
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
pub(super) fn unavailable(error: impl ToString) -> Error {
    Error::unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "png")]
    use crate::report::Diagram;
    use crate::report::Marked;
    use crate::rules::Variant;

    #[test]
    fn every_man_is_a_circle_and_every_square_has_a_name() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let svg = board_svg(&start, Numbering::for_variant(variant), &BoardView::default());
            assert_eq!(svg.matches("<circle").count(), start.pieces().count(), "{variant}");
            assert_eq!(svg.matches("<text").count(), usize::from(variant.shape().square_count()), "{variant}");
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        }
    }

    #[test]
    fn moves_marks_and_arrows_are_drawn() {
        let start = Position::start(Variant::INTERNATIONAL);
        let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
        let (played, square) = (start.legal_moves()[0], |name: &str| numbering.find(name).expect("a square"));
        let view = BoardView::default()
            .last_move(Some(played))
            .marked(vec![Marked { square: square("20"), colour: 'R' }])
            .arrows(vec![Arrow { from: square("19"), to: square("23"), colour: 'G' }]);
        let svg = board_svg(&start.play_unchecked(&played), numbering, &view);
        assert_eq!(svg.matches(LAST).count(), 2);
        assert_eq!((svg.matches("#c03030").count(), svg.matches("<polygon").count()), (1, 1));
        let flipped = board_svg(&start, numbering, &BoardView::default().flipped(true));
        assert!(
            flipped.contains("<text x=\"362\" y=\"369\" font-size=\"9\" fill=\"#3a2a1a\">5</text>")
                || flipped.contains(">1</text>")
        );
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_board_is_a_picture_of_its_size() {
        let svg = Diagram::new(Position::start(Variant::INTERNATIONAL), BoardView::default()).svg();
        let bytes = png(&svg, 1.5).expect("a picture");
        let picture = Pixmap::decode_png(&bytes).expect("PNG");
        assert_eq!((picture.width(), picture.height()), (600, 600));
        // A light square, and a black man.
        let colour = |x, y| picture.pixel(x, y).map(|pixel| (pixel.red(), pixel.green(), pixel.blue()));
        assert_eq!((colour(30, 30), colour(90, 30)), (Some((0xf2, 0xe2, 0xc0)), Some((0x22, 0x22, 0x22))));
        // The names of squares are drawn whatever fonts the system has: below is the corner with the name of square 1.
        let is_named = (62..80).any(|x| (2..15).any(|y| colour(x, y).is_some_and(|(red, ..)| red < 0x80)));
        assert!(is_named, "square 1 has its name");
        assert!(png("<p>", 1.0).is_err() && png(&svg, 1e6).is_err());
    }
}
