//! Games with plain moves, replayed and checked while they are read: no tree, the same diagnostics.
//!
//! Nearly all games of most collections are plain: each move is one legal move, and nothing is set up, left out or stray.
//! Where anything else comes, the reader stops, and [`Review`](super::Review) takes the game.

mod game;

use super::draws::DrawFinder;
use super::driver::Needs;
use super::follow::Steps;
use super::numbers::Counted;
use super::result::{End, Verdict, Written};
use super::review::ByCheck;
use super::review::{CheckOptions, without_hyphens};
use super::tags::{TagText, check_texts};
use crate::diag::{Collector, Diagnostic, Span};
use crate::egdb::Databases;
use crate::notation::roster_text;
use crate::pdn::{Encoding, Fault, Flow, MAX_EXPORT_DEPTH, MAX_ITEMS, RawTag, Visitor, WrittenNumber, quote};
use crate::replay::{PlainMoves, ReplayOptions, plain_variant};
use crate::rules::{Move, Position, Variant};

pub(super) use game::TagPlace;
pub(crate) use game::{PlainGame, PlainPly};

/// A line between two moves.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The positions after each second move; the last one is that of the number of moves.
    positions: [Position; 2],
    /// Number of moves.
    ply: u32,
    last_number: Option<Counted>,
}

impl Line {
    const fn new(start: Position) -> Self {
        Self { positions: [start; 2], ply: 0, last_number: None }
    }

    /// The position before the last move.
    const fn before(&self) -> &Position {
        &self.positions[(self.ply as usize + 1) % 2]
    }

    /// Counts a move, and returns the position before it and the place of the one after it.
    const fn advance(&mut self) -> (&Position, &mut Position) {
        self.ply += 1;
        let [even, odd] = &mut self.positions;
        if self.ply.is_multiple_of(2) { (odd, even) } else { (even, odd) }
    }

    /// The position after the last move.
    const fn after(&self) -> &Position {
        &self.positions[self.ply as usize % 2]
    }

    /// Counts the number before a move; returns false if it does not follow from the one before.
    fn count(&mut self, number: WrittenNumber, is_main: bool) -> bool {
        let first = self.after().variant().starts() == self.after().turn();
        let here = Counted { ply: self.ply, number: number.value(), may_be: [first, !first] };
        let follows = self.last_number.is_none_or(|last| here.after(last) != [false, false]);
        self.last_number = Some(here);
        // In a variation, three dots before the first player's move say that it goes on after the move before it.
        let shifted = !is_main && self.ply == 0 && first && number.dots() >= 3;
        follows && !shifted
    }
}

/// Reads plain games.
pub(super) struct PlainReader<'a> {
    bytes: &'a [u8],
    replay: ReplayOptions,
    databases: Databases,
    needs: Needs,
    moves: PlainMoves,
    /// The last GameType and its variant.
    known: Option<(&'a [u8], Option<Variant>)>,
    /// The last starting position.
    start: Option<Position>,
    steps: Option<&'a mut dyn Steps>,
    game: Game,
}

/// The game that is being read.
#[derive(Default)]
struct Game {
    offset: usize,
    tags: Vec<TagPlace>,
    tagged: Option<Variant>,
    has_game_type: bool,
    start: Option<Variant>,
    line: Option<Line>,
    outer: Vec<Line>,
    number: Option<WrittenNumber>,
    /// The number of the first move of the main line.
    first_number: Option<u32>,
    /// Where the first move of the main line is.
    first_move: Span,
    moves: u32,
    faults: Collector,
    draws: DrawFinder,
    plies: Vec<PlainPly>,
    terminator: Option<Span>,
    length: u32,
}

const DECLINED: Flow = Flow::Break(());
const GO: Flow = Flow::Continue(());

/// Continues, or stops the reader where nothing plain is found.
fn accept(is_plain: bool) -> Flow {
    if is_plain { GO } else { DECLINED }
}

impl<'a> PlainReader<'a> {
    /// Returns a reader of plain games in the bytes, which passes their positions to `steps`; `None` if the options ask for more
    /// than it can do.
    pub(super) fn new(
        bytes: &'a [u8],
        options: &CheckOptions,
        needs: Needs,
        steps: Option<&'a mut dyn Steps>,
    ) -> Option<Self> {
        let able = needs < Needs::Tree && !options.strict && options.encoding.is_none();
        able.then(|| Self {
            bytes,
            replay: options.replay.clone(),
            databases: options.databases,
            needs,
            moves: PlainMoves::new(),
            known: None,
            start: None,
            steps,
            game: Game::default(),
        })
    }

