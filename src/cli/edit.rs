//! `pdn edit`: changes to the tags of all games.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::context::{Context, Read, Step, read_aliases};
use super::file_settings::Checks;
use super::fmt::{UnifiedDiff, left_unchanged};
use super::openings::Names;
use super::options::{ADVANCED, Files};
use super::output::Output;
use super::words::count;
use crate::check::{Checking, GameWork};
use crate::edit::{EditedChunk, TagEdits};
use crate::error::{Error, Result};
use crate::export::cannot_replace;
use crate::notation::{Aliases, english_tag, is_tag_name};
use crate::source::Input;
use crate::text::{Format, printable};

/// Change tags of all games; all other bytes stay unchanged
///
/// Without --diff or --write, the edited records are the output. A tag that a game lacks is added after its other tags. New
/// values are written in the encoding of each game; UTF-16 becomes UTF-8.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[command(after_help = "\
Examples:
  pdn edit --set Site=Amsterdam --set 'Event=Suikerdam 1969' games.pdn -o edited.pdn
  pdn edit --rename-players names.txt --diff archive/
  pdn edit --set Site=Amsterdam --write games.pdn
  pdn edit --openings archive/ -o named.pdn

The file of --rename-players has a line `alias = name` for each former name, such as `pdn players
--write-aliases` writes; --aliases does the same. `pdn openings --help` describes files of opening names.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Set a tag in every game
    #[arg(long, value_name = "TAG=VALUE", value_parser = parse_tag)]
    set: Vec<(String, String)>,
    /// Rename players as listed in FILE
    #[arg(long, value_name = "FILE")]
    rename_players: Option<PathBuf>,
    /// Set the tag Opening to the last opening name reached by the main line, if there is one
    #[arg(long)]
    openings: bool,
    #[command(flatten)]
    names: Names,
    /// Show what would change, as a unified diff
    #[arg(long, conflicts_with = "write")]
    pub(super) diff: bool,
    /// Replace the files
    #[arg(long)]
    write: bool,
    /// Replace files even if their encoding was detected, or if bytes of them cannot be read
    #[arg(long, requires = "write", help_heading = ADVANCED)]
    yes: bool,
}

fn parse_tag(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected TAG=VALUE")?;
    if !is_tag_name(name) {
        return Err("expected the name of a tag before `=`: a capital letter, then letters, digits and `_`".to_owned());
    }
    // Other values would give the moves other meanings, or none.
    if ["FEN", "GameType", "SetUp"].iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(format!("{name} determines how moves are read and cannot be set for all games"));
    }
    // A line end would close the tag early for many programs, and a reader would not see the others.
    if value.chars().any(char::is_control) {
        return Err("the value contains control characters".to_owned());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

/// Returns the new names of players: those of --rename-players, or else of --aliases.
fn new_names(options: &Options, context: &Context) -> Result<Arc<Aliases>> {
    let Some(path) = &options.rename_players else { return Ok(Arc::clone(&context.aliases)) };
    let names = read_aliases(path)?;
    if let Some(name) = names.names().find(|name| name.chars().any(char::is_control)) {
        let reason = format!("the name `{}` contains control characters", printable(name));
        return Err(Error::usage(format!("{}: {reason}", path.display())));
    }
    Ok(Arc::new(names))
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    // A tag that is written in another language has one new value.
    let english = |n: usize| english_tag(&options.set[n].0).unwrap_or(&options.set[n].0);
    let name_before = |n: usize| (0..n).any(|before| english(before).eq_ignore_ascii_case(english(n)));
    if let Some(n) = (1..options.set.len()).find(|&n| name_before(n)) {
        return Err(Error::usage(format!("--set {} is given twice", options.set[n].0)));
    }
    let renamed = new_names(options, context)?;
    if options.set.is_empty() && !options.openings && renamed.is_empty() && options.rename_players.is_none() {
        return Err(Error::usage("nothing to change: use --set, --rename-players, --aliases or --openings"));
    }
    if options.names.names.is_some() && !options.openings {
        return Err(Error::usage("--names needs --openings"));
    }
    let mut edits = TagEdits::new(options.set.clone(), renamed);
    if options.openings {
        edits = edits.with_openings(options.names.read(context)?);
    }
    let checks = Checks { aliases: Arc::default(), ..context.check_options(&options.files) };
    context.rewrites = options.write;
    let how = How { files: &options.files, diff: options.diff, check: false, write: options.write, yes: options.yes };
    run_edits(how, Checking::by_input(edits, checks), context).map(drop)
}

/// What becomes of the edited files.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct How<'a> {
    pub(super) files: &'a Files,
    /// Shows what would change.
    pub(super) diff: bool,
    /// Lists the files that would change.
    pub(super) check: bool,
    /// Replaces the files.
    pub(super) write: bool,
    /// Replaces them even if it is not certain what their bytes mean.
    pub(super) yes: bool,
}

