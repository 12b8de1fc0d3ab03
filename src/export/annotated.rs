//! Annotated games as text.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::format::{RecordWriter, WrittenGame};
use crate::check::{Around, CheckedGame, ChunkOrigin, GameWork, Needs, Review, Summary};
use crate::notation::Numbering;
use crate::pdn::{
    Evaluation, ExtraMove, NodeId, Outside, Overlay, WriteOptions, WrittenNumber, write_game, write_game_over,
};
use crate::records::{
    AnnotatedGame, Annotation, DiagnosticRow, EvaluatedLine, GameRow, Judgement, Origin, PlayerTable, Signature,
    annotate_row, diagnostic_rows, game_row, line_checksum, nags, text_checksum, written_evaluation,
};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::{Move, Variant};

/// Maximum length of a best line, in plies.
const MAX_LINE: usize = 24;

/// Returns a game with annotations: the evaluation after each move as `[%eval …]`, from White's point of view, a NAG for each
/// judgement, and the best lines as variations. The content of the game is kept; a move that already has an evaluation or the
/// NAG does not get a second one. A command `[%pdn mark=… line=…]` after the evaluation names the other additions, so that a
/// later run recognises them; a sentence is a comment after this one. `annotator` is added to the Annotator tag, replacing the name of an earlier run.
pub fn annotated_pdn(game: &ReplayedGame, annotations: &[Annotation], annotator: &str) -> String {
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
    let present = game.tree().tag("Annotator").unwrap_or_default();
    let tags = [("Annotator".to_owned(), Some(annotators(present, annotator)))];
    write_game_over(game.tree(), options, &Annotated { game, by_node, needs_before, tags })
}

/// Returns the value of an Annotator tag with the name of this run, which replaces that of an earlier one.
fn annotators(present: &str, name: &str) -> String {
    const SEPARATOR: &str = "; ";
    // `pdn 0.1.0 engine sh -c 'a; b'` would be two names when it is read again.
    let name = name.replace(';', ",");
    let others: Vec<&str> = present.split(SEPARATOR).filter(|other| !is_former(other)).collect();
    let others = others.join(SEPARATOR);
    // `?` is the value of a tag whose value is unknown.
    if matches!(others.as_str(), "" | "?") { name } else { [&others, &name[..]].join(SEPARATOR) }
}

/// Returns true for the name that a run of this program adds, such as `pdn 0.1.0 100000 nodes`.
fn is_former(name: &str) -> bool {
    // `pdn user` may be a person.
    let version = name.strip_prefix("pdn ").and_then(|rest| rest.split(' ').next());
    version.is_some_and(|version| {
        let numbers = version.split('.');
        numbers.clone().count() == 3 && numbers.clone().all(|number| number.parse::<u32>().is_ok())
    })
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

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut CollectedReviews) {
        done.summary.count_game(&game);
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
    file: String,
    offset: u64,
    around: Around,
    diagnostics: Vec<DiagnosticRow>,
}

impl GamePlace {
    /// Returns the place of a game.
    pub(crate) fn of(game: &CheckedGame<'_>) -> Self {
        let (diagnostics, around) = (diagnostic_rows(game), game.around().clone());
        Self { file: game.input().label().to_owned(), offset: game.offset(), around, diagnostics }
    }

    /// Returns the name of the file.
    pub(crate) fn file(&self) -> &str {
        &self.file
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
        annotated_pdn(self.replayed(), &self.game.annotations, &self.game.annotator) + "\n"
    }
}

struct Annotated<'a> {
    game: &'a ReplayedGame,
    by_node: HashMap<NodeId, &'a Annotation>,
    /// The moves whose loss does not follow from the evaluations after moves, so that the evaluation before them is written too.
    needs_before: HashSet<NodeId>,
    tags: [(String, Option<String>); 1],
}

