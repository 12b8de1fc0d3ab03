//! The worst inputs: they are read, checked and written completely, in chunks of bounded size, and the games before the
//! damage are kept. Nothing here measures time, but a reader that is not linear would run for hours.

use std::io::{Cursor, Read};
#[cfg(unix)]
use std::process::Command;

use pdn::canon::{FormatOptions, format_game};
use pdn::check::{CheckOptions, reviews};
use pdn::diag::Code;
use pdn::records::{Origin, game_row};
use pdn::replay::{ReplayOptions, replay};
use pdn::source::{Chunk, ChunkOptions, Chunks};
use pdn::{MAX_ITEMS, games};

use crate::support::binary::{Folder, pdn_with};
#[cfg(unix)]
use crate::support::{
    binary::{Run, program},
    corpus::long_tests,
};

const SOUND: &str = "[Event \"sound\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";

/// The chunks of what a reader brings.
fn chunks(reader: impl Read + Send + 'static, options: &ChunkOptions) -> Vec<Chunk> {
    Chunks::new("-", Box::new(reader), options).expect("memory").map(|chunk| chunk.expect("memory")).collect()
}

/// Reads, replays and writes all games of some bytes twice; returns their number.
fn survive(bytes: &[u8]) -> usize {
    let mut count = 0;
    for chunk in chunks(Cursor::new(bytes.to_vec()), &ChunkOptions::default()) {
        assert!(chunk.bytes().len() <= ChunkOptions::default().max_game);
        for parsed in games(chunk.bytes()) {
            count += 1;
            let game = replay(parsed.into_tree(), &ReplayOptions::default());
            let once = format_game(&game, &FormatOptions::default());
            let again = games(once.as_bytes()).next().expect("a game");
            let again = format_game(&replay(again.into_tree(), &ReplayOptions::default()), &FormatOptions::default());
            assert!(again == once, "not stable: {once:.300}");
        }
    }
    count
}

/// Returns the bytes between two valid games.
fn between(middle: &[u8]) -> Vec<u8> {
    [SOUND.as_bytes(), middle, b"\n\n", SOUND.as_bytes()].concat()
}

#[test]
fn comments_and_strings_that_never_end() {
    let words = b"a word and 12-17 [% ( ".repeat(100_000);
    assert_eq!(survive(&between(&[&b"1. 32-28 {"[..], &words].concat())), 3);
    assert_eq!(survive(&[SOUND.as_bytes(), b"1. 32-28 {", &words].concat()), 2);
    // The tags that follow belong to the same game.
    assert_eq!(survive(&between(&[&b"[Site \""[..], &b"word ".repeat(200_000)].concat())), 2);
    assert_eq!(survive(&between(&b"[Site \"x\n".repeat(20_000))), 2);
}

#[test]
fn a_hundred_thousand_of_each_bracket() {
    for sign in [&b"("[..], b")", b"{", b"}", b"[", b"]", b"<", b"{[", b"({", b"(1. ", b"\"", b"/FEN \""] {
        assert!(
            survive(&between(&[&b"1. 32-28 "[..], &sign.repeat(100_000)].concat())) >= 2,
            "{}",
            String::from_utf8_lossy(sign)
        );
    }
    let nested = format!("1. 32-28 {}19-23{} *", "(1. 33-28 ".repeat(100_000), ")".repeat(100_000));
    assert_eq!(survive(&between(nested.as_bytes())), 3);
}

#[test]
fn signs_of_old_systems() {
    let sound = SOUND.trim_end();
    assert_eq!(survive(&between(&b"\0".repeat(100_000))), 2);
    assert_eq!(survive(&between(&b"\x1A".repeat(100_000))), 2);
    assert_eq!(survive(sound.replace('\n', "\r").as_bytes()), 1);
    assert_eq!(survive(format!("{}\u{1A}", sound.replace('\n', "\r\n")).as_bytes()), 1);
    assert_eq!(survive(format!("\u{FEFF}{sound}").as_bytes()), 1);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf16: Vec<u8> = format!("\u{FEFF}{SOUND}{SOUND}").encode_utf16().flat_map(order).collect();
        assert_eq!(survive(&utf16), 2);
        assert_eq!(survive(&utf16[..utf16.len() - 21]), 2);
    }
    let all: Vec<u8> = (0..=255).collect();
    assert!(survive(&between(&all.repeat(400))) >= 2);
}

