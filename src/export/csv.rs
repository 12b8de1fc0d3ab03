//! Rows as CSV (RFC 4180), with the names of JSON, flat. Items of lists are separated by spaces; null is an empty cell.

use std::borrow::Cow;
use std::fmt::Display;

use ::csv::{Terminator, Writer, WriterBuilder};

use crate::notation::translated;
use crate::pdn::{Evaluation, ROSTER};
use crate::records::{GameRow, MoveRow};

const GAME_SCALARS: [&str; 6] = ["schema", "file", "game", "offset", "variant", "gametype"];
const GAME_REST: [&str; 10] = [
    "start_fen",
    "final_fen",
    "written",
    "plies",
    "legal",
    "result_tag",
    "result_terminator",
    "result_board",
    "winner",
    "tags",
];
const MOVE_CELLS: [&str; 19] = [
    "schema", "file", "game", "ply", "number", "side", "legal", "written", "notation", "from", "to", "captured", "fen",
    "clock", "eval_cm", "win_in", "win_side", "nags", "comment",
];

/// Returns the header of the table of games.
pub fn games_header() -> Vec<u8> {
    line(GAME_SCALARS.into_iter().chain(ROSTER).chain(GAME_REST).map(Cow::Borrowed))
}

/// Returns the header of the table of moves.
pub fn moves_header() -> Vec<u8> {
    line(MOVE_CELLS.into_iter().map(Cow::Borrowed))
}

/// Appends the row of a game.
pub fn write_game(out: &mut Vec<u8>, game: &GameRow) {
    let scalars = [
        text(game.schema),
        Cow::Borrowed(game.file.as_str()),
        text(game.game),
        text(game.offset),
        optional(game.variant.as_deref()),
        optional(game.gametype.as_deref()),
    ];
    let translated = |name| translated(game.tags.iter(), name, |tag| *tag).map(|(_, value)| value);
    let roster = ROSTER.map(|name| optional(game.tags.get(name).or_else(|| translated(name))));
    let others = game.tags.without_roster();
    let rest = [
        optional(game.start_fen.as_deref()),
        optional(game.final_fen.as_deref()),
        text(game.written),
        text(game.plies),
        text(game.legal),
        optional(game.result.tag.as_deref()),
        optional(game.result.terminator.as_deref()),
        optional(game.result.board.as_deref()),
        optional(game.result.winner.as_deref()),
        json(&others),
    ];
    out.extend(line(scalars.into_iter().chain(roster).chain(rest)));
}

/// Appends a row for each move of the main line of a game.
pub fn write_moves(out: &mut Vec<u8>, game: &GameRow) {
    let mut writer = writer();
    for row in &game.moves {
        // Writing to memory cannot fail.
        let _ = writer.write_record(move_cells(game, row).iter().map(|cell| cell.as_bytes()));
    }
    out.extend(writer.into_inner().unwrap_or_default());
}

fn move_cells<'a>(game: &'a GameRow, row: &'a MoveRow) -> [Cow<'a, str>; MOVE_CELLS.len()] {
    [
        text(game.schema),
        Cow::Borrowed(&game.file),
        text(game.game),
        text(row.ply),
        optional_text(row.number),
        text(row.side),
        text(row.legal),
        Cow::Borrowed(&row.written),
        optional(row.notation.as_deref()),
        optional_text(row.from),
        optional_text(row.to),
        list(&row.captured),
        optional(row.fen.as_deref()),
        optional_text(row.clock),
        optional_text(row.eval.and_then(Evaluation::centi_men)),
        optional_text(row.eval.and_then(Evaluation::win_in)),
        optional_text(row.eval.and_then(Evaluation::winner)),
        list(&row.nags),
        optional(row.comment.as_deref()),
    ]
}

fn text<'a>(value: impl Display) -> Cow<'a, str> {
    Cow::Owned(value.to_string())
}

fn optional(value: Option<&str>) -> Cow<'_, str> {
    Cow::Borrowed(value.unwrap_or_default())
}

fn optional_text<'a>(value: Option<impl Display>) -> Cow<'a, str> {
    value.map_or_else(Cow::default, text)
}

fn list<'a>(values: &[impl Display]) -> Cow<'a, str> {
    Cow::Owned(values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn json<'a>(value: &impl serde::Serialize) -> Cow<'a, str> {
    Cow::Owned(serde_json::to_string(value).unwrap_or_default())
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

fn line<'a>(cells: impl Iterator<Item = Cow<'a, str>>) -> Vec<u8> {
    let mut writer = writer();
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
            side: 'W',
            legal: true,
            written: "32-28".to_owned(),
            notation: Some("32-28".to_owned()),
            from: Some(32),
            to: Some(28),
            captured: vec![3, 17],
            fen: None,
            clock: Some(61.5),
            eval: Some(Evaluation::CentiMen(-5)),
            nags: vec![1, 7],
            comment: Some("a \"good\" one".to_owned()),
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
            start_fen: None,
            final_fen: None,
            written: 1,
            plies: 1,
            result: ResultRow { tag: Some("2-0".to_owned()), ..ResultRow::default() },
            legal: true,
            diagnostics: Vec::new(),
            comment: None,
            variations: Vec::new(),
            moves: vec![row],
        }
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
        write_game(&mut table, &game());
        let row = read(&table);
        for (name, value) in [
            ("schema", "1"),
            ("file", "a,b.pdn"),
            ("game", "2"),
            ("offset", "70"),
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
        write_moves(&mut table, &game());
        let row = read(&table);
        for (name, value) in [
            ("game", "2"),
            ("ply", "1"),
            ("captured", "3 17"),
            ("clock", "61.5"),
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
            write_moves(&mut table, &game);
            let row = read(&table);
            assert_eq!(["eval_cm", "win_in", "win_side"].map(|name| cell(&row, name)), ["", "0", side]);
        }
    }
}
