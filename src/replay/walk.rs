//! Playing the lines of one game under one variant and numbering.

use std::rc::Rc;

use super::ahead::{BUDGET, Reach, look_ahead, null_side, with_turn};
use super::opening::Written;
use super::plies::{Plies, Ply};
use super::squares::SquareTable;
use crate::board::Side;
use crate::diag::{Collector, Diagnostic, Reason, Span, messages};
use crate::notation::{Deviation, Numbering, as_if_played, read_fen, readings, resolve};
use crate::pdn::{Attachment, GameTree, LineId, MoveText, Node, NodeId, NodeKind};
use crate::rules::{Move, Position, Variant, WrittenWay};

/// The state of a line between two moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// The position, while it is known.
    pub(super) position: Option<Position>,
    /// The side that moves next.
    pub(super) side: Side,
    /// Number of the next move.
    pub(super) number: u32,
}

impl Cursor {
    pub(super) fn at(position: Option<Position>, side: Side) -> Self {
        Self { position, side: position.map_or(side, |position| position.turn()), number: 1 }
    }

    /// Moves on after a written move.
    fn go_on(&mut self) {
        self.side = !self.side;
        self.number += 1;
    }

    /// Returns the ply that leads to another state.
    fn ply<'a>(&'a self, after: &'a Self, played: Option<&'a Move>) -> Ply<'a> {
        let (before, after) = (self.position.as_ref(), after.position.as_ref());
        Ply { number: self.number, side: self.side, before, after, played }
    }
}

/// The move that a text means.
#[derive(Clone, Copy, Debug)]
struct Found {
    played: Move,
    /// True if it is known that no other legal move has the same first and last square.
    has_unique_squares: bool,
}

/// How far a line could be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Moves written.
    pub(super) written: usize,
    /// Moves played.
    pub(super) played: usize,
    /// The last position known.
    pub(super) last: Option<Position>,
}

impl End {
    pub(super) const fn is_whole(&self) -> bool {
        self.played == self.written && self.last.is_some()
    }
}

/// A variation that is not played yet.
struct Job {
    line: LineId,
    /// Its start if it replaces the move before it.
    before: Cursor,
    /// Its start if it continues from there.
    after: Cursor,
}

/// Maximum number of positions that the moves after an illegal one may have reached.
const MAX_READINGS: usize = 16;

/// The purpose of playing a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Its plies and diagnostics.
    Replay,
    /// To find out whether all moves can be played: it ends at the first that cannot.
    Test,
}

