//! `pdn index` and `search --index`: the same games as a search without the index.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::binary::{Folder, Run};

const GAMES: &str = "[White \"a\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n[White \"b\"]\n[GameType \"20\"]\n\
    1. 31-27 (1. 32-28 19-23) 20-25 0-2\n\n[White \"c\"]\n[GameType \"21\"]\n1. 11-15 23-19 *\n";

const START: &str = "W:W31-50:B1-20";
/// After 1. 32-28 19-23.
const SECOND: &str = "W:W28,31,33-50:B1-18,20,23";
const ENGLISH: &str = "W:W21-32:B1-10,12,15";

fn indexed() -> Folder {
    let folder = Folder::with("a.pdn", GAMES);
    folder.write("old/b.pdn", GAMES.replace("\"a\"", "\"d\""));
    let utf16: Vec<_> =
        format!("\u{feff}{}", GAMES.replace("\"a\"", "\"é\"")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("old/c.pdn", utf16);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(GAMES.as_bytes()).expect("memory");
    folder.write("old/d.pdn.gz", packed.finish().expect("memory"));
    folder.run(&["index", "a.pdn", "old", "-o", "positions"]).is(0);
    folder
}

fn both(folder: &Folder, question: &[&str]) -> [Run; 2] {
    let search = |inputs: &[&str]| folder.run(&[&["search"], question, inputs].concat()).is(0);
    [search(&["--index", "positions"]), search(&["a.pdn", "old"])]
}

#[test]
fn the_index_finds_what_a_scan_finds() {
    let folder = indexed();
    for (fen, count) in [(START, 8), (SECOND, 8), (ENGLISH, 4), ("W:W1:B50", 0)] {
        for more in [&[][..], &["--mirror"], &["--no-variations"], &["--where", "white != b"]] {
            let [looked_up, scanned] = both(&folder, &[&["--count", "--fen", fen], more].concat());
            assert_eq!(looked_up.text(), scanned.text(), "{fen} {more:?}");
            assert!(!more.is_empty() || looked_up.text() == format!("{count}\n"), "{fen}: {}", looked_up.text());
        }
    }
    let [looked_up, scanned] = both(&folder, &["--fen", SECOND]);
    let games = |run: &Run| run.text().split("\n\n").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(games(&looked_up), games(&scanned));
    let mirrored = "B:W31-50:B1-20";
    assert_eq!(both(&folder, &["--count", "--fen", mirrored]).map(|run| run.text().to_owned()), ["0\n", "0\n"]);
    assert_eq!(
        both(&folder, &["--count", "--mirror", "--fen", mirrored]).map(|run| run.text().to_owned()),
        ["8\n", "8\n"]
    );
    assert_eq!(both(&folder, &["--count", "--fen", "?:W31-50:B1-20"]).map(|run| run.text().to_owned()), ["8\n", "8\n"]);
}

/// The lines of all games, sorted: those of several variants are in another order, and the whitespace between games may
/// differ.
fn sorted(run: &Run) -> Vec<&[u8]> {
    let mut lines: Vec<_> = run.bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    lines.retain(|line| !line.is_empty());
    lines.sort_unstable();
    lines
}

#[test]
fn rows_are_those_of_a_scan() {
    let folder = indexed();
    let latin =
        b"[White \"\xe9\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n\n[GameType \"30\"]\n1. 32-28 19-23 2. 1-2 *\n";
    folder.write(
        "a.pdn",
        [GAMES.as_bytes(), b"\r\n{words}\n", GAMES.as_bytes(), b"[GameType \"30\"]\n1. 32-28 19-23 2. 1-2 *\n"]
            .concat(),
    );
    folder.write("old/latin.pdn", latin);
    folder.run(&["index", "a.pdn", "old", "-o", "positions"]).is(0);
    for to in ["jsonl", "csv", "pdn"] {
        for more in [&[][..], &["--where", "game != 1"], &["--where", "white = \"\u{e9}\""]] {
            for fen in [START, SECOND, ENGLISH] {
                let [looked_up, scanned] = both(&folder, &[&["--to", to, "--fen", fen], more].concat());
                assert_eq!(sorted(&looked_up), sorted(&scanned), "{to} {fen} {more:?}");
            }
        }
    }
    let [looked_up, scanned] = both(&folder, &["--split", "player", "--out-dir", "players", "--fen", SECOND]);
    assert!(looked_up.bytes.is_empty() && scanned.bytes.is_empty());
}

#[test]
fn files_that_changed_are_reported() {
    let folder = indexed();
    folder.write("a.pdn", "1. 32-28 *");
    let run = folder.run(&["search", "--index", "positions", "--fen", START, "--count"]).is(2);
    assert!(run.errors.contains("a.pdn: the file has changed"), "{}", run.errors);
    std::fs::remove_file(folder.path("a.pdn")).expect("removed");
    let run = folder.run(&["search", "--index", "positions", "--fen", START, "--count"]).is(2);
    assert!(run.errors.contains("cannot read a.pdn: ") && run.errors.contains("os error"), "{}", run.errors);
    folder.write("other/positions.index", "no table");
    folder.run(&["search", "--index", "other", "--fen", START]).is(2);
    folder.run(&["search", "--index", "nothing", "--fen", START]).is(2);
}

#[test]
fn an_input_that_cannot_be_read_leaves_the_old_index() {
    let folder = indexed();
    let before = folder.run(&["search", "--index", "positions", "--count", "--fen", START]).is(0);
    folder.write("broken.pdn.gz", b"\x1f\x8bbroken");
    for inputs in [&["none.pdn"][..], &["a.pdn", "none.pdn"], &["a.pdn", "broken.pdn.gz"]] {
        let run = folder.run(&[&["index"], inputs, &["-o", "positions"]].concat()).is(2);
        assert!(run.errors.contains("the index was not replaced"), "{}", run.errors);
        let after = folder.run(&["search", "--index", "positions", "--count", "--fen", START]).is(0);
        assert_eq!(after.text(), before.text(), "{inputs:?}");
        let run = folder.run(&[&["index"], inputs, &["-o", "new"]].concat()).is(2);
        assert!(run.errors.contains("no index was written") && !folder.path("new").exists(), "{}", run.errors);
    }
}

#[test]
fn an_index_needs_files_and_a_folder() {
    let folder = Folder::with("a.pdn", GAMES);
    folder.run(&["index", "a.pdn"]).is(2);
    folder.run(&["index", "-", "-o", "positions"]).is(2);
    folder.run(&["search", "--fen", START]).is(2);
    folder.run(&["search", "--index", "positions"]).is(2);
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_leaves_no_index() {
    let folder = Folder::with("a.pdn", GAMES.repeat(400));
    let output = folder.run_with_little_space(&["index", "a.pdn", "-o", "positions"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot write"), "{errors}");
    let left = folder.names();
    assert!(
        left == ["a.pdn"] || std::fs::read_dir(folder.path("positions")).expect("a folder").next().is_none(),
        "{left:?}"
    );
}