#[test]
fn huge_numbers_and_squares() {
    let digits = "9".repeat(100_000);
    for text in [
        format!("{digits}. 32-28"),
        format!("1. 32-{digits}"),
        format!("1. {digits}x{digits}x{digits}"),
        format!("1. 32-28 ${digits}"),
        format!("1. 32-28 {}", "x28".repeat(50_000)),
        format!("1. 32-28{}", "!".repeat(100_000)),
        "1. 0-51 4294967296-18446744073709551616 1-0".to_owned(),
        format!("[FEN \"W:W{digits}:B1-{digits}\"] 1. 1-2"),
        format!("[FEN \"W:{}\"] 1. 1-2", "W31,".repeat(10_000)),
        format!("[GameType \"{digits}\"] 1. 32-28"),
        format!("[Date \"{digits}.{digits}\"] [TimeControl \"{}\"] 1. 32-28", "1/2:".repeat(50_000)),
        format!("{}1. 32-28", "[A \"b\"]".repeat(50_000)),
    ] {
        assert!(survive(&between(text.as_bytes())) >= 2, "{text:.60}");
    }
}

/// So many of one byte, made while they are read.
struct Flood(u64);

impl Read for Flood {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(usize::try_from(self.0).unwrap_or(usize::MAX));
        buffer[..count].fill(b'a');
        self.0 -= count as u64;
        Ok(count)
    }
}

#[test]
fn a_tag_of_100_mb_is_cut_and_the_next_game_is_read() {
    let head = Cursor::new([SOUND.as_bytes(), b"[Site \""].concat());
    let tail = Cursor::new(format!("\"]\n\n1. 32-28 *\n\n{SOUND}").into_bytes());
    let mut options = ChunkOptions::default();
    options.max_game = 4_000_000;
    let chunks = chunks(head.chain(Flood(100_000_000)).chain(tail), &options);
    let codes: Vec<_> = chunks.iter().flat_map(Chunk::diagnostics).map(|found| found.code().name()).collect();
    assert_eq!(codes, ["replay/too-large"]);
    assert!(chunks.iter().all(|chunk| chunk.bytes().len() <= options.max_game));
    let events: Vec<_> =
        chunks.iter().flat_map(|chunk| games(chunk.bytes())).map(|game| game.tree().tag("Event").is_some()).collect();
    assert_eq!(events, [true, false, true]);
}

#[test]
fn the_commands_come_to_their_end() {
    let worst = between(&[&b"1. 32-28 {"[..], &b"(((\0\x1A [%clk ".repeat(30_000)].concat());
    for command in [
        &["check", "--strict", "-"][..],
        &["check", "--duplicates", "-"],
        &["fmt", "--fix", "-"],
        &["convert", "--to", "jsonl", "-"],
    ] {
        let run = pdn_with(&worst, command);
        assert!(!run.bytes.is_empty(), "{command:?}");
        // The comment that is never closed is an error, and resolved.
        assert_eq!(run.status, Some(i32::from(!command.contains(&"--fix"))), "{command:?}");
    }
}

/// Text outside any game is shown line by line; a search of the rest for each line would take hours.
#[test]
fn thousands_of_diagnostics_outside_games_take_linear_time() {
    // One more says that the text has no game.
    let folder = Folder::with("words.pdn", "word\n\n".repeat(200_000));
    let run = folder.run(&["check", "words.pdn"]).is(0);
    let last = *run.lines().last().expect("a summary");
    assert!(last.ends_with(" s") && last.contains(" 200001 warnings, "), "{last}");
}

