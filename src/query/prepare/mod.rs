//! The report on a player: repertoire, results, accuracy, shots and endgames.

mod facts;
mod notes;
mod repertoire;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;
use std::sync::Arc;

use super::players::WantedPlayer;
use crate::board::Side;
use crate::check::{CheckedGame, GameWork, Needs, Play};
use crate::egdb::Databases;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::records::{
    ClockRow, CountRow, EndgameResultsRow, GroupRow, OpeningNames, Phase, PhaseAccuracyRow, PreparationRow, ScoreRow,
    ShotExampleRow, SideRow, Tally, ThemeRow, accuracy_row,
};
use crate::rules::{Position, Variant};
use crate::shots::Bounds;
use facts::{Facts, ShotFact, ShotFate};
use notes::{look_at, result_name, side_name};
use repertoire::{Repertoire, numbered};

/// Maximum number of games in a report: the latest ones. With 12 plies of their openings, they take about 30 MB.
const MAX_GAMES: usize = 20_000;
/// Number of plies by which openings without a name are counted.
const OPENING_PLIES: usize = 4;
/// Maximum number of examples of a kind of shots.
const MAX_EXAMPLES: usize = 3;
/// Number of years that count as late.
const LATE_YEARS: u16 = 2;
/// The last move of both sides of each group of lengths but the last.
const LENGTHS: [usize; 3] = [30, 45, 60];

/// The query that collects the games of a player. Other games are neither replayed nor kept.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::sync::Arc;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::egdb::Databases;
/// use pdn::query::{Preparation, PreparationOptions, PreparationQuery};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let options = PreparationOptions::new("quick glance");
/// let query = PreparationQuery::new(&options, Arc::default(), Databases::default());
/// let mut games = Preparation::default();
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// let inputs = expand(["samples/games/international.pdn"]);
/// pipeline.run(inputs, &Checking::new(query, CheckOptions::default()), |event| {
///     match event {
///         Event::Begin(_) => {}
///         Event::Done(chunk) => games += chunk,
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// let row = games.row(None, &options, &Arc::default());
/// assert!(row.score.games > 0 && row.names[0].name.as_deref() == Some("Quick Glance"));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparationQuery {
    player: WantedPlayer,
    plies: usize,
    names: Arc<OpeningNames>,
    databases: Databases,
    /// The bounds of searches for shots, if there are any.
    shots: Option<Bounds>,
}

impl PreparationQuery {
    /// Returns the query for the games of the player, with the names of openings and the endgame databases.
    pub fn new(options: &PreparationOptions, names: Arc<OpeningNames>, databases: Databases) -> Self {
        Self {
            player: WantedPlayer::new(&options.player),
            // Openings without a name are listed by their first moves.
            plies: usize::from(options.plies).max(OPENING_PLIES),
            names,
            databases,
            shots: options.shots.then(|| Bounds::default().nodes(options.nodes)),
        }
    }
}

impl GameWork for PreparationQuery {
    type Done = Preparation;

    fn needs(&self) -> Needs {
        Needs::Tags
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Preparation) {
        match self.player.side(&game) {
            Some(side) if game.play() == Play::Game => done.games.push(Facts::of(&game, side, self)),
            Some(_) => done.dropped += 1,
            None => {}
        }
    }
}

/// The games of a player, which can be added to those of another collection.
#[derive(Clone, Debug, Default)]
pub struct Preparation {
    games: Vec<Facts>,
    /// Games that were dropped because there are too many, and byes and forfeits.
    dropped: u64,
}

impl AddAssign for Preparation {
    fn add_assign(&mut self, other: Self) {
        self.games.extend(other.games);
        self.dropped += other.dropped;
        // At twice the number, so that they are not sorted for each chunk.
        if self.games.len() > 2 * MAX_GAMES {
            self.limit();
        }
    }
}

