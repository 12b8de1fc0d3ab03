//! Replayed games as rows.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use compact_str::CompactString;
use smallvec::SmallVec;

use super::explanation::MoveShot;
use super::move_numbers::MoveCount;
use super::opening_names::OpeningNames;
use super::rows::{DiagnosticRow, GameRow, MoveRow, NoteRow, PositionRow, ResultRow, SCHEMA, Tags};
use super::signature::Signature;
use super::texts::{
    clock, closing_text, comments, early_texts, elapsed, evaluation, intro, is_deepest, is_odd, is_one_comment,
    is_usual, joined, nags, notes, opening_text, record, seconds, texts, written_setup,
};
use crate::board::{Side, Square};
use crate::check::{Review, two_parts};
use crate::notation::{Numbering, Outcome, roster_tag};
use crate::pdn::{
    Attachment, EngineScores, Evaluation, LineId, Node, NodeId, NodeKind, Tag, TwoParts, WrittenNumber, match_comment,
    parse_command, written_commands,
};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::{Move, Position, Variant};

/// The location of a game in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The file as the user named it, `-` for standard input.
    pub file: &'a str,
    /// Number of the game in the file, from 1.
    pub game: u64,
    /// First byte of the game in the decompressed file, from 0.
    pub offset: u64,
}

/// Returns a game as a row, with the rows of its diagnostics.
pub fn game_row<'a>(review: &'a Review, origin: Origin<'a>, diagnostics: Vec<DiagnosticRow>) -> GameRow<'a> {
    let (moves, variations) = Lines::of(review.game()).rows(LineId::MAIN, 0);
    GameRow { variations, diagnostics, moves, ..head_row(review, origin) }
}

/// Returns a game as a row without diagnostics and moves: all the table of games needs, at a quarter of the cost.
pub(super) fn head_row<'a>(review: &'a Review, origin: Origin<'a>) -> GameRow<'a> {
    let game = review.game();
    let tree = game.tree();
    let written = || tree.tags().iter().map(|tag| (tag.name(), tag.value()));
    let tags: Tags<'_> = written().collect();
    let opening = OpeningNames::of_program().of_game(game);
    GameRow {
        schema: SCHEMA,
        file: origin.file,
        game: origin.game,
        offset: origin.offset,
        variant: game.variant().map(Variant::name),
        rules: game.variant(),
        gametype: game.tag("GameType"),
        repeated_tags: if tags.len() < tree.tags().len() { repeated_tags(written()) } else { Vec::new() },
        all_tags: if tags.len() < tree.tags().len() { written().collect() } else { Vec::new() },
        tags,
        start_fen: game.start_fen(),
        final_fen: game.final_fen(),
        written: game.written() as u64,
        plies: game.plies_played() as u64,
        result: ResultRow {
            tag: roster_tag(tree, "Result").map(Tag::value),
            terminator: tree.terminator(),
            board: review.board().map(Outcome::word),
            winner: review.winner().map(Outcome::word),
        },
        legal: game.is_legal(),
        opening: opening.map(|(_, name)| &**name),
        opening_ply: opening.map(|(ply, _)| ply as u64),
        diagnostics: Vec::new(),
        performance: None,
        comment: opening_text(tree),
        end_comment: closing_text(tree),
        before: (!tree.lead().is_empty()).then(|| notes(tree.lead(), &mut 0)),
        intro: intro(tree),
        tail: (!is_one_comment(tree.tail())).then(|| notes(tree.tail(), &mut 0)),
        record: is_odd(tree).then(|| record(tree)),
        variations: Vec::new(),
        moves: Vec::new(),
    }
}

/// Returns the tags that repeat the name of an earlier one.
fn repeated_tags<'a>(tags: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    let mut seen = HashSet::new();
    tags.filter(|(name, _)| !seen.insert(*name)).collect()
}

/// The parts of a line that are written before the move to which they belong.
#[derive(Default)]
struct Early<'a> {
    number: Option<WrittenNumber>,
    notes: Vec<NoteRow<'a>>,
    /// True if the notes are not just the comment in `intro`.
    is_noted: bool,
    setups: Vec<Cow<'a, str>>,
    variations: Vec<Vec<MoveRow<'a>>>,
}

