//! A line as detectors see it: moves in order, with squares numbered from the point of view of the side that profits.

use super::material::{balance, settled};
use crate::board::{Piece, Shape, Side, Square, SquareSet};
use crate::rules::{KingRange, ManCaptures, Move, Position, Variant};

/// The squares of a board by number, from 1, from the point of view of the side that profits: White's numbers or, for Black,
/// those of the board rotated by 180 degrees. A pattern written with White's squares therefore fits both colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    shape: Shape,
    side: Side,
}

impl Frame {
    pub(super) const fn new(variant_shape: Shape, side: Side) -> Self {
        Self { shape: variant_shape, side }
    }

    pub(super) const fn number(self, square: Square) -> u8 {
        match self.side {
            Side::White => self.shape.order(square) + 1,
            Side::Black => self.shape.square_count() - self.shape.order(square),
        }
    }

    pub(super) fn square(self, number: u8) -> Option<Square> {
        match self.side {
            Side::White => self.shape.nth(number.checked_sub(1)?),
            Side::Black => self.shape.nth(self.shape.square_count().checked_sub(number)?),
        }
    }

    pub(super) fn numbers(self, set: SquareSet) -> Vec<u8> {
        set.iter().map(|square| self.number(square)).collect()
    }

    /// Returns the row and the column of a number; rows count away from the far side.
    fn place(self, number: u8) -> (i8, i8) {
        let square = self.shape.nth(number - 1);
        square.map_or((0, 0), |square| (self.shape.row(square) as i8, self.shape.column(square) as i8))
    }

    fn at(self, row: i8, column: i8) -> Option<u8> {
        let square = self.shape.square_at(u8::try_from(row).ok()?, u8::try_from(column).ok()?)?;
        Some(self.shape.order(square) + 1)
    }

    /// Returns the step of one square from one number towards another on its line.
    pub(super) fn direction(self, from: u8, to: u8) -> (i8, i8) {
        let ((row, column), (end_row, end_column)) = (self.place(from), self.place(to));
        let (down, across) = ((end_row - row).signum(), (end_column - column).signum());
        // Boards that play on half of the squares have the next square of a row or column two steps away.
        let wide = if self.shape.every_square() || (down != 0 && across != 0) { 1 } else { 2 };
        (down * wide, across * wide)
    }

    /// Returns the next square in a direction.
    pub(super) fn next(self, number: u8, (down, across): (i8, i8)) -> Option<u8> {
        let (row, column) = self.place(number);
        self.at(row + down, column + across)
    }

    /// Returns the captured squares in the order in which a path passes them.
    fn passed(self, path: &[u8], captured: &[u8]) -> Vec<u8> {
        let legs = path
            .windows(2)
            .flat_map(|leg| self.ray(leg[0], self.direction(leg[0], leg[1])).take_while(|&number| number != leg[1]));
        legs.filter(|number| captured.contains(number)).collect()
    }

    /// Returns the squares from a number to the edge, nearest first.
    pub(super) fn ray(self, from: u8, direction: (i8, i8)) -> impl Iterator<Item = u8> {
        std::iter::successors(self.next(from, direction), move |&number| self.next(number, direction))
    }

    pub(super) fn row(self, number: u8) -> i8 {
        self.place(number).0
    }

    /// Returns the directions in which pieces of the variant capture, from the point of view of their side.
    pub(super) fn captures(self, variant: Variant, forward: bool, is_king: bool) -> Vec<(i8, i8)> {
        // On dark squares, the next square straight ahead is two rows away.
        let straight = if self.shape.every_square() { 1 } else { 2 };
        let diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
        let right = [(-straight, 0), (0, -straight), (0, straight), (straight, 0)];
        let ahead = |(down, _): &(i8, i8)| if forward { *down < 0 } else { *down > 0 };
        let beside = |step: &(i8, i8)| step.0 == 0 || ahead(step);
        match variant.spec().man_captures {
            ManCaptures::DiagonallyForward if !is_king => diagonal.into_iter().filter(ahead).collect(),
            ManCaptures::DiagonallyForward | ManCaptures::Diagonally => diagonal.to_vec(),
            ManCaptures::EightWays => diagonal.into_iter().chain(right).collect(),
            ManCaptures::ForwardAndSideways if !is_king => right.into_iter().filter(beside).collect(),
            ManCaptures::ForwardAndSideways => right.to_vec(),
        }
    }
}

/// A move of a line.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub(super) before: Position,
    pub(super) after: Position,
    pub(super) played: Move,
    /// True if the side that profits moves.
    pub(super) own: bool,
    pub(super) from: u8,
    pub(super) to: u8,
    /// The paths of the move; usually, only captures by kings have more than one.
    pub(super) paths: Vec<Vec<u8>>,
    /// The squares of the captured pieces.
    pub(super) captured: Vec<u8>,
}

impl Ply {
    pub(super) fn is_capture(&self) -> bool {
        self.played.is_capture()
    }

