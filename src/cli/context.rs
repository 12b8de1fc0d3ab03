//! The state of a running command: its output, its threads and its exit status.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::config::{Settings, read_rules_file};
use super::failure::ErrorStyle;
use super::file_settings::{Checks, InputDoubts, SettingsFinder};
use super::fmt::left_unchanged;
use super::options::{Common, Files, Format, When};
use super::output::{Growth, Output, resolved};
use super::progress::Progress;
use super::words::{count, counted};
use crate::check::{CheckedGame, Checking, Doubts, Each, GameWork};
use crate::diag::Paint;
use crate::egdb::{Databases, TableProblem};
use crate::error::{Error, ParseError, Result};
use crate::export::cannot_replace;
use crate::notation::{Aliases, Numbering, fen_names};
use crate::rules::{Position, Variant};
use crate::shared::lock;
use crate::source::{Event, Input, MAX_JOBS, Pipeline, Work};
use crate::text::{self, Encoding, printable, printable_lines};

/// The exit status of a command; the highest takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// No errors.
    Clean,
    /// A record contains an error.
    Errors,
    /// Part of the work could not be done.
    Failed,
}

impl Status {
    /// Returns the status of a command that found errors, or none.
    pub(super) const fn with_errors(found: bool) -> Self {
        if found { Self::Errors } else { Self::Clean }
    }
}

impl From<()> for Status {
    /// Returns the status of a command that finds no errors.
    fn from((): ()) -> Self {
        Self::Clean
    }
}

/// The state that all commands share.
pub(super) struct Context {
    /// The destination of the results.
    pub(super) out: Output,
    /// The number of threads.
    pub(super) jobs: NonZeroUsize,
    /// The variant of every game, if given.
    pub(super) variant: Option<Variant>,
    /// True if only results and errors are printed.
    pub(super) quiet: bool,
    /// How results are colored.
    pub(super) paint: Paint,
    /// The names of players and events, by alias.
    pub(super) aliases: Arc<Aliases>,
    pub(super) finder: Arc<SettingsFinder>,
    databases: Databases,
    /// The problems of databases that were reported.
    table_problems: Vec<TableProblem>,
    errors: ErrorStyle,
    status: Status,
    doubts: InputDoubts,
    /// What is said about the files that were read.
    pub(super) remarks: Remarks,
    /// The format of the output if it may replace an input in this format.
    pub(super) replaces: Option<text::Format>,
    /// The files that were found as inputs.
    read: Mutex<Vec<PathBuf>>,
    /// The label of the input that the output replaces.
    replaced: OnceLock<String>,
    /// True if each input is replaced by its own output.
    pub(super) rewrites: bool,
}

/// What is said about files that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remarks {
    /// Nothing: the results show all diagnostics, and thus the doubts too.
    Nothing,
    /// That there is no game, or that the encoding is not certain.
    Doubts,
    /// Also that text outside games is left out: the results are records without it.
    DoubtsAndTexts,
}

impl Remarks {
    /// Returns what is said by a command that writes the games of records, or something else.
    pub(super) const fn of_records(are_records: bool) -> Self {
        if are_records { Self::DoubtsAndTexts } else { Self::Doubts }
    }
}

/// Why an output is refused.
pub(super) const REPLACES_INPUT: &str = "the output would replace an input";

/// A step of reading inputs, in their order.
pub(super) enum Step<T> {
    /// The input with this label begins.
    Begin(String),
    /// A chunk of it is done.
    Done(T),
}

/// The outcome of reading inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// True if at least one chunk was read.
    pub(super) any: bool,
    /// True if everything was read.
    pub(super) complete: bool,
    /// What is unsure about the encoding of the last file in which it is.
    pub(super) unsure: Option<Unsure>,
}

/// Why the text of a file is not certain to be what its author wrote.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unsure {
    /// Its encoding was detected.
    Guess(Encoding),
    /// Some of its bytes cannot be read.
    Damage,
}

impl Unsure {
    fn of(doubts: &Doubts) -> Option<Self> {
        doubts.guess().map(Self::Guess).or_else(|| doubts.is_damaged().then_some(Self::Damage))
    }

