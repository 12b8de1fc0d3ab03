//! Reports: games on a board as HTML pages that need neither other files nor an internet connection.
//!
//! A page knows no rules: it stores the changes of each move, and shows them. All text of records is in data blocks
//! (`<script type="application/json">`), which browsers do not run; the content security policy of the page allows only
//! its own script and style, by their hashes.

mod board;
#[cfg(feature = "query")]
mod event;
#[cfg(feature = "cli")]
mod lessons;
#[cfg(feature = "query")]
mod letters;
mod lines;
mod page_game;
mod policy;
#[cfg(feature = "query")]
mod prepare;
#[cfg(feature = "query")]
mod site;
#[cfg(feature = "cli")]
mod solve;
mod texts;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) use board::PageBoard;
#[cfg(feature = "query")]
pub use event::EventPage;
#[cfg(feature = "cli")]
pub(crate) use lessons::LessonSite;
#[cfg(feature = "query")]
pub(crate) use letters::letters;
pub(crate) use page_game::{PageBlock, PageBlocks, PageGame, PageWork};
use policy::policy;
#[cfg(feature = "query")]
pub use prepare::PreparationPage;
#[cfg(feature = "query")]
pub(crate) use site::{Addresses, SiteWork, site_address, sitemap};
#[cfg(feature = "query")]
pub use site::{Site, SiteFile, SiteGame};
#[cfg(feature = "cli")]
pub(crate) use solve::{ExerciseWork, LeftOut, SolvePage, ValuedLine};
#[cfg(feature = "query")]
pub(in crate::report) use texts::chart_texts;
#[cfg(all(feature = "pdf", feature = "query"))]
pub(in crate::report) use texts::event_texts;
#[cfg(feature = "query")]
pub(crate) use texts::prepare_texts;
#[cfg(feature = "cli")]
pub(crate) use texts::sheet_text;
pub(in crate::report) use texts::{Texts, sheet_texts};

use crate::options;
use crate::rules::Variant;
use crate::text::{Language, printable_lines};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = concat!(
    "\n",
    include_str!("../../../web/app/parts/parts.css"),
    include_str!("page.css"),
    include_str!("print.css"),
);

/// The modules of the script, each after those that it imports. Pages share the board, the moves and the graph with the
/// application in the browser.
const MODULES: [&str; 11] = [
    include_str!("../../../web/app/parts/dom.js"),
    include_str!("../../../web/app/parts/model.js"),
    include_str!("../../../web/app/parts/board.js"),
    include_str!("../../../web/app/parts/graph.js"),
    include_str!("../../../web/app/parts/moves.js"),
    include_str!("../../../web/app/parts/players.js"),
    include_str!("../../../web/app/parts/link.js"),
    include_str!("../../../web/app/parts/gameview.js"),
    include_str!("data.js"),
    include_str!("list.js"),
    include_str!("main.js"),
];

static SCRIPT: LazyLock<String> = LazyLock::new(|| joined(&MODULES));

/// Returns modules as one script, since a page in one file cannot import anything. Comments with types, a fifth of the modules, are
/// for people who read the sources.
fn joined(modules: &[&str]) -> String {
    let mut script = String::from("\n\"use strict\";\n(() => {\n");
    let mut is_comment = false;
    for line in modules.iter().flat_map(|module| module.lines()).filter(|line| !line.starts_with("import ")) {
        is_comment |= line.trim_start().starts_with("/**");
        let code = if is_comment { line.split_once("*/").map_or("", |(_, code)| code.trim_start()) } else { line };
        is_comment &= !line.contains("*/");
        if !code.is_empty() {
            script.push_str(code.strip_prefix("export ").unwrap_or(code));
            script.push('\n');
        }
    }
    script.push_str("})();\n");
    script
}

/// The place of the data in the template of the page.
const DATA: &str = "{{data}}\n";

/// The folder with the pages of games, inside the folder of a report.
const GAMES: &str = "games/";

/// What pages with games show.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportOptions {
    /// Language of the page
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t))]
    #[serde(deserialize_with = "options::parsed")]
    pub lang: Language,
    /// Show no sentences about shots that `pdn annotate --shots` found
    #[cfg_attr(feature = "cli", arg(long = "no-shots", action = clap::ArgAction::SetFalse))]
    pub shots: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { lang: Language::default(), shots: true }
    }
}

/// An HTML page with games: the text before its games, which follow as data blocks, and the text after
/// them.
///
/// # Examples
///
/// ```
/// use pdn::report::ReportPage;
/// use pdn::text::Language;
///
/// let page = ReportPage::new(Language::English);
/// assert!(page.start().starts_with("<!doctype html>\n<html lang=\"en\">"));
/// assert!(page.end().ends_with("</html>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct ReportPage {
    language: Language,
    title: Option<String>,
    /// The variants whose boards the page has.
    boards: HashSet<Variant>,
}

/// Where the games of a page are, and the pages next to it.
#[derive(Clone, Debug, Default, serde::Serialize)]
struct Links {
    /// The folder of the pages of the games, if the page is the index of a report in a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<&'static str>,
    /// The index, if the page has one game of such a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<&'static str>,
    /// The pages of the games before and after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// The application of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<&'static str>,
}

