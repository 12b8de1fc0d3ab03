//! `pdn play`: a game against the engine, in the terminal.

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, stdin};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, print_error};
use super::options::parse_seconds;
use crate::arena::{Record, write_record};
use crate::board::Side;
use crate::engine::{Analysis, Engine, EngineSettings, Limits, Score};
use crate::error::{Error, Result};
use crate::notation::Outcome;
use crate::notation::{Numbering, ResolveError, resolve};
use crate::pdn::MoveText;
use crate::report::board_text;
use crate::rules::{DrawTracker, Move, Position, Variant};

/// Play against the engine
///
/// Type a move in any notation that PDN knows, or a word; `help` lists the words. Commands are read from standard input,
/// so that a game can also come from a file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn play
  pdn play --variant brazilian --side black --time 3")]
pub(super) struct Options {
    /// Your side; with `both` the engine only gives hints
    #[arg(long, value_name = "SIDE", default_value = "white")]
    side: Seat,
    /// Where to begin [default: the first position of the variant]
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Seconds for each move of the engine [default: 1, unless another limit is given]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Positions that it searches for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies that it searches for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Megabytes of its table of positions
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Threads that it searches with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    White,
    Black,
    Both,
}

const HELP: &str = "\
a move    such as 32-28, 28x17 or c3-d4
moves     the legal moves
board     the board and its FEN
back      take back your last move
hint      what the engine would play
eval N    what the engine thinks of the position and of its N best moves, seen from White
go        let the engine move for you
new       begin another game
save FILE write the game as PDN
quit      end
";

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let start = match &options.fen {
        None => Position::start(variant),
        Some(fen) => match Position::from_fen(variant, fen) {
            Ok(position) => position,
            Err(fault) => {
                print_error(&Error::usage(format!("the FEN cannot be used: {fault}")));
                return Ok(Status::Errors);
            }
        },
    };
    let mut table = Table {
        engine: Engine::with_settings(variant, &options.settings()),
        limits: options.limits(),
        seat: options.side,
        game: Game::new(start),
    };
    say(context, &table.opening())?;
    for line in stdin().lock().lines() {
        let line = line.map_err(|fault| Error::read("standard input", fault))?;
        match table.take(line.trim()) {
            Some(answer) => say(context, &answer)?,
            None => break,
        }
    }
    Ok(Status::Clean)
}

fn say(context: &mut Context, text: &str) -> Result<()> {
    context.out.text(text)?;
    context.out.text("> ")?;
    context.out.flush()
}

impl Options {
    fn settings(&self) -> EngineSettings {
        let (megabytes, threads) = (self.hash as usize, usize::from(self.threads));
        EngineSettings { megabytes, threads, ..EngineSettings::default() }
    }

    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let time = self.time.or(unlimited.then_some(Duration::from_secs(1)));
        Limits { depth: self.depth, nodes: self.nodes, time, clock: None }
    }
}

/// A game with all positions that it had.
struct Game {
    start: Position,
    history: Vec<Position>,
    moves: Vec<Move>,
    position: Position,
}

impl Game {
    const fn new(start: Position) -> Self {
        Self { start, history: Vec::new(), moves: Vec::new(), position: start }
    }

    fn play(&mut self, step: &Move) {
        self.history.push(self.position);
        self.moves.push(*step);
        self.position = self.position.play_unchecked(step);
    }

    fn take_back(&mut self) -> bool {
        let Some(before) = self.history.pop() else { return false };
        self.moves.pop();
        self.position = before;
        true
    }

    /// The draw that the rules see, if there is one.
    fn draw(&self) -> Option<&'static str> {
        let mut tracker = DrawTracker::new(&self.start);
        let after = self.history.iter().skip(1).chain([&self.position]);
        let plies = self.history.iter().zip(&self.moves).zip(after);
        plies.flat_map(|((before, step), after)| tracker.record(before, step, after)).next().map(|event| event.name)
    }

    fn result(&self) -> Option<Outcome> {
        let winner = self.position.winner().map(Outcome::Win);
        winner.or_else(|| self.draw().map(|_| Outcome::Draw))
    }
}

/// The board between the user and the engine.
struct Table {
    engine: Engine,
    limits: Limits,
    seat: Seat,
    game: Game,
}

impl Table {
    /// What is said at the beginning of a game; where the engine has the first move it makes it.
    fn opening(&mut self) -> String {
        let mut text = self.board();
        self.engine_moves(&mut text);
        text
    }

