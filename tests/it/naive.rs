//! A slow generator of moves, written from the published rules alone: an array of rows and columns, explicit steps, every
//! sequence of jumps listed before any is judged. It shares nothing with the library but the names of squares.

use std::collections::{BTreeMap, BTreeSet};

use pdn::board::{Piece, Shape, Side, Square};
use pdn::notation::rules_json;
use pdn::rules::{Position, Variant};

/// Row from the top, column from the left.
pub(crate) type At = (i8, i8);
type Step = (i8, i8);

/// Sequences of jumps in one position above which the naive generator gives up.
const MOST_SEQUENCES: usize = 3_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum MenTake {
    Forward,
    ForwardAndBack,
    EightWays,
    AheadAndSideways,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kings {
    Short,
    Flying,
    /// Flying, but landing directly behind what they take.
    LandClose,
    /// Flying, but stopping directly behind a king taken last.
    StopClose,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LastRow {
    /// A man that captures on stays a man.
    PassedOver,
    EndsTheMove,
    CrownsAtOnce,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Free,
    MostPieces,
    MostPiecesThenKings,
    Italian,
    FrisianValue,
    KingFirst,
}

/// What distinguishes a variant from the others, as far as single moves go.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
struct Law {
    rows: i8,
    columns: i8,
    every_square: bool,
    men_take: MenTake,
    kings: Kings,
    taken_at_once: bool,
    last_row: LastRow,
    choice: Choice,
    first_king_wins: bool,
    men_take_kings: bool,
    may_turn_back: bool,
}

impl Law {
    fn of(variant: Variant) -> Self {
        if variant.is_house() { Self::of_house(variant) } else { Self::of_built_in(variant.name()) }
    }

    /// Built-in variants stand here a second time, written down from their own rules.
    fn of_built_in(name: &str) -> Self {
        let international = Self {
            rows: 10,
            columns: 10,
            every_square: false,
            men_take: MenTake::ForwardAndBack,
            kings: Kings::Flying,
            taken_at_once: false,
            last_row: LastRow::PassedOver,
            choice: Choice::MostPieces,
            first_king_wins: false,
            men_take_kings: true,
            may_turn_back: true,
        };
        let brazilian = Self { rows: 8, columns: 8, ..international };
        let forward = Self { men_take: MenTake::Forward, last_row: LastRow::EndsTheMove, ..brazilian };
        let russian = Self { last_row: LastRow::CrownsAtOnce, choice: Choice::Free, ..brazilian };
        match name {
            "international" | "antidraughts" => international,
            "brazilian" => brazilian,
            "canadian" => Self { rows: 12, columns: 12, ..international },
            "killer" => Self { kings: Kings::StopClose, ..international },
            "breakthrough" => Self { first_king_wins: true, ..international },
            "frisian" | "frysk" => Self { men_take: MenTake::EightWays, choice: Choice::FrisianValue, ..international },
            "italian" => Self { kings: Kings::Short, choice: Choice::Italian, men_take_kings: false, ..forward },
            "english" => Self { kings: Kings::Short, choice: Choice::Free, ..forward },
            "russian" => russian,
            "spantsiretti" => Self { columns: 10, ..russian },
            "pool" | "pool-unified" | "jamaican" => Self { choice: Choice::Free, ..brazilian },
            "spanish" | "portuguese" => Self { choice: Choice::MostPiecesThenKings, ..forward },
            "czech" => Self { choice: Choice::KingFirst, ..forward },
            "thai" => Self { kings: Kings::LandClose, taken_at_once: true, choice: Choice::Free, ..forward },
            "turkish" => Self {
                every_square: true,
                men_take: MenTake::AheadAndSideways,
                taken_at_once: true,
                last_row: LastRow::CrownsAtOnce,
                may_turn_back: false,
                ..brazilian
            },
            _ => panic!("the naive generator does not know {name}"),
        }
    }

    fn of_house(variant: Variant) -> Self {
        let (rules, shape) = (rules_json(variant), variant.shape());
        let word = |name: &str| rules[name].as_str().unwrap_or_else(|| panic!("no {name}"));
        Self {
            rows: shape.height().cast_signed(),
            columns: shape.width().cast_signed(),
            every_square: shape.every_square(),
            men_take: match word("man_captures") {
                "diagonally-forward" => MenTake::Forward,
                "diagonally" => MenTake::ForwardAndBack,
                "eight-ways" => MenTake::EightWays,
                "forward-and-sideways" => MenTake::AheadAndSideways,
                other => unknown(other),
            },
            kings: match (word("king_range"), word("king_landing")) {
                ("short", _) => Kings::Short,
                ("flying", "anywhere") => Kings::Flying,
                ("flying", "directly-behind") => Kings::LandClose,
                ("flying", "directly-behind-king") => Kings::StopClose,
                (_, other) => unknown(other),
            },
            taken_at_once: word("removal") == "at-once",
            last_row: match word("promotion") {
                "at-end" => LastRow::PassedOver,
                "ends-move" => LastRow::EndsTheMove,
                "goes-on-as-king" => LastRow::CrownsAtOnce,
                other => unknown(other),
            },
            choice: match word("precedence") {
                "free" => Choice::Free,
                "most" => Choice::MostPieces,
                "most-then-kings" => Choice::MostPiecesThenKings,
                "italian" => Choice::Italian,
                "highest-value" => Choice::FrisianValue,
                "with-king" => Choice::KingFirst,
                other => unknown(other),
            },
            first_king_wins: word("goal") == "first-king",
            men_take_kings: rules["men_take_kings"] == true,
            may_turn_back: rules["may_turn_back"] == true,
        }
    }

    fn is_square(&self, (row, column): At) -> bool {
        let bottom_left_parity = (self.rows - 1) % 2;
        (0..self.rows).contains(&row)
            && (0..self.columns).contains(&column)
            && (self.every_square || (row + column) % 2 == bottom_left_parity)
    }

    fn last_row(&self, side: Side) -> i8 {
        if side == Side::White { 0 } else { self.rows - 1 }
    }

    fn man_steps(&self, side: Side) -> Vec<Step> {
        let ahead = if side == Side::White { -1 } else { 1 };
        if self.every_square { vec![(ahead, 0), (0, -1), (0, 1)] } else { vec![(ahead, -1), (ahead, 1)] }
    }

    fn king_steps(&self) -> Vec<Step> {
        if self.every_square {
            vec![(-1, 0), (1, 0), (0, -1), (0, 1)]
        } else {
            vec![(-1, -1), (-1, 1), (1, -1), (1, 1)]
        }
    }

    /// Steps to the next square in each direction of capture; straight lines on dark squares go two by two.
    fn capture_steps(&self, side: Side, piece: Piece) -> Vec<Step> {
        let mut steps = self.king_steps();
        match (self.men_take, piece) {
            (MenTake::Forward | MenTake::AheadAndSideways, Piece::Man) => steps = self.man_steps(side),
            (MenTake::EightWays, _) => steps.extend([(-2, 0), (2, 0), (0, -2), (0, 2)]),
            _ => {}
        }
        steps
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Outside,
    Empty,
    Occupied(Side, Piece),
}

/// A position as the naive generator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    cells: [[Cell; 12]; 12],
    turn: Side,
}

/// Fails on a rule that was added without its slow counterpart.
fn unknown(rule: &str) -> ! {
    panic!("the naive generator does not know {rule}")
}

impl Board {
    /// Copies a position of the library.
    pub(crate) fn of(position: &Position) -> Self {
        let law = Law::of(position.variant());
        let mut board = Self { cells: [[Cell::Outside; 12]; 12], turn: position.turn() };
        for row in 0..law.rows {
            for column in (0..law.columns).filter(|&column| law.is_square((row, column))) {
                board.put((row, column), Cell::Empty);
            }
        }
        for (square, side, piece) in position.pieces() {
            board.put(at(position.variant().shape(), square), Cell::Occupied(side, piece));
        }
        board
    }

    fn get(&self, (row, column): At) -> Cell {
        let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) else { return Cell::Outside };
        self.cells.get(row).and_then(|cells| cells.get(column)).copied().unwrap_or(Cell::Outside)
    }

    fn put(&mut self, (row, column): At, cell: Cell) {
        self.cells[row as usize][column as usize] = cell;
    }

    fn occupied(&self) -> Vec<(At, Side, Piece)> {
        let mut all = Vec::new();
        for row in 0..12 {
            for column in 0..12 {
                if let Cell::Occupied(side, piece) = self.get((row, column)) {
                    all.push(((row, column), side, piece));
                }
            }
        }
        all
    }

    /// Returns the position after a move of the naive generator.
    pub(crate) fn after(&self, (from, to, captured): &Key, made: &Made) -> Self {
        let mut next = self.clone();
        let Cell::Occupied(side, piece) = self.get(*from) else { panic!("nothing stands there") };
        next.put(*from, Cell::Empty);
        for &taken in captured {
            next.put(taken, Cell::Empty);
        }
        next.put(*to, Cell::Occupied(side, if made.promotes { Piece::King } else { piece }));
        next.turn = !self.turn;
        next
    }
}

/// Row and column of a square of the library.
pub(crate) fn at(shape: Shape, square: Square) -> At {
    (shape.row(square).cast_signed(), shape.column(square).cast_signed())
}

fn plus(at: At, step: Step) -> At {
    (at.0 + step.0, at.1 + step.1)
}

#[derive(Clone, Copy)]
struct Jump {
    step: Step,
    victim: At,
    victim_is_king: bool,
    land: At,
}

struct Sequence {
    from: At,
    by_king: bool,
    jumps: Vec<Jump>,
    promotes: bool,
}

impl Sequence {
    fn kings_taken(&self) -> usize {
        self.jumps.iter().filter(|jump| jump.victim_is_king).count()
    }

    fn key(&self) -> Key {
        let mut captured: Vec<_> = self.jumps.iter().map(|jump| jump.victim).collect();
        captured.sort_unstable();
        (self.from, self.jumps.last().map_or(self.from, |jump| jump.land), captured)
    }

    /// First square, for each turn the square of the turn, for each jump straight on the square directly behind the piece
    /// taken before it, last square.
    fn stops(&self) -> Vec<At> {
        let mut stops = vec![self.from];
        for pair in self.jumps.windows(2) {
            let straight_on = pair[0].step == pair[1].step;
            stops.push(if straight_on { plus(pair[0].victim, pair[0].step) } else { pair[0].land });
        }
        stops.extend(self.jumps.last().map(|jump| jump.land));
        stops
    }
}

/// First square, last square, captured pieces in order.
pub(crate) type Key = (At, At, Vec<At>);

/// What else there is to a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    /// Whether a man becomes a king.
    pub(crate) promotes: bool,
    /// All ways to make it.
    pub(crate) paths: BTreeSet<Vec<At>>,
}

