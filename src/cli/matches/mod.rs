//! `pdn match`: matches and tournaments of engines.

mod pair;
mod tournament;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::context::Context;
use super::interrupt;
use super::options::{ADVANCED, Endgames, check_book};
use super::output::Output;
use super::words::count;
use crate::arena::{Match, MatchCheckpoint, MatchGame, MatchOptions, Opening, Pairing, Sprt};
use crate::egdb::Databases;
use crate::engine::Limit;
use crate::error::{Error, Result};
use crate::link::EngineSpec;
use crate::shared::lock;
use crate::text::printable_lines;

/// Play a match between two engines, or a tournament of several
///
/// A player is one of the following: the built-in engine, `builtin` or
/// `builtin:nodes=5000,depth=9,time=0.1,hash=32,threads=2,egdb=DIR,book=FILE`; the command line of an engine that speaks Hub, also with
/// parameters as `hub:COMMAND{threads=2,book=false}` (double-quote a value that contains a comma); or `dxp:HOST:PORT`, a program that waits
/// for games over DXP. `builtin:without=probe+singular` turns off search features, to measure their contribution: table, history,
/// aspiration, forced, threats, reductions, probe, singular, futility, reverse, shots, endgames.
///
/// Each opening is played twice, with colours reversed. Draws follow the rules of the variant. A player that crashes,
/// exceeds its time or makes an illegal move loses the game; the summary counts such games. A player that cannot be started, exits
/// or reports an error before it is ready, is not ready in time, or lets its time run out before it has answered anything, ends the
/// match. With limits on depth or nodes, the games are the same on every machine and with any number of jobs.
///
/// With --output FILE, the games are in FILE.part until the match is over. Without an existing --checkpoint, the FILE.part of an
/// interrupted match is not replaced.
///
/// The summary of a match has the score, the difference in strength, LOS (likelihood of superiority: the probability that the
/// first player is the stronger one), the share of draws, and how the games ended.
///
/// With more than two players, everybody plays a match against everybody else or, with `--format gauntlet`, the first player
/// against each of the others. The table has the points against each player, and ratings: the strengths in Elo under which the
/// results are likeliest, with the mean as zero. A player who won or lost everything has none. The records name the players as they
/// are given on the command line, since two engines may report the same name.
///
/// The score is written to standard output, and the games to the file given by --output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn match builtin:nodes=5000 builtin:nodes=1000 --games 20
  pdn match builtin 'scan hub' --time 0.1 --jobs 2 -o games.pdn
  pdn match 'hub:scan hub{book=false}' 'hub:scan hub{book=true}' --time 0.1
  pdn match builtin:depth=7 builtin:depth=6 --variant italian --sprt 0,20 --checkpoint run.jsonl
  pdn match builtin:nodes=4000 builtin:nodes=2000 builtin:nodes=1000 --games 20 -o games.pdn

Exit status: 2 if a player cannot play, or loses a game because it crashes, exceeds its time or makes an illegal move.")]
pub(super) struct Options {
    /// The players
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    pub(super) players: Vec<EngineSpec>,
    /// Who plays whom, with more than two players [default: round-robin]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), conflicts_with = "sprt")]
    format: Option<Pairing>,
    #[command(flatten)]
    pub(super) matches: MatchOptions,
    /// Limits of the first player, instead of those of the match, such as 'time 0.5' or 'nodes 5000 depth 9'
    #[arg(long, value_name = "LIMITS", help_heading = ADVANCED)]
    limit_a: Option<Limit>,
    /// Limits of the second player
    #[arg(long, value_name = "LIMITS", help_heading = ADVANCED)]
    limit_b: Option<Limit>,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Stop when a sequential test has decided between two Elo differences, such as 0,10
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Save finished games to FILE; if FILE exists, continue from there. A tournament has a file for each match: FILE.1-2 for
    /// the first two players
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
}

fn format_parser() -> impl TypedValueParser<Value = Pairing> {
    let pairing = |name: String| if name == "gauntlet" { Pairing::Gauntlet } else { Pairing::RoundRobin };
    PossibleValuesParser::new(["round-robin", "gauntlet"]).map(pairing)
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    for path in options.players.iter().filter_map(EngineSpec::book).collect::<BTreeSet<_>>() {
        check_book(path, context.rules(), context)?;
    }
    match options.tournament() {
        None => pair::run(options, context),
        Some(pairing) => tournament::run(options, pairing, context),
    }
}

/// A match, with the games that a checkpoint has of it.
struct Contest {
    matchup: Match,
    checkpoint: Option<MatchCheckpoint>,
    known: Vec<MatchGame>,
}