    /// Answers a line; `None` ends the game.
    fn take(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match word.to_lowercase().as_str() {
            "" => String::new(),
            "quit" | "exit" => return None,
            "help" | "?" => HELP.to_owned(),
            "moves" => self.moves(),
            "board" => format!("{}{}\n", self.board(), self.game.position.fen()),
            "back" => self.back(),
            "hint" => self.hint(),
            "eval" => self.evaluation(rest.trim()),
            "go" => self.go(),
            "new" => {
                self.game = Game::new(self.game.start);
                self.engine.new_game();
                self.opening()
            }
            "save" => self.save(rest.trim()),
            _ => self.user_moves(line),
        })
    }

    fn board(&self) -> String {
        board_text(&self.game.position, Numbering::for_variant(self.game.position.variant()))
    }

    fn moves(&self) -> String {
        let position = &self.game.position;
        let moves: Vec<_> = position.legal_moves().iter().map(|step| position.short(step)).collect();
        moves.join(" ") + "\n"
    }

    fn user_moves(&mut self, line: &str) -> String {
        let position = &self.game.position;
        let numbering = Numbering::for_variant(position.variant());
        let Some(written) = MoveText::parse(line) else {
            return format!("`{line}` is no move and no word; try help\n");
        };
        let step = match resolve(position, &written, numbering) {
            Ok(resolved) => resolved.played,
            Err(ResolveError::Illegal(why)) => {
                let question = why.question(position, numbering).map(|question| format!("; {question}"));
                return format!("that is not legal here: {}{}\n", why.reason, question.unwrap_or_default());
            }
            Err(ResolveError::Ambiguous { candidates }) => {
                let moves: Vec<_> = candidates.iter().map(|step| position.short(step)).collect();
                return format!("which one: {}?\n", moves.join(", "));
            }
        };
        self.game.play(&step);
        let mut text = String::new();
        self.engine_moves(&mut text);
        text + &self.board()
    }

    /// Lets the engine move as long as it is its turn, and tells how the game ended.
    fn engine_moves(&mut self, text: &mut String) {
        let engines = |side: Side| match self.seat {
            Seat::White => side == Side::Black,
            Seat::Black => side == Side::White,
            Seat::Both => false,
        };
        if self.game.result().is_none() && engines(self.game.position.turn()) {
            self.engine_move(text);
        }
        self.tell_result(text);
    }

    fn engine_move(&mut self, text: &mut String) {
        let Some(best) = self.analyse().best() else { return };
        let _ = writeln!(text, "{} plays {}", self.game.position.turn(), self.game.position.short(&best));
        self.game.play(&best);
    }

    fn tell_result(&self, text: &mut String) {
        let _ = match self.game.result() {
            Some(Outcome::Win(winner)) => writeln!(text, "{winner} has won"),
            Some(Outcome::Draw) => writeln!(text, "a draw: {}", self.game.draw().unwrap_or_default()),
            None => Ok(()),
        };
    }

    fn go(&mut self) -> String {
        let mut text = String::new();
        if self.game.result().is_none() {
            self.engine_move(&mut text);
        }
        self.engine_moves(&mut text);
        text + &self.board()
    }

    fn analyse(&mut self) -> Analysis {
        self.engine.analyse(&self.game.position, &self.game.history, &self.limits)
    }

    fn hint(&mut self) -> String {
        let best = self.analyse().best();
        best.map_or_else(|| "there is no legal move\n".to_owned(), |best| self.game.position.short(&best) + "\n")
    }

    fn evaluation(&mut self, lines: &str) -> String {
        let Some(lines) = (if lines.is_empty() { Some(1) } else { lines.parse().ok().filter(|&lines| lines > 0) })
        else {
            return format!("`{lines}` is no number of moves\n");
        };
        self.engine.set_lines(lines);
        let found = self.analyse();
        self.engine.set_lines(1);
        let others = found.others.iter().map(|line| (line.score, &line.moves));
        let lines = [(found.score, &found.line)].into_iter().chain(others);
        lines.map(|(score, moves)| self.line(score, found.depth, moves)).collect()
    }

    fn line(&self, score: Score, depth: u32, moves: &[Move]) -> String {
        let mut position = self.game.position;
        let score = if position.turn() == Side::White { score } else { -score };
        let mut text = format!("{score}, depth {depth}:");
        for step in moves {
            let _ = write!(text, " {}", position.short(step));
            position = position.play_unchecked(step);
        }
        text + "\n"
    }

    /// Takes back to the last position in which the user was to move.
    fn back(&mut self) -> String {
        if !self.game.take_back() {
            return "there is nothing to take back\n".to_owned();
        }
        let own = match self.seat {
            Seat::White => Some(Side::White),
            Seat::Black => Some(Side::Black),
            Seat::Both => None,
        };
        if own.is_some_and(|own| own != self.game.position.turn()) {
            self.game.take_back();
        }
        let mut text = self.board();
        // Behind the user's first move there may be the engine's.
        self.engine_moves(&mut text);
        text
    }

    fn save(&self, path: &str) -> String {
        if path.is_empty() {
            return "save where?\n".to_owned();
        }
        let names = match self.seat {
            Seat::White => ["?", "pdn"],
            Seat::Black => ["pdn", "?"],
            Seat::Both => ["?", "?"],
        };
        let Game { start, moves, .. } = &self.game;
        let result = self.game.result();
        let record = Record { event: "pdn play", round: None, names, start: *start, moves, result, remark: None };
        match fs::write(path, write_record(&record)) {
            Ok(()) => format!("saved in {path}\n"),
            Err(fault) => format!("{}\n", Error::write(path, fault)),
        }
    }
}
