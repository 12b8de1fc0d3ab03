//! Logs of electronic boards (`LiveDraughts`, `*.LDF`).
//!
//! The moves take precedence. The board that the log shows after each move is compared with the position, and the game
//! continues from it after a move that is missing or cannot be played.

use super::RecordContents;
use super::draft::{Draft, tag_at};
use super::grammar::ldf::{End, Part, Position as Shown, end, log};
use crate::board::{Piece, Side};
use crate::diag::{Span, messages};
use crate::notation::{Numbering, readings};
use crate::pdn::{MoveText, NodeKind, ReadAs, Tag, Time};
use crate::rules::{Position, Setup, Variant};
use crate::text::quoted;

/// Reads a log: a game.
pub(super) fn read(record: &[u8], read_as: ReadAs) -> RecordContents {
    let mut log = Log::new(record, read_as);
    let mut rest = record.trim_ascii_start();
    while !rest.is_empty() {
        rest = log.part(rest).trim_ascii_start();
    }
    log.finish()
}

/// A clock time of a side, and its position.
type Reading<'a> = (&'a [u8], Time);

/// A log being read.
struct Log<'a> {
    draft: Draft<'a>,
    record: &'a [u8],
    tags: Vec<Tag>,
    /// The position after the last move, if known: from the moves or, failing that, from the board.
    position: Option<Position>,
    last: Option<Shown<'a>>,
    /// The last line.
    last_line: &'a [u8],
    /// The number of the last ply, according to the log.
    ply: u32,
    /// The side that moves next; `None` before the first move.
    turn: Option<Side>,
    /// The squares that differed after the last move, so that a piece that fell off the board is reported once.
    differing: Vec<usize>,
    /// The readings of both clocks.
    clocks: [Vec<Reading<'a>>; 2],
}

impl<'a> Log<'a> {
    fn new(record: &'a [u8], read_as: ReadAs) -> Self {
        Self {
            draft: Draft::new(record, read_as),
            record,
            tags: Vec::new(),
            position: Some(Position::start(Variant::INTERNATIONAL)),
            last: None,
            last_line: &[],
            ply: 0,
            turn: None,
            differing: Vec::new(),
            clocks: Default::default(),
        }
    }

    /// Reads the next part, and returns the bytes after it.
    fn part(&mut self, rest: &'a [u8]) -> &'a [u8] {
        match log(rest) {
            Ok((after, Part::Tag(tag))) => {
                let (name, value) = (self.draft.text(tag.name), self.draft.text(tag.text));
                let all = &rest[..rest.len() - after.len()];
                self.tags.push(tag_at(self.record, &name, value.trim(), all, tag.text));
                after
            }
            Ok((after, Part::Position(shown))) => {
                self.line(shown, &rest[..rest.len() - after.len()]);
                after
            }
            Err(_) => self.damaged(rest),
        }
    }

    /// Reads a line with a position.
    fn line(&mut self, shown: Shown<'a>, line: &'a [u8]) {
        if line == self.last_line {
            return self.draft.report(messages::log_repeated(self.draft.span(line)));
        }
        let begins = self.last.is_none();
        // Only the moves on boards of 10x10 are followed.
        if shown.board.len() != 50 {
            self.position = None;
        }
        match shown.end.r#move {
            Some(text) => {
                let side = if shown.white_moved { Side::White } else { Side::Black };
                self.played(side, text, Some(&shown), line, shown.end.ply);
                self.clocks(&shown, line);
            }
            None if begins => self.starts(&shown, line),
            None => self.draft.report(messages::log_without_move(self.draft.span(line))),
        }
        (self.last, self.last_line) = (Some(shown), line);
    }

    /// Takes over the position before all moves. The side to move is that of the first move: the letter of the line is `B`
    /// also where White begins.
    fn starts(&mut self, shown: &Shown<'a>, line: &'a [u8]) {
        let start = self.position.as_ref().map(board_of);
        if shown.board.len() == 50 && start.is_some_and(|start| start[..] != *shown.board) {
            self.position = position_of(shown.board, Side::White);
            self.tags.push(tag_at(self.record, "FEN", &fen(shown.board, None), line, shown.board));
            self.tags.push(tag_at(self.record, "SetUp", "1", line, shown.board));
        }
    }

