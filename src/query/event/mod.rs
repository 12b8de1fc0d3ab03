//! Tournaments: standings, rounds, cross tables, teams, and missing, duplicate and contradictory games.

mod event_game;
mod issues;
mod regulations;
mod standings;
mod teams;
mod trf;
mod trf_check;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use serde::Deserialize;

use super::dedupe::Duplicates;
use super::expression::folded;
use super::players::{NameKind, NameQuery, event_and_round, round_and_board};
use crate::check::Play;
use crate::diag::{Diagnostic, Span, messages};
use crate::error::{Error, Result};
use crate::notation::{DateParts, one_space};
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::options::{Excel, parsed};
use crate::records::{EventRow, MatchRow, PairingRow};
use crate::text::{Language, printable};
use event_game::Score;
#[cfg(feature = "cli")]
use regulations::checked_points;
use standings::{Pairing, Standings};

pub use event_game::{EventGame, EventQuery};
pub use regulations::{RankingOrder, Regulations, TieBreak, Unplayed};
pub use trf::{TrfFile, TrfPlayer, TrfProblem};

/// What a tournament is, and how it is scored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct EventOptions {
    /// Rank as the regulations of a federation say (`fmjd`, `kndb`, `fide`, `ffjd`), or as a file does
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "NAME|FILE", value_parser = regulations::parse_regulations, help_heading = ADVANCED)
    )]
    pub regulations: Option<Regulations>,
    /// Points for a win, a draw and a loss, such as 3-1-0, instead of those of the regulations
    #[cfg_attr(feature = "cli", arg(long, value_name = "W-D-L", value_parser = parse_points, help_heading = ADVANCED))]
    #[serde(deserialize_with = "regulations::points")]
    pub points: Option<[u32; 3]>,
    /// Tie-breaks between players with equal points, in this order, instead of those of the regulations
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", value_delimiter = ',', help_heading = ADVANCED))]
    pub tie_breaks: Vec<TieBreak>,
    /// Rank as in this kind of tournament; without it, a tournament in which three quarters of the pairs met is a round robin
    #[cfg_attr(feature = "cli", arg(long, value_name = "KIND", help_heading = ADVANCED))]
    pub system: Option<System>,
    /// Only the event with this name
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", conflicts_with = "one"))]
    pub event: Option<String>,
    /// Treat all games as one tournament, whatever their events
    #[cfg_attr(feature = "cli", arg(long))]
    pub one: bool,
    /// Language of the diagnostics and of pages
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t, help_heading = ADVANCED))]
    #[serde(deserialize_with = "parsed")]
    pub lang: Language,
    /// For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`
    #[cfg_attr(feature = "cli", arg(long, help_heading = ADVANCED))]
    pub escape_formulas: bool,
    /// For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SEPARATOR", num_args = 0..=1, require_equals = true, default_missing_value = "auto", help_heading = ADVANCED)
    )]
    pub excel: Option<Excel>,
}

/// A kind of tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// All players meet
    RoundRobin,
    /// Players meet others with as many points
    Swiss,
}

impl System {
    /// Returns the name, as in rows.
    const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Swiss => "swiss",
        }
    }
}

// Records of a round robin may be missing; in a Swiss of 9 rounds with 20 players, 47 % of the pairs meet.
/// A field in which fewer of the possible pairs met, in percent, is not a round robin.
const MET_SHARE: usize = 75;

/// Fewer players than these play no Swiss: if pairs are missing, the tournament is not over.
const MIN_SWISS: usize = 6;

#[cfg(feature = "cli")]
fn parse_points(text: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok()).collect();
    // Anything else is refused like points of 0.
    checked_points(numbers.and_then(|numbers| numbers.try_into().ok()).unwrap_or_default())
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
    /// The file and the number of the game that counts.
    original: (String, u64),
    /// True if the results differ.
    differs: bool,
}

/// The sort key of a round: numbers, then the rounds of a knockout, then other names; and the text.
pub(super) type RoundKey<'a> = (u32, u32, &'a str);

/// Rounds before the final: the number of their matches, and words for them beside `final`, folded.
const KNOCKOUT: [(u32, &[&str]); 4] = [
    (16, &["sechzehntel", "zestiende", "seiziem", "sedicesim", "dieciseisav"]),
    (8, &["eighth", "achtste", "achtel", "huitiem", "ottav", "oitav", "octav", "восьм"]),
    (4, &["quart", "kwart", "cuart", "viertel", "cwierc", "четверть"]),
    (2, &["semi", "demi", "halve", "halb", "meia", "polfin", "полу"]),
];

