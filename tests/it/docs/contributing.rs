//! The checks of a change cover what the package has.

use std::collections::BTreeSet;
use std::process::Command;

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
fn every_feature_is_checked_alone() {
    let features = features();
    assert!(features.len() >= 4, "{features:?}");
    let line = CHECKS.lines().find_map(|line| line.strip_prefix("for feature in ")).expect("a loop over the features");
    let checked: BTreeSet<_> = line.trim_end_matches("; do").split(' ').collect();
    // `cli` is the default, which is checked first.
    assert_eq!(checked, features.into_iter().filter(|name| *name != "cli").collect());
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
    let crates: BTreeSet<_> = text.lines().filter(|line| !line.is_empty()).collect();
    assert!((5..=MAX_CRATES).contains(&crates.len()), "{} crates: {crates:#?}", crates.len());
}

#[test]
fn variables_of_the_tests_are_documented() {
    for variable in
        ["PDN_CORPUS", "PDN_REQUIRE_CORPUS", "PDN_LONG_TESTS", "PDN_REQUIRE_BROWSER", "FUZZ_INPUTS", "PROPTEST_CASES"]
    {
        assert!(CONTRIBUTING.contains(variable), "CONTRIBUTING.md does not mention {variable}");
    }
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
    let root = crate::support::sources::root();
    let pages = [
        "CONTRIBUTING.md",
        "README.md",
        "docs/codes.md",
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
