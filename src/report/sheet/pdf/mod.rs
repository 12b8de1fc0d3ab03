//! Sheets as PDF: pages are drawn while items are added; fonts and forms follow at the end.

mod board;
mod canvas;
mod document;
mod font;
#[cfg(feature = "query")]
mod tables;
mod text;

use std::fmt;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::item::{Exercise, Item, Part, PrintedGame, PrintedText, Run, SheetItem, Style, Task};
use super::options::{SheetOptions, Solutions};
use super::too_many_pages;
use crate::error::Result;
use crate::notation::Numbering;
use crate::report::page::{Texts, sheet_texts};
use crate::rules::Position;
use canvas::{Canvas, Shared};
use font::{Fonts, Weight};
#[cfg(feature = "query")]
pub(crate) use tables::event_pdf;
use text::{Lines, Look, Segment};

/// Maximum number of pages. Their contents are in memory until the document is complete, at most about 10 kB each.
const MAX_PAGES: usize = 5_000;

/// Margins in points: at the sides, at the top, and at the bottom with the number of the page.
const SIDE: f32 = 42.0;
const TOP: f32 = 40.0;
const BOTTOM: f32 = 46.0;
/// Space between columns of text, and between exercises.
const GAP: f32 = 22.0;
/// Size of text and distance of lines.
const SIZE: f32 = 8.8;
const LEADING: f32 = 11.4;
/// Space between solutions.
const SPACE: f32 = 2.5;
/// Size and distance of lines of solutions at the foot of a page, and the largest share of the page that they take.
const FOOT_SIZE: f32 = 6.6;
const FOOT_LEADING: f32 = 8.2;
const FOOT_SHARE: f32 = 0.4;
/// Height of the two lines above the board of an exercise.
const CAPTION: f32 = 27.0;
/// Maximum number of lines of a solution below its board.
const BOARD_LINES: usize = 4;
/// Height of the title of the first page.
const TITLE: f32 = 32.0;
/// Largest width of a diagram in a game.
const MAX_DIAGRAM: f32 = 165.0;

/// A sheet as PDF.
pub(super) struct PdfSheet {
    options: SheetOptions,
    texts: Texts,
    shared: Shared,
    /// The compressed contents of complete pages.
    pages: Vec<Vec<u8>>,
    canvas: Option<Canvas>,
    /// The title, once the first item decides on it.
    title: String,
    /// The number of columns of text, the one in use, and the height at which it goes on.
    column: usize,
    y: f32,
    pending: Vec<Exercise>,
    solutions: Vec<(u64, Vec<Run>)>,
    counts: [u64; 2],
}

impl fmt::Debug for PdfSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PdfSheet")
            .field("options", &self.options)
            .field("pages", &self.pages.len())
            .finish_non_exhaustive()
    }
}

/// Returns bytes as a stream for the filter `FlateDecode`.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector cannot fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

impl PdfSheet {
    pub(super) fn new(options: SheetOptions) -> Self {
        let texts = sheet_texts(options.lang);
        Self {
            options,
            texts,
            shared: Shared { fonts: Fonts::new(), boards: Vec::new() },
            pages: Vec::new(),
            canvas: None,
            title: String::new(),
            column: 0,
            y: 0.0,
            pending: Vec::new(),
            solutions: Vec::new(),
            counts: [0; 2],
        }
    }

    pub(super) const fn counts(&self) -> [u64; 2] {
        [self.counts[0] + self.pending.len() as u64, self.counts[1]]
    }

    /// Adds an item.
    pub(super) fn add(&mut self, SheetItem(item): SheetItem) -> Result<()> {
        match item {
            Item::Exercise(exercise) => {
                self.begin("Exercises");
                self.pending.push(exercise);
                if self.pending.len() == self.options.per_page.boards() {
                    self.exercises()?;
                }
            }
            Item::Game(game) => {
                self.begin("Games");
                self.exercises()?;
                self.counts[1] += 1;
                self.game(&game)?;
            }
            Item::Text(text) => {
                self.begin("Exercises");
                self.exercises()?;
                self.printed_text(text)?;
            }
        }
        Ok(())
    }

    /// Returns the document, and the message that characters were replaced, if some were.
    pub(super) fn finish(mut self) -> Result<(Vec<u8>, Option<String>)> {
        self.begin("Exercises");
        self.exercises()?;
        self.last_solutions()?;
        if self.pages.is_empty() {
            self.begin_page()?;
        }
        self.end_page();
        let document = document::write(&self.title, self.paper(), &self.pages, &mut self.shared);
        Ok((document, self.shared.fonts.replaced()))
    }

