//! Spellings of the same person or event, found by comparing names and by who played whom and when.

mod alike;
mod groups;
mod letters;
mod name;
mod title;
mod wanted;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::board::Side;
use crate::check::{CheckedGame, GameWork, fingerprints};
use crate::notation::one_space;
use crate::records::SpellingRow;

use alike::candidates;
use groups::Groups;
pub(super) use name::Name;
pub(crate) use title::event_and_round;
pub(super) use title::{round_and_board, round_number};
pub(super) use wanted::WantedPlayer;

/// The kind of names whose spellings are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameKind {
    /// The players.
    #[default]
    Players,
    /// The events.
    Events,
}

/// A game, reduced to what is needed to compare spellings.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedGame<'a> {
    pub(super) players: [Option<Cow<'a, str>>; 2],
    pub(super) event: Option<Cow<'a, str>>,
    pub(super) round: Option<Cow<'a, str>>,
    pub(super) year: Option<u16>,
    /// A hash of the moves; 0: unknown.
    pub(super) print: u32,
}

/// The query that collects the names of players and events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameQuery {
    kind: NameKind,
}

impl NameQuery {
    /// Returns the query for players or events.
    pub const fn new(kind: NameKind) -> Self {
        Self { kind }
    }

    /// Returns an empty collection.
    pub fn collection(self) -> NameCollection {
        NameCollection { kind: self.kind, ..NameCollection::default() }
    }
}

/// The games of a chunk, reduced to what is needed to compare spellings.
#[derive(Clone, Debug, Default)]
pub struct NamesFound(Vec<NamedGame<'static>>);

impl GameWork for NameQuery {
    type Done = NamesFound;

    fn game(&self, game: CheckedGame<'_>, found: &mut NamesFound) {
        let owned = |value| Cow::Owned(one_space(value).into_owned());
        let prints = fingerprints(game.review().game());
        found.0.push(NamedGame {
            players: Side::ALL.map(|side| game.known_player(side).map(owned)),
            event: game.known_tag("Event").map(owned),
            round: game.known_tag("Round").map(owned),
            year: game.date()[0],
            print: prints.last().map_or(0, |&print| (print >> 96) as u32),
        });
    }
}

/// A spelling: its games and years.
#[derive(Clone, Debug)]
struct Spelling {
    text: Box<str>,
    games: u32,
    /// The first and last year; the first is larger if none is known.
    years: [u16; 2],
}

/// A game of a spelling, in 20 bytes.
///
/// For players `event` is the event and `opponent` the other player; for events `event` is a player and `opponent`
/// nothing. Either way, two spellings with the same `event` and `round` in different games are two people or events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Appearance {
    spelling: u32,
    event: u32,
    /// The round in the list of rounds; 0: unknown.
    round: u32,
    opponent: u32,
    print: u32,
}

/// No opponent.
const NONE: u32 = u32::MAX;

/// Texts by their numbers, from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(pub(super) HashMap<Box<str>, u32>);

impl Numbers {
    pub(super) fn of(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.0.get(text) {
            return number;
        }
        let number = self.0.len() as u32;
        self.0.insert(text.into(), number);
        number
    }
}

/// The spellings in many games, about 50 bytes for each game.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::query::NameQuery;
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let mut names = NameQuery::default().collection();
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// let work = Checking::new(NameQuery::default(), CheckOptions::default());
/// pipeline.run(expand(["samples/diagnostics/event-similar-names.pdn"]), &work, |event| {
///     if let Event::Done(found) = event {
///         names.add(&found);
///     }
///     Ok(())
/// })?;
/// assert_eq!(names.proposals().len(), 1);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NameCollection {
    kind: NameKind,
    spellings: Vec<Spelling>,
    numbers: Numbers,
    /// The events of players, or the players of events.
    others: Numbers,
    rounds: Numbers,
    appearances: Vec<Appearance>,
}

impl NameCollection {
    /// Adds the names in the games of a chunk.
    pub fn add(&mut self, found: &NamesFound) {
        found.0.iter().for_each(|game| self.add_game(game));
    }

    /// Returns the number of different spellings.
    pub(crate) fn spellings(&self) -> usize {
        self.spellings.len()
    }

    pub(in crate::query) fn add_game(&mut self, game: &NamedGame<'_>) {
        let (event, of_event) = game.event.as_deref().map(event_and_round).unzip();
        let round = game.round.as_deref().or(of_event.as_ref().and_then(|round| round.as_deref()));
        let round = round.map_or(0, |round| self.rounds.of(round) + 1);
        if self.kind == NameKind::Events {
            let Some(event) = event else { return };
            let spelling = self.spelling(event, game.year);
            for player in game.players.iter().flatten() {
                let event = self.others.of(player);
                self.appearances.push(Appearance { spelling, event, round, opponent: NONE, print: game.print });
            }
            return;
        }
        let event = self.others.of(event.unwrap_or_default());
        let spelling = |player: &Option<Cow<'_, str>>| player.as_ref().map(|player| self.spelling(player, game.year));
        let [white, black] = game.players.each_ref().map(spelling);
        for (player, opponent) in [(white, black), (black, white)] {
            let Some(spelling) = player else { continue };
            let opponent = opponent.unwrap_or(NONE);
            self.appearances.push(Appearance { spelling, event, round, opponent, print: game.print });
        }
    }

    /// Counts a game of a spelling and returns its number.
    fn spelling(&mut self, text: &str, year: Option<u16>) -> u32 {
        let number = self.numbers.of(text);
        if number as usize == self.spellings.len() {
            // No year yet: the first is after the last.
            self.spellings.push(Spelling { text: text.into(), games: 0, years: [u16::MAX, 0] });
        }
        let spelling = &mut self.spellings[number as usize];
        spelling.games = spelling.games.saturating_add(1);
        if let Some(year) = year {
            spelling.years = [spelling.years[0].min(year), spelling.years[1].max(year)];
        }
        number
    }

    /// Returns the spellings that are probably aliases, in the order of the names.
    ///
    /// Two people who played each other, or in the same round of an event, are never joined, unless the same game is recorded
    /// twice.
    pub fn proposals(mut self) -> Vec<SpellingRow> {
        self.appearances.sort_unstable();
        let candidates = candidates(self.kind, &self.spellings);
        Groups::new(&self).joined(&candidates).rows()
    }

    /// Returns the games of a spelling. The appearances must be sorted.
    fn of(&self, spelling: u32) -> &[Appearance] {
        let start = self.appearances.partition_point(|game| game.spelling < spelling);
        let length = self.appearances[start..].partition_point(|game| game.spelling == spelling);
        &self.appearances[start..start + length]
    }

    /// Returns a spelling as it is proposed: without titles and ratings, if it is a player's.
    fn plain(&self, spelling: u32) -> String {
        match self.kind {
            NameKind::Players => name::plain_name(self.text(spelling)),
            NameKind::Events => self.text(spelling).to_owned(),
        }
    }

    fn text(&self, spelling: u32) -> &str {
        &self.spellings[spelling as usize].text
    }
}
