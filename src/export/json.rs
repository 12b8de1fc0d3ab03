//! Rows as JSON: one value per line, or one array.

use itoa::{Buffer, Integer};
use serde::Serialize;

use super::csv::push_small;
use super::format::{RecordWriter, WrittenGame};
use crate::records::{GameRow, MoveRow, MoveRows, PlayerTable};

/// Appends a value as one line of JSON.
///
/// # Panics
///
/// Panics if the value cannot be serialized, which rows always can be.
pub fn write_json_line(out: &mut Vec<u8>, value: &impl Serialize) {
    value_of(out, value);
    out.push(b'\n');
}

/// Appends an item of an array that is written in pieces, after [`SEPARATOR`].
///
/// # Panics
///
/// Panics if the value cannot be serialized, which rows always can be.
pub(crate) fn write_json_item(out: &mut Vec<u8>, value: &impl Serialize) {
    out.extend_from_slice(SEPARATOR);
    value_of(out, value);
}

/// The last line of an output with an object per line.
#[derive(Serialize)]
pub(crate) struct LastLine<'a, T> {
    pub(crate) summary: &'a T,
}

/// The bytes that `write_json_item` puts before an item; skip them before the first item of an array.
pub const SEPARATOR: &[u8] = b",\n";

/// Appends a game as an object on one line, without a line feed: what [`write_json_line`] writes, in less time.
pub fn write_json_game(out: &mut Vec<u8>, mut game: GameRow<'_>) {
    let moves = std::mem::take(&mut game.moves);
    write_object(out, &game, &moves.as_slice().into());
}

/// Appends a game as an object, given its row without moves, and its moves.
fn write_object(out: &mut Vec<u8>, game: &GameRow<'_>, moves: &MoveRows<'_>) {
    value_of(out, game);
    // The moves are the last member.
    out.truncate(out.len() - "]}".len());
    write_moves(out, moves);
    out.push(b'}');
}

/// Writes games as items of an array, or as one object per line.
#[derive(Debug)]
pub(super) struct JsonWriter {
    pub(super) is_array: bool,
}

impl RecordWriter for JsonWriter {
    fn header(&self) -> Vec<u8> {
        if self.is_array { b"[\n".to_vec() } else { Vec::new() }
    }

    fn separator(&self) -> &'static [u8] {
        if self.is_array { SEPARATOR } else { b"" }
    }

    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>) {
        let diagnostics = game.diagnostics();
        match game.moves().filter(|moves| !moves.may_be_assessed()) {
            Some(moves) => write_object(out, &GameRow { diagnostics, ..game.head() }, &moves),
            None => {
                let mut row = GameRow { diagnostics, ..game.row() };
                row.assess();
                write_json_game(out, row);
            }
        }
        if !self.is_array {
            out.push(b'\n');
        }
    }

    fn footer(&self, is_empty: bool, _: &PlayerTable) -> Vec<u8> {
        match (self.is_array, is_empty) {
            (true, true) => b"]\n".to_vec(),
            (true, false) => b"\n]\n".to_vec(),
            (false, _) => Vec::new(),
        }
    }
}

fn value_of(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value).expect("rows have text keys, and writing to memory cannot fail");
}

/// Appends moves, separated by commas, and the end of their array.
fn write_moves(out: &mut Vec<u8>, moves: &MoveRows<'_>) {
    let start = out.len();
    moves.for_each(|row| {
        write_move(&mut Members(out), row);
        out.push(b',');
    });
    if out.len() > start {
        out.pop();
    }
    out.push(b']');
}

/// Appends a move as its [`Serialize`] writes it, but does not scan every key and every FEN for characters to escape.
fn write_move(to: &mut Members<'_>, row: &MoveRow<'_>) {
    to.number("{\"ply\":", Some(row.ply));
    to.number(",\"number\":", row.number);
    if row.dots.is_some() {
        to.number(",\"dots\":", row.dots);
    }
    to.raw(if row.side == 'W' { ",\"side\":\"W\"" } else { ",\"side\":\"B\"" });
    to.raw(if row.legal { ",\"legal\":true" } else { ",\"legal\":false" });
    match row.notation.as_deref() {
        // Most moves are written in this notation, which needs no escapes.
        Some(notation) if notation == row.written => {
            for key in [",\"written\":\"", "\",\"notation\":\""] {
                to.raw(key);
                to.raw(notation);
            }
            to.raw("\"");
        }
        notation => {
            to.text(",\"written\":", Some(&*row.written));
            to.text(",\"notation\":", notation);
        }
    }
    to.number(",\"from\":", row.from);
    to.number(",\"to\":", row.to);
    to.list(",\"captured\":", &row.captured);
    match &row.fen {
        Some(after) => after.with_fen(|fen| {
            to.raw(",\"fen\":\"");
            to.0.extend_from_slice(fen);
            to.raw("\"");
        }),
        None => to.raw(",\"fen\":null"),
    }
    to.optional(",\"clock\":", row.clock.as_ref());
    if row.elapsed.is_some() {
        to.optional(",\"elapsed\":", row.elapsed.as_ref());
    }
    to.optional(",\"eval\":", row.eval.as_ref());
    to.list(",\"nags\":", &row.nags);
    to.text(",\"comment\":", row.comment.as_deref());
    if row.intro.is_some() {
        to.text(",\"intro\":", row.intro.as_deref());
    }
    if row.marks.is_some() {
        to.text(",\"marks\":", row.marks);
    }
    if let Some(before) = &row.before {
        to.value(",\"before\":", before);
    }
    if let Some(after) = &row.after {
        to.value(",\"after\":", after);
    }
    if !row.setups.is_empty() {
        to.value(",\"setups\":", &row.setups);
    }
    if let Some(assessment) = &row.assessment {
        to.members(assessment);
    }
    if !row.shots.is_empty() {
        to.value(",\"shots\":", &row.shots);
    }
    to.raw(",\"variations\":");
    if row.variations.is_empty() {
        to.raw("[]");
    } else {
        value_of(to.0, &row.variations);
    }
    to.raw("}");
}

