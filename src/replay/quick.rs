//! Playing games while they are read, to count them: no trees, no diagnostics.
//!
//! Plain games are played here, move by move, with one position per open variation in memory. A game that is not plain (it
//! has a move that is not obviously legal, an ambiguous one, a null move or a setup) is passed to [`replay`], so that both
//! always agree.

use std::any::Any;

use super::{Ply, ReplayOptions, replay};
use crate::board::{Geometry, Side, Square, Word};
use crate::diag::Span;
use crate::notation::{GameType, Numbering, read_fen};
use crate::pdn::{Flow, NodeId, RawTag, Visitor, games, read};
use crate::rules::{
    Goal, KingRange, ManMoves, MoveList, Position, Rules, State, Step, Task, Variant, can_capture, captures,
};

/// Numbers of games and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games read.
    pub games: u64,
    /// Moves written, variations included.
    pub written: u64,
    /// Moves that could be played, variations included.
    pub played: u64,
    /// Games that were not plain and had to be replayed.
    pub slow_games: u64,
}

/// Plays all games in the bytes and counts their moves.
///
/// Games without a GameType tag are those of the variant that all of them together decide.
///
/// # Examples
///
/// ```
/// use pdn::replay::{ReplayOptions, replay_all};
///
/// let tally = replay_all(b"[GameType \"20\"] 1. 32-28 19-23 (18-23) 2. 28x19 *", &ReplayOptions::default());
/// assert_eq!((tally.games, tally.played), (1, 4));
/// ```
pub fn replay_all(bytes: &[u8], options: &ReplayOptions) -> Tally {
    let options = if options.inferred.is_some() { *options } else { options.for_file(bytes) };
    let mut player = Player::new(bytes, options);
    // The visitor never asks to stop.
    let _ = read(bytes, &mut player);
    player.tally
}

struct Player<'a> {
    bytes: &'a [u8],
    options: ReplayOptions,
    tally: Tally,
    names: Option<Names>,
    scratch: Scratch,
    offset: usize,
    variant: Option<Variant>,
    start: Option<Position>,
    has_game_type: bool,
    /// Whether the game is not plain.
    odd: bool,
    /// Positions before and after the last move; `None` if the game has to be replayed.
    line: Option<(Position, Position)>,
    outer: Vec<(Position, Position)>,
    moves: u64,
}

impl<'a> Player<'a> {
    fn new(bytes: &'a [u8], options: ReplayOptions) -> Self {
        Self {
            bytes,
            options,
            tally: Tally::default(),
            names: None,
            scratch: Scratch(None),
            offset: 0,
            variant: None,
            start: None,
            has_game_type: false,
            odd: false,
            line: None,
            outer: Vec::new(),
            moves: 0,
        }
    }

    fn give_up(&mut self) -> Flow {
        self.odd = true;
        self.line = None;
        Flow::Continue(())
    }

    /// Returns the names of squares of a variant, which are kept for all its games.
    fn names(&mut self, variant: Variant) -> &Names {
        if self.names.as_ref().is_none_or(|names| names.variant != variant) {
            self.names = None;
        }
        self.names.get_or_insert_with(|| Names::new(variant))
    }

    fn play(&mut self, text: &[u8]) -> Option<(Position, Position)> {
        let (_, before) = self.line?;
        let (from, to) = self.names(before.variant()).ends(text)?;
        let quick = Quick { position: &before, from, to, scratch: &mut self.scratch };
        Some((before, before.variant().dispatch(quick)?))
    }

    /// Replays a game with everything that [`replay`] does.
    fn replay_slowly(&mut self) {
        self.tally.slow_games += 1;
        // Read with what follows it: where a game ends may depend on that.
        let Some(parsed) = games(&self.bytes[self.offset..]).next() else { return };
        let game = replay(parsed.tree, &self.options);
        let written = (0..).map(NodeId).zip(&game.tree().nodes);
        for (id, _) in written.filter(|(_, node)| node.kind.is_written_move()) {
            self.tally.written += 1;
            self.tally.played += u64::from(game.ply(id).is_some_and(Ply::is_played));
        }
    }
}

