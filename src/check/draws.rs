//! Draws by the rules, in the main line.

use crate::diag::{Code, Diagnostic, Group, Span, messages};
use crate::pdn::{NodeId, NodeKind};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::{DrawEvent, DrawTracker, ManMoves, Move, Position, Standing, Variant};

/// The draws of a main line.
#[derive(Default)]
pub(super) struct Draws {
    /// A note for each.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The first one.
    first: Option<DrawEvent>,
    /// The draw after the last move, if it need not be claimed.
    pub(super) at_end: Option<DrawEvent>,
}

/// Finds the draws of a game.
pub(super) fn find_draws(game: &ReplayedGame) -> Draws {
    // Most games end before the first king; until then nothing counts towards a draw, unless men may go back.
    if game.variant().is_some_and(may_go_back) {
        draws_of(game, game.main_line())
    } else {
        draws_of(game, game.main_line_with_kings())
    }
}

/// Finds the draws of plies of a main line.
fn draws_of<'a>(game: &'a ReplayedGame, plies: impl Iterator<Item = (NodeId, Ply<'a>)>) -> Draws {
    let mut finder = DrawFinder::default();
    for (id, ply) in plies {
        let Some(after) = ply.after() else { continue };
        match (ply.before(), ply.played()) {
            (Some(before), Some(played)) => finder.follow(before, played, after, game.tree().node(id).span()),
            // What happened before a setup or a null move does not count.
            _ if ply.before() != ply.after() => finder.restart(),
            _ => {}
        }
    }
    finder.draws
}

/// Returns the draw with which moves, each between the positions before and after it, end a game: one that need not be claimed, or,
/// if draws are claimed, the first of any kind.
pub fn draw_of_line(
    moves: impl IntoIterator<Item = (Position, Move, Position)>,
    is_claimed: bool,
) -> Option<DrawEvent> {
    let mut finder = DrawFinder::default();
    for (before, played, after) in moves {
        finder.follow(&before, &played, &after, Span::default());
    }
    let Draws { first, at_end, .. } = finder.draws;
    if is_claimed { first.or(at_end) } else { at_end }
}

/// Finds draws while a main line is played.
#[derive(Default)]
struct DrawFinder {
    tracker: Option<DrawTracker>,
    draws: Draws,
}

impl DrawFinder {
    /// Follows a move; `span` is where it is written.
    #[inline]
    fn follow(&mut self, before: &Position, played: &Move, after: &Position, span: Span) {
        if can_repeat(before) {
            self.track(before, played, after, span);
        }
    }

    fn track(&mut self, before: &Position, played: &Move, after: &Position, span: Span) {
        let events = self.tracker.get_or_insert_with(|| DrawTracker::new(before)).record(before, played, after);
        // As after nearly every move.
        if events.is_empty() && self.draws.diagnostics.is_empty() {
            return;
        }
        self.draws.diagnostics.extend(events.iter().map(|event| note(span, event)));
        self.draws.first = self.draws.first.take().or_else(|| events.first().cloned());
        let found = automatic(events);
        let has_last_pieces = self.draws.diagnostics.iter().any(|d| d.code() == Code::DRAW_LAST_PIECES);
        self.draws.at_end = match self.draws.at_end.take() {
            // The game is over there, although the players may go on.
            Some(event) if !has_last_pieces => Some(event),
            // Last pieces are a draw unless one of them can be taken: the last position decides.
            _ if has_last_pieces => found.or_else(|| automatic(DrawTracker::new(before).record(before, played, after))),
            _ => found,
        };
    }

    fn restart(&mut self) {
        self.tracker = None;
        self.draws.at_end = None;
    }
}

/// Returns the draw that does not have to be claimed.
fn automatic(events: Vec<DrawEvent>) -> Option<DrawEvent> {
    events.into_iter().find(|event| event.standing() == Standing::Automatic)
}

/// Returns true if moves from here may be taken back by later ones. Where men only advance, nothing counts towards a draw
/// before there is a king, and most games never come to that.
fn can_repeat(position: &Position) -> bool {
    !position.kings().is_empty() || may_go_back(position.variant())
}

/// Returns true if men may return to squares that they left.
fn may_go_back(variant: Variant) -> bool {
    variant.spec().man_moves == ManMoves::ForwardAndSideways
}

fn note(span: Span, event: &DrawEvent) -> Diagnostic {
    // An article is quoted only if its official text was available.
    let diagnostic = match (event.standing(), event.is_verified()) {
        (Standing::Automatic, true) => messages::drawn(span, event.name(), event.article()),
        (Standing::Automatic, false) => messages::drawn_by(span, event.name()),
        (Standing::Claim, true) => messages::claimable(span, event.name(), event.article()),
        (Standing::Claim, false) => messages::claimable_by(span, event.name()),
    };
    // House rules may use any names for their limits.
    diagnostic.with_code(Code::in_group(Group::Draw, event.name()).unwrap_or(Code::DRAW_LIMIT))
}

/// Returns true if the moves of a game are complete.
fn is_complete(game: &ReplayedGame) -> bool {
    let all_known = game.main_line().all(|(id, _)| matches!(game.tree().node(id).kind(), NodeKind::Move(_)));
    game.is_clean() && !game.is_set_up() && all_known
}

/// Returns a note if the players of a complete game agreed to a draw before they were allowed to. `found` are the draws of the
/// game.
///
/// Most records are older than the rule of the built-in variants, or are of events without it, so that rule is applied only
/// if `strict`; a rule of house rules always applies.
pub(super) fn early_draw(game: &ReplayedGame, strict: bool, found: &Draws, span: Span) -> Option<Diagnostic> {
    let variant = game.variant().filter(|variant| strict || variant.index().is_none())?;
    let rule = variant.spec().draws.agreement.filter(|_| is_complete(game))?;
    // A record may begin late in a game.
    let first = game.main_moves().next().and_then(|id| game.tree().node(id).number());
    let moves = first.map_or(0, |number| (number.value() as usize).saturating_sub(1)) + game.plies_played() / 2;
    let early = found.diagnostics.is_empty() && moves < usize::from(rule.after_moves);
    early.then(|| messages::early_draw(span, moves, u32::from(rule.after_moves), rule.article))
}
