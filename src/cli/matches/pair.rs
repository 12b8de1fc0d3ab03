//! A match between two players.

use std::fmt::Write;
use std::ops::ControlFlow;

use super::{Contest, Options, SoFar, inform_of_known, report_failure, write_game, write_summary};
use crate::arena::{Match, MatchGame, MatchScore, Sprt, SprtDecision};
use crate::cli::context::Context;
use crate::cli::words::count;
use crate::error::Result;
use crate::link::EngineSpec;
use crate::rules::Variant;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let variant = context.rules();
    let [a, b] = options.players().collect::<Vec<_>>().try_into().expect("two players");
    let matchup = options.matchup([a, b], options.matches.read_openings(variant)?, context.databases(variant))?;
    let mut games = Contest::open(matchup, options.checkpoint.as_deref())?;
    inform_of_known([&games], context);
    let mut report = Report::new(&games.matchup, options.sprt);
    report.so_far.say_after_interrupt(options, context);
    let played = games.play(context, |matchup, game, context| report.add(matchup, game, context));
    report.report_efforts(context);
    // What was played counts, also where a failure ended the match.
    write_summary(&report.summary(), context)?;
    if let Err(error) = played {
        context.report(&error);
        if report.score.games() == 0 {
            context.out.discard();
        }
    }
    report.report_failures(context);
    Ok(())
}

/// The score of a match in progress.
struct Report {
    players: [EngineSpec; 2],
    variant: Variant,
    sprt: Option<Sprt>,
    score: MatchScore,
    so_far: SoFar,
}

impl Report {
    fn new(matchup: &Match, sprt: Option<Sprt>) -> Self {
        let (players, variant) = (matchup.players.clone(), matchup.variant);
        let report = Self { players, variant, sprt, score: MatchScore::default(), so_far: SoFar::default() };
        report.so_far.set(report.summary());
        report
    }

    /// Adds a game. Breaks when the sequential test has decided.
    fn add(&mut self, matchup: &Match, game: &MatchGame, context: &mut Context) -> Result<ControlFlow<()>> {
        write_game(matchup, game, context)?;
        self.score.add(game);
        self.so_far.set(self.summary());
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

    /// Reports how deep and how fast the players searched: this varies from run to run, so it is not part of the summary.
    fn report_efforts(&self, context: &Context) {
        let efforts = self.players.iter().zip(&self.score.efforts);
        for (player, effort) in efforts.filter(|(_, effort)| effort.moves > 0) {
            let time = effort.mean_time().map(|seconds| format!(", {seconds:.3} s a move")).unwrap_or_default();
            let speed = effort.nodes_per_second().map(|speed| format!(", {:.2} M nodes/s", speed / 1e6));
            let (depth, speed) = (effort.mean_depth(), speed.unwrap_or_default());
            context.inform(&format!("{player}: depth {depth:.1}{time}{speed}"));
        }
    }

    /// Reports players that failed, because the score then says little about their strength.
    fn report_failures(&self, context: &mut Context) {
        let failures = self.score.failures.into_iter().zip(self.score.first_failures());
        for (player, (number, first)) in self.players.iter().zip(failures) {
            if let Some(first) = first {
                report_failure(player, number, first, context);
            }
        }
    }

    fn summary(&self) -> String {
        let [a, b] = &self.players;
        let (games, share, elo) = (self.score.games(), 100.0 * self.score.share(), self.score.elo());
        let mut text = format!("{a} v {b}, {}\n", self.variant);
        if games == 0 {
            return text + "no games\n";
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {}, {share:.1} %", count(games, "game"), self.counts());
        let _ = match elo.error() {
            Some(_) => writeln!(text, "Elo {elo} (95 %)"),
            None => writeln!(text, "Elo difference: {elo}"),
        };
        let (likelihood, draws) = (self.score.superiority(), 100.0 * self.score.draw_ratio());
        let likelihood =
            likelihood.map_or_else(|| "not measurable".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let _ = writeln!(text, "LOS {likelihood}, draws {draws:.1} %");
        if let Some(sprt) = self.sprt {
            let decision = match self.decision() {
                SprtDecision::Elo1 => format!("{} accepted", sprt.elo1),
                SprtDecision::Elo0 => format!("{} accepted", sprt.elo0),
                SprtDecision::Open => "open".to_owned(),
            };
            let (llr, bound) = (sprt.llr(&self.score), Sprt::bound());
            let _ = writeln!(text, "SPRT {},{}: {decision} (LLR {llr:.2} within ±{bound:.2})", sprt.elo0, sprt.elo1);
        }
        let ends: Vec<_> = self.score.ends().map(|(end, games)| format!("{end} {games}")).collect();
        let _ = writeln!(text, "ends: {}", ends.join(", "));
        let [first, second] = self.score.failures;
        if first + second > 0 {
            let _ = writeln!(text, "lost by a crash, time-out or illegal move: {first} by {a}, {second} by {b}");
        }
        text
    }
}
