//! The choice of variant and square names for a game.

use super::ReplayOptions;
use super::evidence::{SquareEvidence, has_other_names};
use super::infer::{Inference, asked_variant, names_a_game};
use super::opening::{Written, is_set_up};
use super::walk::{Cursor, End, Purpose, Walk};
use crate::diag::{Code, Diagnostic, Reason, Span, messages};
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{GameTree, LineId, Tag};
use crate::rules::Variant;

/// Fewer moves from a set-up position may fit many variants by chance.
const FEW_MOVES: usize = 4;

/// A main line played under one variant and numbering.
pub(super) struct Attempt<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) end: End,
    pub(super) start: Cursor,
    pub(super) start_side_known: bool,
    /// The inference of the variant, if no tag and no option gives it.
    pub(super) inference: Option<Inference>,
    /// True if the first move belongs, unannounced, to the side that does not begin.
    turned: bool,
}

impl<'a> Attempt<'a> {
    fn new(game: &'a Written<'a>, variant: Option<Variant>, numbering: Numbering) -> Self {
        let mut walk = Walk::new(game, variant, numbering, Purpose::Replay);
        let (start, start_side_known) = walk.start();
        let turned = walk.is_turned;
        let end = walk.play_line(LineId::MAIN, start, start);
        Self { walk, end, start, start_side_known, inference: None, turned }
    }

    /// Plays the variant and numbering that were inferred, or nothing.
    fn inferred(game: &'a Written<'a>, inference: &Inference) -> Self {
        let attempt = match inference.taken() {
            Some((variant, numbering)) => Self::new(game, Some(variant), numbering),
            None => Self::nothing(game),
        };
        Self { inference: Some(*inference), ..attempt }
    }

    /// Returns true if nothing contradicts it.
    fn fits(&self) -> bool {
        self.end.is_whole() && !self.turned
    }

    fn has_other_names(&self) -> bool {
        has_other_names(self.walk.tree, Some(self.walk.numbering))
    }

    /// Returns true if there are so few moves from a set-up position that they may fit another variant by chance.
    fn is_too_short(&self) -> bool {
        let tree = self.walk.tree;
        self.end.last.is_some() && is_set_up(tree) && moves(tree) < FEW_MOVES && !self.has_other_names()
    }

    /// Returns true if it explains the game better than another one.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |attempt: &Self| (attempt.fits(), attempt.end.is_whole(), attempt.end.played);
        rank(self) > rank(other)
    }

    /// Plays nothing, because the variant is unknown.
    fn nothing(game: &'a Written<'a>) -> Self {
        Self::new(game, None, Numbering::for_variant(Variant::INTERNATIONAL))
    }
}

/// Finds and reads the `GameType` tag.
pub(super) fn game_type(tree: &GameTree) -> Option<(&Tag, Result<GameType, GameTypeError>)> {
    let tag = tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("GameType"))?;
    match GameType::read(tag.value()) {
        Err(GameTypeError::Missing) => None,
        read => Some((tag, read)),
    }
}

/// Returns true if a game has no GameType that names a game, so that its variant is inferred.
pub(super) fn is_open(tree: &GameTree) -> bool {
    !game_type(tree).is_some_and(|(_, read)| names_a_game(&read))
}

/// Returns the variant of the GameType.
pub(crate) fn tagged_variant(tree: &GameTree) -> Option<Variant> {
    game_type(tree)?.1.ok()?.variant()
}

/// Returns the number of moves in the main line, without null moves.
fn moves(tree: &GameTree) -> usize {
    tree.main_line().nodes().iter().filter(|&&id| tree.node(id).move_text().is_some()).count()
}

/// Returns the span of a diagnostic about the main line as a whole: its first move.
pub(crate) fn main_span(tree: &GameTree) -> Span {
    tree.main_line().nodes().first().map_or_else(Span::default, |&id| tree.node(id).span())
}

/// Plays the main line as the requested variant, or as that of its tag, or as the one that fits best.
pub(super) fn choose<'a>(
    game: &'a Written<'a>,
    tagged: Option<(&Tag, Result<GameType, GameTypeError>)>,
    options: &ReplayOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    if let Some(variant) = options.variant {
        return as_asked(game, (variant, options), tagged, diagnostics);
    }
    match tagged {
        Some((tag, Ok(game_type))) => match game_type.variant() {
            Some(variant) => as_tagged(game, variant, (tag, game_type), diagnostics),
            None => infer(game, game_type.size(), options, diagnostics),
        },
        Some((tag, Err(error))) => {
            diagnostics.push(messages::game_type(value_span(tag), Reason::new(error.clone())));
            match error {
                // The moves of another game would all be reported as illegal.
                GameTypeError::OtherGame { .. } => {
                    diagnostics.push(messages::other_game(value_span(tag)));
                    Attempt::nothing(game)
                }
                _ => infer(game, None, options, diagnostics),
            }
        }
        None => infer(game, None, options, diagnostics),
    }
}

