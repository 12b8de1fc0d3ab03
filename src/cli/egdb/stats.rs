//! `pdn egdb stats`.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::Request;
use crate::cli::context::Context;
use crate::cli::options::Format;
use crate::egdb::{ClassStatistics, Counts, Force, Value};
use crate::error::{Error, Result};

/// Count the positions of each class by value
///
/// White is to move; positions with Black to move belong to the mirrored class. There are counts for all positions and for
/// quiet ones, where the side to move cannot capture.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn egdb stats --variant english --pieces 2")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) request: Request,
    /// Show only classes with this number of pieces
    #[arg(long, value_name = "N")]
    pieces: Option<u8>,
}

#[derive(Serialize)]
struct Row<'a> {
    variant: &'a str,
    white: Force,
    black: Force,
    turn: char,
    all: Counts,
    quiet: Counts,
    longest_win: Option<u32>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let mut classes = options.request.open(context)?.classes();
    classes.retain(|class| options.pieces.is_none_or(|pieces| class.material.pieces() == pieces));
    if classes.is_empty() {
        let (variant, folder) = (context.rules(), options.request.folder()?);
        return Err(Error::unavailable(format!("no tables of {variant} in {}", folder.display())));
    }
    if options.request.format == Format::Json {
        classes.iter().try_for_each(|class| context.json(&row(context.rules().name(), class)))
    } else {
        context.out.text(&table(&classes))
    }
}

fn row<'a>(variant: &'a str, class: &ClassStatistics) -> Row<'a> {
    let (material, counts) = (class.material, class.counts);
    Row {
        variant,
        white: material.own,
        black: material.their,
        turn: 'W',
        all: counts.all,
        quiet: counts.quiet,
        longest_win: class.longest_win,
    }
}

fn table(classes: &[ClassStatistics]) -> String {
    let mut text = format!(
        "{:<9} {:>12} {:>12} {:>12}  {:>12} {:>12} {:>12}  {:>7}\n",
        "class", "win", "draw", "loss", "quiet win", "quiet draw", "quiet loss", "longest"
    );
    for class in classes {
        let longest = class.longest_win.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        let (all, quiet) = (numbers(class.counts.all), numbers(class.counts.quiet));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<9} {all}  {quiet}  {longest:>7}", class.material.to_string());
    }
    text
}

fn numbers(counts: Counts) -> String {
    [Value::Win, Value::Draw, Value::Loss].map(|value| format!("{:>12}", counts.of(value))).join(" ")
}
