//! `pdn dxp`: the built-in engine against programs that speak DXP.

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use super::context::{Context, Status};
use super::options::{ADVANCED, parse_seconds};
use super::play::Player;
use super::words::count;
use crate::arena::{DxpGame, DxpProposal, DxpSession, DxpSettings, read_openings};
use crate::board::Side;
use crate::error::{Error, Result};
use crate::link::{DxpConnection, DxpError, DxpLog, supports_dxp};
use crate::rules::Position;

/// Play against another program over a network (DXP)
///
/// One program, the initiator, proposes games; the other, the follower, accepts them. Either can listen while the other
/// connects. DXP is for boards of 50 squares. It does not name the variant, so both programs must be set to the same one.
///
/// The engine keeps to the agreed time unless another limit is given. Games are written as PDN as they end; chat messages from
/// the opponent are printed on standard error.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("address").required(true))]
#[command(after_help = "\
Examples:
  pdn dxp --listen 27531 -o games.pdn
  pdn dxp --connect 192.168.1.5 --initiate --games 20 --minutes 5 --moves 75 -o games.pdn
  pdn dxp --connect 192.168.1.5 --initiate --openings openings.pdn --book repertoire.pdn

Exit status: 2 if there is no connection, or if the opponent aborts or declines a game, or leaves before the last one.")]
pub(super) struct Options {
    /// Wait for a program to connect; without HOST, only from this machine; with port 0, on any free port
    #[arg(long, value_name = "[HOST:]PORT", group = "address", value_parser = parse_listen)]
    listen: Option<String>,
    /// Connect to a program [default port: 27531]
    #[arg(long, value_name = "HOST[:PORT]", group = "address", value_parser = parse_connect)]
    connect: Option<String>,
    /// Propose games instead of accepting the opponent's proposals
    #[arg(long)]
    initiate: bool,
    /// Number of games [default: two from each opening; without --openings, 1 with --initiate, otherwise until the opponent leaves]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Your side in the first game; sides alternate
    #[arg(long, value_name = "SIDE", default_value = "white", requires = "initiate", value_parser = side_parser())]
    side: Side,
    /// Position from which games start [default: the starting position]
    #[arg(long, value_name = "F", requires = "initiate", help_heading = ADVANCED)]
    fen: Option<String>,
    /// File of openings, as for `pdn match`; games start after each of them twice, with colours reversed
    #[arg(long, value_name = "FILE", requires = "initiate", conflicts_with = "fen", help_heading = ADVANCED)]
    openings: Option<PathBuf>,
    /// Minutes for each player
    #[arg(long, value_name = "N", default_value_t = 5, requires = "initiate", value_parser = clap::value_parser!(u16).range(1..=999))]
    minutes: u16,
    /// Number of moves to make in these minutes; 0 for the whole game
    #[arg(long, value_name = "N", default_value_t = 0, requires = "initiate", value_parser = clap::value_parser!(u16).range(..=999), help_heading = ADVANCED)]
    moves: u16,
    /// Name that the opponent sees
    #[arg(long, value_name = "NAME", default_value = "pdn")]
    name: String,
    /// Text to send to the opponent first
    #[arg(long, value_name = "TEXT", help_heading = ADVANCED)]
    chat: Option<String>,
    /// Do not let the opponent take moves back
    #[arg(long, help_heading = ADVANCED)]
    no_take_back: bool,
    /// Record all messages in FILE: `>` before those sent, `<` before those received
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    log: Option<PathBuf>,
    /// Seconds the opponent may take beyond the agreed time, or to answer
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, help_heading = ADVANCED)]
    timeout: Duration,
    #[command(flatten)]
    pub(super) player: Player,
}

fn side_parser() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(["white", "black"]).map(|name| if name == "white" { Side::White } else { Side::Black })
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.rules();
    if !supports_dxp(variant) {
        return Err(unavailable(DxpError::UnsupportedVariant(variant)));
    }
    let Some(start) = context.position(options.fen.as_deref()) else { return Ok(Status::Errors) };
    let starts = match &options.openings {
        Some(path) => read_openings(path, variant)?.iter().map(|opening| *opening.position()).collect(),
        None => vec![start],
    };
    let engine = options.player.engine(variant, context)?;
    let log = match &options.log {
        Some(path) => DxpLog::create(path).map_err(|error| Error::write(path, error))?,
        None => DxpLog::default(),
    };
    let listener = options.listen.as_deref().map(|address| listen(address, context)).transpose()?;
    let address = options.listen.as_deref().or(options.connect.as_deref());
    let door = Door { address: address.expect("one of the two, which are a required group"), listener, log };
    let mut session = DxpSession::new(options.open(&door)?, engine, options.settings());
    if options.initiate {
        options.initiate(&mut session, &starts, &door, context)?;
    } else {
        // Who follows accepts one connection; the port becomes free for others.
        drop(door);
        options.follow(&mut session, context)?;
    }
    Ok(Status::Clean)
}

/// Where the opponent comes from.
struct Door<'a> {
    address: &'a str,
    /// Takes connections to the address; without one, the opponent is connected to there.
    listener: Option<TcpListener>,
    log: DxpLog,
}

