//! `pdn lesson`: a shot, explained and shown in games, with exercises.

use clap::Args;

use super::context::Context;
use super::options::{Endgames, Files, Format, JobEngine, formats};
use super::puzzles::{FoundInFiles, find, shot_named};
use super::spool::Sorted;
use super::words::count;
use crate::annotate::{FindingOptions, GamePuzzle, LessonPlan, PuzzleOrder, PuzzleSearch, Tries, describe_solution};
use crate::check::{CheckOptions, reviews};
use crate::engine::EngineOptions;
use crate::error::{Error, Result};
use crate::records::{GameRow, Origin, game_row};
use crate::replay::ReplayOptions;
use crate::report::{ExerciseWork, Paper, Sheet, SheetItem, SheetOptions, SolvePage, sheet_text};
use crate::rules::{Position, Variant};
use crate::shots::Definition;
use crate::text::Language;

/// Maximum number of examples, unless another one is given.
const EXAMPLES: usize = 5;

/// What `pdn lesson` can write.
const FORMATS: [(Format, &str); 3] = [
    (Format::Pdf, "A lesson on paper, with the solutions at the end"),
    (Format::Html, "A page on which the exercises are solved"),
    (Format::Pdn, "Only the exercises, as `pdn puzzles` writes them"),
];

/// Make a lesson on a shot out of games: explanation, examples, exercises
///
/// The lesson says what the shot is and how it works, and shows a model of it. Examples and exercises are the puzzles with this
/// shot that `pdn puzzles` finds in the games, from easy to hard. Examples are positions that occurred in a game, as far as there
/// are any, with their players, event and date. A position after a move that was not played says so instead; `--played` leaves
/// these out. If there are too few puzzles, at least half of them are examples.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn lesson philippe games.pdn -o philippe.pdf
  pdn lesson --lang nl --examples 3 'zet van Weiss' archive/ -o weiss.html
  pdn lesson direct games.pdn -o exercises.pdn")]
pub(super) struct Options {
    /// Name of the shot or mechanism, in any language; `pdn shots --names` lists them
    #[arg(value_name = "SHOT")]
    shot: String,
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Maximum number of examples [default: 5, but none for PDN, which has only exercises]
    #[arg(long, value_name = "N")]
    examples: Option<usize>,
    /// Maximum number of exercises
    #[arg(long, value_name = "N", default_value_t = 12)]
    exercises: usize,
    #[command(flatten)]
    finding: FindingOptions,
    /// Size of the paper of a PDF
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    paper: Paper,
    /// Language of the lesson
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// Output format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "html", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    job: JobEngine,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    context.out.refuse_terminal(
        "a lesson is a document: use -o lesson.pdf, -o lesson.html, or -o lesson.pdn for its exercises",
    )?;
    let shot = shot_named(&options.shot).map_err(Error::usage)?;
    let databases = context.databases(context.variant);
    let engine = options.job.options()?.with_databases(databases.clone());
    let search = PuzzleSearch::new(engine, databases, &options.finding, Some(shot));
    let order = PuzzleOrder::Difficulty;
    let record = |puzzle: &GamePuzzle| {
        let key = (puzzle.order(order), !puzzle.occurred(), puzzle.named().map(Definition::id));
        (key, puzzle.pdn().into_bytes())
    };
    let FoundInFiles { puzzles, games, others, errors, .. } = find(&options.files, search, context, record)?;
    let searched = format!("{} searched", count(games, "game"));
    if puzzles.len() == 0 {
        context.out.discard();
        context.conclude(errors);
        let (name, others) = (shot.name(options.lang.code()), count(others, "other puzzle"));
        return Err(Error::unavailable(format!("no example of {name}: {searched}, {others} found")));
    }
    let number = count(puzzles.len() as u64, "puzzle");
    let puzzles = puzzles.sorted()?;
    let occurred: Vec<_> = puzzles.keys().map(|(_, is_made_up, _)| !is_made_up).collect();
    let wanted = options.examples.unwrap_or(if options.format == Format::Pdn { 0 } else { EXAMPLES });
    let plan = LessonPlan::new(&occurred, wanted, options.exercises);
    let [examples, exercises] = [(&plan.examples, "example"), (&plan.exercises, "exercise")]
        .map(|(numbers, noun)| count(numbers.len() as u64, noun));
    let shot = kind_of_most(shot, puzzles.keys().filter_map(|(.., id)| *id));
    let lesson = Lesson { shot, plan, puzzles, language: options.lang, paper: options.paper };
    match options.format {
        Format::Pdn => lesson.write_exercises(context)?,
        Format::Pdf => lesson.write_sheet(context)?,
        _ => lesson.write_page(context)?,
    }
    let name = shot.name(options.lang.code());
    context.inform(&format!("{name}: {examples}, {exercises} out of {number}; {searched}"));
    context.conclude(errors);
    Ok(())
}

