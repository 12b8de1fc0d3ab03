//! Tables in files: the codes are the same as in memory, and damage is noticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::solve_all;
use crate::egdb::databases::embedded;
use crate::egdb::endgame::{Endgame, Lookup};
use crate::egdb::material::{Force, Material};
use crate::egdb::tables::{open_file, table_path};
use crate::egdb::{BuildObserver, BuildOptions, EndgameTables, Progress, VerifyOptions, build, verify};
use crate::error::{Error, Result};
use crate::rules::{Variant, with_rules};

/// Writes files without regard to interrupts.
struct Plain;

impl Progress for Plain {}

impl BuildObserver for Plain {
    fn save(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).map_err(|error| Error::write(path, error))
    }
}

/// Returns options for tables without distances and without a memory limit.
const fn values(pieces: u8) -> BuildOptions {
    BuildOptions { pieces, distances: false, memory: None }
}

fn built(variant: Variant, options: BuildOptions) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    build(variant, folder.path(), options, &Plain).expect("built");
    folder
}

/// Returns all files in the folder of a variant with their bytes.
fn contents(folder: &Path, variant: Variant) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder.join(variant.name())).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.file_name().expect("a name").into(), fs::read(path).expect("a file"))).collect()
}

/// Compares all codes of tables with those in memory; returns their number.
fn compare(tables: &EndgameTables, pieces: u8) -> u64 {
    with_rules!(tables.variant(), <'a, R>(rules, tables: &'a EndgameTables = tables, pieces: u8 = pieces) -> u64 {
        let game = Endgame::<R::Board>::of(rules);
        let (finished, classes) = solve_all(&game, pieces, true);
        let tables = tables.typed::<R::Board>().expect("the board of the variant");
        let mut compared = 0;
        for (material, counts) in classes {
            compared += counts.all.total();
            game.index(material).each(0..counts.all.total(), |_, state| {
                let code = finished.look_up(state).expect("solved");
                let probe = tables.look_up(state).expect("stored");
                assert_eq!(probe.value(), code.value(), "{state:?}");
                if let Some(plies) = probe.plies() {
                    assert_eq!(Some(plies), code.distance().map(|plies| u32::from(game.plies(plies))), "{state:?}");
                }
            });
        }
        compared
    })
}

#[test]
fn tables_have_the_codes_in_memory() {
    for (variant, pieces) in [(Variant::ENGLISH, 3), (Variant::BREAKTHROUGH, 3), (Variant::ANTIDRAUGHTS, 2)] {
        for distances in [false, true] {
            let folder = built(variant, BuildOptions { distances, ..values(pieces) });
            let tables = EndgameTables::open(variant, folder.path());
            assert!(tables.problems().is_empty());
            assert!(compare(&tables, pieces) > 1000, "{variant}");
            let options = VerifyOptions { distances, sample: None };
            let verification = verify(variant, folder.path(), options, &());
            assert!(verification.problems.is_empty() && verification.positions > 1000, "{variant}");
        }
    }
}

#[test]
fn tables_in_the_program_have_the_codes_in_memory() {
    let variant = Variant::BRAZILIAN;
    assert_eq!(compare(&EndgameTables::embedded(variant), 3), 3_488 + 196_032);
    assert_eq!(EndgameTables::embedded(variant).max_pieces(), 4);
    assert_eq!(EndgameTables::embedded(Variant::FRISIAN).max_pieces(), 0);
}

#[test]
fn tables_in_the_program_are_those_that_are_built() {
    for variant in [Variant::ITALIAN, Variant::BRAZILIAN, Variant::RUSSIAN, Variant::ENGLISH, Variant::INTERNATIONAL] {
        let folder = built(variant, values(3));
        let (_, all) = embedded(variant).expect("tables");
        for (name, bytes) in contents(folder.path(), variant) {
            assert!(all.windows(bytes.len()).any(|part| part == bytes), "{variant} {}", name.display());
        }
    }
}

#[test]
fn a_build_continues_and_makes_the_same_files() {
    let variant = Variant::ITALIAN;
    let options = BuildOptions { distances: true, ..values(3) };
    let folder = built(variant, options);
    let first = contents(folder.path(), variant);
    for (n, name) in first.keys().enumerate().filter(|(n, _)| n % 3 == 0) {
        let path = folder.path().join(variant.name()).join(name);
        if n % 2 == 0 { fs::remove_file(path).expect("removed") } else { fs::write(path, b"PDN-EGDB").expect("cut") }
    }
    let limited = BuildOptions { memory: Some(400_000), ..options };
    let summary = build(variant, folder.path(), limited, &Plain).expect("built");
    assert!(summary.kept > 0 && summary.solved > 0, "{summary:?}");
    assert_eq!(contents(folder.path(), variant), first);
    assert_eq!(build(variant, folder.path(), options, &Plain).expect("kept").solved, 0);
}

