//! `pdn match`: matches between engines.

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;

use super::context::{Context, Status};
use super::interrupt;
use super::options::{ADVANCED, Endgames, parse_seconds};
use super::output::Output;
use super::words::count;
use crate::arena::{
    Match, MatchCheckpoint, MatchGame, MatchScore, Opening, Sprt, SprtDecision, even_openings, random_openings,
    two_ply_openings,
};
use crate::egdb::Databases;
use crate::engine::{GameClock, Limit};
use crate::error::{Error, Result};
use crate::link::{EngineSpec, Timeouts};
use crate::rules::{Position, Variant};
use crate::text::printable_lines;

/// Nodes for each move if no limit is given.
const DEFAULT_NODES: u64 = 10_000;
/// Number of random openings if no number of games is given.
const DEFAULT_RANDOM_OPENINGS: u32 = 100;

/// Play a match between two engines
///
/// A player is one of the following: the built-in engine, `builtin` or
/// `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2,egdb=DIR`; the command line of an engine that speaks Hub; or
/// `dxp:HOST:PORT`, a program that waits for games over DXP. `builtin:without=probe+singular` turns off search features, to
/// measure their contribution: table, history, aspiration, forced, threats, reductions, probe, singular, futility, reverse,
/// endgames.
///
/// Each opening is played twice, with colours reversed. Draws follow the rules of the variant. A player that crashes,
/// exceeds its time or makes an illegal move loses the game; the summary counts such games. With limits on depth or nodes,
/// the games are the same on every machine and with any number of jobs.
///
/// The score is written to standard output, and the games to the file given by --output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn match builtin:nodes=5000 builtin:nodes=1000 --games 20
  pdn match builtin 'scan hub' --time 0.1 --jobs 2 -o games.pdn
  pdn match builtin:depth=7 builtin:depth=6 --variant italian --sprt 0,20 --checkpoint run.jsonl

Exit status: 2 if a player cannot play, or loses a game because it crashes, exceeds its time or makes an illegal move.")]
pub(super) struct Options {
    /// The first player
    #[arg(value_name = "A")]
    a: EngineSpec,
    /// The second player
    #[arg(value_name = "B")]
    b: EngineSpec,
    /// Number of games; if there are more openings than needed, evenly spaced ones are used [default: each opening twice]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// File of opening positions, one FEN per line [default: all fair positions after two plies]
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Start with this many random plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    random_plies: Option<u32>,
    /// Use only random openings that a search of 20,000 nodes scores within CM centi-men of even
    #[arg(long, value_name = "CM", requires = "random_plies", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = ADVANCED)]
    even: Option<u32>,
    /// Seed for the random plies
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = ADVANCED)]
    seed: u64,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Clock of each player: seconds for the game and, after a plus sign, for each move, such as 60+0.5
    #[arg(long, value_name = "SECONDS", value_parser = parse_clock)]
    clock: Option<GameClock>,
    /// Nodes for each move [default: 10000 unless another limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth for each move, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Limits of the first player, instead of those of the match, such as 'time 0.5' or 'nodes 5000 depth 9'
    #[arg(long, value_name = "LIMITS", help_heading = ADVANCED)]
    limit_a: Option<Limit>,
    /// Limits of the second player
    #[arg(long, value_name = "LIMITS", help_heading = ADVANCED)]
    limit_b: Option<Limit>,
    /// End a game when the scores of both players have agreed for eight plies that one of them is ahead by at least CM
    /// centi-men
    #[arg(long, value_name = "CM", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)]
    agree: Option<u32>,
    /// Maximum length of a game in plies; longer games are drawn
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)]
    max_plies: u32,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Decide games by the endgame databases as soon as they have the position
    #[arg(long, help_heading = ADVANCED)]
    adjudicate: bool,
    /// Stop when a sequential test has decided between two Elo differences, such as 0,10
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Save finished games to FILE; if FILE exists, continue from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Seconds an engine may take to start, and to answer beyond its time limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, help_heading = ADVANCED)]
    engine_timeout: Duration,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let matchup = options.matchup(variant, context.databases(variant))?;
    let (mut checkpoint, known) = match &options.checkpoint {
        Some(path) => MatchCheckpoint::open(path, &matchup).map(|(checkpoint, known)| (Some(checkpoint), known))?,
        None => (None, Vec::new()),
    };
    if !known.is_empty() {
        context.inform(&format!("{} restored from the checkpoint", count(known.len() as u64, "game")));
    }
    let mut report = Report::new(&matchup, options.sprt, context);
    interrupt::set_farewell(report.farewell(options, context));
    let (mut next, mut flow) = (0, ControlFlow::Continue(()));
    for game in known.iter().take(matchup.games()) {
        if flow.is_continue() {
            (next, flow) = (game.number() + 1, report.add(game, context)?);
        }
    }
    let mut played = Ok(());
    if flow.is_continue() && next < matchup.games() {
        played = matchup.play(next, context.jobs, |game| {
            interrupt::while_running(|| {
                if let Some(checkpoint) = &mut checkpoint {
                    checkpoint.add(&game)?;
                }
                report.add(&game, context)
            })
        });
    }
    report.write_summary(context)?;
    if let Err(error) = played {
        context.report(&error);
        if report.score.games() == 0 {
            context.out.discard();
        }
    }
    report.report_failures(context);
    Ok(Status::Clean)
}

