//! The games of a match, played on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::match_game::{EarlyEnd, MatchGame, PlayedMoves, Player, play};
use super::openings::Opening;
use crate::board::Side;
use crate::egdb::Databases;
use crate::engine::{Limit, setters};
use crate::error::Error;
use crate::link::{EngineError, EngineSpec, Timeouts};
use crate::pool::work_in_order;
use crate::rules::Variant;

/// Maximum length of a game, in plies, unless another one is set.
const MAX_PLIES: usize = 400;

/// A match between two players.
///
/// Each opening is played twice: the first player has the side to move in the first game and the other side in the second.
/// Games are independent of each other, so that with limits on depth or nodes they do not depend on the number of
/// threads.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// use pdn::arena::{Match, MatchScore, two_ply_openings};
/// use pdn::engine::Limit;
/// use pdn::rules::Variant;
///
/// let players = ["builtin:hash=1".parse()?, "builtin:hash=1,without=reductions".parse()?];
/// let contest = Match::new(players, two_ply_openings(Variant::ITALIAN))?.with_games(2).with_limit(Limit::nodes(50));
/// let mut score = MatchScore::default();
/// contest.play(0, NonZeroUsize::MIN, |game| {
///     score.add(&game);
///     Ok(ControlFlow::Continue(()))
/// })?;
/// assert_eq!(score.games(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    players: [EngineSpec; 2],
    variant: Variant,
    openings: Vec<Opening>,
    games: usize,
    limit: Limit,
    timeouts: Timeouts,
    max_plies: usize,
    adjudication: Option<Databases>,
    agreed: Option<i32>,
}

/// The error for openings that cannot make a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There are no openings.
    #[error("a match needs at least one opening")]
    NoOpenings,
    /// The openings belong to different variants.
    #[error("the openings of a match must belong to one variant")]
    MixedVariants,
}

impl Match {
    /// Returns a match in which each opening is played twice.
    ///
    /// # Errors
    ///
    /// If there are no openings, or openings of different variants.
    pub fn new(players: [EngineSpec; 2], openings: Vec<Opening>) -> Result<Self, MatchError> {
        let variant = openings.first().ok_or(MatchError::NoOpenings)?.position().variant();
        if openings.iter().any(|opening| opening.position().variant() != variant) {
            return Err(MatchError::MixedVariants);
        }
        let games = 2 * openings.len();
        Ok(Self {
            players,
            variant,
            openings,
            games,
            limit: Limit::none(),
            timeouts: Timeouts::default(),
            max_plies: MAX_PLIES,
            adjudication: None,
            agreed: None,
        })
    }

    setters! {
        /// Sets the number of games; the openings are repeated as needed.
        with_games(games: usize);
        /// Sets the limit for each move of players without limits.
        with_limit(limit: Limit);
        /// Sets the timeouts of players that are other programs.
        with_timeouts(timeouts: Timeouts);
        /// Sets the maximum length of a game, in plies including the opening. Longer games are drawn.
        with_max_plies(max_plies: usize);
    }

    /// Ends games when the scores of both players have agreed for eight plies that one of them is ahead by at least this
    /// number of centi-men. By default games are played to the end.
    #[must_use]
    pub(crate) fn with_agreed_wins(self, centi_men: u32) -> Self {
        let agreed = Some(i32::try_from(centi_men).unwrap_or(i32::MAX));
        Self { agreed, ..self }
    }

    /// Sets the endgame databases of built-in engines that name no folder.
    #[must_use]
    pub fn with_databases(self, databases: Databases) -> Self {
        let players = self.players.map(|player| player.with_databases(databases.clone()));
        drop(databases);
        Self { players, ..self }
    }

    /// Ends games as soon as these endgame databases have the position, with its value under best play.
    #[must_use]
    pub(crate) fn with_adjudication(self, databases: Databases) -> Self {
        Self { adjudication: Some(databases), ..self }
    }

