//! Finished annotations in a file, so that an interrupted run can be continued. Games are identified by the moves of their
//! annotated lines, regardless of their tags and their place in the collection.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::lines::each_line;
use super::scale::{evaluation, white_score};
use super::study::Ply;
use crate::board::Side;
use crate::engine::Score;
use crate::error::Error;
use crate::journal::Journal;
use crate::pdn::NodeId;
use crate::records::{Annotation, EvaluatedLine, Expectation, Judgement, MoveShot, SentenceFacts};
use crate::replay::ReplayedGame;
use crate::rules::{Move, line_indices, line_moves};

/// The annotations of one game.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: u64,
    moves: Vec<SavedMove>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedMove {
    /// Index of the move among those of the annotated lines that could be played.
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
    /// The requested lines, each with its score from White's point of view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(i32, Vec<u16>)>,
    /// The shots at the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shots: Vec<MoveShot>,
    /// The facts of the sentence about it, as in records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
}

/// A file with the annotations of finished games.
#[derive(Debug)]
pub struct AnnotationCheckpoint {
    known: HashMap<u64, Vec<SavedMove>>,
    journal: Mutex<Journal>,
    /// True if variations are annotated too.
    variations: bool,
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
        Ok(Self { known, journal: Mutex::new(journal), variations: false })
    }

    /// Sets whether the moves of variations are annotated too.
    #[must_use]
    pub(crate) fn with_variations(self, variations: bool) -> Self {
        Self { variations, ..self }
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
        let plies = self.plies(game);
        let saved = self.known.get(&game_key(game, &plies))?;
        saved.iter().map(|saved| restore(plies.get(saved.index)?, saved)).collect()
    }

    /// Adds the annotations of a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, game: &ReplayedGame, annotations: &[Annotation]) -> Result<(), Error> {
        let plies = self.plies(game);
        let mut rest = plies.iter().enumerate();
        // Annotations are in the order of the moves.
        let mut place = |of: NodeId| rest.find(|(_, ply)| ply.node == of);
        let saved = |annotation: &Annotation| place(annotation.node).map(|(n, ply)| save(ply, n, annotation));
        let moves = annotations.iter().filter_map(saved).collect();
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.add(&Saved { game: game_key(game, &plies), moves })
    }

    /// Returns the moves that are annotated, if all are selected.
    fn plies(&self, game: &ReplayedGame) -> Vec<Ply> {
        let mut plies = Vec::new();
        let Ok(()) = each_line(game, self.variations, |line| {
            plies.extend_from_slice(line.own());
            Ok::<(), Infallible>(())
        });
        plies
    }
}

/// Returns a hash of the variant and the positions before and after moves.
fn game_key(game: &ReplayedGame, plies: &[Ply]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let name = game.variant().map_or("", |variant| variant.name());
    let positions = plies.iter().flat_map(|ply| [ply.before.key(), ply.after.key()]);
    let numbers = name.bytes().map(u64::from).chain(positions);
    // Multiplication carries upwards only; the rotation brings the high bits of whole keys back down.
    numbers.fold(0xCBF2_9CE4_8422_2325, |hash, number| (hash ^ number).wrapping_mul(PRIME).rotate_left(23))
}

fn save(ply: &Ply, index: usize, annotation: &Annotation) -> SavedMove {
    let score = |evaluation| white_score(evaluation).value();
    let indices = |moves: &[Move]| line_indices(ply.before, moves);
    SavedMove {
        index,
        score: score(annotation.evaluation),
        judgement: annotation.judgement,
        better: indices(&annotation.best_line),
        better_score: score(annotation.best_evaluation),
        expectation: (annotation.expectation.before, annotation.expectation.after),
        lines: annotation.lines.iter().map(|line| (score(line.evaluation()), indices(line.moves()))).collect(),
        shots: annotation.shots.clone(),
        explanation: annotation.explanation.as_ref().map(ToString::to_string),
    }
}

fn restore(ply: &Ply, saved: &SavedMove) -> Option<Annotation> {
    let evaluation = |value| evaluation(Score::from_value(value), Side::White);
    let moves = |indices: &[u16]| line_moves(ply.before, indices);
    let line = |(score, indices): &(i32, Vec<u16>)| Some(EvaluatedLine::new(moves(indices)?, evaluation(*score)));
    Some(Annotation {
        node: ply.node,
        evaluation: evaluation(saved.score),
        judgement: saved.judgement,
        best_line: moves(&saved.better)?,
        best_evaluation: evaluation(saved.better_score),
        expectation: Expectation::new(saved.expectation.0, saved.expectation.1),
        // Not saved, since the position shows it.
        forced: ply.before.legal_moves().len() == 1,
        lines: saved.lines.iter().map(line).collect::<Option<_>>()?,
        shots: saved.shots.clone(),
        explanation: saved.explanation.as_deref().map(SentenceFacts::read),
        sentence: None,
    })
}
