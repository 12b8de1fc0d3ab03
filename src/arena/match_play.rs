//! The games of a match, played on several threads.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::game::{End, MatchGame, PlayedMoves, play};
use super::openings::Opening;
use super::player::{Player, PlayerSpec};
use crate::board::Side;
use crate::egdb::Databases;
use crate::engine::{Limit, TableError};
use crate::error::Error;
use crate::link::Timeouts;
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
    players: [PlayerSpec; 2],
    variant: Variant,
    openings: Vec<Opening>,
    games: usize,
    limit: Limit,
    timeouts: Timeouts,
    max_plies: usize,
    adjudication: Option<Databases>,
    agreed: Option<i32>,
}

/// The error for openings of which no match can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchError {
    /// There are no openings.
    NoOpenings,
    /// The openings belong to different variants.
    MixedVariants,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoOpenings => "a match needs at least one opening",
            Self::MixedVariants => "the openings of a match must belong to one variant",
        })
    }
}

impl std::error::Error for MatchError {}

impl Match {
    /// Returns a match in which each opening is played twice.
    ///
    /// # Errors
    ///
    /// If there are no openings, or openings of different variants.
    pub fn new(players: [PlayerSpec; 2], openings: Vec<Opening>) -> Result<Self, MatchError> {
        let variant = openings.first().ok_or(MatchError::NoOpenings)?.position().variant();
        if openings.iter().any(|opening| opening.position().variant() != variant) {
            return Err(MatchError::MixedVariants);
        }
        let games = 2 * openings.len();
        let (limit, timeouts, max_plies) = (Limit::none(), Timeouts::default(), MAX_PLIES);
        let (adjudication, agreed) = (None, None);
        Ok(Self { players, variant, openings, games, limit, timeouts, max_plies, adjudication, agreed })
    }

    /// Sets the number of games; the openings are repeated as needed.
    #[must_use]
    pub fn with_games(self, games: usize) -> Self {
        Self { games, ..self }
    }

    /// Sets the limit of each move for players without limits.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Sets the timeouts of players that are other programs.
    #[must_use]
    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// Sets the maximum length of a game, in plies including the opening. Longer games are drawn.
    #[must_use]
    pub fn with_max_plies(self, max_plies: usize) -> Self {
        Self { max_plies, ..self }
    }

    /// Ends games when the scores of both players have agreed for eight plies that one of them is ahead by at least this
    /// number of centi-men. By default games are played to the end.
    #[must_use]
    pub fn with_agreed_wins(self, centi_men: u32) -> Self {
        let agreed = Some(i32::try_from(centi_men).unwrap_or(i32::MAX));
        Self { agreed, ..self }
    }

    /// Sets the endgame databases of built-in engines that name no folder.
    #[must_use]
    pub fn with_databases(self, databases: Databases) -> Self {
        Self { players: self.players.map(|player| player.with_databases(databases)), ..self }
    }

    /// Ends games as soon as these endgame databases have the position, with its value with best play.
    #[must_use]
    pub fn with_adjudication(self, databases: Databases) -> Self {
        Self { adjudication: Some(databases), ..self }
    }

    /// Returns the folders of endgame databases on which the games depend: of the players, and of adjudication.
    pub(super) fn database_labels(&self) -> [Option<String>; 3] {
        let label = |databases: Databases| databases.label(&[self.variant]);
        let [a, b] =
            self.players.each_ref().map(|player| Some(label(player.databases())).filter(|text| !text.is_empty()));
        [a, b, self.adjudication.map(label)]
    }

