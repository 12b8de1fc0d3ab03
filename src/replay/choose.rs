//! The choice of variant and square names for a game.

use super::evidence::{SquareEvidence, candidates};
use super::opening::fen_tag;
use super::walk::{Cursor, End, Walk};
use crate::diag::{Code, Diagnostic, Span, messages};
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{GameTree, LineId, Tag};
use crate::rules::Variant;

/// A main line played under one variant and numbering.
pub(super) struct Attempt<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) end: End,
    pub(super) start: Cursor,
    pub(super) start_side_known: bool,
    /// Whether the first move belongs, unannounced, to the side that does not begin.
    turned: bool,
}

impl<'a> Attempt<'a> {
    fn new(tree: &'a GameTree, variant: Option<Variant>, numbering: Numbering) -> Self {
        let mut walk = Walk::new(tree, variant, numbering);
        let (start, start_side_known) = walk.start();
        let turned = walk
            .diagnostics
            .kept()
            .iter()
            .any(|diagnostic| matches!(diagnostic.code(), Code::MOVE_SIDE | Code::FEN_SIDE));
        let end = walk.play_line(LineId::MAIN, start);
        Self { walk, end, start, start_side_known, turned }
    }

    /// Returns true if nothing contradicts it.
    fn fits(&self) -> bool {
        self.end.is_whole() && !self.turned
    }

    /// Returns true if it explains the game better than another one.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |attempt: &Self| (attempt.fits(), attempt.end.is_whole(), attempt.end.played);
        rank(self) > rank(other)
    }

    /// Plays nothing, because the variant is not known.
    fn nothing(tree: &'a GameTree) -> Self {
        Self::new(tree, None, Numbering::for_variant(Variant::INTERNATIONAL))
    }
}

/// Finds and reads the `GameType` tag.
pub(super) fn game_type(tree: &GameTree) -> Option<(&Tag, Result<GameType, GameTypeError>)> {
    let tag = tree.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("GameType"))?;
    match GameType::parse(&tag.value) {
        Err(GameTypeError::Missing) => None,
        read => Some((tag, read)),
    }
}

/// Plays the main line as the requested variant, or that of its tag, or the one that fits best.
pub(super) fn choose<'a>(tree: &'a GameTree, asked: Option<Variant>, diagnostics: &mut Vec<Diagnostic>) -> Attempt<'a> {
    let tagged = game_type(tree);
    if let Some(variant) = asked {
        return as_asked(tree, variant, tagged, diagnostics);
    }
    match tagged {
        Some((tag, Ok(game_type))) => match game_type.variant() {
            Some(variant) => as_tagged(tree, variant, (tag, game_type), diagnostics),
            None => infer(tree, game_type.size(), diagnostics),
        },
        Some((tag, Err(error))) => {
            diagnostics.push(messages::game_type(value_span(tag), error.to_string()));
            match error {
                GameTypeError::OtherGame { .. } => {
                    diagnostics.push(messages::other_game(value_span(tag)));
                    Attempt::nothing(tree)
                }
                _ => infer(tree, None, diagnostics),
            }
        }
        None => infer(tree, None, diagnostics),
    }
}

/// Plays the requested variant, with a note if the `GameType` contradicts it.
fn as_asked<'a>(
    tree: &'a GameTree,
    variant: Variant,
    tagged: Option<(&Tag, Result<GameType, GameTypeError>)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    const NOTE: Code = Code::REPLAY_VARIANT_OVERRIDDEN;
    let Some((tag, read)) = tagged else { return Attempt::new(tree, Some(variant), Numbering::for_variant(variant)) };
    let note = match read {
        Ok(game_type) if game_type.variant().is_none_or(|tagged| tagged == variant) => {
            return play_as(tree, variant, (tag, game_type), NOTE, diagnostics);
        }
        Ok(game_type) => messages::overridden(value_span(tag), variant.name(), game_type.to_string()),
        Err(error) => messages::overridden_unknown(value_span(tag), variant.name(), error.to_string()),
    };
    diagnostics.push(note);
    Attempt::new(tree, Some(variant), Numbering::for_variant(variant))
}

fn value_span(tag: &Tag) -> Span {
    if tag.value_span.is_empty() { tag.span } else { tag.value_span }
}

/// Plays a variant by the square names that its `GameType` requires, if they are of the kind that is written, letters or
/// numbers, or lead further than the variant's own. A contradiction is reported with the code.
fn play_as<'a>(
    tree: &'a GameTree,
    variant: Variant,
    (tag, game_type): (&Tag, GameType),
    code: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let own = Numbering::for_variant(variant);
    let asked = game_type.numbering(own, variant.starts());
    let attempt = |numbering| Attempt::new(tree, Some(variant), numbering);
    let other_kind = asked.filter(|asked| asked.is_algebraic() != own.is_algebraic());
    let written = other_kind.filter(|asked| asked.is_algebraic() == (SquareEvidence::of(tree).files > 0));
    // If the required corner contradicts the squares, try the usual corner.
    let mut tries = written.into_iter().chain(written.map(Numbering::from_usual_corner)).map(attempt);
    if let Some(fitting) = tries.find(Attempt::fits) {
        if Some(fitting.walk.numbering) != asked {
            contradict((tag, game_type), variant, fitting.walk.numbering, asked, code, diagnostics);
        }
        return fitting;
    }
    let of_own = attempt(own);
    if let Some(asked) = asked.filter(|_| !of_own.fits()) {
        let other = attempt(asked);
        if other.is_better_than(&of_own) {
            return other;
        }
    }
    if of_own.end.played > 0 {
        contradict((tag, game_type), variant, own, asked, code, diagnostics);
    }
    of_own
}

