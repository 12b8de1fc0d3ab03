//! Rules files with a comment on each field.

use std::fmt::Write;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::table::{DrawsTable, EndingKind, LimitTable, NumberingTable, RulesTable};

/// Writes a complete table.
pub(super) fn write(table: &RulesTable) -> String {
    let mut file = File { text: String::new() };
    file.rules(table);
    file.numbering(&table.numbering);
    file.draws(&table.draws);
    file.text
}

struct File {
    text: String,
}

impl File {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn heading(&mut self, heading: &str, comment: &str) {
        self.line("");
        self.line(&format!("# {comment}"));
        self.line(heading);
    }

    fn field(&mut self, comment: &str, name: &str, value: &impl Serialize) {
        self.line(&format!("# {comment}"));
        // Every value of a field is a number, a flag, a text or a pair of numbers.
        let value = serde_json::to_value(value).unwrap_or_default();
        self.line(&format!("{name} = {}", toml_value(&value)));
    }

    /// Writes a field whose values are words, with a list of all of them.
    fn word<T: Serialize + DeserializeOwned>(&mut self, comment: &str, name: &str, value: &T) {
        let words = words_of::<T>().join(", ");
        self.field(&format!("{comment}:\n#   {words}"), name, value);
    }

    fn rules(&mut self, table: &RulesTable) {
        self.field("Name of the variant: lowercase letters, digits, `-`", "name", &table.name);
        self.word("Board: all but 8x8-all use only the dark squares", "board", &table.board);
        self.word("Side that makes the first move", "starts", &table.starts);
        self.field("Rows of men on each side at the start", "start-rows", &table.start_rows);
        self.field("Empty rows behind the men", "skipped-rows", &table.skipped_rows);
        self.word("Quiet moves of men; kings also move backward along the same lines", "man-moves", &table.man_moves);
        self.word(
            "Captures of men; kings also capture backward along the same lines",
            "man-captures",
            &table.man_captures,
        );
        self.field("True if men may capture kings", "men-take-kings", &table.men_take_kings);
        self.word("Range of kings: one step, or any number of empty squares", "king-range", &table.king_range);
        let comment = "Where a flying king may stop after the last piece it captures";
        self.word(comment, "king-landing", &table.king_landing);
        self.word("When captured pieces leave the board", "removal", &table.removal);
        let comment = "True if two jumps in a row may go in opposite directions; `false` only with removal at once";
        self.field(comment, "may-turn-back", &table.may_turn_back);
        self.word("Promotion of a man that reaches the last row during a capture", "promotion", &table.promotion);
        self.word("Which of the possible captures are compulsory", "precedence", &table.precedence);
        self.word("A side without a move loses, or wins; or the first king wins", "goal", &table.goal);
        let comment = "Quiet moves in a row that a side with a man may make with one king, or \"none\" for no limit";
        self.field(comment, "king-move-limit", &table.king_move_limit);
    }

    fn numbering(&mut self, table: &NumberingTable) {
        self.heading("[numbering]", "How squares, captures and results are written");
        self.word("Names of squares", "names", &table.names);
        self.word("Corner of the first square as White sees it", "first", &table.first);
        self.field("True if the bottom-left corner of the physical board is not playable", "mirrored", &table.mirrored);
        self.word("Sign of captures", "capture-sign", &table.capture_sign);
        self.word("How a won game is written", "results", &table.results);
    }

