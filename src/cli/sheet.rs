//! `pdn sheet`: exercises and games on paper.

use std::io::{IsTerminal as _, stdout};
use std::num::NonZeroU32;
use std::path::Path;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use super::words::count;
use crate::check::{CheckedGame, Checking, GameWork, Needs};
use crate::error::{Error, Result};
use crate::records::checked_row;
use crate::report::{Grid, Language, Paper, Sheet, SheetItem, SheetOptions, Solutions};

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
    /// Boards on a page of exercises: columns and rows, or their number
    #[arg(long, value_name = "COLSxROWS", default_value_t)]
    per_page: Grid,
    /// Where solutions are printed
    #[arg(long, value_name = "WHERE", default_value = "last")]
    solutions: SolutionsAt,
    /// Title of the sheet
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Print a diagram after every N moves of both sides of a game
    #[arg(long, value_name = "N")]
    diagrams_every: Option<NonZeroU32>,
    /// Print exercises as games too
    #[arg(long)]
    games: bool,
    /// Size of the paper
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    paper: Size,
    /// Language of the sheet: en, nl, fr, it, pt or ru
    #[arg(long, value_name = "LANG", default_value_t)]
    lang: Language,
    /// Output format [default: from the name of the output file, or html]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Pdf,
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Size {
    A4,
    Letter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SolutionsAt {
    /// After the last exercise
    Last,
    /// At the foot of each page, upside down
    Foot,
    /// Not at all
    None,
}

impl Options {
    fn sheet_options(&self) -> SheetOptions {
        let paper = match self.paper {
            Size::A4 => Paper::A4,
            Size::Letter => Paper::Letter,
        };
        let solutions = match self.solutions {
            SolutionsAt::Last => Solutions::Last,
            SolutionsAt::Foot => Solutions::Foot,
            SolutionsAt::None => Solutions::None,
        };
        SheetOptions::new(self.lang, paper)
            .with_exercises(self.per_page, solutions)
            .with_title(self.title.clone())
            .with_diagrams_every(self.diagrams_every)
            .with_games_only(self.games)
    }

    fn sheet(&self, context: &Context, options: SheetOptions) -> Sheet {
        let is_pdf = || context.out.path().and_then(Path::extension).is_some_and(|end| end.eq_ignore_ascii_case("pdf"));
        let format = self.format.unwrap_or_else(|| if is_pdf() { Format::Pdf } else { Format::Html });
        if format == Format::Pdf { Sheet::pdf(options) } else { Sheet::html(options) }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage("a sheet is a document: use -o sheet.pdf or -o sheet.html"));
    }
    let sheet_options = options.sheet_options();
    let mut sheet = options.sheet(context, sheet_options.clone());
    let work = Checking::new(Collector(sheet_options), context.check_options(&options.files));
    context.read(&options.files, &work, |context, step| {
        let Step::Done(items) = step else { return Ok(()) };
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
        Needs::Tree
    }

    fn game(&self, game: CheckedGame<'_>, items: &mut Vec<SheetItem>) {
        let row = checked_row(&game);
        items.extend(SheetItem::new(&row, game.review().game().start(), &self.0));
    }
}
