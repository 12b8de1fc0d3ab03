//! The variant of the games of a file that have no GameType, so that it stays the same once the file is written.

use std::sync::Arc;

use super::settle::{End, gets_game_type};
use super::{FormatOptions, canonical_tree, repair, write_canonical};
use crate::import::games;
use crate::pdn::{GameTree, Parsed};
use crate::replay::{EVIDENCE_BYTES, Inference, ReplayOptions, ReplayedGame, replay};

/// Maximum number of inferences that are tried, each made from the games as written by the one before.
const MAX_ROUNDS: usize = 4;

/// Returns the options for games of a file that are brought into canonical form, and repaired before if that is asked.
///
/// The canonical form has fewer peculiarities, repaired games go further, and games that get a GameType are no longer
/// evidence. So an inference is used only if the games written by it are read alike and written the same again. If none is,
/// even one that gives all games a GameType, the games without a GameType stay as they are; and if the file written so would
/// be written differently again, it stays as it is.
pub(crate) fn settled_in_file(
    replaying: ReplayOptions,
    head: &Arc<[u8]>,
    (options, is_repaired): (FormatOptions, bool),
) -> ReplayOptions {
    let of_game = ReplayOptions { file: None, ..replaying.clone() };
    replaying.for_file_by(Arc::clone(head), move |head| {
        let settling = Settling { replaying: &of_game, options: &options, is_repaired };
        let inference = settling.inference(head);
        if inference.is_kept() && !settling.keeps(head, inference) { inference.as_left() } else { inference }
    })
}

/// How the games of a file are written.
struct Settling<'a> {
    replaying: &'a ReplayOptions,
    options: &'a FormatOptions,
    is_repaired: bool,
}

impl Settling<'_> {
    /// Returns the inference by which the games are written.
    fn inference(&self, head: &[u8]) -> Inference {
        let first = Inference::of(head);
        let read = || trees(head).map(|tree| replay(tree, &self.by(first)));
        // Games with a GameType, or that certainly get one when they are written, need no inference.
        if read().all(|game| !game.is_inferred() || game.is_legal() && gets_game_type(&game, self.options)) {
            return first;
        }
        // The inference from the games as written, and whether they stay.
        let outcome = |inference: Inference| {
            let (text, ends) = self.written(head, inference);
            let next = Inference::of(text.as_bytes());
            let may_move = |game: &ReplayedGame| self.is_repaired && !game.is_legal();
            let is_kept = |(game, end): (ReplayedGame, &End)| may_move(&game) || End::of(&game) == *end;
            let is_read = inference.reads_like(&first) || read().zip(&ends).all(is_kept);
            (next.in_place_of(first), is_read && self.written(text.as_bytes(), next) == (text, ends))
        };
        let mut last = first;
        for _ in 0..MAX_ROUNDS {
            match outcome(last) {
                (_, true) => return last,
                (next, false) if next.decides_like(&last) => break,
                (next, false) => last = next,
            }
        }
        let certain = first.as_certain();
        if outcome(certain).1 { certain } else { first.as_kept() }
    }

    /// Returns true if the games as written by an inference are written the same again, with and without repairs, and lead
    /// where they did.
    fn keeps(&self, head: &[u8], inference: Inference) -> bool {
        let written = self.written(head, inference);
        let text = written.0.as_bytes();
        let is_kept = |is_repaired| {
            let again = Settling { is_repaired, ..*self };
            again.written(text, again.inference(text)) == written
        };
        is_kept(self.is_repaired) && (!self.is_repaired || is_kept(false))
    }

    /// Returns the options for games of which one without a GameType is read by an inference.
    fn by(&self, inference: Inference) -> ReplayOptions {
        self.replaying.clone().for_file_by(Arc::from([]), move |_| inference)
    }

    /// Returns the canonical form of the first games of a file, and where they lead.
    fn written(&self, head: &[u8], inference: Inference) -> (String, Vec<End>) {
        let replaying = self.by(inference);
        let written = |tree| {
            let game = if self.is_repaired { repair(tree, &replaying).0 } else { replay(tree, &replaying) };
            (write_canonical(&canonical_tree(&game, self.options), self.options), End::of(&game))
        };
        let (texts, ends): (Vec<_>, _) = trees(head).map(written).unzip();
        (texts.join("\n"), ends)
    }
}

/// Returns the first games of a file.
fn trees(head: &[u8]) -> impl Iterator<Item = GameTree> {
    let mut trees: Vec<_> = games(head).map(Parsed::into_tree).collect();
    // The last game may be cut off.
    if head.len() == EVIDENCE_BYTES && trees.len() > 1 {
        trees.pop();
    }
    trees.into_iter()
}
