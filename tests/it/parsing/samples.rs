//! The samples: their diagnostics, and what remains after damage.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::random::Dice;
use pdn::text::Encoding;
use pdn::{Attachment, Node, Parsed, WriteOptions, games, write_game};

/// File, games, written moves of the main lines, and each diagnostic with its line and column.
#[rustfmt::skip]
const EXPECTED: &[(&str, usize, usize, &[&str])] = &[
    ("accept/algebraic.pdn", 1, 5, &[]),
    ("accept/commands.pdn", 1, 3, &[]),
    ("accept/ellipsis.pdn", 1, 3, &[]),
    ("accept/indented.pdn", 1, 3, &[]),
    ("accept/lead-comment.pdn", 2, 2, &[]),
    ("accept/lone-cr.pdn", 1, 3, &[]),
    ("accept/one-line.pdn", 2, 4, &[]),
    ("accept/padded-squares.pdn", 1, 10, &[]),
    ("accept/plain.pdn", 2, 5, &[]),
    ("accept/results.pdn", 8, 8, &[]),
    ("accept/semicolon.pdn", 1, 2, &[]),
    ("accept/setup.pdn", 1, 3, &[]),
    ("accept/strength.pdn", 1, 3, &[]),
    ("accept/string-of-two-lines.pdn", 1, 1, &[]),
    ("accept/tags-alone.pdn", 2, 0, &["tag/padded-value 2:7"]),
    ("accept/unicode.pdn", 1, 1, &[]),
    ("accept/variations.pdn", 1, 4, &[]),
    ("accept/zeros.pdn", 1, 6, &[]),
    ("reject/backslash.pdn", 1, 2, &["tag/backslash 3:8", "tag/backslash 4:8"]),
    ("reject/bare-fen.pdn", 2, 1, &["syntax/bare-fen 2:1", "syntax/bare-fen 3:1"]),
    ("reject/look-alike.pdn", 1, 3, &["syntax/look-alike 8:4"]),
    ("reject/markup.pdn", 1, 2, &["syntax/markup 2:1", "syntax/markup 8:4", "syntax/markup 9:1"]),
    ("reject/odd-ellipsis.pdn", 1, 5, &["syntax/odd-ellipsis 7:10", "syntax/odd-ellipsis 7:32", "syntax/odd-ellipsis 7:49"]),
    ("reject/unicode-space.pdn", 1, 3, &["syntax/unicode-space 7:3"]),
    ("reject/bare-quote.pdn", 1, 2, &["syntax/bare-quote 2:1"]),
    ("reject/blank-in-result.pdn", 1, 2, &["syntax/blank-in-result 7:16"]),
    ("reject/captured-list.pdn", 1, 3, &["syntax/captured-list 7:25"]),
    ("reject/colon-result.pdn", 1, 2, &["syntax/colon-result 7:16"]),
    ("reject/control-character.pdn", 1, 2, &["syntax/control-character 4:10", "syntax/control-character 5:1"]),
    ("reject/dash-result.pdn", 1, 2, &["syntax/dash-result 7:16"]),
    ("reject/dashed-capture.pdn", 1, 3, &["syntax/dashed-capture 7:19"]),
    ("reject/doubled-bracket.pdn", 1, 2, &["syntax/stray-bracket 2:1"]),
    ("reject/empty-tag.pdn", 1, 2, &["syntax/empty-tag 3:1"]),
    ("reject/empty-variation.pdn", 1, 2, &["syntax/empty-variation 7:12"]),
    ("reject/encoding.pdn", 1, 2, &["tag/encoding 2:11"]),
    ("reject/forced-star.pdn", 1, 3, &["syntax/forced-star 7:15"]),
    (
        "reject/joined-result.pdn",
        7,
        20,
        &[
            "syntax/missing-blank 6:1",
            "syntax/missing-blank 7:1",
            "syntax/missing-blank 14:1",
            "syntax/missing-blank 15:1",
            "syntax/missing-blank 16:1",
        ],
    ),
    ("reject/letter-for-digit.pdn", 1, 3, &["syntax/letter-for-digit 5:25"]),
    ("reject/lone-result.pdn", 1, 2, &["syntax/lone-result 9:1"]),
    ("reject/missing-blank.pdn", 1, 2, &["syntax/missing-blank 7:15"]),
    ("reject/missing-bracket.pdn", 1, 2, &["syntax/missing-bracket 2:1"]),
    ("reject/missing-opening-bracket.pdn", 2, 3, &["syntax/missing-terminator 7:10", "syntax/missing-opening-bracket 9:1"]),
    ("reject/missing-separator.pdn", 1, 4, &["syntax/missing-separator 7:4", "syntax/missing-separator 7:9"]),
    ("reject/missing-terminator.pdn", 2, 4, &["syntax/missing-terminator 7:10"]),
    ("reject/nested-comment.pdn", 1, 2, &["syntax/nested-comment 7:10"]),
    ("reject/null-move.pdn", 1, 6, &["syntax/null-move 7:10", "syntax/null-move 7:15", "syntax/null-move 7:17"]),
    ("reject/number-before-tags.pdn", 1, 2, &["syntax/stray-text 1:1"]),
    ("reject/number-typo.pdn", 1, 4, &["syntax/number-typo 7:16"]),
    ("reject/number-without-dot.pdn", 1, 4, &["syntax/number-without-dot 7:1", "syntax/number-without-dot 7:15"]),
    ("reject/number-without-move.pdn", 1, 2, &["syntax/number-without-move 7:16"]),
    ("reject/odd-result.pdn", 1, 2, &["syntax/odd-result 7:16"]),
    ("reject/odd-separator.pdn", 1, 4, &["syntax/odd-separator 7:4", "syntax/odd-separator 7:10", "syntax/odd-separator 7:19"]),
    ("reject/padded-value.pdn", 1, 2, &["tag/padded-value 5:10"]),
    ("reject/prose-in-parentheses.pdn", 1, 2, &["syntax/prose-in-parentheses 7:10"]),
    ("reject/result-in-variation.pdn", 1, 2, &["syntax/result-in-variation 7:20"]),
    ("reject/score.pdn", 1, 2, &["syntax/score 7:16"]),
    ("reject/spelling.pdn", 1, 0, &["tag/spelling 3:1"]),
    ("reject/split-capture.pdn", 1, 3, &["move/split-capture 7:25"]),
    ("reject/stray-brace.pdn", 1, 2, &["syntax/stray-text 7:10", "syntax/stray-brace 7:15"]),
    ("reject/stray-bracket.pdn", 1, 2, &["syntax/stray-bracket 7:1", "syntax/stray-bracket 8:10"]),
    ("reject/stray-comma.pdn", 1, 4, &["syntax/stray-comma 7:9", "syntax/stray-comma 7:15", "syntax/stray-comma 7:25"]),
    ("reject/stray-comment.pdn", 1, 2, &["syntax/stray-comment 9:1"]),
    ("reject/stray-period.pdn", 1, 2, &["syntax/stray-period 7:16"]),
    ("reject/stray-text.pdn", 1, 2, &["syntax/stray-text 7:16"]),
    ("reject/strength-apart.pdn", 1, 3, &["syntax/strength-apart 7:10", "syntax/strength-apart 7:18"]),
    ("reject/strength-before.pdn", 1, 3, &["syntax/strength-before 7:4"]),
    ("reject/symbol.pdn", 1, 4, &["syntax/symbol 7:10", "syntax/symbol 7:18", "syntax/symbol 7:28", "syntax/symbol 7:43"]),
    ("reject/tag-name.pdn", 1, 2, &["syntax/tag-name 3:1", "syntax/tag-name 4:1", "syntax/tag-name 5:1"]),
    ("reject/typed-escape.pdn", 1, 3, &["syntax/typed-escape 2:23"]),
    ("reject/ultra-short.pdn", 1, 3, &["syntax/ultra-short 7:4"]),
    ("reject/unclosed-comment.pdn", 2, 2, &["syntax/unclosed-comment 7:10"]),
    ("reject/unclosed-last-comment.pdn", 1, 2, &["syntax/unclosed-comment 6:16"]),
    ("reject/unclosed-setup.pdn", 1, 2, &["syntax/unclosed-setup 7:10"]),
    ("reject/unclosed-string.pdn", 1, 2, &["syntax/unclosed-string 3:1"]),
    ("reject/unclosed-variation.pdn", 2, 2, &["syntax/unclosed-variation 7:10"]),
    ("reject/unopened-variation.pdn", 1, 3, &["syntax/unopened-variation 7:15"]),
    ("reject/unquoted-value.pdn", 1, 2, &["syntax/unquoted-value 3:1", "syntax/unquoted-value 4:1", "syntax/unquoted-value 5:1"]),
    ("reject/upper-case.pdn", 1, 3, &["syntax/upper-case 7:4"]),
    ("reject/variation-first.pdn", 1, 2, &["move/variation-first 7:1", "move/variation-first 7:3"]),
];

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let folder = |name: &str| fs::read_dir(root.join(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<_> = folder("accept").chain(folder("reject")).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "pdn"));
    all.sort();
    all
}

