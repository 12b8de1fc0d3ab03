//! `pdn diagram`: positions as pictures.

#[cfg(feature = "png")]
mod animation;

use std::fs;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::slice;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::context::{Context, Status};
use super::failure::{lacks_feature, png};
use super::options::{ADVANCED, Format, formats, parse_seconds, positive};
use super::output::Output;
use super::show::{Shown, each_game, shown_at};
use crate::error::{Error, Result};
use crate::notation::roster_tag;
use crate::pdn::{Command, Mark, parse_commands};
use crate::replay::ReplayedGame;
use crate::report::{Arrow, BoardView, Diagram, Marked, sheet_size, sheet_svg};

/// What `pdn diagram` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Svg, ""), (Format::Png, ""), (Format::Gif, "The moves of a game, as an animation")];

/// Draw positions as pictures for books, slides and pages: SVG, PNG or GIF
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn diagram --fen W:W31,32:B19,20 -o board.svg
  pdn diagram problems.pdn --sheet 3x4 -o sheet.svg
  pdn diagram games.pdn --game 2 --ply 10,20,30 -o pictures/
  pdn diagram --fen W:W31,32:B19,20 --arrows G31-27,R20-24 --squares Y27 -o board.svg
  pdn diagram games.pdn --game 2 --ply 20,28 -o shot.gif

A game is drawn at its start, which suits problems, or after the plies given by --ply. On a sheet, each board has a caption and a \
disc in the colour of the side to move. If the output is a folder (a name that ends in `/`), each picture is a separate file. A GIF shows the moves of one game, from the first ply to the last one that --ply gives or \
else to the end, and repeats them.")]
pub(super) struct Options {
    /// Files with games or problems, folders, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["fen", "fens"])]
    paths: Vec<PathBuf>,
    /// Draw this position
    #[arg(long, value_name = "F", conflicts_with_all = ["paths", "fens", "game", "ply"])]
    fen: Option<String>,
    /// Draw the positions in FILE, one per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "game", "ply"])]
    fens: Option<PathBuf>,
    /// Draw only the game with this number, counted over all files
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    game: Option<NonZeroU64>,
    /// Numbers of plies to play before drawing, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0")]
    ply: Vec<usize>,
    /// Put several boards on each sheet, such as 3x4 for three columns and four rows
    #[arg(long, value_name = "COLSxROWS")]
    sheet: Option<Sheet>,
    /// Time for each position of a GIF, in seconds [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = ADVANCED)]
    delay: Option<Duration>,
    /// Picture format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "svg", value_parser = formats(FORMATS))]
    format: Format,
    /// Width of each board in a PNG or GIF picture, in pixels [default: 600]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(16..=8000), help_heading = ADVANCED)]
    width: Option<u16>,
    /// Show the boards from Black's side
    #[arg(long)]
    flip: bool,
    /// Leave out the square names
    #[arg(long, help_heading = ADVANCED)]
    no_numbers: bool,
    /// Draw arrows, written as in `[%cal …]`: each with a colour letter (B, C, G, M, R or Y) and two squares
    #[arg(long, value_name = "LIST", value_parser = parse_arrows)]
    arrows: Option<Command>,
    /// Colour squares, written as in `[%csl …]`
    #[arg(long, value_name = "LIST", value_parser = parse_squares)]
    squares: Option<Command>,
}

/// The boards on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sheet {
    columns: usize,
    rows: usize,
}

/// Default width of a board in pixels.
const DEFAULT_WIDTH: u16 = 600;

/// Largest number of pixels in a picture: drawn, they take 4 bytes each, and again that much while they are compressed.
/// A page of A4 at 600 dots per inch has 35 million.
const MAX_PIXELS: f64 = 50e6;

/// Largest number of columns and rows.
const MAX_SIDE: usize = 50;

impl FromStr for Sheet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        let sides = text.split_once(['x', 'X']).and_then(|(columns, rows)| side(columns).zip(side(rows)));
        let (columns, rows) =
            sides.ok_or_else(|| format!("expected columns and rows up to {MAX_SIDE}, such as 3x4"))?;
        Ok(Self { columns, rows })
    }
}

/// Letters of colours of arrows and squares.
const COLOURS: &str = "BCGMRY";

fn parse_arrows(list: &str) -> Result<Command, String> {
    parse_marks("cal", list).ok_or("expected a list such as G31-27,R20-24")?
}

fn parse_squares(list: &str) -> Result<Command, String> {
    parse_marks("csl", list).ok_or("expected a list such as Y27,R31")?
}

