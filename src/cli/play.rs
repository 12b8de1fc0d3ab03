//! `pdn play`: a game against the engine in the terminal; and the built-in engine as a player, here and in `pdn dxp`.

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, stdin};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::{ADVANCED, Endgames, Evaluation, OpeningBook, parse_seconds};
use crate::arena::GameLine;
use crate::board::Side;
use crate::engine::{Analysis, Asker, Engine, EngineOptions, Limit, ScoredLine, checked_lines};
use crate::error::{Error, Result};
use crate::link::{EngineTurn, GameEngine};
use crate::notation::{GameRecord, Numbering, Outcome, resolve};
use crate::pdn::MoveText;
use crate::report::{BoardView, board_text};
use crate::rules::{Move, Variant};

/// Time for each move of the engine if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Play against the engine
///
/// Enter a move in any PDN notation, or a command; `help` lists the commands. They are read from standard input, so they can also
/// come from a file. Without a limit, the engine thinks for one second per move.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn play
  pdn play --variant brazilian --side black --time 3
  pdn play --book repertoire.pdn")]
pub(super) struct Options {
    /// Your side; with `both` the engine only gives hints
    #[arg(long, value_name = "SIDE", default_value = "white")]
    side: Seat,
    /// Position to start from [default: the starting position of the variant]
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    #[command(flatten)]
    pub(super) player: Player,
}

/// The sides that the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    White,
    Black,
    Both,
}

impl Seat {
    /// Returns the only side that the user plays.
    const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Both => None,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.rules();
    let Some(start) = context.position(options.fen.as_deref()) else { return Ok(Status::Errors) };
    let engine = options.player.engine(variant, context)?;
    let limit = Some(options.player.limit()).filter(|limit| !limit.is_none());
    let limit = limit.unwrap_or(Limit::time(DEFAULT_TIME));
    let mut session = Session { engine, limit, seat: options.side, game: GameLine::new(start) };
    prompt(context, &session.begin())?;
    for line in stdin().lock().lines() {
        let line = line.map_err(|error| Error::read("standard input", error))?;
        match session.answer(line.trim()) {
            Some(answer) => prompt(context, &answer)?,
            None => break,
        }
    }
    Ok(Status::Clean)
}

fn prompt(context: &mut Context, text: &str) -> Result<()> {
    context.out.text(text)?;
    context.out.text("> ")?;
    context.out.flush()
}

/// The built-in engine and its limits.
#[derive(Debug, Args)]
pub(super) struct Player {
    /// Seconds for each engine move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes for each engine move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth for each engine move, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Size of the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, help_heading = ADVANCED)]
    hash: usize,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = ADVANCED)]
    threads: usize,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    #[command(flatten)]
    book: OpeningBook,
}

impl Player {
    /// Returns the engine for a variant.
    ///
    /// # Errors
    ///
    /// If the size of its table or the number of threads is invalid, the weights are for another variant, or the opening book cannot
    /// be read.
    pub(super) fn engine(&self, variant: Variant, context: &mut Context) -> Result<Engine> {
        let options = EngineOptions::checked(self.hash, self.threads, Asker::Owner)?;
        let knowledge = self.evaluation.knowledge_for(variant)?;
        let options = options.with_knowledge(knowledge).with_databases(context.databases(variant));
        let mut engine = Engine::try_with_options(variant, options)?;
        self.book.give(&mut engine, context)?;
        Ok(engine)
    }

    /// Returns the limit of each move; none if no option sets one.
    pub(super) fn limit(&self) -> Limit {
        let mut limit = Limit::none();
        (limit.depth, limit.nodes, limit.time) = (self.depth, self.nodes, self.time);
        limit
    }
}

const HELP: &str = "\
a move    such as 32-28, 28x17 or c3-d4
moves     list the legal moves
board     show the board and its FEN
back      take back your last move
hint      show the move that the engine would play
eval N    evaluate the position and its N best moves, from White's point of view
go        let the engine move for you
new       start another game
save FILE write the game as PDN
quit      leave
";

/// A session with one engine, game after game.
struct Session {
    engine: Engine,
    limit: Limit,
    seat: Seat,
    game: GameLine,
}

impl Session {
    /// Starts a game, with the first move if the engine has it.
    fn begin(&mut self) -> String {
        let mut text = self.board();
        self.continue_game(&mut text);
        text
    }

