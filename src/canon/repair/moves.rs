//! Moves that could not be played as they stand, or that the reader took for stray text.

use super::Repair;
use crate::diag::Span;
use crate::notation::{Numbering, resolve};
use crate::pdn::{Attachment, GameTree, LineId, MoveKind, MoveText, Node, NodeId, NodeKind, with_digits};
use crate::replay::{ReplayOptions, ReplayedGame, replay};
use crate::rules::Position;

/// Repairs of one game at most, so that a hostile one comes to an end.
const MOST: usize = 100;
/// Readings of one text at most: more than one is already too many.
const MOST_READINGS: usize = 8;
/// What may stand behind a move.
const MARKS: [char; 5] = ['!', '?', '*', '(', ')'];
/// Longest text that may be moves, in bytes.
const LONGEST: usize = 40;

/// Repairs in a row that may prove each other: behind the last of them the line has to go on.
const DEPTH: usize = 3;

/// Repairs one place after another until none is left that has one reading.
pub(super) fn repair(mut game: ReplayedGame, options: ReplayOptions, repairs: &mut Vec<Repair>) -> ReplayedGame {
    for _ in 0..MOST {
        let Some((tree, repair)) = next_repair(&game) else { break };
        repairs.push(repair);
        game = replay(tree, &options);
    }
    game
}

/// The first place with one better reading: the game so repaired, and what was done.
fn next_repair(game: &ReplayedGame) -> Option<(GameTree, Repair)> {
    let numbering = game.numbering()?;
    let lines = (0..game.tree().lines.len()).map(|n| LineId(n as u32));
    let places = lines.filter_map(|line| Place::first(game, line));
    places.filter_map(|place| place.repair(game, numbering, DEPTH)).map(|(_, tree, repair)| (tree, repair)).next()
}

/// A place in a line up to which all could be played.
struct Place {
    line: LineId,
    /// Number of nodes of the line in front of it.
    index: usize,
    position: Position,
}

/// One way to read a place.
struct Reading {
    moves: Vec<MoveText>,
    /// Marks behind the last of them.
    marks: Option<String>,
    /// The stray text that they are made of; else they stand for the node behind the place.
    stray: Option<usize>,
    span: Span,
    what: String,
}

impl Place {
    /// The place in front of the first move of a line that could not be played, or else its end.
    fn first(game: &ReplayedGame, line: LineId) -> Option<Self> {
        let nodes = &game.tree().line(line).nodes;
        let lost = nodes.iter().position(|&id| game.ply(id).is_none_or(|ply| !ply.is_played()));
        let index = lost.unwrap_or(nodes.len());
        let before = lost.and_then(|lost| game.ply(nodes[lost])?.before().copied());
        let after = index.checked_sub(1).and_then(|last| game.ply(nodes[last])?.after().copied());
        Some(Self { line, index, position: before.or(after)? })
    }

    /// The best reading of the place, if no other is as good: how many nodes of the line it lets be played, the tree with
    /// it, and what was done.
    fn repair(&self, game: &ReplayedGame, numbering: Numbering, depth: usize) -> Option<(usize, GameTree, Repair)> {
        let mut best: Option<(usize, GameTree, Reading)> = None;
        let mut rivals = 0;
        for reading in self.readings(game, numbering) {
            let tree = self.apply(game.tree(), &reading);
            let asked = ReplayOptions { variant: game.variant() };
            let next = replay(tree.clone(), &asked);
            let played = self.played(&next, reading.moves.len(), depth);
            match (played, &best) {
                (None, _) => {}
                (Some(played), Some((most, ..))) if played < *most => {}
                (Some(played), Some((most, ..))) if played == *most => rivals += 1,
                (Some(played), _) => (best, rivals) = (Some((played, tree, reading)), 0),
            }
        }
        let (played, tree, reading) = best.filter(|_| rivals == 0)?;
        Some((played, tree, Repair::new(reading.span, reading.what)))
    }

    /// Number of nodes of the line that are played now; `None` if the moves read here are not, or nothing proves them: the
    /// line neither ends behind them nor goes on, and not even the next place can be repaired.
    fn played(&self, game: &ReplayedGame, read: usize, depth: usize) -> Option<usize> {
        let nodes = &game.tree().line(self.line).nodes;
        let lost = nodes.iter().position(|&id| game.ply(id).is_none_or(|ply| !ply.is_played()));
        let played = lost.unwrap_or(nodes.len());
        if played < self.index + read {
            return None;
        }
        // Two legal moves in one text prove each other.
        if read > 1 || played > self.index + read || played == nodes.len() {
            return Some(played);
        }
        let next = Self::first(game, self.line).filter(|_| depth > 1)?;
        next.repair(game, game.numbering()?, depth - 1).map(|(played, ..)| played)
    }