/// A number that can be written.
trait Number: Integer + TryInto<u8> + Copy {}

impl<N: Integer + TryInto<u8> + Copy> Number for N {}

/// The members of an object; each key comes with its quotes and punctuation.
///
/// What appends a key is inlined, so that it is copied with instructions for its length: a call to copy each took 300
/// instructions a move.
struct Members<'a>(&'a mut Vec<u8>);

impl Members<'_> {
    #[inline(always)]
    fn raw(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, key: &str, value: &impl Serialize) {
        self.raw(key);
        value_of(self.0, value);
    }

    #[inline(always)]
    fn optional(&mut self, key: &str, value: Option<&impl Serialize>) {
        match value {
            Some(value) => self.value(key, value),
            None => {
                self.raw(key);
                self.raw("null");
            }
        }
    }

    /// Appends the members of an object after others.
    fn members(&mut self, object: &impl Serialize) {
        let start = self.0.len();
        value_of(self.0, object);
        // The braces go. An object without members would leave a comma, but an assessment has some.
        self.0[start] = b',';
        self.0.pop();
    }

    #[inline(always)]
    fn number(&mut self, key: &str, number: Option<impl Number>) {
        self.raw(key);
        match number {
            Some(number) => self.digits(number),
            None => self.raw("null"),
        }
    }

    #[inline]
    fn digits(&mut self, number: impl Number) {
        match number.try_into() {
            Ok(small) => {
                push_small(self.0, small);
                self.0.pop();
            }
            Err(_) => self.raw(Buffer::new().format(number)),
        }
    }

    #[inline(always)]
    fn list(&mut self, key: &str, numbers: &[impl Number]) {
        self.raw(key);
        if numbers.is_empty() { self.raw("[]") } else { self.items(numbers) }
    }

    fn items(&mut self, numbers: &[impl Number]) {
        self.raw("[");
        for (n, &number) in numbers.iter().enumerate() {
            self.raw(if n > 0 { "," } else { "" });
            self.digits(number);
        }
        self.raw("]");
    }

    #[inline(always)]
    fn text(&mut self, key: &str, text: Option<&str>) {
        self.raw(key);
        match text {
            Some(text) => self.string(text),
            None => self.raw("null"),
        }
    }

    fn string(&mut self, text: &str) {
        // The characters that `serde_json` escapes; it writes U+007F and everything beyond ASCII as they are.
        if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            return value_of(self.0, &text);
        }
        self.raw("\"");
        self.raw(text);
        self.raw("\"");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::records::{Origin, game_row};

    #[test]
    fn lines_and_items() {
        let mut out = Vec::new();
        write_json_line(&mut out, &1);
        write_json_item(&mut out, &"a");
        assert_eq!(out, b"1\n,\n\"a\"");
    }

    #[test]
    fn games_are_written_as_they_serialize() {
        for text in [
            "[GameType \"20\"]\n*",
            "[GameType \"20\"]\n1. 32-28! {a \"b\" \\ \t\u{1}é} 19-23 $5 $7 2. 28x19 14x23 {[%clk 0:01:30.5][%eval -0.35]} *",
            "[GameType \"20\"]\n1. 32-28 {[%eval 0.1] [%pdn shot=missed:-:1:32-27,21x32,37x10 shot=prevented:coup_royal:2:19-23]} *",
            "[GameType \"20\"]\n1. 32-28 (1. 31-27 {x} (1. 33-28 19-23) 20-24) 19-23 2. 31-13 {[%eval #7]} *",
            "{lead} 1. 32-28 /FEN \"W:W31:B20\"/ 2. 31-27 - words 2-0 {end}",
        ] {
            let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
            let row = game_row(&review, Origin { file: "a \"b\"", game: 1, offset: 0 }, Vec::new());
            let mut out = Vec::new();
            write_json_game(&mut out, row.clone());
            assert_eq!(String::from_utf8(out).expect("UTF-8"), serde_json::to_string(&row).expect("JSON"));
        }
    }
}
