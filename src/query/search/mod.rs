//! Search: games that match an expression, and positions and moves in them.

mod pattern;

use std::sync::Arc;

use super::error::QuestionError;
use super::expression::Expression;
use super::grammar::{whole_material, whole_pattern};
use super::shots::{ShotFinder, ShotQuestion};
use crate::check::{CheckedGame, Follower, Needs};
use crate::rules::{Move, Position, Variant};
pub(super) use pattern::moves;
use pattern::{Amount, Exact, Pattern, PositionTest};
use pattern::{Progress, Sequence};

/// Conditions on the boards of games, as text. A single position must match `fen`, `pattern` and `material`; the sequence may be
/// anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardQuestion {
    /// The FEN of an exact position; with `?` either side may be to move.
    fen: Option<String>,
    /// The contents of squares, such as `28=w 24=. *=!B`.
    pattern: Option<String>,
    /// The numbers of pieces, such as `kings=0 white<=5`.
    material: Option<String>,
    /// Consecutive moves.
    sequence: Option<String>,
    /// A combination, such as `philippe:missed`.
    shot: Option<String>,
    /// True to also accept everything with the colours swapped and the board rotated by 180 degrees.
    mirror: bool,
    /// True to search main lines only.
    main_line_only: bool,
}

/// The board conditions for a variant, and their mirror image if requested.
type Tests = Vec<(PositionTest, Sequence)>;

impl BoardQuestion {
    /// Requires an exact position, if a FEN is given; with `?`, either side may be to move.
    #[must_use]
    pub fn fen(self, fen: Option<String>) -> Self {
        Self { fen, ..self }
    }

    /// Requires the contents of squares, such as `28=w 24=. *=!B`.
    #[must_use]
    pub fn pattern(self, pattern: Option<String>) -> Self {
        Self { pattern, ..self }
    }

    /// Requires numbers of pieces, such as `kings=0 white<=5`.
    #[must_use]
    pub fn material(self, material: Option<String>) -> Self {
        Self { material, ..self }
    }

    /// Requires consecutive moves.
    #[must_use]
    pub fn sequence(self, sequence: Option<String>) -> Self {
        Self { sequence, ..self }
    }

    /// Requires a combination, such as `philippe` or `any:missed`, by either side.
    #[must_use]
    pub fn shot(self, shot: Option<String>) -> Self {
        Self { shot, ..self }
    }

    /// Sets whether everything is also accepted with the colours swapped and the board rotated by 180 degrees.
    #[must_use]
    pub fn mirror(self, mirror: bool) -> Self {
        Self { mirror, ..self }
    }

    /// Sets whether only main lines are searched.
    #[must_use]
    pub fn main_line_only(self, main_line_only: bool) -> Self {
        Self { main_line_only, ..self }
    }

    /// Returns true if there are no conditions.
    pub fn is_empty(&self) -> bool {
        let texts = [&self.fen, &self.pattern, &self.material, &self.sequence, &self.shot];
        texts.into_iter().all(Option::is_none)
    }

