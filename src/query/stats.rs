//! Statistics of a collection.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::AddAssign;
use std::sync::Arc;

use serde::Deserialize;
use smallvec::SmallVec;

use super::shots::{GameShot, ShotFinder};
use crate::board::Side;
use crate::check::{CheckedGame, ChunkOrigin, GameWork};
use crate::diag::{Code, Diagnostic, Severity};
use crate::notation::{Numbering, Outcome};
use crate::pdn::Outside;
use crate::records::{
    CodeRow, CountRow, DiagnosticsRow, LengthRow, NamedOpeningRow, OpeningNames, OpeningRow, PlayerRow, ResultsRow,
    ShotsRow, StatsRow,
};
use crate::replay::GameStep;
use crate::rules::{Position, Variant};
use crate::shots::Definition;

/// Number of moves by which openings are counted.
const OPENING_PLIES: usize = 4;

impl ResultsRow {
    /// Counts a game.
    pub(super) const fn count(&mut self, winner: Option<Outcome>) {
        match winner {
            Some(Outcome::Win(Side::White)) => self.white_wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Win(Side::Black)) => self.black_wins += 1,
            None => self.unknown += 1,
        }
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins + self.unknown
    }
}

impl AddAssign for ResultsRow {
    fn add_assign(&mut self, other: Self) {
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
        self.unknown += other.unknown;
    }
}

/// The first moves of a game, each given by its squares and true for a capture.
type Opening = SmallVec<[(u8, u8, bool); OPENING_PLIES]>;

/// Numbers of named shots that were played: by name, by the player who profits, by opening and by year.
#[derive(Clone, Debug, Default)]
struct ShotCounts([HashMap<Option<String>, u64>; 4]);

impl ShotCounts {
    fn count(&mut self, shots: &[GameShot], opening: Option<&str>, game: &CheckedGame<'_>) {
        for (_, shot, _) in shots.iter().filter(|(_, shot, _)| shot.name().is_some()) {
            let player = game.known_tag(if shot.side() == Side::White { "White" } else { "Black" });
            let texts = [shot.name().map(Definition::id), player, opening].map(|text| text.map(str::to_owned));
            let keys = texts.into_iter().chain([game.date()[0].map(|year| year.to_string())]);
            self.0.iter_mut().zip(keys).for_each(|(counts, key)| add(counts, key, 1));
        }
    }

    fn row(&self, most: usize) -> ShotsRow {
        let [names, players, openings, years] = self.0.each_ref().map(|map| counted(map, most, Option::clone));
        ShotsRow { names, players, openings, years }
    }
}

/// Statistics of a collection, which can be added to those of another one.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The numbers and results; its lists are empty.
    sums: StatsRow,
    variants: HashMap<Option<Variant>, u64>,
    years: HashMap<Option<u16>, u64>,
    events: HashMap<Option<String>, u64>,
    /// Numbers of games won, drawn, lost, and others.
    players: HashMap<String, [u64; 4]>,
    openings: HashMap<(Variant, Opening), ResultsRow>,
    named: HashMap<(Variant, Arc<str>), ResultsRow>,
    shots: Option<ShotCounts>,
    /// Number of games of each length.
    lengths: HashMap<u32, u64>,
    severities: [u64; 3],
    codes: HashMap<Code, u64>,
}

/// The query that computes the statistics of a collection.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::query::{Stats, StatsQuery};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let mut stats = Stats::default();
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games"]), &Checking::new(StatsQuery::default(), CheckOptions::default()), |event| {
///     match event {
///         Event::Begin(_) => {}
///         Event::Done(chunk) => stats += chunk,
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// assert_eq!(stats.row(10).games, 24);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StatsQuery {
    names: Arc<OpeningNames>,
    shots: bool,
}

/// What is counted, and how much of it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct StatsOptions {
    /// Show at most N groups of each kind [default: 10 in tables, all in JSON]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub top: Option<usize>,
    /// Also count the named shots that were played, by name, player, opening and year
    #[cfg_attr(feature = "cli", arg(long))]
    pub shots: bool,
}

impl StatsQuery {
    /// Returns the query; openings are counted by these names too.
    pub(crate) const fn new(names: Arc<OpeningNames>) -> Self {
        Self { names, shots: false }
    }

    /// Sets whether the named shots that were played are counted.
    #[must_use]
    pub fn shots(self, shots: bool) -> Self {
        Self { shots, ..self }
    }
}

impl GameWork for StatsQuery {
    type Done = Stats;

