//! The view of a board.

use crate::board::Square;
use crate::notation::Numbering;
use crate::options::setters;
use crate::pdn::{Command, Mark};
use crate::rules::Move;

/// The view of a board: its orientation, and what is shown besides the pieces. By default, White is at the bottom, and
/// nothing is added.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::report::{BoardView, board_text};
/// use pdn::rules::{Position, Variant};
///
/// let numbering = Numbering::for_variant(Variant::ENGLISH);
/// let view = BoardView::default().flipped(true).numbers(true);
/// let board = board_text(&Position::start(Variant::ENGLISH), numbering, &view);
/// assert!(board.contains(" 20    19    18    17\n"), "{board}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub struct BoardView {
    pub(super) flipped: bool,
    pub(super) numbers: bool,
    pub(super) nameless: bool,
    pub(super) colored: bool,
    pub(super) last_move: Option<Move>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) marked: Vec<Marked>,
}

/// An arrow between two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The square where it starts.
    pub from: Square,
    /// The square it points to.
    pub to: Square,
    /// The letter of its colour, such as `R`.
    pub colour: char,
}

/// A coloured square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    /// The square.
    pub square: Square,
    /// The letter of its colour, such as `R`.
    pub colour: char,
}

impl Arrow {
    /// Returns the arrows of the commands `[%cal …]` in comments, without those to squares that the board lacks.
    pub(crate) fn of_commands(commands: &[Command], numbering: Numbering) -> Vec<Self> {
        let arrow = |mark: &Mark| {
            let (from, to) = mark.squares.split_once('-')?;
            Some(Self { from: numbering.find(from)?, to: numbering.find(to)?, colour: mark.colour })
        };
        let drawn = |command: &Command| match command {
            Command::Cal(marks) => marks.iter().filter_map(arrow).collect(),
            _ => Vec::new(),
        };
        commands.iter().flat_map(drawn).collect()
    }
}

impl Marked {
    /// Returns the coloured squares of the commands `[%csl …]` in comments, without those that the board lacks.
    pub(crate) fn of_commands(commands: &[Command], numbering: Numbering) -> Vec<Self> {
        let marked = |mark: &Mark| Some(Self { square: numbering.find(&mark.squares)?, colour: mark.colour });
        let drawn = |command: &Command| match command {
            Command::Csl(marks) => marks.iter().filter_map(marked).collect(),
            _ => Vec::new(),
        };
        commands.iter().flat_map(drawn).collect()
    }
}

impl BoardView {
    setters! { const
        /// Sets whether Black is at the bottom.
        pub flipped(flipped: bool);
        /// Sets whether empty squares show their names in a text; pictures name all squares.
        pub numbers(numbers: bool);
        /// Sets whether a picture omits the names of squares.
        pub(crate) nameless(nameless: bool);
        /// Sets whether a text has terminal colours.
        pub(crate) colored(colored: bool);
        /// Sets the move whose squares are highlighted.
        pub last_move(last_move: Option<Move>);
    }

    setters! {
        /// Sets the arrows of a picture.
        arrows(arrows: Vec<Arrow>);
    }

    /// Sets the coloured squares of a picture.
    #[must_use]
    pub(crate) fn marked(self, marked: Vec<Marked>) -> Self {
        Self { marked, ..self }
    }

    /// Returns true if a square is the first or last one of the last move.
    pub(super) fn is_last(&self, square: Square) -> bool {
        self.last_move.is_some_and(|played| played.from() == square || played.to() == square)
    }

    /// Returns the column and row at which a square is drawn, from the top left.
    pub(super) fn place(&self, numbering: Numbering, square: Square) -> (u8, u8) {
        let shape = numbering.shape();
        let (column, row) = (numbering.display_column(square), numbering.display_row(square));
        if self.flipped { (shape.width() - 1 - column, shape.height() - 1 - row) } else { (column, row) }
    }

    /// Returns the playable square that is drawn at a column and row.
    pub(super) fn square_at(&self, numbering: Numbering, column: u8, row: u8) -> Option<Square> {
        let shape = numbering.shape();
        if self.flipped {
            numbering.square_at_display(shape.height() - 1 - row, shape.width() - 1 - column)
        } else {
            numbering.square_at_display(row, column)
        }
    }
}
