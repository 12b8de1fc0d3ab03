//! The result of a game, as written and according to the final position.

use super::draws::{Draws, early_draw};
use crate::board::Side;
use crate::diag::{Diagnostic, Span, messages};
use crate::egdb::Databases;
use crate::notation::{Outcome, WrittenResult, is_unknown_result, read_result, roster_tag};
use crate::pdn::GameTree;
use crate::replay::ReplayedGame;
use crate::rules::{DrawEvent, Position, Variant};

/// The outcome of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    /// According to the final position, if the main line could be replayed to its end.
    pub(super) board: Option<Outcome>,
    /// According to the tag, or else the terminator.
    pub(super) winner: Option<Outcome>,
}

/// Reads tag and terminator, and compares them with each other and with the final position.
pub(super) fn check_result(
    game: &ReplayedGame,
    draws: &Draws,
    (databases, strict): (&Databases, bool),
) -> (Outcomes, Vec<Diagnostic>) {
    let written = Written::of(game.tree());
    // In variants that Black begins, the left number is Black's, as the first mover.
    let left = game.variant().map_or(Side::White, Variant::starts);
    let winner = written.in_tag.or(written.at_end).and_then(|result| result.outcome(left));
    let last = game.final_position().filter(|_| game.is_legal());
    let won = last.and_then(Position::winner).map(Outcome::Win);
    let board = won.or(last.filter(|_| draws.at_end.is_some()).map(|_| Outcome::Draw));
    let against_board = written.against_board((board, winner), left, draws.at_end.as_ref());
    let mut diagnostics: Vec<_> = written.mismatch().into_iter().chain(against_board).collect();
    let is_unknown = written.in_tag.or(written.at_end).is_none() && written.has_no_other();
    if let (Some(Outcome::Win(side)), true, true) = (won, is_unknown, game.plies_played() > 0) {
        diagnostics.extend(missing(game, side, written.span()));
    }
    if let (Some(span), Some(Outcome::Draw), None) = (written.result_span(), winner, board) {
        diagnostics.extend(early_draw(game, strict, draws, span));
    }
    if let (Some(span), Some(last), Some(result), None) = (written.span(), last, winner, board)
        && let Some(best) = best_play(databases, last).filter(|best| *best != result)
    {
        diagnostics.push(note(databases, game, span, best, result));
    }
    (Outcomes { board, winner }, diagnostics)
}

/// Tag and terminator with their spans.
#[derive(Clone, Copy)]
struct Written<'a> {
    tag: Option<(&'a str, Span)>,
    end: Option<(&'a str, Span)>,
    in_tag: Option<WrittenResult>,
    at_end: Option<WrittenResult>,
}

impl<'a> Written<'a> {
    fn of(tree: &'a GameTree) -> Self {
        let tag = roster_tag(tree, "Result").map(|tag| (tag.value(), tag.span()));
        let end = tree.terminator().zip(tree.terminator_span());
        let read = |(text, _)| read_result(text);
        Self { tag, end, in_tag: tag.and_then(read), at_end: end.and_then(read) }
    }

    /// Returns true if nothing is written in place of a result, such as the score of teams.
    fn has_no_other(&self) -> bool {
        [self.tag, self.end].into_iter().flatten().all(|(text, _)| is_unknown_result(text))
    }

    /// The span of diagnostics about the result: the terminator, or else the tag.
    fn span(&self) -> Option<Span> {
        self.end.or(self.tag).map(|(_, span)| span)
    }

    /// The span of the result itself.
    fn result_span(&self) -> Option<Span> {
        if self.at_end.is_some() { self.span() } else { self.tag.map(|(_, span)| span) }
    }

    fn mismatch(&self) -> Option<Diagnostic> {
        let ((tag, _), (end, span)) = (self.tag?, self.end?);
        let differs = self.in_tag? != self.at_end?;
        differs.then(|| messages::result_mismatch(span, tag, end))
    }

    fn against_board(
        &self,
        (board, winner): (Option<Outcome>, Option<Outcome>),
        left: Side,
        drawn: Option<&DrawEvent>,
    ) -> Option<Diagnostic> {
        match (board?, winner?) {
            (board, winner) if board == winner => None,
            // Records of English draughts often have White's number on the left.
            (Outcome::Win(side), Outcome::Win(other)) if left == Side::Black => {
                let (winner, first) = (side.to_string(), left.to_string());
                Some(messages::result_of_second_side(self.span()?, winner, other.to_string(), first))
            }
            (Outcome::Win(side), Outcome::Win(other)) => {
                Some(messages::result_of_other_side(self.span()?, side.to_string(), other.to_string()))
            }
            (Outcome::Win(side), Outcome::Draw) => Some(messages::result_is_draw(self.span()?, side.to_string())),
            (Outcome::Draw, Outcome::Win(side)) => {
                let (drawn, span, winner) = (drawn?, self.span()?, side.to_string());
                Some(if drawn.is_verified() {
                    messages::result_of_drawn_game(span, drawn.name(), drawn.article(), winner)
                } else {
                    messages::result_of_game_drawn_by(span, drawn.name(), winner)
                })
            }
            (Outcome::Draw, Outcome::Draw) => None,
        }
    }
}

/// Returns the note about a game that is won on the board and has no result.
fn missing(game: &ReplayedGame, side: Side, span: Option<Span>) -> Option<Diagnostic> {
    let last = || game.main_moves().last().map(|id| game.tree().node(id).span());
    let variant = game.variant()?;
    // A problem or a fragment, without players, has no result to record.
    let is_named =
        |name| roster_tag(game.tree(), name).is_some_and(|tag| !matches!(tag.value().trim(), "" | "?" | "-"));
    if !["White", "Black"].into_iter().all(is_named) {
        return None;
    }
    let result = Outcome::Win(side).result_text(variant);
    Some(messages::result_missing(span.or_else(last)?, side.to_string(), result))
}

/// Returns the outcome of a position with best play, if the databases contain it.
fn best_play(databases: &Databases, position: &Position) -> Option<Outcome> {
    let value = databases.probe(position)?.value();
    Some(value.winner(position.turn()).map_or(Outcome::Draw, Outcome::Win))
}

/// Returns the note about a result that differs from the outcome with best play. It is placed at the move that changed the
/// outcome, if the databases contain the positions, and otherwise at the result.
fn note(databases: &Databases, game: &ReplayedGame, result_at: Span, best: Outcome, result: Outcome) -> Diagnostic {
    let line: Vec<_> = game.main_line().collect();
    let known = line.iter().enumerate().rev().map_while(|(n, (id, ply))| {
        let (before, after) = (best_play(databases, ply.before()?), best_play(databases, ply.after()?)?);
        Some((n, *id, before?, after))
    });
    // From the last move back: the last change counts.
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
