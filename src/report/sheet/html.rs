//! Sheets as HTML, to print from a browser.

use std::fmt::Write as _;

use super::item::{Exercise, Item, Part, PrintedGame, PrintedText, Run, SheetItem, Style, Task};
use super::options::{Paper, SheetOptions, Solutions};
use crate::board::Side;
use crate::notation::Numbering;
use crate::report::page::{Texts, escaped, sheet_texts, static_start};
use crate::report::{BoardView, titled_board_svg};
use crate::rules::Position;
#[cfg(feature = "cli")]
use crate::text::Language;

const STYLE: &str = concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("sheet.css"));

/// A sheet as HTML. It has no script and loads nothing.
#[derive(Debug)]
pub(super) struct HtmlSheet {
    options: SheetOptions,
    texts: Texts,
    has_begun: bool,
    /// The exercises of the next page.
    pending: Vec<Exercise>,
    /// The solutions of all pages, if they come last.
    solutions: String,
    counts: [u64; 2],
}

impl HtmlSheet {
    pub(super) fn new(options: SheetOptions) -> Self {
        let texts = sheet_texts(options.lang);
        Self { options, texts, has_begun: false, pending: Vec::new(), solutions: String::new(), counts: [0; 2] }
    }

    pub(super) const fn counts(&self) -> [u64; 2] {
        [self.counts[0] + self.pending.len() as u64, self.counts[1]]
    }

    /// Adds an item and returns the part of the page that is complete.
    pub(super) fn add(&mut self, SheetItem(item): SheetItem) -> String {
        let mut out = String::new();
        match item {
            Item::Exercise(exercise) => {
                self.begin(&mut out, "Exercises");
                self.pending.push(exercise);
                if self.pending.len() == self.options.per_page.boards() {
                    self.page(&mut out);
                }
            }
            Item::Game(game) => {
                self.begin(&mut out, "Games");
                self.page(&mut out);
                self.counts[1] += 1;
                write_game(&mut out, &game, &self.texts);
            }
            Item::Text(text) => {
                self.begin(&mut out, "Exercises");
                self.page(&mut out);
                write_text(&mut out, &text);
            }
        }
        out
    }

    /// Returns the rest of the page.
    pub(super) fn finish(mut self) -> String {
        let mut out = String::new();
        self.begin(&mut out, "Exercises");
        self.page(&mut out);
        if !self.solutions.is_empty() {
            let (title, list) = (self.text("Solutions"), &self.solutions);
            let _ = write!(
                out,
                "<section class=\"solutions\">\n<h1>{title}</h1>\n<div class=\"list\">\n{list}</div>\n</section>\n"
            );
        }
        out.push_str("</body>\n</html>\n");
        out
    }

    fn text(&self, name: &str) -> String {
        escaped(self.texts.of(name))
    }

    /// Writes the start of the page before its first item, whose kind is the title of the page unless it has one.
    fn begin(&mut self, out: &mut String, kind: &str) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let title = self.options.title.as_deref().map_or_else(|| self.text(kind), escaped);
        let paper = match self.options.paper {
            Paper::A4 => "a4",
            Paper::Letter => "letter",
        };
        let start = static_start(self.options.lang, &title, STYLE);
        out.push_str(&start.replace("<body>", &format!("<body class=\"{paper}\">")));
        // Writing to a string cannot fail, here and elsewhere.
        let _ = writeln!(out, "<h1>{title}</h1>");
    }

    /// Writes a page with the exercises that wait for one.
    fn page(&mut self, out: &mut String) {
        if self.pending.is_empty() {
            return;
        }
        let grid = self.options.per_page;
        let class = match self.options.solutions {
            Solutions::Foot | Solutions::Board => " has-foot",
            Solutions::Last | Solutions::None => "",
        };
        let _ = writeln!(out, "<section class=\"page columns-{} rows-{}{class}\">", grid.columns, grid.rows);
        out.push_str("<div class=\"grid\">\n");
        let mut solutions = String::new();
        for exercise in std::mem::take(&mut self.pending) {
            self.counts[0] += 1;
            self.exercise(out, &exercise);
            let _ = writeln!(
                solutions,
                "<p class=\"solution\"><span class=\"number\">{}.</span> {}</p>",
                self.counts[0],
                runs(&exercise.solution)
            );
        }
        out.push_str("</div>\n");
        match self.options.solutions {
            Solutions::Last => self.solutions.push_str(&solutions),
            Solutions::Foot => {
                let _ = write!(out, "<aside class=\"foot\">\n{solutions}</aside>\n");
            }
            Solutions::Board | Solutions::None => {}
        }
        out.push_str("</section>\n");
    }

    fn exercise(&self, out: &mut String, exercise: &Exercise) {
        let turn = exercise.position.turn();
        let (number, task, source) = (self.counts[0], self.text(exercise.task.text(turn)), escaped(&exercise.source));
        let _ = write!(
            out,
            "<figure class=\"exercise\"><figcaption><span class=\"number\">{number}.</span>{}{task}\
             <span class=\"source\">{source}</span></figcaption>\n{}",
            disc(turn),
            board(&exercise.position, exercise.is_flipped, &self.texts),
        );
        if self.options.solutions == Solutions::Board {
            let _ = write!(out, "\n<p class=\"solution\">{}</p>\n", runs(&exercise.solution));
        }
        out.push_str("</figure>\n");
    }
}