    fn begin(&mut self, kind: &str) {
        if self.title.is_empty() {
            let title = self.options.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
            self.title = crate::text::printable(title.unwrap_or(&self.text(kind))).into_owned();
        }
    }

    fn text(&self, name: &str) -> String {
        self.texts.of(name).to_owned()
    }

    /// Returns the width and height of the paper.
    const fn paper(&self) -> (f32, f32) {
        self.options.paper.size()
    }

    /// Returns the width between the margins.
    const fn width(&self) -> f32 {
        self.paper().0 - 2.0 * SIDE
    }

    fn column_width(&self) -> f32 {
        (self.width() - GAP) / 2.0
    }

    /// Begins a page unless one is drawn.
    fn begin_page(&mut self) -> Result<()> {
        if self.canvas.is_none() {
            if self.pages.len() == MAX_PAGES {
                return Err(too_many_pages(MAX_PAGES));
            }
            self.canvas = Some(self.new_page());
            (self.column, self.y) = (0, self.column_top());
        }
        Ok(())
    }

    /// Returns a page with its number, the first one with the title, the others with it at the foot.
    fn new_page(&mut self) -> Canvas {
        let mut canvas = Canvas::new();
        let ((paper, height), width, number) = (self.paper(), self.width(), self.pages.len() + 1);
        let (shared, small) = (&mut self.shared, Look::new(Weight::Regular, 8.0).muted());
        if number == 1 {
            let size = (16.0 * width / shared.fonts.width(&self.title, Weight::Bold, 16.0)).clamp(9.0, 16.0);
            let title = shared.fonts.cut(&self.title, Weight::Bold, (size, width));
            canvas.centred(shared, &title, Look::new(Weight::Bold, size), (paper / 2.0, height - TOP - 12.0));
        } else {
            let title = shared.fonts.cut(&self.title, Weight::Regular, (8.0, 0.45 * width));
            canvas.text(shared, &title, small, (SIDE, 26.0));
        }
        canvas.centred(shared, &number.to_string(), small, (paper / 2.0, 26.0));
        canvas
    }

    fn end_page(&mut self) {
        if let Some(canvas) = self.canvas.take() {
            self.pages.push(compressed(&canvas.0.finish()));
        }
    }

    /// Draws on the page with what all pages share.
    fn draw(&mut self, draw: impl FnOnce(&mut Canvas, &mut Shared)) -> Result<()> {
        self.begin_page()?;
        if let Some(canvas) = &mut self.canvas {
            draw(canvas, &mut self.shared);
        }
        Ok(())
    }

    /// Draws a page with the exercises that wait for one.
    fn exercises(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.end_page();
        self.begin_page()?;
        let (pending, grid) = (std::mem::take(&mut self.pending), self.options.per_page);
        let first = self.counts[0];
        let numbered: Vec<_> = (first + 1..).zip(&pending).collect();
        let foot = if self.options.solutions == Solutions::Foot { self.foot(&numbered)? } else { 0.0 };
        let width = (self.width() - GAP * (grid.columns - 1) as f32) / grid.columns as f32;
        let height = (self.y - BOTTOM - foot) / grid.rows as f32;
        let top = self.y;
        for (n, (number, exercise)) in numbered.iter().enumerate() {
            let x = SIDE + (n % grid.columns) as f32 * (width + GAP);
            let y = top - (n / grid.columns) as f32 * height;
            self.exercise(*number, exercise, (x, y), (width, height - 8.0))?;
        }
        self.counts[0] += pending.len() as u64;
        if self.options.solutions == Solutions::Last {
            self.solutions.extend((first + 1..).zip(pending.into_iter().map(|exercise| exercise.solution)));
        }
        self.end_page();
        Ok(())
    }

