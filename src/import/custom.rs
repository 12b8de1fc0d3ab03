//! Games as people write them by custom, decided by the rules: replies in parentheses, and lists of lines from the start.
//!
//! The places are found by the text alone, and most games have none. Then the variants play the game: what can be played as it is
//! written stays as it is.

use crate::board::Side;
use crate::diag::{Code, Diagnostic, Span, messages};
use crate::notation::{GameType, Numbering, parse_fen, readings};
use crate::pdn::{
    Attachment, GameTree, LineId, MoveText, Node, NodeId, NodeKind, Parsed, ReadAs, WrittenNumber, games_as, only_move,
};
use crate::rules::{Move, Position, Variant};
use crate::text::whitespace::{is_line_end, is_space};

/// Maximum number of positions that a game may have reached, if its moves are ambiguous.
const MAX_POSITIONS: usize = 64;

/// Plies that a line from move 1 plays from the start, or all of a shorter one, to be a game.
const PLIES: usize = 4;

/// Maximum length in bytes of a text in parentheses that may be a reply with a remark.
const LONGEST_REMARK: usize = 120;

/// Nodes of a game that all variants play: the best of them plays the rest of a long list.
const SAMPLE: usize = 400;

/// Returns the games that a game read from `bytes` consists of; `None` if it is one and stays as it is.
pub(super) fn arranged(game: &Parsed, bytes: &[u8]) -> Option<Vec<Parsed>> {
    let tree = game.tree();
    if counts_moves(tree) {
        return None;
    }
    let text = &bytes[game.offset()..][..tree.byte_len() as usize];
    let places = Places::of(tree, text);
    if places.is_empty() {
        return None;
    }
    let found = places.decide()?;
    if found.starts.is_empty() {
        let mut game = game.clone();
        move_replies(&mut game, text, &found.replies);
        return Some(vec![game]);
    }
    let mut games = Vec::new();
    let starts: Vec<usize> = found.starts.iter().map(|&n| head_of(tree, text, n).start).collect();
    for (n, &start) in [0].iter().chain(&starts).enumerate() {
        let end = starts.get(n).copied().unwrap_or(text.len());
        games.extend(part(game, text, start..end)?);
    }
    note_ends(game, &mut games);
    Some(games)
}

/// Returns true if the moves are numbered in pairs from the first one on, as in nearly all games: then no reply is missing among
/// them, and none starts again.
fn counts_moves(tree: &GameTree) -> bool {
    let nodes = tree.main_line().nodes();
    let number = |n: usize| Some((n, tree.node(nodes[n]).number()?));
    let first = (0..nodes.len().min(2)).find_map(number);
    let last = (0..nodes.len()).rev().take(2).find_map(number);
    let (Some((first, low)), Some((last, high))) = (first, last) else { return nodes.len() < 2 };
    let pairs = (last - first) / 2;
    // A move before move 1 may be a game.
    let is_first = first == 0 || low.value() > 1;
    is_first
        && first < last
        && (last - first).is_multiple_of(2)
        && u64::from(low.value()) + pairs as u64 == u64::from(high.value())
}

/// The beginning of a move with its number.
struct Head {
    /// The first byte of the number, or of a move without one.
    start: usize,
    /// True if the move, with its number, is the first on its line.
    is_first: bool,
}

/// Returns the beginning of a move, after the one before it.
fn head_of(tree: &GameTree, text: &[u8], n: usize) -> Head {
    let nodes = tree.main_line().nodes();
    let at = tree.node(nodes[n]).span().start as usize;
    let after = n.checked_sub(1).map_or(0, |before| tree.node(nodes[before]).span().end as usize);
    // No further back than the move before: a game of 100,000 moves may be one line.
    let from = after.saturating_sub(1).min(at);
    let line_end = text[from..at].iter().rposition(|&byte| is_line_end(byte));
    let line = line_end.map(|end| from + end + 1).or((n == 0).then_some(0));
    // `3228 1823` has nothing but digits before its second move, which is not the first on its line.
    let floor = line.unwrap_or(after).max(after).min(at);
    let before = |end: usize, is_part: fn(u8) -> bool| {
        end - text[floor..end].iter().rev().take_while(|&&byte| is_part(byte)).count()
    };
    let mut begun = before(at, |byte| is_space(byte) || b".):".contains(&byte));
    if tree.node(nodes[n]).number().is_some() {
        begun = before(before(begun, |byte| byte.is_ascii_digit()), is_space);
    }
    let start = begun + text[begun..at].iter().take_while(|&&byte| is_space(byte)).count();
    Head { start, is_first: line.is_some_and(|line| begun == line && line >= after) }
}

