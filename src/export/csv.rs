//! Rows as CSV (RFC 4180). Items of lists are separated by spaces; null is an empty cell. `docs/tables.md` documents the
//! columns.

use std::borrow::Cow;
use std::io::Write as _;
use std::ops::Range;

use ::csv::{Terminator, WriterBuilder};
use itoa::Buffer;

use super::excel::ExcelForm;
use super::table::{self, Cells, Column, RowForm, Table, trimmed};
use crate::error::{Error, Result};
use crate::notation::DateParts;
use crate::options::Excel;
#[cfg(feature = "cli")]
use crate::records::DiagnosticRow;
use crate::records::GameRow;

/// Options for writing cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvOptions {
    /// True to put an apostrophe before text that begins with `=`, `+`, `-` or `@`, which spreadsheets treat as a formula.
    pub escape_formulas: bool,
    /// The separator of CSV for spreadsheets, in which formulas are always escaped; `None` for CSV as defined in RFC 4180.
    pub excel: Option<Excel>,
}

impl CsvOptions {
    /// Checks that there are none if the output is in another format.
    ///
    /// # Errors
    ///
    /// If there is one, which would have no effect.
    pub(crate) fn check(self, format: &str) -> Result<()> {
        let name = match self {
            Self { excel: Some(_), .. } => "excel",
            Self { escape_formulas: true, .. } => "escapeFormulas",
            _ => return Ok(()),
        };
        if format == "csv" {
            return Ok(());
        }
        Err(Error::usage(format!("option `{name}`: it is for CSV, but the output is {format}")))
    }

    /// Returns the form of rows for spreadsheets, if they are for these.
    pub(super) fn spreadsheet(self) -> Option<ExcelForm> {
        self.excel.map(ExcelForm::new)
    }

    /// Returns the names of columns as the first row.
    pub(crate) fn header<T: AsRef<str>>(self, names: impl IntoIterator<Item = T>) -> Vec<u8> {
        match self.spreadsheet() {
            Some(form) => form.first_row(names),
            None => plain_line(names.into_iter().map(|name| name.as_ref().to_owned())),
        }
    }

    /// Returns a row.
    pub(crate) fn line<'a>(self, cells: impl IntoIterator<Item = CsvCell<'a>>) -> Vec<u8> {
        if let Some(form) = self.spreadsheet() {
            return form.row(cells);
        }
        plain_line(cells.into_iter().map(|cell| match cell {
            CsvCell::Text(text) => self.text(&text).into_owned(),
            CsvCell::Number(text) => text,
        }))
    }

    /// Returns the cell of a text of the record.
    #[inline]
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        let text = trimmed(text);
        // After trimming: ` +1` is treated as a formula, too.
        if self.escape_formulas { escaped_formula(text) } else { Cow::Borrowed(text) }
    }
}

/// Returns a text with an apostrophe before it if spreadsheets would treat it as a formula.
pub(super) fn escaped_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@']) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// A cell of a row that a command makes.
#[derive(Clone, Debug)]
pub(crate) enum CsvCell<'a> {
    /// A text, which is no number even if it looks like one.
    Text(Cow<'a, str>),
    /// A number, or nothing.
    Number(String),
}

impl<'a> CsvCell<'a> {
    /// Returns the cell of a text.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Returns the cell of a number.
    #[expect(clippy::needless_pass_by_value, reason = "as `map` passes it")]
    pub(crate) fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }
}

/// Returns the columns that files of CSV have.
pub(super) fn csv_columns(table: Table) -> impl Iterator<Item = &'static str> {
    table.columns().iter().filter(|column| !column.is_typed).map(Column::name)
}

/// Returns the header of a table.
pub(crate) fn csv_header(table: Table, options: CsvOptions) -> Vec<u8> {
    options.header(csv_columns(table))
}

/// Appends the row of a diagnostic.
#[cfg(feature = "cli")]
pub(crate) fn write_csv_diagnostic(out: &mut Vec<u8>, row: &DiagnosticRow, options: CsvOptions) {
    match options.spreadsheet() {
        Some(form) => table::write_diagnostic(&mut form.cells(out), row),
        None => table::write_diagnostic(&mut CsvCells::new(out, options), row),
    }
}

/// Appends the rows of a game in a table: none in the table of players.
pub fn write_csv_rows(out: &mut Vec<u8>, table: Table, game: &GameRow<'_>, options: CsvOptions) {
    let moves = game.moves.as_slice().into();
    match options.spreadsheet() {
        Some(form) => table::write_rows(table, &mut form.cells(out), game, &moves),
        None => table::write_rows(table, &mut CsvCells::new(out, options), game, &moves),
    }
}