    /// Draws an exercise with its upper left corner at a place.
    fn exercise(
        &mut self,
        number: u64,
        exercise: &Exercise,
        (x, y): (f32, f32),
        (width, height): (f32, f32),
    ) -> Result<()> {
        let turn = exercise.position.turn();
        let (task, number) = (self.text(exercise.task.text(turn)), format!("{number}."));
        let has_solution = self.options.solutions == Solutions::Board;
        let below = if has_solution { BOARD_LINES as f32 * FOOT_LEADING } else { 0.0 };
        let square = square_size(&exercise.position, (width, height - CAPTION - below));
        let shape = Numbering::for_variant(exercise.position.variant()).shape();
        let (board_width, board_height) = (f32::from(shape.width()) * square, f32::from(shape.height()) * square);
        let left = x + (width - board_width) / 2.0;
        let bottom = y - CAPTION + 3.0 - board_height;
        let solution = plain(&exercise.solution).filter(|_| has_solution).collect::<Vec<_>>();
        let lines = self.small_lines(&solution, board_width, BOARD_LINES);
        self.draw(|canvas, shared| {
            let needed = shared.fonts.width(&number, Weight::Bold, 10.0)
                // Room for the disc of the side to move.
                + 16.0
                + shared.fonts.width(&task, Weight::Regular, 9.5);
            // Above a narrow board the line shrinks to fit, but stays readable.
            let scale = (board_width / needed).clamp(0.4, 1.0);
            let base = y - 9.0;
            canvas.text(shared, &number, Look::new(Weight::Bold, 10.0 * scale), (left, base));
            let after = left + shared.fonts.width(&number, Weight::Bold, 10.0 * scale);
            canvas.turn(turn, (after + 8.0 * scale, base + 3.4 * scale), 3.6 * scale);
            canvas.text(shared, &task, Look::new(Weight::Regular, 9.5 * scale), (after + 16.0 * scale, base));
            let source = shared.fonts.cut(&exercise.source, Weight::Regular, (7.0, board_width));
            canvas.text(shared, &source, Look::new(Weight::Regular, 7.0).muted(), (left, base - 10.5));
            canvas.board(shared, (&exercise.position, exercise.is_flipped), (left, bottom), square);
            for (line, y) in lines.iter().zip(1..) {
                canvas.line(shared, line, (left, bottom - y as f32 * FOOT_LEADING));
            }
        })
    }

    /// Draws the solutions of a page at its foot, upside down, and returns their height.
    fn foot(&mut self, numbered: &[(u64, &Exercise)]) -> Result<f32> {
        let mut runs = Vec::new();
        for (number, exercise) in numbered {
            runs.push(Run { text: format!("{number}."), style: Style::Move });
            runs.extend(plain(&exercise.solution));
        }
        let (width, height) = self.paper();
        let lines = self.small_lines(&runs, self.width(), (FOOT_SHARE * height / FOOT_LEADING) as usize);
        let total = lines.len() as f32 * FOOT_LEADING + 10.0;
        self.draw(|canvas, shared| {
            canvas.rule((SIDE, BOTTOM + total - 4.0), width - 2.0 * SIDE);
            // Turned by half, the first line is the lowest one and begins at the right.
            canvas.0.save_state().transform([-1.0, 0.0, 0.0, -1.0, width - SIDE, BOTTOM - 8.0]);
            for (n, line) in lines.iter().enumerate() {
                canvas.line(shared, line, (0.0, -(n as f32 + 0.8) * FOOT_LEADING));
            }
            canvas.0.restore_state();
        })?;
        Ok(total)
    }

    /// Returns the lines of solutions in small print, at most so many.
    fn small_lines(&self, runs: &[Run], width: f32, most: usize) -> Vec<Vec<Segment>> {
        let mut lines = Lines::new(&self.shared.fonts, FOOT_SIZE, width).with(runs).finish();
        if lines.len() > most {
            lines.truncate(most);
            lines.last_mut().and_then(|line| line.last_mut()).into_iter().for_each(|last| last.text.push_str(" …"));
        }
        lines
    }

    /// Draws a game in columns.
    fn game(&mut self, game: &PrintedGame) -> Result<()> {
        self.begin_page()?;
        // The heading of a position is not apart from its diagram.
        let begins_with_diagram = matches!(game.parts.first(), Some(Part::Diagram(_)));
        self.room(6.0 * LEADING + if begins_with_diagram { MAX_DIAGRAM } else { 0.0 })?;
        if self.y < self.column_top() {
            self.y -= 10.0;
        }
        let heading = [&*game.players, &*game.result].join("  ");
        let heading = Run { text: heading, style: Style::Move };
        self.paragraph(&[heading], (10.5, 13.0))?;
        if !game.details.is_empty() {
            self.paragraph(&[Run { text: game.details.clone(), style: Style::Aside }], (SIZE - 0.4, LEADING))?;
        }
        self.y -= 3.0;
        for part in &game.parts {
            match part {
                Part::Text(runs) => self.paragraph(runs, (SIZE, LEADING))?,
                Part::Diagram(position) => self.diagram(position)?,
            }
        }
        Ok(())
    }

    /// Draws a heading with paragraphs in columns.
    fn printed_text(&mut self, text: PrintedText) -> Result<()> {
        self.room(8.0 * LEADING)?;
        if self.y < self.column_top() {
            self.y -= 12.0;
        }
        self.paragraph(&[Run { text: text.heading, style: Style::Move }], (12.5, 16.0))?;
        for runs in &text.paragraphs {
            self.y -= SPACE;
            self.paragraph(runs, (SIZE, LEADING))?;
        }
        Ok(())
    }

