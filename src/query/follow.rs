//! The positions of a replayed game, passed to a follower as those of plain games are.

use crate::check::Follower;
use crate::pdn::{Attachment, LineId, NodeId};
use crate::replay::ReplayedGame;

/// A step through a game.
enum Step {
    Node(NodeId),
    Open(LineId),
    Close,
}

/// Passes the positions of a game to a follower, and returns false if the starting position is not known.
pub(super) fn follow(game: &ReplayedGame, follower: &mut dyn Follower) -> bool {
    let Some(start) = game.start() else { return false };
    follower.begin(start);
    // Variations may be nested deeper than functions may be.
    let mut steps = Vec::new();
    push_line(game, LineId::MAIN, &mut steps);
    while let Some(step) = steps.pop() {
        match step {
            Step::Node(id) => {
                if let Some(ply) = game.ply(id)
                    && let Some(after) = ply.after()
                {
                    follower.reach(ply.played(), after);
                }
                push_variations(game.tree().node(id).attachments(), &mut steps);
            }
            Step::Open(line) => {
                follower.open();
                push_line(game, line, &mut steps);
            }
            Step::Close => follower.close(),
        }
    }
    follower.end();
    true
}

/// Pushes the steps of a line, the first one last.
fn push_line(game: &ReplayedGame, line: LineId, steps: &mut Vec<Step>) {
    let line = game.tree().line(line);
    steps.extend(line.nodes().iter().rev().map(|&id| Step::Node(id)));
    push_variations(line.intro(), steps);
}

fn push_variations(attachments: &[Attachment], steps: &mut Vec<Step>) {
    for line in attachments.iter().rev().filter_map(Attachment::variation) {
        steps.extend([Step::Close, Step::Open(line)]);
    }
}
