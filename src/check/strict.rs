//! The writing rules of PDN 3.0: what a strict reader requires beyond the reading grammar.

use crate::diag::{Code, Diagnostic, Span, messages};
use crate::notation::{GameType, Numbering, is_plain_fen, standard_result};
use crate::pdn::{GameTree, MoveKind, MoveText, NodeId, NodeKind, ROSTER, WrittenSquare};
use crate::replay::{Ply, ReplayedGame};
use crate::text::Encoding;

/// Returns the deviations of a game from the writing rules; `bytes` are those of the game. Deviations from the reading
/// grammar are not repeated.
///
/// # Panics
///
/// Panics if the bytes are those of a shorter game.
pub fn check_writing(game: &ReplayedGame, bytes: &[u8]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    check_tags(game, &mut diagnostics);
    diagnostics.extend(check_roster(game.tree()));
    check_end(game, &mut diagnostics);
    check_positions(game, &mut diagnostics);
    let mut found = Found { bytes, counts: Vec::new() };
    for (n, node) in game.tree().nodes().iter().enumerate() {
        if node.strength().is_some() && bytes.get(node.span().end as usize) == Some(&b'(') {
            found.add(Code::MOVE_STRICT_STRENGTH, node.span());
        }
        if let NodeKind::Move(text) = node.kind() {
            found.check_text(text, node.span());
            if let Some(numbering) = game.numbering() {
                found.check_squares(text, game.ply(NodeId::new(n as u32)), numbering, node.span());
            }
        }
    }
    diagnostics.extend(found.into_diagnostics());
    diagnostics
}

/// Checks `GameType` and encoding.
fn check_tags(game: &ReplayedGame, diagnostics: &mut Vec<Diagnostic>) {
    let tree = game.tree();
    if let Some(tag) = tree.find_tag("GameType").filter(|tag| !GameType::is_plain(tag.value())) {
        diagnostics.push(messages::strict_game_type(tag.value_span(), tag.value()));
    }
    if tree.encoding() != Encoding::Utf8 {
        diagnostics.push(messages::strict_encoding(Span::new(0, tree.byte_len().min(1))));
    }
}

fn check_roster(tree: &GameTree) -> Option<Diagnostic> {
    let in_place = |n: usize, name| tree.tags().get(n).is_some_and(|tag| tag.name() == name);
    let (n, name) = ROSTER.into_iter().enumerate().find(|&(n, name)| !in_place(n, name))?;
    let span = tree.tags().get(n).or(tree.tags().last())?.span();
    let known = tree.tag(name).is_some();
    Some(if known { messages::roster_order(span, name) } else { messages::roster_missing(span, name) })
}

/// Checks the terminator and the spelling of the result.
fn check_end(game: &ReplayedGame, diagnostics: &mut Vec<Diagnostic>) {
    let tree = game.tree();
    if let Some((end, span)) = tree.terminator().zip(tree.terminator_span()).filter(|(end, _)| *end != "*") {
        diagnostics.push(messages::strict_separator(span, end));
    }
    let result = tree.find_tag("Result").filter(|_| tree.tag("ResultFormat").is_none() && game.variant().is_some());
    if let Some(tag) = result
        && let Some(standard) = standard_result(tag.value(), game.variant())
        && standard != tag.value()
    {
        diagnostics.push(messages::strict_spelling(tag.value_span(), tag.value(), standard));
    }
}

fn check_positions(game: &ReplayedGame, diagnostics: &mut Vec<Diagnostic>) {
    let tags = game.tree().tags().iter().filter(|tag| tag.name().eq_ignore_ascii_case("FEN"));
    let tags = tags.map(|tag| (tag.value(), tag.value_span()));
    let nodes = game.tree().nodes().iter().filter_map(|node| match node.kind() {
        NodeKind::Setup { fen } => Some((fen.as_str(), node.span())),
        _ => None,
    });
    let loose = tags.chain(nodes).filter(|(fen, _)| !is_plain_fen(fen));
    diagnostics.extend(loose.map(|(fen, span)| messages::strict_fen(span, fen)));
}

/// The deviations in the moves of a game: each code with its first span and number of occurrences.
struct Found<'a> {
    bytes: &'a [u8],
    counts: Vec<(Code, Span, usize)>,
}

