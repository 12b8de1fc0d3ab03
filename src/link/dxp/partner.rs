//! An engine that is reached over DXP and plays one side of games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{
    BackAnswer, DxpConnection, DxpError, DxpLog, DxpMessage, EndReason, GameRequest, Incoming, read_played,
    supports_dxp, write_played, write_setup,
};
use crate::board::Side;
use crate::engine::{Analysis, Limit};
use crate::link::game_engine::{EngineError, EngineTurn, GameEngine, Thought, Timeouts};
use crate::link::program::deadline;
use crate::link::spec::{Launch, ParseEngineError};
use crate::rules::{Move, Position, Variant};

/// Name under which this program proposes games.
const OUR_NAME: &str = "pdn";
/// Number of moves for which time is proposed if there is a limit for each move.
const MOVES: u16 = 75;
/// Minutes for these moves where time is not limited.
const MINUTES: u16 = 1;

/// The address of a program that waits for games over DXP.
#[derive(Clone, Debug)]
pub(in crate::link) struct DxpAddress(String);

impl DxpAddress {
    /// Reads `HOST` or `HOST:PORT`.
    pub(in crate::link) fn parse(text: &str) -> Result<Arc<dyn Launch>, ParseEngineError> {
        let address = DxpConnection::address(text);
        Ok(Arc::new(Self(address.ok_or_else(|| ParseEngineError::InvalidAddress(text.to_owned()))?)))
    }
}

impl Launch for DxpAddress {
    /// Returns the program; a game begins with a connection to it.
    fn launch(&self, _: Variant, timeouts: Timeouts) -> Box<dyn GameEngine> {
        Box::new(DxpPartner { address: self.0.clone(), timeouts, connection: None, name: None, game: None })
    }

    /// Returns true: a program that listens usually plays one game at a time.
    fn is_single(&self) -> bool {
        true
    }
}

/// A program that accepts games over DXP. A new connection is made after a failure.
#[derive(Debug)]
struct DxpPartner {
    address: String,
    timeouts: Timeouts,
    connection: Option<DxpConnection>,
    name: Option<String>,
    game: Option<Game>,
}

/// The state of a game.
#[derive(Debug)]
struct Game {
    side: Side,
    /// The last position that both programs know.
    known: Position,
    /// The time that the partner may take for a move.
    time: Duration,
    /// The time at which the partner last moved.
    since: Instant,
}

impl DxpPartner {
    /// Proposes a game, on the connection of the last game if it is still usable.
    fn propose(&mut self, request: &DxpMessage) -> Result<(), DxpError> {
        let timeout = self.timeouts.start;
        if let Some(connection) = self.connection.take()
            && let Ok(name) = connection.propose(request, timeout)
        {
            (self.name, self.connection) = (Some(name), Some(connection));
            return Ok(());
        }
        let connection = DxpConnection::connect(&self.address, timeout, DxpLog::default())?;
        self.name = Some(connection.propose(request, timeout)?);
        self.connection = Some(connection);
        Ok(())
    }

    /// Waits for the partner's action in a position where it is to move.
    fn answer(connection: &DxpConnection, position: &Position, timeout: Duration) -> Result<EngineTurn, DxpError> {
        let until = deadline(timeout);
        loop {
            match connection.receive(until, timeout)? {
                Incoming::Message(DxpMessage::Move(written)) => {
                    let best = read_played(position, &written)?;
                    return Ok(EngineTurn::Move(best, Thought::default()));
                }
                Incoming::Message(DxpMessage::End { reason, .. }) => {
                    connection.send(&DxpMessage::End { reason: EndReason::Unknown, stop: false });
                    return match reason {
                        EndReason::Loss => Ok(EngineTurn::Resign),
                        EndReason::Draw => Ok(EngineTurn::Draw),
                        // The board does not show a win; so the side that left the game loses it.
                        EndReason::Win | EndReason::Unknown => Err(DxpError::Ended),
                    };
                }
                Incoming::Message(DxpMessage::BackRequest { .. }) => {
                    connection.send(&DxpMessage::BackAnswer(BackAnswer::Declined));
                }
                Incoming::Message(_) | Incoming::Invalid(_) => {}
                Incoming::Closed => return Err(DxpError::Closed),
            }
        }
    }
}

impl GameEngine for DxpPartner {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn analyse(&mut self, _: &Position, _: &[Position], _: Limit, _: usize) -> Result<Analysis, EngineError> {
        Err(EngineError::NoAnalysis)
    }

    fn begin(&mut self, start: &Position, side: Side, limit: Limit) -> Result<(), EngineError> {
        if !supports_dxp(start.variant()) {
            return Err(DxpError::UnsupportedVariant(start.variant()).into());
        }
        let (minutes, moves) = minutes_for(limit);
        let (name, setup) = (OUR_NAME.to_owned(), write_setup(start));
        self.propose(&DxpMessage::Request(GameRequest { name, follower: side, minutes, moves, setup }))?;
        let time = Duration::from_mins(minutes.into());
        self.game = Some(Game { side, known: *start, time, since: Instant::now() });
        Ok(())
    }

