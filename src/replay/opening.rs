//! The starting position of a game or a setup, and the side to move.

use std::fmt;

use super::ahead::{look_ahead, null_setup};
use super::walk::{Cursor, Walk};
use crate::board::Side;
use crate::diag::{Reason, Span, messages};
use crate::notation::{SquareName, read_fen, readings};
use crate::pdn::{GameTree, LineId, MoveText, NodeId, NodeKind, Tag};
use crate::rules::{Position, Setup, SetupIssue};

/// Finds the FEN tag, in any case; an empty one or a question mark is none.
pub(super) fn fen_tag(tree: &GameTree) -> Option<&Tag> {
    let tag = tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("FEN"))?;
    (!matches!(tag.value().trim(), "" | "?" | "-")).then_some(tag)
}

/// Returns true if a game starts from, or reaches, a position that is set up.
pub(super) fn is_set_up(tree: &GameTree) -> bool {
    fen_tag(tree).is_some() || tree.nodes().iter().any(|node| matches!(node.kind(), NodeKind::Setup { .. }))
}

impl Walk<'_> {
    /// Returns where the main line starts, and whether the side to move is known.
    pub(super) fn start(&mut self) -> (Cursor, bool) {
        let tree = self.tree;
        let nodes = tree.line(LineId::MAIN).nodes();
        let Some(variant) = self.variant else { return (Cursor::at(None, guessed_side(tree)), false) };
        if let Some(tag) = fen_tag(tree) {
            let span = if tag.value_span().is_empty() { tag.span() } else { tag.value_span() };
            let found = if null_setup(tag.value(), self.numbering).is_some() {
                self.report(messages::fen_unplayable(span, Reason::new(SetupIssue::NoPieces)));
                None
            } else {
                self.read_position(tag.value(), span, nodes)
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
            self.report(messages::wrong_side(span, start.turn().to_string(), (!start.turn()).to_string()));
        }
        (Cursor::at(Some(start), start.turn()), true)
    }

    fn check_set_up_tag(&mut self) {
        let set_up = self.tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("SetUp"));
        if let Some(tag) = set_up.filter(|tag| tag.value().trim() == "1") {
            self.report(messages::set_up_without_fen(tag.span()));
        }
    }

    /// Reads a FEN and returns its position, and whether the side to move is known.
    pub(super) fn read_position(&mut self, fen: &str, span: Span, rest: &[NodeId]) -> Option<(Position, bool)> {
        let fen = match read_fen(fen, self.numbering) {
            Ok(fen) => fen,
            Err(error) => {
                self.report(messages::fen_syntax(span, Reason::new(error)));
                return None;
            }
        };
        for fault in fen.overlooked {
            self.report(messages::fen_unusual(span, Reason::new(fault)));
        }
        match fen.setup.turn() {
            Some(side) => {
                let position = self.place(&fen.setup, side, span)?;
                let (position, turned) = self.turn_to_first_move(position, rest);
                if turned.is_some() {
                    self.report(messages::fen_side(span, side.to_string(), (!side).to_string()));
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
        match Position::from_setup(variant, &setup) {
            Ok((position, issues)) => {
                issues.into_iter().for_each(|issue| self.report(messages::fen_unusual(span, self.reason(issue))));
                Some(position)
            }
            Err(issues) => {
                let errors = issues.into_iter().filter(|issue| issue.is_error());
                errors.for_each(|issue| self.report(messages::fen_unplayable(span, self.reason(issue))));
                None
            }
        }
    }

    fn reason(&self, issue: SetupIssue) -> Reason {
        Reason::new(NamedIssue { issue, square: issue.square().map(|square| self.numbering.name(square)) })
    }

    /// Gives the turn to the side that the first move belongs to; if that changes it, also returns the span of that move.
    fn turn_to_first_move(&self, position: Position, nodes: &[NodeId]) -> (Position, Option<Span>) {
        let Some((text, span)) = first_move(self.tree, nodes) else { return (position, None) };
        let fits = |position: &Position| !readings(position, text, self.numbering).moves().is_empty();
        let turned = position.pass();
        if fits(&position) || !fits(&turned) { (position, None) } else { (turned, Some(span)) }
    }

    fn deduce_side(&mut self, white: Position, span: Span, rest: &[NodeId]) -> (Position, bool) {
        let Some((first, _)) = first_move(self.tree, rest) else { return (white, false) };
        let black = white.pass();
        let fits = |position: &Position| !readings(position, first, self.numbering).moves().is_empty();
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
            self.report(messages::fen_side_deduced(span, start.turn().to_string()));
        }
        (start, known)
    }
}

/// Something wrong with a position, and the name of the square where it is.
struct NamedIssue {
    issue: SetupIssue,
    square: Option<SquareName>,
}

impl fmt::Display for NamedIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.issue.fmt(f)?;
        self.square.map_or(Ok(()), |square| write!(f, ": {square}"))
    }
}

/// The first move of a line, if only ellipses precede it.
fn first_move<'a>(tree: &'a GameTree, nodes: &[NodeId]) -> Option<(&'a MoveText, Span)> {
    let node = nodes.iter().map(|&id| tree.node(id)).find(|node| !matches!(node.kind(), NodeKind::Ellipsis))?;
    Some((node.move_text()?, node.span()))
}

/// Returns true if dots precede the first move, as before a move of the second player.
fn second_player_is_announced(tree: &GameTree, nodes: &[NodeId]) -> bool {
    nodes.first().map(|&id| tree.node(id)).is_some_and(|node| {
        matches!(node.kind(), NodeKind::Ellipsis) || node.number().is_some_and(|number| number.dots() >= 3)
    })
}

/// The side that the first move seems to belong to, where the variant is not known.
fn guessed_side(tree: &GameTree) -> Side {
    match fen_tag(tree).and_then(|tag| tag.value().trim_start().chars().next()) {
        Some('W' | 'w') => Side::White,
        Some('B' | 'b') => Side::Black,
        _ if second_player_is_announced(tree, tree.line(LineId::MAIN).nodes())
            && !matches!(
                tree.main_line().nodes().first().map(|&id| tree.node(id).kind()),
                Some(NodeKind::Ellipsis)
            ) =>
        {
            Side::Black
        }
        _ => Side::White,
    }
}
