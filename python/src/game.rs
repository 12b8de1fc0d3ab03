//! Games.

use std::sync::Arc;

use pdn::board::Side;
use pdn::canon::{FormatOptions, canonical_tree, repaired, write_canonical};
use pdn::check::CheckOptions;
use pdn::edit::{Change, EditableGame};
use pdn::export::write_json_game;
use pdn::notation::{GameRecord, GameType, Outcome as Written};
use pdn::records::opening_text;
use pdn::replay::ReplayOptions;
use pdn::rules::{Position, Variant as Rules};
use pdn::text::Encoding;
use pdn::{LineId, parse_commands, text_without_commands};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;

use crate::board::{AnyMove, Board, Moves};
use crate::data::{GameData, Shared, place};
use crate::diagnostic::Diagnostic;
use crate::editing::Place;
use crate::errors::{ArgumentError, PdnError, wrong_type};
use crate::node::Node;
use crate::numbers::Nags;
use crate::values::{Outcome, is_white};
use crate::variant::{AnyVariant, Variant, optional, variant_named};

/// A game: tags, moves, variations, positions and diagnostics.
///
/// A game that was read or made can be changed. A refused change raises :exc:`EditError`, and leaves it as it was.
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
#[pyclass(frozen, weakref, module = "pdn", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) Arc<Shared>);

impl Game {
    /// Makes changes of tags, or none of them.
    fn change_tags(&self, changes: impl Iterator<Item = Change>) -> PyResult<()> {
        self.0.all_or_nothing(|| changes.map(|change| self.0.edit(&[change])).try_for_each(|done| done.map(drop)))
    }

    /// Returns a game as a Python object.
    pub(crate) fn of(data: GameData) -> Self {
        Self(Arc::new(Shared::new(Arc::new(data))))
    }

