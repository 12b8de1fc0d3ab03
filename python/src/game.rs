//! Games.

use std::sync::Arc;

use pdn::board::Side;
use pdn::canon::{FormatOptions, canonical_tree, repair, write_canonical};
use pdn::check::{Around, Review};
use pdn::export::{annotated_pdn, plain_pdn, write_json_game, write_pdn};
use pdn::records::{Annotation, GameRow, Origin, annotate_row, game_row};
use pdn::{LineId, Terminator, parse_commands, text_without_commands};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::Board;
use crate::diagnostic::Diagnostic;
use crate::node::Node;
use crate::values::Outcome;
use crate::variant::Variant;

/// A game with everything that belongs to it.
#[derive(Clone)]
pub(crate) struct GameData {
    pub(crate) review: Review,
    pub(crate) around: Around,
    pub(crate) file: Arc<str>,
    pub(crate) offset: u64,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) annotations: Vec<Annotation>,
    /// The value of the tag `Annotator`, if the game has been annotated.
    pub(crate) annotator: String,
    /// True if the annotations are written without commands.
    pub(crate) plain: bool,
}

impl GameData {
    /// Returns the game as a row.
    pub(crate) fn row(&self) -> GameRow<'_> {
        let origin = Origin { file: &self.file, game: self.review.number(), offset: self.offset };
        let diagnostics = self.diagnostics.iter().map(|diagnostic| diagnostic.0.clone()).collect();
        let mut row = game_row(&self.review, origin, diagnostics);
        row.add_around(&self.around);
        if !self.annotator.is_empty() {
            annotate_row(&mut row, self.review.game(), &self.annotations);
        }
        row
    }

    /// Returns the game as a row, with the judgements that follow from its evaluations.
    pub(crate) fn assessed_row(&self) -> GameRow<'_> {
        let mut row = self.row();
        if self.annotator.is_empty() {
            row.assess();
        }
        row
    }

    /// Returns the annotation of a move.
    pub(crate) fn annotation(&self, node: pdn::NodeId) -> Option<&Annotation> {
        self.annotations.iter().find(|annotation| annotation.node == node)
    }
}

/// A game: tags, moves, variations, positions and diagnostics.
///
/// >>> import pdn
/// >>> game, = pdn.read_games(b'[White "A"] [GameType "20"] 1. 32-28 {solid} (1. 31-27) 19-23 *')
/// >>> game.tags["White"], game.variant.name, game.plies
/// ('A', 'international', 2)
/// >>> [node.notation for node in game.main_line]
/// ['32-28', '19-23']
/// >>> first = game.main_line[0]
/// >>> first.comment, first.variations[0][0].notation
/// ('solid', '31-27')
/// >>> game.end().fen() == game.main_line[-1].board().fen()
/// True
#[pyclass(frozen, module = "pdn", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) Arc<GameData>);

#[pymethods]
impl Game {
    /// The file name as given.
    #[getter]
    fn file(&self) -> &str {
        &self.0.file
    }