/// The places of a game that the rules decide.
struct Places<'a> {
    tree: &'a GameTree,
    text: &'a [u8],
    nodes: &'a [NodeId],
    /// The indices of the moves where a game may begin, and true if move 1 is written there.
    starts: Vec<(usize, bool)>,
    /// True if a move is followed by parentheses with one move.
    has_replies: bool,
}

/// Where a reply is written.
#[derive(Clone, Copy, Debug)]
enum ReplyPlace {
    /// In a variation.
    Line(LineId),
    /// In a text in parentheses, which is the attachment of the move before it with this index.
    Text(usize),
}

/// How a variant plays a game.
#[derive(Clone, Debug, Default)]
struct Playing {
    /// The indices of the moves where another game begins.
    starts: Vec<usize>,
    /// The replies, and the moves that they follow.
    replies: Vec<(NodeId, ReplyPlace)>,
    /// Moves that can be played, with the replies.
    played: usize,
    /// Moves that can be played before the first that cannot.
    lead: usize,
    /// Moves that cannot be played.
    failed: usize,
}

impl<'a> Places<'a> {
    fn of(tree: &'a GameTree, text: &'a [u8]) -> Self {
        let nodes = tree.main_line().nodes();
        let is_set_up = tree.tags().iter().any(|tag| tag.name().eq_ignore_ascii_case("FEN"));
        let has_setups = nodes.iter().any(|&id| matches!(tree.node(id).kind(), NodeKind::Setup { .. }));
        let starts = if is_set_up || has_setups { Vec::new() } else { starts(tree, text) };
        let has_replies = !has_setups && nodes.iter().any(|&id| reply(tree, text, id).is_some());
        Self { tree, text, nodes, starts, has_replies }
    }

    const fn is_empty(&self) -> bool {
        self.starts.is_empty() && !self.has_replies
    }

    /// Returns what the best variant makes of the game, unless one plays it as it is written.
    fn decide(&self) -> Option<Playing> {
        let sample = self.nodes.len().min(SAMPLE);
        let mut best: Option<(Playing, Player<'_>)> = None;
        for (variant, numbering) in variants(self.tree) {
            let Some(player) = Player::new(self, variant, numbering) else { continue };
            let found = player.play(sample);
            if found.failed == 0 && found.starts.is_empty() && found.replies.is_empty() {
                return None;
            }
            if best.as_ref().is_none_or(|(most, _)| found.played > most.played) {
                best = Some((found, player));
            }
        }
        let (found, player) = best?;
        let found = if sample < self.nodes.len() { player.play(self.nodes.len()) } else { found };
        (!found.starts.is_empty() || !found.replies.is_empty()).then_some(found)
    }
}

/// Returns the places where a game may begin: move 1, wherever lines are broken, and the first moves of lines in a list that have no
/// numbers or only the first of which is numbered.
fn starts(tree: &GameTree, text: &[u8]) -> Vec<(usize, bool)> {
    let nodes = tree.main_line().nodes();
    let number = |n: usize| tree.node(nodes[n]).number().map(WrittenNumber::value);
    let is_move = |n: usize| tree.node(nodes[n]).move_text().is_some();
    let is_one = |n: usize| tree.node(nodes[n]).number() == Some(WrittenNumber::new(1, 1));
    let ones: Vec<_> = (1..nodes.len()).filter(|&n| is_one(n) && is_move(n)).map(|n| (n, true)).collect();
    if !ones.is_empty() {
        return ones;
    }
    let is_first = |n: usize| is_move(n) && head_of(tree, text, n).is_first;
    let lines: Vec<usize> = (1..nodes.len()).filter(|&n| is_first(n)).collect();
    let numbered: Vec<_> = (0..nodes.len()).filter_map(number).collect();
    // `01 32-28 18-23`, `02 32-28 17-21`: the first line may have lost its number to the text before the game. One number alone, at
    // the start of a line, need not be that of a line.
    let has_first = || number(0).is_some() || numbered.len() > 1 || numbered == [2];
    let all_lines = || [0].iter().chain(&lines).filter_map(|&n| number(n)).count() == numbered.len();
    // A number that is too large is `u32::MAX`, to which nothing can be added.
    let is_counted = numbered.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1)) && all_lines() && has_first();
    if numbered.is_empty() || is_counted && lines.iter().all(|&n| number(n).is_some()) {
        return lines.into_iter().map(|n| (n, false)).collect();
    }
    Vec::new()
}

