//! The squares of a board, and positions as text.

use serde_json::json;

use crate::board::Square;
use crate::notation::Numbering;
use crate::pdn::Command;
use crate::report::text::letter;
use crate::report::{Arrow, Marked};
use crate::rules::{Position, Variant};

/// The squares of a variant in the order of their names; a page identifies squares by their places in this order.
#[derive(Debug)]
pub(crate) struct PageBoard {
    variant: Variant,
    numbering: Numbering,
    squares: Vec<Square>,
    /// The place of each square, by its bit.
    places: [u8; 128],
}

impl PageBoard {
    /// Returns the board of a variant.
    pub(crate) fn of(variant: Variant) -> Self {
        let numbering = Numbering::for_variant(variant);
        let mut squares: Vec<_> = numbering.shape().squares().collect();
        squares.sort_unstable_by_key(|&square| numbering.order(square));
        let mut places = [0; 128];
        for (place, square) in (0..).zip(&squares) {
            places[usize::from(square.bit())] = place;
        }
        Self { variant, numbering, squares, places }
    }

    /// Returns the size of the board, and the name of each square and its place there, row by row from the top left, as JSON.
    pub(crate) fn json(&self) -> String {
        let shape = self.numbering.shape();
        let at = |&square: &Square| {
            let (row, column) = (self.numbering.display_row(square), self.numbering.display_column(square));
            u32::from(row) * u32::from(shape.width()) + u32::from(column)
        };
        json!({
            "variant": self.variant.name(),
            "width": shape.width(),
            "height": shape.height(),
            "plain": shape.every_square(),
            "letters": self.numbering.is_algebraic(),
            "names": self.squares.iter().map(|&square| self.numbering.name(square).to_string()).collect::<Vec<_>>(),
            "at": self.squares.iter().map(at).collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// Returns the letter of each square: `w`, `b`, for kings `W`, `B`, and `.` for an empty one.
    pub(crate) fn letters(&self, position: Option<&Position>) -> String {
        self.squares.iter().map(|&square| letter(position, square)).collect()
    }

    /// Returns the change from one position to another: the side to move afterwards, in upper case for a move, and for
    /// each changed square its place, as two base-36 digits, and its letter. For a move, its first and last squares
    /// come first.
    pub(crate) fn change(
        &self,
        before: Option<&Position>,
        after: &Position,
        played: Option<(Square, Square)>,
    ) -> String {
        let turn = after.turn().letter();
        let mut text = String::from(if played.is_some() { turn } else { turn.to_ascii_lowercase() });
        let ends = played.map_or([None, None], |(from, to)| [Some(from), Some(to)]);
        ends.into_iter().flatten().for_each(|square| self.push(&mut text, square, after));
        for &square in self.squares.iter().filter(|&&square| !ends.contains(&Some(square))) {
            if letter(before, square) != letter(Some(after), square) {
                self.push(&mut text, square, after);
            }
        }
        text
    }

    fn push(&self, text: &mut String, square: Square, after: &Position) {
        let place = u32::from(self.place(square));
        let digit = |value| char::from_digit(value, 36).expect("a board has fewer than 1,296 squares");
        // Always three characters, so that the script can cut the text without separators.
        text.extend([digit(place / 36), digit(place % 36), letter(Some(after), square)]);
    }

    /// Returns the place of a square.
    pub(crate) const fn place(&self, square: Square) -> u8 {
        self.places[square.bit() as usize]
    }

    /// Returns the coloured squares of comments: place and letter of the colour.
    pub(super) fn squares(&self, commands: &[Command]) -> Vec<(u8, char)> {
        let marked = Marked::of_commands(commands, self.numbering).into_iter();
        marked.map(|marked| (self.place(marked.square), marked.colour)).collect()
    }

    /// Returns the arrows of comments: first and last place, and letter of the colour.
    pub(super) fn arrows(&self, commands: &[Command]) -> Vec<(u8, u8, char)> {
        let arrows = Arrow::of_commands(commands, self.numbering).into_iter();
        arrows.map(|arrow| (self.place(arrow.from), self.place(arrow.to), arrow.colour)).collect()
    }

    /// Returns the first and last square of a move, given by their internal numbers.
    pub(super) fn ends(&self, from: Option<u8>, to: Option<u8>) -> Option<(Square, Square)> {
        let internal = Numbering::internal(self.variant);
        internal.square(from?).zip(internal.square(to?))
    }
}
