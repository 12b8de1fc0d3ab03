//! Games with plain moves, replayed and checked while they are read: no tree, the same diagnostics.
//!
//! Nearly all games of most collections are plain: each move is one legal move, however it is written, and nothing is missing
//! or stray. At anything else, the reader stops, and [`Review`](super::Review) processes the game.

mod plain_game;

use super::draws::DrawFinder;
use super::driver::Needs;
use super::follow::Steps;
use super::numbers::{Counted, LastNumbers};
use super::result::{End, Verdict, Written, note_at_result};
use super::review::ByCheck;
use super::review::{CheckOptions, without_hyphens};
use super::tags::{TagText, check_texts};
use crate::diag::{Collector, Diagnostic, Span, messages};
use crate::egdb::Databases;
use crate::notation::{Numbering, roster_text};
use crate::pdn::{
    Encoding, Encodings, Fault, Flow, MAX_EXPORT_DEPTH, MAX_ITEMS, MoveText, RawTag, Visitor, WrittenNumber, quote,
};
use crate::replay::{PlainMoves, ReplayOptions, deviation_message, plain_start, plain_variant};
use crate::rules::{Move, Position, Variant};

pub(crate) use plain_game::{PlainGame, PlainPly};
pub(super) use plain_game::{TagPlace, TagTexts};

/// The part of a line of moves read so far.
#[derive(Clone, Copy, Debug)]
struct LineState {
    /// The positions after even and odd numbers of moves; the parity of the number of moves selects the last one.
    positions: [Position; 2],
    /// Number of moves.
    ply: u32,
    numbers: LastNumbers,
}

