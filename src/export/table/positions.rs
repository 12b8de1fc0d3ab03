//! The table of positions.

use super::Cells;
use super::column::{Column, Kind, columns};
use super::games::{date, points, rating_of, write_origin};
use super::moves::write_evaluation;
use crate::board::Side;
use crate::pdn::Evaluation;
use crate::records::{GameRow, MoveRows};
use crate::rules::{LineKeys, Position};

pub(super) const COLUMNS: &[Column] = columns! {
    schema_version Integer, file Word, game Count, ply Count, position_key Key, canonical_key Key, variant Word,
    side Word, white_men Integer, white_kings Integer, black_men Integer, black_kings Integer, fen Text,
    next_move Word, eval_cm Integer, win_in Integer, win_side Word, winner Word, white_points Integer,
    white_rating Integer, black_rating Integer, year Integer
};

/// The values common to the rows of a game, after the positions.
struct Facts<'a> {
    winner: Option<&'a str>,
    numbers: [Option<i64>; 4],
}

impl<'a> Facts<'a> {
    fn of(game: &GameRow<'a>) -> Self {
        let [white, black] = [Side::White, Side::Black].map(|side| rating_of(game, side).map(i64::from));
        Self {
            winner: game.result.winner,
            numbers: [points(game, Side::White), white, black, date(game)[0].map(i64::from)],
        }
    }
}

/// A position that a game reached.
struct Reached {
    position: Position,
    ply: u64,
    evaluation: Option<Evaluation>,
}

/// Writes a row for the first position of a game, for that after each legal move of its main line, and for each that is set
/// up.
pub(super) fn write(cells: &mut impl Cells, game: &GameRow<'_>, moves: &MoveRows<'_>) {
    let Some(variant) = game.rules else { return };
    let position = |fen: &str| Position::from_fen(variant, fen).ok();
    let start = moves.start().copied().or_else(|| position(game.start_fen.as_deref()?));
    let last = start.map(|position| Reached { position, ply: 0, evaluation: None });
    let mut rows =
        PositionRows { cells, game, facts: Facts::of(game), keys: LineKeys::default(), last, is_again: false };
    moves.for_each(|row| {
        for position in row.setups.iter().filter_map(|fen| position(fen)) {
            // A position that is set up comes before the move whose row it is in.
            rows.write_last(None);
            rows.last = Some(Reached { position, ply: u64::from(row.ply).saturating_sub(1), evaluation: None });
        }
        if let Some(after) = row.fen {
            rows.write_last(row.notation.as_deref());
            rows.last = Some(Reached { position: *after.position(), ply: row.ply.into(), evaluation: row.eval });
        }
    });
    rows.write_last(None);
}

/// Writes the rows of a game, each when the next move is known.
struct PositionRows<'w, 'g, C> {
    cells: &'w mut C,
    game: &'w GameRow<'g>,
    facts: Facts<'g>,
    keys: LineKeys,
    /// The position reached last, whose row is not written.
    last: Option<Reached>,
    is_again: bool,
}

impl<C: Cells> PositionRows<'_, '_, C> {
    /// Writes the position reached last, given the move played in it.
    fn write_last(&mut self, next: Option<&str>) {
        let Some(Reached { position, ply, evaluation }) = self.last.take() else { return };
        let (cells, keys) = (&mut *self.cells, &mut self.keys);
        cells.repeated(self.is_again, |cells| write_origin(cells, self.game));
        self.is_again = true;
        cells.count(ply);
        keys.own_and_canonical_key(&position).into_iter().for_each(|key| cells.key(Some(key)));
        cells.word(Some(position.variant().name()));
        cells.symbol(Some(if position.turn() == Side::White { "W" } else { "B" }));
        for side in [Side::White, Side::Black] {
            cells.count(position.men_of(side).len() as u64);
            cells.count(position.kings_of(side).len() as u64);
        }
        position.with_fen(|fen| cells.fen(Some(fen)));
        cells.symbol(next);
        write_evaluation(cells, evaluation);
        cells.symbol(self.facts.winner);
        self.facts.numbers.iter().for_each(|&number| cells.integer(number));
        cells.end_row();
    }
}
