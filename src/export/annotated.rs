//! Annotated games as text.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::format::{RecordWriter, WrittenGame};
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Review, Summary};
use crate::notation::Numbering;
use crate::pdn::{
    Attachment, Evaluation, ExtraMove, GameTree, LineId, NodeId, Outside, Overlay, WriteOptions, WrittenNumber,
    nag_sign, write_game, write_game_over,
};
use crate::records::{
    AnnotatedGame, Annotation, Annotators, DiagnosticRow, EvaluatedLine, GameRow, Judgement, MoveNumbers, Origin,
    PlayerTable, Signature, annotate_row, covers, diagnostic_rows, game_row, is_unsigned_evaluation, line_checksum,
    nags, text_checksum, written_evaluation,
};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::{Move, Variant};

/// Maximum length of a best line, in plies.
const MAX_LINE: usize = 24;

/// Returns a game with annotations: the evaluation after each move as `[%eval …]`, from White's point of view, a NAG for each
/// judgement, and the best lines as variations. The content of the game is kept; a move that already has an evaluation or the
/// NAG does not get a second one. A command `[%pdn mark=… line=…]` after the evaluation names the other additions, so that a
/// later run recognises them; a sentence is a comment after this one. If evaluations of others remain between those of this run,
/// each of the latter has such a command, which may be empty. `annotator` is added to the Annotator tag, replacing the name of an
/// earlier run.
pub fn annotated_pdn(game: &ReplayedGame, annotations: &[Annotation], annotator: &str) -> String {
    let form = if keeps_others(game.tree(), annotator) { Form::AmongOthers } else { Form::Usual };
    write_annotated(game, annotations, annotator, form)
}

/// Returns a game with annotations as [`annotated_pdn`] does, but without commands, as books have it: the judgements, and NAGs for
/// which there is a sign, are signs such as `??` after moves, the best lines are variations, and sentences are comments. A move
/// with a sign keeps it, and a line or a sentence that the game has already is not repeated.
pub fn plain_pdn(game: &ReplayedGame, annotations: &[Annotation], annotator: &str) -> String {
    write_annotated(game, annotations, annotator, Form::Plain)
}

/// The form of annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Commands say what was added; evaluations are recognised by the tag of annotators.
    Usual,
    /// Each evaluation has a command that says it was added.
    AmongOthers,
    /// Without commands.
    Plain,
}

impl Form {
    /// Returns the end of the name of a run that writes this form.
    const fn label(self) -> Option<&'static str> {
        match self {
            Self::Usual => None,
            Self::AmongOthers => Some(Annotators::AMONG_OTHERS),
            Self::Plain => Some(Annotators::PLAIN),
        }
    }
}

fn write_annotated(game: &ReplayedGame, annotations: &[Annotation], annotator: &str, form: Form) -> String {
    let options = WriteOptions::default();
    // A game that was not analysed gets no annotator.
    if annotations.is_empty() {
        return write_game(game.tree(), options);
    }
    let by_node: HashMap<_, _> = annotations.iter().map(|annotation| (annotation.node, annotation)).collect();
    let mut needs_before = HashSet::new();
    let mut is_known = false;
    for id in game.main_moves() {
        let (annotation, is_written) = (by_node.get(&id), has_evaluation(game, id));
        let loses = |made: &Annotation| game.ply(id).is_some_and(|ply| made.loses(ply.side()));
        // An evaluation of the record is not compared with one of this run.
        if !is_known && !is_written && annotation.is_some_and(|made| loses(made)) {
            needs_before.insert(id);
        }
        is_known = annotation.is_some() || is_written;
    }
    let numbers = MoveNumbers::of(game);
    let name = form.label().map_or_else(|| annotator.into(), |label| format!("{annotator} {label}"));
    let tags = [(Annotators::TAG.to_owned(), Some(Annotators::of(game.tree()).with(&name)))];
    write_game_over(game.tree(), options, &Annotated { game, form, numbers, by_node, needs_before, tags })
}

/// Returns true if evaluations of others remain in the lines that the run of this name annotates.
fn keeps_others(tree: &GameTree, annotator: &str) -> bool {
    let present = Annotators::of(tree);
    let is_asked = |line: &LineId| covers(annotator, *line) && !present.owns_evaluations(*line);
    let nodes = |line: LineId| tree.line(line).nodes();
    let mut after = tree.written_lines().into_iter().filter(is_asked).flat_map(nodes);
    after.any(|&id| tree.node(id).attachments().iter().any(is_unsigned_evaluation))
}

/// A game to be annotated and then written.
#[derive(Debug)]
pub(crate) struct PlacedReview {
    pub(crate) review: Review,
    pub(crate) place: GamePlace,
}

/// Work that collects the games to be annotated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedReviews;

/// The games of a chunk, with the counts of what was found in it.
#[derive(Debug, Default)]
pub(crate) struct CollectedReviews {
    pub(crate) games: Vec<PlacedReview>,
    pub(crate) summary: Summary,
}

