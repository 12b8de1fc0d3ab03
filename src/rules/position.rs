//! Positions and moves of any variant.

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

use super::generate::{MoveList, can_capture, each_move, has_moves, legal_moves};
use super::keys::{fnv_1a, position_key};
use super::lookup::{Between, IsLegal, Paths, PlayOnly};
use super::setup::{Setup, SetupIssues};
use super::spec::{Goal, Rules, Task};
use super::state::{KingRun, State, Step};
use super::variants::Variant;
use crate::board::{Geometry, Piece, Side, Square, SquareSet, Word};

/// A playable position under the rules of a variant.
///
/// Moves and squares passed to a position must belong to it: those of another board give meaningless results or panic.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::BRAZILIAN);
/// let moves = start.legal_moves();
/// assert_eq!(moves.len(), 7);
/// let next = start.play(&moves[0])?;
/// assert_ne!(next.turn(), start.turn());
/// # Ok::<(), pdn::rules::IllegalMove>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    variant: Variant,
    sides: [u128; 2],
    kings: u128,
    turn: Side,
    runs: [KingRun; 2],
}

/// A legal move of a position: first square, last square and captured pieces. Capture paths that agree in these are one
/// move, see [`Position::paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    from: Square,
    to: Square,
    captured: SquareSet,
    promotes: bool,
}

/// The error of playing a move that is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove;

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the move is not legal in this position")
    }
}

impl std::error::Error for IllegalMove {}

impl Move {
    /// No move: a place to write one to.
    pub(crate) const NONE: Self =
        Self { from: Square::from_bit(0), to: Square::from_bit(0), captured: SquareSet::EMPTY, promotes: false };

    /// Returns the first square.
    #[inline]
    pub const fn from(&self) -> Square {
        self.from
    }

    /// Returns the last square.
    #[inline]
    pub const fn to(&self) -> Square {
        self.to
    }

    /// Returns the squares of the captured pieces.
    #[inline]
    pub const fn captured(&self) -> SquareSet {
        self.captured
    }

    /// Returns true for a capture.
    #[inline]
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }

    /// Returns true if a man is promoted.
    #[inline]
    pub const fn promotes(&self) -> bool {
        self.promotes
    }

    /// Compares moves by first square, last square and captured pieces, the order of all lists.
    pub(super) fn in_order(&self, other: &Self) -> Ordering {
        let captured = || self.captured.iter().cmp(other.captured.iter());
        (self.from, self.to).cmp(&(other.from, other.to)).then_with(captured)
    }

    /// Returns the move as machine words.
    #[inline]
    pub(crate) fn step<G: Geometry>(&self) -> Step<G> {
        let captured = G::Word::narrow(self.captured.word());
        Step { captured, from: self.from.bit(), to: self.to.bit(), promotes: self.promotes }
    }

    /// Returns the move that machine words represent.
    #[inline]
    pub(crate) fn from_step<G: Geometry>(step: &Step<G>) -> Self {
        Self {
            from: Square::from_bit(step.from),
            to: Square::from_bit(step.to),
            captured: SquareSet::from_word(step.captured.widen()),
            promotes: step.promotes,
        }
    }
}

impl Position {
    /// Returns the position at the start of a game.
    pub fn start(variant: Variant) -> Self {
        static STARTS: LazyLock<Vec<Position>> =
            LazyLock::new(|| Variant::ALL.iter().map(|&variant| Position::arranged(variant)).collect());
        variant.index().map_or_else(|| Self::arranged(variant), |index| STARTS[index])
    }

    /// Arranges the pieces for the start of a game.
    fn arranged(variant: Variant) -> Self {
        let shape = variant.shape();
        let rows = variant.spec().start_rows;
        let first = rows.skipped..rows.skipped + rows.rows;
        let (mut white, mut black) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for square in shape.squares() {
            if first.contains(&shape.row(square)) {
                black.insert(square);
            }
            if first.contains(&(shape.height() - 1 - shape.row(square))) {
                white.insert(square);
            }
        }
        let sides = [white.word(), black.word()];
        Self { variant, sides, kings: 0, turn: variant.starts(), runs: [KingRun::NONE; 2] }
    }

