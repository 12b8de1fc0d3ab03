//! An engine that is reached over DXP and plays one side of games.

use std::time::{Duration, Instant};

use super::connection::{DxpConnection, DxpLog, Incoming};
use super::error::DxpError;
use super::message::{BackAnswer, DxpMessage, EndReason, GameRequest};
use super::setup::{read_played, supports_dxp, write_played, write_setup};
use crate::board::Side;
use crate::engine::Limit;
use crate::link::hub_engine::Timeouts;
use crate::link::process::deadline;
use crate::rules::{Move, Position};

/// Name under which this program proposes games.
pub(super) const OUR_NAME: &str = "pdn";
/// Number of moves for which time is proposed where there is a limit for each move.
const MOVES: u16 = 75;
/// Minutes for these moves where no limit says how long a move may take.
const MINUTES: u16 = 1;

/// A program that accepts games over DXP. It is connected to when a game begins, and again after a failure.
#[derive(Debug)]
pub(crate) struct DxpPartner {
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
    /// Number of plies that both programs know.
    plies: usize,
    /// How long the partner may take for a move.
    time: Duration,
    /// When the partner moved last.
    since: Instant,
}

/// What a partner does in its turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartnerTurn {
    Move(Move),
    /// It ends the game with this result, from its point of view.
    End(EndReason),
}

impl DxpPartner {
    /// Returns a partner that is not connected yet.
    pub(crate) const fn new(address: String, timeouts: Timeouts) -> Self {
        Self { address, timeouts, connection: None, name: None, game: None }
    }

    /// Returns the name that the partner gives, if a game has begun.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Begins a game from a position that is reached after `plies` plies, in which the partner has a side and a limit.
    ///
    /// # Errors
    ///
    /// If the partner cannot be reached or declines.
    pub(crate) fn begin(&mut self, start: &Position, plies: usize, side: Side, limit: Limit) -> Result<(), DxpError> {
        if !supports_dxp(start.variant()) {
            return Err(DxpError::UnsupportedVariant(start.variant()));
        }
        let (minutes, moves) = minutes_for(limit);
        let (name, setup) = (OUR_NAME.to_owned(), write_setup(start));
        self.propose(&DxpMessage::Request(GameRequest { name, follower: side, minutes, moves, setup }))?;
        let time = Duration::from_mins(minutes.into());
        self.game = Some(Game { side, plies, time, since: Instant::now() });
        Ok(())
    }

    /// Proposes a game, on a new connection unless that of the last game is still good.
    fn propose(&mut self, request: &DxpMessage) -> Result<(), DxpError> {
        let timeout = self.timeouts.start();
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

    /// Sends the last move, unless the partner made it, and waits for the partner's answer. `history` holds the earlier
    /// positions, oldest first.
    ///
    /// # Errors
    ///
    /// If the partner fails; it is connected to again for the next game.
    pub(crate) fn play(&mut self, position: &Position, history: &[Position]) -> Result<PartnerTurn, DxpError> {
        let (Some(connection), Some(mut game)) = (self.connection.take(), self.game.take()) else {
            return Err(DxpError::Closed);
        };
        game.send_last(&connection, position, history);
        let timeout = game.time.saturating_add(self.timeouts.answer());
        let stop = DxpMessage::End { reason: EndReason::Unknown, stop: true };
        let turn = answer(&connection, position, timeout).inspect_err(|_| connection.send(&stop))?;
        if let PartnerTurn::Move(_) = turn {
            (game.plies, game.since) = (history.len() + 1, Instant::now());
            self.game = Some(game);
        }
        self.connection = Some(connection);
        Ok(turn)
    }

    /// Ends the game, if it is not over by the partner's choice, and waits for the confirmation.
    pub(crate) fn finish(&mut self, position: &Position, history: &[Position], winner: Option<Side>) {
        let Some(mut game) = self.game.take() else { return };
        let Some(connection) = self.connection.take() else { return };
        game.send_last(&connection, position, history);
        let reason = EndReason::for_side(!game.side, winner);
        connection.send(&DxpMessage::End { reason, stop: false });
        if let Some((_, false)) = connection.await_end(self.timeouts.answer()) {
            self.connection = Some(connection);
        }
    }
}

impl Game {
    /// Sends the move that led to the position, if the partner does not know it.
    fn send_last(&mut self, connection: &DxpConnection, position: &Position, history: &[Position]) {
        let Some(before) = history.last().filter(|_| history.len() > self.plies) else { return };
        let leads_here = |step: &Move| before.play_unchecked(step) == *position;
        if let Some(step) = before.legal_moves().into_iter().find(leads_here) {
            let seconds = self.since.elapsed().as_secs();
            connection.send(&DxpMessage::Move(write_played(&step, position.variant(), seconds)));
        }
        self.plies = history.len();
    }
}

/// Waits for the move of the partner, who is to move in the position.
fn answer(connection: &DxpConnection, position: &Position, timeout: Duration) -> Result<PartnerTurn, DxpError> {
    let until = deadline(timeout);
    loop {
        match connection.receive(until, timeout)? {
            Incoming::Message(DxpMessage::Move(written)) => {
                return read_played(position, &written).map(PartnerTurn::Move);
            }
            Incoming::Message(DxpMessage::End { reason, .. }) => {
                let confirmation = DxpMessage::End { reason: EndReason::Unknown, stop: false };
                connection.send(&confirmation);
                return Ok(PartnerTurn::End(reason));
            }
            Incoming::Message(DxpMessage::BackRequest { .. }) => {
                connection.send(&DxpMessage::BackAnswer(BackAnswer::Declined));
            }
            Incoming::Message(_) | Incoming::Invalid(_) => {}
            Incoming::Closed => return Err(DxpError::Closed),
        }
    }
}

/// Returns the minutes and the number of moves that come closest to a limit.
fn minutes_for(limit: Limit) -> (u16, u16) {
    let minutes = |time: Duration| u16::try_from(time.as_secs().div_ceil(60)).unwrap_or(u16::MAX).max(1);
    match (limit.clock, limit.time) {
        (Some(clock), _) => {
            let moves = clock.moves().unwrap_or(0);
            (minutes(clock.left()), u16::try_from(moves).unwrap_or(0))
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

    /// Waits for the confirmation that a game is over. Returns how it ended for the opponent, and true if there is to be no
    /// other game; `None` if there is no confirmation.
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