    /// Adds a move, and compares it with the board after it.
    fn played(&mut self, side: Side, text: &'a [u8], shown: Option<&Shown<'a>>, line: &'a [u8], ply: u32) {
        let turn = self.turn.unwrap_or(if ply > 1 { Side::White } else { side });
        let leads = || self.position.zip(shown).is_some_and(|(before, shown)| leads_to(&before, text, shown.board));
        let is_missing = turn != side || ply > self.ply + 1 && !leads();
        if is_missing {
            self.missing(shown, text, line, ply);
            // Where the same side moves again, a move of the other one is missing; otherwise one of each.
            let count = if turn == side { 2 } else { 1 };
            for _ in 0..count {
                self.draft.node(NodeKind::Null, &line[..0]);
            }
        } else if ply != self.ply + 1 {
            self.draft.report(messages::log_ply(self.draft.span(line), ply, self.ply));
        }
        (self.ply, self.turn) = (ply, Some(!side));
        let written = String::from_utf8_lossy(text);
        let Some(written) = MoveText::parse(&written) else {
            return self.draft.report(messages::log_damaged(self.draft.span(line), &*written));
        };
        self.draft.r#move(written.clone(), text);
        let Some(shown) = shown else { return self.position = None };
        if is_missing {
            return self.set_up(shown);
        }
        self.compare(&written, text, shown);
    }

    /// Reports that moves are missing before a line.
    fn missing(&mut self, shown: Option<&Shown<'a>>, text: &'a [u8], line: &'a [u8], ply: u32) {
        let before = self.position.filter(|position| Some(position.turn()) == self.turn);
        let fits = before
            .zip(shown)
            .and_then(|(before, shown)| only_move(&before, |between| leads_to(between, text, shown.board)));
        let span = self.draft.span(&line[..line.len().min(1)]);
        // What is missing stands nowhere: its place is the start of the next line.
        self.draft.report(match fits {
            Some(fits) => messages::log_missing_fits(span, self.ply, ply, fits),
            None => messages::log_missing(span, self.ply, ply),
        });
    }

    /// Continues the game from the board that the log shows.
    fn set_up(&mut self, shown: &Shown<'a>) {
        let turn = if shown.white_moved { Side::Black } else { Side::White };
        self.position = position_of(shown.board, turn);
        self.differing.clear();
        self.draft.node(NodeKind::Setup { fen: Box::new(fen(shown.board, Some(turn))) }, shown.board);
    }

    /// Plays a move and compares the position with the board.
    fn compare(&mut self, written: &MoveText, text: &'a [u8], shown: &Shown<'a>) {
        let Some(before) = self.position.take() else {
            // The game is not followed: only the board is known.
            let turn = if shown.white_moved { Side::Black } else { Side::White };
            self.position = position_of(shown.board, turn).filter(|_| self.turn.is_some());
            return;
        };
        let mover = if shown.white_moved { Side::White } else { Side::Black };
        let before = if before.turn() == mover { before } else { before.pass() };
        let found = readings(&before, written, Numbering::for_variant(Variant::INTERNATIONAL));
        let after: Vec<_> = found.moves().iter().map(|played| before.play_unchecked(played)).collect();
        let agrees = |after: &Position| board_of(after)[..] == *shown.board;
        let Some(position) = after.iter().copied().find(agrees).or_else(|| (after.len() == 1).then(|| after[0])) else {
            if after.is_empty() {
                let fits = only_move(&before, agrees);
                let span = self.draft.span(text);
                self.draft.report(match fits {
                    Some(fits) => messages::log_board_fits(span, excerpt(text), fits),
                    None => messages::log_board_unlike(span, excerpt(text)),
                });
            }
            return self.set_up(shown);
        };
        let expected = board_of(&position);
        let differing: Vec<_> = (0..expected.len()).filter(|&n| expected[n] != shown.board[n]).collect();
        if !differing.is_empty() && differing != self.differing {
            let side = |board: &[u8]| differing.iter().map(|&n| square(n, board[n])).collect::<Vec<_>>().join(", ");
            let (by_log, by_moves) = (side(shown.board), side(&expected));
            let span = self.draft.span(&shown.board[differing[0]..=differing[differing.len() - 1]]);
            self.draft.report(messages::log_board(span, excerpt(text), by_log, by_moves));
        }
        self.differing = differing;
        self.position = Some(position);
    }

