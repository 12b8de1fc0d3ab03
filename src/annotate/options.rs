//! Options for annotating games.

use std::ops::RangeInclusive;

use super::scale::JudgementScale;
use super::study::Effort;
use crate::board::Side;
use crate::egdb::Databases;
use crate::engine::Limit;

/// Options for annotating games.
///
/// # Examples
///
/// ```
/// use pdn::annotate::AnnotateOptions;
/// use pdn::engine::Limit;
///
/// let options = AnnotateOptions::new(Limit::nodes(10_000)).with_confirmation(4);
/// assert_eq!(options.confirming_limit(), Limit::nodes(640_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotateOptions {
    limit: Limit,
    pub(super) factor: u32,
    pub(super) scale: JudgementScale,
    pub(super) side: Option<Side>,
    pub(super) plies: RangeInclusive<u32>,
    pub(super) lines: usize,
    pub(super) variations: bool,
    pub(super) shots: bool,
    pub(super) databases: Databases,
}

/// Limit of a third search, as a multiple of that of a second one.
const THIRD_FACTOR: u32 = 3;

/// Limit of a last search, as a multiple of that of a second one: with the default, 128 times the limit of a first search.
const LAST_FACTOR: u32 = 16;

impl AnnotateOptions {
    /// Default limit of a second search, as a multiple of that of a first one.
    pub const CONFIRMATION: u32 = 8;

    /// Returns options to annotate all moves of the main line, with a limit for each position.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            factor: Self::CONFIRMATION,
            scale: JudgementScale::default(),
            side: None,
            plies: 1..=u32::MAX,
            lines: 1,
            variations: false,
            shots: false,
            databases: Databases::embedded(),
        }
    }

    /// Sets the limit of the second searches, which begin to confirm a mark, as a multiple of that of a first one; 1 confirms with
    /// the same limit.
    #[must_use]
    pub fn with_confirmation(self, factor: u32) -> Self {
        Self { factor: factor.max(1), ..self }
    }

    /// Sets how moves are judged.
    #[must_use]
    pub fn with_scale(self, scale: JudgementScale) -> Self {
        Self { scale, ..self }
    }

    /// Sets the side whose moves are annotated; `None` for both.
    #[must_use]
    pub fn with_side(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// Sets the first and the last move that are annotated, counted from 1.
    #[must_use]
    pub fn with_plies(self, plies: RangeInclusive<u32>) -> Self {
        Self { plies, ..self }
    }

    /// Sets the number of best lines of each position; with 1, only judged moves have a best line.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines: lines.max(1), ..self }
    }

    /// Sets whether the moves of variations are annotated too.
    #[must_use]
    pub fn with_variations(self, variations: bool) -> Self {
        Self { variations, ..self }
    }

    /// Sets whether the shots at the moves of the main line are found: those that were played, missed, allowed or prevented.
    #[must_use]
    pub fn with_shots(self, shots: bool) -> Self {
        Self { shots, ..self }
    }

    /// Sets the databases that say in explanations which endgames are won or drawn.
    #[must_use]
    pub(super) fn with_databases(self, databases: Databases) -> Self {
        Self { databases, ..self }
    }

    /// Returns the number of best lines of each position.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Returns true if the moves of variations are annotated too.
    pub(crate) const fn has_variations(&self) -> bool {
        self.variations
    }

    /// Returns how moves are judged.
    pub const fn scale(&self) -> &JudgementScale {
        &self.scale
    }

    /// Returns the limit for each position.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the limit of the last searches that confirm a mark, sixteen times that of the second searches. Nodes and times are
    /// multiplied; a depth is increased by a ply for each doubling.
    pub fn confirming_limit(&self) -> Limit {
        self.limit_of(Effort::Last)
    }

    /// Returns the limit of a search as a multiple of that of a first one.
    pub(super) fn factor(&self, effort: Effort) -> u32 {
        match effort {
            Effort::First => 1,
            Effort::Second => self.factor,
            Effort::Third | Effort::Rivals => self.factor.saturating_mul(THIRD_FACTOR),
            Effort::Last => self.factor.saturating_mul(LAST_FACTOR),
        }
    }

    /// Returns the limit of a search.
    pub(super) fn limit_of(&self, effort: Effort) -> Limit {
        let factor = self.factor(effort);
        let mut limit = self.times(factor);
        limit.depth = limit.depth.map(|depth| depth.saturating_add(factor.ilog2()));
        limit
    }

    /// Returns the limit of a search for several lines: the nodes and the time of one, times their number, and the same depth.
    pub(super) fn limit_of_lines(&self) -> Limit {
        self.times(u32::try_from(self.lines).unwrap_or(u32::MAX))
    }

    /// Returns the limit for each position with the nodes and the time multiplied.
    fn times(&self, factor: u32) -> Limit {
        let mut limit = self.limit;
        limit.nodes = limit.nodes.map(|nodes| nodes.saturating_mul(u64::from(factor)));
        limit.time = limit.time.map(|time| time.saturating_mul(factor));
        limit
    }

    /// Returns the options for one side; `None` if its moves are not annotated.
    #[must_use]
    pub(crate) fn only(&self, side: Side) -> Option<Self> {
        self.side.is_none_or(|wanted| wanted == side).then(|| self.clone().with_side(Some(side)))
    }

    /// Returns true if a move is annotated, by its number and its side.
    pub(super) fn includes(&self, ply: u32, side: Side) -> bool {
        self.plies.contains(&ply) && self.side.is_none_or(|wanted| wanted == side)
    }

    /// Returns true if the move with this number is annotated, if its side is.
    pub(super) fn includes_ply(&self, ply: u32) -> bool {
        self.plies.contains(&ply)
    }
}