/// Returns the kind that most puzzles with a name are: the one that was asked for, or its namesake on another board.
fn kind_of_most(shot: &'static Definition, names: impl Iterator<Item = &'static str>) -> &'static Definition {
    let kinds: Vec<_> = names.filter_map(Definition::by_id).filter(|kind| kind.is_also(shot)).collect();
    let others: Vec<_> = kinds.iter().filter(|kind| **kind != shot).collect();
    others.first().filter(|_| 2 * others.len() > kinds.len()).map_or(shot, |kind| kind)
}

/// A lesson that is to be written.
struct Lesson<K> {
    shot: &'static Definition,
    plan: LessonPlan,
    puzzles: Sorted<K>,
    language: Language,
    paper: Paper,
}

impl<K> Lesson<K> {
    fn title(&self) -> String {
        let name = self.shot.name(self.language.code());
        let mut letters = name.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }

    /// Writes the exercises as records.
    fn write_exercises(mut self, context: &mut Context) -> Result<()> {
        self.plan.exercises.iter().try_for_each(|&n| context.out.bytes(self.puzzles.record(n)?))
    }

    /// Writes the lesson for paper.
    fn write_sheet(mut self, context: &mut Context) -> Result<()> {
        let options = SheetOptions { title: Some(self.title()), paper: self.paper, ..self.sheet_options() };
        let mut sheet = Sheet::pdf(options.clone());
        for item in self.introduction(context.variant)? {
            context.out.bytes(&sheet.add(item)?)?;
        }
        for &number in &self.plan.exercises {
            let item = with_row(self.puzzles.record(number)?, context.variant, |row, start| {
                describe_solution(row, start, options.lang);
                SheetItem::new(row, Some(start), &options)
            });
            context.out.bytes(&item.map_or(Ok(Vec::new()), |item| sheet.add(item))?)?;
        }
        let (end, replaced) = sheet.complete()?;
        if let Some(note) = replaced {
            context.inform(&note);
        }
        context.out.bytes(&end)
    }

    /// Writes the lesson as a page to solve on.
    fn write_page(mut self, context: &mut Context) -> Result<()> {
        let introduction = self.introduction(context.variant)?;
        let mut page = SolvePage::new(self.language, Some(self.title())).with_introduction(&introduction);
        let databases = context.databases(context.variant);
        let tries = Tries::new(EngineOptions::default().with_databases(databases));
        let work = ExerciseWork::new(self.language, true, move |position: &Position| tries.lines(position));
        context.out.text(&page.start())?;
        for &number in &self.plan.exercises {
            let exercise =
                with_row(self.puzzles.record(number)?, context.variant, |row, start| work.exercise(row, start));
            exercise.map_or(Ok(()), |exercise| context.out.text(&page.add(&exercise)))?;
        }
        context.out.text(&SolvePage::end())
    }

    fn sheet_options(&self) -> SheetOptions {
        SheetOptions { all: true, lang: self.language, ..SheetOptions::default() }
    }

    /// Returns what comes before the exercises: the explanation, the model and the examples.
    fn introduction(&mut self, variant: Option<Variant>) -> Result<Vec<SheetItem>> {
        let (language, code) = (self.language, self.language.code());
        let options = SheetOptions { games: true, ..self.sheet_options() };
        let text = SheetItem::text(&self.title(), &[self.shot.explanation(code), self.shot.mechanism(code)]);
        let mut items = vec![text];
        if let Some(record) = model(self.shot, &sheet_text(language, "Model")) {
            items.extend(with_row(record.as_bytes(), None, |row, start| SheetItem::new(row, Some(start), &options)));
        }
        if !self.plan.examples.is_empty() {
            items.push(SheetItem::text(&sheet_text(language, "Examples"), &[]));
        }
        for &number in &self.plan.examples {
            items.extend(with_row(self.puzzles.record(number)?, variant, |row, start| {
                describe_solution(row, start, language);
                SheetItem::new(row, Some(start), &options)
            }));
        }
        Ok(items)
    }
}

/// Returns the model of a shot as a record with a heading.
fn model(shot: &Definition, heading: &str) -> Option<String> {
    let (fen, line) = shot.model()?;
    let game_type = shot.variant().game_type()?;
    let line = line.collect::<Vec<_>>().join(" ");
    Some(format!("[Event \"{heading}\"]\n[GameType \"{game_type}\"]\n[FEN \"{fen}\"]\n\n{line} *\n"))
}

/// Does something with the row of a record and the position at its start.
fn with_row<T>(
    record: &[u8],
    variant: Option<Variant>,
    work: impl FnOnce(&mut GameRow<'_>, &Position) -> Option<T>,
) -> Option<T> {
    let options = CheckOptions { replay: ReplayOptions::of(variant), ..CheckOptions::default() };
    let review = reviews(record, options).next()?;
    let mut row = game_row(&review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
    work(&mut row, review.game().start()?)
}
