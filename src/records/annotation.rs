//! The results of the analysis of a move, as data.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::assessment::{Assessment, Change, Expectation, LineRow};
use super::explanation::{MoveShot, SentenceFacts};
use super::game_rows::{RowNames, played_row};
use super::rows::{GameRow, MoveRow};
use super::texts::joined;
use crate::board::Side;
use crate::check::Review;
use crate::error::Error;
use crate::pdn::{Evaluation, NodeId};
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// A line of play with the evaluation of the position at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    moves: Vec<Move>,
    evaluation: Evaluation,
}

impl EvaluatedLine {
    /// Returns a line of play with the evaluation of the position at its start.
    pub const fn new(moves: Vec<Move>, evaluation: Evaluation) -> Self {
        Self { moves, evaluation }
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the evaluation, from White's point of view.
    pub const fn evaluation(&self) -> Evaluation {
        self.evaluation
    }
}

/// The annotation of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotation {
    /// The node of the move.
    pub node: NodeId,
    /// Evaluation of the position after the move.
    pub evaluation: Evaluation,
    /// The judgement of the move, if it lost enough to be judged.
    pub judgement: Option<Judgement>,
    /// The best line from the position before the move; empty unless the move is judged.
    pub best_line: Vec<Move>,
    /// Evaluation of the position before the move, and therefore of the best line.
    pub best_evaluation: Evaluation,
    /// The expectation of the side that moves, before and after the move.
    pub expectation: Expectation,
    /// True if there was no other legal move.
    pub forced: bool,
    /// The best lines from the position before the move, the best first; empty unless several were requested.
    pub(crate) lines: Vec<EvaluatedLine>,
    /// The shots at the move; empty unless they were requested.
    pub(crate) shots: Vec<MoveShot>,
    /// The facts of the sentence about the move, if there is anything to say.
    pub(crate) explanation: Option<SentenceFacts>,
    /// The sentence in the language of the record; none unless words were requested.
    pub(crate) sentence: Option<String>,
}

impl Annotation {
    /// Returns the annotation of a move that is not judged, with an empty best line and the same evaluation before the
    /// move.
    pub const fn new(node: NodeId, evaluation: Evaluation) -> Self {
        Self {
            node,
            evaluation,
            judgement: None,
            best_line: Vec::new(),
            best_evaluation: evaluation,
            expectation: Expectation::new(500, 500),
            forced: false,
            lines: Vec::new(),
            shots: Vec::new(),
            explanation: None,
            sentence: None,
        }
    }

    /// Sets the facts of the sentence about the move, and the sentence.
    #[must_use]
    pub fn with_sentence(self, explanation: SentenceFacts, sentence: String) -> Self {
        Self { explanation: Some(explanation), sentence: Some(sentence), ..self }
    }

    /// Sets the shots at the move.
    #[must_use]
    pub fn with_shots(self, shots: Vec<MoveShot>) -> Self {
        Self { shots, ..self }
    }

    /// Returns the facts of the sentence about the move, if there is anything to say.
    pub const fn explanation(&self) -> Option<&SentenceFacts> {
        self.explanation.as_ref()
    }

    /// Sets the best lines from the position before the move, the best first.
    #[must_use]
    pub fn with_lines(self, lines: Vec<EvaluatedLine>) -> Self {
        Self { lines, ..self }
    }

    /// Returns the best lines from the position before the move, the best first; empty unless several were requested.
    pub fn lines(&self) -> &[EvaluatedLine] {
        &self.lines
    }

    /// Returns true if the move of a side loses anything according to its evaluations.
    pub(crate) fn loses(&self, side: Side) -> bool {
        let change = Change { before: self.best_evaluation, after: self.evaluation };
        self.expectation.loss() > 0 || change.loss_cm(side) > 0
    }

    /// Returns the lines to show beside the move played, best first: the best line if the move is judged, otherwise the requested
    /// lines that begin with a different move.
    pub(crate) fn alternatives(&self, played: Option<Move>) -> Vec<EvaluatedLine> {
        if self.lines.is_empty() {
            let best = EvaluatedLine::new(self.best_line.clone(), self.best_evaluation);
            return Some(best).filter(|best| !best.moves.is_empty()).into_iter().collect();
        }
        self.lines.iter().filter(|line| line.moves.first().copied() != played).cloned().collect()
    }
}

/// A game with its annotations, without those of an earlier run that the new ones replace.
#[derive(Debug)]
#[non_exhaustive]
pub struct AnnotatedGame {
    /// The game.
    pub review: Review,
    /// The annotations; none if the game could not be annotated or is not selected.
    pub annotations: Vec<Annotation>,
    /// The name for the tag `Annotator`.
    pub annotator: String,
    /// Why the game could not be annotated.
    pub failure: Option<NotAnnotated>,
    /// True if the annotations are written without commands.
    pub plain: bool,
    /// What stays of a game that was cleaned although an earlier run may have added it.
    pub remains: Remains,
}

