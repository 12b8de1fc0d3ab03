//! Legal moves as text.

use crate::board::Square;
use crate::notation::Numbering;
use crate::pdn::{MoveText, WrittenSquare};
use crate::rules::{Move, Position};

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
    /// # Ok::<(), pdn::notation::PositionError>(())
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

    /// Returns the full form of a legal move in the names of the variant: a capture with its whole path.
    pub fn full(&self, played: &Move) -> String {
        self.full_in(played, Numbering::for_variant(self.variant()))
    }

    /// Returns the full form of a legal move, as [`Position::full`], in the names of a numbering.
    pub fn full_in(&self, played: &Move, numbering: Numbering) -> String {
        let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
        match self.paths(played).first() {
            Some(path) => join(path, sign, numbering),
            None => join(&[played.from(), played.to()], sign, numbering),
        }
    }

    /// Returns the short form of a legal move, as [`Position::short_in`], as a game tree holds it.
    pub fn move_text_in(&self, played: &Move, numbering: Numbering) -> MoveText {
        if played.is_capture() && !self.has_only(played.from(), played.to()) {
            return self.full_move_text_in(played, numbering);
        }
        text_of(&[played.from(), played.to()], played, numbering)
    }

    /// Returns the full form of a legal move, as [`Position::full_in`], as a game tree holds it.
    pub fn full_move_text_in(&self, played: &Move, numbering: Numbering) -> MoveText {
        match self.paths(played).first() {
            Some(path) => text_of(path, played, numbering),
            None => text_of(&[played.from(), played.to()], played, numbering),
        }
    }
}

fn text_of(path: &[Square], played: &Move, numbering: Numbering) -> MoveText {
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    MoveText::from_squares(path.iter().map(|&square| written(square, numbering)), sign)
}

fn written(square: Square, numbering: Numbering) -> WrittenSquare {
    if numbering.is_algebraic() {
        let (file, rank) = numbering.file_and_rank(square);
        WrittenSquare::Cell { file, rank: rank + 1 }
    } else {
        WrittenSquare::Number(numbering.number(square))
    }
}

fn join(path: &[Square], sign: char, numbering: Numbering) -> String {
    let mut text = String::with_capacity(8);
    for (n, &square) in path.iter().enumerate() {
        if n > 0 {
            text.push(sign);
        }
        text.push_str(numbering.name(square).as_str());
    }
    text
}