    /// The number of the game in the file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.0.review.number()
    }

    /// The offset of the game's first byte in the decompressed file, from 0.
    #[getter]
    fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The tags in order. A name that occurs more than once has its first value.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for tag in self.0.review.game().tree().tags() {
            if !tags.contains(tag.name())? {
                tags.set_item(tag.name(), tag.value())?;
            }
        }
        Ok(tags)
    }

    /// The variant, or ``None`` if it is unknown.
    #[getter]
    fn variant(&self) -> Option<Variant> {
        self.0.review.game().variant().map(Variant)
    }

    /// The moves of the main line.
    #[getter]
    fn main_line(&self) -> Vec<Node> {
        Node::line(&self.0, LineId::MAIN)
    }

    /// The variations of a main line without moves; all other variations belong to a move.
    #[getter]
    fn variations(&self) -> Vec<Vec<Node>> {
        let tree = self.0.review.game().tree();
        let lines = tree.main_line().intro().iter().filter_map(pdn::Attachment::variation);
        lines.map(|line| Node::line(&self.0, line)).collect()
    }

    /// The comments before the first move, without commands such as ``[%clk …]``, or ``None``.
    #[getter]
    fn comment(&self) -> Option<String> {
        let text = self.0.row().comment?;
        let text = if parse_commands(&text).is_empty() { text.into_owned() } else { text_without_commands(&text) };
        (!text.is_empty()).then_some(text)
    }

    /// The number of legal moves in the main line.
    #[getter]
    fn plies(&self) -> usize {
        self.0.review.game().plies_played()
    }

    /// True if the main line is legal to its end.
    #[getter]
    fn is_legal(&self) -> bool {
        self.0.review.game().is_legal()
    }

    /// The diagnostics, in text order.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.0.diagnostics.clone()
    }

    /// True if any diagnostic is an error.
    #[getter]
    fn has_errors(&self) -> bool {
        self.0.review.has_errors()
    }

    /// The result as written: the Result tag, or else the end of the moves; ``"*"`` if there is none.
    #[getter]
    fn result(&self) -> String {
        let tree = self.0.review.game().tree();
        tree.tag("Result").or(tree.terminator().map(Terminator::text)).unwrap_or("*").to_owned()
    }

    /// The winner according to the written result: ``True`` for White, ``False`` for Black, ``None`` if drawn or unknown.
    #[getter]
    fn winner(&self) -> Option<bool> {
        match self.0.row().result.winner {
            Some("W") => Some(true),
            Some("B") => Some(false),
            _ => None,
        }
    }

    /// Returns the board before the first move, or ``None`` if the variant or position is unknown.
    fn board(&self) -> Option<Board> {
        self.0.review.game().start().copied().map(Board::of)
    }

    /// Returns the last known position of the main line, or ``None``.
    fn end(&self) -> Option<Board> {
        self.0.review.game().final_position().copied().map(Board::of)
    }

    /// Returns the positions of the main line: the start, and the position after each legal move.
    fn positions(&self) -> Vec<Board> {
        let game = self.0.review.game();
        let after = game.main_line().filter_map(|(_, ply)| ply.after());
        game.start().into_iter().chain(after).copied().map(Board::of).collect()
    }

    /// Returns how the game ended on the board, or ``None`` if it did not.
    fn outcome(&self) -> Option<Outcome> {
        let position = self.0.review.game().final_position().filter(|position| position.is_game_over())?;
        Some(Outcome::new(position.winner(), "no-moves", position.variant()))
    }

    /// Returns the accuracy of a side, from 0 to 100, if the game has been annotated.
    fn accuracy(&self, color: bool) -> Option<f64> {
        let row = self.0.row();
        let side = if color { Side::White } else { Side::Black };
        row.performance?.side(side).all.accuracy
    }

    /// Returns the game as one line of JSON, as ``pdn convert --to jsonl`` writes it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            write_json_game(&mut bytes, self.0.row());
            bytes
        });
        Ok(String::from_utf8(bytes)?)
    }

    /// Returns the game as a dictionary, with the field names of ``pdn convert --to jsonl``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(py)?,))
    }

    /// Returns the game as PDN, with its annotations if it has been annotated.
    fn to_pdn(&self) -> String {
        let game = self.0.review.game();
        if self.0.annotator.is_empty() {
            return write_pdn(game);
        }
        let write = if self.0.plain { plain_pdn } else { annotated_pdn };
        write(game, &self.0.annotations, &self.0.annotator)
    }

    /// Returns the game in canonical form. With ``fix``, anything that can mean only one thing is repaired.
    #[pyo3(signature = (*, fix=false))]
    fn fmt(&self, fix: bool) -> String {
        let (game, options) = (self.0.review.game(), FormatOptions::default());
        let tree = if fix {
            canonical_tree(&repair(game.tree().clone(), game.options()).0, &options)
        } else {
            canonical_tree(game, &options)
        };
        write_canonical(&tree, &options)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.end()?.svg(false, true, Vec::new()).ok()
    }

    fn __str__(&self) -> String {
        self.to_pdn()
    }

    fn __repr__(&self) -> String {
        let tag = |name| self.0.review.game().tree().tag(name).unwrap_or("?").to_owned();
        format!("<Game {}: {} - {} {}>", self.number(), tag("White"), tag("Black"), self.result())
    }
}