/// Returns texts and games as parts of another page; exercises are left out.
#[cfg(feature = "cli")]
pub(in crate::report) fn articles<'a>(items: impl IntoIterator<Item = &'a SheetItem>, language: Language) -> String {
    let (texts, mut out) = (sheet_texts(language), String::new());
    for SheetItem(item) in items {
        match item {
            Item::Game(game) => write_game(&mut out, game, &texts),
            Item::Text(text) => write_text(&mut out, text),
            Item::Exercise(_) => {}
        }
    }
    out
}

fn write_text(out: &mut String, text: &PrintedText) {
    let _ = writeln!(out, "<section class=\"text\">\n<h2>{}</h2>", escaped(&text.heading));
    for paragraph in &text.paragraphs {
        let _ = writeln!(out, "<p>{}</p>", runs(paragraph));
    }
    out.push_str("</section>\n");
}

fn write_game(out: &mut String, game: &PrintedGame, texts: &Texts) {
    let [players, result, details] = [&game.players, &game.result, &game.details].map(|text| escaped(text));
    let _ = write!(
        out,
        "<article class=\"game\">\n<h2><span class=\"result\">{result}</span>{players}</h2>\n<p class=\"details\">{details}</p>\n"
    );
    for part in &game.parts {
        let _ = match part {
            Part::Text(text) => writeln!(out, "<p>{}</p>", runs(text)),
            Part::Diagram(position) => {
                let (turn, board) = (position.turn(), board(position, false, texts));
                let text = to_move(turn, texts);
                writeln!(out, "<figure>{board}<figcaption>{}{text}</figcaption></figure>", disc(turn))
            }
        };
    }
    out.push_str("</article>\n");
}

fn board(position: &Position, is_flipped: bool, texts: &Texts) -> String {
    let (numbering, view) = (Numbering::for_variant(position.variant()), BoardView::default().flipped(is_flipped));
    titled_board_svg(position, numbering, &view, &to_move(position.turn(), texts))
}

/// Returns which side is to move.
fn to_move(turn: Side, texts: &Texts) -> String {
    escaped(texts.of(Task::Move.text(turn)))
}

/// Returns a disc in the colour of a side.
const fn disc(turn: Side) -> &'static str {
    match turn {
        Side::White => "<span class=\"turn\"></span>",
        Side::Black => "<span class=\"turn black\"></span>",
    }
}

fn runs(runs: &[Run]) -> String {
    let run = |Run { text, style }: &Run| {
        let (text, class) = (escaped(text), if is_move(text) { " move" } else { "" });
        match style {
            Style::Move => format!("<b class=\"move\">{text}</b>"),
            Style::Comment => unbroken(&text),
            Style::Aside => format!("<span class=\"aside{class}\">{text}</span>"),
        }
    };
    runs.iter().map(run).collect::<Vec<_>>().join(" ")
}

/// Returns a text with moves that browsers do not break: a word joiner follows each hyphen after a digit.
fn unbroken(text: &str) -> String {
    let mut last = ' ';
    let kept = |c: char| {
        let joins = c == '-' && last.is_ascii_digit();
        last = c;
        std::iter::once(c).chain(joins.then_some('\u{2060}'))
    };
    text.chars().flat_map(kept).collect()
}

/// Returns true for a text that browsers must not break at its hyphen: a move has at most a no-break space after its number.
fn is_move(text: &str) -> bool {
    text.len() < 40 && !text.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_comments_are_not_broken() {
        assert_eq!(unbroken("well-kept: 32-28 c3-d4"), "well-kept: 32-\u{2060}28 c3-\u{2060}d4");
    }
}