/// What a report is about, and what it shows.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct PreparationOptions {
    /// The player: a name, or a part of it
    // Apart from case and accents.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub player: String,
    /// Depth of the repertoire
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=30))
    )]
    pub plies: u8,
    /// Leave out moves of the repertoire played in fewer games [default: one in a hundred, but at least 2]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub min_games: Option<u64>,
    /// Show at most N openings of each colour
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 12))]
    pub top: usize,
    /// Do not search for shots, which takes most of the time
    #[cfg_attr(feature = "cli", arg(long = "no-shots", action = clap::ArgAction::SetFalse))]
    pub shots: bool,
    /// Number of positions to look at in each search for shots
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 5_000, conflicts_with = "shots", help_heading = ADVANCED)
    )]
    pub nodes: usize,
}

impl PreparationOptions {
    /// Returns the usual options for the games of a player whose name contains a text.
    pub fn new(player: &str) -> Self {
        Self { player: player.to_owned(), plies: 8, min_games: None, top: 12, shots: true, nodes: 5_000 }
    }
}

impl Preparation {
    /// Keeps the latest games.
    fn limit(&mut self) {
        self.games.sort_by_key(|facts| Reverse(facts.date));
        self.dropped += self.games.len().saturating_sub(MAX_GAMES) as u64;
        self.games.truncate(MAX_GAMES);
    }

    /// Returns the number of games that the report leaves out: the earliest of too many, those of other variants, and
    /// byes and forfeits.
    pub(crate) fn left_out(&self, row: &PreparationRow) -> u64 {
        self.dropped + (self.games.len() as u64).saturating_sub(row.names.iter().map(|name| name.games).sum())
    }

    /// Returns the report. If a name is exactly the one that is asked for, names that only contain it are left out. Without a
    /// variant, the report is about the one with the most games.
    pub fn row(
        &mut self,
        variant: Option<Variant>,
        options: &PreparationOptions,
        names: &OpeningNames,
    ) -> PreparationRow {
        self.limit();
        let wanted = WantedPlayer::new(&options.player);
        let is_exact = |facts: &&Facts| wanted.is(&facts.name);
        let has_exact = self.games.iter().any(|facts| is_exact(&facts));
        let chosen = || self.games.iter().filter(|facts| !has_exact || is_exact(facts));
        let variant = variant.or_else(|| commonest(chosen().filter_map(|facts| facts.variant)));
        let games: Vec<&Facts> = chosen().filter(|facts| facts.variant == variant).collect();
        let years = || games.iter().filter_map(|facts| facts.date[0]);
        let years = [years().min(), years().max()];
        let late_since = late_since(years);
        let side = |side| side_row(side, &games, (variant, late_since), (options, names));
        PreparationRow {
            player: options.player.clone(),
            names: names_of(&games),
            variant: variant.map(Variant::name),
            score: score(games.iter().copied()),
            years,
            late_since,
            sides: [Side::White, Side::Black].map(side).into(),
            lengths: lengths(&games),
            phases: phases(&games),
            clock: clock(&games),
            accuracy: accuracy(&games),
            shots: themes(&games),
            endgames: endgames(&games),
            look_at: look_at(&games),
        }
    }
}

fn commonest(variants: impl Iterator<Item = Variant>) -> Option<Variant> {
    let mut counts: HashMap<Variant, u64> = HashMap::new();
    variants.for_each(|variant| *counts.entry(variant).or_default() += 1);
    counts.into_iter().max_by_key(|(variant, count)| (*count, Reverse(variant.name()))).map(|(variant, _)| variant)
}

/// Returns the first late year, if there are earlier ones.
fn late_since([first, last]: [Option<u16>; 2]) -> Option<u16> {
    let since = last?.saturating_sub(LATE_YEARS - 1);
    (first? < since).then_some(since)
}

fn names_of(games: &[&Facts]) -> Vec<CountRow> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for facts in games {
        *counts.entry(&facts.name).or_default() += 1;
    }
    let mut rows: Vec<_> =
        counts.into_iter().map(|(name, games)| CountRow { name: Some(name.to_owned()), games }).collect();
    rows.sort_by_key(|row| Reverse(row.games));
    rows
}

fn score<'a>(games: impl Iterator<Item = &'a Facts>) -> ScoreRow {
    let mut score = ScoreRow::default();
    games.for_each(|facts| score.count(facts.half_points()));
    score
}

