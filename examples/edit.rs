//! Sets a tag and a comment in the first game of a file and prints the file. All other bytes are unchanged.
//!
//! ```console
//! $ cargo run --release --example edit -- samples/games/italian.pdn Site Torino
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use pdn::check::CheckOptions;
use pdn::edit::{Change, EditableGame};

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (Some(file), Some(tag), Some(value)) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("expected a file, a tag name and a value".into());
    };
    let text = std::fs::read(file)?;
    let mut game = EditableGame::read(text, CheckOptions::default(), 1).ok_or("the file has no games")?;
    let first =
        game.review().game().main_moves().next().and_then(|id| game.address(id)).ok_or("the game has no moves")?;
    // All changes are applied, or none if the text of one would not be read back as intended.
    game.apply(&[Change::tag(tag, value), Change::comment(first, "edited")])?;
    out.write_all(game.text())?;
    Ok(())
}
