//! The moves of a game.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pdn::edit::{Change, MoveKey};
use pdn::replay::Ply;
use pdn::{
    Attachment, Command, LineId, Node as Written, NodeId, NodeKind, Time, parse_commands, text_without_commands,
};
use pyo3::prelude::*;

use crate::analysis::{Evaluation, Line};
use crate::board::{AnyMove, Board, Moves};
use crate::data::{GameData, Shared};
use crate::editing::{Place, before, board_after, line_of, parent_move};
use crate::errors::ArgumentError;
use crate::game::Game;
use crate::moves::Move;
use crate::numbers::{Nags, Seconds};
use crate::values::{duration, is_white};

/// A move of a game, legal or not.
///
/// Changes of a node are changes of its game; a refused one raises :exc:`EditError` and leaves the game unchanged.
#[pyclass(frozen, module = "pdn")]
#[derive(Clone)]
pub(crate) struct Node {
    game: Arc<Shared>,
    key: MoveKey,
}

impl Node {
    pub(crate) const fn new(game: Arc<Shared>, key: MoveKey) -> Self {
        Self { game, key }
    }

    /// Returns the moves of a line.
    pub(crate) fn line(game: &Arc<Shared>, data: &GameData, line: LineId) -> Vec<Self> {
        let node = |id| Self { game: Arc::clone(game), key: data.game.key(id) };
        data.played().moves_of(line).map(node).collect()
    }

    fn place(&self) -> Place<'_> {
        Place::of(&self.game, self.key)
    }

    /// Returns something of the game and the place of the move in it.
    fn get<T>(&self, get: impl FnOnce(&GameData, NodeId) -> T) -> PyResult<T> {
        let data = self.game.data();
        let id = self.place().id(&data)?;
        Ok(get(&data, id))
    }

    fn of_ply<T>(&self, get: impl FnOnce(Ply<'_>) -> Option<T>) -> PyResult<Option<T>> {
        self.get(|data, id| get(data.played().ply(id)?))
    }

    /// Returns true if the move is the first one of its line.
    pub(crate) fn begins_line(&self) -> PyResult<bool> {
        self.get(|data, id| data.played().tree().lines().iter().any(|line| line.nodes().first() == Some(&id)))
    }

    /// Makes a change at the move.
    fn edit(&self, change: impl FnOnce(String) -> Change) -> PyResult<()> {
        let at = self.place().address(&self.game.data())?;
        self.game.edit(&[change(at)]).map(drop)
    }
}

fn comments(node: &Written) -> impl Iterator<Item = &str> {
    node.attachments().iter().filter_map(|attachment| match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => Some(text.as_str()),
        _ => None,
    })
}