    /// Returns true if the first squares of a path are these.
    pub(super) fn starts(&self, squares: &[u8]) -> bool {
        self.paths.iter().any(|path| path.starts_with(squares))
    }

    pub(super) fn is(&self, from: u8, to: u8) -> bool {
        self.from == from && self.to == to
    }

    /// Returns true if the move captures a king.
    pub(super) fn takes_king(&self) -> bool {
        self.played.captured().iter().any(|square| self.before.kings().contains(square))
    }

    pub(super) fn by_king(&self) -> bool {
        self.before.kings().contains(self.played.from())
    }
}

/// Returns the capture that decides a line, by its index, for the side whose first move has an index: its last one, unless that only
/// follows a capture of several pieces: it takes back one piece, or the new king takes more.
pub(super) fn raid_of(moves: &[Move], own: usize) -> Option<usize> {
    let follows = |raid: usize| {
        let [before, reply, last] = [raid - 2, raid - 1, raid].map(|index| &moves[index]);
        let takes_back = last.captured().len() == 1 && last.captured().contains(reply.to());
        let goes_on = before.promotes() && last.from() == before.to();
        before.captured().len() > 1 && reply.is_capture() && (takes_back || goes_on)
    };
    let mut raids = (own..moves.len()).step_by(2).rev().skip_while(|&index| !moves[index].is_capture());
    raids.find(|&raid| raid < own + 2 || !follows(raid))
}

/// The moves of a shot, from its first move to its last capture, and the recapture.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) frame: Frame,
    pub(super) variant: Variant,
    pub(super) plies: Vec<Ply>,
    /// The capture that decides: the last of the side that profits, but for what it takes back after it.
    pub(super) raid: usize,
}

impl Line {
    /// Returns the line of moves from a position, up to the last capture of a side and the reply to it; `None` if the side
    /// captures nothing.
    pub(super) fn new(start: &Position, moves: &[Move], side: Side) -> Option<Self> {
        let (variant, frame) = (start.variant(), Frame::new(start.variant().shape(), side));
        let mut position = *start;
        let mut plies = Vec::with_capacity(moves.len());
        for played in moves {
            let after = position.play_unchecked(played);
            let paths = position.paths(played);
            plies.push(Ply {
                before: position,
                after,
                played: *played,
                own: position.turn() == side,
                from: frame.number(played.from()),
                to: frame.number(played.to()),
                paths: paths.iter().map(|path| path.iter().map(|&square| frame.number(square)).collect()).collect(),
                captured: frame.numbers(played.captured()),
            });
            position = after;
        }
        let raid = raid_of(moves, usize::from(start.turn() != side))?;
        Some(Self { frame, variant, plies, raid })
    }

    pub(super) fn last(&self) -> &Ply {
        &self.plies[self.raid]
    }

    /// Returns true if a square is occupied at the start.
    pub(super) fn holds(&self, number: u8) -> bool {
        self.frame.square(number).is_some_and(|square| self.plies[0].before.piece_at(square).is_some())
    }

    /// The moves before the last capture.
    pub(super) fn chain(&self) -> &[Ply] {
        &self.plies[..self.raid]
    }

    /// Returns the captures of the other side before a move, each with its index.
    pub(super) fn replies(&self, before: usize) -> impl DoubleEndedIterator<Item = (usize, &Ply)> {
        self.plies[..before].iter().enumerate().filter(|(_, ply)| !ply.own && ply.is_capture())
    }

    /// Returns the captures of the side that profits, each with its index.
    pub(super) fn raids(&self) -> impl DoubleEndedIterator<Item = (usize, &Ply)> {
        self.plies[..=self.raid].iter().enumerate().filter(|(_, ply)| ply.own && ply.is_capture())
    }

    /// Returns the quiet moves of the side that profits, each with its index.
    pub(super) fn offers(&self) -> impl Iterator<Item = (usize, &Ply)> {
        self.chain().iter().enumerate().filter(|(_, ply)| ply.own && !ply.is_capture())
    }

    /// Returns the captured squares of a move in the order in which a path passes them.
    pub(super) fn victims(&self, ply: &Ply, path: &[u8]) -> Vec<u8> {
        self.frame.passed(path, &ply.captured)
    }

    /// Returns true if a path of a move captures this square first.
    pub(super) fn takes_first(&self, ply: &Ply, square: u8) -> bool {
        ply.paths.iter().any(|path| self.victims(ply, path).first() == Some(&square))
    }

    /// Returns where a piece of the other side stands at the last capture, by its capture; `None` if it was taken before.
    pub(super) fn at_raid(&self, index: usize) -> Option<u8> {
        self.plies[index + 1..self.raid].iter().try_fold(self.plies[index].to, |at, ply| {
            let moves_on = !ply.own && ply.from == at;
            (!ply.own || !ply.captured.contains(&at)).then_some(if moves_on { ply.to } else { at })
        })
    }