/// Returns groups of games by a name, in the order of the names.
fn groups<'a>(games: impl Iterator<Item = (Cow<'a, str>, &'a Facts)>) -> Vec<GroupRow> {
    let mut groups: BTreeMap<Cow<'a, str>, GroupRow> = BTreeMap::new();
    for (name, facts) in games {
        let group = groups.entry(name).or_default();
        group.score.count(facts.half_points());
        group.last_year = group.last_year.max(facts.date[0]);
    }
    groups.into_iter().map(|(name, group)| GroupRow { name: name.into_owned(), ..group }).collect()
}

fn side_row(
    side: Side,
    games: &[&Facts],
    (variant, late_since): (Option<Variant>, Option<u16>),
    (options, names): (&PreparationOptions, &OpeningNames),
) -> SideRow {
    let own = || games.iter().copied().filter(|facts| facts.side == side);
    let mut openings = groups(own().filter_map(|facts| Some((opening(facts)?, facts))));
    openings.sort_by_key(|group| Reverse(group.score.games));
    openings.truncate(options.top);
    let root = variant.map(Position::start);
    let repertoire = root.map(|root| Repertoire::new(side, root, late_since, own()));
    let changes = repertoire.as_ref().filter(|_| late_since.is_some()).map(Repertoire::changes).unwrap_or_default();
    let tree = repertoire.zip(root).map(|(repertoire, root)| {
        // Single games would fill the tree.
        let least = options.min_games.unwrap_or_else(|| (own().count() as u64 / 100).max(2));
        repertoire.into_openings().tree(&root, options.plies.into(), least, names)
    });
    SideRow { side: side_name(side), score: score(own()), openings, changes, tree }
}

/// Returns the name of the opening of a game, or else its first moves.
fn opening(facts: &Facts) -> Option<Cow<'_, str>> {
    if let Some(name) = &facts.opening {
        return Some(Cow::Borrowed(name));
    }
    let mut position = facts.variant.map(Position::start)?;
    let first = facts.line.get(..OPENING_PLIES)?;
    let text = |(ply, played): (usize, &crate::rules::Move)| {
        let text = numbered(&position, played, ply, ply == 0);
        position = position.play_unchecked(played);
        text
    };
    Some(first.iter().enumerate().map(text).collect::<Vec<_>>().join(" ").into())
}

/// Returns the number of the group of a length in plies.
fn length(plies: usize) -> usize {
    LENGTHS.iter().filter(|&&last| plies.div_ceil(2) > last).count()
}

fn lengths(games: &[&Facts]) -> Vec<GroupRow> {
    let group =
        |number: usize| games.iter().copied().filter(move |facts| facts.plies > 0 && length(facts.plies) == number);
    let all = (0..=LENGTHS.len()).map(|number| {
        let from = number.checked_sub(1).map_or(1, |before| LENGTHS[before] + 1);
        let to = LENGTHS.get(number).map(ToString::to_string).unwrap_or_default();
        let last_year = group(number).filter_map(|facts| facts.date[0]).max();
        GroupRow { name: format!("{from}-{to}"), score: score(group(number)), last_year }
    });
    all.filter(|row| row.score.games > 0).collect()
}

fn phases(games: &[&Facts]) -> Vec<GroupRow> {
    let of_phase = |phase: Phase| {
        let own = games.iter().copied().filter(move |facts| facts.plies > 0 && facts.ending == Some(phase));
        groups(own.map(|facts| (Cow::Borrowed(phase.name()), facts)))
    };
    Phase::ALL.into_iter().flat_map(of_phase).collect()
}

fn clock(games: &[&Facts]) -> Option<ClockRow> {
    let mut row = ClockRow::default();
    for (facts, clock) in games.iter().filter_map(|facts| Some((facts, facts.clock?))) {
        let score = if clock.low[0] > 0 { &mut row.in_trouble } else { &mut row.otherwise };
        score.count(facts.half_points());
        for n in 0..2 {
            row.trouble_moves[n] += clock.low[n];
            row.other_moves[n] += clock.other[n];
        }
    }
    (row.in_trouble.games + row.otherwise.games > 0).then_some(row)
}

