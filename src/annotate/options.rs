//! Options for annotating games.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};

use super::scale::JudgementScale;
use super::study::SHARE;
use crate::board::Side;
use crate::engine::{Limit, MAX_LINES};
use crate::error::{self, Error};
use crate::notation::rules_label;
use crate::options;
#[cfg(feature = "cli")]
use crate::options::{ADVANCED, parse_seconds};
use crate::records::Annotators;
use crate::replay::ReplayedGame;
use crate::rules::Variant;
use crate::text::Language;

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// The options that decide what is searched or added.
#[cfg(feature = "cli")]
const SEARCHED: &str =
    "depth nodes time lines variations words shots plain keep_evals player side from_ply to_ply scale thresholds";

/// Options for annotating games.
///
/// # Examples
///
/// ```
/// use pdn::annotate::AnnotateOptions;
/// use pdn::engine::Limit;
///
/// let options = AnnotateOptions { variations: true, ..AnnotateOptions::new(Limit::nodes(10_000)) };
/// assert_eq!(options.thresholds, [100, 150, 250]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub struct AnnotateOptions {
    /// Search depth for each position, in plies
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    #[serde(deserialize_with = "options::some_number::<1, { u64::MAX }, _, _>")]
    pub depth: Option<u32>,
    /// Nodes for each position, in the mean of a game [default: 100000 unless another limit is given]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    #[serde(deserialize_with = "options::some_number::<1, { u64::MAX }, _, _>")]
    pub nodes: Option<u64>,
    /// Seconds for each position, in the mean of a game
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", value_parser = parse_seconds))]
    #[serde(deserialize_with = "options::seconds")]
    pub time: Option<Duration>,
    /// Add the N best moves of each position, each with its evaluation and line; their search gets N times the limit
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "multipv",
            value_name = "N",
            default_value_t = 1,
            value_parser = clap::value_parser!(u32).range(1..=MAX_LINES as i64)
        )
    )]
    #[serde(deserialize_with = "options::number::<1, { MAX_LINES as u64 }, _, _>")]
    pub lines: u32,
    /// Annotate the moves of variations too, except for best lines added by an earlier run
    #[cfg_attr(feature = "cli", arg(long))]
    pub variations: bool,
    /// Explain marked moves and shots in words, as comments after the moves
    #[cfg_attr(feature = "cli", arg(long))]
    pub words: bool,
    /// Language of the words and of the summary
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t))]
    #[serde(deserialize_with = "options::parsed")]
    pub lang: Language,
    /// Find the shots that were played, missed, allowed or prevented [always with --words]
    #[cfg_attr(feature = "cli", arg(long))]
    pub shots: bool,
    /// Write no commands: marks as signs such as `??`, best lines and words as usual, and evaluations only in words
    #[cfg_attr(feature = "cli", arg(long))]
    pub plain: bool,
    /// Remove what earlier runs added, and search nothing
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = SEARCHED.split(' ')))]
    pub clean: bool,
    /// Keep the evaluations in the records; other moves get new ones
    #[cfg_attr(feature = "cli", arg(long))]
    pub keep_evals: bool,
    /// Annotate only the moves of players whose name contains NAME; all other moves stay unchanged
    // In upper or lower case.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub player: Option<String>,
    /// Annotate only the moves of this side
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIDE"))]
    #[serde(deserialize_with = "options::word")]
    pub side: Option<Side>,
    /// First ply to annotate, counted from 1
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "options::number::<1, { u64::MAX }, _, _>")]
    pub from_ply: u32,
    /// Last ply to annotate
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "options::some_number::<1, { u64::MAX }, _, _>")]
    pub to_ply: Option<u32>,
    /// Evaluation, in centi-men, at which about 85 % of the points are expected, in all phases [default: depends on variant and
    /// phase]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CM", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "options::some_number::<1, { u64::MAX }, _, _>")]
    pub scale: Option<u32>,
    /// Smallest losses for an inaccuracy, a mistake and a blunder, in thousandths of a point.
    // The margin is quoted in the help, so this is not its text.
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            value_name = "LOSSES",
            default_value = "0.1,0.15,0.25",
            value_parser = parse_thresholds,
            help = thresholds_help(),
            help_heading = ADVANCED
        )
    )]
    #[serde(deserialize_with = "read_thresholds")]
    pub thresholds: Thresholds,
}

