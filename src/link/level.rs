//! Search limits as the Hub protocol writes them.

use std::time::Duration;

use super::message::Message;
use crate::engine::{GameClock, Limit};

/// Reads a `level` message. The limit of `level infinite` is [`Limit::none`].
///
/// # Errors
///
/// If a value is invalid or no limit is given.
pub(super) fn read_level(message: &Message) -> Result<Limit, String> {
    let mut limit = Limit::none();
    limit.depth = number(message, "depth", 1.0)?.map(|plies| plies as u32);
    limit.nodes = number(message, "nodes", 1.0)?.map(|nodes| nodes as u64);
    limit.time = number(message, "move-time", 0.0)?.map(duration);
    let increment = number(message, "inc", 0.0)?.map_or(Duration::ZERO, duration);
    let moves = number(message, "moves", 0.0)?.filter(|&moves| moves >= 1.0).map(|moves| moves as u32);
    let left = number(message, "time", 0.0)?.map(duration);
    limit.clock = left.map(|left| GameClock::new(left, increment).with_moves(moves));
    if limit.is_none() && !message.has("infinite") {
        return Err("invalid level: no known limit".to_owned());
    }
    Ok(limit)
}

fn number(message: &Message, name: &str, least: f64) -> Result<Option<f64>, String> {
    let Some(text) = message.value(name) else { return Ok(None) };
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= least);
    number.map(Some).ok_or_else(|| format!("invalid level: {name}={text}"))
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Writes limits as a `level` message.
pub(super) fn write_level(limit: Limit) -> Message {
    let message = Message::new("level")
        .with_some("depth", limit.depth)
        .with_some("nodes", limit.nodes)
        .with_some("move-time", limit.time.map(|time| time.as_secs_f64()))
        .with_some("moves", limit.clock.and_then(|clock| clock.moves()))
        .with_some("time", limit.clock.map(|clock| clock.left().as_secs_f64()))
        .with_some("inc", limit.clock.map(|clock| clock.increment().as_secs_f64()));
    if limit.is_none() { message.with_flag("infinite") } else { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Limit, String> {
        read_level(&Message::parse(line))
    }

    #[test]
    fn all_forms_are_read() {
        let seconds = |time| Ok(Limit::time(Duration::from_secs_f64(time)));
        assert_eq!(read("level depth=9"), Ok(Limit::depth(9)));
        assert_eq!(read("level nodes=20000"), Ok(Limit::nodes(20_000)));
        assert_eq!(read("level move-time=0.3"), seconds(0.3));
        assert_eq!(read("level infinite"), Ok(Limit::none()));
        let on_clock = |left, increment, moves| {
            let clock = GameClock::new(Duration::from_secs(left), Duration::from_secs(increment));
            Ok(Limit::clock(clock.with_moves(moves)))
        };
        assert_eq!(read("level time=300"), on_clock(300, 0, None));
        assert_eq!(read("level moves=10 time=60 inc=1"), on_clock(60, 1, Some(10)));
        assert_eq!(read("level moves=0 time=60"), on_clock(60, 0, None));
        assert_eq!(read("level time=0"), on_clock(0, 0, None));
        assert_eq!(read("level depth=9 nodes=7").unwrap().nodes, Some(7));
    }

    #[test]
    fn invalid_levels_are_errors() {
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
        assert!(read("level move-time=1e300 depth=1e99").is_ok(), "huge limits are valid");
    }

    #[test]
    fn limits_survive_their_message() {
        let clock = GameClock::new(Duration::from_mins(1), Duration::from_secs(1)).with_moves(Some(20));
        let all = Limit::depth(7).with_nodes(1_000_000).with_time(Duration::from_millis(1500)).with_clock(clock);
        for limit in [all, Limit::depth(3), Limit::none()] {
            assert_eq!(read(&write_level(limit).to_string()), Ok(limit));
        }
    }
}
