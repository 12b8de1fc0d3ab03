//! Names of openings, by the positions that their moves lead to.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::error::ParseError;
use crate::notation::{Numbering, resolve};
use crate::pdn::{MoveText, move_words};
use crate::replay::ReplayedGame;
use crate::rules::{Position, Variant};
use crate::text::{error_at, error_in};

/// The names that are part of the program.
const BUILT_IN: &str = include_str!("built_in.txt");

/// Names of openings. A name belongs to the position after the moves of its row, whatever move order leads to it; the opening of
/// a game is the name of its last named position.
///
/// A row is `MOVES = NAME`, with moves from the usual start. A row `[VARIANT]` sets the variant of the rows after it. Empty rows
/// and rows that begin with `#` are skipped.
///
/// # Examples
///
/// ```
/// use pdn::records::OpeningNames;
/// use pdn::rules::{Position, Variant};
///
/// let mut names = OpeningNames::built_in();
/// let problems = names.add("[english]\n9-13 22-18 = Sample\n9-13 23-14 = Impossible\n", Variant::INTERNATIONAL);
/// assert_eq!(problems.len(), 1);
/// assert_eq!(problems[0].line(), 3);
/// assert_eq!(names.get(&Position::start(Variant::ENGLISH)), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OpeningNames {
    names: HashMap<u64, Arc<str>>,
    /// The number of moves in the longest row of each variant.
    depths: HashMap<Variant, usize>,
}

/// An invalid row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamesProblem {
    line: usize,
    error: ParseError,
}

impl NamesProblem {
    /// Returns the number of the row, from 1.
    pub const fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for NamesProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl OpeningNames {
    /// Returns the built-in names.
    pub fn built_in() -> Self {
        Self::of_program().clone()
    }

    /// Returns the built-in names, to which nothing is added.
    pub(crate) fn of_program() -> &'static Self {
        static NAMES: LazyLock<OpeningNames> = LazyLock::new(|| {
            let mut names = OpeningNames::default();
            let problems = names.add(BUILT_IN, Variant::INTERNATIONAL);
            debug_assert!(problems.is_empty(), "{problems:?}");
            names
        });
        &NAMES
    }

    /// Adds the rows of a text, which replace known names of the same positions, and returns the invalid rows, which are skipped.
    /// Rows before the first variant belong to the given one.
    pub fn add(&mut self, text: &str, variant: Variant) -> Vec<NamesProblem> {
        let mut problems = Vec::new();
        let mut variant = Some(variant);
        let mut named = HashSet::new();
        for (n, row) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let row = row.trim();
            let read = match row.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                _ if row.is_empty() || row.starts_with('#') => Ok(()),
                Some(name) => section(row, name, &mut variant),
                // The rows of an unknown variant have no meaning, but one problem is enough.
                None => variant.map_or(Ok(()), |variant| self.add_row(row, variant, &mut named)),
            };
            problems.extend(read.err().map(|error| NamesProblem { line: n + 1, error }));
        }
        problems
    }

    fn add_row(&mut self, row: &str, variant: Variant, named: &mut HashSet<u64>) -> Result<(), ParseError> {
        let (line, name) =
            row.split_once('=').ok_or_else(|| error_in(row, row.len()..row.len(), "expected `MOVES = NAME`"))?;
        if name.chars().any(char::is_control) {
            return Err(error_at(row, name, "the name contains control characters"));
        }
        let words: Vec<_> = name.split_whitespace().collect();
        if words.is_empty() {
            return Err(error_in(row, row.len()..row.len(), "expected a name"));
        }
        let (position, plies) = played(row, line, variant)?;
        let (key, name) = (position.variant_key(), words.join(" "));
        if !named.insert(key) && self.get(&position) != Some(&name) {
            return Err(error_at(row, line.trim_end(), "the position has another name in an earlier row"));
        }
        self.names.insert(key, name.into());
        let depth = self.depths.entry(variant).or_default();
        *depth = plies.max(*depth);
        Ok(())
    }

    /// Returns the name of a position.
    pub fn get(&self, position: &Position) -> Option<&str> {
        self.shared(position).map(|name| &**name)
    }

    pub(crate) fn shared(&self, position: &Position) -> Option<&Arc<str>> {
        self.names.get(&position.variant_key())
    }

    /// Returns the number of moves after which no position of a variant has a name.
    pub(crate) fn depth(&self, variant: Variant) -> usize {
        self.depths.get(&variant).copied().unwrap_or(0)
    }

    /// Returns the name of the opening of a line from its positions, starting with the first, and the plies after which it is reached.
    pub(crate) fn of_line<'a>(&self, positions: impl Iterator<Item = &'a Position>) -> Option<(usize, &Arc<str>)> {
        let mut positions = positions.peekable();
        let depth = positions.peek().map_or(0, |first| self.depth(first.variant()));
        let named = positions.take(depth + 1).enumerate();
        named.filter_map(|(ply, position)| Some((ply, self.shared(position)?))).last()
    }

    /// Returns the name of the opening of the main line of a game, and the plies after which it is reached.
    pub(crate) fn of_game(&self, game: &ReplayedGame) -> Option<(usize, &Arc<str>)> {
        let positions = game.positions().map(|(_, _, position)| position);
        self.of_line(game.start().into_iter().chain(positions))
    }
}