    /// Goes on in the next column or on the next page unless so much is left of this one.
    fn room(&mut self, height: f32) -> Result<()> {
        self.begin_page()?;
        if self.y - height >= BOTTOM {
            return Ok(());
        }
        if self.column == 0 {
            self.column = 1;
            self.y = self.column_top();
            return Ok(());
        }
        self.end_page();
        self.begin_page()
    }

    /// Returns the height at which the columns of the page begin.
    fn column_top(&self) -> f32 {
        self.paper().1 - TOP - if self.pages.is_empty() { TITLE } else { 0.0 }
    }

    /// Returns the left edge of the column in use.
    fn left(&self) -> f32 {
        SIDE + self.column as f32 * (self.column_width() + GAP)
    }

    fn paragraph(&mut self, runs: &[Run], (size, leading): (f32, f32)) -> Result<()> {
        let lines: Vec<Vec<Segment>> = Lines::new(&self.shared.fonts, size, self.column_width()).with(runs).finish();
        for line in lines {
            self.room(leading)?;
            self.y -= leading;
            let place = (self.left(), self.y);
            self.draw(|canvas, shared| canvas.line(shared, &line, place))?;
        }
        Ok(())
    }

    /// Draws a diagram in a column, with the side to move below it.
    fn diagram(&mut self, position: &Position) -> Result<()> {
        let square = square_size(position, (self.column_width().min(MAX_DIAGRAM), MAX_DIAGRAM));
        let shape = Numbering::for_variant(position.variant()).shape();
        let (width, height) = (f32::from(shape.width()) * square, f32::from(shape.height()) * square);
        self.room(height + 24.0)?;
        let turn = position.turn();
        let text = self.text(Task::Move.text(turn));
        let (middle, y) = (self.left() + self.column_width() / 2.0, self.y - 5.0 - height);
        self.draw(|canvas, shared| {
            canvas.board(shared, (position, false), (middle - width / 2.0, y), square);
            let look = Look::new(Weight::Regular, 7.8);
            let length = shared.fonts.width(&text, look.weight, look.size) + 10.0;
            canvas.turn(turn, (middle - length / 2.0 + 3.0, y - 8.2), 2.9);
            canvas.text(shared, &text, look, (middle - length / 2.0 + 10.0, y - 11.0));
        })?;
        self.y = y - 15.0;
        Ok(())
    }

    /// Draws the solutions of all exercises.
    fn last_solutions(&mut self) -> Result<()> {
        let solutions = std::mem::take(&mut self.solutions);
        if solutions.is_empty() {
            return Ok(());
        }
        self.end_page();
        let title = Run { text: self.text("Solutions"), style: Style::Move };
        self.room(4.0 * LEADING)?;
        self.paragraph(&[title], (12.0, 16.0))?;
        self.y -= 2.0;
        let top = self.y;
        let solutions: Vec<_> = solutions.into_iter().map(numbered).collect();
        let (fonts, width) = (&self.shared.fonts, self.column_width());
        let height = |runs| Lines::new(fonts, SIZE, width).with(runs).finish().len() as f32 * LEADING + SPACE;
        let heights: Vec<f32> = solutions.iter().map(|runs| height(runs)).collect();
        let half = heights.iter().sum::<f32>() / 2.0;
        // Solutions of a single page fill both columns.
        let is_balanced = half + 2.0 * LEADING < top - BOTTOM;
        let mut above = 0.0;
        for (runs, height) in solutions.iter().zip(heights) {
            if is_balanced && self.column == 0 && above >= half {
                (self.column, self.y) = (1, top);
            }
            self.room(2.0 * LEADING)?;
            self.paragraph(runs, (SIZE, LEADING))?;
            self.y -= SPACE;
            above += height;
        }
        Ok(())
    }
}

/// Returns a solution without bold moves.
fn plain(solution: &[Run]) -> impl Iterator<Item = Run> {
    solution.iter().map(|run| Run { text: run.text.clone(), style: Style::Comment })
}

/// Returns a solution after its number.
fn numbered((number, mut runs): (u64, Vec<Run>)) -> Vec<Run> {
    runs.iter_mut().filter(|run| run.style == Style::Move).for_each(|run| run.style = Style::Comment);
    runs.insert(0, Run { text: format!("{number}."), style: Style::Move });
    runs
}

/// Returns the width of the squares of a board that fits into a space.
fn square_size(position: &Position, (width, height): (f32, f32)) -> f32 {
    let shape = Numbering::for_variant(position.variant()).shape();
    (width / f32::from(shape.width())).min(height / f32::from(shape.height())).max(1.0)
}
