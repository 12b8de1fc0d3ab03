//! Tournaments as a page: tables in the style of the reports of games.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{escaped, static_start, texts::event_texts};
use crate::diag::in_language;
use crate::export::{Crossing, NO_OPPONENT, sheets, with_play};
use crate::records::{EventRow, PairingRow};
use crate::text::Language;

pub(super) const STYLE: &str =
    concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("event.css"));

/// Largest number of players of a cross table on a page.
const MAX_PLAYERS: usize = 60;

/// A page with the tables of tournaments. It has no script and loads nothing.
///
/// # Examples
///
/// ```
/// use pdn::query::{EventOptions, Tournament};
/// use pdn::report::EventPage;
/// use pdn::text::Language;
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
    /// What the records of the games say of their results, and whether Black's number is on the left, by the same places.
    results: Vec<(bool, String)>,
    shows_diagnostics: bool,
}

/// Places on the page that others link to.
struct Anchors<'a> {
    event: usize,
    /// The places of players in the standings.
    players: HashMap<&'a str, usize>,
    rounds: HashMap<&'a str, String>,
    /// The word for the missing opponent of a bye.
    bye: String,
}

impl<'a> Anchors<'a> {
    fn of(event_number: usize, event: &'a EventRow, bye: String) -> Self {
        let players = event.players.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
        let mut rounds = HashMap::new();
        for round in event.pairings.iter().filter_map(|game| game.round.as_deref()) {
            let number = rounds.len() + 1;
            rounds.entry(round).or_insert_with(|| format!("event-{event_number}-round-{number}"));
        }
        Self { event: event_number, players, rounds, bye }
    }

    fn of_player(&self, place: usize) -> String {
        format!("event-{}-player-{}", self.event, place + 1)
    }

    /// Returns a name, with a link to the player's games.
    fn linked_player(&self, name: &str) -> String {
        match self.players.get(name) {
            Some(&place) => linked(&format!("#{}", self.of_player(place)), &escaped(name)),
            None => escaped(if name == NO_OPPONENT { &self.bye } else { name }),
        }
    }
}

/// Returns a link.
fn linked(address: &str, text: &str) -> String {
    format!("<a href=\"{}\">{text}</a>", escaped(address))
}

impl EventPage {
    /// Returns a page in a language.
    pub const fn new(language: Language) -> Self {
        Self { language, games: Vec::new(), results: Vec::new(), shows_diagnostics: false }
    }

    /// Links the games to their pages, at these addresses in the order of the inputs.
    #[must_use]
    pub(crate) fn with_links(self, games: Vec<String>) -> Self {
        Self { games, ..self }
    }

    /// Shows games with the results of their records, in whose order the players are named, where true stands for Black first.
    #[must_use]
    pub(super) fn with_results(self, results: Vec<(bool, String)>) -> Self {
        Self { results, ..self }
    }

    /// Shows the diagnostics too.
    #[must_use]
    pub(crate) fn with_diagnostics(self, shows_diagnostics: bool) -> Self {
        Self { shows_diagnostics, ..self }
    }

    /// Returns the page.
    pub fn html(&self, events: &[EventRow]) -> String {
        let texts = event_texts(self.language);
        let text = |name: &str| texts.of(name).to_owned();
        let name = |event: &EventRow| escaped(event.event.as_deref().unwrap_or(&text("tournament")));
        let title = if let [event] = events { name(event) } else { escaped(&text("tournaments")) };
        let mut page = static_start(self.language, &title, STYLE);
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
        let texts = event_texts(self.language);
        let text = |name: &str| texts.of(name).to_owned();
        let mut page = String::new();
        for (n, event) in (1..).zip(events) {
            let _ = writeln!(page, "<section id=\"event-{n}\">");
            if events.len() > 1 {
                let name = event.event.clone().unwrap_or_else(|| text("tournament"));
                let _ = writeln!(page, "<h1>{}</h1>", escaped(&name));
            }
            self.tables(&mut page, (n, event), &text);
            page.push_str("</section>\n");
        }
        page
    }

