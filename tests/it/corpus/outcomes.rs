//! Every real file through the real binary: no false alarm, and every game replays to the end except those reviewed by
//! hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::binary::pdn;
use crate::support::corpus::{corpus, files};

/// Games that do not replay, each looked at by hand.
const KNOWN: &[(&str, u64, &str)] = &[
    ("Campionato Assoluto 2005.pdn", 46, "the last move, 3x26, fits two captures"),
    ("Cat.C1.pdn", 46, "a piece of a solution, left over after the result of another game"),
];

/// All warnings of all files, each kind looked at by hand; notes are not counted.
const WARNINGS: &[(&str, usize)] = &[
    ("move/ambiguous", 1),
    ("move/illegal", 1),
    ("move/number", 2),
    ("move/sign", 4),
    ("move/stops", 6),
    // Two Italian games that went on after the third occurrence, and were won.
    ("result/board", 2),
    ("result/mismatch", 3),
    ("syntax/colon-result", 460),
    ("syntax/missing-terminator", 2),
    ("syntax/nested-comment", 1),
    ("syntax/null-move", 50),
    ("syntax/number-typo", 1),
    ("syntax/number-without-move", 5),
    ("syntax/score", 2),
    ("syntax/stray-period", 1),
    ("syntax/ultra-short", 460),
    ("syntax/unclosed-string", 9),
    ("tag/date", 23_770),
    ("tag/game-type-contradicted", 4),
    ("tag/ply-count", 3),
];

/// The lines where the reference parser fails.
const FAILURES: &[(&str, u64)] = &[
    ("40Camp.DamaInternazionaleAssoluto.pdn", 228),
    ("Cat.A1.pdn", 405),
    ("Cat.C1.pdn", 582),
    ("abatsiev.pdn", 595),
    ("delfts.pdn", 28),
    ("mrdrcd07.pdn", 198),
    ("mrdrcd08.pdn", 499),
    ("nested_comment.pdn", 1),
];

/// The collections that were reviewed. The records of organisers and engines are for imports.
const REVIEWED: [&str; 5] = ["conformance", "english", "international", "italian", "russian"];

fn records(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["pdn", "zst"])
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn diagnostics(path: &Path) -> Vec<Value> {
    pdn(&["check", "--format", "json", &path.to_string_lossy()]).diagnostics()
}

#[test]
fn every_diagnostic_is_justified() {
    let Some(corpus) = corpus() else { return };
    let paths = REVIEWED.iter().flat_map(|folder| records(&corpus.join(folder)));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for found in paths.flat_map(|path| diagnostics(&path)).filter(|found| found["severity"] != "note") {
        let code = found["code"].as_str().expect("a code");
        // Problems of boards with 32 squares, and games without a move, do not determine the variant.
        if code != "replay/unknown-variant" {
            *counts.entry(code.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(counts, WARNINGS.iter().map(|&(code, count)| (code.to_owned(), count)).collect());
}

#[test]
fn every_game_with_moves_replays_to_the_end() {
    let Some(corpus) = corpus() else { return };
    let folders = ["conformance", "international", "italian", "russian"];
    let paths = folders.iter().flat_map(|folder| records(&corpus.join(folder)));
    let mut stopped = Vec::new();
    for path in paths {
        let games = pdn(&["convert", "--to", "jsonl", &path.to_string_lossy()]).values();
        let broken = games.iter().filter(|game| game["legal"] == false && game["written"] != 0);
        stopped.extend(broken.map(|game| (name(&path), game["game"].as_u64().expect("a number"))));
    }
    let known: Vec<_> = KNOWN.iter().map(|&(file, game, _)| (file.to_owned(), game)).collect();
    assert_eq!(stopped, known);
}

#[test]
fn valid_and_invalid_conformance_files_are_distinguished() {
    let Some(corpus) = corpus() else { return };
    for path in records(&corpus.join("conformance/accept")) {
        let syntax = diagnostics(&path)
            .into_iter()
            .find(|found| found["code"].as_str().is_some_and(|code| code.starts_with("syntax/")));
        assert_eq!(syntax, None);
    }
    for (file, line) in FAILURES {
        let found = diagnostics(&corpus.join("conformance/reject").join(file));
        let near = found.iter().any(|found| {
            let line_found = found["line"].as_u64().expect("a line");
            found["severity"] != "note" && line_found.abs_diff(*line) <= 4
        });
        assert!(near, "{file}: {found:?}");
    }
}
