//! `pdn chart`: charts of evaluations, accuracy, openings and ratings.

use clap::Args;

use super::context::Context;
use super::failure::{lacks_feature, png};
use super::openings::Names;
use super::options::{ADVANCED, Csv, Files, Format, formats};
use crate::error::{Error, Result};
use crate::export::{CsvCell, CsvOptions};
use crate::report::{Chart, ChartOptions, ChartQuery};

/// What `pdn chart` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Svg, ""), (Format::Png, ""), (Format::Csv, "The numbers shown in the chart")];

/// Draw charts: evaluations of a game, accuracy by year, openings, ratings
///
/// The evaluation graph is the one in the pages of `pdn report`: White's expected score after each move, with gaps for moves without an
/// evaluation. Accuracy is computed from games with a year and evaluations, as in `pdn annotate --table players`. Openings are those of
/// `pdn stats`, or with --player those of `pdn prepare`. They are shown by their first moves if fewer than half of the games have an
/// opening with a name. Results by rating difference are compared with the score predicted by the ratings.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn chart rated.pdn -o game.svg
  pdn chart rated.pdn --game 3 --lang nl -o game.svg
  pdn chart rated.pdn --kind accuracy --player Glance -o accuracy.svg
  pdn chart archive/ --kind openings -o openings.svg
  pdn chart rated.pdn --kind ratings -o ratings.csv

If NAME equals the name of a player, ignoring case and accents, names that only contain it are excluded.")]
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
    /// Width of the PNG image, in pixels [default: 1520]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(100..=8000), help_heading = ADVANCED)]
    width: Option<u16>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    if options.format == Format::Png && !cfg!(feature = "png") {
        return Err(lacks_feature("write PNG", "png"));
    }
    if options.format != Format::Png && options.width.is_some() {
        return Err(Error::usage("--width is for PNG only: SVG images scale to any width"));
    }
    let query = ChartQuery::new(&options.chart, options.names.read(context)?)?;
    let data = context.sum(&options.files, query)?;
    let chart = data.chart(&options.chart, context.variant).inspect_err(|_| context.out.discard())?;
    match options.format {
        Format::Csv => context.out.bytes(&csv(&chart, options.csv.options())),
        Format::Png => {
            let width = f32::from(options.width.unwrap_or(1520));
            context.out.bytes(&png(chart.svg(), width / Chart::WIDTH as f32)?)
        }
        _ => context.out.text(chart.svg()),
    }
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
