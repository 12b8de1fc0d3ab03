//! What a side gains in a line, counted on the board.

use std::fmt;

use crate::board::{Side, SquareSet};
use crate::rules::{Move, Position};
use crate::shots::{KING, balance, counts_material, settled};

/// Longest line in which a gain is clear, in plies.
const MAX_PLIES: usize = 13;

/// Captures that complete a line.
const MAX_CAPTURES: usize = 8;

/// Quiet moves after which a gain still has to be there. Of 43 combinations that were said to be possible, 26 lost what they won
/// within a few moves: a new king was caught, or a man behind the lines.
const LASTING: u32 = 4;

/// Maximum number of positions in the search for an answer to a gain.
const MAX_POSITIONS: u32 = 20_000;

/// What a side gains over the other. As text: `m2`, `k`, `k+1`, `k-2`, `m4-k`, `g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gain {
    /// So many men.
    Men(u32),
    /// A king more, or a king of the other side less.
    King,
    /// The same, and men.
    KingAnd(u32),
    /// The same, for so many men.
    KingFor(u32),
    /// So many men, for a king.
    MenFor(u32),
    /// The game: the other side has no moves or pieces left.
    Game,
}

impl Gain {
    /// Returns what a side gained over the other from one position to a later one; `None` if that is not in these words: nothing,
    /// several kings, or as many men for a king as a king is worth. In losing draughts, only the game is a gain.
    pub(super) fn between(start: &Position, end: &Position, side: Side) -> Option<Self> {
        if end.winner() == Some(side) {
            return Some(Self::Game);
        }
        if !counts_material(end) {
            return None;
        }
        let (men, led) = change(start, end, side);
        let crowned = end.kings_of(side).len() as i32 - start.kings_of(side).len() as i32;
        match led {
            0 if men > 0 => Some(Self::Men(men.unsigned_abs())),
            1 => {
                // A captured king is a piece as well.
                let men = if crowned == 1 { men } else { men - 1 };
                (men > -3).then_some(match men {
                    0 => Self::King,
                    1.. => Self::KingAnd(men.unsigned_abs()),
                    _ => Self::KingFor(men.unsigned_abs()),
                })
            }
            -1 => {
                // The same if the king was captured.
                let men = if crowned == -1 { men + 1 } else { men };
                (men > KING).then_some(Self::MenFor(men.unsigned_abs()))
            }
            _ => None,
        }
    }