/// Returns the only move in parentheses after a node, if there is exactly one: as a variation, perhaps with dots before it, or in a
/// text.
fn reply(tree: &GameTree, text: &[u8], id: NodeId) -> Option<(ReplyPlace, MoveText)> {
    let are_dots = |id: NodeId| {
        let node = tree.node(id);
        *node.kind() == NodeKind::Ellipsis && node.attachments().iter().all(|item| item.variation().is_none())
    };
    let of_line = |line: LineId| match *tree.line(line).nodes() {
        [only] => tree.node(only).move_text().cloned(),
        [dots, only] if are_dots(dots) => tree.node(only).move_text().cloned(),
        _ => None,
    };
    let mut found = tree.node(id).attachments().iter().enumerate().filter_map(|(n, item)| match item {
        Attachment::Variation(line) => Some((ReplyPlace::Line(*line), of_line(*line)?)),
        Attachment::Stray { span, .. } => Some((ReplyPlace::Text(n), spoken(&text[span.range()])?.1)),
        _ => None,
    });
    found.next().filter(|_| found.next().is_none())
}

/// Returns the only move in a text in parentheses, and where it is: `(gedw. 23x34)`.
fn spoken(text: &[u8]) -> Option<(std::ops::Range<usize>, MoveText)> {
    let is_whole = text.starts_with(b"(") && text.ends_with(b")") && text.len() <= LONGEST_REMARK;
    is_whole.then(|| only_move(text)).flatten()
}

/// Returns the variant of the GameType, or else all variants, and their names of squares.
fn variants(tree: &GameTree) -> Vec<(Variant, Numbering)> {
    let tag = tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("GameType"));
    let game_type = tag.and_then(|tag| tag.value().parse::<GameType>().ok());
    let tagged = game_type.and_then(|game_type| {
        let variant = game_type.variant()?;
        let own = Numbering::for_variant(variant);
        Some((variant, game_type.numbering(own, variant.starts()).unwrap_or(own)))
    });
    let of = |&variant: &Variant| (variant, Numbering::for_variant(variant));
    tagged.map_or_else(|| Variant::ALL.iter().map(of).collect(), |tagged| vec![tagged])
}

/// Plays a game by the rules of one variant.
struct Player<'a> {
    places: &'a Places<'a>,
    numbering: Numbering,
    start: Vec<Position>,
}

