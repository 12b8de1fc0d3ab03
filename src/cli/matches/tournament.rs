//! A tournament of several players.

use std::ffi::OsString;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{Contest, Options, SoFar, inform_of_known, report_failure, write_game, write_summary};
use crate::arena::{Pairing, Standings};
use crate::cli::context::Context;
use crate::cli::words::{Table, count};
use crate::error::{Error, Result};
use crate::link::EngineSpec;
use crate::rules::Variant;

pub(super) fn run(options: &Options, pairing: Pairing, context: &mut Context) -> Result<()> {
    if options.sprt.is_some() {
        return Err(Error::usage("--sprt is for a match between two players"));
    }
    let variant = context.rules();
    let players: Vec<_> = options.players().collect();
    let matches = pairing.matches(players.len());
    let openings = options.matches.read_openings(variant)?;
    let open = |&[a, b]: &[usize; 2]| {
        let pair = [players[a].clone(), players[b].clone()];
        let matchup = options.matchup(pair, openings.clone(), context.databases(variant))?.with_specifications();
        Contest::open(matchup, options.checkpoint.as_deref().map(|path| of_match(path, [a, b])).as_deref())
    };
    let mut all = matches.iter().map(open).collect::<Result<Vec<_>>>()?;
    inform_of_known(&all, context);
    let mut report = Report { pairing, variant, standings: Standings::new(players.len(), &matches), players };
    let so_far = SoFar::default();
    so_far.set(report.summary());
    so_far.say_after_interrupt(options, context);
    for (n, games) in all.iter_mut().enumerate() {
        let [a, b] = matches[n];
        let played = games.play(context, |matchup, game, context| {
            write_game(matchup, game, context)?;
            report.standings.add(n, game);
            so_far.set(report.summary());
            let score = &report.standings.matches()[n].1;
            let counts = format!("+{} ={} -{}", score.wins(), score.draws(), score.losses());
            context.inform(&format!("players {} and {}, game {}: {counts}", a + 1, b + 1, game.number() + 1));
            Ok(ControlFlow::Continue(()))
        });
        if let Err(error) = played {
            // The others can still play.
            context.report(&error);
        }
    }
    if report.games() == 0 {
        context.out.discard();
    }
    write_summary(&report.summary(), context)?;
    report.report_failures(context);
    Ok(())
}

/// Returns the checkpoint of a match of the tournament.
pub(super) fn of_match(checkpoint: &Path, [a, b]: [usize; 2]) -> PathBuf {
    let mut name = OsString::from(checkpoint);
    name.push(format!(".{}-{}", a + 1, b + 1));
    name.into()
}

struct Report {
    pairing: Pairing,
    variant: Variant,
    players: Vec<EngineSpec>,
    standings: Standings,
}

impl Report {
    fn games(&self) -> u64 {
        self.standings.matches().iter().map(|(_, score)| score.games()).sum()
    }

    /// Reports players that failed: their results then say little about their strength.
    fn report_failures(&self, context: &mut Context) {
        for (n, player) in self.players.iter().enumerate() {
            let mut failures = 0;
            let mut reason = None;
            for (pair, score) in self.standings.matches() {
                let Some(place) = pair.iter().position(|&one| one == n) else { continue };
                failures += score.failures[place];
                reason = reason.or(score.first_failures()[place]);
            }
            if let Some(reason) = reason {
                report_failure(player, failures, reason, context);
            }
        }
    }

    fn summary(&self) -> String {
        let name = if self.pairing == Pairing::Gauntlet { "gauntlet" } else { "round robin" };
        let (players, games) = (count(self.players.len() as u64, "player"), count(self.games(), "game"));
        let mut text = format!("{name}, {}, {players}, {games}\n", self.variant);
        let ratings = self.standings.ratings();
        let rating = |n: usize| ratings[n].map(|elo| elo.difference());
        let share = |n: usize| {
            let (points, games) = self.standings.total(n);
            points / games.max(1) as f64
        };
        // Without a rating, a player is above or below all others, or has not played.
        let order = |n: usize| rating(n).unwrap_or_else(|| (share(n) - 0.5) * 1e6);
        let mut ranked: Vec<_> = (0..self.players.len()).collect();
        ranked.sort_by(|&one, &other| order(other).total_cmp(&order(one)));
        let mut header = ["", "player", "#Elo", "#±", "#games", "#points", "#%"].map(str::to_owned).to_vec();
        header.extend((1..=ranked.len()).map(|rank| format!("#{rank}")));
        let mut table = Table::new(&header);
        for (rank, &n) in (1..).zip(&ranked) {
            let (points, games) = self.standings.total(n);
            let error = ratings[n].and_then(|elo| elo.error()).map_or_else(String::new, |error| format!("{error:.1}"));
            let elo = rating(n).map_or_else(|| "-".to_owned(), |elo| format!("{elo:+.1}"));
            let row = [
                format!("{rank}"),
                self.players[n].to_string(),
                elo,
                error,
                games.to_string(),
                format!("{points:.1}"),
                format!("{:.1}", 100.0 * share(n)),
            ];
            let points = |&other| self.standings.between(n, other).map(|(points, _)| format!("{points:.1}"));
            let against = ranked.iter().map(|other| points(other).unwrap_or_default());
            table.row(row.into_iter().chain(against));
        }
        text += &table.text();
        let has_extreme = |n: usize| ratings[n].is_none() && self.standings.total(n).1 > 0;
        if (0..self.players.len()).any(has_extreme) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "players without a rating won or lost everything against those with one");
        }
        text
    }
}
