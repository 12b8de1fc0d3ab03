//! Numbers and moves.

use super::{GO, Last, Part, Reader, Step};
use crate::pdn::grammar::{GameMove, Move};
use crate::pdn::movetext::MoveKind;
use crate::pdn::tree::WrittenNumber;
use crate::pdn::visitor::{Flow, Visitor};

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn game_move<V: Visitor>(&mut self, visitor: &mut V, found: &GameMove<'a>) -> Step {
        if let Some((number, text)) = found.count {
            self.count(visitor, number, text, self.at + text.len())?;
            // A score may look like the move after the number.
            if self.game.score.is_some() {
                return GO;
            }
        }
        self.at = self.place(found.text);
        self.play(visitor, &found.found, self.at + found.text.len())
    }

    /// Keeps the number of the move that comes next.
    #[inline]
    pub(in crate::pdn) fn count<V: Visitor>(
        &mut self,
        visitor: &mut V,
        number: WrittenNumber,
        text: &'a [u8],
        end: usize,
    ) -> Step {
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        self.game.number = Some((number, text));
        self.pass(end, Last::Other);
        GO
    }

    /// Passes on the number of the move that is passed on next.
    #[inline]
    pub(in crate::pdn) fn emit_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((number, text)) = self.game.number.take() {
            visitor.number(number, self.span(text))?;
        }
        Flow::Continue(())
    }

    /// Passes on the marks that were written before the move.
    #[inline]
    pub(in crate::pdn) fn emit_strength<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some(marks) = self.game.strength.take() {
            visitor.strength(marks, self.span(marks))?;
        }
        Flow::Continue(())
    }

    /// Passes on a move that ends at `end`, or after it with the parts that may follow.
    #[inline]
    pub(in crate::pdn) fn play<V: Visitor>(&mut self, visitor: &mut V, found: &Move<'a>, end: usize) -> Step {
        let mut end = end;
        self.enter_moves(visitor)?;
        if found.kind == MoveKind::Capture {
            end = self.split_captures(visitor, found.last, end)?;
        }
        if let [b'<', ..] | [b' ', b' ' | b'<', ..] = self.bytes[end..] {
            end = self.captured_list(visitor, end)?;
        }
        self.emit_number(visitor)?;
        let text = self.text_to(end);
        visitor.move_text(text, self.span(text))?;
        self.replace_move(visitor, end, Last::Move)
    }

    /// Goes to the end of a move or of what replaces one.
    #[inline]
    pub(in crate::pdn) fn replace_move<V: Visitor>(&mut self, visitor: &mut V, end: usize, last: Last) -> Step {
        self.pass(end, last);
        self.game.has_move = true;
        self.emit_strength(visitor)?;
        GO
    }
}