impl AnnotatedGame {
    /// Returns a game without annotations.
    pub(crate) fn new(review: Review) -> Self {
        let (annotations, annotator, failure, plain, remains) = Default::default();
        Self { review, annotations, annotator, failure, plain, remains }
    }
}

/// Numbers of what an earlier run may have added to a game, and a person too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remains {
    /// Moves marked as bad, by signs or NAGs.
    pub marks: usize,
    /// Variations.
    pub variations: usize,
    /// Comments without commands.
    pub comments: usize,
    /// Evaluations after moves.
    pub evaluations: usize,
}

/// Why a game has no annotations although it has moves, or text in their place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAnnotated {
    /// The engine failed, or was stopped.
    #[error(transparent)]
    Failed(Error),
    /// The variant cannot be determined.
    #[error("its variant is unknown")]
    UnknownVariant,
    /// It has text instead of moves, such as moves of chess.
    #[error("none of its text can be read as moves")]
    NoText,
    /// The position before the first move is invalid.
    #[error("its FEN cannot be used")]
    Position,
    /// No move is legal.
    #[error("none of its moves can be played")]
    NoMove,
}

/// The judgement of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// `?!`, NAG 6.
    Inaccuracy,
    /// `?`, NAG 2.
    Mistake,
    /// `??`, NAG 4.
    Blunder,
}

impl Judgement {
    /// All judgements, with the worst last.
    pub(crate) const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the judgement with this NAG (Numeric Annotation Glyph), if there is one.
    pub(crate) fn of_nag(nag: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|judgement| judgement.nag() == nag)
    }

    /// Returns the name: `inaccuracy`, `mistake` or `blunder`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns the number of its NAG (Numeric Annotation Glyph).
    pub(crate) const fn nag(self) -> u16 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// Adds annotations to the row of their game: missing evaluations and NAGs, best lines as additional variations, and the
/// assessment of each move and of the play of both sides.
pub fn annotate_row(row: &mut GameRow<'_>, game: &ReplayedGame, annotations: &[Annotation]) {
    let by_node = annotations.iter().map(|annotation| (annotation.node, annotation)).collect();
    let annotated = Annotated { game, by_node };
    annotated.add_to_line(&mut row.moves);
    row.variations.iter_mut().for_each(|line| annotated.add_to_line(line));
    row.assess();
}

struct Annotated<'a> {
    game: &'a ReplayedGame,
    by_node: HashMap<NodeId, &'a Annotation>,
}

impl Annotated<'_> {
    fn add_to_line(&self, rows: &mut [MoveRow<'_>]) {
        for row in rows {
            row.variations.iter_mut().for_each(|line| self.add_to_line(line));
            if let Some(annotation) = row.node.and_then(|node| self.by_node.get(&node)) {
                self.add(row, annotation);
            }
        }
    }

    fn add(&self, row: &mut MoveRow<'_>, annotation: &Annotation) {
        // An evaluation of the record stays as it was written.
        row.eval.get_or_insert(annotation.evaluation);
        let nag = annotation.judgement.map(Judgement::nag);
        row.nags.extend(nag.filter(|nag| !row.nags.contains(nag)));
        row.shots.clone_from(&annotation.shots);
        if let Some(sentence) = annotation.sentence.as_deref() {
            row.comment = joined(std::iter::once(sentence.to_owned().into()).chain(row.comment.take()));
        }
        let Some(before) = self.game.ply(annotation.node).and_then(|ply| ply.before().copied()) else { return };
        let lines = annotation.alternatives(self.game.played(annotation.node));
        let lines: Vec<_> = lines.iter().map(|line| line_rows(before, row.ply, line)).collect();
        let best = lines.first().and_then(|line| line.first()).and_then(|best| best.notation.clone());
        let listed = annotation.lines.iter().map(|line| listed(before, line)).collect();
        row.assessment = Some(Assessment::new(annotation, &before, best, listed));
        row.variations.extend(lines);
    }
}

fn line_rows(mut position: Position, first_ply: u32, line: &EvaluatedLine) -> Vec<MoveRow<'static>> {
    let names = RowNames::of(position.variant());
    let mut rows = Vec::with_capacity(line.moves().len());
    for (ply, step) in (first_ply..).zip(line.moves()) {
        let after = position.play_unchecked(step);
        let eval = (ply == first_ply).then_some(line.evaluation());
        let row = played_row((ply, Cow::Borrowed("")), &position, step, &after, &names);
        let written = row.notation.as_deref().map(str::to_owned).unwrap_or_default().into();
        rows.push(MoveRow { written, eval, ..row });
        position = after;
    }
    rows
}

/// Returns a line as an element of a list of lines.
fn listed(before: Position, line: &EvaluatedLine) -> LineRow {
    let moves = line_rows(before, 1, line).into_iter().filter_map(|row| row.notation).map(String::from).collect();
    LineRow { eval: line.evaluation(), moves }
}
