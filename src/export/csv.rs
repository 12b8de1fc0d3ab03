//! Rows as CSV (RFC 4180). Items of lists are separated by spaces; null is an empty cell. `docs/tables.md` documents the
//! columns.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write as _;

use ::csv::{Terminator, WriterBuilder};
use itoa::{Buffer, Integer};
use memchr::memchr;

use crate::notation::translated;
use crate::pdn::{Evaluation, ROSTER, text_without_commands};
use crate::records::{GameRow, MoveRow, Tags};

const GAME_SCALARS: [&str; 6] = ["schema_version", "file", "game", "byte_offset", "variant", "gametype"];
const GAME_REST: [&str; 12] = [
    "start_fen",
    "final_fen",
    "written",
    "plies",
    "legal",
    "result_tag",
    "result_terminator",
    "result_board",
    "winner",
    "comment",
    "end_comment",
    "tags",
];
const MOVE_CELLS: [&str; 20] = [
    "schema_version",
    "file",
    "game",
    "ply",
    "move_no",
    "side",
    "legal",
    "written",
    "notation",
    "from_sq",
    "to_sq",
    "captured",
    "fen",
    "position_key",
    "clock",
    "eval_cm",
    "win_in",
    "win_side",
    "nags",
    "comment",
];

/// How cells are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvOptions {
    /// Put an apostrophe before text that begins with `=`, `+`, `-` or `@`, which spreadsheets take for a formula.
    pub escape_formulas: bool,
}

impl CsvOptions {
    /// Sets if an apostrophe is put before text that spreadsheets take for a formula.
    #[must_use]
    pub const fn escape_formulas(mut self, escape: bool) -> Self {
        self.escape_formulas = escape;
        self
    }

    /// Returns the cell of a text of the record.
    pub(super) fn text(self, text: &str) -> Cow<'_, str> {
        let text = text.trim();
        if self.escape_formulas && text.starts_with(['=', '+', '-', '@']) {
            return Cow::Owned(format!("'{text}"));
        }
        Cow::Borrowed(text)
    }

    fn optional(self, text: Option<&str>) -> Cow<'_, str> {
        self.text(text.unwrap_or_default())
    }

    /// Returns the cell of a comment, without its commands.
    fn comment(self, comment: Option<&str>) -> Cow<'_, str> {
        match comment {
            Some(comment) if comment.contains("[%") => {
                Cow::Owned(self.text(&text_without_commands(comment)).into_owned())
            }
            comment => self.optional(comment),
        }
    }
}

/// Returns the header of the table of games.
pub fn games_header() -> Vec<u8> {
    line(GAME_SCALARS.into_iter().chain(ROSTER).chain(GAME_REST))
}

/// Returns the header of the table of moves.
pub fn moves_header() -> Vec<u8> {
    line(MOVE_CELLS)
}

/// Appends the row of a game.
pub fn write_game(out: &mut Vec<u8>, game: &GameRow<'_>, options: CsvOptions) {
    let mut cells = Cells(out);
    cells.number(Some(game.schema));
    cells.text(&options.text(game.file));
    cells.number(Some(game.game));
    cells.number(Some(game.offset));
    cells.text(game.variant.unwrap_or_default());
    cells.text(&options.optional(game.gametype));
    let translated = |name| translated(game.tags.iter(), name, |tag| *tag).map(|(_, value)| value);
    for name in ROSTER {
        cells.text(&options.optional(game.tags.get(name).or_else(|| translated(name))));
    }
    cells.fen(game.start_fen.as_deref().unwrap_or_default());
    cells.fen(game.final_fen.as_deref().unwrap_or_default());
    cells.number(Some(game.written));
    cells.number(Some(game.plies));
    cells.plain(truth(game.legal));
    cells.text(&options.optional(game.result.tag));
    cells.text(&options.optional(game.result.terminator));
    cells.plain(game.result.board.unwrap_or_default());
    cells.plain(game.result.winner.unwrap_or_default());
    cells.text(&options.comment(game.comment.as_deref()));
    cells.text(&options.comment(game.end_comment.as_deref()));
    let others = game.tags.iter().filter(|(name, _)| !ROSTER.contains(name));
    let others: Tags<'_> = others.map(|(name, value)| (name, value.trim())).collect();
    cells.text(&serde_json::to_string(&others).unwrap_or_default());
    cells.end_row();
}

/// Appends a row for each move of the main line of a game.
pub fn write_moves(out: &mut Vec<u8>, game: &GameRow<'_>, options: CsvOptions) {
    let mut head = Vec::new();
    let mut cells = Cells(&mut head);
    cells.number(Some(game.schema));
    cells.text(&options.text(game.file));
    cells.number(Some(game.game));
    for row in &game.moves {
        out.extend_from_slice(&head);
        write_move(Cells(out), row, options);
    }
}

/// Appends the cells of a move after those of its game.
fn write_move(mut cells: Cells<'_>, row: &MoveRow<'_>, options: CsvOptions) {
    cells.number(Some(row.ply));
    cells.number(Some(row.move_no));
    cells.plain(if row.side == 'W' { "W" } else { "B" });
    cells.plain(truth(row.legal));
    cells.text(&options.text(&row.written));
    cells.text(row.notation.as_deref().unwrap_or_default());
    cells.number(row.from);
    cells.number(row.to);
    cells.list(&row.captured);
    match &row.fen {
        Some(after) => after.with_fen(|fen| cells.fen(fen)),
        None => cells.plain(""),
    }
    cells.key(row.fen.map(|after| after.position().variant_key()));
    cells.value(row.clock);
    cells.number(row.eval.and_then(Evaluation::centi_men));
    cells.number(row.eval.and_then(Evaluation::win_in));
    cells.value(row.eval.and_then(Evaluation::winner));
    cells.list(&row.nags);
    cells.text(&options.comment(row.comment.as_deref()));
    cells.end_row();
}

const fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// The cells of rows, each with a comma after it; the last comma of a row becomes its end. They are written as the library
/// `csv` writes them, which takes five times as long for the twenty cells of a move.
struct Cells<'a>(&'a mut Vec<u8>);

impl Cells<'_> {
    /// Appends a cell that needs no quotes.
    fn plain(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b',');
    }

    fn text(&mut self, text: &str) {
        if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
            return self.plain(text);
        }
        self.0.push(b'"');
        for (n, part) in text.split('"').enumerate() {
            self.0.extend_from_slice(if n > 0 { b"\"\"" } else { b"" });
            self.0.extend_from_slice(part.as_bytes());
        }
        self.plain("\"");
    }

    /// Appends a FEN, which needs quotes for its commas only.
    fn fen(&mut self, fen: &str) {
        let quote = if memchr(b',', fen.as_bytes()).is_some() { "\"" } else { "" };
        self.0.extend_from_slice(quote.as_bytes());
        self.0.extend_from_slice(fen.as_bytes());
        self.plain(quote);
    }

    fn number(&mut self, number: Option<impl Integer>) {
        let mut digits = Buffer::new();
        self.plain(number.map_or("", |number| digits.format(number)));
    }

    fn value(&mut self, value: Option<impl Display>) {
        if let Some(value) = value {
            // Writing to memory cannot fail.
            let _ = write!(self.0, "{value}");
        }
        self.0.push(b',');
    }

    /// Appends a key as sixteen hexadecimal digits.
    fn key(&mut self, key: Option<u64>) {
        let digit = |key: u64, place: usize| b"0123456789abcdef"[(key >> (60 - 4 * place) & 15) as usize];
        if let Some(key) = key {
            self.0.extend(std::array::from_fn::<u8, 16, _>(|place| digit(key, place)));
        }
        self.0.push(b',');
    }

    /// Appends numbers with spaces between them.
    fn list(&mut self, numbers: &[impl Integer + Copy]) {
        let mut digits = Buffer::new();
        for (n, &number) in numbers.iter().enumerate() {
            self.0.extend_from_slice(if n > 0 { b" " } else { b"" });
            self.0.extend_from_slice(digits.format(number).as_bytes());
        }
        self.0.push(b',');
    }

    fn end_row(&mut self) {
        if let Some(last) = self.0.last_mut() {
            *last = b'\n';
        }
    }
}

/// Returns a row.
fn line<'a>(cells: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ResultRow, SCHEMA};

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
            fen: None,
            clock: Some(61.5),
            eval: Some(Evaluation::CentiMen(-5)),
            nags: vec![1, 7],
            comment: Some("a \"good\" one".into()),
            intro: None,
            setups: Vec::new(),
            assessment: None,
            variations: Vec::new(),
        };
        GameRow {
            schema: SCHEMA,
            file: "a,b.pdn",
            game: 2,
            offset: 70,
            variant: Some("international"),
            gametype: None,
            tags: [("Event", "x"), ("ECO", "1,2")].into_iter().collect(),
            repeated_tags: Vec::new(),
            start_fen: None,
            final_fen: None,
            written: 1,
            plies: 1,
            result: ResultRow { tag: Some("2-0"), ..ResultRow::default() },
            legal: true,
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
        let options = CsvOptions::default().escape_formulas(true);
        for formula in ["=1+2", " +1", "-2", "@x"] {
            assert_eq!(options.text(formula), format!("'{}", formula.trim()));
            assert_eq!(CsvOptions::default().text(formula), formula.trim());
        }
        assert_eq!(options.text("a=1"), "a=1");
        assert_eq!(options.comment(Some(" [%eval -1.00] =x ")), "'=x");
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
        let mut table = games_header();
        write_game(&mut table, &game(), CsvOptions::default());
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
        let mut table = moves_header();
        write_moves(&mut table, &game(), CsvOptions::default());
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
            let mut cells = Cells(&mut row);
            cells.plain("1");
            cells.text(text);
            cells.fen(text);
            cells.end_row();
            let expected = line(["1", text, text]);
            // No FEN has quotes or line breaks.
            if !text.contains(['"', '\n', '\r']) {
                assert_eq!(row, expected, "{text}");
            }
            row.clear();
            let mut cells = Cells(&mut row);
            for text in [text, "x", text] {
                cells.text(text);
            }
            cells.end_row();
            assert_eq!(row, line([text, "x", text]), "{text}");
        }
    }

    #[test]
    fn a_finished_game_has_a_winner() {
        for (eval, side) in [(Evaluation::WhiteWins(0), "W"), (Evaluation::BlackWins(0), "B")] {
            let mut game = game();
            game.moves[0].eval = Some(eval);
            let mut table = moves_header();
            write_moves(&mut table, &game, CsvOptions::default());
            let row = read(&table);
            assert_eq!(["eval_cm", "win_in", "win_side"].map(|name| cell(&row, name)), ["", "0", side]);
        }
    }
}