    /// Returns the players.
    pub const fn players(&self) -> &[PlayerSpec; 2] {
        &self.players
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the openings.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Returns the number of games.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Returns the limit of each move for players without limits.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns true if time limits a player, so that games differ from run to run.
    pub(super) fn is_timed(&self) -> bool {
        [self.limit].into_iter().chain(self.players.iter().map(PlayerSpec::limit)).any(Limit::is_timed)
    }

    /// Returns the maximum length of a game, in plies.
    pub const fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// Returns the advantage in centi-men at which games end by agreement.
    pub(super) const fn agreed_wins(&self) -> Option<i32> {
        self.agreed
    }

    /// Returns the opening of the game with this index. A match that is too short for all openings takes some of them at
    /// equal distances.
    pub fn opening(&self, number: usize) -> &Opening {
        let (pair, pairs, openings) = (number / 2, self.games.div_ceil(2), self.openings.len());
        &self.openings[if pairs < openings { pair * openings / pairs } else { pair % openings }]
    }

    /// Returns the side of the first player in the game with this index.
    pub fn first(&self, number: usize) -> Side {
        let turn = self.opening(number).position().turn();
        if number.is_multiple_of(2) { turn } else { !turn }
    }

    /// Plays the games from the index `from` on, up to `jobs` at a time, and passes them to `consume` in order until it
    /// breaks. Against a player that is reached over DXP, they are played after each other.
    ///
    /// # Errors
    ///
    /// If a player cannot play at all, and the errors of `consume`.
    pub fn play(
        &self,
        from: usize,
        jobs: NonZeroUsize,
        mut consume: impl FnMut(MatchGame) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let jobs = if self.players.iter().any(PlayerSpec::is_single) { 1 } else { jobs.get() };
        let (next, stop) = (AtomicUsize::new(from), AtomicBool::new(false));
        let (sender, games) = channel();
        thread::scope(|scope| {
            for _ in 0..jobs.min(self.games.saturating_sub(from)) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || self.play_games(next, stop, &sender));
            }
            drop(sender);
            let consumed = consume_in_order(from, &games, &mut consume);
            stop.store(true, Ordering::Relaxed);
            consumed
        })
    }

    fn play_games(&self, next: &AtomicUsize, stop: &AtomicBool, games: &Sender<(usize, Result<MatchGame, Error>)>) {
        let mut players = match self.new_players() {
            Ok(players) => players,
            Err(error) => {
                let _ = games.send((next.fetch_add(1, Ordering::Relaxed), Err(error.into())));
                return;
            }
        };
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games || stop.load(Ordering::Relaxed) {
                return;
            }
            if games.send((number, self.play_game(number, &mut players))).is_err() {
                return;
            }
        }
    }

    fn new_players(&self) -> Result<[Player; 2], TableError> {
        let player = |spec: &PlayerSpec| spec.player(self.variant, self.limit, self.timeouts);
        let [a, b] = &self.players;
        Ok([player(a)?, player(b)?])
    }

    fn play_game(&self, number: usize, players: &mut [Player; 2]) -> Result<MatchGame, Error> {
        let (first, opening) = (self.first(number), self.opening(number));
        let [a, b] = players;
        let by_side = if first == Side::White { [a, b] } else { [b, a] };
        let end = End {
            max_plies: self.max_plies,
            tables: self.adjudication.map(|databases| databases.tables(self.variant)),
            agreed: self.agreed,
        };
        let played = play(opening, by_side, &end);
        let PlayedMoves { moves, thoughts, winner, end } =
            played.map_err(|error| Error::unavailable(format!("a player cannot play: {error}")))?;
        let names = players.each_ref().map(|player| player.name().map(str::to_owned));
        Ok(MatchGame { number, first, opening: opening.clone(), moves, thoughts, winner, end, names })
    }
}

/// Passes games on in the order of their numbers, until that breaks.
pub(super) fn consume_in_order<T>(
    from: usize,
    games: &Receiver<(usize, Result<T, Error>)>,
    consume: &mut impl FnMut(T) -> Result<ControlFlow<()>, Error>,
) -> Result<(), Error> {
    let (mut waiting, mut next) = (BTreeMap::new(), from);
    for (number, played) in games {
        waiting.insert(number, played);
        while let Some(played) = waiting.remove(&next) {
            next += 1;
            if consume(played?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
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