    fn game(&self, game: CheckedGame<'_>, stats: &mut Stats) {
        if self.shots {
            stats.shots.get_or_insert_default();
        }
        stats.count_moves(&game, self);
        stats.count_game(&game);
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, stats: &mut Stats) {
        stats.count_diagnostic(outside.diagnostic());
    }
}

fn add<K: std::hash::Hash + Eq>(map: &mut HashMap<K, u64>, key: K, count: u64) {
    *map.entry(key).or_default() += count;
}

impl Stats {
    /// Counts the moves of the main line of a game, its opening and its shots.
    fn count_moves(&mut self, game: &CheckedGame<'_>, query: &StatsQuery) {
        let replayed = game.review().game();
        let Some(start) = replayed.start() else { return };
        let mut finder = query.shots.then(ShotFinder::default);
        if let Some(finder) = &mut finder {
            finder.begin(start);
        }
        // The kings before the next move.
        let mut kings = start.kings().word();
        let (mut has_king, mut opening) = (kings != 0, Opening::new());
        for (_, ply, after) in replayed.positions() {
            let played = ply.played();
            if let Some(finder) = &mut finder {
                finder.step(GameStep::Reach(played, after));
            }
            if let Some(played) = played {
                self.sums.captures += u64::from(played.is_capture());
                self.sums.promotions += u64::from(played.promotes());
                self.sums.king_moves += (kings >> played.from().bit() & 1) as u64;
                if opening.len() < OPENING_PLIES {
                    opening.push((played.from().bit(), played.to().bit(), played.is_capture()));
                }
            }
            kings = after.kings().word();
            has_king |= kings != 0;
        }
        self.sums.games_with_kings += u64::from(has_king);
        if opening.len() == OPENING_PLIES && *start == Position::start(start.variant()) {
            self.openings.entry((start.variant(), opening)).or_default().count(game.winner());
        }
        let name = query.names.of_game(replayed).map(|(_, name)| name);
        if let (Some(finder), Some(shots)) = (&mut finder, &mut self.shots) {
            shots.count(&finder.end(), name.map(|name| &**name), game);
        }
        if let Some((variant, name)) = game.variant().zip(name) {
            self.named.entry((variant, Arc::clone(name))).or_default().count(game.winner());
        }
    }

    fn count_game(&mut self, game: &CheckedGame<'_>) {
        self.sums.games += 1;
        self.sums.plies += game.plies() as u64;
        if game.plies() > 0 {
            add(&mut self.lengths, game.plies() as u32, 1);
        }
        self.sums.replayed_games += u64::from(game.review().game().is_clean());
        self.sums.results.count(game.winner());
        add(&mut self.variants, game.variant(), 1);
        add(&mut self.years, game.date()[0], 1);
        add(&mut self.events, game.known_tag("Event").map(str::to_owned), 1);
        for side in Side::ALL {
            if let Some(player) = game.known_player(side) {
                let place = game.winner().map_or(3, |outcome| 2 - usize::from(outcome.half_points(side)));
                self.players.entry(player.to_owned()).or_default()[place] += 1;
            }
        }
        game.diagnostics().iter().for_each(|diagnostic| self.count_diagnostic(diagnostic));
    }

    fn count_diagnostic(&mut self, diagnostic: &Diagnostic) {
        let place = match diagnostic.severity() {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Note => 2,
        };
        self.severities[place] += 1;
        add(&mut self.codes, diagnostic.code(), 1);
    }

    /// Returns the statistics as rows, with a maximum length for each list.
    pub fn row(&self, most: usize) -> StatsRow {
        let [errors, warnings, notes] = self.severities;
        let codes = self.codes.iter().map(|(&code, &count)| CodeRow { code, count });
        StatsRow {
            length: self.length(),
            variants: counted(&self.variants, most, |variant| variant.map(|variant| variant.name().to_owned())),
            years: self.years(most),
            events: counted(&self.events, most, Option::clone),
            players: self.players(most),
            openings: self.openings(most),
            named_openings: self.named_openings(most),
            shots: self.shots.as_ref().map(|shots| shots.row(most)),
            diagnostics: DiagnosticsRow {
                errors,
                warnings,
                notes,
                codes: first(codes, most, |row| (Reverse(row.count), row.code.name())),
            },
            ..self.sums.clone()
        }
    }

