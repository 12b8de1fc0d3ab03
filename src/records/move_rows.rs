//! The moves of a main line, visited as rows in order.

use super::game_rows::Lines;
use super::rows::MoveRow;
use super::texts::comment_text;
use crate::pdn::LineId;
use crate::replay::ReplayedGame;
use crate::rules::Position;

/// The moves of the main line of a game, visited as rows in order.
#[derive(Clone, Copy, Debug)]
pub struct MoveRows<'r>(Source<'r>);

#[derive(Clone, Copy, Debug)]
enum Source<'r> {
    Rows(&'r [MoveRow<'r>]),
    Game(&'r ReplayedGame),
}

impl<'r> MoveRows<'r> {
    /// Returns the moves of a game; `None` if it has none, since its variations then belong to no move.
    pub(crate) fn of(game: &'r ReplayedGame) -> Option<Self> {
        game.main_moves().next().is_some().then_some(Self(Source::Game(game)))
    }

    /// Returns the starting position, if the rows are those of a game and the side to move is known.
    pub(crate) const fn start(&self) -> Option<&'r Position> {
        match self.0 {
            Source::Rows(_) => None,
            Source::Game(game) => game.known_start(),
        }
    }

    /// Returns true if moves may have evaluations, by which other moves are assessed: then all rows are needed at once.
    pub(crate) fn may_be_assessed(&self) -> bool {
        match self.0 {
            Source::Rows(_) => true,
            Source::Game(game) => {
                let tree = game.tree();
                let mut after = tree.main_line().nodes().iter().flat_map(|&id| tree.node(id).attachments());
                after.any(|item| comment_text(item).is_some())
            }
        }
    }

    /// Passes on the row of each move, in order. All moves of a game share one row: rows are large, and collecting them takes
    /// as long as writing them.
    pub(crate) fn for_each(&self, mut take: impl FnMut(&MoveRow<'r>)) {
        match self.0 {
            Source::Rows(rows) => rows.iter().for_each(take),
            Source::Game(game) => drop(Lines::of(game).visit(LineId::MAIN, 0, |row| take(row))),
        }
    }
}

impl<'r> From<&'r [MoveRow<'_>]> for MoveRows<'r> {
    fn from(rows: &'r [MoveRow<'_>]) -> Self {
        Self(Source::Rows(rows))
    }
}
