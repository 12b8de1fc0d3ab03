//! Reports: games on a board as HTML pages that need nothing else, neither other files nor a connection.
//!
//! A page knows no rules: it has the changes of each move, and shows them. All text of records is in data blocks
//! (`<script type="application/json">`), which browsers do not run; the content security policy of the page allows only its
//! own script and style, by their hashes.

mod board;
mod game;
mod language;
mod lines;

use std::borrow::Cow;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

pub use game::PageGame;
pub use language::Language;

use crate::rules::Variant;
use crate::text::printable_lines;
use board::PageBoard;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!("\n", include_str!("page.css"), include_str!("print.css"));
const SCRIPT: &str = concat!(
    "\n\"use strict\";\n(() => {\n",
    include_str!("dom.js"),
    include_str!("model.js"),
    include_str!("board.js"),
    include_str!("graph.js"),
    include_str!("moves.js"),
    include_str!("players.js"),
    include_str!("list.js"),
    include_str!("main.js"),
    "})();\n"
);

/// Where the template of the page has its data.
const DATA: &str = "{{data}}\n";

/// The folder of the pages of games in the folder of a report.
const GAMES: &str = "games/";

/// An HTML page with games: the text before its games, which follow as [data blocks](PageGame::block), and the text after
/// them.
///
/// # Examples
///
/// ```
/// use pdn::report::{Language, ReportPage};
///
/// let page = ReportPage::new(Language::English);
/// assert!(page.start().starts_with("<!doctype html>\n<html lang=\"en\">"));
/// assert!(page.end().ends_with("</html>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct ReportPage {
    language: Language,
    links: Links,
}

/// Where the games of a page are, and the pages beside it.
#[derive(Clone, Debug, Default, serde::Serialize)]
struct Links {
    /// The folder of the pages of the games, if the page is the index of a report in a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<&'static str>,
    /// The index, if the page has one game of such a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<&'static str>,
    /// The number of that game, and the pages of the games before and after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl ReportPage {
    /// Returns a page that has all games.
    pub fn new(language: Language) -> Self {
        Self { language, links: Links::default() }
    }

    /// Returns the index of a report in a folder, whose games are in files with the names of [`ReportPage::game_path`].
    pub fn index(language: Language) -> Self {
        Self { language, links: Links { games: Some(GAMES), ..Links::default() } }
    }

    /// Returns the page of one game of a report in a folder, with its number, from 1; `is_last` is true for the last game.
    pub fn of_game(language: Language, number: u64, is_last: bool) -> Self {
        let links = Links {
            index: Some("../index.html"),
            number: Some(number),
            previous: (number > 1).then(|| game_file(number - 1)),
            next: (!is_last).then(|| game_file(number + 1)),
            games: None,
        };
        Self { language, links }
    }

    /// Returns the path of the page of a game in the folder of a report.
    pub fn game_path(number: u64) -> String {
        format!("{GAMES}{}", game_file(number))
    }

    /// Returns the page up to its games.
    pub fn start(&self) -> String {
        let texts = self.language.texts();
        let text = |name: &str| texts[name].as_str().unwrap_or_default();
        let page = serde_json::json!({ "links": self.links, "texts": texts });
        let filled = [
            ("{{language}}", self.language.code()),
            ("{{policy}}", &policy()),
            ("{{version}}", env!("CARGO_PKG_VERSION")),
            ("{{title}}", text("title")),
            ("{{noscript}}", text("needsScript")),
            ("{{style}}", STYLE),
        ];
        let start = filled.iter().fold(halves().0.to_owned(), |html, (name, value)| html.replace(name, value));
        start + &data_block("page", &[&page.to_string()])
    }

    /// Returns the page after its games.
    pub fn end(&self) -> String {
        halves().1.replace("{{script}}", SCRIPT)
    }
}

fn game_file(number: u64) -> String {
    format!("{number}.html")
}

/// Returns the data block of the board of a variant, which a page needs once, before the first game of the variant.
pub fn board_block(variant: Variant) -> String {
    PageBoard::of(variant).block()
}

/// Returns the template before the data and after it.
fn halves() -> (&'static str, &'static str) {
    TEMPLATE.split_once(DATA).unwrap_or((TEMPLATE, ""))
}

/// Returns the content security policy: only the script and the style of the page, and no connection.
fn policy() -> String {
    let (script, style) = (hash(SCRIPT), hash(STYLE));
    format!(
        "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'"
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// Returns bytes in Base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let word = bytes.iter().chain(&[0; 2]).take(3).fold(0, |word, &byte| word << 8 | usize::from(byte));
        let digit = move |n: usize| if n > bytes.len() { '=' } else { DIGITS[word >> (18 - 6 * n) & 63].into() };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(group).collect()
}

/// Returns lines of JSON as an element of a page that is not run.
fn data_block(class: &str, lines: &[&str]) -> String {
    let mut block = format!("<script type=\"application/json\" class=\"{class}\">");
    for (n, line) in lines.iter().enumerate() {
        if n > 0 {
            block.push('\n');
        }
        push_escaped(&mut block, line);
    }
    block.push_str("</script>\n");
    block
}

/// Appends JSON without characters that could end the element or that are not allowed in scripts: in JSON, all of them are
/// in strings.
fn push_escaped(out: &mut String, json: &str) {
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// Returns a text of a record as it is shown: without control characters and marks that reorder it.
fn shown(text: &str) -> Cow<'_, str> {
    printable_lines(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_fills_the_last_group() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn the_policy_allows_the_script_and_the_style_of_the_page() {
        let page = ReportPage::new(Language::English);
        let html = page.start() + &page.end();
        let between = |start: &str, end: &str| {
            let (_, rest) = html.split_once(start).expect("a start");
            rest.split_once(end).expect("an end").0
        };
        for text in [between("<style>", "</style>"), between("<script>", "</script>")] {
            assert!(html.contains(&format!("-src '{}'", hash(text))), "{text}");
        }
        assert!(!html.contains("{{"), "every placeholder is filled");
    }

    #[test]
    fn a_page_loads_nothing() {
        for text in [TEMPLATE, STYLE, SCRIPT] {
            for word in
                ["http:", "https:", "//cdn", "url(h", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "eval("]
            {
                let others = text.replace("http://www.w3.org/2000/svg", "");
                assert!(!others.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn no_text_ends_a_block() {
        let json = serde_json::to_string("</script><!-- & \u{2028}\u{85} \"x\"").unwrap();
        let block = data_block("game", &[&json]);
        let (_, rest) = block.split_once('>').expect("a start tag");
        let inner = rest.strip_suffix("</script>\n").expect("an end tag");
        assert!(!inner.contains(['<', '>', '&', '\u{2028}', '\u{85}']), "{inner}");
        assert_eq!(serde_json::from_str::<String>(inner).unwrap(), "</script><!-- & \u{2028}\u{85} \"x\"");
    }
}