    /// Reads a gain in the form of records.
    pub(super) fn read(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
        match text.split_at_checked(1)? {
            ("m", men) => match men.strip_suffix("-k") {
                Some(men) => Some(Self::MenFor(number(men)?)),
                None => Some(Self::Men(number(men)?)),
            },
            ("g", "") => Some(Self::Game),
            ("k", "") => Some(Self::King),
            ("k", rest) => match rest.split_at_checked(1)? {
                ("+", men) => Some(Self::KingAnd(number(men)?)),
                ("-", men) => Some(Self::KingFor(number(men)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Its value in men; a king counts three.
    pub(super) const fn worth(self) -> i32 {
        match self {
            Self::Men(men) => men as i32,
            Self::King => KING,
            Self::KingAnd(men) => KING + men as i32,
            Self::KingFor(men) => KING - men as i32,
            Self::MenFor(men) => men as i32 - KING,
            Self::Game => i32::MAX,
        }
    }

    /// Returns true if only men are gained.
    pub(super) const fn is_men(self) -> bool {
        matches!(self, Self::Men(_) | Self::MenFor(_))
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Men(men) => write!(f, "m{men}"),
            Self::King => f.write_str("k"),
            Self::KingAnd(men) => write!(f, "k+{men}"),
            Self::KingFor(men) => write!(f, "k-{men}"),
            Self::MenFor(men) => write!(f, "m{men}-k"),
            Self::Game => f.write_str("g"),
        }
    }
}

/// Returns by how much the lead of a side in pieces, and that in kings, is larger in a later position.
fn change(start: &Position, end: &Position, side: Side) -> (i32, i32) {
    let lead = |of: fn(&Position, Side) -> SquareSet, position| {
        of(position, side).len() as i32 - of(position, !side).len() as i32
    };
    let change = |of| lead(of, end) - lead(of, start);
    (change(Position::squares_of), change(Position::kings_of))
}

/// Returns by how many men the lead of a side is larger in a later position, where a king counts three.
pub(super) fn advance(start: &Position, end: &Position, side: Side) -> i32 {
    match end.winner() {
        Some(winner) if winner == side => i32::MAX,
        Some(_) => i32::MIN,
        None => balance(end, side) - balance(start, side),
    }
}

/// Returns true if a side leads by as many pieces and kings as before, or more.
pub(super) fn loses_nothing(start: &Position, end: &Position, side: Side) -> bool {
    let (pieces, kings) = change(start, end, side);
    pieces >= 0 && kings >= 0
}

/// Returns a line with the compulsory captures after it, each the best for its side.
pub(super) fn completed(start: &Position, line: &[Move]) -> Vec<Move> {
    let mut moves = line.to_vec();
    let mut position = line.iter().fold(*start, |position, step| position.play_unchecked(step));
    for _ in 0..MAX_CAPTURES {
        if !position.can_capture() {
            break;
        }
        let side = position.turn();
        let best = position.legal_moves().into_iter().max_by_key(|step| settled(&position.play_unchecked(step), side));
        let Some(best) = best else { break };
        moves.push(best);
        position = position.play_unchecked(&best);
    }
    moves
}

/// Returns true if a side that leads by so many men in a position still does after a few more moves, with best play by both sides;
/// `None` if that takes too many positions.
pub(super) fn lasts(position: &Position, side: Side, lead: i32) -> Option<bool> {
    let mut keeping = Keeping { side, lead, left: MAX_POSITIONS };
    let is_kept = keeping.is_kept(position, LASTING);
    (keeping.left > 0).then_some(is_kept)
}

/// A search for whether a side keeps a lead in men.
struct Keeping {
    side: Side,
    lead: i32,
    /// Positions that may still be looked at.
    left: u32,
}

impl Keeping {
    /// Returns true if the side keeps the lead for so many quiet moves; captures are compulsory and do not count.
    fn is_kept(&mut self, position: &Position, plies: u32) -> bool {
        self.left = self.left.saturating_sub(1);
        if let Some(winner) = position.winner() {
            return winner == self.side;
        }
        let is_quiet = !position.can_capture();
        if self.left == 0 || is_quiet && plies == 0 {
            return balance(position, self.side) >= self.lead;
        }
        let left = plies - u32::from(is_quiet);
        let mut next = position.legal_moves().into_iter().map(|step| position.play_unchecked(&step));
        if position.turn() == self.side {
            next.any(|position| self.is_kept(&position, left))
        } else {
            next.all(|position| self.is_kept(&position, left))
        }
    }
}

/// Returns the positions before and after the moves of a line.
pub(super) fn positions(start: &Position, line: &[Move]) -> Vec<Position> {
    let mut all = vec![*start];
    all.extend(line.iter().scan(*start, |position, step| {
        *position = position.play_unchecked(step);
        Some(*position)
    }));
    all
}

/// Returns what a side gains in a line compared with the material of another position, and the number of plies after which it has
/// that: in a position without captures, after which it never has less.
pub(super) fn clear_gain(base: &Position, start: &Position, line: &[Move], side: Side) -> Option<(usize, Gain)> {
    let line = completed(start, line);
    let positions = positions(start, &line);
    let quiet = || (1..positions.len()).filter(|&n| !positions[n].can_capture());
    let gain = |n: usize| Gain::between(base, &positions[n], side);
    // Also of positions whose gain has no name, such as that of two kings.
    let worth = |n: usize| advance(base, &positions[n], side);
    let found = quiet()
        .find(|&n| gain(n).is_some() && quiet().filter(|&later| later > n).all(|later| worth(later) >= worth(n)));
    found.filter(|&n| n <= MAX_PLIES).and_then(|n| Some((n, gain(n)?)))
}

/// Returns the length of the exchange that begins a line: a man is offered, captures follow, and material is equal again.
pub(super) fn exchange(start: &Position, line: &[Move]) -> Option<usize> {
    let [offer, reply, ..] = line else { return None };
    if start.can_capture() || offer.is_capture() || !reply.is_capture() {
        return None;
    }
    let positions = positions(start, line);
    let end = (2..positions.len()).find(|&n| !positions[n].can_capture())?;
    (change(start, &positions[end], Side::White) == (0, 0)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn read(fen: &str) -> Position {
        Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN")
    }

    fn line(start: &Position, texts: &[&str]) -> Vec<Move> {
        let mut position = *start;
        let step = |text: &&str| {
            let found = position.legal_moves().into_iter().find(|step| position.short(step) == *text).expect(text);
            position = position.play_unchecked(&found);
            found
        };
        texts.iter().map(step).collect()
    }

    #[test]
    fn gains_are_counted_on_the_board() {
        let gain = |start, end, side| Gain::between(&read(start), &read(end), side);
        let (white, black) = (Side::White, Side::Black);
        assert_eq!(gain("W:W31,32:B1,2", "W:W31:B1", white), None);
        assert_eq!(gain("W:W31,32:B1,2", "W:W31,32:B1", white), Some(Gain::Men(1)));
        assert_eq!(gain("W:W31,32:B1,2", "W:W31,32:B1", black), None);
        assert_eq!(gain("W:W31,32:B1,2", "W:W31,K3:B1,2", white), Some(Gain::King));
        assert_eq!(gain("W:W31,32:B1,2", "W:WK3:B1,2", white), Some(Gain::KingFor(1)));
        assert_eq!(gain("W:W31,32:B1,K2", "W:W31,32:B1", white), Some(Gain::King));
        assert_eq!(gain("W:W31,32:B1,2", "W:W31,K3:B1", white), Some(Gain::KingAnd(1)));
        assert_eq!(gain("W:W31,32:B1,2", "W:WK4,K5:B1,2", white), None);
        assert_eq!(gain("W:W31,32:B1,2,3,4,5", "W:W31,32:BK1", white), Some(Gain::MenFor(4)));
        assert_eq!(gain("W:W31,32:B1,2,3,4,5", "W:W31,32:B1,K5", white), None, "three men are worth a king");
        assert_eq!(gain("W:W31,K32:B1,2,3,4,5", "W:W31:B1", white), Some(Gain::MenFor(4)));
        assert_eq!(gain("W:W31,32:B1,2", "B:W31:B", white), Some(Gain::Game));
        let losing = |fen| Position::from_fen(Variant::ANTIDRAUGHTS, fen).expect("a FEN");
        let gain = |end| Gain::between(&losing("W:W31,32:B1,2"), &losing(end), white);
        assert_eq!((gain("W:W31,32:B1"), gain("B:W31:B")), (None, None), "the aim is to lose men");
        assert_eq!(gain("W:W:B1"), Some(Gain::Game));
        for text in ["m3", "k", "k+1", "k-2", "m4-k", "g"] {
            assert_eq!(Gain::read(text).map(|gain| gain.to_string()).as_deref(), Some(text));
        }
        assert!(["", "m", "m0", "m-k", "k+", "kx", "gx", "é"].iter().all(|text| Gain::read(text).is_none()));
    }

    #[test]
    fn a_gain_is_clear_when_it_stays() {
        let start = read("W:W32,37,41:B1,14,21,23");
        let moves = line(&start, &["32-27", "21x32", "37x10"]);
        assert_eq!(clear_gain(&start, &start, &moves, Side::White), Some((3, Gain::Men(2))));
        assert_eq!(
            clear_gain(&start, &start, &moves[..1], Side::White).map(|(plies, _)| plies),
            Some(3),
            "captures complete it"
        );
        assert_eq!(clear_gain(&start, &start, &moves, Side::Black), None);
        let after = positions(&start, &moves)[1];
        assert_eq!(clear_gain(&after, &after, &moves[1..], Side::White), Some((2, Gain::Men(2))));
        let earlier = read("W:W32,37,41:B1,14,21");
        assert_eq!(clear_gain(&earlier, &start, &moves, Side::White), Some((3, Gain::Men(1))), "a man was lost before");
    }

    #[test]
    fn exchanges_leave_material_as_it_was() {
        let start = read("W:W32,37,41,42:B21,22,17,1");
        let moves = line(&start, &["32-27", "21x32", "37x28", "22x33"]);
        assert_eq!(exchange(&start, &moves), None, "two for one");
        let start = read("W:W32,37,41:B21,1,2");
        let moves = line(&start, &["32-27", "21x32", "37x28"]);
        assert_eq!(exchange(&start, &moves), Some(3));
        assert_eq!(exchange(&start, &moves[1..]), None);
    }
}
