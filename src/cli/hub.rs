//! `pdn hub`: the built-in engine for other programs.

use std::io::{ErrorKind, stdin, stdout};

use clap::Args;

use super::context::{Context, Status};
use crate::error::{Error, Result};
use crate::link::serve;
use crate::rules::Variant;

/// Serve the built-in engine to other programs (Hub protocol, version 2)
///
/// Commands are read from standard input and answered on standard output until `quit` or the end of the input. The
/// variant is that of --variant unless a `set-param` says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn hub
  pdn hub --variant italian")]
pub(super) struct Options {}

pub(super) fn run(_: &Options, context: &Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    match serve(stdin(), &mut stdout(), variant) {
        // Whoever asked went away, which is a way to end.
        Err(fault) if fault.kind() != ErrorKind::BrokenPipe => Err(Error::write("standard output", fault)),
        _ => Ok(Status::Clean),
    }
}
