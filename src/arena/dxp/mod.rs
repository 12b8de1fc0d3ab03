//! Games of the built-in engine over DXP.

mod dxp_game;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::board::Side;
use crate::engine::{Engine, Limit};
use crate::link::{
    BackAnswer, DxpConnection, DxpError, DxpMessage, EndReason, EngineTurn, GameAnswer, GameEngine, GameRequest,
    Incoming, Thought, read_played, read_setup, supports_dxp, write_played, write_setup,
};
use crate::notation::Outcome;
use crate::options::setters;
use crate::rules::Position;
pub use dxp_game::DxpGame;
use dxp_game::{AgreedClock, End, Play};

/// The settings of the built-in engine for DXP.
#[derive(Clone, Debug)]
pub struct DxpSettings {
    name: String,
    limit: Limit,
    timeout: Duration,
    allows_take_back: bool,
}

impl DxpSettings {
    /// Returns settings for a player of this name that keeps to the agreed time, and waits for the opponent up to
    /// `timeout` beyond the agreed time.
    pub fn new(name: impl Into<String>, timeout: Duration) -> Self {
        Self { name: name.into(), limit: Limit::none(), timeout, allows_take_back: true }
    }

    setters! {
        /// Sets a limit for each move in place of the agreed time.
        with_limit(limit: Limit);
        /// Sets whether the opponent may take moves back.
        with_take_back(allows_take_back: bool);
    }
}

/// A game to be proposed.
#[derive(Clone, Debug)]
pub struct DxpProposal {
    start: Position,
    side: Side,
    minutes: u16,
    moves: u16,
}

impl DxpProposal {
    /// Returns a game from a position in which the built-in engine plays a side, with this many minutes for each
    /// player.
    pub const fn new(start: Position, side: Side, minutes: u16) -> Self {
        Self { start, side, minutes, moves: 0 }
    }

    /// Sets the number of moves that the minutes are for; 0 for the whole game.
    #[must_use]
    pub(crate) const fn with_moves(self, moves: u16) -> Self {
        Self { moves, ..self }
    }
}

/// The built-in engine and its opponent at the other end of a connection.
///
/// # Examples
///
/// ```
/// use std::net::TcpListener;
/// use std::thread;
/// use std::time::Duration;
///
/// use pdn::arena::{DxpProposal, DxpSession, DxpSettings};
/// use pdn::board::Side;
/// use pdn::engine::{Engine, Limit};
/// use pdn::link::{DxpConnection, DxpLog};
/// use pdn::rules::{Position, Variant};
///
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let address = listener.local_addr()?.to_string();
/// let session = |connection, name: &str| {
///     let settings = DxpSettings::new(name, Duration::from_secs(60)).with_limit(Limit::nodes(20));
///     DxpSession::new(connection, Engine::new(Variant::INTERNATIONAL), settings)
/// };
/// let follower = thread::spawn(move || {
///     let connection = DxpConnection::accept(&listener, DxpLog::default()).expect("a connection");
///     session(connection, "follower").follow(false, &mut |_| {})
/// });
/// let connection = DxpConnection::connect(&address, Duration::from_secs(60), DxpLog::default())?;
/// let start = Position::from_fen(Variant::INTERNATIONAL, "W:WK46,K47,K48:BK5")?;
/// let proposal = DxpProposal::new(start, Side::White, 1);
/// let game = session(connection, "initiator").initiate(&proposal, true, &mut |_| {})?;
/// let same = follower.join().expect("no panic")?.expect("a game");
/// assert_eq!(game.outcome(), same.outcome());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DxpSession {
    connection: DxpConnection,
    engine: Engine,
    settings: DxpSettings,
    /// Set when something has arrived during a search.
    interrupt: Arc<AtomicBool>,
    /// True if another game can be played: neither program has ended the session.
    pub(crate) is_open: bool,
}

/// Receives events other than moves.
type Notify<'a> = &'a mut dyn FnMut(&DxpNotice);

impl DxpSession {
    /// Returns a session of an engine.
    pub fn new(connection: DxpConnection, mut engine: Engine, settings: DxpSettings) -> Self {
        let interrupt = connection.interrupt();
        engine.set_stop_flag(Arc::clone(&interrupt));
        Self { connection, engine, settings, interrupt, is_open: true }
    }

    /// Continues with another connection, to a program that has not played yet.
    pub(crate) fn reconnect(&mut self, connection: DxpConnection) {
        self.interrupt = connection.interrupt();
        self.engine.set_stop_flag(Arc::clone(&self.interrupt));
        (self.connection, self.is_open) = (connection, true);
    }

    /// Sends a line of text to the opponent.
    pub(crate) fn chat(&self, text: &str) {
        self.connection.send(&DxpMessage::Chat(text.to_owned()));
    }

