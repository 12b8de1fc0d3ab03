//! `pdn report`: games on a board, as HTML.

use std::collections::HashSet;
use std::fs;
use std::io::{IsTerminal as _, Read as _, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::read::GzDecoder;

use super::context::{Context, Status, Step};
use super::options::Files;
use super::output::Output;
use super::words::count;
use crate::check::{CheckedGame, Checking, GameWork, Needs};
use crate::error::{Error, Result};
use crate::records::checked_row;
use crate::report::{Language, PageGame, ReportPage, board_block};
use crate::rules::Variant;

/// Write games as an HTML page: a board, moves, evaluations
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present("app")))]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn report annotated.pdn -o report.html
  pdn report --lang nl archive/ -o reports/
  pdn report --app -o pdn.html

If the output is a file, it is one page with all games, which needs no other files and no internet connection. If it is a folder \
(an existing one, or a name that ends in `/`), it has a page for each game, and a list of all games in `index.html`. To link to \
a game and ply, add `#game=3&ply=20` to the address of the page. Evaluations, judgements and accuracy are shown if the records \
have evaluations, for example from `pdn annotate`.

With `--app` the page has no games: it is the application that checks, repairs, searches, analyses and annotates records in the \
browser, to send by mail or keep on a stick.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Language of the page: en, nl, fr, it, pt or ru
    #[arg(long, value_name = "LANG", default_value_t)]
    lang: Language,
    /// Write the application for browsers, as one page that works without a server
    #[arg(long, conflicts_with_all = ["paths", "list", "lang"])]
    app: bool,
}

/// The application as one page, compressed, if it was built before this program.
#[cfg(has_app)]
const APP: Option<&[u8]> = Some(include_bytes!("../../web/dist/pdn.html.gz"));
#[cfg(not(has_app))]
const APP: Option<&[u8]> = None;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage(
            "a report is a page for a browser: use -o report.html, or -o reports/ for many pages",
        ));
    }
    match context.out.folder() {
        Some(_) if options.app => Err(Error::usage("the application is one page: use -o pdn.html")),
        None if options.app => write_app(context),
        None => write_page(options, context),
        Some(folder) => write_folder(options, context, &folder),
    }
}

fn write_app(context: &mut Context) -> Result<Status> {
    let packed = APP.ok_or_else(|| {
        Error::unavailable("this program was built without the application: run `.ci/web app` before `cargo build`")
    })?;
    let mut page = String::new();
    GzDecoder::new(packed).read_to_string(&mut page).expect("the page was compressed by the build");
    context.out.text(&page)?;
    Ok(Status::Clean)
}

/// Writes all games into one page.
fn write_page(options: &Options, context: &mut Context) -> Result<Status> {
    let page = ReportPage::new(options.lang);
    let mut boards = HashSet::new();
    context.out.text(&page.start())?;
    read_games(options, context, |context, item| {
        if let Some(variant) = item.variant.filter(|&variant| boards.insert(variant)) {
            context.out.text(&board_block(variant))?;
        }
        context.out.text(&item.game.block())
    })?;
    context.out.text(&page.end())?;
    Ok(Status::Clean)
}

/// Writes a page for each game, and the index.
fn write_folder(options: &Options, context: &mut Context, folder: &Path) -> Result<Status> {
    let index = ReportPage::index(options.lang);
    let mut pages = Pages::new(folder, options.lang);
    pages.create()?;
    let mut out = Output::new(Some(&folder.join("index.html")))?;
    out.text(&index.start())?;
    read_games(options, context, |_, item| {
        out.text(&item.game.head_block())?;
        pages.add(item)
    })?;
    if pages.is_empty() && context.has_failed() {
        drop(out);
        pages.remove_new();
        return Ok(Status::Clean);
    }
    pages.write_last(true)?;
    out.text(&index.end())?;
    out.finish()?;
    context.inform(&format!("{} in {}", count(pages.written, "game"), folder.display()));
    Ok(Status::Clean)
}

/// The pages of games in a folder. A page links to the next one, so that each is written when it is known if another follows.
struct Pages {
    folder: PathBuf,
    /// True if the folder did not exist before.
    is_new: bool,
    language: Language,
    written: u64,
    last: Option<Item>,
}

impl Pages {
    fn new(folder: &Path, language: Language) -> Self {
        Self { folder: folder.to_owned(), is_new: !folder.exists(), language, written: 0, last: None }
    }

    fn create(&self) -> Result<()> {
        let folder = self.folder_of_games();
        fs::create_dir_all(&folder).map_err(|error| Error::write(&folder, error))
    }

    /// Removes the folders that were created, if they are empty.
    fn remove_new(&self) {
        if self.is_new {
            let _ = fs::remove_dir(self.folder_of_games()).and_then(|()| fs::remove_dir(&self.folder));
        }
    }

    fn folder_of_games(&self) -> PathBuf {
        self.path(1).parent().map_or_else(|| self.folder.clone(), Path::to_owned)
    }

    fn is_empty(&self) -> bool {
        self.written == 0 && self.last.is_none()
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(ReportPage::game_path(number))
    }

    fn add(&mut self, item: Item) -> Result<()> {
        self.write_last(false)?;
        self.last = Some(item);
        Ok(())
    }

    /// Writes the page of the last game.
    fn write_last(&mut self, is_last: bool) -> Result<()> {
        let Some(item) = self.last.take() else { return Ok(()) };
        self.written += 1;
        let page = ReportPage::of_game(self.language, self.written, is_last);
        let mut out = Output::new(Some(&self.path(self.written)))?;
        out.text(&page.start())?;
        out.text(&item.variant.map(board_block).unwrap_or_default())?;
        out.text(&item.game.block())?;
        out.text(&page.end())?;
        out.finish()
    }
}

/// Reads all games and passes them on in order.
fn read_games(
    options: &Options,
    context: &mut Context,
    mut each: impl FnMut(&mut Context, Item) -> Result<()>,
) -> Result<()> {
    let work = Checking::new(Collector, context.check_options(&options.files));
    context.read(&options.files, &work, |context, step| {
        let Step::Done(items) = step else { return Ok(()) };
        items.into_iter().try_for_each(|item| each(context, item))
    })
}

/// A game of a report.
struct Item {
    variant: Option<Variant>,
    game: PageGame,
}

struct Collector;

impl GameWork for Collector {
    type Done = Vec<Item>;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn game(&self, game: CheckedGame<'_>, items: &mut Vec<Item>) {
        let mut row = checked_row(&game);
        row.assess();
        let page = PageGame::new(&row, game.review().game().start(), &game.text());
        items.push(Item { variant: game.variant(), game: page });
    }
}
