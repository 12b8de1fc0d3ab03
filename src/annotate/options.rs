//! Options for annotating games.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::former::FormerEvaluations;
use super::scale::JudgementScale;
use super::study::SHARE;
use crate::board::Side;
use crate::engine::Limit;
use crate::notation::rules_label;
use crate::replay::ReplayedGame;
use crate::rules::Variant;
use crate::text::Language;

/// Options for annotating games.
///
/// # Examples
///
/// ```
/// use pdn::annotate::AnnotateOptions;
/// use pdn::engine::Limit;
///
/// let options = AnnotateOptions::new(Limit::nodes(10_000)).with_variations(true);
/// assert_eq!(options.scale().thresholds(), [100, 150, 200]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotateOptions {
    pub(super) limit: Limit,
    scale: JudgementScale,
    side: Option<Side>,
    plies: RangeInclusive<u32>,
    pub(super) lines: usize,
    pub(super) variations: bool,
    pub(super) shots: bool,
    pub(super) former: FormerEvaluations,
    pub(super) words: Option<Language>,
    player: Option<String>,
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
            former: FormerEvaluations::Replace,
            words: None,
            player: None,
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

    /// Sets what happens to the evaluations that games already have.
    #[must_use]
    pub fn with_former(self, former: FormerEvaluations) -> Self {
        Self { former, ..self }
    }

    /// Restricts the annotations to the moves of players whose name contains a text, in upper or lower case.
    #[must_use]
    pub fn with_player(self, player: Option<String>) -> Self {
        Self { player, ..self }
    }

    /// Sets the language in which marked moves and shots are explained, in comments; `None` for no such comments. Shots are found
    /// for it.
    #[must_use]
    pub fn with_words(self, words: Option<Language>) -> Self {
        Self { words, shots: self.shots || words.is_some(), ..self }
    }

    /// Returns how moves are judged.
    pub const fn scale(&self) -> &JudgementScale {
        &self.scale
    }

    /// Returns the options for annotating a game; `None` if none of its moves is annotated.
    pub(super) fn of_game(&self, game: &ReplayedGame) -> Option<Cow<'_, Self>> {
        let Some(player) = &self.player else { return Some(Cow::Borrowed(self)) };
        let player = player.to_lowercase();
        let plays = |tag| game.tree().tag(tag).unwrap_or_default().to_lowercase().contains(&player);
        match (plays("White"), plays("Black")) {
            (false, false) => None,
            (true, true) => Some(Cow::Borrowed(self)),
            (white, _) => {
                let side = if white { Side::White } else { Side::Black };
                let is_wanted = self.side.is_none_or(|wanted| wanted == side);
                is_wanted.then(|| Cow::Owned(self.clone().with_side(Some(side))))
            }
        }
    }

    /// Returns everything on which the annotations of games of a variant depend besides the game, the engine and its limit, as
    /// the tag `Annotator` names it.
    pub(super) fn label(&self, variant: Option<Variant>) -> String {
        let house = variant.filter(|variant| variant.is_house());
        let rules = house.map(|house| format!(" rules {}", rules_label(house)));
        let side = self.side.map(|side| format!(" side {}", side.letter()));
        let player = self.player.as_ref().map(|name| format!(" player {name}"));
        let (first, last) = (*self.plies.start(), *self.plies.end());
        let from = (first > 1).then(|| format!(" from ply {first}"));
        let to = (last < u32::MAX).then(|| format!(" to ply {last}"));
        let lines = (self.lines > 1).then(|| format!(" multipv {}", self.lines));
        let variations = self.variations.then(|| " variations".to_owned());
        let shots = self.shots.then(|| " shots".to_owned());
        let words = self.words.map(|language| format!(" words {language}"));
        let selection = [rules, side, player, from, to, lines, variations, shots, words];
        let selection: String = selection.into_iter().flatten().collect();
        format!("scale {}{selection}", self.scale)
    }

    /// Returns what is searched besides the main line, or instead of it. Thresholds and words do not belong to it: they decide
    /// only which searches follow, and what is said about them.
    pub(super) fn searched(&self) -> String {
        let plies = if self.plies == (1..=u32::MAX) {
            String::new()
        } else {
            format!(" plies {}-{}", self.plies.start(), self.plies.end())
        };
        if self.lines == 1 {
            return plies;
        }
        let side = self.side.map(|side| format!(" side {}", side.letter())).unwrap_or_default();
        format!("{plies} lines {}{side}", self.lines)
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

    /// Returns true if the move with this number and side is annotated.
    pub(super) fn includes(&self, ply: u32, side: Side) -> bool {
        self.plies.contains(&ply) && self.side.is_none_or(|wanted| wanted == side)
    }

    /// Returns true if the move with this number is annotated, provided that its side is.
    pub(super) fn includes_ply(&self, ply: u32) -> bool {
        self.plies.contains(&ply)
    }
}