/// Returns every distinct legal move; `None` if there are too many sequences of jumps to look through.
pub(crate) fn legal_moves(variant: Variant, board: &Board) -> Option<BTreeMap<Key, Made>> {
    let law = Law::of(variant);
    let mut moves = BTreeMap::<Key, Made>::new();
    let pieces = board.occupied();
    if law.first_king_wins && pieces.iter().any(|piece| piece.2 == Piece::King) {
        return Some(moves);
    }
    let sequences = captures(law, board)?;
    for sequence in &sequences {
        if !sequences.iter().any(|other| goes_before(law.choice, other, sequence)) {
            let made = moves.entry(sequence.key()).or_default();
            made.promotes = sequence.promotes;
            made.paths.insert(sequence.stops());
        }
    }
    if sequences.is_empty() {
        for (from, side, piece) in pieces.into_iter().filter(|piece| piece.1 == board.turn) {
            for to in quiet_targets(law, board, from, side, piece) {
                let promotes = piece == Piece::Man && to.0 == law.last_row(side);
                moves.insert((from, to, vec![]), Made { promotes, paths: BTreeSet::from([vec![from, to]]) });
            }
        }
    }
    Some(moves)
}

/// The square of a capturing piece, and those of the pieces that it takes first.
pub(crate) type Beginning = (At, Vec<At>);

