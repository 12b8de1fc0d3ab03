//! `pdn match`: engines against each other.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::context::{Context, Status};
use super::options::parse_seconds;
use super::output::Output;
use crate::arena::{
    Checkpoint, Decision, Match, Next, Opening, Played, PlayerSpec, Sprt, Tally, random_openings, two_ply_openings,
};
use crate::engine::{GameClock, Limits};
use crate::error::{Error, Result};
use crate::link::Patience;
use crate::rules::{Position, Variant};

/// Positions searched for each move where no limit is given.
const DEFAULT_NODES: u64 = 10_000;

/// Let two engines play a match
///
/// A player is the built-in engine, `builtin` or `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2`, or the command
/// line of an engine that speaks Hub. `builtin:without=probe+singular` leaves out parts of the search, to measure them:
/// table, history, aspiration, forced, threats, reductions, probe, singular. Each opening is played twice, with colours changed. Draws are given by the rules of the
/// variant; a player that crashes, gives no answer in time or moves illegally has lost, and the summary tells of it.
/// Limits on depth or nodes give the same games on every machine and with any number of jobs.
///
/// The score goes to standard output, the games to the file of --output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn match builtin:nodes=5000 builtin:nodes=1000 --games 20
  pdn match builtin 'scan hub' --time 0.1 --jobs 2 -o games.pdn
  pdn match builtin:depth=7 builtin:depth=6 --variant italian --sprt 0,20 --checkpoint run.jsonl")]
pub(super) struct Options {
    /// The first player
    #[arg(value_name = "A")]
    a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B")]
    b: PlayerSpec,
    /// Games to play [default: each opening twice]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Begin with the positions of FILE, a FEN a line [default: all fair positions after two plies]
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Begin with random moves, so many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    random_plies: Option<u32>,
    /// Number that the random moves depend on
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// A clock for each player: seconds for the whole game, and after a plus seconds for each move, such as 60+0.5
    #[arg(long, value_name = "SECONDS", value_parser = parse_clock)]
    clock: Option<GameClock>,
    /// Positions to search for each move [default: 10000, unless another limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// Stop when it is clear which of two differences of strength in Elo is nearer the truth, such as 0,10
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Keep the games in FILE and, when it exists, go on from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Seconds that an engine may take to start, and for an answer beyond its time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    engine_timeout: Duration,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let of = options.of_match(context.variant.unwrap_or(Variant::INTERNATIONAL))?;
    let (mut checkpoint, known) = match &options.checkpoint {
        Some(path) => Checkpoint::open(path, &of).map(|(checkpoint, known)| (Some(checkpoint), known))?,
        None => (None, Vec::new()),
    };
    if !known.is_empty() {
        context.inform(&format!("{} games are known from the checkpoint", known.len()));
    }
    let mut table = Table { of: &of, sprt: options.sprt, tally: Tally::default(), records: context.out.is_file() };
    let mut next = Next::GoOn;
    let mut from = 0;
    for played in known.into_iter().take(of.games) {
        if next == Next::GoOn {
            (from, next) = (played.number + 1, table.add(&played, context)?);
        }
    }
    let played = if next == Next::GoOn && from < of.games {
        of.run(from, context.jobs, |played| {
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.add(&played)?;
            }
            table.add(&played, context)
        })
    } else {
        Ok(())
    };
    let mut score = if context.out.is_file() { Some(Output::new(None)?) } else { None };
    score.as_mut().unwrap_or(&mut context.out).text(&table.summary())?;
    if let Err(fault) = played {
        context.report(&fault);
    }
    score.map_or(Ok(()), Output::finish)?;
    Ok(Status::Clean)
}