impl<'a> Early<'a> {
    /// Attaches everything to the next move.
    fn give(&mut self, row: &mut MoveRow<'a>) {
        row.before = std::mem::take(&mut self.is_noted).then(|| std::mem::take(&mut self.notes));
        self.notes.clear();
        row.setups.append(&mut self.setups);
        // They come first in the text.
        row.variations.splice(0..0, self.variations.drain(..));
    }

    fn is_empty(&self) -> bool {
        self.number.is_none() && self.setups.is_empty() && self.variations.is_empty() && !self.is_noted
    }

    /// Attaches everything to the previous move, if there is no next one.
    fn give_back(&mut self, row: &mut MoveRow<'a>) {
        let setups = self.setups.drain(..).map(|fen| Cow::Owned(written_setup(&fen)));
        row.comment = joined(row.comment.take().into_iter().chain(setups));
        row.variations.append(&mut self.variations);
    }
}

/// The lines of a game as rows.
pub(super) struct Lines<'a> {
    game: &'a ReplayedGame,
    names: Option<Cow<'static, RowNames>>,
    scores: EngineScores,
    clocks: TwoParts,
}

impl<'a> Lines<'a> {
    pub(super) fn of(game: &'a ReplayedGame) -> Self {
        Self {
            game,
            names: game.variant().map(RowNames::of),
            scores: EngineScores::of(game.tree()),
            clocks: two_parts(game),
        }
    }

    /// Returns the rows of a line, and the variations that belong to none of its moves.
    fn rows(&self, line: LineId, depth: usize) -> (Vec<MoveRow<'a>>, Vec<Vec<MoveRow<'a>>>) {
        let mut rows = Vec::with_capacity(self.game.tree().line(line).nodes().len());
        let others = self.visit(line, depth, |row| rows.push(std::mem::take(row)));
        (rows, others)
    }

    /// Passes on the row of each move of a line, in order, and returns the variations that belong to none of them. All moves
    /// share one row, which `take` may replace.
    pub(super) fn visit(
        &self,
        line: LineId,
        depth: usize,
        mut take: impl FnMut(&mut MoveRow<'a>),
    ) -> Vec<Vec<MoveRow<'a>>> {
        let tree = self.game.tree();
        let mut early = Early { variations: self.variations(tree.line(line).intro(), depth), ..Early::default() };
        let mut first = 0;
        early.notes = notes(tree.line(line).intro(), &mut first);
        if line == LineId::MAIN {
            // The game has those before its first move.
            early.notes.clear();
        } else {
            early.is_noted = !is_one_comment(tree.line(line).intro());
        }
        let starts = self.game.variant().map_or(Side::White, Variant::starts);
        let mut count = MoveCount::new(starts);
        let (mut row, mut is_begun, mut is_bare) = (MoveRow::default(), false, true);
        for &id in tree.line(line).nodes() {
            let node = tree.node(id);
            if node.kind().is_written_move() {
                if is_begun {
                    take(&mut row);
                }
                if !is_bare {
                    row = MoveRow::default();
                }
                let ply = self.game.ply(id);
                self.set_effect(&mut row, id, ply);
                is_bare = node.strength().is_none() && node.attachments().is_empty() && early.is_empty();
                if is_bare {
                    early.notes.clear();
                } else {
                    self.set_notes(&mut row, node, ply, (depth, early.variations.len()));
                    early.give(&mut row);
                }
                let number = node.number().or(early.number.take());
                row.number = number.map(WrittenNumber::value);
                let is_usual = |number: &WrittenNumber| *number == number.usual(row.side == starts.letter());
                row.dots = number.filter(|number| !is_usual(number)).map(WrittenNumber::dots);
                row.move_no = count.next(row.side, row.number);
                is_begun = true;
                continue;
            }
            early.number = node.number();
            let mut at = early.variations.len();
            early.variations.extend(self.variations(node.attachments(), depth));
            if let NodeKind::Setup { fen } = node.kind() {
                early.setups.push(fen.as_str().into());
                early.notes.push(NoteRow::Setup(fen.as_str().into()));
            } else {
                early.notes.push(NoteRow::Ellipsis);
            }
            early.is_noted = true;
            early.notes.extend(notes(node.attachments(), &mut at));
            if is_begun {
                is_bare = false;
                if row.after.is_none() {
                    let after = row.node.map_or(&[][..], |id| tree.node(id).attachments());
                    row.after = Some(notes(after, &mut row.early_variations.clone()));
                }
                row.comment = joined(row.comment.take().into_iter().chain(texts(tree, node.attachments(), depth)));
            }
        }
        if is_begun {
            early.give_back(&mut row);
            take(&mut row);
        }
        early.variations
    }

