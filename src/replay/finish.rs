//! What can be said once the main line is played: draws and the result.

use super::game::ReplayedGame;
use super::opening::is_set_up;
use super::result::{GameResult, Verdict, read_score};
use super::tags::roster_tag;
use crate::board::Side;
use crate::diag::{Code, Diagnostic, Span};
use crate::pdn::{NodeId, NodeKind};
use crate::rules::{DrawEvent, DrawTracker, ManMoves, Position, Standing, Variant};

/// Notes the draws that the rules see in the main line; true if the last move makes one that nobody has to claim.
pub(super) fn note_draws(game: &mut ReplayedGame) -> bool {
    let mut tracker = None;
    let mut notes = Vec::new();
    let mut drawn = false;
    for &id in &game.tree.main_line().nodes {
        let Some(ply) = game.plies[id.index()] else { continue };
        let Some(after) = ply.after else { continue };
        drawn = false;
        match (ply.before, ply.played) {
            (Some(before), Some(played)) if can_repeat(&before) => {
                let tracker = tracker.get_or_insert_with(|| DrawTracker::new(&before));
                let events = tracker.record(&before, &played, &after);
                drawn = events.iter().any(|event| event.standing == Standing::Automatic);
                notes.extend(events.into_iter().map(|event| note(game, id, &event)));
            }
            // A setup or a null move: what happened before it does not count.
            (_, None) if ply.before != ply.after => tracker = None,
            _ => {}
        }
    }
    game.diagnostics.append(&mut notes);
    drawn
}

/// Whether moves from here may be taken back by later ones. Where men only advance, nothing counts towards a draw before
/// there is a king, and most games never come to that.
fn can_repeat(position: &Position) -> bool {
    !position.kings().is_empty() || position.variant().spec().man_moves == ManMoves::ForwardAndSideways
}

fn note(game: &ReplayedGame, id: NodeId, event: &DrawEvent) -> Diagnostic {
    let code = Code::by_name(&format!("draw/{}", event.name)).unwrap_or(Code::DRAW_LIMIT);
    let standing = match event.standing {
        Standing::Automatic => "the game is a draw here",
        Standing::Claim => "a draw can be claimed here",
    };
    let unsure = if event.verified { "" } else { ", unverified" };
    let span = game.tree.node(id).span;
    let message = format!("{standing}: {} (article {}{unsure})", event.name, event.article);
    Diagnostic::new(code, span, message)
}

/// Notes a draw that the players agreed on before they might.
fn note_early_draw(game: &mut ReplayedGame, span: Span) {
    let Some(rule) = game.variant.and_then(|variant| variant.spec().draws.agreement) else { return };
    let known = |id: &NodeId| matches!(game.tree.node(*id).kind, NodeKind::Move(_));
    let counted = game.is_clean() && !is_set_up(&game.tree) && game.tree.main_line().nodes.iter().all(known);
    let claimed = game.diagnostics.iter().any(|found| found.code.name().starts_with("draw/"));
    let moves = game.main_played / 2;
    if counted && !claimed && moves < usize::from(rule.after_moves) {
        let message = format!(
            "a draw after {moves} of the {} moves of each side before which none may be proposed (article {})",
            rule.after_moves, rule.article
        );
        game.diagnostics.push(Diagnostic::new(Code::DRAW_EARLY, span, message));
    }
}

/// Reads tag and terminator, and compares them with each other and with the board, on which the last move may have drawn.
pub(super) fn compare_results(game: &mut ReplayedGame, drawn: bool) {
    // In files of games that Black begins the left number is Black's, as the first mover.
    let left = game.variant.map_or(Side::White, Variant::starts);
    let tag = roster_tag(&game.tree, "Result").cloned();
    let terminator = game.tree.terminator.clone();
    let tag_score = tag.as_ref().and_then(|tag| read_score(&tag.value));
    let end_score = terminator.as_ref().and_then(|terminator| read_score(&terminator.text));
    let winner = tag_score.or(end_score).and_then(|score| score.verdict(left));
    let last = game.last.filter(|_| game.legal);
    let won = last.and_then(|last| last.winner()).map(Verdict::Win);
    let board = won.or(last.filter(|_| drawn).map(|_| Verdict::Draw));
    let span = terminator.as_ref().map(|terminator| terminator.span).or(tag.as_ref().map(|tag| tag.span));
    if let (Some(span), Some(in_tag), Some(at_end)) = (span, tag_score, end_score)
        && in_tag != at_end
    {
        let (tag, terminator) =
            (tag.as_ref().map_or("", |tag| &tag.value), terminator.as_ref().map_or("", |t| &t.text));
        let message = format!("the Result tag says `{tag}`, the end of the moves `{terminator}`");
        game.diagnostics.push(Diagnostic::new(Code::RESULT_MISMATCH, span, message));
    }
    if let (Some(span), Some(Verdict::Win(side)), Some(winner)) = (span, board, winner)
        && winner != Verdict::Win(side)
    {
        let message = match winner {
            Verdict::Draw => format!("{side} has won on the board, but the result is a draw"),
            Verdict::Win(other) => format!("{side} has won on the board, but the result gives {other} the win"),
        };
        game.diagnostics.push(Diagnostic::new(Code::RESULT_BOARD, span, message));
    }
    let told_at = if end_score.is_some() { span } else { tag.as_ref().map(|tag| tag.span) };
    if let (Some(span), Some(Verdict::Draw), None) = (told_at, winner, board) {
        note_early_draw(game, span);
    }
    game.result = GameResult {
        tag: tag.map(|tag| tag.value),
        terminator: terminator.map(|terminator| terminator.text),
        board,
        winner,
    };
}