/// Smallest losses for an inaccuracy, a mistake and a blunder, in thousandths of a point.
type Thresholds = [u16; 3];

impl Default for AnnotateOptions {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            time: None,
            lines: 1,
            variations: false,
            words: false,
            lang: Language::default(),
            shots: false,
            plain: false,
            clean: false,
            keep_evals: false,
            player: None,
            side: None,
            from_ply: 1,
            to_ply: None,
            scale: None,
            thresholds: JudgementScale::THRESHOLDS,
        }
    }
}

#[cfg(feature = "cli")]
fn thresholds_help() -> String {
    let margin = f64::from(JudgementScale::MARGIN) / 1000.0;
    format!(
        "Smallest losses for an inaccuracy, a mistake and a blunder, in points; to be marked, a move must lose up to {margin} more"
    )
}

/// Returns three increasing losses from 0 to 1 in thousandths of a point.
fn thresholds(losses: &[f64]) -> Option<Thresholds> {
    // Less than a thousandth would be rounded to 0, and every move would be marked.
    let is_valid = losses.is_sorted() && losses.iter().all(|loss| (0.001..=1.0).contains(loss));
    let losses: Vec<_> = losses.iter().map(|loss| (1000.0 * loss).round() as u16).collect();
    Thresholds::try_from(losses).ok().filter(|_| is_valid)
}

/// Parses losses such as `0.15,0.2,0.25`.
#[cfg(feature = "cli")]
fn parse_thresholds(text: &str) -> Result<Thresholds, String> {
    let losses: Option<Vec<f64>> = text.split(',').map(|text| text.trim().parse().ok()).collect();
    let message = "expected three increasing losses, such as 0.15,0.2,0.25";
    losses.and_then(|losses| thresholds(&losses)).ok_or_else(|| message.to_owned())
}

fn read_thresholds<'de, D: Deserializer<'de>>(from: D) -> Result<Thresholds, D::Error> {
    let losses = Vec::deserialize(from)?;
    thresholds(&losses).ok_or_else(|| de::Error::custom("expected three losses from 0.001 to 1 that increase"))
}

impl AnnotateOptions {
    /// Returns options for annotating all moves of the main line, with the depth, the nodes and the time of a limit for each
    /// position.
    pub fn new(limit: Limit) -> Self {
        Self { depth: limit.depth, nodes: limit.nodes, time: limit.time, ..Self::default() }
    }

    /// Checks the options that select moves.
    ///
    /// # Errors
    ///
    /// If no move can be selected: the first ply is after the last, or the name of the player is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::annotate::AnnotateOptions;
    ///
    /// assert!(AnnotateOptions { from_ply: 5, to_ply: Some(2), ..AnnotateOptions::default() }.check().is_err());
    /// ```
    pub fn check(&self) -> error::Result<()> {
        let (first, last) = (self.from_ply, self.last_ply());
        if last < first {
            return Err(Error::usage(format!(
                "no move is annotated: the first ply, {first}, is after the last, {last}"
            )));
        }
        if self.player.as_ref().is_some_and(|player| player.trim().is_empty()) {
            return Err(Error::usage("expected the name of a player"));
        }
        Ok(())
    }

    /// Returns the limit for each position.
    pub(crate) fn limit(&self) -> Limit {
        let is_unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let nodes = self.nodes.or(is_unlimited.then_some(DEFAULT_NODES));
        Limit { depth: self.depth, nodes, time: self.time, ..Limit::none() }
    }

    /// Returns how moves are judged.
    pub(super) fn judgement_scale(&self) -> JudgementScale {
        let scale = JudgementScale::default().with_thresholds(self.thresholds);
        self.scale.map_or(scale, |centi_men| scale.with_scale(centi_men))
    }

    /// Returns true if shots are found.
    pub(super) const fn finds_shots(&self) -> bool {
        self.shots || self.words
    }

