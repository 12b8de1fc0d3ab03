//! The position a game or a setup starts from, and whose turn it is.

use super::ahead::{look_ahead, null_setup};
use super::walk::{Cursor, Walk};
use crate::board::Side;
use crate::diag::{Code, Span};
use crate::notation::{read_fen, readings};
use crate::pdn::{GameTree, LineId, MoveText, NodeId, NodeKind, Tag};
use crate::rules::{Position, Setup, SetupIssue};

/// Finds the FEN tag, in any case; an empty one or a question mark is none.
pub(super) fn fen_tag(tree: &GameTree) -> Option<&Tag> {
    let tag = tree.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("FEN"))?;
    (!matches!(tag.value.trim(), "" | "?" | "-")).then_some(tag)
}

/// Whether a game starts from, or comes to, a position of its own.
pub(super) fn is_set_up(tree: &GameTree) -> bool {
    fen_tag(tree).is_some() || tree.nodes.iter().any(|node| matches!(node.kind, NodeKind::Setup { .. }))
}

impl Walk<'_> {
    /// Returns where the main line starts, and whether the side to move is known.
    pub(super) fn start(&mut self) -> (Cursor, bool) {
        let tree = self.tree;
        let nodes = &tree.line(LineId::MAIN).nodes[..];
        let Some(variant) = self.variant else { return (Cursor::at(None, guessed_side(tree)), false) };
        if let Some(tag) = fen_tag(tree) {
            let span = if tag.value_span.is_empty() { tag.span } else { tag.value_span };
            let found = if null_setup(&tag.value, self.numbering).is_some() {
                self.report(Code::FEN_UNPLAYABLE, span, "there is no piece on the board");
                None
            } else {
                self.read_position(&tag.value, span, nodes)
            };
            let known = found.is_none_or(|(_, known)| known);
            return (Cursor::at(found.map(|(position, _)| position), guessed_side(tree)), known);
        }
        self.check_set_up_tag();
        let start = Position::start(variant);
        let (start, turned) = self.turn_to_first_move(start, nodes);
        if let Some(span) = turned
            && !second_player_is_announced(tree, nodes)
        {
            let message = format!("{} moves first, where {} should", start.turn(), !start.turn());
            self.report(Code::MOVE_SIDE, span, message);
        }
        (Cursor::at(Some(start), start.turn()), true)
    }

    fn check_set_up_tag(&mut self) {
        let set_up = self.tree.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("SetUp"));
        if let Some(tag) = set_up.filter(|tag| tag.value.trim() == "1") {
            self.report(Code::TAG_SET_UP, tag.span, "a set-up position is announced, but there is no FEN");
        }
    }

    /// Reads a FEN and returns its position, and whether the side to move is known.
    pub(super) fn read_position(&mut self, fen: &str, span: Span, rest: &[NodeId]) -> Option<(Position, bool)> {
        let fen = match read_fen(fen, self.numbering) {
            Ok(fen) => fen,
            Err(error) => {
                self.report(Code::FEN_SYNTAX, span, format!("the FEN cannot be read: {error}"));
                return None;
            }
        };
        for fault in &fen.overlooked {
            self.report(Code::FEN_UNUSUAL, span, fault.reason.clone());
        }
        match fen.setup.turn() {
            Some(side) => {
                let position = self.place(&fen.setup, side, span)?;
                let (position, turned) = self.turn_to_first_move(position, rest);
                if turned.is_some() {
                    let message = format!("{side} is to move, but the first move is one of {}", !side);
                    self.report(Code::FEN_SIDE, span, message);
                }
                Some((position, true))
            }
            None => {
                let white = self.place(&fen.setup, Side::White, span)?;
                Some(self.deduce_side(white, span, rest))
            }
        }
    }

    fn place(&mut self, setup: &Setup, side: Side, span: Span) -> Option<Position> {
        let variant = self.variant?;
        let setup = Setup::new(Some(side), setup.pieces().iter().copied());
        let (position, faults, code) = match Position::from_setup(variant, &setup) {
            Ok((position, faults)) => (Some(position), faults, Code::FEN_UNUSUAL),
            Err(faults) => (None, faults, Code::FEN_UNPLAYABLE),
        };
        for fault in faults.into_iter().filter(|fault| position.is_some() || fault.is_error()) {
            let message = self.name_fault(fault);
            self.report(code, span, message);
        }
        position
    }

    fn name_fault(&self, fault: SetupIssue) -> String {
        match fault.square() {
            Some(square) => format!("{fault}: {}", self.numbering.name(square)),
            None => fault.to_string(),
        }
    }

    /// Turns the position to the side that the first move is one of, and then returns the place of that move.
    fn turn_to_first_move(&self, position: Position, nodes: &[NodeId]) -> (Position, Option<Span>) {
        let Some((text, span)) = first_move(self.tree, nodes) else { return (position, None) };
        let fits = |position: &Position| !readings(position, text, self.numbering).moves.is_empty();
        let turned = position.pass();
        if fits(&position) || !fits(&turned) { (position, None) } else { (turned, Some(span)) }
    }

    fn deduce_side(&mut self, white: Position, span: Span, rest: &[NodeId]) -> (Position, bool) {
        let Some((first, _)) = first_move(self.tree, rest) else { return (white, false) };
        let black = white.pass();
        let fits = |position: &Position| !readings(position, first, self.numbering).moves.is_empty();
        let (start, known) = match (fits(&white), fits(&black)) {
            (false, false) => (white, false),
            (true, false) => (white, true),
            (false, true) => (black, true),
            (true, true) => {
                let reach = look_ahead(self.tree, rest, &[white, black], self.numbering, &mut self.budget);
                let announced = second_player_is_announced(self.tree, rest) && !reach.decided;
                (if announced || reach.start == 1 { black } else { white }, true)
            }
        };
        if known {
            self.report(Code::FEN_SIDE_DEDUCED, span, format!("the moves tell that {} is to move", start.turn()));
        }
        (start, known)
    }
}

/// The first move of a line, if nothing but ellipses stands before it.
fn first_move<'a>(tree: &'a GameTree, nodes: &[NodeId]) -> Option<(&'a MoveText, Span)> {
    let node = nodes.iter().map(|&id| tree.node(id)).find(|node| !matches!(node.kind, NodeKind::Ellipsis))?;
    Some((node.move_text()?, node.span))
}

/// Whether dots stand in front of the first move, as of the second player's.
fn second_player_is_announced(tree: &GameTree, nodes: &[NodeId]) -> bool {
    nodes.first().map(|&id| tree.node(id)).is_some_and(|node| {
        matches!(node.kind, NodeKind::Ellipsis) || node.number.is_some_and(|number| number.dots >= 3)
    })
}

/// The side that the first move is said to be one of, where no variant tells.
fn guessed_side(tree: &GameTree) -> Side {
    match fen_tag(tree).and_then(|tag| tag.value.trim_start().chars().next()) {
        Some('W' | 'w') => Side::White,
        Some('B' | 'b') => Side::Black,
        _ if second_player_is_announced(tree, &tree.line(LineId::MAIN).nodes)
            && !matches!(tree.main_line().nodes.first().map(|&id| &tree.node(id).kind), Some(NodeKind::Ellipsis)) =>
        {
            Side::Black
        }
        _ => Side::White,
    }
}
