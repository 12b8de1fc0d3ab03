//! Finished annotations in a file, so that an interrupted run can be continued. Games are identified by their moves,
//! regardless of their tags and their place in the collection.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::evaluation::{evaluation, white_score};
use crate::board::Side;
use crate::engine::Score;
use crate::error::Error;
use crate::journal::Journal;
use crate::pdn::NodeId;
use crate::records::{Annotation, Expectation, Judgement};
use crate::replay::ReplayedGame;
use crate::rules::{line_indices, line_moves};

/// The annotations of one game.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: u64,
    moves: Vec<SavedMove>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedMove {
    /// Index of the move among those of the main line that could be played.
    index: usize,
    /// The score of the position after the move, from White's point of view.
    score: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    judgement: Option<Judgement>,
    /// The best line: the index of each move among the legal ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    better: Vec<u16>,
    #[serde(default)]
    better_score: i32,
    /// The expectation before and after the move, in thousandths of a point.
    expectation: (u16, u16),
}

/// A file with the annotations of finished games.
#[derive(Debug)]
pub struct AnnotationCheckpoint {
    known: HashMap<u64, Vec<SavedMove>>,
    journal: Mutex<Journal>,
}

impl AnnotationCheckpoint {
    /// Opens or creates a checkpoint of a run with these settings. A line cut off by an interruption is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is not a checkpoint, or belongs to a run with other settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, Error> {
        let mut known = HashMap::new();
        let journal = Journal::open(path, "run", settings, |saved: Saved| {
            known.insert(saved.game, saved.moves);
            true
        })?;
        Ok(Self { known, journal: Mutex::new(journal) })
    }

    /// Returns the number of games from earlier runs.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns true if there are no games from earlier runs.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the annotations of a game from an earlier run.
    pub fn find(&self, game: &ReplayedGame) -> Option<Vec<Annotation>> {
        let saved = self.known.get(&game_key(game))?;
        let nodes = played_nodes(game);
        saved.iter().map(|saved| restore(game, *nodes.get(saved.index)?, saved)).collect()
    }

    /// Adds the annotations of a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, game: &ReplayedGame, annotations: &[Annotation]) -> Result<(), Error> {
        let mut nodes = played_nodes(game).into_iter().enumerate();
        // Annotations are in the order of the moves.
        let mut index = |of: NodeId| nodes.find(|(_, node)| *node == of).map(|(index, _)| index);
        let saved = |annotation: &Annotation| Some(save(game, index(annotation.node)?, annotation));
        let moves = annotations.iter().filter_map(saved).collect();
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.add(&Saved { game: game_key(game), moves })
    }
}

/// Returns a hash of the variant and the positions of the main line.
fn game_key(game: &ReplayedGame) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let name = game.variant().map_or("", |variant| variant.name());
    let positions =
        game.main_moves().filter_map(|id| game.ply(id)).flat_map(|ply| [ply.before().copied(), ply.after().copied()]);
    let numbers = name.bytes().map(u64::from).chain(positions.flatten().map(|position| position.key()));
    numbers.fold(0xCBF2_9CE4_8422_2325, |hash, number| (hash ^ number).wrapping_mul(PRIME).rotate_left(23))
}

/// Returns the moves of the main line that could be played.
fn played_nodes(game: &ReplayedGame) -> Vec<NodeId> {
    game.main_moves().filter(|&id| game.played(id).is_some()).collect()
}

fn save(game: &ReplayedGame, index: usize, annotation: &Annotation) -> SavedMove {
    let before = game.ply(annotation.node).and_then(|ply| ply.before().copied());
    SavedMove {
        index,
        score: white_score(annotation.evaluation).value(),
        judgement: annotation.judgement,
        better: before.map_or_else(Vec::new, |before| line_indices(before, &annotation.best_line)),
        better_score: white_score(annotation.best_evaluation).value(),
        expectation: (annotation.expectation.before, annotation.expectation.after),
    }
}

fn restore(game: &ReplayedGame, node: NodeId, saved: &SavedMove) -> Option<Annotation> {
    let evaluation = |value| evaluation(Score::from_value(value), Side::White);
    let before = game.ply(node)?.before().copied()?;
    let best_line = line_moves(before, &saved.better)?;
    Some(Annotation {
        node,
        evaluation: evaluation(saved.score),
        judgement: saved.judgement,
        best_line,
        best_evaluation: evaluation(saved.better_score),
        expectation: Expectation::new(saved.expectation.0, saved.expectation.1),
        forced: before.legal_moves().len() == 1,
    })
}
