//! Tournaments as a page: tables in the style of the reports of games.

use std::fmt::Write as _;

use super::Language;
use crate::export::{Crossing, sheets};
use crate::records::{EventRow, PairingRow};

const STYLE: &str = concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("event.css"));

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
    /// The folder of a report that has the games.
    games: Option<String>,
}

impl EventPage {
    /// Returns a page in a language.
    pub const fn new(language: Language) -> Self {
        Self { language, games: None }
    }

    /// Links the games to their pages in the folder of a report of the same inputs, as the page names it.
    #[must_use]
    pub fn with_games(self, folder: Option<String>) -> Self {
        Self { games: folder, ..self }
    }

    /// Returns the page.
    pub fn html(&self, events: &[EventRow]) -> String {
        let texts = self.language.event_texts();
        let text = |name: &str| texts.get(name).and_then(|text| text.as_str()).unwrap_or(name).to_owned();
        let name = |event: &EventRow| escaped(event.event.as_deref().unwrap_or(&text("tournament")));
        let title = if let [event] = events { name(event) } else { escaped(&text("tournaments")) };
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
            self.language.code()
        );
        // Writing to a string cannot fail, here and below.
        if events.len() > 1 {
            let links =
                (1..).zip(events).map(|(n, event)| format!("<li><a href=\"#event-{n}\">{}</a></li>\n", name(event)));
            let _ = write!(page, "<nav><ul>\n{}</ul></nav>\n", links.collect::<String>());
        }
        for (n, event) in (1..).zip(events) {
            let _ = writeln!(page, "<section id=\"event-{n}\">");
            if events.len() > 1 {
                let _ = writeln!(page, "<h1>{}</h1>", name(event));
            }
            self.tables(&mut page, event, &text);
            page.push_str("</section>\n");
        }
        page.push_str("</body>\n</html>\n");
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

    fn link(&self, game: &PairingRow) -> Option<String> {
        let folder = self.games.as_deref().filter(|_| game.place > 0)?;
        Some(format!("{}/{}", folder.trim_end_matches('/'), super::ReportPage::game_path(game.place)))
    }
}

/// Returns a text as HTML, without control characters and marks that reorder it.
fn escaped(text: &str) -> String {
    let text = super::shown(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_style() {
        assert_eq!(super::super::tests::hash(STYLE), STYLE_HASH, "the constant of the style");
    }
}
