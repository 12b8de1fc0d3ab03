//! What the report on a player needs of a game.

use std::sync::Arc;

use super::PreparationQuery;
use crate::board::Side;
use crate::check::CheckedGame;
use crate::egdb::{EndgameTables, Value};
use crate::notation::{DateParts, Outcome};
use crate::records::{GameRow, Judgement, MoveRow, Phase, Tally, checked_row, lead};
use crate::rules::{Move, Position, Variant};
use crate::shots::{Bounds, Definition, Fate, Shot, found_in_game, is_winning};

/// A clock is low at this part of its largest reading.
const LOW_CLOCK: f64 = 10.0;

/// Moves of the game that are shown with a position.
const SHOWN_PLIES: usize = 6;

/// A game of the player.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) file: String,
    /// The line on which it begins.
    pub(super) line_number: u64,
    pub(super) game: u64,
    pub(super) side: Side,
    /// The player's name as it is written, or as its alias says.
    pub(super) name: String,
    pub(super) opponent: String,
    pub(super) event: String,
    pub(super) date: DateParts,
    pub(super) ratings: [Option<u32>; 2],
    pub(super) winner: Option<Outcome>,
    pub(super) variant: Option<Variant>,
    pub(super) plies: usize,
    /// The phase in which the game ended.
    pub(super) ending: Option<Phase>,
    /// The first moves, if the game begins in the usual position.
    pub(super) line: Vec<Move>,
    pub(super) opening: Option<Arc<str>>,
    pub(super) clock: Option<ClockFacts>,
    /// How the player played in all phases, and in each.
    pub(super) play: Option<[Tally; 4]>,
    /// The largest loss of a marked move of the player, in centi-men, and its ply.
    pub(super) blunder: Option<(u32, u32)>,
    pub(super) shots: Vec<ShotFact>,
    pub(super) endgame: Option<EndgameFact>,
    /// The positions before the plies that may be the reason to look at the game.
    pub(super) boards: Vec<BoardFact>,
}

/// A position of a game and the moves to show with it: a shot, or what was played.
#[derive(Clone, Debug)]
pub(super) struct BoardFact {
    pub(super) ply: u64,
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
}

/// The clock of the player in a game: moves with a low clock and others, and the marked ones of each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockFacts {
    pub(super) low: [u64; 2],
    pub(super) other: [u64; 2],
}

/// What became of a shot, from the view of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShotFate {
    Played,
    Missed,
    Suffered,
    Allowed,
}

impl ShotFate {
    /// Returns the name in rows.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Missed => "missed",
            Self::Suffered => "suffered",
            Self::Allowed => "allowed",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ShotFact {
    pub(super) name: Option<&'static str>,
    pub(super) fate: ShotFate,
    pub(super) gain: i32,
    pub(super) ply: u64,
}

impl ShotFact {
    /// Returns true if it may be the reason to look at a game: shots that win a man are many.
    pub(super) const fn is_notable(&self) -> bool {
        self.name.is_some() || self.gain > 1
    }
}

/// The first position of a game that the databases know.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameFact {
    /// Half points of the player with best play.
    pub(super) expected: u8,
    /// The first move of the player after which it was less.
    pub(super) drop: Option<u64>,
}

