//! All games of a match, on several threads, told in their order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::game::{Played, play};
use super::openings::Opening;
use super::player::{Player, PlayerFault, PlayerSpec};
use crate::board::Side;
use crate::engine::Limits;
use crate::error::Error;
use crate::link::Patience;
use crate::rules::Variant;

/// Whether a match goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It does.
    GoOn,
    /// It is decided.
    Stop,
}

/// A match: who plays what.
///
/// Each opening is played twice, the first player having the side to move and then the other one. Games do not
/// know of each other, so that with limits on depth or nodes they are the same however many are played at once.
#[derive(Clone, Debug)]
pub struct Match {
    /// The two players.
    pub players: [PlayerSpec; 2],
    /// The variant.
    pub variant: Variant,
    /// The openings, at least one; they are played in turn, again and again.
    pub openings: Vec<Opening>,
    /// Number of games.
    pub games: usize,
    /// Limits of each move, for players without their own.
    pub limits: Limits,
    /// How long players that are other programs may take.
    pub patience: Patience,
    /// Plies, with the opening, after which a game is a draw.
    pub most_plies: usize,
}

impl Match {
    /// Plays the games from number `from` on, so many at once, and hands them on in their order.
    ///
    /// # Errors
    ///
    /// If a player cannot play at all, or what `consume` returns.
    pub fn run(
        &self,
        from: usize,
        jobs: NonZeroUsize,
        mut consume: impl FnMut(Played) -> Result<Next, Error>,
    ) -> Result<(), Error> {
        let (next, stop) = (AtomicUsize::new(from), AtomicBool::new(false));
        let (sender, games) = channel();
        thread::scope(|scope| {
            for _ in 0..jobs.get().min(self.games.saturating_sub(from)) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || self.work(next, stop, &sender));
            }
            drop(sender);
            let told = tell(from, &games, &mut consume);
            stop.store(true, Ordering::Relaxed);
            told
        })
    }

    /// The opening of a game, by its number.
    pub fn opening(&self, number: usize) -> &Opening {
        &self.openings[number / 2 % self.openings.len()]
    }

    /// The side of the first player in a game, by its number.
    pub fn first(&self, number: usize) -> Side {
        let turn = self.opening(number).position().turn();
        if number.is_multiple_of(2) { turn } else { !turn }
    }

    fn work(&self, next: &AtomicUsize, stop: &AtomicBool, games: &Sender<(usize, Result<Played, Error>)>) {
        let [first, second] = &self.players;
        let player = |spec: &PlayerSpec| spec.player(self.variant, &self.limits, self.patience);
        let mut players = [player(first), player(second)];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games || stop.load(Ordering::Relaxed) {
                return;
            }
            if games.send((number, self.play(number, &mut players))).is_err() {
                return;
            }
        }
    }

    fn play(&self, number: usize, players: &mut [Player; 2]) -> Result<Played, Error> {
        let first = self.first(number);
        let [a, b] = players;
        let by_side = if first == Side::White { [a, b] } else { [b, a] };
        let played = play(number, first, self.opening(number), by_side, self.most_plies);
        played.map_err(|PlayerFault { reason, .. }| Error::unavailable(format!("a player cannot play: {reason}")))
    }
}

/// Hands games on in the order of their numbers.
fn tell(
    from: usize,
    games: &Receiver<(usize, Result<Played, Error>)>,
    consume: &mut impl FnMut(Played) -> Result<Next, Error>,
) -> Result<(), Error> {
    let (mut waiting, mut next) = (BTreeMap::new(), from);
    for (number, played) in games {
        waiting.insert(number, played);
        while let Some(played) = waiting.remove(&next) {
            next += 1;
            if consume(played?)? == Next::Stop {
                return Ok(());
            }
        }
    }
    Ok(())
}
