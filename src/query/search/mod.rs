//! Search: games that match an expression, and positions and moves in them.

mod pattern;

use std::sync::Arc;

use serde::Deserialize;

use super::expression::Expression;

use super::shots::{ShotFinder, ShotQuestion};
use crate::check::{CheckedGame, Needs};
use crate::error::ParseError;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::options::Excel;
use crate::replay::{GameStep, ReplayedGame};
use crate::rules::{Move, Position, Variant};
use pattern::{Amount, Pattern, PositionTest, Progress, Sequence};

/// What is searched for. A game must match all conditions, and a single position those on positions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub struct SearchOptions {
    /// Find games that match an expression
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION"))]
    pub r#where: Option<String>,
    /// Find games with this position; `?` as the side to move means either side
    #[cfg_attr(feature = "cli", arg(long, value_name = "FEN"))]
    pub fen: Option<String>,
    /// Find games with a position whose squares hold, or do not hold, certain pieces, such as `28=w 24=. *=!B`
    #[cfg_attr(feature = "cli", arg(long, value_name = "PATTERN"))]
    pub pattern: Option<String>,
    /// Find games with a position of this material, such as `kings=0 white<=5`
    #[cfg_attr(feature = "cli", arg(long, value_name = "COUNTS"))]
    pub material: Option<String>,
    /// Find games with these consecutive moves
    #[cfg_attr(feature = "cli", arg(long, value_name = "MOVES"))]
    pub sequence: Option<String>,
    /// Find games with this combination, such as `philippe`, `royal:missed` or `any`; `pdn shots --names` lists them
    #[cfg_attr(feature = "cli", arg(long, value_name = "SHOT"))]
    pub shot: Option<String>,
    /// Also find positions and moves with the colours swapped and the board rotated
    #[cfg_attr(feature = "cli", arg(long))]
    pub mirror: bool,
    /// Look for positions and moves in main lines only
    #[cfg_attr(feature = "cli", arg(long = "no-variations", action = clap::ArgAction::SetFalse, help_heading = ADVANCED))]
    pub variations: bool,
    /// Find the games that do not match
    #[cfg_attr(feature = "cli", arg(short = 'v', long))]
    pub invert: bool,
    /// Output format
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", default_value = "pdn"))]
    pub to: SearchFormat,
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

/// The form in which the games that were found are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum SearchFormat {
    /// The bytes of the games
    #[default]
    Pdn,
    /// One JSON object per game
    Jsonl,
    /// A row per game
    Csv,
    /// Nothing: games are only counted
    #[cfg_attr(feature = "cli", value(hide = true))]
    None,
}

impl SearchFormat {
    /// Returns the name, which is also the extension of files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdn => "pdn",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::None => "none",
        }
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            r#where: None,
            fen: None,
            pattern: None,
            material: None,
            sequence: None,
            shot: None,
            mirror: false,
            variations: true,
            invert: false,
            to: SearchFormat::default(),
            escape_formulas: false,
            excel: None,
        }
    }
}

/// The board conditions for a variant, and their mirror image if requested.
type Tests = Vec<(PositionTest, Sequence)>;

impl SearchOptions {
    /// Returns the query, after checking the conditions. If a variant is given, all games belong to it.
    ///
    /// # Errors
    ///
    /// If a condition has no meaning.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::check::Needs;
    /// use pdn::query::SearchOptions;
    ///
    /// let [filter, material] = ["year >= 1990", "kings>=1"].map(|text| Some(text.to_owned()));
    /// let options = SearchOptions { r#where: filter, material, ..SearchOptions::default() };
    /// assert_eq!(options.question(None).unwrap().needs(), Needs::Game);
    /// ```
    pub fn question(&self, variant: Option<Variant>) -> Result<Question, ParseError> {
        let filter = self.r#where.as_deref().map(str::parse::<Expression>).transpose()?;
        self.check(variant)?;
        let on_boards = [&self.fen, &self.pattern, &self.material, &self.sequence, &self.shot];
        let board = on_boards.into_iter().any(Option::is_some).then(|| Arc::new(self.clone()));
        Ok(Question { filter, board, inverted: self.invert })
    }

    /// Checks the conditions for a variant, or else for all: the board of at least one must have their squares.
    fn check(&self, variant: Option<Variant>) -> Result<(), ParseError> {
        self.shot_question()?;
        let first = self.tests(variant.unwrap_or(Variant::INTERNATIONAL)).map(drop);
        if variant.is_some() || Variant::ALL.iter().all(|&other| self.tests(other).is_err()) { first } else { Ok(()) }
    }

    fn shot_question(&self) -> Result<Option<ShotQuestion>, ParseError> {
        self.shot.as_deref().map(str::parse::<ShotQuestion>).transpose().map_err(within("the shot"))
    }

    fn tests(&self, variant: Variant) -> Result<Tests, ParseError> {
        let exact = self.fen.as_deref().map(|fen| Pattern::of_fen(fen, variant)).transpose();
        let exact = exact.map_err(within("the FEN"))?;
        let pattern = self.pattern.as_deref().map(|text| Pattern::read(text, variant)).transpose();
        let pattern = pattern.map_err(within("the pattern"))?;
        let material = self.material.as_deref().map(Amount::read_all).transpose();
        let material = material.map_err(within("the material"))?.unwrap_or_default();
        let sequence = self.sequence.as_deref().map(|text| Sequence::read(text, variant)).transpose();
        let sequence = sequence.map_err(within("the sequence"))?.unwrap_or_default();
        let test = PositionTest { patterns: exact.into_iter().chain(pattern).collect(), material };
        let mirrored = self.mirror.then(|| (test.mirrored(variant), sequence.mirrored(variant)));
        Ok(std::iter::once((test, sequence)).chain(mirrored).collect())
    }
}

