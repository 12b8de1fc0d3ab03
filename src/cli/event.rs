//! `pdn event`: the tables of a tournament.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Unsure};
use super::convert::inform_of_cut_texts;
use super::options::{ADVANCED, Files, Format, formats};
use super::output::Output;
use super::site::addresses;
use super::words::{Table, count, counted};
use crate::check::{CheckedGame, Each};
use crate::diag::{Severity, in_language};
use crate::error::{Error, Result};
use crate::export::{Crossing, CsvOptions, Excel, StandingsTable, event_csv, events_xlsx};
use crate::query::{EventGame, EventOptions, Tournament, TrfFile, TrfProblem};
use crate::records::{DiagnosticRow, EventRow};
use crate::report::{Addresses, EventPage, event_pdf, letters, site_address};
use crate::source::{ChunkOptions, Input};
use crate::text::{Encoding, printable};

/// What `pdn event` can write.
const FORMATS: [(Format, &str); 6] = [
    (Format::Text, "Standings, cross table and diagnostics"),
    (Format::Csv, "Standings"),
    (Format::Html, "A page for a browser"),
    (Format::Pdf, "Pages to print"),
    (Format::Json, "One JSON object for each event"),
    (Format::Xlsx, "A spreadsheet with a sheet for each table"),
];

/// Show the standings of a tournament, and problems in its records
///
/// Each event in the inputs is a tournament; a round at the end of its name, as in `Club - ronde 7`, is not part of the name.
/// Players are ranked by points, then by the tie-breaks of the regulations in turn, which differ for Swiss tournaments.
/// Byes and forfeits count in the points, but not as games. A game recorded twice counts once. Names that look like
/// spellings of the same person or event are reported, but joined only by --aliases.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn event archive/
  pdn event --aliases names.txt --format html games.pdn -o games.html
  pdn event --points 3-1-0 --tie-breaks mutual,wins games.pdn
  pdn event --regulations fide archive/
  pdn event games.pdn -o games.xlsx
  pdn event games.pdn -o games.pdf
  pdn event --one --to trf games.pdn -o club.trf
  pdn event --trf club.trf games.pdn
  pdn event --format json games.pdn
  pdn event --letters letters --lang nl games.pdn

`pdn players --write-aliases` suggests a file for --aliases.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    scoring: EventOptions,
    /// Report contradictions between the records and FILE, a TRF16 file from a tournament program
    #[arg(long, value_name = "FILE")]
    trf: Option<PathBuf>,
    /// Write the tournament in a format of other programs
    #[arg(long, value_name = "FORMAT", conflicts_with = "format")]
    to: Option<Exchange>,
    /// Show all diagnostics, not only the first few of each kind; on a page, show them at all
    #[arg(long)]
    all: bool,
    /// Write letters to the players, with questions about their games, and one for the organiser, to FOLDER, as text and HTML
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["to", "games"])]
    letters: Option<PathBuf>,
    /// Replace letters that exist
    #[arg(long, requires = "letters")]
    yes: bool,
    /// Link the games to the pages in FOLDER, written by `pdn report -o FOLDER` from the same inputs
    #[arg(long, value_name = "FOLDER", help_heading = ADVANCED)]
    games: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(FORMATS))]
    format: Format,
}

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Exchange {
    /// TRF16, the exchange file of tournament programs
    Trf,
}

impl Options {
    /// Returns true if the output has the diagnostics of the tournament.
    fn shows_diagnostics(&self) -> bool {
        let is_shown = match self.format {
            Format::Csv | Format::Pdf => false,
            Format::Html => self.all,
            _ => true,
        };
        is_shown && self.to.is_none() && self.letters.is_none()
    }

    /// Returns true if the page links to the games of a site.
    fn has_links(&self) -> bool {
        self.games.is_some() && self.format == Format::Html
    }