impl RowForm for CsvOptions {
    type Cells<'a> = CsvCells<'a>;

    fn header(&self, table: Table) -> Vec<u8> {
        csv_header(table, *self)
    }

    fn cells<'a>(&self, out: &'a mut Vec<u8>) -> CsvCells<'a> {
        CsvCells::new(out, *self)
    }
}

/// The cells of rows, each with a comma after it; the last comma of a row becomes its end. The output is the same as
/// that of the library `csv`, which takes five times as long for the twenty cells of a move.
pub(super) struct CsvCells<'a> {
    out: &'a mut Vec<u8>,
    options: CsvOptions,
    /// The cells of the first row that are repeated in the rows after it, which copy them.
    repeated: Range<usize>,
}

impl<'a> CsvCells<'a> {
    const fn new(out: &'a mut Vec<u8>, options: CsvOptions) -> Self {
        Self { out, options, repeated: 0..0 }
    }

    /// Appends a cell that needs no quotes. Inlined, since a third of the cells of a move have a fixed text.
    #[inline(always)]
    fn plain(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b',');
    }

    /// Appends the cell of a text, with quotes if it needs them.
    fn cell(&mut self, text: &str) {
        if !needs_quotes(text) {
            return self.plain(text);
        }
        self.out.push(b'"');
        for (n, part) in text.split('"').enumerate() {
            self.out.extend_from_slice(if n > 0 { b"\"\"" } else { b"" });
            self.out.extend_from_slice(part.as_bytes());
        }
        self.plain("\"");
    }

    /// Appends the digits of a number and a comma.
    #[inline(always)]
    fn number(&mut self, number: i64) {
        match u8::try_from(number) {
            Ok(small) => push_small(self.out, small),
            Err(_) => {
                self.out.extend_from_slice(Buffer::new().format(number).as_bytes());
                self.out.push(b',');
            }
        }
    }

    /// Appends items with spaces between them.
    fn list<T>(&mut self, items: impl Iterator<Item = T>, append: impl Fn(&mut Self, T)) {
        for (n, item) in items.enumerate() {
            self.out.extend_from_slice(if n > 0 { b" " } else { b"" });
            append(self, item);
        }
        self.out.push(b',');
    }
}

impl Cells for CsvCells<'_> {
    #[inline(always)]
    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.plain("") };
        self.cell(&self.options.text(text));
    }

    #[inline(always)]
    fn word(&mut self, word: Option<&str>) {
        match word {
            Some(word) => self.cell(word),
            None => self.plain(""),
        }
    }

    #[inline(always)]
    fn symbol(&mut self, symbol: Option<&str>) {
        debug_assert!(symbol.is_none_or(|symbol| !needs_quotes(symbol)), "{symbol:?}");
        self.plain(symbol.unwrap_or_default());
    }

    /// Appends a FEN, which needs quotes only for its commas.
    fn fen(&mut self, fen: Option<&[u8]>) {
        let fen = fen.unwrap_or_default();
        // A FEN without a comma has at most one piece a side, and is at most this long.
        let quote = if fen.len() > "W:WKl12:BKl12".len() || fen.contains(&b',') { "\"" } else { "" };
        self.out.extend_from_slice(quote.as_bytes());
        self.out.extend_from_slice(fen);
        self.plain(quote);
    }

    #[inline]
    fn integer(&mut self, number: Option<i64>) {
        match number {
            Some(number) => self.number(number),
            None => self.out.push(b','),
        }
    }

    /// Appends a key as sixteen hexadecimal digits.
    fn key(&mut self, key: Option<u64>) {
        // Both digits of a byte at once.
        const DIGITS: [[u8; 2]; 256] = {
            let digits = b"0123456789abcdef";
            let mut pairs = [[0; 2]; 256];
            let mut byte = 0;
            while byte < 256 {
                pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
                byte += 1;
            }
            pairs
        };
        if let Some(key) = key {
            self.out.extend_from_slice(key.to_be_bytes().map(|byte| DIGITS[usize::from(byte)]).as_flattened());
        }
        self.out.push(b',');
    }

    fn decimal(&mut self, number: Option<f64>) {
        if let Some(number) = number {
            // Writing to memory cannot fail.
            let _ = write!(self.out, "{number}");
        }
        self.out.push(b',');
    }

    /// Appends a day as `YYYY-MM-DD`.
    fn day(&mut self, [year, month, day]: DateParts) {
        if let (Some(year), Some(month), Some(day)) = (year, month, day) {
            // Writing to memory cannot fail.
            let _ = write!(self.out, "{year:04}-{month:02}-{day:02}");
        }
        self.out.push(b',');
    }

    #[inline]
    fn boolean(&mut self, value: Option<bool>) {
        match value {
            Some(true) => self.plain("true"),
            Some(false) => self.plain("false"),
            None => self.plain(""),
        }
    }

    #[inline]
    fn nulls(&mut self, count: usize) {
        self.out.resize(self.out.len() + count, b',');
    }

    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>) {
        self.list(numbers.flatten(), |cells, number| {
            cells.number(number);
            cells.out.pop();
        });
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) {
        // All lists of texts are columns of Parquet and Arrow only: nothing needs quoting here.
        self.list(texts.flatten(), |cells, text| cells.out.extend_from_slice(text.as_bytes()));
    }

    fn repeated(&mut self, is_again: bool, write: impl Fn(&mut Self)) {
        if is_again {
            return self.out.extend_from_within(self.repeated.clone());
        }
        let start = self.out.len();
        write(self);
        self.repeated = start..self.out.len();
    }

    fn end_row(&mut self) {
        if let Some(last) = self.out.last_mut() {
            *last = b'\n';
        }
    }
}

