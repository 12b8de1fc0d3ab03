//! What was annotated so far, kept in a file so that an interrupted run can be taken up again.
//!
//! The file holds a JSON value a line: first the settings of the run, then the annotations of each game, in the order in
//! which they were finished. A game is known again by its moves, whatever its tags and its place in the collection.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::game::Annotation;
use super::judge::Judgement;
use crate::engine::Score;
use crate::error::Error;
use crate::pdn::NodeId;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// First line of a file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Version of the layout.
    checkpoint: u32,
    /// Everything that the annotations depend on besides the game.
    settings: String,
}

/// The annotations of one game.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: u64,
    moves: Vec<SavedMove>,
}

#[derive(Clone, Serialize, Deserialize)]
struct SavedMove {
    score: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    judgement: Option<Judgement>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// The better line: of each move its place among the legal ones.
    better: Vec<u16>,
    #[serde(default)]
    better_score: i32,
}

const VERSION: u32 = 1;

/// A file with the annotations made so far.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    known: HashMap<u64, Vec<SavedMove>>,
    file: Mutex<File>,
}

impl std::fmt::Debug for SavedMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.score)
    }
}

impl Checkpoint {
    /// Opens a checkpoint and reads what it holds; a line that was cut off by an interruption is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is none of ours, or was made with other settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, Error> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(|fault| Error::write(path, fault))?;
        let header = Header { checkpoint: VERSION, settings: settings.to_owned() };
        let (known, good) = read(path, &file, &header)?;
        let mut start = || {
            file.set_len(good)?;
            file.seek(SeekFrom::End(0))?;
            if good == 0 { write_line(&mut file, &header) } else { Ok(()) }
        };
        start().map_err(|fault| Error::write(path, fault))?;
        Ok(Self { path: path.to_owned(), known, file: Mutex::new(file) })
    }

    /// Number of games that it holds from earlier runs.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the annotations of a game, if an earlier run made them.
    pub fn find(&self, game: &ReplayedGame) -> Option<Vec<Annotation>> {
        let saved = self.known.get(&game_key(game))?;
        let nodes: Vec<NodeId> = game.main_moves().filter(|&id| game.played(id).is_some()).collect();
        if nodes.len() != saved.len() {
            return None;
        }
        nodes.into_iter().zip(saved).map(|(node, saved)| restore(game, node, saved)).collect()
    }

    /// Adds the annotations of a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, game: &ReplayedGame, annotations: &[Annotation]) -> Result<(), Error> {
        let moves = annotations.iter().map(|annotation| save(game, annotation)).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let saved = Saved { game: game_key(game), moves };
        write_line(&mut file, &saved).map_err(|fault| Error::write(&self.path, fault))
    }
}

/// Reads the games of a file and the number of bytes that are whole.
fn read(path: &Path, file: &File, expected: &Header) -> Result<(HashMap<u64, Vec<SavedMove>>, u64), Error> {
    let mut reader = BufReader::new(file);
    let (mut known, mut good, mut line) = (HashMap::new(), 0, String::new());
    loop {
        line.clear();
        let read = reader.read_line(&mut line).map_err(|fault| Error::read(path, fault))?;
        if !line.ends_with('\n') {
            if good == 0 && read > 0 {
                return Err(foreign(path));
            }
            return Ok((known, good));
        }
        if good == 0 {
            check_header(path, &line, expected)?;
        } else if let Ok(saved) = serde_json::from_str::<Saved>(&line) {
            known.insert(saved.game, saved.moves);
        }
        good += read as u64;
    }
}

fn check_header(path: &Path, line: &str, expected: &Header) -> Result<(), Error> {
    let header: Header = serde_json::from_str(line).map_err(|_| foreign(path))?;
    if header == *expected {
        return Ok(());
    }
    let found = header.settings;
    Err(Error::unavailable(format!("{}: the checkpoint was made with other settings ({found})", path.display())))
}

fn foreign(path: &Path) -> Error {
    Error::unavailable(format!("{}: the file is no checkpoint", path.display()))
}

fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Number by which a game is known: its variant and the positions of its main line.
fn game_key(game: &ReplayedGame) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let name = game.variant().map_or("", |variant| variant.name());
    let positions = game.main_moves().filter_map(|id| game.ply(id)).flat_map(|ply| [ply.before, ply.after]);
    let numbers = name.bytes().map(u64::from).chain(positions.flatten().map(|position| position.key()));
    numbers.fold(0xCBF2_9CE4_8422_2325, |hash, number| (hash ^ number).wrapping_mul(PRIME).rotate_left(23))
}

fn save(game: &ReplayedGame, annotation: &Annotation) -> SavedMove {
    let before = game.ply(annotation.node).and_then(|ply| ply.before);
    SavedMove {
        score: annotation.score.value(),
        judgement: annotation.judgement,
        better: before.map_or_else(Vec::new, |before| places(before, &annotation.better)),
        better_score: annotation.better_score.value(),
    }
}

fn places(mut position: Position, line: &[Move]) -> Vec<u16> {
    let mut places = Vec::with_capacity(line.len());
    for step in line {
        let Some(place) = position.legal_moves().iter().position(|legal| legal == step) else { break };
        places.push(place as u16);
        position = position.play_unchecked(step);
    }
    places
}

fn restore(game: &ReplayedGame, node: NodeId, saved: &SavedMove) -> Option<Annotation> {
    let mut position = game.ply(node)?.before?;
    let mut better = Vec::with_capacity(saved.better.len());
    for &place in &saved.better {
        let step = *position.legal_moves().get(usize::from(place))?;
        better.push(step);
        position = position.play_unchecked(&step);
    }
    Some(Annotation {
        node,
        score: Score::from_value(saved.score),
        judgement: saved.judgement,
        better,
        better_score: Score::from_value(saved.better_score),
    })
}
