//! Following the positions of games: of those with plain moves while they are read, of all others through their trees.

use crate::pdn::{Attachment, LineId, NodeId};
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// Follows the positions of games: each line in order, with variations after the move that they replace.
pub trait Follower: Send {
    /// The result for a game.
    type Found: Send + 'static;

    /// A game begins in this position. A game that began before and has not ended is void: it turned out to need another
    /// way of reading, and begins again.
    fn begin(&mut self, start: &Position);

    /// A position is reached, by a move unless it is set up.
    fn reach(&mut self, played: Option<&Move>, after: &Position);

    /// A variation opens: it continues from the position before the last move.
    fn open(&mut self) {}

    /// A variation closes: the line around it continues.
    fn close(&mut self) {}

    /// Returns the result for the game, which is over.
    fn end(&mut self) -> Self::Found;
}

/// Follows nothing.
impl Follower for () {
    type Found = ();

    fn begin(&mut self, _: &Position) {}

    fn reach(&mut self, _: Option<&Move>, _: &Position) {}

    fn end(&mut self) {}
}

/// A follower without the type of its results, so that the reader of plain games is compiled only once.
pub(super) trait Steps {
    fn begin(&mut self, start: &Position);
    fn reach(&mut self, played: &Move, after: &Position);
    fn open(&mut self);
    fn close(&mut self);
    fn end(&mut self);
}

/// A follower and its result for each game.
pub(super) struct Collector<F: Follower> {
    follower: F,
    found: Vec<F::Found>,
}

impl<F: Follower> Collector<F> {
    pub(super) const fn new(follower: F) -> Self {
        Self { follower, found: Vec::new() }
    }

    pub(super) fn into_found(self) -> Vec<F::Found> {
        self.found
    }
}

impl<F: Follower> Steps for Collector<F> {
    fn begin(&mut self, start: &Position) {
        self.follower.begin(start);
    }

    fn reach(&mut self, played: &Move, after: &Position) {
        self.follower.reach(Some(played), after);
    }

    fn open(&mut self) {
        self.follower.open();
    }

    fn close(&mut self) {
        self.follower.close();
    }

    fn end(&mut self) {
        let found = self.follower.end();
        self.found.push(found);
    }
}

/// A step through a game.
enum Step {
    Node(NodeId),
    Open(LineId),
    Close,
}

/// Passes the positions of a game to a follower as the reader of plain games does, and returns its result; `None` if the
/// starting position is unknown.
pub(super) fn follow<F: Follower>(game: &ReplayedGame, follower: &mut F) -> Option<F::Found> {
    follower.begin(game.start()?);
    // A stack, because variations may be nested deeper than function calls.
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
    Some(follower.end())
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