/// Appends the digits of a number and a comma. Nearly all numbers of moves are so small, and are only copied.
#[inline(always)]
pub(super) fn push_small(out: &mut Vec<u8>, number: u8) {
    /// The cells of all numbers, and their lengths.
    const CELLS: [([u8; 4], u8); 256] = {
        let mut cells = [([b','; 4], 0); 256];
        let mut number = 0;
        while number < 256 {
            let (digits, len) = match number {
                0..10 => ([0, 0, number], 1),
                10..100 => ([0, number / 10, number % 10], 2),
                _ => ([number / 100, number / 10 % 10, number % 10], 3),
            };
            let mut at = 0;
            while at < len {
                cells[number].0[at] = b'0' + digits[3 - len + at] as u8;
                at += 1;
            }
            cells[number].1 = len as u8 + 1;
            number += 1;
        }
        cells
    };
    let (cell, len) = &CELLS[usize::from(number)];
    let end = out.len() + usize::from(*len);
    // Always four bytes, a single store, of which the excess is removed.
    out.extend_from_slice(cell);
    out.truncate(end);
}

/// Returns true if a cell with this text needs quotes.
fn needs_quotes(text: &str) -> bool {
    // A table, since the loop over a few comparisons took a fourteenth of the time of the table of moves.
    const QUOTED: [bool; 256] = {
        let mut quoted = [false; 256];
        (quoted[b',' as usize], quoted[b'"' as usize]) = (true, true);
        (quoted[b'\r' as usize], quoted[b'\n' as usize]) = (true, true);
        quoted
    };
    text.bytes().any(|byte| QUOTED[usize::from(byte)])
}

/// Returns a row of CSV as defined in RFC 4180, but with the line ends of records.
fn plain_line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    csv_line(WriterBuilder::new().terminator(Terminator::Any(b'\n')), cells)
}