/// Returns the beginnings of all captures, each as the square of the capturing piece and those of the captured pieces: of legal
/// captures, and of those that would be legal if no capture went before another; of captures by kings only the first jump. `None`
/// if there are too many sequences of jumps to look through.
pub(crate) fn beginnings(variant: Variant, board: &Board) -> Option<[BTreeSet<Beginning>; 2]> {
    let law = Law::of(variant);
    let sequences = captures(law, board)?;
    let is_legal = |sequence: &&Sequence| !sequences.iter().any(|other| goes_before(law.choice, other, sequence));
    let parts = |sequence: &Sequence| {
        let victims: Vec<_> = sequence.jumps.iter().map(|jump| jump.victim).collect();
        let (from, last) = (sequence.from, if sequence.by_king { 1 } else { victims.len() });
        (1..=last).map(move |count| (from, victims[..count].to_vec()))
    };
    Some([sequences.iter().filter(is_legal).flat_map(parts).collect(), sequences.iter().flat_map(parts).collect()])
}

fn quiet_targets(law: Law, board: &Board, from: At, side: Side, piece: Piece) -> Vec<At> {
    let steps = if piece == Piece::Man { law.man_steps(side) } else { law.king_steps() };
    let mut targets = Vec::new();
    for step in steps {
        let mut to = plus(from, step);
        while board.get(to) == Cell::Empty {
            targets.push(to);
            if piece == Piece::Man || law.kings == Kings::Short {
                break;
            }
            to = plus(to, step);
        }
    }
    targets
}

