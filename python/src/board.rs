//! Boards.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use pdn::MoveText;
use pdn::NodeId;
use pdn::board::{Piece, Side, Square};
use pdn::check::draw_of_line;
use pdn::link::read_move;
use pdn::notation::{Numbering, resolve};
use pdn::replay::ReplayedGame;
use pdn::report::{BoardView, board_svg, board_text};
use pdn::rules::{Counting, Move as Played, Position, Variant as Rules, perft};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::{AmbiguousMoveError, ArgumentError, FenError, IllegalMoveError, InvalidMoveError, wrong_type};
use crate::interrupt::interruptible;
use crate::moves::Move;
use crate::numbers::{PerftDepth, SquareNumber, list};
use crate::tensors::tensor;
use crate::values::{Outcome, is_white};
use crate::variant::{AnyVariant, Variant, optional, variant_named};

/// The king of White and that of Black whose consecutive moves the rules count: its square, and the number of these moves.
type KingRuns = [Option<(u8, u8)>; 2];

/// A function that restores a board; the FEN, variant and moves of the board, and the king moves before them.
type Restored<'py> = (Bound<'py, PyAny>, (String, String, Vec<String>, KingRuns));

/// A position and the moves that led to it.
///
/// >>> import pdn
/// >>> board = pdn.Board()
/// >>> len(board.legal_moves), board.turn == pdn.WHITE
/// (9, True)
/// >>> board.push("32-28")
/// >>> board.push_move("19-23")
/// <Move 19-23>
/// >>> board.fen()[:5], board.pop()
/// ('W:W28', <Move 19-23>)
/// >>> pdn.Board("W:Wc3,e3:Bd4", variant="russian").legal_moves
/// [<Move c3:e5>, <Move e3:c5>]
#[pyclass(module = "pdn", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) position: Position,
    /// Moves, each with the position before it. The boards of a game share them.
    played: Arc<Vec<(Position, Played)>>,
    /// Those of them that led to the position.
    history: Range<usize>,
}

/// The boards after the nodes of a line, each with the moves that led to it from the start or the last position that was set up.
pub(crate) fn boards_of(game: &ReplayedGame, path: impl IntoIterator<Item = NodeId>) -> Vec<(NodeId, Board)> {
    let (mut played, mut places) = (Vec::new(), Vec::new());
    let (mut from, mut last) = (0, game.start().copied());
    for id in path {
        let Some(ply) = game.ply(id) else { continue };
        let Some(after) = ply.after() else { continue };
        if ply.before().copied() != last || ply.played().is_none() && last.as_ref() != Some(after) {
            from = played.len();
        }
        if let Some((before, step)) = ply.before().zip(ply.played()) {
            played.push((*before, *step));
        }
        last = Some(*after);
        places.push((id, *after, from..played.len()));
    }
    let played = Arc::new(played);
    let board = |(id, position, history)| (id, Board { position, played: Arc::clone(&played), history });
    places.into_iter().map(board).collect()
}

impl Board {
    pub(crate) fn of(position: Position) -> Self {
        Self { position, played: Arc::default(), history: 0..0 }
    }

    fn history(&self) -> &[(Position, Played)] {
        &self.played[self.history.clone()]
    }

    /// Returns the positions before the last one, oldest first.
    pub(crate) fn earlier(&self) -> Vec<Position> {
        self.history().iter().map(|(before, _)| *before).collect()
    }

    /// Returns the position before the first move.
    pub(crate) fn start(&self) -> Position {
        self.history().first().map_or(self.position, |(start, _)| *start)
    }

    /// Returns the moves that led to the position.
    pub(crate) fn moves(&self) -> Vec<Played> {
        self.history().iter().map(|(_, played)| *played).collect()
    }

    /// Returns the board before a move, if this one is after it.
    pub(crate) fn before_last(mut self) -> Option<Self> {
        self.take_back().map(|_| self)
    }

    fn take_back(&mut self) -> Option<Move> {
        let (before, played) = *self.history().last()?;
        self.history.end -= 1;
        self.position = before;
        Some(Move::new(played, &before))
    }

    fn square(&self, number: SquareNumber) -> PyResult<Square> {
        let square = Numbering::internal(self.position.variant()).square(number.0);
        square.ok_or_else(|| PyIndexError::new_err(format!("the board has no square {number}")))
    }

    fn names(&self) -> Numbering {
        Numbering::for_variant(self.position.variant())
    }

    pub(crate) fn play(&mut self, made: Move) -> PyResult<()> {
        let same = made.variant == self.position.variant();
        let after = same.then(|| self.position.play(&made.played)).flatten();
        let after = after.ok_or_else(|| self.illegal(&made))?;
        let step = (self.position, made.played);
        if let Some(played) = Arc::get_mut(&mut self.played) {
            played.truncate(self.history.end);
            played.push(step);
            self.history.end += 1;
        } else {
            // Other boards have them too.
            let played: Vec<_> = self.history().iter().copied().chain([step]).collect();
            self.history = 0..played.len();
            self.played = Arc::new(played);
        }
        self.position = after;
        Ok(())
    }

