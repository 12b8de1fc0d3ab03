//! A collection as a site: a page for each game at an address that stays, tables of players and events, and shared assets.
//!
//! A site is files, which its caller writes: an unchanged collection gives the same bytes. A page of a game has its data alone;
//! the script, its texts, signs and boards are in `assets/`. Whatever a page shows of a game is also there without scripts.

mod feed;
mod game;
mod tables;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

pub(crate) use self::feed::sitemap;
use self::game::Facts;
pub use self::game::SiteGame;
pub(super) use self::game::slug;
pub(crate) use self::game::{Addresses, SiteWork, site_address};
use self::tables::{EVENTS, PLAYERS, link, page_of, push_cell};
use super::event::{EventPage, STYLE as EVENT_STYLE};
use super::texts::{Texts, site_texts, texts};
use super::{DATA, GAMES, Links, PageBoard, SCRIPT, STYLE, TEMPLATE, data_block, date_for, escaped, shown};
use crate::query::{EventGame, EventOptions, Tournament};
use crate::text::Language;

const SITE_STYLE: &str = include_str!("../site.css");
const SITE_SCRIPT: &str = include_str!("../site.js");

/// Games that the start page names for people without scripts; the tables of players and events have all.
const MAX_NAMED: usize = 200;

/// The path of a file in the folder of a site, and its content.
pub type SiteFile = (String, String);

/// A game that was added.
struct Entry {
    /// The path of its page.
    path: String,
    facts: Facts,
}

impl Entry {
    /// Returns the name of its page, without the folder.
    fn file(&self) -> &str {
        self.path.trim_start_matches(GAMES)
    }

    fn picture(&self) -> String {
        format!("{}.png", self.path.trim_end_matches(".html"))
    }
}

/// A site of games, which are added one after the other.
///
/// # Examples
///
/// ```
/// use pdn::report::Site;
/// use pdn::text::Language;
///
/// let site = Site::new(Language::English, Some("Club <games>".to_owned()));
/// site.finish(|(path, page)| {
///     assert!(path != "index.html" || page.contains("<title>Club &lt;games&gt;</title>"));
///     Ok::<_, ()>(())
/// }).unwrap();
/// ```
pub struct Site {
    language: Language,
    title: String,
    /// Styles after those of the site, and HTML at the end of its pages.
    style: String,
    footer: String,
    /// The path of the application from the pages of games, if the site has it.
    app: Option<&'static str>,
    /// The address of the site, if its games have pictures.
    pictures: Option<String>,
    texts: Texts,
    labels: Texts,
    entries: Vec<Entry>,
    given: Addresses,
    /// The names in tables, each once.
    names: HashSet<Arc<str>>,
    /// The boards of the variants of the games, as JSON.
    boards: BTreeMap<&'static str, String>,
    events: Vec<EventGame>,
    /// What the list of games has of each.
    heads: Vec<String>,
    /// The last game, whose page links to the next one.
    last: Option<SiteGame>,
}

impl Site {
    /// The path of the application.
    pub(crate) const APP: &'static str = "app.html";

    /// Returns a site without games, with a title.
    pub fn new(language: Language, title: Option<String>) -> Self {
        let texts = texts(language);
        let usual = || texts.of("title").to_owned();
        Self {
            language,
            title: title.unwrap_or_else(usual),
            style: String::new(),
            footer: String::new(),
            app: None,
            pictures: None,
            labels: site_texts(language),
            texts,
            entries: Vec::new(),
            given: Addresses::default(),
            names: HashSet::new(),
            boards: BTreeMap::new(),
            events: Vec::new(),
            heads: Vec::new(),
            last: None,
        }
    }

    /// Adds styles after those of the site.
    #[must_use]
    pub(crate) fn with_style(self, style: String) -> Self {
        Self { style, ..self }
    }

    /// Puts HTML at the end of all pages.
    #[must_use]
    pub(crate) fn with_footer(self, html: &str) -> Self {
        let footer = if html.is_empty() { String::new() } else { format!("<div id=\"site-footer\">{html}</div>\n") };
        Self { footer, ..self }
    }

    /// Lets each game be opened in the application, which is at [`APP`](Self::APP) in the folder of the site.
    #[must_use]
    pub(crate) fn with_app(self) -> Self {
        Self { app: Some("../app.html"), ..self }
    }

