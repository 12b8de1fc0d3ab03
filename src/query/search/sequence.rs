//! Sequences of moves.

use super::pattern::rotated_square;
use crate::board::Square;
use crate::notation::Numbering;
use crate::pdn::{MoveKind, MoveText};
use crate::query::error::QuestionError;
use crate::rules::{Move, Variant};

/// Moves that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence(Vec<Step>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    from: Square,
    to: Square,
    captures: bool,
}

/// How much of a sequence the last moves are: bit n is set if they are its first n + 1 moves.
pub(super) type Progress = u64;

/// Largest number of moves.
const MAX_MOVES: usize = Progress::BITS as usize;

impl Sequence {
    /// Reads moves, with or without numbers, in the names of squares of a variant.
    pub(super) fn read(text: &str, variant: Variant) -> Result<Self, QuestionError> {
        let numbering = Numbering::for_variant(variant);
        let steps: Vec<_> = moves(text).map(|word| step(text, word, numbering)).collect::<Result<_, _>>()?;
        match steps.len() {
            0 => Err(QuestionError::new(text, 0..text.len(), "expected moves")),
            1..=MAX_MOVES => Ok(Self(steps)),
            _ => Err(QuestionError::new(text, 0..0, format!("a sequence has at most {MAX_MOVES} moves"))),
        }
    }

    pub(super) fn mirrored(&self, variant: Variant) -> Self {
        let turned = |step: &Step| Step {
            from: rotated_square(step.from, variant),
            to: rotated_square(step.to, variant),
            captures: step.captures,
        };
        Self(self.0.iter().map(turned).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the progress after a move.
    pub(super) fn after(&self, before: Progress, played: &Move) -> Progress {
        let fits = |step: &Step| {
            step.from == played.from() && step.to == played.to() && (played.is_capture() || !step.captures)
        };
        let candidates = before << 1 | 1;
        let steps = self.0.iter().enumerate();
        steps.filter(|(n, step)| candidates >> n & 1 == 1 && fits(step)).fold(0, |all, (n, _)| all | 1 << n)
    }

    /// Returns true if the last moves are the whole sequence.
    pub(super) fn is_complete(&self, progress: Progress) -> bool {
        !self.0.is_empty() && progress >> (self.0.len() - 1) & 1 == 1
    }
}

/// Returns the moves of a text without the numbers before them.
pub(in crate::query) fn moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(|word| {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
    });
    words.filter(|word| !word.is_empty())
}

fn step(text: &str, word: &str, numbering: Numbering) -> Result<Step, QuestionError> {
    let error = |message: &str| QuestionError::at(text, word, message);
    let written = MoveText::parse(word).ok_or_else(|| error("not a move"))?;
    let square = |square| numbering.parse(square).ok_or_else(|| error("no such square on the board"));
    Ok(Step { from: square(written.from())?, to: square(written.to())?, captures: written.kind() == MoveKind::Capture })
}
