//! The players of a match: the built-in engine in any configuration, and engines that are other programs or reached over a
//! network.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use super::game::GameEnd;
use super::openings::Opening;
use super::thought::Thought;
use crate::board::Side;
use crate::egdb::Databases;
use crate::engine::{
    Engine, EngineOptions, GameClock, Limit, ParseLimitError, SearchFeatures, TableError, UnknownFeature,
};
use crate::error::Error;
use crate::link::{
    CommandLine, DxpConnection, DxpError, DxpPartner, EndReason, EngineError, ManagedEngine, ParseCommandError,
    PartnerTurn, Timeouts,
};
use crate::rules::{Move, Position, Variant};

/// A player of a match.
///
/// As text: `builtin`, `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2,egdb=DIR,without=probe+singular`,
/// `dxp:HOST:PORT` for a program that waits for games over DXP, or the command line of an engine that speaks Hub.
///
/// # Examples
///
/// ```
/// use pdn::arena::PlayerSpec;
///
/// let player: PlayerSpec = "builtin:depth=9,hash=32".parse()?;
/// assert_eq!(player.to_string(), "builtin:depth=9,hash=32");
/// # Ok::<(), pdn::arena::ParsePlayerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    text: String,
    kind: Kind,
    /// The player's own limits, in place of those of the match.
    limit: Limit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    BuiltIn(EngineOptions),
    Hub(CommandLine),
    /// The address of a program.
    Dxp(String),
}

impl PlayerSpec {
    /// Returns the built-in engine with some options under a name, with the limits of the match.
    pub fn built_in(name: &str, options: EngineOptions) -> Self {
        Self { text: name.to_owned(), kind: Kind::BuiltIn(options), limit: Limit::none() }
    }

    /// Sets the limits of this player, which take precedence over those of the match.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { text: format!("{} ({limit})", self.text), limit, ..self }
    }

    /// Returns the limits of this player in place of those of the match.
    pub(super) const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the player for a match. Its own limits take precedence over those of the match.
    ///
    /// # Errors
    ///
    /// If the transposition table does not fit into memory.
    pub(super) fn player(&self, variant: Variant, limit: Limit, timeouts: Timeouts) -> Result<Player, TableError> {
        let limit = if self.limit.is_none() { limit } else { self.limit };
        Ok(match &self.kind {
            Kind::BuiltIn(options) => Player::BuiltIn(Engine::try_with_options(variant, options.clone())?, limit),
            Kind::Hub(command) => Player::Hub(ManagedEngine::new(command.clone(), variant, timeouts), limit),
            Kind::Dxp(address) => Player::Dxp(DxpPartner::new(address.clone(), timeouts), limit),
        })
    }

    /// Sets the endgame databases of the built-in engine, unless the player names a folder.
    #[must_use]
    pub(super) fn with_databases(mut self, databases: Databases) -> Self {
        if let Kind::BuiltIn(options) = &mut self.kind
            && options.databases() == Databases::embedded()
        {
            *options = options.clone().with_databases(databases);
        }
        self
    }

    /// Returns the endgame databases of the built-in engine.
    pub(super) const fn databases(&self) -> Databases {
        match &self.kind {
            Kind::BuiltIn(options) => options.databases(),
            Kind::Hub(_) | Kind::Dxp(_) => Databases::embedded(),
        }
    }

    /// Returns true if the player can play only one game at a time.
    pub(super) const fn is_single(&self) -> bool {
        matches!(self.kind, Kind::Dxp(_))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PlayerSpec {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        let text = text.trim();
        let (kind, limit) = match text.strip_prefix("builtin") {
            Some("") => built_in("")?,
            Some(settings) if settings.starts_with(':') => built_in(&settings[1..])?,
            _ if text.starts_with("dxp:") => (Kind::Dxp(dxp_address(&text["dxp:".len()..])?), Limit::none()),
            _ => (Kind::Hub(text.parse()?), Limit::none()),
        };
        Ok(Self { text: text.to_owned(), kind, limit })
    }
}

