//! Tournaments: standings, rounds, cross tables, teams, and missing, duplicate and contradictory games.

mod event_game;
mod issues;
mod standings;
mod trf;
mod trf_check;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use super::dedupe::Duplicates;
use super::expression::folded;
use super::players::{NameKind, NameQuery, NamedGame, round_and_board};
use crate::diag::{Diagnostic, Span, messages};
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::records::{EventRow, MatchRow, PairingRow};
use standings::{Pairing, standings};

pub use event_game::{EventGame, EventQuery};
pub use standings::TieBreak;
pub use trf::{TrfFile, TrfPlayer, TrfProblem};

/// What a tournament is, and how it is scored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct EventOptions {
    /// Points for a win, a draw and a loss
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "W-D-L", default_value = "2-1-0", value_parser = parse_points, help_heading = ADVANCED)
    )]
    pub points: [u32; 3],
    /// Tie-breaks between players with equal points, in this order
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "LIST", value_delimiter = ',', default_value = "wins,mutual,sonneborn-berger,solkoff", help_heading = ADVANCED)
    )]
    pub tie_breaks: Vec<TieBreak>,
    /// Treat all games as one tournament, whatever their events
    #[cfg_attr(feature = "cli", arg(long))]
    pub one: bool,
}

#[cfg(feature = "cli")]
fn parse_points(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok().filter(|&n| n <= 1000)).collect();
    match numbers.as_deref() {
        Some(&[win, draw, loss]) if win > 0 => Ok([win, draw, loss]),
        _ => Err("expected three numbers, such as 2-1-0".to_owned()),
    }
}

impl Default for EventOptions {
    fn default() -> Self {
        use TieBreak::{Mutual, Solkoff, SonnebornBerger, Wins};
        Self { points: [2, 1, 0], tie_breaks: vec![Wins, Mutual, SonnebornBerger, Solkoff], one: false }
    }
}

/// A tournament: games, collected by an [`EventQuery`], and the way they are scored.
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
    copies: Vec<EventCopy>,
    options: EventOptions,
    /// Diagnostics of the tournament as a whole.
    diagnostics: Vec<Diagnostic>,
}

/// A copy of a game, which does not count.
#[derive(Clone, Debug)]
struct EventCopy {
    game: EventGame,
    /// The location of the game that counts.
    original: String,
    /// True if the results differ.
    differs: bool,
}

/// The sort key of a round: its number, then its text.
type RoundKey<'a> = (u32, &'a str);

fn round_key(round: Option<&str>) -> RoundKey<'_> {
    let text = round.unwrap_or_default();
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    (digits.parse().unwrap_or(u32::MAX), text)
}

impl Tournament {
    /// Returns the tournament that consists of the given games. Of copies of a game, only the best documented one counts.
    pub fn new(games: Vec<EventGame>, options: EventOptions) -> Self {
        let mut duplicates = Duplicates::default();
        for game in &games {
            duplicates.add(&game.documented);
        }
        duplicates.settle();
        let (mut kept, mut copies) = (Vec::new(), Vec::new());
        let places: Vec<(String, u64)> = games.iter().map(|game| (game.file.clone(), game.number)).collect();
        let identities: Vec<_> = games.iter().map(|game| *game.documented.identity()).collect();
        for (n, game) in (0..).zip(games) {
            match duplicates.kept_for(n) {
                Some(first) => {
                    let differs = identities[n as usize].has_other_result(&identities[first as usize]);
                    let (file, number) = places[first as usize].clone();
                    copies.push(EventCopy { game, original: format!("game {number} of {file}"), differs });
                }
                None => kept.push(game),
            }
        }
        drop_boards(&mut kept);
        Self { games: kept, copies, options, diagnostics: Vec::new() }
    }

    /// Returns a tournament for each event in games, in the order of their first games, or one for all if the options say so.
    /// Games without an event belong to the other event if there is only one. Events whose names look alike get a warning.
    pub fn by_event(games: Vec<EventGame>, options: &EventOptions) -> Vec<Self> {
        if options.one {
            return vec![Self::new(games, options.clone())];
        }
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut events: Vec<Vec<EventGame>> = Vec::new();
        let mut names = NameQuery::new(NameKind::Events).collection();
        let key = |event: &str| folded(event).into_owned();
        let known: BTreeSet<String> = games.iter().filter_map(|game| game.event.as_deref().map(key)).collect();
        let only = known.first().filter(|_| known.len() == 1);
        for (mut game, place) in games.into_iter().zip(1..) {
            game.place = place;
            let event = game.event.as_deref().map(key).or_else(|| only.cloned()).unwrap_or_default();
            names.add_game(&NamedGame {
                players: game.players(),
                event: game.event.as_deref(),
                round: game.round.as_deref(),
                year: game.year,
                print: (game.documented.print() >> 32) as u32,
            });
            let place = *places.entry(event).or_insert_with(|| {
                events.push(Vec::new());
                events.len() - 1
            });
            events[place].push(game);
        }
        let mut all: Vec<_> = events.into_iter().map(|games| Self::new(games, options.clone())).collect();
        for alike in names.proposals() {
            if let Some(place) = places.get(&key(&alike.alias)).filter(|_| key(&alike.alias) != key(&alike.name)) {
                let found = messages::event_similar_events(Span::default(), alike.alias.as_str(), alike.name.as_str());
                all[*place].diagnostics.push(found);
            }
        }
        all
    }

    /// Adds diagnostics of the tournament as a whole.
    pub fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(found);
    }

    /// Returns the most common name of the event.
    pub fn name(&self) -> Option<String> {
        commonest(self.games.iter().filter_map(|game| game.event.as_deref()))
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the tables and diagnostics.
    pub fn row(&self) -> EventRow {
        let (names, pairings) = self.pairings();
        let (players, _) = standings(&names, &pairings, self.options.points, &self.options.tie_breaks);
        EventRow {
            event: self.name(),
            players,
            rounds: Some(self.rounds()).filter(|&rounds| rounds > 0),
            copies: self.copies.len(),
            pairings: self.pairing_rows(),
            matches: self.matches(),
            diagnostics: issues::diagnostics(&self.games, &self.copies, &self.diagnostics),
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
            place: game.place,
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

/// Removes the boards from rounds such as `3.2`, if they are boards: nearly no player has two games in one round. In matches
/// they are the games of a round, and all players have.
fn drop_boards(games: &mut [EventGame]) {
    let mut seen: HashSet<(&str, &str)> = HashSet::new();
    let (mut with_board, mut twice) = (0, 0);
    for game in &*games {
        if let Some((round, Some(_))) = game.round.as_deref().map(round_and_board) {
            with_board += 1;
            twice += usize::from(game.players.iter().flatten().any(|player| !seen.insert((round, player))));
        }
    }
    if twice * 10 < with_board {
        for round in games.iter_mut().filter_map(|game| game.round.as_mut()) {
            *round = round_and_board(round).0.to_owned();
        }
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