    /// Returns the Python object of a game, the same one as long as there is one: nodes pickled or copied together with their
    /// game belong to the new game.
    pub(crate) fn object<'py>(py: Python<'py>, game: &Arc<Shared>) -> PyResult<Bound<'py, Self>> {
        if let Some(object) = game.object(py)? {
            return Ok(object);
        }
        let object = Bound::new(py, Self(Arc::clone(game)))?;
        game.set_object(&object)?;
        Ok(object)
    }

    /// Returns the game of a Python object, which is that of the nodes to come.
    fn with_nodes<'a>(slf: &'a Bound<'_, Self>) -> PyResult<&'a Arc<Shared>> {
        let game = &slf.get().0;
        if game.object(slf.py())?.is_none() {
            game.set_object(slf)?;
        }
        Ok(game)
    }

    /// Returns the game as it is now.
    pub(crate) fn data(&self) -> Arc<GameData> {
        self.0.data()
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (tags=None, *, variant=None))]
    fn new(tags: Option<&Bound<'_, PyAny>>, variant: Option<AnyVariant>) -> PyResult<Self> {
        let tags = tags.map(|tags| -> PyResult<Vec<(String, String)>> {
            let items = tags.call_method0("items").map_err(|_| wrong_type("a mapping of names to values", tags))?;
            items.try_iter()?.map(|tag| tag?.extract()).collect()
        });
        let tags = tags.transpose()?.unwrap_or_default();
        let tag = |wanted: &'static str| tags.iter().find(|(name, _)| name == wanted).map(|(_, value)| (wanted, value));
        let of_type = tag("GameType").and_then(|tag| Some((tag, tag.1.parse::<GameType>().ok()?.variant()?)));
        let tagged = of_type.or_else(|| tag("Variant").and_then(|tag| Some((tag, tag.1.parse::<Rules>().ok()?))));
        let given = optional(variant)?;
        if let (Some(given), Some(((name, value), tagged))) = (given, tagged)
            && given != tagged
        {
            let (given, tagged) = (given.name(), tagged.name());
            return Err(ArgumentError::new_err(format!("{name} {value} is {tagged}, but variant is {given}")));
        }
        let variant = given.or(tagged.map(|(_, variant)| variant)).unwrap_or(Rules::INTERNATIONAL);
        let game = Self::of(GameData::alone(EditableGame::new(&GameRecord::new(Position::start(variant), &[]))));
        let changes: Vec<_> = tags.into_iter().map(|(name, value)| Change::SetTag { name, value }).collect();
        game.0.edit(&changes)?;
        Ok(game)
    }

    /// Returns a game with the moves that led to a board, and its result if they end the game.
    ///
    /// >>> import pdn
    /// >>> board = pdn.Board()
    /// >>> for move in ("32-28", "19-23", "28x19"):
    /// ...     board.push(move)
    /// >>> [str(node) for node in pdn.Game.from_board(board).main_line]
    /// ['32-28', '19-23', '28x19']
    #[staticmethod]
    fn from_board(board: &Board) -> Self {
        let outcome = board.outcome(false).map(|outcome| outcome.of_notation());
        let moves = board.moves();
        let record = GameRecord::new(board.start(), &moves).outcome(outcome);
        Self::of(GameData::alone(EditableGame::new(&record)))
    }

    /// The file name as given; empty for a new game.
    #[getter]
    fn file(&self) -> String {
        self.data().file.to_string()
    }

    /// The number of the game in the file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.data().review().number()
    }

    /// The offset of the game's first byte in the decompressed file, from 0.
    #[getter]
    fn offset(&self) -> u64 {
        self.data().place.offset
    }

    /// The tags in order, as a mapping whose changes are changes of the game. A name that occurs more than once has its first value.
    ///
    /// >>> import pdn
    /// >>> game = pdn.Game({"White": "Ada"})
    /// >>> game.tags["Black"] = "Ben"
    /// >>> del game.tags["Site"]
    /// >>> print(game)
    /// [Event "?"]
    /// [Site "?"]
    /// [Date "????.??.??"]
    /// [Round "?"]
    /// [White "Ada"]
    /// [Black "Ben"]
    /// [Result "*"]
    /// [GameType "20,W,10,10,N2,0"]
    /// <BLANKLINE>
    /// *
    #[getter]
    fn tags<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static TAGS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = slf.py();
        let made = TAGS.get_or_try_init(py, || PyResult::Ok(py.import("pdn._tags")?.getattr("Tags")?.unbind()))?;
        made.bind(py).call1((slf,))
    }

    /// Returns the names of all tags, in order.
    fn _tag_names(&self) -> Vec<String> {
        self.data().played().tree().tags().iter().map(|tag| tag.name().to_owned()).collect()
    }

    /// Returns the value of the first tag of a name, or ``None``.
    fn _tag(&self, name: &str) -> Option<String> {
        self.data().played().tree().tag(name).map(str::to_owned)
    }

    /// Sets the first tag of each name, or changes none if one of them is refused.
    fn _set_tags(&self, tags: Vec<(String, String)>) -> PyResult<()> {
        self.change_tags(tags.into_iter().map(|(name, value)| Change::SetTag { name, value }))
    }

    /// Removes all tags of these names, or none if one of them is refused.
    fn _remove_tags(&self, names: Vec<String>) -> PyResult<()> {
        self.change_tags(names.into_iter().map(|name| Change::RemoveTag { name }))
    }

    /// The variant, or ``None`` if it is unknown.
    #[getter]
    fn variant(&self) -> Option<Variant> {
        self.data().played().variant().map(Variant)
    }

    /// The moves of the main line.
    #[getter]
    fn main_line(slf: &Bound<'_, Self>) -> PyResult<Vec<Node>> {
        let game = Self::with_nodes(slf)?;
        Ok(Node::line(game, &game.data(), LineId::MAIN))
    }

    /// The variations of a main line without moves; all other variations belong to a move.
    #[getter]
    fn variations(slf: &Bound<'_, Self>) -> PyResult<Vec<Vec<Node>>> {
        let game = Self::with_nodes(slf)?;
        let data = game.data();
        let lines = data.played().tree().main_line().intro().iter().filter_map(pdn::Attachment::variation);
        Ok(lines.map(|line| Node::line(game, &data, line)).collect())
    }

    /// The comments before the first move, without commands such as ``[%clk …]``, or ``None``.
    #[getter]
    fn comment(&self) -> Option<String> {
        let data = self.data();
        let text = opening_text(data.played().tree())?;
        let text = if parse_commands(&text).is_empty() { text.into_owned() } else { text_without_commands(&text) };
        (!text.is_empty()).then_some(text)
    }

    #[setter]
    fn set_comment(&self, text: Option<String>) -> PyResult<()> {
        let (at, text) = ("0".to_owned(), text.unwrap_or_default());
        self.0.edit(&[Change::Comment { at, text, before: false }]).map(drop)
    }

    /// The number of legal moves in the main line.
    #[getter]
    fn plies(&self) -> usize {
        self.data().played().plies_played()
    }

    /// True if the main line is legal to its end.
    #[getter]
    fn is_legal(&self) -> bool {
        self.data().played().is_legal()
    }

    /// The diagnostics, in text order.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.data().diagnostics.clone()
    }

    /// True if any diagnostic is an error.
    #[getter]
    fn has_errors(&self) -> bool {
        self.data().review().has_errors()
    }

    /// The result as written: the Result tag, or else the end of the moves; ``"*"`` if there is none.
    #[getter]
    fn result(&self) -> String {
        let data = self.data();
        let tree = data.played().tree();
        tree.tag("Result").or(tree.terminator()).unwrap_or("*").to_owned()
    }

    /// Sets the result, in the tag if there is one and at the end of the moves.
    #[setter]
    fn set_result(&self, text: String) -> PyResult<()> {
        self.0.edit(&[Change::Result { text }]).map(drop)
    }

    /// The winner according to the written result: ``True`` for White, ``False`` for Black, ``None`` if drawn or unknown.
    #[getter]
    fn winner(&self) -> Option<bool> {
        match self.data().review().winner()? {
            Written::Win(side) => Some(is_white(side)),
            Written::Draw => None,
        }
    }

    /// Returns the board before the first move, or ``None`` if the variant or position is unknown.
    pub(crate) fn board(&self) -> Option<Board> {
        self.data().played().start().copied().map(Board::of)
    }

    /// Returns the last known position of the main line with the moves that led to it, or ``None``.
    fn end(&self) -> Option<Board> {
        let data = self.data();
        let last = data.played().final_position()?;
        let board = data.main_boards().last().map(|(_, board)| board.clone());
        Some(board.filter(|board| board.position == *last).unwrap_or_else(|| Board::of(*last)))
    }

    /// Returns the positions of the main line: the start, and the position after each legal move.
    fn positions(&self) -> Vec<Board> {
        let data = self.data();
        let after = data.main_boards().iter().map(|(_, board)| board.clone());
        data.played().start().copied().map(Board::of).into_iter().chain(after).collect()
    }

    /// Returns the first move of the main line, or ``None``.
    fn next(slf: &Bound<'_, Self>) -> PyResult<Option<Node>> {
        Ok(Self::main_line(slf)?.into_iter().next())
    }

    /// Adds a first move, given as it is or as text, and returns its node: the first one of the main line, or else of a variation.
    ///
    /// >>> import pdn
    /// >>> game = pdn.Game()
    /// >>> node = game.add_variation("32-28", comment="classical", nags=[1])
    /// >>> node.add_line(["19-23", "28x19"]).text
    /// '28x19'
    /// >>> node.add_variation("18-22").evaluation = pdn.Evaluation(12)
    /// >>> str(game).splitlines()[-1]
    /// '1. 32-28! {classical} 1... 19-23 (1... 18-22 {[%eval 0.12]}) 2. 28x19 *'
    #[pyo3(signature = (r#move, *, comment=None, nags=Nags::default()))]
    fn add_variation(slf: &Bound<'_, Self>, r#move: AnyMove, comment: Option<String>, nags: Nags) -> PyResult<Node> {
        Place::start(Self::with_nodes(slf)?).add(vec![r#move], comment, nags)
    }

    /// Adds a first move as :meth:`add_variation` does, and makes it the main line.
    #[pyo3(signature = (r#move, *, comment=None, nags=Nags::default()))]
    fn add_main_variation(
        slf: &Bound<'_, Self>,
        r#move: AnyMove,
        comment: Option<String>,
        nags: Nags,
    ) -> PyResult<Node> {
        Place::start(Self::with_nodes(slf)?).add_main(r#move, comment, nags)
    }

    /// Adds moves from the start, as the main line or as a variation, and returns the node of the last one, which the comment and
    /// the glyphs are of.
    #[pyo3(signature = (moves, *, comment=None, nags=Nags::default()))]
    fn add_line(slf: &Bound<'_, Self>, moves: Moves, comment: Option<String>, nags: Nags) -> PyResult<Node> {
        Place::start(Self::with_nodes(slf)?).add(moves.0, comment, nags)
    }

    /// Returns how the game ended on the board, or ``None`` if it did not. With ``claim_draw``, draws that a player must claim
    /// count too.
    #[pyo3(signature = (*, claim_draw=false))]
    fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        self.end()?.outcome(claim_draw)
    }

    /// Returns the accuracy of a side, from 0 to 100, if its moves have evaluations: those of :func:`annotate`, or else those of the record.
    fn accuracy(&self, color: bool) -> Option<f64> {
        let data = self.data();
        let row = data.assessed_row();
        let side = if color { Side::White } else { Side::Black };
        row.performance?.sides[side.index()].all.accuracy
    }

    /// Returns the game as one line of JSON, as ``pdn convert --to jsonl`` writes it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            write_json_game(&mut bytes, self.data().assessed_row());
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
        self.data().pdn()
    }

    /// Returns the bytes of the game as they were read, with only the changes that were made. A game of another format is written
    /// in PDN, and UTF-16 becomes UTF-8. Annotations of :func:`annotate` are not in it.
    ///
    /// >>> import pdn
    /// >>> game, = pdn.read_games(b'[White "A"]\r\n\r\n1.32-28  19-23 *')
    /// >>> game.main_line[1].comment = "natural"
    /// >>> game.source()
    /// b'[White "A"]\r\n\r\n1.32-28  19-23 {natural} *'
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.data().game.text())
    }

    /// Returns the game in canonical form. With ``fix``, anything that can mean only one thing is repaired.
    #[pyo3(signature = (*, fix=false))]
    fn fmt(&self, fix: bool) -> String {
        let (data, options) = (self.data(), FormatOptions::default());
        let game = data.played();
        let tree = if fix {
            canonical_tree(&repaired(game.tree().clone(), game.options()), &options)
        } else {
            canonical_tree(game, &options)
        };
        write_canonical(&tree, &options)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.end()?.svg(false, true, Vec::new()).ok()
    }

    fn __str__(&self) -> String {
        self.to_pdn().trim_end().to_owned()
    }

    /// Two objects are equal if they are the same game, not if they have the same moves.
    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    fn __copy__(&self) -> Self {
        Self(Arc::new(Shared::new(self.data())))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored<'py>)> {
        let (restore, data) = (slf.py().import("pdn._restore")?.getattr("game")?, Self::with_nodes(slf)?.data());
        if data.annotated.is_some() {
            return Err(PdnError::new_err("an annotated game cannot be pickled; its PDN has the evaluations"));
        }
        let game = data.played();
        let variant = game.variant().filter(|_| game.is_inferred() || game.options().variant.is_some());
        let text = PyBytes::new(slf.py(), data.game.text());
        let start = data.place;
        let place = (data.file.to_string(), data.review().number(), (start.offset, start.line, start.column));
        Ok((restore, (text, variant.map(Rules::name), game.tree().encoding().to_string(), place)))
    }

    fn __repr__(&self) -> String {
        let data = self.data();
        let tag = |name| data.played().tree().tag(name).unwrap_or("?");
        format!("<Game {}: {} - {} {}>", self.number(), tag("White"), tag("Black"), self.result())
    }
}

/// The file of a game, its number there, and the offset, the line and the column of its first byte.
type Origin = (String, u64, (u64, u64, u64));

/// The text of a game, its variant unless the text shows it, its encoding, and its place in its file.
type Restored<'py> = (Bound<'py, PyBytes>, Option<&'static str>, String, Origin);

/// Returns the game with this text.
#[pyfunction]
pub(crate) fn restore_game(text: Vec<u8>, variant: Option<&str>, encoding: &str, origin: Origin) -> PyResult<Game> {
    let (file, number, (offset, line, column)) = origin;
    let mut options = CheckOptions::default();
    options.replay = ReplayOptions::of(variant.map(variant_named).transpose()?);
    options.encoding = Some(encoding.parse::<Encoding>().map_err(|error| ArgumentError::new_err(error.to_string()))?);
    let game =
        EditableGame::read(text, options, number).ok_or_else(|| ArgumentError::new_err("no game in the text"))?;
    Ok(Game::of(GameData::at(place(offset, line, column), game, file.into())))
}