/// Plays the requested variant, with a note if the `GameType` contradicts it. Without one, the squares are named as in
/// other such games of the file if these are of the variant.
fn as_asked<'a>(
    game: &'a Written<'a>,
    (variant, options): (Variant, &ReplayOptions),
    tagged: Option<(&Tag, Result<GameType, GameTypeError>)>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    const NOTE: Code = Code::REPLAY_VARIANT_OVERRIDDEN;
    let Some((tag, read)) = tagged else {
        let numbering = options.untagged().map_or_else(|| Numbering::for_variant(variant), |(_, numbering)| numbering);
        return Attempt::new(game, Some(variant), numbering);
    };
    let note = match read {
        Ok(game_type) if game_type.variant().is_none_or(|tagged| tagged == variant) => {
            return play_as(game, variant, (tag, game_type), NOTE, diagnostics);
        }
        Ok(game_type) => messages::overridden(value_span(tag), variant.name(), game_type.to_string()),
        Err(error) => messages::overridden_unknown(value_span(tag), variant.name(), Reason::new(error)),
    };
    diagnostics.push(note);
    Attempt::new(game, Some(variant), Numbering::for_variant(variant))
}

fn value_span(tag: &Tag) -> Span {
    if tag.value_span().is_empty() { tag.span() } else { tag.value_span() }
}

/// Plays a variant by the square names that its `GameType` requires, if they are of the kind that is written, letters or
/// numbers, or lead further than the variant's own. A contradiction is reported with the code.
fn play_as<'a>(
    game: &'a Written<'a>,
    variant: Variant,
    (tag, game_type): (&Tag, GameType),
    code: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let own = Numbering::for_variant(variant);
    let asked = game_type.numbering(own, variant.starts());
    let attempt = |numbering| Attempt::new(game, Some(variant), numbering);
    let other_kind = asked.filter(|asked| asked.is_algebraic() != own.is_algebraic());
    let written = other_kind.filter(|asked| asked.is_algebraic() == SquareEvidence::of(game.tree).has_letters());
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
    game: &'a Written<'a>,
    variant: Variant,
    tagged: (&Tag, GameType),
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let attempt = play_as(game, variant, tagged, Code::TAG_GAME_TYPE_CONTRADICTED, diagnostics);
    if attempt.end.is_whole() || attempt.end.played > 0 {
        return attempt;
    }
    if !attempt.has_other_names() && (moves(game.tree) < FEW_MOVES || is_set_up(game.tree)) {
        return attempt;
    }
    let other = Attempt::inferred(game, &Inference::of_game(game.tree, None, &[]));
    match other.walk.variant {
        Some(fitting) if other.fits() && fitting != variant => {
            diagnostics.push(messages::moves_of_other_variant(value_span(tagged.0), variant.name(), fitting.name()));
            Attempt { inference: None, ..other }
        }
        _ => attempt,
    }
}

/// Plays the variant inferred for the file, unless only a different one fits the whole game, or its tag `Variant` or its record
/// names another.
/// Without a variant for the file, the game alone decides, with the games of the file that have a GameType.
fn infer<'a>(
    game: &'a Written<'a>,
    size: Option<(u8, u8)>,
    options: &ReplayOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Attempt<'a> {
    let of_size = |inference: &Inference| {
        let shape = inference.variant().map(Variant::shape);
        size.is_none_or(|size| shape.is_none_or(|shape| (shape.width(), shape.height()) == size))
    };
    let Some(file) = options.inferred().filter(|file| file.has_games() && of_size(file)) else {
        let alone = Inference::of_game(game.tree, size, options.tagged());
        diagnostics.push(alone.diagnostic(main_span(game.tree)));
        return Attempt::inferred(game, &alone);
    };
    let as_file = Attempt::inferred(game, file);
    let is_known = as_file.walk.variant.is_some();
    let asked = asked_variant(game.tree).filter(|&asked| Some(asked) != file.variant());
    let fits = is_known && (as_file.end.is_whole() || as_file.is_too_short());
    if asked.is_none() && (fits || file.is_hopeless()) {
        return as_file;
    }
    let inference = Inference::of_game(game.tree, size, &[]);
    // A game with an error is read as the others of the file, unless they have hardly a move of it.
    let plays_more =
        |alone: &Attempt<'_>| as_file.end.played < FEW_MOVES && alone.end.played >= as_file.end.played + 2 * FEW_MOVES;
    let is_better = |alone: &Attempt<'_>| {
        alone.walk.variant.is_some() && (!is_known || !fits && (alone.fits() || plays_more(alone)))
    };
    let alone = Attempt::inferred(game, &inference);
    if !is_better(&alone) && (asked.is_none() || alone.walk.variant != asked) {
        return as_file;
    }
    diagnostics.push(inference.diagnostic(main_span(game.tree)));
    alone
}
