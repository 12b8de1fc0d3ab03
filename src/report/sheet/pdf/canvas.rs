//! A page of a PDF on which text and diagrams are drawn. Places are in points, from the lower left corner of the paper.

use pdf_writer::{Content, Name, Str};

use super::board::{Board, UNIT, disc, piece_name};
use super::font::Fonts;
use super::text::{Look, Segment};
use crate::board::Side;
use crate::rules::{Position, Variant};

/// What all pages share: the fonts, and the boards that were drawn.
pub(super) struct Shared {
    pub(super) fonts: Fonts,
    pub(super) boards: Vec<Board>,
}

impl Shared {
    /// Returns the number of the form of a board.
    fn board(&mut self, variant: Variant, is_flipped: bool) -> (usize, Board) {
        let known = self.boards.iter().position(|board| (board.variant, board.is_flipped) == (variant, is_flipped));
        let number = known.unwrap_or_else(|| {
            self.boards.push(Board::of(variant, is_flipped));
            self.boards.len() - 1
        });
        (number, self.boards[number])
    }
}

/// Returns the name of the form of a board.
pub(super) fn board_name(number: usize) -> String {
    format!("B{number}")
}

/// The content of a page.
pub(super) struct Canvas(pub(super) Content);

impl Canvas {
    pub(super) fn new() -> Self {
        Self(Content::new())
    }

    /// Draws a text that begins at a place.
    pub(super) fn text(&mut self, shared: &mut Shared, text: &str, look: Look, (x, y): (f32, f32)) {
        let bytes = shared.fonts.encode(text, look.weight);
        self.0.set_fill_gray(look.grey).begin_text().set_font(look.weight.name(), look.size);
        self.0.next_line(x, y).show(Str(&bytes)).end_text();
    }

    /// Draws a text with its middle at a place.
    pub(super) fn centred(&mut self, shared: &mut Shared, text: &str, look: Look, (x, y): (f32, f32)) {
        let width = shared.fonts.width(text, look.weight, look.size);
        self.text(shared, text, look, (x - width / 2.0, y));
    }

    /// Draws a line of text.
    pub(super) fn line(&mut self, shared: &mut Shared, line: &[Segment], (x, y): (f32, f32)) {
        for segment in line {
            self.text(shared, &segment.text, segment.look, (x + segment.x, y));
        }
    }

    /// Draws a disc in the colour of a side.
    pub(super) fn turn(&mut self, turn: Side, centre: (f32, f32), radius: f32) {
        disc(&mut self.0, centre, radius, if turn == Side::White { [1.0; 3] } else { [0.13; 3] });
    }

    /// Draws a line across.
    pub(super) fn rule(&mut self, (x, y): (f32, f32), width: f32) {
        self.0.set_stroke_gray(0.6).set_line_width(0.5).move_to(x, y).line_to(x + width, y).stroke();
    }

    /// Draws a diagram with its lower left corner at a place, and Black at the bottom if it is flipped.
    pub(super) fn board(
        &mut self,
        shared: &mut Shared,
        (position, is_flipped): (&Position, bool),
        (x, y): (f32, f32),
        square: f32,
    ) {
        let (number, board) = shared.board(position.variant(), is_flipped);
        let (name, scale) = (board_name(number), square / UNIT);
        self.0.save_state().transform([scale, 0.0, 0.0, scale, x, y]).x_object(Name(name.as_bytes()));
        for place in board.shape().squares() {
            let Some((side, piece)) = position.piece_at(place) else { continue };
            let (left, bottom) = board.corner(place);
            self.0.save_state().transform([1.0, 0.0, 0.0, 1.0, left + UNIT / 2.0, bottom + UNIT / 2.0]);
            self.0.x_object(piece_name(side, piece)).restore_state();
        }
        self.0.restore_state();
    }
}
