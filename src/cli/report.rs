//! `pdn report`: games on a board, as HTML.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::read::GzDecoder;

use super::context::{Context, Step};
use super::options::Files;
use super::site::SiteFolder;
use super::words::count;
use crate::annotate::{Tries, add_sentences};
use crate::check::Checking;
use crate::diag::Severity;
use crate::engine::EngineOptions;
use crate::error::{Error, Result};
use crate::records::GameRow;
use crate::report::{
    ExerciseWork, LeftOut, LessonSite, PageWork, ReportOptions, ReportPage, Site, SiteWork, SolvePage, ValuedLine,
    sitemap,
};
use crate::rules::Position;
use crate::text::Language;

/// Write games as an HTML page: a board, moves, evaluations
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present_any(["app", "viewer"])))]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn report annotated.pdn -o report.html
  pdn report --lang nl --title 'Our club' archive/ -o site/
  pdn report --solve problems.pdn -o solve.html
  pdn report --app -o pdn.html
  pdn report --viewer -o viewer.js

If the output is a file, it is one page with all games, which needs no other files and no internet connection. If it is a folder \
(an existing one, or a name that ends in `/`), it is a site: a page for each game, tables of players and events, and a list of all \
games in `index.html`. A game keeps the address of its page when others are added or removed; pages of games that are gone are \
removed, and unchanged ones are not written. With `?embed` at the end of its address a page is only the board and the moves. To \
link to a game and ply, add `#game=3&ply=20` to the address of a page. Evaluations, judgements and accuracy are shown if the records \
have evaluations, for example from `pdn annotate`.

With `--solve`, the records are exercises, such as those that `pdn puzzles` writes: the page hides the solution, and answers moves \
on its board. If the output is a folder, it has a page for each input, and an index.

With `--app` and no games, the page is the application that checks, repairs, searches, analyses and annotates records in the \
browser, and can be sent by mail or kept on a USB stick; a site with `--app` has it too, and each of its games opens in it. With \
`--viewer`, it is the script of the element `<pdn-viewer>`, which \
shows games in any other page. Every release has both in it.")]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    report: ReportOptions,
    /// Title of the page or the site
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Add the styles in FILE to all pages of the site, after its own
    #[arg(long, value_name = "FILE")]
    css: Option<PathBuf>,
    /// Put the HTML in FILE at the end of all pages of the site
    #[arg(long, value_name = "FILE")]
    footer: Option<PathBuf>,
    /// Write `sitemap.xml` for a site that is published at URL
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    sitemap: Option<String>,
    /// Write `feed.xml` with the latest games of the site
    #[arg(long, requires = "sitemap")]
    feed: bool,
    /// Draw the last position of each game, or the position to solve, for previews of links to it
    #[cfg(feature = "png")]
    #[arg(long, requires = "sitemap")]
    pictures: bool,
    /// Write exercises to solve on a board instead of games, as pages that hide the solutions
    #[arg(long, conflicts_with_all = ["css", "footer", "sitemap", "feed", "app"])]
    solve: bool,
    /// With --solve, also take exercises whose positions did not occur in a game (tag `Instead`)
    #[arg(long, requires = "solve")]
    all: bool,
    /// Write the browser application, as one page that works without a server; with games, add it to their site
    #[arg(long)]
    app: bool,
    /// Write the viewer for other pages, as one script
    #[arg(long, conflicts_with_all = ["paths", "list", "lang", "shots", "title", "sitemap", "css", "footer", "solve", "app"])]
    viewer: bool,
}

impl Options {
    /// Returns true if an option is set that is about pages with games.
    fn has_page_options(&self) -> bool {
        let ReportOptions { lang, shots } = self.report;
        self.title.is_some() || lang != Language::default() || !shots
    }

    /// Returns what adds sentences to a game.
    fn sentences(&self) -> impl Fn(&mut GameRow<'_>) + Send + Sync + use<> {
        let ReportOptions { lang, shots } = self.report;
        move |row| add_sentences(row, lang, shots)
    }
}

/// Parses the address of a site.
fn parse_url(text: &str) -> Result<String, String> {
    let is_address = ["https://", "http://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
    let is_plain =
        !text.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "?#".contains(letter));
    if is_address && is_plain {
        Ok(text.to_owned())
    } else {
        Err("expected an address such as https://club.example/games".to_owned())
    }
}

