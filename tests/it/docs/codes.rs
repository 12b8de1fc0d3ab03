//! Every code is documented and explained with an example that has such a diagnostic. The page `docs/codes.md` is generated
//! from the table of codes, and the list of samples in the program from `samples`: run these tests with `UPDATE_DOCS=1` to
//! update them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use pdn::diag::{Code, Group};

use crate::support::binary::{Run, pdn};
use crate::support::sources::root;

/// The sample of a code: one named after its group and kind, or after its kind alone.
fn sample(code: Code) -> Option<String> {
    let stems =
        [format!("samples/diagnostics/{}", code.name().replace('/', "-")), format!("samples/reject/{}", code.kind())];
    let names =
        stems.iter().flat_map(|stem| ["pdn", "ldf", "txt", "ndjson", "json"].map(|end| format!("{stem}.{end}")));
    names.into_iter().find(|name| root().join(name).exists())
}

/// The options with which a sample has its diagnostic.
fn options(code: Code) -> &'static [&'static str] {
    if let Some(kind) = code.name().strip_prefix("event/trf-") {
        return Vec::leak(vec!["--trf", String::leak(format!("samples/trf/trf-{kind}.trf"))]);
    }
    match code.name() {
        "replay/too-large" => &["--max-game", "250"],
        "replay/variant-overridden" => &["--variant", "frisian"],
        "draw/repetition" | "draw/limit" => &["--rules", "samples/rules/short-draws.toml"],
        "tag/missing" => &["--require-tags", "Date,Round"],
        "replay/duplicate" | "replay/same-moves" | "replay/continuation" => &["--duplicates"],
        "draw/early" => &["--strict"],
        _ if code.is_writing_rule() => &["--strict"],
        _ => &[],
    }
}

/// Returns true if a diagnostic of an output has this code.
fn has(run: &Run, code: Code) -> bool {
    let values = run.values();
    let of_events = values.iter().filter_map(|value| value["diagnostics"].as_array()).flatten();
    values.iter().chain(of_events).any(|found| found["code"] == code.name())
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
        let run = pdn(&[&[command, "--format", "json", &sample], options(code)].concat());
        if !has(&run, code) {
            let _ = writeln!(wrong, "{sample} does not have {code}:\n{}", run.text());
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
        let run = pdn(&["check", "--explain", code.name()]).is(0);
        let text = run.text();
        assert!(text.starts_with(&format!("{code} ({})\n", code.severity())), "{text}");
        assert!(text.contains("\nExample:\n\n    "), "{text}");
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Diagnostic codes\n\nGenerated from the table in `src/diag/codes.rs` by `tests/it/docs/codes.rs`.\n\n\
         A code is stable: its name never changes its meaning. `pdn check --explain CODE` shows the same text and the sample.\n\
         *error*: something could not be read or played; it is kept unchanged. *warning*: wrong, but readable. *note*: deduced or observed.\n\n\
         Codes with `strict-` in their names belong to the writing rules of PDN 3.0, `grammar/writing.ebnf`. They are checked only with\n\
         `--strict`, which also raises all warnings to errors.\n",
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

/// Returns the source of the explanations with one sample for each code in its list.
fn source_with_samples(source: &str) -> String {
    let (start, rest) = source.split_once("= samples! {\n").expect("a list");
    let (_, end) = rest.split_once("};\n").expect("its end");
    let paths: BTreeSet<_> = Code::all().filter_map(sample).collect();
    let names = paths.iter().filter_map(|path| path.strip_prefix("samples/"));
    let mut lines = vec!["   ".to_owned()];
    for name in names.map(|name| format!(" \"{name}\"")) {
        if lines[lines.len() - 1].len() + name.len() > 120 {
            lines.push("   ".to_owned());
        }
        lines.last_mut().expect("a line").push_str(&name);
    }
    format!("{start}= samples! {{\n{}\n}};\n{end}", lines.join("\n"))
}

#[test]
fn every_sample_is_in_the_program() {
    let path = root().join("src/diag/examples.rs");
    let source = fs::read_to_string(&path).expect("UTF-8");
    let current = source_with_samples(&source);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &current).expect("written");
    }
    assert!(source == current, "run with UPDATE_DOCS=1");
}

#[test]
fn the_page_of_codes_is_current() {
    let path = root().join("docs/codes.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page(), "run with UPDATE_DOCS=1");
}
