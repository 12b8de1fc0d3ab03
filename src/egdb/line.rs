//! Best lines: to the end of the game where distances are stored or can be computed, otherwise to the next capture or promotion.
//!
//! Without stored distances, a winning side could move back and forth between won positions. Therefore, the class of the
//! position is solved again in memory. With all classes that follow it, this gives the distance to the end, and takes up to
//! twelve seconds for 4 pieces (International). With its mirror alone, it takes at most a second and gives the distance to the move
//! that leaves the class: it falls with each move, and the number of classes is finite.

use std::cmp::Reverse;
use std::sync::Mutex;

use super::apart;
use super::endgame::{Endgame, Lookup, material_of, with_white_to_move};
use super::material::Material;
use super::prober::Prober;
use super::solve::solve;
use super::solved::{Finished, load};
use super::values::{Code, Value};
use crate::board::Geometry;
use crate::rules::{MoveList, State, Step};
use crate::shared::lock;

/// Maximum number of pieces for which classes are solved again.
const MAX_SOLVED: u8 = 4;

// With 4 pieces, the longest win takes 43 plies (International).
/// Maximum length of a line, in plies.
const MAX_PLIES: usize = 100;

/// A line of best play.
pub(crate) struct BestLine<G: Geometry> {
    /// The value of the position at its start.
    pub(crate) value: Value,
    pub(crate) steps: Vec<Step<G>>,
    /// Number of plies to the end of the game, or to the move that leaves the class.
    pub(crate) plies: u32,
    /// True if the line leads to the end of the game.
    pub(crate) is_complete: bool,
}

/// Classes that were solved again.
pub(super) struct Conversions<G: Geometry>(Mutex<Option<Known<G>>>);

struct Known<G: Geometry> {
    /// All classes with fewer pieces than the solved ones, without distances.
    smaller: Finished<G>,
    /// Distances to the move that leaves the class.
    solved: Finished<G>,
    /// Distances to the end of the game.
    to_end: Finished<G>,
}

impl<G: Geometry> Default for Conversions<G> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<G: Geometry> Conversions<G> {
    /// Returns the best line to the end of the game, or else to the move that leaves the class; `None` if `may_use` refuses the
    /// classes needed for both, given their number of positions and whether they are solved already.
    pub(super) fn line(
        &self,
        values: &Prober<G>,
        state: &State<G>,
        may_use: impl Fn(u64, bool) -> bool,
    ) -> Option<BestLine<G>> {
        let game = &values.game;
        let material = material_of(state);
        if material.pieces() > MAX_SOLVED {
            return None;
        }
        // Held while a class is solved: a second thread that needs it waits instead of solving it again.
        let mut known = lock(&self.0);
        let known = known.get_or_insert_with(|| {
            let [smaller, solved, to_end] = [(); 3].map(|()| Finished::new(game.clone()));
            Known { smaller, solved, to_end }
        });
        let positions = |class: &Material| class.pair().map(|class| game.index(class).len()).sum::<u64>();
        let following = following(game, material);
        let may_end = may_use(following.iter().map(positions).sum(), known.to_end.get(material).is_some());
        if may_end && apart(|| known.solve_to_end(game, &following)).is_some() {
            return to_end(game, state, |state| known.to_end.look_up(state));
        }
        let is_solved = known.solved.get(material).is_some();
        if !may_use(positions(&material), is_solved) {
            return None;
        }
        if !is_solved {
            apart(|| known.solve(values, material))?;
        }
        // The distances of other solved classes count to the moves that leave those, not this class.
        let leaves = |state: &State<G>| !material.pair().any(|class| class == material_of(state));
        let distance =
            |state: &State<G>| if leaves(state) { values.look_up(state) } else { known.solved.look_up(state) };
        follow(game, state, distance, leaves)
    }
}

/// Returns a class and all that follow it, one of each pair of mirrored classes, in the order in which they can be solved.
fn following<G: Geometry>(game: &Endgame<G>, material: Material) -> Vec<Material> {
    let groups = (2..=material.pieces()).flat_map(|pieces| game.groups(pieces));
    groups.flatten().filter(|class| class.follows(material)).collect()
}

impl<G: Geometry> Known<G> {
    /// Solves classes with their distances to the end, unless they are solved. Each comes after those that follow it.
    fn solve_to_end(&mut self, game: &Endgame<G>, classes: &[Material]) -> Option<()> {
        for &class in classes {
            if self.to_end.get(class).is_none() {
                let solutions = solve(game, &self.to_end, class, &|_| {})?;
                for solution in solutions {
                    self.to_end.add(solution.pack(true));
                }
            }
        }
        Some(())
    }

    fn solve(&mut self, values: &Prober<G>, material: Material) -> Option<()> {
        let mut tables: Vec<_> = values.tables.iter().collect();
        // A mirror is derived from classes with fewer pieces or men, so those are loaded first.
        tables.sort_by_key(|open| (open.table.contents.material.pieces(), open.table.contents.material.men()));
        for open in tables {
            let class = open.table.contents.material;
            if class.pieces() < material.pieces() && self.smaller.get(class).is_none() {
                load(&mut self.smaller, open, &()).ok()?;
            }
        }
        let smaller = &self.smaller;
        let lookup = |state: &State<G>| smaller.look_up(state).or_else(|| values.look_up(state));
        for solution in solve(&values.game, &lookup, material, &|_| {})? {
            self.solved.add(solution.pack(true));
        }
        Some(())
    }
}

/// Returns the best line to the end of the game, if distances of the position are stored.
pub(super) fn line_to_end<G: Geometry>(distances: &Prober<G>, state: &State<G>) -> Option<BestLine<G>> {
    to_end(&distances.game, state, |state| distances.look_up(state))
}

/// Follows the best moves by their distances to the end.
fn to_end<G: Geometry>(
    game: &Endgame<G>,
    state: &State<G>,
    distance: impl Fn(&State<G>) -> Option<Code>,
) -> Option<BestLine<G>> {
    let line = follow(game, state, distance, |_| false)?;
    Some(BestLine { plies: u32::from(game.plies(line.plies as u8)), is_complete: true, ..line })
}

/// Follows the best moves until the value is a draw, the game ends, or `is_last` is true of a position. Among won
/// positions the nearest to the end is best, among lost ones the farthest.
fn follow<G: Geometry>(
    game: &Endgame<G>,
    start: &State<G>,
    distance: impl Fn(&State<G>) -> Option<Code>,
    is_last: impl Fn(&State<G>) -> bool,
) -> Option<BestLine<G>> {
    let code = distance(&with_white_to_move(start))?;
    let plies = u32::from(code.distance()?);
    let (mut steps, mut state, mut list) = (Vec::new(), *start, MoveList::default());
    while steps.len() < MAX_PLIES {
        game.generator.moves(&state, &mut list);
        let replies = list.as_slice().iter().map(|step| (*step, game.generator.play(&state, step)));
        let rated = replies.filter_map(|(step, after)| Some((rating(game.reply(&after, &distance)?), step, after)));
        let Some((_, step, after)) = rated.max_by_key(|(rating, ..)| *rating) else { break };
        steps.push(step);
        state = after;
        if is_last(&with_white_to_move(&state)) {
            break;
        }
    }
    Some(BestLine { value: code.value(), steps, plies, is_complete: false })
}

/// Orders moves by the codes of the positions that they lead to.
fn rating(reply: Code) -> (Value, Reverse<i32>) {
    let distance = i32::from(reply.distance().unwrap_or(0));
    match reply.value() {
        Value::Win => (Value::Loss, Reverse(-distance)),
        value => (value.reversed(), Reverse(distance)),
    }
}