impl Visitor for Player<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        self.offset = offset;
        self.variant = self.options.plain_variant();
        self.start = None;
        (self.has_game_type, self.odd) = (false, false);
        self.line = None;
        self.outer.clear();
        self.moves = 0;
        Flow::Continue(())
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        // Other letters depend on the encoding of the whole game.
        let value = || str::from_utf8(tag.value).ok().filter(|value| value.is_ascii());
        match tag.name {
            b"GameType" if self.start.is_none() && !self.has_game_type => {
                self.has_game_type = true;
                if self.options.variant.is_none() {
                    self.variant = value().and_then(|value| GameType::parse(value).ok()?.variant());
                    self.odd |= !tag.value.is_ascii();
                }
            }
            b"FEN" if self.start.is_none() => {
                self.start = self.variant.and_then(|variant| position_of(variant, value()?));
                self.odd |= self.start.is_none();
            }
            // A duplicate, another spelling, or a GameType after the FEN that depends on it.
            name => self.odd |= name.eq_ignore_ascii_case(b"FEN") || name.eq_ignore_ascii_case(b"GameType"),
        }
        Flow::Continue(())
    }

    fn begin_moves(&mut self) -> Flow {
        let start = self.start.or_else(|| self.variant.map(Position::start));
        self.line = start.filter(|_| !self.odd).map(|start| (start, start));
        Flow::Continue(())
    }

    fn move_text(&mut self, text: &[u8], _: Span) -> Flow {
        self.moves += 1;
        self.line = self.play(text);
        Flow::Continue(())
    }

    fn null_move(&mut self, _: Span) -> Flow {
        self.give_up()
    }

    fn ellipsis(&mut self, _: Span) -> Flow {
        // Before the first move it may mean that a move is missing.
        if self.moves == 0 {
            return self.give_up();
        }
        // A variation after them replaces them, and not the move before.
        self.line = self.line.map(|(_, after)| (after, after));
        Flow::Continue(())
    }

    fn setup(&mut self, _: &[u8], _: Span) -> Flow {
        self.give_up()
    }

    fn begin_variation(&mut self, _: Span) -> Flow {
        if let Some(line) = self.line {
            self.outer.push(line);
            self.line = Some((line.0, line.0));
        }
        Flow::Continue(())
    }

    fn end_variation(&mut self, _: Span) -> Flow {
        if self.line.is_some() {
            self.line = self.outer.pop();
        }
        Flow::Continue(())
    }

    fn end_game(&mut self, _: u32) -> Flow {
        self.tally.games += 1;
        if self.line.is_some() {
            self.tally.written += self.moves;
            self.tally.played += self.moves;
        } else {
            self.replay_slowly();
        }
        Flow::Continue(())
    }
}

fn position_of(variant: Variant, fen: &str) -> Option<Position> {
    let fen = read_fen(fen, Numbering::for_variant(variant)).ok()?;
    Position::from_setup(variant, &fen.setup).ok().map(|(position, _)| position)
}

/// Squares by number and by letters, as bits; [`NO_SQUARE`] where there is none.
struct Names {
    variant: Variant,
    numbers: [u8; 100],
    cells: [[u8; 16]; 16],
    /// The squares of each file, one bit each.
    files: [u128; 16],
}

const NO_SQUARE: u8 = u8::MAX;

impl Names {
    fn new(variant: Variant) -> Self {
        let numbering = Numbering::for_variant(variant);
        let bit = |square: Option<Square>| square.map_or(NO_SQUARE, Square::bit);
        let cell = |file: usize, rank: usize| match rank {
            0 => NO_SQUARE,
            _ => bit(numbering.square_of(file as u8, rank as u8 - 1)),
        };
        let cells: [[u8; 16]; 16] = std::array::from_fn(|file| std::array::from_fn(|rank| cell(file, rank)));
        let numbers = std::array::from_fn(|number| bit(numbering.square(number as u8)));
        let file = |cells: [u8; 16]| cells.iter().filter(|&&bit| bit != NO_SQUARE).fold(0, |all, bit| all | 1 << bit);
        Self { variant, numbers, cells, files: cells.map(file) }
    }

    /// Reads the possible first squares, one bit each, and the last square; `None` if the move is written in an unusual way.
    fn ends(&self, text: &[u8]) -> Option<(u128, u8)> {
        let mut rest = text;
        let first = match *text {
            [letter @ b'a'..=b'l', b'a'..=b'l', ..] => {
                rest = &text[1..];
                self.files[usize::from(letter - b'a')]
            }
            _ => 1 << self.square(&mut rest)?,
        };
        let mut last = None;
        while !rest.is_empty() {
            match rest[0] {
                b'-' | b'x' | b':' | b' ' if rest.len() > 1 => rest = &rest[1..],
                b'0'..=b'9' | b'a'..=b'l' => last = Some(self.square(&mut rest)?),
                _ => return None,
            }
        }
        Some((first, last?))
    }