fn listen(address: &str, context: &Context) -> Result<TcpListener> {
    let listen = || -> std::io::Result<TcpListener> {
        let listener = TcpListener::bind(address)?;
        context.inform(&format!("listening on {}", listener.local_addr()?));
        Ok(listener)
    };
    listen().map_err(|error| unavailable(DxpError::CannotListen(address.to_owned(), error)))
}

impl Options {
    fn settings(&self) -> DxpSettings {
        let settings = DxpSettings::new(&self.name, self.timeout);
        settings.with_limit(self.player.limit()).with_take_back(!self.no_take_back)
    }

    /// Returns a connection to the next program.
    fn open(&self, door: &Door<'_>) -> Result<DxpConnection> {
        let Door { address, listener, log } = door;
        let Some(listener) = listener else {
            return DxpConnection::connect(address, self.timeout, log.clone()).map_err(unavailable);
        };
        // An initiator has to speak first.
        let accepted = if self.initiate {
            DxpConnection::accept(listener, log.clone())
        } else {
            DxpConnection::accept_program(listener, self.timeout, log)
        };
        accepted.map_err(|error| unavailable(DxpError::CannotListen((*address).to_owned(), error)))
    }

    /// Sends the first text, and proposes a game.
    fn propose(
        &self,
        session: &mut DxpSession,
        proposal: &DxpProposal,
        number: u32,
        is_last: bool,
        context: &Context,
    ) -> Result<DxpGame, DxpError> {
        if let Some(text) = self.chat.as_deref().filter(|_| number == 1) {
            session.chat(text);
        }
        session.initiate(proposal, is_last, &mut |notice| {
            context.inform(&notice.to_string());
        })
    }

    /// Proposes all games, two from each of the positions.
    fn initiate(
        &self,
        session: &mut DxpSession,
        starts: &[Position],
        door: &Door<'_>,
        context: &mut Context,
    ) -> Result<()> {
        let all = if self.openings.is_some() { 2 * starts.len() as u32 } else { 1 };
        let games = self.games.unwrap_or(all);
        // The positions are repeated if there are more games.
        let starts = starts.iter().flat_map(|start| [*start; 2]).cycle();
        for (number, start) in (1..=games).zip(starts) {
            // The sides alternate, so that each opponent begins half of the games.
            let side = if number % 2 == 1 { self.side } else { !self.side };
            let proposal = DxpProposal::new(start, side, self.minutes).with_moves(self.moves);
            let mut game = self.propose(session, &proposal, number, number == games, context);
            // Anything may connect to a port. A program that does not answer the first proposal is replaced by the next one.
            while number == 1
                && door.listener.is_some()
                && let Err(error @ (DxpError::TimedOut(_) | DxpError::Closed)) = &game
            {
                context.inform(&format!("{error}; waiting for another"));
                session.reconnect(self.open(door)?);
                game = self.propose(session, &proposal, number, number == games, context);
            }
            if !self.write(&game.map_err(unavailable)?, number, context)? {
                break;
            }
            if !session.is_open {
                return left_after(number, games);
            }
        }
        Ok(())
    }

    /// Accepts games until the opponent leaves or the last one is over.
    fn follow(&self, session: &mut DxpSession, context: &mut Context) -> Result<()> {
        if let Some(text) = &self.chat {
            session.chat(text);
        }
        let expected = self.games.unwrap_or(0);
        for number in 1.. {
            let is_last = Some(number) == self.games;
            let game = session.follow(is_last, &mut |notice| context.inform(&notice.to_string()));
            let Some(game) = game.map_err(unavailable)? else { return left_after(number - 1, expected) };
            if !self.write(&game, number, context)? {
                break;
            }
            if !session.is_open {
                return left_after(number, expected);
            }
        }
        Ok(())
    }

    /// Writes a game that is over. Returns false after a failure, which is reported.
    fn write(&self, game: &DxpGame, number: u32, context: &mut Context) -> Result<bool> {
        let limit = self.player.limit();
        let is_timed = limit.depth.is_none() && limit.nodes.is_none();
        context.out.text(&game.to_pdn(&self.name, number as usize, is_timed))?;
        context.out.flush()?;
        let Some(failure) = game.failure() else { return Ok(true) };
        context.report(&Error::unavailable(format!("game {number}: {failure}")));
        Ok(false)
    }
}

/// Returns an error if the opponent has left too early.
fn left_after(number: u32, expected: u32) -> Result<()> {
    let early =
        || Error::unavailable(format!("the opponent left after {number} of {}", count(expected.into(), "game")));
    if number < expected { Err(early()) } else { Ok(()) }
}

#[expect(clippy::needless_pass_by_value, reason = "a function for `map_err`")]
fn unavailable(error: DxpError) -> Error {
    Error::unavailable(error.to_string())
}

fn parse_connect(text: &str) -> Result<String, String> {
    DxpConnection::address(text).ok_or_else(|| "expected HOST or HOST:PORT".to_owned())
}

fn parse_listen(text: &str) -> Result<String, String> {
    let address = if text.contains(':') { text.to_owned() } else { format!("127.0.0.1:{text}") };
    let is_valid = address.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
    if is_valid { Ok(address) } else { Err("expected PORT or HOST:PORT".to_owned()) }
}