fn name_of(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}/{}", parts[1], parts[0])
}

/// Line and column from 1; columns count characters, and a lone CR ends a line too.
fn place(bytes: &[u8], at: usize, encoding: Encoding) -> String {
    let before = &bytes[..at];
    let lines = before
        .iter()
        .enumerate()
        .filter(|&(index, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(index + 1) != Some(&b'\n'));
    let start = before.iter().rposition(|byte| b"\r\n".contains(byte)).map_or(0, |end| end + 1);
    let column = match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(&before[start..]).chars().count(),
        _ => at - start,
    };
    format!("{}:{}", lines.count() + 1, column + 1)
}

/// Returns the numbers of games and moves of a file, and its diagnostics.
fn diagnostics_of(bytes: &[u8]) -> (usize, usize, Vec<String>) {
    let mut reader = games(bytes);
    let (mut count, mut moves, mut found) = (0, 0, Vec::new());
    for parsed in reader.by_ref() {
        let offset = parsed.offset();
        let (tree, diagnostics) = parsed.into_parts();
        count += 1;
        moves += tree.written_moves();
        for found_here in diagnostics {
            let at = offset + found_here.span().start as usize;
            found.push((at, format!("{} {}", found_here.code(), place(bytes, at, tree.encoding()))));
        }
    }
    for outside in reader.take_outside() {
        let text = format!("{} {}", outside.diagnostic().code(), place(bytes, outside.offset(), Encoding::Utf8));
        found.push((outside.offset(), text));
    }
    found.sort();
    (count, moves, found.into_iter().map(|(_, text)| text).collect())
}

