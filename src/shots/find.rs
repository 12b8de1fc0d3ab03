//! A search for shots: forcing sequences that win material or a king.

use super::Shot;
use super::material::{balance, counts_material, secured};
use super::tracker::played;
use crate::board::Side;
use crate::rules::{Move, Position};

/// The limits of the search for a shot.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Position, Variant};
/// use pdn::shots::{Bounds, find};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W27,32,34,38,40,45:B11,12,16,18,23,25")?;
/// assert!(find(&position, &Bounds::default().plies(5)).is_none());
/// let shot = find(&position, &Bounds::default()).expect("a shot");
/// assert_eq!(shot.name().map(|name| name.id()), Some("coup_philippe"));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    plies: usize,
    nodes: usize,
}

impl Default for Bounds {
    /// Returns bounds that find five moves of the side that profits: the classic shots have three to five.
    fn default() -> Self {
        Self { plies: 9, nodes: 20_000 }
    }
}

impl Bounds {
    /// Sets the maximum number of plies to the last capture.
    #[must_use]
    pub const fn plies(self, plies: usize) -> Self {
        Self { plies, ..self }
    }

    /// Sets the maximum number of positions to examine.
    #[must_use]
    pub const fn nodes(self, nodes: usize) -> Self {
        Self { nodes, ..self }
    }
}

/// The fate of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It was played.
    Played,
    /// The side that had it played a different move.
    Missed,
    /// The other side's last move made it possible, and the record ends there.
    Allowed,
    /// It was a threat that the other side's move removed.
    Prevented,
}

impl Fate {
    /// All fates.
    pub const ALL: [Self; 4] = [Self::Played, Self::Missed, Self::Allowed, Self::Prevented];

    /// Returns the name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Missed => "missed",
            Self::Allowed => "allowed",
            Self::Prevented => "prevented",
        }
    }
}

/// The search from one position.
struct Search {
    side: Side,
    /// Material lead before the first move.
    balance: i32,
    /// Lowest gain of a line that wins.
    least: i32,
    /// Positions that may still be examined.
    left: usize,
    /// Positions were left out.
    is_cut: bool,
}

/// A line that wins, its moves from the last to the first.
struct Won {
    gain: i32,
    moves: Vec<Move>,
}

impl Search {
    fn new(side: Side, balance: i32, least: i32, bounds: &Bounds) -> Self {
        Self { side, balance, least, left: bounds.nodes, is_cut: false }
    }

    /// Returns what has been won, if that is enough. A new king counts as two men more, so it does not make up for three men:
    /// such a king is often lost again.
    fn won(&self, balance: i32) -> Option<Won> {
        let gain = balance - self.balance;
        (gain >= self.least).then(|| Won { gain, moves: Vec::new() })
    }

    /// The side moves: it captures, or forces the other side to capture.
    fn attack(&mut self, position: &Position, plies: usize) -> Option<Won> {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_cut = true;
            return None;
        };
        self.left = left;
        let moves = position.legal_moves();
        let captures = moves.first().is_some_and(Move::is_capture);
        if !captures {
            // The line ends here: what it won must be on the board, and not be lost to captures that are threatened.
            if let Some(won) = self.won(secured(position, self.side)) {
                return Some(won);
            }
        }
        // An offer, its capture and the raid are three plies.
        if plies == 0 || (!captures && plies < 3) {
            return None;
        }
        let mut best: Option<Won> = None;
        for played in &moves {
            let after = position.play_unchecked(played);
            if !captures && !after.can_capture() {
                continue;
            }
            if let Some(mut won) = self.defend(&after, plies - 1, captures)
                && best.as_ref().is_none_or(|best| won.gain > best.gain)
            {
                won.moves.push(*played);
                best = Some(won);
            }
        }
        best
    }

    /// The other side moves: every capture that it has must lose.
    fn defend(&mut self, position: &Position, plies: usize, captured: bool) -> Option<Won> {
        if !position.can_capture() {
            return if captured { self.won(balance(position, self.side)) } else { None };
        }
        let mut worst: Option<Won> = None;
        for reply in position.legal_moves() {
            let mut won = self.attack(&position.play_unchecked(&reply), plies.checked_sub(1)?)?;
            if worst.as_ref().is_none_or(|worst| won.gain < worst.gain) {
                won.moves.push(reply);
                worst = Some(won);
            }
        }
        worst
    }
}

/// Returns the shortest shot of the side to move and, among equals, the one that wins most; `None` if there is none within the
/// bounds, or if the side has to capture.
///
/// Every reply is compulsory, and each has its own answer, so the shot wins whatever the other side captures. The line returned
/// is that of the reply that loses least.
pub fn find(position: &Position, bounds: &Bounds) -> Option<Shot> {
    find_over(position, balance(position, position.turn()), bounds)
}

