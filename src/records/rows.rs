//! Rows of games, moves and diagnostics.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use compact_str::CompactString;
use serde::ser::{Serialize, SerializeMap, Serializer};
use smallvec::SmallVec;

use super::assessment::Assessment;
use super::explanation::MoveShot;
use super::performance::GamePerformance;
use super::texts::joined;
use crate::diag::{Code, Diagnostic, Severity};
use crate::notation::tag_text;
use crate::pdn::{Evaluation, NodeId};
use crate::rules::{Position, Variant};
use crate::source::Location;
use crate::text::Language;

/// The version of the schema of all rows.
pub const SCHEMA: u32 = 1;

/// A game.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct GameRow<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The file as the user named it, `-` for standard input.
    pub file: &'a str,
    /// Number of the game in the file, from 1.
    pub game: u64,
    /// First byte of the game in the decompressed file, from 0.
    pub offset: u64,
    /// Name of the variant; null if it is unknown.
    pub variant: Option<&'static str>,
    /// The variant itself, since the name of house rules is not enough to find them; not in JSON.
    #[serde(skip)]
    pub(crate) rules: Option<Variant>,
    /// The GameType tag as written.
    pub gametype: Option<&'a str>,
    /// All tags in order, each name once with its first value.
    pub tags: Tags<'a>,
    /// Further tags with a name that `tags` already has, as pairs of name and value; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeated_tags: Vec<(&'a str, &'a str)>,
    /// All tags in order, as pairs of name and value; absent if no name is repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_tags: Vec<(&'a str, &'a str)>,
    /// The position at the start; null only if the variant is unknown or its FEN cannot be used.
    pub start_fen: Option<String>,
    /// The last known position of the main line.
    pub final_fen: Option<String>,
    /// Number of moves and null moves written in the main line.
    pub written: u64,
    /// Number of legal moves of the main line.
    pub plies: u64,
    /// The result as written and as decided on the board.
    pub result: ResultRow<'a>,
    /// True if the main line is legal to its end.
    pub legal: bool,
    /// The last built-in name of an opening that the main line reaches; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Number of legal moves that lead to the position with this name; absent without a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_ply: Option<u64>,
    /// The comments and other text before the first move, separated by spaces.
    pub comment: Option<Cow<'a, str>>,
    /// The comments and other text after the end of the game; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_comment: Option<Cow<'a, str>>,
    /// What is written before the tags, in order; absent if it is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<NoteRow<'a>>>,
    /// What is written between the tags and the first move, in order; absent if it is nothing, or `comment` is all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<Vec<NoteRow<'a>>>,
    /// What is written after the end of the game, in order; absent if it is nothing, or one comment, `end_comment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<Vec<NoteRow<'a>>>,
    /// The whole game as PDN, if its moves and notes do not show all of it, such as a variation without moves; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The variations of a main line without moves; all others belong to a move.
    pub variations: Vec<Vec<MoveRow<'a>>>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<DiagnosticRow>,
    /// The play of both sides, once the moves are assessed: `accuracy`, `average_loss_cm`, `marks` and `phases`.
    #[serde(flatten)]
    pub performance: Option<GamePerformance>,
    /// The main line.
    pub moves: Vec<MoveRow<'a>>,
}

impl GameRow<'_> {
    /// Adds the texts before and after the game to its comments.
    pub fn add_around(&mut self, [before, after]: &[Vec<String>; 2]) {
        let (before, after) = (before.iter(), after.iter());
        if before.len() + after.len() == 0 {
            return;
        }
        if before.len() > 0 {
            let notes = before.clone().map(|text| NoteRow::Comment(text.clone().into()));
            let own = self.before.take().unwrap_or_default();
            self.before = Some(notes.chain(own).collect());
            // Without them, all of `comment` was between the tags and the moves.
            self.intro.get_or_insert_with(|| self.comment.iter().cloned().map(NoteRow::Comment).collect());
        }
        if after.len() > 0 {
            let own = self.tail.take();
            let own = own.unwrap_or_else(|| self.end_comment.iter().cloned().map(NoteRow::Comment).collect());
            let notes = after.clone().map(|text| NoteRow::Comment(text.clone().into()));
            self.tail = Some(own.into_iter().chain(notes).collect());
        }
        self.comment = joined(before.map(|text| text.clone().into()).chain(self.comment.take()));
        self.end_comment = joined(self.end_comment.take().into_iter().chain(after.map(|text| text.clone().into())));
    }
}

