//! Games of engines: in progress, and one game of a match.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::openings::Opening;
use crate::board::Side;
use crate::egdb::EndgameTables;
use crate::engine::{Limit, Score};
use crate::link::{EngineError, EngineTurn, GameEngine, Thought};
use crate::notation::Outcome;
use crate::rules::{DrawEvent, DrawTracker, Move, Position};

/// A game in progress with all of its positions, whose moves can be taken back.
///
/// # Examples
///
/// ```
/// use pdn::arena::GameLine;
/// use pdn::rules::{Position, Variant};
///
/// let mut game = GameLine::new(Position::start(Variant::INTERNATIONAL));
/// game.play(&game.position().legal_moves()[0]);
/// assert_eq!((game.moves().len(), game.outcome()), (1, None));
/// game.truncate(0);
/// assert_eq!(*game.position(), game.start());
/// ```
#[derive(Clone, Debug)]
pub struct GameLine {
    start: Position,
    history: Vec<Position>,
    moves: Vec<Move>,
    position: Position,
    tracker: DrawTracker,
    draw: Option<&'static str>,
}

impl GameLine {
    /// Returns a game before its first move.
    pub fn new(start: Position) -> Self {
        let (history, moves, tracker) = (Vec::new(), Vec::new(), DrawTracker::new(&start));
        Self { start, history, moves, position: start, tracker, draw: None }
    }

    /// Returns the game after the moves of an opening.
    pub(super) fn after(opening: &Opening) -> Self {
        let mut game = Self::new(*opening.start());
        opening.moves().iter().for_each(|step| game.play(step));
        game
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> Position {
        self.start
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the positions before the current one, oldest first.
    pub fn history(&self) -> &[Position] {
        &self.history
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, step: &Move) {
        let after = self.position.play_unchecked(step);
        let events = self.tracker.record(&self.position, step, &after);
        self.draw = self.draw.or(events.first().map(DrawEvent::name));
        self.history.push(self.position);
        self.moves.push(*step);
        self.position = after;
    }

    /// Takes the last moves back until at most `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        // Draw counters only count forwards, so the game is replayed.
        let mut earlier = Self::new(self.start);
        self.moves.iter().take(plies).for_each(|step| earlier.play(step));
        *self = earlier;
    }

    /// Returns the name of the first draw rule that applies.
    pub const fn draw(&self) -> Option<&'static str> {
        self.draw
    }

    /// Returns the outcome if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = self.position.winner().map(Outcome::Win);
        winner.or(self.draw.map(|_| Outcome::Draw))
    }
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    pub(super) number: usize,
    /// The side of the first player.
    pub(crate) first: Side,
    pub(crate) opening: Opening,
    pub(super) moves: Vec<Move>,
    /// The players' reports about the moves.
    pub(super) thoughts: Vec<Thought>,
    pub(super) winner: Option<Side>,
    pub(super) end: GameEnd,
    /// The names that the players report, the first player's first.
    pub(super) names: [Option<String>; 2],
}

/// The end of a game.
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
    /// By a player's declaration: its own loss, or a draw.
    Declared,
    /// By a failure of the loser, for this reason.
    Failed(String),
}

impl MatchGame {
    /// Returns the index of the game in the match, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns the moves after the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
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
    pub(crate) fn half_points(&self) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == self.first),
        }
    }

    /// Returns the index of the player that failed, 0 or 1; `None` if neither did.
    pub(super) fn failed_player(&self) -> Option<usize> {
        matches!(self.end, GameEnd::Failed(_)).then(|| usize::from(self.winner == Some(self.first)))
    }
}

/// A player in the games of a match.
pub(super) struct Player {
    pub(super) engine: Box<dyn GameEngine>,
    pub(super) limit: Limit,
    /// True once it has answered in any way.
    pub(super) has_answered: bool,
}

/// The conditions for ending games that the rules would let continue.
#[derive(Clone, Debug)]
pub(super) struct EarlyEnd {
    /// Maximum length, in plies.
    pub(super) max_plies: usize,
    /// The tables that adjudicate.
    pub(super) tables: Option<EndgameTables>,
    /// Advantage in centi-men on which both players must agree.
    pub(super) agreed: Option<i32>,
    /// Time by which a move may exceed its limit.
    pub(super) margin: Duration,
}

// Four moves of each player: a single misjudgement decides nothing.
/// Number of consecutive plies whose scores must agree.
const AGREED_PLIES: usize = 8;

