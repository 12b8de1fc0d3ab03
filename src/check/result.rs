//! The result of a game: as it is written, and as the final position has it.

use super::draws::{Draws, early_draw};
use crate::board::Side;
use crate::diag::{Diagnostic, Span, messages};
use crate::notation::{Outcome, WrittenResult, read_result, roster_tag};
use crate::pdn::{GameTree, Tag, Terminator};
use crate::replay::ReplayedGame;
use crate::rules::{DrawEvent, Position, Variant};

/// The result of a game as it is written, and as the final position has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    tag: Option<String>,
    terminator: Option<String>,
    board: Option<Outcome>,
    winner: Option<Outcome>,
}

impl GameResult {
    /// The value of the Result tag, or of a tag that means the same in another language, as written.
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// The terminator as written.
    pub fn terminator(&self) -> Option<&str> {
        self.terminator.as_deref()
    }

    /// The outcome by the final position, if the main line could be replayed to its end.
    pub const fn board(&self) -> Option<Outcome> {
        self.board
    }

    /// The outcome by the tag, or else by the terminator; `None` if neither gives one.
    pub const fn winner(&self) -> Option<Outcome> {
        self.winner
    }
}

/// Reads tag and terminator, and compares them with each other and with the final position.
pub(super) fn check_result(game: &ReplayedGame, draws: &Draws) -> (GameResult, Vec<Diagnostic>) {
    let written = Written::of(game.tree());
    // In variants that Black begins, the left number is Black's, as the first mover.
    let left = game.variant().map_or(Side::White, Variant::starts);
    let winner = written.in_tag.or(written.at_end).and_then(|result| result.outcome(left));
    let last = game.final_position().filter(|_| game.is_legal());
    let won = last.and_then(Position::winner).map(Outcome::Win);
    let board = won.or(last.filter(|_| draws.at_end.is_some()).map(|_| Outcome::Draw));
    let mut diagnostics: Vec<_> =
        written.mismatch().into_iter().chain(written.against_board(board, winner, draws.at_end.as_ref())).collect();
    if let (Some(span), Some(Outcome::Draw), None) = (written.result_span(), winner, board) {
        diagnostics.extend(early_draw(game, draws, span));
    }
    let (tag, terminator) = (written.tag.map(|tag| tag.value.clone()), written.end.map(|end| end.text.clone()));
    (GameResult { tag, terminator, board, winner }, diagnostics)
}

/// Tag and terminator.
struct Written<'a> {
    tag: Option<&'a Tag>,
    end: Option<&'a Terminator>,
    in_tag: Option<WrittenResult>,
    at_end: Option<WrittenResult>,
}

impl<'a> Written<'a> {
    fn of(tree: &'a GameTree) -> Self {
        let (tag, end) = (roster_tag(tree, "Result"), tree.terminator.as_ref());
        let in_tag = tag.and_then(|tag| read_result(&tag.value));
        let at_end = end.and_then(|end| read_result(&end.text));
        Self { tag, end, in_tag, at_end }
    }

    /// The span of diagnostics about the result: the terminator, or else the tag.
    fn span(&self) -> Option<Span> {
        self.end.map(|end| end.span).or(self.tag.map(|tag| tag.span))
    }

    /// The span of the result itself.
    fn result_span(&self) -> Option<Span> {
        if self.at_end.is_some() { self.span() } else { self.tag.map(|tag| tag.span) }
    }

    fn mismatch(&self) -> Option<Diagnostic> {
        let (tag, end) = (self.tag?, self.end?);
        let differs = self.in_tag? != self.at_end?;
        differs.then(|| messages::result_mismatch(end.span, &tag.value, &end.text))
    }

    fn against_board(
        &self,
        board: Option<Outcome>,
        winner: Option<Outcome>,
        drawn: Option<&DrawEvent>,
    ) -> Option<Diagnostic> {
        match (board?, winner?) {
            (board, winner) if board == winner => None,
            (Outcome::Win(side), Outcome::Win(other)) => {
                Some(messages::result_of_other_side(self.span()?, side.to_string(), other.to_string()))
            }
            (Outcome::Win(side), Outcome::Draw) => Some(messages::result_is_draw(self.span()?, side.to_string())),
            (Outcome::Draw, Outcome::Win(side)) => {
                let DrawEvent { name, article, .. } = drawn?;
                Some(messages::result_of_drawn_game(self.span()?, *name, *article, side.to_string()))
            }
            (Outcome::Draw, Outcome::Draw) => None,
        }
    }
}