impl Facts {
    pub(super) fn of(game: &CheckedGame<'_>, side: Side, query: &PreparationQuery) -> Self {
        let mut row = checked_row(game);
        row.assess();
        let tag = |side| if side == Side::White { "White" } else { "Black" };
        let name = |side| game.known_tag(tag(side)).unwrap_or("?").to_owned();
        let (positions, moves) = main_line(game);
        let start = positions.first().copied();
        let own = || row.moves.iter().filter(|played| played.side == side.letter());
        let usual = start.filter(|start| *start == Position::start(start.variant()));

        let blunder =
            // Of equal losses, the earlier one.
            own().filter(|played| is_marked(played)).filter_map(loss).max_by_key(|(loss, ply)| (*loss, u32::MAX - ply));
        let shots = start
            .zip(query.shots)
            .map(|(start, bounds)| shots(&start, &moves, &row, side, &bounds))
            .unwrap_or_default();
        let endgame = start.and_then(|start| endgame(&positions, side, &query.databases.tables(start.variant())));
        let board = |ply: u64, shot: Option<Vec<Move>>| {
            let index = usize::try_from(ply.checked_sub(1)?).ok()?;
            let played = || moves.iter().skip(index).take(SHOWN_PLIES).copied().collect();
            Some(BoardFact { ply, position: *positions.get(index)?, moves: shot.unwrap_or_else(played) })
        };
        let plies = blunder.map(|(_, ply)| u64::from(ply)).into_iter().chain(endgame.and_then(|endgame| endgame.drop));
        let (shots, lines): (Vec<_>, Vec<_>) = shots.into_iter().unzip();
        let notable = shots.iter().zip(lines).filter(|(shot, _)| shot.is_notable());
        let of_shots = notable.filter_map(|(shot, line)| board(shot.ply, Some(line)));
        let boards = of_shots.chain(plies.filter_map(|ply| board(ply, None))).collect();
        Self {
            file: game.input().label().to_owned(),
            line_number: game.location().line,
            game: game.number(),
            side,
            name: name(side),
            opponent: name(!side),
            event: game.known_tag("Event").unwrap_or_default().to_owned(),
            date: game.date(),
            ratings: [Side::White, Side::Black].map(|side| game.rating(side)),
            winner: game.winner(),
            variant: game.variant(),
            plies: moves.len(),
            ending: positions.last().map(Phase::of),
            line: usual.map(|_| moves.iter().copied().take(query.plies).collect()).unwrap_or_default(),
            opening: usual.and_then(|_| query.names.of_line(positions.iter()).map(|(_, name)| Arc::clone(name))),
            clock: clock(own()),
            play: play(&row, side),
            blunder,
            shots,
            endgame,
            boards,
        }
    }

    /// Returns what the player got, in half points.
    pub(super) fn half_points(&self) -> Option<u8> {
        self.winner.map(|outcome| outcome.half_points(self.side))
    }

    pub(super) const fn opponent_rating(&self) -> Option<u32> {
        match self.side {
            Side::White => self.ratings[1],
            Side::Black => self.ratings[0],
        }
    }
}

/// Returns the positions and the moves of the main line up to the first move that was not played, or to a position that is
/// set up.
fn main_line(game: &CheckedGame<'_>) -> (Vec<Position>, Vec<Move>) {
    let game = game.review().game();
    let (mut positions, mut moves): (Vec<Position>, _) = (game.start().copied().into_iter().collect(), Vec::new());
    for id in game.main_moves() {
        let ply = game.ply(id).filter(|ply| ply.before() == positions.last());
        let Some((played, after)) = ply.and_then(|ply| Some((*ply.played()?, *ply.after()?))) else { break };
        moves.push(played);
        positions.push(after);
    }
    (positions, moves)
}

fn is_marked(played: &MoveRow<'_>) -> bool {
    let is_bad = |judgement| matches!(judgement, Judgement::Mistake | Judgement::Blunder);
    let assessed = played.assessment.as_ref().and_then(|assessment| assessment.judgement);
    assessed.or_else(|| played.nags.iter().find_map(|&nag| Judgement::of_nag(nag))).is_some_and(is_bad)
}

fn loss(played: &MoveRow<'_>) -> Option<(u32, u32)> {
    Some((played.assessment.as_ref()?.loss_cm, played.ply))
}

fn clock<'a, 'b: 'a>(own: impl Iterator<Item = &'a MoveRow<'b>> + Clone) -> Option<ClockFacts> {
    let most = own.clone().filter_map(|played| played.clock).reduce(f64::max)?;
    let mut facts = ClockFacts::default();
    for (played, left) in own.filter_map(|played| Some((played, played.clock?))) {
        let count = if left <= most / LOW_CLOCK { &mut facts.low } else { &mut facts.other };
        count[0] += 1;
        count[1] += u64::from(is_marked(played));
    }
    Some(facts)
}

