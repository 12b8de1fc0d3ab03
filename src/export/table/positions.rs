//! The table of positions.

use super::Cells;
use super::column::{Column, Kind, always};
use super::games::{date, points, rating_of, write_origin};
use super::moves::write_evaluation;
use crate::board::Side;
use crate::pdn::Evaluation;
use crate::records::GameRow;
use crate::rules::{LineKeys, Position, Variant};

pub(super) const COLUMNS: [Column; 22] = [
    always("schema_version", Kind::Integer),
    always("file", Kind::Word),
    always("game", Kind::Count),
    always("ply", Kind::Count),
    always("position_key", Kind::Key),
    always("canonical_key", Kind::Key),
    always("variant", Kind::Word),
    always("side", Kind::Word),
    always("white_men", Kind::Integer),
    always("white_kings", Kind::Integer),
    always("black_men", Kind::Integer),
    always("black_kings", Kind::Integer),
    always("fen", Kind::Text),
    always("next_move", Kind::Word),
    always("eval_cm", Kind::Integer),
    always("win_in", Kind::Integer),
    always("win_side", Kind::Word),
    always("winner", Kind::Word),
    always("white_points", Kind::Integer),
    always("white_rating", Kind::Integer),
    always("black_rating", Kind::Integer),
    always("year", Kind::Integer),
];

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
struct Reached<'a> {
    position: Position,
    ply: u64,
    evaluation: Option<Evaluation>,
    next: Option<&'a str>,
}

/// Writes a row for the first position of a game, for that after each legal move of its main line, and for each that is set
/// up.
pub(super) fn write(cells: &mut impl Cells, game: &GameRow<'_>) {
    let (facts, mut keys) = (Facts::of(game), LineKeys::default());
    for (n, reached) in reached(game).into_iter().enumerate() {
        cells.repeated(n > 0, |cells| write_origin(cells, game));
        write_position(cells, &reached, &mut keys);
        cells.word(facts.winner);
        facts.numbers.iter().for_each(|&number| cells.integer(number));
        cells.end_row();
    }
}

fn reached<'a>(game: &'a GameRow<'_>) -> Vec<Reached<'a>> {
    let Some(variant) = game.variant.and_then(|name| variant_of(game, name)) else { return Vec::new() };
    let start = game.start_fen.as_deref().and_then(|fen| Position::from_fen(variant, fen).ok());
    let of = |position, ply| Reached { position, ply, evaluation: None, next: None };
    let mut all: Vec<_> = start.map(|start| of(start, 0)).into_iter().collect();
    for row in &game.moves {
        let set_up = row.setups.iter().filter_map(|fen| Position::from_fen(variant, fen).ok());
        // A position that is set up comes before the move whose row it is in.
        all.extend(set_up.map(|position| of(position, u64::from(row.ply).saturating_sub(1))));
        if let Some(after) = row.fen {
            if let Some(before) = all.last_mut() {
                before.next = row.notation.as_deref();
            }
            let ply = row.ply.into();
            all.push(Reached { position: *after.position(), ply, evaluation: row.eval, next: None });
        }
    }
    all
}

/// Returns the variant of a game: that of its positions, which may be unnamed house rules, or else the variant with its name.
fn variant_of(game: &GameRow<'_>, name: &str) -> Option<Variant> {
    let of_moves = game.moves.iter().find_map(|row| Some(row.fen.as_ref()?.position().variant()));
    of_moves.or_else(|| name.parse().ok())
}

fn write_position(cells: &mut impl Cells, reached: &Reached<'_>, keys: &mut LineKeys) {
    let position = &reached.position;
    cells.count(reached.ply);
    cells.key(Some(keys.variant_key(position)));
    cells.key(Some(keys.canonical_key(position)));
    cells.word(Some(position.variant().name()));
    cells.word(Some(if position.turn() == Side::White { "W" } else { "B" }));
    for side in [Side::White, Side::Black] {
        let (own, kings) = (position.squares_of(side).word(), position.kings().word());
        cells.count((own & !kings).count_ones().into());
        cells.count((own & kings).count_ones().into());
    }
    position.with_fen(|fen| cells.fen(Some(fen)));
    cells.word(reached.next);
    write_evaluation(cells, reached.evaluation);
}
