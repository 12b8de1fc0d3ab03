//! One game played by the rules and square names of one variant.

use super::super::ahead::with_turn;
use super::super::opening::{fen_tag, first_move, second_player_is_announced};
use crate::board::Side;
use crate::notation::{Fen, Numbering, read_fen, readings};
use crate::pdn::{GameTree, MoveText, NodeKind};
use crate::rules::{Move, Position, Setup, Variant};

/// Maximum number of positions that a game may have reached, if its moves are ambiguous.
const MAX_POSITIONS: usize = 64;

/// How far a game could be played. Variants that play it alike have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trial {
    /// True if the starting position is playable.
    pub(super) has_begun: bool,
    /// True if the first move belongs, unannounced, to the side that does not begin.
    pub(super) is_turned: bool,
    /// True if everything could be played.
    pub(super) is_whole: bool,
    /// Moves played, without null moves.
    pub(super) played: u64,
}

impl Trial {
    /// Plays a game until a move does not fit.
    pub(super) fn of(tree: &GameTree, variant: Variant, numbering: Numbering) -> Self {
        let mut heads = Heads::at_start(tree, variant, numbering);
        let is_turned = heads.turn_to_first_move(tree);
        let mut trial = Self { has_begun: !heads.positions.is_empty(), is_turned, is_whole: true, played: 0 };
        for (n, &id) in tree.main_line().nodes().iter().enumerate() {
            match tree.node(id).kind() {
                NodeKind::Move(text) => {
                    heads.play(text);
                    trial.played += u64::from(!heads.positions.is_empty());
                }
                NodeKind::Null => heads.positions.iter_mut().for_each(|position| *position = position.pass()),
                // Dots separate a number from the second player's move, or represent an unknown move.
                NodeKind::Ellipsis if n > 0 => {
                    heads.replace(|heads| heads.iter().flat_map(|&head| [head, head.pass()]).collect());
                }
                NodeKind::Ellipsis => {}
                NodeKind::Setup { fen } => match read_fen(fen, numbering) {
                    Ok(fen) => heads.set_up(&fen, variant),
                    Err(_) => heads.positions.clear(),
                },
            }
            if heads.positions.is_empty() {
                break;
            }
        }
        Self { is_whole: !heads.positions.is_empty(), ..trial }
    }
}

/// All positions that a game may have reached: they advance together, so that an ambiguous move needs no decision.
struct Heads {
    positions: Vec<Position>,
    numbering: Numbering,
}

impl Heads {
    fn at_start(tree: &GameTree, variant: Variant, numbering: Numbering) -> Self {
        let mut heads = Self { positions: vec![Position::start(variant)], numbering };
        if let Some(tag) = fen_tag(tree) {
            let fen = read_fen(tag.value(), numbering).ok().filter(|fen| !fen.is_null_move());
            match fen {
                Some(fen) => heads.set_up(&fen, variant),
                None => heads.positions.clear(),
            }
        }
        heads
    }

    /// Gives the turn to the side that the first move belongs to. Returns true if that is not the side that begins, and no dots
    /// announce it.
    fn turn_to_first_move(&mut self, tree: &GameTree) -> bool {
        let nodes = tree.main_line().nodes();
        let (Some((text, _)), [position]) = (first_move(tree, nodes), &self.positions[..]) else { return false };
        let (turned, mut after) = (position.pass(), *position);
        let mut plays_only = |before: &Position| plays_only(before, text, self.numbering, &mut after);
        let fits = |position: &Position| !readings(position, text, self.numbering).moves().is_empty();
        // Most variants fail here: a plain move is looked for before the text is read in all ways.
        let is_turned = !plays_only(position) && (plays_only(&turned) || !fits(position) && fits(&turned));
        if is_turned {
            self.positions[0] = turned;
        }
        is_turned && (fen_tag(tree).is_some() || !second_player_is_announced(tree, nodes))
    }

    /// Plays a move in all positions, and drops those in which it is not legal.
    fn play(&mut self, text: &MoveText) {
        if let [position] = &mut self.positions[..] {
            let before = *position;
            if plays_only(&before, text, self.numbering, position) {
                return;
            }
        }
        let numbering = self.numbering;
        let after = |position: &Position| -> Vec<Position> {
            let found = readings(position, text, numbering);
            found.moves().iter().map(|played| position.play_unchecked(played)).collect()
        };
        self.replace(|positions| positions.iter().flat_map(after).collect());
    }

    /// Replaces the positions with those that follow them, each once.
    fn replace(&mut self, next: impl FnOnce(&[Position]) -> Vec<Position>) {
        let all = next(&std::mem::take(&mut self.positions));
        for position in all {
            if self.positions.len() < MAX_POSITIONS && !self.positions.contains(&position) {
                self.positions.push(position);
            }
        }
    }

    /// Replaces the positions; a FEN without pieces gives the turn only. If the side to move is unknown, either may be.
    fn set_up(&mut self, fen: &Fen, variant: Variant) {
        let sides = fen.setup.turn().map_or_else(|| vec![Side::White, Side::Black], |side| vec![side]);
        if fen.is_null_move() {
            self.positions.retain(|_| sides.len() == 1);
            self.positions.iter_mut().for_each(|position| *position = with_turn(position, sides[0]));
            return;
        }
        let of = |side| Setup::new(Some(side), fen.setup.pieces().iter().copied());
        let playable = |side| Some(Position::from_setup(variant, &of(side)).ok()?.0);
        self.positions = sides.into_iter().filter_map(playable).collect();
    }
}

/// Plays the move between two squares if exactly one is legal.
fn plays_only(before: &Position, text: &MoveText, numbering: Numbering, after: &mut Position) -> bool {
    let &[from, to] = text.squares() else { return false };
    let ends = numbering.parse(from).zip(numbering.parse(to)).filter(|_| text.captured().is_empty());
    ends.is_some_and(|(from, to)| before.play_only_into(from, to, after, &mut Move::NONE.clone()))
}