/// A comment, an annotation or another part of a game at its place.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteRow<'a> {
    /// A comment in braces.
    Comment(Cow<'a, str>),
    /// A comment to the end of the line.
    LineComment(Cow<'a, str>),
    /// Text outside comments.
    Text(Cow<'a, str>),
    /// A numeric annotation.
    Nag(u16),
    /// A variation: its index among the `variations` of the move.
    Variation(usize),
    /// A position that is set up.
    Setup(Cow<'a, str>),
    /// Dots that replace a move.
    Ellipsis,
}

/// The result of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ResultRow<'a> {
    /// The Result tag as written.
    pub tag: Option<&'a str>,
    /// The end of the movetext, as written.
    pub terminator: Option<&'a str>,
    /// The outcome in the final position: `W`, `B` or `draw`.
    pub board: Option<&'static str>,
    /// The outcome according to the tag, or else the terminator: `W`, `B` or `draw`.
    pub winner: Option<&'static str>,
}

/// A move.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct MoveRow<'a> {
    /// Its number in the line, from 1; a variation continues the count from the move it replaces.
    pub ply: u32,
    /// The move number as written before it.
    pub number: Option<u32>,
    /// The number of dots after it; absent if that is usual: one before a move of the side that starts games of the variant, else three.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dots: Option<u8>,
    /// The move number of both sides' moves, as written or else counted; not in JSON.
    #[serde(skip)]
    pub move_no: u32,
    /// The side that moves.
    pub side: char,
    /// True if the move is legal.
    pub legal: bool,
    /// The move as written.
    pub written: Cow<'a, str>,
    /// The move in standard notation; null for null moves and moves that are not legal.
    #[serde(serialize_with = "as_text")]
    pub notation: Option<CompactString>,
    /// First square.
    pub from: Option<u8>,
    /// Last square.
    pub to: Option<u8>,
    /// Squares of the captured pieces, sorted.
    #[serde(serialize_with = "as_slice")]
    pub captured: SmallVec<[u8; 12]>,
    /// The position after the move.
    pub fen: Option<PositionRow>,
    /// Time left on the clock of the side that moved, in seconds.
    pub clock: Option<f64>,
    /// Time used for the move, in seconds, or for the game so far if the record gives nothing else. Absent if it gives neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<f64>,
    /// Evaluation of the position after the move, White's point of view.
    pub eval: Option<Evaluation>,
    /// Evaluation of the position before the move, if the record gives it in addition to those after moves; not in JSON.
    #[serde(skip)]
    pub(crate) eval_before: Option<Evaluation>,
    /// Numeric annotation glyphs (NAGs); `! ? !! ?? !? ?!` are 1 to 6, `*` is 7, and `!!!` and `???` count as two
    /// marks.
    pub nags: Vec<u16>,
    /// The comments and other text after the move as written, separated by spaces; text in parentheses keeps its
    /// parentheses, as does a variation that is nested too deeply for `variations`.
    pub comment: Option<Cow<'a, str>>,
    /// The comments and other text before the first move of a variation; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<Cow<'a, str>>,
    /// The marks of the move as written, such as `!?`; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<&'a str>,
    /// What is written before the move and belongs to no other one, in order; absent if it is nothing, or the comment in `intro`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<NoteRow<'a>>>,
    /// What is written after the move, in order; absent if it is annotations, then at most one comment, and then all variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Vec<NoteRow<'a>>>,
    /// The positions set up before the move, as written; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<Cow<'a, str>>,
    /// The results of the analysis of the move, once it is assessed: `judgement`, `best`, `expectation` and `forced`.
    #[serde(flatten)]
    pub assessment: Option<Assessment>,
    /// The shots at the move; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shots: Vec<MoveShot>,
    /// Number of its variations that are written before it; not in JSON.
    #[serde(skip)]
    pub(crate) early_variations: usize,
    /// Its node, if it is a move of the game; not in JSON.
    #[serde(skip)]
    pub(crate) node: Option<NodeId>,
    /// The alternatives to the move.
    pub variations: Vec<Vec<Self>>,
}

/// A position; in JSON its FEN, in the names of its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionRow(Position);

impl PositionRow {
    /// Returns a position as a row.
    pub(crate) const fn new(position: Position) -> Self {
        Self(position)
    }

    /// Returns the position.
    pub(crate) const fn position(&self) -> &Position {
        &self.0
    }

    /// Passes the FEN to a function without allocating it.
    pub(crate) fn with_fen<T>(&self, take: impl FnOnce(&[u8]) -> T) -> T {
        self.0.with_fen(take)
    }
}

impl Serialize for PositionRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_fen(|fen| serializer.serialize_str(&String::from_utf8_lossy(fen)))
    }
}

#[expect(clippy::ref_option, reason = "serde passes the field")]
pub(super) fn as_text<S: Serializer>(text: &Option<CompactString>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().serialize(serializer)
}