    fn variations(&self, attachments: &'a [Attachment], depth: usize) -> Vec<Vec<MoveRow<'a>>> {
        // Each level is a recursion, here and wherever rows are read; a text can open 100,000 parentheses.
        if is_deepest(depth) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for line in attachments.iter().filter_map(Attachment::variation) {
            let (mut rows, inner) = self.rows(line, depth + 1);
            if let Some(first) = rows.first_mut() {
                first.intro = joined(early_texts(self.game.tree(), line, depth + 1));
            }
            // If two parentheses open one variation, only the inner one has moves.
            all.extend(Some(rows).filter(|rows| !rows.is_empty()));
            all.extend(inner);
        }
        all
    }

    /// Sets what is written with a move besides its text and number.
    fn set_notes(
        &self,
        row: &mut MoveRow<'a>,
        node: &'a Node,
        ply: Option<Ply<'_>>,
        (depth, early_variations): (usize, usize),
    ) {
        let side = ply.map_or(Side::White, Ply::side);
        let written = || comments(node).flat_map(written_commands);
        let commands: SmallVec<[_; 4]> = written().map(|(name, value)| parse_command(name, value)).collect();
        let signature = commands.iter().find_map(Signature::of).unwrap_or_default();
        let score = || self.score(node, ply.filter(|_| depth == 0)?);
        let of_match = match_comment(node);
        row.clock = written().find_map(|(name, value)| clock((name, value), side, self.clocks)).map(seconds);
        row.elapsed = elapsed(&commands).or_else(|| of_match?.elapsed).map(seconds);
        let of_match = of_match.map(|found| found.evaluation(side == Side::White));
        // A command says most exactly what it is, and a bare score least.
        row.eval = commands.iter().find_map(evaluation).or(of_match).or_else(score);
        row.eval_before = signature.before;
        row.shots = signature.shots.iter().filter_map(|shot| MoveShot::read(shot, side)).collect();
        row.nags = nags(node);
        row.marks = node.strength();
        row.early_variations = early_variations;
        let is_usual = early_variations == 0 && is_usual(node.attachments());
        row.after = (!is_usual).then(|| notes(node.attachments(), &mut row.early_variations.clone()));
        row.comment = joined(texts(self.game.tree(), node.attachments(), depth));
        row.variations = self.variations(node.attachments(), depth);
    }

    /// Returns the score that an engine wrote after a move of the main line.
    fn score(&self, node: &Node, ply: Ply<'_>) -> Option<Evaluation> {
        let score = self.scores.score(node, ply.number())?;
        Some(Evaluation::CentiMen(if ply.side() == Side::White { score } else { -score }))
    }

    /// Sets the text of a move, and its effect as far as it is known.
    fn set_effect(&self, row: &mut MoveRow<'a>, id: NodeId, ply: Option<Ply<'_>>) {
        (row.node, row.written) = (Some(id), written(self.game.tree().node(id)));
        (row.ply, row.side) = ply.map_or((0, 'W'), |ply| (ply.number(), ply.side().letter()));
        let effect = ply.and_then(|ply| Some((ply.before()?, ply.played()?, ply.after()?)));
        if let (Some((before, played, after)), Some(names)) = (effect, self.names.as_deref()) {
            // Only captures can have another legal move between the same two squares.
            let is_only = !played.is_capture() || self.game.has_unique_squares(id);
            return set_played(row, (before, played, after), is_only, names);
        }
        (row.legal, row.notation, row.from, row.to) = (ply.is_some_and(Ply::is_played), None, None, None);
        row.captured.clear();
        row.fen = ply.and_then(Ply::after).map(|after| PositionRow::new(*after));
    }
}

/// The names of squares in a row: those of the variant, for notations and FENs, and the internal numbers, by a square's
/// bit.
#[derive(Clone)]
pub(super) struct RowNames {
    own: Numbering,
    /// At most three ASCII characters, and their number.
    names: [[u8; 4]; 128],
    numbers: [u8; 128],
}

/// The names of each built-in variant, made once: that takes as long as ten moves.
static BUILT_IN: [OnceLock<RowNames>; Variant::ALL.len()] = [const { OnceLock::new() }; Variant::ALL.len()];

impl RowNames {
    /// Returns the names of a variant.
    pub(super) fn of(variant: Variant) -> Cow<'static, Self> {
        match variant.index() {
            Some(index) => Cow::Borrowed(BUILT_IN[index].get_or_init(|| Self::new(variant))),
            None => Cow::Owned(Self::new(variant)),
        }
    }