impl Found<'_> {
    fn add(&mut self, code: Code, span: Span) {
        match self.counts.iter_mut().find(|(known, ..)| *known == code) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((code, span, 1)),
        }
    }

    fn check_text(&mut self, text: &MoveText, span: Span) {
        if text.has_blanks() {
            self.add(Code::MOVE_STRICT_BLANK, span);
        }
        if text.has_leading_zero() {
            self.add(Code::MOVE_STRICT_LEADING_ZERO, span);
        }
    }

    /// Checks notation, separators and squares of a move.
    fn check_squares(&mut self, text: &MoveText, ply: Option<Ply<'_>>, numbering: Numbering, span: Span) {
        let algebraic = |square: &WrittenSquare| !matches!(square, WrittenSquare::Number(_));
        if text.squares().iter().any(|square| algebraic(square) != numbering.is_algebraic()) {
            self.add(Code::MOVE_STRICT_NOTATION, span);
        }
        let Some(ply) = ply else { return };
        let (Some(before), Some(played)) = (ply.before(), ply.played()) else { return };
        let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
        let other = |&byte: &u8| matches!(byte, b'-' | b'x' | b':') && char::from(byte) != sign;
        if text.kind() == MoveKind::Unseparated || text.bytes().iter().any(other) {
            self.add(Code::MOVE_STRICT_SIGN, span);
        }
        if text.is_ultra_short() || !played.is_capture() {
            return;
        }
        let squares: Vec<_> = text.squares().iter().filter_map(|&square| numbering.parse(square)).collect();
        // Squares between are for captures that the first and the last square do not tell apart.
        let right = match before.moves_between(played.from(), played.to()).len() {
            0 | 1 => squares.len() == 2,
            _ => before.paths(played).contains(&squares),
        };
        if !right {
            self.add(Code::MOVE_STRICT_PATH, span);
        }
    }

    fn into_diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        let bytes = self.bytes;
        self.counts.into_iter().map(move |(code, span, count)| {
            let text = String::from_utf8_lossy(&bytes[span.range()]).into_owned();
            messages::quoting(code, span, text, count - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    const ROSTER_TAGS: &str = "[Event \"e\"][Site \"?\"][Date \"????.??.??\"][Round \"?\"][White \"?\"][Black \"?\"]";

    fn codes(text: &str) -> Vec<&'static str> {
        let game = games(text.as_bytes()).next().expect("a game");
        let game = replay(game.into_tree(), &ReplayOptions::default());
        check_writing(&game, text.as_bytes()).iter().map(|found| found.code().name()).collect()
    }

    #[test]
    fn strict_records_have_no_diagnostics() {
        let text = format!("{ROSTER_TAGS}[Result \"2-0\"][GameType \"20\"]\n1. 32-28! 19-23 2. 28x19 14x23 $7 *");
        assert!(codes(&text).is_empty(), "{:?}", codes(&text));
    }

    #[test]
    fn each_rule_is_checked() {
        for (body, code) in [
            ("[Result \"2-0\"][GameType \"20\"]\n1. 32- 28 *", "move/strict-blank"),
            ("[Result \"2-0\"][GameType \"20\"]\n1. 32-28 07-12 *", "move/strict-leading-zero"),
            ("[Result \"2-0\"][GameType \"20\"]\n1. 32-28 2-0", "result/strict-separator"),
            ("[Result \"1-0\"][GameType \"20\"]\n1. 32-28 *", "result/strict-spelling"),
            ("[GameType \"20\"][Result \"2-0\"]\n1. 32-28 *", "tag/strict-roster"),
            ("[Result \"2-0\"][GameType \"20\"]\n1. 32-28(!) *", "move/strict-strength"),
            ("[Result \"2-0\"][GameType \"20\"]\n1. 32-28 19-23 2. 28:19 *", "move/strict-sign"),
            ("[Result \"2-0\"][GameType \"20\"][FEN \"W:W32:B27,17\"]\n1. 32x21x12 *", "move/strict-path"),
            ("[Result \"2-0\"][GameType \"20\"][FEN \"W:W 32:B27,17.\"]\n1. 32x12 *", "fen/strict-form"),
            ("[Result \"1-0\"][GameType \"25\"]\n1. 22-18 *", "move/strict-notation"),
            ("[Result \"2-0\"][GameType \"20,W,10\"]\n1. 32-28 *", "tag/strict-game-type"),
            ("[Result \"1-0\"][GameType \"25\"]\n1. c3d4 *", "move/strict-sign"),
        ] {
            let found = codes(&format!("{ROSTER_TAGS}{body}"));
            assert_eq!(found, [code], "{body}");
        }
    }
}
