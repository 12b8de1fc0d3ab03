//! The samples of other formats: their games and diagnostics, and that they survive as PDN.

use std::fs;
use std::path::{Path, PathBuf};

use pdn::diag::Diagnostic;
use pdn::import::games;
use pdn::{LineId, NodeKind, Parsed, WriteOptions, write_game};

use crate::support::sources::root;

/// File, games, written moves, and the diagnostics with their lines.
#[rustfmt::skip]
const EXPECTED: [(&str, usize, usize, &[&str]); 20] = [
    ("accept/board.ldf", 1, 10, &[]),
    ("accept/lidraughts.ndjson", 2, 8, &[]),
    ("accept/logs.ldf", 2, 13, &[]),
    ("accept/round.json", 2, 6, &[]),
    ("accept/turbo.txt", 2, 20, &[]),
    ("reject/board.ldf", 1, 10, &["log/board 12"]),
    ("reject/clock.ldf", 1, 10, &["log/clock 14"]),
    ("reject/cut-off.ldf", 1, 9, &["log/cut-off 17"]),
    ("reject/damaged-field.ldf", 1, 10, &["log/damaged-field 11"]),
    ("reject/damaged-line.ldf", 1, 9, &["log/damaged-line 17"]),
    ("reject/json.ndjson", 1, 6, &["log/json 1"]),
    ("reject/length.ndjson", 1, 6, &["log/length 1"]),
    ("reject/missing-line.ldf", 1, 10, &["log/missing-line 13"]),
    ("reject/missing-moves.json", 2, 0, &["log/missing-moves 1", "log/missing-moves 2"]),
    ("reject/move.ndjson", 1, 2, &["log/move 1"]),
    ("reject/nesting.ndjson", 1, 2, &["log/nesting 1"]),
    ("reject/ply.ldf", 1, 10, &["log/ply 13"]),
    ("reject/repeated-line.ldf", 1, 10, &["log/repeated-line 12"]),
    ("reject/stray-line.txt", 2, 20, &["log/stray-line 7"]),
    ("reject/value.ndjson", 1, 6, &["log/value 1"]),
];

fn samples() -> Vec<(String, Vec<u8>)> {
    let paths = ["accept", "reject"].map(|folder| fs::read_dir(root().join("samples").join(folder)).expect("samples"));
    let mut paths: Vec<PathBuf> = paths.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end != "pdn"));
    paths.sort();
    paths.into_iter().map(|path| (name_of(&path), fs::read(&path).expect("a sample"))).collect()
}

fn name_of(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    format!("{}/{}", parts[1], parts[0])
}

fn line(bytes: &[u8], at: usize) -> usize {
    bytes[..at].split(|&byte| byte == b'\n').count()
}

#[test]
fn samples_have_the_expected_games_and_diagnostics() {
    for ((name, bytes), expected) in samples().iter().zip(EXPECTED) {
        let mut reader = games(bytes);
        let (mut count, mut moves, mut found) = (0, 0, Vec::new());
        for game in reader.by_ref() {
            count += 1;
            moves += game.tree().written_moves();
            let described =
                |one: &Diagnostic| format!("{} {}", one.code(), line(bytes, game.offset() + one.span().start as usize));
            found.extend(game.diagnostics().iter().map(described));
        }
        let outside = reader.take_outside();
        found.extend(outside.iter().map(|one| format!("{} {}", one.diagnostic().code(), line(bytes, one.offset()))));
        assert_eq!(
            (name.as_str(), count, moves, &found.iter().map(String::as_str).collect::<Vec<_>>()[..]),
            (expected.0, expected.1, expected.2, expected.3)
        );
    }
    assert_eq!(samples().len(), EXPECTED.len());
}

#[test]
fn imported_games_survive_as_pdn() {
    for (name, bytes) in samples() {
        for game in games(&bytes) {
            let tree = game.into_tree().without_spans();
            let text = write_game(&tree, WriteOptions::default());
            let again: Vec<Parsed> = games(text.as_bytes()).collect();
            assert_eq!(again.len(), 1, "{name}\n{text}");
            assert_eq!(again[0].tree().clone().without_spans(), tree, "{name}\n{text}");
        }
    }
}

#[test]
fn spans_are_places_in_the_original() {
    for (name, bytes) in samples() {
        for game in games(&bytes) {
            let place = |span: pdn::diag::Span| &bytes[game.offset()..][span.range()];
            for node in game.tree().nodes() {
                if let NodeKind::Move(text) = node.kind() {
                    assert_eq!(String::from_utf8_lossy(place(node.span())), text.text(), "{name}");
                }
            }
            for tag in game.tree().tags().iter().filter(|tag| ["White", "Black"].contains(&tag.name())) {
                let written = String::from_utf8_lossy(place(tag.value_span())).into_owned();
                let is_there = tag.value().contains(written.trim()) || written.starts_with(tag.value());
                assert!(is_there || tag.value().starts_with("lidraughts AI"), "{name}: {written:?} {:?}", tag.value());
            }
        }
    }
}

#[test]
fn members_of_lidraughts_become_tags_and_annotations() {
    let bytes = fs::read(root().join("samples/accept/lidraughts.ndjson")).expect("a sample");
    let game = games(&bytes).next().expect("a game").into_tree();
    for (name, value) in [
        ("Event", "Rated blitz game"),
        ("Date", "2020.03.10"),
        ("UTCTime", "12:00:00"),
        ("White", "jan_wit"),
        ("WhiteTitle", "MF"),
        ("WhiteRating", "2101"),
        ("Result", "2-0"),
        ("GameType", "20,W,10,10,N2,0"),
        ("TimeControl", "300+3"),
        ("Opening", "Dutch \"Weiss\" start"),
    ] {
        assert_eq!(game.tag(name), Some(value));
    }
    let text = write_game(&game, WriteOptions::default()).replace('\n', " ");
    assert!(text.contains("37-32 {[%clk 0:04:57.1]} $6 {[%eval -0.12]} {Inaccuracy. 38-32 was best.}"), "{text}");
    assert!(text.contains("(3. 38-32 10-14 4. 43-38)") && text.contains("[%eval #15]"), "{text}");
    assert_eq!(game.lines().len(), 2);
    assert_eq!(game.line(LineId::new(1)).nodes().len(), 3);
}
