//! `pdn check`: validates records.

mod duplicates;
mod explain;

use std::ops::Range;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::context::{Context, Status, Step};
use super::games::{self, Finding, Game, Games, Place, Replaying};
use super::options::Files;
use crate::diag::{Code, Diagnostic, Paint, Renderer, Severity, Snippet};
use crate::error::Result;
use crate::export::{SEPARATOR, sarif_footer, sarif_header, write_json_line, write_sarif_result};
use crate::records::Summary;
use crate::replay::{ReplayOptions, ReplayedGame};
use crate::source::expand;
use crate::text::Encoding;
use duplicates::{Index, Inputs};

/// Validate records: syntax, tags, legality, positions, results, draws
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn check games.pdn
  pdn check --format json --strict archive/ -
  pdn check --duplicates --format sarif archive/ -o findings.sarif
  pdn check --explain move/illegal")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Check the writing rules too, and take warnings as errors
    #[arg(long)]
    strict: bool,
    /// How to write findings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// Show no more than this many errors
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// Report games with the same moves, and games that are the beginning of another
    #[arg(long)]
    duplicates: bool,
    /// Say what a code of a finding means, and how to mend it
    #[arg(long, value_name = "CODE", exclusive = true, value_parser = parse_code)]
    explain: Option<Code>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
    Sarif,
}

fn parse_code(text: &str) -> Result<Code, String> {
    Code::by_name(text).ok_or_else(|| "no such code".to_owned())
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Some(code) = options.explain {
        context.out.text(&explain::explain(code))?;
        return Ok(Status::Clean);
    }
    let clock = Instant::now();
    let replaying = ReplayOptions { variant: context.variant };
    let mut inputs = None;
    let index = if options.duplicates {
        let found = inputs.insert(Inputs::new(&options.files)?);
        Some(Index::of(found, &options.files, replaying, context)?)
    } else {
        None
    };
    let checker = Checker { format: options.format, paint: context.paint, hide_notes: context.quiet, index };
    let work =
        Replaying { games: &checker, options: replaying, strict: options.strict, encoding: options.files.encoding() };
    let mut summary = Summary::default();
    let mut left = options.max_errors.unwrap_or(u64::MAX);
    if options.format == Format::Sarif {
        context.out.bytes(&sarif_header())?;
    }
    let mut begun = false;
    let found =
        inputs.as_mut().map_or_else(|| expand(&options.files.paths), |inputs| std::mem::take(&mut inputs.inputs));
    context.read_found(found, &options.files, &work, |context, step| match step {
        Step::Begin => {
            summary.files += 1;
            Ok(())
        }
        Step::Done(report) => {
            games::add(&mut summary, &report.summary);
            let text = &report.text[..report.shown(&mut left)];
            let first = options.format == Format::Sarif && !begun;
            begun |= !text.is_empty();
            context.out.bytes(if first && !text.is_empty() { &text[SEPARATOR.len()..] } else { text })
        }
    })?;
    summary.seconds = clock.elapsed().as_secs_f64();
    match options.format {
        Format::Human => context.out.text(&human_summary(&summary))?,
        Format::Json => context.json(&Last { summary: &summary })?,
        Format::Sarif => context.out.bytes(sarif_footer())?,
    }
    Ok(if summary.errors > 0 { Status::Errors } else { Status::Clean })
}

/// The last line.
#[derive(Serialize)]
struct Last<'a> {
    summary: &'a Summary,
}

fn human_summary(summary: &Summary) -> String {
    let count = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    format!(
        "{}, {} ({} clean), {}: {}, {}, {} in {:.2} s\n",
        count(summary.files, "file"),
        count(summary.games, "game"),
        summary.clean_games,
        if summary.plies == 1 { "1 ply".to_owned() } else { format!("{} plies", summary.plies) },
        count(summary.errors, "error"),
        count(summary.warnings, "warning"),
        count(summary.notes, "note"),
        summary.seconds,
    )
}

/// Writes what was found.
struct Checker {
    format: Format,
    paint: Paint,
    hide_notes: bool,
    /// The games that have the same moves as others, if they are asked for.
    index: Option<Index>,
}

/// What was found in a chunk.
#[derive(Default)]
struct Report {
    text: Vec<u8>,
    /// Where in the text each error ends.
    errors: Vec<usize>,
    summary: Summary,
}

impl Report {
    /// Returns how much of the text is shown when so many errors are left to be shown, and takes off those shown.
    fn shown(&self, left: &mut u64) -> usize {
        let (errors, allowed) = (self.errors.len() as u64, *left);
        *left = allowed.saturating_sub(errors);
        match allowed {
            0 => 0,
            _ if errors < allowed => self.text.len(),
            _ => self.errors[allowed as usize - 1],
        }
    }

    fn add(&mut self, diagnostic: &Diagnostic, text: &[u8]) {
        self.text.extend_from_slice(text);
        if diagnostic.severity == Severity::Error {
            self.errors.push(self.text.len());
        }
    }
}

impl Games for Checker {
    type Done = Report;

    fn findings(&self, game: &ReplayedGame, place: &Place<'_>, number: u64) -> Vec<Diagnostic> {
        self.index.as_ref().map_or_else(Vec::new, |index| index.findings(game, place.input.label(), number))
    }

    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Report) {
        games::count_game(&mut done.summary, &game);
        let length = game.replayed.tree().len as usize;
        self.report(&game.diagnostics, game.start..game.start + length, game.number, place, done);
    }

    fn outside(&self, finding: &Finding<'_>, place: &mut Place<'_>, done: &mut Report) {
        games::count_finding(&mut done.summary, finding.diagnostic);
        let diagnostics = std::slice::from_ref(finding.diagnostic);
        // Only its own lines are shown, and of a long one a part; more would be looked through for each of thousands.
        let end = finding.start + finding.diagnostic.span.end as usize;
        let rest = place.chunk.bytes().get(end..).unwrap_or_default();
        let rest = &rest[..rest.len().min(LONGEST_SHOWN)];
        let line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.report(diagnostics, finding.start..end + line, 0, place, done);
    }
}

/// Bytes of a line that are shown behind a finding outside games.
const LONGEST_SHOWN: usize = 500;

impl Checker {
    fn report(&self, found: &[Diagnostic], range: Range<usize>, game: u64, place: &mut Place<'_>, done: &mut Report) {
        if found.is_empty() {
            return;
        }
        match self.format {
            Format::Json | Format::Sarif => {
                for diagnostic in found {
                    let mut line = Vec::new();
                    let row = place.row(diagnostic, range.start, game);
                    match self.format {
                        Format::Sarif => write_sarif_result(&mut line, &row),
                        _ => write_json_line(&mut line, &row),
                    }
                    done.add(diagnostic, &line);
                }
            }
            Format::Human => self.render(found, range, game, place, done),
        }
    }

    fn render(&self, found: &[Diagnostic], range: Range<usize>, game: u64, place: &mut Place<'_>, done: &mut Report) {
        let start = place.locator.locate(range.start, 0);
        let bytes = place.chunk.bytes();
        let snippet = Snippet {
            label: place.input.label(),
            bytes: &bytes[range.start.min(bytes.len())..range.end.min(bytes.len())],
            first_line: start.line,
            first_column: start.column - 1,
            game,
            encoding: place.chunk.encoding().unwrap_or(Encoding::Latin1),
        };
        let mut renderer = Renderer::new(snippet, self.paint);
        for diagnostic in found {
            if diagnostic.severity > Severity::Note || !self.hide_notes {
                done.add(diagnostic, format!("{}\n", renderer.render(diagnostic)).as_bytes());
            }
        }
    }
}
