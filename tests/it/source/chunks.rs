//! Cutting files into chunks: nothing is lost, and no way of reading changes the cuts.

use std::io::{self, Cursor, Read};

use pdn::GameTree;
use pdn::diag::Diagnostic;
use pdn::source::{Chunk, ChunkOptions, Chunks};
use pdn::text::{Format, line_column};
use proptest::prelude::*;

use super::Pieces;

fn cut(bytes: &[u8], options: &ChunkOptions) -> Vec<Chunk> {
    let reader = Box::new(Cursor::new(bytes.to_vec()));
    Chunks::new("-", reader, options).expect("memory").map(|chunk| chunk.expect("memory")).collect()
}

fn cut_in_pieces(bytes: &[u8], options: &ChunkOptions, sizes: &[usize]) -> Vec<Chunk> {
    let reader = Pieces::new(bytes, sizes);
    Chunks::new("-", Box::new(reader), options).expect("memory").map(|chunk| chunk.expect("memory")).collect()
}

/// What the reader finds in a text: the games with their places, and everything outside them.
#[derive(Debug, Default, PartialEq)]
struct Found {
    games: Vec<(usize, GameTree, Vec<Diagnostic>)>,
    outside: Vec<(usize, Diagnostic)>,
}

impl Found {
    /// Adds what is in a text that begins at an offset.
    fn add(&mut self, bytes: &[u8], offset: usize) {
        let mut games = pdn::games(bytes);
        for game in games.by_ref() {
            let at = offset + game.offset();
            let (tree, mut diagnostics) = game.into_parts();
            // The last game of a chunk does not need a terminator, as that of a file.
            diagnostics.retain(|found| found.code().name() != "syntax/missing-terminator");
            self.games.push((at, tree, diagnostics));
        }
        let outside = games.take_outside();
        self.outside.extend(outside.iter().map(|found| (offset + found.offset(), found.diagnostic().clone())));
    }

    fn in_chunks(chunks: &[Chunk]) -> Self {
        let mut found = Self::default();
        for chunk in chunks {
            found.add(chunk.bytes(), chunk.offset() as usize);
        }
        found
    }

    fn in_whole(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        found.add(bytes, 0);
        found
    }
}

fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "[N \"v\"]",
        "[N \"v\"] 1. 32-28 *",
        "1. 32-28 19-23",
        "1-0",
        "*",
        "",
        "",
        "  \t",
        "{ a comment",
        "it ends }",
        "; 32-28",
        "% 1",
        "N \"v\"]",
        "prose",
        "(1. 31-27",
        "\u{e9}\u{4e16} 1",
    ])
}

fn text(end: &'static str) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(line(), 0..200).prop_map(move |lines| lines.join(end).into_bytes())
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        text("\n"),
        text("\r\n"),
        text("\r"),
        prop::collection::vec(prop::sample::select(b"[N \"\r\n1*}{\xe9".to_vec()), 0..600)
    ]
}

fn options(chunk_size: usize, max_game: usize) -> ChunkOptions {
    let mut options = ChunkOptions::default();
    options.chunk_size = chunk_size;
    options.max_game = max_game;
    options
}

/// Options without an effective limit on the size of games.
fn unlimited(chunk_size: usize) -> ChunkOptions {
    options(chunk_size, 1 << 20)
}

proptest! {
    #[test]
    fn chunks_together_are_the_input(bytes in any_text(), chunk in 1_usize..400) {
        let chunks = cut(&bytes, &unlimited(chunk));
        prop_assert_eq!(chunks.iter().map(Chunk::bytes).collect::<Vec<_>>().concat(), &bytes[..]);
        let mut offset = 0;
        for chunk in &chunks {
            prop_assert!(!chunk.bytes().is_empty());
            prop_assert_eq!(chunk.offset(), offset as u64);
            prop_assert_eq!(chunk.line(), line_column(&bytes, offset).0);
            offset += chunk.bytes().len();
        }
    }

    #[test]
    fn read_sizes_change_nothing(
        bytes in any_text(), chunk in 1_usize..400, max_game in 1_usize..3000, sizes in prop::collection::vec(1_usize..50, 1..5)
    ) {
        for options in [unlimited(chunk), options(chunk, max_game)] {
            prop_assert_eq!(cut(&bytes, &options), cut_in_pieces(&bytes, &options, &sizes));
        }
    }

    #[test]
    fn chunks_have_the_games_of_the_whole_text(bytes in any_text(), chunk in 1_usize..400) {
        // The encoding of other bytes is judged by the text before them.
        let bytes: Vec<u8> = bytes.into_iter().map(|byte| if byte == 0xE9 { b'x' } else { byte }).collect();
        let chunks = cut(&bytes, &unlimited(chunk));
        // Text that begins like an array of JSON is cut between its objects.
        prop_assume!(chunks.iter().all(|chunk| chunk.format() == Format::Pdn));
        prop_assert_eq!(Found::in_chunks(&chunks), Found::in_whole(&bytes));
    }

    #[test]
    fn places_agree_with_the_whole_file(bytes in any_text(), chunk in 1_usize..100) {
        for chunk in cut(&bytes, &unlimited(chunk)) {
            for at in 0..chunk.bytes().len() {
                let place = chunk.locate(at, 1);
                prop_assert_eq!((place.offset, place.length), (chunk.offset() + at as u64, 1));
                prop_assert_eq!((place.line, place.column), line_column(&bytes, place.offset as usize));
            }
        }
    }

    #[test]
    fn no_chunk_is_larger_than_the_largest_game(bytes in any_text(), max_game in 1_usize..2000) {
        for chunk in cut(&bytes, &options(64, max_game)) {
            prop_assert!(chunk.bytes().len() <= max_game);
            prop_assert_eq!(&bytes[chunk.offset() as usize..][..chunk.bytes().len()], chunk.bytes());
        }
    }
}

