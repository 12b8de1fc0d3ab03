//! Sources of evaluations.

use std::collections::HashMap;

use crate::engine::{Analysis, Engine, Limit};
use crate::error::Error;
use crate::link::GameEngine;
#[cfg(feature = "link")]
use crate::link::ManagedEngine;
use crate::rules::Position;

/// A position to analyse, and how to analyse it.
#[derive(Clone, Copy, Debug)]
pub struct AnalystQuestion<'a> {
    position: &'a Position,
    history: &'a [Position],
    limit: Limit,
    lines: usize,
    continues: bool,
    /// A hash of the questions that this one continues, if the analyst needs one.
    before: u64,
}

/// Maximum number of earlier positions in a question. Without this limit, the questions about a game with thousands of king moves
/// would take quadratic space; the draw rules count fewer moves.
pub(super) const MAX_HISTORY: usize = 200;

impl<'a> AnalystQuestion<'a> {
    /// Returns a question that asks for one line. `history` holds the earlier positions of the game, oldest first; only
    /// those that can occur again are kept, at most the last 200.
    pub fn new(position: &'a Position, history: &'a [Position], limit: Limit) -> Self {
        Self {
            position,
            history: &history[first_repeatable(position, history)..],
            limit,
            lines: 1,
            continues: false,
            before: 0,
        }
    }

    /// Returns the same question, asking for this many lines.
    #[must_use]
    pub(crate) fn with_lines(self, lines: usize) -> Self {
        Self { lines: lines.max(1), ..self }
    }

    /// Returns the same question as part of a game: the analyst may use its results for the questions since the last one that was
    /// not.
    #[must_use]
    pub(crate) const fn continuing(self) -> Self {
        Self { continues: true, ..self }
    }

    /// Returns the same question with a hash of the questions that it continues.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(super) const fn with_before(self, before: u64) -> Self {
        Self { before, ..self }
    }

    /// Returns the hash of the questions that this one continues, or 0 if there is none.
    #[cfg(feature = "cli")]
    pub(super) const fn before(&self) -> u64 {
        self.before
    }

    /// Returns true if the analyst may use its results for the earlier questions.
    pub const fn continues(&self) -> bool {
        self.continues
    }

    /// Returns the position.
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// Returns the earlier positions that can occur again, oldest first: those since the last capture or man move, at most 200.
    pub(crate) const fn history(&self) -> &'a [Position] {
        self.history
    }

    /// Returns the limit of the search.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the number of lines to find, at least one.
    pub const fn lines(&self) -> usize {
        self.lines
    }
}

/// Returns the index of the first position after the last capture or man move, or of the oldest of the last 200.
fn first_repeatable(position: &Position, history: &[Position]) -> usize {
    let after = |n: usize| history.get(n + 1).unwrap_or(position);
    let oldest = history.len().saturating_sub(MAX_HISTORY);
    let change = (oldest..history.len()).rev().find(|&n| !is_king_move(&history[n], after(n)));
    change.map_or(oldest, |last| last + 1)
}

/// Returns true if only a king moved, without capturing.
fn is_king_move(before: &Position, after: &Position) -> bool {
    use crate::board::Side::{Black, White};
    // The moves are not known here, only the positions.
    let men = |position: &Position, side| {
        position.squares_of(side).iter().filter(|&square| !position.kings().contains(square)).collect::<Vec<_>>()
    };
    [White, Black].into_iter().all(|side| {
        before.squares_of(side).len() == after.squares_of(side).len() && men(before, side) == men(after, side)
    })
}

/// A source of evaluations: the built-in engine or another program.
///
/// # Examples
///
/// An analyst that counts pieces and looks one ply ahead:
///
/// ```
/// use pdn::annotate::{Analyst, AnalystQuestion};
/// use pdn::board::Side;
/// use pdn::engine::{Analysis, Limit, Score};
/// use pdn::rules::{Position, Variant};
///
/// struct Counter;
///
/// impl Analyst for Counter {
///     fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, pdn::Error> {
///         let position = question.position();
///         let lead = |after: &Position| {
///             let pieces = |side: Side| after.squares_of(side).len() as i32;
///             100 * (pieces(position.turn()) - pieces(!position.turn()))
///         };
///         let moves = position.legal_moves();
///         let best = moves.iter().max_by_key(|played| lead(&position.play_unchecked(played)));
///         let score = best.map_or(0, |played| lead(&position.play_unchecked(played)));
///         // Scores are those of the side to move.
///         let nodes = moves.len() as u64;
///         Ok(Analysis::new(Score::centi_men(score), best.copied().into_iter().collect(), 1, nodes))
///     }
/// }
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "B:W28,33:B19,22,23")?;
/// let analysis = Counter.analyse(&AnalystQuestion::new(&position, &[], Limit::depth(1)))?;
/// assert_eq!(analysis.score(), Score::centi_men(200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Analyst: Send {
    /// Answers a question. The answer depends only on the question and, if it [continues](AnalystQuestion::continues) others, on
    /// those: the questions since the last one that continues none.
    ///
    /// # Errors
    ///
    /// If the analyst fails.
    fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error>;
}

/// An analyst that uses an engine: the built-in one unless another is named.
#[derive(Debug)]
pub struct EngineAnalyst<E = Engine> {
    engine: E,
}

/// An analyst that uses another program as its engine.
#[cfg(feature = "link")]
pub type HubAnalyst = EngineAnalyst<ManagedEngine>;

impl<E> EngineAnalyst<E> {
    /// Returns an analyst that uses an engine.
    pub const fn new(engine: E) -> Self {
        Self { engine }
    }
}

impl<E: GameEngine> Analyst for EngineAnalyst<E> {
    fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
        let AnalystQuestion { position, history, limit, lines, continues, .. } = *question;
        if !continues {
            self.engine.forget();
        }
        Ok(GameEngine::analyse(&mut self.engine, position, history, limit, lines)?)
    }
}

/// An analyst that passes each question to another one only once. Variations begin with positions of the main line.
pub(super) struct RememberingAnalyst<'a> {
    inner: &'a mut dyn Analyst,
    known: HashMap<(Position, Vec<Position>, String), Analysis>,
}

impl<'a> RememberingAnalyst<'a> {
    pub(super) fn new(inner: &'a mut dyn Analyst) -> Self {
        Self { inner, known: HashMap::new() }
    }
}

impl Analyst for RememberingAnalyst<'_> {
    fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
        // A limit cannot be hashed, but its text is complete.
        let limit = format!("{} lines {}", question.limit, question.lines);
        let key = (*question.position, question.history.to_vec(), limit);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let made = self.inner.analyse(question)?;
        self.known.insert(key, made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn positions_that_cannot_occur_again_are_left_out() {
        let mut position = Position::from_fen(Variant::INTERNATIONAL, "W:WK48,31:BK3,16").expect("a position");
        let mut history = Vec::new();
        for text in ["48-43", "3-8", "31-27", "8-3", "43-48"] {
            let played = position.legal_moves().into_iter().find(|played| position.short(played) == text);
            history.push(position);
            position = position.play_unchecked(&played.expect(text));
        }
        let question = AnalystQuestion::new(&position, &history, Limit::depth(1));
        assert_eq!(question.history, &history[3..]);
        let repeated: Vec<_> = (0..1000).map(|n| history[3 + n % 2]).collect();
        assert_eq!(AnalystQuestion::new(&position, &repeated, Limit::depth(1)).history().len(), MAX_HISTORY);
    }
}
