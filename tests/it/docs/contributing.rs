//! The checks of a change cover what the package has.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::sources::{root, sources};

const CHECKS: &str = include_str!("../../../.ci/run");
const CONTRIBUTING: &str = include_str!("../../../CONTRIBUTING.md");
const MANIFEST: &str = include_str!("../../../Cargo.toml");

/// Maximum number of crates that a library without features brings, itself included.
const MAX_CRATES: usize = 30;

/// Returns the names of the features, without `default`.
fn features() -> Vec<&'static str> {
    let lines = MANIFEST.lines().skip_while(|line| *line != "[features]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.trim());
    names.filter(|name| !name.starts_with('#') && *name != "default").collect()
}

#[test]
fn every_feature_is_checked_without_most_others() {
    let features = features();
    assert!(features.len() >= 4, "{features:?}");
    let line = CHECKS
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("for features in "))
        .expect("a loop over the features");
    let checked: BTreeSet<_> = line.trim_end_matches("; do").split([' ', ',']).collect();
    // `cli` is the default, and `full` is all of them: both are checked besides.
    assert_eq!(checked, features.into_iter().filter(|name| !["cli", "full"].contains(name)).collect());
    for checks in ["--no-default-features --lib", "--all-features", "fuzz/Cargo.toml", "cargo test --locked"] {
        assert!(CHECKS.contains(checks), "{checks}");
    }
}

#[test]
fn a_library_without_features_brings_few_crates() {
    let arguments = ["tree", "--locked", "--offline", "--edges", "normal", "--no-default-features", "--prefix", "none"];
    let mut command = Command::new(env!("CARGO"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // A crate that was listed before is marked by `(*)`.
    let crates: BTreeSet<_> =
        text.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.is_empty()).collect();
    assert!((5..=MAX_CRATES).contains(&crates.len()), "{} crates: {crates:#?}", crates.len());
}

/// Dependencies that records pass through may be compiled with options of their own; each costs build time.
#[test]
fn few_dependencies_have_a_profile_of_their_own() {
    const MAX_OVERRIDES: usize = 6;
    let manifest: toml::Table = toml::from_str(MANIFEST).expect("TOML");
    let profiles = manifest["profile"].as_table().expect("a table").values();
    let packages = profiles.filter_map(|profile| profile.get("package")?.as_table());
    let overrides: Vec<_> = packages.flat_map(toml::Table::keys).filter(|name| *name != "*").collect();
    assert!(overrides.len() <= MAX_OVERRIDES, "{} overrides: {overrides:?}", overrides.len());
}

#[test]
fn variables_of_the_tests_are_documented() {
    let table = CONTRIBUTING.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    let documented: BTreeSet<_> = table.flat_map(|(names, _)| names.split('`')).collect();
    let is_name = |word: &&str| {
        let starts = ["PDN_", "FUZZ_", "UPDATE_", "PROPTEST_"].iter().any(|start| word.starts_with(start));
        starts && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !word.ends_with('_')
    };
    let mut count = 0;
    for source in sources("tests/it") {
        for variable in source.text().split('"').filter(is_name) {
            assert!(documented.contains(variable), "CONTRIBUTING.md does not explain {variable} of {}", source.path());
            count += 1;
        }
    }
    assert!(count >= 10, "{count} variables");
}

/// Steps of the page, each with words of the file that it names.
const STEPS: [(&str, &[&str]); 15] = [
    ("src/rules/variants.rs", &["variants! {", ": RuleSpec<'static> = RuleSpec {"]),
    ("src/rules/draws.rs", &["INTERNATIONAL"]),
    ("src/replay/infer/words.rs", &["const BY_FREQUENCY", "fn named_by("]),
    ("src/notation/variants.rs", &["row(Variant::INTERNATIONAL, 20,"]),
    ("tests/data/rules/perft.json", &["\"international\""]),
    ("tests/it/naive.rs", &["\"international\""]),
    ("src/diag/codes.rs", &["\"tag/date\""]),
    ("src/diag/messages.rs", &[" TAG_DATE "]),
    ("src/text/format.rs", &["pub enum Format {"]),
    ("src/export/format.rs", &["pub const FORMATS: &[RecordFormat"]),
    ("tests/it/grammar/productions.rs", &["grammar/"]),
    ("src/check/tags.rs", &["fn check_value<"]),
    ("src/link/spec.rs", &["PROTOCOLS"]),
    ("tests/it/parsing/samples.rs", &["reject"]),
    ("tests/it/cli/frame.rs", &["const HELP"]),
];

#[test]
fn the_steps_of_the_page_lead_to_the_right_files() {
    let (_, steps) = CONTRIBUTING.split_once("## How to add").expect("the steps");
    let steps = steps.split("\n## ").next().unwrap_or(steps);
    for (path, words) in STEPS {
        assert!(steps.contains(&format!("`{path}`")), "no step names {path}");
        let text = std::fs::read_to_string(root().join(path)).expect(path);
        for word in words {
            assert!(text.contains(word), "{path} has no `{word}`");
        }
    }
    let is_file = |path: &&str| {
        Path::new(path).extension().is_some_and(|extension| extension == "rs") && !path.ends_with("mod.rs")
    };
    let named = named_paths(steps).filter(is_file);
    let known: BTreeSet<_> = STEPS.iter().map(|(path, _)| *path).collect();
    assert_eq!(named.filter(|path| !known.contains(path)).collect::<Vec<_>>(), [""; 0], "steps that are not checked");
}

/// Returns the files and folders of the repository that a page names between backticks.
fn named_paths(page: &str) -> impl Iterator<Item = &str> {
    let folders = ["src/", "tests/", "samples/", "docs/", "grammar/", "fuzz/", ".ci/"];
    page.split('`').skip(1).step_by(2).filter(move |code| {
        folders.iter().any(|folder| code.starts_with(folder))
            && !code.contains(['*', ' '])
            && *code == code.to_lowercase()
    })
}

#[test]
fn files_named_in_the_pages_exist() {
    let root = root();
    let pages = [
        "CONTRIBUTING.md",
        "README.md",
        "docs/annotations.md",
        "docs/check.md",
        "docs/codes.md",
        "docs/convert.md",
        "docs/data.md",
        "docs/engine.md",
        "docs/report.md",
        "docs/rules.md",
        "grammar/README.md",
        "samples/README.md",
    ];
    for page in pages {
        let text = std::fs::read_to_string(root.join(page)).expect("UTF-8");
        for path in named_paths(&text) {
            assert!(root.join(path).exists(), "{page} names {path}");
        }
    }
}
