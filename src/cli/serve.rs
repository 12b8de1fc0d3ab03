//! `pdn serve`: the application in the browser, with the native engine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::context::Context;
use super::folders::cache_folder;
use super::options::Endgames;
use super::words::counted;
use crate::error::{Error, Result};
use crate::serve::{ServeOptions, Server};

/// The environment variable with the password.
const PASSWORD: &str = "PDN_PASSWORD";

/// Open a folder of records in the browser, with the native engine
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn serve
  pdn serve archive/ --open --write
  pdn serve club/ --listen 192.168.1.20:8080 --password-file password.txt

Prints the address to open in a browser, and serves until it is interrupted. Without --listen only this machine can reach it, and \
the address contains a token instead of a password. Records outside the folder cannot be reached. With --write, repaired files can be \
saved; annotated games are saved beside their files, as `games.annotated.pdn`. Tables of positions, which make questions about large \
files fast, are in the user's cache, never beside the records, and take 2 GB at most.

To serve a network, --listen needs a password of at least 8 characters, in a file or in the environment variable PDN_PASSWORD. \
The connection is not encrypted: use it in networks that you trust, or behind a proxy that adds HTTPS, whose address --public-url \
names.")]
pub(super) struct Options {
    /// Folder with the records
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    serve: ServeOptions,
    /// File whose first line is the password
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Open the page in the browser of this machine
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let cache = options.serve.cache.clone().or_else(usual_cache);
    let how = ServeOptions { password: options.password()?, cache, ..options.serve.clone() };
    let server = Server::bind(&options.folder, how, context.databases(None), context.jobs)?;
    let url = server.url();
    context.out.text(&format!("{url}\n"))?;
    context.out.flush()?;
    context.inform("serving; press Ctrl-C to stop");
    if let Ok(left_out @ 1..) = server.left_out() {
        let records = counted(left_out as u64, "record is", "records are");
        context.inform(&format!(
            "{records} not listed: names that are not UTF-8 or have control characters, links out of the folder, and what cannot \
             be read"
        ));
    }
    if options.open && !open(&server.url_once()?) {
        context.inform("cannot start a browser: open the address in one");
    }
    server.run()
}

impl Options {
    /// Returns the password in the file or in the environment.
    fn password(&self) -> Result<Option<String>> {
        let Some(path) = &self.password_file else { return Ok(std::env::var(PASSWORD).ok()) };
        let text = fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        // Editors add a line end, and some a byte order mark, which are not part of the password.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
    }
}

/// Returns the folder for tables in the user's cache, if there is one: a server can do without.
fn usual_cache() -> Option<PathBuf> {
    let folder = cache_folder()?.join("pdn").join("positions");
    fs::create_dir_all(&folder).ok().map(|()| folder)
}

/// Opens an address in the browser of the desktop.
fn open(url: &str) -> bool {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
