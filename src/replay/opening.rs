//! The starting position of a game or a setup, and the side to move.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::ahead::null_side;
use super::walk::{Cursor, Walk};
use crate::board::Side;
use crate::diag::{Reason, Span, messages};
use crate::notation::{Fen, FenError, FenText, Numbering, fen_names, readings};
use crate::pdn::{GameTree, LineId, MoveText, NodeId, NodeKind, Tag, WrittenSquare};
use crate::rules::{Position, Setup, SetupIssue, Variant};

/// Finds the FEN tag, in any case; an empty value or a question mark counts as missing.
pub(super) fn fen_tag(tree: &GameTree) -> Option<&Tag> {
    let tag = tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("FEN"))?;
    (!matches!(tag.value().trim(), "" | "?" | "-")).then_some(tag)
}

/// A FEN as read with certain square names.
type ReadFen = Rc<Result<Fen, FenError>>;

/// A game as written. Its FEN tag is parsed once, and read once for all variants that name the squares alike.
pub(super) struct Written<'a> {
    pub(super) tree: &'a GameTree,
    tag: Option<(&'a Tag, FenText<'a>)>,
    known: RefCell<Vec<(Numbering, ReadFen)>>,
}

impl<'a> Written<'a> {
    pub(super) fn new(tree: &'a GameTree) -> Self {
        let tag = fen_tag(tree).map(|tag| (tag, FenText::new(tag.value())));
        Self { tree, tag, known: RefCell::default() }
    }

    /// Returns the FEN with these square names and its span; `None` if there is no tag.
    fn fen(&self, numbering: Numbering) -> Option<(ReadFen, Span)> {
        let (tag, text) = self.tag.as_ref()?;
        let span = if tag.value_span().is_empty() { tag.span() } else { tag.value_span() };
        // A FEN has no captures: one reading serves all signs.
        let numbering = numbering.with_capture_sign('x');
        let mut known = self.known.borrow_mut();
        if let Some((_, read)) = known.iter().find(|(known, _)| *known == numbering) {
            return Some((Rc::clone(read), span));
        }
        let read = Rc::new(text.read(numbering));
        known.push((numbering, Rc::clone(&read)));
        Some((read, span))
    }
}

/// Returns true if a game starts from, or reaches, a position that is set up.
pub(super) fn is_set_up(tree: &GameTree) -> bool {
    fen_tag(tree).is_some() || tree.nodes().iter().any(|node| matches!(node.kind(), NodeKind::Setup { .. }))
}

