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
    pages().into_iter().try_for_each(|(name, page)| {
        let Some(folder) = &options.out else { return context.out.bytes(&page) };
        let path = folder.join(name);
        fs::create_dir_all(folder).and_then(|()| fs::write(&path, page)).map_err(|error| Error::write(path, error))
    })
}

/// Returns the pages with their file names; the page of the program itself comes first.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut whole = super::command().disable_help_subcommand(true);
    whole.build();
    let commands = whole.get_subcommands().cloned();
    std::iter::once(whole.clone()).chain(commands).map(page).collect()
}

fn page(command: clap::Command) -> (String, Vec<u8>) {
    let man = Man::new(command).manual("pdn manual");
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = man.render(&mut text);
    (man.get_filename(), text)
}
