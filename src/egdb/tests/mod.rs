//! Solved classes against published counts and against a slow solver that shares no code with the fast one.

mod files;
mod fixpoint;
mod known;
#[cfg(all(feature = "engine", feature = "parallel"))]
mod lines;

use std::sync::Arc;

use super::game::Game;
use super::material::Material;
use super::solve::solve;
use super::solved::Finished;
use super::{ClassCounts, Value};
use crate::board::Geometry;
use crate::rules::{Adapter, Rules, Task, Variant};

/// Solves all classes of up to some pieces and returns them with their counts.
pub(super) fn solve_all<G: Geometry>(
    game: &Arc<Game<G>>,
    pieces: u8,
    distances: bool,
) -> (Finished<G>, Vec<(Material, ClassCounts)>) {
    let (mut finished, mut counts) = (Finished::new(Arc::clone(game)), Vec::new());
    for class in (2..=pieces).flat_map(|pieces| game.groups(pieces)).flatten() {
        for solution in solve(game, &finished, class, &|_| {}).expect("short wins") {
            counts.push((solution.index.material(), solution.counts));
            finished.add(solution.pack(distances));
        }
    }
    (finished, counts)
}

struct CountAll {
    pieces: u8,
    distances: bool,
}

impl Task for CountAll {
    type Output = Vec<(Material, ClassCounts)>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        solve_all(&Arc::new(Game::new(Box::new(Adapter(rules)))), self.pieces, self.distances).1
    }
}

/// Returns the counts of all classes of up to some pieces.
fn class_counts(variant: Variant, pieces: u8, distances: bool) -> Vec<(Material, ClassCounts)> {
    variant.dispatch(CountAll { pieces, distances })
}

/// Returns win/draw/loss over all positions and over those without a capture.
fn text(counts: ClassCounts) -> String {
    let part = |values: [Value; 3], counts: super::Counts| values.map(|value| counts.of(value).to_string()).join("/");
    let values = [Value::Win, Value::Draw, Value::Loss];
    format!("{} {}", part(values, counts.all()), part(values, counts.quiet()))
}