    /// Sends the last move, unless the partner knows it, and waits for the partner's. The limit was agreed on at the beginning.
    fn play(&mut self, position: &Position, history: &[Position], _: Limit) -> Result<EngineTurn, EngineError> {
        // Taken out: a failure drops them, and the next game begins with a new connection.
        let (Some(connection), Some(mut game)) = (self.connection.take(), self.game.take()) else {
            return Err(DxpError::Closed.into());
        };
        game.send_last(&connection, position, history);
        let turn = Self::answer(&connection, position, game.time.saturating_add(self.timeouts.answer));
        match turn {
            Ok(EngineTurn::Move(step, _)) => {
                (game.known, game.since) = (position.play_unchecked(&step), Instant::now());
                self.game = Some(game);
            }
            // It ended the game itself, so the connection is still usable.
            Ok(EngineTurn::Resign | EngineTurn::Draw) | Err(DxpError::Ended) => {}
            Err(_) => {
                connection.send(&DxpMessage::End { reason: EndReason::Unknown, stop: true });
                return Ok(turn?);
            }
        }
        self.connection = Some(connection);
        Ok(turn?)
    }

    /// Ends the game, if the partner has not ended it, and waits for the confirmation.
    fn finish(&mut self, position: &Position, history: &[Position], winner: Option<Side>) {
        let Some(mut game) = self.game.take() else { return };
        let Some(connection) = self.connection.take() else { return };
        game.send_last(&connection, position, history);
        connection.send(&DxpMessage::End { reason: EndReason::for_side(!game.side, winner), stop: false });
        if let Some((_, false)) = connection.await_end(self.timeouts.answer) {
            self.connection = Some(connection);
        }
    }
}

impl Game {
    /// Sends the move that led to the position, if the partner does not know it.
    fn send_last(&mut self, connection: &DxpConnection, position: &Position, history: &[Position]) {
        let Some(before) = history.last().filter(|_| self.known != *position) else { return };
        let leads_here = |step: &Move| before.play_unchecked(step) == *position;
        if let Some(step) = before.legal_moves().into_iter().find(leads_here) {
            let seconds = self.since.elapsed().as_secs();
            connection.send(&DxpMessage::Move(write_played(&step, position.variant(), seconds)));
        }
        self.known = *position;
    }
}

/// Returns the minutes and the number of moves that come closest to a limit.
fn minutes_for(limit: Limit) -> (u16, u16) {
    // In a request, 0 minutes means that no time is agreed on.
    let minutes = |time: Duration| u16::try_from(time.as_secs().div_ceil(60)).unwrap_or(u16::MAX).max(1);
    match (limit.clock, limit.time) {
        (Some(clock), _) => {
            let moves = clock.moves().unwrap_or(0);
            (minutes(clock.left), u16::try_from(moves).unwrap_or(0))
        }
        (None, Some(time)) => (minutes(time.saturating_mul(MOVES.into())), MOVES),
        (None, None) => (MINUTES, MOVES),
    }
}

impl DxpConnection {
    /// Proposes a game and returns the name of the program that accepts it.
    ///
    /// # Errors
    ///
    /// If there is no answer within the given time, or the game is declined.
    pub(crate) fn propose(&self, request: &DxpMessage, timeout: Duration) -> Result<String, DxpError> {
        self.send(request);
        let until = deadline(timeout);
        loop {
            match self.receive(until, timeout)? {
                Incoming::Message(DxpMessage::Accept { name, answer }) => {
                    return DxpError::of(answer).map_or(Ok(name), Err);
                }
                Incoming::Closed => return Err(DxpError::Closed),
                Incoming::Message(_) | Incoming::Invalid(_) => {}
            }
        }
    }

    /// Waits for the confirmation that a game is over. Returns how it ended for the opponent, and true if no other game is to
    /// follow; `None` if there is no confirmation.
    pub(crate) fn await_end(&self, timeout: Duration) -> Option<(EndReason, bool)> {
        let until = deadline(timeout);
        loop {
            match self.receive(until, timeout) {
                Ok(Incoming::Message(DxpMessage::End { reason, stop })) => return Some((reason, stop)),
                Ok(Incoming::Closed) | Err(_) => return None,
                Ok(Incoming::Message(_) | Incoming::Invalid(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameClock;

    #[test]
    fn limits_are_proposed_in_minutes() {
        let clock = |seconds| GameClock::new(Duration::from_secs(seconds), Duration::ZERO);
        for (limit, minutes) in [
            (Limit::clock(clock(300)), (5, 0)),
            (Limit::clock(clock(61).with_moves(Some(40))), (2, 40)),
            (Limit::time(Duration::from_millis(100)), (1, 75)),
            (Limit::time(Duration::from_secs(2)), (3, 75)),
            (Limit::nodes(1000), (1, 75)),
        ] {
            assert_eq!(minutes_for(limit), minutes, "{limit}");
        }
    }
}
