//! Exercises to solve in a browser, as a page that needs neither other files nor an engine: the legal moves of each position of a
//! solution, and the answers to the wrong ones, are in its data.

use std::collections::HashSet;
use std::ops::AddAssign;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::json;

use super::board::PageBoard;
use super::page_game::comment;
use super::policy::policy;
use super::texts::{sheet_text, solve_texts, solving_texts};
use super::{TEMPLATE, board_block, data_block, escaped, joined};
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Summary};
use crate::pdn::Outside;
use crate::records::{GameRow, MoveRow, checked_row};
use crate::report::SheetItem;
use crate::report::sheet::{Task, articles, heading, known, not_played, source};
use crate::rules::{Move, Position, Variant};
use crate::shots::Definition;
use crate::text::Language;

const BODY: &str = include_str!("solve.html");
const STYLE: &str = concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("solve.css"));

/// The modules of the script, each after those that it imports.
static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    joined(&[
        include_str!("../../../web/app/parts/dom.js"),
        include_str!("../../../web/app/parts/model.js"),
        include_str!("../../../web/app/parts/board.js"),
        include_str!("../../../web/app/parts/input.js"),
        include_str!("solve.js"),
    ])
});

/// Points, in thousandths, that a move may lose to be as good as the right one: half of what an inaccuracy loses.
const SLACK: u16 = 50;

/// Maximum number of ways of one capture that a page knows; a king may have hundreds.
const MAX_WAYS: usize = 12;

/// A line that begins with a move, and the points that the side to move can expect then, in thousandths.
pub(crate) type ValuedLine = (Vec<Move>, u16);

/// The work that makes the exercises of a page. `F` searches the moves of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExerciseWork<F> {
    language: Language,
    /// Takes positions too that did not occur in a game.
    all: bool,
    search: F,
}

/// The exercises of a page, and the diagnostics about all records.
#[derive(Debug, Default)]
pub(crate) struct Exercises {
    pub(crate) blocks: Vec<ExerciseBlock>,
    pub(crate) left_out: LeftOut,
    pub(crate) summary: Summary,
}

/// The numbers of records that are left out, by reason.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeftOut {
    /// Their positions did not occur in a game.
    pub(crate) not_played: u64,
    /// Their solutions have an illegal move or a null move.
    pub(crate) illegal: u64,
    /// They begin with the usual start, or have no solution.
    pub(crate) others: u64,
}

impl AddAssign for LeftOut {
    fn add_assign(&mut self, other: Self) {
        self.not_played += other.not_played;
        self.illegal += other.illegal;
        self.others += other.others;
    }
}

/// An exercise as a page stores it.
#[derive(Debug)]
pub(crate) struct ExerciseBlock {
    variant: Variant,
    block: String,
}

#[derive(Serialize)]
struct Data {
    variant: &'static str,
    start: String,
    turn: char,
    task: String,
    /// Where it comes from.
    source: String,
    /// The name of the shot.
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// The moves of the solution: number, notation, change and comment.
    line: Vec<(String, String, String, Option<String>)>,
    /// The moves that are possible before each move of the solver in it.
    steps: Vec<Vec<Choice>>,
}

/// A move that is possible.
#[derive(Serialize)]
struct Choice {
    notation: String,
    change: String,
    /// The places on its ways.
    paths: Vec<Vec<u8>>,
    /// The moves that answer it, if it is wrong: notation and change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    answer: Vec<(String, String)>,
    /// True if it is as good as the right one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    good: bool,
}

impl<F: Fn(&Position) -> Vec<ValuedLine>> ExerciseWork<F> {
    /// Returns work for readers of a language; `all` takes positions too that did not occur in a game, and `search` returns a line for
    /// each move of a position.
    pub(crate) const fn new(language: Language, all: bool, search: F) -> Self {
        Self { language, all, search }
    }

    /// Returns the exercise of a record, if its solution can be played and it does not begin with the usual start.
    pub(crate) fn exercise(&self, row: &GameRow<'_>, start: &Position) -> Option<ExerciseBlock> {
        let variant = start.variant();
        if !is_exercise(row, start) || !is_legal(row) {
            return None;
        }
        let board = PageBoard::of(variant);
        let (mut before, mut line, mut steps) = (*start, Vec::new(), Vec::new());
        let is_ours = Task::named(row).is_some();
        for (n, played) in row.moves.iter().enumerate() {
            let after = *played.fen.as_ref()?.position();
            if before.turn() == start.turn() {
                steps.push(self.choices(&board, &before, (played, &after), is_ours));
            }
            let change = board.change(Some(&before), &after, board.ends(played.from, played.to));
            let number = number_of(played, n == 0, variant);
            line.push((
                number,
                played.notation.as_deref()?.to_owned(),
                change,
                played.comment.as_deref().and_then(comment),
            ));
            before = after;
        }
        let task = Task::of(row, start.turn()).text(start.turn());
        let data = Data {
            variant: variant.name(),
            start: board.letters(Some(start)),
            turn: start.turn().letter(),
            task: sheet_text(self.language, task),
            source: not_played(row, self.language).unwrap_or_else(|| source(row)),
            theme: known(row, "Theme").map(|theme| self.theme(theme)),
            comment: row.comment.as_deref().and_then(comment),
            line,
            steps,
        };
        let json = serde_json::to_string(&data).unwrap_or_default();
        Some(ExerciseBlock { variant, block: data_block("exercise", &[&json]) })
    }

