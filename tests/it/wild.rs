//! Small inputs of what people write, each with the reason and what is right: `samples/wild/cases.jsonl`.
//!
//! A case: `id`, `why`, `run` (lists of arguments; each run is fed the output of the one before) and any of `text` (fed to the first
//! run), `status` (of the last run), `games` and `plies` (of the summary of `check --format json`), `with` and `without` (codes), `has` and `hasnt`
//! (regular expressions on standard output), `err` (on standard error). The files are in `samples/wild/files`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex::RegexBuilder;
use serde_json::Value;

use crate::support::binary::fed;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/wild")
}

/// The output of the runs of a case.
struct Outcome {
    status: Option<i32>,
    text: String,
    errors: String,
}

fn outcome(case: &Value) -> Outcome {
    let (mut errors, mut status) = (String::new(), None);
    let mut data = case["text"].as_str().unwrap_or_default().as_bytes().to_vec();
    for run in case["run"].as_array().expect("runs") {
        let arguments: Vec<&str> = run.as_array().expect("arguments").iter().filter_map(Value::as_str).collect();
        let output = fed(&folder().join("files"), &data, &arguments);
        errors.push_str(&String::from_utf8_lossy(&output.stderr));
        (data, status) = (output.stdout, output.status.code());
    }
    Outcome { status, text: String::from_utf8_lossy(&data).into_owned(), errors }
}

fn words<'a>(case: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    case[key].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn is_found(pattern: &str, text: &str) -> bool {
    let built = RegexBuilder::new(pattern).multi_line(true).case_insensitive(false).build();
    built.expect(pattern).is_match(text)
}

/// Returns what is wrong in the outcome of a case.
fn faults(case: &Value) -> String {
    let Outcome { status, text, errors } = outcome(case);
    let mut faults = String::new();
    let mut fault = |text: String| {
        let _ = write!(faults, "; {text}");
    };
    if let Some(expected) = case["status"].as_i64()
        && status.map(i64::from) != Some(expected)
    {
        fault(format!("status {status:?}, not {expected}"));
    }
    let rows: Vec<Value> =
        text.lines().filter(|line| line.starts_with('{')).filter_map(|line| serde_json::from_str(line).ok()).collect();
    let summary =
        rows.iter().rfind(|row| row.get("summary").is_some()).map_or(Value::Null, |row| row["summary"].clone());
    for key in ["games", "plies"] {
        if case.get(key).is_some() && case[key] != summary[key] {
            fault(format!("{key} {}, not {}", summary[key], case[key]));
        }
    }
    let has_code = |code: &str| rows.iter().any(|row| row["code"] == code);
    words(case, "with").filter(|code| !has_code(code)).for_each(|code| fault(format!("no {code}")));
    words(case, "without").filter(|code| has_code(code)).for_each(|code| fault(format!("{code} is false")));
    words(case, "has").filter(|part| !is_found(part, &text)).for_each(|part| fault(format!("lacks /{part}/")));
    words(case, "hasnt").filter(|part| is_found(part, &text)).for_each(|part| fault(format!("has /{part}/")));
    let says = |part: &str| is_found(&format!("(?i){part}"), &errors);
    words(case, "err").filter(|part| !says(part)).for_each(|part| fault(format!("says nothing of /{part}/")));
    faults
}

#[test]
fn what_people_write_is_read_as_they_mean_it() {
    let cases = fs::read_to_string(folder().join("cases.jsonl")).expect("the cases");
    let mut wrong = String::new();
    for case in cases.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(case).expect(case);
        let faults = faults(&case);
        if !faults.is_empty() {
            let _ = writeln!(wrong, "{}{faults}", case["id"]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