#[test]
fn samples_have_the_expected_diagnostics() {
    let mut lines = String::new();
    let mut wrong = false;
    for path in samples() {
        let (count, moves, found) = diagnostics_of(&fs::read(&path).unwrap());
        let name = name_of(&path);
        let expected = EXPECTED.iter().find(|row| row.0 == name);
        wrong |= !expected.is_some_and(|row| row.1 == count && row.2 == moves && row.3 == found);
        let _ = writeln!(lines, "    ({name:?}, {count}, {moves}, &{found:?}),");
    }
    assert!(!wrong && lines.lines().count() == EXPECTED.len(), "the samples hold:\n{lines}");
}

#[test]
fn only_samples_to_reject_have_syntax_diagnostics() {
    for path in samples() {
        let (_, _, found) = diagnostics_of(&fs::read(&path).unwrap());
        let name = name_of(&path);
        if name.starts_with("accept/") {
            assert!(!found.iter().any(|code| code.starts_with("syntax/")), "{name}: {found:?}");
        } else {
            assert!(!found.is_empty(), "{name}");
        }
    }
}

#[test]
fn samples_survive_writing() {
    for path in samples() {
        let bytes = fs::read(&path).unwrap();
        for game in games(&bytes) {
            let braced = |item: &Attachment| item.comment().is_some_and(|text| text.contains(['{', '}']));
            if game.tree().nodes().iter().flat_map(Node::attachments).any(braced) {
                continue;
            }
            let text = write_game(game.tree(), WriteOptions::default());
            let again: Vec<Parsed> = games(text.as_bytes()).collect();
            assert_eq!(again.len(), 1, "{}\n{text}", name_of(&path));
            let again = again[0].tree().clone().without_spans();
            assert_eq!(again, game.tree().clone().without_spans(), "{}\n{text}", name_of(&path));
        }
    }
}

fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const SIGNS: &[u8] = b"[]{}()\"\\/*-x:.;%!?$<> \n\r0129azAZ\0\x1A\xE9";
    let at = dice.below(bytes.len());
    let sign = SIGNS[dice.below(SIGNS.len())];
    match dice.below(5) {
        0 => bytes.insert(at, sign),
        1 if !bytes.is_empty() => bytes[at] = sign,
        2 if !bytes.is_empty() => drop(bytes.remove(at)),
        3 => bytes.truncate(at),
        _ => {
            let to = (at + dice.below(30)).min(bytes.len());
            let piece = bytes[at..to].to_vec();
            let into = dice.below(bytes.len());
            bytes.splice(into..into, piece);
        }
    }
}

#[test]
fn damaged_samples_keep_their_neighbours() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let valid = b"\n\n[Event \"after\"]\n\n1. 32-28 {kept} 19-23 2. 28x19 1-0\n";
    for path in samples() {
        let whole = fs::read(&path).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=dice.below(3) {
                damage(&mut bytes, &mut dice);
            }
            bytes.extend_from_slice(valid);
            let found: Vec<Parsed> = games(&bytes).collect();
            let last = found.last().expect("the valid game");
            let (tree, text) = (last.tree(), String::from_utf8_lossy(&bytes));
            assert_eq!(tree.tag("Event"), Some("after"), "{text}");
            assert_eq!((tree.written_moves(), tree.terminator().is_some()), (3, true), "{text}");
            let ends = found.iter().map(|game| (game.offset(), game.offset() + game.tree().byte_len() as usize));
            assert!(ends.clone().zip(ends.skip(1)).all(|(first, second)| first.1 <= second.0), "{text}");
            for game in &found {
                let sorted = game.diagnostics().windows(2).all(|pair| pair[0].span().start <= pair[1].span().start);
                assert!(
                    sorted && game.diagnostics().iter().all(|one| one.span().end <= game.tree().byte_len()),
                    "{text}"
                );
                assert!(game.diagnostics().iter().all(|one| one.span().start <= one.span().end), "{text}");
            }
        }
    }
}