impl EarlyEnd {
    /// Returns the winner and the end of a game if it is over. A draw that can be claimed is claimed.
    pub(super) fn of(&self, game: &GameLine) -> Option<(Option<Side>, GameEnd)> {
        if let Some(winner) = game.position.winner() {
            return Some((Some(winner), GameEnd::Board));
        }
        if let Some(name) = game.draw {
            return Some((None, GameEnd::Draw(name.to_owned())));
        }
        // After the draw rules: tables know nothing of repetitions and counted moves.
        if let Some(probe) = self.tables.as_ref().and_then(|tables| tables.probe(&game.position)) {
            return Some((probe.value().winner(game.position.turn()), GameEnd::Database));
        }
        (game.moves.len() >= self.max_plies).then_some((None, GameEnd::Length))
    }

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

/// A game of a match before it gets its number.
pub(super) struct PlayedMoves {
    /// The moves after the opening.
    pub(super) moves: Vec<Move>,
    pub(super) thoughts: Vec<Thought>,
    pub(super) winner: Option<Side>,
    pub(super) end: GameEnd,
}

/// Plays a game from an opening, with the players by the index of their side.
///
/// # Errors
///
/// If the player of a side cannot play at all.
pub(super) fn play(
    opening: &Opening,
    mut players: [&mut Player; 2],
    ends: &EarlyEnd,
) -> Result<PlayedMoves, (Side, EngineError)> {
    let mut unable = None;
    for (player, side) in players.iter_mut().zip(Side::ALL) {
        match player.engine.begin(opening.position(), side, player.limit) {
            Ok(()) => {}
            Err(error) if error.is_permanent() => return Err((side, error)),
            Err(error) => unable = unable.or(Some((Some(!side), GameEnd::Failed(error.to_string())))),
        }
    }
    let (mut game, mut thoughts) = (GameLine::after(opening), Vec::new());
    let mut clocks = players.each_ref().map(|player| player.limit.clock);
    let (winner, end) = loop {
        if let Some(end) = unable {
            break end;
        }
        if let Some(end) = ends.of(&game) {
            break end;
        }
        let turn = game.position.turn();
        if let Some(winner) = ends.agreed_winner(&thoughts, !turn) {
            break (Some(winner), GameEnd::Agreed);
        }
        let (player, clock) = (&mut *players[turn.index()], &mut clocks[turn.index()]);
        let limit = Limit { clock: clock.or(player.limit.clock), ..player.limit };
        let started = Instant::now();
        let answer = player.engine.play(&game.position, &game.history, limit);
        let time = started.elapsed();
        match answer {
            // It would lose all other games too, after as long a wait in each.
            Err(error) if error.is_time_out() && !player.has_answered => return Err((turn, error)),
            _ => player.has_answered = true,
        }
        // Before the answer is looked at: a move, or a resignation, after the time has run out is too late.
        if let Some(clock) = clock
            && !clock.spend(time)
        {
            break (Some(!turn), GameEnd::Failed(OUT_OF_TIME.to_owned()));
        }
        if let Some(allowed) = player.limit.time
            && time > allowed + ends.margin
        {
            let (taken, allowed) = (time.as_secs_f64(), allowed.as_secs_f64());
            break (Some(!turn), GameEnd::Failed(format!("a move took {taken:.3} s of {allowed} s")));
        }
        match answer {
            Ok(EngineTurn::Move(step, thought)) => {
                game.play(&step);
                thoughts.push(Thought { time, ..thought });
            }
            Ok(EngineTurn::Resign) => break (Some(!turn), GameEnd::Declared),
            Ok(EngineTurn::Draw) => break (None, GameEnd::Declared),
            // The engine cannot be started again, and would lose all other games too.
            Err(error) if error.is_permanent() => return Err((turn, error)),
            Err(error) => break (Some(!turn), GameEnd::Failed(error.to_string())),
        }
    };
    for player in players {
        player.engine.finish(&game.position, &game.history, winner);
    }
    Ok(PlayedMoves { moves: game.moves[opening.moves().len()..].to_vec(), thoughts, winner, end })
}

/// The failure of a player whose clock has run out.
const OUT_OF_TIME: &str = "out of time";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn moves_that_are_taken_back_leave_no_draw() {
        let mut game =
            GameLine::new(Position::from_fen(Variant::INTERNATIONAL, "W:WK48,31:BK3,16").expect("a position"));
        let mut shuttle = ["48-43", "3-8", "43-48", "8-3"].into_iter().cycle();
        while game.draw().is_none() {
            let text = shuttle.next().expect("an endless list");
            let moves = game.position().legal_moves();
            let step = *moves.iter().find(|step| game.position().short(step) == text).expect(text);
            game.play(&step);
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        let plies = game.moves().len();
        game.truncate(plies - 1);
        assert_eq!((game.moves().len(), game.history().len(), game.outcome()), (plies - 1, plies - 1, None));
    }

    #[test]
    fn both_players_must_agree_for_several_moves() {
        let thought = |value| Thought { score: Some(Score::centi_men(value)), ..Thought::default() };
        let limits = EarlyEnd { max_plies: 100, tables: None, agreed: Some(300), margin: Duration::ZERO };
        // White moves first, so the even thoughts are White's.
        let white_ahead: Vec<_> = [310, -320].repeat(AGREED_PLIES / 2).into_iter().map(thought).collect();
        assert_eq!(limits.agreed_winner(&white_ahead, Side::Black), Some(Side::White));
        assert_eq!(limits.agreed_winner(&white_ahead[1..], Side::Black), None, "too few moves");
        let mut disputed = white_ahead.clone();
        disputed[3] = thought(-299);
        assert_eq!(limits.agreed_winner(&disputed, Side::Black), None);
        disputed[3] = Thought::default();
        assert_eq!(limits.agreed_winner(&disputed, Side::Black), None, "a player without scores agrees to nothing");
        assert_eq!(EarlyEnd { agreed: None, ..limits.clone() }.agreed_winner(&white_ahead, Side::Black), None);
        let black_ahead: Vec<_> = [-310, 320].repeat(AGREED_PLIES / 2).into_iter().map(thought).collect();
        assert_eq!(limits.agreed_winner(&black_ahead, Side::Black), Some(Side::Black));
    }
}