/// A search that began again at each of these would take hours.
#[test]
fn ends_of_games_are_looked_for_once() {
    for (score, repeated) in [
        ("5", "5\n\n"),
        ("{5}", "{5} "),
        ("{5}", "{5}\\r"),
        ("[", "[\n"),
        ("4-6", "4-6 {c}\n\n"),
        ("-", "- {c}\n"),
        ("1.", "1.\n\n"),
    ] {
        let text = format!("[Result \"{score}\"]\n1. 32-28 {}x\n", repeated.repeat(100_000));
        assert!(survive(&between(text.as_bytes())) >= 3, "{score} {repeated}");
    }
}

/// A game of any size takes memory in proportion to its text: what is too much for a tree is kept as text.
#[test]
fn games_of_very_many_moves_are_kept_as_text() {
    const MORE: usize = MAX_ITEMS + 10_000;
    for (repeated, word) in
        [("31-13 ", "31-13"), ("1. -- ", "-"), ("{x} ", "x"), ("(1. 31-27 {y}) ", "31-27"), ("[A \"b\"]\n", "b")]
    {
        let text = format!("[GameType \"20\"]\n{}1. 32-28 19-23 *", repeated.repeat(MORE));
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let message = review.diagnostics().iter().find(|found| found.code() == Code::REPLAY_TOO_LARGE);
        let what = if repeated.starts_with('[') { "tags" } else { "moves, comments and variations" };
        let expected = format!("the game has more than {MAX_ITEMS} {what};");
        assert!(message.expect(repeated).message().starts_with(&expected), "{repeated}");
        assert!(review.game().tree().nodes().len() <= MAX_ITEMS, "{repeated}");
        let once = format_game(review.game(), &FormatOptions::default());
        assert!(once.matches(word).count() >= MORE && once.ends_with("*\n"), "{repeated}");
        let row = game_row(&review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
        assert!(serde_json::to_string(&row).expect("JSON").matches(word).count() >= MORE, "{repeated}");
    }
    assert_eq!(survive(&between(&b"1. 31-13 ".repeat(MORE))), 3);
    assert_eq!(
        survive(&between(&[&b"1. 32-28 (1. 31-27 "[..], &b"{x} (32-28 ".repeat(100_000), b") 19-23"].concat())),
        3
    );
}

/// A search of all tags for each of these would take minutes.
#[test]
fn repeated_tags_take_linear_time() {
    let text = b"[WhiteRating \"high\"]\n".repeat(MAX_ITEMS);
    let review = reviews(&text, CheckOptions::default()).next().expect("a game");
    assert!(review.diagnostics().iter().any(|found| found.code() == Code::TAG_RATING));
    assert!(format_game(review.game(), &FormatOptions::default()).len() > text.len());
}

/// Runs a command on a file with a limit on its address space, in MB.
#[cfg(unix)]
fn run_within(megabytes: usize, arguments: &[&str], folder: &Folder) {
    let limited = format!("ulimit -v {} && exec \"$0\" \"$@\"", megabytes * 1000);
    let mut command = Command::new("sh");
    command.current_dir(folder.path("")).args(["-c", &limited, program()]);
    Run::of(command.args(arguments).args(["--jobs", "1", "-o", "/dev/null", "game.pdn"])).is(1);
}

#[cfg(unix)]
#[test]
fn one_game_of_any_kind_takes_little_memory() {
    let folder = Folder::new();
    let (megabytes, size) = if long_tests() { (1000, 60_000_000) } else { (800, 4_000_000) };
    for repeated in ["(", "1. -- ", "31-13 ", "{} ", "32-28 {c} ", "32-28 (31-27) "] {
        let game = format!("[GameType \"20\"]\n1. 32-28 19-23 {}*\n", repeated.repeat(size / repeated.len()));
        folder.write("game.pdn", game);
        for arguments in
            [&["check"][..], &["fmt"], &["convert", "--to", "jsonl"], &["convert", "--to", "csv", "--table", "moves"]]
        {
            run_within(megabytes, arguments, &folder);
        }
    }
}