fn as_slice<S: Serializer>(numbers: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    numbers.serialize(serializer)
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct DiagnosticRow {
    /// The file as the user named it, `-` for standard input.
    pub file: String,
    /// Number of the game in the file, from 1; 0 outside any.
    pub game: u64,
    /// First byte in the decompressed file, from 0.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// Line, from 1; LF, CRLF and a lone CR end lines.
    pub line: u64,
    /// Column, from 1, in characters of the decoded line; a tab is one.
    pub column: u64,
    /// `error`, `warning` or `note`.
    pub severity: Severity,
    /// The code, the stable name of its kind.
    pub code: Code,
    /// The message.
    pub message: String,
    /// How to fix the problem.
    pub help: Option<String>,
    /// What is said in other languages.
    #[serde(skip)]
    pub(crate) diagnostic: Diagnostic,
}

impl DiagnosticRow {
    /// Returns a diagnostic of a file as a row; `game` is the number of its game, 0 outside any.
    pub fn new(file: &str, game: u64, location: Location, diagnostic: &Diagnostic) -> Self {
        Self {
            file: file.to_owned(),
            game,
            offset: location.offset,
            length: location.length,
            line: location.line,
            column: location.column,
            severity: diagnostic.severity(),
            code: diagnostic.code(),
            message: diagnostic.message(),
            help: diagnostic.help(),
            diagnostic: diagnostic.clone(),
        }
    }

    /// Puts the message and the help into a language; the code and the severity have no language.
    pub fn translate(&mut self, language: Language) {
        let words = self.diagnostic.words(language);
        (self.message, self.help) = (words.sentence, words.help);
    }
}

/// A change made to a record by a repair. As text: `games.pdn:3:14: letter read as digit: …`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct EditRow {
    /// The file as the user named it, `-` for standard input.
    pub file: String,
    /// Number of the game in the file, from 1; 0 outside any.
    pub game: u64,
    /// First byte in the decompressed file, from 0.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1, in characters of the decoded line.
    pub column: u64,
    /// A description of the change.
    pub message: String,
    /// The lines with the change, as they were; absent where a whole game is written again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The same lines after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl EditRow {
    /// Adds the lines with the change, before and after it.
    pub(crate) fn with_lines(self, before: String, after: String) -> Self {
        Self { before: Some(before), after: Some(after), ..self }
    }

    /// Returns a change to a file as a row; `game` is the number of its game, 0 outside any.
    pub(crate) fn new(file: &str, game: u64, location: Location, message: String) -> Self {
        let Location { offset, length, line, column, .. } = location;
        Self { file: file.to_owned(), game, offset, length, line, column, message, before: None, after: None }
    }
}

impl fmt::Display for EditRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {message}")
    }
}

/// An object with `cm`, in centi-men, or `win`, in plies, and with `winner`, `W` or `B`, where a side wins.
impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(centi_men) = self.centi_men() {
            map.serialize_entry("cm", &centi_men)?;
        }
        if let Some(plies) = self.win_in() {
            map.serialize_entry("win", &plies)?;
        }
        if let Some(winner) = self.winner() {
            map.serialize_entry("winner", &winner)?;
        }
        map.end()
    }
}

/// Tags in order, each name once with its first value; an object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Tags<'a> {
    /// Returns the value of a tag, without whitespace at its ends. Roster tags are found by their name or a name in another
    /// language, other tags by their name in any case.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        tag_text(self.iter(), name)
    }

    /// Returns an iterator over names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
        self.0.iter().copied()
    }

    /// Returns the number of tags.
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        let mut all: Vec<_> = pairs.into_iter().collect();
        // Nearly all games have few tags, which are faster to compare than to hash.
        let is_new = |n: usize, all: &[(&str, &str)]| all[..n].iter().all(|(name, _)| *name != all[n].0);
        if all.len() > 32 || !(0..all.len()).all(|n| is_new(n, &all)) {
            let mut seen = HashSet::new();
            all.retain(|(name, _)| seen.insert(*name));
        }
        Self(all)
    }
}

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_tag_counts() {
        let tags: Tags<'_> = [("Event", "a"), ("Round", "1"), ("Event", "b"), ("ECO", "x")].into_iter().collect();
        assert_eq!(tags.get("Event"), Some("a"));
        assert_eq!(serde_json::to_string(&tags).unwrap(), r#"{"Event":"a","Round":"1","ECO":"x"}"#);
        assert_eq!(tags.len(), 3);
    }

    #[test]
    fn evaluations_are_objects() {
        for (evaluation, text) in [
            (Evaluation::CentiMen(-32), r#"{"cm":-32}"#),
            (Evaluation::CentiMen(-8900), r#"{"cm":-8900,"winner":"B"}"#),
            (Evaluation::WhiteWins(7), r#"{"win":7,"winner":"W"}"#),
            (Evaluation::WhiteWins(0), r#"{"win":0,"winner":"W"}"#),
            (Evaluation::BlackWins(0), r#"{"win":0,"winner":"B"}"#),
        ] {
            assert_eq!(serde_json::to_string(&evaluation).expect("JSON"), text);
        }
    }
}