/// The application as one page, and the viewer as one script, compressed, if they were built before this program.
#[cfg(has_app)]
const APP: Option<&[u8]> = Some(include_bytes!("../../web/dist/pdn.html.gz"));
#[cfg(not(has_app))]
const APP: Option<&[u8]> = None;
#[cfg(has_viewer)]
const VIEWER: Option<&[u8]> = Some(include_bytes!("../../web/dist/pdn-viewer.js.gz"));
#[cfg(not(has_viewer))]
const VIEWER: Option<&[u8]> = None;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    context
        .out
        .refuse_terminal("a report is a page for a browser: use -o report.html, or -o reports/ for many pages")?;
    let has_games = !options.files.paths.is_empty() || options.files.list.is_some();
    let has_site_options = options.sitemap.is_some() || options.css.is_some() || options.footer.is_some();
    match context.out.folder() {
        Some(_) if options.app && !has_games => Err(Error::usage("the application is one page: use -o pdn.html")),
        Some(_) if options.viewer => Err(Error::usage("the viewer is one script: use -o viewer.js")),
        None if options.app && has_games => {
            Err(Error::usage("with games, the application is a part of their site: use -o site/"))
        }
        None if options.app && (has_site_options || options.has_page_options()) => {
            Err(Error::usage("without games, --app takes no options for games"))
        }
        None if options.app => context.out.text(&built(APP, "application")?),
        None if options.viewer => context.out.text(&built(VIEWER, "viewer")?),
        None if has_site_options => Err(Error::usage("a map, a style and a footer are for a site: use -o site/")),
        None if options.solve => write_exercises(options, context),
        Some(folder) if options.solve => write_lessons(options, context, &folder),
        None => write_page(options, context),
        Some(folder) => write_folder(options, context, &folder),
    }
}

/// Returns what was built before this program.
fn built(packed: Option<&[u8]>, name: &str) -> Result<String> {
    let packed = packed.ok_or_else(|| {
        Error::unavailable(format!(
            "this program was built without the {name}: take one from a release, or, in the sources, run `.ci/web app` before \
             `cargo build`"
        ))
    })?;
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).expect("it was compressed by the build");
    Ok(text)
}

/// Writes all games into one page.
fn write_page(options: &Options, context: &mut Context) -> Result<()> {
    let mut page = ReportPage::new(options.report.lang).with_title(options.title.clone());
    context.out.text(&page.start())?;
    let mut errors = 0;
    context.each(&options.files, PageWork::new(options.report.lang, options.sentences()), |context, done| {
        errors += done.summary.diagnostics(Severity::Error);
        done.games.iter().try_for_each(|game| context.out.text(&page.add(game)))
    })?;
    context.out.text(&page.end())?;
    context.conclude(errors);
    Ok(())
}

/// Returns the work that makes exercises.
fn exercise_work(
    options: &Options,
    context: &mut Context,
) -> ExerciseWork<impl Fn(&Position) -> Vec<ValuedLine> + use<>> {
    let databases = context.databases(context.variant);
    let tries = Tries::new(EngineOptions::default().with_databases(databases));
    ExerciseWork::new(options.report.lang, options.all, move |position| tries.lines(position))
}

/// Says how many exercises were written, and which records were left out.
fn inform_of_exercises(context: &Context, exercises: u64, left_out: LeftOut) {
    let LeftOut { not_played, illegal, others } = left_out;
    let mut text = count(exercises, "exercise");
    if not_played > 0 {
        let records = count(not_played, "record");
        let _ = write!(text, "; {records} of positions that were not played left out (--all takes them)");
    }
    if illegal > 0 {
        let records = count(illegal, "record");
        let _ = write!(text, "; {records} with an illegal or null move in the solution left out");
    }
    if others > 0 {
        let _ = write!(text, "; {} without a position or a solution left out", count(others, "record"));
    }
    context.inform(&text);
}

/// Writes all exercises into one page.
fn write_exercises(options: &Options, context: &mut Context) -> Result<()> {
    let mut page = SolvePage::new(options.report.lang, options.title.clone());
    let work = exercise_work(options, context);
    let (mut left_out, mut errors) = (LeftOut::default(), 0);
    context.out.text(&page.start())?;
    context.each(&options.files, work, |context, done| {
        left_out += done.left_out;
        errors += done.summary.diagnostics(Severity::Error);
        done.blocks.iter().try_for_each(|block| context.out.text(&page.add(block)))
    })?;
    context.out.text(&SolvePage::end())?;
    inform_of_exercises(context, page.exercises, left_out);
    context.conclude(errors);
    Ok(())
}

