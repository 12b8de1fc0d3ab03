//! The tags and the end of a canonical game.

use super::FormatOptions;
use super::moves::{Naming, plain_fen};
use crate::diag::Span;
use crate::notation::{
    GameType, GameTypeError, Numbering, is_unknown_result, roster_tag, standard_result, styled_result,
};
use crate::pdn::{Attachment, GameTree, MoveKind, NodeKind, ROSTER, Tag};
use crate::rules::{ResultStyle, Variant};

const UNKNOWN_DATE: &str = "????.??.??";

/// Returns a loosely written GameType as its number, alone or with all its fields, if that is equivalent.
fn plain_game_type(text: &str) -> Option<String> {
    let game_type = text.parse::<GameType>().ok()?;
    let variant = game_type.variant()?;
    let (shown, plain) = (game_type.as_shown().variant(), game_type.to_string());
    let is_same = shown == Some(variant) && says_no_more(text, &plain, variant);
    (is_same && !GameType::is_plain(text) && GameType::is_plain(&plain)).then_some(plain)
}

/// Returns true if a loose GameType is the name of a variant, or the plain form but for whitespace, zeros, case, and
/// fields left out that follow from the variant.
fn says_no_more(text: &str, plain: &str, variant: Variant) -> bool {
    let is_name = text.trim().chars().all(char::is_alphabetic);
    let bare: String = text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_uppercase();
    let bare = bare.strip_prefix("GAMETYPE").unwrap_or(&bare).trim_end_matches(['.', ',']).trim_start_matches('0');
    let full = variant.game_type().map(|full| full.to_string()).unwrap_or_default();
    is_name || bare == plain || full.strip_prefix(bare).is_some_and(|rest| rest.starts_with(','))
}

/// Completes the roster, writes tags in standard form, and reconciles the Result tag with the end of the moves. The style of
/// results is that of the variant; an inferred one is written into the GameType.
pub(super) fn complete(
    tree: &mut GameTree,
    variant: Option<Variant>,
    naming: Naming,
    inferred: Option<(Variant, Numbering)>,
    options: &FormatOptions,
) {
    complete_result(tree, variant, options);
    for tag in tree.tags_mut() {
        let plain = match tag.name() {
            "Date" => Some(UNKNOWN_DATE.to_owned()).filter(|_| matches!(tag.value().trim(), "" | "?" | "-")),
            name if name.eq_ignore_ascii_case("GameType") => {
                naming.game_type.map_or_else(|| plain_game_type(tag.value()), |wanted| Some(wanted.to_string()))
            }
            name if name.eq_ignore_ascii_case("FEN") => plain_fen(tag.value(), naming),
            _ => None,
        };
        if let Some(plain) = plain {
            tag.set_value(plain);
        }
    }
    if let Some(wanted) = naming.game_type {
        if !tree.tags().iter().any(is_game_type) {
            tree.add_tag("GameType", &wanted.to_string());
        }
    } else if let Some((variant, numbering)) = inferred {
        complete_game_type(tree, variant, numbering);
    }
    if !tree.tags().is_empty() || !is_read_as_game(tree) {
        for name in ROSTER.into_iter().filter(|name| tree.tag(name).is_none()).collect::<Vec<_>>() {
            let unknown = match name {
                "Date" => UNKNOWN_DATE,
                "Result" => "*",
                _ => "?",
            };
            let known = roster_tag(tree, name).map(Tag::value).filter(|value| !value.trim().is_empty());
            let value = known.unwrap_or(unknown).to_owned();
            tree.add_tag(name, &value);
        }
    }
}

fn is_game_type(tag: &Tag) -> bool {
    tag.name().eq_ignore_ascii_case("GameType")
}

fn is_missing(game_type: &Tag) -> bool {
    GameType::read(game_type.value()) == Err(GameTypeError::Missing)
}

/// Returns true if a game has a GameType that does not name a variant, so that no other one can be written.
pub(super) fn has_unusable_game_type(tree: &GameTree) -> bool {
    tree.tags().iter().find(|tag| is_game_type(tag)).is_some_and(|tag| !is_missing(tag))
}

/// Returns true if the canonical form of a game has no tags.
pub(super) fn is_bare(tree: &GameTree) -> bool {
    let has_result = || tree.terminator().is_some_and(|end| !is_unknown_result(end));
    tree.tags().is_empty() && is_read_as_game(tree) && !has_result()
}

/// Writes a variant into the GameType.
fn complete_game_type(tree: &mut GameTree, variant: Variant, numbering: Numbering) {
    let Some(game_type) = variant.game_type_in(numbering) else { return };
    match tree.tags_mut().iter_mut().find(|tag| is_game_type(tag)) {
        Some(tag) => tag.set_value(game_type.to_string()),
        None => tree.add_tag("GameType", &game_type.to_string()),
    }
}

/// Returns true if the movetext alone would be read as a game, unlike comments, null moves and moves such as `3127`.
fn is_read_as_game(tree: &GameTree) -> bool {
    let first = tree.main_line().nodes().first().map(|&id| tree.node(id));
    first.is_some_and(|node| match node.kind() {
        NodeKind::Setup { .. } => true,
        _ if node.number().is_some() => true,
        NodeKind::Move(text) => text.kind() != MoveKind::Unseparated,
        NodeKind::Null | NodeKind::Ellipsis => false,
    })
}

/// Writes the result into its tag, in the form of the variant, and `*` after the moves, unless the two contradict.
fn complete_result(tree: &mut GameTree, variant: Option<Variant>, options: &FormatOptions) {
    let style = options.result_style.or(variant.map(|variant| variant.conventions().results));
    let end = tree.terminator().filter(|text| !is_unknown_result(text)).map(|text| in_style(text, style));
    let result = complete_result_tag(tree, style, end.as_deref());
    let differs = |end: &String| result.as_ref().is_some_and(|result| in_style(result, style) != *end);
    let text = match (end.filter(differs), result) {
        (Some(end), _) if options.strict => {
            if options.comments {
                tree.tail_mut().insert(0, Attachment::Comment { text: end, span: Span::default() });
            }
            "*".to_owned()
        }
        (Some(end), _) => end,
        (None, Some(result)) if options.results && standard_result(&result, None).is_some() => result,
        (None, _) => "*".to_owned(),
    };
    tree.set_terminator(text);
}

/// Writes the result of the tag, or else that of the end of the moves, into the tag; returns it if it is known.
fn complete_result_tag(tree: &mut GameTree, style: Option<ResultStyle>, end: Option<&str>) -> Option<String> {
    let tagged = roster_tag(tree, "Result").map(|tag| tag.value().to_owned());
    let own_format = tree.tag("ResultFormat").is_some();
    let known = tagged.as_deref().filter(|text| !is_unknown_result(text));
    let result = match known {
        Some(tagged) if own_format => Some(tagged.to_owned()),
        known => known.or(end).map(|text| in_style(text, style)),
    };
    if let Some(result) = result.as_deref().or(tagged.is_some().then_some("*")) {
        tree.set_tag("Result", result);
    }
    result
}

fn in_style(text: &str, style: Option<ResultStyle>) -> String {
    styled_result(text, style).map_or_else(|| text.trim().to_owned(), str::to_owned)
}