    fn draws(&mut self, table: &DrawsTable) {
        self.heading("[draws]", "When the game is drawn; each rule may be \"none\"");
        let DrawsTable { repetition, last_pieces, agreement, limits } = table;
        let absent = [
            (repetition.is_none(), REPETITION, "repetition"),
            (last_pieces.is_none(), LAST_PIECES, "last-pieces"),
            (agreement.is_none(), AGREEMENT, "agreement"),
        ];
        for (_, comment, name) in absent.into_iter().filter(|(is_absent, ..)| *is_absent) {
            self.field(comment, name, &None::<u8>);
        }
        if limits.is_empty() {
            self.field("Limits on moves without progress", "limits", &limits);
        }
        if let Some(rule) = repetition {
            self.heading("[draws.repetition]", REPETITION);
            self.field("Number of occurrences that makes a draw", "occurrences", &rule.occurrences);
            self.word(STANDING, "standing", &rule.standing);
            self.field(ARTICLE, "article", &rule.article);
        }
        if let Some(rule) = last_pieces {
            self.heading("[draws.last-pieces]", LAST_PIECES);
            self.field("True if both must be kings", "kings-only", &rule.kings_only);
            self.field(ARTICLE, "article", &rule.article);
        }
        if let Some(rule) = agreement {
            self.heading("[draws.agreement]", AGREEMENT);
            self.field("Number of moves by each side", "after-moves", &rule.after_moves);
            self.field(ARTICLE, "article", &rule.article);
        }
        for limit in limits {
            self.limit(limit);
        }
    }

    fn limit(&mut self, limit: &LimitTable) {
        self.heading("[[draws.limits]]", "A limit on moves without progress");
        self.field("Name in diagnostics", "name", &limit.name);
        self.field("Number of plies, both sides together", "plies", &limit.plies);
        self.word(counted(limit.ending), "ending", &limit.ending);
        let comment =
            "Minimum and maximum number of pieces with which, if both sides have kings, the limit does not apply";
        self.given(&format!("{comment}; [0, 0] for none"), "except-both-kings", limit.except_both_kings.as_ref());
        let of = if limit.ending == EndingKind::BothKings { "on the board" } else { "of the stronger side" };
        self.given(&format!("Minimum and maximum number of pieces {of}"), "pieces", limit.pieces.as_ref());
        self.given("Minimum number of kings among them", "kings", limit.kings.as_ref());
        if limit.diagonal.is_some() {
            self.word("Side with a king on the long diagonal", "diagonal", &limit.diagonal);
        }
        let comment = "True if counting continues after the stronger side loses pieces";
        self.given(comment, "outlasts-captures", limit.outlasts_captures.as_ref());
        self.word(STANDING, "standing", &limit.standing);
        self.field(ARTICLE, "article", &limit.article);
    }

    /// Writes a field that some limits have.
    fn given(&mut self, comment: &str, name: &str, value: Option<&impl Serialize>) {
        if let Some(value) = value {
            self.field(comment, name, value);
        }
    }
}

const REPETITION: &str = "Repetition of a position with the same side to move";
const LAST_PIECES: &str = "One piece on each side, neither of which can be captured at once";
const AGREEMENT: &str = "Number of moves before which no draw may be agreed";
const STANDING: &str = "A draw that ends the game, or one to be claimed";
const ARTICLE: &str = "Article of the rules; it ends in [U] if no official text was available";

const fn counted(ending: EndingKind) -> &'static str {
    match ending {
        EndingKind::LoneKing => "Counted plies: those of a side against a lone king",
        EndingKind::BothKings => "Counted plies: those without captures and promotions while both sides have kings",
        EndingKind::NoProgress => "Counted plies: those without captures and moves of men",
    }
}

fn toml_value(value: &Value) -> String {
    match value {
        Value::Null => "\"none\"".to_owned(),
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("[{}]", values.iter().map(toml_value).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            '"' | '\\' => write!(quoted, "\\{c}"),
            c if c.is_control() => write!(quoted, "\\u{:04X}", u32::from(c)),
            c => write!(quoted, "{c}"),
        };
    }
    quoted + "\""
}

/// Returns the words of an enumeration that its derived `Deserialize` accepts.
fn words_of<T: DeserializeOwned>() -> Vec<String> {
    // The error for an unknown word quotes it, and then all words that are expected.
    let error = serde_json::from_value::<T>(Value::from("?")).err().map(|error| error.to_string());
    error.unwrap_or_default().split('`').skip(3).step_by(2).map(str::to_owned).collect()
}
