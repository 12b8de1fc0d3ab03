//! Shots: combinations in lines of moves, with their beginning, mechanisms and name.
//!
//! A shot begins with the first quiet move of a side after which the other side must capture at every move until the last
//! capture, and it wins a man or a king, counted after the best recapture; a king counts as three men. Its tags are mechanisms
//! that follow from the moves, each with the squares that are the evidence; its name is the narrowest whose strict form fits,
//! and most shots have none. Losing draughts have no shots: there, the aim is to be rid of material.
//!
//! Squares in definitions are White's. Black's shots are viewed with the board rotated by 180 degrees; a shot with left and
//! right exchanged is a different one.

mod find;
mod kings;
mod line;
mod material;
mod names;
mod offers;
mod raids;
mod routes;
mod texts;
mod tracker;

use std::sync::OnceLock;

use crate::board::{Side, Square};
use crate::rules::{Move, Position};
pub use find::{Bounds, Fate, find, found_in_game};
pub(crate) use find::{first_in_line, forces, found_in_line};
use line::Line;
pub(crate) use material::{KING, MIN_LEAD, balance, counts_material, is_winning, secured, settled};
pub use names::Definition;
pub(crate) use tracker::Tracker;
pub use tracker::played;

/// A mechanism of a shot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShotTag {
    definition: &'static Definition,
    squares: Vec<Square>,
}

impl ShotTag {
    /// Returns the definition of the mechanism.
    pub const fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Returns the squares that are the evidence.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }
}

/// A combination: a line of moves, with its gain.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Position, Variant};
/// use pdn::shots::{Bounds, find};
///
/// let fen = "W:W27,33,38,39,40,45:B12,13,14,19,23,24";
/// let position = Position::from_fen(Variant::INTERNATIONAL, fen)?;
/// let shot = find(&position, &Bounds::default()).expect("a shot");
/// assert_eq!(shot.name().map(|name| name.name("en")), Some("royal shot (coup royal)"));
/// assert_eq!((shot.offered(), shot.taken(), shot.gain()), (3, 5, 2));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shot {
    start: Position,
    moves: Vec<Move>,
    side: Side,
    /// Index of the capture that decides.
    raid: usize,
    gain: i32,
    /// Found when first asked for: a search for any shot would spend most of its time on them.
    mechanisms: OnceLock<Mechanisms>,
}

/// The mechanisms of a shot, and the name that follows from them.
#[derive(Clone, Debug, Default)]
struct Mechanisms {
    tags: Vec<ShotTag>,
    name: Option<&'static Definition>,
}

/// The mechanisms follow from the line.
impl PartialEq for Shot {
    fn eq(&self, other: &Self) -> bool {
        (&self.start, &self.moves, self.side) == (&other.start, &other.moves, other.side)
    }
}

impl Eq for Shot {}

impl Shot {
    /// Returns a line as a shot, wherever it begins and whatever it gains; `None` if the side captures nothing, and in losing
    /// draughts.
    ///
    /// # Panics
    ///
    /// May panic if a move is not legal.
    pub fn of_line(start: &Position, moves: &[Move], side: Side) -> Option<Self> {
        if !counts_material(start) {
            return None;
        }
        let own = usize::from(start.turn() != side);
        let raid = line::raid_of(moves, own)?;
        let end = moves.iter().fold(*start, |position, played| position.play_unchecked(played));
        let had = material::balance(start, side);
        // What is still attacked counts only where the captures themselves win nothing, and where they took several pieces.
        let later = || if moves[raid].captured().len() > 1 { material::kept(&end, side) } else { had };
        let settled = material::settled(&end, side);
        let gain = if settled > had { settled } else { later().max(settled) } - had;
        Some(Self { start: *start, moves: moves.to_vec(), side, raid, gain, mechanisms: OnceLock::new() })
    }

    fn mechanisms(&self) -> &Mechanisms {
        self.mechanisms.get_or_init(|| {
            Line::new(&self.start, &self.moves, self.side).map(|line| Mechanisms::of(&line)).unwrap_or_default()
        })
    }

    /// Returns true if it has a mechanism, without looking for others.
    fn fits(&self, definition: &Definition) -> bool {
        Line::new(&self.start, &self.moves, self.side).is_some_and(|line| definition.evidence(&line).is_some())
    }

    /// Returns true if it is a shot for its name, although it gains only so much.
    fn is_named_with(&self, gain: i32) -> bool {
        let allowed = |name: &&Definition| name.allows_gain(gain) && name.names_in(self.start.variant());
        let may_be = |line: Line| Definition::all().iter().filter(allowed).any(|name| name.evidence(&line).is_some());
        Line::new(&self.start, &self.moves, self.side).is_some_and(may_be) && self.name().as_ref().is_some_and(allowed)
    }

    /// The position in which it begins.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves to the last capture, and the recapture if there is one.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The side that profits.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The last capture.
    pub fn finish(&self) -> &Move {
        &self.moves[self.raid]
    }

    /// Number of moves of the side that profits, to the last capture.
    pub(crate) fn length(&self) -> usize {
        self.raid / 2 + 1
    }

    /// Returns true if it is forced from its first move: that is quiet, and each reply up to the last capture is a capture.
    pub(crate) fn is_forced(&self) -> bool {
        let mut replies = self.moves[..self.raid].iter().skip(1).step_by(2);
        self.start.turn() == self.side && !self.moves[0].is_capture() && replies.all(Move::is_capture)
    }

    /// Number of pieces given up to the last capture.
    pub fn offered(&self) -> usize {
        self.captures(false)
    }

    /// Number of pieces taken.
    pub fn taken(&self) -> usize {
        self.captures(true)
    }

    fn captures(&self, own: bool) -> usize {
        let first = self.start.turn() == self.side;
        let moves = self.moves[..=self.raid].iter().enumerate();
        let moves = moves.filter(|(index, _)| (index.is_multiple_of(2) == first) == own);
        moves.map(|(_, played)| played.captured().len()).sum()
    }

    /// Returns the gain of the side after the best recapture, in men; a king counts as three, and crowning as two.
    pub const fn gain(&self) -> i32 {
        self.gain
    }

    /// The mechanisms.
    pub fn tags(&self) -> &[ShotTag] {
        &self.mechanisms().tags
    }

    /// Returns true if it has a mechanism.
    pub fn has(&self, definition: &Definition) -> bool {
        self.tags().iter().any(|tag| tag.definition == definition)
    }

    /// The narrowest name that fits, if any does.
    pub fn name(&self) -> Option<&'static Definition> {
        self.mechanisms().name
    }
}

impl Mechanisms {
    fn of(line: &Line) -> Self {
        let tags: Vec<_> = Definition::all()
            .iter()
            .filter_map(|definition| Some((definition, definition.evidence(line)?)))
            .map(|(definition, squares)| {
                let squares = squares.into_iter().filter_map(|number| line.frame.square(number)).collect();
                ShotTag { definition, squares }
            })
            .collect();
        let fits = |name: &&Definition| name.may_head(line, tags.iter().map(|tag| tag.definition));
        // The first name that fits.
        let name = tags.iter().map(|tag| tag.definition).filter(|name| name.names_in(line.variant)).find(fits);
        Self { tags, name }
    }
}
