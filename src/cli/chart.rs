//! `pdn chart`: numbers as pictures.

use std::sync::Arc;

use clap::Args;

use super::context::{Context, Status};
use super::failure::lacks_feature;
use super::openings::Names;
use super::options::{ADVANCED, Csv, Files, Format, formats};
use crate::error::{Error, Result};
use crate::export::{CsvCell, CsvOptions};
use crate::report::{Chart, ChartOptions, ChartQuery};

/// What `pdn chart` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Svg, ""), (Format::Png, ""), (Format::Csv, "The numbers that the chart shows")];

/// Draw charts: evaluations of a game, accuracy by year, openings, ratings
///
/// The evaluation graph is that of the pages of `pdn report`: White's expected score after each move, with gaps where moves have no
/// evaluation. Accuracy counts the moves of games with a year and evaluations, as `pdn annotate --table players` does. Openings are
/// those of `pdn stats`, or with --player those of `pdn prepare`, with names or else by their first moves. Results by difference in
/// rating are compared with the score that the ratings predict.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn chart rated.pdn -o game.svg
  pdn chart rated.pdn --game 3 --lang nl -o game.svg
  pdn chart rated.pdn --kind accuracy --player Glance -o accuracy.svg
  pdn chart archive/ --kind openings -o openings.svg
  pdn chart rated.pdn --kind ratings -o ratings.csv

A name that fits a player exactly, apart from case and accents, leaves out names that only contain it.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    chart: ChartOptions,
    #[command(flatten)]
    names: Names,
    /// Output format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "svg", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    csv: Csv,
    /// Width of a PNG picture, in pixels [default: 1520]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(100..=8000), help_heading = ADVANCED)]
    width: Option<u16>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.format == Format::Png && !cfg!(feature = "png") {
        return Err(lacks_feature("write PNG", "png"));
    }
    if options.format != Format::Png && options.width.is_some() {
        return Err(Error::usage("--width is for PNG only: SVG pictures scale to any width"));
    }
    let query = ChartQuery::new(&options.chart, Arc::clone(&options.names.read(context)?))?;
    let data = context.sum(&options.files, query)?;
    let chart = data.chart(&options.chart, context.variant).inspect_err(|_| context.out.discard())?;
    let bytes = match options.format {
        Format::Csv => csv(&chart, options.csv.options()),
        Format::Png => png(&chart, options.width)?,
        _ => chart.svg().as_bytes().to_vec(),
    };
    context.out.bytes(&bytes)?;
    Ok(Status::Clean)
}

/// Returns the numbers of a chart. Of these tables, only the columns with names and moves are text.
fn csv(chart: &Chart, options: CsvOptions) -> Vec<u8> {
    let Some((names, rows)) = chart.table().split_first() else { return Vec::new() };
    let cell = |(name, cell): (&String, &String)| match &**name {
        "side" | "move" | "eval" | "judgement" | "opening" => CsvCell::text(cell.clone()),
        _ => CsvCell::number(cell),
    };
    let line = |row: &Vec<String>| options.line(names.iter().zip(row).map(cell));
    options.header(names).into_iter().chain(rows.iter().flat_map(line)).collect()
}

#[cfg(feature = "png")]
fn png(chart: &Chart, width: Option<u16>) -> Result<Vec<u8>> {
    crate::report::png(chart.svg(), f32::from(width.unwrap_or(1520)) / Chart::WIDTH as f32)
}

#[cfg(not(feature = "png"))]
fn png(_: &Chart, _: Option<u16>) -> Result<Vec<u8>> {
    Err(lacks_feature("write PNG", "png"))
}
