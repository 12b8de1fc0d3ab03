//! The games of a match that were played so far, kept in a file: a JSON value a line, first what the match is, then the
//! games in their order.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::game::{End, Played};
use super::run::Match;
use crate::board::Side;
use crate::error::Error;
use crate::notation::rules_label;
use crate::rules::Move;

const VERSION: u32 = 1;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Version of the layout.
    match_checkpoint: u32,
    /// Everything that the games depend on.
    settings: String,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    game: usize,
    /// Of each move its place among the legal ones.
    moves: Vec<u16>,
    winner: Option<char>,
    end: End,
}

/// A file with the games played so far.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    file: File,
}

impl Checkpoint {
    /// Opens a checkpoint of a match and returns the games that it holds. A line that an interruption has cut is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is none of ours, or is that of another match.
    pub fn open(path: &Path, of: &Match) -> Result<(Self, Vec<Played>), Error> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|fault| Error::write(path, fault))?;
        let mut checkpoint = Self { path: path.to_owned(), file };
        let header = Header { match_checkpoint: VERSION, settings: settings(of) };
        let (games, good) = checkpoint.read(&header, of)?;
        let cut = checkpoint.file.set_len(good).and_then(|()| checkpoint.file.seek(SeekFrom::End(0)));
        cut.map_err(|fault| Error::write(path, fault))?;
        if good == 0 {
            checkpoint.write(&header)?;
        }
        Ok((checkpoint, games))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, played: &Played) -> Result<(), Error> {
        let mut position = played.opening.position();
        let mut moves = Vec::with_capacity(played.moves.len());
        for step in &played.moves {
            moves.extend(position.legal_moves().iter().position(|legal| legal == step).map(|place| place as u16));
            position = position.play_unchecked(step);
        }
        let winner = played.winner.map(Side::letter);
        self.write(&Saved { game: played.number, moves, winner, end: played.end.clone() })
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let mut write = || {
            let mut line = serde_json::to_vec(value)?;
            line.push(b'\n');
            self.file.write_all(&line)
        };
        write().map_err(|fault| Error::write(&self.path, fault))
    }

    /// Reads the games and the number of bytes that are whole.
    fn read(&self, expected: &Header, of: &Match) -> Result<(Vec<Played>, u64), Error> {
        let mut reader = BufReader::new(&self.file);
        let (mut games, mut good, mut line) = (Vec::new(), 0, String::new());
        loop {
            line.clear();
            let read = reader.read_line(&mut line).map_err(|fault| Error::read(&self.path, fault))?;
            if !line.ends_with('\n') {
                return if good == 0 && read > 0 { Err(self.foreign()) } else { Ok((games, good)) };
            }
            if good == 0 {
                self.check(&line, expected)?;
            } else {
                let saved = serde_json::from_str(&line).ok();
                let Some(played) = saved.and_then(|saved| restore(saved, games.len(), of)) else {
                    return Ok((games, good));
                };
                games.push(played);
            }
            good += read as u64;
        }
    }

    fn check(&self, line: &str, expected: &Header) -> Result<(), Error> {
        let header: Header = serde_json::from_str(line).map_err(|_| self.foreign())?;
        if header == *expected {
            return Ok(());
        }
        let (path, found) = (self.path.display(), header.settings);
        Err(Error::unavailable(format!("{path}: the checkpoint is that of another match ({found})")))
    }

    fn foreign(&self) -> Error {
        Error::unavailable(format!("{}: the file is no checkpoint of a match", self.path.display()))
    }
}

/// Everything that the games of a match depend on.
fn settings(of: &Match) -> String {
    let [a, b] = &of.players;
    let keys = of.openings.iter().map(|opening| opening.position().key());
    let openings = keys.fold(0, |sum: u64, key| sum.rotate_left(7) ^ key);
    let (limits, plies) = (of.limits, of.most_plies);
    format!(
        "pdn {}: {a} v {b}, {}, {limits:?}, {plies} plies, openings {openings:016x}",
        env!("CARGO_PKG_VERSION"),
        rules_label(of.variant)
    )
}

fn restore(saved: Saved, number: usize, of: &Match) -> Option<Played> {
    let opening = of.opening(number).clone();
    let mut position = opening.position();
    let mut moves: Vec<Move> = Vec::with_capacity(saved.moves.len());
    for place in saved.moves {
        let step = *position.legal_moves().get(usize::from(place))?;
        position = position.play_unchecked(&step);
        moves.push(step);
    }
    let winner = match saved.winner {
        None => None,
        Some('W') => Some(Side::White),
        Some('B') => Some(Side::Black),
        Some(_) => return None,
    };
    let played = Played { number, first: of.first(number), opening, moves, winner, end: saved.end };
    (saved.game == number).then_some(played)
}
