//! Canonical forms by example.

use super::*;
use crate::pdn::games;
use crate::replay::{ReplayOptions, replay};
use crate::rules::Variant;

fn formatted(text: &str, options: &FormatOptions) -> String {
    let parsed = games(text.as_bytes()).next().expect("a game");
    let tree = parsed.into_tree();
    let is_typed = tree.tag("GameType").is_some();
    let variant = (!is_typed).then_some(Variant::INTERNATIONAL);
    format_game(&replay(tree, &ReplayOptions::of(variant)), options)
}

/// Returns the movetext of a game with one tag in the default form, which is stable.
fn body(text: &str) -> String {
    let once = formatted(text, &FormatOptions::default());
    assert_eq!(formatted(&once, &FormatOptions::default()), once, "{text}");
    once.rsplit("\n\n").next().expect("a body").trim_end().to_owned()
}

#[test]
fn moves_and_numbers_are_canonical() {
    for (text, expected) in [
        ("1. 32-28 19-23 2. 28-19 14x23 3. 31-01 1-2", "1. 32-28 19-23 2. 28x19 14x23 3. 31-01 1-2 *"),
        ("7. 32-28 {good} 19-23 8. 28x19", "1. 32-28 {good} 1... 19-23 2. 28x19 *"),
        ("1. ... 19-23 2. 32-28", "1... 19-23 2. 32-28 *"),
        ("1. 32-28 (33-28 18-23) 19-23 5.", "1. 32-28 (1. 33-28 18-23) 1... 19-23 *"),
        ("1. 32-28 19-23 (18-22) (19-24) 2. 28x19", "1. 32-28 19-23 (1... 18-22) (1... 19-24) 2. 28x19 *"),
        ("1. 32-28!(!) 18-23 . see page 2 1-1", "1. 32-28!! 18-23 {. see page 2} *"),
    ] {
        let text = format!("[GameType \"20\"]\n{text}");
        assert_eq!(body(&text), expected, "{text}");
    }
}

#[test]
fn the_roster_is_complete_and_first() {
    let text = "[GameType \"25\"]\n[White \"w\"]\n1. cd4 ba5 1-0";
    assert_eq!(
        formatted(text, &FormatOptions::default()),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"w\"]\n[Black \"?\"]\n\
         [Result \"1-0\"]\n[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n"
    );
}

#[test]
fn results_are_kept_in_the_tag_in_the_form_of_the_variant() {
    let last_lines = |tags: &str, end: &str, options: &FormatOptions| {
        let text = formatted(&format!("[GameType \"20\"]{tags}\n1. 32-28 {end}"), options);
        let result = text.lines().find(|line| line.starts_with("[Result")).expect("a result").to_owned();
        (result, text.trim_end().rsplit(' ').next().expect("an end").to_owned())
    };
    let usual = FormatOptions::default();
    let pair = |tag: &str, end: &str| (format!("[Result \"{tag}\"]"), end.to_owned());
    assert_eq!(last_lines("", "1-0", &usual), pair("2-0", "*"));
    assert_eq!(last_lines("[Result \"1/2:1/2\"]", "1-1", &usual), pair("1-1", "*"));
    assert_eq!(last_lines("[Result \"0-2\"]", "2-0", &usual), pair("0-2", "2-0"));
    assert_eq!(last_lines("[Result \"4-6\"]", "4-6", &usual), pair("4-6", "*"));
    assert_eq!(last_lines("[ResultFormat \"x\"][Result \"1-0\"]", "*", &usual), pair("1-0", "*"));
    assert_eq!(last_lines("", "1-0", &FormatOptions { results: true, ..usual.clone() }), pair("2-0", "2-0"));
    assert_eq!(last_lines("[Result \"2-0 forfait\"]", "2 - 0", &usual), pair("2-0 forfait", "2-0"));
    assert_eq!(last_lines("[Result \"2-0\"]", "1/2", &usual), pair("2-0", "1-1"));
    assert_eq!(last_lines("", "(2-0).", &usual), pair("2-0", "*"));
    assert_eq!(last_lines("", "* 0-2", &usual), pair("0-2", "*"));
    let strict = FormatOptions { strict: true, ..usual };
    assert_eq!(last_lines("[Result \"0-2\"]", "2-0", &strict), pair("0-2", "*"));
}

#[test]
fn options_drop_comments_and_write_full_paths() {
    let text = "1. 32-28 {c} 19-23 (19-24 $3) 2. 28x19 *";
    let usual = FormatOptions::default();
    let bare = FormatOptions { comments: false, variations: false, ..usual.clone() };
    assert_eq!(formatted(text, &bare), "1. 32-28 19-23 2. 28x19 *\n");
    let written = FormatOptions { moves: MoveStyle::Written, ..bare };
    assert_eq!(formatted("01. 32- 28 19-23 28-19 14x23", &written), "1. 32- 28 19-23 2. 28-19 14x23 *\n");
    let fen = "[FEN \"W:W32:B27,17\"]\n";
    let full = formatted(&format!("{fen}32x12"), &FormatOptions { moves: MoveStyle::Full, ..usual.clone() });
    assert!(full.ends_with("\n1. 32x21x12 *\n"), "{full}");
    assert!(formatted(&full, &usual).ends_with("\n1. 32x12 *\n"), "{full}");
}