impl GameWork for PlacedReviews {
    type Done = CollectedReviews;

    fn game(&self, game: CheckedGame<'_>, done: &mut CollectedReviews) {
        done.summary.count_game(game.review());
        let place = GamePlace::of(&game);
        done.games.push(PlacedReview { review: game.into_review(), place });
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut CollectedReviews) {
        done.summary.count(outside.diagnostic());
    }
}

/// The data kept of a checked game, besides its [`Review`], until it is annotated: its location, the text around it, and its
/// diagnostics.
#[derive(Clone, Debug)]
pub(crate) struct GamePlace {
    /// The name of the file.
    pub(crate) file: String,
    /// The line on which it begins.
    pub(crate) line: u64,
    offset: u64,
    around: [Vec<String>; 2],
    diagnostics: Vec<DiagnosticRow>,
}

impl GamePlace {
    /// Returns the place of a game.
    pub(crate) fn of(game: &CheckedGame<'_>) -> Self {
        let (diagnostics, around) = (diagnostic_rows(game), game.around().clone());
        let (file, line) = (game.input().label().to_owned(), game.location().line);
        Self { file, line, offset: game.offset(), around, diagnostics }
    }

    /// Returns the text of the game with its annotations.
    pub(crate) fn write(&self, writer: &dyn RecordWriter, game: &AnnotatedGame) -> Vec<u8> {
        let mut text = Vec::new();
        writer.game(&PlacedGame { place: self, game }, &mut text);
        text
    }

    /// Returns the play of its players.
    pub(crate) fn players(&self, game: &AnnotatedGame) -> PlayerTable {
        if game.annotations.is_empty() {
            return PlayerTable::default();
        }
        PlayerTable::of(&PlacedGame { place: self, game }.row())
    }
}

/// An annotated game to be written. Formats without rows do not make any.
struct PlacedGame<'a> {
    place: &'a GamePlace,
    game: &'a AnnotatedGame,
}

impl WrittenGame for PlacedGame<'_> {
    fn head(&self) -> GameRow<'_> {
        GameRow { moves: Vec::new(), ..self.row() }
    }

    fn row(&self) -> GameRow<'_> {
        let GamePlace { file, offset, around, .. } = self.place;
        let review = &self.game.review;
        let origin = Origin { file, game: review.number(), offset: *offset };
        let mut row = game_row(review, origin, Vec::new());
        row.add_around(around);
        annotate_row(&mut row, review.game(), &self.game.annotations);
        row
    }

    fn diagnostics(&self) -> Vec<DiagnosticRow> {
        self.place.diagnostics.clone()
    }

    fn replayed(&self) -> &ReplayedGame {
        self.game.review.game()
    }

    fn pdn(&self) -> String {
        let AnnotatedGame { annotations, annotator, plain, .. } = self.game;
        let write = if *plain { plain_pdn } else { annotated_pdn };
        write(self.replayed(), annotations, annotator)
    }
}

struct Annotated<'a> {
    game: &'a ReplayedGame,
    form: Form,
    numbers: MoveNumbers,
    by_node: HashMap<NodeId, &'a Annotation>,
    /// The moves whose loss does not follow from the evaluations after moves, so that the evaluation before them is written too.
    needs_before: HashSet<NodeId>,
    tags: [(String, Option<String>); 1],
}

impl Overlay for Annotated<'_> {
    fn tags(&self) -> &[(String, Option<String>)] {
        &self.tags
    }

    fn strength<'a>(&'a self, id: NodeId, written: Option<&'a str>) -> Option<Cow<'a, str>> {
        let sign = || nag_sign(self.plain_nag(id)?);
        written.or_else(sign).map(Cow::Borrowed)
    }

    fn keeps(&self, id: NodeId, attachment: &Attachment) -> bool {
        !self.plain_nag(id).is_some_and(|nag| *attachment == Attachment::Nag(nag))
    }

    fn nags(&self, id: NodeId) -> Vec<u16> {
        self.mark(id).filter(|_| self.form != Form::Plain).into_iter().collect()
    }

    fn comments(&self, id: NodeId) -> Vec<Cow<'_, str>> {
        let Some(annotation) = self.by_node.get(&id) else { return Vec::new() };
        let sentence = annotation.sentence.as_deref();
        if self.form == Form::Plain {
            let after = self.game.tree().node(id).attachments();
            let is_there = |text: &str| after.iter().any(|item| item.comment() == Some(text));
            return sentence.filter(|text| !is_there(text)).map(Cow::Borrowed).into_iter().collect();
        }
        let checksum = |line: &BestLine| line_checksum(line.variant, &line.moves, &line.comment);
        let lines = self.lines(id).iter().map(checksum).collect();
        let before = Some(annotation.best_evaluation).filter(|_| self.needs_before.contains(&id));
        let signature = Signature {
            mark: self.mark(id),
            lines,
            before,
            shots: annotation.shots.iter().map(ToString::to_string).collect(),
            text: sentence.map(text_checksum),
            words: annotation.explanation().filter(|_| sentence.is_some()).map(ToString::to_string),
        };
        let evaluation = (!has_evaluation(self.game, id)).then(|| eval(annotation.evaluation));
        let is_signed = !signature.is_empty() || self.form == Form::AmongOthers && evaluation.is_some();
        let signature = is_signed.then(|| signature.to_string());
        let commands: Vec<String> = evaluation.into_iter().chain(signature).collect();
        let commands = (!commands.is_empty()).then(|| commands.join(" ").into());
        commands.into_iter().chain(sentence.map(Cow::Borrowed)).collect()
    }

    fn variations(&self, id: NodeId) -> Option<Vec<Vec<ExtraMove>>> {
        let ply = self.game.ply(id)?;
        let (lines, number) = (self.lines(id).into_iter(), self.numbers.number(id, ply.side()));
        if self.form == Form::Plain {
            // A plain record does not show which lines an earlier run wrote: none is written twice.
            return Some(
                lines.filter(|line| !self.has_line(id, line)).map(|line| line.plain_moves(ply, number)).collect(),
            );
        }
        Some(lines.map(|line| line.moves(ply, number)).collect())
    }
}

