//! Trees of openings, tournaments and statistics.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::export::{event_csv, events_xlsx};
use crate::query::{
    EventGame, EventOptions as Scoring, EventQuery, OpeningNames, Openings, OpeningsQuery, Stats, StatsQuery, TieBreak,
    Tournament,
};
use crate::report::{EventPage, Language};
use crate::rules::{Position, Variant};
use serde::Deserialize;

use super::options::Reading;
use super::outlet::Out;
use super::session::{PartlyKnown, Session, Sink, Walk};

/// Returns the built-in names of openings and those of a file of names.
fn opening_names(text: Option<&str>, variant: Variant) -> Result<Arc<OpeningNames>> {
    let mut names = OpeningNames::built_in();
    let problems = names.add(text.unwrap_or_default(), variant);
    match problems.first() {
        Some(problem) => Err(Error::usage(format!("names of openings, line {}: {problem}", problem.line()))),
        None => Ok(Arc::new(names)),
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OpeningsOptions {
    fen: Option<String>,
    plies: usize,
    min_games: u64,
    names: Option<String>,
}

impl Default for OpeningsOptions {
    fn default() -> Self {
        Self { fen: None, plies: 2, min_games: 1, names: None }
    }
}

pub(super) fn openings(reading: Reading, options: &OpeningsOptions) -> Result<Box<dyn Session>> {
    let variant = reading.variant.unwrap_or(Variant::INTERNATIONAL);
    let read =
        |fen: &String| Position::from_fen(variant, fen).map_err(|error| Error::usage(format!("invalid FEN: {error}")));
    let root = options.fen.as_ref().map(read).transpose()?;
    let plies = options.plies.clamp(1, 60);
    let names = opening_names(options.names.as_deref(), variant)?;
    let tree =
        Tree { openings: Openings::default(), root, plies, least: options.min_games, names, variant: reading.variant };
    let query = OpeningsQuery::new(root, plies);
    match (reading.knowing(), root) {
        (Some(host), Some(root)) => {
            let variant = reading.variant;
            PartlyKnown::new(reading, query, tree, move |input| host.openings(input, variant, &root, plies))
        }
        _ => Walk::new(reading, query, tree),
    }
}

struct Tree {
    openings: Openings,
    root: Option<Position>,
    plies: usize,
    least: u64,
    names: Arc<OpeningNames>,
    variant: Option<Variant>,
}

impl Sink<Openings> for Tree {
    fn take(&mut self, done: Openings, _: &Out) -> Result<()> {
        self.openings += done;
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let variant = self.variant.or_else(|| self.openings.commonest()).unwrap_or(Variant::INTERNATIONAL);
        let root = self.root.unwrap_or_else(|| Position::start(variant));
        out.result(&self.openings.tree(&root, self.plies, self.least, &self.names))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EventOptions {
    points: Option<[u32; 3]>,
    tie_breaks: Option<Vec<String>>,
    aliases: Option<String>,
    to: Option<String>,
}

pub(super) fn event(reading: Reading, options: EventOptions) -> Result<Box<dyn Session>> {
    let reading = reading.with_aliases(options.aliases.as_deref())?;
    let tie_break = |name: &String| match name.as_str() {
        "wins" => Ok(TieBreak::Wins),
        "mutual" => Ok(TieBreak::Mutual),
        "sonneborn-berger" => Ok(TieBreak::SonnebornBerger),
        "solkoff" | "buchholz" => Ok(TieBreak::Solkoff),
        _ => Err(Error::usage(format!("unknown tie-break `{name}`"))),
    };
    let usual = ["wins", "mutual", "sonneborn-berger", "solkoff"].map(str::to_owned).to_vec();
    let tie_breaks = options.tie_breaks.unwrap_or(usual).iter().map(tie_break).collect::<Result<_>>()?;
    let scoring = Scoring::new(options.points.unwrap_or([2, 1, 0]), tie_breaks);
    Walk::new(reading, EventQuery, Tables { games: Vec::new(), scoring, to: options.to })
}

struct Tables {
    games: Vec<EventGame>,
    scoring: Scoring,
    to: Option<String>,
}

impl Sink<Vec<EventGame>> for Tables {
    fn take(&mut self, done: Vec<EventGame>, _: &Out) -> Result<()> {
        self.games.extend(done);
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let events = Tournament::by_event(std::mem::take(&mut self.games), &self.scoring);
        let rows: Vec<_> = events.iter().map(Tournament::row).collect();
        match self.to.as_deref() {
            Some("csv") => rows.iter().try_for_each(|row| out.output(&event_csv(row)))?,
            Some("html") => out.output(EventPage::new(Language::English).html(&rows).as_bytes())?,
            Some("xlsx") => out.output(&events_xlsx(&rows))?,
            Some(other) => return Err(Error::usage(format!("unknown format `{other}`"))),
            None => {}
        }
        out.result(&rows)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct StatsOptions {
    top: Option<usize>,
    names: Option<String>,
}

pub(super) fn stats(reading: Reading, options: &StatsOptions) -> Result<Box<dyn Session>> {
    let names = opening_names(options.names.as_deref(), reading.variant.unwrap_or(Variant::INTERNATIONAL))?;
    let top = options.top.unwrap_or(usize::MAX);
    Walk::new(reading, StatsQuery::new(names), Counts { stats: Stats::default(), top })
}

struct Counts {
    stats: Stats,
    top: usize,
}

impl Sink<Stats> for Counts {
    fn take(&mut self, done: Stats, _: &Out) -> Result<()> {
        self.stats += done;
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&self.stats.row(self.top))
    }
}