impl<'a> Player<'a> {
    fn new(places: &'a Places<'a>, variant: Variant, numbering: Numbering) -> Option<Self> {
        let tag = places.tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("FEN"));
        let start = match tag.map(|tag| tag.value().trim()).filter(|value| !matches!(*value, "" | "?" | "-")) {
            None => vec![Position::start(variant)],
            Some(fen) => {
                let setup = parse_fen(fen, numbering).ok()?;
                let sides = setup.turn().map_or_else(|| Side::ALL.to_vec(), |side| vec![side]);
                let with = |side| crate::rules::Setup::new(Some(side), setup.pieces().iter().copied());
                let position = |side| Some(Position::from_setup(variant, &with(side)).ok()?.0);
                sides.into_iter().filter_map(position).collect()
            }
        };
        (!start.is_empty()).then_some(Self { places, numbering, start })
    }

    /// Plays the first nodes.
    fn play(&self, end: usize) -> Playing {
        let starts: Vec<_> = self.places.starts.iter().filter(|(n, _)| *n < end).collect();
        let mut found = Playing::default();
        let beginning = self.beginning();
        let mut positions = self.run(beginning.clone(), 0..self.next_start(0, end), &mut found);
        for &&(n, is_one) in &starts {
            let range = n..self.next_start(n, end);
            let (mut on, mut again) = (Playing::default(), Playing::default());
            let here = self.run(positions, range.clone(), &mut on);
            if on.failed == 0 {
                positions = here;
                found.add(on);
                continue;
            }
            let there = self.run(beginning.clone(), range.clone(), &mut again);
            // Move 1 may begin a line with a slip in it; any other line has to fit as it is.
            let begins =
                if is_one { again.lead >= range.len().min(PLIES) } else { again.failed == 0 && range.len() > 1 };
            positions = if begins { there } else { Vec::new() };
            found.starts.extend(begins.then_some(n));
            found.add(if begins { again } else { on });
        }
        // Lines without numbers are games if that explains every move, or nearly all of several begin anew and no tags are those of
        // one game: a long game without numbers is wrapped somewhere.
        let is_several = starts.len() > 1 && self.places.tree.tags().is_empty();
        let begin_anew = || is_several && 4 * found.starts.len() >= 3 * starts.len();
        let is_list = starts.iter().all(|(_, is_one)| *is_one) || found.failed == 0 || begin_anew();
        if is_list { found } else { Playing { starts: Vec::new(), ..found } }
    }

    fn next_start(&self, n: usize, end: usize) -> usize {
        self.places.starts.iter().map(|&(start, _)| start).find(|&start| start > n).map_or(end, |start| start.min(end))
    }

    /// Returns the positions at the start of a game; the other side moves if only that fits the first move.
    fn beginning(&self) -> Vec<Position> {
        let first = self.places.nodes.first().map(|&id| self.places.tree.node(id));
        let Some(text) = first.and_then(Node::move_text) else { return self.start.clone() };
        let turned: Vec<_> = self.start.iter().map(Position::pass).collect();
        if self.after(&self.start, text).is_empty() && !self.after(&turned, text).is_empty() {
            return turned;
        }
        self.start.clone()
    }

    /// Plays nodes from positions, and returns those that they lead to.
    fn run(&self, mut positions: Vec<Position>, range: std::ops::Range<usize>, found: &mut Playing) -> Vec<Position> {
        let Places { tree, text, nodes, .. } = self.places;
        for n in range.clone() {
            let written = match tree.node(nodes[n]).kind() {
                NodeKind::Move(text) => text,
                NodeKind::Null => {
                    positions = positions.iter().map(Position::pass).collect();
                    continue;
                }
                NodeKind::Ellipsis | NodeKind::Setup { .. } => continue,
            };
            let after = self.after(&positions, written);
            found.played += usize::from(!after.is_empty());
            found.failed += usize::from(after.is_empty());
            found.lead += usize::from(found.failed == 0);
            let next = range.contains(&(n + 1)).then(|| tree.node(nodes[n + 1]).kind());
            let replied = reply(tree, text, nodes[n]).and_then(|(place, reply)| {
                let replied = self.replied((&positions, &after), &reply, next, !found.replies.is_empty())?;
                found.replies.push((nodes[n], place));
                found.played += 1;
                Some(replied)
            });
            positions = replied.unwrap_or(after);
        }
        positions
    }

    /// Returns the positions after a move in parentheses if it is a reply: it continues after the move before it and cannot
    /// replace it, and the next move can be played only after it. At the end of a game that has other replies, nothing follows.
    fn replied(
        &self,
        (before, after): (&[Position], &[Position]),
        reply: &MoveText,
        next: Option<&NodeKind>,
        has_others: bool,
    ) -> Option<Vec<Position>> {
        let replied = self.after(after, reply);
        if replied.is_empty() || !self.after(before, reply).is_empty() {
            return None;
        }
        let is_reply = match next {
            None => has_others,
            Some(NodeKind::Move(next)) => self.after(after, next).is_empty() && !self.after(&replied, next).is_empty(),
            Some(_) => false,
        };
        is_reply.then_some(replied)
    }

    /// Returns the positions after a move; none if it is not legal.
    fn after(&self, positions: &[Position], text: &MoveText) -> Vec<Position> {
        if let ([position], Some(after)) = (positions, positions.first().and_then(|before| self.only(before, text))) {
            debug_assert!(after.turn() != position.turn(), "a move passes the turn");
            return vec![after];
        }
        let mut next: Vec<Position> = Vec::new();
        for position in positions {
            for played in readings(position, text, self.numbering).moves() {
                let after = position.play_unchecked(played);
                if next.len() < MAX_POSITIONS && !next.contains(&after) {
                    next.push(after);
                }
            }
        }
        next
    }

    /// Plays the move between two squares if exactly one is legal, which takes a fraction of the time.
    fn only(&self, before: &Position, text: &MoveText) -> Option<Position> {
        let &[from, to] = text.squares() else { return None };
        let ends = self.numbering.parse(from).zip(self.numbering.parse(to)).filter(|_| text.captured().is_empty());
        let (mut after, (from, to)) = (*before, ends?);
        before.play_only_into(from, to, &mut after, &mut Move::NONE.clone()).then_some(after)
    }
}

