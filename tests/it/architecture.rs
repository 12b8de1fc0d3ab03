//! The house has floors: a room uses only rooms below it, and only those it may.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with its floor and the rooms it may use besides what those use. All rooms may use `error`.
const ROOMS: [(&str, u8, &[&str]); 20] = [
    ("error", 0, &[]),
    ("journal", 0, &[]),
    ("board", 0, &[]),
    ("text", 0, &[]),
    ("diag", 1, &["text"]),
    ("source", 2, &["diag"]),
    ("pdn", 2, &["diag"]),
    ("rules", 1, &["board"]),
    ("notation", 3, &["rules", "pdn"]),
    ("engine", 3, &["rules"]),
    ("replay", 4, &["notation"]),
    ("link", 4, &["notation", "engine"]),
    ("check", 5, &["replay"]),
    ("canon", 5, &["replay"]),
    ("records", 6, &["check"]),
    ("annotate", 7, &["records", "link", "journal"]),
    ("arena", 6, &["replay", "link", "journal"]),
    ("export", 8, &["records", "canon"]),
    ("report", 8, &["records"]),
    ("cli", 9, &["source", "annotate", "arena", "export", "report"]),
];

/// The rooms that may know nom.
const TEXT_ROOMS: [&str; 2] = ["pdn", "notation"];
/// Files that may print.
const PRINTERS: [&str; 2] = ["cli", "main"];
const MOST_LINES: usize = 700;

struct Source {
    path: PathBuf,
    room: String,
    text: String,
    /// The text without comments, strings and tests.
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut waiting, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                let code = without_tests(&without_comments_and_strings(&text));
                let path = path.strip_prefix(&root).expect("below src").to_owned();
                let first = path.iter().next().expect("a name").to_string_lossy();
                found.push(Source { room: first.trim_end_matches(".rs").to_owned(), path, text, code });
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// Blanks out comments, strings and characters, so that what is left is code.
fn without_comments_and_strings(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, keep) = token(rest, code.chars().next_back());
        code.push_str(if keep { &rest[..length] } else { " " });
        rest = &rest[length.max(first.len_utf8())..];
    }
    code
}

/// Returns the length of what the text begins with and whether it is code.
fn token(text: &str, before: Option<char>) -> (usize, bool) {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), false);
    }
    if text.starts_with("/*") {
        return (text.find("*/").map_or(text.len(), |end| end + 2), false);
    }
    if let Some(raw) = text.strip_prefix('r').filter(|raw| !in_word && raw.trim_start_matches('#').starts_with('"')) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let close = format!("\"{}", "#".repeat(hashes));
        let body = &raw[hashes + 1..];
        return (2 + hashes + body.find(&close).map_or(body.len(), |end| end + close.len()), false);
    }
    if text.starts_with('"') {
        return (quoted(text, '"'), false);
    }
    if text.starts_with('\'') && (text[1..].starts_with('\\') || text.chars().nth(2) == Some('\'')) {
        return (quoted(text, '\''), false);
    }
    (text.chars().next().map_or(0, char::len_utf8), true)
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Removes each item behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[item_length(rest)..];
    }
    kept + rest
}

fn item_length(item: &str) -> usize {
    let mut depth = 0;
    for (at, c) in item.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    item.len()
}

/// Names that stand behind `crate::` in code; of `crate::{a, b::c}` the first of each path.
fn crate_paths(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, head) in code.match_indices("crate::") {
        let path = code[at + head.len()..].trim_start();
        match path.strip_prefix('{') {
            Some(list) => names.extend(list_heads(list)),
            None => names.extend([first_word(path)]),
        }
    }
    names
}

fn list_heads(list: &str) -> Vec<String> {
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(first_word(&list[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(first_word(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

fn first_word(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// What each room may use, with all that follows from it.
fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut allowed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (room, _, uses) in ROOMS {
        let mut all = BTreeSet::from([room, "error"]);
        for used in uses {
            all.insert(used);
            all.extend(allowed[used].iter().copied());
        }
        allowed.insert(room, all);
    }
    allowed
}

#[test]
fn floors_only_use_floors_below() {
    let floor: BTreeMap<_, _> = ROOMS.iter().map(|(room, floor, _)| (*room, *floor)).collect();
    for (room, own, uses) in ROOMS {
        assert!(uses.iter().all(|used| floor[used] < own), "{room}");
    }
    assert!(allowed()["cli"].len() == ROOMS.len(), "cli may use all");
}

#[test]
fn rooms_use_only_what_they_may() {
    let allowed = allowed();
    for source in sources() {
        if ["lib", "main"].contains(&source.room.as_str()) {
            continue;
        }
        let may = allowed.get(source.room.as_str());
        let may = may.unwrap_or_else(|| panic!("{}: no such room in the table", source.path.display()));
        for name in crate_paths(&source.code) {
            // Names in capitals are the crate's error types, given out again at its root.
            let root_item = name.is_empty() || name.starts_with(char::is_uppercase);
            assert!(root_item || may.contains(name.as_str()), "{} uses {name}", source.path.display());
        }
    }
}

#[test]
fn only_text_rooms_know_nom() {
    for source in sources().iter().filter(|source| !TEXT_ROOMS.contains(&source.room.as_str())) {
        let known = source
            .code
            .match_indices("nom::")
            .any(|(at, _)| !source.code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        assert!(!known && !source.code.contains("use nom"), "{} uses nom", source.path.display());
    }
}

#[test]
fn only_the_command_line_prints() {
    for source in sources().iter().filter(|source| !PRINTERS.contains(&source.room.as_str())) {
        for print in ["print!", "println!", "eprint!", "eprintln!", "dbg!", "io::stdout", "io::stderr"] {
            assert!(!source.code.contains(print), "{} has {print}", source.path.display());
        }
    }
}

#[test]
fn files_are_small() {
    for source in sources() {
        let lines = source.text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", source.path.display());
    }
}

#[test]
fn the_reading_of_code_is_right() {
    let code =
        without_comments_and_strings("a /* crate::x */ 'b' \"crate::y\" // crate::z\nb'\"' r#\"q\"q\"# &'static c");
    assert!(!code.contains("crate") && code.contains("static c"), "{code}");
    assert_eq!(without_tests("a #[cfg(test)] mod t { {} } b #[cfg(test)] mod u; c"), "a  b  c");
    let names = crate_paths("use crate::{a::{b, c}, d}; crate::e::f(); $crate::G");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["G", "a", "d", "e"]);
}
