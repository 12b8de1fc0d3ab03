//! The games of a chart, and the chart drawn from them.

use std::ops::AddAssign;
use std::sync::Arc;

use serde::Deserialize;

use super::canvas::WIDTH;
use super::evaluation::EvaluationGraph;
use super::{Words, accuracy, joined, openings, ratings};
use crate::check::{CheckedGame, GameWork, Needs};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::options;
use crate::query::{PlayQuery, PlayedGames, Preparation, PreparationOptions, PreparationQuery, Stats, StatsQuery};
use crate::records::{GroupRow, OpeningNames, ResultsRow};
use crate::rules::Variant;
use crate::text::Language;

/// What a chart shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChartKind {
    /// White's expected score after each move of a game
    #[default]
    Evaluation,
    /// Accuracy by year, of a player or of all players
    Accuracy,
    /// Scores of the most frequent openings, for White or for a player
    Openings,
    /// Results by difference in rating, of a player or of the higher-rated players
    Ratings,
}

/// The content of a chart, and the games it covers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct ChartOptions {
    /// What to show
    #[cfg_attr(feature = "cli", arg(long, value_name = "KIND", default_value = "evaluation"))]
    pub kind: ChartKind,
    /// Show the evaluations of the game with this number, counted over all files
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))
    )]
    #[serde(deserialize_with = "options::number::<1, { u64::MAX }, _, _>")]
    pub game: u64,
    /// Show the games of this player: a name or part of a name
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub player: Option<String>,
    /// Show at most N openings
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 12))]
    pub top: usize,
    /// Language of the chart
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t))]
    #[serde(deserialize_with = "options::parsed")]
    pub lang: Language,
}

impl Default for ChartOptions {
    fn default() -> Self {
        Self { kind: ChartKind::default(), game: 1, player: None, top: 12, lang: Language::default() }
    }
}

impl ChartOptions {
    fn wanted(&self) -> Option<&str> {
        self.player.as_deref()
    }

    /// Returns the options of the report on the player from which the scores of openings are taken.
    fn preparation(&self, player: &str) -> PreparationOptions {
        PreparationOptions { top: self.top, shots: false, ..PreparationOptions::new(player) }
    }
}

