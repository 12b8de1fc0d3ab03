//! The command by which annotations of this program are recognised when they are read again: `[%pdn mark=6 line=1a2b3c4d]`.

use std::fmt;

use crate::notation::Numbering;
use crate::pdn::{Attachment, Command, Evaluation, parse_commands};
use crate::rules::{Move, Variant};

/// What the program added to a move besides its evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The NAG before the comment.
    pub(crate) mark: Option<u16>,
    /// The checksums of the variations.
    pub(crate) lines: Vec<u32>,
}

impl Signature {
    /// The name of the command.
    pub(crate) const NAME: &str = "pdn";

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[%{}", Self::NAME)?;
        if let Some(mark) = self.mark {
            write!(f, " mark={mark}")?;
        }
        for line in &self.lines {
            write!(f, " line={line:08x}")?;
        }
        f.write_str("]")
    }
}

/// Returns the checksum of a line of moves with the comment after the first: the hash of Fowler, Noll and Vo, 32 bits. Records
/// hold it, so it has to be the same on every machine and in every version.
pub(crate) fn line_checksum<'a>(variant: Variant, moves: impl IntoIterator<Item = &'a Move>, comment: &str) -> u32 {
    let numbering = Numbering::internal(variant);
    let mut bytes = Vec::new();
    for step in moves {
        bytes.extend([numbering.number(step.from()), numbering.number(step.to())]);
        let captured = bytes.len();
        bytes.extend(step.captured().iter().map(|square| numbering.number(square)));
        bytes[captured..].sort_unstable();
        bytes.push(0);
    }
    let all = bytes.into_iter().chain(comment.bytes());
    all.fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the evaluation in a comment.
pub(crate) fn written_evaluation(attachment: &Attachment) -> Option<Evaluation> {
    let (Attachment::Comment { text, .. } | Attachment::LineComment { text, .. }) = attachment else { return None };
    parse_commands(text).into_iter().find_map(|command| match command {
        Command::Eval(evaluation) => Some(evaluation),
        _ => None,
    })
}