fn accuracy(games: &[&Facts]) -> Vec<PhaseAccuracyRow> {
    let phases = std::iter::once(None).chain(Phase::ALL.map(Some));
    let row = |(n, phase)| {
        let mut sum = Tally::default();
        let played = games.iter().filter_map(|facts| facts.play.map(|play| play[n]));
        played.filter(Tally::has_moves).for_each(|tally| sum += tally);
        let row = accuracy_row("", &sum);
        PhaseAccuracyRow {
            phase,
            games: row.games,
            moves: row.moves,
            accuracy: row.accuracy,
            average_loss_cm: row.average_loss_cm,
            mistakes: row.mistakes + row.blunders,
        }
    };
    phases.enumerate().map(row).filter(|row| row.moves > 0).collect()
}

fn themes(games: &[&Facts]) -> Vec<ThemeRow> {
    let mut themes: BTreeMap<Option<&str>, ThemeRow> = BTreeMap::new();
    for shot in games.iter().flat_map(|facts| &facts.shots) {
        let theme = themes.entry(shot.name).or_insert_with(|| ThemeRow { shot: shot.name, ..ThemeRow::default() });
        *match shot.fate {
            ShotFate::Played => &mut theme.played,
            ShotFate::Missed => &mut theme.missed,
            ShotFate::Suffered => &mut theme.suffered,
            ShotFate::Allowed => &mut theme.allowed,
        } += 1;
    }
    for (name, theme) in &mut themes {
        theme.examples = examples(games, *name);
    }
    let mut rows: Vec<_> = themes.into_values().collect();
    // Shots without a name come last: they are many, and say least.
    rows.sort_by_key(|row| (row.shot.is_none(), Reverse(row.played + row.missed + row.suffered + row.allowed)));
    rows
}

/// Returns where to find some of the shots with a name.
fn examples(games: &[&Facts], name: Option<&str>) -> Vec<ShotExampleRow> {
    let all = games.iter().flat_map(|facts| facts.shots.iter().map(move |shot| (*facts, shot)));
    let mut found: Vec<_> = all.filter(|(_, shot)| shot.name == name).collect();
    found.sort_by_key(|(facts, shot)| Reverse((shot.gain, facts.date)));
    let row = |(facts, shot): (&Facts, &ShotFact)| ShotExampleRow {
        fate: shot.fate.name(),
        file: facts.file.clone(),
        line: facts.line_number,
        game: facts.game,
        ply: shot.ply,
    };
    found.into_iter().take(MAX_EXAMPLES).map(row).collect()
}

fn endgames(games: &[&Facts]) -> Vec<EndgameResultsRow> {
    let row = |expected: u8| {
        let mut row = EndgameResultsRow { value: result_name(expected), ..EndgameResultsRow::default() };
        let own = games.iter().filter(|facts| facts.endgame.is_some_and(|endgame| endgame.expected == expected));
        for half_points in own.filter_map(|facts| facts.half_points()) {
            row.games += 1;
            *[&mut row.losses, &mut row.draws, &mut row.wins][usize::from(half_points)] += 1;
        }
        row
    };
    [2, 1, 0].map(row).into_iter().filter(|row| row.games > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_years_have_earlier_ones() {
        assert_eq!(late_since([Some(2010), Some(2024)]), Some(2023));
        assert_eq!(late_since([Some(2022), Some(2023)]), None, "two years are not divided");
        assert_eq!(late_since([None, None]), None);
    }

    #[test]
    fn lengths_are_in_moves_of_both_sides() {
        assert_eq!([1, 60, 61, 90, 120, 121, 9999].map(length), [0, 0, 1, 1, 2, 3, 3]);
    }

    #[test]
    fn openings_without_a_name_are_their_first_moves() {
        let start = Position::start(Variant::ENGLISH);
        let played = start.legal_moves()[0];
        assert_eq!(numbered(&start, &played, 0, true), format!("1. {}", start.short(&played)));
        let after = start.play_unchecked(&played);
        let reply = after.legal_moves()[0];
        assert_eq!(numbered(&after, &reply, 1, true), format!("1... {}", after.short(&reply)));
        assert_eq!(numbered(&after, &reply, 1, false), after.short(&reply));
    }
}
