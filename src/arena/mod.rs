//! Matches between engines: openings, games and scores; learning an evaluation; and the positions by which the speed of the
//! search is measured.

mod bench;
mod dxp;
mod game;
mod line;
mod match_checkpoint;
mod match_play;
mod openings;
mod player;
mod record;
mod score;
mod thought;
mod train;

pub use bench::{BENCH_DEPTH, bench_positions, bench_search};
pub use dxp::{DxpGame, DxpNotice, DxpProposal, DxpSession, DxpSettings};
pub use game::{GameEnd, MatchGame};
pub use line::GameLine;
pub use match_checkpoint::MatchCheckpoint;
pub use match_play::{Match, MatchError};
pub use openings::{Opening, even_openings, is_fair, random_openings, two_ply_openings};
pub use player::{ParsePlayerError, PlayerSpec};
pub use record::GameRecord;
pub use score::{Elo, MatchScore, Sprt, SprtDecision};
pub use thought::{Effort, Thought};
pub use train::{Fit, FitOptions, Loss, SelfPlay, SelfPlayFile, SelfPlayGame, self_play_evaluations};
