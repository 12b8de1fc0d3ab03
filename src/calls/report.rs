//! Records as a page.

use std::collections::HashSet;

use crate::check::{CheckedGame, GameWork, Needs};
use crate::error::{Error, Result};
use crate::records::checked_row;
use crate::report::{Language, PageGame, ReportPage, board_block};
use crate::rules::Variant;
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

pub(super) fn report(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let language: Option<String> = options.take("lang")?;
    options.end()?;
    let unknown = |code: &String| Error::usage(format!("unknown language `{code}`"));
    let language = language.map(|code| code.parse().map_err(|_| unknown(&code))).transpose()?;
    let page = ReportPage::new(language.unwrap_or(Language::English));
    reading.out.output(page.start().as_bytes())?;
    Walk::new(reading, Paging, Page { report: page, boards: HashSet::new(), errors: 0 })
}

struct Paging;

#[derive(Default)]
struct Pages {
    games: Vec<(Option<Variant>, String)>,
    errors: u64,
}

impl GameWork for Paging {
    type Done = Pages;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Pages) {
        let mut row = checked_row(&game);
        row.assess();
        let block = PageGame::new(&row, game.review().game().start(), &game.text()).block();
        done.games.push((game.variant(), block));
        done.errors += super::rows::counts(&game)[0];
    }
}

struct Page {
    report: ReportPage,
    boards: HashSet<Variant>,
    errors: u64,
}

impl Sink<Pages> for Page {
    fn take(&mut self, done: Pages, out: &Out) -> Result<()> {
        self.errors += done.errors;
        for (variant, block) in done.games {
            if let Some(variant) = variant.filter(|&variant| self.boards.insert(variant)) {
                out.output(board_block(variant).as_bytes())?;
            }
            out.output(block.as_bytes())?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.output(self.report.end().as_bytes())?;
        out.result(&json!({ "errors": self.errors }))
    }
}
