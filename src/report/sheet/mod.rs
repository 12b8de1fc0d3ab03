//! Exercises and games on paper: HTML with styles for print, and PDF.
//!
//! An exercise is a game that begins with another position than usual; its main line is the solution. Everything else is a
//! game, printed in two columns with diagrams at its key positions.

mod html;
mod item;
mod options;
#[cfg(feature = "pdf")]
mod pdf;

#[cfg(feature = "cli")]
pub(in crate::report) use html::articles;
pub use item::SheetItem;
#[cfg(feature = "cli")]
pub(in crate::report) use item::{Task, heading, known, not_played, source};
pub use options::{Grid, Paper, SheetOptions, Solutions};

use crate::error::{Error, Result};
use html::HtmlSheet;
#[cfg(feature = "pdf")]
use pdf::PdfSheet;
#[cfg(all(feature = "pdf", feature = "query"))]
pub(crate) use pdf::event_pdf;

/// A sheet that is written item by item.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::records::{Origin, game_row};
/// use pdn::report::{Sheet, SheetItem, SheetOptions};
///
/// let text = b"[GameType \"20\"]\n[Result \"2-0\"]\n[FEN \"W:W32,37,41:B14,21,23\"]\n1. 32-27 21x32 2. 37x10 *";
/// let review = reviews(text, CheckOptions::default()).next().unwrap();
/// let row = game_row(&review, Origin { file: "a.pdn", game: 1, offset: 0 }, Vec::new());
/// let options = SheetOptions::default();
/// let item = SheetItem::new(&row, review.game().start(), &options).expect("an exercise");
///
/// let mut sheet = Sheet::html(options);
/// let mut page = sheet.add(item)?;
/// page.extend(sheet.finish()?);
/// let page = String::from_utf8(page).unwrap();
/// assert!(page.contains("White to move and win") && page.contains("21x32"));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct Sheet(Kind);

#[derive(Debug)]
enum Kind {
    Html(Box<HtmlSheet>),
    #[cfg(feature = "pdf")]
    Pdf(Box<PdfSheet>),
}

impl Sheet {
    /// Returns a sheet that is a page for a browser, to print from there.
    pub fn html(options: SheetOptions) -> Self {
        Self(Kind::Html(Box::new(HtmlSheet::new(options))))
    }

    /// Returns a sheet in PDF, which has its fonts in itself.
    #[cfg(feature = "pdf")]
    pub(crate) fn pdf(options: SheetOptions) -> Self {
        Self(Kind::Pdf(Box::new(PdfSheet::new(options))))
    }

    /// Adds an item and returns the bytes of the document that are complete, if there are any.
    ///
    /// # Errors
    ///
    /// If a PDF has too many pages.
    pub fn add(&mut self, item: SheetItem) -> Result<Vec<u8>> {
        match &mut self.0 {
            Kind::Html(sheet) => Ok(sheet.add(item).into_bytes()),
            #[cfg(feature = "pdf")]
            Kind::Pdf(sheet) => sheet.add(item).map(|()| Vec::new()),
        }
    }

    /// Returns the number of exercises and of games.
    pub(crate) fn counts(&self) -> [u64; 2] {
        match &self.0 {
            Kind::Html(sheet) => sheet.counts(),
            #[cfg(feature = "pdf")]
            Kind::Pdf(sheet) => sheet.counts(),
        }
    }

    /// Returns the rest of the document.
    ///
    /// # Errors
    ///
    /// If a PDF has too many pages.
    pub fn finish(self) -> Result<Vec<u8>> {
        self.complete().map(|(document, _)| document)
    }

    /// Returns the rest of the document, and the message that characters were replaced because the font of the PDF lacks them, if some
    /// were.
    ///
    /// # Errors
    ///
    /// If a PDF has too many pages.
    pub(crate) fn complete(self) -> Result<(Vec<u8>, Option<String>)> {
        match self.0 {
            Kind::Html(sheet) => Ok((sheet.finish().into_bytes(), None)),
            #[cfg(feature = "pdf")]
            Kind::Pdf(sheet) => sheet.finish(),
        }
    }
}

/// Returns the error of a sheet that does not fit.
#[cfg(feature = "pdf")]
fn too_many_pages(most: usize) -> Error {
    Error::unavailable(format!("the sheet has more than {most} pages; print part of the games"))
}
