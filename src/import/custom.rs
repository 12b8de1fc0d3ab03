//! Games as people write them by custom, decided by the rules: replies in parentheses, and lists of lines from the start.
//!
//! The places are found by the text alone, and most games have none. Then the variants play the game: what can be played as it is
//! written stays as it is.

use super::RecordContents;
use crate::board::Side;
use crate::diag::{Code, Diagnostic, Span, messages};
use crate::notation::{GameType, Numbering, parse_fen, readings};
use crate::pdn::{
    Attachment, GameTree, LineId, MoveText, Node, NodeId, NodeKind, Parsed, ReadAs, WrittenNumber, games_as, only_move,
};
use crate::rules::{Move, Position, Variant};
use crate::text::whitespace::{is_blank, is_line_end, is_space};

/// Maximum number of positions that a game may have reached, if its moves are ambiguous.
const MAX_POSITIONS: usize = 64;

/// Plies that a line from move 1 plays from the start, or all of a shorter one, to be a game.
const PLIES: usize = 4;

/// Maximum length in bytes of a text in parentheses that may be a reply with a remark.
const LONGEST_REMARK: usize = 120;

/// Nodes of a game that all variants play: the best of them plays the rest of a long list.
const SAMPLE: usize = 400;

/// Returns the games that a game read from `bytes` consists of, and the texts between them; `None` if it is one and stays as it is.
pub(super) fn arranged(game: &Parsed, bytes: &[u8]) -> Option<RecordContents> {
    let tree = game.tree();
    let text = &bytes[game.offset()..][..tree.byte_len() as usize];
    if counts_moves(tree, text) {
        return None;
    }
    let places = Places::of(tree, text);
    if places.is_empty() {
        return None;
    }
    let found = places.decide()?;
    if found.starts.is_empty() {
        let mut game = game.clone();
        move_replies(&mut game, text, &found.replies);
        return Some(RecordContents { games: vec![game], outside: Vec::new() });
    }
    let (mut parts, mut end) = (Vec::new(), text.len());
    for &n in found.starts.iter().rev() {
        // Text above the first move that reads as a game stays with the moves before it.
        let starts = [start_of(tree, text, n), head_of(tree, text, n).start];
        let last = starts.into_iter().find_map(|start| Some((start, part(game, &text[start..end], true)?)))?;
        end = last.0;
        parts.push(last);
    }
    parts.push((0, part(game, &text[..end], false)?));
    let mut contents = RecordContents::default();
    for (start, part) in parts.into_iter().rev() {
        contents.append_at(game.offset() + start, part);
    }
    note_ends(game, &mut contents.games);
    Some(contents)
}

/// Returns true if the moves are numbered in pairs from the first one on, as in nearly all games: then no reply is missing among
/// them, and none starts again. Without tags, pairs on separate lines may be a list.
fn counts_moves(tree: &GameTree, text: &[u8]) -> bool {
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
        && !(tree.tags().is_empty() && head_of(tree, text, first + 2).is_first)
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

/// Returns where a game begins in the text: with the text above its first move. Text below the moves before it, and above an empty line,
/// is about those.
fn start_of(tree: &GameTree, text: &[u8], n: usize) -> usize {
    let start = head_of(tree, text, n).start;
    let before = tree.node(tree.main_line().nodes()[n - 1]);
    let from = (before.span().end as usize).min(start);
    let mut between = text[from..start].to_vec();
    let within = |at: u32| (at as usize).clamp(from, start) - from;
    // Lines end neither inside a comment or parentheses nor before a variation.
    for item in before.attachments() {
        let (start, end) = match item {
            Attachment::Comment { span, .. } => (span.start, span.end),
            Attachment::Stray { span, .. } if text[span.range()].starts_with(b"(") => (span.start, span.end),
            Attachment::Variation(line) => (0, tree.line(*line).span().end),
            _ => continue,
        };
        between[within(start)..within(end)].fill(b'_');
    }
    let (mut at, mut line) = (0, None);
    while let Some(end) = between[at..].iter().position(|&byte| is_line_end(byte)).map(|end| at + end) {
        let after = end + if between[end..].starts_with(b"\r\n") { 2 } else { 1 };
        at = after + between[after..].iter().take_while(|&&byte| is_blank(byte)).count();
        if between[after..at].iter().any(|&byte| is_line_end(byte)) {
            return from + at;
        }
        line = line.or(Some(at));
    }
    line.map_or(start, |line| from + line)
}

/// The places of a game that the rules decide.
struct Places<'a> {
    tree: &'a GameTree,
    text: &'a [u8],
    nodes: &'a [NodeId],
    /// The indices of the moves where a game may begin.
    starts: Vec<usize>,
    /// True if move 1 is written at each of them.
    are_ones: bool,
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

/// Which lines are games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Each that has several moves or begins with move 1.
    EachLine,
    /// Those of them that cannot be played after the line before and fit the starting position.
    WhereNeeded,
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
    /// Lines, with the first one, that are games and fit the starting position.
    fitting: usize,
}

