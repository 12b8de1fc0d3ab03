//! The options of a match.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};

use super::openings::{Opening, even_openings, random_openings, read_openings, two_ply_openings};
use crate::engine::{GameClock, Limit};
use crate::error::Result;
use crate::link::Timeouts;
#[cfg(feature = "cli")]
use crate::options::{ADVANCED, parse_margin, parse_seconds};
use crate::options::{margin, number, seconds, some_number, time};
use crate::rules::Variant;

/// Nodes for each move if no limit is given.
const DEFAULT_NODES: u64 = 10_000;
/// Number of random openings if no number of games is given.
const DEFAULT_RANDOM_OPENINGS: u32 = 100;
/// Maximum length of a game, in plies, unless another one is set.
const MAX_PLIES: u32 = 400;
/// Seconds for each answer of an engine, unless another time is set.
const ENGINE_TIMEOUT: Duration = Duration::from_mins(1);

/// Time by which a move may exceed its limit, unless another one is set: a busy machine delays programs that stop in time.
const TIME_MARGIN: Duration = Duration::from_millis(200);

/// How the games of a match are played.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchOptions {
    /// Number of games of each match; if there are more openings than needed, evenly spaced ones are used [default: each opening twice]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    #[serde(deserialize_with = "some_number::<1, { u64::MAX }, _, _>")]
    pub games: Option<u32>,
    /// File of openings: a FEN per line, or PDN with the moves of an opening as a game [default: all fair positions after two
    /// plies]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", conflicts_with = "random_plies"))]
    pub openings: Option<PathBuf>,
    /// Start with this many random plies
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100)))]
    #[serde(deserialize_with = "some_number::<1, 100, _, _>")]
    pub random_plies: Option<u32>,
    /// Use only random openings that a search of 20,000 nodes scores within CM centi-men of even
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CM", requires = "random_plies", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "some_number::<1, 1000, _, _>")]
    pub even: Option<u32>,
    /// Seed for the random plies
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t = 1, help_heading = ADVANCED))]
    pub seed: u64,
    /// Seconds for each move
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", value_parser = parse_seconds))]
    #[serde(deserialize_with = "seconds")]
    pub time: Option<Duration>,
    /// Clock of each player: seconds for the game and, after a plus sign, for each move, such as 60+0.5
    #[cfg_attr(feature = "cli", arg(long, value_name = "SECONDS", value_parser = parse_clock))]
    #[serde(deserialize_with = "clock")]
    pub clock: Option<GameClock>,
    /// Nodes for each move [default: 10000 unless another limit is given]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    #[serde(deserialize_with = "some_number::<1, { u64::MAX }, _, _>")]
    pub nodes: Option<u64>,
    /// Search depth for each move, in plies
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    #[serde(deserialize_with = "some_number::<1, { u64::MAX }, _, _>")]
    pub depth: Option<u32>,
    /// End a game when the scores of both players have agreed for eight plies that one of them is ahead by at least CM
    /// centi-men
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CM", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "some_number::<1, { u64::MAX }, _, _>")]
    pub agree: Option<u32>,
    /// Maximum length of a game in plies; longer games are drawn
    // The opening counts.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "number::<1, { u64::MAX }, _, _>")]
    pub max_plies: u32,
    /// Decide games by the endgame databases as soon as they have the position
    #[cfg_attr(feature = "cli", arg(long, help_heading = ADVANCED))]
    pub adjudicate: bool,
    /// Seconds by which a move may exceed --time before the player loses
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = parse_margin, help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "margin")]
    pub time_margin: Duration,
    /// Seconds an engine may take to start, and to answer beyond its time limit
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "time")]
    pub engine_timeout: Duration,
}

impl Default for MatchOptions {
    fn default() -> Self {
        Self {
            games: None,
            openings: None,
            random_plies: None,
            even: None,
            seed: 1,
            time: None,
            clock: None,
            nodes: None,
            depth: None,
            agree: None,
            max_plies: MAX_PLIES,
            adjudicate: false,
            time_margin: TIME_MARGIN,
            engine_timeout: ENGINE_TIMEOUT,
        }
    }
}

impl MatchOptions {
    /// Returns the limit for each move of players without limits.
    pub(crate) fn limit(&self) -> Limit {
        let limit = Limit { depth: self.depth, nodes: self.nodes, time: self.time, clock: self.clock };
        if limit.is_none() { Limit::nodes(DEFAULT_NODES) } else { limit }
    }

    /// Returns the timeouts of players that are other programs.
    pub(super) const fn timeouts(&self) -> Timeouts {
        Timeouts::new(self.engine_timeout, self.engine_timeout)
    }

    /// Returns the openings for a variant.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has an opening that cannot be played.
    pub fn read_openings(&self, variant: Variant) -> Result<Vec<Opening>> {
        if let Some(path) = &self.openings {
            return read_openings(path, variant);
        }
        let Some(plies) = self.random_plies else { return Ok(two_ply_openings(variant)) };
        let count = self.games.map_or(DEFAULT_RANDOM_OPENINGS, |games| games.div_ceil(2));
        let (plies, count) = (plies as usize, count as usize);
        Ok(match self.even {
            Some(centi_men) => even_openings(variant, plies, self.seed, count, centi_men),
            None => random_openings(variant, plies, self.seed, count),
        })
    }
}

/// Reads an optional clock, written as on the command line.
fn clock<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Option<GameClock>, D::Error> {
    parse_clock(&String::deserialize(from)?).map(Some).map_err(de::Error::custom)
}

/// Reads a clock without a number of moves.
fn parse_clock(text: &str) -> std::result::Result<GameClock, String> {
    let clock: GameClock = text.parse().map_err(|error| format!("{error}"))?;
    if clock.left.is_zero() || clock.moves().is_some() {
        return Err("expected a positive number of seconds, such as 60 or 60+0.5".to_owned());
    }
    Ok(clock)
}
