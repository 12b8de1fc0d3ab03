//! Results that contradict the endgame databases.

use crate::board::Side;
use crate::diag::{Diagnostic, Span, messages};
use crate::egdb::Databases;
use crate::notation::Outcome;
use crate::replay::ReplayedGame;
use crate::rules::Position;

/// Returns the outcome of a position with best play, if the databases have it.
pub(super) fn best_play(databases: Databases, position: &Position) -> Option<Outcome> {
    let value = databases.probe(position)?.value();
    Some(value.winner(position.turn()).map_or(Outcome::Draw, Outcome::Win))
}

/// Returns the note about a result that differs from the outcome with best play. It is at the move that led to this outcome
/// from another one, if the databases have that, otherwise at the result.
pub(super) fn note(
    databases: Databases,
    game: &ReplayedGame,
    result_at: Span,
    best: Outcome,
    result: Outcome,
) -> Diagnostic {
    let line: Vec<_> = game.main_line().collect();
    let known = line.iter().enumerate().rev().map_while(|(n, (id, ply))| {
        let (before, after) = (best_play(databases, ply.before()?), best_play(databases, ply.after()?)?);
        Some((n, *id, before?, after))
    });
    let change = { known }.find(|(_, _, before, after)| before != after);
    match change {
        Some((n, id, before, _)) => {
            let span = game.tree().node(id).span();
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
