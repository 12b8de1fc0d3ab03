//! `pdn show`: a board as text or as a picture.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;

use super::context::{Context, Status};
use super::inputs::named_inputs;
use super::options::{Endgames, Format, formats, positive};
use super::words::counted;
use crate::check::{CheckOptions, input_reviews};
use crate::diag::{Paint, Severity};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::notation::{Numbering, roster_tag};
use crate::pdn::{Attachment, Command, NodeId, parse_commands};
use crate::replay::{Ply, ReplayOptions, ReplayedGame};
use crate::report::{Arrow, BoardView, Marked, board_svg, board_text};
use crate::rules::{Move, Position, Variant};
use crate::source::ChunkOptions;
use crate::text::printable;

/// What `pdn show` can write.
const FORMATS: [(Format, &str); 2] = [(Format::Text, ""), (Format::Svg, "")];

/// Show the board of a FEN, or of a game after a number of plies
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn show --fen W:W31,32:B19,20
  pdn show games.pdn --game 3 --ply 40 --format svg -o board.svg
  pdn show games.pdn --flip --numbers

A picture highlights the last move, and shows the coloured squares and arrows from the comment after it: `[%csl Y28]`, \
`[%cal G32-28]`.")]
pub(super) struct Options {
    /// File with the game, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "fen", conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// The position
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroU64>)]
    game: NonZeroU64,
    /// Number of plies to play [default: all]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(FORMATS))]
    format: Format,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Show the names of empty squares in the text
    #[arg(long)]
    numbers: bool,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

impl Options {
    /// Returns the file; without one, no settings are read.
    pub(super) fn records(&self) -> Option<&[PathBuf]> {
        self.file.as_ref().map(std::slice::from_ref)
    }
}

/// What is shown: a position, with its details from a game.
pub(super) struct Shown {
    pub(super) position: Position,
    /// Lines before the board.
    caption: Vec<String>,
    last_move: Option<Move>,
    /// The marks of the comments after the move.
    marks: Vec<Command>,
}

impl Shown {
    /// Returns a position without details.
    pub(super) const fn new(position: Position) -> Self {
        Self { position, caption: Vec::new(), last_move: None, marks: Vec::new() }
    }

    /// Returns the numbering of the board.
    pub(super) fn numbering(&self) -> Numbering {
        Numbering::for_variant(self.position.variant())
    }

    /// Returns the view of the board with the last move and the marks of its comments.
    pub(super) fn view(&self) -> BoardView {
        BoardView::default()
            .last_move(self.last_move)
            .arrows(Arrow::of_commands(&self.marks, self.numbering()))
            .marked(Marked::of_commands(&self.marks, self.numbering()))
    }

