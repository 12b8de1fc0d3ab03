//! Every code is documented and explained with an example that has such a diagnostic. The page `docs/codes.md` is generated
//! from the table of codes: run this test with `UPDATE_DOCS=1` to update it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pdn::diag::{Code, Group};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn pdn(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pdn")).current_dir(root()).args(arguments).output().expect("run")
}

/// The sample of a code: one named after its group and kind, or after its kind alone.
fn sample(code: Code) -> Option<String> {
    let names = [
        format!("samples/diagnostics/{}.pdn", code.name().replace('/', "-")),
        format!("samples/reject/{}.pdn", code.kind()),
    ];
    names.into_iter().find(|name| root().join(name).exists())
}

/// The options with which a sample has its diagnostic.
fn options(code: Code) -> &'static [&'static str] {
    match code.name() {
        "replay/too-large" => &["--max-game", "250"],
        "replay/variant-overridden" => &["--variant", "frisian"],
        "draw/repetition" | "draw/limit" => &["--rules", "samples/rules/short-draws.toml"],
        "tag/missing" => &["--require-tags", "Date,Round"],
        "replay/duplicate" | "replay/continuation" => &["--duplicates"],
        _ if code.is_writing_rule() => &["--strict"],
        _ => &[],
    }
}

#[test]
fn every_code_has_a_sample_with_such_a_diagnostic() {
    let mut wrong = String::new();
    for code in Code::all() {
        let Some(sample) = sample(code) else {
            let _ = writeln!(wrong, "{code} has no sample");
            continue;
        };
        let command = if code.group() == Group::Event { "event" } else { "check" };
        let output = pdn(&[&[command, "--format", "json", &sample], options(code)].concat());
        let found = String::from_utf8(output.stdout).expect("UTF-8");
        if !found.contains(&format!("\"code\":\"{code}\"")) {
            let _ = writeln!(wrong, "{sample} does not have {code}:\n{found}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_sample_is_named_after_a_code() {
    let names: BTreeSet<_> = Code::all().filter_map(sample).collect();
    for entry in fs::read_dir(root().join("samples/diagnostics")).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&format!("samples/diagnostics/{name}")), "{name}");
    }
}

#[test]
fn every_code_is_explained_with_its_example() {
    for code in Code::all() {
        let output = pdn(&["check", "--explain", code.name()]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && text.starts_with(&format!("{code} ({})\n", code.severity())), "{text}");
        assert!(text.contains("\nExample:\n\n    "), "{text}");
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Diagnostic codes\n\nGenerated from the table in `src/diag/codes.rs` by `tests/it/docs/codes.rs`.\n\n\
         A code is stable: its name never changes its meaning. `pdn check --explain CODE` shows the same text and the sample.\n\
         *error*: something was kept unread or unplayed. *warning*: wrong, but readable. *note*: deduced or observed.\n\n\
         Codes with `strict-` in their names are the writing rules of PDN 3.0, `grammar/writing.ebnf`: checked with `--strict` only,\n\
         which raises all warnings to errors.\n",
    );
    for group in Group::ALL {
        let meaning = group.meaning();
        let _ =
            write!(page, "\n## {group}/\n\n{meaning}\n\n| code | severity | meaning | sample |\n|---|---|---|---|\n");
        for code in Code::all().filter(|code| code.group() == group) {
            let sample = sample(code).map_or_else(
                || "–".to_owned(),
                |path| format!("[{}](../{path})", path.rsplit('/').next().unwrap_or_default()),
            );
            let meaning = code.meaning().replace('|', "\\|");
            let _ = writeln!(page, "| `{code}` | {} | {meaning} | {sample} |", code.severity());
        }
    }
    page
}

#[test]
fn the_page_of_codes_is_current() {
    let path = root().join("docs/codes.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page(), "run with UPDATE_DOCS=1");
}
