//! Changes to the bytes of a game, and repairs.

use serde::Deserialize;
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Session, Sink, Walk};
use crate::edit::{Change, EditedChunk, GameEdits, GameSelection, Repairs};
use crate::error::{Error, Result};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    /// The game that changes; without one, all games are repaired.
    game: Option<GameSelection>,
    /// The changes of the game.
    #[serde(default)]
    changes: Vec<Change>,
}

pub(super) fn edit(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let Options { game, changes } = options.rest()?;
    match game {
        Some(GameSelection::Number(0)) => Err(Error::usage("option `game`: games are numbered from 1")),
        Some(game) => {
            let missing = match game {
                GameSelection::Number(number) => format!("there is no game {number}"),
                GameSelection::Offset(offset) => format!("no game begins at byte {offset}"),
            };
            let edited = Edited { missing: Some(missing), ..Edited::default() };
            Walk::new(reading, GameEdits::new(game, changes), edited)
        }
        None if changes.is_empty() => Walk::new(reading, Repairs, Edited::default()),
        None => Err(Error::usage("changes need a game")),
    }
}

/// What was edited.
#[derive(Default)]
struct Edited {
    changed: u64,
    address: Option<String>,
    refused: Vec<String>,
    /// What is said if the game to change does not come.
    missing: Option<String>,
}

impl Sink<EditedChunk> for Edited {
    fn take(&mut self, done: EditedChunk, out: &Out) -> Result<()> {
        self.changed += done.changed();
        if done.is_found {
            self.missing = None;
        }
        self.address = done.address().map(str::to_owned).or_else(|| self.address.take());
        self.refused.extend(done.refusals());
        if !done.rows().is_empty() {
            out.send("edits", &done.rows())?;
        }
        out.output(done.text())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        self.refused.extend(self.missing.take());
        out.result(&json!({ "changed": self.changed, "address": self.address, "refused": self.refused }))
    }
}
