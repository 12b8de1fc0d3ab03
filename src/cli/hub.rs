//! `pdn hub`: the built-in engine for other programs.

use std::io::{ErrorKind, stdin, stdout};

use clap::Args;

use super::context::Context;
use super::options::{Endgames, Evaluation, OpeningBook};
use crate::engine::EngineOptions;
use crate::error::{Error, Result};
use crate::link::serve;

/// Run the built-in engine for other programs (Hub protocol, version 2)
///
/// Reads commands from standard input and answers on standard output, until `quit` or the end of the input. The variant is
/// that of --variant, unless a `set-param` command sets another one. So is the opening book: the parameter is `book-file`. It
/// answers `go think`, without a search, but not `go analyze`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn hub
  pdn hub --variant italian
  pdn hub --book repertoire.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    #[command(flatten)]
    book: OpeningBook,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let variant = context.rules();
    // Without --variant, a command may still set that of the weights.
    let knowledge = match context.variant {
        Some(variant) => options.evaluation.knowledge_for(variant)?,
        None => options.evaluation.knowledge(),
    };
    let engine = EngineOptions::default().with_knowledge(knowledge).with_databases(context.databases(variant));
    options.book.check(variant, context)?;
    match serve(stdin(), &mut stdout(), variant, engine, options.book.path()) {
        // A closed output is a normal way to end the conversation.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::write("standard output", error)),
        _ => Ok(()),
    }
}