impl<'a> Places<'a> {
    fn of(tree: &'a GameTree, text: &'a [u8]) -> Self {
        let nodes = tree.main_line().nodes();
        let is_set_up = tree.tags().iter().any(|tag| tag.name().eq_ignore_ascii_case("FEN"));
        let has_setups = nodes.iter().any(|&id| matches!(tree.node(id).kind(), NodeKind::Setup { .. }));
        let (starts, are_ones) = if is_set_up || has_setups { (Vec::new(), false) } else { starts(tree, text) };
        let has_replies = !has_setups && nodes.iter().any(|&id| reply(tree, text, id).is_some());
        Self { tree, text, nodes, starts, are_ones, has_replies }
    }

    const fn is_empty(&self) -> bool {
        self.starts.is_empty() && !self.has_replies
    }

    /// Returns what the best variant makes of the game, unless one plays it as it is written.
    fn decide(&self) -> Option<Playing> {
        let sample = self.nodes.len().min(SAMPLE);
        let mut tried = Vec::new();
        for (variant, numbering) in variants(self.tree) {
            let Some(player) = Player::new(self, variant, numbering) else { continue };
            let whole = player.play_whole(sample);
            if whole.failed == 0 && whole.replies.is_empty() {
                return None;
            }
            tried.push((player, whole));
        }
        let results = tried.into_iter().map(|(player, whole)| (player.play(sample, whole), player));
        // The first of the best.
        let (found, player) = results.rev().max_by_key(|(found, _)| found.played)?;
        let all = self.nodes.len();
        let found = if sample < all { player.play(all, player.play_whole(all)) } else { found };
        (!found.starts.is_empty() || !found.replies.is_empty()).then_some(found)
    }
}

