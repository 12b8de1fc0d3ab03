//! The tables of tournaments as PDF, on A4.

use super::canvas::{Canvas, Shared};
use super::font::{Fonts, Weight};
use super::text::Look;
use super::{BOTTOM, MAX_PAGES, SIDE, TOP, compressed, document};
use crate::error::Result;
use crate::export::{TextTable, sheets};
use crate::records::EventRow;
use crate::report::page::event_texts;
use crate::report::sheet::{Paper, too_many_pages};
use crate::text::{Language, printable};

/// Size of the text of a table, and the smallest one to which a wide table shrinks, in points.
const SIZE: f32 = 8.5;
const SMALLEST: f32 = 4.5;
/// Space between columns.
const GAP: f32 = 7.0;

/// Returns the tables of tournaments as a PDF in a language, without their diagnostics, and the message that characters were replaced,
/// if some were.
///
/// # Errors
///
/// If it has too many pages.
pub(crate) fn event_pdf(events: &[EventRow], language: Language) -> Result<(Vec<u8>, Option<String>)> {
    let texts = event_texts(language);
    let text = |name: &str| printable(texts.of(name)).into_owned();
    let name = |event: &EventRow| {
        event.event.as_deref().map_or_else(|| text("tournament"), |name| printable(name).into_owned())
    };
    let shared = Shared { fonts: Fonts::new(), boards: Vec::new() };
    let mut paper = Tables { shared, pages: Vec::new(), canvas: Canvas::new(), y: Paper::A4.size().1 - TOP };
    for event in events {
        paper.heading(&name(event), 16.0)?;
        // Readers on paper want the tables; the organiser asks for what is wrong.
        for table in sheets(event, &text).iter().filter(|table| table.title != "Diagnostics") {
            paper.heading(&text(table.title), 11.0)?;
            paper.table(table, &table.header.iter().map(|name| text(name)).collect::<Vec<_>>())?;
        }
    }
    paper.end_page()?;
    let title = if let [event] = events { name(event) } else { text("tournaments") };
    let document = document::write(&title, Paper::A4.size(), &paper.pages, &mut paper.shared);
    Ok((document, paper.shared.fonts.replaced()))
}

/// Pages with tables, of which the last one is being drawn.
struct Tables {
    shared: Shared,
    pages: Vec<Vec<u8>>,
    canvas: Canvas,
    y: f32,
}

impl Tables {
    fn end_page(&mut self) -> Result<()> {
        if self.pages.len() == MAX_PAGES {
            return Err(too_many_pages(MAX_PAGES));
        }
        let ((width, height), number) = (Paper::A4.size(), (self.pages.len() + 1).to_string());
        self.canvas.centred(&mut self.shared, &number, Look::new(Weight::Regular, 8.0).muted(), (width / 2.0, 26.0));
        let canvas = std::mem::replace(&mut self.canvas, Canvas::new());
        self.pages.push(compressed(&canvas.0.finish()));
        self.y = height - TOP;
        Ok(())
    }

    /// Begins a page unless there is space for lines of this height, and returns true if it did.
    fn reserve(&mut self, height: f32) -> Result<bool> {
        let is_full = self.y - height < BOTTOM;
        if is_full {
            self.end_page()?;
        }
        Ok(is_full)
    }

    /// Draws a heading, which stays with the lines after it.
    fn heading(&mut self, text: &str, size: f32) -> Result<()> {
        self.reserve(6.0 * size)?;
        self.y -= 1.8 * size;
        let text = self.shared.fonts.cut(text, Weight::Bold, (size, Paper::A4.size().0 - 2.0 * SIDE));
        self.canvas.text(&mut self.shared, &text, Look::new(Weight::Bold, size), (SIDE, self.y));
        self.y -= 0.5 * size;
        Ok(())
    }

    /// Draws a table, with its header on each page.
    fn table(&mut self, table: &TextTable, header: &[String]) -> Result<()> {
        let all = Paper::A4.size().0 - 2.0 * SIDE;
        let fonts = &self.shared.fonts;
        let natural: Vec<f32> = (0..header.len())
            .map(|n| {
                let cells =
                    table.rows.iter().filter_map(|row| row.get(n)).map(|cell| fonts.width(cell, Weight::Regular, SIZE));
                cells.fold(fonts.width(&header[n], Weight::Bold, SIZE), f32::max) + GAP
            })
            .collect();
        let size = (SIZE * all / natural.iter().sum::<f32>()).clamp(SMALLEST, SIZE);
        // What does not fit at the smallest size is cut.
        let scale = (all / natural.iter().sum::<f32>()).min(1.0);
        let widths: Vec<f32> = natural.iter().map(|width| width * scale).collect();
        self.row(table, header, &widths, Look::new(Weight::Bold, size));
        for row in &table.rows {
            if self.reserve(1.5 * size)? {
                self.row(table, header, &widths, Look::new(Weight::Bold, size));
            }
            self.row(table, row, &widths, Look::new(Weight::Regular, size));
        }
        Ok(())
    }

    fn row(&mut self, table: &TextTable, cells: &[String], widths: &[f32], look: Look) {
        self.y -= 1.5 * look.size;
        let mut x = SIDE;
        for (n, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let own = width - GAP * look.size / SIZE;
            let cell = self.shared.fonts.cut(&printable(cell), look.weight, (look.size, own));
            let space = own - self.shared.fonts.width(&cell, look.weight, look.size);
            let indent = if table.is_number(n) { space.max(0.0) } else { 0.0 };
            self.canvas.text(&mut self.shared, &cell, look, (x + indent, self.y));
            x += width;
        }
    }
}