#[test]
fn a_game_that_is_too_large_is_cut_short_and_the_next_one_is_found() {
    let small = "[Event \"a\"]\n\n1. 32-28 *\n\n";
    let huge = format!("[Event \"{}\"]\n\n1. 32-28 *\n\n", "x".repeat(300_000));
    let bytes = format!("{small}{huge}{small}").into_bytes();
    let chunks = cut(&bytes, &options(1000, 10_000));
    assert_eq!(chunks.len(), 3);
    assert_eq!(chunks[0].bytes(), small.as_bytes());
    assert_eq!(chunks[1].bytes().len(), 10_000);
    assert_eq!(chunks[1].diagnostics()[0].code().name(), "replay/too-large");
    assert_eq!(chunks[2].bytes(), small.as_bytes());
    assert_eq!(chunks[2].offset() as usize, small.len() + huge.len());
    assert_eq!(chunks[2].line(), 9);
    assert!(chunks[0].diagnostics().is_empty() && chunks[2].diagnostics().is_empty());
}

#[test]
fn games_without_a_separator_are_distinguished() {
    let bytes = b"[Event \"a\"]\n1. 32-28 19-23 1-0\n".repeat(1000);
    let chunks = cut(&bytes, &options(256, 100_000));
    assert!(chunks.len() > 3);
    assert!(chunks.iter().all(|chunk| chunk.bytes().starts_with(b"[Event") && chunk.diagnostics().is_empty()));
    assert_eq!(chunks.iter().map(|chunk| chunk.bytes().len()).sum::<usize>(), bytes.len());
}

/// A comment may quote a tag after a blank line; if it is closed before the next one, the reader continues with it.
#[test]
fn no_border_changes_the_games() {
    let quoted = "{as in move 12\nof the game 19-23\n\n[Event \"quoted\"]\n\nand so on}";
    let text = [
        format!("[Event \"a\"]\n\n1. 32-28 {quoted} 19-23 *\n\n"),
        "[Event \"b\"]\n\n1. 32-28 {never closed\nat 19-23\n\n".to_owned(),
        "[Event \"c\"]\n\n[FEN \"W:W1:B2\"]\n1. 32-28 (1. 31-27\n\n2. 33-29) *\n".to_owned(),
        "{about the next one}\n1998\n\n[Event \"d\"]\n\n1. 32-28 {a {nested} one} 19-23 1-0\n\n".to_owned(),
        format!("[Event \"e\"]\n\n1. 32-28 {quoted} {quoted} 1-0\n[Event \"f\"]\n1. 33-29 *\n2. 31-27\n"),
        "[Event \"i\"]\n\n1. 32-28 ; {\n19-23 *\n\n[Event \"j\"]\n\n1. 33-29 *\n".to_owned(),
    ]
    .concat();
    let whole = Found::in_whole(text.as_bytes());
    assert!(whole.games.len() > 7);
    let mut borders = std::collections::BTreeSet::new();
    for size in 1..text.len() {
        let chunks = cut(text.as_bytes(), &unlimited(size));
        borders.extend(chunks.iter().map(Chunk::offset));
        assert!(Found::in_chunks(&chunks) == whole, "{size}");
    }
    assert!(borders.len() > 5, "{borders:?}");
}

/// What is after a border may not decide what is before it: whether a comment belongs to a game, or where it ends.
#[test]
fn a_game_does_not_depend_on_text_after_the_next_border() {
    let tags = |n: usize| "[N \"v\"]\n".repeat(n);
    for text in [
        format!("1. 32-28 *\n\n{{lead}} [[* [\n\n{}", tags(60)),
        format!("1. 32-28 *\n\n{{lead}} )* ]* }}*\n\n{}", tags(60)),
        format!("[N \"v\"]\n(1. 31-27\n1-0\n{{a\n{{b\nc}}\n{}d}}\nprose", tags(70)),
        format!("1. 32-28 19-23 *\n[N \"v\"] (see {} a) *", "\n1. 32-28".repeat(60)),
    ] {
        let whole = Found::in_whole(text.as_bytes());
        for size in 1..text.len() {
            assert!(Found::in_chunks(&cut(text.as_bytes(), &unlimited(size))) == whole, "{size}: {text}");
        }
    }
}

