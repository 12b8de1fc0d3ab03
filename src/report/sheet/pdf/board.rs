//! Boards and pieces in a PDF: each is drawn once, as a form that diagrams repeat.

use pdf_writer::{Content, Name, Str};

use super::font::{Fonts, Weight};
use crate::board::{Piece, Shape, Side};
use crate::notation::Numbering;
use crate::report::BoardView;
use crate::rules::Variant;

/// Width of a square in the units of a form.
pub(super) const UNIT: f32 = 40.0;

/// The colours of squares: lighter than on a screen, to save ink and to keep the numbers readable.
const LIGHT: [f32; 3] = [0.992, 0.973, 0.933];
const DARK: [f32; 3] = [0.847, 0.741, 0.584];
const LINES: [f32; 3] = [0.227, 0.165, 0.102];

// 4/3 · (√2 − 1), with which the curve is at most 0.03 % of the radius off the circle.
/// Half the length of the tangents of a quarter of a circle with radius 1, as a curve.
const QUARTER: f32 = 0.5523;

/// The forms of pieces.
pub(super) const PIECES: [(Side, Piece); 4] =
    [(Side::White, Piece::Man), (Side::White, Piece::King), (Side::Black, Piece::Man), (Side::Black, Piece::King)];

/// Returns the name of the form of a piece.
pub(super) const fn piece_name(side: Side, piece: Piece) -> Name<'static> {
    match (side, piece) {
        (Side::White, Piece::Man) => Name(b"WM"),
        (Side::White, Piece::King) => Name(b"WK"),
        (Side::Black, Piece::Man) => Name(b"BM"),
        (Side::Black, Piece::King) => Name(b"BK"),
    }
}

/// Returns the form of a piece, with its centre at the origin.
pub(super) fn piece_form(side: Side, piece: Piece) -> Vec<u8> {
    let mut content = Content::new();
    let (fill, mark) = match side {
        Side::White => ([1.0; 3], LINES),
        Side::Black => ([0.13; 3], [1.0; 3]),
    };
    disc(&mut content, (0.0, 0.0), 15.0, fill);
    if piece == Piece::King {
        stroke(&mut content, mark, 3.0);
        circle(&mut content, (0.0, 0.0), 8.5);
        content.stroke();
    }
    content.finish().to_vec()
}

/// Draws a disc with a line around it.
pub(super) fn disc(content: &mut Content, centre: (f32, f32), radius: f32, fill: [f32; 3]) {
    fill_with(content, fill);
    stroke(content, LINES, 0.12 * radius);
    circle(content, centre, radius);
    content.fill_nonzero_and_stroke();
}

fn fill_with(content: &mut Content, [r, g, b]: [f32; 3]) {
    content.set_fill_rgb(r, g, b);
}

fn stroke(content: &mut Content, [r, g, b]: [f32; 3], width: f32) {
    content.set_stroke_rgb(r, g, b).set_line_width(width);
}

fn circle(content: &mut Content, (x, y): (f32, f32), r: f32) {
    let t = QUARTER * r;
    content.move_to(x + r, y);
    content.cubic_to(x + r, y + t, x + t, y + r, x, y + r);
    content.cubic_to(x - t, y + r, x - r, y + t, x - r, y);
    content.cubic_to(x - r, y - t, x - t, y - r, x, y - r);
    content.cubic_to(x + t, y - r, x + r, y - t, x + r, y).close_path();
}

/// The empty board of a variant, with White or Black at the bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) variant: Variant,
    pub(super) is_flipped: bool,
    pub(super) numbering: Numbering,
}

impl Board {
    pub(super) fn of(variant: Variant, is_flipped: bool) -> Self {
        Self { variant, is_flipped, numbering: Numbering::for_variant(variant) }
    }

    pub(super) const fn shape(self) -> Shape {
        self.numbering.shape()
    }

    /// Returns the width and height in units of a form.
    pub(super) fn size(self) -> (f32, f32) {
        (f32::from(self.shape().width()) * UNIT, f32::from(self.shape().height()) * UNIT)
    }

    /// Returns the lower left corner of a square.
    pub(super) fn corner(self, square: crate::board::Square) -> (f32, f32) {
        let (column, row) = BoardView::default().flipped(self.is_flipped).place(self.numbering, square);
        (f32::from(column) * UNIT, self.size().1 - f32::from(row + 1) * UNIT)
    }

    /// Returns the form of the board: its squares with their names.
    pub(super) fn form(self, fonts: &mut Fonts) -> Vec<u8> {
        let (mut content, (width, height)) = (Content::new(), self.size());
        fill_with(&mut content, LIGHT);
        content.rect(0.0, 0.0, width, height).fill_nonzero();
        let every = self.shape().every_square();
        stroke(&mut content, LINES, if every { 0.6 } else { 1.6 });
        fill_with(&mut content, DARK);
        for square in self.shape().squares() {
            let (x, y) = self.corner(square);
            content.rect(x, y, UNIT, UNIT);
            // Where every square is played on, as in Turkish, none is dark.
            if every {
                content.stroke()
            } else {
                content.fill_nonzero()
            };
        }
        content.set_line_width(1.6).rect(0.0, 0.0, width, height).stroke();
        fill_with(&mut content, LINES);
        for square in self.shape().squares() {
            let (x, y) = self.corner(square);
            let name = fonts.encode(&self.numbering.name(square).to_string(), Weight::Regular);
            content.begin_text().set_font(Weight::Regular.name(), 9.0);
            content.next_line(x + 1.5, y + UNIT - 8.5).show(Str(&name)).end_text();
        }
        content.finish().to_vec()
    }
}