    fn readings(&self, game: &ReplayedGame, numbering: Numbering) -> Vec<Reading> {
        let tree = game.tree();
        let mut found = Vec::new();
        let nodes = &tree.line(self.line).nodes;
        for (n, item) in self.attachments(tree).iter().enumerate() {
            if let Attachment::Stray { text, span } = item {
                let first = found.len();
                let bare = text.trim_end_matches(MARKS);
                self.read(without_number(bare), Some(n), *span, numbering, &mut found);
                let marks = text[bare.len()..].replace(['(', ')'], "");
                for reading in found[first..].iter_mut().filter(|_| !marks.is_empty()) {
                    reading.marks = Some(marks.clone());
                }
            }
        }
        if let Some(node) = nodes.get(self.index).map(|&id| tree.node(id))
            && let NodeKind::Move(text) = &node.kind
        {
            if let Some(swapped) = swapped(text) {
                self.take(
                    vec![vec![swapped]],
                    "squares swapped",
                    (text.text(), None, node.span),
                    numbering,
                    &mut found,
                );
            }
            self.read(text.text(), None, node.span, numbering, &mut found);
        }
        found
    }

    /// What stands between the place and the node before it.
    fn attachments<'a>(&self, tree: &'a GameTree) -> &'a [Attachment] {
        let line = tree.line(self.line);
        match self.index.checked_sub(1) {
            Some(last) => &tree.node(line.nodes[last]).after,
            None => &line.intro,
        }
    }

    /// Reads a text as one or more moves, as it stands or with digits for letters.
    fn read(&self, text: &str, stray: Option<usize>, span: Span, numbering: Numbering, found: &mut Vec<Reading>) {
        let glued = moves_in(text, &self.position, numbering);
        let what = if glued.iter().any(|moves| moves.len() > 1) { "moves parted" } else { "separator added" };
        self.take(glued, what, (text, stray, span), numbering, found);
        if let Some(digits) = with_digits(text) {
            let spelt = moves_in(&digits, &self.position, numbering);
            self.take(spelt, "letter read as digit", (text, stray, span), numbering, found);
        }
    }

    fn take(
        &self,
        readings: Vec<Vec<MoveText>>,
        what: &str,
        (text, stray, span): (&str, Option<usize>, Span),
        numbering: Numbering,
        found: &mut Vec<Reading>,
    ) {
        for moves in readings {
            let Some(names) = self.names(&moves, numbering) else { continue };
            // As it stands it was tried already.
            if stray.is_none() && moves.len() == 1 && moves[0].text() == text {
                continue;
            }
            found.push(Reading { moves, marks: None, stray, span, what: format!("{what}: `{text}` read as {names}") });
        }
    }

    /// The moves in canonical form; `None` if they cannot be played one behind the other.
    fn names(&self, moves: &[MoveText], numbering: Numbering) -> Option<String> {
        let mut position = self.position;
        let mut names = Vec::new();
        for text in moves {
            let played = resolve(&position, text, numbering).ok()?.played;
            names.push(position.short_in(&played, numbering));
            position = position.play_unchecked(&played);
        }
        Some(names.join(" "))
    }

    /// Puts the moves of a reading into the tree.
    fn apply(&self, tree: &GameTree, reading: &Reading) -> GameTree {
        let mut tree = tree.clone();
        let line = self.line.index();
        let mut behind = Vec::new();
        let mut at = self.index;
        if let Some(place) = reading.stray {
            let list = match self.index.checked_sub(1) {
                Some(last) => &mut tree.nodes[tree.lines[line].nodes[last].index()].after,
                None => &mut tree.lines[line].intro,
            };
            behind = list.split_off(place);
            behind.remove(0);
        } else {
            let old = tree.lines[line].nodes[at].index();
            tree.nodes[old].kind = NodeKind::Move(reading.moves[0].clone());
            if reading.moves.len() > 1 {
                behind = std::mem::take(&mut tree.nodes[old].after);
            }
            at += 1;
        }
        let fresh = if reading.stray.is_some() { &reading.moves[..] } else { &reading.moves[1..] };
        let last = fresh.len().wrapping_sub(1);
        for (n, text) in fresh.iter().enumerate() {
            let id = NodeId(tree.nodes.len() as u32);
            let (after, strength) =
                if n == last { (std::mem::take(&mut behind), reading.marks.clone()) } else { (Vec::new(), None) };
            let kind = NodeKind::Move(text.clone());
            tree.nodes.push(Node { kind, number: None, strength, span: reading.span, after });
            tree.lines[line].nodes.insert(at + n, id);
        }
        tree
    }
}

