//! The command by which the program recognises its own annotations when it reads them again: `[%pdn mark=6
//! line=1a2b3c4d]`.

use std::fmt;

use super::texts::{comment_text, evaluation};
use crate::notation::Numbering;
use crate::pdn::{Attachment, Command, Evaluation, parse_commands, written_commands};
use crate::rules::{Move, Variant};

/// The additions of the program to a move, besides the evaluation after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The NAG before the comment.
    pub(crate) mark: Option<u16>,
    /// The checksums of the variations.
    pub(crate) lines: Vec<u32>,
    /// The evaluation before the move, unless an earlier move of the record has it.
    pub(crate) before: Option<Evaluation>,
    /// The checksum of the sentence, a comment.
    pub(crate) text: Option<u32>,
    /// The facts of the sentence.
    pub(crate) words: Option<String>,
    /// The shots at the move.
    pub(crate) shots: Vec<String>,
}

impl Signature {
    /// The name of the command.
    pub(crate) const NAME: &str = "pdn";

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the signature in a command, if it is one; unknown parts of it are ignored.
    pub(crate) fn of(command: &Command) -> Option<Self> {
        let Command::Unknown { name, value } = command else { return None };
        if *name != Self::NAME {
            return None;
        }
        let mut signature = Self::default();
        for (name, value) in value.split_ascii_whitespace().filter_map(|word| word.split_once('=')) {
            match name {
                "mark" => signature.mark = value.parse().ok(),
                "line" => signature.lines.extend(u32::from_str_radix(value, 16).ok()),
                "before" => signature.before = value.parse().ok(),
                "text" => signature.text = u32::from_str_radix(value, 16).ok(),
                "words" => signature.words = Some(value.to_owned()),
                "shot" => signature.shots.push(value.to_owned()),
                _ => {}
            }
        }
        Some(signature)
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
        if let Some(evaluation) = self.before {
            write!(f, " before={evaluation}")?;
        }
        for shot in &self.shots {
            write!(f, " shot={shot}")?;
        }
        if let Some(text) = self.text {
            write!(f, " text={text:08x}")?;
        }
        if let Some(words) = &self.words {
            write!(f, " words={words}")?;
        }
        f.write_str("]")
    }
}

/// Returns the checksum of a line of moves with the comment after the first: the 32-bit FNV-1a hash. Records contain
/// it, so it must be the same on every machine and in every version.
pub(crate) fn line_checksum<'a>(variant: Variant, moves: impl IntoIterator<Item = &'a Move>, comment: &str) -> u32 {
    let numbering = Numbering::internal(variant);
    let mut bytes = Vec::new();
    for step in moves {
        bytes.extend([numbering.number(step.from()), numbering.number(step.to())]);
        let captured = bytes.len();
        bytes.extend(step.captured().iter().map(|square| numbering.number(square)));
        bytes[captured..].sort_unstable();
        // No square has the number 0: it ends the move.
        bytes.push(0);
    }
    hash(bytes.into_iter().chain(comment.bytes()))
}

/// Returns the checksum of a comment that is a sentence.
pub(crate) fn text_checksum(comment: &str) -> u32 {
    hash(comment.bytes())
}

fn hash(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns true for a comment with evaluations, but without a signature: only the tag of annotators can say whose they are.
pub(crate) fn is_unsigned_evaluation(attachment: &Attachment) -> bool {
    let Some(text) = comment_text(attachment) else { return false };
    // Most comments have no commands, and parsing costs more than searching.
    let has = |name| written_commands(text).any(|(written, _)| written == name);
    text.contains("[%eval") && has("eval") && !has(Signature::NAME)
}

/// Returns the evaluation in a comment.
pub(crate) fn written_evaluation(attachment: &Attachment) -> Option<Evaluation> {
    parse_commands(comment_text(attachment)?).iter().find_map(evaluation)
}