/// Whether the first capture makes the second one illegal.
fn goes_before(choice: Choice, a: &Sequence, b: &Sequence) -> bool {
    let first_king = |s: &Sequence| s.jumps.iter().position(|jump| jump.victim_is_king);
    let value = |s: &Sequence| 100 * (s.jumps.len() - s.kings_taken()) + 199 * s.kings_taken();
    match choice {
        Choice::Free => false,
        Choice::MostPieces => a.jumps.len() > b.jumps.len(),
        Choice::MostPiecesThenKings => (a.jumps.len(), a.kings_taken()) > (b.jumps.len(), b.kings_taken()),
        Choice::KingFirst => a.by_king && !b.by_king,
        Choice::FrisianValue => value(a) > value(b) || value(a) == value(b) && a.by_king && !b.by_king,
        Choice::Italian => {
            if a.jumps.len() != b.jumps.len() {
                return a.jumps.len() > b.jumps.len();
            }
            if a.by_king != b.by_king {
                return a.by_king;
            }
            if a.kings_taken() != b.kings_taken() {
                return a.kings_taken() > b.kings_taken();
            }
            matches!((first_king(a), first_king(b)), (Some(a), Some(b)) if a < b)
        }
    }
}

fn captures(law: Law, board: &Board) -> Option<Vec<Sequence>> {
    let mut found = Vec::new();
    for (from, side, piece) in board.occupied().into_iter().filter(|piece| piece.1 == board.turn) {
        let mut lifted = board.clone();
        lifted.put(from, Cell::Empty);
        let mover = Mover { law, side, from, was_king: piece == Piece::King };
        mover.go_on(&mut lifted, from, piece, &mut Vec::new(), &mut found)?;
    }
    Some(found)
}

