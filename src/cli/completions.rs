//! `pdn completions`: shell completions.

use clap::{Arg, Args};
use clap_complete::Shell;

use super::context::Context;
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

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut super::command(), "pdn", &mut script);
    if options.shell == Shell::Bash {
        script = completing_lists(&String::from_utf8_lossy(&script)).into_bytes();
    }
    context.out.bytes(&script)
}

/// Completes the last item of options that take a list, which the generated script for bash does not.
fn completing_lists(script: &str) -> String {
    let takes_list = |argument: &&Arg| argument.get_value_delimiter() == Some(',');
    let command = super::command();
    let options = command.get_subcommands().flat_map(clap::Command::get_arguments).filter(takes_list);
    let cases: Vec<_> = options.filter_map(|option| Some(format!("--{})", option.get_long()?))).collect();
    let mut in_list = false;
    let lines = script.split_inclusive('\n').map(|line| {
        in_list = in_list && line.trim() != ";;" || cases.iter().any(|case| case == line.trim());
        if in_list { last_item_completed(line) } else { line.to_owned() }
    });
    lines.collect()
}

/// Makes `compgen` complete the text after the last comma, keeping the text before it.
fn last_item_completed(line: &str) -> String {
    line.replace("compgen -W", "compgen -P \"${cur%\"${cur##*,}\"}\" -W").replace("-- \"${cur}\"", "-- \"${cur##*,}\"")
}