/// Returns a row.
pub(super) fn csv_line(form: &WriterBuilder, cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut writer = form.from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::Evaluation;
    use crate::records::{MoveRow, ResultRow, SCHEMA};

    fn game() -> GameRow<'static> {
        let row = MoveRow {
            ply: 1,
            number: Some(1),
            move_no: 1,
            side: 'W',
            legal: true,
            written: "32-28".into(),
            notation: Some("32-28".into()),
            from: Some(32),
            to: Some(28),
            captured: [3, 17].into_iter().collect(),
            clock: Some(61.5),
            eval: Some(Evaluation::CentiMen(-5)),
            nags: vec![1, 7],
            comment: Some("a \"good\" one".into()),
            ..MoveRow::default()
        };
        GameRow {
            schema: SCHEMA,
            file: "a,b.pdn",
            game: 2,
            offset: 70,
            variant: Some("international"),
            rules: None,
            gametype: None,
            tags: [("Event", "x"), ("ECO", "1,2")].into_iter().collect(),
            repeated_tags: Vec::new(),
            all_tags: Vec::new(),
            before: None,
            intro: None,
            tail: None,
            record: None,
            start_fen: None,
            final_fen: None,
            written: 1,
            plies: 1,
            result: ResultRow { tag: Some("2-0"), ..ResultRow::default() },
            legal: true,
            opening: None,
            opening_ply: None,
            diagnostics: Vec::new(),
            performance: None,
            comment: None,
            end_comment: None,
            variations: Vec::new(),
            moves: vec![row],
        }
    }

    #[test]
    fn formulas_are_escaped_on_request() {
        let options = CsvOptions { escape_formulas: true, ..CsvOptions::default() };
        for formula in ["=1+2", " +1", "-2", "@x"] {
            assert_eq!(options.text(formula), format!("'{}", formula.trim()));
            assert_eq!(CsvOptions::default().text(formula), formula.trim());
        }
        assert_eq!(options.text("a=1"), "a=1");
    }

    /// Reads a table back as the names and cells of its first row.
    fn read(table: &[u8]) -> Vec<(String, String)> {
        let mut reader = ::csv::Reader::from_reader(table);
        let header = reader.headers().unwrap().clone();
        let row = reader.records().next().unwrap().unwrap();
        assert_eq!(header.len(), row.len());
        header.iter().zip(&row).map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    }

    fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
        &row.iter().find(|(known, _)| known == name).unwrap().1
    }

    #[test]
    fn a_game_is_a_row() {
        let mut table = csv_header(Table::Games, CsvOptions::default());
        write_csv_rows(&mut table, Table::Games, &game(), CsvOptions::default());
        let row = read(&table);
        for (name, value) in [
            ("schema_version", "1"),
            ("file", "a,b.pdn"),
            ("game", "2"),
            ("byte_offset", "70"),
            ("variant", "international"),
            ("gametype", ""),
            ("Event", "x"),
            ("Result", ""),
            ("legal", "true"),
            ("result_tag", "2-0"),
            ("winner", ""),
            ("tags", r#"{"ECO":"1,2"}"#),
        ] {
            assert_eq!(cell(&row, name), value, "{name}");
        }
    }

    #[test]
    fn a_move_is_a_row() {
        let mut table = csv_header(Table::Moves, CsvOptions::default());
        write_csv_rows(&mut table, Table::Moves, &game(), CsvOptions::default());
        let row = read(&table);
        for (name, value) in [
            ("game", "2"),
            ("ply", "1"),
            ("captured", "3 17"),
            ("clock", "61.5"),
            ("move_no", "1"),
            ("from_sq", "32"),
            ("position_key", ""),
            ("eval_cm", "-5"),
            ("win_in", ""),
            ("win_side", ""),
            ("nags", "1 7"),
            ("comment", "a \"good\" one"),
            ("fen", ""),
            ("side", "W"),
        ] {
            assert_eq!(cell(&row, name), value, "{name}");
        }
    }

    #[test]
    fn cells_are_quoted_as_the_library_quotes_them() {
        for text in
            ["", "a", "a,b", "\"", "a\"\"b,", "a\nb", "\r", " a ", "'=1", "W:W31,K32:B1", "W:W31:B", ",", "é;\t"]
        {
            let mut row = Vec::new();
            let options = CsvOptions::default();
            let mut cells = CsvCells::new(&mut row, options);
            cells.plain("1");
            cells.word(Some(text));
            cells.fen(Some(text.as_bytes()));
            cells.end_row();
            let expected = plain_line(["1", text, text]);
            // No FEN has quotes or line breaks.
            if !text.contains(['"', '\n', '\r']) {
                assert_eq!(row, expected, "{text}");
            }
            row.clear();
            let mut cells = CsvCells::new(&mut row, options);
            for text in [text, "x", text] {
                cells.word(Some(text));
            }
            cells.end_row();
            assert_eq!(row, plain_line([text, "x", text]), "{text}");
        }
    }

    #[test]
    fn a_decided_game_has_a_winner() {
        for (eval, cells) in [
            (Evaluation::WhiteWins(0), ["", "0", "W"]),
            (Evaluation::BlackWins(0), ["", "0", "B"]),
            (Evaluation::CentiMen(-8900), ["-8900", "", "B"]),
        ] {
            let mut game = game();
            game.moves[0].eval = Some(eval);
            let mut table = csv_header(Table::Moves, CsvOptions::default());
            write_csv_rows(&mut table, Table::Moves, &game, CsvOptions::default());
            let row = read(&table);
            assert_eq!(["eval_cm", "win_in", "win_side"].map(|name| cell(&row, name)), cells);
        }
    }
}