/// The last position of a list does not take the tags of the next game; one without a list before it may have its tags after an empty line.
#[test]
fn no_border_is_before_the_last_position_of_a_list() {
    let (one, set_up) = ("[FEN \"W:W31:B20\"]\n\n", "[SetUp \"1\"]\n[FEN \"W:W31:B20\"]\n\n");
    let game = "[White \"P\"]\n\n1. 31-27 *\n\n";
    let (list, end) = (one.repeat(20), set_up.repeat(20));
    let text = [one, game, &list, game, &end, game, one, "*\n\n", one, game].concat();
    let whole = Found::in_whole(text.as_bytes());
    assert_eq!(whole.games.len(), 1 + 21 + 21 + 2);
    let mut borders = std::collections::BTreeSet::new();
    for size in 1..text.len() {
        let chunks = cut(text.as_bytes(), &unlimited(size));
        borders.extend(chunks.iter().map(Chunk::offset));
        assert!(Found::in_chunks(&chunks) == whole, "{size}");
    }
    assert!(borders.len() > 30, "{borders:?}");
}

/// The records of the samples, damaged ones among them, each after an empty line.
#[test]
fn no_border_changes_a_hundred_games() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let folders =
        ["accept", "reject", "wild/files"].map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"));
    let mut paths: Vec<_> = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pdn"));
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read(path).expect("a sample"));
    // The encoding of other bytes is judged by the text before them.
    let text: Vec<u8> = texts
        .filter(|text| std::str::from_utf8(text).is_ok())
        .flat_map(|text| [text, b"\n\n".to_vec()].concat())
        .collect();
    let whole = Found::in_whole(&text);
    assert!(whole.games.len() > 100, "{}", whole.games.len());
    // All borders take minutes.
    let step = if std::env::var_os("PDN_LONG_TESTS").is_some() { 1 } else { text.len() / 400 };
    for size in (1..text.len()).step_by(step) {
        assert!(Found::in_chunks(&cut(&text, &unlimited(size))) == whole, "{size}");
    }
}

#[test]
fn a_comment_of_any_length_is_not_cut() {
    let long = "long ".repeat(30_000);
    let game =
        format!("[Event \"a\"]\n\n1. 32-28 {{{long}\n\n[Event \"b\"] {long}}} *\n\n[Event \"c\"]\n\n1. 33-29 *\n\n");
    let whole = Found::in_whole(game.repeat(3).as_bytes());
    assert_eq!(whole.games.len(), 6);
    for size in [1, 70_000, 150_100, 200_000] {
        assert!(Found::in_chunks(&cut(game.repeat(3).as_bytes(), &unlimited(size))) == whole, "{size}");
    }
}

#[test]
fn the_size_of_reads_changes_nothing() {
    let game = |n: usize| format!("[Event \"{n}\"]\n\n1. 32-28 {{{}}} 19-23 *\n\n", "x".repeat(n * 37 % 3000));
    let text: String = (0..400).map(game).collect();
    let mut options = options(10_000, 1 << 20);
    options.head = 20_000;
    let whole = cut(text.as_bytes(), &options);
    assert!(whole.len() > 20);
    for size in [1, 1 << 10, 64 << 10] {
        assert!(cut_in_pieces(text.as_bytes(), &options, &[size]) == whole, "{size}");
    }
}

#[test]
fn marks_and_utf16_keep_the_places_of_the_original() {
    let text = "[Event \"\u{e9}\u{1F600}\"]\n\n1. 32-28 *\n\n[Event \"b\"]\n\n1. 31-27 *\n";
    let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let chunks = cut(&wide, &unlimited(1));
    assert_eq!(chunks.len(), 2);
    assert!(chunks[1].bytes().starts_with(b"[Event \"b\""));
    let at = chunks[1].bytes().windows(5).position(|w| w == b"31-27").expect("a move");
    let place = chunks[1].locate(at, 5);
    let original: Vec<u8> = "31-27".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(&wide[place.offset as usize..][..place.length as usize], &original[..]);
    assert_eq!((place.line, place.column), (7, 4));

    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    let chunks = cut(&marked, &unlimited(1));
    assert_eq!((chunks[0].offset(), chunks[0].line()), (3, 1));
    assert!(chunks[0].bytes().starts_with(b"[Event"));
}

#[test]
fn an_error_comes_after_what_was_read() {
    struct Failing(bool);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("gone"));
            }
            buffer[..8].copy_from_slice(b"1. 32-28");
            Ok(8)
        }
    }
    // The first bytes are read to detect the encoding; the error comes after them.
    let reader = Cursor::new(b"[A \"b\"] ".to_vec()).chain(Failing(false));
    let mut chunks = Chunks::new("f", Box::new(reader), &ChunkOptions::default()).expect("memory");
    assert_eq!(chunks.next().expect("a chunk").expect("read").bytes(), b"[A \"b\"] 1. 32-28");
    assert_eq!(chunks.next().expect("an item").expect_err("an error").to_string(), "cannot read f: gone");
    assert!(chunks.next().is_none());
}
