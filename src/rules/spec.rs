//! What the rules of a variant consist of.

use super::draws::DrawRules;
use crate::board::{Geometry, Shape, Side};

/// The rules of one variant. Each built-in value cites the article of each field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSpec {
    /// Name on the command line.
    pub name: &'static str,
    /// Board.
    pub shape: Shape,
    /// Side that makes the first move.
    pub starts: Side,
    /// Where the men stand at the start.
    pub start_rows: StartRows,
    /// How men move without capturing.
    pub man_moves: ManMoves,
    /// How men capture.
    pub man_captures: ManCaptures,
    /// Whether a man may take a king.
    pub men_take_kings: bool,
    /// How far kings reach.
    pub king_range: KingRange,
    /// Where a flying king may stop behind the last piece it takes.
    pub king_landing: KingLanding,
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Whether two consecutive jumps of one capture may go in opposite directions (it matters only where captured
    /// pieces leave at once).
    pub may_turn_back: bool,
    /// What happens to a man that reaches the promotion row while it captures.
    pub promotion: Promotion,
    /// Which captures are compulsory among the possible ones.
    pub precedence: Precedence,
    /// How the game is won.
    pub goal: Goal,
    /// Consecutive quiet moves that a side with a man may make with one king; `None` is no limit.
    pub king_move_limit: Option<u8>,
    /// When the game is drawn.
    pub draws: DrawRules,
}

/// Rows of men at the start, on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartRows {
    /// Rows left empty behind the men.
    pub skipped: u8,
    /// Rows of men.
    pub rows: u8,
}

/// Directions of a man's quiet moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManMoves {
    /// One step diagonally forward.
    DiagonallyForward,
    /// One step straight forward or sideways.
    ForwardAndSideways,
}

/// Directions of a man's captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManCaptures {
    /// Diagonally forward.
    DiagonallyForward,
    /// Diagonally forward and back.
    Diagonally,
    /// Diagonally, straight and sideways.
    EightWays,
    /// Straight forward and sideways.
    ForwardAndSideways,
}

/// Reach of kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingRange {
    /// One step; captures adjacent pieces.
    Short,
    /// Any number of empty squares.
    Flying,
}

/// Where a flying king may stop behind the last piece it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingLanding {
    /// On any empty square.
    Anywhere,
    /// Directly behind it.
    DirectlyBehind,
    /// Directly behind it if it is a king, else anywhere.
    DirectlyBehindKing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// When the whole move is made; meanwhile they block.
    AfterMove,
    /// As soon as they are jumped.
    AtOnce,
}

/// What happens to a man that reaches the promotion row while it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It promotes only if the move ends there.
    AtEnd,
    /// It promotes and the move ends.
    EndsMove,
    /// It promotes and goes on as a king.
    GoesOnAsKing,
}

/// Which captures are compulsory among the possible ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any, but it must be finished.
    Free,
    /// Those that take most pieces.
    Most,
    /// Those that take most pieces, among them those that take most kings.
    MostThenKings,
    /// Most pieces; with a king; most kings; the first king met earliest.
    Italian,
    /// Highest value, where n kings lie between 2n−1 and 2n men; then with a king.
    HighestValue,
    /// With a king if a king can capture.
    WithKing,
}

/// How the game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The side to move without a legal move has lost.
    Block,
    /// The side to move without a legal move has won.
    Lose,
    /// The first side with a king has won; without a legal move a side has lost.
    FirstKing,
}

/// Rules handed to generic code: a zero-sized type for each built-in variant, so that the compiler knows every field.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The board, equal to the spec's shape.
    type Board: Geometry;
    /// Returns the rules.
    fn spec(self) -> &'static RuleSpec;
}

/// Work to be done with the rules of a variant known at compile time; see
/// [`Variant::dispatch`](super::Variant::dispatch).
pub trait Task {
    /// What the work returns.
    type Output;
    /// Does the work.
    fn run<R: Rules>(self, rules: R) -> Self::Output;
}