impl Options {
    /// Returns the file with the openings, if there is one.
    pub(super) fn opening_file(&self) -> Option<&Path> {
        self.openings.as_deref()
    }

    /// Returns the checkpoint, if there is one.
    pub(super) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    fn limit(&self) -> Limit {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none() && self.clock.is_none();
        let mut limit = Limit::none();
        limit.depth = self.depth;
        limit.nodes = self.nodes.or(unlimited.then_some(DEFAULT_NODES));
        limit.time = self.time;
        limit.clock = self.clock;
        limit
    }

    fn matchup(&self, variant: Variant, databases: Databases) -> Result<Match> {
        let limited = |player: &EngineSpec, limit: Option<Limit>| match limit {
            Some(limit) => player.clone().with_limit(limit),
            None => player.clone(),
        };
        let players = [limited(&self.a, self.limit_a), limited(&self.b, self.limit_b)];
        let matchup = Match::new(players, self.openings(variant)?);
        let matchup = matchup
            .map_err(|error| Error::usage(error.to_string()))?
            .with_limit(self.limit())
            .with_timeouts(Timeouts::new(self.engine_timeout, self.engine_timeout))
            .with_databases(databases.clone())
            .with_max_plies(self.max_plies as usize);
        let matchup = if self.adjudicate { matchup.with_adjudication(databases) } else { matchup };
        let matchup = match self.agree {
            Some(centi_men) => matchup.with_agreed_wins(centi_men),
            None => matchup,
        };
        Ok(match self.games {
            Some(games) => matchup.with_games(games as usize),
            None => matchup,
        })
    }

    fn openings(&self, variant: Variant) -> Result<Vec<Opening>> {
        if let Some(path) = &self.openings {
            return read_openings(path, variant);
        }
        let Some(plies) = self.random_plies else { return Ok(two_ply_openings(variant)) };
        let count = self.games.map_or(DEFAULT_RANDOM_OPENINGS, |games| games.div_ceil(2));
        let (plies, count) = (plies as usize, count as usize);
        Ok(match self.even {
            Some(centi_men) => even_openings(variant, plies, self.seed, count, centi_men),
            None => random_openings(variant, plies, self.seed, count),
        })
    }
}

fn read_openings(path: &Path, variant: Variant) -> Result<Vec<Opening>> {
    let text = fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let invalid = |reason: &str| Error::usage(format!("{}:{number}: invalid position: {reason}", path.display()));
        let start = Position::from_fen(variant, line).map_err(|error| invalid(&error.to_string()))?;
        if start.winner().is_some() {
            return Err(invalid("the game is over"));
        }
        openings.push(Opening::at(start));
    }
    if openings.is_empty() { Err(Error::usage(format!("{}: no openings", path.display()))) } else { Ok(openings) }
}

/// Reads a clock without a number of moves.
fn parse_clock(text: &str) -> Result<GameClock, String> {
    let clock: GameClock = text.parse().map_err(|error| format!("{error}"))?;
    let is_zero = clock.left().is_zero() || text.contains('+') && clock.increment().is_zero();
    if is_zero || clock.moves().is_some() {
        return Err("expected a positive number of seconds, such as 60 or 60+0.5".to_owned());
    }
    Ok(clock)
}

pub(super) fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let pair = text.split_once(',').and_then(|(low, high)| number(low).zip(number(high)));
    let sprt = pair.and_then(|(elo0, elo1)| Sprt::new(elo0, elo1));
    sprt.ok_or_else(|| "expected two numbers, the smaller one first, such as 0,10".to_owned())
}

/// The score of a match in progress.
struct Report<'a> {
    matchup: &'a Match,
    sprt: Option<Sprt>,
    score: MatchScore,
    /// True if the games are written to the output, and the summary elsewhere.
    writes_games: bool,
    /// The summary of the games so far, printed after an interrupt.
    so_far: Arc<Mutex<String>>,
}