/// The replay of a game so far.
pub(super) struct Walk<'a> {
    pub(super) tree: &'a GameTree,
    pub(super) game: &'a Written<'a>,
    pub(super) variant: Option<Variant>,
    pub(super) numbering: Numbering,
    pub(super) plies: Plies,
    pub(super) diagnostics: Collector,
    squares: Rc<SquareTable>,
    /// True if the first move belongs, unannounced, to the side that is not to move.
    pub(super) is_turned: bool,
    purpose: Purpose,
    /// True if the current variation is text that contains moves, about which nothing is reported.
    is_prose: bool,
    budget: u32,
    /// Variations found, the next one last: kept here and not on the stack, because they may be nested to any depth.
    jobs: Vec<Job>,
    /// Index in the current line up to which null moves are known to have a fitting continuation.
    nulls_until: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(game: &'a Written<'a>, variant: Option<Variant>, numbering: Numbering, purpose: Purpose) -> Self {
        let tree = game.tree;
        let nodes = if purpose == Purpose::Replay { tree.nodes().len() } else { 0 };
        Self {
            tree,
            game,
            variant,
            numbering,
            plies: Plies::of(nodes),
            diagnostics: Collector::default(),
            squares: SquareTable::of(numbering),
            is_turned: false,
            purpose,
            is_prose: false,
            budget: BUDGET,
            jobs: Vec::new(),
            nulls_until: 0,
        }
    }

    /// Reports a diagnostic, which is created only if it is kept.
    pub(super) fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.purpose == Purpose::Replay && !self.is_prose {
            self.diagnostics.push(diagnostic());
        }
    }

    /// Looks ahead in a line from several positions.
    pub(super) fn look_ahead(&mut self, rest: &[NodeId], starts: &[Position]) -> Reach {
        look_ahead(self.tree, rest, starts, self.numbering, &mut self.budget)
    }

    /// Plays all variations that were found, and those found in them.
    pub(super) fn play_variations(&mut self) {
        while let Some(job) = self.jobs.pop() {
            let start = self.start_of(&job);
            // One that was opened twice has no moves: the inner one takes its place.
            let after = if self.tree.line(job.line).nodes().is_empty() { job.after } else { start };
            // `(24-19 has its good points too)`: moves among words that cannot be played are words.
            self.is_prose = self.has_words(job.line) && !self.tested().play_line(job.line, start, after).is_whole();
            self.play_line(job.line, start, after);
            self.is_prose = false;
        }
    }

    fn has_words(&self, line: LineId) -> bool {
        let line = self.tree.line(line);
        let after = line.nodes().iter().flat_map(|&id| self.tree.node(id).attachments());
        line.intro().iter().chain(after).any(|item| matches!(item, Attachment::Stray { .. }))
    }

    /// Returns a walk that finds out whether moves can be played.
    fn tested(&self) -> Self {
        Walk::new(self.game, self.variant, self.numbering, Purpose::Test)
    }

    /// A variation replaces the move before it. If its first move fits only after that move, or its dots announce the other
    /// side, it continues from that move (`1. 32-28 (1... 19-23) 1... 18-23`). One that begins with a null move or a setup
    /// always replaces it.
    fn start_of(&mut self, job: &Job) -> Cursor {
        let nodes = self.tree.line(job.line).nodes();
        let first = nodes.iter().map(|&id| self.tree.node(id)).find(|node| !matches!(node.kind(), NodeKind::Ellipsis));
        let Some((text, span)) = first.and_then(|node| Some((node.move_text()?, node.span()))) else {
            return job.before;
        };
        let (Some(before), Some(after)) = (job.before.position, job.after.position) else { return job.before };
        let seconds = first.and_then(Node::number).is_some_and(|number| number.dots() >= 3);
        let announced = seconds && self.variant.is_some_and(|variant| job.before.side == variant.starts());
        if before == after || self.fits(&before, text) || !(announced || self.fits(&after, text)) {
            return job.before;
        }
        self.report(|| messages::variation_shifted(span));
        job.after
    }

    /// Plays a line as far as it can be played; variations before its first move start where it starts, or else at `after`.
    pub(super) fn play_line(&mut self, line: LineId, start: Cursor, after: Cursor) -> End {
        let tree = self.tree;
        let Some(numbering_line) = tree.lines().get(line.index()) else {
            return End { written: 0, played: 0, last: start.position };
        };
        let (intro, nodes) = (numbering_line.intro(), numbering_line.nodes());
        let mut cursor = start;
        let mut end = End { written: 0, played: 0, last: start.position };
        let first_job = self.jobs.len();
        self.nulls_until = 0;
        self.plies.begin_line();
        self.queue(intro, start, after);
        let ways = self.ways(nodes);
        let mut n = 0;
        loop {
            let run = self.play_run(&nodes[n..], ways.get(n..).unwrap_or_default(), &mut cursor);
            (end.written, end.played) = (end.written + run, end.played + run);
            n += run;
            let Some(&id) = nodes.get(n) else { break };
            let before = cursor;
            let found = self.play_node(nodes, n, &before, &mut cursor);
            if tree.node(id).kind().is_written_move() {
                end.written += 1;
                end.played += usize::from(cursor.position.is_some());
            }
            if cursor.position.is_none() {
                end.last = before.position.or(end.last);
            }
            match self.purpose {
                Purpose::Replay => {
                    let ply = before.ply(&cursor, found.as_ref().map(|found| &found.played));
                    self.plies.set(id, ply, found.is_some_and(|found| found.has_unique_squares));
                    let is_setup = matches!(tree.node(id).kind(), NodeKind::Setup { .. });
                    self.queue(tree.node(id).attachments(), if is_setup { cursor } else { before }, cursor);
                }
                Purpose::Test if end.played < end.written => break,
                Purpose::Test => {}
            }
            n += 1;
        }
        // The last job is played first, and diagnostics come in the order of the text.
        self.jobs[first_job..].reverse();
        end.last = cursor.position.or(end.last);
        end
    }

    /// Returns the first and last squares of the moves of a line, where only these are written. They are found at once, so that
    /// the moves between two others are played in one go.
    fn ways(&self, nodes: &[NodeId]) -> Vec<Option<WrittenWay>> {
        if self.purpose != Purpose::Replay || self.variant.is_none() {
            return Vec::new();
        }
        nodes.iter().map(|&id| self.squares.way(self.tree.node(id).move_text()?)).collect()
    }

    /// Plays the next moves of a line as long as each is the only legal one with the squares written, and returns their
    /// number.
    fn play_run(&mut self, nodes: &[NodeId], ways: &[Option<WrittenWay>], cursor: &mut Cursor) -> usize {
        let (Some(Some(_)), Some(position)) = (ways.first(), &cursor.position) else { return 0 };
        let run = self.plies.play(position, cursor.number, nodes, ways);
        let played = run.len();
        if played == 0 {
            return 0;
        }
        // Most games have no variations; their nodes are not looked at again.
        let with_variations = if self.tree.lines().len() > 1 { &nodes[..played] } else { &[] };
        for (n, &id) in with_variations.iter().enumerate() {
            let lines = self.tree.node(id).attachments().iter().filter_map(Attachment::variation);
            let at = |position: &Position, moves: usize| Cursor {
                position: Some(*position),
                side: position.turn(),
                number: cursor.number + moves as u32,
            };
            self.jobs.extend(lines.map(|line| {
                let (before, after) = run.around(n);
                Job { line, before: at(before, n), after: at(after, n + 1) }
            }));
        }
        let last = *run.around(played - 1).1;
        *cursor = Cursor { position: Some(last), side: last.turn(), number: cursor.number + played as u32 };
        played
    }

    fn queue(&mut self, attachments: &[Attachment], before: Cursor, after: Cursor) {
        let lines = attachments.iter().filter_map(Attachment::variation);
        self.jobs.extend(lines.map(|line| Job { line, before, after }));
    }

    /// Plays a node from a state. `after` is a copy of that state on entry and the next state on return. Returns the move if
    /// the node is one.
    fn play_node(&mut self, nodes: &[NodeId], n: usize, before: &Cursor, after: &mut Cursor) -> Option<Found> {
        let node = self.tree.node(nodes[n]);
        match (node.kind(), &before.position) {
            (NodeKind::Move(text), position) => {
                let found = match (position, &mut after.position) {
                    (Some(position), Some(next)) => self.play_move(position, next, text, node.span(), &nodes[n + 1..]),
                    _ => None,
                };
                if found.is_none() {
                    after.position = None;
                }
                after.go_on();
                return found;
            }
            (NodeKind::Null, position) => {
                let position = position.as_ref().filter(|position| self.nulls_lead_on(position, nodes, n));
                after.position = position.map(Position::pass);
                after.go_on();
            }
            (NodeKind::Ellipsis, Some(position)) => self.skip_move(*position, nodes, n, after),
            // Where the position is unknown, only dots at the start tell which side moves.
            (NodeKind::Ellipsis, None) if n == 0 => after.side = !after.side,
            (NodeKind::Ellipsis, None) => {}
            (NodeKind::Setup { fen }, _) => self.set_up(fen, node.span(), &nodes[n + 1..], after),
        }
        None
    }

    /// Dots mostly separate a number from the second player's move. If the next move fits only with the other side to move,
    /// they represent an unknown move.
    fn skip_move(&mut self, position: Position, nodes: &[NodeId], n: usize, cursor: &mut Cursor) {
        let Some(text) = nodes.get(n + 1).and_then(|&id| self.tree.node(id).move_text()) else { return };
        let turned = position.pass();
        if n > 0 && !self.fits(&position, text) && self.fits(&turned, text) {
            let span = self.tree.node(nodes[n]).span();
            self.report(|| messages::left_out(span, position.turn().to_string()));
            (cursor.position, cursor.side) = (Some(turned), turned.turn());
        }
    }

    fn fits(&self, position: &Position, text: &MoveText) -> bool {
        !readings(position, text, self.numbering).moves().is_empty()
    }

    /// Plays the move that a text means. If there is none, `after` is meaningless.
    #[inline]
    fn play_move(
        &mut self,
        before: &Position,
        after: &mut Position,
        text: &MoveText,
        span: Span,
        rest: &[NodeId],
    ) -> Option<Found> {
        let found = match self.squares.play(before, after, text) {
            Some((played, has_unique_squares)) => Found { played, has_unique_squares },
            None => {
                let played = self.find_move(before, text, span, rest)?;
                *after = before.play_unchecked(&played);
                Found { played, has_unique_squares: false }
            }
        };
        Some(found)
    }

    /// Finds the move that a text means; if several fit, the one with which the rest of the line can be played.
    fn find_move(&mut self, position: &Position, text: &MoveText, span: Span, rest: &[NodeId]) -> Option<Move> {
        let found = readings(position, text, self.numbering);
        if let Some(deviation) = found.deviation() {
            self.report(|| deviation_message(deviation, span));
        }
        match found.moves()[..] {
            [] => {
                self.report_illegal(position, text, span, rest);
                None
            }
            [played] => Some(played),
            _ => self.decide(position, text, span, found.moves(), found.exact(), rest),
        }
    }

    fn decide(
        &mut self,
        position: &Position,
        text: &MoveText,
        span: Span,
        moves: &[Move],
        exact: Option<Move>,
        rest: &[NodeId],
    ) -> Option<Move> {
        let starts: Vec<_> = moves.iter().map(|played| position.play_unchecked(played)).collect();
        let reach = self.look_ahead(rest, &starts);
        let decided = if reach.decided { moves.get(reach.start).copied() } else { exact };
        // The text is all of this capture, although others have the same first and last square: it was not ambiguous.
        if decided.is_some() && decided == exact {
            return decided;
        }
        let numbering = self.numbering.with_letters(text.has_letters());
        self.report(|| {
            let path = |played: &Move| position.full_in(played, numbering);
            let candidates = moves.iter().map(path).collect::<Vec<_>>().join(", ");
            match &decided {
                Some(played) => messages::ambiguous_resolved(span, text.to_string(), candidates, path(played)),
                None => messages::ambiguous(span, text.to_string(), candidates),
            }
        });
        decided
    }

    fn report_illegal(&mut self, position: &Position, text: &MoveText, span: Span, rest: &[NodeId]) {
        if self.purpose != Purpose::Replay || self.is_prose {
            return;
        }
        // In the names of the record: `1-2` is not a move from b8.
        let numbering = self.numbering.with_letters(text.has_letters());
        let Some(explanation) = resolve(position, text, numbering).err().filter(|error| !error.is_ambiguous()) else {
            return;
        };
        let question = explanation.question(position, numbering).into_iter();
        let continues = self.continuation(position, text, numbering, rest);
        let helps: Vec<String> = question.chain(continues).collect();
        let (text, reason) = (text.to_string(), Reason::new(explanation.into_reason()));
        self.report(|| match &helps[..] {
            [] => messages::illegal(span, text, reason),
            helps => messages::illegal_with_question(span, text, reason, helps.join("; ")),
        });
    }

    /// Returns how the rest of the line continues if a move is played although it is not legal, if that is certain: exactly one
    /// way of playing it lets the next moves be played.
    fn continuation(&self, at: &Position, text: &MoveText, numbering: Numbering, rest: &[NodeId]) -> Option<String> {
        /// Fewer moves may fit by chance; of a long game so many are enough.
        const MOVES: std::ops::RangeInclusive<usize> = 4..=10;
        let next: Vec<_> = rest.iter().map_while(|&id| self.tree.node(id).move_text()).take(*MOVES.end()).collect();
        if !MOVES.contains(&next.len()) || next.len() < *MOVES.end() && next.len() < rest.len() {
            return None;
        }
        let leads_on = |(position, _): &(Position, String)| {
            let mut positions = vec![*position];
            next.iter().all(|text| {
                let played = positions.iter().flat_map(|before| {
                    let found = readings(before, text, numbering);
                    found.moves().iter().map(|played| before.play_unchecked(played)).collect::<Vec<_>>()
                });
                positions = played.take(MAX_READINGS).collect();
                !positions.is_empty()
            })
        };
        let mut ways = as_if_played(at, text, numbering).into_iter().filter(leads_on);
        let (_, way) = ways.next().filter(|_| ways.next().is_none())?;
        Some(format!("the game continues if {way}"))
    }

    /// Returns true if the null moves from here on lead to a position in which the next move can be played.
    ///
    /// Where moves are unknown (`41. - -`), passing the turn is only right if nothing contradicts it.
    fn nulls_lead_on(&mut self, position: &Position, nodes: &[NodeId], n: usize) -> bool {
        // A run of null moves is looked at once, not again from each of them.
        if n < self.nulls_until {
            return true;
        }
        let kind = |place: usize| nodes.get(place).map(|&id| self.tree.node(id).kind());
        let mut end_of_nulls = n;
        let mut turned = *position;
        while let Some(NodeKind::Null | NodeKind::Ellipsis) = kind(end_of_nulls) {
            if matches!(kind(end_of_nulls), Some(NodeKind::Null)) {
                turned = turned.pass();
            }
            end_of_nulls += 1;
        }
        let leads_on = match kind(end_of_nulls) {
            Some(NodeKind::Move(text)) => self.fits(&turned, text),
            _ => true,
        };
        if leads_on {
            self.nulls_until = end_of_nulls;
        } else {
            let span = self.tree.node(nodes[n]).span();
            self.report(|| messages::null_move(span));
        }
        leads_on
    }

    fn set_up(&mut self, fen: &str, span: Span, rest: &[NodeId], cursor: &mut Cursor) {
        let read = read_fen(fen, self.numbering);
        if let Some(side) = read.as_ref().ok().and_then(null_side) {
            cursor.position = cursor.position.map(|position| with_turn(&position, side));
            cursor.side = side;
        } else if self.variant.is_some() {
            cursor.position = self.place_fen(read.as_ref(), (fen, span), rest).map(|(position, _)| position);
            cursor.side = cursor.position.map_or(cursor.side, |position| position.turn());
        }
    }
}

/// Returns the diagnostic about a way of writing a move that the standard does not allow.
fn deviation_message(deviation: Deviation, span: Span) -> Diagnostic {
    match deviation {
        Deviation::CaptureAsQuiet => messages::capture_as_quiet(span),
        Deviation::QuietAsCapture => messages::quiet_as_capture(span),
        Deviation::OtherStops => messages::other_stops(span),
        Deviation::WrongStops => messages::wrong_stops(span),
        Deviation::CapturedMissing => messages::captured_missing(span),
    }
}