    /// Proposes a game and plays it. With `is_last`, the opponent learns that no other game follows.
    ///
    /// # Errors
    ///
    /// If no game was played. An aborted game is returned with its failure.
    pub fn initiate(&mut self, proposal: &DxpProposal, is_last: bool, notify: Notify<'_>) -> Result<DxpGame, DxpError> {
        let DxpProposal { start, side, minutes, moves } = *proposal;
        if !supports_dxp(start.variant()) {
            return Err(DxpError::UnsupportedVariant(start.variant()));
        }
        let (name, setup) = (self.settings.name.clone(), write_setup(&start));
        let request = GameRequest { name, follower: !side, minutes, moves, setup };
        let opponent = self.connection.propose(&DxpMessage::Request(request), self.settings.timeout)?;
        notify(&DxpNotice::Began(opponent.clone()));
        Ok(self.play(Play::new(start, side, AgreedClock::new(minutes, moves)), opponent, is_last, notify))
    }

    /// Waits for the proposal of a game and plays it; `None` if the opponent leaves. With `is_last`, the opponent learns
    /// that no other game is accepted.
    ///
    /// # Errors
    ///
    /// If the engine's variant cannot be played over DXP. An aborted game is returned with its failure.
    pub fn follow(&mut self, is_last: bool, notify: Notify<'_>) -> Result<Option<DxpGame>, DxpError> {
        let variant = self.engine.variant();
        if !supports_dxp(variant) {
            return Err(DxpError::UnsupportedVariant(variant));
        }
        loop {
            match self.connection.wait() {
                Incoming::Message(DxpMessage::Request(request)) => {
                    if let Some(play) = self.accept(&request, notify) {
                        return Ok(Some(self.play(play, request.name, is_last, notify)));
                    }
                }
                Incoming::Message(DxpMessage::OtherVersion(_)) => {
                    self.answer(GameAnswer::OtherVersion, notify);
                }
                Incoming::Closed => {
                    self.is_open = false;
                    return Ok(None);
                }
                other => ignore(other, notify),
            }
        }
    }

    /// Accepts the proposal of a game, or declines it if its position is not playable.
    fn accept(&self, request: &GameRequest, notify: Notify<'_>) -> Option<Play> {
        let start = read_setup(request.setup.as_deref(), self.engine.variant());
        // A position that has been decided leaves nothing to play.
        let Some(start) = start.filter(|start| start.winner().is_none()) else {
            self.answer(GameAnswer::NotThisGame, notify);
            return None;
        };
        self.answer(GameAnswer::Accepted, notify);
        notify(&DxpNotice::Began(request.name.clone()));
        Some(Play::new(start, request.follower, AgreedClock::new(request.minutes, request.moves)))
    }

    fn answer(&self, answer: GameAnswer, notify: Notify<'_>) {
        self.connection.send(&DxpMessage::Accept { name: self.settings.name.clone(), answer });
        match answer {
            GameAnswer::Accepted => {}
            GameAnswer::OtherVersion => notify(&DxpNotice::Declined("a different version of the protocol")),
            GameAnswer::NotThisGame | GameAnswer::NoGame => {
                notify(&DxpNotice::Declined("the position is not playable"));
            }
        }
    }

    /// Plays a game to its end.
    fn play(&mut self, mut play: Play, opponent: String, is_last: bool, notify: Notify<'_>) -> DxpGame {
        self.engine.new_game();
        let end = match self.play_moves(&mut play, notify) {
            Ok(()) => self.end(&play, is_last, notify),
            Err(error) => {
                self.connection.send(&DxpMessage::End { reason: EndReason::Unknown, stop: true });
                self.is_open = false;
                End::BrokenOff(error)
            }
        };
        let Play { line, thoughts, side, .. } = play;
        DxpGame { line, thoughts, side, opponent, end }
    }

    /// Plays until the game is over by the rules or by a declaration of the opponent.
    fn play_moves(&mut self, play: &mut Play, notify: Notify<'_>) -> Result<(), DxpError> {
        while !play.is_over() {
            // Cleared before looking for messages: one that arrives after that sets it again and interrupts the search.
            self.interrupt.store(false, Ordering::Relaxed);
            if let Some(incoming) = self.connection.arrived() {
                self.take(incoming, play, notify)?;
            } else if play.is_our_turn() {
                self.make_move(play);
            } else {
                let time = play.clocks[1].left.saturating_add(self.settings.timeout);
                let until = play.since.checked_add(time).unwrap_or(play.since);
                self.take(self.connection.receive(until, time)?, play, notify)?;
            }
        }
        Ok(())
    }