    fn theme(&self, id: &str) -> String {
        Definition::by_id(id).map_or_else(|| heading(id), |shot| shot.name(self.language.code()).to_owned())
    }

    /// Returns the moves that are possible in a position of a solution, with the answers to those that are wrong: the line of the
    /// record, or else that of a search. In puzzles of this program, whose goal is named, the right move is known to be the only one.
    fn choices(
        &self,
        board: &PageBoard,
        before: &Position,
        (right, after): (&MoveRow<'_>, &Position),
        is_ours: bool,
    ) -> Vec<Choice> {
        let legal = before.legal_moves();
        let lines = if legal.len() > 1 { (self.search)(before) } else { Vec::new() };
        let found = legal.iter().find(|step| before.play_unchecked(step) == *after);
        let line_of = |step: &Move| lines.iter().find(|(line, _)| line.first() == Some(step));
        let points = found.and_then(line_of).map(|(_, points)| *points);
        let choice = |step: &Move| {
            let next = before.play_unchecked(step);
            let is_right = next == *after;
            let is_same = found.is_some_and(|found| found.is_capture() && found.captured() == step.captured());
            let line = line_of(step);
            let is_as_good =
                || line.zip(points).is_some_and(|((_, points), best)| points.saturating_add(SLACK) >= best);
            let good = !is_right && (is_same || !is_ours && is_as_good());
            let answer = || {
                let written = right.variations.iter().filter(|line| leads_to(line, &next));
                let mut answers = written.map(|rows| written_line(board, next, &rows[1..]));
                // A variation may have nothing after the wrong move, or only moves that are not legal.
                let written = answers.find(|answer| !answer.is_empty());
                written.or_else(|| line.map(|(line, _)| searched_line(board, next, &line[1..])))
            };
            let answer = if is_right || good { None } else { answer() };
            let ways = before.paths(step);
            let paths = ways.iter().take(MAX_WAYS).map(|way| way.iter().map(|&square| board.place(square)).collect());
            Choice {
                notation: before.short(step),
                change: change(board, before, step),
                paths: paths.collect(),
                answer: answer.unwrap_or_default(),
                good,
            }
        };
        legal.iter().map(choice).collect()
    }
}

/// Returns true for a record with a solution that does not begin with the usual start.
fn is_exercise(row: &GameRow<'_>, start: &Position) -> bool {
    *start != Position::start(start.variant()) && !row.moves.is_empty()
}

/// Returns true if each move of the main line could be played.
fn is_legal(row: &GameRow<'_>) -> bool {
    row.moves.iter().all(|row| row.fen.is_some() && row.notation.is_some())
}

/// Returns the change that a move makes to a position.
fn change(board: &PageBoard, before: &Position, step: &Move) -> String {
    board.change(Some(before), &before.play_unchecked(step), Some((step.from(), step.to())))
}

/// Returns true if the first move of a variation leads to a position.
fn leads_to(line: &[MoveRow<'_>], next: &Position) -> bool {
    line.first().and_then(|row| row.fen.as_ref()).is_some_and(|after| after.position() == next)
}

fn written_line(board: &PageBoard, mut before: Position, rows: &[MoveRow<'_>]) -> Vec<(String, String)> {
    let mut line = Vec::new();
    for row in rows {
        let (Some(after), Some(notation)) = (&row.fen, &row.notation) else { break };
        let change = board.change(Some(&before), after.position(), board.ends(row.from, row.to));
        line.push((notation.to_string(), change));
        before = *after.position();
    }
    line
}

fn searched_line(board: &PageBoard, mut before: Position, line: &[Move]) -> Vec<(String, String)> {
    let step = |step: &Move| {
        let made = (before.short(step), change(board, &before, step));
        before = before.play_unchecked(step);
        made
    };
    line.iter().map(step).collect()
}

/// Returns the number before a move, if one is written there: before the first move, and before those of the side that begins.
fn number_of(row: &MoveRow<'_>, is_first: bool, variant: Variant) -> String {
    if row.side == variant.starts().letter() {
        format!("{}.", row.move_no)
    } else if is_first {
        format!("{}…", row.move_no)
    } else {
        String::new()
    }
}

impl<F: Fn(&Position) -> Vec<ValuedLine> + Send + Sync + 'static> GameWork for ExerciseWork<F> {
    type Done = Exercises;

    fn game(&self, game: CheckedGame<'_>, done: &mut Exercises) {
        done.summary.count_game(game.review());
        let row = checked_row(&game);
        let start = game.review().game().start();
        if known(&row, "Instead").is_some() && !self.all {
            done.left_out.not_played += 1;
        } else if start.is_some_and(|start| is_exercise(&row, start)) && !is_legal(&row) {
            done.left_out.illegal += 1;
        } else if let Some(block) = start.and_then(|start| self.exercise(&row, start)) {
            done.blocks.push(block);
        } else {
            done.left_out.others += 1;
        }
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut Exercises) {
        done.summary.count(outside.diagnostic());
    }
}

/// A page with exercises: the text before them, the exercises, and the text after them.
#[derive(Debug)]
pub(crate) struct SolvePage {
    language: Language,
    /// The title.
    pub(crate) title: String,
    /// The address of the index, if it is a page of a site of lessons.
    index: Option<&'static str>,
    /// What is above the exercises, as HTML.
    introduction: String,
    boards: HashSet<Variant>,
    /// The number of exercises.
    pub(crate) exercises: u64,
}

impl SolvePage {
    /// Returns a page with a title, or with the usual one.
    pub(crate) fn new(language: Language, title: Option<String>) -> Self {
        let title = title.unwrap_or_else(|| solving_texts(language).of("exercises").to_owned());
        Self { language, title, index: None, introduction: String::new(), boards: HashSet::new(), exercises: 0 }
    }

    /// Makes it a page of a site of lessons, which leads to the index.
    #[must_use]
    pub(crate) fn with_index(self) -> Self {
        Self { index: Some("../index.html"), ..self }
    }

    /// Puts texts and games above the exercises.
    #[must_use]
    pub(crate) fn with_introduction<'a>(self, items: impl IntoIterator<Item = &'a SheetItem>) -> Self {
        let summary = escaped(&sheet_text(self.language, "Explanation and examples"));
        let articles = articles(items, self.language);
        let introduction = format!(
            "<details id=\"introduction\" open>\n<summary>{summary}</summary>\n<div class=\"articles\">\n{articles}</div>\n</details>\n"
        );
        Self { introduction, ..self }
    }

    /// Returns the page up to its exercises.
    pub(crate) fn start(&self) -> String {
        let texts = solve_texts(self.language);
        let (head, _) = TEMPLATE.split_once("<body>").unwrap_or((TEMPLATE, ""));
        let page = json!({ "texts": texts, "index": self.index });
        let filled = [
            ("{{language}}", self.language.code()),
            ("{{policy}}", &policy(Some(&SCRIPT), STYLE)),
            ("{{version}}", env!("CARGO_PKG_VERSION")),
            ("{{noscript}}", texts.of("needsScript")),
            ("{{style}}", STYLE),
            // The last ones: they may have the placeholder of another.
            ("{{introduction}}", &self.introduction),
            ("{{title}}", &escaped(&self.title)),
        ];
        let template = format!("{head}<body>\n{BODY}");
        let start = filled.iter().fold(template, |html, (name, value)| html.replace(name, value));
        start + &data_block("page", &[&page.to_string()])
    }

    /// Returns an exercise, after its board if that is the first one of the variant.
    pub(crate) fn add(&mut self, exercise: &ExerciseBlock) -> String {
        self.exercises += 1;
        let is_new = self.boards.insert(exercise.variant);
        let board = if is_new { board_block(exercise.variant) } else { String::new() };
        board + &exercise.block
    }

    /// Returns the end of every page, after its exercises.
    pub(crate) fn end() -> String {
        format!("<script>{}</script>\n</body>\n</html>\n", &*SCRIPT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_the_script_and_the_style_of_the_page() {
        let page = SolvePage::new(Language::English, Some("{{style}} <b>".to_owned()));
        let html = page.start() + &SolvePage::end();
        let between = |start: &str, end: &str| {
            let (_, rest) = html.split_once(start).expect("a start");
            rest.split_once(end).expect("an end").0
        };
        let allowed = policy(Some(between("<script>", "</script>")), between("<style>", "</style>"));
        assert!(html.contains(&format!("content=\"{allowed}\"")));
        assert!(html.contains("<title>{{style}} &lt;b&gt;</title>"));
        assert_eq!(html.matches("{{").count(), 1, "every placeholder is filled");
    }
}
