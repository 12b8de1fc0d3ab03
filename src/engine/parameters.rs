//! The numbers by which the search is tuned.
//!
//! Depths are in plies, margins in centi-men. Any change must be tested in a match, by the rule in `evaluation/data/README.md`;
//! the differences in Elo below are from matches at 20,000 to 60,000 nodes a move, which `evaluation/data/experiments.md` lists
//! with their conditions. Numbers without a result were chosen once and not varied since.

/// Maximum depth of an iteration.
pub(super) const MAX_DEPTH: u32 = 100;
/// Longest line from the root, extensions and quiescence search included. Each ply has buffers, so it is bounded.
pub(super) const MAX_PLY: usize = 120;

// The scores of the first iterations change by more than the window, and a second search would be needed.
/// First iteration with an aspiration window.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// Half the width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: i32 = 15;
/// Factor by which an aspiration window grows when the score is outside it.
pub(super) const ASPIRATION_GROWTH: i32 = 4;

/// Iterations with the same best move after which half of the target time is enough.
pub(super) const STABLE_ITERATIONS: u32 = 5;
/// Centi-men by which an iteration lowers the score so that twice the target time may be used: the best move may be
/// refuted, and another has to be found.
pub(super) const FALL: i32 = 20;

/// Loss expected at the horizon for a side whose pieces are attacked: a man.
pub(super) const THREAT_PENALTY: i32 = 100;

/// Minimum depth at which a shallow search may prove a beta cut-off.
pub(super) const PROBE_DEPTH: i32 = 3;
/// Margin above beta that the shallow search must reach, for each ply of depth. Against the search that also
/// probes positions with captures, 10 scored 22 ± 22 Elo and 7 scored −5 ± 23; against 10, 14 scored 9 ± 16.
pub(super) const PROBE_MARGIN: i32 = 10;

/// Maximum depth at which later moves may be skipped if the score is far below the window (futility pruning). With a margin of
/// 60, a depth of 3 (14 ± 17 Elo) was no better than 2 (16 ± 18).
pub(super) const FUTILITY_DEPTH: i32 = 2;
/// Maximum gain expected from a move, for each ply of depth: 26 ± 16 Elo; with 60, 16 ± 18. Skipping moves by their number
/// alone lost 14 ± 17.
pub(super) const FUTILITY_MARGIN: i32 = 100;

/// Maximum depth at which a quiet position may be cut off by its evaluation (reverse futility pruning). To depth 4 there was no
/// further gain (+41 =226 −39).
pub(super) const REVERSE_DEPTH: i32 = 2;
/// Margin above beta that the evaluation must reach, for each ply of depth: 22 ± 13 Elo, and a sixth less time to a depth.
/// With 40 the gain was 2 ± 14; 10 was as good (−1 ± 14), 0 worse (−13 ± 13).
pub(super) const REVERSE_MARGIN: i32 = 20;

/// Minimum depth at which moves after which the opponent can capture are exempt from futility pruning.
pub(super) const SACRIFICE_DEPTH: i32 = 2;

// Smaller searches are over before the result could help another thread.
/// Minimum depth at which a thread postpones moves that another thread is searching.
pub(super) const SHARING_DEPTH: i32 = 6;

// Less the reduction, the test is a search of at least 2 plies.
/// Minimum depth at which a move is tested for being singular.
pub(super) const SINGULAR_DEPTH: i32 = 6;
/// Reduction of the search of the other moves in that test.
pub(super) const SINGULAR_REDUCTION: i32 = 4;
/// Margin by which a singular move is better than all others: 16 ± 11 Elo against a man, and 13 ± 18 more with 15.
pub(super) const SINGULAR_MARGIN: i32 = 30;

/// Maximum distance from the evaluation up to the window at which shots are searched: two men. With a singular margin of 30
/// instead of a man, the search for shots scored 38 ± 14 Elo.
pub(super) const SHOT_MARGIN: i32 = 200;

/// Maximum history bonus of one cut-off.
pub(super) const MAX_HISTORY_BONUS: i32 = 400;
/// Bound of the history of a move, which fits into 16 bits.
pub(super) const MAX_HISTORY: i32 = 1 << 14;