fn built_in(text: &str) -> Result<(Kind, Limit), ParsePlayerError> {
    let (mut limit, mut options) = (Limit::none(), EngineOptions::default());
    for setting in text.split(',').filter(|setting| !setting.is_empty()) {
        let no_value = || ParsePlayerError::NoValue(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(no_value)?;
        match name.trim() {
            name @ ("nodes" | "depth" | "time") => limit.set(name, value)?,
            name @ "hash" => options.hash_mb = up_to(65_536, name, value)?,
            name @ "threads" => options.threads = up_to(256, name, value)?,
            "weights" => options = options.with_knowledge(value.parse()?),
            "egdb" => options = options.with_databases(Databases::in_folder(value.as_ref())?),
            "without" => options.features = SearchFeatures::all() - value.parse()?,
            _ => return Err(ParsePlayerError::UnknownSetting(name.to_owned())),
        }
    }
    Ok((Kind::BuiltIn(options), limit))
}

/// Reads the address of a program that speaks DXP; without a port, the customary one is added.
fn dxp_address(text: &str) -> Result<String, ParsePlayerError> {
    DxpConnection::address(text).ok_or_else(|| ParsePlayerError::InvalidAddress(text.to_owned()))
}

/// Reads a number from 1 to a maximum.
fn up_to(maximum: usize, name: &str, value: &str) -> Result<usize, ParsePlayerError> {
    let number = value.parse().ok().filter(|number| (1..=maximum).contains(number));
    let invalid = || ParsePlayerError::InvalidValue { name: name.to_owned(), value: value.to_owned(), maximum };
    number.ok_or_else(invalid)
}

/// The error for a text that is not a [`PlayerSpec`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePlayerError {
    /// A setting of the built-in engine has no value.
    NoValue(String),
    /// The built-in engine has no setting of this name.
    UnknownSetting(String),
    /// A value is not a number from 1 to a maximum.
    InvalidValue {
        /// Name of the setting.
        name: String,
        /// The value as written.
        value: String,
        /// Greatest valid value.
        maximum: usize,
    },
    /// This is not the address of a program that speaks DXP.
    InvalidAddress(String),
    /// A limit is invalid.
    Limit(ParseLimitError),
    /// There is no search feature of that name.
    Feature(UnknownFeature),
    /// The command line is invalid.
    Command(ParseCommandError),
    /// A file of weights or a folder of endgame databases cannot be used, for this reason.
    File(String),
}

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(setting) => write!(f, "expected a setting such as nodes=5000, found `{setting}`"),
            Self::UnknownSetting(name) => {
                write!(
                    f,
                    "unknown setting `{name}`; expected nodes, depth, time, hash, threads, weights, egdb or without"
                )
            }
            Self::InvalidValue { name, value, maximum } => {
                write!(f, "invalid value `{value}` for {name}; expected a number from 1 to {maximum}")
            }
            Self::InvalidAddress(text) => write!(f, "invalid address `{text}`; expected HOST or HOST:PORT"),
            Self::Limit(error) => error.fmt(f),
            Self::Feature(error) => error.fmt(f),
            Self::Command(error) => error.fmt(f),
            Self::File(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ParsePlayerError {}

impl From<Error> for ParsePlayerError {
    fn from(error: Error) -> Self {
        Self::File(error.to_string())
    }
}

impl From<ParseLimitError> for ParsePlayerError {
    fn from(error: ParseLimitError) -> Self {
        Self::Limit(error)
    }
}

impl From<UnknownFeature> for ParsePlayerError {
    fn from(error: UnknownFeature) -> Self {
        Self::Feature(error)
    }
}

impl From<ParseCommandError> for ParsePlayerError {
    fn from(error: ParseCommandError) -> Self {
        Self::Command(error)
    }
}

/// Why a player did not move.
#[derive(Debug)]
pub(super) enum PlayerError {
    /// The built-in engine found no move.
    NoMove,
    /// An engine that is another program failed.
    Engine(EngineError),
    /// A program that is reached over DXP failed.
    Dxp(DxpError),
    /// A program that is reached over DXP ended the game, with this result from its point of view.
    Declared(EndReason),
}

impl PlayerError {
    /// Returns true if the player cannot play at all.
    pub(super) const fn is_permanent(&self) -> bool {
        match self {
            Self::NoMove | Self::Declared(_) => false,
            Self::Engine(error) => error.is_permanent(),
            Self::Dxp(error) => error.is_permanent(),
        }
    }

    /// Returns the winner and the end of the game in which the player of a side did not move.
    pub(super) fn end(&self, side: Side) -> (Option<Side>, GameEnd) {
        match self {
            Self::Declared(EndReason::Loss) => (Some(!side), GameEnd::Declared),
            Self::Declared(EndReason::Draw) => (None, GameEnd::Declared),
            failure => (Some(!side), GameEnd::Failed(failure.to_string())),
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove => f.write_str("no move was found"),
            Self::Engine(error) => error.fmt(f),
            Self::Dxp(error) => error.fmt(f),
            Self::Declared(_) => DxpError::Ended.fmt(f),
        }
    }
}

/// A player during a match.
pub(super) enum Player {
    BuiltIn(Engine, Limit),
    Hub(ManagedEngine, Limit),
    Dxp(DxpPartner, Limit),
}

impl Player {
    /// Returns the clock at the start of a game.
    pub(super) const fn clock(&self) -> Option<GameClock> {
        let (Self::BuiltIn(_, limit) | Self::Hub(_, limit) | Self::Dxp(_, limit)) = self;
        limit.clock
    }

    /// Begins a game, in which the player has a side.
    pub(super) fn begin(&mut self, opening: &Opening, side: Side) -> Result<(), PlayerError> {
        match self {
            Self::BuiltIn(engine, _) => engine.new_game(),
            Self::Hub(engine, _) => engine.new_game(),
            Self::Dxp(partner, limit) => {
                let plies = opening.moves().len();
                partner.begin(opening.position(), plies, side, *limit).map_err(PlayerError::Dxp)?;
            }
        }
        Ok(())
    }

    /// Ends a game, with the last position and the earlier ones, oldest first.
    pub(super) fn finish(&mut self, position: &Position, history: &[Position], winner: Option<Side>) {
        if let Self::Dxp(partner, _) = self {
            partner.finish(position, history, winner);
        }
    }

    /// Returns the name that an engine of another program reports.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::BuiltIn(..) => None,
            Self::Hub(engine, _) => engine.name(),
            Self::Dxp(partner, _) => partner.name(),
        }
    }

    /// Chooses a legal move in a position that has one; `clock` is the player's current clock.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        history: &[Position],
        clock: Option<GameClock>,
    ) -> Result<(Move, Thought), PlayerError> {
        let started = Instant::now();
        let with_clock = |limit: Limit| clock.map_or(limit, |clock| limit.with_clock(clock));
        match self {
            Self::BuiltIn(engine, limit) => {
                let analysis = engine.analyse_game(position, history, with_clock(*limit));
                let thought = Thought::of(&analysis, started.elapsed());
                analysis.best_move().map(|step| (step, thought)).ok_or(PlayerError::NoMove)
            }
            Self::Hub(engine, limit) => {
                let choice = engine.play(position, history, with_clock(*limit)).map_err(PlayerError::Engine)?;
                let (depth, nodes) = (choice.depth().unwrap_or(0), choice.nodes().unwrap_or(0));
                Ok((choice.best_move(), Thought { score: choice.score(), depth, nodes, time: started.elapsed() }))
            }
            Self::Dxp(partner, _) => match partner.play(position, history).map_err(PlayerError::Dxp)? {
                PartnerTurn::Move(step) => Ok((step, Thought { time: started.elapsed(), ..Thought::default() })),
                PartnerTurn::End(reason) => Err(PlayerError::Declared(reason)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let kind = |text: &str| text.parse::<PlayerSpec>().map(|spec| (spec.kind, spec.limit));
        let options = EngineOptions::default();
        assert_eq!(kind("builtin"), Ok((Kind::BuiltIn(options.clone()), Limit::none())));
        let features = SearchFeatures::all() - SearchFeatures::PROBE;
        let options = options.with_hash_mb(2).with_threads(3).with_features(features);
        let limit = Limit::nodes(5000);
        assert_eq!(kind("builtin:nodes=5000,hash=2,threads=3,without=probe"), Ok((Kind::BuiltIn(options), limit)));
        assert_eq!(kind("scan hub"), Ok((Kind::Hub("scan hub".parse().unwrap()), Limit::none())));
        assert!(matches!(kind("builtinx hub"), Ok((Kind::Hub(_), _))));
        for (text, address) in [("dxp:localhost", "localhost:27531"), ("dxp:[::1]:5", "[::1]:5")] {
            assert_eq!(kind(text), Ok((Kind::Dxp(address.to_owned()), Limit::none())));
        }
    }

    #[test]
    fn invalid_players_are_errors() {
        for text in [
            "",
            "builtin:nodes",
            "builtin:nodes=0",
            "builtin:x=1",
            "builtin:time=-1",
            "builtin:clock=60",
            "builtin:hash=0",
            "builtin:threads=0",
            "builtin:without=x",
            "'a",
            "dxp:",
            "dxp::5",
            "dxp:localhost:port",
        ] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
    }
}