    fn text(&self, span: Span) -> &'a [u8] {
        &self.bytes[self.game.offset..][span.range()]
    }

    /// Returns the variant of a GameType, if nothing contradicts it.
    fn variant_of(&mut self, value: &'a [u8]) -> Option<Variant> {
        match self.known {
            Some((known, variant)) if known == value => variant,
            _ => {
                let variant = str::from_utf8(value).ok().and_then(plain_variant);
                self.known = Some((value, variant));
                variant
            }
        }
    }

    /// Continues if a variation, a comment or an annotation here does not matter.
    fn pass_annotation(&self) -> Flow {
        accept(match self.needs {
            Needs::Tags | Needs::Results => true,
            Needs::Outline => self.game.moves > 0 && self.game.terminator.is_none(),
            Needs::Moves | Needs::Tree => false,
        })
    }

    fn start_of(&mut self, variant: Variant) -> Position {
        let known = self.start.filter(|start| start.variant() == variant);
        *self.start.insert(known.unwrap_or_else(|| Position::start(variant)))
    }

    /// Returns the game that was read last, if it is plain to its end.
    pub(super) fn finish(&mut self) -> Option<PlainGame> {
        let game = self.finished()?;
        if let Some(steps) = &mut self.steps {
            steps.end();
        }
        Some(game)
    }

    fn finished(&mut self) -> Option<PlainGame> {
        let mut game = std::mem::take(&mut self.game);
        let line = game.line.filter(|line| line.ply > 0)?;
        let length = game.length as usize;
        let text = str::from_utf8(&self.bytes[game.offset..][..length]).ok()?;
        let tags: Vec<_> = game.tags.iter().map(|tag| tag.text(text)).collect();
        let Verdict { board, winner, contradicted, diagnostics } = game.verdict(&tags, text, &line, self.databases);
        if contradicted.is_some() {
            return None;
        }
        let found = ByCheck {
            reading: game.faults(text),
            draws: std::mem::take(&mut game.draws.draws.diagnostics),
            result: diagnostics,
            tags: check_texts(&tags, line.ply as usize),
            ..ByCheck::default()
        };
        Some(PlainGame {
            offset: game.offset,
            length: game.length,
            tags: game.tags,
            terminator: game.terminator,
            variant: game.start?,
            first: self.start?,
            last: *line.after(),
            plies: line.ply,
            moves: game.moves,
            board,
            winner,
            diagnostics: found.in_order(),
            open_at: game.tagged.is_none().then_some(game.first_move),
            line: game.plies,
            needs: self.needs,
        })
    }
}

impl Game {
    /// Returns the deviations from the reading grammar as diagnostics.
    fn faults(&mut self, text: &str) -> Vec<Diagnostic> {
        let mut faults = std::mem::take(&mut self.faults).into_vec();
        for fault in &mut faults {
            quote(fault, text.as_bytes(), Encoding::Utf8);
        }
        if self.start == Some(Variant::THAI) { without_hyphens(faults) } else { faults }
    }

    fn verdict(&self, tags: &[TagText<'_>], text: &str, line: &Line, databases: Databases) -> Verdict {
        let tag = roster_text(tags.iter(), "Result", |tag| (tag.name, tag.value));
        let end = self.terminator.map(|span| (&text[span.range()], span));
        let written = Written::new(tag.map(|tag| (tag.value, tag.span)), end);
        let plies = line.ply as usize;
        let (last, draws) = (Some(line.after()), &self.draws.draws);
        let end = End { variant: self.start, last, plies, first: self.first_number, draws, databases };
        written.compare(&end, || true)
    }

    /// Plays a move; `None` if it is not plain.
    #[inline]
    fn play<'m>(&mut self, moves: &'m mut PlainMoves, text: &[u8], span: Span) -> Option<&'m Move> {
        let (line, is_main) = (self.line.as_mut()?, self.outer.is_empty());
        if is_main && line.ply == 0 {
            self.first_number = self.number.map(WrittenNumber::value);
            self.first_move = span;
        }
        if let Some(number) = self.number.take()
            && !line.count(number, is_main)
        {
            return None;
        }
        let (before, after) = line.advance();
        let played = moves.play(before, after, text)?;
        if is_main {
            self.draws.follow(before, played, after, span);
        }
        self.moves += 1;
        Some(played)
    }
}