/// Returns the places where a game may begin, and true if move 1 is written there, wherever lines are broken; else, they are the first
/// moves of lines in a list that have no numbers or only the first of which is numbered.
fn starts(tree: &GameTree, text: &[u8]) -> (Vec<usize>, bool) {
    let nodes = tree.main_line().nodes();
    let number = |n: usize| tree.node(nodes[n]).number().map(WrittenNumber::value);
    let is_move = |n: usize| tree.node(nodes[n]).move_text().is_some();
    let is_one = |n: usize| tree.node(nodes[n]).number() == Some(WrittenNumber::new(1, 1));
    let ones: Vec<_> = (1..nodes.len()).filter(|&n| is_one(n) && is_move(n)).collect();
    if !ones.is_empty() {
        return (ones, true);
    }
    let is_first = |n: usize| is_move(n) && head_of(tree, text, n).is_first;
    let lines: Vec<usize> = (1..nodes.len()).filter(|&n| is_first(n)).collect();
    let numbered: Vec<_> = (0..nodes.len()).filter_map(number).collect();
    // `01 32-28 18-23`, `02 32-28 17-21`: the first line may have lost its number to the text before the game. One number alone, at
    // the start of a line, need not be that of a line.
    let has_first = || number(0).is_some() || numbered.len() > 1 || numbered == [2];
    let all_lines = || [0].iter().chain(&lines).filter_map(|&n| number(n)).count() == numbered.len();
    // Part of a list may have been copied; below tags, it may be part of a game.
    let gap = if tree.tags().is_empty() { u32::MAX } else { 1 };
    let rises = |pair: &[u32]| pair[1].checked_sub(pair[0]).is_some_and(|step| (1..=gap).contains(&step));
    let is_counted = numbered.windows(2).all(rises) && all_lines() && has_first();
    let is_list = numbered.is_empty() || is_counted && lines.iter().all(|&n| number(n).is_some());
    (if is_list { lines } else { Vec::new() }, false)
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

    /// Plays the first nodes as one game.
    fn play_whole(&self, end: usize) -> Playing {
        let mut whole = Playing::default();
        self.run(self.beginning(), 0..end, &mut whole);
        whole
    }

    /// Plays the first nodes as a list of lines from the start, and as games of which some have several lines. Returns the first of
    /// `whole`, which plays them as one game, and these that plays the most moves.
    fn play(&self, end: usize, whole: Playing) -> Playing {
        let Places { tree, starts, are_ones, .. } = self.places;
        let lines = 1 + starts.iter().filter(|&&n| n < end).count();
        let mut best = whole;
        for reading in [Reading::EachLine, Reading::WhereNeeded] {
            if best.failed == 0 || lines == 1 {
                break;
            }
            let found = self.play_lines(end, reading);
            // Lines are games if that explains every move, or nearly all of them fit and no tags are those of one game: a long game
            // without numbers is wrapped somewhere. Wherever move 1 fits the starting position, a game begins.
            let are_games = found.failed == 0
                || tree.tags().is_empty() && 4 * found.fitting >= 3 * lines
                || *are_ones && reading == Reading::WhereNeeded;
            if are_games && found.played > best.played {
                best = found;
            }
        }
        best
    }

    /// Plays the lines of the first nodes.
    fn play_lines(&self, end: usize, reading: Reading) -> Playing {
        let Places { starts, are_ones, .. } = self.places;
        let lines = || [0].iter().chain(starts).copied().take_while(|&start| start < end);
        let mut found = Playing::default();
        let beginning = self.beginning();
        let mut positions = Vec::new();
        for (start, end) in lines().zip(lines().skip(1).chain([end])) {
            let may_begin = *are_ones || end - start > 1;
            let begins = start == 0 || may_begin && reading == Reading::EachLine;
            let mut line = Playing::default();
            if !begins {
                positions = self.run(positions, start..end, &mut line);
            }
            if begins || may_begin && line.failed > 0 {
                let mut anew = Playing::default();
                let after = self.run(beginning.clone(), start..end, &mut anew);
                // Move 1 may begin a line with a slip in it; any other line has to fit as it is.
                let fits = if *are_ones { anew.lead >= (end - start).min(PLIES) } else { anew.failed == 0 };
                if begins || fits {
                    (positions, line) = (after, anew);
                    found.starts.extend((start > 0).then_some(start));
                    found.fitting += usize::from(fits);
                }
            }
            found.add(line);
        }
        found
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

/// Reads a part of a game as a game, and the text above it; `None` if it is not exactly one.
fn part(whole: &Parsed, bytes: &[u8], is_new: bool) -> Option<RecordContents> {
    let read_as = ReadAs { always: Some(whole.tree().encoding()), ..ReadAs::default() };
    let mut games = games_as(bytes, read_as);
    let mut game = games.next()?;
    if games.next().is_some() {
        return None;
    }
    if is_new {
        let first = game.tree().main_line().nodes().first().map(|&id| game.tree().node(id).span())?;
        game.add_sorted(messages::new_game(first));
    }
    // A list that is too long for one tree goes on in its last part.
    let mut found = arranged(&game, bytes).unwrap_or_else(|| RecordContents { games: vec![game], outside: Vec::new() });
    found.outside.splice(..0, games.take_outside());
    Some(found)
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
    use super::super::{Records, games};

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
            "001. 32-28 18-23 34-30\n002. 32-28 17-21 37-32\n010. 31-27 19-23\n",
            "Roozenburg\n1. 32-28 18-23 2. 34-30\n\nSpringer\n1. 32-28 17-21 2. 37-32\n\nKeller\n1. 31-27 19-23\n",
            "[Event \"Openings\"]\n\n32-28 18-23 34-30\n32-28 17-21 37-32\n31-27 19-23\n",
            "[Event \"Openings\"]\n\n01 32-28 18-23 34-30\n02 32-28 17-21 37-32\n03 31-27 19-23\n",
        ] {
            assert_eq!(moves(text), three, "{text:?}");
        }
    }

    #[test]
    fn lines_of_a_list_are_games_even_if_they_go_on() {
        let four = ["32-28 18-23", "32-28 17-21", "31-27 19-23", "34-30 20-25"];
        for text in [
            "32-28 18-23\n32-28 17-21\n31-27 19-23\n34-30 20-25\n",
            "1. 32-28 18-23\n1. 32-28 17-21\n1. 31-27 19-23\n1. 34-30 20-25\n",
            "01. 32-28 18-23\n02. 32-28 17-21\n03. 31-27 19-23\n04. 34-30 20-25\n",
            "1) 32-28 18-23\r\n3) 32-28 17-21\r\n5) 31-27 19-23\r\n6) 34-30 20-25\r\n",
        ] {
            assert_eq!(moves(text), four, "{text:?}");
        }
        let slip = "32-28 18-23 34-30\n32-28 17-21 99-32\n32-28 19-23 28x19\n31-27 17-21 37-31\n";
        assert_eq!(moves(slip)[1..3], ["32-28 17-21 99-32", "32-28 19-23 28x19"]);
    }

    #[test]
    fn headings_belong_to_the_game_below() {
        for (heading, before) in [
            ("\n\nSpringer\n", false),
            ("\nSpringer\n", false),
            ("\r\n\r\nSpringer\r\n\r\n", false),
            ("\n\nSpringer ", false),
            (" {long\n\nline}\n{Springer}\n", false),
            ("\n(34-29)\nSpringer\n", false),
            (" (or 40-34\nSpringer)\n", true),
            ("\nSpringer stands better.\n\n", true),
            (" Springer\n", true),
        ] {
            let text = format!("1. 32-28 18-23 2. 34-30{heading}1. 32-28 17-21 2. 37-32\n");
            let mut read = games(text.as_bytes());
            let ends: Vec<usize> = read.by_ref().map(|game| game.offset() + game.tree().byte_len() as usize).collect();
            let is_before = ends[0] > text.find("Springer").expect("the heading");
            assert_eq!((ends.len(), is_before), (2, before), "{text:?}: {ends:?}");
        }
    }

    #[test]
    fn the_rest_of_a_list_is_read_from_its_place() {
        let text = b"1. 32-28 18-23 2. 34-30\n\n; Springer\n1. 32-28 17-21 2. 37-32\n\n; Keller\n1. 31-27 19-23\n";
        let mut read = games(text);
        read.next().expect("a game");
        let place = read.place().expect("a place in a list");
        let offsets: Vec<usize> = read.map(|game| game.offset()).collect();
        let again: Vec<usize> = Records::from_place(text, &place).map(|game| game.offset()).collect();
        assert_eq!((offsets.len(), again), (2, offsets));
    }

    #[test]
    fn what_can_be_played_as_one_game_is_one() {
        for text in [
            // Replies in a column, without tags and below them.
            "1. 32-28 (19-23)\n2. 28x19 (14x23)\n3. 37-32 (10-14)\n4. 41-37\n",
            "[GameType \"20\"]\n\n1. 32-28 (19-23)\n2. 28x19 (14x23)\n3. 37-32 (10-14)\n4. 41-37\n",
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