    /// Returns the error for a move that is not legal.
    pub(crate) fn illegal(&self, made: &Move) -> PyErr {
        let (of, on) = (made.variant, self.position.variant());
        IllegalMoveError::new_err(if of == on {
            format!("{} is not legal in {}", move_text(made), self.fen())
        } else {
            format!("a move of {of} on a board of {on}")
        })
    }

    /// Returns the name of the draw that ends the game; unless draws are claimed, only one that need not be claimed.
    fn draw(&self, claim_draw: bool) -> Option<&'static str> {
        let history = self.history();
        let after = |n: usize| history.get(n + 1).map_or(self.position, |(next, _)| *next);
        let moves = history.iter().enumerate().map(|(n, &(before, played))| (before, played, after(n)));
        draw_of_line(moves, claim_draw).map(|event| event.name())
    }

    /// Reads a move that is given as text, or takes one as it is.
    pub(crate) fn given(&self, made: AnyMove) -> PyResult<Move> {
        match made {
            AnyMove::Move(made) => Ok(made),
            AnyMove::Text(text) => self.parse_move(&text),
        }
    }
}

/// A move argument: a [`Move`] or its text.
pub(crate) enum AnyMove {
    Move(Move),
    Text(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for AnyMove {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let made = given.extract().map(Self::Move);
        made.or_else(|_| given.extract().map(Self::Text)).map_err(|_| wrong_type("a move or its text", &given))
    }
}

/// An argument with several moves.
pub(crate) struct Moves(pub(crate) Vec<AnyMove>);

impl<'a, 'py> FromPyObject<'a, 'py> for Moves {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        list("a list of moves", &given).map(Self)
    }
}

fn move_text(played: &Move) -> String {
    let names = Numbering::for_variant(played.variant);
    format!("{}-{}", names.name(played.played.from()), names.name(played.played.to()))
}

fn symbol(side: Side, piece: Piece) -> char {
    let letter = if side == Side::White { 'w' } else { 'b' };
    if piece == Piece::King { letter.to_ascii_uppercase() } else { letter }
}