    fn new(variant: Variant) -> Self {
        let own = Numbering::for_variant(variant);
        let internal = Numbering::internal(variant);
        let (mut names, mut numbers) = ([[0; 4]; 128], [0; 128]);
        for square in variant.shape().squares() {
            let (text, name) = (own.name(square).to_string(), &mut names[usize::from(square.bit())]);
            name[..text.len()].copy_from_slice(text.as_bytes());
            name[3] = text.len() as u8;
            numbers[usize::from(square.bit())] = internal.number(square);
        }
        Self { own, names, numbers }
    }

    fn name(&self, square: Square) -> &[u8] {
        let name = &self.names[usize::from(square.bit())];
        &name[..usize::from(name[3])]
    }

    fn number(&self, square: Square) -> u8 {
        self.numbers[usize::from(square.bit())]
    }

    /// Returns the numbers of the captured squares, sorted.
    fn captured(&self, played: &Move) -> SmallVec<[u8; 12]> {
        if !played.is_capture() {
            return SmallVec::new();
        }
        let mut captured: SmallVec<_> = played.captured().iter().map(|square| self.number(square)).collect();
        captured.sort_unstable();
        captured
    }

    /// Returns the short form of a legal move, as [`Position::short`]; `is_only` is true if no other one is known to have its
    /// first and last square. Nearly always it is written so; a copy of that text
    /// is not checked to be UTF-8 again.
    fn notation(&self, written: &str, before: &Position, played: &Move, is_only: bool) -> CompactString {
        if !is_only && !before.has_only(played.from(), played.to()) {
            return before.full_in(played, self.own).into();
        }
        let sign = if played.is_capture() { self.own.capture_sign() } else { '-' };
        // `32x23` and the like fit in a `CompactString` without an allocation. Its bytes are put together first: to append
        // to it three times took 200 instructions.
        let (mut bytes, mut len) = ([0; 2 * 3 + 1], 0);
        let [from, to] = [played.from(), played.to()].map(|square| self.name(square));
        for part in [from, &[sign as u8], to] {
            bytes[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        match &bytes[..len] {
            short if short == written.as_bytes() => written.into(),
            short => CompactString::from_utf8(short).unwrap_or_default(),
        }
    }
}

/// Returns the row of a played move, with only its effect.
pub(super) fn played_row<'a>(
    (ply, written): (u32, Cow<'a, str>),
    before: &Position,
    played: &Move,
    after: &Position,
    names: &RowNames,
) -> MoveRow<'a> {
    let side = before.turn().letter();
    let mut row = MoveRow { ply, side, written, ..MoveRow::default() };
    set_played(&mut row, (before, played, after), !played.is_capture(), names);
    row
}

/// Sets what is known of a move that was played. Rows are large, so they are completed where they are.
fn set_played(
    row: &mut MoveRow<'_>,
    (before, played, after): (&Position, &Move, &Position),
    is_only: bool,
    names: &RowNames,
) {
    row.legal = true;
    row.notation = Some(names.notation(&row.written, before, played, is_only));
    (row.from, row.to) = (Some(names.number(played.from())), Some(names.number(played.to())));
    row.captured = names.captured(played);
    row.fen = Some(PositionRow::new(*after));
}

fn written(node: &Node) -> Cow<'_, str> {
    match node.kind() {
        NodeKind::Move(text) => text.text().into(),
        NodeKind::Null | NodeKind::Ellipsis | NodeKind::Setup { .. } => "-".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::diag::Code;
    use crate::pdn::MAX_EXPORT_DEPTH;

    fn row(text: &str) -> GameRow<'static> {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        game_row(Box::leak(Box::new(review)), Origin { file: "f", game: 1, offset: 0 }, Vec::new())
    }