/// Returns the keys of a position in a variant, with either side to move if its FEN begins with `?`, and of its mirror image;
/// none if the variant has no such position.
#[cfg(any(feature = "cli", feature = "app-engine"))]
pub(crate) fn position_keys(fen: &str, mirror: bool, variant: Variant) -> Vec<u64> {
    let fens = crate::notation::without_tag(fen)
        .strip_prefix('?')
        .map_or_else(|| vec![fen.to_owned()], |rest| ["W", "B"].map(|side| format!("{side}{rest}")).into());
    let positions: Vec<_> = fens.iter().filter_map(|fen| Position::from_fen(variant, fen).ok()).collect();
    let keys = positions.iter().map(Position::variant_key);
    let mirrored = positions.iter().filter(|_| mirror).map(Position::mirrored_key);
    keys.chain(mirrored).collect()
}

/// Returns the function that prefixes the message of an error by the name of the part of the query that it concerns.
fn within(part: &str) -> impl Fn(ParseError) -> ParseError {
    move |error| ParseError::new(format!("{part}: {error}"))
}

/// A query about games, made from [`SearchOptions`].
#[derive(Clone, Debug, Default)]
pub struct Question {
    filter: Option<Expression>,
    board: Option<Arc<SearchOptions>>,
    /// True if the other games are wanted.
    inverted: bool,
}

impl Question {
    /// Returns how much of the games has to be read.
    pub fn needs(&self) -> Needs {
        let board = if self.board.is_some() { Needs::Game } else { Needs::Tags };
        self.filter.as_ref().map_or(Needs::Tags, Expression::needs).max(board)
    }

    /// Returns true if a game matches. `finder`, at first `None`, keeps what the query needs for each board from one game to the
    /// next.
    pub fn fits(&self, game: &CheckedGame<'_>, finder: &mut Option<BoardFinder>) -> bool {
        let finds = |board: &Arc<SearchOptions>| {
            let finder = finder.get_or_insert_with(|| BoardFinder::new(Arc::clone(board)));
            finder.finds(game.review().game())
        };
        let fits = self.filter.as_ref().is_none_or(|filter| filter.matches(game));
        (fits && self.board.as_ref().is_none_or(finds)) != self.inverted
    }
}

/// Searches games for positions and moves.
#[derive(Debug)]
pub struct BoardFinder {
    question: Arc<SearchOptions>,
    variant: Option<Variant>,
    tests: Tests,
    /// The tests that have met a matching position and a matching sequence.
    met: [Met; 2],
    /// The progress before and after the last move, for each test.
    line: [[Progress; 2]; 2],
    outer: Vec<[[Progress; 2]; 2]>,
    /// The shots required, and their finder.
    shots: Option<(ShotQuestion, ShotFinder)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Met {
    position: bool,
    sequence: bool,
}

impl BoardFinder {
    fn new(question: Arc<SearchOptions>) -> Self {
        let (tests, outer) = (Vec::new(), Vec::new());
        let shots = question.shot_question().ok().flatten().map(|asked| (asked, ShotFinder::of(&asked)));
        Self { question, variant: None, tests, met: Default::default(), line: Default::default(), outer, shots }
    }

    fn look_at(&mut self, position: &Position) {
        for ((test, _), met) in self.tests.iter().zip(&mut self.met) {
            met.position = met.position || test.fits(position);
        }
    }

    /// Returns true if the positions and moves of a game match.
    fn finds(&mut self, game: &ReplayedGame) -> bool {
        let Some(start) = game.start() else { return false };
        self.begin(start);
        game.steps().for_each(|step| self.step(step));
        let has_shot = self.shots.as_mut().is_none_or(|(asked, shots)| shots.end().iter().any(|shot| asked.fits(shot)));
        has_shot && self.met.iter().zip(&self.tests).any(|(met, _)| met.position && met.sequence)
    }

    fn begin(&mut self, start: &Position) {
        if self.variant != Some(start.variant()) {
            self.variant = Some(start.variant());
            // A query cannot match on a board without its squares.
            self.tests = self.question.tests(start.variant()).unwrap_or_default();
        }
        self.line = Default::default();
        self.outer.clear();
        for (met, (test, sequence)) in self.met.iter_mut().zip(&self.tests) {
            *met = Met { position: test.is_empty(), sequence: sequence.is_empty() };
        }
        self.look_at(start);
        if let Some((_, shots)) = &mut self.shots {
            shots.begin(start);
        }
    }

    fn step(&mut self, step: GameStep<'_>) {
        let is_main = self.outer.is_empty() && matches!(step, GameStep::Reach(..));
        if let (Some((_, shots)), true) = (&mut self.shots, is_main || self.question.variations) {
            shots.step(step);
        }
        match step {
            GameStep::Reach(played, after) => self.reach(played, after),
            GameStep::Open => {
                self.outer.push(self.line);
                // A variation replaces the last move, and goes on from what was met before it.
                self.line = self.line.map(|[before, _]| [0, before]);
            }
            GameStep::Close => self.line = self.outer.pop().unwrap_or_default(),
        }
    }

    fn reach(&mut self, played: Option<&Move>, after: &Position) {
        if !self.outer.is_empty() && !self.question.variations {
            return;
        }
        self.look_at(after);
        for (((_, sequence), met), progress) in self.tests.iter().zip(&mut self.met).zip(&mut self.line) {
            if met.sequence {
                continue;
            }
            let last = played.map_or(0, |played| sequence.after(progress[1], played));
            *progress = [progress[1], last];
            met.sequence = sequence.is_complete(last);
        }
    }
}
