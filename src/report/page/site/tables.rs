//! Pages of tables: players, events, and their games. They have no script.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::game::{coded, slug};
use super::{Entry, Facts, Site, SiteFile, date_for, escaped, newest_first};
use crate::board::Side;
use crate::check::Play;
use crate::query::folded;
use crate::rules::fnv_1a;
use crate::text::Language;

/// Where the tables of players and of events are.
pub(super) const PLAYERS: &str = "players/";
pub(super) const EVENTS: &str = "events/";

/// Returns the name of the page of a player or an event.
pub(super) fn page_of(name: &str) -> String {
    let parts = [slug(name), coded(fnv_1a(folded(name).as_bytes()))];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}.html", parts.join("-"))
}

/// The games of a player.
#[derive(Default)]
struct Career<'a> {
    name: &'a str,
    games: Vec<&'a Entry>,
    /// The number of those that were played.
    played: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The numbers of byes, forfeit wins and forfeit losses.
    unplayed: [u32; 3],
    points: u32,
}

impl Career<'_> {
    /// Counts the result of a side as the tables of tournaments do: byes and forfeits only in the points. An opponent whose name is
    /// not known counts here.
    fn count(&mut self, facts: &Facts, side: Side) {
        self.played += u32::from(facts.play == Play::Game);
        let points = facts.points.map(|points| points[side as usize]);
        self.points += points.unwrap_or_default();
        let count = match (facts.play, points) {
            (Play::Game, Some(2)) => &mut self.wins,
            (Play::Game, Some(1)) => &mut self.draws,
            (Play::Game, Some(_)) => &mut self.losses,
            (Play::Bye(_), _) => &mut self.unplayed[0],
            (Play::Forfeit, Some(2)) => &mut self.unplayed[1],
            (Play::Forfeit, Some(0)) => &mut self.unplayed[2],
            _ => return,
        };
        *count += 1;
    }

    /// Returns the numbers of points, games, wins, draws and losses, and the share of the points in games.
    fn cells(&self, language: Language) -> [String; 6] {
        let known = self.wins + self.draws + self.losses;
        let share = f64::from(2 * self.wins + self.draws) * 50.0 / f64::from(known.max(1));
        let share = if known > 0 { language.decimal(share, 1) + " %" } else { String::new() };
        let [points, games, wins, draws, losses] =
            [self.points, self.played, self.wins, self.draws, self.losses].map(|count| count.to_string());
        [points, games, wins, draws, losses, share]
    }
}

impl Site {
    /// Passes on the pages of all players, and the table of them.
    pub(super) fn player_pages<E>(&self, write: &mut impl FnMut(SiteFile) -> Result<(), E>) -> Result<(), E> {
        let careers = self.careers();
        careers.values().try_for_each(|career| write(self.player_page(career)))?;
        let mut all: Vec<_> = careers.values().collect();
        // Of equal points, those from fewer games come first; who has no points is known by the games.
        all.sort_by(|a, b| {
            let fewer = a.played.cmp(&b.played);
            let games = if a.points == 0 { fewer.reverse() } else { fewer };
            b.points.cmp(&a.points).then(games).then_with(|| a.name.cmp(b.name))
        });
        let heads = ["rank", "name", "points", "games", "wins", "draws", "losses", "%"];
        let mut body = String::new();
        self.begin_table(&mut body, &heads);
        for (place, career) in (1..).zip(all) {
            let link = link(&format!("{PLAYERS}{}", page_of(career.name)), career.name);
            let _ = write!(body, "<tr><td>{place}</td><td>{link}</td>");
            career.cells(self.language).iter().for_each(|cell| push_cell(&mut body, cell));
            body.push_str("</tr>\n");
        }
        body.push_str("</table></div>\n");
        let title = self.event_text("players");
        let description = self.language.labelled(&title, careers.len());
        write(("players.html".to_owned(), self.document("", &title, &description, &body)))
    }