    /// Searches and sends a move, unless something arrives meanwhile that can change the game.
    fn make_move(&mut self, play: &mut Play) {
        let started = Instant::now();
        let limit = if self.settings.limit.is_none() { play.clocks[0].limit() } else { self.settings.limit };
        let answer = self.engine.play(play.line.position(), play.line.history(), limit);
        // The message may take a move back or end the game, so it is read before anything is sent.
        if self.interrupt.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(EngineTurn::Move(step, thought)) = answer {
            let seconds = play.since.elapsed().as_secs();
            self.connection.send(&DxpMessage::Move(write_played(&step, self.engine.variant(), seconds)));
            play.add(&step, Some(Thought { time: started.elapsed(), ..thought }));
        }
    }

    /// Handles anything received during a game.
    fn take(&self, incoming: Incoming, play: &mut Play, notify: Notify<'_>) -> Result<(), DxpError> {
        match incoming {
            // Both programs think that it is their turn: their games differ.
            Incoming::Message(DxpMessage::Move(written)) if play.is_our_turn() => {
                return Err(DxpError::Unexpected(written.to_string()));
            }
            Incoming::Message(DxpMessage::Move(written)) => {
                play.add(&read_played(play.line.position(), &written)?, None);
            }
            Incoming::Message(DxpMessage::BackRequest { number, side }) => {
                let plies = play.plies_before(number, side).filter(|_| self.settings.allows_take_back);
                let answer = if plies.is_some() { BackAnswer::Accepted } else { BackAnswer::Declined };
                self.connection.send(&DxpMessage::BackAnswer(answer));
                if let Some(plies) = plies {
                    play.truncate(plies);
                }
                notify(&plies.map_or(DxpNotice::KeptMoves, DxpNotice::TakenBack));
            }
            Incoming::Message(DxpMessage::End { reason, stop }) => play.declared = Some((reason, stop)),
            Incoming::Closed => return Err(DxpError::Closed),
            other => ignore(other, notify),
        }
        Ok(())
    }

    /// Reports the end of the game, and waits for the opponent to do the same.
    fn end(&mut self, play: &Play, is_last: bool, notify: Notify<'_>) -> End {
        let outcome = play.line.outcome();
        let winner = match outcome {
            Some(Outcome::Win(winner)) => Some(winner),
            Some(Outcome::Draw) | None => None,
        };
        let ends_for = |side| outcome.map(|_| EndReason::for_side(side, winner));
        let stop = is_last || play.declared.is_some_and(|(_, stop)| stop);
        let reason = ends_for(play.side).unwrap_or(EndReason::Unknown);
        self.connection.send(&DxpMessage::End { reason, stop });
        let declared = play.declared.or_else(|| self.connection.await_end(self.settings.timeout));
        // Without a confirmation, the opponent may have left, or may still be in this game.
        self.is_open = !stop && matches!(declared, Some((_, false)));
        let (reason_of_opponent, _) = declared.unwrap_or((EndReason::Unknown, true));
        let Some(outcome) = outcome else { return End::Declared(reason_of_opponent) };
        if reason_of_opponent != EndReason::Unknown && Some(reason_of_opponent) != ends_for(!play.side) {
            notify(&DxpNotice::Disputed(reason_of_opponent.result()));
        }
        End::Rules(outcome)
    }
}

/// Passes on a text from the opponent, or reports that a message is ignored.
fn ignore(incoming: Incoming, notify: Notify<'_>) {
    notify(&match incoming {
        Incoming::Message(DxpMessage::Chat(text)) => DxpNotice::Chat(text),
        Incoming::Message(message) => DxpNotice::Ignored(message.to_string()),
        Incoming::Invalid(text) => DxpNotice::Ignored(text),
        Incoming::Closed => return,
    });
}

/// An event in a game over DXP that the user may want to know about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DxpNotice {
    /// A game has begun against the opponent of this name.
    Began(String),
    /// The opponent sent this text.
    Chat(String),
    /// The opponent took moves back; this number of plies is left.
    TakenBack(usize),
    /// The opponent's request to take moves back was declined.
    KeptMoves,
    /// The opponent's proposal of a game was declined, for this reason.
    Declined(&'static str),
    /// A message was ignored because it is invalid or has no meaning at this time.
    Ignored(String),
    /// The opponent regards the game as lost, drawn or won, which contradicts the board.
    Disputed(&'static str),
}

impl fmt::Display for DxpNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Began(name) => write!(f, "game against {name}"),
            Self::Chat(text) => write!(f, "opponent: {text}"),
            Self::TakenBack(plies) => write!(f, "the opponent took moves back to ply {plies}"),
            Self::KeptMoves => f.write_str("the opponent wanted to take moves back"),
            Self::Declined(reason) => write!(f, "declined a game: {reason}"),
            Self::Ignored(text) => write!(f, "ignored a message from the opponent: `{text}`"),
            Self::Disputed(result) => {
                write!(f, "the opponent regards the game as {result}; the board shows a different result")
            }
        }
    }
}
