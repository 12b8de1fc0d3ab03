//! Real records: what the parser finds in them against a count made without it.

use std::fs;

use pdn::{Attachment, Node, Parsed, WriteOptions, games, write_game};

use crate::support::corpus::{corpus, files};

#[test]
fn counts_agree_with_a_count_by_hand() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus, &["pdn"]) {
        let bytes = fs::read(&path).unwrap();
        let parsed: Vec<Parsed> = games(&bytes).collect();
        let moves: usize = parsed.iter().map(|game| game.tree().written_moves()).sum();
        assert_eq!((parsed.len(), moves), count(&bytes), "{}", path.display());
    }
}

#[test]
fn writing_and_reading_again_keeps_the_games() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus, &["pdn"]) {
        let bytes = fs::read(&path).unwrap();
        for game in games(&bytes) {
            // Braces in comments are written as parentheses.
            let braced = |item: &Attachment| item.comment().is_some_and(|text| text.contains(['{', '}']));
            if game.tree().nodes().iter().flat_map(Node::attachments).any(braced) {
                continue;
            }
            let text = write_game(game.tree(), WriteOptions::default());
            let mut again = games(text.as_bytes());
            let first = again.next().expect("a game").into_tree().without_spans();
            assert_eq!(first, game.tree().clone().without_spans(), "{}: {text}", path.display());
            assert!(again.next().is_none(), "{}: {text}", path.display());
        }
    }
}

/// Games and moves of the main lines, counted byte by byte with nothing of the parser: a game begins where tags follow
/// anything else, and with a move that follows no tags but the start of the file or a result.
fn count(bytes: &[u8]) -> (usize, usize) {
    let (mut games, mut moves) = (0, 0);
    let (mut in_tags, mut in_game, mut depth, mut at) = (false, false, 0, 0);
    let mut result: &[u8] = b"";
    while at < bytes.len() {
        let rest = &bytes[at..];
        match rest[0] {
            b'{' => at += comment(rest),
            b'[' => {
                let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                let end = rest[..line].iter().rposition(|&byte| byte == b']').map_or(line, |end| end + 1);
                games += usize::from(!in_tags);
                (in_tags, in_game) = (true, true);
                if rest.starts_with(b"[Result \"") && end > 11 {
                    result = &rest[9..end - 2];
                }
                at += end;
            }
            b'%' if at == 0 => at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            b'(' if rest.get(1).is_some_and(|byte| b"!?".contains(byte)) => at += 3,
            b'(' => (depth, at) = (depth + 1, at + 1),
            b')' => (depth, at) = (depth.max(1) - 1, at + 1),
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let (len, is_move) = token(rest, result);
                games += usize::from(is_move && !in_game);
                in_game |= is_move;
                in_game &= is_move || !is_result(&rest[..len], result);
                in_tags = false;
                moves += usize::from(is_move && depth == 0);
                at += len;
            }
        }
    }
    (games, moves)
}

/// Length of a comment; braces inside it belong to it.
fn comment(rest: &[u8]) -> usize {
    let mut depth = 0;
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return index + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    rest.len()
}

const RESULTS: [&[u8]; 11] =
    [b"1/2-1/2", b"1/2:1/2", b"1-0", b"0-1", b"2-0", b"0-2", b"1-1", b"0-0", b"1:0", b"0:1", b"*"];

fn is_result(token: &[u8], result: &[u8]) -> bool {
    token == result || RESULTS.contains(&token)
}

/// Length of a token of movetext, and whether it is a move.
fn token(rest: &[u8], result: &[u8]) -> (usize, bool) {
    for known in RESULTS.iter().copied().chain([result]) {
        let after = rest.get(known.len()..).unwrap_or_default();
        let goes_on = after.first().is_some_and(u8::is_ascii_digit);
        // The first number of the next game may be joined to a result, as in `0-001.33-29`.
        let is_joined = known != b"*" && matches!(after, [b'0', b'1', b'.', ..]);
        if !known.is_empty() && rest.starts_with(known) && (!goes_on || is_joined) {
            return (known.len(), false);
        }
    }
    let (mut at, mut squares) = (0, 0);
    loop {
        let files = rest[at..].iter().take_while(|byte| (b'a'..=b'h').contains(byte)).count();
        let digits = rest[at + files..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            break;
        }
        squares += files.max(1);
        at += files + digits;
        if rest.get(at).is_some_and(|byte| b"-x:".contains(byte)) {
            at += 1;
            at += rest[at..].iter().take_while(|&&byte| byte == b' ').count();
        } else if !rest.get(at).is_some_and(|byte| (b'a'..=b'h').contains(byte)) {
            break;
        }
    }
    (at.max(1), squares >= 2 || at == 0 && rest[0] == b'-')
}