/// Returns true if no field of a `GameType` contradicts the board of a variant and its names of squares.
pub(super) fn agrees(game_type: GameType, variant: Variant) -> bool {
    let own = Numbering::for_variant(variant);
    let size = (own.shape().width(), own.shape().height());
    game_type.size().is_none_or(|tagged| tagged == size) && game_type.numbering(own, variant.starts()).is_none()
}

/// Reports the first field of a `GameType` that contradicts the squares, if one does.
fn contradict(
    (tag, game_type): (&Tag, GameType),
    variant: Variant,
    used: Numbering,
    asked: Option<Numbering>,
    code: Code,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (span, shape, name) = (value_span(tag), used.shape(), variant.name());
    let other_size = game_type.size().filter(|&size| size != (shape.width(), shape.height()));
    let diagnostic = match (other_size, asked) {
        (Some((width, height)), _) => messages::other_size(span, u32::from(width), u32::from(height), name),
        (None, None) => return,
        (None, Some(asked)) if asked.is_algebraic() != used.is_algebraic() => {
            messages::other_notation(span, if asked.is_algebraic() { "algebraic" } else { "numeric" }, name)
        }
        (None, Some(asked)) if asked.is_mirrored() == used.is_mirrored() => messages::other_corner(span, name),
        (None, Some(_)) => messages::mirrored_board(span, name),
    };
    diagnostics.push(diagnostic.with_code(code));
}

/// Plays the variant of the tag, unless the moves do not fit it at all and fit another one to the end.
fn as_tagged<'a>(
    tree: &'a GameTree,
    variant: Variant,
    tagged: (&Tag, GameType),
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let attempt = play_as(tree, variant, tagged, Code::TAG_GAME_TYPE_CONTRADICTED, diagnostics);
    if attempt.end.is_whole() || attempt.end.played > 0 {
        return attempt;
    }
    let SquareEvidence { files, .. } = SquareEvidence::of(tree);
    let other_notation = (files > 0) != attempt.walk.numbering.is_algebraic();
    // A few moves from a set-up position may fit many variants by chance.
    if !other_notation && (attempt.end.written < 4 || fen_tag(tree).is_some()) {
        return attempt;
    }
    let others = candidates(tree, None).into_iter().filter(|&other| other != variant);
    let better = others.map(|other| Attempt::new(tree, Some(other), Numbering::for_variant(other)));
    match better.into_iter().find(Attempt::fits) {
        Some(other) => {
            let name = other.walk.variant.map_or("", Variant::name);
            diagnostics.push(messages::moves_of_other_variant(value_span(tagged.0), variant.name(), name));
            other
        }
        None => attempt,
    }
}

/// Plays the variants that the squares allow, the commonest first, until one fits to the end; otherwise chooses the one
/// that fits furthest.
fn infer<'a>(tree: &'a GameTree, size: Option<(u8, u8)>, diagnostics: &mut Vec<Diagnostic>) -> Attempt<'a> {
    let mut best: Option<Attempt<'a>> = None;
    for variant in candidates(tree, size) {
        let attempt = Attempt::new(tree, Some(variant), Numbering::for_variant(variant));
        let fits = attempt.fits();
        if best.as_ref().is_none_or(|best| attempt.is_better_than(best)) {
            best = Some(attempt);
        }
        if fits {
            break;
        }
    }
    let start = tree.main_line().nodes.first().map_or_else(Span::default, |&id| tree.node(id).span);
    match best.filter(|best| is_convincing(tree, best.end)) {
        Some(best) => {
            let name = best.walk.variant.map_or("", Variant::name);
            let End { played, written, .. } = best.end;
            diagnostics.push(messages::inferred_variant(start, name, confidence(best.end), played, written));
            best
        }
        None => {
            diagnostics.push(messages::unknown_variant(start));
            Attempt::nothing(tree)
        }
    }
}

/// How certain an inference is, by the moves that support it: about ten distinguish the common variants.
fn confidence(end: End) -> &'static str {
    const MANY: usize = 10;
    match end.played {
        0..4 => "a guess",
        played if played < MANY || !end.is_whole() => "likely",
        _ => "nearly certain",
    }
}

/// Returns true if a game is evidence enough for a variant: all its moves fit, or many, or it has squares that only one
/// common board has.
fn is_convincing(tree: &GameTree, end: End) -> bool {
    let has_moves = tree.main_line().nodes.iter().any(|&id| tree.node(id).move_text().is_some());
    let enough = has_moves && (end.is_whole() || end.played >= 4);
    let begun = end.last.is_some() && (end.played > 0 || !has_moves);
    enough || (begun && SquareEvidence::of(tree).names_the_board())
}
