//! A game as data of a page.

use std::borrow::Cow;

use serde::Serialize;

use super::board::PageBoard;
use super::lines::{MoveData, Moves};
use super::{data_block, date_for, shown};
use crate::board::Side;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Summary};
use crate::notation::translation;
use crate::pdn::{Outside, text_without_commands};
use crate::records::{GameRow, Performance, checked_row};
use crate::report::chart::curve;
use crate::rules::{Position, Variant};
use crate::text::Language;

/// A game as a page stores it: three lines of JSON, so that a page can read the first one, for its list of games,
/// without the moves and the text of the record.
#[derive(Clone, Debug)]
pub(crate) struct PageGame {
    head: String,
    body: String,
    record: String,
}

/// The data for the list of games.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    white: Cow<'a, str>,
    black: Cow<'a, str>,
    event: Cow<'a, str>,
    round: Cow<'a, str>,
    date: Cow<'a, str>,
    result: Cow<'a, str>,
    /// `B` if the left number of the result is Black's, as in variants that Black begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'a str>,
    plies: u64,
}

/// The data for the board and the list of moves.
#[derive(Serialize)]
struct Body<'a> {
    /// The start, as [`PageBoard::letters`].
    start: String,
    turn: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    moves: Vec<MoveData<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<MoveData<'a>>>,
    /// The expectation of White after each move of the main line, in thousandths of a point; empty without evaluations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<Option<u16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<[&'a Performance; 2]>,
    /// Names and values of the tags that the list does not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// The tags that have separate places in a page.
const PLACED: [&str; 6] = ["White", "Black", "Event", "Round", "Date", "Result"];

impl PageGame {
    /// Returns a game of a report, with its position at the start and the text of its record. If a language is given, its date
    /// is for readers of that.
    ///
    /// The row should be [assessed](GameRow::assess) first.
    pub(crate) fn new(row: &GameRow<'_>, start: Option<&Position>, record: &str, language: Option<Language>) -> Self {
        Self { head: json(&Head::of(row, start, language)), body: json(&Body::of(row, start)), record: json(&record) }
    }

    /// Returns the three lines of JSON: what the list of games shows; what the board and the list of moves show; and the text of
    /// the record as a string.
    pub(crate) fn lines(&self) -> [&str; 3] {
        [&self.head, &self.body, &self.record]
    }

    /// Returns the data block of the game, for the page that shows it.
    pub(crate) fn block(&self) -> String {
        data_block("game", &self.lines())
    }
}

/// The work that makes the games of a page, whose rows `F` may complete, for instance with sentences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageWork<F>(Language, F);

/// The games of a page, and the diagnostics about them.
#[derive(Debug, Default)]
pub(crate) struct PageBlocks {
    pub(crate) games: Vec<PageBlock>,
    pub(crate) summary: Summary,
}

/// A game of a page.
#[derive(Debug)]
pub(crate) struct PageBlock {
    pub(super) variant: Option<Variant>,
    /// Its data block.
    pub(super) block: String,
}

impl<F: Fn(&mut GameRow<'_>)> PageWork<F> {
    /// Returns work for readers of a language that calls `complete` with the row of each game.
    pub(crate) const fn new(language: Language, complete: F) -> Self {
        Self(language, complete)
    }
}

impl<F: Fn(&mut GameRow<'_>) + Send + Sync + 'static> GameWork for PageWork<F> {
    type Done = PageBlocks;

    fn game(&self, game: CheckedGame<'_>, done: &mut PageBlocks) {
        let mut row = checked_row(&game);
        row.assess();
        (self.1)(&mut row);
        let block = PageGame::new(&row, game.review().game().start(), &game.text(), Some(self.0)).block();
        done.games.push(PageBlock { variant: game.variant(), block });
        done.summary.count_game(game.review());
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut PageBlocks) {
        done.summary.count(outside.diagnostic());
    }
}

/// Returns a value as JSON, which always exists for data without maps.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl<'a> Head<'a> {
    fn of(row: &'a GameRow<'_>, start: Option<&Position>, language: Option<Language>) -> Self {
        let tag = |name| shown(row.tags.get(name).unwrap_or_default());
        let date = tag("Date");
        let variant = start.map(Position::variant).or_else(|| row.variant.and_then(Variant::by_name));
        let is_left = variant.is_some_and(|variant| variant.starts() == Side::Black);
        let result = row.result.tag.filter(|tag| !tag.trim().is_empty()).or(row.result.terminator);
        Self {
            variant: row.variant,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            round: tag("Round"),
            date: language.map_or_else(|| date.clone(), |language| Cow::Owned(date_for(language, &date))),
            result: shown(result.unwrap_or_default()),
            left: is_left.then_some('B'),
            winner: row.result.winner,
            plies: row.plies,
        }
    }
}