    /// Checks the conditions for a variant, or else for all: the board of at least one must have their squares.
    ///
    /// # Errors
    ///
    /// If it has no meaning.
    pub(crate) fn check(&self, variant: Option<Variant>) -> Result<(), QuestionError> {
        self.shot_question()?;
        let first = self.tests(variant.unwrap_or(Variant::INTERNATIONAL)).err();
        match first {
            Some(error) if variant.is_some() || Variant::ALL.iter().all(|&other| self.tests(other).is_err()) => {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    fn shot_question(&self) -> Result<Option<ShotQuestion>, QuestionError> {
        self.shot.as_deref().map(ShotQuestion::read).transpose().map_err(|error| error.within("the shot"))
    }

    fn tests(&self, variant: Variant) -> Result<Tests, QuestionError> {
        let within = |part| move |error: QuestionError| error.within(part);
        let exact = self.fen.as_deref().map(|fen| exact(fen, variant)).transpose();
        let pattern = self.pattern.as_deref().map(|text| read_pattern(text, variant)).transpose();
        let material = self.material.as_deref().map(read_material).transpose();
        let sequence = self.sequence.as_deref().map(|text| Sequence::read(text, variant)).transpose();
        let test = PositionTest {
            exact: exact.map_err(within("the FEN"))?,
            pattern: pattern.map_err(within("the pattern"))?,
            material: material.map_err(within("the material"))?.unwrap_or_default(),
        };
        let sequence = sequence.map_err(within("the sequence"))?.unwrap_or_default();
        let mirrored = self.mirror.then(|| (test.mirrored(variant), sequence.mirrored(variant)));
        Ok(std::iter::once((test, sequence)).chain(mirrored).collect())
    }
}

/// Returns the keys of a position in a variant, with either side to move if its FEN begins with `?`, and of its mirror image;
/// none if the variant has no such position.
#[cfg(any(feature = "cli", feature = "app-engine"))]
pub(crate) fn position_keys(fen: &str, mirror: bool, variant: Variant) -> Vec<u64> {
    let fens = fen
        .strip_prefix('?')
        .map_or_else(|| vec![fen.to_owned()], |rest| ["W", "B"].map(|side| format!("{side}{rest}")).into());
    let positions: Vec<_> = fens.iter().filter_map(|fen| Position::from_fen(variant, fen).ok()).collect();
    let keys = positions.iter().map(Position::variant_key);
    let mirrored = positions.iter().filter(|_| mirror).map(Position::mirrored_key);
    keys.chain(mirrored).collect()
}

fn exact(fen: &str, variant: Variant) -> Result<Exact, QuestionError> {
    Exact::read(fen, variant).map_err(|error| QuestionError::new(fen, error.first_span().range(), error.to_string()))
}

fn read_pattern(text: &str, variant: Variant) -> Result<Pattern, QuestionError> {
    let groups = whole_pattern(text).map_err(|found| QuestionError::of(text, found))?;
    Pattern::of(text, &groups, variant)
}

fn read_material(text: &str) -> Result<Vec<Amount>, QuestionError> {
    let counts = whole_material(text).map_err(|found| QuestionError::of(text, found))?;
    Ok(counts.iter().map(Amount::of).collect())
}

/// A query about games.
///
/// # Examples
///
/// ```
/// use pdn::check::Needs;
/// use pdn::query::{BoardQuestion, Expression, Question};
///
/// let board = BoardQuestion::default().material(Some("kings>=1".to_owned()));
/// let filter = Expression::parse("year >= 1990").unwrap();
/// let question = Question::new(Some(filter), board, None).unwrap();
/// assert_eq!(question.needs(), Needs::Results);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Question {
    filter: Option<Expression>,
    board: Option<Arc<BoardQuestion>>,
}

impl Question {
    /// Returns a query; games must match both parts. If a variant is given, all games belong to it.
    ///
    /// # Errors
    ///
    /// If the conditions on boards are invalid.
    pub fn new(
        filter: Option<Expression>,
        board: BoardQuestion,
        variant: Option<Variant>,
    ) -> Result<Self, QuestionError> {
        board.check(variant)?;
        Ok(Self { filter, board: (!board.is_empty()).then(|| Arc::new(board)) })
    }

    /// Returns how much of the games has to be read.
    pub fn needs(&self) -> Needs {
        let board = if self.board.is_some() { Needs::Results } else { Needs::Tags };
        self.filter.as_ref().map_or(Needs::Tags, Expression::needs).max(board)
    }

    /// Returns a finder of the positions and moves, if the query has conditions on them.
    pub fn finder(&self) -> Option<BoardFinder> {
        self.board.clone().map(BoardFinder::new)
    }

    /// Returns true if a game matches; `found` is the result of the finder for it.
    pub fn fits(&self, game: &CheckedGame<'_>, found: Option<bool>) -> bool {
        (self.board.is_none() || found == Some(true)) && self.filter.as_ref().is_none_or(|filter| filter.matches(game))
    }
}

/// Searches games for positions and moves.
#[derive(Debug)]
pub struct BoardFinder {
    question: Arc<BoardQuestion>,
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
    fn new(question: Arc<BoardQuestion>) -> Self {
        let (tests, outer) = (Vec::new(), Vec::new());
        let shots = question.shot_question().ok().flatten().map(|asked| (asked, ShotFinder::of(&asked)));
        Self { question, variant: None, tests, met: Default::default(), line: Default::default(), outer, shots }
    }

    /// Prepares the query for a variant; it cannot match on a board without its squares.
    fn prepare(&mut self, variant: Variant) {
        if self.variant != Some(variant) {
            self.variant = Some(variant);
            self.tests = self.question.tests(variant).unwrap_or_default();
        }
    }

    fn ignores_this_line(&self) -> bool {
        !self.outer.is_empty() && self.question.main_line_only
    }

    fn look_at(&mut self, position: &Position) {
        for ((test, _), met) in self.tests.iter().zip(&mut self.met) {
            met.position = met.position || test.fits(position);
        }
    }
}

impl Follower for BoardFinder {
    type Found = bool;

    fn begin(&mut self, start: &Position) {
        self.prepare(start.variant());
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

    fn reach(&mut self, played: Option<&Move>, after: &Position) {
        if self.ignores_this_line() {
            return;
        }
        if let Some((_, shots)) = &mut self.shots {
            shots.reach(played, after);
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

    fn open(&mut self) {
        if let (Some((_, shots)), false) = (&mut self.shots, self.question.main_line_only) {
            shots.open();
        }
        self.outer.push(self.line);
        self.line = self.line.map(|[before, _]| [0, before]);
    }

    fn close(&mut self) {
        self.line = self.outer.pop().unwrap_or_default();
        if let (Some((_, shots)), false) = (&mut self.shots, self.question.main_line_only) {
            shots.close();
        }
    }

    fn end(&mut self) -> bool {
        let has_shot = self.shots.as_mut().is_none_or(|(asked, shots)| shots.end().iter().any(|shot| asked.fits(shot)));
        has_shot && self.met.iter().zip(&self.tests).any(|(met, _)| met.position && met.sequence)
    }
}
