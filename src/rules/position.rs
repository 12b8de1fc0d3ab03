//! Positions and moves of any variant.

use std::cmp::Ordering;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::encode::{fnv_1a, kinds, zobrist_key};
use super::generate::{can_capture, count_quiet};
use super::lookup::{only_step, paths, steps_between};
use super::moves::LegalMoves;
use super::setup::{Setup, SetupIssues};
use super::spec::{Goal, with_rules};
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
/// let next = start.play(&moves[0]).expect("a legal move");
/// assert_ne!(next.turn(), start.turn());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) variant: Variant,
    pub(super) sides: [u128; 2],
    pub(super) kings: u128,
    pub(super) turn: Side,
    pub(super) runs: [KingRun; 2],
}

/// A legal move of a position: first square, last square and captured pieces. Capture paths that agree in these are one
/// move, see [`Position::paths`].
///
/// With `serde`, a move is an object of these squares, each by its [`Square::bit`], so that it is read back exactly without its
/// position; moves of untrusted data are checked by [`Position::play`]. The text of a move needs a position, see
/// [`Position::short`] and [`Position::parse_move`].
///
/// # Examples
///
/// ```
/// use pdn::rules::{Move, Position, Variant};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W31:B27").unwrap();
/// let played = position.legal_moves()[0];
/// let json = serde_json::to_string(&played)?;
/// assert_eq!(json, r#"{"from":39,"to":27,"captured":[33],"promotes":false}"#);
/// assert_eq!(serde_json::from_str::<Move>(&json)?, played);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    from: Square,
    to: Square,
    captured: SquareSet,
    promotes: bool,
}

/// A move written as its first and last square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenWay {
    /// First square.
    pub(crate) from: Square,
    /// Last square.
    pub(crate) to: Square,
    /// True if it captures, `None` if its sign does not show that.
    pub(crate) captures: Option<bool>,
}

impl Move {
    /// No move: a placeholder to be overwritten.
    pub(crate) const NONE: Self =
        Self { from: Square::from_bit(0), to: Square::from_bit(0), captured: SquareSet::EMPTY, promotes: false };

    /// Returns the move with these parts, which [`Position::play`] checks.
    pub const fn of_parts(from: Square, to: Square, captured: SquareSet, promotes: bool) -> Self {
        Self { from, to, captured, promotes }
    }

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
    pub(crate) fn in_order(&self, other: &Self) -> Ordering {
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
        // Every game of a collection begins here.
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

    /// Returns the position of an arrangement, and anything unusual but playable about it.
    ///
    /// # Errors
    ///
    /// All errors in the arrangement, if it is unplayable.
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

    /// Returns the squares of a side's men.
    #[inline]
    pub(crate) const fn men_of(&self, side: Side) -> SquareSet {
        SquareSet::from_word(self.sides[side.index()] & !self.kings)
    }

    /// Returns the squares of a side's kings.
    #[inline]
    pub(crate) const fn kings_of(&self, side: Side) -> SquareSet {
        SquareSet::from_word(self.sides[side.index()] & self.kings)
    }

    /// Returns the number of pieces of both sides.
    #[inline]
    pub(crate) const fn piece_count(&self) -> usize {
        SquareSet::from_word(self.sides[0] | self.sides[1]).len()
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
    pub fn legal_moves(&self) -> LegalMoves {
        self.moves_in_order(false)
    }

    /// Returns all legal moves, each as often as it has paths, in the order of [`Position::legal_moves`].
    pub fn legal_paths(&self) -> LegalMoves {
        self.moves_in_order(true)
    }

    fn moves_in_order(&self, paths: bool) -> LegalMoves {
        let mut moves = LegalMoves::default();
        with_rules!(self.variant, <'a, R>(
            rules,
            position: &'a Position = self,
            paths: bool = paths,
            moves: &'a mut LegalMoves = &mut moves,
        ) -> () {
            moves.generate(rules, position, paths);
        });
        moves
    }

    /// Returns true if the side to move can, and so must, capture.
    pub fn can_capture(&self) -> bool {
        with_rules!(self.variant, <'a, R>(rules, position: &'a Position = self) -> bool {
            can_capture(rules, &position.state())
        })
    }