/// A query that collects the data of a chart.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::sync::Arc;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::records::OpeningNames;
/// use pdn::report::{ChartData, ChartKind, ChartOptions, ChartQuery};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let options = ChartOptions { kind: ChartKind::Openings, ..ChartOptions::default() };
/// let names = Arc::new(OpeningNames::built_in());
/// let work = Checking::new(ChartQuery::new(&options, names)?, CheckOptions::default());
/// let mut data = ChartData::default();
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(expand(["samples/games"]), &work, |event| {
///     if let Event::Done(found) = event {
///         data += found;
///     }
///     Ok(())
/// })?;
/// assert!(data.chart(&options, None)?.svg().starts_with("<svg "));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChartQuery(What);

#[derive(Clone, Debug)]
enum What {
    /// The evaluations of the game with this number.
    Evaluation(u64),
    Play(PlayQuery),
    Openings(StatsQuery),
    PlayerOpenings(Box<PreparationQuery>),
}

impl ChartQuery {
    /// Returns the query for a chart; `names` are the names of openings.
    ///
    /// # Errors
    ///
    /// If the name of the player is empty, or if an option has no meaning for the kind of chart.
    pub fn new(options: &ChartOptions, names: Arc<OpeningNames>) -> Result<Self> {
        let player = options.wanted();
        if player.is_some_and(|player| player.trim().is_empty()) {
            return Err(Error::usage("expected the name of a player"));
        }
        let default = ChartOptions::default();
        let is_evaluation = options.kind == ChartKind::Evaluation;
        let unused = [
            ("player", is_evaluation && player.is_some()),
            ("game", !is_evaluation && options.game != default.game),
            ("top", options.kind != ChartKind::Openings && options.top != default.top),
        ];
        if let Some((option, _)) = unused.iter().find(|(_, is_unused)| *is_unused) {
            return Err(Error::usage(format!("the option `{option}` has no meaning for a chart of this kind")));
        }
        if options.top == 0 {
            return Err(Error::usage("expected at least 1 as the number of openings"));
        }
        Ok(Self(match (options.kind, player) {
            (ChartKind::Evaluation, _) => What::Evaluation(options.game),
            (ChartKind::Accuracy, _) => What::Play(PlayQuery::accuracy(player)),
            (ChartKind::Ratings, _) => What::Play(PlayQuery::ratings(player)),
            (ChartKind::Openings, None) => What::Openings(StatsQuery::new(names)),
            (ChartKind::Openings, Some(player)) => {
                let options = options.preparation(player);
                What::PlayerOpenings(Box::new(PreparationQuery::new(&options, names, Databases::default())))
            }
        }))
    }
}

impl GameWork for ChartQuery {
    type Done = ChartData;

    fn needs(&self) -> Needs {
        match &self.0 {
            What::Evaluation(_) => Needs::Tags,
            What::Play(query) => query.needs(),
            What::Openings(query) => query.needs(),
            What::PlayerOpenings(query) => query.needs(),
        }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut ChartData) {
        done.games += 1;
        match &self.0 {
            // A game has at least its number in its file among all games.
            What::Evaluation(wanted) if game.number() > *wanted => done.graphs.push(None),
            What::Evaluation(_) => done.graphs.push(Some(Box::new(EvaluationGraph::of(&game)))),
            What::Play(query) => query.game(game, &mut done.play),
            What::Openings(query) => query.game(game, &mut done.stats),
            What::PlayerOpenings(query) => query.game(game, &mut done.preparation),
        }
    }
}

/// The data of a chart, collected from games; the data of later games can be added to it.
#[derive(Clone, Debug, Default)]
pub struct ChartData {
    games: u64,
    /// The graphs of the games of a chunk that may be the one that is wanted.
    graphs: Vec<Option<Box<EvaluationGraph>>>,
    play: PlayedGames,
    stats: Stats,
    preparation: Preparation,
}

impl AddAssign for ChartData {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.graphs.extend(other.graphs);
        self.play += other.play;
        self.stats += other.stats;
        self.preparation += other.preparation;
    }
}

/// A chart, as an image and as a table.
#[derive(Clone, Debug)]
pub struct Chart {
    pub(super) svg: String,
    pub(super) table: Vec<Vec<String>>,
}

impl Chart {
    /// The width of the SVG document, in user units.
    pub const WIDTH: u32 = WIDTH as u32;

    /// Returns the chart as an SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Returns the numbers shown in the chart, as rows of cells; the first row contains the column names.
    pub fn table(&self) -> &[Vec<String>] {
        &self.table
    }
}

impl ChartData {
    /// Returns the chart. A chart of openings covers one variant: the one given, or else the one with the most games.
    ///
    /// # Errors
    ///
    /// If there is nothing to draw; the message says what is missing.
    pub fn chart(self, options: &ChartOptions, variant: Option<Variant>) -> Result<Chart> {
        let words = Words::new(options.lang);
        match options.kind {
            ChartKind::Evaluation => self.evaluation(options, &words),
            ChartKind::Accuracy => self.accuracy(options, &words),
            ChartKind::Openings => self.openings(options, variant, &words),
            ChartKind::Ratings => self.ratings(options, &words),
        }
    }

    fn evaluation(self, options: &ChartOptions, words: &Words) -> Result<Chart> {
        let number = options.game;
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let graph = index.and_then(|index| self.graphs.into_iter().nth(index)).flatten();
        let graph = graph.ok_or_else(|| {
            Error::unavailable(format!("nothing to draw: game {number} was requested; games found: {}", self.games))
        })?;
        if !graph.is_known() {
            let advice = "`pdn annotate` adds evaluations";
            return Err(Error::unavailable(format!("nothing to draw: game {number} has no evaluations; {advice}")));
        }
        Ok(Chart { svg: graph.svg(words), table: graph.table() })
    }

    fn accuracy(&self, options: &ChartOptions, words: &Words) -> Result<Chart> {
        let (names, mut years, mut all) = self.play.accuracy(options.wanted());
        if years.is_empty() {
            return Err(options.nothing(
                self.games,
                &names,
                "has a year and evaluations; `pdn annotate` adds evaluations",
            ));
        }
        if options.player.is_none() {
            // Each game was counted for both sides.
            years.iter_mut().map(|(_, row)| row).chain([&mut all]).for_each(|row| row.games = row.games.div_ceil(2));
        }
        let facts = joined(&[shown(&names, words), words.count("games", all.games), words.count("moves", all.moves)]);
        Ok(accuracy::chart(&facts, &years, &all, words))
    }

    fn ratings(&self, options: &ChartOptions, words: &Words) -> Result<Chart> {
        let (names, leads) = self.play.leads(options.wanted());
        if leads.is_empty() {
            return Err(options.nothing(self.games, &names, "has the ratings of both players and a result"));
        }
        let games = leads.iter().map(|row| row.score.games).sum();
        let view =
            if options.player.is_none() { words.of("The player with the higher rating") } else { shown(&names, words) };
        Ok(ratings::chart(&joined(&[view, words.count("games", games)]), &leads, words))
    }

    fn openings(mut self, options: &ChartOptions, variant: Option<Variant>, words: &Words) -> Result<Chart> {
        let groups = match &options.player {
            Some(player) => self.player_openings(&options.preparation(player), variant),
            None => self.all_openings(options.top, variant),
        };
        let (name, facts, groups) = groups;
        let counted: u64 = groups.iter().flat_map(|(_, rows)| rows).map(|row| row.score.games).sum();
        if counted == 0 {
            let names: Vec<_> = name.iter().map(String::as_str).collect();
            return Err(options.nothing(self.games, &names, "has the first moves of an opening"));
        }
        let facts = joined(&[name.unwrap_or_default(), facts, words.count("games", counted)]);
        Ok(openings::chart(&facts, &groups, options.player.is_some(), words))
    }

    /// Returns the name of a player, the variant, and the openings with each colour.
    fn player_openings(&mut self, options: &PreparationOptions, variant: Option<Variant>) -> Groups {
        let row = self.preparation.row(variant, options, &OpeningNames::default());
        let names = ["with White", "with Black"];
        let groups = row.sides.into_iter().zip(names).map(|(side, name)| (Some(name), side.openings));
        let groups = groups.filter(|(_, rows)| !rows.is_empty()).collect();
        let name = row.names.into_iter().next().and_then(|name| name.name);
        (name, row.variant.unwrap_or_default().to_owned(), groups)
    }

    /// Returns the variant and its openings: by name if at least half of the games have an opening with a name, or else by the first
    /// moves.
    fn all_openings(&self, top: usize, variant: Option<Variant>) -> Groups {
        let row = self.stats.row(usize::MAX);
        let commonest = row.variants.iter().find_map(|row| row.name.as_deref());
        let wanted = variant.or_else(|| commonest.and_then(Variant::by_name)).map_or("", Variant::name);
        let named = row.named_openings.iter().map(|row| (row.variant, &row.name, row.results));
        let unnamed = row.openings.iter().map(|row| (row.variant, &row.moves, row.results));
        let is_own = |&(variant, ..): &(&str, &String, ResultsRow)| variant == wanted;
        let (named, unnamed): (Vec<_>, Vec<_>) = (named.filter(is_own).collect(), unnamed.filter(is_own).collect());
        let games = |rows: &[(_, _, ResultsRow)]| -> u64 {
            rows.iter().map(|(.., row)| row.white_wins + row.draws + row.black_wins + row.unknown).sum()
        };
        let rows = if 2 * games(&named) < games(&unnamed) { unnamed } else { named };
        let rows = rows.into_iter().take(top).map(|(_, name, results)| GroupRow::of_white(name, results)).collect();
        (None, wanted.to_owned(), vec![(None, rows)])
    }
}

/// The name of a player, the variant, and openings in groups with headings.
type Groups = (Option<String>, String, Vec<(Option<&'static str>, Vec<GroupRow>)>);

impl ChartOptions {
    /// Returns the error of a chart without numbers: what no game has.
    fn nothing(&self, games: u64, names: &[&str], missing: &str) -> Error {
        let reason = match &self.player {
            _ if games == 0 => "there are no games".to_owned(),
            Some(player) if names.is_empty() => format!("no game of a player whose name contains `{player}`"),
            Some(player) => format!("no game of `{player}` {missing}"),
            None => format!("no game {missing}"),
        };
        Error::unavailable(format!("nothing to draw: {reason}"))
    }
}

/// Returns the first of the names of a player, or words for all players.
fn shown(names: &[&str], words: &Words) -> String {
    let name = names.first().filter(|name| !name.is_empty());
    name.map_or_else(|| words.of("All players"), |name| (*name).to_owned())
}