impl ReportPage {
    /// Returns a page that contains all games.
    pub fn new(language: Language) -> Self {
        Self { language, title: None, boards: HashSet::new() }
    }

    /// Gives the page a title.
    #[must_use]
    pub(crate) fn with_title(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Returns the page up to its games.
    pub fn start(&self) -> String {
        let texts = texts::texts(self.language);
        let page = serde_json::json!({ "links": Links::default(), "texts": texts });
        let filled = [
            ("{{language}}", self.language.code()),
            ("{{policy}}", &policy(Some(&SCRIPT), STYLE)),
            ("{{version}}", env!("CARGO_PKG_VERSION")),
            ("{{noscript}}", texts.of("needsScript")),
            ("{{style}}", STYLE),
            ("{{title}}", &self.title.as_deref().map_or_else(|| texts.of("title").to_owned(), escaped)),
        ];
        // Replaced in turn: no value has the placeholder of a later one.
        let start = filled.iter().fold(halves().0.to_owned(), |html, (name, value)| html.replace(name, value));
        start + &data_block("page", &[&page.to_string()])
    }

    /// Returns a game, after its board if that is the first one of the variant.
    pub(crate) fn add(&mut self, game: &PageBlock) -> String {
        let board = game.variant.filter(|&variant| self.boards.insert(variant)).map(board_block).unwrap_or_default();
        board + &game.block
    }

    /// Returns the page after its games.
    pub fn end(&self) -> String {
        halves().1.replace("{{script}}", &SCRIPT)
    }
}

/// Returns the data block of the board of a variant.
fn board_block(variant: Variant) -> String {
    data_block("board", &[&PageBoard::of(variant).json()])
}

/// Returns the template before the data and after it.
fn halves() -> (&'static str, &'static str) {
    TEMPLATE.split_once(DATA).unwrap_or((TEMPLATE, ""))
}

/// Returns lines of JSON as an element of a page that browsers do not run.
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

/// Returns the start of a page without a script, up to the beginning of its body; the title is HTML.
pub(in crate::report) fn static_start(language: Language, title: &str, style: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n",
        language.code(),
        policy(None, style)
    )
}

/// Returns a text as HTML, without control characters and direction marks.
pub(in crate::report) fn escaped(text: &str) -> String {
    let text = shown(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a date of a record as people write it in a language; one that is not `YYYY.MM.DD` or `YYYY-MM-DD`, perhaps with
/// question marks, stays as it is, and one without any letter or digit is empty.
pub(in crate::report) fn date_for(language: Language, date: &str) -> String {
    const MONTHS: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec"];
    if !date.contains(char::is_alphanumeric) {
        return String::new();
    }
    let parts: Vec<_> = date.split(['.', '-']).collect();
    let [year, month, day] = parts[..] else { return date.to_owned() };
    let number = |text: &str, most: usize| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && (1..=most).contains(number))
    };
    let (month, day) = match (number(month, 12), number(day, 31)) {
        (Some(found), number) if number.is_some() || day == "??" => (Some(found), number),
        (None, None) if month == "??" && day == "??" => (None, None),
        _ => return date.to_owned(),
    };
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return date.to_owned();
    }
    let (sign, two) = match language {
        Language::English => (" ", false),
        Language::Dutch => ("-", false),
        Language::Russian => (".", true),
        _ => ("/", true),
    };
    let padded = |number: usize| if two { format!("{number:02}") } else { number.to_string() };
    let name = |month: usize| if sign == " " { MONTHS[month - 1].to_owned() } else { padded(month) };
    let parts = [day.map(padded), month.map(name), Some(year.to_owned())];
    parts.into_iter().flatten().collect::<Vec<_>>().join(sign)
}

/// Returns a text of a record for display: without control characters and direction marks.
fn shown(text: &str) -> Cow<'_, str> {
    printable_lines(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_for_their_readers() {
        for (language, full, month) in [
            (Language::English, "1 Mar 2020", "Mar 2020"),
            (Language::Dutch, "1-3-2020", "3-2020"),
            (Language::French, "01/03/2020", "03/2020"),
            (Language::Russian, "01.03.2020", "03.2020"),
        ] {
            assert_eq!([date_for(language, "2020.03.01"), date_for(language, "2020.03.??")], [full, month]);
            assert_eq!([date_for(language, "2020-03-01"), date_for(language, "2020-03-??")], [full, month]);
            assert_eq!([date_for(language, "2020.??.??"), date_for(language, "2020-??-??")], ["2020", "2020"]);
            for other in ["2020", "", "spring 2020", "2020.13.01", "2020.3.1", "2020.??.01", "20.03.01"] {
                assert_eq!(date_for(language, other), other);
            }
            for unknown in ["????.??.??", "????-??-??", "?", "-", "..", "??"] {
                assert_eq!(date_for(language, unknown), "");
            }
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
        let allowed = policy(Some(between("<script>", "</script>")), between("<style>", "</style>"));
        assert!(html.contains(&format!("content=\"{allowed}\"")));
        assert!(!html.contains("{{"), "every placeholder is filled");
    }

    #[test]
    fn a_page_loads_nothing() {
        for text in [TEMPLATE, STYLE, &SCRIPT] {
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
