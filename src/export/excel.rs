//! Rows as CSV that spreadsheets open by a double click: with a byte order mark, since Excel otherwise reads the code page of the system,
//! with the separator and the decimal sign of the reader's language, with CRLF, and with text that stays text.

use std::borrow::Cow;

use ::csv::{Terminator, WriterBuilder};

use super::csv::{CsvCell, csv_columns, csv_line, escaped_formula};
use super::table::{Cells, RowForm, Table, trimmed};
use crate::notation::DateParts;
use crate::options::Excel;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Longest text that is looked at, in bytes: no longer one is a number or a date, and Excel has no texts of more than 255 characters in
/// formulas.
const MAX_CONVERTED: usize = 100;

/// The beginnings of the names of months in the languages of this program, by which spreadsheets recognise dates such as `Mar-05`.
const MONTHS: &str = "jan feb fév fev mar mär mrt mei mai mag apr avr abr may jun jui giu jul lug aug aoû ago sep set oct okt ott out nov dec déc dic dez gen янв фев мар апр май июн июл авг сен окт ноя дек";

/// The form of rows for spreadsheets.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExcelForm {
    separator: u8,
    has_decimal_comma: bool,
}

impl ExcelForm {
    pub(super) const fn new(separator: Excel) -> Self {
        let (separator, has_decimal_comma) = match separator {
            Excel::Auto | Excel::Comma => (b',', false),
            Excel::Semicolon => (b';', true),
            Excel::Tab => (b'\t', false),
        };
        Self { separator, has_decimal_comma }
    }

    /// Returns the names of columns, after the byte order mark.
    pub(super) fn first_row<T: AsRef<str>>(self, names: impl IntoIterator<Item = T>) -> Vec<u8> {
        let names = names.into_iter().map(|name| CsvCell::text(name.as_ref().to_owned()));
        [MARK, &self.row(names)].concat()
    }

    /// Returns a row.
    pub(super) fn row<'a>(self, cells: impl IntoIterator<Item = CsvCell<'a>>) -> Vec<u8> {
        let cells = cells.into_iter().map(|cell| match cell {
            CsvCell::Text(text) => as_text(&text).into_owned(),
            CsvCell::Number(number) => self.number(number),
        });
        csv_line(WriterBuilder::new().delimiter(self.separator).terminator(Terminator::CRLF), cells)
    }

    fn number(self, number: String) -> String {
        if self.has_decimal_comma { number.replace('.', ",") } else { number }
    }
}

/// Returns a text so that no spreadsheet makes something else of it: a date of `1-0`, a number of `0012`, a formula of `=1+1`.
fn as_text(text: &str) -> Cow<'_, str> {
    let text = trimmed(text);
    if is_converted(text) { Cow::Owned(format!("=\"{}\"", text.replace('"', "\"\""))) } else { escaped_formula(text) }
}

/// Returns true if spreadsheets may read a text as a number or a date: its first letter or digit is a digit, or it has the name of a month
/// before one.
fn is_converted(text: &str) -> bool {
    if text.len() > MAX_CONVERTED || text.contains(['\r', '\n']) || text.starts_with(['=', '+', '-', '@']) {
        return false;
    }
    let Some((at, first)) = text.char_indices().find(|(_, letter)| letter.is_alphanumeric()) else { return false };
    if first.is_ascii_digit() {
        return true;
    }
    let rest = &text[at..];
    rest.contains(|letter: char| letter.is_ascii_digit()) && {
        let lower: String = rest.chars().take(3).flat_map(char::to_lowercase).collect();
        MONTHS.split(' ').any(|month| month == lower)
    }
}

impl RowForm for ExcelForm {
    type Cells<'a> = ExcelCells<'a>;

    fn header(&self, table: Table) -> Vec<u8> {
        self.first_row(csv_columns(table))
    }

    fn cells<'a>(&self, out: &'a mut Vec<u8>) -> ExcelCells<'a> {
        ExcelCells { form: *self, out, row: Vec::new() }
    }
}

/// The cells of rows, of which each is written when it is complete.
pub(super) struct ExcelCells<'a> {
    form: ExcelForm,
    out: &'a mut Vec<u8>,
    row: Vec<CsvCell<'static>>,
}

impl ExcelCells<'_> {
    fn number(&mut self, number: Option<impl ToString>) {
        self.row.push(number.map_or_else(|| CsvCell::number(""), CsvCell::number));
    }
}

impl Cells for ExcelCells<'_> {
    fn text(&mut self, text: Option<&str>) {
        self.row.push(CsvCell::text(text.unwrap_or_default().to_owned()));
    }

    fn word(&mut self, word: Option<&str>) {
        self.text(word);
    }

    fn integer(&mut self, number: Option<i64>) {
        self.number(number);
    }

    /// Takes a day as `YYYY-MM-DD`, which is a day in every language.
    fn day(&mut self, date: DateParts) {
        let [Some(year), Some(month), Some(day)] = date else { return self.number(None::<u8>) };
        self.number(Some(format!("{year:04}-{month:02}-{day:02}")));
    }

    fn decimal(&mut self, number: Option<f64>) {
        self.number(number);
    }

    fn boolean(&mut self, value: Option<bool>) {
        self.number(value);
    }

    fn nulls(&mut self, count: usize) {
        self.row.resize(self.row.len() + count, CsvCell::number(""));
    }

    fn end_row(&mut self) {
        let row = self.form.row(self.row.drain(..));
        self.out.extend_from_slice(&row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_moves_and_numbers_stay_text() {
        for text in [
            "1-0",
            "2-0",
            "1-1",
            "12-7",
            "1/2-1/2",
            "0012",
            "1e5",
            "3.1",
            "(5)",
            "$5",
            "1999.05.01",
            "Mar-05",
            "März 2020",
            "12x7",
        ] {
            assert_eq!(as_text(text), format!("=\"{text}\""), "{text}");
        }
        for text in ["", "*", "?", "a3-b4", "c3xd4", "W:W31:B20", "Marta", "Ada 2", "true", "x 1-0"] {
            assert_eq!(as_text(text), text, "{text}");
        }
        for text in ["=1+1", "+1", "-", "-1", "@x"] {
            assert_eq!(as_text(text), format!("'{text}"), "{text}");
        }
        assert_eq!(as_text("1 \"x\""), "=\"1 \"\"x\"\"\"");
        assert_eq!(as_text(&"1".repeat(101)), "1".repeat(101));
    }

    #[test]
    fn numbers_have_the_sign_of_the_language() {
        let row = |separator| {
            let cells = [CsvCell::number(-0.5), CsvCell::number(12), CsvCell::text("a;b,c"), CsvCell::text("1-0")];
            String::from_utf8(ExcelForm::new(separator).row(cells)).expect("UTF-8")
        };
        assert_eq!(row(Excel::Semicolon), "-0,5;12;\"a;b,c\";\"=\"\"1-0\"\"\"\r\n");
        assert_eq!(row(Excel::Comma), "-0.5,12,\"a;b,c\",\"=\"\"1-0\"\"\"\r\n");
        assert_eq!(row(Excel::Tab), "-0.5\t12\ta;b,c\t\"=\"\"1-0\"\"\"\r\n");
    }
}