    /// Returns the folders of endgame databases on which the games depend: of the players, and of adjudication.
    pub(super) fn database_labels(&self) -> [Option<String>; 3] {
        let label = |databases: &Databases| databases.label(&[self.variant]);
        let [a, b] =
            self.players.each_ref().map(|player| Some(label(&player.databases())).filter(|text| !text.is_empty()));
        [a, b, self.adjudication.as_ref().map(label)]
    }

    /// Returns the players.
    pub const fn players(&self) -> &[EngineSpec; 2] {
        &self.players
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the openings.
    pub(crate) fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Returns the number of games.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Returns the limit for each move of players without limits.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns true if time limits a player, so that games differ from run to run.
    pub(super) fn is_timed(&self) -> bool {
        [self.limit].into_iter().chain(self.players.iter().map(EngineSpec::limit)).any(Limit::is_timed)
    }

    /// Returns the maximum length of a game, in plies.
    pub(crate) const fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// Returns the advantage in centi-men at which games end by agreement.
    pub(super) const fn agreed_wins(&self) -> Option<i32> {
        self.agreed
    }

    /// Returns the opening of the game with this index. A match that is too short for all openings takes evenly spaced
    /// ones.
    pub(crate) fn opening(&self, number: usize) -> &Opening {
        let (pair, pairs, openings) = (number / 2, self.games.div_ceil(2), self.openings.len());
        &self.openings[if pairs < openings { pair * openings / pairs } else { pair % openings }]
    }

    /// Returns the side of the first player in the game with this index.
    pub(crate) fn first(&self, number: usize) -> Side {
        let turn = self.opening(number).position().turn();
        if number.is_multiple_of(2) { turn } else { !turn }
    }

    /// Plays the games from the index `from` on, up to `jobs` at a time, and passes them to `consume` in order until it
    /// breaks. Against a player reached over DXP, they are played one after another.
    ///
    /// # Errors
    ///
    /// If a player cannot play at all, or if `consume` fails.
    pub fn play(
        &self,
        from: usize,
        jobs: NonZeroUsize,
        consume: impl FnMut(MatchGame) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        // A program at the other end of a connection plays one game at a time.
        let jobs = if self.players.iter().any(EngineSpec::is_single) { 1 } else { jobs.get() };
        let player = |spec: &EngineSpec| -> Result<Player, EngineError> {
            let limit = if spec.limit().is_none() { self.limit } else { spec.limit() };
            Ok(Player { engine: spec.start(self.variant, self.timeouts)?, limit })
        };
        let [a, b] = &self.players;
        let pairs =
            // No more players than games: each has a table in memory or is a process.
            (0..jobs.min(self.games.saturating_sub(from))).map(|_| Ok::<_, EngineError>([player(a)?, player(b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, EngineError>>()?;
        work_in_order(from..self.games, pairs, |players, number| self.play_game(number, players), consume)
    }

    fn play_game(&self, number: usize, players: &mut [Player; 2]) -> Result<MatchGame, Error> {
        let (first, opening) = (self.first(number), self.opening(number));
        let [a, b] = players;
        let by_side = if first == Side::White { [a, b] } else { [b, a] };
        let ends = EarlyEnd {
            max_plies: self.max_plies,
            tables: self.adjudication.as_ref().map(|databases| databases.tables(self.variant)),
            agreed: self.agreed,
        };
        let PlayedMoves { moves, thoughts, winner, end } = play(opening, by_side, &ends)
            .map_err(|error| Error::unavailable(format!("a player cannot play: {error}")))?;
        let names = players.each_ref().map(|player| player.engine.name().map(str::to_owned));
        Ok(MatchGame { number, first, opening: opening.clone(), moves, thoughts, winner, end, names })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::two_ply_openings;

    #[test]
    fn a_match_needs_openings_of_one_variant() {
        let players = || ["builtin", "builtin"].map(|text| text.parse().unwrap());
        assert_eq!(Match::new(players(), Vec::new()).unwrap_err(), MatchError::NoOpenings);
        let mixed = [Variant::ITALIAN, Variant::RUSSIAN].into_iter().flat_map(two_ply_openings).collect();
        assert_eq!(Match::new(players(), mixed).unwrap_err(), MatchError::MixedVariants);
    }
}
