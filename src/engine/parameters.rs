//! The numbers by which the search is tuned.
//!
//! Depths are in plies, margins in centi-men. A change of any of them has to be tested in a match.

/// Greatest depth of an iteration.
pub(super) const MAX_DEPTH: u32 = 100;
/// Longest line from the root, extensions and quiescence search included.
pub(super) const MAX_PLY: usize = 120;

/// First iteration with an aspiration window.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// Half the width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: i32 = 15;
/// Factor by which an aspiration window grows when the score is outside it.
pub(super) const ASPIRATION_GROWTH: i32 = 4;

/// Iterations with the same best move after which half of the target time is enough.
pub(super) const STABLE_ITERATIONS: u32 = 5;
/// Centi-men by which an iteration lowers the score so that twice the target time may be used.
pub(super) const FALL: i32 = 20;

/// Loss expected at the horizon for a side whose pieces are attacked.
pub(super) const THREAT_PENALTY: i32 = 100;

/// Least depth at which a shallow search may prove a beta cut-off.
pub(super) const PROBE_DEPTH: i32 = 3;
/// Margin above beta that the shallow search must reach, for each ply of depth.
pub(super) const PROBE_MARGIN: i32 = 10;

/// Greatest depth at which later moves may be skipped if the score is far below the window (futility pruning).
pub(super) const FUTILITY_DEPTH: i32 = 2;
/// Greatest gain expected from a move, for each ply of depth.
pub(super) const FUTILITY_MARGIN: i32 = 100;

/// Greatest depth at which a quiet position may be cut off by its evaluation (reverse futility pruning).
pub(super) const REVERSE_DEPTH: i32 = 2;
/// Margin above beta that the evaluation must reach, for each ply of depth.
pub(super) const REVERSE_MARGIN: i32 = 20;

/// Least depth at which moves after which the opponent can capture are exempt from futility pruning.
pub(super) const SACRIFICE_DEPTH: i32 = 2;

/// Least depth at which a thread postpones moves that another thread is searching.
pub(super) const SHARING_DEPTH: i32 = 6;

/// Least depth at which a move is tested for being singular.
pub(super) const SINGULAR_DEPTH: i32 = 6;
/// Reduction of the search of the other moves in that test.
pub(super) const SINGULAR_REDUCTION: i32 = 4;
/// Margin by which a singular move is better than all others.
pub(super) const SINGULAR_MARGIN: i32 = 100;

/// Greatest history bonus of one cut-off.
pub(super) const MAX_HISTORY_BONUS: i32 = 400;
/// Bound of the history of a move.
pub(super) const MAX_HISTORY: i32 = 1 << 14;