impl<'a> Body<'a> {
    fn of(row: &'a GameRow<'_>, start: Option<&Position>) -> Self {
        let variant = start.map(Position::variant).or_else(|| known_position(row).map(Position::variant));
        let board = variant.map(PageBoard::of);
        let moves = Moves { board: board.as_ref() };
        let text = |text: &Option<Cow<'_, str>>| text.as_deref().and_then(comment);
        let is_placed = |tag: &(&str, &str)| {
            let english = translation(*tag).filter(|name| row.tags.get(name) == Some(tag.1.trim()));
            PLACED.contains(&english.unwrap_or(tag.0))
        };
        let tags = row.tags.iter().filter(|tag| !is_placed(tag));
        Self {
            start: board.as_ref().map(|board| board.letters(start)).unwrap_or_default(),
            turn: start.map_or('W', |start| start.turn().letter()),
            comment: text(&row.comment),
            end: text(&row.end_comment),
            moves: moves.line(&row.moves, start.copied()),
            variations: row.variations.iter().map(|line| moves.line(line, start.copied())).collect(),
            curve: curve(row),
            sides: row.performance.as_ref().map(|game| [&game.sides[0].all, &game.sides[1].all]),
            tags: tags.map(|(name, value)| (shown(name), shown(value))).collect(),
        }
    }
}

/// Returns the first position of the main line that is known.
fn known_position<'a>(row: &'a GameRow<'_>) -> Option<&'a Position> {
    row.moves.iter().find_map(|row| row.fen.as_ref()).map(crate::records::PositionRow::position)
}

/// Returns a comment for display, without its commands.
pub(super) fn comment(text: &str) -> Option<String> {
    let text = text_without_commands(text);
    Some(shown(&text).into_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::records::{Origin, game_row};
    use serde_json::Value;

    /// Returns the three lines of a game.
    fn lines(text: &str) -> [Value; 3] {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let mut row = game_row(&review, Origin { file: "f", game: 1, offset: 0 }, Vec::new());
        row.assess();
        let game = PageGame::new(&row, review.game().start(), text, None);
        [&game.head, &game.body, &game.record].map(|line| serde_json::from_str(line).expect("JSON"))
    }

    #[test]
    fn a_game_has_its_changes_evaluations_and_variations() {
        let text = "[White \"A\u{202e}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 {[%eval 0.10] good [%csl G28][%cal R32-28]} \
                    19-23 $4 {[%eval 0.50]} (1... 20-24 {[%eval 0.1]}) 2. 28x19 {[%eval #7]} 14-20 *\n";
        let [head, body, record] = lines(text);
        assert_eq!((&head["white"], &head["winner"]), (&"A\u{fffd}".into(), &"W".into()));
        assert_eq!(body["start"], format!("{}{}{}", "b".repeat(20), ".".repeat(10), "w".repeat(20)));
        let moves = body["moves"].as_array().expect("moves");
        let expected = serde_json::json!([
            1, "32-28", "B0v.0rw", 10, { "comment": "good", "squares": [[27, "G"]], "arrows": [[31, 27, "R"]] }
        ]);
        assert_eq!(moves[0], expected);
        assert_eq!(moves[1][4]["variations"][0][0], serde_json::json!([-1, "20-24", "W0j.0nb", 10]));
        assert_eq!((&moves[2][2], &moves[2][3]), (&"B0r.0iw0m.".into(), &"#7".into()));
        assert_eq!(moves[3], serde_json::json!([-2, "14-20"]));
        assert_eq!(body["curve"].as_array().expect("a curve").len(), 4);
        assert_eq!((&body["sides"][1]["blunders"], &record), (&1.into(), &text.into()));
    }

    #[test]
    fn tags_in_other_languages_are_shown_once() {
        let [head, body, _] = lines("[Wit \"A\"]\n[Zwart \"B\"]\n[Black \"C\"]\n[Club \"D\"]\n\n1. 32-28 *\n");
        assert_eq!((&head["white"], &head["black"]), (&"A".into(), &"C".into()));
        assert_eq!(body["tags"], serde_json::json!([["Zwart", "B"], ["Club", "D"]]));
    }

    #[test]
    fn games_of_unknown_variants_have_their_moves_as_text() {
        let [head, body, _] = lines("[Event \"a</script>\"]\n\n1. 1-99 *\n");
        assert_eq!((&head["variant"], &head["event"]), (&Value::Null, &"a</script>".into()));
        assert_eq!((&body["start"], &body["moves"]), (&"".into(), &serde_json::json!([[1, "1-99"]])));
    }
}