/// Reads a row with the name of a variant.
fn section(row: &str, name: &str, variant: &mut Option<Variant>) -> Result<(), ParseError> {
    let read = name.parse::<Variant>();
    *variant = read.as_ref().ok().copied();
    read.map(drop).map_err(|error| error_at(row, name, error.to_string()))
}

/// Plays the moves of a row; returns the position after them and their number.
fn played(row: &str, line: &str, variant: Variant) -> Result<(Position, usize), ParseError> {
    let numbering = Numbering::for_variant(variant);
    let (mut position, mut plies) = (Position::start(variant), 0);
    for word in move_words(line) {
        let text = MoveText::parse(word).ok_or_else(|| error_at(row, word, "not a move"))?;
        let (played, _) = resolve(&position, &text, numbering).map_err(|error| {
            error_at(
                row,
                word,
                if error.is_ambiguous() { "several captures have this notation" } else { "illegal move" },
            )
        })?;
        position = position.play_unchecked(&played);
        plies += 1;
    }
    if plies == 0 { Err(error_in(row, 0..0, "expected moves")) } else { Ok((position, plies)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str, variant: Variant) -> Position {
        played(line, line, variant).expect("moves").0
    }

    #[test]
    fn built_in_names_have_meaning() {
        let mut names = OpeningNames::default();
        let problems = names.add(BUILT_IN, Variant::INTERNATIONAL);
        assert_eq!(problems, []);
        assert!(names.names.len() >= 50);
        assert_eq!(names.get(&after("11-15 23-19 8-11 22-17 9-13", Variant::ENGLISH)), Some("Laird and Lady"));
        assert_eq!(names.get(&after("9-13 23-19 11-15", Variant::ENGLISH)), Some("Will o' the Wisp"));
        assert_eq!(names.depth(Variant::FRISIAN), 0);
    }

    #[test]
    fn the_longest_line_with_a_name_is_the_opening() {
        let names = OpeningNames::built_in();
        let opening = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            let positions: Vec<_> = (0..=words.len()).map(|n| words[..n].join(" ")).collect();
            let start = Position::start(Variant::ENGLISH);
            let rest = positions.iter().skip(1).map(|line| after(line, Variant::ENGLISH));
            let all: Vec<_> = std::iter::once(start).chain(rest).collect();
            names.of_line(all.iter()).map(|(ply, name)| format!("{name} {ply}"))
        };
        assert_eq!(opening("11-15 23-19 8-11").as_deref(), Some("Old Faithful 1"));
        assert_eq!(opening("11-15 23-19 8-11 22-17 4-8 17-13 15-18").as_deref(), Some("Old Fourteenth 5"));
        assert_eq!(opening("12-16 24-20 8-12").as_deref(), Some("Dundee 1"));
    }

    #[test]
    fn rows_without_meaning_are_skipped_with_their_places() {
        let text = "\u{feff}# names\r\n1. 32-28 = A = B\r\n[25]\nc3-d4 d6-c5 =  x  y \n[chess]\n1-5 = skipped\n[english]\n11-15\n\
            = x\n11-15 =\n11-15 15-18 = x\n11-15 hello = x\n11-15 = one\n 1.11-15 = two\n11-15 =  one\n9-13 = \t\u{7}\n";
        let mut names = OpeningNames::built_in();
        let problems = names.add(text, Variant::INTERNATIONAL);
        let found: Vec<_> = problems.iter().map(|problem| (problem.line(), problem.to_string())).collect();
        let messages = [
            (5, "unknown variant `chess`\n  | [chess]\n  |  ^^^^^"),
            (8, "expected `MOVES = NAME`\n  | 11-15\n  |      ^"),
            (9, "expected moves\n  | = x\n  | ^"),
            (10, "expected a name\n  | 11-15 =\n  |        ^"),
            (11, "illegal move\n  | 11-15 15-18 = x\n  |       ^^^^^"),
            (12, "not a move\n  | 11-15 hello = x\n  |       ^^^^^"),
            (14, "the position has another name in an earlier row\n  | 1.11-15 = two\n  | ^^^^^^^"),
        ];
        assert_eq!(found[..7], messages.map(|(line, message)| (line, message.to_owned())));
        assert!(found[7].0 == 16 && found[7].1.starts_with("the name contains control characters"));
        assert_eq!(names.get(&after("32-28", Variant::INTERNATIONAL)), Some("A = B"));
        assert_eq!(names.get(&after("c3-d4 d6-c5", Variant::RUSSIAN)), Some("x y"));
        assert_eq!(names.get(&after("11-15", Variant::ENGLISH)), Some("one"));
    }
}