    /// Returns links to games in the site that is named, as seen from the page of the tournament.
    fn links(&self, games: &[String], context: &Context) -> Result<Vec<String>> {
        let Some(named) = &self.games else { return Ok(Vec::new()) };
        let folder = context.out.path().and_then(Path::parent).unwrap_or(Path::new("")).join(named);
        let pages: HashSet<_> = addresses(&folder)?.into_iter().collect();
        let address = named.replace(MAIN_SEPARATOR, "/");
        let mut given = Addresses::default();
        let link = |game: &String| {
            let path = given.path(game);
            let is_there = pages.contains(&path);
            is_there.then(|| format!("{}/{path}", address.trim_end_matches('/'))).ok_or_else(|| {
                let site = folder.display();
                Error::usage(format!("{site}: the site was written from other inputs: run `pdn report` again"))
            })
        };
        games.iter().map(link).collect()
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Format::Xlsx | Format::Pdf = options.format {
        let advice = "the output is not text: use -o FILE, or send the output to a file or a program";
        context.out.refuse_terminal(advice)?;
    }
    let trf = options.trf.as_deref().map(|path| read_trf(path, &options.files, context)).transpose()?;
    let (mut games, mut addresses) = (Vec::new(), Vec::new());
    let has_links = options.has_links();
    let found = |game: &CheckedGame<'_>| (EventGame::of(game), has_links.then(|| site_address(game)));
    context.each(&options.files, Each(found), |_, found| {
        for (game, address) in found {
            games.push(game);
            addresses.extend(address);
        }
        Ok(())
    })?;
    let mut events = Tournament::chosen(games, &options.scoring)?;
    // Without games, too, there is a table, with its columns alone.
    if events.is_empty() {
        events.push(Tournament::new(Vec::new(), options.scoring.clone()));
    }
    if let Some((file, problems)) = &trf {
        let event = of_trf(&mut events, file)?;
        let found = event.compare_trf(file, problems);
        event.report(found);
    }
    let rows: Vec<EventRow> = events.iter().map(Tournament::row).collect();
    if trf.is_some() && !options.shows_diagnostics() {
        let of_file = |row: &&DiagnosticRow| row.code.name().starts_with("event/trf-");
        let differences = diagnostics(rows.iter().flat_map(|event| &event.diagnostics).filter(of_file), options);
        if !differences.is_empty() {
            context.inform(differences.trim_end());
        }
    }
    let has_errors = rows.iter().flat_map(|event| &event.diagnostics).any(|row| row.severity == Severity::Error);
    write(&events, &rows, &addresses, options, context)?;
    Ok(Status::with_errors(has_errors))
}

/// Writes tournaments in the format that the options ask for; `addresses` are those of all games in a site.
fn write(
    tournaments: &[Tournament],
    events: &[EventRow],
    addresses: &[String],
    options: &Options,
    context: &mut Context,
) -> Result<()> {
    if options.to == Some(Exchange::Trf) {
        let [event] = tournaments else { return Err(Error::usage(one_of(tournaments))) };
        let (file, left_out) = event.trf();
        if left_out > 0 {
            let games = count(left_out as u64, "game");
            context.inform(&format!(
                "{games} left out: a TRF16 file has at most 999 rounds, with one game per player in each"
            ));
        }
        return context.out.text(&file.text());
    }
    if let Some(folder) = &options.letters {
        return write_letters(events, folder, options, context);
    }
    match options.format {
        Format::Csv => {
            let EventOptions { escape_formulas, excel, .. } = options.scoring;
            let csv = CsvOptions { escape_formulas, excel: excel.map(Excel::of_this_system) };
            context.out.bytes(&event_csv(events, csv))
        }
        Format::Html => {
            let page = EventPage::new(options.scoring.lang)
                .with_links(options.links(addresses, context)?)
                .with_diagnostics(options.all);
            context.out.text(&page.html(events))
        }
        Format::Pdf => {
            let (document, replaced) = event_pdf(events, options.scoring.lang)?;
            context.out.bytes(&document)?;
            if let Some(note) = replaced {
                context.inform(&note);
            }
            Ok(())
        }
        Format::Xlsx => {
            let (bytes, cut) = events_xlsx(events);
            context.out.bytes(&bytes)?;
            inform_of_cut_texts(cut, context);
            Ok(())
        }
        format => {
            for (n, event) in events.iter().enumerate() {
                let space = if n > 0 { "\n" } else { "" };
                context.answer(format, event, || format!("{space}{}", tables(event, options)))?;
            }
            Ok(())
        }
    }
}

/// Writes the letters about tournaments, each of which has a folder if there are several. Nothing is written if one exists, unless
/// it may be replaced.
fn write_letters(events: &[EventRow], folder: &Path, options: &Options, context: &Context) -> Result<()> {
    let mut files = Vec::new();
    for (n, event) in (1..).zip(events) {
        let folder = if events.len() > 1 { folder.join(n.to_string()) } else { folder.to_owned() };
        for letter in letters(event, options.scoring.lang) {
            files.push((folder.join(letter.name.clone() + ".txt"), letter.text));
            files.push((folder.join(letter.name + ".html"), letter.html));
        }
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()).filter(|_| !options.yes) {
        return Err(Error::usage(format!(
            "{} exists: use --yes to replace letters, or another folder",
            path.display()
        )));
    }
    for (path, text) in &files {
        let folder = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        Output::write(Some(path), text)?;
    }
    // Each letter has two files, text and HTML.
    context.inform(&format!("{} in {}", count(files.len() as u64 / 2, "letter"), folder.display()));
    Ok(())
}

/// Returns the message that a TRF file holds one tournament, with the names of those that there are.
fn one_of(events: &[Tournament]) -> String {
    let names = Tournament::list(events);
    format!("a TRF file holds one tournament, but there are {}: use --event NAME, or --one{names}", events.len())
}

/// Reads a TRF16 file: in UTF-8, or else in the encoding that is given, or else in the one that its bytes suggest, with a message.
fn read_trf(path: &Path, files: &Files, context: &Context) -> Result<(TrfFile, Vec<TrfProblem>)> {
    let (mut bytes, mut suggested) = (Vec::new(), None);
    for chunk in Input::file(path).chunks(&ChunkOptions::default())? {
        let chunk = chunk?;
        bytes.extend_from_slice(chunk.bytes());
        suggested = chunk.encoding();
    }
    let given = files.encoding.and_then(|encoding| encoding.of_games().or(encoding.recode()));
    if let Some(unsure) = suggested.filter(|_| given.is_none()).map(Unsure::of_encoding) {
        context.inform(&format!("{}: {unsure}; see --encoding", printable(&path.to_string_lossy())));
    }
    let encoding = suggested.map_or(Encoding::Utf8, |suggested| given.unwrap_or(suggested));
    let (file, problems) = TrfFile::parse(&encoding.decode(&bytes));
    if file.players().is_empty() && problems.is_empty() {
        return Err(Error::usage(format!("{}: not a TRF16 file: no player line (001)", path.display())));
    }
    Ok((file, problems))
}

/// Returns the event described by a TRF16 file: the only one, or else the one with its name, or else the largest.
fn of_trf<'a>(events: &'a mut [Tournament], file: &TrfFile) -> Result<&'a mut Tournament> {
    let name = file.name().map(str::to_lowercase);
    let named = events.iter().position(|event| name.is_some() && event.name().map(|name| name.to_lowercase()) == name);
    let largest = (0..events.len()).max_by_key(|&n| (events[n].games(), std::cmp::Reverse(n)));
    let chosen = named.or(largest).and_then(|n| events.get_mut(n));
    chosen.ok_or_else(|| Error::usage("there is no tournament to compare with the TRF file"))
}