impl<'a> Report<'a> {
    fn new(matchup: &'a Match, sprt: Option<Sprt>, context: &Context) -> Self {
        let so_far = Arc::default();
        let report = Self { matchup, sprt, score: MatchScore::default(), writes_games: context.out.is_file(), so_far };
        report.note();
        report
    }

    /// Stores the summary of the games so far for the message after an interrupt.
    fn note(&self) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = self.summary();
    }

    /// Returns a function that makes the message after an interrupt: the summary, where the games are, and how to
    /// continue.
    fn farewell(&self, options: &Options, context: &Context) -> impl Fn() -> String + Send + 'static {
        let (so_far, part) = (Arc::clone(&self.so_far), context.out.growing_path());
        let games = part.map_or_else(String::new, |path| format!("the games are in {}; ", path.display()));
        let next = match options.checkpoint {
            Some(_) => "repeat the command to continue",
            None => "a match with --checkpoint FILE can be continued",
        };
        let message = format!("interrupted: {games}{next}");
        move || format!("{}{message}", so_far.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a game. Breaks when the sequential test has decided.
    fn add(&mut self, game: &MatchGame, context: &mut Context) -> Result<ControlFlow<()>> {
        if self.writes_games {
            context.out.text(&self.matchup.game_pdn(game))?;
            context.out.flush()?;
        }
        self.score.add(game);
        self.note();
        context.inform(&format!("game {}: {}", game.number() + 1, self.counts()));
        let is_decided = self.score.is_paired() && self.decision() != SprtDecision::Open;
        Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn decision(&self) -> SprtDecision {
        self.sprt.map_or(SprtDecision::Open, |sprt| sprt.decision(&self.score))
    }

    fn counts(&self) -> String {
        format!("+{} ={} -{}", self.score.wins(), self.score.draws(), self.score.losses())
    }

    fn write_summary(&self, context: &mut Context) -> Result<()> {
        self.report_efforts(context);
        if !self.writes_games {
            return context.out.text(&printable_lines(&self.summary()));
        }
        let mut standard_output = Output::new(None)?;
        standard_output.text(&printable_lines(&self.summary()))?;
        standard_output.finish()
    }

    /// Reports how deep and how fast the players searched: what differs from run to run is not part of the summary.
    fn report_efforts(&self, context: &Context) {
        let efforts = self.matchup.players().iter().zip(self.score.efforts());
        for (player, effort) in efforts.filter(|(_, effort)| effort.moves() > 0) {
            let (depth, time, speed) = (effort.mean_depth(), effort.mean_time(), effort.nodes_per_second() / 1e6);
            context.inform(&format!("{player}: depth {depth:.1}, {time:.3} s a move, {speed:.2} M nodes/s"));
        }
    }

    /// Reports players that failed: the score then says little about their strength.
    fn report_failures(&self, context: &mut Context) {
        let failures = self.score.failures().into_iter().zip(self.score.first_failures());
        for (player, (number, first)) in self.matchup.players().iter().zip(failures) {
            if let Some(first) = first {
                let games = count(number, "game");
                context.report(&Error::unavailable(format!("{player} failed and lost {games}; {first}")));
            }
        }
    }

    fn summary(&self) -> String {
        let [a, b] = self.matchup.players();
        let (games, share, elo) = (self.score.games(), 100.0 * self.score.share(), self.score.elo());
        let mut text = format!("{a} v {b}, {}\n", self.matchup.variant());
        if games == 0 {
            return text + "no games\n";
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {}, {share:.1} %", count(games, "game"), self.counts());
        let _ = match elo.error() {
            Some(_) => writeln!(text, "Elo {elo} (95 %)"),
            None => writeln!(text, "Elo difference: {elo}"),
        };
        if let Some(sprt) = self.sprt {
            let decision = match self.decision() {
                SprtDecision::Elo1 => format!("{} accepted", sprt.elo1()),
                SprtDecision::Elo0 => format!("{} accepted", sprt.elo0()),
                SprtDecision::Open => "open".to_owned(),
            };
            let (llr, bound) = (sprt.llr(&self.score), Sprt::bound());
            let _ =
                writeln!(text, "SPRT {},{}: {decision} (LLR {llr:.2} within ±{bound:.2})", sprt.elo0(), sprt.elo1());
        }
        let ends: Vec<_> = self.score.ends().map(|(end, games)| format!("{end} {games}")).collect();
        let _ = writeln!(text, "ends: {}", ends.join(", "));
        let [first, second] = self.score.failures();
        if first + second > 0 {
            let _ = writeln!(text, "lost by a crash, time-out or illegal move: {first} by {a}, {second} by {b}");
        }
        text
    }
}