/// Returns the marks of a command, or an error if one has an unknown colour; `None` if it has another form.
fn parse_marks(command: &str, list: &str) -> Option<Result<Command, String>> {
    let command = parse_commands(&format!("[%{command} {list}]")).into_iter().next()?;
    let (Command::Cal(marks) | Command::Csl(marks)) = &command else { return None };
    Some(match marks.iter().find(|mark| !COLOURS.contains(mark.colour)) {
        Some(Mark { colour, squares }) => {
            Err(format!("`{colour}{squares}`: unknown colour `{colour}`, expected one of {COLOURS}"))
        }
        None => Ok(command),
    })
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let format = options.format;
    if format != Format::Svg && !cfg!(feature = "png") {
        return Err(lacks_feature(if format == Format::Gif { "write GIF" } else { "write PNG" }, "png"));
    }
    if format == Format::Svg && options.width.is_some() {
        return Err(Error::usage("--width is for PNG and GIF only: SVG pictures scale to any width"));
    }
    if format != Format::Gif && options.delay.is_some() {
        return Err(Error::usage("--delay is for GIF only"));
    }
    #[cfg(feature = "png")]
    if format == Format::Gif {
        return animation::draw(options, context);
    }
    let mut pictures = Pictures { options, folder: context.out.folder(), pending: Vec::new(), number: 0, written: 0 };
    let status = if options.paths.is_empty() {
        options.draw_fens(context, &mut pictures)?
    } else {
        options.draw_games(context, &mut pictures)?
    };
    pictures.finish(context, status)
}

impl Options {
    #[expect(clippy::unnecessary_wraps, reason = "other commands may read no records")]
    pub(super) fn records(&self) -> Option<&[PathBuf]> {
        Some(&self.paths)
    }

    /// Draws positions; invalid ones are reported, and the others are still drawn.
    fn draw_fens(&self, context: &mut Context, pictures: &mut Pictures<'_>) -> Result<Status> {
        let listed = match (&self.fen, &self.fens) {
            (Some(fen), _) => fen.clone(),
            (None, Some(path)) => fs::read_to_string(path).map_err(|error| Error::read(path, error))?,
            (None, None) => String::new(),
        };
        let mut status = Status::Clean;
        for fen in listed.lines().map(str::trim).filter(|fen| !fen.is_empty()) {
            match context.read_fen(fen) {
                Ok(position) => pictures.add(&Shown::new(position), "", context)?,
                Err(error) => {
                    context.print(&Error::usage(format!("invalid FEN: {fen}: {error}")));
                    status = Status::Errors;
                }
            }
        }
        Ok(status)
    }

    fn draw_games(&self, context: &mut Context, pictures: &mut Pictures<'_>) -> Result<Status> {
        let mut number = 0;
        let mut status = Status::Clean;
        each_game(&self.paths, context.variant, |game| {
            number += 1;
            if self.game.is_none_or(|wanted| wanted.get() == number) {
                status = status.max(self.draw_game(number, &game, context, pictures)?);
            }
            Ok(self.game.is_none_or(|wanted| wanted.get() > number))
        })?;
        match self.game {
            Some(wanted) if wanted.get() > number => Err(Error::unavailable(format!("no game {wanted}"))),
            _ => Ok(status),
        }
    }

    fn draw_game(
        &self,
        number: u64,
        game: &ReplayedGame,
        context: &mut Context,
        pictures: &mut Pictures<'_>,
    ) -> Result<Status> {
        let mut status = Status::Clean;
        for &ply in &self.ply {
            match shown_at(game, Some(ply)) {
                Some(shown) => pictures.add(&shown, &title(game), context)?,
                None => {
                    context.print(&Error::usage(format!("game {number} has no known position after ply {ply}")));
                    status = Status::Errors;
                }
            }
        }
        Ok(status)
    }

    /// Returns the view of a position with what the options add.
    fn view(&self, shown: &Shown) -> Result<BoardView> {
        let mut view = shown.view().flipped(self.flip).nameless(self.no_numbers);
        if let Some(arrows) = &self.arrows {
            let drawn = Arrow::of_commands(slice::from_ref(arrows), shown.numbering());
            require_all("--arrows", drawn.len(), arrows)?;
            view = view.arrows(drawn);
        }
        if let Some(squares) = &self.squares {
            let drawn = Marked::of_commands(slice::from_ref(squares), shown.numbering());
            require_all("--squares", drawn.len(), squares)?;
            view = view.marked(drawn);
        }
        Ok(view)
    }
}

/// Returns an error unless all marks of an option are drawn.
fn require_all(option: &str, drawn: usize, marks: &Command) -> Result<()> {
    match marks {
        Command::Cal(marks) | Command::Csl(marks) if marks.len() > drawn => {
            Err(Error::usage(format!("{option}: the board has no such square")))
        }
        _ => Ok(()),
    }
}

