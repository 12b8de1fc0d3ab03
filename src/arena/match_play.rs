//! The games of a match, played on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::match_game::{EarlyEnd, MatchGame, PlayedMoves, Player, play};
use super::match_options::MatchOptions;
use super::openings::Opening;
use crate::board::Side;
use crate::egdb::Databases;
use crate::engine::Limit;
use crate::error::Error;
use crate::link::{EngineError, EngineSpec};
use crate::pool::work_in_order;
use crate::rules::Variant;

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
/// use pdn::arena::{Match, MatchOptions, MatchScore, two_ply_openings};
/// use pdn::rules::Variant;
///
/// let players = ["builtin:hash=1".parse()?, "builtin:hash=1,without=reductions".parse()?];
/// let options = MatchOptions { games: Some(2), nodes: Some(50), ..MatchOptions::default() };
/// let contest = Match::new(players, two_ply_openings(Variant::ITALIAN), options)?;
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
    pub(crate) players: [EngineSpec; 2],
    pub(crate) variant: Variant,
    pub(crate) openings: Vec<Opening>,
    /// How the games are played.
    pub(super) options: MatchOptions,
    /// The endgame databases that decide games, if they do.
    adjudication: Option<Databases>,
    /// True if the records of games name the players by their specifications.
    pub(super) names_specifications: bool,
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
    /// Returns a match in which each opening is played twice, unless the options have another number of games: then openings
    /// are repeated as needed. Games are decided by the endgame databases of the program, if the options say so.
    ///
    /// # Errors
    ///
    /// If there are no openings, or openings of different variants.
    pub fn new(players: [EngineSpec; 2], openings: Vec<Opening>, options: MatchOptions) -> Result<Self, MatchError> {
        let variant = openings.first().ok_or(MatchError::NoOpenings)?.position().variant();
        if openings.iter().any(|opening| opening.position().variant() != variant) {
            return Err(MatchError::MixedVariants);
        }
        let adjudication = options.adjudicate.then(Databases::default);
        Ok(Self { players, variant, openings, options, adjudication, names_specifications: false })
    }

    /// Sets the endgame databases: those of built-in engines that name no folder, and those that decide games.
    #[must_use]
    pub(crate) fn with_databases(self, databases: Databases) -> Self {
        let players = self.players.map(|player| player.with_databases(databases.clone()));
        Self { players, adjudication: self.adjudication.map(|_| databases), ..self }
    }

    /// Names the players by their specifications in the records of games. Several matches of a tournament then name a player in the
    /// same way: two engines may report one name, which is known only once they have been started.
    #[must_use]
    pub(crate) fn with_specifications(self) -> Self {
        Self { names_specifications: true, ..self }
    }

    /// Returns the folders of endgame databases on which the games depend: of the players, and of adjudication.
    pub(super) fn database_labels(&self) -> [Option<String>; 3] {
        let label = |databases: &Databases| databases.label(&[self.variant]);
        let [a, b] =
            self.players.each_ref().map(|player| Some(label(&player.databases())).filter(|text| !text.is_empty()));
        [a, b, self.adjudication.as_ref().map(label)]
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.options.games.map_or(2 * self.openings.len(), |games| games as usize)
    }

    /// Returns the limit for each move of players without limits.
    pub(crate) fn limit(&self) -> Limit {
        self.options.limit()
    }

    /// Returns true if time limits a player, so that games differ from run to run.
    pub(super) fn is_timed(&self) -> bool {
        [self.limit()].into_iter().chain(self.players.iter().map(EngineSpec::limit)).any(Limit::is_timed)
    }

    /// Returns the opening of the game with this index. A match that is too short for all openings takes evenly spaced
    /// ones.
    pub(crate) fn opening(&self, number: usize) -> &Opening {
        let (pair, pairs, openings) = (number / 2, self.games().div_ceil(2), self.openings.len());
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
    /// If a player cannot play at all, as with weights for another variant, or if `consume` fails.
    pub fn play(
        &self,
        from: usize,
        jobs: NonZeroUsize,
        consume: impl FnMut(MatchGame) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        self.players.iter().try_for_each(|player| player.check(self.variant))?;
        // A program at the other end of a connection plays one game at a time.
        let jobs = if self.players.iter().any(EngineSpec::is_single) { 1 } else { jobs.get() };
        let player = |spec: &EngineSpec| -> Result<Player, EngineError> {
            let limit = if spec.limit().is_none() { self.limit() } else { spec.limit() };
            let engine = spec.start(self.variant, self.options.timeouts())?;
            Ok(Player { engine, limit, has_answered: false })
        };
        let [a, b] = &self.players;
        let pairs =
            // No more players than games: each has a table in memory or is a process.
            (0..jobs.min(self.games().saturating_sub(from))).map(|_| Ok::<_, EngineError>([player(a)?, player(b)?]));
        let pairs = pairs.collect::<Result<Vec<_>, EngineError>>()?;
        work_in_order(from..self.games(), pairs, |players, number| self.play_game(number, players), consume)
    }

    fn play_game(&self, number: usize, players: &mut [Player; 2]) -> Result<MatchGame, Error> {
        let (first, opening) = (self.first(number), self.opening(number));
        for player in &mut *players {
            // The two games of a pair have the same moves from books, whatever the number of jobs.
            player.engine.vary(number as u64 / 2);
        }
        let [a, b] = players;
        let by_side = if first == Side::White { [a, b] } else { [b, a] };
        let ends = EarlyEnd {
            max_plies: self.options.max_plies as usize,
            tables: self.adjudication.as_ref().map(|databases| databases.tables(self.variant)),
            agreed: self.options.agree.map(|centi_men| i32::try_from(centi_men).unwrap_or(i32::MAX)),
            margin: self.options.time_margin,
        };
        let PlayedMoves { moves, thoughts, winner, end } = play(opening, by_side, &ends).map_err(|(side, error)| {
            let player = &self.players[usize::from(side != first)];
            Error::unavailable(format!("{player} cannot play: {error}"))
        })?;
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
        assert_eq!(Match::new(players(), Vec::new(), MatchOptions::default()).unwrap_err(), MatchError::NoOpenings);
        let mixed = [Variant::ITALIAN, Variant::RUSSIAN].into_iter().flat_map(two_ply_openings).collect();
        assert_eq!(Match::new(players(), mixed, MatchOptions::default()).unwrap_err(), MatchError::MixedVariants);
    }
}