    /// Names the pictures of games for pages elsewhere that link to them, which need the address of the site.
    #[cfg(feature = "png")]
    #[must_use]
    pub(crate) fn with_pictures(self, address: &str) -> Self {
        Self { pictures: Some(address.trim_end_matches('/').to_owned()), ..self }
    }

    /// Returns the path of the picture of the last game added.
    pub(crate) fn picture_path(&self) -> Option<String> {
        self.entries.last().map(Entry::picture)
    }

    /// Returns the number of games.
    pub(crate) fn games(&self) -> usize {
        self.entries.len()
    }

    /// Returns the paths of the pages of the games, in their order.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.path.clone()).collect()
    }

    /// Adds a game, and returns the page of the game before it.
    pub fn add(&mut self, game: SiteGame) -> Option<SiteFile> {
        let mut entry = Entry { path: self.given.path(&game.address), facts: game.facts.clone() };
        let page = self.last_page(Some(entry.file()));
        if let Some(variant) = game.variant {
            self.boards.entry(variant.name()).or_insert_with(|| PageBoard::of(variant).json());
        }
        let head = game.page.lines()[0];
        let head = format!("{{\"page\":{},{}", json!(entry.file()), &head[1..]);
        self.heads.push(data_block("game", &[&head]));
        entry.facts.names().for_each(|name| self.share(name));
        self.entries.push(entry);
        // A game without an event belongs to no tournament, even if there is only one.
        if game.facts.event.is_some() {
            self.events.push(game.event.clone().for_tables());
        }
        self.last = Some(game);
        page
    }

    /// Passes on the page of the last game, and all pages that belong to no game alone, one after the other.
    ///
    /// # Errors
    ///
    /// The first error of `write`.
    pub fn finish<E>(mut self, mut write: impl FnMut(SiteFile) -> Result<(), E>) -> Result<(), E> {
        self.last_page(None).map_or(Ok(()), &mut write)?;
        self.player_pages(&mut write)?;
        self.event_pages(&mut write)?;
        write(("index.html".to_owned(), self.start_page()))?;
        write(("assets/report.js".to_owned(), self.script()))?;
        write(("assets/report.css".to_owned(), format!("{STYLE}{SITE_STYLE}{}", self.style)))?;
        write(("assets/tables.css".to_owned(), format!("{EVENT_STYLE}{}", self.style)))
    }

    /// Replaces a name by the one that equal names share.
    fn share(&mut self, name: &mut Arc<str>) {
        match self.names.get(name) {
            Some(known) => *name = Arc::clone(known),
            None => drop(self.names.insert(Arc::clone(name))),
        }
    }

    fn event_text(&self, name: &str) -> String {
        self.labels.of(name).to_owned()
    }

    /// Returns the page of the last game, before the page with this name.
    fn last_page(&mut self, next: Option<&str>) -> Option<SiteFile> {
        let game = self.last.take()?;
        let [.., entry] = &self.entries[..] else { return None };
        let before = self.entries.len().checked_sub(2).map(|place| self.entries[place].file().to_owned());
        let links = Links {
            index: Some("../index.html"),
            previous: before,
            next: next.map(str::to_owned),
            app: self.app,
            ..Links::default()
        };
        let facts = &entry.facts;
        let mut plain = String::from("<nav id=\"related\">");
        let people =
            facts.people().into_iter().flatten().map(|name| link(&format!("../{PLAYERS}{}", page_of(name)), name));
        let event = facts.event.iter().map(|event| link(&format!("../{EVENTS}{}", page_of(event)), event));
        plain.push_str(&people.chain(event).collect::<Vec<_>>().join(" · "));
        // Writing to a string cannot fail.
        let _ = writeln!(
            plain,
            "</nav>\n<article id=\"plain\">\n<h1>{}</h1>\n<p>{}</p>\n<p>{} {}</p>\n</article>",
            escaped(&facts.title()),
            escaped(&facts.description(self.language)),
            game.moves,
            escaped(&facts.result)
        );
        let picture = self.pictures.as_ref().map(|address| format!("{address}/{}", entry.picture()));
        let about = [&*facts.title(), &facts.description(self.language), picture.as_deref().unwrap_or_default()];
        let page = self.page("../", about, &plain, &links, &game.page.block());
        Some((entry.path.clone(), page))
    }

    /// Returns the start page: the list of games with its search, and links for people without scripts.
    fn start_page(&self) -> String {
        let mut plain = format!(
            "<nav id=\"related\">{} · {}</nav>\n<article id=\"plain\">\n<h1>{}</h1>\n<ul>\n",
            link("players.html", &self.event_text("players")),
            link("events.html", &self.event_text("tournaments")),
            escaped(&self.title)
        );
        let order = newest_first(&self.entries, |entry| &entry.facts);
        for entry in order.iter().take(MAX_NAMED).map(|&place| &self.entries[place]) {
            let _ = writeln!(
                plain,
                "<li>{} {}</li>",
                link(&entry.path, &entry.facts.title()),
                escaped(&entry.facts.description(self.language))
            );
        }
        plain.push_str("</ul>\n</article>\n");
        let links = Links { games: Some(GAMES), ..Links::default() };
        let description = self.language.labelled(&self.event_text("games"), self.entries.len());
        let heads: Vec<_> = order.iter().map(|&place| self.heads[place].as_str()).collect();
        self.page("", [&self.title, &description, ""], &plain, &links, &heads.concat())
    }

    /// Returns a page with a board or a list of games, with a title, a description, and the address of its picture if it has one.
    fn page(&self, up: &str, about: [&str; 3], plain: &str, links: &Links, data: &str) -> String {
        let [title, description, picture] = about;
        let (start, _, end) = &*PARTS;
        let picture = match picture {
            "" => String::new(),
            picture => format!("<meta property=\"og:image\" content=\"{}\">\n", escaped(picture)),
        };
        let head = format!(
            "<meta name=\"description\" content=\"{0}\">\n<meta property=\"og:title\" content=\"{1}\">\n\
             <meta property=\"og:description\" content=\"{0}\">\n{picture}<link rel=\"stylesheet\" href=\"{up}assets/report.css\">",
            escaped(description),
            escaped(title)
        );
        let filled = [
            ("{{language}}", self.language.code()),
            (
                "{{policy}}",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; \
              form-action 'none'; require-trusted-types-for 'script'",
            ),
            ("{{version}}", env!("CARGO_PKG_VERSION")),
            ("<style>{{style}}</style>", &head),
            ("<script>{{script}}</script>", &format!("<script src=\"{up}assets/report.js\"></script>")),
        ];
        let [start, end] =
            [start, end].map(|part| filled.iter().fold(part.clone(), |html, (name, value)| html.replace(name, value)));
        let data = data_block("page", &[&json!({ "links": links, "title": self.title }).to_string()]) + data;
        // Text of records comes last, and nothing in it is looked for.
        let (before, after) = start.split_once("{{title}}").unwrap_or((&start, ""));
        [before, &escaped(title), after, plain, &self.footer, &data, &end].concat()
    }

    /// Returns the script, after what all pages share.
    fn script(&self) -> String {
        let boards: Vec<Value> = self.boards.values().filter_map(|board| serde_json::from_str(board).ok()).collect();
        let shared = json!({ "texts": self.texts, "boards": boards, "icons": frame().1, "frame": PARTS.1 });
        format!("globalThis.pdnSite = {shared};\n{SITE_SCRIPT}{}", &*SCRIPT)
    }

    /// Passes on the pages of tournaments, and the table of them.
    fn event_pages<E>(&mut self, write: &mut impl FnMut(SiteFile) -> Result<(), E>) -> Result<(), E> {
        let events = Tournament::by_event(std::mem::take(&mut self.events), &EventOptions::default());
        let played: Vec<_> = self.entries.iter().filter(|entry| entry.facts.event.is_some()).collect();
        let links = played.iter().map(|entry| format!("../{}", entry.path)).collect();
        let results = played.iter().map(|entry| (entry.facts.is_black_left, entry.facts.result.to_string())).collect();
        let tables = EventPage::new(self.language).with_links(links).with_results(results);
        let mut dated = Vec::new();
        // Only one tournament at a time has its rows.
        let rows = events.into_iter().map(|event| event.row()).filter(|row| row.event.is_some());
        for mut row in rows {
            // What is wrong with records is for their keeper.
            row.diagnostics.clear();
            let name = shown(row.event.as_deref().unwrap_or_default()).into_owned();
            let file = format!("{EVENTS}{}", page_of(&name));
            let last =
                row.pairings.iter().filter_map(|game| played.get(usize::try_from(game.place).ok()?.checked_sub(1)?));
            let last = last.max_by_key(|entry| entry.facts.day());
            let mut line = format!("<tr><td>{}</td>", link(&file, &name));
            push_cell(&mut line, &last.map(|entry| date_for(self.language, &entry.facts.date)).unwrap_or_default());
            for count in [row.players.len(), row.pairings.len()] {
                push_cell(&mut line, &count.to_string());
            }
            dated.push((Reverse(last.map(|entry| entry.facts.day())), line + "</tr>\n"));
            let standings: Vec<_> = row.players.iter().take(3).map(|player| player.name.as_str()).collect();
            let standings = if standings.is_empty() { String::new() } else { format!(" · {}", standings.join(", ")) };
            let description = format!("{name}{standings}");
            let sections = tables.sections(std::slice::from_ref(&row));
            write((file, self.document("../", &name, &description, &sections)))?;
        }
        dated.sort_by_key(|(one, _)| *one);
        let title = self.event_text("tournaments");
        let description = self.language.labelled(&title, dated.len());
        let mut body = String::new();
        self.begin_table(&mut body, &["tournament", "date", "players", "games"]);
        body.extend(dated.into_iter().map(|(_, line)| line));
        body.push_str("</table></div>\n");
        write(("events.html".to_owned(), self.document("", &title, &description, &body)))
    }

    /// Returns a page of tables.
    fn document(&self, up: &str, title: &str, description: &str, body: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src data:\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"pdn {}\">\n\
             <title>{title}</title>\n<meta name=\"description\" content=\"{}\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <link rel=\"stylesheet\" href=\"{up}assets/tables.css\">\n</head>\n<body>\n<nav>{} · {} · {}</nav>\n\
             <h1>{title}</h1>\n{body}{}</body>\n</html>\n",
            self.language.code(),
            env!("CARGO_PKG_VERSION"),
            escaped(description),
            link(&format!("{up}index.html"), &self.title),
            link(&format!("{up}players.html"), &self.event_text("players")),
            link(&format!("{up}events.html"), &self.event_text("tournaments")),
            self.footer,
            title = escaped(title),
        )
    }
}

