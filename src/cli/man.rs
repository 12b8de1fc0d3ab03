//! `pdn man`: the manual pages.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use super::context::Context;
use crate::error::{Error, Result};

/// Write the manual, one page per command
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn man | man -l -
  pdn man --out ~/.local/share/man/man1")]
pub(super) struct Options {
    /// Write one file per page to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let mut whole = super::command().disable_help_subcommand(true);
    whole.build();
    // The page of the program itself comes first.
    std::iter::once(&whole).chain(whole.get_subcommands()).try_for_each(|command| {
        let man = Man::new(command.clone()).manual("pdn manual");
        let mut page = Vec::new();
        // Writing to memory cannot fail.
        let _ = man.render(&mut page);
        let Some(folder) = &options.out else { return context.out.bytes(&page) };
        let path = folder.join(man.get_filename());
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, page)).map_err(|error| Error::write(path, error))
    })
}