/// Largest number of players for whom the cross table fits on a terminal.
const MAX_PLAYERS: usize = 30;

fn tables(event: &EventRow, options: &Options) -> String {
    let mut text = title(event);
    let diagnostics = diagnostics(event.diagnostics.iter(), options);
    let parts = [standings(event), cross(event), teams(event), matches(event), diagnostics];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        text.push('\n');
        text.push_str(part);
    }
    text
}

fn title(event: &EventRow) -> String {
    let name = printable(event.event.as_deref().unwrap_or("Tournament")).into_owned();
    let games = count(event.pairings.len() as u64, "game");
    let rounds = event.rounds.map_or_else(String::new, |rounds| format!(", {}", count(rounds as u64, "round")));
    let mut title = format!("{name}: {}, {games}{rounds}\n", count(event.players.len() as u64, "player"));
    if event.copies > 0 {
        let copies = counted(event.copies as u64, "record is a copy", "records are copies");
        let _ = writeln!(title, "{copies} of other games and not counted");
    }
    title
}

/// Returns the standings, with the columns that are in use.
fn standings(event: &EventRow) -> String {
    let StandingsTable { columns, rows } = StandingsTable::for_readers(event);
    let heading = |column: &&str| match *column {
        "name" => "PLAYER".to_owned(),
        "team" => "TEAM".to_owned(),
        "sonneborn_berger" => "#S-B".to_owned(),
        column => format!("#{}", column.to_uppercase().replace('_', "-")),
    };
    let mut table = Table::new(&columns.iter().map(heading).collect::<Vec<_>>());
    for cells in rows {
        table.row(cells);
    }
    if event.players.is_empty() { String::new() } else { table.text() }
}