    /// Returns the position of an arrangement, and what is unusual but playable about it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the arrangement, if any of it makes it unplayable.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<(Self, SetupIssues), SetupIssues> {
        let issues = setup.issues(variant);
        let (Some(turn), false) = (setup.turn(), issues.has_errors()) else { return Err(issues) };
        let mut sides = [SquareSet::EMPTY; 2];
        let mut kings = SquareSet::EMPTY;
        for &(square, side, piece) in setup.pieces() {
            sides[side.index()].insert(square);
            if piece == Piece::King {
                kings.insert(square);
            }
        }
        let sides = sides.map(SquareSet::word);
        Ok((Self { variant, sides, kings: kings.word(), turn, runs: [KingRun::NONE; 2] }, issues))
    }

    /// Returns a position with these pieces of both sides and kings.
    #[cfg(feature = "cli")]
    pub(super) const fn from_words(
        variant: Variant,
        (sides, kings): ([u128; 2], u128),
        turn: Side,
        runs: [KingRun; 2],
    ) -> Self {
        Self { variant, sides, kings, turn, runs }
    }

    /// Returns the consecutive king moves of both sides.
    #[cfg(feature = "cli")]
    pub(super) const fn king_runs(&self) -> [KingRun; 2] {
        self.runs
    }

    /// Returns the position that machine words represent.
    #[inline]
    pub(crate) fn from_state<G: Geometry>(variant: Variant, state: &State<G>) -> Self {
        debug_assert_eq!(variant.shape(), G::SHAPE);
        let sides = state.sides.map(Word::widen);
        Self { variant, sides, kings: state.kings.widen(), turn: state.turn, runs: state.runs }
    }

    /// Returns the position as machine words of its board.
    #[inline]
    pub(crate) fn state<G: Geometry>(&self) -> State<G> {
        debug_assert_eq!(self.variant.shape(), G::SHAPE);
        let sides = self.sides.map(G::Word::narrow);
        State { sides, kings: G::Word::narrow(self.kings), turn: self.turn, runs: self.runs }
    }

    /// Returns the variant.
    #[inline]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the side to move.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Returns the squares of a side's pieces.
    #[inline]
    pub const fn squares_of(&self, side: Side) -> SquareSet {
        SquareSet::from_word(self.sides[side.index()])
    }

    /// Returns the squares of the kings of both sides.
    #[inline]
    pub const fn kings(&self) -> SquareSet {
        SquareSet::from_word(self.kings)
    }

    /// Returns the piece on a square, `None` if it is empty.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Side, Piece)> {
        let side = Side::ALL.into_iter().find(|&side| self.squares_of(side).contains(square))?;
        Some((side, if self.kings().contains(square) { Piece::King } else { Piece::Man }))
    }

    /// Returns all pieces in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Side, Piece)> + use<'_> {
        let all = SquareSet::from_word(self.sides[0] | self.sides[1]);
        all.iter().filter_map(|square| self.piece_at(square).map(|(side, piece)| (square, side, piece)))
    }

    /// Returns all legal moves, each once, ordered by first square, last square and captured pieces.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.variant.dispatch(LegalMoves(self));
        moves.sort_unstable_by(Move::in_order);
        moves
    }

    /// Returns all legal moves, each as often as it has paths, in the order of [`Position::legal_moves`].
    pub fn legal_paths(&self) -> Vec<Move> {
        let mut moves = self.variant.dispatch(LegalPaths(self));
        moves.sort_unstable_by(Move::in_order);
        moves
    }

    /// Returns true if the side to move can, and so must, capture.
    pub fn can_capture(&self) -> bool {
        self.variant.dispatch(CanCapture(self))
    }

    /// Returns the legal moves between two squares, in the order of [`Position::legal_moves`]: more than one only if they
    /// capture different pieces. Faster than a search in all legal moves.
    pub fn moves_between(&self, from: Square, to: Square) -> Vec<Move> {
        self.variant.dispatch(Between { position: self, from, to })
    }

    /// Plays the legal move between two squares and returns it, if there is exactly one such move.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::notation::Numbering;
    /// use pdn::rules::{Position, Variant};
    ///
    /// let start = Position::start(Variant::INTERNATIONAL);
    /// let squares = Numbering::for_variant(Variant::INTERNATIONAL);
    /// let square = |name| squares.find(name).unwrap();
    /// let mut position = start;
    /// let played = position.play_only(square("32"), square("28")).unwrap();
    /// assert_eq!(start.play(&played), Ok(position));
    /// assert!(position.play_only(square("32"), square("27")).is_none());
    /// ```
    pub fn play_only(&mut self, from: Square, to: Square) -> Option<Move> {
        let (before, mut played) = (*self, Move::NONE);
        before.play_only_into(from, to, self, &mut played).then_some(played)
    }

    /// Plays the move from one square to the other as [`Self::play_only`] does, and writes the position after it and the move
    /// in place; returns false, and writes nothing, unless there is exactly one. Results that are returned would be copied
    /// while they are still being written, which takes longer than to find them.
    pub(crate) fn play_only_into(&self, from: Square, to: Square, after: &mut Self, played: &mut Move) -> bool {
        self.variant.dispatch(PlayOnly { before: self, from, to, after, played })
    }

    /// Returns true if exactly one legal move leads from one square to the other.
    pub fn has_only(&self, from: Square, to: Square) -> bool {
        self.play_only_into(from, to, &mut self.clone(), &mut Move::NONE.clone())
    }

    /// Returns true if a move is legal in the position.
    pub fn is_legal(&self, candidate: &Move) -> bool {
        self.variant.dispatch(IsLegal(self, candidate))
    }

    /// Returns the position after a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal in the position.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let start = Position::start(Variant::INTERNATIONAL);
    /// let played = start.legal_moves()[0];
    /// let after = start.play(&played)?;
    /// assert_ne!(after.turn(), start.turn());
    /// assert!(after.play(&played).is_err());
    /// # Ok::<(), pdn::rules::IllegalMove>(())
    /// ```
    pub fn play(&self, played: &Move) -> Result<Self, IllegalMove> {
        if self.is_legal(played) { Ok(self.play_unchecked(played)) } else { Err(IllegalMove) }
    }

    /// Returns the position after a move that is known to be legal in it; after any other move the result is meaningless.
    #[must_use]
    pub fn play_unchecked(&self, played: &Move) -> Self {
        self.variant.dispatch(Play(self, played))
    }

    /// Returns the same arrangement with the other side to move (a null move).
    #[must_use]
    pub fn pass(&self) -> Self {
        Self { turn: !self.turn, ..self.without_king_runs() }
    }

    /// Returns the same position without consecutive king moves.
    #[must_use]
    pub(super) fn without_king_runs(self) -> Self {
        Self { runs: [KingRun::NONE; 2], ..self }
    }

    /// Returns all paths of a legal move, sorted: the first square, the intermediate squares, the last square. An intermediate
    /// square is one where the direction changes or, if it does not, the one directly behind a captured piece (PDN 3.0, rules
    /// for writing moves).
    pub fn paths(&self, of: &Move) -> Vec<Vec<Square>> {
        if !of.is_capture() {
            return vec![vec![of.from, of.to]];
        }
        let mut paths = self.variant.dispatch(Paths { position: self, of });
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Returns the king that may not make a quiet move now, where the rules limit the consecutive quiet moves of a king.
    pub fn barred_king(&self) -> Option<Square> {
        self.variant.dispatch(BarredKing(self))
    }

    /// Returns the Zobrist key: equal for equal pieces and side to move on the same board, and the same in every run.
    pub fn key(&self) -> u64 {
        self.variant.dispatch(Key(self))
    }

    /// Returns a key that is different for every variant: [`key`](Self::key), exclusive or the 64-bit FNV-1a hash of the
    /// name of the variant. Tables and indexes store it, so it is the same in every release.
    pub fn variant_key(&self) -> u64 {
        self.key() ^ fnv_1a(self.variant.name().as_bytes())
    }

    /// Returns the [`variant_key`](Self::variant_key) of the position with exchanged colours on the board turned by half.
    pub fn mirrored_key(&self) -> u64 {
        self.variant.dispatch(MirroredKey(self)) ^ fnv_1a(self.variant.name().as_bytes())
    }

    /// Returns the smaller of [`variant_key`](Self::variant_key) and [`mirrored_key`](Self::mirrored_key). The rules of every
    /// variant are the same for both sides, so positions with equal canonical keys are equally good for the side to move.
    pub fn canonical_key(&self) -> u64 {
        self.variant_key().min(self.mirrored_key())
    }

    /// Returns true if the board has decided the game. Draws depend on the moves before, see
    /// [`DrawTracker`](super::DrawTracker).
    pub fn is_game_over(&self) -> bool {
        self.winner().is_some()
    }

    /// Returns the winner if the board has decided the game.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::board::Side;
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "B:W31:B").unwrap();
    /// assert_eq!(position.winner(), Some(Side::White));
    /// assert!(!Position::start(Variant::INTERNATIONAL).is_game_over());
    /// ```
    pub fn winner(&self) -> Option<Side> {
        let goal = self.variant.spec().goal;
        if goal == Goal::FirstKing
            && let Some(square) = self.kings().iter().next()
        {
            return self.piece_at(square).map(|(side, _)| side);
        }
        (!self.variant.dispatch(HasMoves(self))).then_some(match goal {
            Goal::Lose => self.turn,
            Goal::Block | Goal::FirstKing => !self.turn,
        })
    }
}

