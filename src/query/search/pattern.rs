//! Conditions on one position: its pieces, squares and numbers of pieces.

use crate::board::{Piece, Side, Square, SquareSet};
use crate::error::ParseError;
use crate::notation::{FenError, Numbering, parse_fen, without_tag};
use crate::pdn::{MoveText, move_words};
use crate::query::expression::{Order, are_ordered, order_of};
use crate::query::grammar::{Count, Group, whole_material, whole_pattern};
use crate::rules::{Move, Position, Variant, turned};
use crate::text::{error_at, error_in};

/// The possible contents of a square, in the order of all lists here.
const CONTENTS: [char; 5] = ['w', 'W', 'b', 'B', '.'];

/// Squares by their required or forbidden content: White's men and kings, Black's men and kings, nothing.
type ByContent = [u128; 5];

/// Returns the playable squares.
fn board(variant: Variant) -> u128 {
    variant.shape().squares().collect::<SquareSet>().word()
}

fn by_content(position: &Position) -> ByContent {
    let [[w, wk], [b, bk]] =
        [Side::White, Side::Black].map(|side| [position.men_of(side).word(), position.kings_of(side).word()]);
    [w, wk, b, bk, !(w | wk | b | bk)]
}

/// Swaps the colours and rotates the board by 180 degrees.
fn mirrored_contents([w, wk, b, bk, empty]: ByContent, variant: Variant) -> ByContent {
    [b, bk, w, wk, empty].map(|set| turned(variant, set))
}

/// Returns the square to which a square moves if the board is rotated by 180 degrees.
pub(super) fn rotated_square(square: Square, variant: Variant) -> Square {
    let set = turned(variant, SquareSet::from_iter([square]).word());
    SquareSet::from_word(set).iter().next().unwrap_or(square)
}

/// What squares must, may and must not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What the squares must not hold.
    forbidden: ByContent,
    turn: Option<Side>,
}

impl Pattern {
    /// Reads a FEN as the pattern of this position alone; with `?`, either side may be to move.
    pub(super) fn of_fen(fen: &str, variant: Variant) -> Result<Self, ParseError> {
        let fen = without_tag(fen);
        let error = |error: FenError| error_in(fen, error.first_range(), error.to_string());
        let setup = parse_fen(fen, Numbering::for_variant(variant)).map_err(error)?;
        let mut held: ByContent = [0; 5];
        for &(square, side, piece) in setup.pieces() {
            held[2 * side.index() + usize::from(piece == Piece::King)] |= SquareSet::from_iter([square]).word();
        }
        held[4] = board(variant) & !(held[0] | held[1] | held[2] | held[3]);
        // A square holds nothing else; one with two kinds of pieces fits no position.
        let others = |n: usize| (0..5).filter(|&other| other != n).fold(0, |all, other| all | held[other]);
        Ok(Self { forbidden: std::array::from_fn(others), turn: setup.turn() })
    }

    /// Reads a pattern on the board of a variant.
    pub(super) fn read(text: &str, variant: Variant) -> Result<Self, ParseError> {
        let groups = whole_pattern(text).map_err(|found| found.error(text))?;
        let mut pattern = Self { forbidden: [0; 5], turn: None };
        let mut named = 0;
        for group in &groups {
            match group {
                Group::Turn(side) => pattern.turn = Some(if *side == 'W' { Side::White } else { Side::Black }),
                Group::Squares { ranges: None, .. } => {}
                Group::Squares { ranges: Some(ranges), negated, contents } => {
                    let mut squares = ranges.iter().map(|range| squares_of(text, *range, variant));
                    let squares = squares.try_fold(0, |all, squares| Ok(all | squares?))?;
                    named |= squares;
                    pattern.forbid(squares, contents, *negated);
                }
            }
        }
        // `*` stands for the squares that no other group names, wherever it is written.
        for group in &groups {
            if let Group::Squares { ranges: None, negated, contents } = group {
                pattern.forbid(board(variant) & !named, contents, *negated);
            }
        }
        Ok(pattern)
    }

    fn forbid(&mut self, squares: u128, contents: &str, negated: bool) {
        for (forbidden, content) in self.forbidden.iter_mut().zip(CONTENTS) {
            if contents.contains(content) == negated {
                *forbidden |= squares;
            }
        }
    }

    pub(super) fn mirrored(&self, variant: Variant) -> Self {
        Self { forbidden: mirrored_contents(self.forbidden, variant), turn: self.turn.map(|turn| !turn) }
    }

    fn fits(&self, position: &Position, contents: &ByContent) -> bool {
        let wrong = self.forbidden.iter().zip(contents).fold(0, |wrong, (forbidden, held)| wrong | forbidden & held);
        wrong == 0 && self.turn.is_none_or(|turn| turn == position.turn())
    }
}

