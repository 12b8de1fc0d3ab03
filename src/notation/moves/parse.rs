//! A move of a position from text alone.

use super::read::resolve;
use crate::error::ParseError;
use crate::notation::Numbering;
use crate::pdn::MoveText;
use crate::rules::{Move, Position};

impl Position {
    /// Returns the legal move with a text in any usual notation, in the names of the variant.
    ///
    /// # Errors
    ///
    /// If the text is no move, or fits none or several of the legal ones. The error displays the reason, and what may have been meant;
    /// [`resolve`] distinguishes them.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let start = Position::start(Variant::INTERNATIONAL);
    /// assert_eq!(start.short(&start.parse_move("32-28")?), "32-28");
    /// assert_eq!(
    ///     start.parse_move("32-26").unwrap_err().to_string(),
    ///     "32-26: the piece on 32 cannot move to 26; did White mean 31-26, 32-27 or 32-28?"
    /// );
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let written: MoveText = text.parse().map_err(|_| ParseError::new(format!("`{text}` is not a move")))?;
        let names = Numbering::for_variant(self.variant());
        let read = resolve(self, &written, names).map(|(played, _)| played);
        read.map_err(|error| {
            ParseError::new(if error.is_ambiguous() {
                let candidates: Vec<_> = error.candidates().iter().map(|played| self.full(played)).collect();
                format!("{text} may be {}", candidates.join(" or "))
            } else {
                let question = error.question(self, names).map(|question| format!("; {question}"));
                format!("{text}: {error}{}", question.unwrap_or_default())
            })
        })
    }
}
