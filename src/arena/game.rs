//! One game of a match.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::openings::Opening;
use super::player::{Player, PlayerError};
use super::thought::Thought;
use crate::board::Side;
use crate::egdb::EndgameTables;
use crate::engine::Score;
use crate::rules::{DrawEvent, DrawTracker, Move, Position};

/// The failure of a player whose clock has run out.
const OUT_OF_TIME: &str = "out of time";

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    pub(super) number: usize,
    pub(super) first: Side,
    pub(super) opening: Opening,
    pub(super) moves: Vec<Move>,
    /// What the players said about the moves.
    pub(super) thoughts: Vec<Thought>,
    pub(super) winner: Option<Side>,
    pub(super) end: GameEnd,
    /// The names that the players report, the first player's first.
    pub(super) names: [Option<String>; 2],
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum GameEnd {
    /// By the position on the board.
    Board,
    /// By the draw rule of this name.
    Draw(String),
    /// As a draw at the maximum length.
    Length,
    /// By agreement of the players' scores.
    Agreed,
    /// By the value of the position in the endgame databases.
    Database,
    /// By the word of a player: its own loss, or a draw.
    Declared,
    /// By a failure of the loser, for this reason.
    Failed(String),
}

impl MatchGame {
    /// Returns the index of the game in the match, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns the side of the first player.
    pub const fn first(&self) -> Side {
        self.first
    }

    /// Returns the opening.
    pub const fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Returns the moves after the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns what the players said about these moves.
    pub fn thoughts(&self) -> &[Thought] {
        &self.thoughts
    }

    /// Returns the index of the player of a side: 0 for the first player, 1 for the second.
    pub fn player_of(&self, side: Side) -> usize {
        usize::from(side != self.first)
    }

    /// Returns the winner, or `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// Returns how the game ended.
    pub const fn end(&self) -> &GameEnd {
        &self.end
    }

    /// Returns the half points of the first player: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == self.first),
        }
    }

    /// Returns the index of the player that failed, 0 or 1; `None` if neither did.
    pub fn failed_player(&self) -> Option<usize> {
        matches!(self.end, GameEnd::Failed(_)).then(|| usize::from(self.winner == Some(self.first)))
    }
}

/// When games end that the rules let continue.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// Maximum length, in plies.
    pub(super) max_plies: usize,
    /// The tables that adjudicate.
    pub(super) tables: Option<EndgameTables>,
    /// Advantage in centi-men on which both players must agree.
    pub(super) agreed: Option<i32>,
}

/// A game in progress.
pub(super) struct Game {
    history: Vec<Position>,
    position: Position,
    tracker: DrawTracker,
    draw: Option<&'static str>,
}