/// Returns the squares from one to another, in the order of the board.
fn squares_of(text: &str, (first, last): (&str, &str), variant: Variant) -> Result<u128, ParseError> {
    let numbering = Numbering::for_variant(variant);
    let find = |name: &str| {
        let unknown = || error_at(text, name, format!("no square of this name in {variant}"));
        numbering.find(name).ok_or_else(unknown)
    };
    let [first, last] = [find(first)?, find(last)?].map(|square| numbering.order(square));
    // `50-46` are the same squares as `46-50`.
    let range = first.min(last)..=first.max(last);
    let squares = variant.shape().squares().filter(|&square| range.contains(&numbering.order(square)));
    Ok(squares.collect::<SquareSet>().word())
}

/// The number of some pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    /// Which of the contents are counted.
    counted: [bool; 4],
    order: Order,
    negated: bool,
    number: u32,
}

impl Amount {
    /// Reads a list of numbers.
    pub(super) fn read_all(text: &str) -> Result<Vec<Self>, ParseError> {
        let counts = whole_material(text).map_err(|found| found.error(text))?;
        Ok(counts.iter().map(Self::of).collect())
    }

    fn of(count: &Count<'_>) -> Self {
        let counted = match count.piece {
            "white" => [true, true, false, false],
            "black" => [false, false, true, true],
            "men" => [true, false, true, false],
            "kings" => [false, true, false, true],
            "all" => [true; 4],
            piece => std::array::from_fn(|n| piece.starts_with(CONTENTS[n])),
        };
        Self { counted, order: order_of(count.order), negated: count.order == "!=", number: count.number }
    }

    pub(super) const fn mirrored(self) -> Self {
        let [w, wk, b, bk] = self.counted;
        Self { counted: [b, bk, w, wk], ..self }
    }

    fn fits(&self, contents: &ByContent) -> bool {
        let counted = self.counted.iter().zip(contents).filter(|(counted, _)| **counted);
        let number: u32 = counted.map(|(_, squares)| squares.count_ones()).sum();
        are_ordered(&number, self.order, &self.number) != self.negated
    }
}

/// Conditions that a single position must match.
#[derive(Clone, Debug, Default)]
pub(super) struct PositionTest {
    pub(super) patterns: Vec<Pattern>,
    pub(super) material: Vec<Amount>,
}

impl PositionTest {
    pub(super) const fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.material.is_empty()
    }

    pub(super) fn mirrored(&self, variant: Variant) -> Self {
        Self {
            patterns: self.patterns.iter().map(|pattern| pattern.mirrored(variant)).collect(),
            material: self.material.iter().map(|amount| amount.mirrored()).collect(),
        }
    }

    pub(super) fn fits(&self, position: &Position) -> bool {
        let contents = by_content(position);
        self.patterns.iter().all(|pattern| pattern.fits(position, &contents))
            && self.material.iter().all(|amount| amount.fits(&contents))
    }
}

/// Consecutive moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence(Vec<SequenceStep>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SequenceStep {
    from: Square,
    to: Square,
    captures: bool,
}

/// The progress in a sequence: bit n is set if the last moves are its first n + 1 moves.
pub(super) type Progress = u64;

/// Largest number of moves.
const MAX_MOVES: usize = Progress::BITS as usize;

impl Sequence {
    /// Reads moves, with or without numbers, with the square names of a variant.
    pub(super) fn read(text: &str, variant: Variant) -> Result<Self, ParseError> {
        let numbering = Numbering::for_variant(variant);
        let steps: Vec<_> = move_words(text).map(|word| step(text, word, numbering)).collect::<Result<_, _>>()?;
        match steps.len() {
            0 => Err(error_in(text, 0..text.len(), "expected moves")),
            1..=MAX_MOVES => Ok(Self(steps)),
            _ => Err(error_in(text, 0..0, format!("a sequence has at most {MAX_MOVES} moves"))),
        }
    }

    pub(super) fn mirrored(&self, variant: Variant) -> Self {
        let turned = |step: &SequenceStep| SequenceStep {
            from: rotated_square(step.from, variant),
            to: rotated_square(step.to, variant),
            captures: step.captures,
        };
        Self(self.0.iter().map(turned).collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the progress after a move.
    pub(super) fn after(&self, before: Progress, played: &Move) -> Progress {
        let fits = |step: &SequenceStep| {
            step.from == played.from() && step.to == played.to() && (played.is_capture() || !step.captures)
        };
        let candidates = before << 1 | 1;
        let steps = self.0.iter().enumerate();
        steps.filter(|(n, step)| candidates >> n & 1 == 1 && fits(step)).fold(0, |all, (n, _)| all | 1 << n)
    }

    /// Returns true if the last moves are the whole sequence.
    pub(super) fn is_complete(&self, progress: Progress) -> bool {
        !self.0.is_empty() && progress >> (self.0.len() - 1) & 1 == 1
    }
}

fn step(text: &str, word: &str, numbering: Numbering) -> Result<SequenceStep, ParseError> {
    let error = |message: &str| error_at(text, word, message);
    let written = MoveText::parse(word).ok_or_else(|| error("not a move"))?;
    let square = |square| numbering.parse(square).ok_or_else(|| error("no such square on the board"));
    Ok(SequenceStep {
        from: square(written.from())?,
        to: square(written.to())?,
        captures: written.captures() == Some(true),
    })
}