    /// Returns the previous capture by the piece of the other side that makes a given capture.
    pub(super) fn earlier_capture(&self, index: usize) -> Option<usize> {
        let from = self.plies[index].from;
        let (earlier, _) = self.replies(index).rfind(|(_, ply)| ply.to == from)?;
        let removed = self.plies[earlier..index].iter().any(|ply| ply.own && ply.captured.contains(&from));
        (!removed).then_some(earlier)
    }

    /// Returns the index of the last capture by the piece of the other side that was lured to a square before a move.
    pub(super) fn brought_to(&self, square: u8, before: usize) -> Option<usize> {
        self.replies(before).rfind(|(_, ply)| ply.to == square).map(|(index, _)| index)
    }

    /// Returns the material gain of the side that profits after a number of plies; a king counts as three men.
    pub(super) fn gain_after(&self, plies: usize) -> i32 {
        let after = plies.checked_sub(1).map_or(&self.plies[0].before, |last| &self.plies[last].after);
        balance(after, self.frame.side) - balance(&self.plies[0].before, self.frame.side)
    }

    /// Returns the material gain of the side that profits after the best recapture.
    pub(super) fn net_gain(&self) -> i32 {
        let end = &self.plies[self.plies.len() - 1].after;
        settled(end, self.frame.side) - balance(&self.plies[0].before, self.frame.side)
    }

    /// Returns the jumps over one piece that the side to move could make if no rule gave priority to any capture, each as the
    /// square of the jumping piece and that of the jumped piece.
    pub(super) fn jumps(&self, position: &Position) -> Vec<(u8, u8)> {
        let side = position.turn();
        let forward = self.frame.side == side;
        let mut jumps = Vec::new();
        for (square, _, piece) in position.pieces().filter(|(_, owner, _)| *owner == side) {
            let (from, is_king) = (self.frame.number(square), piece == Piece::King);
            let flies = is_king && self.variant.spec().king_range == KingRange::Flying;
            for direction in self.frame.captures(self.variant, forward, is_king) {
                let mut ray = self.frame.ray(from, direction);
                let is_held = |number: &u8| self.piece(position, *number).is_some();
                let met = if flies { ray.find(is_held) } else { ray.next() };
                let Some(met) = met.filter(|&met| self.is_prey(position, met, is_king)) else { continue };
                if ray.next().is_some_and(|behind| !is_held(&behind)) {
                    jumps.push((from, met));
                }
            }
        }
        jumps
    }

    /// Returns the legal captures of a position, each with the captured squares in the order of each path.
    fn legal_captures(&self, position: &Position) -> Vec<(u8, Vec<u8>)> {
        let mut found = Vec::new();
        for played in position.legal_moves().iter().filter(|played| played.is_capture()) {
            let captured = self.frame.numbers(played.captured());
            for path in position.paths(played) {
                let path: Vec<_> = path.iter().map(|&square| self.frame.number(square)).collect();
                found.push((path[0], self.frame.passed(&path, &captured)));
            }
        }
        found
    }

    /// Returns the first jumps of the legal captures of a position.
    pub(super) fn legal_jumps(&self, position: &Position) -> Vec<(u8, u8)> {
        let captures = self.legal_captures(position).into_iter();
        captures.filter_map(|(from, victims)| Some((from, *victims.first()?))).collect()
    }

    /// Returns a jump with which a man could go on instead during a capture if no rule gave priority to any capture, as the square of
    /// the man and that of the jumped piece.
    pub(super) fn barred_turn(&self, ply: &Ply) -> Option<(u8, u8)> {
        let legal = self.legal_captures(&ply.before);
        let turns = |path: &Vec<u8>| {
            (1..path.len() - 1).find_map(|done| {
                let passed = self.victims(ply, &path[..=done]);
                let is_barred = |over: u8, behind: u8| {
                    let way = [&passed[..], &[over]].concat();
                    let is_free = behind == ply.from || self.piece(&ply.before, behind).is_none();
                    let is_legal =
                        || legal.iter().any(|(from, victims)| *from == ply.from && victims.starts_with(&way));
                    is_free && !passed.contains(&over) && self.is_prey(&ply.before, over, false) && !is_legal()
                };
                let forward = self.frame.side == ply.before.turn();
                self.frame.captures(self.variant, forward, false).into_iter().find_map(|direction| {
                    let over = self.frame.next(path[done], direction)?;
                    is_barred(over, self.frame.next(over, direction)?).then_some((ply.from, over))
                })
            })
        };
        ply.paths.iter().filter(|_| !ply.by_king()).find_map(turns)
    }

    fn piece(&self, position: &Position, number: u8) -> Option<(Side, Piece)> {
        self.frame.square(number).and_then(|square| position.piece_at(square))
    }

    /// Returns true if the side to move may capture what stands on a square.
    fn is_prey(&self, position: &Position, number: u8, by_king: bool) -> bool {
        self.piece(position, number).is_some_and(|(side, piece)| {
            side != position.turn() && (by_king || self.variant.spec().men_take_kings || piece == Piece::Man)
        })
    }
}
