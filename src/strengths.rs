//! Strengths of players from the results between them: those under which the results are likeliest, a draw being half a win.

use std::cmp::Reverse;

/// Elo points of a unit of strength, at which odds are e to one.
pub(crate) const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Half the width of an interval that has 95 % of a normal distribution, in standard deviations.
pub(crate) const NORMAL_95: f64 = 1.96;
/// Largest change of a strength in a step: far from the solution, longer ones may lead away from it.
const MAX_STEP: f64 = 1.0;
/// Change of all strengths below which they are final: a hundredth of an Elo point.
const PRECISION: f64 = 0.01 / ELO;
/// Maximum number of steps; a dozen are usual.
const MAX_STEPS: usize = 200;

/// The games of a player against another one, by their results for the player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meetings {
    pub(crate) other: usize,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

impl Meetings {
    pub(crate) fn games(&self) -> f64 {
        (self.wins + self.draws + self.losses) as f64
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Returns the largest group in which points went from each player to each other, in ascending order: a strongly connected component
/// of the graph in which an edge leads from a player to each one who lost points to him. Of groups of the same size it is the one with
/// the most games, and then the one with the first player.
pub(crate) fn largest_tied_group(games: &[Vec<Meetings>]) -> Vec<usize> {
    let lost_to = |one: &&Meetings| one.draws + one.losses > 0;
    let took_from = |one: &&Meetings| one.draws + one.wins > 0;
    let mut seen = vec![false; games.len()];
    let mut left = Vec::new();
    for start in 0..games.len() {
        visit(games, start, &mut seen, took_from, &mut left);
    }
    // Backwards, in the opposite order of leaving, each visit is one component.
    let mut seen = vec![false; games.len()];
    let groups = left.iter().rev().map(|&start| {
        let mut group = Vec::new();
        visit(games, start, &mut seen, lost_to, &mut group);
        group.sort_unstable();
        group
    });
    let size = |group: &Vec<usize>| {
        let count = |one: &Meetings| one.wins + one.draws + one.losses;
        let among =
            group.iter().flat_map(|&player| &games[player]).filter(|one| group.binary_search(&one.other).is_ok());
        (group.len(), among.map(count).sum::<u64>(), Reverse(group.first().copied()))
    };
    groups.filter(|group| group.len() > 1).max_by_key(size).unwrap_or_default()
}

/// Visits all players that are reached from one, and adds each when it is left.
fn visit(
    games: &[Vec<Meetings>],
    start: usize,
    seen: &mut [bool],
    leads: impl Fn(&&Meetings) -> bool,
    left: &mut Vec<usize>,
) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    // A stack, since a chain of players may be longer than function calls can nest.
    let mut stack = vec![(start, 0)];
    while let Some((player, next)) = stack.last_mut() {
        let Some(one) = games[*player].get(*next) else {
            left.push(*player);
            stack.pop();
            continue;
        };
        *next += 1;
        if leads(&one) && !std::mem::replace(&mut seen[one.other], true) {
            stack.push((one.other, 0));
        }
    }
}

/// Returns the expected share of the points at a difference of strength.
pub(crate) fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the games that players in ascending order have among themselves, by their places among these players.
pub(crate) fn among(games: &[Vec<Meetings>], players: &[usize]) -> Vec<Vec<Meetings>> {
    let place = |one: &Meetings| Some(Meetings { other: players.binary_search(&one.other).ok()?, ..*one });
    players.iter().map(|&player| games[player].iter().filter_map(place).collect()).collect()
}

/// Returns the strengths under which the results are likeliest, by Newton's method. Those of anchors stay; without anchors, the
/// mean of all is `average`.
pub(crate) fn strengths(games: &[Vec<Meetings>], anchors: &[Option<f64>], average: f64) -> Vec<f64> {
    let fixed: Vec<_> = anchors.iter().flatten().collect();
    let start = fixed.iter().copied().sum::<f64>() / fixed.len().max(1) as f64;
    let mut strengths: Vec<_> = anchors.iter().map(|anchor| anchor.unwrap_or(start)).collect();
    for _ in 0..MAX_STEPS {
        let surplus = |n: usize| -> f64 {
            let own = games[n].iter();
            own.map(|one| one.points() - one.games() * expected(strengths[n] - strengths[one.other])).sum()
        };
        let gradient: Vec<_> = (0..games.len()).map(|n| if anchors[n].is_some() { 0.0 } else { surplus(n) }).collect();
        let step = solve(games, &strengths, anchors, &gradient);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        // Infinite without any change, which makes it 1.
        let scale = (MAX_STEP / longest).min(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += scale * part);
        if longest < PRECISION {
            break;
        }
    }
    if fixed.is_empty() {
        let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
        for strength in &mut strengths {
            *strength += average - mean;
        }
    }
    strengths
}

/// Solves linear equations by conjugate gradients, whose memory and time grow with the number of pairs that met: the information
/// that each player's games give about the differences to the opponents, times these differences, is the right side.
pub(crate) fn solve(games: &[Vec<Meetings>], strengths: &[f64], anchors: &[Option<f64>], right: &[f64]) -> Vec<f64> {
    let weights: Vec<Vec<f64>> = (games.iter().enumerate())
        .map(|(n, own)| {
            let weight = |one: &Meetings| {
                let share = expected(strengths[n] - strengths[one.other]);
                one.games() * share * (1.0 - share)
            };
            own.iter().map(weight).collect()
        })
        .collect();
    let free = |n: usize| anchors[n].is_none();
    let times = |x: &[f64]| -> Vec<f64> {
        let row = |n: usize| games[n].iter().zip(&weights[n]).map(|(one, weight)| weight * (x[n] - x[one.other])).sum();
        (0..x.len()).map(|n| if free(n) { row(n) } else { 0.0 }).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let diagonal: Vec<f64> = weights.iter().map(|own| own.iter().sum::<f64>().max(f64::MIN_POSITIVE)).collect();
    let scaled = |rest: &[f64]| rest.iter().zip(&diagonal).map(|(rest, own)| rest / own).collect::<Vec<_>>();
    let mut step = vec![0.0; right.len()];
    let mut rest = right.to_vec();
    let mut direction = scaled(&rest);
    let mut size = dot(&rest, &direction);
    // As many steps as players would do in exact arithmetic; rounding costs some more.
    for _ in 0..2 * right.len() {
        // A thousandth of the precision of a strength, weighed by the information about it.
        if size <= (PRECISION * 1e-3).powi(2) {
            break;
        }
        let turned = times(&direction);
        let length = size / dot(&direction, &turned);
        step.iter_mut().zip(&direction).for_each(|(step, part)| *step += length * part);
        rest.iter_mut().zip(&turned).for_each(|(rest, part)| *rest -= length * part);
        let next = scaled(&rest);
        let shrunk = dot(&rest, &next) / size;
        size *= shrunk;
        direction.iter_mut().zip(&next).for_each(|(part, next)| *part = next + shrunk * *part);
    }
    step
}