    /// Answers a line of the user; `None` ends the session.
    fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match word.to_lowercase().as_str() {
            "" => String::new(),
            "quit" | "exit" => return None,
            "help" | "?" => HELP.to_owned(),
            "moves" => {
                let position = self.game.position();
                let moves: Vec<_> = position.legal_moves().iter().map(|step| position.short(step)).collect();
                moves.join(" ") + "\n"
            }
            "board" => format!("{}{}\n", self.board(), self.game.position().fen()),
            "back" => self.take_back(),
            "hint" => self.hint(),
            "eval" => self.evaluate(rest.trim()),
            "go" => self.go(),
            "new" => {
                self.game = GameLine::new(self.game.start());
                self.engine.new_game();
                self.begin()
            }
            "save" => self.save(rest.trim()),
            _ => self.play(line),
        })
    }

    fn board(&self) -> String {
        let position = self.game.position();
        board_text(position, Numbering::for_variant(position.variant()), &BoardView::default())
    }

    fn play(&mut self, line: &str) -> String {
        let Some(written) = MoveText::parse(line) else {
            return format!("`{line}` is neither a move nor a command; try `help`\n");
        };
        match self.resolve(&written) {
            Ok(step) => {
                self.game.play(&step);
                let mut text = String::new();
                self.continue_game(&mut text);
                text + &self.board()
            }
            Err(message) => message,
        }
    }

    /// Finds the legal move that the user wrote, or explains why there is none.
    fn resolve(&self, written: &MoveText) -> Result<Move, String> {
        let position = self.game.position();
        let numbering = Numbering::for_variant(position.variant());
        match resolve(position, written, numbering) {
            Ok((played, _)) => Ok(played),
            Err(why) if !why.is_ambiguous() => {
                let question = why.question(position, numbering).map(|question| format!("; {question}"));
                Err(format!("illegal move: {why}{}\n", question.unwrap_or_default()))
            }
            Err(why) => {
                let moves: Vec<_> = why.candidates().iter().map(|step| position.short(step)).collect();
                Err(format!("ambiguous move; choose one of {}\n", moves.join(", ")))
            }
        }
    }

    /// Lets the engine move if it is its turn, and reports the end of the game.
    fn continue_game(&mut self, text: &mut String) {
        let turn = self.game.position().turn();
        if self.game.outcome().is_none() && self.seat.side().is_some_and(|side| side != turn) {
            self.engine_move(text);
        }
        // Writing to a string cannot fail.
        let _ = match self.game.outcome() {
            Some(Outcome::Win(winner)) => writeln!(text, "{winner} has won"),
            Some(Outcome::Draw) => writeln!(text, "draw: {}", self.game.draw().unwrap_or_default()),
            None => Ok(()),
        };
    }

    fn engine_move(&mut self, text: &mut String) {
        let turn = self.engine.play(self.game.position(), self.game.history(), self.limit);
        let Ok(EngineTurn::Move(best, _)) = turn else { return };
        let position = self.game.position();
        let _ = writeln!(text, "{} plays {}", position.turn(), position.short(&best));
        self.game.play(&best);
    }

    fn go(&mut self) -> String {
        let mut text = String::new();
        if self.game.outcome().is_none() {
            self.engine_move(&mut text);
        }
        self.continue_game(&mut text);
        text + &self.board()
    }

    fn analyse(&mut self) -> Analysis {
        self.engine.analyse_game(self.game.position(), self.game.history(), self.limit)
    }

    fn hint(&mut self) -> String {
        let best = self.analyse().best_move();
        best.map_or_else(|| "there is no legal move\n".to_owned(), |best| self.game.position().short(&best) + "\n")
    }

    fn evaluate(&mut self, count: &str) -> String {
        let number =
            if count.is_empty() { Some(1) } else { count.parse().ok().and_then(|count| checked_lines(count).ok()) };
        let Some(number) = number else {
            return format!("expected a number of moves, found `{count}`\n");
        };
        self.engine.set_multipv(number);
        let analysis = self.analyse();
        // Each further line would take time from the moves of the engine.
        self.engine.set_multipv(1);
        analysis.lines().map(|line| self.evaluated_line(line, analysis.depth())).collect()
    }

    fn evaluated_line(&self, line: &ScoredLine, depth: u32) -> String {
        let position = self.game.position();
        let evaluation = if position.turn() == Side::White { line.score() } else { -line.score() };
        format!("{evaluation}, depth {depth}: {}\n", position.short_line(line.moves()).join(" "))
    }

    /// Takes back moves to the last position in which the user was to move.
    fn take_back(&mut self) -> String {
        let Some(mut plies) = self.game.moves().len().checked_sub(1) else {
            return "there is no move to take back\n".to_owned();
        };
        // After one ply, the user is to move if it is the turn of the engine now.
        if self.seat.side().is_some_and(|side| side == self.game.position().turn()) {
            plies = plies.saturating_sub(1);
        }
        self.game.truncate(plies);
        let mut text = self.board();
        // If the engine has the first move, it is its turn again.
        self.continue_game(&mut text);
        text
    }

    fn save(&self, path: &str) -> String {
        if path.is_empty() {
            return "expected the name of a file\n".to_owned();
        }
        let (white, black) = match self.seat {
            Seat::White => ("?", "pdn"),
            Seat::Black => ("pdn", "?"),
            Seat::Both => ("?", "?"),
        };
        let record = GameRecord::new(self.game.start(), self.game.moves());
        let record = record.event("pdn play").players(white, black).outcome(self.game.outcome());
        match fs::write(path, record.to_pdn()) {
            Ok(()) => format!("saved as {path}\n"),
            Err(error) => format!("{}\n", Error::write(path, error)),
        }
    }
}