struct BarredKing<'a>(&'a Position);

impl Task for BarredKing<'_> {
    type Output = Option<Square>;

    fn run<R: Rules>(self, rules: R) -> Option<Square> {
        let barred = self.0.state::<R::Board>().barred_king(rules);
        barred.any().then(|| Square::from_bit(barred.lowest()))
    }
}

struct LegalMoves<'a>(&'a Position);

impl Task for LegalMoves<'_> {
    type Output = Vec<Move>;

    fn run<R: Rules>(self, rules: R) -> Vec<Move> {
        let mut list = MoveList::default();
        legal_moves(rules, &self.0.state::<R::Board>(), &mut list);
        list.as_slice().iter().map(Move::from_step).collect()
    }
}

struct LegalPaths<'a>(&'a Position);

impl Task for LegalPaths<'_> {
    type Output = Vec<Move>;

    fn run<R: Rules>(self, rules: R) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut list = MoveList::default();
        each_move(rules, &self.0.state::<R::Board>(), true, &mut list, |step| moves.push(Move::from_step(step)));
        moves
    }
}

struct HasMoves<'a>(&'a Position);

impl Task for HasMoves<'_> {
    type Output = bool;

    fn run<R: Rules>(self, rules: R) -> bool {
        has_moves(rules, &self.0.state::<R::Board>())
    }
}

struct CanCapture<'a>(&'a Position);

impl Task for CanCapture<'_> {
    type Output = bool;

    fn run<R: Rules>(self, rules: R) -> bool {
        can_capture(rules, &self.0.state::<R::Board>())
    }
}

struct Play<'a>(&'a Position, &'a Move);

impl Task for Play<'_> {
    type Output = Position;

    fn run<R: Rules>(self, rules: R) -> Position {
        let next = self.0.state::<R::Board>().play(rules, &self.1.step());
        Position::from_state(self.0.variant, &next)
    }
}

struct Key<'a>(&'a Position);

impl Task for Key<'_> {
    type Output = u64;

    fn run<R: Rules>(self, _: R) -> u64 {
        position_key(&self.0.state::<R::Board>())
    }
}

struct MirroredKey<'a>(&'a Position);

impl Task for MirroredKey<'_> {
    type Output = u64;

    fn run<R: Rules>(self, _: R) -> u64 {
        position_key(&self.0.state::<R::Board>().color_flipped())
    }
}