    #[test]
    fn a_legal_game() {
        let row =
            row("[Event \"e\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28! {good} 19-23 $5 2. 28x19 14x23 *\n");
        assert_eq!(row.variant, Some("international"));
        assert_eq!((row.written, row.plies, row.legal), (4, 4, true));
        assert_eq!((row.result.tag, row.result.terminator), (Some("*"), Some("*")));
        let first = &row.moves[0];
        assert_eq!((first.ply, first.number, first.side, first.from, first.to), (1, Some(1), 'W', Some(32), Some(28)));
        assert_eq!((first.nags.as_slice(), first.comment.as_deref()), (&[1][..], Some("good")));
        assert_eq!((row.moves[1].side, row.moves[1].number, &row.moves[1].nags[..]), ('B', None, &[5][..]));
        assert_eq!(row.moves[2].captured[..], [23]);
        assert_eq!(row.moves[3].fen.map(|after| after.position().fen()), row.final_fen);
        assert!(row.start_fen.expect("a start").starts_with("W:W31,32"));
    }

    #[test]
    fn moves_after_an_illegal_one_have_no_positions() {
        let row = row("[GameType \"20\"]\n1. 32-28 19-23 2. 31-13 20-24 *");
        assert_eq!((row.written, row.plies, row.legal), (4, 2, false));
        let legal: Vec<_> = row.moves.iter().map(|row| row.legal).collect();
        assert_eq!(legal, [true, true, false, false]);
        assert!(row.moves[2..].iter().all(|row| row.fen.is_none() && row.from.is_none() && row.notation.is_none()));
        assert_eq!(row.moves[2].written, "31-13");
    }

    #[test]
    fn clocks_and_evaluations_come_from_comments() {
        let row = row(
            "[GameType \"20\"]\n1. 32-28 {[%clk 0:01:30.5][%eval -0.035]} 19-23 {[%clock w1:00 B0:59] x} {[%eval #-7]} *",
        );
        assert_eq!((row.moves[0].clock, row.moves[0].eval), (Some(90.5), Some(Evaluation::CentiMen(-4))));
        assert_eq!((row.moves[1].clock, row.moves[1].eval), (Some(59.0), Some(Evaluation::BlackWins(7))));
    }

    #[test]
    fn scores_of_engines_are_evaluations_from_the_view_of_white() {
        let row =
            row("[GameType \"20\"]\n1. 32-28 {0: None } 18-22 {20: 37-32} 2. 37-32 {-40: 12-18} 12-18 {60: 41-37} \
                       3. 41-37 {20: 7-12} 7-12 {20} 4. 34-30 {1: 1-7} 1-7 {-20: 40-34} *");
        let found: Vec<_> = row.moves.iter().map(|row| row.eval.and_then(Evaluation::centi_men)).collect();
        assert_eq!(found, [None, Some(-20), Some(-40), Some(-60), Some(20), Some(-20), Some(1), Some(20)]);
        assert_eq!(row.moves[1].comment.as_deref(), Some("20: 37-32"));
    }

