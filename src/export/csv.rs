//! Rows as CSV (RFC 4180). Items of lists are separated by spaces; null is an empty cell. `docs/tables.md` documents the
//! columns.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write as _;

use ::csv::{ByteRecord, Terminator, Writer, WriterBuilder};
use itoa::{Buffer, Integer};

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
    fn text(self, text: &str) -> Cow<'_, str> {
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
    line(GAME_SCALARS.into_iter().chain(ROSTER).chain(GAME_REST).map(Cow::Borrowed))
}

/// Returns the header of the table of moves.
pub fn moves_header() -> Vec<u8> {
    line(MOVE_CELLS.into_iter().map(Cow::Borrowed))
}

/// Appends the row of a game.
pub fn write_game(out: &mut Vec<u8>, game: &GameRow, options: CsvOptions) {
    let scalars = [
        value(game.schema),
        options.text(&game.file),
        value(game.game),
        value(game.offset),
        plain(game.variant.as_deref()),
        options.optional(game.gametype.as_deref()),
    ];
    let translated = |name| translated(game.tags.iter(), name, |tag| *tag).map(|(_, value)| value);
    let roster = ROSTER.map(|name| options.optional(game.tags.get(name).or_else(|| translated(name))));
    let others = game.tags.iter().filter(|(name, _)| !ROSTER.contains(name));
    let others: Tags = others.map(|(name, value)| (name, value.trim())).collect();
    let rest = [
        plain(game.start_fen.as_deref()),
        plain(game.final_fen.as_deref()),
        value(game.written),
        value(game.plies),
        value(game.legal),
        options.optional(game.result.tag.as_deref()),
        options.optional(game.result.terminator.as_deref()),
        plain(game.result.board.as_deref()),
        plain(game.result.winner.as_deref()),
        options.comment(game.comment.as_deref()),
        options.comment(game.end_comment.as_deref()),
        json(&others),
    ];
    out.extend(line(scalars.into_iter().chain(roster).chain(rest)));
}

/// Appends a row for each move of the main line of a game.
pub fn write_moves(out: &mut Vec<u8>, game: &GameRow, options: CsvOptions) {
    let mut writer = writer(std::mem::take(out));
    let mut cells = Cells::default();
    for row in &game.moves {
        cells.record.clear();
        cells.fill(game, row, options);
        // Writing to memory cannot fail.
        let _ = writer.write_byte_record(&cells.record);
    }
    *out = writer.into_inner().unwrap_or_default();
}

/// The cells of a row, which the next row reuses.
#[derive(Default)]
struct Cells {
    record: ByteRecord,
    /// A cell that is being written.
    cell: Vec<u8>,
}

impl Cells {
    fn fill(&mut self, game: &GameRow, row: &MoveRow, options: CsvOptions) {
        self.number(Some(game.schema));
        self.text(&options.text(&game.file));
        self.number(Some(game.game));
        self.number(Some(row.ply));
        self.number(Some(row.move_no));
        self.text(if row.side == 'W' { "W" } else { "B" });
        self.text(if row.legal { "true" } else { "false" });
        self.text(&options.text(&row.written));
        self.text(row.notation.as_deref().unwrap_or_default());
        self.number(row.from);
        self.number(row.to);
        self.list(&row.captured);
        self.text(row.fen.as_deref().unwrap_or_default());
        self.key(row.position.map(|position| position.variant_key()));
        self.value(row.clock);
        self.number(row.eval.and_then(Evaluation::centi_men));
        self.number(row.eval.and_then(Evaluation::win_in));
        self.value(row.eval.and_then(Evaluation::winner));
        self.list(&row.nags);
        self.text(&options.comment(row.comment.as_deref()));
    }

    fn text(&mut self, text: &str) {
        self.record.push_field(text.as_bytes());
    }

    fn number(&mut self, number: Option<impl Integer>) {
        let mut digits = Buffer::new();
        self.text(number.map_or("", |number| digits.format(number)));
    }

    fn value(&mut self, value: Option<impl Display>) {
        self.cell.clear();
        if let Some(value) = value {
            // Writing to memory cannot fail.
            let _ = write!(self.cell, "{value}");
        }
        self.record.push_field(&self.cell);
    }

    /// A key as sixteen hexadecimal digits.
    fn key(&mut self, key: Option<u64>) {
        let digit = |key: u64, place: usize| b"0123456789abcdef"[(key >> (60 - 4 * place) & 15) as usize];
        let digits = key.map(|key| std::array::from_fn::<u8, 16, _>(|place| digit(key, place)));
        self.record.push_field(digits.as_ref().map_or(&[][..], |digits| &digits[..]));
    }

    fn list(&mut self, numbers: &[impl Integer + Copy]) {
        let mut digits = Buffer::new();
        self.cell.clear();
        for (n, &number) in numbers.iter().enumerate() {
            self.cell.extend_from_slice(if n > 0 { b" " } else { b"" });
            self.cell.extend_from_slice(digits.format(number).as_bytes());
        }
        self.record.push_field(&self.cell);
    }
}

fn value<'a>(value: impl Display) -> Cow<'a, str> {
    Cow::Owned(value.to_string())
}

fn plain(text: Option<&str>) -> Cow<'_, str> {
    Cow::Borrowed(text.unwrap_or_default())
}

fn json<'a>(value: &impl serde::Serialize) -> Cow<'a, str> {
    Cow::Owned(serde_json::to_string(value).unwrap_or_default())
}

/// Returns a writer that appends to a buffer.
fn writer(out: Vec<u8>) -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(out)
}

fn line<'a>(cells: impl Iterator<Item = Cow<'a, str>>) -> Vec<u8> {
    let mut writer = writer(Vec::new());
    let cells: Vec<_> = cells.collect();
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells.iter().map(|cell| cell.as_bytes()));
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ResultRow, SCHEMA};

    fn game() -> GameRow {
        let row = MoveRow {
            ply: 1,
            number: Some(1),
            move_no: 1,
            side: 'W',
            legal: true,
            written: "32-28".to_owned(),
            notation: Some("32-28".to_owned()),
            from: Some(32),
            to: Some(28),
            captured: vec![3, 17],
            fen: None,
            position: None,
            clock: Some(61.5),
            eval: Some(Evaluation::CentiMen(-5)),
            nags: vec![1, 7],
            comment: Some("a \"good\" one".to_owned()),
            intro: None,
            setups: Vec::new(),
            variations: Vec::new(),
        };
        GameRow {
            schema: SCHEMA,
            file: "a,b.pdn".to_owned(),
            game: 2,
            offset: 70,
            variant: Some("international".to_owned()),
            gametype: None,
            tags: [("Event", "x"), ("ECO", "1,2")].into_iter().collect(),
            repeated_tags: Vec::new(),
            start_fen: None,
            final_fen: None,
            written: 1,
            plies: 1,
            result: ResultRow { tag: Some("2-0".to_owned()), ..ResultRow::default() },
            legal: true,
            diagnostics: Vec::new(),
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
