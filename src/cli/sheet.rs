//! `pdn sheet`: exercises and games on paper.

use clap::Args;

use super::context::Context;
use super::options::{Files, Format, formats};
use super::words::count;
use crate::annotate::{add_sentences, describe_solution};
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Summary};
use crate::diag::Severity;
use crate::error::Result;
use crate::pdn::Outside;
use crate::records::checked_row;
use crate::report::{Sheet, SheetItem, SheetOptions};
use crate::rules::Position;

/// What `pdn sheet` can write.
const FORMATS: [(Format, &str); 2] = [(Format::Pdf, ""), (Format::Html, "")];

/// Print exercises and games: PDF, or HTML to print from a browser
///
/// A game that begins with another position than usual (a FEN tag) is an exercise: a board with the task, and the main line as
/// the solution. The tag Goal, or else the result, gives the task: a win or a draw for the side to move. Other games are printed in two
/// columns, with a diagram before each move marked ? or ??, and where a comment asks for one: {[#]}, {diagram}, or $220.
///
/// Positions that did not occur in a game, which `pdn puzzles` writes with a tag `Instead`, are printed only with --all, with that
/// move and the one that was played.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn sheet problems.pdn -o problems.pdf
  pdn sheet --per-page 3x4 --solutions foot --title Club problems.pdn -o sheet.pdf
  pdn sheet --lang nl --paper letter annotated.pdn -o games.html
  pdn sheet --words --own-side problems.pdn -o problems.pdf

The output of `pdn puzzles` is a file of exercises.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    sheet: SheetOptions,
    /// Add to each solution what shot it is and what it wins, and put the sentences of `annotate --words` into the language of the
    /// sheet
    #[arg(long)]
    words: bool,
    /// Output format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "html", value_parser = formats(FORMATS))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    context.out.refuse_terminal("a sheet is a document: use -o sheet.pdf or -o sheet.html")?;
    let mut sheet = match options.format {
        Format::Pdf => Sheet::pdf(options.sheet.clone()),
        _ => Sheet::html(options.sheet.clone()),
    };
    let (mut not_played, mut summary) = (0, Summary::default());
    let collector = Collector { options: options.sheet.clone(), words: options.words };
    context.each(&options.files, collector, |context, found| {
        not_played += found.left_out;
        summary += &found.summary;
        found.items.into_iter().try_for_each(|item| context.out.bytes(&sheet.add(item)?))
    })?;
    let [exercises, games] = sheet.counts();
    let (end, replaced) = sheet.complete()?;
    context.out.bytes(&end)?;
    if let Some(note) = replaced {
        context.inform(&note);
    }
    let left_out = match not_played {
        0 => String::new(),
        number => format!("; left out as not played: {} (--all prints them)", count(number, "position")),
    };
    context.inform(&format!("{}, {}{left_out}", count(exercises, "exercise"), count(games, "game")));
    context.conclude(summary.diagnostics(Severity::Error));
    Ok(())
}

struct Collector {
    options: SheetOptions,
    words: bool,
}

/// What is printed of some games.
#[derive(Default)]
struct Found {
    items: Vec<SheetItem>,
    /// Number of positions that did not occur in a game.
    left_out: u64,
    summary: Summary,
}

impl GameWork for Collector {
    type Done = Found;

    fn game(&self, game: CheckedGame<'_>, found: &mut Found) {
        found.summary.count_game(game.review());
        let mut row = checked_row(&game);
        let (start, options) = (game.review().game().start(), &self.options);
        found.left_out += u64::from(!options.all && SheetItem::is_not_played(&row));
        if self.words {
            add_sentences(&mut row, options.lang, true);
            if let Some(start) = start.filter(|start| **start != Position::start(start.variant())) {
                describe_solution(&mut row, start, options.lang);
            }
        }
        found.items.extend(SheetItem::new(&row, start, options));
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, found: &mut Found) {
        found.summary.count(outside.diagnostic());
    }
}
