//! One game of a match.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::openings::Opening;
use super::player::{Player, PlayerFault};
use crate::board::Side;
use crate::rules::{DrawTracker, Move, Position};

/// How a player fails whose clock has run out.
const OUT_OF_TIME: &str = "its time ran out";

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Its number in the match, from 0.
    pub number: usize,
    /// Side of the first player.
    pub first: Side,
    /// The opening.
    pub opening: Opening,
    /// The moves behind the opening.
    pub moves: Vec<Move>,
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// How it ended.
    pub end: End,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// On the board.
    Board,
    /// By a draw rule of this name.
    Draw(String),
    /// It was too long.
    Length,
    /// A player failed.
    Failed(String),
}

impl Played {
    /// Half points of the first player: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == self.first),
        }
    }

    /// Whether a player failed, and then whether it was the first one.
    pub fn failed(&self) -> Option<bool> {
        matches!(self.end, End::Failed(_)).then(|| self.winner != Some(self.first))
    }
}

/// A game that is being played.
struct Game {
    history: Vec<Position>,
    position: Position,
    tracker: DrawTracker,
    draw: Option<&'static str>,
}

impl Game {
    fn new(opening: &Opening) -> Self {
        let (position, tracker) = (opening.start, DrawTracker::new(&opening.start));
        let mut game = Self { history: Vec::new(), position, tracker, draw: None };
        opening.moves.iter().for_each(|step| game.play(step));
        game
    }

    /// Plays a legal move; draws that could be claimed are claimed.
    fn play(&mut self, step: &Move) {
        let after = self.position.play_unchecked(step);
        let events = self.tracker.record(&self.position, step, &after);
        self.draw = self.draw.or(events.first().map(|event| event.name));
        self.history.push(self.position);
        self.position = after;
    }

    /// The winner and the end, if the game is over.
    fn end(&self, most_plies: usize) -> Option<(Option<Side>, End)> {
        if let Some(winner) = self.position.winner() {
            return Some((Some(winner), End::Board));
        }
        if let Some(name) = self.draw {
            return Some((None, End::Draw(name.to_owned())));
        }
        (self.history.len() >= most_plies).then_some((None, End::Length))
    }
}

/// Plays a game: players by the index of their side.
///
/// # Errors
///
/// If a player will never move.
pub(super) fn play(
    number: usize,
    first: Side,
    opening: &Opening,
    players: [&mut Player; 2],
    most_plies: usize,
) -> Result<Played, PlayerFault> {
    let [white, black] = players;
    white.new_game();
    black.new_game();
    let (mut game, mut moves) = (Game::new(opening), Vec::new());
    let mut clocks = [white.clock(), black.clock()];
    let (winner, end) = loop {
        if let Some(end) = game.end(most_plies) {
            break end;
        }
        let turn = game.position.turn();
        let player = if turn == Side::White { &mut *white } else { &mut *black };
        let clock = &mut clocks[turn.index()];
        let started = Instant::now();
        let chosen = player.choose(&game.position, &game.history, *clock);
        if let Some(clock) = clock
            && !clock.spend(started.elapsed())
        {
            break (Some(!turn), End::Failed(OUT_OF_TIME.to_owned()));
        }
        match chosen {
            Ok(step) => {
                game.play(&step);
                moves.push(step);
            }
            Err(fault) if fault.is_lasting => return Err(fault),
            Err(fault) => break (Some(!turn), End::Failed(fault.reason)),
        }
    };
    Ok(Played { number, first, opening: opening.clone(), moves, winner, end })
}
