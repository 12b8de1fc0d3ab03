//! The moves of a main line, visited as rows in order.

use super::game_rows::{MoveCount, RowNames, set_played, written_row};
use super::rows::MoveRow;
use crate::board::Side;
use crate::check::{CheckedGame, Needs, PlainPly};
use crate::pdn::NodeId;
use crate::rules::Position;

/// The moves of the main line of a game, visited as rows in order.
#[derive(Clone, Copy, Debug)]
pub struct MoveRows<'r>(Source<'r>);

#[derive(Clone, Copy, Debug)]
enum Source<'r> {
    Rows(&'r [MoveRow<'r>]),
    Plain { line: &'r [PlainPly], game: &'r [u8], start: &'r Position },
}

impl<'r> MoveRows<'r> {
    /// Returns the moves of a game that was read without a tree. They have no evaluations.
    pub fn plain(game: &'r CheckedGame<'_>) -> Option<Self> {
        let plain = game.plain().filter(|plain| plain.needs() >= Needs::Moves)?;
        Some(Self(Source::Plain { line: plain.line(), game: game.bytes(), start: plain.start() }))
    }

    /// Returns the starting position, if the moves are plain.
    pub(crate) const fn start(&self) -> Option<&'r Position> {
        match self.0 {
            Source::Rows(_) => None,
            Source::Plain { start, .. } => Some(start),
        }
    }

    /// Passes on the row of each move, in order. All plain moves share one row: rows are large, and collecting them takes as
    /// long as writing them.
    pub(crate) fn for_each(&self, mut take: impl FnMut(&MoveRow<'r>)) {
        let (line, game, start) = match self.0 {
            Source::Rows(rows) => return rows.iter().for_each(take),
            Source::Plain { line, game, start } => (line, game, start),
        };
        let (names, text) = (RowNames::of(start.variant()), str::from_utf8(game).ok());
        let mut count = MoveCount::new(start.variant().starts());
        let (mut row, mut before) = (written_row(0, Side::White, "".into()), *start);
        for (ply, found) in (1..).zip(line) {
            let after = before.play_unchecked(found.played());
            (row.ply, row.number, row.side) = (ply, found.number(), before.turn().letter());
            row.move_no = count.next(row.side, row.number);
            row.written = found.text(game, text).into();
            // The tree of a game with plain moves has no other nodes.
            row.node = Some(NodeId::new(ply - 1));
            set_played(&mut row, &before, found.played(), &after, &names);
            take(&row);
            before = after;
        }
    }

    /// Returns the rows of all moves.
    pub(super) fn rows(&self) -> Vec<MoveRow<'r>> {
        let count = match self.0 {
            Source::Rows(rows) => rows.len(),
            Source::Plain { line, .. } => line.len(),
        };
        let mut rows = Vec::with_capacity(count);
        self.for_each(|row| rows.push(row.clone()));
        rows
    }
}

impl<'r> From<&'r [MoveRow<'_>]> for MoveRows<'r> {
    fn from(rows: &'r [MoveRow<'_>]) -> Self {
        Self(Source::Rows(rows))
    }
}
