//! Exercises and games as they are printed.

use std::borrow::Cow;

use super::options::SheetOptions;
use crate::board::Side;
use crate::pdn::{nag_sign, text_without_commands};
use crate::records::{GameRow, Judgement, MoveRow, SentenceFacts};
use crate::report::page::sheet_texts;
use crate::report::shortened;
use crate::rules::{Position, Variant};
use crate::text::{Language, printable};

/// Maximum number of characters of a heading and of a line below it.
const MAX_HEADING: u32 = 120;
/// Maximum number of bytes of a solution, and of the moves and comments of a game, about 40 pages.
const MAX_SOLUTION: usize = 2_000;
const MAX_GAME: usize = 200_000;
/// Maximum depth of variations; deeper ones could not be followed on paper.
const MAX_DEPTH: usize = 6;
/// Minimum number of plies between two diagrams, unless a comment asks for one.
const MIN_DISTANCE: u32 = 4;
/// Maximum number of diagrams of a game.
const MAX_DIAGRAMS: usize = 40;

/// An exercise or a game that a [`Sheet`](super::Sheet) prints.
#[derive(Clone, Debug)]
pub struct SheetItem(pub(super) Item);

#[derive(Clone, Debug)]
pub(super) enum Item {
    Exercise(Exercise),
    Game(PrintedGame),
    Text(PrintedText),
}

/// A heading with paragraphs.
#[derive(Clone, Debug)]
pub(super) struct PrintedText {
    pub(super) heading: String,
    pub(super) paragraphs: Vec<Vec<Run>>,
}

/// A position with a task.
#[derive(Clone, Debug)]
pub(super) struct Exercise {
    pub(super) position: Position,
    /// Black is at the bottom.
    pub(super) is_flipped: bool,
    pub(super) task: Task,
    /// Where it comes from.
    pub(super) source: String,
    pub(super) solution: Vec<Run>,
}

/// What the side to move has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Task {
    Move,
    Win,
    Draw,
    Material,
}

/// A game as parts in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct PrintedGame {
    /// The players, the event, or how the position came about.
    pub(super) players: String,
    pub(super) result: String,
    pub(super) details: String,
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(Vec<Run>),
    Diagram(Position),
}

/// A piece of text in one style; a space separates it from the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Moves that were played, and numbers of solutions.
    Move,
    Comment,
    /// Variations and their comments.
    Aside,
}

impl SheetItem {
    /// Returns a game as it is printed, with its position at the start, if it is known. The row should be
    /// [assessed](GameRow::assess) first. A record with neither moves nor a position has nothing to print, and a position that did
    /// not occur in its game is printed only with [`SheetOptions::all`].
    pub fn new(row: &GameRow<'_>, start: Option<&Position>, options: &SheetOptions) -> Option<Self> {
        if !options.all && Self::is_not_played(row) {
            return None;
        }
        let is_exercise = |start: &&Position| !options.games && **start != Position::start(start.variant());
        if let Some(start) = start.filter(is_exercise) {
            let mut printer = Printer::new(row, None, MAX_SOLUTION);
            printer.main_line(row, None);
            return Some(Self(Item::Exercise(Exercise {
                position: *start,
                is_flipped: options.own_side && start.turn() == Side::Black,
                task: Task::of(row, start.turn()),
                source: not_played(row, options.lang).unwrap_or_else(|| source(row)),
                solution: printer.runs,
            })));
        }
        (!row.moves.is_empty()).then(|| Self(Item::Game(PrintedGame::of(row, start, options))))
    }

    /// Returns a heading with paragraphs below it.
    pub fn text(heading: &str, paragraphs: &[&str]) -> Self {
        let runs = |text: &&str| vec![Run { text: one_line(text), style: Style::Comment }];
        let paragraphs = paragraphs.iter().map(runs).collect();
        Self(Item::Text(PrintedText { heading: self::heading(heading), paragraphs }))
    }

    /// Returns true for a record of a position after a move that was not played: one with a tag `Instead`, as
    /// `pdn puzzles` writes it.
    pub(crate) fn is_not_played(row: &GameRow<'_>) -> bool {
        known(row, "Instead").is_some()
    }
}

impl Task {
    /// Returns the task by the goal of a puzzle, or else by the result of the record, or by the position at the end of the
    /// solution.
    pub(in crate::report) fn of(row: &GameRow<'_>, turn: Side) -> Self {
        Self::named(row).unwrap_or_else(|| match row.result.winner.or(row.result.board) {
            Some("draw") => Self::Draw,
            Some(winner) if winner.starts_with(turn.letter()) => Self::Win,
            _ => Self::Move,
        })
    }