/// The same for names without `final`.
///
/// `F` alone is not among them: it comes last among other names, as the final does, and may also be a group after `E`.
const SHORT_KNOCKOUT: [(u32, &[&str]); 2] = [(4, &["qf", "quarter", "quarters"]), (2, &["sf", "semi", "semis"])];

/// Returns the number of matches in a round of a knockout, such as `1/8 finals`, `8e de finale`, `Round of 16`, `Semi-final` or
/// `Finale`; the name is folded.
fn knockout_matches(name: &str) -> Option<u32> {
    let number = |text: &str| {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok().filter(|&number: &u32| number > 0)
    };
    let fraction = || name.split_once("1/").and_then(|(_, rest)| number(rest));
    let ordinal = || {
        let rest = name.trim_start_matches(|letter: char| letter.is_ascii_digit());
        number(name).filter(|_| rest.trim_start_matches(char::is_alphabetic).starts_with(" de final"))
    };
    let players = || ["round of ", "last "].iter().find_map(|before| number(name.strip_prefix(before)?));
    let half =
        || players().filter(|players| players.is_power_of_two()).map(|players| players / 2).filter(|&half| half > 0);
    let short = || SHORT_KNOCKOUT.iter().find(|(_, names)| names.contains(&name));
    let is_final = name.contains("final") || name.contains("финал");
    let words = || KNOCKOUT.iter().find(|(_, words)| is_final && words.iter().any(|word| name.contains(word)));
    let last = || ["final", "finale", "finals", "финал"].iter().any(|word| name.ends_with(word)).then_some(1);
    let named = || short().or_else(words).map(|(matches, _)| *matches);
    fraction().or_else(ordinal).or_else(half).or_else(named).or_else(last)
}

