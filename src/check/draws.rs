//! Draws by the rules, in the main line.

use crate::diag::{Code, Diagnostic, Group, Span, messages};
use crate::pdn::NodeKind;
use crate::replay::ReplayedGame;
use crate::rules::{DrawEvent, DrawTracker, ManMoves, Position, Standing};

/// The draws of a main line.
#[derive(Default)]
pub(super) struct Draws {
    /// A note for each.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether the last move makes one that need not be claimed.
    pub(super) is_final: bool,
}

/// Finds the draws of a game.
pub(super) fn find_draws(game: &ReplayedGame) -> Draws {
    let mut tracker = None;
    let mut draws = Draws::default();
    for (id, ply) in game.main_line() {
        let Some(after) = ply.after() else { continue };
        draws.is_final = false;
        match (ply.before(), ply.played()) {
            (Some(before), Some(played)) if can_repeat(before) => {
                let events = tracker.get_or_insert_with(|| DrawTracker::new(before)).record(before, played, after);
                draws.is_final = events.iter().any(|event| event.standing == Standing::Automatic);
                let span = game.tree().node(id).span;
                draws.diagnostics.extend(events.iter().map(|event| note(span, event)));
            }
            // What happened before a setup or a null move does not count.
            (_, None) if ply.before() != ply.after() => tracker = None,
            _ => {}
        }
    }
    draws
}

/// Returns true if moves from here may be taken back by later ones. Where men only advance, nothing counts towards a draw
/// before there is a king, and most games never come to that.
fn can_repeat(position: &Position) -> bool {
    !position.kings().is_empty() || position.variant().spec().man_moves == ManMoves::ForwardAndSideways
}

fn note(span: Span, event: &DrawEvent) -> Diagnostic {
    let message = match (event.standing, event.verified) {
        (Standing::Automatic, true) => messages::drawn,
        (Standing::Automatic, false) => messages::drawn_unverified,
        (Standing::Claim, true) => messages::claimable,
        (Standing::Claim, false) => messages::claimable_unverified,
    };
    // House rules may name their limits as they like.
    let code = Code::in_group(Group::Draw, event.name).unwrap_or(Code::DRAW_LIMIT);
    message(span, event.name, event.article).with_code(code)
}

/// Returns a note if the players agreed on a draw before they were allowed to; `found` are the draws of the game.
pub(super) fn early_draw(game: &ReplayedGame, found: &Draws, span: Span) -> Option<Diagnostic> {
    let rule = game.variant()?.spec().draws.agreement?;
    let all_known = game.main_line().all(|(id, _)| matches!(game.tree().node(id).kind, NodeKind::Move(_)));
    let counted = game.is_clean() && !game.is_set_up() && all_known;
    let moves = moves_before(game) + game.plies_played() / 2;
    let early = counted && found.diagnostics.is_empty() && moves < usize::from(rule.after_moves);
    early.then(|| messages::early_draw(span, moves, u32::from(rule.after_moves), rule.article))
}

/// Number of moves by each side before the record, to judge by its first number: a record may begin late in a game.
fn moves_before(game: &ReplayedGame) -> usize {
    let first = game.main_moves().next().and_then(|id| game.tree().node(id).number);
    first.map_or(0, |number| (number.value as usize).saturating_sub(1))
}