impl Options {
    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none() && self.clock.is_none();
        let nodes = self.nodes.or(unlimited.then_some(DEFAULT_NODES));
        Limits { depth: self.depth, nodes, time: self.time, clock: self.clock }
    }

    fn of_match(&self, variant: Variant) -> Result<Match> {
        let openings = self.openings(variant)?;
        Ok(Match {
            players: [self.a.clone(), self.b.clone()],
            variant,
            games: self.games.map_or(2 * openings.len(), |games| games as usize),
            openings,
            limits: self.limits(),
            patience: Patience::of(self.engine_timeout),
            most_plies: self.max_plies as usize,
        })
    }

    fn openings(&self, variant: Variant) -> Result<Vec<Opening>> {
        if let Some(path) = &self.openings {
            return read_openings(path, variant);
        }
        let Some(plies) = self.random_plies else { return Ok(two_ply_openings(variant)) };
        let count = self.games.map_or(100, |games| games.div_ceil(2));
        Ok(random_openings(variant, plies as usize, self.seed, count as usize))
    }
}

fn read_openings(path: &Path, variant: Variant) -> Result<Vec<Opening>> {
    let text = fs::read_to_string(path).map_err(|fault| Error::read(path, fault))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |reason: &str| Error::usage(format!("{}:{number}: the FEN cannot be used: {reason}", path.display()));
        let start = Position::from_fen(variant, line).map_err(|fault| bad(&fault.to_string()))?;
        if start.winner().is_some() {
            return Err(bad("the game is over there"));
        }
        openings.push(Opening::at(start));
    }
    if openings.is_empty() { Err(Error::usage(format!("{}: no opening", path.display()))) } else { Ok(openings) }
}

fn parse_clock(text: &str) -> Result<GameClock, String> {
    let (left, increment) = text.split_once('+').unwrap_or((text, ""));
    let increment = if increment.is_empty() { Duration::ZERO } else { parse_seconds(increment)? };
    Ok(GameClock { left: parse_seconds(left)?, increment, moves: None })
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.is_finite());
    let pair = text.split_once(',').and_then(|(low, high)| number(low).zip(number(high)));
    let sprt = pair.map(|(elo0, elo1)| Sprt { elo0, elo1 }).filter(|sprt| sprt.elo0 < sprt.elo1);
    sprt.ok_or_else(|| "two numbers, the smaller first, such as 0,10".to_owned())
}

/// The state of the match.
struct Table<'a> {
    of: &'a Match,
    sprt: Option<Sprt>,
    tally: Tally,
    /// Whether games are written.
    records: bool,
}

impl Table<'_> {
    fn add(&mut self, played: &Played, context: &mut Context) -> Result<Next> {
        if self.records {
            context.out.text(&self.of.record(played))?;
        }
        self.tally.add(played);
        let [lost, drawn, won] = self.tally.games;
        context.inform(&format!("game {}: +{won} ={drawn} -{lost}", played.number + 1));
        let decided = self.tally.is_paired() && self.decision() != Decision::Open;
        Ok(if decided { Next::Stop } else { Next::GoOn })
    }

    fn decision(&self) -> Decision {
        self.sprt.map_or(Decision::Open, |sprt| sprt.decision(&self.tally))
    }

    fn summary(&self) -> String {
        let ([a, b], [lost, drawn, won]) = (&self.of.players, self.tally.games);
        let (games, share) = (self.tally.count(), 100.0 * self.tally.share());
        let mut text = format!("{a} v {b}, {}\n", self.of.variant);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{games} games: +{won} ={drawn} -{lost}, {share:.1} %");
        let _ = writeln!(text, "Elo {} (95 %)", self.tally.elo());
        if let Some(sprt) = self.sprt {
            let decision = match self.decision() {
                Decision::Accepted => format!("{} accepted", sprt.elo1),
                Decision::Rejected => format!("{} accepted", sprt.elo0),
                Decision::Open => "open".to_owned(),
            };
            let (llr, bound) = (sprt.llr(&self.tally), Sprt::bound());
            let _ = writeln!(text, "SPRT {},{}: {decision} (LLR {llr:.2} within ±{bound:.2})", sprt.elo0, sprt.elo1);
        }
        let [first, second] = self.tally.failed;
        if first + second > 0 {
            let _ = writeln!(text, "decided by a crash, time-out or illegal move: {first} of {a}, {second} of {b}");
        }
        text
    }
}
