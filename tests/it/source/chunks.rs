//! Cutting files into chunks: nothing is lost, and no way of reading changes the cuts.

use std::io::{self, Cursor, Read};

use pdn::source::{Chunk, ChunkOptions, Chunks};
use pdn::text::line_column;
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

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

fn can_end_game(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return false };
    !b"[{%;".contains(first) && !b"]}".contains(last) && line.iter().any(|b| b.is_ascii_digit() || *b == b'*')
}

/// Whether a line is inside a comment that is closed before the next tag line after an empty line.
fn in_comment(before: &[&[u8]], after: &[&[u8]]) -> bool {
    let has = |line: &[u8], brace: u8| line.contains(&brace);
    let open = before.iter().rev().find(|line| has(line, b'{') || has(line, b'}')).is_some_and(|line| has(line, b'{'));
    let mut blank = false;
    for line in after.iter().take_while(|_| open) {
        if blank && is_tag(line) || has(line, b'{') {
            return false;
        }
        if has(line, b'}') {
            return true;
        }
        blank = is_blank(line);
    }
    false
}

fn is_tag(line: &[u8]) -> bool {
    line.starts_with(b"[N \"")
}

/// Every certain cut of a text whose lines end with LF, line by line.
fn naive_cuts(bytes: &[u8]) -> Vec<usize> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let (mut cuts, mut at, mut last, mut blank) = (Vec::new(), 0, &b""[..], false);
    for (n, line) in lines.iter().enumerate() {
        if is_tag(line) && blank && can_end_game(last) && !in_comment(&lines[..n], &lines[n + 1..]) {
            cuts.push(at);
        }
        blank = is_blank(line);
        if !blank {
            last = line;
        }
        at += line.len();
    }
    cuts
}

/// The first cut at `chunk` bytes or more, again and again.
fn naive_chunks(bytes: &[u8], chunk: usize) -> Vec<&[u8]> {
    let cuts = naive_cuts(bytes);
    let (mut parts, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let end = cuts.iter().copied().find(|&cut| cut >= start + chunk).unwrap_or(bytes.len());
        parts.push(&bytes[start..end]);
        start = end;
    }
    parts
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
    fn cuts_are_those_of_the_naive_splitter(bytes in text("\n"), chunk in 100_usize..400) {
        // Sixteen chunks without a certain cut, where likely cuts begin, are out of reach of what is made up here.
        let naive = naive_chunks(&bytes, chunk);
        prop_assume!(naive.iter().all(|part| part.len() < 16 * chunk));
        let chunks = cut(&bytes, &unlimited(chunk));
        // A game a line is the one thing the naive splitter does not know.
        if !bytes.windows(10).any(|w| w == b"\"] 1. 32-2") {
            prop_assert_eq!(chunks.iter().map(Chunk::bytes).collect::<Vec<_>>(), naive);
        }
    }

    #[test]
    fn places_agree_with_the_whole_file(bytes in any_text(), chunk in 1_usize..100) {
        for chunk in cut(&bytes, &unlimited(chunk)) {
            let mut locator = chunk.locator();
            for at in 0..chunk.bytes().len() {
                let place = locator.locate(at, 1);
                prop_assert_eq!((place.offset, place.length), (chunk.offset() + at as u64, 1));
                prop_assert_eq!((place.line, place.column), line_column(&bytes, place.offset as usize));
                prop_assert_eq!(chunk.locator().offset(at), place.offset);
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

/// A comment may quote a tag behind a blank line; where it is closed before the next one, the reader goes on with it.
#[test]
fn a_tag_line_inside_a_comment_is_no_cut() {
    let game =
        "[Event \"a\"]\n\n1. 32-28 {as in move 12\nof the game 19-23\n\n[Event \"quoted\"]\n\nand so on} 19-23 *\n\n";
    let open = "[Event \"b\"]\n\n1. 32-28 {never closed\nat 19-23\n\n";
    let text = [game, game, open, game, open, game].concat();
    for size in [1, 10, 100] {
        let chunks = cut(text.as_bytes(), &unlimited(size));
        let of_chunks: Vec<_> = chunks.iter().flat_map(|chunk| pdn::pdn::games(chunk.bytes())).collect();
        let of_all: Vec<_> = pdn::pdn::games(text.as_bytes()).collect();
        assert!(chunks.len() > 2 && of_all.len() == 6, "{size}: {}", chunks.len());
        let same = of_chunks.iter().zip(&of_all).all(|(one, other)| one.tree() == other.tree());
        assert!(same && of_chunks.len() == of_all.len(), "{size}");
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
    let place = chunks[1].locator().locate(at, 5);
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