/// Edits the games of files. Returns the number of games that changed, or would, and of errors that repairs left.
pub(super) fn run_edits<W>(how: How<'_>, edits: Checking<W>, context: &mut Context) -> Result<[u64; 2]>
where
    W: GameWork<Done = EditedChunk>,
{
    let mut editing = Editing { how, edits, games: 0, files: 0, errors: 0 };
    let mut any = false;
    for input in context.inputs(how.files)? {
        any |= match input {
            Ok(input) if how.diff => editing.diff(input, context)?,
            Ok(input) if how.check => editing.check(input, context)?,
            Ok(input) if how.write => editing.replace(&input, context)?,
            input => editing.read(input, context, |context, done| context.out.bytes(done.text()))?.0.any,
        };
    }
    if !any {
        context.discard_if_failed();
    }
    if how.write {
        let (games, files) = (count(editing.games, "game"), count(editing.files, "file"));
        context.inform(&format!("{games} in {files} changed"));
    }
    context.conclude(editing.errors);
    Ok([editing.games, editing.errors])
}

/// A run, with the numbers of games and files that changed.
struct Editing<'a, W> {
    how: How<'a>,
    edits: Checking<W>,
    games: u64,
    files: u64,
    errors: u64,
}

impl<W: GameWork<Done = EditedChunk>> Editing<'_, W> {
    /// Edits a file and passes its chunks on. Returns what was read, and the number of games that changed.
    fn read(
        &mut self,
        input: Result<Input>,
        context: &mut Context,
        mut each: impl FnMut(&mut Context, &EditedChunk) -> Result<()>,
    ) -> Result<(Read, u64)> {
        let label = input.as_ref().map_or_else(|_| String::new(), |input| input.label().to_owned());
        let (mut changed, mut errors) = (0, 0);
        let read = context.read_inputs(vec![input], self.how.files, &self.edits, |context, step| {
            let Step::Done(done) = step else { return Ok(()) };
            for refusal in done.refusals() {
                context.report(&Error::unavailable(format!("{}: {refusal}", printable(&label))));
            }
            for row in done.rows() {
                context.inform(&row.to_string());
                for (sign, line) in [('-', &row.before), ('+', &row.after)] {
                    let lines = line.as_deref().unwrap_or_default().lines();
                    lines.for_each(|line| context.inform(&format!("{sign} {}", printable(line))));
                }
            }
            changed += done.changed();
            errors += done.errors;
            each(context, &done)
        })?;
        self.games += changed;
        self.errors += errors;
        Ok((read, changed))
    }

    fn diff(&mut self, input: Input, context: &mut Context) -> Result<bool> {
        let mut diff = UnifiedDiff::new(input.label());
        let add = |context: &mut Context, done: &EditedChunk| context.out.bytes(&diff.add(&done.original, done.text()));
        Ok(self.read(Ok(input), context, add)?.0.any)
    }

    /// Lists a file if it would change.
    fn check(&mut self, input: Input, context: &mut Context) -> Result<bool> {
        let label = format!("{}\n", printable(input.label()));
        let (read, changed) = self.read(Ok(input), context, |_, _| Ok(()))?;
        context.out.text(if changed > 0 { &label } else { "" })?;
        Ok(read.any)
    }

    /// Replaces a file if it changes. If one file fails, the others are still processed.
    fn replace(&mut self, input: &Input, context: &mut Context) -> Result<bool> {
        let standard_input = || Error::usage("standard input cannot be replaced; leave out --write");
        if let Some(reason) = input.path().is_none().then(standard_input).or_else(|| cannot_replace(input, Format::Pdn))
        {
            context.report(&reason);
            return Ok(false);
        }
        let mut out = Output::new(input.path())?;
        let before = self.games;
        let (read, changed) = self.read(Ok(input.clone()), context, |_, done| out.bytes(done.text()))?;
        let is_certain = self.how.yes || self.how.files.encoding.is_some();
        let unsure = read.unsure.filter(|_| changed > 0 && !is_certain);
        if let Some(unsure) = unsure {
            context.report(&left_unchanged(input.label(), unsure, "add --yes to keep these bytes as they are"));
        }
        if read.complete && changed > 0 && unsure.is_none() {
            out.finish()?;
            self.files += 1;
        } else {
            out.discard();
            self.games = before;
        }
        Ok(read.any)
    }
}
