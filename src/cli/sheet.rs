//! `pdn sheet`: exercises and games on paper.

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::Files;
use super::words::count;
use crate::check::{CheckedGame, GameWork, Needs};
use crate::error::Result;
use crate::records::checked_row;
use crate::report::{Sheet, SheetItem, SheetOptions};

/// Print exercises and games: PDF, or HTML to print from a browser
///
/// A game that begins with another position than usual (a FEN tag) is an exercise: a board with the task, and the main line as
/// the solution. The result of the record gives the task: a win or a draw of the side to move. Other games are printed in two
/// columns, with a diagram before each move marked ? or ??, and where a comment asks for one: {[#]}, {diagram}, or $220.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn sheet problems.pdn -o problems.pdf
  pdn sheet --per-page 3x4 --solutions foot --title Club problems.pdn -o sheet.pdf
  pdn sheet --lang nl --paper letter annotated.pdn -o games.html

The output of `pdn puzzles` is a file of exercises.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    sheet: SheetOptions,
    /// Output format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Pdf,
    Html,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    context.out.refuse_terminal("a sheet is a document: use -o sheet.pdf or -o sheet.html")?;
    let mut sheet = match options.format {
        Format::Pdf => Sheet::pdf(options.sheet.clone()),
        Format::Html => Sheet::html(options.sheet.clone()),
    };
    context.each(&options.files, Collector(options.sheet.clone()), |context, items| {
        items.into_iter().try_for_each(|item| context.out.bytes(&sheet.add(item)?))
    })?;
    let [exercises, games] = sheet.counts();
    context.out.bytes(&sheet.finish()?)?;
    context.inform(&format!("{}, {}", count(exercises, "exercise"), count(games, "game")));
    Ok(Status::Clean)
}

struct Collector(SheetOptions);

impl GameWork for Collector {
    type Done = Vec<SheetItem>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, items: &mut Vec<SheetItem>) {
        let row = checked_row(&game);
        items.extend(SheetItem::new(&row, game.review().game().start(), &self.0));
    }
}
