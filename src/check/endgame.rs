//! Results that contradict the endgame tables in the program.

use crate::board::Side;
use crate::diag::{Diagnostic, Span, messages};
use crate::egdb::{EndgameTables, Value};
use crate::notation::Outcome;
use crate::replay::ReplayedGame;
use crate::rules::Position;

/// Maximum number of pieces in the tables.
const MAX_PIECES: usize = 4;

/// Returns the outcome of a position with best play, if the tables in the program have it.
pub(super) fn best_play(position: &Position) -> Option<Outcome> {
    if position.pieces().nth(MAX_PIECES).is_some() {
        return None;
    }
    let mover = position.turn();
    match EndgameTables::embedded(position.variant()).probe(position)?.value() {
        Value::Win => Some(Outcome::Win(mover)),
        Value::Draw => Some(Outcome::Draw),
        Value::Loss => Some(Outcome::Win(!mover)),
    }
}

/// Returns the note about a result that differs from the outcome with best play. It is at the move that led to this outcome
/// from another one, if the tables have that, otherwise at the result.
pub(super) fn note(game: &ReplayedGame, result_at: Span, best: Outcome, result: Outcome) -> Diagnostic {
    let line: Vec<_> = game.main_line().collect();
    let known = line.iter().enumerate().rev().map_while(|(n, (id, ply))| {
        let (before, after) = (best_play(ply.before()?), best_play(ply.after()?)?);
        Some((n, *id, before?, after))
    });
    let change = { known }.find(|(_, _, before, after)| before != after);
    match change {
        Some((n, id, before, _)) => {
            let span = game.tree().node(id).span;
            messages::result_since(span, text(best), n + 1, text(before), text(result))
        }
        None => messages::result_endgame(result_at, text(best), text(result)),
    }
}

fn text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::White) => "a win for White",
        Outcome::Win(Side::Black) => "a win for Black",
        Outcome::Draw => "a draw",
    }
}