impl Contest {
    fn open(matchup: Match, checkpoint: Option<&Path>) -> Result<Self> {
        let opened = checkpoint.map(|path| MatchCheckpoint::open(path, &matchup)).transpose()?;
        let (checkpoint, known) = opened.unzip();
        Ok(Self { matchup, checkpoint, known: known.unwrap_or_default() })
    }

    /// Passes the known games to `add`, and then plays the others, until that breaks.
    fn play(
        &mut self,
        context: &mut Context,
        mut add: impl FnMut(&Match, &MatchGame, &mut Context) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let Self { matchup, checkpoint, known } = self;
        let mut next = 0;
        for game in known.iter().take(matchup.games()) {
            next = game.number() + 1;
            if add(matchup, game, context)?.is_break() {
                return Ok(());
            }
        }
        if next >= matchup.games() {
            return Ok(());
        }
        matchup.play(next, context.jobs, |game| {
            interrupt::while_running(|| {
                if let Some(checkpoint) = checkpoint {
                    checkpoint.add(&game)?;
                }
                add(matchup, &game, context)
            })
        })
    }
}

/// Says how many games were in checkpoints.
fn inform_of_known<'a>(all: impl IntoIterator<Item = &'a Contest>, context: &Context) {
    let known: usize = all.into_iter().map(|games| games.known.len()).sum();
    if known > 0 {
        context.inform(&format!("{} restored from the checkpoint", count(known as u64, "game")));
    }
}

/// The summary of the games so far, printed after an interrupt.
#[derive(Clone, Default)]
struct SoFar(Arc<Mutex<String>>);

impl SoFar {
    fn set(&self, summary: String) {
        *lock(&self.0) = summary;
    }

    /// Sets the message after an interrupt: the summary, where the games are, and how to continue.
    fn say_after_interrupt(&self, options: &Options, context: &Context) {
        let so_far = self.clone();
        let part = context.out.growing_path();
        let games = part.map(|path| format!("the games are in {}; ", path.display())).unwrap_or_default();
        let next = match options.checkpoint {
            Some(_) => "repeat the command to continue",
            None => "a match with --checkpoint FILE can be continued",
        };
        let message = format!("interrupted: {games}{next}");
        interrupt::set_farewell(move || format!("{}{message}", lock(&so_far.0)));
    }
}

/// Writes a game, if the output is for the games.
fn write_game(matchup: &Match, game: &MatchGame, context: &mut Context) -> Result<()> {
    if !context.out.is_file() {
        return Ok(());
    }
    context.out.text(&matchup.game_pdn(game))?;
    // A match lasts for hours: a game that was played is there if the process ends.
    context.out.flush()
}

/// Writes the summary where the games are not.
fn write_summary(summary: &str, context: &mut Context) -> Result<()> {
    let summary = printable_lines(summary);
    if context.out.is_file() { Output::write(None, &*summary) } else { context.out.text(&summary) }
}

/// Reports a player that failed: its results then say little about its strength.
fn report_failure(player: &EngineSpec, failures: u64, first: &str, context: &mut Context) {
    let games = count(failures, "game");
    context.report(&Error::unavailable(format!("{player} failed and lost {games}; {first}")));
}

impl Options {
    /// Returns who plays whom; `None` for a match between two players.
    fn tournament(&self) -> Option<Pairing> {
        let is_pair = self.players.len() == 2 && self.format.is_none();
        (!is_pair).then(|| self.format.unwrap_or(Pairing::RoundRobin))
    }

    /// Returns true if there is a checkpoint to continue from.
    pub(super) fn continues(&self) -> bool {
        let first = |path: &Path| {
            if self.tournament().is_some() { tournament::of_match(path, [0, 1]) } else { path.to_owned() }
        };
        self.checkpoint.as_deref().map(first).is_some_and(|path| path.exists())
    }

    /// Returns the players with their limits.
    fn players(&self) -> impl Iterator<Item = EngineSpec> {
        let limits = [self.limit_a, self.limit_b].into_iter().chain(std::iter::repeat(None));
        self.players.iter().zip(limits).map(|(player, limit)| match limit {
            Some(limit) => player.clone().with_limit(limit),
            None => player.clone(),
        })
    }

    fn matchup(&self, players: [EngineSpec; 2], openings: Vec<Opening>, databases: Databases) -> Result<Match> {
        let matchup = Match::new(players, openings, self.matches.clone());
        Ok(matchup.map_err(|error| Error::usage(error.to_string()))?.with_databases(databases))
    }
}

pub(super) fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let pair = text.split_once(',').and_then(|(low, high)| number(low).zip(number(high)));
    let sprt = pair.and_then(|(elo0, elo1)| Sprt::new(elo0, elo1));
    sprt.ok_or_else(|| "expected two numbers, the smaller one first, such as 0,10".to_owned())
}