struct Mover {
    law: Law,
    side: Side,
    from: At,
    was_king: bool,
}

impl Mover {
    /// Lists every capture that goes on from a square; returns whether there is one, `None` if there are too many.
    fn go_on(
        &self,
        board: &mut Board,
        at: At,
        piece: Piece,
        jumps: &mut Vec<Jump>,
        found: &mut Vec<Sequence>,
    ) -> Option<bool> {
        let mut any = false;
        for step in self.law.capture_steps(self.side, piece) {
            let Some(victim) = self.victim(board, at, step, piece, jumps) else { continue };
            let landings = self.landings(board, victim, step, piece);
            if landings.is_empty() {
                continue;
            }
            any = true;
            let stood = board.get(victim);
            if self.law.taken_at_once {
                board.put(victim, Cell::Empty);
            }
            let victim_is_king = matches!(stood, Cell::Occupied(_, Piece::King));
            let mut on = false;
            for &land in &landings {
                jumps.push(Jump { step, victim, victim_is_king, land });
                on |= self.landed(board, land, piece, jumps, found)?;
                jumps.pop();
            }
            let close = piece == Piece::King && victim_is_king && self.law.kings == Kings::StopClose;
            for &land in landings.iter().take(if on {
                0
            } else if close {
                1
            } else {
                landings.len()
            }) {
                jumps.push(Jump { step, victim, victim_is_king, land });
                found.push(self.sequence(piece, jumps));
                jumps.pop();
            }
            board.put(victim, stood);
            if found.len() > MOST_SEQUENCES {
                return None;
            }
        }
        Some(any)
    }

    /// The first piece in a direction, if it can be taken.
    fn victim(&self, board: &Board, at: At, step: Step, piece: Piece, jumps: &[Jump]) -> Option<At> {
        let back = |jump: &Jump| jump.step == (-step.0, -step.1);
        if !self.law.may_turn_back && jumps.last().is_some_and(back) {
            return None;
        }
        let mut victim = plus(at, step);
        while piece == Piece::King && self.law.kings != Kings::Short && board.get(victim) == Cell::Empty {
            victim = plus(victim, step);
        }
        let Cell::Occupied(side, kind) = board.get(victim) else { return None };
        let spared = piece == Piece::Man && kind == Piece::King && !self.law.men_take_kings;
        let twice = jumps.iter().any(|jump| jump.victim == victim);
        (side != self.side && !spared && !twice).then_some(victim)
    }

    /// Empty squares behind a victim where the piece may land on its way.
    fn landings(&self, board: &Board, victim: At, step: Step, piece: Piece) -> Vec<At> {
        let mut landings = Vec::new();
        let mut land = plus(victim, step);
        while board.get(land) == Cell::Empty {
            landings.push(land);
            if piece == Piece::Man || matches!(self.law.kings, Kings::Short | Kings::LandClose) {
                break;
            }
            land = plus(land, step);
        }
        landings
    }

    fn landed(
        &self,
        board: &mut Board,
        land: At,
        piece: Piece,
        jumps: &mut Vec<Jump>,
        found: &mut Vec<Sequence>,
    ) -> Option<bool> {
        let reaches = piece == Piece::Man && land.0 == self.law.last_row(self.side);
        match self.law.last_row {
            LastRow::EndsTheMove if reaches => Some(false),
            LastRow::CrownsAtOnce if reaches => self.go_on(board, land, Piece::King, jumps, found),
            _ => self.go_on(board, land, piece, jumps, found),
        }
    }

    fn sequence(&self, piece: Piece, jumps: &[Jump]) -> Sequence {
        let on_last_row = jumps.last().is_some_and(|jump| jump.land.0 == self.law.last_row(self.side));
        let promotes = !self.was_king && (piece == Piece::King || on_last_row);
        Sequence { from: self.from, by_king: self.was_king, jumps: jumps.to_vec(), promotes }
    }
}