impl Playing {
    fn add(&mut self, other: Self) {
        self.replies.extend(other.replies);
        self.played += other.played;
        self.failed += other.failed;
    }
}

/// Puts replies into the main line after the moves that they follow, with what follows them.
fn move_replies(game: &mut Parsed, text: &[u8], replies: &[(NodeId, ReplyPlace)]) {
    let tree = game.tree_mut();
    let mut first = None;
    for &(id, place) in replies {
        let mut after = tree.node_mut(id).take_attachments();
        let index = match place {
            ReplyPlace::Line(line) => after.iter().position(|item| item.variation() == Some(line)),
            ReplyPlace::Text(index) => Some(index),
        };
        let rest = after.split_off(index.unwrap_or(after.len()));
        let taken = match place {
            ReplyPlace::Line(line) => take_line(tree, line, &mut after),
            ReplyPlace::Text(_) => rest.first().and_then(|item| take_spoken(tree, text, item, &mut after)),
        };
        *tree.node_mut(id).attachments_mut() = after;
        let Some((moved, span)) = taken else { continue };
        first.get_or_insert(span);
        tree.node_mut(moved).attachments_mut().extend(rest.into_iter().skip(1));
        let nodes = tree.line_mut(LineId::MAIN).nodes_mut();
        let at = nodes.iter().position(|&node| node == id).map_or(nodes.len(), |at| at + 1);
        nodes.insert(at, moved);
    }
    game.add_sorted(messages::replies(first.unwrap_or_default(), replies.len()));
}

/// Removes the move of a variation from it, adds what is before it to a list, and returns the move and the place of the variation.
fn take_line(tree: &mut GameTree, line: LineId, before: &mut Vec<Attachment>) -> Option<(NodeId, Span)> {
    let span = tree.line(line).span();
    before.append(tree.line_mut(line).intro_mut());
    let nodes = std::mem::take(tree.line_mut(line).nodes_mut());
    let (&moved, dots) = nodes.split_last()?;
    for &dots in dots {
        before.append(&mut tree.node_mut(dots).take_attachments());
    }
    Some((moved, span))
}

