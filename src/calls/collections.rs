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

use super::board::position_of;
use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Known, Session, Walk, summed};

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
    let (variant, least) = (reading.variant, options.min_games);
    let rules = variant.unwrap_or(Variant::INTERNATIONAL);
    let root = options.fen.as_deref().map(|fen| position_of(rules, fen)).transpose()?;
    let plies = options.plies.into();
    let names = opening_names(names.as_deref(), rules)?;
    let tree = summed(move |openings: Openings, out: &Out| {
        let variant = variant.or_else(|| openings.commonest()).unwrap_or(Variant::INTERNATIONAL);
        let root = root.unwrap_or_else(|| Position::start(variant));
        out.result(&openings.tree(&root, plies, least, &names))
    });
    let query = OpeningsQuery::new(root, plies);
    let known = reading
        .knowing()
        .zip(root)
        .map(|(host, root)| -> Known<Openings> { Box::new(move |input| host.openings(input, variant, &root, plies)) });
    Walk::knowing(reading, query, tree, known)
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
    let scoring: EventOptions = options.rest()?;
    let csv = CsvOptions { escape_formulas: scoring.escape_formulas, excel: scoring.excel };
    csv.check(match to {
        Some(TablesFormat::Csv) => "csv",
        Some(TablesFormat::Html) => "html",
        Some(TablesFormat::Xlsx) => "xlsx",
        None => "JSON",
    })?;
    let add = |games: &mut Vec<EventGame>, done: Vec<EventGame>, _: &Out| {
        games.extend(done);
        Ok(())
    };
    let tables = Gathered::new(Vec::new(), add, move |games, out: &Out| {
        let rows: Vec<_> = Tournament::chosen(games, &scoring)?.iter().map(Tournament::row).collect();
        match to {
            Some(TablesFormat::Csv) => out.output(&event_csv(&rows, csv))?,
            Some(TablesFormat::Html) => out.output(EventPage::new(scoring.lang).html(&rows).as_bytes())?,
            Some(TablesFormat::Xlsx) => out.output(&events_xlsx(&rows).0)?,
            None => {}
        }
        out.result(&rows)
    });
    Walk::new(reading, EventQuery, tables)
}

pub(super) fn stats(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let names: Option<String> = options.take("names")?;
    let options: StatsOptions = options.rest()?;
    let names = opening_names(names.as_deref(), reading.variant.unwrap_or(Variant::INTERNATIONAL))?;
    let top = options.top.unwrap_or(usize::MAX);
    let counts = summed(move |stats: Stats, out: &Out| out.result(&stats.row(top)));
    Walk::new(reading, StatsQuery::new(names).shots(options.shots), counts)
}

pub(super) fn chart(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let names: Option<String> = options.take("names")?;
    let options: ChartOptions = options.rest()?;
    let variant = reading.variant;
    let names = opening_names(names.as_deref(), variant.unwrap_or(Variant::INTERNATIONAL))?;
    let query = ChartQuery::new(&options, names)?;
    let drawing = summed(move |data: ChartData, out: &Out| {
        out.output(data.chart(&options, variant)?.svg().as_bytes())?;
        out.result(&json!({ "errors": 0 }))
    });
    Walk::new(reading, query, drawing)
}

pub(super) fn players(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let events = options.take("events")?.unwrap_or_default();
    options.end()?;
    let query = NameQuery::new(if events { NameKind::Events } else { NameKind::Players });
    let add = |names: &mut NameCollection, found: NamesFound, _: &Out| {
        names.add(&found);
        Ok(())
    };
    let end = |names: NameCollection, out: &Out| out.result(&names.proposals());
    Walk::new(reading, query, Gathered::new(query.collection(), add, end))
}