/// Returns the sort key of a round.
pub(super) fn round_key(round: Option<&str>) -> RoundKey<'_> {
    let text = round.unwrap_or_default();
    let (number, board) = round_and_board(text);
    if let Ok(number) = number.parse() {
        return (number, board.and_then(|board| board.parse().ok()).unwrap_or_default(), text);
    }
    match knockout_matches(folded(text).trim()) {
        // Finals come after all numbered rounds, the eighths before the quarters, and unknown rounds last.
        Some(matches) => (u32::MAX - 1, u32::MAX - matches, text),
        None => (u32::MAX, 0, text),
    }
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
        let original = |game: &EventGame| (game.source(), game.documented.identity.result);
        let originals: Vec<_> = games.iter().map(original).collect();
        for (n, game) in (0..).zip(games) {
            match duplicates.kept_for(n) {
                Some(first) => {
                    let (original, result) = &originals[first as usize];
                    let differs = game.documented.identity.result != *result;
                    copies.push(EventCopy { game, original: original.clone(), differs });
                }
                None => kept.push(game),
            }
        }
        drop_boards(&mut kept);
        join_rounds(&mut kept);
        Self { games: kept, copies, options, diagnostics: Vec::new() }
    }

    /// Returns a tournament for each event in games, in the order of their first games, or one for all if the options say so.
    /// Games without an event belong to the other event if there is only one. Events whose names look alike get a warning.
    pub fn by_event(mut games: Vec<EventGame>, options: &EventOptions) -> Vec<Self> {
        for (game, place) in games.iter_mut().zip(1..) {
            game.place = place;
        }
        if let Some(name) = &options.event {
            games.retain(is_of_event(name));
        }
        if options.one || options.event.is_some() {
            return vec![Self::new(games, options.clone())];
        }
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut events: Vec<Vec<EventGame>> = Vec::new();
        let mut names = NameQuery::new(NameKind::Events).collection();
        let key = |event: &str| folded(event).into_owned();
        let known: BTreeSet<String> = games.iter().filter_map(|game| game.event.as_deref().map(key)).collect();
        let only = known.first().filter(|_| known.len() == 1);
        for game in games {
            let event = game.event.as_deref().map(key).or_else(|| only.cloned()).unwrap_or_default();
            names.add_game(&game.named(game.event.as_deref()));
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

    /// Returns the tournaments as [`by_event`](Self::by_event) does.
    ///
    /// # Errors
    ///
    /// If no game has the event that the options name; with the events that there are.
    pub(crate) fn chosen(games: Vec<EventGame>, options: &EventOptions) -> Result<Vec<Self>> {
        match &options.event {
            Some(name) if !games.iter().any(is_of_event(name)) => {
                let all = Self::by_event(games, &EventOptions { event: None, one: false, ..options.clone() });
                Err(Error::usage(format!("there is no event `{name}`{}", Self::list(&all))))
            }
            _ => Ok(Self::by_event(games, options)),
        }
    }

    /// Returns the names of tournaments with the numbers of their games, each on a line after a line break.
    pub(crate) fn list(tournaments: &[Self]) -> String {
        // With the first line and the last, these fit on a terminal of 24 lines.
        const SHOWN: usize = 20;
        let mut text = String::new();
        for event in tournaments.iter().take(SHOWN) {
            let name = event.name().unwrap_or_else(|| "(without a name)".to_owned());
            let games = event.games.len();
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {}: {games} game{}", printable(&name), if games == 1 { "" } else { "s" });
        }
        if tournaments.len() > SHOWN {
            let _ = write!(text, "\n  and {} more", tournaments.len() - SHOWN);
        }
        text
    }

    /// Adds diagnostics of the tournament as a whole.
    pub(crate) fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(found);
    }

    /// Returns the most common name of the event.
    pub(crate) fn name(&self) -> Option<String> {
        commonest(self.games.iter().filter_map(|game| game.event.as_deref()))
    }

    /// Returns the number of games that count.
    pub(crate) fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the tables and diagnostics.
    pub fn row(&self) -> EventRow {
        let (names, pairings) = self.pairings();
        let (system, regulations) = (self.system(), self.regulations());
        let order = match system {
            System::RoundRobin => &regulations.round_robin,
            System::Swiss => &regulations.swiss,
        };
        let mut players = Standings::new(&names, &pairings, regulations.points, order).rows();
        let mut diagnostics = issues::diagnostics(&self.games, &self.copies, &self.diagnostics);
        for row in &mut diagnostics {
            row.translate(self.options.lang);
        }
        let matches = self.matches(regulations.points);
        let teams = teams::standings(&matches);
        let team_of = teams::of_players(&self.games);
        for player in &mut players {
            player.team = team_of.get(player.name.as_str()).map(|team| (*team).to_owned());
        }
        EventRow {
            event: self.name(),
            system: system.name(),
            players,
            rounds: Some(self.rounds()).filter(|&rounds| rounds > 0),
            copies: self.copies.len(),
            originals: self
                .copies
                .iter()
                .filter(|copy| copy.differs)
                .map(|copy| (copy.game.source(), copy.original.clone()))
                .collect(),
            pairings: self.pairing_rows(regulations.points),
            matches,
            teams,
            diagnostics,
        }
    }

    /// Returns the regulations with the points and tie-breaks of the options.
    fn regulations(&self) -> Regulations {
        let mut regulations = self.options.regulations.clone().unwrap_or_default();
        if let Some(points) = self.options.points {
            regulations.points = points;
        }
        if !self.options.tie_breaks.is_empty() {
            regulations.round_robin.tie_breaks.clone_from(&self.options.tie_breaks);
            regulations.swiss.tie_breaks.clone_from(&self.options.tie_breaks);
        }
        regulations
    }

    /// Returns the kind of tournament: as the options say, or else by the share of pairs that met. Without rounds, or
    /// between few players, it is no Swiss.
    fn system(&self) -> System {
        self.system_of(&self.games.iter().filter_map(issues::pair).collect())
    }

    /// Returns the kind of tournament, given the pairs of players or teams that met.
    fn system_of(&self, pairs: &HashSet<[&str; 2]>) -> System {
        if let Some(system) = self.options.system {
            return system;
        }
        let players: HashSet<&str> = pairs.iter().flatten().copied().collect();
        let possible = players.len() * players.len().saturating_sub(1) / 2;
        let is_sparse = pairs.len() * 100 < possible * MET_SHARE;
        if is_sparse && players.len() >= MIN_SWISS && self.rounds() > 0 { System::Swiss } else { System::RoundRobin }
    }

    fn rounds(&self) -> usize {
        self.games.iter().filter_map(|game| game.round.as_deref()).collect::<BTreeSet<_>>().len()
    }

    /// Returns the names of all players, and the records by the places of their players.
    fn pairings(&self) -> (Vec<String>, Vec<Pairing>) {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = Vec::new();
        for name in self.games.iter().flat_map(|game| game.players.iter().flatten()) {
            places.entry(name).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            });
        }
        // A few games may have the round of another one by mistake.
        let rounds: BTreeSet<_> = self.games.iter().map(|game| round_key(game.round.as_deref())).collect();
        let rounds: HashMap<_, usize> = rounds.into_iter().filter(|key| !key.2.is_empty()).zip(1..).collect();
        let place = |name: &Option<String>| name.as_deref().and_then(|name| places.get(name)).copied();
        let pairing = |game: &EventGame| {
            let players = game.players.each_ref().map(place);
            let counts = match game.play {
                Play::Game | Play::Forfeit => players.iter().all(Option::is_some) && players[0] != players[1],
                Play::Bye(_) => true,
                Play::Unplayed => false,
            };
            counts.then(|| Pairing {
                players,
                ratings: game.ratings,
                score: game.score,
                is_played: game.play == Play::Game,
                round: rounds.get(&round_key(game.round.as_deref())).copied().unwrap_or_default(),
            })
        };
        let pairings = self.games.iter().filter_map(pairing).collect();
        (names, pairings)
    }

    fn pairing_rows(&self, points: [u32; 3]) -> Vec<PairingRow> {
        let mut games: Vec<_> = self.games.iter().collect();
        games.sort_by_key(|game| round_key(game.round.as_deref()));
        let row = |game: &EventGame| {
            let nobody = if matches!(game.play, Play::Bye(_)) { "-" } else { "?" };
            let name = |name: &Option<String>| name.clone().unwrap_or_else(|| nobody.to_owned());
            PairingRow {
                round: game.round.clone(),
                white: name(&game.players[0]),
                black: name(&game.players[1]),
                points: game.points(points),
                outcome: match game.score {
                    Some(Score::Outcome(outcome)) => Some(outcome),
                    Some(Score::BothLost) | None => None,
                },
                play: game.play.word(),
                file: game.file.clone(),
                game: game.number,
                place: game.place,
                position: game.position.filter(|_| game.illegal.is_some()),
            }
        };
        games.into_iter().map(row).collect()
    }

    fn matches(&self, points: [u32; 3]) -> Vec<MatchRow> {
        let mut matches: BTreeMap<(RoundKey<'_>, DateParts, [&str; 2]), MatchRow> = BTreeMap::new();
        let repeated = self.repeated_matches();
        for game in &self.games {
            let Some((teams, turned)) = teams_of(game) else { continue };
            // Without rounds, two matches of the same teams have different dates.
            let is_dated = game.round.is_none() && repeated.contains(&teams);
            let date = if is_dated { game.date } else { DateParts::default() };
            let row = matches.entry((round_key(game.round.as_deref()), date, teams));
            let row = row.or_insert_with(|| MatchRow {
                round: game.round.clone(),
                teams: teams.map(str::to_owned),
                points: [0; 2],
                games: 0,
                decided: 0,
            });
            row.games += 1;
            row.decided += u32::from(game.score.is_some());
            let mut points = game.points(points).unwrap_or_default();
            if turned {
                points.reverse();
            }
            row.points.iter_mut().zip(points).for_each(|(sum, points)| *sum += points);
        }
        matches.into_values().collect()
    }

    /// Returns the pairs of teams that had several matches without rounds: a player has games on different days, and each game has a
    /// complete date. Otherwise a board of one match was played on another day, or lacks its date.
    fn repeated_matches(&self) -> HashSet<[&str; 2]> {
        let mut days: HashMap<([&str; 2], &str), DateParts> = HashMap::new();
        let (mut repeated, mut undated) = (HashSet::new(), HashSet::new());
        for game in self.games.iter().filter(|game| game.round.is_none()) {
            let Some((teams, _)) = teams_of(game) else { continue };
            if game.date.contains(&None) {
                undated.insert(teams);
            }
            for player in game.players().into_iter().flatten().filter(|_| !game.has_unknown_player()) {
                if *days.entry((teams, player)).or_insert(game.date) != game.date {
                    repeated.insert(teams);
                }
            }
        }
        &repeated - &undated
    }
}

/// Returns the teams of a game in alphabetical order, and true if Black's comes first: on the boards of a match, the teams take turns
/// with White.
fn teams_of(game: &EventGame) -> Option<([&str; 2], bool)> {
    let [Some(white), Some(black)] = game.teams.each_ref().map(Option::as_deref) else { return None };
    Some(if white > black { ([black, white], true) } else { ([white, black], false) })
}

/// Returns a test for games of the event with this name, which may end with a round as in records.
fn is_of_event(name: &str) -> impl Fn(&EventGame) -> bool {
    let wanted = folded(&one_space(event_and_round(name).0)).into_owned();
    move |game| game.event.as_deref().is_some_and(|event| folded(event) == wanted)
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

/// Gives rounds whose names differ in case and accents only, such as `Final` and `final`, the first of these names.
fn join_rounds(games: &mut [EventGame]) {
    let mut names: HashMap<String, String> = HashMap::new();
    for round in games.iter_mut().filter_map(|game| game.round.as_mut()) {
        let name = names.entry(folded(round).into_owned()).or_insert_with(|| round.clone());
        round.clone_from(name);
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
