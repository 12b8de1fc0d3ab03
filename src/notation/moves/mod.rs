//! Moves as text: the meaning of a written move in a position, and the notation of a move.

mod explain;
mod joined;
mod parse;
mod read;

use crate::board::Square;
use crate::notation::Numbering;
use crate::pdn::MoveText;
use crate::rules::{Move, Position};

pub use explain::ResolveError;
pub(crate) use explain::as_if_played;
pub(crate) use joined::{moves_in, without_number};
pub(crate) use read::readings;
pub use read::{Deviation, resolve};

impl Position {
    /// Returns the short form of a legal move in the names of the variant, such as `32-28` or `19x30`: first and last square,
    /// but the whole path if several captures share these.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28:B23,14")?;
    /// let captures = position.legal_moves();
    /// assert_eq!(position.short(&captures[0]), "28x10");
    /// assert_eq!(position.full(&captures[0]), "28x19x10");
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    pub fn short(&self, played: &Move) -> String {
        self.short_in(played, Numbering::for_variant(self.variant()))
    }

    /// Returns the short form of a legal move, as [`Position::short`], in the names of a numbering.
    pub fn short_in(&self, played: &Move, numbering: Numbering) -> String {
        if !played.is_capture() {
            return join(&[played.from(), played.to()], '-', numbering);
        }
        if !self.has_only(played.from(), played.to()) {
            return self.full_in(played, numbering);
        }
        join(&[played.from(), played.to()], numbering.capture_sign(), numbering)
    }

    /// Returns the short forms of the moves of a line from here, each legal after those before it, in the names of the variant.
    pub fn short_line(&self, line: &[Move]) -> Vec<String> {
        self.short_line_in(line, Numbering::for_variant(self.variant()))
    }

    /// Returns the short forms of the moves of a line, as [`Position::short_line`], in the names of a numbering.
    pub(crate) fn short_line_in(&self, line: &[Move], numbering: Numbering) -> Vec<String> {
        let mut position = *self;
        let name = |played| {
            let name = position.short_in(played, numbering);
            position = position.play_unchecked(played);
            name
        };
        line.iter().map(name).collect()
    }

    /// Returns the full form of a legal move in the names of the variant: a capture with its whole path.
    pub fn full(&self, played: &Move) -> String {
        self.full_in(played, Numbering::for_variant(self.variant()))
    }

    /// Returns the full form of a legal move, as [`Position::full`], in the names of a numbering.
    pub(crate) fn full_in(&self, played: &Move, numbering: Numbering) -> String {
        let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
        join(&self.first_path(played), sign, numbering)
    }

    /// Returns the short form of a legal move, as [`Position::short_in`], as a game tree stores it.
    pub(crate) fn move_text_in(&self, played: &Move, numbering: Numbering) -> MoveText {
        if played.is_capture() && !self.has_only(played.from(), played.to()) {
            return self.full_move_text_in(played, numbering);
        }
        text_of(&[played.from(), played.to()], played, numbering)
    }

    /// Returns the full form of a legal move, as [`Position::full_in`], as a game tree stores it.
    pub(crate) fn full_move_text_in(&self, played: &Move, numbering: Numbering) -> MoveText {
        text_of(&self.first_path(played), played, numbering)
    }

    /// Returns the first path of a move; for a capture that is not legal, its first and last square.
    fn first_path(&self, played: &Move) -> Vec<Square> {
        self.paths(played).into_iter().next().unwrap_or_else(|| vec![played.from(), played.to()])
    }
}

fn text_of(path: &[Square], played: &Move, numbering: Numbering) -> MoveText {
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    MoveText::from_squares(path.iter().map(|&square| numbering.name(square)), sign)
}

fn join(path: &[Square], sign: char, numbering: Numbering) -> String {
    let mut text = String::with_capacity(8);
    for (n, &square) in path.iter().enumerate() {
        if n > 0 {
            text.push(sign);
        }
        numbering.name(square).push_to(&mut text);
    }
    text
}
