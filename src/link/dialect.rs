//! The two versions of the Hub protocol, as far as somebody who uses an engine has to know them.

use std::time::Duration;

use super::codec::{read_line, read_score, write_move, write_position};
use super::level::write_level;
use super::message::Message;
use crate::engine::{Limits, Score};
use crate::rules::{Move, Position};

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Words in fixed places, lower-case side to move, moves one by one: Scan 2.0.
    One,
    /// Names and values.
    Two,
}

/// What an engine says while it is asked for a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    Info(Info),
    /// Its move, and the one that it expects then.
    Done(String, Option<String>),
    Error(String),
    /// Something that does not matter.
    Other,
}

/// What an engine knows so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Info {
    pub(super) score: Option<Score>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) line: Option<Vec<Move>>,
}

impl Info {
    /// Takes what a later message knows better.
    pub(super) fn update(&mut self, later: Self) {
        self.score = later.score.or(self.score);
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        if later.line.is_some() {
            self.line = later.line;
        }
    }
}

impl Dialect {
    /// Returns the lines that set up a position and the moves that follow it.
    pub(super) fn position(self, start: &Position, moves: &[Move]) -> Vec<String> {
        let variant = start.variant();
        let mut text = write_position(start);
        let moves: Vec<_> = moves.iter().map(|step| write_move(step, variant)).collect();
        match self {
            Self::One => {
                text[..1].make_ascii_lowercase();
                let moves = moves.iter().map(|step| format!("move {step}"));
                std::iter::once(format!("pos {text}")).chain(moves).collect()
            }
            Self::Two => {
                let moves = (!moves.is_empty()).then(|| moves.join(" "));
                vec![Message::new("pos").with("pos", text).with_some("moves", moves).to_string()]
            }
        }
    }

    /// Returns the lines that set the limits of a search; `None` if the dialect has no words for them.
    pub(super) fn level(self, limits: &Limits) -> Option<Vec<String>> {
        match self {
            Self::One if limits.nodes.is_some() || limits.clock.is_some() => None,
            Self::One => {
                let depth = limits.depth.map(|plies| format!("depth {plies}"));
                let time = limits.time.map(|time| format!("time {}", milliseconds(time)));
                Some(depth.into_iter().chain(time).collect())
            }
            Self::Two => Some(vec![write_level(limits).to_string()]),
        }
    }

    /// Returns the line that starts a search.
    pub(super) const fn go(self, analyse: bool) -> &'static str {
        match (self, analyse) {
            (Self::One, false) => "go",
            (Self::One, true) => "analyse",
            (Self::Two, false) => "go think",
            (Self::Two, true) => "go analyze",
        }
    }

    /// Returns the line that tells of a new game.
    pub(super) const fn new_game(self) -> &'static str {
        match self {
            Self::One => "new",
            Self::Two => "new-game",
        }
    }

    /// Reads what an engine says about a position.
    pub(super) fn read(self, line: &str, position: &Position) -> Said {
        match self {
            Self::One => read_one(line, position),
            Self::Two => read_two(line, position),
        }
    }
}

fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

fn read_two(line: &str, position: &Position) -> Said {
    let message = Message::parse(line);
    match message.command() {
        "info" => Said::Info(Info {
            score: message.value("score").and_then(read_score),
            depth: message.value("depth").and_then(|depth| depth.parse().ok()),
            nodes: message.value("nodes").and_then(|nodes| nodes.parse().ok()),
            line: message.value("pv").map(|line| read_line(position, line)),
        }),
        "done" => {
            Said::Done(message.value("move").unwrap_or_default().to_owned(), message.value("ponder").map(str::to_owned))
        }
        "error" => Said::Error(message.value("message").unwrap_or_default().to_owned()),
        _ => Said::Other,
    }
}

/// Reads `info depth mean-depth centi-men nodes time speed line…` and `move m [m]`.
fn read_one(line: &str, position: &Position) -> Said {
    let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let mut words = rest.split_whitespace();
    match command {
        "info" => {
            let words: Vec<_> = words.collect();
            let number = |n: usize| words.get(n).and_then(|word| word.parse::<i64>().ok());
            Said::Info(Info {
                score: number(2).map(|centi_men| Score::centi_men(centi_men.clamp(-30_000, 30_000) as i32)),
                depth: number(0).and_then(|depth| depth.try_into().ok()),
                nodes: number(3).and_then(|nodes| nodes.try_into().ok()),
                line: words.get(6..).map(|line| read_line(position, &line.join(" "))),
            })
        }
        "move" => Said::Done(words.next().unwrap_or_default().to_owned(), words.next().map(str::to_owned)),
        "error" => Said::Error(rest.to_owned()),
        _ => Said::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::codec::write_line;
    use crate::rules::Variant;

    #[test]
    fn both_dialects_set_up_a_game() {
        let start = Position::start(Variant::INTERNATIONAL);
        let moves = read_line(&start, "32-28 17-22 28x17x22");
        let squares = "bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
        let two = Dialect::Two.position(&start, &moves);
        assert_eq!(two, [format!("pos pos=W{squares} moves=\"32-28 17-22 28x17x22\"")]);
        let one = Dialect::One.position(&start, &moves);
        assert_eq!(one, [&format!("pos w{squares}"), "move 32-28", "move 17-22", "move 28x17x22"]);
        assert_eq!(Dialect::Two.position(&start, &[]), [format!("pos pos=W{squares}")]);
    }

    #[test]
    fn limits_in_both_dialects() {
        let limits = Limits { depth: Some(7), ..Limits::time(Duration::from_millis(250)) };
        assert_eq!(Dialect::One.level(&limits).unwrap(), ["depth 7", "time 250"]);
        assert_eq!(Dialect::Two.level(&limits).unwrap(), ["level depth=7 move-time=0.25"]);
        assert_eq!(Dialect::One.level(&Limits::nodes(5)), None);
    }

    #[test]
    fn answers_in_both_dialects() {
        let start = Position::start(Variant::INTERNATIONAL);
        for (dialect, line) in [
            (Dialect::One, "info 12 13.5 -4 231105 0.02 10.3 31-26 20-25"),
            (Dialect::Two, "info depth=12 mean-depth=13.5 score=-0.04 nodes=231105 pv=\"31-26 20-25\""),
        ] {
            let Said::Info(info) = dialect.read(line, &start) else { panic!("{line}") };
            assert_eq!((info.depth, info.nodes, info.score), (Some(12), Some(231_105), Some(Score::centi_men(-4))));
            assert_eq!(write_line(&info.line.unwrap(), Variant::INTERNATIONAL), "31-26 20-25");
        }
        let done = Said::Done("31-26".to_owned(), Some("20-25".to_owned()));
        assert_eq!(Dialect::One.read("move 31-26 20-25", &start), done);
        assert_eq!(Dialect::Two.read("done move=31-26 ponder=20-25", &start), done);
        assert_eq!(Dialect::One.read("error bad position", &start), Said::Error("bad position".to_owned()));
        for line in ["", "info", "x y z", "info a b c d e f g", "info depth=-1 nodes=x score=y pv=z"] {
            for dialect in [Dialect::One, Dialect::Two] {
                assert!(matches!(dialect.read(line, &start), Said::Info(_) | Said::Other), "{line}");
            }
        }
    }
}