impl Overlay for Annotated<'_> {
    fn tags(&self) -> &[(String, Option<String>)] {
        &self.tags
    }

    fn nags(&self, id: NodeId) -> Vec<u16> {
        self.mark(id).into_iter().collect()
    }

    fn comments(&self, id: NodeId) -> Vec<Cow<'_, str>> {
        let Some(annotation) = self.by_node.get(&id) else { return Vec::new() };
        let checksum = |line: &BestLine| line_checksum(line.variant, &line.moves, &line.comment);
        let lines = self.lines(id).iter().map(checksum).collect();
        let before = Some(annotation.best_evaluation).filter(|_| self.needs_before.contains(&id));
        let sentence = annotation.sentence();
        let signature = Signature {
            mark: self.mark(id),
            lines,
            before,
            shots: annotation.shots().iter().map(ToString::to_string).collect(),
            text: sentence.map(text_checksum),
            words: annotation.explanation().filter(|_| sentence.is_some()).map(ToString::to_string),
        };
        let evaluation = (!has_evaluation(self.game, id)).then(|| eval(annotation.evaluation));
        let signature = (!signature.is_empty()).then(|| signature.to_string());
        let commands: Vec<String> = evaluation.into_iter().chain(signature).collect();
        let commands = (!commands.is_empty()).then(|| commands.join(" ").into());
        commands.into_iter().chain(sentence.map(Cow::Borrowed)).collect()
    }

    fn variations(&self, id: NodeId) -> Option<Vec<Vec<ExtraMove>>> {
        let ply = self.game.ply(id)?;
        Some(self.lines(id).iter().map(|line| line.moves(ply)).collect())
    }
}

impl Annotated<'_> {
    /// Returns the NAG of the judgement of a move, unless the move has it already.
    fn mark(&self, id: NodeId) -> Option<u16> {
        let nag = self.by_node.get(&id)?.judgement.map(Judgement::nag)?;
        (!nags(self.game.tree().node(id)).contains(&nag)).then_some(nag)
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
    fn moves(&self, ply: Ply<'_>) -> Vec<ExtraMove> {
        let Some(mut position) = ply.before().copied() else { return Vec::new() };
        let mut moves = Vec::with_capacity(self.moves.len());
        for (n, step) in self.moves.iter().enumerate() {
            moves.push(ExtraMove {
                number: number(self.variant, ply, n),
                text: position.short_in(step, self.numbering),
                comment: (n == 0).then(|| self.comment.clone()),
            });
            position = position.play_unchecked(step);
        }
        moves
    }
}

/// Returns the number before the n-th move of a line: before each move of the side that starts games, and before the first.
fn number(variant: Variant, first: Ply<'_>, n: usize) -> Option<WrittenNumber> {
    let starts = (first.side() == variant.starts()) == n.is_multiple_of(2);
    // If the second player moves first, the first half of the move pair is missing.
    let shifted = u32::from((first.number() % 2 == 1) != (first.side() == variant.starts()));
    let value = (first.number() + shifted + n as u32).div_ceil(2);
    (starts || n == 0).then_some(WrittenNumber::new(value, if starts { 1 } else { 3 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotators_are_named_once() {
        for (present, all) in [
            ("", "pdn 0.1.0 100 nodes"),
            ("?", "pdn 0.1.0 100 nodes"),
            ("Me", "Me; pdn 0.1.0 100 nodes"),
            ("Me; pdn 0.1.0 9 nodes; You", "Me; You; pdn 0.1.0 100 nodes"),
            ("pdn 0.2.10", "pdn 0.1.0 100 nodes"),
            ("pdn user", "pdn user; pdn 0.1.0 100 nodes"),
        ] {
            assert_eq!(annotators(present, "pdn 0.1.0 100 nodes"), all);
            assert_eq!(annotators(all, "pdn 0.1.0 100 nodes"), all);
        }
        let once = annotators("", "pdn 0.1.0 engine sh -c 'a; b'");
        assert_eq!(annotators(&once, "pdn 0.1.0 engine sh -c 'a; b'"), once);
    }
}