    /// Returns the task that the tag `Goal` names, as in the records of `pdn puzzles`.
    pub(in crate::report) fn named(row: &GameRow<'_>) -> Option<Self> {
        match known(row, "Goal")?.to_ascii_lowercase().as_str() {
            "win" => Some(Self::Win),
            "draw" => Some(Self::Draw),
            "material" => Some(Self::Material),
            _ => None,
        }
    }

    /// Returns the name of the text of the task.
    pub(in crate::report) const fn text(self, turn: Side) -> &'static str {
        match (self, turn) {
            (Self::Move, Side::White) => "White to move",
            (Self::Move, Side::Black) => "Black to move",
            (Self::Win, Side::White) => "White to move and win",
            (Self::Win, Side::Black) => "Black to move and win",
            (Self::Draw, Side::White) => "White to move and draw",
            (Self::Draw, Side::Black) => "Black to move and draw",
            (Self::Material, Side::White) => "White to move and win material",
            (Self::Material, Side::Black) => "Black to move and win material",
        }
    }
}

impl PrintedGame {
    fn of(row: &GameRow<'_>, start: Option<&Position>, options: &SheetOptions) -> Self {
        let mut printer = Printer::new(row, options.diagrams_every.map(u32::from), MAX_GAME);
        if let Some(start) = start.filter(|start| **start != Position::start(start.variant())) {
            printer.diagram(*start, 0, true);
        }
        printer.main_line(row, start.copied());
        let result = row.result.tag.filter(|tag| is_known(tag)).or(row.result.terminator).unwrap_or_default();
        let result = if result.trim() == "*" { "" } else { result };
        if let Some(players) = not_played(row, options.lang) {
            return Self { players, result: String::new(), details: String::new(), parts: printer.into_parts() };
        }
        Self {
            players: players(row).unwrap_or_else(|| heading(known(row, "Event").unwrap_or("?"))),
            result: heading(result),
            details: details(row, players(row).is_some()),
            parts: printer.into_parts(),
        }
    }
}

fn is_known(value: &str) -> bool {
    !value.trim_matches(|c: char| c.is_whitespace() || "?-.*".contains(c)).is_empty()
}

pub(in crate::report) fn known<'a>(row: &GameRow<'a>, tag: &str) -> Option<&'a str> {
    row.tags.get(tag).filter(|value| is_known(value))
}

/// Returns a text of a record on one line, without characters that cannot be printed, and no longer than a heading.
pub(in crate::report) fn heading(text: &str) -> String {
    shortened(&one_line(text), MAX_HEADING)
}

fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

fn players(row: &GameRow<'_>) -> Option<String> {
    let names = ["White", "Black"].map(|tag| known(row, tag));
    let shown = names.map(|name| heading(name.unwrap_or("?")));
    names.iter().any(Option::is_some).then(|| shown.join(" – "))
}

/// Returns the event, the place and the date of a game.
fn details(row: &GameRow<'_>, with_event: bool) -> String {
    let event = known(row, "Event").filter(|_| with_event);
    let date = known(row, "Date").map(|date| date.trim_end_matches(['.', '?']));
    let round = known(row, "Round").map(|round| format!("({round})"));
    let named: Vec<_> = [event, known(row, "Site"), date].into_iter().flatten().collect();
    heading(&[named.join(", "), round.unwrap_or_default()].join(" "))
}

/// Returns where an exercise comes from: its players and event, with the year.
pub(in crate::report) fn source(row: &GameRow<'_>) -> String {
    let year = known(row, "Date").and_then(|date| date.get(..4)).filter(|year| year.parse::<u16>().is_ok());
    let event = known(row, "Event").map(str::to_owned);
    let named: Vec<_> = [players(row), event, year.map(str::to_owned)].into_iter().flatten().collect();
    heading(&named.join(", "))
}

/// Returns how a position came about that did not occur in its game: after which move, instead of which one.
pub(in crate::report) fn not_played(row: &GameRow<'_>, language: Language) -> Option<String> {
    let moves: Vec<_> = known(row, "Instead")?.split_whitespace().take(2).collect();
    let name = if moves.len() > 1 { "after {} instead of the game's {}" } else { "after {}, which was not played" };
    let texts = sheet_texts(language);
    Some(heading(&moves.iter().fold(texts.of(name).to_owned(), |text, step| text.replacen("{}", step, 1))))
}