impl Walk<'_> {
    /// Returns the start of the main line, and true if the side to move is known.
    pub(super) fn start(&mut self) -> (Cursor, bool) {
        let tree = self.tree;
        let nodes = tree.line(LineId::MAIN).nodes();
        let Some(variant) = self.variant else {
            self.check_fen_of_any_variant();
            return (Cursor::at(None, guessed_side(tree)), false);
        };
        if let Some((read, span)) = self.game.fen(self.numbering) {
            let found = if read.as_ref().as_ref().is_ok_and(|fen| null_side(fen).is_some()) {
                self.report(|| messages::fen_unplayable(span, Reason::new(SetupIssue::NoPieces)));
                None
            } else {
                let text = self.game.tag.as_ref().map_or("", |(tag, _)| tag.value());
                self.place_fen(read.as_ref().as_ref(), (text, span), nodes)
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
            self.is_turned = true;
            self.report(|| messages::wrong_side(span, start.turn().to_string(), (!start.turn()).to_string()));
        }
        (Cursor::at(Some(start), start.turn()), true)
    }

    /// Reports a FEN that cannot be read with the square names of any variant.
    fn check_fen_of_any_variant(&mut self) {
        let readings = Variant::ALL.iter().map_while(|&variant| self.game.fen(Numbering::for_variant(variant)));
        let failures = readings.map(|(read, span)| read.as_ref().as_ref().err().map(|error| (error.clone(), span)));
        if let Some(Some((error, span))) = failures.reduce(|first, failure| failure.and(first)) {
            self.report(|| messages::fen_syntax(span, Reason::new(error)));
        }
    }

    fn check_set_up_tag(&mut self) {
        let set_up = self.tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("SetUp"));
        if let Some(tag) = set_up.filter(|tag| tag.value().trim() == "1") {
            self.report(|| messages::set_up_without_fen(tag.span()));
        }
    }

    /// Returns the position of a FEN, and true if the side to move is known.
    pub(super) fn place_fen(
        &mut self,
        read: Result<&Fen, &FenError>,
        (text, span): (&str, Span),
        rest: &[NodeId],
    ) -> Option<(Position, bool)> {
        let fen = match read {
            Ok(fen) => fen,
            Err(error) => {
                self.report(|| messages::fen_syntax(span, Reason::new(error.clone())));
                return None;
            }
        };
        for fault in &fen.overlooked {
            self.report(|| messages::fen_unusual(span, Reason::new(fault.clone())));
        }
        match fen.setup.turn() {
            Some(side) => {
                let position = self.place(&fen.setup, (text, span))?;
                let (position, turned) = self.turn_to_first_move(position, rest);
                if turned.is_some() {
                    self.is_turned = true;
                    self.report(|| messages::fen_side(span, side.to_string(), (!side).to_string()));
                }
                Some((position, true))
            }
            None => {
                let setup = Setup::new(Some(Side::White), fen.setup.pieces().iter().copied());
                let white = self.place(&setup, (text, span))?;
                Some(self.deduce_side(white, span, rest))
            }
        }
    }

    fn place(&mut self, setup: &Setup, (text, span): (&str, Span)) -> Option<Position> {
        let numbering = self.numbering;
        let reason = |issue| named(issue, fen_names(text, numbering));
        match Position::from_setup(self.variant?, setup) {
            Ok((position, issues)) => {
                issues.into_iter().for_each(|issue| self.report(|| messages::fen_unusual(span, reason(issue))));
                Some(position)
            }
            Err(issues) => {
                let errors = issues.into_iter().filter(|issue| issue.is_error());
                errors.for_each(|issue| self.report(|| messages::fen_unplayable(span, reason(issue))));
                None
            }
        }
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
                // Both sides have such a move: what follows decides, or else dots before the first move.
                let reach = self.look_ahead(rest, &[white, black]);
                let announced = second_player_is_announced(self.tree, rest) && !reach.decided;
                (if announced || reach.start == 1 { black } else { white }, true)
            }
        };
        if known {
            self.report(|| messages::fen_side_deduced(span, start.turn().to_string()));
        }
        (start, known)
    }
}

fn named(issue: SetupIssue, numbering: Numbering) -> Reason {
    Reason::new(NamedIssue { issue, square: issue.square().map(|square| numbering.name(square)) })
}

/// A problem with a position, and the name of its square.
struct NamedIssue {
    issue: SetupIssue,
    square: Option<WrittenSquare>,
}

impl fmt::Display for NamedIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.issue.fmt(f)?;
        self.square.map_or(Ok(()), |square| write!(f, ": {square}"))
    }
}

/// The first move of a line, if only ellipses precede it.
pub(super) fn first_move<'a>(tree: &'a GameTree, nodes: &[NodeId]) -> Option<(&'a MoveText, Span)> {
    let node = nodes.iter().map(|&id| tree.node(id)).find(|node| !matches!(node.kind(), NodeKind::Ellipsis))?;
    Some((node.move_text()?, node.span()))
}

/// Returns true if dots precede the first move, as before a move of the second player.
pub(super) fn second_player_is_announced(tree: &GameTree, nodes: &[NodeId]) -> bool {
    nodes.first().map(|&id| tree.node(id)).is_some_and(|node| {
        matches!(node.kind(), NodeKind::Ellipsis) || node.number().is_some_and(|number| number.dots() >= 3)
    })
}

/// Returns the number of the first move as written.
pub(super) fn first_number(tree: &GameTree) -> Option<u32> {
    let mut nodes = tree.main_line().nodes().iter().map(|&id| tree.node(id));
    Some(nodes.find(|node| !matches!(node.kind(), NodeKind::Ellipsis))?.number()?.value())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::rules::Variant;

    #[test]
    fn a_fen_is_read_once_for_all_variants_with_the_same_names() {
        let tree = games(b"[FEN \"W:W31:B20\"] *").next().expect("a game").into_tree();
        let game = Written::new(&tree);
        for variant in [Variant::INTERNATIONAL, Variant::FRISIAN, Variant::KILLER, Variant::ENGLISH, Variant::POOL] {
            assert!(game.fen(Numbering::for_variant(variant)).is_some_and(|(read, _)| read.is_ok()), "{variant}");
        }
        assert_eq!(game.known.borrow().len(), 2);
    }
}