    /// Returns the legal moves between two squares, in the order of [`Position::legal_moves`]: more than one only if
    /// they capture different pieces. Faster than searching all legal moves.
    pub fn moves_between(&self, from: Square, to: Square) -> LegalMoves {
        let mut moves = LegalMoves::default();
        with_rules!(self.variant, <'a, R>(
            rules,
            position: &'a Position = self,
            from: u8 = from.bit(),
            to: u8 = to.bit(),
            moves: &'a mut LegalMoves = &mut moves,
        ) -> () {
            moves.add(&steps_between(rules, &position.state(), from, to));
        });
        moves
    }

    /// Plays the legal move between two squares, and writes the position after it and the move in place; returns false, and
    /// writes nothing, unless there is exactly one such move. Returned results would be copied while still being written,
    /// which takes longer than the search for them.
    pub(crate) fn play_only_into(&self, from: Square, to: Square, after: &mut Self, played: &mut Move) -> bool {
        with_rules!(self.variant, <'a, R>(
            rules,
            before: &'a Position = self,
            from: u8 = from.bit(),
            to: u8 = to.bit(),
            after: &'a mut Position = after,
            played: &'a mut Move = played,
        ) -> bool {
            let state = before.state();
            let Some(step) = only_step(rules, &state, from, to) else { return false };
            *after = Position::from_state(before.variant, &state.play(rules, &step));
            *played = Move::from_step(&step);
            true
        })
    }

    /// Plays written moves one after the other, as long as exactly one legal move fits the next, and appends each move and
    /// the position after it. The rules are chosen once for all of them, and the position stays in machine words.
    pub(crate) fn play_all_into(&self, ways: &[Option<WrittenWay>], positions: &mut Vec<Self>, moves: &mut Vec<Move>) {
        with_rules!(self.variant, <'a, R>(
            rules,
            before: &'a Position = self,
            ways: &'a [Option<WrittenWay>] = ways,
            positions: &'a mut Vec<Position> = positions,
            moves: &'a mut Vec<Move> = moves,
        ) -> () {
            let mut state = before.state();
            for way in ways.iter().map_while(Option::as_ref) {
                let Some(step) = only_step(rules, &state, way.from.bit(), way.to.bit()) else { return };
                if way.captures.is_some_and(|captures| captures != step.is_capture()) {
                    return;
                }
                state = state.play(rules, &step);
                positions.push(Position::from_state(before.variant, &state));
                moves.push(Move::from_step(&step));
            }
        });
    }

    /// Returns true if exactly one legal move leads from one square to the other.
    pub(crate) fn has_only(&self, from: Square, to: Square) -> bool {
        self.play_only_into(from, to, &mut self.clone(), &mut Move::NONE.clone())
    }

    /// Returns true if a move is legal in the position.
    pub fn is_legal(&self, candidate: &Move) -> bool {
        // Moves that were read may have squares of no board.
        if !self.squares_of(self.turn).contains(candidate.from) || !self.variant.shape().contains(candidate.to) {
            return false;
        }
        with_rules!(self.variant, <'a, R>(rules, position: &'a Position = self, played: &'a Move = candidate) -> bool {
            let steps = steps_between(rules, &position.state(), played.from.bit(), played.to.bit());
            steps.iter().any(|step| Move::from_step(step) == *played)
        })
    }

    /// Returns the position after a move; `None` if the move is not legal in the position.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let start = Position::start(Variant::INTERNATIONAL);
    /// let played = start.legal_moves()[0];
    /// let after = start.play(&played).expect("a legal move");
    /// assert_ne!(after.turn(), start.turn());
    /// assert_eq!(after.play(&played), None);
    /// ```
    pub fn play(&self, played: &Move) -> Option<Self> {
        self.is_legal(played).then(|| self.play_unchecked(played))
    }

    /// Returns the position after a move that is known to be legal in it; after any other move the result is meaningless.
    #[must_use]
    pub fn play_unchecked(&self, played: &Move) -> Self {
        with_rules!(self.variant, <'a, R>(rules, before: &'a Position = self, played: &'a Move = played) -> Position {
            Position::from_state(before.variant, &before.state().play(rules, &played.step()))
        })
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
        let mut paths = with_rules!(
            self.variant,
            <'a, R>(rules, position: &'a Position = self, of: &'a Move = of) -> Vec<Vec<Square>> {
                paths(rules, &position.state(), of.step())
            }
        );
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Returns the king that may not make a quiet move now, where the rules limit the consecutive quiet moves of a king.
    pub(crate) fn barred_king(&self) -> Option<Square> {
        let run = self.runs[self.turn.index()];
        let has_man = self.sides[self.turn.index()] & !self.kings != 0;
        run.is_barred(self.variant.spec(), has_man).then(|| Square::from_bit(run.at))
    }

    /// Returns the kings of White and of Black whose consecutive quiet moves the rules count, with the number of these moves. A FEN
    /// lacks them.
    pub fn king_runs(&self) -> [Option<(Square, u8)>; 2] {
        self.runs.map(|run| (run.moves > 0).then(|| (Square::from_bit(run.at), run.moves)))
    }

    /// Returns the position with such moves; `None` if a side has no king on the square, or the rules do not count its moves.
    pub fn with_king_runs(self, runs: [Option<(Square, u8)>; 2]) -> Option<Self> {
        let is_counted = self.variant.spec().king_move_limit.is_some();
        let fits = |side: Side| {
            runs[side.index()].is_none_or(|(square, _)| is_counted && self.kings_of(side).contains(square))
        };
        let run = |(square, moves): (Square, u8)| KingRun { at: square.bit(), moves };
        let runs = runs.map(|given| given.filter(|(_, moves)| *moves > 0).map_or(KingRun::NONE, run));
        Side::ALL.into_iter().all(fits).then_some(Self { runs, ..self })
    }

    /// Returns the Zobrist key: equal for equal pieces and side to move on the same board, and the same in every run.
    pub fn key(&self) -> u64 {
        zobrist_key(self.kinds(), self.turn)
    }

    /// Returns the White men, White kings, Black men and Black kings.
    pub(super) fn kinds(&self) -> [u128; 4] {
        kinds(self.sides, self.kings)
    }

    /// Returns a key that is different for every variant: [`key`](Self::key), exclusive or the 64-bit FNV-1a hash of the
    /// name of the variant. Tables and indexes store it, so it is the same in every release.
    pub fn variant_key(&self) -> u64 {
        self.key() ^ fnv_1a(self.variant.name().as_bytes())
    }

    /// Returns the [`variant_key`](Self::variant_key) of the position with colours exchanged and the board rotated by
    /// 180°.
    pub(crate) fn mirrored_key(&self) -> u64 {
        self.turned().variant_key()
    }

    /// Returns the smaller of the [`variant_key`](Self::variant_key) of the position and that of the position with colours exchanged and
    /// the board rotated by 180°, as tables have it.
    pub fn canonical_key(&self) -> u64 {
        self.variant_key().min(self.mirrored_key())
    }

    /// Returns the position with colours exchanged and the board rotated by 180°.
    pub(super) fn turned(&self) -> Self {
        let [white, black] = self.sides.map(|squares| turned(self.variant, squares));
        let kings = turned(self.variant, self.kings);
        // The runs of kings keep their squares: no key contains them.
        Self { sides: [black, white], kings, turn: !self.turn, ..*self }
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
    /// assert!(!Position::start(Variant::INTERNATIONAL).winner().is_some());
    /// ```
    pub fn winner(&self) -> Option<Side> {
        let goal = self.variant.spec().goal;
        if goal == Goal::FirstKing
            && let Some(square) = self.kings().iter().next()
        {
            return self.piece_at(square).map(|(side, _)| side);
        }
        let has_moves = with_rules!(self.variant, <'a, R>(rules, position: &'a Position = self) -> bool {
            let state = position.state();
            can_capture(rules, &state) || count_quiet(rules, &state) > 0
        });
        (!has_moves).then_some(match goal {
            Goal::Lose => self.turn,
            Goal::Block | Goal::FirstKing => !self.turn,
        })
    }
}

/// Returns squares on the board of a variant rotated by 180°.
pub(crate) fn turned(variant: Variant, squares: u128) -> u128 {
    let shape = variant.shape();
    squares.reversed(shape.nth(shape.square_count() - 1).map_or(0, Square::bit).into())
}
