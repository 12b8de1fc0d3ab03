//! `pdn index`: a table of positions, sorted by key.

use std::collections::HashMap;
use std::fs;

use clap::Args;

use super::context::{Context, Step};
use super::options::Files;
use super::pending::Pending;
use crate::check::{Checking, Each};
use crate::error::{Error, Result};
use crate::query::{GamePositions, INDEX_FILE, IndexWriter, IndexedFile};
use crate::source::Input;

/// Write a sorted table of all positions in games to a folder
///
/// `pdn search --index DIR` looks up positions in it without reading the games. Memory does not grow with the number of
/// positions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn index archive/ -o positions
  pdn search --index positions --fen W:W31-50:B1-20 --count")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let folder = context.out.folder().ok_or_else(|| Error::usage("an index is a folder: use -o DIR"))?;
    let failed = |error| Error::write(&folder, error);
    let inputs = context.inputs(&options.files)?;
    // The sizes before reading: a file that grows meanwhile has changed since it was indexed.
    let known = inputs.iter().flatten().map(indexed).collect::<Result<HashMap<_, _>>>()?;
    let is_new = !folder.exists();
    fs::create_dir_all(&folder).map_err(failed)?;
    let pending = Pending::create(&folder, None).map_err(failed)?;
    let file = pending.file().try_clone().map_err(failed)?;
    let mut writer = IndexWriter::new(file, &folder).map_err(failed)?;
    let work = Checking::by_input(Each(GamePositions::of), context.check_options(&options.files));
    context.read(inputs, &options.files, &work, |_, step| match step {
        Step::Begin(label) => {
            known.get(&label).cloned().into_iter().for_each(|file| writer.begin(file));
            Ok(())
        }
        Step::Done(games) => games.iter().try_for_each(|game| writer.add(game)).map_err(failed),
    })?;
    // Only a complete index replaces the old one.
    if context.has_failed() {
        drop((writer, pending));
        if is_new {
            let _ = fs::remove_dir(&folder);
            return Err(Error::unavailable("an input cannot be read: no index was written"));
        }
        return Err(Error::unavailable("an input cannot be read: the index was not replaced"));
    }
    let positions = writer.finish().map_err(failed)?;
    pending.persist(&folder.join(INDEX_FILE)).map_err(failed)?;
    context.inform(&format!("{positions} positions"));
    Ok(())
}

fn indexed(input: &Input) -> Result<(String, IndexedFile)> {
    let known = input.path().zip(input.stored_size());
    let (path, size) = known.ok_or_else(|| Error::usage(format!("{}: only files can be indexed", input.label())))?;
    let label = input.label().to_owned();
    Ok((label.clone(), IndexedFile { label, path: path.to_string_lossy().into_owned(), size }))
}
