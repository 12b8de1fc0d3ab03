//! The writing rules of PDN 3.0: what a strict reader asks for beyond the reading grammar.

use crate::diag::{Code, Diagnostic, Span};
use crate::notation::{GameType, Numbering, is_plain_fen, standard_result};
use crate::pdn::{MoveKind, MoveText, NodeId, NodeKind, ROSTER, WrittenSquare};
use crate::replay::{Ply, ReplayedGame};
use crate::text::Encoding;

/// Returns where a game breaks the writing rules; `bytes` are those of the game. What is a fault against the reading
/// grammar too is not told again.
pub fn check_writing(game: &ReplayedGame, bytes: &[u8]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    check_frame(game, &mut found);
    check_positions(game, &mut found);
    let mut seen = Seen { bytes, counts: Vec::new() };
    for (n, node) in game.tree().nodes.iter().enumerate() {
        if node.strength.is_some() && bytes.get(node.span.end as usize) == Some(&b'(') {
            seen.add(Code::MOVE_STRICT_STRENGTH, node.span);
        }
        if let NodeKind::Move(text) = &node.kind {
            seen.text(text, node.span);
            if let Some(numbering) = game.numbering() {
                seen.signs(text, game.ply(NodeId(n as u32)), numbering, node.span);
            }
        }
    }
    found.extend(seen.findings());
    found
}

/// Encoding, roster, GameType, result and what ends the game.
fn check_frame(game: &ReplayedGame, found: &mut Vec<Diagnostic>) {
    let tree = game.tree();
    if let Some(tag) = tree.find_tag("GameType").filter(|tag| !GameType::is_plain(&tag.value)) {
        found.push(told(Code::TAG_STRICT_GAME_TYPE, tag.value_span, format!("`{}` is written loosely", tag.value)));
    }
    if tree.encoding != Encoding::Utf8 {
        found.push(told(Code::TAG_STRICT_ENCODING, Span::new(0, tree.len.min(1)), "the game is not UTF-8"));
    }
    let wrong = ROSTER.into_iter().enumerate().find(|&(n, name)| tree.tags.get(n).is_none_or(|tag| tag.name != name));
    if let (Some((n, name)), Some(last)) = (wrong, tree.tags.last()) {
        let span = tree.tags.get(n).unwrap_or(last).span;
        let known = tree.tag(name).is_some();
        let message = if known { format!("{name} does not stand here") } else { format!("the tag {name} is missing") };
        found.push(told(Code::TAG_STRICT_ROSTER, span, message));
    }
    if let Some(end) = tree.terminator.as_ref().filter(|end| end.text != "*") {
        found.push(told(Code::RESULT_STRICT_SEPARATOR, end.span, format!("`{}` for `*`", end.text)));
    }
    let result = tree.find_tag("Result").filter(|_| tree.tag("ResultFormat").is_none() && game.variant().is_some());
    if let Some(tag) = result
        && let Some(standard) = standard_result(&tag.value, game.variant())
        && standard != tag.value
    {
        found.push(told(Code::RESULT_STRICT_SPELLING, tag.value_span, format!("`{}` for `{standard}`", tag.value)));
    }
}

fn told(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, span, message).with_help(code.meaning())
}

fn check_positions(game: &ReplayedGame, found: &mut Vec<Diagnostic>) {
    let tags = game.tree().tags.iter().filter(|tag| tag.name.eq_ignore_ascii_case("FEN"));
    let tags = tags.map(|tag| (tag.value.as_str(), tag.value_span));
    let nodes = game.tree().nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Setup { fen } => Some((fen.as_str(), node.span)),
        _ => None,
    });
    for (fen, span) in tags.chain(nodes).filter(|(fen, _)| !is_plain_fen(fen)) {
        found.push(told(Code::FEN_STRICT_FORM, span, format!("`{fen}` is written loosely")));
    }
}

/// What was seen in the moves of a game: each kind with its first place and how often.
struct Seen<'a> {
    bytes: &'a [u8],
    counts: Vec<(Code, Span, usize)>,
}

impl Seen<'_> {
    fn add(&mut self, code: Code, span: Span) {
        match self.counts.iter_mut().find(|(known, ..)| *known == code) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((code, span, 1)),
        }
    }

    fn text(&mut self, text: &MoveText, span: Span) {
        if text.has_blanks() {
            self.add(Code::MOVE_STRICT_BLANK, span);
        }
        if text.has_leading_zero() {
            self.add(Code::MOVE_STRICT_LEADING_ZERO, span);
        }
    }

    /// Asks for notation, signs and squares of a move.
    fn signs(&mut self, text: &MoveText, ply: Option<&Ply>, numbering: Numbering, span: Span) {
        let algebraic = |square: &WrittenSquare| !matches!(square, WrittenSquare::Number(_));
        if text.squares().iter().any(|square| algebraic(square) != numbering.is_algebraic()) {
            self.add(Code::MOVE_STRICT_NOTATION, span);
        }
        let Some(ply) = ply else { return };
        let (Some(before), Some(played)) = (ply.before, ply.played) else { return };
        let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
        let other = |letter: char| matches!(letter, '-' | 'x' | ':') && letter != sign;
        if text.kind() == MoveKind::Unseparated || text.text().contains(other) {
            self.add(Code::MOVE_STRICT_SIGN, span);
        }
        if text.is_ultra_short() || !played.is_capture() {
            return;
        }
        let squares: Vec<_> = text.squares().iter().filter_map(|&square| numbering.parse(square)).collect();
        let right = match before.moves_between(played.from(), played.to()).len() {
            0 | 1 => squares.len() == 2,
            _ => before.paths(&played).contains(&squares),
        };
        if !right {
            self.add(Code::MOVE_STRICT_PATH, span);
        }
    }

    fn findings(self) -> impl Iterator<Item = Diagnostic> {
        let bytes = self.bytes;
        self.counts.into_iter().map(move |(code, span, count)| {
            let text = String::from_utf8_lossy(&bytes[span.range()]);
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            told(code, span, format!("`{text}`{more}"))
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
        let game = replay(game.tree, &ReplayOptions::default());
        check_writing(&game, text.as_bytes()).iter().map(|found| found.code.name()).collect()
    }

    #[test]
    fn strict_records_are_quiet() {
        let text = format!("{ROSTER_TAGS}[Result \"2-0\"][GameType \"20\"]\n1. 32-28! 19-23 2. 28x19 14x23 $7 *");
        assert!(codes(&text).is_empty(), "{:?}", codes(&text));
    }

    #[test]
    fn each_rule_is_asked() {
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