fn teams(event: &EventRow) -> String {
    let mut table = Table::new(&["#RANK", "TEAM", "#POINTS", "#MATCHES", "#WINS", "#DRAWS", "#LOSSES", "#BOARDS"]);
    for row in &event.teams {
        let numbers = [row.match_points, row.matches, row.wins, row.draws, row.losses, row.board_points];
        table.row([row.rank.to_string(), row.name.clone()].into_iter().chain(numbers.map(|number| number.to_string())));
    }
    if event.teams.is_empty() { String::new() } else { table.text() }
}

/// Returns the cross table, by rounds for a Swiss tournament, or the reason why there is none.
fn cross(event: &EventRow) -> String {
    let (columns, rows, is_square): (Vec<_>, _, _) = match Crossing::of(event, MAX_PLAYERS, "bye") {
        Crossing::Opponents(rows) => ((1..=event.players.len()).map(|n| n.to_string()).collect(), rows, true),
        Crossing::Rounds(rounds, rows) => (rounds, rows, false),
        Crossing::Nothing(_) if event.players.is_empty() => return String::new(),
        Crossing::Nothing(reason) => return format!("{reason}\n"),
    };
    let numbers = columns.iter().map(|name| format!("#{name}"));
    let mut table = Table::new(&["#", "PLAYER"].map(str::to_owned).into_iter().chain(numbers).collect::<Vec<_>>());
    for (n, (row, cells)) in event.players.iter().zip(rows).enumerate() {
        let cells = cells.into_iter().enumerate().map(|(other, cell)| match cell {
            cell if !cell.is_empty() => cell,
            _ if is_square && other == n => "x".to_owned(),
            _ => ".".to_owned(),
        });
        table.row([(n + 1).to_string(), row.name.clone()].into_iter().chain(cells));
    }
    table.text()
}

fn matches(event: &EventRow) -> String {
    let mut table = Table::new(&["ROUND", "TEAMS", "#POINTS", "#GAMES"]);
    for row in &event.matches {
        let [one, other] = row.points;
        let round = row.round.clone().unwrap_or_default();
        table.row([round, row.teams.join(" – "), format!("{one}–{other}"), row.games.to_string()]);
    }
    if event.matches.is_empty() { String::new() } else { table.text() }
}

/// Maximum number of diagnostics shown of each kind.
const SHOWN: usize = 5;

fn diagnostics<'a>(rows: impl Iterator<Item = &'a DiagnosticRow>, options: &Options) -> String {
    let (all, language) = (options.all, options.scoring.lang);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut text = String::new();
    for row in rows {
        let count = counts.entry(row.code.name()).or_default();
        *count += 1;
        if *count > SHOWN && !all {
            continue;
        }
        // Writing to a string cannot fail.
        let severity = in_language(row.severity.name(), language);
        let _ = writeln!(text, "{severity}[{}]: {}", row.code, printable(&row.message));
        if row.game > 0 {
            let game = in_language(&format!("game {}", row.game), language);
            let _ = writeln!(text, "  --> {}:{} ({game})", printable(&row.file), row.line);
        }
        if let Some(help) = &row.help {
            let _ = writeln!(text, "  = {}: {}", in_language("help", language), printable(help));
        }
    }
    if !text.is_empty() {
        let kinds: Vec<_> = counts.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let hidden = !all && counts.values().any(|&count| count > SHOWN);
        let more = if hidden { "; --all shows all of them" } else { "" };
        let total = counted(counts.values().sum::<usize>() as u64, "diagnostic", "diagnostics");
        let _ = writeln!(text, "\n{total}: {}{more}", kinds.join(", "));
    }
    text
}