/// Turns the rows of a game into parts.
struct Printer {
    parts: Vec<Part>,
    runs: Vec<Run>,
    starts: Side,
    every: Option<u32>,
    /// Bytes of text that are left.
    left: usize,
    /// The ply of the last diagram, and the number of diagrams.
    last_diagram: Option<u32>,
    diagrams: usize,
}

impl Printer {
    fn new(row: &GameRow<'_>, every: Option<u32>, left: usize) -> Self {
        let variant = row.variant.and_then(|name| name.parse::<Variant>().ok());
        let starts = variant.map_or(Side::White, Variant::starts);
        Self { parts: Vec::new(), runs: Vec::new(), starts, every, left, last_diagram: None, diagrams: 0 }
    }

    fn push(&mut self, text: impl Into<String>, style: Style) {
        let mut text = text.into();
        if text.is_empty() || self.left == 0 {
            return;
        }
        if text.len() > self.left {
            text.truncate(text.floor_char_boundary(self.left));
            text.push('…');
        }
        self.left = self.left.saturating_sub(text.len() + 1);
        self.runs.push(Run { text, style });
    }

    fn diagram(&mut self, position: Position, ply: u32, is_wanted: bool) {
        let is_near = self.last_diagram.is_some_and(|last| ply < last + MIN_DISTANCE);
        if is_near && !is_wanted || self.diagrams == MAX_DIAGRAMS || self.left == 0 {
            return;
        }
        self.end_text();
        self.parts.push(Part::Diagram(position));
        self.last_diagram = Some(ply);
        self.diagrams += 1;
    }

    fn end_text(&mut self) {
        if !self.runs.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.runs)));
        }
    }

    fn into_parts(mut self) -> Vec<Part> {
        self.end_text();
        self.parts
    }

    /// Prints the main line, with diagrams if the position at the start is given.
    fn main_line(&mut self, row: &GameRow<'_>, start: Option<Position>) {
        self.comment(row.comment.as_deref(), Style::Comment);
        let has_diagrams = start.is_some();
        let (mut before, mut is_apart) = (start, true);
        for played in &row.moves {
            // What was on the board does not show the position set up here.
            if !played.setups.is_empty() {
                before = None;
            }
            if let Some(position) = before.filter(|_| is_marked(played)) {
                self.diagram(position, played.ply, false);
                is_apart |= self.runs.is_empty();
            }
            self.numbered(played, is_apart, Style::Move);
            let count = self.runs.len();
            let wants_diagram = self.comments(played, Style::Comment, 1);
            is_apart = self.runs.len() > count;
            before = played.fen.map(|after| *after.position());
            let is_due = self.every.is_some_and(|moves| played.ply.is_multiple_of(moves.saturating_mul(2)));
            if let Some(position) = before.filter(|_| has_diagrams && (wants_diagram || is_due)) {
                self.diagram(position, played.ply, wants_diagram);
                is_apart |= self.runs.is_empty();
            }
        }
        row.variations.iter().for_each(|line| self.variation(line, 1));
        self.comment(row.end_comment.as_deref(), Style::Comment);
    }

    /// Prints a move, with its number if it begins a pair or does not follow the move before it directly.
    fn numbered(&mut self, played: &MoveRow<'_>, is_apart: bool, style: Style) {
        let is_first = played.side == self.starts.letter();
        let text = one_line(played.notation.as_deref().unwrap_or(&played.written));
        let marks: String = played.nags.iter().filter_map(|&nag| nag_sign(nag)).collect();
        // A no-break space: a number at the end of a line would be read as that of the move before it.
        let number = match (is_first, is_apart) {
            (true, _) => format!("{}.\u{a0}", played.move_no),
            (false, true) => format!("{}…\u{a0}", played.move_no),
            (false, false) => String::new(),
        };
        self.push(format!("{number}{text}{marks}"), style);
    }

    /// Prints the comments and variations of a move; returns true if a comment or a NAG asks for a diagram.
    fn comments(&mut self, played: &MoveRow<'_>, style: Style, depth: usize) -> bool {
        let wanted = self.comment(played.comment.as_deref(), style);
        let sentence = played.comment.as_deref().and_then(SentenceFacts::of_comment);
        let is_new = |line: &&Vec<MoveRow<'_>>| !sentence.as_ref().is_some_and(|sentence| is_shown(line, sentence));
        played.variations.iter().filter(is_new).for_each(|line| self.variation(line, depth));
        wanted || played.nags.iter().any(|nag| DIAGRAM_NAGS.contains(nag))
    }

    /// Prints a comment without its commands; returns true if it asks for a diagram.
    fn comment(&mut self, text: Option<&str>, style: Style) -> bool {
        let Some(text) = text else { return false };
        let (text, wanted) = without_request(text);
        self.push(one_line(&text_without_commands(&text)), style);
        wanted
    }

    /// Prints a variation in parentheses.
    fn variation(&mut self, line: &[MoveRow<'_>], depth: usize) {
        if line.is_empty() || self.left == 0 {
            return;
        }
        if depth > MAX_DEPTH {
            return self.push("(…)", Style::Aside);
        }
        let first = self.runs.len();
        let mut is_apart = true;
        for (n, played) in line.iter().enumerate() {
            if n == 0 {
                self.comment(played.intro.as_deref(), Style::Aside);
            }
            self.numbered(played, is_apart, Style::Aside);
            let count = self.runs.len();
            self.comments(played, Style::Aside, depth + 1);
            is_apart = self.runs.len() > count;
        }
        if let Some(run) = self.runs.get_mut(first) {
            run.text.insert(0, '(');
        }
        if let Some(run) = self.runs.get_mut(first..).and_then(<[Run]>::last_mut) {
            run.text.push(')');
        }
    }
}

