//! Text for people: numbers in sentences, and tables.

use std::fmt::Write as _;

use crate::text::{columns, printable};

/// Returns a number with a noun that ends in `s` in the plural: `1 game`, `2 games`.
pub(super) fn count(number: u64, noun: &str) -> String {
    counted(number, noun, &format!("{noun}s"))
}

/// Returns a number with a noun in the singular or the plural: `1 ply`, `2 plies`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Maximum width of a cell in terminal columns; some records have whole paragraphs as names.
const MAX_WIDTH: usize = 60;

/// A table, the first columns with text and the others with numbers.
pub(super) struct Table {
    /// The columns aligned to the right.
    numeric: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table with a header; the names of columns with numbers begin with `#`.
    pub(super) fn new(header: &[impl AsRef<str>]) -> Self {
        let numeric = header.iter().map(|name| name.as_ref().starts_with('#')).collect();
        let names = header.iter().map(|name| name.as_ref().trim_start_matches('#').to_owned()).collect();
        Self { numeric, rows: vec![names] }
    }

    /// Adds a row; long cells are shortened.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| shortened(&printable(&cell))).collect());
    }

    /// Returns the table as text, with two spaces between columns.
    pub(super) fn text(&self) -> String {
        let width = |n: usize| self.rows.iter().filter_map(|row| row.get(n)).map(|cell| width(cell)).max().unwrap_or(0);
        let widths: Vec<_> = (0..self.numeric.len()).map(width).collect();
        self.rows.iter().map(|row| self.line(row, &widths)).collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, numeric), wanted) in row.iter().zip(&self.numeric).zip(widths) {
            let gap = wanted.saturating_sub(width(cell));
            // Writing to a string cannot fail.
            let _ = if *numeric { write!(line, "{:gap$}{cell}  ", "") } else { write!(line, "{cell}{:gap$}  ", "") };
        }
        format!("{}\n", line.trim_end())
    }
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Returns a text of at most [`MAX_WIDTH`] columns, which ends in an ellipsis if a part of it is missing.
fn shortened(text: &str) -> String {
    let mut end = 0;
    let kept = |&(at, character): &(usize, char)| {
        end += columns(character);
        end < MAX_WIDTH || end == MAX_WIDTH && at + character.len_utf8() == text.len()
    };
    let kept: String = text.char_indices().take_while(kept).map(|(_, character)| character).collect();
    if kept.len() == text.len() { kept } else { kept + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| count(number, "game")), ["0 games", "1 game", "2 games"]);
        assert_eq!(counted(1, "ply", "plies"), "1 ply");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["NAME", "#GAMES", "X"]);
        table.row(["Łódź".to_owned(), "7".to_owned(), String::new()]);
        table.row(["a\nb".to_owned(), "1234567".to_owned(), "x".to_owned()]);
        let lines: Vec<_> = table.text().lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "NAME    GAMES  X");
        assert_eq!(lines[1], "Łódź        7");
    }

    #[test]
    fn long_cells_are_shortened() {
        let mut table = Table::new(&["NAME", "#GAMES"]);
        table.row(["x".repeat(100_000), "7".to_owned()]);
        table.row(["x".repeat(MAX_WIDTH), "8".to_owned()]);
        let text = table.text();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], format!("{}…      7", "x".repeat(MAX_WIDTH - 1)));
        assert_eq!(lines[2], format!("{}      8", "x".repeat(MAX_WIDTH)));
    }
}