#[pymethods]
impl Node {
    /// The move as written.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.get(|data, id| match data.played().tree().node(id).kind() {
            NodeKind::Move(text) => text.to_string(),
            _ => "--".to_owned(),
        })
    }

    /// The move, or ``None`` for null moves and illegal moves.
    #[getter]
    fn r#move(&self) -> PyResult<Option<Move>> {
        self.of_ply(|ply| Some(Move::new(*ply.played()?, ply.before()?)))
    }

    /// The move in standard notation, or ``None``.
    #[getter]
    fn notation(&self) -> PyResult<Option<String>> {
        self.get(|data, id| data.played().notation(id))
    }

    /// The number of the move in its line, from 1. A variation starts with the number of the move that it replaces.
    #[getter]
    fn ply(&self) -> PyResult<u32> {
        Ok(self.of_ply(|ply| Some(ply.number()))?.unwrap_or_default())
    }

    /// The side that moves.
    #[getter]
    fn turn(&self) -> PyResult<Option<bool>> {
        self.of_ply(|ply| Some(is_white(ply.side())))
    }

    /// True if the move is legal.
    #[getter]
    fn is_legal(&self) -> PyResult<bool> {
        Ok(self.of_ply(|ply| Some(ply.is_played()))?.unwrap_or_default())
    }

    /// The game.
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Game>> {
        Game::object(py, &self.game)
    }

    /// The move before it, or the game for a first move. The move before a variation is that before the move it replaces.
    #[getter]
    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let before = self.get(|data, id| before(data.played().tree(), id).map(|id| data.game.key(id)))?;
        Ok(match before {
            Some(key) => Bound::new(py, Self::new(Arc::clone(&self.game), key))?.into_any(),
            None => self.game(py)?.into_any(),
        })
    }

    /// Returns the next move of its line, or ``None``.
    fn next(&self) -> PyResult<Option<Self>> {
        let next = self.get(|data, id| {
            let tree = data.played().tree();
            let mut after = tree.line(line_of(tree, id)?).nodes().iter().skip_while(|&&other| other != id).skip(1);
            after.find(|&&id| tree.node(id).kind().is_written_move()).map(|&id| data.game.key(id))
        })?;
        Ok(next.map(|key| Self::new(Arc::clone(&self.game), key)))
    }

    /// The comments after the move, without commands such as ``[%clk …]``, or ``None``. Setting it keeps the commands; braces become
    /// parentheses, and line breaks become spaces.
    #[getter]
    fn comment(&self) -> PyResult<Option<String>> {
        self.get(|data, id| {
            let texts = comments(data.played().tree().node(id)).map(text_without_commands);
            let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
            (!texts.is_empty()).then(|| texts.join(" "))
        })
    }

    #[setter]
    pub(crate) fn set_comment(&self, text: Option<String>) -> PyResult<()> {
        self.edit(|at| Change::Comment { at, text: text.unwrap_or_default(), before: false })
    }

    /// The numeric annotation glyphs; ``! ? !! ?? !? ?!`` are 1 to 6.
    #[getter]
    fn nags(&self) -> PyResult<Vec<u16>> {
        self.get(|data, id| pdn::records::nags(data.played().tree().node(id)))
    }

    #[setter]
    pub(crate) fn set_nags(&self, nags: Nags) -> PyResult<()> {
        let nags = nags.0.into_iter().map(|nag| nag.0).collect();
        self.edit(|at| Change::Nags { at, nags })
    }

    /// The time left on the clock of the side that moved, in seconds, or ``None``.
    #[getter]
    fn clock(&self) -> PyResult<Option<f64>> {
        self.get(|data, id| pdn::records::clock_after(data.played(), id))
    }

    #[setter]
    fn set_clock(&self, seconds: Option<Seconds>) -> PyResult<()> {
        let time = |seconds: Seconds| {
            let millis = u64::try_from(duration(seconds)?.as_millis());
            Ok::<_, PyErr>(Time(millis.map_err(|_| ArgumentError::new_err("the time is too long"))?).to_string())
        };
        let value = seconds.map(time).transpose()?;
        self.edit(|at| Change::Clock { at, value })
    }

    /// The time used for the move, in seconds, or else in the game so far, or ``None``.
    #[getter]
    fn elapsed(&self) -> PyResult<Option<f64>> {
        self.get(|data, id| pdn::records::elapsed_for(data.played().tree().node(id)))
    }

    /// The evaluation of the position after the move, from the analysis or else from the comments.
    #[getter]
    fn evaluation(&self) -> PyResult<Option<Evaluation>> {
        self.get(|data, id| {
            let made = data.annotation(id).map(|annotation| annotation.evaluation);
            let written = || {
                let mut commands = comments(data.played().tree().node(id)).flat_map(parse_commands);
                commands.find_map(|command| match command {
                    Command::Eval(evaluation) => Some(evaluation),
                    _ => None,
                })
            };
            made.or_else(written).map(Evaluation)
        })
    }

    #[setter]
    fn set_evaluation(&self, evaluation: Option<Evaluation>) -> PyResult<()> {
        let value = evaluation.map(|evaluation| evaluation.0.to_string());
        self.edit(|at| Change::Evaluation { at, value })
    }

    /// The annotation of the move by :func:`annotate`, or ``None``; the evaluations of the record are in :attr:`evaluation`.
    #[getter]
    fn annotation(&self) -> PyResult<Option<Annotation>> {
        self.get(|data, id| {
            let annotation = data.annotation(id)?;
            let before = data.played().ply(id)?.before()?;
            Some(Annotation {
                evaluation: Evaluation(annotation.evaluation),
                best_evaluation: Evaluation(annotation.best_evaluation),
                judgement: annotation.judgement.map(pdn::records::Judgement::name),
                best_line: Move::line(before, &annotation.best_line),
                lines: annotation.lines().iter().map(|line| Line::of(line, before)).collect(),
                expectation: [annotation.expectation.before, annotation.expectation.after]
                    .map(|n| f64::from(n) / 1000.0)
                    .into(),
                forced: annotation.forced,
            })
        })
    }

    /// The alternatives to the move.
    #[getter]
    fn variations(&self) -> PyResult<Vec<Vec<Self>>> {
        self.get(|data, id| {
            let lines = data.played().tree().variations(id);
            lines.map(|line| Self::line(&self.game, data, line)).collect()
        })
    }

    /// Adds a move after this one, given as it is or as text, and returns its node: the next one of the line, or else the first one
    /// of a variation, which is then among the alternatives to the next one. Raises :exc:`IllegalMoveError` with the reason if the
    /// move is illegal.
    #[pyo3(signature = (r#move, *, comment=None, nags=Nags::default()))]
    fn add_variation(&self, r#move: AnyMove, comment: Option<String>, nags: Nags) -> PyResult<Self> {
        self.place().add(vec![r#move], comment, nags)
    }

    /// Adds a move as :meth:`add_variation` does, and makes it the next one of the line.
    #[pyo3(signature = (r#move, *, comment=None, nags=Nags::default()))]
    fn add_main_variation(&self, r#move: AnyMove, comment: Option<String>, nags: Nags) -> PyResult<Self> {
        self.place().add_main(r#move, comment, nags)
    }

    /// Adds moves after this one, and returns the node of the last one, which the comment and the glyphs are of.
    #[pyo3(signature = (moves, *, comment=None, nags=Nags::default()))]
    fn add_line(&self, moves: Moves, comment: Option<String>, nags: Nags) -> PyResult<Self> {
        self.place().add(moves.0, comment, nags)
    }

    /// Moves the variation of the node one up among the alternatives; the first one changes places with the line around it. Has no
    /// effect in the main line.
    fn promote(&self) -> PyResult<()> {
        if self.get(|data, id| parent_move(data.played().tree(), id).is_some())? {
            self.edit(|at| Change::MoveUp { at })?;
        }
        Ok(())
    }

    /// Makes the variation of the node the line that it is an alternative to. Has no effect in the main line.
    pub(crate) fn promote_to_main(&self) -> PyResult<()> {
        if self.get(|data, id| parent_move(data.played().tree(), id).is_some())? {
            self.edit(|at| Change::Promote { at })?;
        }
        Ok(())
    }

    /// Makes the first alternative to the move the line, and the move with its line the alternative; without alternatives, moves the
    /// variation of the node one down. Has no effect if there is nothing to change places with.
    fn demote(&self) -> PyResult<()> {
        let other = self.get(|data, id| {
            let tree = data.played().tree();
            let below = || {
                let (own, parent) = (line_of(tree, id)?, parent_move(tree, id)?);
                tree.variations(parent).skip_while(|&line| line != own).nth(1)
            };
            let line = tree.variations(id).next().or_else(below)?;
            data.played().moves_of(line).next().map(|id| data.game.key(id))
        })?;
        other.map_or(Ok(()), |key| Self::new(Arc::clone(&self.game), key).promote())
    }

    /// Removes the move with all that follow in its line; with the first move of a variation, the variation. Nodes that were removed
    /// raise :exc:`EditError`.
    fn remove(&self) -> PyResult<()> {
        self.edit(|at| Change::Remove { at })
    }

    /// Returns the position after the move with the moves that led to it, or ``None`` if it is unknown.
    pub(crate) fn board(&self) -> PyResult<Option<Board>> {
        self.get(board_after)
    }

    /// Returns the position before the move with the moves that led to it, or ``None`` if it is unknown.
    fn board_before(&self) -> PyResult<Option<Board>> {
        self.get(|data, id| {
            let ply = data.played().ply(id)?;
            let position = *ply.before()?;
            let of_move = || board_after(data, id).filter(|_| ply.is_played())?.before_last();
            let of_last = || board_after(data, before(data.played().tree(), id)?);
            let found = of_move().or_else(of_last).filter(|board| board.position == position);
            Some(found.unwrap_or_else(|| Board::of(position)))
        })
    }

    /// Two objects are equal if they are the same move of the same game.
    fn __eq__(&self, other: &Self) -> bool {
        self.key == other.key && Arc::ptr_eq(&self.game, &other.game)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (Arc::as_ptr(&self.game).addr(), self.key).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let restore = slf.py().import("pdn._restore")?.getattr("node")?;
        let number = slf.get().get(|_, id| id.index() as u32)?;
        Ok((restore, (slf.get().game(slf.py())?, number)))
    }

    fn __str__(&self) -> PyResult<String> {
        self.notation()?.map_or_else(|| self.text(), Ok)
    }

    fn __repr__(&self) -> PyResult<String> {
        let Ok(ply) = self.ply() else { return Ok("<Node removed>".to_owned()) };
        Ok(format!("<Node {ply} {}>", self.__str__()?))
    }
}

/// The function that restores a move, and its game and number.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, Game>, u32));

/// Returns the move of a game with a number in its text.
#[pyfunction]
pub(crate) fn restore_node(game: &Game, number: u32) -> PyResult<Node> {
    let data = game.data();
    let id = NodeId::new(number);
    if data.played().tree().nodes().len() <= number as usize {
        return Err(ArgumentError::new_err("the game has no such move"));
    }
    Ok(Node::new(Arc::clone(&game.0), data.game.key(id)))
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
