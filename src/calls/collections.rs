//! Trees of openings, tournaments, statistics, charts and spellings of names.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::export::{CsvOptions, event_csv, events_xlsx};
use crate::query::{
    EventGame, EventOptions, EventQuery, NameCollection, NameKind, NameQuery, NamesFound, Openings, OpeningsOptions,
    OpeningsQuery, Stats, StatsOptions, StatsQuery, Tournament,
};
use crate::records::OpeningNames;
use crate::report::{ChartData, ChartOptions, ChartQuery, EventPage};
use crate::rules::{Position, Variant};
use serde::Deserialize;
use serde_json::json;

use super::options::{CallOptions, Reading};
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

pub(super) fn openings(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let names: Option<String> = options.take("names")?;
    let options: OpeningsOptions = options.rest()?;
    let variant = reading.variant.unwrap_or(Variant::INTERNATIONAL);
    let read =
        |fen: &String| Position::from_fen(variant, fen).map_err(|error| Error::usage(format!("invalid FEN: {error}")));
    let root = options.fen.as_ref().map(read).transpose()?;
    // The bounds of the command line: a page may ask for any number.
    let plies = options.plies.clamp(1, 60).into();
    let names = opening_names(names.as_deref(), variant)?;
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

/// The form of the tables, besides their rows.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TablesFormat {
    Csv,
    Html,
    Xlsx,
}

pub(super) fn event(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let reading = reading.with_aliases(options.take::<String>("aliases")?.as_deref())?;
    let to = options.take("to")?;
    Walk::new(reading, EventQuery, Tables { games: Vec::new(), scoring: options.rest()?, to })
}

struct Tables {
    games: Vec<EventGame>,
    scoring: EventOptions,
    to: Option<TablesFormat>,
}

impl Sink<Vec<EventGame>> for Tables {
    fn take(&mut self, done: Vec<EventGame>, _: &Out) -> Result<()> {
        self.games.extend(done);
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let events = Tournament::by_event(std::mem::take(&mut self.games), &self.scoring);
        let rows: Vec<_> = events.iter().map(Tournament::row).collect();
        match self.to {
            Some(TablesFormat::Csv) => {
                let options = CsvOptions::new().escape_formulas(self.scoring.escape_formulas).excel(self.scoring.excel);
                out.output(&event_csv(&rows, options))?;
            }
            Some(TablesFormat::Html) => out.output(EventPage::new(self.scoring.lang).html(&rows).as_bytes())?,
            Some(TablesFormat::Xlsx) => out.output(&events_xlsx(&rows))?,
            None => {}
        }
        out.result(&rows)
    }
}

pub(super) fn stats(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let names: Option<String> = options.take("names")?;
    let options: StatsOptions = options.rest()?;
    let names = opening_names(names.as_deref(), reading.variant.unwrap_or(Variant::INTERNATIONAL))?;
    let top = options.top.unwrap_or(usize::MAX);
    Walk::new(reading, StatsQuery::new(names).shots(options.shots), Counts { stats: Stats::default(), top })
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

pub(super) fn chart(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let names: Option<String> = options.take("names")?;
    let options: ChartOptions = options.rest()?;
    let variant = reading.variant;
    let names = opening_names(names.as_deref(), variant.unwrap_or(Variant::INTERNATIONAL))?;
    let query = ChartQuery::new(&options, names)?;
    Walk::new(reading, query, Drawing { data: ChartData::default(), options, variant })
}

struct Drawing {
    data: ChartData,
    options: ChartOptions,
    variant: Option<Variant>,
}

impl Sink<ChartData> for Drawing {
    fn take(&mut self, done: ChartData, _: &Out) -> Result<()> {
        self.data += done;
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let chart = std::mem::take(&mut self.data).chart(&self.options, self.variant)?;
        out.output(chart.svg().as_bytes())?;
        out.result(&json!({ "errors": 0 }))
    }
}

pub(super) fn players(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let events = options.take("events")?.unwrap_or_default();
    options.end()?;
    let query = NameQuery::new(if events { NameKind::Events } else { NameKind::Players });
    Walk::new(reading, query, Spellings(query.collection()))
}

struct Spellings(NameCollection);

impl Sink<NamesFound> for Spellings {
    fn take(&mut self, done: NamesFound, _: &Out) -> Result<()> {
        self.0.add(&done);
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&std::mem::take(&mut self.0).proposals())
    }
}
