//! Tables in files: the same codes as in memory, and damage is noticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::solve_all;
use crate::egdb::embedded::embedded;
use crate::egdb::game::{Game, Lookup};
use crate::egdb::tables::{open_file, table_path};
use crate::egdb::{BuildObserver, BuildOptions, EndgameTables, Progress, VerifyOptions, build, verify};
use crate::error::{Error, Result};
use crate::rules::{Adapter, Rules, Task, Variant};

/// Writes files without care for interrupts.
struct Plain;

impl Progress for Plain {}

impl BuildObserver for Plain {
    fn save(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).map_err(|error| Error::write(path, error))
    }
}

fn built(variant: Variant, options: BuildOptions) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    build(variant, folder.path(), options, &Plain).expect("built");
    folder
}

/// Returns all files of a folder of a variant with their bytes.
fn contents(folder: &Path, variant: Variant) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder.join(variant.name())).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.file_name().expect("a name").into(), fs::read(path).expect("a file"))).collect()
}

/// Compares all codes of tables with those in memory.
struct Compare<'a>(&'a EndgameTables, u8);

impl Task for Compare<'_> {
    type Output = u64;

    fn run<R: Rules>(self, rules: R) -> u64 {
        let game = Arc::new(Game::<R::Board>::new(Box::new(Adapter(rules))));
        let (finished, classes) = solve_all(&game, self.1, true);
        let tables = self.0.typed::<R::Board>().expect("the board of the variant");
        let mut compared = 0;
        for (material, counts) in classes {
            compared += counts.all().total();
            game.index(material).each(0..counts.all().total(), |_, state| {
                let code = finished.look_up(state).expect("solved");
                let probe = tables.look_up(state).expect("stored");
                assert_eq!(probe.value(), code.value(), "{state:?}");
                if let Some(plies) = probe.plies() {
                    assert_eq!(Some(plies), code.distance().map(|plies| u32::from(game.plies(plies))), "{state:?}");
                }
            });
        }
        compared
    }
}

#[test]
fn tables_have_the_codes_in_memory() {
    for (variant, pieces) in [(Variant::ENGLISH, 3), (Variant::BREAKTHROUGH, 3), (Variant::ANTIDRAUGHTS, 2)] {
        for distances in [false, true] {
            let folder = built(variant, BuildOptions::new(pieces).with_distances(distances));
            let tables = EndgameTables::open(variant, folder.path());
            assert!(tables.problems().is_empty());
            assert!(variant.dispatch(Compare(&tables, pieces)) > 1000, "{variant}");
            let options = VerifyOptions::default().with_distances(distances);
            let verification = verify(variant, folder.path(), options, &());
            assert!(verification.problems().is_empty() && verification.positions() > 1000, "{variant}");
        }
    }
}

#[test]
fn tables_in_the_program_have_the_codes_in_memory() {
    let variant = Variant::BRAZILIAN;
    assert_eq!(variant.dispatch(Compare(&EndgameTables::embedded(variant), 3)), 3_488 + 196_032);
    assert_eq!(EndgameTables::embedded(variant).max_pieces(), 4);
    assert_eq!(EndgameTables::embedded(Variant::FRISIAN).max_pieces(), 0);
}

#[test]
fn tables_in_the_program_are_those_that_are_built() {
    for variant in [Variant::ITALIAN, Variant::BRAZILIAN, Variant::RUSSIAN, Variant::ENGLISH, Variant::INTERNATIONAL] {
        let folder = built(variant, BuildOptions::new(3));
        let (_, all) = embedded(variant).expect("tables");
        for (name, bytes) in contents(folder.path(), variant) {
            assert!(all.windows(bytes.len()).any(|part| part == bytes), "{variant} {}", name.display());
        }
    }
}

#[test]
fn a_build_continues_and_makes_the_same_files() {
    let variant = Variant::ITALIAN;
    let options = BuildOptions::new(3).with_distances(true);
    let folder = built(variant, options);
    let first = contents(folder.path(), variant);
    for (n, name) in first.keys().enumerate().filter(|(n, _)| n % 3 == 0) {
        let path = folder.path().join(variant.name()).join(name);
        if n % 2 == 0 { fs::remove_file(path).expect("removed") } else { fs::write(path, b"PDN-EGDB").expect("cut") }
    }
    let limited = options.with_memory(Some(400_000));
    let summary = build(variant, folder.path(), limited, &Plain).expect("built");
    assert!(summary.kept() > 0 && summary.solved() > 0, "{summary:?}");
    assert_eq!(contents(folder.path(), variant), first);
    assert_eq!(build(variant, folder.path(), options, &Plain).expect("kept").solved(), 0);
}

#[test]
fn a_memory_limit_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = BuildOptions::new(3).with_memory(Some(10_000));
    let error = build(Variant::ENGLISH, folder.path(), options, &Plain).expect_err("too little memory");
    assert!(error.to_string().contains("MB of memory"), "{error}");
}

#[test]
fn every_changed_byte_is_noticed() {
    let variant = Variant::ENGLISH;
    let folder = built(variant, BuildOptions::new(2));
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
    let folder = built(variant, BuildOptions::new(2));
    let material = "KvK".parse().expect("a class");
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
    assert!(problems.iter().any(|problem| problem.path() == path), "{problems:?}");
    for sample in [None, Some(10)] {
        let options = VerifyOptions::default().with_sample(sample);
        assert_eq!(verify(variant, folder.path(), options, &()).problems().len(), 1);
    }
}

#[test]
fn tables_of_other_rules_are_not_used() {
    let folder = built(Variant::ENGLISH, BuildOptions::new(2));
    fs::rename(folder.path().join("english"), folder.path().join("italian")).expect("renamed");
    let tables = EndgameTables::open(Variant::ITALIAN, folder.path());
    assert_eq!(tables.problems().len(), 3);
    assert!(tables.problems()[0].to_string().ends_with("a table for other rules"));
}