    fn square(&self, rest: &mut &[u8]) -> Option<u8> {
        let (file, digits) = match **rest {
            [letter @ b'a'..=b'l', ..] => (Some(letter - b'a'), &rest[1..]),
            _ => (None, *rest),
        };
        let (value, len) = match *digits {
            [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', ..] => return None,
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] => ((tens - b'0') * 10 + (ones - b'0'), 2),
            [ones @ b'0'..=b'9', ..] => (ones - b'0', 1),
            _ => return None,
        };
        *rest = &digits[len..];
        let bit = match file {
            Some(file) => *self.cells[usize::from(file)].get(usize::from(value))?,
            None => self.numbers[usize::from(value)],
        };
        (bit != NO_SQUARE).then_some(bit)
    }
}

/// A list of moves that is reused from move to move, for any board.
struct Scratch(Option<Box<dyn Any>>);

impl Scratch {
    fn list<G: Geometry>(&mut self) -> &mut MoveList<G> {
        if !self.0.as_ref().is_some_and(|list| list.is::<MoveList<G>>()) {
            self.0 = None;
        }
        let list = self.0.get_or_insert_with(|| Box::new(MoveList::<G>::default()));
        list.downcast_mut().expect("a list of this board was just put there")
    }
}

/// Plays the legal move that fits, if there is exactly one.
struct Quick<'a> {
    position: &'a Position,
    /// The possible first squares, one bit each.
    from: u128,
    to: u8,
    scratch: &'a mut Scratch,
}

impl Task for Quick<'_> {
    type Output = Option<Position>;

    fn run<R: Rules>(self, rules: R) -> Option<Position> {
        let state = self.position.state::<R::Board>();
        let step = if can_capture(rules, &state) {
            let list = self.scratch.list();
            captures(rules, &state, list);
            only(list.as_slice(), self.from, self.to)?
        } else {
            only_quiet(rules, &state, self.from, self.to)?
        };
        Some(Position::from_state(self.position.variant(), &state.play(rules, &step)))
    }
}

fn only<G: Geometry>(steps: &[Step<G>], from: u128, to: u8) -> Option<Step<G>> {
    let mut fitting = steps.iter().filter(|step| from >> step.from & 1 == 1 && step.to == to);
    let first = fitting.next()?;
    fitting.next().is_none().then_some(*first)
}

fn only_quiet<R: Rules>(rules: R, state: &State<R::Board>, from: u128, to: u8) -> Option<Step<R::Board>> {
    let mut pieces = state.own() & <R::Board as Geometry>::Word::narrow(from);
    let mut found = None;
    while pieces.any() {
        let step = quiet(rules, state, pieces.lowest(), to);
        if step.is_some() && found.is_some() {
            return None;
        }
        found = found.or(step);
        pieces = pieces.without_lowest();
    }
    found
}

/// Returns the quiet move of a piece to a square if it is legal, given that there is no capture.
fn quiet<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Option<Step<R::Board>> {
    let bit = <R::Board as Geometry>::Word::bit;
    let over = rules.spec().goal == Goal::FirstKing && state.kings.any();
    if over || (state.empty() & bit(to)).is_zero() {
        return None;
    }
    let is_king = (state.kings & bit(from)).any();
    let legal = if is_king {
        (state.barred_king(rules) & bit(from)).is_zero() && king_reaches(rules, state, from, to)
    } else {
        man_reaches(rules, state.turn, from, to)
    };
    let promotes = !is_king && (State::<R::Board>::promotion_row(state.turn) & bit(to)).any();
    legal.then_some(Step { captured: <R::Board as Geometry>::Word::ZERO, from, to, promotes })
}

/// Distances in bits between neighbours on the two lines along which pieces move.
const fn lines<G: Geometry>() -> [i16; 2] {
    let down = G::DOWN as i16;
    [down, if G::SHAPE.every_square() { 1 } else { down + 1 }]
}

fn man_reaches<R: Rules>(rules: R, side: Side, from: u8, to: u8) -> bool {
    let [down, other] = lines::<R::Board>();
    let forward = match side {
        Side::White => i16::from(from) - i16::from(to),
        Side::Black => i16::from(to) - i16::from(from),
    };
    match rules.spec().man_moves {
        ManMoves::DiagonallyForward => forward == down || forward == other,
        ManMoves::ForwardAndSideways => forward == down || forward.abs() == other,
    }
}

fn king_reaches<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> bool {
    let apart = i16::from(to) - i16::from(from);
    let empty = state.empty();
    lines::<R::Board>().into_iter().filter(|line| apart % line == 0).any(|line| {
        let step = line * apart.signum();
        let steps = apart / step;
        let free = |n| (empty & <R::Board as Geometry>::Word::bit((i16::from(from) + n * step) as u8)).any();
        // Bits between the rows are never empty squares, so no line wraps around the edge.
        (rules.spec().king_range == KingRange::Flying || steps == 1) && (1..=steps).all(free)
    })
}
