//! Tournaments: standings, rounds, cross tables, teams, and what is missing, doubled or contradicts.

mod game;
mod issues;
mod names;
mod standings;

use std::collections::{BTreeMap, HashMap};

use crate::records::{EventRow, MatchRow, PairingRow};
use standings::{Pairing, standings};

pub use game::{EventGame, EventQuery};
pub use standings::TieBreak;

/// How a tournament is scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventOptions {
    /// Points of a win, a draw and a loss.
    points: [u32; 3],
    /// What decides between equal points, in order of precedence.
    tie_breaks: Vec<TieBreak>,
    /// Names for other spellings of them.
    aliases: BTreeMap<String, String>,
}

impl EventOptions {
    /// Returns options with the points of a win, a draw and a loss, the tie-breaks in their order, and names for other
    /// spellings of them.
    pub const fn new(points: [u32; 3], tie_breaks: Vec<TieBreak>, aliases: BTreeMap<String, String>) -> Self {
        Self { points, tie_breaks, aliases }
    }
}

impl Default for EventOptions {
    fn default() -> Self {
        use TieBreak::{Mutual, Solkoff, SonnebornBerger, Wins};
        Self { points: [2, 1, 0], tie_breaks: vec![Wins, Mutual, SonnebornBerger, Solkoff], aliases: BTreeMap::new() }
    }
}

/// A tournament: games, which an [`EventQuery`] collects, and how they are scored.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::query::{EventOptions, EventQuery, Tournament};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let mut games = Vec::new();
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games/brazilian.pdn"]), &Checking::new(EventQuery, CheckOptions::default()), |event| {
///     match event {
///         Event::Begin(_) => {}
///         Event::Done(found) => games.extend(found),
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// let event = Tournament::new(games, EventOptions::default()).row();
/// assert_eq!(event.players[0].rank, 1);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tournament {
    games: Vec<EventGame>,
    options: EventOptions,
}

/// A round as it is sorted: by number, then by text.
type RoundKey<'a> = (u32, &'a str);

fn round_key(round: Option<&str>) -> RoundKey<'_> {
    let text = round.unwrap_or_default();
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(u32::MAX), text)
}

impl Tournament {
    /// Returns the tournament that consists of games.
    pub fn new(mut games: Vec<EventGame>, options: EventOptions) -> Self {
        for name in games.iter_mut().flat_map(|game| game.players.iter_mut().flatten()) {
            if let Some(known) = options.aliases.get(name.as_str()) {
                name.clone_from(known);
            }
        }
        Self { games, options }
    }

    /// Returns the tables and diagnostics.
    pub fn row(&self) -> EventRow {
        let (names, pairings) = self.pairings();
        let (players, _) = standings(&names, &pairings, self.options.points, &self.options.tie_breaks);
        EventRow {
            event: commonest(self.games.iter().filter_map(|game| game.event.as_deref())),
            players,
            rounds: Some(self.rounds()).filter(|&rounds| rounds > 0),
            pairings: self.pairing_rows(),
            matches: self.matches(),
            diagnostics: issues::diagnostics(&self.games),
        }
    }

    fn rounds(&self) -> usize {
        let rounds: std::collections::BTreeSet<_> =
            self.games.iter().filter_map(|game| game.round.as_deref()).collect();
        rounds.len()
    }

    /// Returns the names of all players, and the games between two of them by their places.
    fn pairings(&self) -> (Vec<String>, Vec<Pairing>) {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = Vec::new();
        for name in self.games.iter().flat_map(|game| game.players.iter().flatten()) {
            places.entry(name).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            });
        }
        let place = |name: &Option<String>| name.as_deref().and_then(|name| places.get(name)).copied();
        let pairing = |game: &EventGame| {
            let players = [place(&game.players[0])?, place(&game.players[1])?];
            (players[0] != players[1]).then_some(Pairing { players, ratings: game.ratings, score: game.score })
        };
        let pairings = self.games.iter().filter_map(pairing).collect();
        (names, pairings)
    }

    fn pairing_rows(&self) -> Vec<PairingRow> {
        let mut games: Vec<_> = self.games.iter().collect();
        games.sort_by_key(|game| round_key(game.round.as_deref()));
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        let row = |game: &EventGame| PairingRow {
            round: game.round.clone(),
            white: name(&game.players[0]),
            black: name(&game.players[1]),
            points: game.score.map(|score| score.points(self.options.points)),
            file: game.file.clone(),
            game: game.number,
        };
        games.into_iter().map(row).collect()
    }

    fn matches(&self) -> Vec<MatchRow> {
        let mut matches: BTreeMap<(RoundKey<'_>, [&str; 2]), MatchRow> = BTreeMap::new();
        for game in &self.games {
            let [Some(white), Some(black)] = &game.teams else { continue };
            let turned = white > black;
            let teams = if turned { [black, white] } else { [white, black] };
            let row = matches.entry((round_key(game.round.as_deref()), teams.map(String::as_str)));
            let row = row.or_insert_with(|| MatchRow {
                round: game.round.clone(),
                teams: teams.map(String::clone),
                points: [0; 2],
                games: 0,
            });
            row.games += 1;
            let mut points = game.score.map_or([0; 2], |score| score.points(self.options.points));
            if turned {
                points.reverse();
            }
            row.points.iter_mut().zip(points).for_each(|(sum, points)| *sum += points);
        }
        matches.into_values().collect()
    }
}

/// Returns the text that occurs most often, the first of several.
fn commonest<'a>(texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: HashMap<&str, (u64, usize)> = HashMap::new();
    for (n, text) in texts.enumerate() {
        counts.entry(text).or_insert((0, usize::MAX - n)).0 += 1;
    }
    counts.into_iter().max_by_key(|(_, order)| *order).map(|(text, _)| text.to_owned())
}