#[test]
fn a_memory_limit_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = BuildOptions { memory: Some(10_000), ..values(3) };
    let error = build(Variant::ENGLISH, folder.path(), options, &Plain).expect_err("too little memory");
    assert!(error.to_string().contains("MB of memory"), "{error}");
}

#[test]
fn every_changed_byte_is_noticed() {
    let variant = Variant::ENGLISH;
    let folder = built(variant, values(2));
    for (name, bytes) in contents(folder.path(), variant) {
        let path = folder.path().join(variant.name()).join(name);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&path, damaged).expect("written");
            assert!(!all_can_be_read(&path, variant), "{} {at}", path.display());
        }
        for len in 0..bytes.len() {
            fs::write(&path, &bytes[..len]).expect("written");
            assert!(!all_can_be_read(&path, variant), "{} cut at {len}", path.display());
        }
        fs::write(&path, bytes).expect("written");
        assert!(all_can_be_read(&path, variant));
    }
}

fn all_can_be_read(path: &Path, variant: Variant) -> bool {
    let open = open_file(path, variant);
    open.is_ok_and(|tables| {
        let mut blocks = tables.iter().flat_map(|open| (0..open.table.blocks()).map(move |block| (open, block)));
        blocks.all(|(open, block)| open.table.block(&open.source, block as u32).is_ok())
    })
}

#[test]
fn damage_is_named_and_the_table_is_not_used() {
    let variant = Variant::FRYSK;
    let folder = built(variant, values(2));
    let king = Force { men: 0, kings: 1 };
    let material = Material { own: king, their: king };
    let path = table_path(folder.path(), variant, material, false);
    let mut bytes = fs::read(&path).expect("a file");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(&path, bytes).expect("written");
    fs::write(folder.path().join("frysk/other.egdb"), "not a table").expect("written");
    let tables = EndgameTables::open(variant, folder.path());
    assert_eq!(tables.problems().len(), 1);
    let position = crate::rules::Position::from_fen(variant, "W:WK46:BK4").expect("a position");
    assert_eq!(tables.probe(&position), None);
    let problems = tables.problems();
    assert!(problems.iter().any(|problem| problem.path == path), "{problems:?}");
    for sample in [None, Some(10)] {
        let options = VerifyOptions { distances: false, sample };
        assert_eq!(verify(variant, folder.path(), options, &()).problems.len(), 1);
    }
}

/// Returns a table with one byte of its header changed and a correct checksum.
fn crafted(bytes: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let end = 14 + u32::from_le_bytes(bytes[10..14].try_into().expect("four bytes")) as usize;
    bytes[at] = value;
    let sum =
        bytes[..end].iter().fold(0x811C_9DC5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn crafted_headers_are_refused() {
    let variant = Variant::ENGLISH;
    let folder = built(variant, values(2));
    let king = Force { men: 0, kings: 1 };
    let path = table_path(folder.path(), variant, Material { own: king, their: king }, false);
    let bytes = fs::read(&path).expect("a file");
    let numbers = 14 + 8 + 1 + variant.name().len();
    assert!(all_can_be_read(&path, variant));
    // Numbers of men and kings, and the bytes of the numbers of wins, draws and losses.
    for at in (numbers..numbers + 4).chain(numbers + 5..numbers + 5 + 24) {
        for value in [1, 5, 0x7F, 0xC8, 0xFF] {
            if bytes[at] == value {
                continue;
            }
            fs::write(&path, crafted(&bytes, at, value)).expect("written");
            assert!(open_file(&path, variant).is_err(), "{at} {value}");
        }
    }
    // More men and kings than eight bits can count.
    let many = crafted(&crafted(&bytes, numbers, 200), numbers + 1, 100);
    fs::write(&path, many).expect("written");
    assert!(open_file(&path, variant).is_err());
}

#[test]
fn tables_of_other_rules_are_not_used() {
    let folder = built(Variant::ENGLISH, values(2));
    fs::rename(folder.path().join("english"), folder.path().join("italian")).expect("renamed");
    let tables = EndgameTables::open(Variant::ITALIAN, folder.path());
    assert_eq!(tables.problems().len(), 3);
    assert!(tables.problems()[0].to_string().ends_with("a table for different rules"));
}