    /// Returns the reason for a text that is not UTF-8 and whose bytes suggest an encoding: UTF-8 if they are damage.
    pub(super) fn of_encoding(suggested: Encoding) -> Self {
        if suggested == Encoding::Utf8 { Self::Damage } else { Self::Guess(suggested) }
    }
}

impl fmt::Display for Unsure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guess(encoding) => {
                write!(f, "not UTF-8, and read in the encoding that its bytes suggest, {encoding}")
            }
            Self::Damage => f.write_str("some bytes are not UTF-8 and cannot be read"),
        }
    }
}

impl Context {
    /// Prepares the output, the rules and the threads that the options and the settings request. The configuration file is
    /// looked for above `paths`, the paths of the records; `egdb` is the folder of endgame databases.
    pub(super) fn new(common: &Common, paths: Option<&[PathBuf]>, egdb: Option<&Path>, growth: Growth) -> Result<Self> {
        let settings = Settings::find(common, paths)?;
        let given = common.rules.as_deref().map(read_rules_file).transpose()?.or(common.variant);
        let variant = settings.variant_or(given)?;
        let databases = egdb.or(settings.egdb.as_deref()).map(Databases::in_folder).transpose()?.unwrap_or_default();
        let aliases = common.aliases.as_deref().map(read_aliases).transpose()?.unwrap_or_default();
        let out = Output::growing(common.output.as_deref(), growth)?;
        let colored = match common.color {
            When::Always => {
                can_enable_colors();
                true
            }
            When::Never => false,
            When::Auto => !out.is_file() && stdout().is_terminal() && terminal_has_colors(),
        };
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            out,
            jobs: common.jobs.map_or(cores, |jobs| jobs.min(MAX_JOBS)),
            variant,
            quiet: common.quiet,
            paint: if colored { Paint::Ansi } else { Paint::Plain },
            aliases: Arc::new(aliases),
            finder: Arc::new(SettingsFinder::new(common, given)),
            databases,
            table_problems: Vec::new(),
            errors: ErrorStyle::requested(),
            status: Status::Clean,
            doubts: InputDoubts::default(),
            remarks: Remarks::Doubts,
            replaces: None,
            read: Mutex::default(),
            replaced: OnceLock::new(),
            rewrites: false,
        })
    }

    /// Returns the endgame databases. Tables of a variant that cannot be used are reported.
    pub(super) fn databases(&mut self, variant: impl Into<Option<Variant>>) -> Databases {
        if let Some(variant) = variant.into() {
            // Tables are opened when first needed; opened now, damaged ones are reported before the work.
            let _ = self.databases.tables(variant);
        }
        self.report_table_problems();
        self.databases.clone()
    }

    /// Reports the tables that were found to be damaged since the last time.
    fn report_table_problems(&mut self) {
        for problem in self.databases.problems() {
            if !self.table_problems.contains(&problem) {
                self.report(&Error::unavailable(problem.to_string()));
                self.table_problems.push(problem);
            }
        }
    }

    /// Prints an error that does not end the work, and sets the status.
    pub(super) fn report(&mut self, error: &Error) {
        self.print(error);
        self.status = Status::Failed;
    }

    /// Prints an error.
    pub(super) fn print(&self, error: &Error) {
        self.errors.print(error);
    }

    /// Prints a message to standard error, except with --quiet.
    pub(super) fn inform(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(stderr(), "{}", printable_lines(text));
        }
    }

    /// Says how many errors are in the records, if there are any, and returns the status.
    pub(super) fn conclude(&self, errors: u64) -> Status {
        if errors > 0 {
            let errors = counted(errors, "error is", "errors are");
            self.inform(&format!("{errors} in the records; `pdn check` shows them"));
        }
        Status::with_errors(errors > 0)
    }

    /// Returns the variant of positions: International unless one is given.
    pub(super) fn rules(&self) -> Variant {
        self.variant.unwrap_or(Variant::INTERNATIONAL)
    }

    /// Returns the position of a FEN, or else the starting position. An invalid FEN is reported, and `None` returned.
    pub(super) fn position(&self, fen: Option<&str>) -> Option<Position> {
        let Some(fen) = fen else { return Some(Position::start(self.rules())) };
        self.read_fen(fen).map_err(|error| self.print(&Error::usage(format!("invalid FEN: {error}")))).ok()
    }

    /// Reads a FEN, and says so if its squares have letters and the variant is not given.
    pub(super) fn read_fen(&self, fen: &str) -> Result<Position, ParseError> {
        let variant = self.rules();
        let position = Position::from_fen(variant, fen)?;
        if self.variant.is_none() && fen_names(fen, Numbering::for_variant(variant)).is_algebraic() {
            self.inform(
                "note: the FEN has letters and no variant is given: read on the board of International draughts",
            );
        }
        Ok(position)
    }

    /// Returns a thread pool.
    pub(super) fn pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.get()).build();
        pool.map_err(|error| Error::unavailable(format!("cannot start threads: {error}")))
    }

    /// Writes a value as JSON, on one line.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<()> {
        let line = serde_json::to_string(value).map_err(|error| Error::unavailable(error.to_string()))?;
        self.out.text(&(line + "\n"))
    }

    /// Writes an answer as CSV, or as [`answer`](Self::answer) does.
    pub(super) fn answer_or_csv(
        &mut self,
        format: Format,
        value: &impl serde::Serialize,
        csv: impl FnOnce() -> Vec<u8>,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if format == Format::Csv { self.out.bytes(&csv()) } else { self.answer(format, value, text) }
    }

    /// Writes an answer as JSON, on one line, or as text in any other format.
    pub(super) fn answer(
        &mut self,
        format: Format,
        value: &impl serde::Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if format == Format::Json { self.json(value) } else { self.out.text(&text()) }
    }

    /// Returns how games are checked.
    pub(super) fn check_options(&self, files: &Files) -> Checks {
        Checks {
            finder: Arc::clone(&self.finder),
            encoding: files.encoding,
            databases: self.databases.clone(),
            aliases: Arc::clone(&self.aliases),
            strict: None,
            date_order: None,
            doubts: Arc::clone(&self.doubts),
        }
    }

    /// Notes files as inputs.
    ///
    /// # Errors
    ///
    /// If the output would replace one of them and does not hold its records, or is not in its format.
    pub(super) fn note_inputs<'a>(&self, inputs: impl IntoIterator<Item = &'a Input>) -> Result<()> {
        let inputs: Vec<_> = inputs.into_iter().filter_map(|input| input.path().map(|path| (path, input))).collect();
        lock(&self.read).extend(inputs.iter().map(|(path, _)| (*path).to_owned()));
        let Some(output) = self.out.path().filter(|output| output.is_file()) else { return Ok(()) };
        let Some(format) = self.replaces else { return self.spare_inputs([output]) };
        let target = resolved(output);
        let Some((_, input)) = inputs.iter().find(|(path, _)| resolved(path) == target) else { return Ok(()) };
        let _ = self.replaced.set(input.label().to_owned());
        cannot_replace(input, format).map_or(Ok(()), Err)
    }

    /// Reads the input that the output would replace, so that hours of work are not lost if its encoding is not certain.
    ///
    /// # Errors
    ///
    /// If the input must not be replaced.
    pub(super) fn spare_uncertain(&self, inputs: &[Result<Input>], files: &Files) -> Result<()> {
        let label = self.replaced.get().filter(|_| files.encoding.is_none());
        let replaced = inputs.iter().flatten().find(|input| label.is_some_and(|label| label == input.label()));
        let Some(input) = replaced else { return Ok(()) };
        let work = Checking::by_input(Each(|_: &CheckedGame<'_>| ()), self.check_options(files));
        // What cannot be read is reported by the work itself.
        Pipeline::new(self.jobs, files.chunk_options()).run(vec![Ok(input.clone())], &work, |_| Ok(()))?;
        let all = std::mem::take(&mut *lock(&self.doubts));
        let unsure = all.iter().find_map(|(_, doubts)| Unsure::of(doubts));
        unsure.map_or(Ok(()), |unsure| Err(not_replaced(input.label(), unsure)))
    }

    /// Refuses outputs that would replace an input.
    ///
    /// # Errors
    ///
    /// If there is such an output.
    pub(super) fn spare_inputs<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let inputs = OnceCell::<HashSet<PathBuf>>::new();
        for output in outputs.into_iter().filter(|output| output.is_file()) {
            let inputs = inputs.get_or_init(|| lock(&self.read).iter().map(|path| resolved(path)).collect());
            if inputs.contains(&resolved(output)) {
                return Err(Error::usage(format!("{}: {REPLACES_INPUT}", output.display())));
            }
        }
        Ok(())
    }

    /// Returns the inputs that the options name, in their order.
    pub(super) fn inputs(&self, files: &Files) -> Result<Vec<Result<Input>>> {
        let mut inputs = files.inputs(self)?;
        self.prepare(&mut inputs, files)?;
        Ok(inputs)
    }

    /// Reads the settings of inputs, so that they are known to be valid.
    pub(super) fn prepare(&self, inputs: &mut [Result<Input>], files: &Files) -> Result<()> {
        for input in inputs.iter_mut().flatten() {
            let settings = self.finder.of(input)?;
            let encoding = settings.settings.encoding.filter(|_| files.encoding.is_none());
            if let Some(encoding) = encoding {
                input.read_as(encoding.utf16(), encoding.recode());
            }
        }
        Ok(())
    }

    /// Does work on the games of files, which are read as by [`read`](Self::read), and passes on the result for each chunk in order.
    pub(super) fn each<W: GameWork>(
        &mut self,
        files: &Files,
        games: W,
        mut take: impl FnMut(&mut Self, W::Done) -> Result<()>,
    ) -> Result<()> {
        let work = Checking::by_input(games, self.check_options(files));
        self.read(self.inputs(files)?, files, &work, |context, step| match step {
            Step::Begin(_) => Ok(()),
            Step::Done(done) => take(context, done),
        })
    }

    /// Does work on the games of files and returns the sum of the results.
    pub(super) fn sum<W: GameWork<Done: AddAssign>>(&mut self, files: &Files, games: W) -> Result<W::Done> {
        let mut sum = W::Done::default();
        self.each(files, games, |_, done| {
            sum += done;
            Ok(())
        })?;
        Ok(sum)
    }

    /// Reads inputs, works on them in parallel and passes the results to `consume` in order. Files that cannot be read are
    /// reported and set the status; the others are still processed.
    pub(super) fn read<W: Work>(
        &mut self,
        inputs: Vec<Result<Input>>,
        files: &Files,
        work: &W,
        consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<()> {
        let read = self.read_inputs(inputs, files, work, consume)?;
        if !read.any {
            self.discard_if_failed();
        }
        Ok(())
    }

    /// Returns true if part of the work could not be done.
    pub(super) fn has_failed(&self) -> bool {
        self.status == Status::Failed
    }

    /// Discards the output if part of the work could not be done.
    pub(super) fn discard_if_failed(&mut self) {
        if self.has_failed() {
            self.out.discard();
        }
    }

    /// Reads inputs like [`read`](Self::read) and returns the outcome.
    pub(super) fn read_inputs<W: Work>(
        &mut self,
        inputs: Vec<Result<Input>>,
        files: &Files,
        work: &W,
        mut consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<Read> {
        // What was read ahead is read again.
        lock(&self.doubts).clear();
        let pipeline = Pipeline::new(self.jobs, files.chunk_options());
        let progress = Progress::over(&inputs, Arc::clone(&pipeline.options().bytes_read), self.quiet);
        let mut read = Read { any: false, complete: true, unsure: None };
        // A program that writes to a stream now and then may wait for the answer.
        let is_slow = inputs.iter().flatten().any(|input| input.stored_size().is_none());
        pipeline.run(inputs, work, |event| {
            progress.update();
            match event {
                Event::Begin(input) => consume(self, Step::Begin(input.label().to_owned())),
                Event::Done(done) => {
                    read.any = true;
                    progress.suspend(|| consume(self, Step::Done(done)))?;
                    if is_slow { self.out.flush() } else { Ok(()) }
                }
                Event::Error(error) => {
                    read.complete = false;
                    progress.suspend(|| self.report(&error));
                    Ok(())
                }
            }
        })?;
        let (unsure, is_cut) = self.report_doubts(files);
        Ok(Read { unsure, complete: read.complete && !is_cut, ..read })
    }

    /// Names each file that holds no game or a game that is too large, whose encoding was detected, that has bytes that cannot be read or
    /// whose texts outside games are left out, and returns what is unsure about the encoding of the last one, and true if a game is too
    /// large. An input that the output would replace then stays as it is.
    pub(super) fn report_doubts(&mut self, files: &Files) -> (Option<Unsure>, bool) {
        let all = std::mem::take(&mut *lock(&self.doubts));
        let (mut last, mut is_cut) = (None, false);
        for (label, doubts) in &all {
            let unsure = Unsure::of(doubts);
            if self.remarks != Remarks::Nothing {
                self.say_doubts(label, doubts, unsure);
            }
            last = unsure.or(last);
            let is_replaced = self.replaced.get() == Some(label);
            if let Some(unsure) = unsure.filter(|_| is_replaced && files.encoding.is_none()) {
                self.report(&not_replaced(label, unsure));
                self.give_up();
            }
            if doubts.is_cut() {
                is_cut = true;
                self.report_cut(label);
            }
        }
        (last, is_cut)
    }

    /// Says what is uncertain about a file.
    fn say_doubts(&self, label: &str, doubts: &Doubts, unsure: Option<Unsure>) {
        let say = |text: String| self.inform(&format!("{}: {text}", printable(label)));
        if let Some(diagnostic) = doubts.no_game() {
            say(diagnostic.message());
        } else if self.remarks == Remarks::DoubtsAndTexts && doubts.texts() > 0 {
            say(format!("{} between games left out", count(doubts.texts(), "text")));
        }
        if let Some(unsure) = unsure {
            let choice = if let Unsure::Guess(_) = unsure { "; see --encoding" } else { "" };
            say(format!("{unsure}{choice}"));
        }
    }

    /// Reports that a game of a file is too large, unless the results do, and leaves an input unchanged that the output would replace.
    fn report_cut(&mut self, label: &str) {
        if self.remarks == Remarks::Nothing {
            return;
        }
        let replaced = self.replaced.get().map(String::as_str).or(self.rewrites.then_some(label));
        let replaced = replaced.map(|replaced| format!("; {} is left unchanged", printable(replaced)));
        let (label, replaced) = (printable(label), replaced.unwrap_or_default());
        self.report(&Error::unavailable(format!("{label}: a game is too large; raise --max-game{replaced}")));
        self.give_up();
    }

    /// Leaves the input unchanged that the output would replace, if it would.
    fn give_up(&mut self) {
        let part = self.replaced.get().and_then(|_| self.out.give_up());
        if let Some(part) = part {
            self.report(&Error::unavailable(format!("the incomplete output is kept in {}", part.display())));
        }
    }

    /// Completes the output and returns the final status.
    pub(super) fn finish(mut self, status: Status) -> Result<Status> {
        self.report_table_problems();
        self.out.finish()?;
        Ok(status.max(self.status))
    }
}

/// Returns the error that the output does not replace an input, since it is not certain what its bytes mean.
fn not_replaced(label: &str, unsure: Unsure) -> Error {
    left_unchanged(label, unsure, "write to a new file")
}

/// Reads a file of aliases.
pub(super) fn read_aliases(path: &Path) -> Result<Aliases> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let line = |error: &ParseError| text[..error.range().start].matches('\n').count() + 1;
    let invalid = |error: ParseError| Error::usage(format!("{}:{}: {error}", path.display(), line(&error)));
    text.parse::<Aliases>().map_err(invalid)
}

fn terminal_has_colors() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").map_or_else(can_enable_colors, |term| term != "dumb")
}

/// Makes an old console of Windows show colours; returns false if it cannot. Other terminals need nothing.
fn can_enable_colors() -> bool {
    anstyle_query::windows::enable_ansi_colors() != Some(false)
}
