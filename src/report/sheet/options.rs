//! How sheets are printed.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

#[cfg(feature = "cli")]
use crate::options::NAME_ONLY;
use crate::text::Language;

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Paper {
    /// 210 by 297 millimetres.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    #[default]
    A4,
    /// 8.5 by 11 inches.
    #[cfg_attr(feature = "cli", value(help = NAME_ONLY))]
    Letter,
}

#[cfg(feature = "pdf")]
impl Paper {
    /// Returns the width and height in points.
    pub(super) const fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// Where the solutions of exercises are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Solutions {
    /// After the last exercise
    #[default]
    Last,
    /// At the foot of each page, upside down
    Foot,
    /// Below each board: the teacher's copy of a sheet without solutions
    Board,
    /// Not at all
    None,
}

/// The exercises on a page: columns and rows.
///
/// # Examples
///
/// ```
/// use pdn::report::Grid;
///
/// assert_eq!("2x3".parse(), Ok(Grid::default()));
/// assert_eq!("6".parse(), Ok(Grid::default()));
/// assert!("0".parse::<Grid>().is_err() && "7x7".parse::<Grid>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns.
    pub(crate) columns: usize,
    /// The number of rows.
    pub(crate) rows: usize,
}

/// The largest grid: more boards could not be read on paper.
const LARGEST: (usize, usize) = (5, 6);

impl Grid {
    /// Returns the number of exercises on a page.
    pub(crate) const fn boards(self) -> usize {
        self.columns * self.rows
    }

    /// Returns the grid for a number of exercises, with at least as many rows as columns, as paper is higher than wide.
    fn of_number(number: usize) -> Option<Self> {
        let columns = number.isqrt().max(1);
        Self { columns, rows: number.div_ceil(columns) }.checked()
    }

    fn checked(self) -> Option<Self> {
        let fits = (1..=LARGEST.0).contains(&self.columns) && (1..=LARGEST.1).contains(&self.rows);
        fits.then_some(self)
    }
}

impl Default for Grid {
    fn default() -> Self {
        Self { columns: 2, rows: 3 }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Grid {
    type Err = String;

    /// Parses columns and rows, such as `2x3`, or the number of exercises.
    fn from_str(text: &str) -> Result<Self, String> {
        let grid = match text.split_once(['x', 'X']) {
            Some((columns, rows)) => {
                let sides = columns.parse().ok().zip(rows.parse().ok());
                sides.and_then(|(columns, rows)| Self { columns, rows }.checked())
            }
            None => text.parse().ok().and_then(Self::of_number),
        };
        let (columns, rows) = LARGEST;
        grid.ok_or_else(|| {
            format!("expected columns and rows up to {columns}x{rows}, such as 2x3, or a number of boards")
        })
    }
}

/// How a sheet is printed.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SheetOptions {
    /// Boards on a page of exercises: columns and rows, or their number
    #[cfg_attr(feature = "cli", arg(long, value_name = "COLSxROWS", default_value_t))]
    pub per_page: Grid,
    /// Where solutions are printed
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHERE", default_value = "last"))]
    pub solutions: Solutions,
    /// Title of the sheet
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    pub title: Option<String>,
    /// Print a diagram after every N moves of both sides of a game
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub diagrams_every: Option<NonZeroU32>,
    /// Print exercises as games too
    #[cfg_attr(feature = "cli", arg(long))]
    pub games: bool,
    /// Show the board of an exercise from Black's side if Black is to move
    #[cfg_attr(feature = "cli", arg(long))]
    pub own_side: bool,
    /// Print positions after moves that were not played too, and say so
    #[cfg_attr(feature = "cli", arg(long))]
    pub all: bool,
    /// Size of the paper
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", default_value = "a4"))]
    pub paper: Paper,
    /// Language of the sheet: en, nl, fr, it, pt or ru
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t))]
    pub lang: Language,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_exercises_is_a_grid_that_holds_it() {
        for (number, grid) in [("1", "1x1"), ("2", "1x2"), ("4", "2x2"), ("6", "2x3"), ("8", "2x4"), ("12", "3x4")] {
            assert_eq!(number.parse::<Grid>().map(|grid| grid.to_string()), Ok(grid.to_owned()));
        }
        for text in ["", "x", "0", "0x3", "3x0", "-1", "6x1", "1000000", "2x3x4"] {
            assert!(text.parse::<Grid>().is_err(), "{text}");
        }
    }
}
