//! The variant of the games of a file that have no GameType, so that it stays the same once the file is written.

use std::sync::Arc;

use super::{FormatOptions, canonical_tree, repair, write_canonical};
use crate::import::games;
use crate::pdn::Parsed;
use crate::replay::{EVIDENCE_BYTES, Inference, ReplayOptions, replay};

/// Rounds of writing the first games of a file after which the last inference is taken as certain.
const MAX_ROUNDS: usize = 4;

/// Returns the options for games of a file that are brought into canonical form, and repaired before if that is asked.
///
/// The canonical form has fewer peculiarities, and repaired games go further. Where the games as they are leave the variant
/// in doubt, the canonical form of the first ones may decide it. Then it does so at once, and not only when the file is
/// written again. If it decided for another variant than that by which the moves were played, or for none in the end, the games
/// get a GameType.
pub(crate) fn settled_in_file(
    replaying: ReplayOptions,
    head: &Arc<[u8]>,
    (options, is_repaired): (FormatOptions, bool),
) -> ReplayOptions {
    let of_game = ReplayOptions { file: None, ..replaying.clone() };
    replaying.for_file_by(Arc::clone(head), move |head| {
        let first = Inference::of(head);
        let mut last = first;
        for _ in 0..MAX_ROUNDS {
            if last.variant().is_some() && last.others().next().is_none() {
                return last;
            }
            let by_last = of_game.clone().for_file_by(Arc::from([]), move |_| last);
            let next = Inference::of(canonical(head, &by_last, &options, is_repaired).as_bytes());
            if next.decides_like(&last) || !next.is_needed() {
                return last;
            }
            if !is_repaired && first.variant().is_some() && next.variant() != first.variant() {
                return first.as_certain();
            }
            last = next.in_place_of(first);
        }
        last.as_certain()
    })
}

/// Returns the canonical form of the first games of a file.
fn canonical(head: &[u8], replaying: &ReplayOptions, options: &FormatOptions, is_repaired: bool) -> String {
    let written = |tree| {
        let game = if is_repaired { repair(tree, replaying).0 } else { replay(tree, replaying) };
        write_canonical(&canonical_tree(&game, options), options)
    };
    let mut trees: Vec<_> = games(head).map(Parsed::into_tree).collect();
    // The last game may be cut off.
    if head.len() == EVIDENCE_BYTES && trees.len() > 1 {
        trees.pop();
    }
    trees.into_iter().map(written).collect::<Vec<_>>().join("\n")
}