/// Makes a move of the only one in a text in parentheses, adds the words before it to a list, and those after it to the move.
/// Returns the move and the place of the text.
fn take_spoken(
    tree: &mut GameTree,
    text: &[u8],
    item: &Attachment,
    before: &mut Vec<Attachment>,
) -> Option<(NodeId, Span)> {
    let Attachment::Stray { span, .. } = item else { return None };
    let (range, played) = spoken(&text[span.range()])?;
    let at = |offset: usize| span.start + offset as u32;
    let encoding = tree.encoding();
    let words = |start: u32, end: u32| {
        let span = Span::new(start, end);
        let decoded = encoding.decode(&text[span.range()]);
        let words = decoded.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words.trim_matches(|sign: char| sign.is_whitespace() || "():,;".contains(sign)).to_owned();
        (!text.is_empty()).then_some((text, span))
    };
    let stray = |(text, span)| Attachment::Stray { text, span };
    before.extend(words(span.start, at(range.start)).map(stray));
    let mut node = Node::new(NodeKind::Move(played), Span::new(at(range.start), at(range.end)));
    match words(at(range.end), span.end) {
        Some((marks, _)) if marks.bytes().all(|byte| matches!(byte, b'!' | b'?')) => node.set_strength(Some(marks)),
        remark => node.attachments_mut().extend(remark.map(stray)),
    }
    Some((tree.add_node(node), *span))
}

/// Reads a part of a game as a game; `None` if it is not exactly one.
fn part(whole: &Parsed, text: &[u8], range: std::ops::Range<usize>) -> Option<Vec<Parsed>> {
    let read_as = ReadAs { always: Some(whole.tree().encoding()), ..ReadAs::default() };
    let bytes = &text[range.clone()];
    let mut games = games_as(bytes, read_as);
    let mut game = games.next()?;
    if games.next().is_some() {
        return None;
    }
    if range.start > 0 {
        let first = game.tree().main_line().nodes().first().map(|&id| game.tree().node(id).span())?;
        game.add_sorted(messages::new_game(first));
    }
    // A list that is too long for one tree goes on in its last part.
    let parts = arranged(&game, bytes).unwrap_or_else(|| vec![game]);
    let moved = |game: Parsed| {
        let offset = whole.offset() + range.start + game.offset();
        game.at(offset)
    };
    Some(parts.into_iter().map(moved).collect())
}