fn swapped(text: &MoveText) -> Option<MoveText> {
    let [from, to] = text.squares() else { return None };
    MoveText::parse(&format!("{to}-{from}"))
}

/// The text without the number of the move that it begins with: that lost its move to the text.
fn without_number(text: &str) -> &str {
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if behind.starts_with('.') && behind.len() < text.len() {
        behind.trim_start_matches('.').trim_start()
    } else {
        text
    }
}

/// All ways to read the whole text as legal moves one behind the other.
fn moves_in(text: &str, position: &Position, numbering: Numbering) -> Vec<Vec<MoveText>> {
    let mut found = Vec::new();
    if text.len() <= LONGEST && text.is_ascii() {
        search(text, position, numbering, &mut Vec::new(), &mut found);
    }
    found
}

fn search(
    text: &str,
    position: &Position,
    numbering: Numbering,
    moves: &mut Vec<MoveText>,
    found: &mut Vec<Vec<MoveText>>,
) {
    let text = text.trim_start();
    if text.is_empty() && !moves.is_empty() {
        found.push(moves.clone());
    }
    for end in (3..=text.len().min(12)).filter(|&end| text.as_bytes()[end - 1].is_ascii_digit()) {
        if found.len() == MOST_READINGS {
            return;
        }
        let Some(read) = joined(&text[..end]) else { continue };
        if let Ok(resolved) = resolve(position, &read, numbering) {
            moves.push(read);
            search(&text[end..], &position.play_unchecked(&resolved.played), numbering, moves, found);
            moves.pop();
        }
    }
}

/// The move that a text is; `32 28` is one too.
fn joined(text: &str) -> Option<MoveText> {
    let begins = text.starts_with(|first: char| first.is_ascii_alphanumeric());
    let read = MoveText::parse(text).or_else(|| MoveText::parse(&text.replacen(' ', "-", 1)));
    read.filter(|read| begins && (read.squares().len() == 2 || read.kind() == MoveKind::Capture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::{FormatOptions, format_game, repair as repair_all};
    use crate::pdn::games;

    fn repaired(text: &str) -> (String, Vec<String>) {
        let tree = games(text.as_bytes()).next().expect("a game").tree;
        let (game, repairs) = repair_all(tree, &ReplayOptions { variant: Some(crate::rules::Variant::INTERNATIONAL) });
        let text = format_game(&game, &FormatOptions::default()).trim_end().replace('\n', " ");
        (text, repairs.into_iter().map(|repair| repair.what).collect())
    }

    #[test]
    fn one_reading_is_taken() {
        for (text, expected, what) in [
            ("1. 28-32 19-23 *", "1. 32-28 19-23 *", "squares swapped: `28-32` read as 32-28"),
            ("1. 32-28 l9-23 2. 28x19", "1. 32-28 19-23 2. 28x19 *", "letter read as digit: `l9-23` read as 19-23"),
            ("1. 32-2819-23 2. 28x19", "1. 32-28 19-23 2. 28x19 *", "moves parted: `32-2819-23` read as 32-28 19-23"),
            ("1. 32-28 32281923 28x19", "1. 32-28 {32281923} 28x19 *", ""),
            (
                "1. 32-28 (32-2718-23) 19-23",
                "1. 32-28 (1. 32-27 18-23) 1... 19-23 *",
                "moves parted: `32-2718-23` read as 32-27 18-23",
            ),
            ("1. 32-28 19-23 2. 23-28 *", "1. 32-28 19-23 2. 23-28 *", ""),
        ] {
            let (written, repairs) = repaired(text);
            assert_eq!(written, expected, "{text}");
            assert_eq!(repairs.join("; "), what, "{text}");
        }
    }

    #[test]
    fn two_readings_are_none() {
        assert_eq!(with_digits("32-28"), None);
        let start = Position::start(crate::rules::Variant::INTERNATIONAL);
        let numbering = Numbering::for_variant(start.variant());
        assert_eq!(moves_in("32-28", &start, numbering).len(), 1);
        assert!(moves_in("see page 12", &start, numbering).is_empty());
    }
}