/// Returns the position given by a FEN.
pub(crate) fn position_of(variant: Rules, fen: Option<&str>) -> PyResult<Position> {
    let Some(fen) = fen else { return Ok(Position::start(variant)) };
    Position::from_fen(variant, fen).map_err(|error| FenError::new_err(format!("invalid FEN: {error}")))
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen=None, *, variant=None))]
    fn new(fen: Option<&str>, variant: Option<AnyVariant>) -> PyResult<Self> {
        let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
        position_of(variant, fen).map(Self::of)
    }

    /// The variant.
    #[getter]
    const fn variant(&self) -> Variant {
        Variant(self.position.variant())
    }

    /// The side to move: ``WHITE`` (true) or ``BLACK`` (false).
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.position.turn())
    }

    /// The legal moves, each once, ordered by first square, last square and captured pieces.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().into_iter().map(|played| Move::new(played, &self.position)).collect()
    }

    /// The moves played so far.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.history().iter().map(|(before, played)| Move::new(*played, before)).collect()
    }

    /// Plays a move, given as it is or as text. Raises :exc:`IllegalMoveError` if it is illegal; for a text also
    /// :exc:`InvalidMoveError` if it is no move, and :exc:`AmbiguousMoveError` if it may be several.
    fn push(&mut self, r#move: AnyMove) -> PyResult<()> {
        let made = self.given(r#move)?;
        self.play(made)
    }

    /// Reads a move and plays it. Raises what :meth:`push` raises for a text.
    fn push_move(&mut self, text: &str) -> PyResult<Move> {
        let played = self.parse_move(text)?;
        self.play(played)?;
        Ok(played)
    }

    /// Takes back the last move and returns it. Raises :exc:`IndexError` if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        self.take_back().ok_or_else(|| PyIndexError::new_err("no move to take back"))
    }

    /// Returns the last move. Raises :exc:`IndexError` if there is none.
    fn peek(&self) -> PyResult<Move> {
        let last = self.history().last().map(|(before, played)| Move::new(*played, before));
        last.ok_or_else(|| PyIndexError::new_err("no move was played"))
    }

    /// Reads a move in any usual notation of records, or as engines write it: with the captured squares after the last one.
    ///
    /// >>> pdn.Board("W:WK40:B19,29").parse_move("40x14x19x29").captured
    /// [19, 29]
    /// >>> pdn.Board().parse_move("32-27").to_square
    /// 27
    /// >>> pdn.Board().parse_move("32-26")
    /// Traceback (most recent call last):
    /// pdn.errors.IllegalMoveError: 32-26: the piece on 32 cannot move to 26; did White mean 31-26, 32-27 or 32-28?
    fn parse_move(&self, text: &str) -> PyResult<Move> {
        let found = self.position.parse_move(text);
        if found.is_err()
            && text.matches('x').count() > 1
            && let Some(played) = read_move(&self.position, text)
        {
            return Ok(Move::new(played, &self.position));
        }
        found.map(|played| Move::new(played, &self.position)).map_err(|error| {
            let (message, names) = (error.to_string(), Numbering::for_variant(self.position.variant()));
            match text.parse::<MoveText>().ok().map(|written| resolve(&self.position, &written, names)) {
                None => InvalidMoveError::new_err(message),
                Some(Err(error)) if error.is_ambiguous() => AmbiguousMoveError::new_err(message),
                Some(_) => IllegalMoveError::new_err(message),
            }
        })
    }

    /// Returns the only move between two squares. Raises :exc:`IllegalMoveError` if there is none, and
    /// :exc:`AmbiguousMoveError` if there are several.
    fn find_move(&self, from_square: SquareNumber, to_square: SquareNumber) -> PyResult<Move> {
        let found = self.position.moves_between(self.square(from_square)?, self.square(to_square)?);
        match &found[..] {
            [played] => Ok(Move::new(*played, &self.position)),
            [] => Err(IllegalMoveError::new_err(format!("no move from {from_square} to {to_square}"))),
            _ => Err(AmbiguousMoveError::new_err(format!("several moves from {from_square} to {to_square}"))),
        }
    }

    /// Returns the move in standard notation: short unless that is ambiguous, or with its full path if ``full``.
    #[pyo3(signature = (r#move, *, full=false))]
    fn notation(&self, r#move: Move, full: bool) -> PyResult<String> {
        if !self.is_legal(r#move) {
            return Err(self.illegal(&r#move));
        }
        let played = &r#move.played;
        Ok(if full { self.position.full(played) } else { self.position.short(played) })
    }

    /// Returns true if the move is legal.
    pub(crate) fn is_legal(&self, r#move: Move) -> bool {
        r#move.variant == self.position.variant() && self.position.is_legal(&r#move.played)
    }

    /// Returns true if the side to move can capture.
    fn can_capture(&self) -> bool {
        self.position.can_capture()
    }

    /// Returns the FEN. It omits the move history that the draw rules need and, in Frisian draughts and Frysk!, the number of
    /// consecutive moves of a king (a fourth is not allowed).
    fn fen(&self) -> String {
        self.position.fen()
    }

    /// Sets the position and clears the move history.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Self::of(position_of(self.position.variant(), Some(fen))?);
        Ok(())
    }

    /// Sets the starting position and clears the move history.
    fn reset(&mut self) {
        *self = Self::of(Position::start(self.position.variant()));
    }

    /// Returns the board before the first move.
    fn root(&self) -> Self {
        Self::of(self.start())
    }

    /// Returns a copy, without the move history if ``stack`` is false. The counts of consecutive king moves, which a FEN lacks, are
    /// always copied; the draw rules need the history.
    #[pyo3(signature = (*, stack=true))]
    fn copy(&self, stack: bool) -> Self {
        if stack { self.clone() } else { Self::of(self.position) }
    }

    /// The number of moves played.
    fn ply(&self) -> usize {
        self.history().len()
    }

    /// Returns the piece on a square: ``w`` or ``b`` for a man, ``W`` or ``B`` for a king, or ``None``.
    fn piece_at(&self, square: SquareNumber) -> PyResult<Option<char>> {
        Ok(self.position.piece_at(self.square(square)?).map(|(side, piece)| symbol(side, piece)))
    }

    /// Returns the pieces, keyed by square.
    fn piece_map(&self) -> BTreeMap<u8, char> {
        let numbers = Numbering::internal(self.position.variant());
        self.position.pieces().map(|(square, side, piece)| (numbers.number(square), symbol(side, piece))).collect()
    }

    /// Returns how the game ended, or ``None``. With ``claim_draw``, draws that a player must claim count too.
    ///
    /// >>> pdn.Board("B:W28:B").outcome()
    /// Outcome(winner=WHITE, termination='no-moves', result='2-0')
    #[pyo3(signature = (*, claim_draw=false))]
    pub(crate) fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        let variant = self.position.variant();
        if self.position.winner().is_some() {
            return Some(Outcome::new(self.position.winner(), "no-moves", variant));
        }
        self.draw(claim_draw).map(|name| Outcome::new(None, name, variant))
    }

    /// Returns true if the game is over.
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.outcome(claim_draw).is_some()
    }

    /// Returns the result, or ``"*"`` if the game is not over.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        self.outcome(claim_draw).map_or("*", |outcome| outcome.result)
    }

    /// Counts the positions after this number of plies.
    ///
    /// >>> pdn.Board().perft(4)
    /// 4265
    fn perft(slf: &Bound<'_, Self>, py: Python<'_>, depth: PerftDepth) -> PyResult<u64> {
        // The board is free for other threads meanwhile.
        let position = slf.borrow().position;
        let counted = interruptible(py, || {}, move || perft(&position, depth.0, Counting::Distinct))?;
        counted.ok_or_else(|| ArgumentError::new_err("the count exceeds 64 bits: use a smaller depth"))
    }

    /// The key of the position; equal positions of a variant have equal keys.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The key of the position in tables, which differs between variants.
    ///
    /// >>> import pdn
    /// >>> table = pdn.to_arrow(b"1. 32-28 *", "positions", variant="international")
    /// >>> table.column("position_key")[0].as_py() == pdn.Board().position_key
    /// True
    #[getter]
    fn position_key(&self) -> i64 {
        self.position.variant_key().cast_signed()
    }

    /// The key in tables that is the same for the position with the colours swapped and the board rotated.
    #[getter]
    fn canonical_key(&self) -> i64 {
        self.position.canonical_key().cast_signed()
    }

    /// Returns the pieces as an array of numpy of type ``float32`` and shape ``(4, squares)``: the men and kings of a side, by default
    /// the one to move, and those of the other. Black sees the board rotated by 180 degrees, so that its men move up too.
    ///
    /// >>> import pdn
    /// >>> planes = pdn.Board("W:W31,K32:B20", variant="international").tensor()
    /// >>> planes.shape, [plane.nonzero()[0].tolist() for plane in planes]
    /// ((4, 50), [[30], [31], [19], []])
    #[pyo3(signature = (perspective=None))]
    fn tensor<'py>(&self, py: Python<'py>, perspective: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
        let side = perspective.map_or(self.position.turn(), |white| if white { Side::White } else { Side::Black });
        tensor(py, &self.position, side)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(false, true, Vec::new()).unwrap_or_default()
    }

    /// Returns the board as SVG; see :func:`pdn.svg.board`.
    #[pyo3(signature = (*, flipped=false, lastmove=true, arrows=Vec::new()))]
    pub(crate) fn svg(
        &self,
        flipped: bool,
        lastmove: bool,
        arrows: Vec<(SquareNumber, SquareNumber)>,
    ) -> PyResult<String> {
        let last = self.history().last().filter(|_| lastmove).map(|(_, played)| *played);
        let arrow = |(from, to): (SquareNumber, SquareNumber)| {
            Ok(pdn::report::Arrow { from: self.square(from)?, to: self.square(to)?, colour: 'G' })
        };
        let arrows = arrows.into_iter().map(arrow).collect::<PyResult<_>>()?;
        let view = BoardView::default().flipped(flipped).last_move(last).arrows(arrows);
        Ok(board_svg(&self.position, self.names(), &view))
    }

    fn __str__(&self) -> String {
        board_text(&self.position, self.names(), &BoardView::default())
    }

    fn __repr__(&self) -> String {
        format!("Board('{}', variant='{}')", self.fen(), self.position.variant().name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position == other.position
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        let restore = slf.py().import("pdn._restore")?.getattr("board")?;
        let board = slf.borrow();
        let moves = board.history().iter().map(|(before, played)| before.full(played)).collect();
        let (start, variant) = (board.start(), board.position.variant());
        let numbers = Numbering::internal(variant);
        let runs = start.king_runs().map(|run| run.map(|(square, moves)| (numbers.number(square), moves)));
        Ok((restore, (start.fen(), variant.name().to_owned(), moves, runs)))
    }
}

/// Returns the board with a position, and the consecutive king moves that led to it.
#[pyfunction]
pub(crate) fn restore_board(fen: &str, variant: &str, king_runs: KingRuns) -> PyResult<Board> {
    let board = Board::of(position_of(variant_named(variant)?, Some(fen))?);
    let [white, black] = king_runs.map(|run| {
        let square = |number: u8| board.square(SquareNumber(number));
        run.map(|(number, moves)| Ok::<_, PyErr>((square(number)?, moves))).transpose()
    });
    let position = board.position.with_king_runs([white?, black?]);
    position.map(Board::of).ok_or_else(|| ArgumentError::new_err("the position has no such king"))
}

/// Returns the error for a position of the wrong variant.
pub(crate) fn wrong_variant(expected: Rules, found: Rules) -> PyErr {
    ArgumentError::new_err(format!("expected a position of {expected}, found one of {found}"))
}
