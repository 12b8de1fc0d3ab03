//! The moves of a game.

use std::sync::Arc;

use pdn::replay::Ply;
use pdn::{Attachment, Command, LineId, Node as Written, NodeId, NodeKind, parse_commands, text_without_commands};
use pyo3::prelude::*;

use crate::analysis::{Evaluation, Line};
use crate::board::Board;
use crate::game::GameData;
use crate::moves::Move;
use crate::values::is_white;

/// A move of a game, legal or not.
#[pyclass(frozen, module = "pdn")]
#[derive(Clone)]
pub(crate) struct Node {
    game: Arc<GameData>,
    id: NodeId,
}

impl Node {
    /// Returns the moves of a line.
    pub(crate) fn line(game: &Arc<GameData>, line: LineId) -> Vec<Self> {
        let node = |id| Self { game: Arc::clone(game), id };
        game.review.game().moves_of(line).map(node).collect()
    }

    fn written_node(&self) -> &Written {
        self.game.review.game().tree().node(self.id)
    }

    fn of_ply<'a, T>(&'a self, get: impl FnOnce(Ply<'a>) -> Option<T>) -> Option<T> {
        get(self.game.review.game().ply(self.id)?)
    }

    fn comments(&self) -> impl Iterator<Item = &str> {
        self.written_node().attachments().iter().filter_map(|attachment| match attachment {
            Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    fn command<T>(&self, get: impl Fn(&Command) -> Option<T>) -> Option<T> {
        self.comments().flat_map(parse_commands).find_map(|command| get(&command))
    }
}

#[pymethods]
impl Node {
    /// The move as written.
    #[getter]
    fn text(&self) -> String {
        match self.written_node().kind() {
            NodeKind::Move(text) => text.to_string(),
            _ => "--".to_owned(),
        }
    }

    /// The move, or ``None`` for null moves and illegal moves.
    #[getter]
    fn r#move(&self) -> Option<Move> {
        let game = self.game.review.game();
        Some(Move::new(game.played(self.id)?, game.variant()?))
    }

    /// The move in standard notation, or ``None``.
    #[getter]
    fn notation(&self) -> Option<String> {
        self.game.review.game().notation(self.id)
    }

    /// The number of the move in its line, from 1. A variation starts with the number of the move that it replaces.
    #[getter]
    fn ply(&self) -> u32 {
        self.of_ply(|ply| Some(ply.number())).unwrap_or_default()
    }

    /// The side that moves.
    #[getter]
    fn turn(&self) -> Option<bool> {
        self.of_ply(|ply| Some(is_white(ply.side())))
    }

    /// True if the move is legal.
    #[getter]
    fn is_legal(&self) -> bool {
        self.of_ply(|ply| Some(ply.is_played())).unwrap_or_default()
    }

    /// The comments after the move, without commands such as ``[%clk …]``, or ``None``.
    #[getter]
    fn comment(&self) -> Option<String> {
        let texts: Vec<_> = self.comments().map(text_without_commands).filter(|text| !text.is_empty()).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// The numeric annotation glyphs; ``! ? !! ?? !? ?!`` are 1 to 6.
    #[getter]
    fn nags(&self) -> Vec<u16> {
        pdn::records::nags(self.written_node())
    }

    /// The time left on the clock of the side that moved, in seconds, or ``None``.
    #[getter]
    fn clock(&self) -> Option<f64> {
        pdn::records::clock_after(self.game.review.game(), self.id)
    }

    /// The time used for the move, in seconds, or else in the game so far, or ``None``.
    #[getter]
    fn elapsed(&self) -> Option<f64> {
        pdn::records::elapsed_for(self.written_node())
    }

    /// The evaluation of the position after the move, from the analysis or else from the comments.
    #[getter]
    fn evaluation(&self) -> Option<Evaluation> {
        let made = self.game.annotation(self.id).map(|annotation| annotation.evaluation);
        let written = || {
            self.command(|command| match command {
                Command::Eval(evaluation) => Some(*evaluation),
                _ => None,
            })
        };
        made.or_else(written).map(Evaluation)
    }

    /// The annotation of the move, or ``None`` if the game has not been annotated.
    #[getter]
    fn annotation(&self) -> Option<Annotation> {
        let annotation = self.game.annotation(self.id)?;
        let variant = self.game.review.game().variant()?;
        Some(Annotation {
            evaluation: Evaluation(annotation.evaluation),
            best_evaluation: Evaluation(annotation.best_evaluation),
            judgement: annotation.judgement.map(pdn::records::Judgement::name),
            best_line: annotation.best_line.iter().map(|played| Move::new(*played, variant)).collect(),
            lines: annotation.lines().iter().map(|line| Line::of(line, variant)).collect(),
            expectation: [annotation.expectation.before, annotation.expectation.after]
                .map(|n| f64::from(n) / 1000.0)
                .into(),
            forced: annotation.forced,
        })
    }

    /// The alternatives to the move.
    #[getter]
    fn variations(&self) -> Vec<Vec<Self>> {
        let tree = self.game.review.game().tree();
        tree.variations(self.id).map(|line| Self::line(&self.game, line)).collect()
    }

    /// Returns the position after the move, or ``None`` if it is unknown.
    fn board(&self) -> Option<Board> {
        self.of_ply(Ply::after).copied().map(Board::of)
    }

    /// Returns the position before the move, or ``None`` if it is unknown.
    fn board_before(&self) -> Option<Board> {
        self.of_ply(Ply::before).copied().map(Board::of)
    }

    fn __str__(&self) -> String {
        self.notation().unwrap_or_else(|| self.text())
    }

    fn __repr__(&self) -> String {
        format!("<Node {} {}>", self.ply(), self.__str__())
    }
}

/// The annotation of a move.
#[pyclass(frozen, get_all, module = "pdn")]
pub(crate) struct Annotation {
    /// The evaluation of the position after the move.
    evaluation: Evaluation,
    /// The evaluation of the position before the move.
    best_evaluation: Evaluation,
    /// ``"inaccuracy"``, ``"mistake"``, ``"blunder"`` or ``None``.
    judgement: Option<&'static str>,
    /// The best line instead of the move, if the move is judged.
    best_line: Vec<Move>,
    /// The best lines from the position before the move, best first, if several were requested.
    lines: Vec<Line>,
    /// The expected score of the side that moves, from 0 to 1, before and after the move.
    expectation: (f64, f64),
    /// True if there was no other legal move.
    forced: bool,
}