    /// Returns the last ply to annotate.
    fn last_ply(&self) -> u32 {
        self.to_ply.unwrap_or(u32::MAX)
    }

    /// Returns the options for annotating a game; `None` if none of its moves is annotated.
    pub(super) fn of_game(&self, game: &ReplayedGame) -> Option<Cow<'_, Self>> {
        let Some(player) = &self.player else { return Some(Cow::Borrowed(self)) };
        let player = player.to_lowercase();
        let plays = |tag| game.tag(tag).unwrap_or_default().to_lowercase().contains(&player);
        match (plays("White"), plays("Black")) {
            (false, false) => None,
            (true, true) => Some(Cow::Borrowed(self)),
            (white, _) => {
                let side = if white { Side::White } else { Side::Black };
                let is_wanted = self.side.is_none_or(|wanted| wanted == side);
                is_wanted.then(|| Cow::Owned(Self { side: Some(side), ..self.clone() }))
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
        let (first, last) = (self.from_ply, self.last_ply());
        let from = (first > 1).then(|| format!(" from ply {first}"));
        let to = (last < u32::MAX).then(|| format!(" to ply {last}"));
        let lines = (self.lines > 1).then(|| format!(" multipv {}", self.lines));
        let variations = self.variations.then(|| format!(" {}", Annotators::VARIATIONS));
        let shots = self.finds_shots().then(|| " shots".to_owned());
        let words = self.words.then(|| format!(" words {}", self.lang));
        let selection = [rules, side, player, from, to, lines, variations, shots, words];
        let selection: String = selection.into_iter().flatten().collect();
        format!("scale {}{selection}", self.judgement_scale())
    }

    /// Returns what is searched besides the main line, or instead of it. Thresholds and words do not belong to it: they decide
    /// only which searches follow, and what is said about them.
    pub(super) fn searched(&self) -> String {
        let (first, last) = (self.from_ply, self.last_ply());
        let plies = if first == 1 && last == u32::MAX { String::new() } else { format!(" plies {first}-{last}") };
        if self.lines == 1 {
            return plies;
        }
        let side = self.side.map(|side| format!(" side {}", side.letter())).unwrap_or_default();
        format!("{plies} lines {}{side}", self.lines)
    }

    /// Returns the limit of a search: a number of fifths of the limit for each position. A depth is that of one fifth, and grows
    /// by about a ply for each doubling.
    pub(super) fn limit_of(&self, fifths: u32) -> Limit {
        let mut limit = self.limit();
        // A search of 0 nodes would find no move.
        limit.nodes = limit.nodes.map(|nodes| (nodes.saturating_mul(fifths.into()) / u64::from(SHARE)).max(1));
        limit.time = limit.time.map(|time| time.saturating_mul(fifths) / SHARE);
        limit.depth = limit.depth.map(|depth| depth.saturating_add(fifths.ilog2()));
        limit
    }

    /// Returns the limit of a search for several lines: the nodes and the time for one line, times the number of lines, and the
    /// same depth.
    pub(super) fn limit_of_lines(&self) -> Limit {
        let mut limit = self.limit();
        limit.nodes = limit.nodes.map(|nodes| nodes.saturating_mul(u64::from(self.lines)));
        limit.time = limit.time.map(|time| time.saturating_mul(self.lines));
        limit
    }

    /// Returns true if the move with this number and side is annotated.
    pub(super) fn includes(&self, ply: u32, side: Side) -> bool {
        self.includes_ply(ply) && self.side.is_none_or(|wanted| wanted == side)
    }

    /// Returns true if the move with this number is annotated, provided that its side is.
    pub(super) fn includes_ply(&self, ply: u32) -> bool {
        (self.from_ply..=self.last_ply()).contains(&ply)
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn thresholds_increase() {
        assert_eq!(parse_thresholds("0.1, 0.18,0.25"), Ok([100, 180, 250]));
        for text in ["", "0.1", "0.2,0.1,0.3", "0,0.1,0.2", "0.1,0.2,1.5", "0.1,0.2,0.3,0.4", "a,b,c"] {
            assert!(parse_thresholds(text).is_err(), "{text}");
        }
    }
}
