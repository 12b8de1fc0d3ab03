//! Translated idiom stays out of comments and documents.

use crate::support::sources::{Source, root, sources};

/// Words and phrases that a native writer would not use here.
const PHRASES: &[&str] = &[
    "tells",
    "told",
    "whoever",
    "nobody",
    "comes to grief",
    "of its own",
    "of their own",
    "one by one",
    "the other way round",
    "at sight",
    "beyond measure",
    "what it is worth",
];

/// Returns the comments of Rust code, or all lines of a document, with the numbers of their lines.
fn prose(source: &Source) -> Vec<(usize, String)> {
    let lines = source.text().lines().zip(1..).map(|(text, line)| (line, text.trim().to_lowercase()));
    lines.filter(|(_, text)| !source.is_rust() || text.starts_with("//")).collect()
}

/// Returns true if a text has a phrase between characters that are not letters.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_edge = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(start, _)| {
        is_edge(text[..start].chars().next_back()) && is_edge(text[start + phrase.len()..].chars().next())
    })
}

fn violations(source: &Source) -> Vec<String> {
    let prose = prose(source);
    let mut found = Vec::new();
    for phrase in PHRASES {
        let lines = prose.iter().filter(|(_, text)| has_phrase(text, phrase));
        found.extend(lines.map(|(line, text)| format!("{}:{line}: `{phrase}` in: {text}", source.path())));
    }
    found
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
    let found: Vec<_> = sources("src").iter().chain(&documents()).flat_map(violations).collect();
    assert!(found.is_empty(), "{} phrases to reword:\n{}", found.len(), found.join("\n"));
}

#[test]
fn prose_is_comments_and_documents() {
    let code = "let told = \"told\";\n/// Nobody is here.\n// One by one.\nlet retold = 1;";
    let found = violations(&Source::new("a.rs", code)).join("\n");
    for expected in ["2: `nobody`", "3: `one by one`"] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    assert_eq!(found.lines().count(), 2, "{found}");
    let document = violations(&Source::new("a.md", "A retold story\nof its own."));
    assert_eq!(document.len(), 1, "{document:?}");
}