    fn length(&self) -> LengthRow {
        let mut lengths: Vec<_> = self.lengths.iter().map(|(&plies, &games)| (u64::from(plies), games)).collect();
        lengths.sort_unstable();
        let games: u64 = lengths.iter().map(|(_, games)| games).sum();
        let (Some(&(least, _)), Some(&(most, _))) = (lengths.first(), lengths.last()) else {
            return LengthRow::default();
        };
        let mut passed = 0;
        let median = lengths.iter().find(|(_, count)| {
            passed += count;
            // Of an even number of games, the lower of the two in the middle.
            2 * passed >= games
        });
        let sum: u64 = lengths.iter().map(|(plies, games)| plies * games).sum();
        let mean = (sum as f64 / games as f64 * 10.0).round() / 10.0;
        LengthRow { least, median: median.map_or(0, |(plies, _)| *plies), mean, most }
    }

    fn years(&self, most: usize) -> Vec<CountRow> {
        let mut years = counted(&self.years, most, |year| year.map(|year| year.to_string()));
        years.sort_by(|one, other| one.name.cmp(&other.name));
        years
    }

    fn players(&self, most: usize) -> Vec<PlayerRow> {
        let rows = self.players.iter().map(|(name, &[wins, draws, losses, others])| PlayerRow {
            name: name.clone(),
            games: wins + draws + losses + others,
            wins,
            draws,
            losses,
        });
        first(rows, most, |row| (Reverse(row.games), row.name.clone()))
    }

    fn openings(&self, most: usize) -> Vec<OpeningRow> {
        let rows = self.openings.iter().map(|((variant, opening), results)| OpeningRow {
            variant: variant.name(),
            moves: opening_text(*variant, opening),
            games: results.games(),
            results: *results,
        });
        first(rows, most, |row| (Reverse(row.games), row.variant, row.moves.clone()))
    }

    fn named_openings(&self, most: usize) -> Vec<NamedOpeningRow> {
        let rows = self.named.iter().map(|((variant, name), results)| NamedOpeningRow {
            variant: variant.name(),
            name: name.to_string(),
            games: results.games(),
            results: *results,
        });
        first(rows, most, |row| (Reverse(row.games), row.variant, row.name.clone()))
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        let (sums, others) = (&mut self.sums, other.sums);
        sums.games += others.games;
        sums.replayed_games += others.replayed_games;
        sums.plies += others.plies;
        sums.captures += others.captures;
        sums.king_moves += others.king_moves;
        sums.promotions += others.promotions;
        sums.games_with_kings += others.games_with_kings;
        sums.results += others.results;
        other.variants.into_iter().for_each(|(key, count)| add(&mut self.variants, key, count));
        other.years.into_iter().for_each(|(key, count)| add(&mut self.years, key, count));
        other.events.into_iter().for_each(|(key, count)| add(&mut self.events, key, count));
        other.lengths.into_iter().for_each(|(key, count)| add(&mut self.lengths, key, count));
        other.codes.into_iter().for_each(|(key, count)| add(&mut self.codes, key, count));
        other.openings.into_iter().for_each(|(key, results)| *self.openings.entry(key).or_default() += results);
        other.named.into_iter().for_each(|(key, results)| *self.named.entry(key).or_default() += results);
        if let Some(shots) = other.shots {
            let sums = self.shots.get_or_insert_default();
            for (sum, counts) in sums.0.iter_mut().zip(shots.0) {
                for (key, count) in counts {
                    add(sum, key, count);
                }
            }
        }
        for (name, counts) in other.players {
            self.players.entry(name).or_default().iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.severities.iter_mut().zip(other.severities).for_each(|(sum, count)| *sum += count);
    }
}

/// Returns the first rows in an order.
fn first<T, K: Ord>(rows: impl Iterator<Item = T>, most: usize, key: impl FnMut(&T) -> K) -> Vec<T> {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_cached_key(key);
    rows.truncate(most);
    rows
}

fn counted<K>(map: &HashMap<K, u64>, most: usize, name: impl Fn(&K) -> Option<String>) -> Vec<CountRow> {
    let rows = map.iter().map(|(key, &games)| CountRow { name: name(key), games });
    first(rows, most, |row| (Reverse(row.games), row.name.clone()))
}

fn opening_text(variant: Variant, opening: &Opening) -> String {
    let numbering = Numbering::for_variant(variant);
    let named =
        |bit: u8| variant.shape().squares().find(|square| square.bit() == bit).map(|square| numbering.name(square));
    let moves = opening.iter().map(|&(from, to, captures)| {
        let sign = if captures { numbering.capture_sign() } else { '-' };
        let [from, to] = [from, to].map(|bit| named(bit).map_or_else(String::new, |name| name.to_string()));
        format!("{from}{sign}{to}")
    });
    moves.collect::<Vec<_>>().join(" ")
}