/// The NAGs that ask for a diagram, from White's and from Black's side.
const DIAGRAM_NAGS: [u16; 2] = [220, 221];

/// What asks for a diagram within a comment.
const REQUESTS: [&str; 2] = ["[#]", "[%diagram]"];

/// A comment that is one of these words, perhaps with a number, asks for a diagram.
const DIAGRAM_WORDS: [&str; 5] = ["diagram", "diagramme", "diagramma", "diagrama", "диаграмма"];

/// Returns a comment without its request for a diagram, and true if it has one.
fn without_request(text: &str) -> (Cow<'_, str>, bool) {
    if REQUESTS.iter().any(|request| text.contains(request)) {
        let text = REQUESTS.iter().fold(text.to_owned(), |text, request| text.replace(request, ""));
        return (text.into(), true);
    }
    let word = text.trim_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || c.is_ascii_punctuation());
    // No such word is longer, in Cyrillic either; most comments need not be changed to small letters.
    if word.len() < 20 && DIAGRAM_WORDS.contains(&word.to_lowercase().as_str()) {
        return ("".into(), true);
    }
    (text.into(), false)
}

/// Returns true if a variation is the best line that the sentence about the move shows, and is without words.
fn is_shown(line: &[MoveRow<'_>], sentence: &SentenceFacts) -> bool {
    let has_words = |played: &MoveRow<'_>| {
        let comment = [played.intro.as_deref(), played.comment.as_deref()].into_iter().flatten();
        !played.variations.is_empty() || comment.map(text_without_commands).any(|text| !text.trim().is_empty())
    };
    let first = line.first().and_then(|played| played.notation.as_deref());
    first.is_some_and(|first| sentence.shows_better(first, line.len() == 1)) && !line.iter().any(has_words)
}

