//! `pdn completions`: shell completions.

use clap::Args;
use clap_complete::Shell;

use super::context::{Context, Status};
use crate::error::Result;

/// Write a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn completions bash > ~/.local/share/bash-completion/completions/pdn")]
pub(super) struct Options {
    /// The shell
    shell: Shell,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut super::command(), "pdn", &mut script);
    context.out.bytes(&script)?;
    Ok(Status::Clean)
}