    #[test]
    fn variations_belong_to_the_move_they_replace() {
        let row = row("[GameType \"20\"]\n1. 32-28 (1. 31-27 19-23 (1... 20-24)) 19-23 *");
        let variation = &row.moves[0].variations[0];
        assert_eq!((variation.len(), variation[0].ply, variation[1].ply), (2, 1, 2));
        assert_eq!(variation[1].variations[0][0].written, "20-24");
    }

    #[test]
    fn comments_before_the_first_move_are_kept() {
        let game = row("{lead}\n[GameType \"20\"]\n{intro} ... {dots} 1. 32-28 {first} 19-23 *");
        assert_eq!(game.comment.as_deref(), Some("lead intro dots"));
        assert_eq!(game.moves[0].comment.as_deref(), Some("first"));
        assert!(game.variations.is_empty());
        let game = row("[GameType \"20\"]\n(1. 32-28 {c}) (1. 33-28) *");
        assert_eq!((game.moves.len(), game.variations.len(), game.comment), (0, 2, None));
        assert_eq!(game.variations[0][0].comment.as_deref(), Some("c"));
    }

    #[test]
    fn no_text_is_lost() {
        let game = row(
            "[GameType \"20\"]\n[Event \"a\"]\n[Event \"b\"]\n1. 32-28 words (see the game of 1989) ({better} 1. 31-27) \
             19-23 /FEN \"W:W31:B20\"/ 2. 31-27 /FEN \"W:W32:B20\"/ 2-0 {end} of it",
        );
        assert_eq!(game.repeated_tags, [("Event", "b")]);
        assert_eq!(game.moves[0].comment.as_deref(), Some("words (see the game of 1989)"));
        assert_eq!(game.moves[0].variations.len(), 1);
        assert_eq!(game.moves[0].variations[0][0].intro.as_deref(), Some("better"));
        assert_eq!((game.moves[2].setups.len(), game.moves[2].number), (1, Some(2)));
        assert_eq!(game.moves[2].comment.as_deref(), Some("/FEN \"W:W32:B20\"/"));
        assert_eq!(game.end_comment.as_deref(), Some("end of it"));
        let json = serde_json::to_string(&game).expect("JSON");
        assert!(json.contains(r#""repeated_tags":[["Event","b"]]"#) && json.contains(r#""setups":["W:W31:B20"]"#));
        let plain = serde_json::to_string(&row("[GameType \"20\"]\n1. 32-28 (1. 31-27) *")).expect("JSON");
        assert!(
            ["repeated_tags", "end_comment", "intro", "setups", "move_no"].iter().all(|name| !plain.contains(name))
        );
    }

    #[test]
    fn both_sides_have_move_numbers() {
        let numbers = |text: &str| row(text).moves.iter().map(|row| row.move_no).collect::<Vec<_>>();
        assert_eq!(numbers("[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *"), [1, 1, 2, 2]);
        assert_eq!(numbers("[GameType \"20\"]\n32-28 19-23 28x19 14x23 *"), [1, 1, 2, 2]);
        assert_eq!(numbers("[GameType \"21\"]\n11-15 23-18 8-11 *"), [1, 1, 2]);
        assert_eq!(numbers("[GameType \"20\"]\n[FEN \"B:W31:B5\"]\n41... 5-10 31-27 *"), [41, 42]);
    }

    #[test]
    fn a_hundred_thousand_nested_variations_are_exported_to_a_limit() {
        let text = format!("[GameType \"20\"]\n1. 32-28 {} 19-23 *", "(1. 31-27 ".repeat(100_000));
        let mut rows = &row(&text).moves;
        let mut depth = 0;
        while let Some(inner) = rows.first().and_then(|row| row.variations.first()) {
            rows = inner;
            depth += 1;
        }
        assert_eq!(depth, MAX_EXPORT_DEPTH as usize);
        let deepest = rows[0].comment.as_deref().expect("the rest");
        assert_eq!(deepest.matches("1. 31-27").count(), 100_000 - depth);
        assert!(Code::REPLAY_DEEP_VARIATION.meaning().contains(&format!(" {MAX_EXPORT_DEPTH} ")));
    }
}