/// Returns true if a move is marked as a mistake or a blunder.
fn is_marked(played: &MoveRow<'_>) -> bool {
    let is_bad = |nag: &u16| matches!(Judgement::of_nag(*nag), Some(Judgement::Mistake | Judgement::Blunder));
    played.nags.iter().any(is_bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::records::{Origin, game_row};

    fn item(text: &str, options: &SheetOptions) -> Item {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let mut row = game_row(&review, Origin { file: "f", game: 1, offset: 0 }, Vec::new());
        row.assess();
        SheetItem::new(&row, review.game().start(), options).expect("an item").0
    }

    fn game(text: &str, options: &SheetOptions) -> PrintedGame {
        match item(text, options) {
            Item::Game(game) => game,
            other => panic!("no game: {other:?}"),
        }
    }

    fn text(parts: &[Part]) -> String {
        let text = |part: &Part| match part {
            Part::Text(runs) => runs.iter().map(|run| &*run.text).collect::<Vec<_>>().join(" "),
            Part::Diagram(position) => format!("<{}>", position.turn().letter()),
        };
        parts.iter().map(text).collect::<Vec<_>>().join(" ").replace('\u{a0}', " ")
    }

    #[test]
    fn games_have_diagrams_before_marked_moves_and_where_comments_ask() {
        let game = game(
            "[White \"A\"]\n[Black \"B\"]\n[Event \"Cup\"]\n[Round \"3\"]\n[Date \"1999.??.??\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n\n\
             1. 32-28 {solid} 19-23 2. 28x19 14x23 3. 37-32 10-14? (3... 20-24 {better} 4. 41-37 (4. 42-37) 15-20) 4. 41-37 \
             14-19 {[#] a diagram} 5. 34-30 20-25 {Diagram 2} *",
            &SheetOptions::default(),
        );
        assert_eq!((&*game.players, &*game.result, &*game.details), ("A – B", "2-0", "Cup, 1999 (3)"));
        assert_eq!(
            text(&game.parts),
            "1. 32-28 solid 1… 19-23 2. 28x19 14x23 3. 37-32 <B> 3… 10-14? (3… 20-24 better 4. 41-37 (4. 42-37) 4… 15-20) \
             4. 41-37 14-19 a diagram <W> 5. 34-30 20-25 <W>"
        );
        let Part::Text(runs) = &game.parts[0] else { panic!("text") };
        assert_eq!((runs[0].style, runs[1].style), (Style::Move, Style::Comment));
    }

    #[test]
    fn a_best_line_that_the_sentence_shows_is_printed_once() {
        let printed = |variations: &str| {
            let record = format!(
                "[GameType \"20\"]\n1. 33-28 18-22 2. 28-23 $4 {{[%eval -1.00] [%pdn mark=4 text=0 \
                 words=loses|m1|19x28;better-keeps|31-27,22x31]}} {{Loses a man: 19x28. Better is 31-27 22x31, which loses \
                 nothing.}} {variations} 19x28 *"
            );
            text(&game(&record, &SheetOptions::default()).parts)
        };
        assert!(printed("(2. 31-27 {[%eval 0.10]} 22x31 3. 36x27)").ends_with("loses nothing. 2… 19x28"));
        for other in ["(2. 31-27 {solid} 22x31)", "(2. 34-30)", "(2. 31-27 22x31 (2... 21x32) 3. 36x27)"] {
            assert!(printed(other).contains("nothing. (2. 3"), "{}", printed(other));
        }
    }

    #[test]
    fn diagrams_may_be_regular() {
        let options = SheetOptions { diagrams_every: std::num::NonZeroU32::new(2), ..SheetOptions::default() };
        let text = text(&game("[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 *", &options).parts);
        assert_eq!(text, "1. 11-15 23-19 2. 8-11 22-17 <B> 3. 4-8");
    }

    #[test]
    fn the_task_of_an_exercise_is_its_result() {
        let task = |result: &str| {
            let record = format!("[GameType \"20\"]\n[Result \"{result}\"]\n[FEN \"B:W28,48:B18\"]\n1... 18-23 *");
            match item(&record, &SheetOptions::default()) {
                Item::Exercise(exercise) => (exercise.task, exercise.solution[0].text.clone()),
                other => panic!("no exercise: {other:?}"),
            }
        };
        assert_eq!(task("0-2"), (Task::Win, "1…\u{a0}18-23".to_owned()));
        assert_eq!((task("1-1").0, task("2-0").0, task("*").0), (Task::Draw, Task::Move, Task::Move));
        // The goal is what `verify` proves.
        let goal = |goal: &str| task(&format!("0-2\"]\n[Goal \"{goal}")).0;
        assert_eq!([goal("material"), goal("Draw"), goal("?")], [Task::Material, Task::Draw, Task::Win]);
        let as_game = SheetOptions { games: true, ..SheetOptions::default() };
        assert!(matches!(item("[GameType \"20\"]\n[FEN \"B:W28,48:B18\"]\n1... 18-23 *", &as_game), Item::Game(_)));
    }

    #[test]
    fn hostile_records_are_bounded() {
        let deep = format!("[GameType \"20\"]\n1. 32-28 {} 19-23 *", "(1. 31-27 ".repeat(50_000));
        assert!(text(&game(&deep, &SheetOptions::default()).parts).contains("(…)"));
        let long =
            format!("[White \"{}\"]\n[GameType \"20\"]\n1. 32-28 {{{}}} *", "Ж".repeat(9999), "w ".repeat(300_000));
        let game = game(&long, &SheetOptions::default());
        assert!(game.players.chars().count() < 300 && text(&game.parts).len() < MAX_GAME + 100);
        assert!(text(&game.parts).ends_with('…'));
    }
}
