//! The lines of a game that are annotated, as runs of moves.

use super::study::Ply;
use crate::pdn::{Attachment, LineId, MAX_EXPORT_DEPTH, NodeId};
use crate::replay::ReplayedGame;

/// A line of a game with the moves that lead to it.
pub(super) struct LineMoves {
    /// The moves that could be played, those before the line first.
    plies: Vec<Ply>,
    /// The number of moves before the line.
    before: usize,
}

impl LineMoves {
    /// Returns the moves of the line.
    pub(super) fn own(&self) -> &[Ply] {
        &self.plies[self.before..]
    }

    /// Returns the consecutive moves of the line, each run with those that lead to it and their number.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&[Ply], usize)> {
        let mut end = 0;
        self.plies.chunk_by(|a, b| a.after == b.before).filter_map(move |run| {
            let start = end;
            end += run.len();
            (end > self.before).then(|| (run, self.before.saturating_sub(start)))
        })
    }
}

/// Calls `visit` with the main line and, if wanted, with all variations that are not nested too deeply, a line before its
/// variations.
pub(super) fn each_line<E>(
    game: &ReplayedGame,
    variations: bool,
    mut visit: impl FnMut(&LineMoves) -> Result<(), E>,
) -> Result<(), E> {
    visit_line(game, &[], LineId::MAIN, if variations { MAX_EXPORT_DEPTH } else { 0 }, &mut visit)
}

fn visit_line<E>(
    game: &ReplayedGame,
    before: &[Ply],
    line: LineId,
    depth: u32,
    visit: &mut impl FnMut(&LineMoves) -> Result<(), E>,
) -> Result<(), E> {
    let own = game.tree().line(line).nodes().iter().filter_map(|&node| played(game, node));
    let moves = LineMoves { plies: before.iter().copied().chain(own).collect(), before: before.len() };
    visit(&moves)?;
    if depth == 0 {
        return Ok(());
    }
    let line = game.tree().line(line);
    let mut reached = before.len();
    for variation in line.intro().iter().filter_map(Attachment::variation) {
        visit_line(game, before, variation, depth - 1, visit)?;
    }
    for &node in line.nodes() {
        for variation in game.tree().node(node).attachments().iter().filter_map(Attachment::variation) {
            visit_line(game, &moves.plies[..reached], variation, depth - 1, visit)?;
        }
        reached += usize::from(played(game, node).is_some());
    }
    Ok(())
}

fn played(game: &ReplayedGame, node: NodeId) -> Option<Ply> {
    let ply = game.ply(node)?;
    let (before, played, after) = (*ply.before()?, *ply.played()?, *ply.after()?);
    Some(Ply { node, number: ply.number(), before, played, after })
}