    /// Adds the clocks after a move.
    fn clocks(&mut self, shown: &Shown<'a>, line: &'a [u8]) {
        let [(white_at, white), (black_at, black)] = shown.clocks;
        // Boards without clocks show zeros.
        if [white, black].iter().all(|time| time.is_none_or(|time| time.0 == 0)) {
            return;
        }
        let clock = |time: Option<Time>, letter: char, moved: bool| {
            let letter = if moved { letter.to_ascii_lowercase() } else { letter };
            time.map(|time| format!(" {letter}{time}")).unwrap_or_default()
        };
        let (white_text, black_text) = (clock(white, 'W', shown.white_moved), clock(black, 'B', !shown.white_moved));
        let start = line.len() - (self.draft.span(line).end - self.draft.span(white_at).start) as usize;
        let place = &line[start..start + white_at.len() + 1 + black_at.len()];
        self.draft.comment(&format!("[%clock{white_text}{black_text}]"), place);
        for (n, (at, time)) in [(white_at, white), (black_at, black)].into_iter().enumerate() {
            self.clocks[n].extend(time.map(|time| (at, time)));
        }
    }

    /// Reports bytes that are not part of a log, and returns the bytes after them. The end of such a line may still be readable.
    fn damaged(&mut self, rest: &'a [u8]) -> &'a [u8] {
        // To the line end, or to the next position: a log without line ends would otherwise be lost to its end.
        let ends = memchr::memchr3_iter(b'[', b'\n', b'\r', &rest[1..]).map(|at| at + 1);
        let is_end =
            |&at: &usize| rest[at] != b'[' || [b"[N,\"", b"[S,\""].iter().any(|sign| rest[at..].starts_with(*sign));
        let length = ends.into_iter().find(is_end).unwrap_or(rest.len());
        let (line, after) = rest.split_at(length);
        let line = line.trim_ascii_end();
        let span = self.draft.span(line);
        let begun = line.starts_with(b"[");
        if after.is_empty() && begun && !line.ends_with(b"]") {
            self.draft.report(messages::log_cut_off(span, excerpt(line)));
            return after;
        }
        match end_of(line).filter(|end| end.ply == self.ply + 1) {
            Some(End { ply, r#move: Some(text) }) if self.turn.is_some() => {
                self.draft.report(messages::log_damaged_field(span, excerpt(text)));
                let side = self.turn.unwrap_or(Side::White);
                self.played(side, text, None, line, ply);
            }
            _ => {
                let fits = board_in(line)
                    .zip(self.position)
                    .and_then(|(board, before)| only_move(&before, |after| board_of(after)[..] == *board));
                self.draft.report(match fits {
                    Some(fits) => messages::log_damaged_fits(span, excerpt(line), fits),
                    None => messages::log_damaged(span, excerpt(line)),
                });
            }
        }
        after
    }

    fn finish(mut self) -> RecordContents {
        if self.tags.is_empty() && self.draft.game.items() == 0 {
            return self.draft.without_game();
        }
        for clocks in std::mem::take(&mut self.clocks) {
            check_clock(&clocks, &mut self.draft);
        }
        let tags = std::mem::take(&mut self.tags);
        let mut found = self.draft.finish();
        found.games.iter_mut().for_each(|game| game.tree_mut().prepend_tags(tags.iter().cloned()));
        found
    }
}

/// The first letters of a line.
fn excerpt(line: &[u8]) -> String {
    let text = quoted(line);
    if line.len() > text.len() { format!("{text}…") } else { text }
}

/// Returns the end of a line whose beginning cannot be read.
fn end_of(line: &[u8]) -> Option<End<'_>> {
    let mut commas = memchr::memrchr_iter(b',', line);
    let (_, before) = (commas.next()?, commas.next()?);
    end(&line[before + 1..]).ok().filter(|(rest, _)| rest.is_empty()).map(|(_, end)| end)
}

/// Returns the board of a line whose end cannot be read.
fn board_in(line: &[u8]) -> Option<&[u8]> {
    let board = line.strip_prefix(b"[N,\"").and_then(|rest| rest.get(..50))?;
    let is_whole = board.iter().all(|square| b"wbWB ".contains(square)) && line.get(4 + 50) == Some(&b'"');
    is_whole.then_some(board)
}

/// Returns the letters of a position, as a log shows it.
fn board_of(position: &Position) -> [u8; 50] {
    let mut board = [b' '; 50];
    let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
    for (square, side, piece) in position.pieces() {
        let letter = side.letter() as u8;
        let letter = if piece == Piece::Man { letter.to_ascii_lowercase() } else { letter };
        if let Some(place) = board.get_mut(usize::from(numbering.number(square)) - 1) {
            *place = letter;
        }
    }
    board
}

/// Returns the position that a log shows, if it can be played.
fn position_of(board: &[u8], turn: Side) -> Option<Position> {
    if board.len() != 50 {
        return None;
    }
    let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
    let pieces = board.iter().zip(1..).filter_map(|(&letter, number)| {
        let side = if letter.eq_ignore_ascii_case(&b'w') { Side::White } else { Side::Black };
        let piece = if letter.is_ascii_lowercase() { Piece::Man } else { Piece::King };
        (letter != b' ').then_some((numbering.square(number)?, side, piece))
    });
    Position::from_setup(Variant::INTERNATIONAL, &Setup::new(Some(turn), pieces)).ok().map(|(position, _)| position)
}

/// Returns the FEN of the board that a log shows, whatever the variant.
fn fen(board: &[u8], turn: Option<Side>) -> String {
    let list = |side: u8| {
        let pieces = board.iter().zip(1..).filter(|(letter, _)| letter.eq_ignore_ascii_case(&side));
        let names = pieces.map(|(letter, number): (_, u8)| match letter {
            b'W' | b'B' => format!("K{number}"),
            _ => number.to_string(),
        });
        names.collect::<Vec<_>>().join(",")
    };
    format!("{}:W{}:B{}", turn.map_or('?', Side::letter), list(b'w'), list(b'b'))
}

/// Returns the name of a square with its content, in words.
fn square(index: usize, letter: u8) -> String {
    let on = match letter {
        b'w' => "a white man",
        b'b' => "a black man",
        b'W' => "a white king",
        b'B' => "a black king",
        _ => "nothing",
    };
    format!("{on} on {}", index + 1)
}

/// Returns the only legal move after which this holds.
fn only_move(before: &Position, holds: impl Fn(&Position) -> bool) -> Option<String> {
    let legal = before.legal_moves();
    let mut fitting = legal.iter().filter(|played| holds(&before.play_unchecked(played)));
    let first = fitting.next()?;
    fitting.next().is_none().then(|| before.short(first))
}

/// Returns true if a move leads to a board.
fn leads_to(before: &Position, text: &[u8], board: &[u8]) -> bool {
    let text = MoveText::parse(&String::from_utf8_lossy(text));
    let moves = text.map(|text| readings(before, &text, Numbering::for_variant(Variant::INTERNATIONAL)));
    moves.is_some_and(|found| found.moves().iter().any(|played| board_of(&before.play_unchecked(played))[..] == *board))
}

/// Tolerance of a clock, in milliseconds: real boards occasionally show a second more.
const JITTER: u64 = 2_000;
/// Maximum time added for a move, or for the few moves between two readings, in milliseconds.
const LARGEST_INCREMENT: u64 = 60_000;

/// Reports readings at which a clock shows more than before. In games with an increment for each move, this is common.
fn check_clock(clock: &[Reading<'_>], draft: &mut Draft<'_>) {
    let gain = |pair: &[Reading<'_>]| pair[1].1.0.saturating_sub(pair[0].1.0);
    let gains = clock.windows(2).filter(|pair| (JITTER + 1..=LARGEST_INCREMENT).contains(&gain(pair))).count();
    // A few readings may be wrong in any game: increments show in many.
    let has_increments = gains >= 3 && gains * 20 >= clock.len();
    let most = if has_increments { LARGEST_INCREMENT } else { JITTER };
    for pair in clock.windows(2).filter(|pair| gain(pair) > most) {
        let span: Span = draft.span(pair[1].0.trim_ascii());
        draft.report(messages::log_clock(span, pair[0].1.to_string(), pair[1].1.to_string()));
    }
}