/// Writes a site of lessons: a page for each input, and an index.
fn write_lessons(options: &Options, context: &mut Context, folder: &Path) -> Result<()> {
    let mut site = LessonSite::new(options.report.lang, options.title.clone());
    let mut files = SiteFolder::open(folder, true, &["index.html"])?;
    let work = Checking::by_input(exercise_work(options, context), context.check_options(&options.files));
    let (mut left_out, mut errors) = (LeftOut::default(), 0);
    context.read(context.inputs(&options.files)?, &options.files, &work, |_, step| match step {
        Step::Begin(label) => site.begin(&label).map_or(Ok(()), |file| files.write(file)),
        Step::Done(done) => {
            left_out += done.left_out;
            errors += done.summary.diagnostics(Severity::Error);
            done.blocks.iter().for_each(|block| site.add(block));
            Ok(())
        }
    })?;
    if let Some(file) = site.end() {
        files.write(file)?;
    }
    if site.lessons() == 0 && (context.has_failed() || files.has_pages()) {
        return files.leave("exercises", context.has_failed());
    }
    files.write(site.index())?;
    let changed = files.finish(&[], !context.has_failed())?;
    inform_of_exercises(context, site.exercises(), left_out);
    context.inform(&format!("{} in {}: {changed}", count(site.lessons() as u64, "lesson"), folder.display()));
    context.conclude(errors);
    Ok(())
}

/// Writes the site: a page for each game, tables, and what pages share.
fn write_folder(options: &Options, context: &mut Context, folder: &Path) -> Result<()> {
    let read = |path: &Option<PathBuf>| {
        let text = path.as_ref().map(|path| fs::read_to_string(path).map_err(|error| Error::read(path, error)));
        // After other styles or tags, the mark that some editors add would be a part of the first name.
        text.transpose().map(|text| text.unwrap_or_default().trim_start_matches('\u{feff}').to_owned())
    };
    let site = Site::new(options.report.lang, options.title.clone());
    let site = site.with_style(read(&options.css)?).with_footer(&read(&options.footer)?);
    let work = SiteWork::new(options.report.lang, options.sentences());
    #[cfg(feature = "png")]
    let (site, work) = match options.sitemap.as_deref().filter(|_| options.pictures) {
        Some(address) => (site.with_pictures(address), work.with_pictures(true)),
        None => (site, work),
    };
    let app = options.app.then(|| built(APP, "application")).transpose()?;
    let mut site = if app.is_some() { site.with_app() } else { site };
    let mut pages = vec!["index.html", "players.html", "events.html"];
    pages.extend(options.sitemap.as_ref().map(|_| "sitemap.xml"));
    pages.extend(options.feed.then_some("feed.xml"));
    pages.extend(app.as_ref().map(|_| Site::APP));
    let mut files = SiteFolder::open(folder, false, &pages)?;
    let mut errors = 0;
    context.each(&options.files, work, |_, done| {
        errors += done.summary.diagnostics(Severity::Error);
        done.games.into_iter().try_for_each(|mut game| {
            let picture = game.take_picture();
            site.add(game).map_or(Ok(()), |page| files.write(page))?;
            site.picture_path().zip(picture).map_or(Ok(()), |picture| files.write(picture))
        })
    })?;
    if site.games() == 0 && (context.has_failed() || files.has_pages()) {
        return files.leave("games", context.has_failed());
    }
    let (games, addresses) = (site.games() as u64, site.addresses());
    if let Some(base) = options.sitemap.as_deref().filter(|_| options.feed) {
        files.write(site.feed(base))?;
    }
    site.finish(|file| files.write(file))?;
    app.map_or(Ok(()), |app| files.write((Site::APP.to_owned(), app)))?;
    if let Some(base) = &options.sitemap {
        let pages = files.pages();
        sitemap(base, &pages).into_iter().try_for_each(|file| files.write(file))?;
    }
    // The games of an input that could not be read keep their pages.
    let changed = files.finish(&addresses, !context.has_failed())?;
    context.inform(&format!("{} in {}: {changed}", count(games, "game"), folder.display()));
    context.conclude(errors);
    Ok(())
}