/// Returns the places of games, the newest first; games of a day stay in their order, and those without a date come last.
fn newest_first<T>(games: &[T], facts: impl Fn(&T) -> &Facts) -> Vec<usize> {
    let mut order: Vec<_> = (0..games.len()).collect();
    order.sort_by_cached_key(|&place| Reverse(facts(&games[place]).day()));
    order
}

/// The notice on a page on which scripts do not run.
const NO_SCRIPT: &str = "<noscript><p class=\"notice\">{{noscript}}</p></noscript>\n";

/// The template in parts: its start; what the script adds to pages, before and after the plain text; and its end.
static PARTS: LazyLock<(String, [String; 2], String)> = LazyLock::new(|| {
    const BODY: &str = "<body>\n";
    let (frame, _) = frame();
    let (start, rest) = frame.split_once(BODY).unwrap_or((&frame, ""));
    let (bar, rest) = rest.split_once(NO_SCRIPT).unwrap_or((rest, ""));
    let (page, end) = rest.split_once(DATA).unwrap_or((rest, ""));
    (format!("{start}{BODY}"), [bar, page].map(str::to_owned), end.to_owned())
});

/// Returns the template without its signs, and these by the buttons that they are on: a third of the template.
fn frame() -> (String, BTreeMap<&'static str, &'static str>) {
    const START: &str = "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"";
    const END: &str = "\"/></svg>";
    let mut parts = TEMPLATE.split(START);
    let mut before = parts.next().unwrap_or_default();
    let (mut frame, mut icons) = (before.to_owned(), BTreeMap::new());
    for part in parts {
        let (path, rest) = part.split_once(END).unwrap_or((part, ""));
        let (_, id) = before.rsplit_once(" id=\"").unwrap_or_default();
        icons.insert(id.split('"').next().unwrap_or_default(), path);
        frame.push_str(rest);
        before = rest;
    }
    (frame, icons)
}

#[cfg(test)]
mod tests;
