//! `pdn shots`: the combinations in games.

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use super::context::Context;
use super::options::{Csv, Files, Format, formats};
use super::words::count;
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::export::{CsvCell, CsvOptions};
use crate::query::{ShotQuery, ShotRow, ShotsOptions};
use crate::shots::Definition;
use crate::text::Language;

/// What `pdn shots` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Table, "A line per shot"), (Format::Csv, "A row per shot"), (Format::Json, "One JSON object per shot")];

/// List the shots in games: combinations that win material or a king
///
/// Lists the shots that were played, including those in variations. With --available, each position of the main line is also
/// searched for shots that were not played: missed, allowed by the last move of a record, or prevented. docs/shots.md explains
/// names and tags.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present("names")))]
#[command(after_help = "\
Examples:
  pdn shots games.pdn
  pdn shots --shot royal --lang nl archive/
  pdn shots --available --shot any:missed --format json games.pdn
  pdn shots --names --lang fr")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    shots: ShotsOptions,
    /// Language of names and explanations
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// List the known names and mechanisms, with explanations
    #[arg(long, conflicts_with_all = ["paths", "list", "available", "shot"])]
    names: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    csv: Csv,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let language = options.lang.code();
    if options.names {
        return write_names(options, language, context);
    }
    let query = ShotQuery::new(&options.shots).map_err(|error| Error::usage(format!("--shot: {error}")))?;
    if options.format == Format::Csv {
        let columns = ["file", "game", "ply", "side", "fate", "shot", "name", "line", "gain"];
        context.out.bytes(&options.csv.options().header(columns))?;
    }
    let (mut number, mut errors) = (0, 0);
    context.each(&options.files, query, |context, found| {
        number += found.rows.len() as u64;
        errors += found.summary.diagnostics(Severity::Error);
        found.rows.iter().try_for_each(|row| {
            let csv = || csv(row, language, options.csv.options());
            context.answer_or_csv(options.format, row, csv, || text(row, language))
        })
    })?;
    context.inform(&count(number, "shot"));
    context.conclude(errors);
    Ok(())
}

/// Returns a shot as a line: its location, fate, name, moves and gain.
fn text(row: &ShotRow, language: &str) -> String {
    let name = row.shot.and_then(Definition::by_id).map_or("-", |definition| definition.name(language));
    let line = row.line.join(" ");
    format!("{}:{}:{} {} {} {name}: {line} ({:+})\n", row.file, row.game, row.ply, row.side, row.fate, row.gain)
}

fn csv(row: &ShotRow, language: &str, options: CsvOptions) -> Vec<u8> {
    let name = row.shot.and_then(Definition::by_id).map_or("", |definition| definition.name(language));
    let line = row.line.join(" ");
    let texts = [row.side, row.fate, row.shot.unwrap_or_default(), name, &line].map(CsvCell::text);
    let first = [CsvCell::text(&*row.file), CsvCell::number(row.game), CsvCell::number(row.ply)];
    options.line(first.into_iter().chain(texts).chain([CsvCell::number(row.gain)]))
}

/// A kind of shot, as a row.
#[derive(Debug, Serialize)]
struct KindRow {
    /// The identifier.
    shot: &'static str,
    /// The name in the language.
    name: &'static str,
    /// `name` if shots can have it as their name, or else `mechanism`.
    kind: &'static str,
    /// Name of the variant of the model.
    variant: &'static str,
    /// What it is, in the language.
    explanation: &'static str,
    /// How it works, in the language.
    mechanism: &'static str,
    /// The names in all languages.
    names: BTreeMap<&'static str, &'static str>,
    /// A position with the shot, and its moves.
    model: Option<ModelRow>,
    /// The source of the definition, if it has one.
    source: Option<&'static str>,
}

/// A model of a kind of shot, as a row.
#[derive(Debug, Serialize)]
struct ModelRow {
    fen: &'static str,
    line: Vec<&'static str>,
}

impl KindRow {
    fn new(definition: &Definition, language: &str) -> Self {
        Self {
            shot: definition.id(),
            name: definition.name(language),
            kind: if definition.is_name() { "name" } else { "mechanism" },
            variant: definition.variant().name(),
            explanation: definition.explanation(language),
            mechanism: definition.mechanism(language),
            names: Language::ALL.map(|language| (language.code(), definition.name(language.code()))).into(),
            model: definition.model().map(|(fen, line)| ModelRow { fen, line: line.collect() }),
            source: Some(definition.source()).filter(|source| !source.is_empty()),
        }
    }

    /// Returns the row as paragraphs: sentences would not fit into a table.
    fn text(&self) -> String {
        let Self { shot, name, kind, explanation, mechanism, .. } = self;
        let model = self.model.as_ref().map(|model| format!("    {} {}\n", model.fen, model.line.join(" ")));
        format!("{shot}: {name} ({kind})\n    {explanation}\n    {mechanism}\n{}", model.unwrap_or_default())
    }
}

/// Writes the names and mechanisms that are known.
fn write_names(options: &Options, language: &str, context: &mut Context) -> Result<()> {
    let csv = options.csv.options();
    if options.format == Format::Csv {
        context.out.bytes(&csv.header(["shot", "name", "kind", "explanation", "mechanism"]))?;
    }
    Definition::all().iter().map(|definition| KindRow::new(definition, language)).try_for_each(|row| {
        let cells = [row.shot, row.name, row.kind, row.explanation, row.mechanism].map(CsvCell::text);
        context.answer_or_csv(options.format, &row, || csv.line(cells), || row.text())
    })
}