    /// Returns a line with the value of the position, if the databases have it.
    fn endgame(&self, databases: &Databases) -> Option<String> {
        let probe = databases.probe(&self.position).filter(|_| self.position.winner().is_none())?;
        let Some(winner) = probe.value().winner(self.position.turn()) else { return Some("Endgame: draw".to_owned()) };
        let plies =
            probe.plies().map(|plies| format!(" in {}", counted(u64::from(plies), "ply", "plies"))).unwrap_or_default();
        Some(format!("Endgame: {winner} wins{plies}"))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let shown = match find_shown(options, context)? {
        Ok(shown) => shown,
        Err(reason) => {
            context.print(&Error::usage(reason));
            return Ok(Status::Errors);
        }
    };
    let numbering = shown.numbering();
    let view = shown.view().flipped(options.flip).numbers(options.numbers).colored(context.paint == Paint::Ansi);
    let text = if options.format == Format::Svg {
        board_svg(&shown.position, numbering, &view)
    } else {
        let fen = format!("FEN: {}", shown.position.fen_in(numbering));
        let endgame = shown.endgame(&context.databases(shown.position.variant()));
        let lines = shown.caption.iter().chain([&fen]).chain(&endgame).map(|line| format!("{}\n", printable(line)));
        lines.collect::<String>() + &board_text(&shown.position, numbering, &view)
    };
    context.out.text(&text)?;
    Ok(Status::Clean)
}

/// Returns the requested position, or an error in the FEN or the record.
fn find_shown(options: &Options, context: &Context) -> Result<Result<Shown, String>> {
    if let Some(fen) = &options.fen {
        let position = context.read_fen(fen);
        return Ok(position.map(Shown::new).map_err(|error| format!("invalid FEN: {error}")));
    }
    let path = options.file.as_deref().unwrap_or(Path::new("-"));
    let missing = || Error::unavailable(format!("{}: no game {}", path.display(), options.game));
    let (mut remaining, mut found) = (options.game.get(), None);
    each_game(&[path], context.variant, |game| {
        remaining -= 1;
        found = (remaining == 0).then_some(game);
        Ok(remaining > 0)
    })?;
    let (game, number) = (found.ok_or_else(missing)?, options.game);
    // If moves are played after it, a position was set up between.
    let blocked = game.first_unplayed().filter(|(before, _)| *before == game.plies_played());
    let blocked =
        blocked.map(|(before, reason)| format!("game {number} cannot be played beyond ply {before}: {reason}"));
    if let Some(shown) = shown_at(&game, options.ply) {
        if let Some(blocked) = blocked.filter(|_| options.ply.is_none()) {
            context.inform(&blocked);
        }
        return Ok(Ok(shown));
    }
    if let Some(blocked) = blocked {
        return Err(Error::unavailable(blocked));
    }
    let first_error = game.diagnostics().iter().find(|found| found.severity() == Severity::Error);
    if let (None, Some(found)) = (game.start(), first_error) {
        return Ok(Err(format!("{}: {}", found.code(), found)));
    }
    Err(Error::unavailable(match options.ply {
        Some(ply) if game.variant().is_some() => {
            format!("game {number} has {} plies; ply {ply} was requested", game.plies_played())
        }
        _ => format!("game {number} cannot be replayed: its variant is unknown"),
    }))
}

/// Returns the position after a number of plies of the main line, or after all of them.
pub(super) fn shown_at(game: &ReplayedGame, ply: Option<usize>) -> Option<Shown> {
    let last = match ply {
        None => game.main_moves().take_while(|&id| game.ply(id).is_some_and(Ply::is_played)).last(),
        Some(0) => None,
        Some(ply) => Some(game.main_moves().nth(ply - 1)?),
    };
    let position = match (ply, last) {
        (None, _) => *game.final_position()?,
        (_, None) => *game.start()?,
        (_, Some(id)) => *game.ply(id)?.after()?,
    };
    let after = last.and_then(|id| game.ply(id)?.after().copied());
    // A setup may follow the last move.
    let last = last.filter(|_| after == Some(position));
    let comments = last.into_iter().flat_map(|id| game.tree().node(id).attachments()).filter_map(Attachment::comment);
    Some(Shown {
        position,
        caption: players(game).into_iter().chain(last.and_then(|id| last_move(game, id))).collect(),
        last_move: last.and_then(|id| game.played(id)),
        marks: comments.flat_map(parse_commands).collect(),
    })
}

/// Returns a line for each player of a game, if it names one.
fn players(game: &ReplayedGame) -> Vec<String> {
    let name = |tag| roster_tag(game.tree(), tag).map_or("?", |tag| tag.value().trim());
    let (white, black) = (name("White"), name("Black"));
    if white == "?" && black == "?" {
        return Vec::new();
    }
    vec![format!("White: {white}"), format!("Black: {black}")]
}

fn last_move(game: &ReplayedGame, id: NodeId) -> Option<String> {
    let ply = game.ply(id)?;
    Some(format!("Last move: {} {}, ply {}", ply.side(), game.notation(id)?, ply.number()))
}

/// Replays the games of files in order, until `each` returns false.
pub(super) fn each_game(
    paths: &[impl AsRef<Path>],
    variant: Option<Variant>,
    mut each: impl FnMut(ReplayedGame) -> Result<bool>,
) -> Result<()> {
    let checks = CheckOptions { replay: ReplayOptions::of(variant), ..CheckOptions::default() };
    for input in named_inputs(paths) {
        for review in input_reviews(&input?, checks.clone(), &ChunkOptions::default())? {
            if !each(review?.into_game())? {
                return Ok(());
            }
        }
    }
    Ok(())
}