    fn tables(&self, page: &mut String, (n, event): (usize, &EventRow), text: &dyn Fn(&str) -> String) {
        let bye = text("bye");
        if let (Crossing::Nothing(reason), true) = (Crossing::of(event, MAX_PLAYERS, &bye), event.players.len() > 1) {
            let _ = writeln!(page, "<p class=\"notice\">{}</p>", escaped(&in_language(&reason, self.language)));
        }
        let anchors = Anchors::of(n, event, bye);
        for sheet in sheets(event, text) {
            // Readers of a page want the tables; the organiser asks for what is wrong.
            let class = match sheet.title {
                "Diagnostics" if !self.shows_diagnostics => continue,
                "Diagnostics" => "text",
                "Cross table" => "cross",
                _ => "",
            };
            let is_cross = sheet.title == "Cross table" && event.system == "swiss";
            let header = sheet.header.iter().fold(String::new(), |header, cell| {
                // Records have results, in place of which the tables have points.
                let is_result = sheet.title == "Games" && cell == "points" && !self.results.is_empty();
                let name = escaped(&text(if is_result { "result" } else { cell.as_str() }));
                let round = anchors.rounds.get(cell.as_str()).filter(|_| is_cross);
                header + "<th>" + &round.map_or_else(|| name.clone(), |id| linked(&format!("#{id}"), &name)) + "</th>"
            });
            let _ = write!(
                page,
                "<h2>{}</h2>\n<div class=\"scroll\"><table class=\"{class}\">\n<tr>{header}</tr>\n",
                escaped(&text(sheet.title))
            );
            let mut last_round = "";
            for (n, cells) in sheet.rows.iter().enumerate() {
                let (mut id, mut cells) = (String::new(), cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>());
                match sheet.title {
                    // The names of the first two tables are in the order of the players.
                    "Standings" | "Cross table" => {
                        cells[1] = linked(&format!("#{}", anchors.of_player(n)), &cells[1]);
                        if sheet.title == "Standings" {
                            let numbers =
                                cells.iter_mut().zip(&sheet.header).skip(2).filter(|(_, name)| *name != "team");
                            for (cell, _) in numbers {
                                *cell = self.language.number(cell);
                            }
                        }
                    }
                    "Games" => {
                        let game = &event.pairings[n];
                        let round = game.round.as_deref().unwrap_or_default();
                        if let Some(anchor) = anchors.rounds.get(round).filter(|_| round != last_round) {
                            id = format!(" id=\"{anchor}\"");
                        }
                        last_round = round;
                        let mut players = [&game.white, &game.black].map(|name| anchors.linked_player(name));
                        if let Some((is_black_left, result)) = place(game).and_then(|place| self.results.get(place)) {
                            players.rotate_left(usize::from(*is_black_left));
                            if !result.is_empty() {
                                cells[2] = escaped(&with_play(result.clone(), game, text));
                            }
                        }
                        cells[1] = players.join(" – ");
                        if let Some(link) = self.link(game) {
                            cells[2] = linked(link, &cells[2]);
                        }
                    }
                    "Diagnostics" => {
                        let row = &event.diagnostics[n].diagnostic;
                        cells[0] = escaped(&in_language(row.severity().name(), self.language));
                        cells[2] = escaped(&row.words(self.language).sentence);
                    }
                    _ => {}
                }
                let _ = writeln!(page, "<tr{id}><td>{}</td></tr>", cells.join("</td><td>"));
            }
            page.push_str("</table></div>\n");
        }
        self.players(page, event, &anchors, text);
    }

    /// Writes the games of each player.
    fn players(&self, page: &mut String, event: &EventRow, anchors: &Anchors<'_>, text: &dyn Fn(&str) -> String) {
        let mut games: Vec<Vec<(&PairingRow, usize)>> = vec![Vec::new(); event.players.len()];
        for game in &event.pairings {
            for (side, name) in [&game.white, &game.black].into_iter().enumerate() {
                if let Some(&place) = anchors.players.get(name.as_str()) {
                    games[place].push((game, side));
                }
            }
        }
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&text("players")));
        for (place, (player, games)) in event.players.iter().zip(games).enumerate() {
            let id = anchors.of_player(place);
            // The number of points does not change the word: "Points: 1".
            let points = self.language.labelled(&text("points"), player.points);
            let _ = write!(
                page,
                "<h3 id=\"{id}\">{}. {} · {}</h3>\n<ul class=\"games\">\n",
                player.rank,
                escaped(&player.name),
                escaped(&points)
            );
            for (game, side) in games {
                let opponent = anchors.linked_player(if side == 0 { &game.black } else { &game.white });
                let sign = if side == 0 { "○" } else { "●" };
                let score = game.points.map_or_else(|| "*".to_owned(), |points| points[side].to_string());
                let score = self.link(game).map_or_else(|| score.clone(), |link| linked(link, &score));
                let round = game.round.as_deref().map(escaped).unwrap_or_default();
                let play = if game.play == "forfeit" { " F" } else { "" };
                let _ =
                    writeln!(page, "<li>{round} <span>{sign}</span> {opponent} <strong>{score}{play}</strong></li>");
            }
            page.push_str("</ul>\n");
        }
    }

    fn link(&self, game: &PairingRow) -> Option<&String> {
        self.games.get(place(game)?)
    }
}

/// Returns the place of a game among those of all inputs, from 0.
fn place(game: &PairingRow) -> Option<usize> {
    usize::try_from(game.place).ok()?.checked_sub(1)
}
