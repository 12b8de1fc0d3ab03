//! `pdn index`: a table of positions, sorted by key.

use clap::Args;

use super::context::{Context, Status};
use super::options::Files;
use crate::error::Result;

/// Write a sorted table of all positions in games to a folder
///
/// `pdn search --index DIR` looks up positions in it without reading the games, and SQL reads it as a Parquet table.
/// Memory does not grow with the number of positions.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn index archive/ -o positions
  pdn search --index positions --fen W:W31-50:B1-20 --count")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
}

#[cfg(not(feature = "parquet"))]
pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(super::failure::lacks_feature("write an index", "parquet"))
}

#[cfg(feature = "parquet")]
pub(super) use with_parquet::run;

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::collections::HashMap;
    use std::path::{Path, PathBuf};

    use super::{Context, Options, Result, Status};
    use crate::check::Checking;
    use crate::cli::context::Step;
    use crate::cli::output::Output;
    use crate::error::Error;
    use crate::export::{INDEX_FILE, IndexWriter, IndexedFile};
    use crate::query::{GameKeys, IndexEntry, IndexQuery, Sorter};
    use crate::rules::Variant;
    use crate::source::Input;

    pub(in crate::cli) fn run(options: &Options, context: &mut Context) -> Result<Status> {
        let folder = folder(context)?;
        let mut collected = Collected::new(&folder);
        let inputs = context.inputs(&options.files)?;
        let known = inputs.iter().flatten().map(indexed).collect::<Result<HashMap<_, _>>>()?;
        let work = Checking::new(IndexQuery, context.check_options(&options.files));
        context.read_found(inputs, &options.files, &work, |_, step| match step {
            Step::Begin(label) => {
                collected.files.extend(known.get(&label).cloned());
                Ok(())
            }
            Step::Done(games) => games.iter().try_for_each(|game| collected.add(game, &folder)),
        })?;
        let positions = collected.write(&folder)?;
        context.inform(&format!("{positions} positions"));
        Ok(Status::Clean)
    }

    /// Creates the folder that `-o` names.
    fn folder(context: &Context) -> Result<PathBuf> {
        let folder = context.out.folder().ok_or_else(|| Error::usage("an index is a folder: use -o DIR"))?;
        std::fs::create_dir_all(&folder).map_err(|error| Error::write(&folder, error))?;
        Ok(folder)
    }

    fn indexed(input: &Input) -> Result<(String, IndexedFile)> {
        let known = input.path().zip(input.stored_size());
        let (path, size) =
            known.ok_or_else(|| Error::usage(format!("{}: only files can be indexed", input.label())))?;
        Ok((input.label().to_owned(), IndexedFile::new(input.label(), path, size)))
    }

    /// The positions of all games.
    struct Collected {
        sorter: Sorter<IndexEntry>,
        files: Vec<IndexedFile>,
        variants: Vec<Variant>,
    }

    impl Collected {
        fn new(folder: &Path) -> Self {
            Self { sorter: Sorter::new(folder), files: Vec::new(), variants: Vec::new() }
        }

        fn add(&mut self, game: &GameKeys, folder: &Path) -> Result<()> {
            let number = self.variants.iter().position(|&variant| variant == game.variant()).unwrap_or_else(|| {
                self.variants.push(game.variant());
                self.variants.len() - 1
            });
            let file = self.files.len() as u32 - 1;
            let mut entries = game.entries(file, number as u16);
            entries.try_for_each(|entry| self.sorter.push(entry)).map_err(|error| Error::write(folder, error))
        }

        /// Writes the index and returns the number of positions.
        fn write(self, folder: &Path) -> Result<u64> {
            let path = folder.join(INDEX_FILE);
            let mut out = Output::new(Some(&path))?;
            let names = self.variants.iter().map(|variant| variant.name().to_owned()).collect();
            let mut writer = IndexWriter::new(self.files, names);
            let mut count = 0;
            for entry in self.sorter.finish().map_err(|error| Error::write(folder, error))? {
                out.bytes(&writer.add(&entry.map_err(|error| Error::read(folder, error))?))?;
                count += 1;
            }
            out.bytes(&writer.finish())?;
            out.finish()?;
            Ok(count)
        }
    }
}
