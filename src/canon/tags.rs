//! The tags and the end of a canonical game.

use super::moves::{Naming, plain_fen};
use super::settle::depends_on_file;
use super::{FormatOptions, is_doubtful};
use crate::diag::Span;
use crate::notation::{GameType, GameTypeError, is_unknown_result, roster_tag, standard_result, styled_result};
use crate::pdn::{Attachment, GameTree, MoveKind, NodeKind, ROSTER, Tag};
use crate::replay::ReplayedGame;
use crate::rules::{ResultStyle, Variant};

const UNKNOWN_DATE: &str = "????.??.??";

/// Returns a loosely written GameType as its number, alone or with all its fields, if that is equivalent.
fn plain_game_type(text: &str) -> Option<String> {
    let game_type = GameType::parse(text).ok()?;
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

/// Completes the roster, writes tags in standard form, and reconciles the Result tag with the end of the moves.
pub(super) fn complete(tree: &mut GameTree, game: &ReplayedGame, naming: Naming, options: &FormatOptions) {
    complete_result(tree, game, options);
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
        if !has_game_type(tree) {
            tree.add_tag("GameType", &wanted.to_string());
        }
    } else if game.is_inferred()
        && naming.written.is_some()
        && !is_doubtful(game, options)
        && (!tree.tags().is_empty() || depends_on_file(tree, game))
    {
        complete_game_type(tree, game);
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

/// Returns true if a game has a GameType, whether or not it can be used.
pub(super) fn has_game_type(tree: &GameTree) -> bool {
    tree.tags().iter().any(|tag| tag.name().eq_ignore_ascii_case("GameType"))
}

/// Writes the variant that was inferred into the GameType, unless there is one that cannot be used.
fn complete_game_type(tree: &mut GameTree, game: &ReplayedGame) {
    let inferred = game.variant().zip(game.numbering());
    let Some(game_type) = inferred.and_then(|(variant, numbering)| variant.game_type_in(numbering)) else { return };
    let is_missing = |tag: &Tag| GameType::parse(tag.value()) == Err(GameTypeError::Missing);
    match tree.tags_mut().iter_mut().find(|tag| tag.name().eq_ignore_ascii_case("GameType")) {
        Some(tag) if is_missing(tag) => tag.set_value(game_type.to_string()),
        Some(_) => {}
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
fn complete_result(tree: &mut GameTree, game: &ReplayedGame, options: &FormatOptions) {
    let end = tree.terminator().map(|terminator| terminator.text().to_owned());
    let end = end.filter(|text| !is_unknown_result(text));
    let style = options.result_style.or(game.variant().map(|variant| variant.conventions().results));
    // A tag would change what the games of the file have in common, and so how the written file is read.
    if game.is_kept() && tree.tags().is_empty() {
        return tree.set_terminator(end.map_or_else(|| "*".to_owned(), |end| in_style(&end, style)));
    }
    let result = complete_result_tag(tree, style, end.as_deref());
    let plain = |text: &str| in_style(text, style);
    let differs = |end: &String| result.as_ref().is_some_and(|result| plain(result) != plain(end));
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