/// Returns the canonical form of the games of a file, each without empty lines.
fn formatted_file(text: &str) -> Vec<String> {
    let (options, replaying) = (FormatOptions::default(), ReplayOptions::default().for_file(text.as_bytes()));
    let written = games(text.as_bytes()).map(|game| format_game(&replay(game.into_tree(), &replaying), &options));
    written.map(|game| game.replace("\n\n", "\n")).collect()
}

/// Returns the games as formatted together, which are written the same again.
fn stable_file(text: &str) -> Vec<String> {
    let written = formatted_file(text);
    assert_eq!(formatted_file(&written.join("\n")), written, "{text}");
    written
}

#[test]
fn only_a_game_that_exactly_one_variant_plays_to_the_end_gets_a_game_type() {
    let written = stable_file("3127 1923 3328 1721 28x19 1/2 3329 1721 3228 0-4\n[R\ncd4");
    let with_type: Vec<_> = written.iter().map(|game| game.contains("[GameType \"20,W,10,10,N2,0\"]")).collect();
    assert_eq!(with_type, [true, false, false], "{written:?}");
    // A legal game without tags stays so, one that other variants can play is written plainly, and another keeps its moves.
    let bare = "1. 33-28 18-23 2. 34-30 20-25 3. 38-33 25x34 4. 40x18 12x23 5. 35-30 15-20 *\n";
    assert_eq!(stable_file(&format!("{bare}\n1. 3228 0-4 *\n\n1. 3228 *")), [bare, "1. 3228 0-4 *\n", "1. 32-28 *\n"]);
}

#[test]
fn games_without_a_game_type_stay_as_they_are_where_they_would_be_read_differently_once_written() {
    for text in [
        // Letters decide for a game that gets no GameType, as it has no tags; beside them, numbers would.
        "ab4 de5cd4 ec3 ac3\n[Event \"a\"]\n1116",
        "[FEN \"W:W25,22,24:B11\"]\nc3d4 fg5 bc3 gh4 hf4\n[Event \"a\"]\n1923",
        // A long game of the tags of another variant, and one without a first move.
        "1. 33-28 18-23 2. 34-30 20-25 3. 38-33 25x34 4. 40x18 12x23 5. 35-30 15-20 *\n[Event \"a\"]\n3127 2-2",
    ] {
        stable_file(text);
    }
}

#[test]
fn positions_are_written_plainly() {
    let text = "[GameType \"20\"]\n[FEN \"B:W 31 - 33,K05:B01,02 .\"]\n1. 1-7 /FEN \"W:W31:B20. \"/ 31-27";
    let text = formatted(text, &FormatOptions::default());
    assert!(text.contains("[FEN \"B:W31,32,33,K5:B1,2\"]") || text.contains("[FEN \"B:WK5,31,32,33:B1,2\"]"), "{text}");
    assert!(text.contains("/FEN \"W:W31:B20\"/"), "{text}");
    for (fen, plain) in
        [("W:WK45,K40:BK6,1:H3:F21:+3+1", "W:WK40,K45:B1,K6:H3:F21:+3+1"), ("W:W40:B1 :F1: H2:+0+0", "W:W40:B1:H2")]
    {
        let text = formatted(&format!("[GameType \"40\"]\n[FEN \"{fen}\"]\n1. 40-34"), &FormatOptions::default());
        assert!(text.contains(&format!("[FEN \"{plain}\"]")), "{text}");
    }
}

/// Returns the codes and texts of the diagnostics that the canonical form of a game resolves.
fn resolved(text: &str) -> Vec<(String, &str)> {
    let (options, replaying) = (FormatOptions::default(), ReplayOptions::default());
    let parsed = games(text.as_bytes()).next().expect("a game");
    let (tree, mut before) = parsed.into_parts();
    let game = replay(tree, &replaying);
    before.extend_from_slice(game.diagnostics());
    let tree = canonical_tree(&game, &options);
    let after = replay(tree.clone(), &replaying);
    let edits = mended((game.tree(), &tree), &options, &before, after.diagnostics());
    let resolved = edits.iter().map(|edit| match edit.kind() {
        EditKind::Resolved(diagnostic) | EditKind::Commented(diagnostic) => {
            (diagnostic.code().to_string(), &text[edit.span().range()])
        }
        other => panic!("{other}"),
    });
    resolved.collect()
}

#[test]
fn resolved_diagnostics_follow_from_codes_and_spans() {
    let pair = |code: &str, text: &'static str| (code.to_owned(), text);
    for (text, expected) in [
        ("[GameType \"20\"]\n1. 3228 19-23 2. 1250 *", vec![pair("syntax/missing-separator", "3228")]),
        ("[GameType \"20\"]\n1. 32-28 word 19-23 *", vec![pair("syntax/stray-text", "word")]),
        ("[GameType \"25\"]\n1. cd4 ba5 *", vec![pair("syntax/ultra-short", "cd4")]),
        ("[GameType \"25\"]\n1. cd4 ba5 2. cd4 *", vec![]),
        ("[GameType \"20\"]\n1. 32-28 19-23 2. 28-19 14x23 *", vec![pair("move/sign", "28-19")]),
        ("[GameType \"20\"]\n1. 32-28 19-23 2. 28-18 *", vec![]),
    ] {
        assert_eq!(resolved(text), expected, "{text}");
    }
}
