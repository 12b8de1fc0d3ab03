//! Files that are replaced by their own records.

use std::io::Read;

use crate::error::{Error, Result};
use crate::import::begins_with_own_game;
use crate::source::Input;
use crate::text::Format;

/// Returns why a file cannot be replaced by its records in a format, PDN or JSON, if it cannot.
pub fn cannot_replace(input: &Input, format: Format) -> Option<Error> {
    let found = || -> Result<Option<&str>> {
        if input.path().and_then(|path| path.metadata().ok()).is_some_and(|found| !found.is_file()) {
            return Ok(Some("not a regular file and cannot be replaced"));
        }
        if input.is_compressed()? {
            return Ok(Some("compressed and cannot be replaced; write to a new file"));
        }
        if input.path().is_none() || input.format()? == format && (format == Format::Pdn || is_own_json(input)?) {
            return Ok(None);
        }
        Ok(Some(if format == Format::Pdn {
            "not PDN and cannot be replaced; write to a new file"
        } else {
            "not JSON that pdn wrote in this format and cannot be replaced; write to a new file"
        }))
    };
    match found() {
        Ok(reason) => reason.map(|reason| Error::usage(format!("{} is {reason}", input.label()))),
        Err(error) => Some(error),
    }
}

/// Returns true if a file in JSON begins with a game as this program writes it: games of other programs have more members.
fn is_own_json(input: &Input) -> Result<bool> {
    let mut head = Vec::new();
    let read = input.open()?.take(Format::HEAD as u64).read_to_end(&mut head);
    read.map_err(|error| Error::read(input.label(), error))?;
    Ok(begins_with_own_game(&head))
}