fn play(row: &GameRow<'_>, side: Side) -> Option<[Tally; 4]> {
    let performance = row.performance.as_ref()?.side(side);
    let [opening, middlegame, endgame] = &performance.phases;
    Some([&performance.all, opening, middlegame, endgame].map(Tally::of))
}

/// Returns the shots of the player and of the opponent that are counted, each with its moves. A shot that was possible for
/// several moves counts once. One that was not played does not count if the record has an evaluation that disagrees.
fn shots(
    start: &Position,
    moves: &[Move],
    row: &GameRow<'_>,
    side: Side,
    bounds: &Bounds,
) -> Vec<(ShotFact, Vec<Move>)> {
    let found = found_in_game(start, moves, bounds);
    let is_same = |shot: &Shot, later: &Shot| shot.moves().iter().take(2).eq(later.moves().iter().take(2));
    let is_last = |n: usize, ply: usize, shot: &Shot| {
        !found[n + 1..]
            .iter()
            // A shot that stays possible is found again when its side is to move, two plies later.
            .take_while(|later| later.0 <= ply + 2)
            .any(|(_, later, fate)| later.side() == shot.side() && *fate != Fate::Prevented && is_same(shot, later))
    };
    let is_sound = |ply: usize, shot: &Shot| {
        let evaluated = |n: usize| row.moves.get(n);
        let here = ply.checked_sub(1).and_then(evaluated).and_then(|played| played.eval_before);
        let before = || ply.checked_sub(2).and_then(evaluated).and_then(|played| played.eval);
        here.or_else(before).is_none_or(|found| is_winning(shot.start(), shot.side(), lead(found, shot.side())))
    };
    let fact = |(n, (ply, shot, fate)): (usize, &(usize, Shot, Fate))| {
        if *fate != Fate::Played && !(is_last(n, *ply, shot) && is_sound(*ply, shot)) {
            return None;
        }
        let fate = match (shot.side() == side, fate) {
            (true, Fate::Played) => ShotFate::Played,
            (true, Fate::Missed) => ShotFate::Missed,
            (false, Fate::Played) => ShotFate::Suffered,
            (false, Fate::Missed | Fate::Allowed) => ShotFate::Allowed,
            (true, Fate::Allowed) | (_, Fate::Prevented) => return None,
        };
        let name = shot.name().map(Definition::id);
        Some((ShotFact { name, fate, gain: shot.gain(), ply: *ply as u64 }, shot.moves().to_vec()))
    };
    found.iter().enumerate().filter_map(fact).collect()
}

/// Returns the first position that the tables know, and what the player made of it; `None` if the game ends in it.
fn endgame(positions: &[Position], side: Side, tables: &EndgameTables) -> Option<EndgameFact> {
    let few = usize::from(tables.max_pieces());
    let value = |position: &Position| {
        let known =
            (position.piece_count() <= few && position.winner().is_none()).then(|| tables.probe(position)).flatten()?;
        Some(match (known.value(), position.turn() == side) {
            (Value::Draw, _) => 1,
            (Value::Win, true) | (Value::Loss, false) => 2,
            (Value::Win, false) | (Value::Loss, true) => 0,
        })
    };
    let first =
        positions.iter().position(|position| value(position).is_some()).filter(|first| first + 1 < positions.len())?;
    let expected = value(&positions[first])?;
    // After a move of the player, the other side is to move.
    let is_drop =
        |&ply: &usize| positions[ply].turn() != side && value(&positions[ply]).is_some_and(|value| value < expected);
    let drop = (first + 1..positions.len()).find(is_drop).map(|ply| ply as u64);
    Some(EndgameFact { expected, drop })
}
