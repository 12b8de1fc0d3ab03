//! What can be said once the main line is played: draws and the result.

use super::game::ReplayedGame;
use super::opening::is_set_up;
use super::result::GameResult;
use crate::board::Side;
use crate::diag::{Code, Diagnostic, Span};
use crate::notation::{Outcome, WrittenResult, read_result, roster_tag};
use crate::pdn::{GameTree, NodeId, NodeKind, Tag, Terminator};
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

/// What tag and terminator say of the result.
struct Written {
    tag: Option<Tag>,
    end: Option<Terminator>,
    in_tag: Option<WrittenResult>,
    at_end: Option<WrittenResult>,
}

impl Written {
    fn of(tree: &GameTree) -> Self {
        let (tag, end) = (roster_tag(tree, "Result").cloned(), tree.terminator.clone());
        let in_tag = tag.as_ref().and_then(|tag| read_result(&tag.value));
        let at_end = end.as_ref().and_then(|end| read_result(&end.text));
        Self { tag, end, in_tag, at_end }
    }

    /// Where a finding about the result stands: the terminator, else the tag.
    fn span(&self) -> Option<Span> {
        self.end.as_ref().map(|end| end.span).or(self.tag.as_ref().map(|tag| tag.span))
    }

    /// Where a result is told.
    fn told_at(&self) -> Option<Span> {
        if self.at_end.is_some() { self.span() } else { self.tag.as_ref().map(|tag| tag.span) }
    }

    fn mismatch(&self) -> Option<Diagnostic> {
        let (tag, end) = (self.tag.as_ref()?, self.end.as_ref()?);
        let differs = self.in_tag? != self.at_end?;
        let message = format!("the Result tag says `{}`, the end of the moves `{}`", tag.value, end.text);
        differs.then(|| Diagnostic::new(Code::RESULT_MISMATCH, end.span, message))
    }

    fn against_board(&self, board: Option<Outcome>, winner: Option<Outcome>) -> Option<Diagnostic> {
        let Outcome::Win(side) = board? else { return None };
        let message = match winner? {
            Outcome::Win(other) if other == side => return None,
            Outcome::Win(other) => format!("{side} has won on the board, but the result gives {other} the win"),
            Outcome::Draw => format!("{side} has won on the board, but the result is a draw"),
        };
        Some(Diagnostic::new(Code::RESULT_BOARD, self.span()?, message))
    }
}

/// Reads tag and terminator, and compares them with each other and with the board, on which the last move may have drawn.
pub(super) fn compare_results(game: &mut ReplayedGame, drawn: bool) {
    let written = Written::of(&game.tree);
    // In files of games that Black begins the left number is Black's, as the first mover.
    let left = game.variant.map_or(Side::White, Variant::starts);
    let winner = written.in_tag.or(written.at_end).and_then(|score| score.outcome(left));
    let last = game.last.filter(|_| game.legal);
    let won = last.and_then(|last| last.winner()).map(Outcome::Win);
    let board = won.or(last.filter(|_| drawn).map(|_| Outcome::Draw));
    game.diagnostics.extend(written.mismatch());
    game.diagnostics.extend(written.against_board(board, winner));
    if let (Some(span), Some(Outcome::Draw), None) = (written.told_at(), winner, board) {
        note_early_draw(game, span);
    }
    let (tag, terminator) = (written.tag.map(|tag| tag.value), written.end.map(|end| end.text));
    game.result = GameResult { tag, terminator, board, winner };
}
