//! Options for annotating games.

use std::ops::RangeInclusive;

use super::scale::JudgementScale;
use super::study::SHARE;
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
/// let options = AnnotateOptions::new(Limit::nodes(10_000)).with_variations(true);
/// assert_eq!(options.limit(), Limit::nodes(10_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotateOptions {
    limit: Limit,
    pub(super) scale: JudgementScale,
    pub(super) side: Option<Side>,
    pub(super) plies: RangeInclusive<u32>,
    pub(super) lines: usize,
    pub(super) variations: bool,
    pub(super) shots: bool,
    pub(super) databases: Databases,
}

impl AnnotateOptions {
    /// Returns options for annotating all moves of the main line, with a limit for each position.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            scale: JudgementScale::default(),
            side: None,
            plies: 1..=u32::MAX,
            lines: 1,
            variations: false,
            shots: false,
            databases: Databases::embedded(),
        }
    }

    /// Sets how moves are judged.
    #[must_use]
    pub fn with_scale(self, scale: JudgementScale) -> Self {
        Self { scale, ..self }
    }

    /// Sets the side whose moves are annotated; `None` for both sides.
    #[must_use]
    pub fn with_side(self, side: Option<Side>) -> Self {
        Self { side, ..self }
    }

    /// Sets the first and last moves to annotate, counted from 1.
    #[must_use]
    pub fn with_plies(self, plies: RangeInclusive<u32>) -> Self {
        Self { plies, ..self }
    }

    /// Sets the number of best lines for each position; with 1, only judged moves have a best line.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines: lines.max(1), ..self }
    }

    /// Sets whether the moves of variations are annotated too.
    #[must_use]
    pub fn with_variations(self, variations: bool) -> Self {
        Self { variations, ..self }
    }

    /// Sets whether to find the shots at the moves of the main line: those played, missed, allowed or prevented.
    #[must_use]
    pub fn with_shots(self, shots: bool) -> Self {
        Self { shots, ..self }
    }

    /// Sets the databases used in explanations to say which endgames are won or drawn.
    #[must_use]
    pub(super) fn with_databases(self, databases: Databases) -> Self {
        Self { databases, ..self }
    }

    /// Returns the number of best lines for each position.
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

    /// Returns the limit for each position, on average over a game.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the limit of a search: a number of fifths of the limit for each position. A depth is that of one fifth, and grows
    /// by about a ply for each doubling.
    pub(super) fn limit_of(&self, fifths: u32) -> Limit {
        let mut limit = self.limit;
        limit.nodes = limit.nodes.map(|nodes| (nodes.saturating_mul(fifths.into()) / u64::from(SHARE)).max(1));
        limit.time = limit.time.map(|time| time.saturating_mul(fifths) / SHARE);
        limit.depth = limit.depth.map(|depth| depth.saturating_add(fifths.ilog2()));
        limit
    }

    /// Returns the limit of a search for several lines: the nodes and the time for one line, times the number of lines, and the
    /// same depth.
    pub(super) fn limit_of_lines(&self) -> Limit {
        let lines = u32::try_from(self.lines).unwrap_or(u32::MAX);
        let mut limit = self.limit;
        limit.nodes = limit.nodes.map(|nodes| nodes.saturating_mul(u64::from(lines)));
        limit.time = limit.time.map(|time| time.saturating_mul(lines));
        limit
    }

    /// Returns the options for one side; `None` if its moves are not annotated.
    #[must_use]
    pub(crate) fn only(&self, side: Side) -> Option<Self> {
        self.side.is_none_or(|wanted| wanted == side).then(|| self.clone().with_side(Some(side)))
    }

    /// Returns true if the move with this number and side is annotated.
    pub(super) fn includes(&self, ply: u32, side: Side) -> bool {
        self.plies.contains(&ply) && self.side.is_none_or(|wanted| wanted == side)
    }

    /// Returns true if the move with this number is annotated, provided that its side is.
    pub(super) fn includes_ply(&self, ply: u32) -> bool {
        self.plies.contains(&ply)
    }
}
