//! Tournaments as a page: tables in the style of the reports of games.

use std::fmt::Write as _;

use super::{escaped, static_start};
use crate::export::{Crossing, sheets};
use crate::records::{EventRow, PairingRow};
use crate::text::Language;

pub(super) const STYLE: &str =
    concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("event.css"));

/// SHA-256 of the style in Base64, which a test computes.
const STYLE_HASH: &str = "8QAIS2BVcfm8T8w8+mdZND4eeQieAfulBHnUfvjZGuk=";

/// Largest number of players of a cross table on a page.
const MAX_PLAYERS: usize = 60;

/// A page with the tables of tournaments. It has no script and loads nothing.
///
/// # Examples
///
/// ```
/// use pdn::query::{EventOptions, Tournament};
/// use pdn::report::{EventPage, Language};
///
/// let event = Tournament::new(Vec::new(), EventOptions::default()).row();
/// let page = EventPage::new(Language::Dutch).html(&[event]);
/// assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"nl\">"));
/// ```
#[derive(Clone, Debug)]
pub struct EventPage {
    language: Language,
    /// The addresses of the games, by their places among those of all inputs.
    games: Vec<String>,
}

impl EventPage {
    /// Returns a page in a language.
    pub const fn new(language: Language) -> Self {
        Self { language, games: Vec::new() }
    }

    /// Links the games to their pages, at these addresses in the order of the inputs.
    #[must_use]
    pub(crate) fn with_links(self, games: Vec<String>) -> Self {
        Self { games, ..self }
    }

    /// Returns the page.
    pub fn html(&self, events: &[EventRow]) -> String {
        let texts = super::texts::event_texts(self.language);
        let text = |name: &str| texts.get(name).and_then(|text| text.as_str()).unwrap_or(name).to_owned();
        let name = |event: &EventRow| escaped(event.event.as_deref().unwrap_or(&text("tournament")));
        let title = if let [event] = events { name(event) } else { escaped(&text("tournaments")) };
        let mut page = static_start(self.language, &title, (STYLE, STYLE_HASH));
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(page, "<h1>{title}</h1>");
        if events.len() > 1 {
            let links =
                (1..).zip(events).map(|(n, event)| format!("<li><a href=\"#event-{n}\">{}</a></li>\n", name(event)));
            let _ = write!(page, "<nav><ul>\n{}</ul></nav>\n", links.collect::<String>());
        }
        page.push_str(&self.sections(events));
        page.push_str("</body>\n</html>\n");
        page
    }

    /// Returns the tables of tournaments, as parts of a page.
    pub(super) fn sections(&self, events: &[EventRow]) -> String {
        let texts = super::texts::event_texts(self.language);
        let text = |name: &str| texts.get(name).and_then(|text| text.as_str()).unwrap_or(name).to_owned();
        let mut page = String::new();
        for (n, event) in (1..).zip(events) {
            let _ = writeln!(page, "<section id=\"event-{n}\">");
            if events.len() > 1 {
                let name = event.event.clone().unwrap_or_else(|| text("tournament"));
                let _ = writeln!(page, "<h1>{}</h1>", escaped(&name));
            }
            self.tables(&mut page, event, &text);
            page.push_str("</section>\n");
        }
        page
    }

    fn tables(&self, page: &mut String, event: &EventRow, text: &dyn Fn(&str) -> String) {
        if let (Crossing::Nothing(reason), true) = (Crossing::of(event, MAX_PLAYERS), event.players.len() > 1) {
            let _ = writeln!(page, "<p class=\"notice\">{}</p>", escaped(&reason));
        }
        for sheet in sheets(event) {
            let class = match sheet.title {
                "Diagnostics" => "text",
                "Cross table" => "cross",
                _ => "",
            };
            let header = sheet
                .header
                .iter()
                .fold(String::new(), |header, cell| header + "<th>" + &escaped(&text(cell)) + "</th>");
            let _ = write!(
                page,
                "<h2>{}</h2>\n<div class=\"scroll\"><table class=\"{class}\">\n<tr>{header}</tr>\n",
                escaped(&text(sheet.title))
            );
            let games = (sheet.title == "Games").then_some(&event.pairings);
            for (n, cells) in sheet.rows.iter().enumerate() {
                let link = games.and_then(|games| self.link(&games[n]));
                let cells = cells.iter().zip(0..).map(|(cell, column)| match &link {
                    Some(link) if column == 1 => {
                        format!("<td><a href=\"{}\">{}</a></td>", escaped(link), escaped(cell))
                    }
                    _ => format!("<td>{}</td>", escaped(cell)),
                });
                let _ = writeln!(page, "<tr>{}</tr>", cells.collect::<String>());
            }
            page.push_str("</table></div>\n");
        }
    }

    fn link(&self, game: &PairingRow) -> Option<&String> {
        self.games.get(usize::try_from(game.place).ok()?.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_style() {
        assert_eq!(super::super::tests::hash(STYLE), STYLE_HASH, "the constant of the style");
    }
}
