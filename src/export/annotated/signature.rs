//! The command by which annotations of this program are recognised when they are read again: `[%pdn mark=6 line=1a2b3c4d]`.

use std::fmt;

use crate::notation::Numbering;
use crate::pdn::{Attachment, Command, LineId, NodeKind, parse_commands};
use crate::replay::ReplayedGame;
use crate::rules::{Move, Variant};

/// The name of the command.
pub(super) const NAME: &str = "pdn";

/// What the program added to a move besides its evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signature {
    /// The NAG before the comment.
    pub(super) mark: Option<u16>,
    /// The checksums of the variations.
    pub(super) lines: Vec<u32>,
}

impl Signature {
    /// Finds the signature in a comment.
    pub(super) fn find(comment: &str) -> Option<Self> {
        // Most comments have none, and parsing costs more than searching.
        memchr::memmem::find(comment.as_bytes(), b"[%pdn")?;
        parse_commands(comment).into_iter().find_map(|command| match command {
            Command::Unknown { name, value } if name == NAME => Some(Self::read(&value)),
            _ => None,
        })
    }

    /// Reads the value of the command; what is not understood is ignored.
    fn read(value: &str) -> Self {
        let values = value.split_ascii_whitespace().filter_map(|word| word.split_once('='));
        let mut signature = Self::default();
        for (name, value) in values {
            match name {
                "mark" => signature.mark = value.parse().ok(),
                "line" => signature.lines.extend(u32::from_str_radix(value, 16).ok()),
                _ => {}
            }
        }
        signature
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[%{NAME}")?;
        if let Some(mark) = self.mark {
            write!(f, " mark={mark}")?;
        }
        for line in &self.lines {
            write!(f, " line={line:08x}")?;
        }
        f.write_str("]")
    }
}

/// Returns the checksum of a line of moves with the comment after the first.
pub(super) fn checksum<'a>(variant: Variant, moves: impl IntoIterator<Item = &'a Move>, comment: &str) -> u32 {
    let numbering = Numbering::internal(variant);
    let mut hash = Fnv::new();
    for step in moves {
        let mut captured: Vec<u8> = step.captured().iter().map(|square| numbering.number(square)).collect();
        captured.sort_unstable();
        hash.add([numbering.number(step.from()), numbering.number(step.to())]);
        hash.add(captured);
        hash.add([0]);
    }
    hash.add(comment.bytes());
    hash.0
}

/// Returns the checksum of a variation as the program writes it: moves, and one comment after the first. Any other variation
/// has none.
pub(super) fn variation_checksum(game: &ReplayedGame, line: LineId) -> Option<u32> {
    let (tree, variant) = (game.tree(), game.variant()?);
    let line = tree.line(line);
    let (first, later) = line.nodes().split_first()?;
    let [Attachment::Comment { text: comment, .. }] = tree.node(*first).attachments() else { return None };
    let is_plain = |id| matches!(tree.node(id).kind(), NodeKind::Move(_)) && tree.node(id).strength().is_none();
    let is_ours = line.intro().is_empty()
        && line.nodes().iter().all(|&id| is_plain(id))
        && later.iter().all(|&id| tree.node(id).attachments().is_empty());
    let moves: Vec<Move> = line.nodes().iter().map(|&id| game.played(id)).collect::<Option<_>>()?;
    is_ours.then(|| checksum(variant, &moves, comment))
}

/// The hash function of Fowler, Noll and Vo, 32 bits, which is the same on every machine and in every version.
struct Fnv(u32);

impl Fnv {
    const fn new() -> Self {
        Self(0x811C_9DC5)
    }

    fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.0 = bytes.into_iter().fold(self.0, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_as_they_are_written() {
        for (mark, lines) in [(Some(6), vec![0x1a, 7]), (None, vec![u32::MAX]), (Some(4), vec![]), (None, vec![])] {
            let signature = Signature { mark, lines };
            assert_eq!(Signature::find(&format!("text {signature}")).as_ref(), Some(&signature), "{signature}");
        }
        let signature = Signature { mark: Some(6), lines: vec![0x1a, 7] };
        assert_eq!(signature.to_string(), "[%pdn mark=6 line=0000001a line=00000007]");
        assert_eq!(Signature::find("[%pdn x line=zz more]"), Some(Signature::default()));
        assert_eq!(Signature::find("[%eval 0.1] pdn [%pdnx mark=6]"), None);
    }
}