/// Returns the shot of the side to move that wins over a material lead.
fn find_over(position: &Position, lead: i32, bounds: &Bounds) -> Option<Shot> {
    if position.can_capture() || !counts_material(position) {
        return None;
    }
    let side = position.turn();
    let mut search = Search::new(side, lead, 1, bounds);
    // The shortest first; each length ends with a move of the side.
    for plies in (3..=bounds.plies).step_by(2) {
        if let Some(mut won) = search.attack(position, plies) {
            won.moves.reverse();
            return Shot::of_line(position, &won.moves, side);
        }
    }
    None
}

/// Returns true if a move forces the gain of at least so many men over a material lead, whatever the other side captures; false if no
/// sequence of captures within the bounds does, or if material is no gain, and `None` if there were too many.
pub(crate) fn forces(position: &Position, played: &Move, lead: i32, least: i32, bounds: &Bounds) -> Option<bool> {
    if !counts_material(position) {
        return Some(false);
    }
    let mut search = Search::new(position.turn(), lead, least, bounds);
    let won = search.defend(&position.play_unchecked(played), bounds.plies.saturating_sub(1), played.is_capture());
    if won.is_none() && search.is_cut { None } else { Some(won.is_some()) }
}

/// Returns the shot with which a line begins, if it wins material.
pub(crate) fn first_in_line(start: &Position, line: &[Move]) -> Option<Shot> {
    let is_quiet = line.first().is_some_and(|first| !first.is_capture());
    let begins = || played(start, line).into_iter().find(|(ply, shot)| *ply == 1 && shot.side() == start.turn());
    if is_quiet { begins().map(|(_, shot)| shot).filter(|shot| shot.gain() > 0) } else { None }
}

/// Returns the shots of a line of moves, played or not, each with the number of its first move, from 1, and its fate.
pub fn found_in_game(start: &Position, moves: &[Move], bounds: &Bounds) -> Vec<(usize, Shot, Fate)> {
    found_in_line(start, moves, bounds, &|_| &[])
}

/// Returns the shots of a line of moves as [`found_in_game`] does, and those with which the best lines begin from the positions
/// before the moves, by index, and after the last one: such a line may be longer than those that a search finds.
pub(crate) fn found_in_line<'a>(
    start: &Position,
    moves: &[Move],
    bounds: &Bounds,
    best: &dyn Fn(usize) -> &'a [Move],
) -> Vec<(usize, Shot, Fate)> {
    let played = played(start, moves);
    // Within a shot, what is available is the shot.
    let is_inside = |ply: usize, side: Side| {
        played.iter().any(|(first, shot)| shot.side() == side && (*first..first + shot.moves().len()).contains(&ply))
    };
    let mut found: Vec<_> = played.iter().map(|(ply, shot)| (*ply, shot.clone(), Fate::Played)).collect();
    let mut position = *start;
    let mut threat: Option<Shot> = None;
    // The lead of each side before the offers to which the other side has only replied with captures: winning back what was
    // offered does not count as a shot.
    let mut leads: [Option<i32>; 2] = [None; 2];
    for ply in 1..=moves.len() + 1 {
        let (side, next) = (position.turn(), moves.get(ply - 1));
        let (now, offered) = (balance(&position, side), leads[side.index()]);
        let lead = offered.map_or(now, |before| before.max(now));
        let wins = |shot: &Shot| shot.gain() > lead - now;
        let available =
            || find_over(&position, lead, bounds).or_else(|| first_in_line(&position, best(ply - 1)).filter(wins));
        let shot = if is_inside(ply, side) { None } else { available() };
        let threatened = threat.take();
        if let Some(shot) = shot {
            let fate = match next {
                None => Fate::Allowed,
                Some(next) if *next == shot.moves()[0] => Fate::Played,
                Some(_) => Fate::Missed,
            };
            found.push((ply, shot, fate));
        } else if let Some(threatened) = threatened
            && !is_inside(ply, side)
            && !position.can_capture()
        {
            found.push((ply, threatened, Fate::Prevented));
        }
        let Some(next) = next else { break };
        if !next.is_capture() {
            leads[(!side).index()] = None;
            leads[side.index()].get_or_insert(now);
            threat = if is_inside(ply, side) { None } else { find(&position.pass(), bounds) };
        }
        position = position.play_unchecked(next);
    }
    found.sort_by_key(|(ply, _, fate)| (*ply, *fate));
    found
}