    /// Returns the players by their names without case and accents, which have one page.
    fn careers(&self) -> BTreeMap<String, Career<'_>> {
        let mut careers: BTreeMap<String, Career<'_>> = BTreeMap::new();
        for entry in &self.entries {
            let people = entry.facts.people();
            let plays_both = matches!(people, [Some(white), Some(black)] if folded(white) == folded(black));
            for (name, side) in people.into_iter().zip(Side::ALL) {
                let Some(name) = name else { continue };
                let career = careers.entry(folded(name).into_owned()).or_default();
                if career.games.is_empty() {
                    career.name = name;
                }
                // Somebody who plays both sides has the game once, and no result, as in tournaments.
                if !career.games.last().is_some_and(|last| std::ptr::eq(*last, entry)) {
                    career.games.push(entry);
                }
                if !plays_both {
                    career.count(&entry.facts, side);
                }
            }
        }
        careers
    }

    fn player_page(&self, career: &Career<'_>) -> SiteFile {
        let [points, games, wins, draws, losses, share] = career.cells(self.language);
        // Without a known result there is no share.
        let points = format!("{points} ({share})").replace(" ()", "");
        let counted = |count: u32| if count > 0 { count.to_string() } else { String::new() };
        let [byes, forfeit_wins, forfeit_losses] = career.unplayed.map(counted);
        let facts = [
            ("games", games),
            ("wins", wins),
            ("draws", draws),
            ("losses", losses),
            ("byes", byes),
            ("forfeit wins", forfeit_wins),
            ("forfeit losses", forfeit_losses),
            ("points", points),
        ];
        let facts = facts.iter().filter(|(_, value)| !value.is_empty());
        let facts: Vec<_> = facts.map(|(name, value)| self.language.labelled(&self.event_text(name), value)).collect();
        let facts = facts.join(" · ");
        let mut body = format!("<p>{}</p>\n", escaped(&facts));
        self.begin_table(&mut body, &["date", "players", "result", "event", "round"]);
        for place in newest_first(&career.games, |entry| &entry.facts) {
            self.push_game(&mut body, career.games[place], career.name);
        }
        body.push_str("</table></div>\n");
        let description = format!("{} · {facts}", career.name);
        (format!("{PLAYERS}{}", page_of(career.name)), self.document("../", career.name, &description, &body))
    }

    /// Begins a table whose columns have these names.
    pub(super) fn begin_table(&self, body: &mut String, names: &[&str]) {
        body.push_str("<div class=\"scroll\"><table>\n<tr>");
        for name in names {
            let _ = write!(body, "<th>{}</th>", escaped(&self.event_text(name)));
        }
        body.push_str("</tr>\n");
    }

    /// Appends a game to the table of a player, with links to the other player and the event.
    fn push_game(&self, body: &mut String, entry: &Entry, own: &str) {
        let facts = &entry.facts;
        let game = format!("../{}", entry.path);
        let is_own = |name: &str| folded(name) == folded(own);
        let people = facts.people();
        let side = |side: Side| match people[side as usize] {
            Some(name) if !is_own(name) => link(&page_of(name), name),
            None if facts.missing() == Some(side) => escaped(&self.event_text("bye")),
            name => format!("<b>{}</b>", escaped(name.map_or("?", |name| &**name))),
        };
        let date = date_for(self.language, &facts.date);
        let date = if date.is_empty() { "–" } else { &date };
        let result = if facts.result.is_empty() { "–" } else { &facts.result };
        let event = facts.event.as_deref().map(|event| link(&format!("../{EVENTS}{}", page_of(event)), event));
        let [left, right] = facts.ordered(Side::ALL.map(side));
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{left} – {right}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            link(&game, date),
            link(&game, result),
            event.unwrap_or_default(),
            escaped(&facts.round)
        );
    }
}

/// Appends a cell of a table.
pub(super) fn push_cell(body: &mut String, text: &str) {
    let _ = write!(body, "<td>{}</td>", escaped(text));
}

/// Returns a link.
pub(super) fn link(address: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(address), escaped(text))
}
