//! Those who play: the built-in engine in any configuration, and engines of other programs.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::engine::{Engine, EngineSettings, GameClock, Limits, Parts};
use crate::link::{CommandLine, KeptEngine, Patience, Question};
use crate::rules::{Move, Position, Variant};

/// Who plays: `builtin`, `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2,without=probe+singular`, or the command line of a Hub engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    BuiltIn { limits: Limits, settings: EngineSettings },
    Linked(CommandLine),
}

impl PlayerSpec {
    /// Returns a player of a match; its own limits go before those of the match.
    pub(super) fn player(&self, variant: Variant, limits: &Limits, patience: Patience) -> Player {
        match &self.kind {
            Kind::BuiltIn { limits: own, settings } => {
                let limits = if *own == Limits::default() { *limits } else { *own };
                Player::BuiltIn(Engine::with_settings(variant, settings), limits)
            }
            Kind::Linked(command) => Player::Linked(KeptEngine::new(command.clone(), variant, patience), *limits),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let kind = match text.strip_prefix("builtin") {
            Some("") => built_in("")?,
            Some(settings) if settings.starts_with(':') => built_in(&settings[1..])?,
            _ => Kind::Linked(CommandLine::parse(text).ok_or("no player: the command line is empty or not closed")?),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

/// What can be said of the built-in engine.
const SETTINGS: &str = "nodes, depth, time, hash, threads and without";

fn built_in(text: &str) -> Result<Kind, String> {
    let (mut limits, mut settings) = (Limits::default(), EngineSettings::default());
    for setting in text.split(',').filter(|setting| !setting.is_empty()) {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| format!("`{setting}` is no setting such as nodes=5000"))?;
        let bad = || format!("`{value}` is no value for {name}");
        match name.trim() {
            "nodes" => limits.nodes = Some(value.parse().ok().filter(|&nodes: &u64| nodes > 0).ok_or_else(bad)?),
            "depth" => limits.depth = Some(value.parse().ok().filter(|&depth: &u32| depth > 0).ok_or_else(bad)?),
            "time" => limits.time = Some(seconds(value).ok_or_else(bad)?),
            "hash" => settings.megabytes = value.parse().ok().filter(|n| (1..=65_536).contains(n)).ok_or_else(bad)?,
            "threads" => settings.threads = value.parse().ok().filter(|n| (1..=256).contains(n)).ok_or_else(bad)?,
            "without" => settings.parts = Parts::all_without(value)?,
            _ => return Err(format!("the built-in engine has no `{name}`: it has {SETTINGS}")),
        }
    }
    Ok(Kind::BuiltIn { limits, settings })
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok().filter(|time| !time.is_zero())
}

/// Why a player did not move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerFault {
    /// In one clause.
    pub reason: String,
    /// Whether it will never move, so that the match makes no sense.
    pub is_lasting: bool,
}

/// A player at work.
pub(super) enum Player {
    BuiltIn(Engine, Limits),
    Linked(KeptEngine, Limits),
}

impl Player {
    /// Time that it has for a whole game.
    pub(super) fn clock(&self) -> Option<GameClock> {
        let (Self::BuiltIn(_, limits) | Self::Linked(_, limits)) = self;
        limits.clock
    }

    pub(super) fn new_game(&mut self) {
        match self {
            Self::BuiltIn(engine, _) => engine.new_game(),
            Self::Linked(engine, _) => engine.new_game(),
        }
    }

    /// Returns a legal move in a position that has one; `clock` is what its clock shows now.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        history: &[Position],
        clock: Option<GameClock>,
    ) -> Result<Move, PlayerFault> {
        match self {
            Self::BuiltIn(engine, limits) => {
                let limits = Limits { clock, ..*limits };
                let best = engine.analyse(position, history, &limits).best();
                best.ok_or_else(|| PlayerFault { reason: "it found no move".to_owned(), is_lasting: false })
            }
            Self::Linked(engine, limits) => {
                let limits = &Limits { clock, ..*limits };
                let asked = engine.ask_once(&Question { position, history, limits, analyse: false });
                let fault = |fault: crate::link::Fault| PlayerFault {
                    reason: fault.to_string(),
                    is_lasting: fault.is_lasting(),
                };
                asked.map(|answer| answer.best).map_err(fault)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Part;

    #[test]
    fn players_by_their_texts() {
        let kind = |text: &str| text.parse::<PlayerSpec>().map(|spec| spec.kind);
        let settings = EngineSettings::default();
        assert_eq!(kind("builtin"), Ok(Kind::BuiltIn { limits: Limits::default(), settings }));
        let settings = EngineSettings { megabytes: 2, threads: 3, parts: Parts::ALL.without(Part::Probe) };
        let limits = Limits::nodes(5000);
        assert_eq!(kind("builtin:nodes=5000,hash=2,threads=3,without=probe"), Ok(Kind::BuiltIn { limits, settings }));
        assert_eq!(kind("scan hub"), Ok(Kind::Linked(CommandLine::parse("scan hub").unwrap())));
        assert!(matches!(kind("builtinx hub"), Ok(Kind::Linked(_))));
        for text in [
            "",
            "builtin:nodes",
            "builtin:nodes=0",
            "builtin:x=1",
            "builtin:time=-1",
            "builtin:hash=0",
            "builtin:threads=0",
            "builtin:without=x",
            "'a",
        ] {
            assert!(kind(text).is_err(), "{text}");
        }
    }
}
