//! How long an engine may think, as the Hub protocol writes it.

use std::time::Duration;

use super::message::Message;
use crate::engine::{GameClock, Limits};

/// What ends a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Level(Limits);

impl Level {
    /// Reads a `level` message.
    ///
    /// # Errors
    ///
    /// If a value makes no sense, or none is there.
    pub(super) fn read(message: &Message) -> Result<Self, String> {
        let depth = number(message, "depth", 1.0)?.map(|plies| plies as u32);
        let nodes = number(message, "nodes", 1.0)?.map(|nodes| nodes as u64);
        let time = number(message, "move-time", 0.0)?.map(duration);
        let increment = number(message, "inc", 0.0)?.map_or(Duration::ZERO, duration);
        let moves = number(message, "moves", 0.0)?.filter(|&moves| moves >= 1.0).map(|moves| moves as u32);
        let left = number(message, "time", 0.0)?.map(duration);
        let clock = left.map(|left| GameClock { left, increment, moves });
        let level = Self(Limits { depth, nodes, time, clock });
        if level == Self::default() && !message.has("infinite") {
            return Err("bad level: no limit that is known".to_owned());
        }
        Ok(level)
    }

    /// Whether only `stop` ends the search.
    pub(super) fn is_infinite(&self) -> bool {
        *self == Self::default()
    }

    /// Limits of the search.
    pub(super) const fn limits(&self) -> Limits {
        self.0
    }
}

fn number(message: &Message, name: &str, least: f64) -> Result<Option<f64>, String> {
    let Some(text) = message.value(name) else { return Ok(None) };
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= least);
    number.map(Some).ok_or_else(|| format!("bad level: {name}={text}"))
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Writes limits as a `level` message.
pub(super) fn write_level(limits: &Limits) -> Message {
    let message = Message::new("level")
        .with_some("depth", limits.depth)
        .with_some("nodes", limits.nodes)
        .with_some("move-time", limits.time.map(|time| time.as_secs_f64()))
        .with_some("moves", limits.clock.and_then(|clock| clock.moves))
        .with_some("time", limits.clock.map(|clock| clock.left.as_secs_f64()))
        .with_some("inc", limits.clock.map(|clock| clock.increment.as_secs_f64()));
    if *limits == Limits::default() { message.flag("infinite") } else { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Limits, String> {
        Level::read(&Message::parse(line)).map(|level| level.limits())
    }

    #[test]
    fn all_forms_are_read() {
        let seconds = |time| Ok(Limits::time(Duration::from_secs_f64(time)));
        assert_eq!(read("level depth=9"), Ok(Limits::depth(9)));
        assert_eq!(read("level nodes=20000"), Ok(Limits::nodes(20_000)));
        assert_eq!(read("level move-time=0.3"), seconds(0.3));
        assert_eq!(read("level infinite"), Ok(Limits::default()));
        let on_clock = |left, increment, moves| {
            let (left, increment) = (Duration::from_secs(left), Duration::from_secs(increment));
            Ok(Limits { clock: Some(GameClock { left, increment, moves }), ..Limits::default() })
        };
        assert_eq!(read("level time=300"), on_clock(300, 0, None));
        assert_eq!(read("level moves=10 time=60 inc=1"), on_clock(60, 1, Some(10)));
        assert_eq!(read("level moves=0 time=60"), on_clock(60, 0, None));
        assert_eq!(read("level time=0"), on_clock(0, 0, None));
        assert_eq!(read("level depth=9 nodes=7").unwrap().nodes, Some(7));
    }

    #[test]
    fn nonsense_is_told() {
        for line in [
            "level",
            "level depth=0",
            "level depth=x",
            "level nodes=-3",
            "level move-time=nan",
            "level move-time=inf",
            "level time=-1",
            "level time",
            "level moves=5",
            "level potatoes=5",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        assert!(read("level move-time=1e300 depth=1e99").is_ok(), "far is not nonsense");
    }

    #[test]
    fn limits_are_read_again() {
        let time = Some(Duration::from_millis(1500));
        let clock = GameClock { left: Duration::from_mins(1), increment: Duration::from_secs(1), moves: Some(20) };
        let limits = Limits { depth: Some(7), nodes: Some(1_000_000), time, clock: Some(clock) };
        for limits in [limits, Limits::depth(3), Limits::default()] {
            assert_eq!(read(&write_level(&limits).to_string()), Ok(limits));
        }
    }
}