impl Visitor for PlainReader<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        self.game = Game { offset, ..Game::default() };
        GO
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        let name = Span::new(tag.span.start + 1, tag.span.start + 1 + tag.name.len() as u32);
        let written = self.text(tag.span).get(1..).is_some_and(|inside| inside.starts_with(tag.name));
        if !written || !tag.name.is_ascii() || !is_plain_value(tag.value) {
            return DECLINED;
        }
        self.game.tags.push(TagPlace { name, value: tag.value_span, all: tag.span });
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
        if is("GameType") {
            let duplicate = std::mem::replace(&mut self.game.has_game_type, true);
            self.game.tagged = self.variant_of(self.text(tag.value_span));
            return accept(!duplicate && tag.name == b"GameType" && self.game.tagged.is_some());
        }
        accept(!is("FEN") && !is("SetUp"))
    }

    fn begin_moves(&mut self) -> Flow {
        let asked = self.replay.variant;
        let contradicted = self.game.tagged.is_some() && asked.is_some() && self.game.tagged != asked;
        self.game.start = asked.or(self.game.tagged).or_else(|| self.replay.plain_variant());
        self.game.line = self.game.start.map(|variant| Line::new(self.start_of(variant)));
        if let (Some(steps), Some(line)) = (&mut self.steps, &self.game.line) {
            steps.begin(line.after());
        }
        accept(!contradicted && self.game.line.is_some())
    }

    fn number(&mut self, number: WrittenNumber, _: Span) -> Flow {
        self.game.number = Some(number);
        GO
    }

    fn move_text(&mut self, text: &[u8], span: Span) -> Flow {
        let number = self.game.number;
        let Some(played) = self.game.play(&mut self.moves, text, span) else { return DECLINED };
        if let (Some(steps), Some(line)) = (&mut self.steps, &self.game.line) {
            steps.reach(played, line.after());
        }
        if self.needs != Needs::Moves {
            return GO;
        }
        let number = number.map(WrittenNumber::value);
        self.game.plies.push(PlainPly { text: span, number, played: *played });
        accept(!text.iter().any(u8::is_ascii_whitespace))
    }

    fn strength(&mut self, _: &[u8], _: Span) -> Flow {
        self.pass_annotation()
    }

    fn nag(&mut self, _: u16, _: Span) -> Flow {
        self.pass_annotation()
    }

    fn comment(&mut self, _: &[u8], _: Span) -> Flow {
        self.pass_annotation()
    }

    fn line_comment(&mut self, _: &[u8], _: Span) -> Flow {
        self.pass_annotation()
    }

    fn null_move(&mut self, _: Span) -> Flow {
        DECLINED
    }

    fn ellipsis(&mut self, _: Span) -> Flow {
        DECLINED
    }

    fn setup(&mut self, _: &[u8], _: Span) -> Flow {
        DECLINED
    }

    fn begin_variation(&mut self, _: Span) -> Flow {
        let Some(line) = self.game.line else { return DECLINED };
        // The states of open variations take memory, and deep ones have a diagnostic.
        if self.game.outer.len() == MAX_EXPORT_DEPTH as usize {
            return DECLINED;
        }
        self.game.outer.push(line);
        self.game.line = Some(Line::new(*line.before()));
        if let Some(steps) = &mut self.steps {
            steps.open();
        }
        self.pass_annotation()
    }

    fn end_variation(&mut self, _: Span) -> Flow {
        let has_moves = self.game.line.is_some_and(|line| line.ply > 0);
        self.game.line = self.game.outer.pop();
        if let Some(steps) = &mut self.steps {
            steps.close();
        }
        accept(has_moves)
    }

    fn terminator(&mut self, text: &[u8], span: Span) -> Flow {
        self.game.terminator = Some(span);
        accept(text.iter().all(u8::is_ascii_graphic))
    }

    fn stray(&mut self, _: &[u8], _: Span) -> Flow {
        DECLINED
    }

    fn fault(&mut self, fault: Fault<'_>) -> Flow {
        self.game.faults.push(fault.diagnostic());
        GO
    }

    fn end_game(&mut self, length: u32) -> Flow {
        // It may have more moves than a tree may.
        if length as usize > MAX_ITEMS {
            return DECLINED;
        }
        self.game.length = length;
        GO
    }

    fn outside(&mut self, _: usize, _: Fault<'_>) -> Flow {
        DECLINED
    }
}

/// Returns true if the value of a tag has neither escapes nor control characters, nor whitespace at its ends.
fn is_plain_value(value: &[u8]) -> bool {
    if value.iter().any(|&byte| byte == b'\\' || byte < b' ') {
        return false;
    }
    if value.is_ascii() {
        return value.first() != Some(&b' ') && value.last() != Some(&b' ');
    }
    str::from_utf8(value).is_ok_and(|value| value.trim().len() == value.len())
}