impl Annotated<'_> {
    /// Returns the NAG of the judgement of a move, unless the move has it already.
    fn mark(&self, id: NodeId) -> Option<u16> {
        let nag = self.by_node.get(&id)?.judgement.map(Judgement::nag)?;
        (!nags(self.game.tree().node(id)).contains(&nag)).then_some(nag)
    }

    /// Returns the NAG that becomes the sign of a move without one: the first of the record, or else that of the judgement.
    fn plain_nag(&self, id: NodeId) -> Option<u16> {
        if self.form != Form::Plain {
            return None;
        }
        let node = self.game.tree().node(id);
        let written = nags(node).into_iter().find(|&nag| nag_sign(nag).is_some());
        written.or_else(|| self.mark(id)).filter(|_| node.move_text().is_some())
    }

    /// Returns true if a move has a line as a variation.
    fn has_line(&self, id: NodeId, line: &BestLine) -> bool {
        let tree = self.game.tree();
        let moves = |other: LineId| tree.line(other).nodes().iter().map(|&id| self.game.played(id));
        tree.variations(id).any(|other| moves(other).eq(line.moves.iter().map(|step| Some(*step))))
    }

    fn lines(&self, id: NodeId) -> Vec<BestLine> {
        let annotation = self.by_node.get(&id).zip(self.game.variant().zip(self.game.numbering()));
        let Some((annotation, (variant, numbering))) = annotation else { return Vec::new() };
        let line = |line: EvaluatedLine| {
            let moves = line.moves()[..line.moves().len().min(MAX_LINE)].to_vec();
            BestLine { variant, numbering, moves, comment: eval(line.evaluation()) }
        };
        annotation.alternatives(self.game.played(id)).into_iter().map(line).collect()
    }
}

fn has_evaluation(game: &ReplayedGame, id: NodeId) -> bool {
    game.tree().node(id).attachments().iter().any(|attachment| written_evaluation(attachment).is_some())
}

fn eval(evaluation: Evaluation) -> String {
    format!("[%eval {evaluation}]")
}

/// A best line as written, with the square names of its game.
struct BestLine {
    variant: Variant,
    numbering: Numbering,
    moves: Vec<Move>,
    /// The comment after the first move.
    comment: String,
}

impl BestLine {
    /// Returns the moves, numbered from the one that they replace.
    fn moves(&self, ply: Ply<'_>, first: WrittenNumber) -> Vec<ExtraMove> {
        let Some(mut position) = ply.before().copied() else { return Vec::new() };
        let mut moves = Vec::with_capacity(self.moves.len());
        for (n, step) in self.moves.iter().enumerate() {
            moves.push(ExtraMove {
                number: number(first, n),
                text: position.short_in(step, self.numbering),
                comment: (n == 0).then(|| self.comment.clone()),
            });
            position = position.play_unchecked(step);
        }
        moves
    }

    /// Returns the moves without the evaluation.
    fn plain_moves(&self, ply: Ply<'_>, first: WrittenNumber) -> Vec<ExtraMove> {
        self.moves(ply, first).into_iter().map(|step| ExtraMove { comment: None, ..step }).collect()
    }
}

/// Returns the number before the n-th move of a line that begins with this number: before each move of the side that starts games,
/// and before the first.
fn number(first: WrittenNumber, n: usize) -> Option<WrittenNumber> {
    let half_moves = n + usize::from(first.dots() > 1);
    let (value, starts) = (first.value().saturating_add(half_moves as u32 / 2), half_moves.is_multiple_of(2));
    (starts || n == 0).then_some(WrittenNumber::new(value, 1).usual(starts))
}