impl LineState {
    const fn new(start: Position) -> Self {
        Self { positions: [start; 2], ply: 0, numbers: LastNumbers::NONE }
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

    /// Counts the number before a move. After a set-up position it is not known which side the numbers count from.
    ///
    /// # Errors
    ///
    /// If it does not follow from the numbers before, with the last one that was right.
    fn count(&mut self, number: u32, is_set_up: bool) -> Result<(), u32> {
        let first = self.after().variant().starts() == self.after().turn();
        let may_be = if is_set_up { [true; 2] } else { [first, !first] };
        self.numbers.accept(Counted { ply: self.ply, number, may_be })
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
    /// Indexes of the first GameType, FEN and SetUp.
    type_tag: Option<usize>,
    fen_tag: Option<usize>,
    set_up_tag: Option<usize>,
    tagged: Option<Variant>,
    start: Option<Position>,
    is_set_up: bool,
    line: Option<LineState>,
    outer: Vec<LineState>,
    number: Option<WrittenNumber>,
    /// The span of the first move of the main line.
    first_move: Span,
    moves: u32,
    faults: Collector,
    /// Notes on tags, which follow the deviations from the grammar.
    notes: Vec<Diagnostic>,
    /// Diagnostics of the position and the moves.
    replay: Collector,
    numbers: Collector,
    /// Number of diagnostics about moves and numbers.
    odd: usize,
    draws: DrawFinder,
    plies: Vec<PlainPly>,
    terminator: Option<Span>,
    length: u32,
}

/// Maximum number of diagnostics about moves or numbers in a plain game. Of many more, only some are kept, main line first.
const MAX_ODD: usize = 500;

const DECLINED: Flow = Flow::Break(());
const GO: Flow = Flow::Continue(());

/// Continues, or stops the reader if the game is not plain.
fn accept(is_plain: bool) -> Flow {
    if is_plain { GO } else { DECLINED }
}

impl<'a> PlainReader<'a> {
    /// Returns a reader of plain games in the bytes, which passes their positions to `steps`; `None` if the options request more
    /// than it supports.
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
            databases: options.databases.clone(),
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

    /// Returns the variant and names of squares of the game, if nothing contradicts them.
    fn rules(&self) -> Option<(Variant, Numbering)> {
        match (self.game.tagged, self.replay.variant) {
            (Some(tagged), Some(asked)) if tagged != asked => None,
            (Some(tagged), _) => Some((tagged, Numbering::for_variant(tagged))),
            (None, _) => self.replay.untagged(),
        }
    }

    /// Begins the main line, if its start is known.
    fn begin(&mut self) -> Option<()> {
        let rules = self.rules()?;
        let start = self.start_of(rules)?;
        self.moves.set_numbering(rules.1);
        (self.game.start, self.game.line) = (Some(start), Some(LineState::new(start)));
        if let Some(steps) = &mut self.steps {
            steps.begin(&start);
        }
        Some(())
    }

    /// Returns the start of the game, if the side to move is known.
    fn start_of(&mut self, rules: (Variant, Numbering)) -> Option<Position> {
        let value = |tag: TagPlace| str::from_utf8(self.text(tag.value)).map(str::trim);
        let tag = |index: Option<usize>| index.map(|index| self.game.tags[index]);
        if let Some(tag) = tag(self.game.fen_tag)
            && let fen = value(tag).ok()?
            && !matches!(fen, "" | "?" | "-")
        {
            self.game.is_set_up = true;
            return plain_start(str::from_utf8(self.text(tag.value)).ok()?, rules, tag.value, &mut self.game.replay);
        }
        if let Some(tag) = tag(self.game.set_up_tag).filter(|&tag| value(tag) == Ok("1")) {
            self.game.replay.push(messages::set_up_without_fen(tag.all));
        }
        let known = self.start.filter(|start| start.variant() == rules.0);
        Some(*self.start.insert(known.unwrap_or_else(|| Position::start(rules.0))))
    }

    /// Returns the last game read, if it is plain to its end.
    pub(super) fn finish(&mut self, encodings: Encodings<'_>) -> Option<PlainGame> {
        // A position without moves.
        if self.game.line.is_none() {
            self.begin()?;
        }
        let game = self.finished(encodings)?;
        if let Some(steps) = &mut self.steps {
            steps.end();
        }
        Some(game)
    }

    fn finished(&mut self, encodings: Encodings<'_>) -> Option<PlainGame> {
        let mut game = std::mem::take(&mut self.game);
        let (line, first) = (game.line?, game.start?);
        let bytes = &self.bytes[game.offset..][..game.length as usize];
        let encoding = if str::from_utf8(bytes).is_ok() { Encoding::Utf8 } else { encodings.of(bytes)? };
        let texts = TagTexts::new(std::mem::take(&mut game.tags), bytes, encoding);
        let tags: Vec<_> = texts.iter(bytes).collect();
        let Verdict { board, winner, contradicted, diagnostics } = game.verdict(&tags, bytes, &line, &self.databases);
        if contradicted.is_some() || game.odd > MAX_ODD {
            return None;
        }
        game.notes.extend(
            tags.iter().filter(|tag| is_padded(tag.value)).map(|tag| messages::padded_value(tag.value_span, tag.name)),
        );
        let found = ByCheck {
            reading: game.faults(bytes, encoding),
            replay: std::mem::take(&mut game.replay).into_vec(),
            numbers: std::mem::take(&mut game.numbers).into_vec(),
            draws: std::mem::take(&mut game.draws.draws.diagnostics),
            result: diagnostics,
            tags: check_texts(&tags, line.ply as usize),
            ..ByCheck::default()
        };
        Some(PlainGame {
            offset: game.offset,
            length: game.length,
            encoding,
            tags: texts,
            terminator: game.terminator,
            variant: first.variant(),
            first,
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
    fn variant(&self) -> Option<Variant> {
        self.start.map(|start| start.variant())
    }

    /// Returns the diagnostics of reading: the deviations from the grammar, and notes on tags.
    fn faults(&mut self, bytes: &[u8], encoding: Encoding) -> Vec<Diagnostic> {
        self.faults.extend(std::mem::take(&mut self.notes));
        let mut faults = std::mem::take(&mut self.faults).into_vec();
        for fault in &mut faults {
            quote(fault, bytes, encoding);
        }
        if self.variant() == Some(Variant::THAI) { without_hyphens(faults) } else { faults }
    }

    fn verdict(&self, tags: &[TagText<'_>], bytes: &[u8], line: &LineState, databases: &Databases) -> Verdict {
        let tag = roster_text(tags.iter(), "Result", |tag| (tag.name, tag.value));
        let end = self.terminator.and_then(|span| Some((str::from_utf8(&bytes[span.range()]).ok()?, span)));
        let written = Written::new(tag.map(|tag| (tag.value, tag.span)), end);
        let (last, draws) = (Some(line.after()), &self.draws.draws);
        let end = End { variant: self.variant(), last, draws, databases };
        let mut verdict = written.compare(&end);
        if line.ply == 0
            && let Some((span, best, result)) = written.contradiction(&verdict)
        {
            verdict.contradicted = None;
            verdict.diagnostics.push(note_at_result(span, best, result));
        }
        verdict
    }

    /// Plays a move; `None` if it is not plain.
    #[inline]
    fn play<'m>(&mut self, moves: &'m mut PlainMoves, text: &[u8], span: Span) -> Option<&'m Move> {
        let (line, is_main) = (self.line.as_mut()?, self.outer.is_empty());
        if is_main && line.ply == 0 {
            self.first_move = span;
        }
        if let Some(number) = self.number.take()
            && let Err(right) = line.count(number.value(), self.is_set_up)
        {
            self.odd += 1;
            self.numbers.push(messages::move_number(span, number.value(), right));
        }
        let (before, after) = line.advance();
        let (played, deviation) = moves.play(before, after, text)?;
        if let Some(deviation) = deviation {
            self.odd += 1;
            self.replay.push(deviation_message(deviation, span));
        }
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
        let (Ok(tag_name), true) = (str::from_utf8(tag.name), written && tag.name.is_ascii()) else { return DECLINED };
        if tag.value.iter().any(|&byte| byte == b'\\' || byte < b' ') {
            return DECLINED;
        }
        let index = self.game.tags.len();
        self.game.tags.push(TagPlace { name, value: tag.value_span, all: tag.span });
        match tag.name.len() {
            3 if tag_name.eq_ignore_ascii_case("FEN") => drop(self.game.fen_tag.get_or_insert(index)),
            5 if tag_name.eq_ignore_ascii_case("SetUp") => {
                self.game.set_up_tag.get_or_insert(index);
                if tag_name != "SetUp" {
                    self.game.notes.push(messages::set_up_spelling(tag.span, tag_name));
                }
            }
            8 if tag_name.eq_ignore_ascii_case("GameType") => {
                let duplicate = self.game.type_tag.replace(index).is_some();
                self.game.tagged = self.variant_of(self.text(tag.value_span));
                return accept(!duplicate && self.game.tagged.is_some());
            }
            _ => {}
        }
        GO
    }

    fn begin_moves(&mut self) -> Flow {
        accept(self.begin().is_some())
    }

    fn number(&mut self, number: WrittenNumber, _: Span) -> Flow {
        self.game.number = Some(number);
        GO
    }

    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, _: MoveText, span: Span) -> Flow {
        let text = self.text(span);
        self.game.number = number.map(|(number, _)| number);
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
        // A tree has one space for each run of whitespace.
        accept(
            !text.iter().any(|byte| byte.is_ascii_whitespace() && *byte != b' ')
                && !text.windows(2).any(|two| two == b"  "),
        )
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
        self.game.line = Some(LineState::new(*line.before()));
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

/// Returns true if whitespace is at an end of the value of a tag.
fn is_padded(value: &str) -> bool {
    match value.as_bytes() {
        [b'!'..=b'~', .., b'!'..=b'~'] | [b'!'..=b'~'] | [] => false,
        _ => value.trim().len() != value.len(),
    }
}
