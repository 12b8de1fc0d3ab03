//! Translated idiom stays out of comments, messages, help, names and documents.

use crate::support::sources::{Source, root, sources};

/// Phrases that are not used in comments, strings and documents, as lower-case words.
const PHRASES: &[&str] = &[
    "tell",
    "tells",
    "telling",
    "told",
    "stands",
    "stand",
    "standing",
    "stood",
    "behind",
    "in front of",
    "comes to grief",
    "whoever",
    "nobody",
    "of its own",
    "of their own",
    "one by one",
    "the other way round",
    "at sight",
    "is no",
    "as there",
    "finding",
    "findings",
    "fault",
    "faults",
    "blank",
    "blanks",
    "remark",
    "remarks",
    "home when",
    "beyond measure",
    "hang nowhere",
    "what it is worth",
];

/// Identifiers that are not used in code.
const NAMES: &[&str] = &["told", "said", "MOST", "SENSIBLE", "DEEPEST_TOLD", "Ink", "Said", "Place"];

/// Legitimate uses: a part of the path, the phrase and a part of the line.
const ALLOWED: &[(&str, &str, &str)] = &[
    // "There is no legal move" is plain English.
    ("", "is no", "here is no "),
    ("", "is no", "is no longer"),
    ("", "blank", "blank line"),
    // A production of the grammars.
    ("text/whitespace.rs", "blank", "blank"),
    // Looking for something.
    ("", "finding", "inding the "),
    ("", "blank", "blank line"),
    // A production of the grammars.
    ("pdn/grammar", "blank", ""),
    ("text/whitespace.rs", "blank", "`blank`"),
    // Stable names of codes and fields.
    ("", "blank", "blank-in-result"),
    ("", "blank", "missing-blank"),
    ("", "blank", "strict-blank"),
    ("docs/rules.md", "standing", "`standing`"),
    ("notation/rules_file", "standing", "standing"),
    // The square behind a piece on the board.
    ("board/", "behind", ""),
    ("rules/", "behind", ""),
    ("notation/rules_file", "behind", ""),
    ("cli/variants.rs", "behind", "directly-behind"),
    ("docs/rules.md", "behind", ""),
    ("engine/evaluation.rs", "in front of", "the men"),
    // The Dutch word for standings.
    ("docs/glossary.md", "stand", "| stand |"),
    // A value behind a pointer.
    ("engine/generator.rs", "behind", "behind a pointer"),
];

/// A line of prose with its number, from 1.
struct Prose {
    line: usize,
    text: String,
}

/// Returns the comments and strings of Rust code, or all lines of a document.
fn prose(source: &Source) -> Vec<Prose> {
    if source.is_rust() {
        return without_code(source.text());
    }
    let lines = source.text().lines().zip(1..);
    lines.map(|(text, line)| Prose { line, text: text.to_owned() }).collect()
}

/// Returns code with its comments, strings and characters replaced by spaces, or the other way about.
fn split(text: &str, keep_code: bool) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (length, code) = token(rest, before);
        let piece = &rest[..length.max(first.len_utf8())];
        if code == keep_code {
            kept.push_str(piece);
        } else {
            kept.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        before = piece.chars().next_back().unwrap_or(' ');
        rest = &rest[piece.len()..];
    }
    kept
}

fn without_code(text: &str) -> Vec<Prose> {
    let prose = split(text, false);
    prose.lines().zip(1..).map(|(text, line)| Prose { line, text: text.to_owned() }).collect()
}

/// Returns the length of the first token and true if it is code.
fn token(text: &str, before: char) -> (usize, bool) {
    let in_word = before.is_alphanumeric() || before == '_';
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), false);
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

/// Returns the words of a text in lower case, with the index of the line of each.
fn words(prose: &[Prose]) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (index, line) in prose.iter().enumerate() {
        let found = line.text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        words.extend(found.map(|word| (index, word.to_lowercase())));
    }
    words
}

fn violations(source: &Source) -> Vec<String> {
    let prose = prose(source);
    let words = words(&prose);
    let mut found = Vec::new();
    for phrase in PHRASES {
        let parts: Vec<_> = phrase.split(' ').collect();
        for window in words.windows(parts.len()).filter(|window| window.iter().map(|(_, word)| word).eq(&parts)) {
            let line = &prose[window[0].0];
            if !is_allowed(source.path(), phrase, &line.text) {
                found.push(format!("{}:{}: `{phrase}` in: {}", source.path(), line.line, line.text.trim()));
            }
        }
    }
    if source.is_rust() {
        found.extend(banned_names(source));
    }
    found
}

fn is_allowed(path: &str, phrase: &str, line: &str) -> bool {
    ALLOWED.iter().any(|&(file, word, context)| path.contains(file) && word == phrase && line.contains(context))
}

fn banned_names(source: &Source) -> Vec<String> {
    let code = split(source.text(), true);
    let names = |line: &str| -> Vec<_> {
        let identifiers = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        identifiers.filter(|name| NAMES.contains(name)).map(str::to_owned).collect()
    };
    let lines = code.lines().zip(1..);
    lines
        .flat_map(|(line, number)| names(line).into_iter().map(move |name| (number, name)))
        .map(|(number, name)| format!("{}:{number}: the name `{name}`", source.path()))
        .collect()
}

fn documents() -> Vec<Source> {
    let mut names: Vec<_> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "grammar/README.md"].map(str::to_owned).into();
    let docs = std::fs::read_dir(root().join("docs")).expect("the folder docs");
    names.extend(docs.map(|entry| format!("docs/{}", entry.expect("an entry").file_name().to_string_lossy())));
    names.retain(|name| std::path::Path::new(name).extension().is_some_and(|extension| extension == "md"));
    let existing = names.into_iter().filter(|name| root().join(name).exists());
    existing.map(|name| Source::new(&name, &std::fs::read_to_string(root().join(&name)).expect("UTF-8"))).collect()
}

#[test]
fn the_text_is_plain_english() {
    let mut found = Vec::new();
    for source in sources("src").iter().chain(&documents()) {
        found.extend(violations(source));
    }
    assert!(found.is_empty(), "{} phrases to reword:\n{}", found.len(), found.join("\n"));
}

#[test]
fn prose_is_comments_strings_and_documents() {
    let code =
        "let told = \"a fault\"; // nobody\n/// One\n/// by one\nlet c = 'x'; let s: &'static str = r#\"told\"#;";
    let found = violations(&Source::new("a.rs", code)).join("\n");
    for expected in ["1: `fault`", "1: `nobody`", "2: `one by one`", "4: `told`", "1: the name `told`"] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    assert_eq!(found.lines().count(), 5, "{found}");
    let document = violations(&Source::new("a.md", "There is no move; a side that\nis no winner"));
    assert_eq!(document.len(), 1, "{document:?}");
}