/// Keeps the diagnostics that depend on what is around a game: its encoding, and the end before the next one.
fn note_ends(whole: &Parsed, games: &mut [Parsed]) {
    let find = |code: Code| whole.diagnostics().iter().find(|found| found.code() == code).cloned();
    let moved = |mut found: Diagnostic, game: &Parsed| {
        let (from, span) = ((game.offset() - whole.offset()) as u32, found.span());
        found.set_span(Span::new(span.start.saturating_sub(from), span.end.saturating_sub(from)));
        found
    };
    if let Some(found) = find(Code::TAG_ENCODING) {
        let place = whole.offset() + found.span().start as usize;
        if let Some(game) = games.iter_mut().rfind(|game| game.offset() <= place) {
            let found = moved(found, game);
            game.add_sorted(found);
        }
    }
    if let (Some(last), Some(found)) = (games.last_mut(), find(Code::SYNTAX_MISSING_TERMINATOR)) {
        let found = moved(found, last);
        last.add_sorted(found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::games;

    fn moves(text: &str) -> Vec<String> {
        let line = |tree: &crate::pdn::GameTree| -> Vec<String> {
            tree.main_line()
                .nodes()
                .iter()
                .filter_map(|&id| tree.node(id).move_text().map(ToString::to_string))
                .collect()
        };
        games(text.as_bytes()).map(|game| line(game.tree()).join(" ")).collect()
    }

    #[test]
    fn replies_in_parentheses_are_moves() {
        let fen = "[GameType \"20\"]\n[FEN \"W:W28,32,33,38:B19,23,9,14\"]\n";
        for (text, expected) in [
            ("1. 33-29 (23x34) 2. 28-22 (34-40) 3. 22-17 *", "33-29 23x34 28-22 34-40 22-17"),
            ("33-29 (23x34 gedw.) 28-22 (34-40A) 22-17", "33-29 23x34 28-22 34-40 22-17"),
            ("1. 33-29 (...23x34) 2. 28-22 (... 34-40) 3. 22-17 *", "33-29 23x34 28-22 34-40 22-17"),
            ("1. 33-29 (1... 23x34) 2. 28-22 (… 34-40) *", "33-29 23x34 28-22 34-40"),
            ("1. 33-29 (1... 23x34) {good} 2. 28-22 (34-40) *", "33-29 23x34 28-22 34-40"),
            ("1. 33-29 (23x34) 28-22 *", "33-29 23x34 28-22"),
            ("1. 33-29 (gedw. 23x34) 2. 28-22 (34-40) 3. 22-17 *", "33-29 23x34 28-22 34-40 22-17"),
            ("1. 33-29 (Black must play 23x34!) 2. 28-22 (A: 34-40) *", "33-29 23x34 28-22 34-40"),
            ("1. 33-29 (1... gedw. 23x34) 2. 28-22 (34-40 - forced) *", "33-29 23x34 28-22 34-40"),
        ] {
            assert_eq!(moves(&format!("{fen}{text}")), [expected], "{text}");
        }
    }

    #[test]
    fn variations_stay_variations() {
        for (text, expected) in [
            ("1. 32-28 (18-23) 19-23 2. 28x19 *", "32-28 19-23 28x19"),
            ("1. 32-28 19-23 (18-23) 2. 28x19 14x23 (13x24) *", "32-28 19-23 28x19 14x23"),
            ("1. 32-28 (33-29) 2. 31-27 *", "32-28 31-27"),
            ("1. 32-28 (18-23) *", "32-28"),
            ("1. 32-28 (better 18-23) 19-23 2. 28x19 *", "32-28 19-23 28x19"),
            ("32-28 (better 18-23) 19-23 28x19 *", "32-28 19-23 28x19"),
        ] {
            assert_eq!(moves(text), [expected], "{text}");
        }
    }

    #[test]
    fn lines_from_the_start_are_games() {
        let three = ["32-28 18-23 34-30", "32-28 17-21 37-32", "31-27 19-23"];
        for text in [
            "1. 32-28 18-23 2. 34-30\n1. 32-28 17-21 2. 37-32\n1. 31-27 19-23\n",
            "1. 32-28 18-23 2. 34-30\r\n\r\n1. 32-28 17-21 2. 37-32\r\n\r\n1. 31-27 19-23\r\n",
            "32-28 18-23 34-30\n32-28 17-21 37-32\n31-27 19-23\n",
            "01 32-28 18-23 34-30\n02 32-28 17-21 37-32\n03 31-27 19-23\n",
            "1. 32-28 18-23 34-30\n2. 32-28 17-21 37-32\n3. 31-27 19-23\n",
            "[Event \"Openings\"]\n\n32-28 18-23 34-30\n32-28 17-21 37-32\n31-27 19-23\n",
            "[Event \"Openings\"]\n\n01 32-28 18-23 34-30\n02 32-28 17-21 37-32\n03 31-27 19-23\n",
        ] {
            assert_eq!(moves(text), three, "{text:?}");
        }
    }

    #[test]
    fn what_can_be_played_as_one_game_is_one() {
        for text in [
            "32-28 19-23\n28x19 14x23\n37-32",
            "1. 32-28 19-23\n2. 28x19 14x23\n3. 37-32 *",
            "1. 32-28 19-23\n1. 28x19 14x23 *",
            // A game whose second line has no number is no list of numbered lines.
            "1. 47x36 <42, 29>\n32-28 19-23 -! *",
            "[White \"A\"]\n32-28 19-23\n28x19 14x23\n32-28 17-21\n37-33 *",
        ] {
            assert_eq!(moves(text).len(), 1, "{text:?}");
        }
    }
}