impl Game {
    pub(super) fn new(opening: &Opening) -> Self {
        let (position, tracker) = (*opening.start(), DrawTracker::new(opening.start()));
        let mut game = Self { history: Vec::new(), position, tracker, draw: None };
        opening.moves().iter().for_each(|step| game.play(step));
        game
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The earlier positions, oldest first.
    pub(super) fn history(&self) -> &[Position] {
        &self.history
    }

    /// Plays a legal move. A draw that can be claimed is claimed.
    pub(super) fn play(&mut self, step: &Move) {
        let after = self.position.play_unchecked(step);
        let events = self.tracker.record(&self.position, step, &after);
        self.draw = self.draw.or(events.first().map(DrawEvent::name));
        self.history.push(self.position);
        self.position = after;
    }

    /// Returns the winner and the end if the game is over.
    pub(super) fn end(&self, end: &End) -> Option<(Option<Side>, GameEnd)> {
        if let Some(winner) = self.position.winner() {
            return Some((Some(winner), GameEnd::Board));
        }
        if let Some(name) = self.draw {
            return Some((None, GameEnd::Draw(name.to_owned())));
        }
        if let Some(probe) = end.tables.as_ref().and_then(|tables| tables.probe(&self.position)) {
            return Some((probe.value().winner(self.position.turn()), GameEnd::Database));
        }
        (self.history.len() >= end.max_plies).then_some((None, GameEnd::Length))
    }
}

/// The outcome of a game before it gets its number.
pub(super) struct PlayedMoves {
    pub(super) moves: Vec<Move>,
    pub(super) thoughts: Vec<Thought>,
    pub(super) winner: Option<Side>,
    pub(super) end: GameEnd,
}

/// Moves of both players in a row on whose scores an agreement rests.
const AGREED_PLIES: usize = 8;

impl End {
    /// Returns the side that is winning by the last scores of both players; `last` moved last.
    fn agreed_winner(&self, thoughts: &[Thought], last: Side) -> Option<Side> {
        let advantage = self.agreed?;
        let recent = thoughts.len().checked_sub(AGREED_PLIES).map(|from| &thoughts[from..])?;
        let of_last = |n: usize, score: Score| if n.is_multiple_of(2) { score.value() } else { -score.value() };
        let scores = recent.iter().rev().enumerate().map(|(n, thought)| thought.score.map(|score| of_last(n, score)));
        let scores = scores.collect::<Option<Vec<_>>>()?;
        if scores.iter().all(|score| *score >= advantage) {
            return Some(last);
        }
        scores.iter().all(|score| *score <= -advantage).then_some(!last)
    }
}

/// Plays a game from an opening, with the players by the index of their side.
///
/// # Errors
///
/// If a player cannot play at all.
pub(super) fn play(opening: &Opening, players: [&mut Player; 2], rules: &End) -> Result<PlayedMoves, PlayerError> {
    let [white, black] = players;
    white.begin(opening, Side::White)?;
    black.begin(opening, Side::Black)?;
    let (mut game, mut moves, mut thoughts) = (Game::new(opening), Vec::new(), Vec::new());
    let mut clocks = [white.clock(), black.clock()];
    let (winner, end) = loop {
        if let Some(end) = game.end(rules) {
            break end;
        }
        let turn = game.position.turn();
        if let Some(winner) = rules.agreed_winner(&thoughts, !turn) {
            break (Some(winner), GameEnd::Agreed);
        }
        let player = if turn == Side::White { &mut *white } else { &mut *black };
        let clock = &mut clocks[turn.index()];
        let started = Instant::now();
        let chosen = player.choose(&game.position, &game.history, *clock);
        if let Some(clock) = clock
            && !clock.spend(started.elapsed())
        {
            break (Some(!turn), GameEnd::Failed(OUT_OF_TIME.to_owned()));
        }
        match chosen {
            Ok((step, thought)) => {
                game.play(&step);
                moves.push(step);
                thoughts.push(thought);
            }
            Err(error) if error.is_permanent() => return Err(error),
            Err(error) => break error.end(turn),
        }
    };
    white.finish(&game.position, &game.history, winner);
    black.finish(&game.position, &game.history, winner);
    Ok(PlayedMoves { moves, thoughts, winner, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_players_must_agree_for_several_moves() {
        let thought = |value| Thought { score: Some(Score::centi_men(value)), ..Thought::default() };
        let limits = End { max_plies: 100, tables: None, agreed: Some(300) };
        // White moves first, so the even thoughts are White's.
        let white_ahead: Vec<_> = [310, -320].repeat(AGREED_PLIES / 2).into_iter().map(thought).collect();
        assert_eq!(limits.agreed_winner(&white_ahead, Side::Black), Some(Side::White));
        assert_eq!(limits.agreed_winner(&white_ahead[1..], Side::Black), None, "too few moves");
        let mut disputed = white_ahead.clone();
        disputed[3] = thought(-299);
        assert_eq!(limits.agreed_winner(&disputed, Side::Black), None);
        disputed[3] = Thought::default();
        assert_eq!(limits.agreed_winner(&disputed, Side::Black), None, "a player without scores agrees to nothing");
        assert_eq!(End { agreed: None, ..limits.clone() }.agreed_winner(&white_ahead, Side::Black), None);
        let black_ahead: Vec<_> = [-310, 320].repeat(AGREED_PLIES / 2).into_iter().map(thought).collect();
        assert_eq!(limits.agreed_winner(&black_ahead, Side::Black), Some(Side::Black));
    }
}
