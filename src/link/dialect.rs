//! The two versions of the Hub protocol, as needed to use an engine.

use super::codec::{read_line, read_score, write_level, write_move, write_position};
use super::message::Message;
use crate::engine::{Analysis, Limit, Score};
use crate::rules::{Move, Position};

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Version 1 (Scan 2.0): positional arguments, a lower-case side to move, one message for each move.
    One,
    /// Version 2: named arguments.
    Two,
}

/// A message of an engine during a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    Info(SearchInfo),
    /// The end of the search: the move and the expected reply.
    Done {
        best: String,
        ponder: Option<String>,
    },
    Error(String),
    /// A message irrelevant to the search.
    Other,
}

/// The progress of a search, as far as the engine has reported it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SearchInfo {
    pub(super) score: Option<Score>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) pv: Option<Vec<Move>>,
}

impl SearchInfo {
    /// Takes over the values of a later message.
    pub(super) fn update(&mut self, later: Self) {
        self.score = later.score.or(self.score);
        self.depth = later.depth.or(self.depth);
        self.nodes = later.nodes.or(self.nodes);
        if later.pv.is_some() {
            self.pv = later.pv;
        }
    }

    /// Returns what was reported as an analysis; `None` without a score.
    pub(super) fn analysis(&self) -> Option<Analysis> {
        let pv = self.pv.clone().unwrap_or_default();
        Some(Analysis::new(self.score?, pv, self.depth.unwrap_or(0), self.nodes.unwrap_or(0)))
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

    /// Returns the lines that set the limits of a search; `None` if the version does not support them.
    pub(super) fn level(self, limit: Limit) -> Option<Vec<String>> {
        match self {
            Self::One if limit.nodes.is_some() || limit.clock.is_some() => None,
            Self::One => {
                let depth = limit.depth.map(|plies| format!("depth {plies}"));
                let time = limit.time.map(|time| format!("time {}", time.as_millis().max(1)));
                Some(depth.into_iter().chain(time).collect())
            }
            Self::Two => Some(vec![write_level(limit).to_string()]),
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

    /// Returns the line that starts a new game.
    pub(super) const fn new_game(self) -> &'static str {
        match self {
            Self::One => "new",
            Self::Two => "new-game",
        }
    }

    /// Reads a message about the search of a position.
    pub(super) fn read(self, line: &str, position: &Position) -> Reply {
        match self {
            Self::One => read_one(line, position),
            Self::Two => read_two(line, position),
        }
    }
}

/// Returns what an error of an engine says: its argument `message`, or else the rest of the line.
pub(super) fn reported(line: &str) -> String {
    let message = Message::parse(line);
    let rest = line.trim().strip_prefix("error").unwrap_or_default().trim();
    let said = message.value("message").into_iter().chain([rest]).find(|text| !text.is_empty());
    said.unwrap_or("no reason given").to_owned()
}

fn read_two(line: &str, position: &Position) -> Reply {
    let message = Message::parse(line);
    match message.command() {
        "info" => Reply::Info(SearchInfo {
            score: message.value("score").and_then(read_score),
            depth: message.value("depth").and_then(|depth| depth.parse().ok()),
            nodes: message.value("nodes").and_then(|nodes| nodes.parse().ok()),
            pv: message.value("pv").map(|pv| read_line(position, pv)),
        }),
        "done" => Reply::Done {
            best: message.value("move").unwrap_or_default().to_owned(),
            ponder: message.value("ponder").map(str::to_owned),
        },
        "error" => Reply::Error(reported(line)),
        _ => Reply::Other,
    }
}

/// Reads `info depth mean-depth centi-men nodes time speed line…` and `move m [m]`.
fn read_one(line: &str, position: &Position) -> Reply {
    let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let mut words = rest.split_whitespace();
    match command {
        "info" => {
            let words: Vec<_> = words.collect();
            let number = |n: usize| words.get(n).and_then(|word| word.parse::<i64>().ok());
            Reply::Info(SearchInfo {
                // Programs may write a win as any large number.
                score: number(2).map(|centi_men| Score::centi_men(centi_men.clamp(-30_000, 30_000) as i32)),
                depth: number(0).and_then(|depth| depth.try_into().ok()),
                nodes: number(3).and_then(|nodes| nodes.try_into().ok()),
                pv: words.get(6..).map(|pv| read_line(position, &pv.join(" "))),
            })
        }
        "move" => {
            Reply::Done { best: words.next().unwrap_or_default().to_owned(), ponder: words.next().map(str::to_owned) }
        }
        "error" => Reply::Error(reported(line)),
        _ => Reply::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
    fn both_dialects_set_limits() {
        let limit = Limit { time: Some(Duration::from_millis(250)), ..Limit::depth(7) };
        assert_eq!(Dialect::One.level(limit).unwrap(), ["depth 7", "time 250"]);
        assert_eq!(Dialect::Two.level(limit).unwrap(), ["level depth=7 move-time=0.25"]);
        assert_eq!(Dialect::One.level(Limit::nodes(5)), None);
    }

    #[test]
    fn both_dialects_are_read() {
        let start = Position::start(Variant::INTERNATIONAL);
        for (dialect, line) in [
            (Dialect::One, "info 12 13.5 -4 231105 0.02 10.3 31-26 20-25"),
            (Dialect::Two, "info depth=12 mean-depth=13.5 score=-0.04 nodes=231105 pv=\"31-26 20-25\""),
        ] {
            let Reply::Info(info) = dialect.read(line, &start) else { panic!("{line}") };
            assert_eq!((info.depth, info.nodes, info.score), (Some(12), Some(231_105), Some(Score::centi_men(-4))));
            assert_eq!(write_line(&info.pv.unwrap(), Variant::INTERNATIONAL), "31-26 20-25");
        }
        let done = Reply::Done { best: "31-26".to_owned(), ponder: Some("20-25".to_owned()) };
        assert_eq!(Dialect::One.read("move 31-26 20-25", &start), done);
        assert_eq!(Dialect::Two.read("done move=31-26 ponder=20-25", &start), done);
        for dialect in [Dialect::One, Dialect::Two] {
            for (line, said) in [
                ("error bad position", "bad position"),
                ("error message=\"bad position\" code=3", "bad position"),
                ("error", "no reason given"),
            ] {
                assert_eq!(dialect.read(line, &start), Reply::Error(said.to_owned()));
            }
        }
        for line in ["", "info", "x y z", "info a b c d e f g", "info depth=-1 nodes=x score=y pv=z"] {
            for dialect in [Dialect::One, Dialect::Two] {
                assert!(matches!(dialect.read(line, &start), Reply::Info(_) | Reply::Other), "{line}");
            }
        }
    }
}