/// Returns the players of a game, or else its event.
fn title(game: &ReplayedGame) -> String {
    let tag = |name| roster_tag(game.tree(), name).map_or("", |tag| tag.value().trim()).trim_matches('?');
    match (tag("White"), tag("Black")) {
        ("", "") => tag("Event").to_owned(),
        (white, black) => [white, black].map(|name| if name.is_empty() { "?" } else { name }).join(" – "),
    }
}

/// The pictures of a run.
struct Pictures<'a> {
    options: &'a Options,
    /// The folder in which each picture is a file.
    folder: Option<PathBuf>,
    /// The diagrams of the next picture.
    pending: Vec<Diagram>,
    /// The number of the last diagram.
    number: u64,
    written: u64,
}

impl Pictures<'_> {
    fn add(&mut self, shown: &Shown, title: &str, context: &mut Context) -> Result<()> {
        if self.pending.len() == self.options.sheet.map_or(1, |sheet| sheet.columns * sheet.rows) {
            self.write(context)?;
        }
        self.number += 1;
        let caption = format!("{}. {title}", self.number);
        self.pending.push(Diagram::new(shown.position, self.options.view(shown)?).captioned(caption));
        Ok(())
    }

    /// Writes a picture with the diagrams that wait for one.
    fn write(&mut self, context: &mut Context) -> Result<()> {
        let Some(first) = self.pending.first() else { return Ok(()) };
        let (sheet, is_png) = (self.options.sheet, self.options.format == Format::Png);
        let svg = || sheet.map_or_else(|| first.svg(), |sheet| sheet_svg(&self.pending, sheet.columns));
        let size = || sheet.map_or_else(|| first.size(), |sheet| sheet_size(&self.pending, sheet.columns));
        // The size of PNG is checked before it is drawn.
        let bytes = if is_png {
            let factor = factor(self.options, first, size())?;
            png(&svg(), factor)?
        } else {
            svg().into_bytes()
        };
        self.pending.clear();
        self.written += 1;
        match &self.folder {
            Some(folder) => {
                // Once: a book has thousands of pictures.
                if self.written == 1 {
                    fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
                }
                let extension = if is_png { "png" } else { "svg" };
                Output::write(Some(&folder.join(format!("{}.{extension}", self.written))), bytes)
            }
            None if self.written > 1 => {
                context.out.discard();
                let advice = "use --sheet with more boards, or a folder: -o pictures/";
                Err(Error::usage(format!("the boards do not fit into one picture; {advice}")))
            }
            None => context.out.bytes(&bytes),
        }
    }

    /// Writes the last picture and returns the status.
    fn finish(mut self, context: &mut Context, status: Status) -> Result<Status> {
        self.write(context)?;
        if self.written == 0 {
            context.out.discard();
            if status == Status::Clean {
                return Err(Error::unavailable("nothing to draw: no position was found"));
            }
        }
        Ok(status)
    }
}

/// Returns the factor by which a picture is enlarged so that its boards have the requested width.
fn factor(options: &Options, first: &Diagram, size: (u32, u32)) -> Result<f32> {
    let factor = f64::from(options.width.unwrap_or(DEFAULT_WIDTH)) / f64::from(first.size().0);
    let [width, height] = [size.0, size.1].map(|length| (f64::from(length) * factor).ceil());
    if width * height > MAX_PIXELS {
        let millions = MAX_PIXELS / 1e6;
        return Err(Error::usage(format!(
            "a picture of {width} by {height} pixels is too large: at most {millions} million pixels; use a smaller \
             --width, a smaller --sheet, or SVG"
        )));
    }
    Ok(factor as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_have_columns_and_rows() {
        assert_eq!("3x4".parse(), Ok(Sheet { columns: 3, rows: 4 }));
        for text in ["", "3", "0x4", "3x", "3x51", "-1x2"] {
            assert!(text.parse::<Sheet>().is_err(), "{text}");
        }
    }

    #[test]
    fn arrows_and_squares_are_those_of_comments() {
        assert!(matches!(parse_arrows("G31-27,R20-24"), Ok(Command::Cal(marks)) if marks.len() == 2));
        assert!(matches!(parse_squares("Y27"), Ok(Command::Csl(marks)) if marks.len() == 1));
        assert!(parse_arrows("").is_err() && parse_squares("?").is_err());
        assert!(parse_arrows("G31-27,X20-24").is_err_and(|error| error.contains("`X20-24`")));
        assert!(parse_squares("X27").is_err_and(|error| error.contains("`X27`")));
    }
}
