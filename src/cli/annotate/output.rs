//! Where annotated games go.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::ProgressBar;

use crate::annotate::{KeyMoment, KeyMoments, words};
use crate::check::Review;
use crate::cli::context::{Context, REPLACES_INPUT};
use crate::cli::interrupt;
use crate::cli::output::{Growth, Output};
use crate::cli::words::{Table, count};
use crate::diag::{Diagnostic, Group, Severity};
use crate::error::{Error, Result};
use crate::export::{GamePlace, RecordWriter, TextOutput};
use crate::records::{AccuracyRow, AnnotatedGame, Judgement, NotAnnotated, PlayerTable, Remains, SentenceFacts};
use crate::source::{Input, uncompressed};
use crate::text::Language;

// The summary is read on a terminal; all players are in the table that `--table players` writes.
/// Maximum number of players in a summary.
const MAX_PLAYERS: usize = 20;

/// The share of the lost moves in judged games that are marked, in percent, in International and on boards with 32 squares, by the
/// nodes for each position: from the table of `docs/annotations.md`.
const FOUND: [(u64, [u32; 2]); 2] = [(20_000, [43, 38]), (100_000, [58, 53])];

/// What is not annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// A game, because the engine failed, which fails the run.
    Engine,
    /// A game that cannot be annotated.
    Game,
    /// The moves of a game from an illegal one on.
    Rest,
}

/// The output for a game.
pub(super) struct Written {
    text: Vec<u8>,
    /// Why the game, or the rest of it, is not annotated.
    gap: Option<(Error, Gap)>,
    /// What stays of annotations that were removed, and why.
    note: Option<String>,
    players: PlayerTable,
    moments: KeyMoments,
    /// True if moves of the game were chosen, whether or not they could be annotated.
    chosen: bool,
}

impl Written {
    /// Returns the output; the play of the players is only counted if it is used.
    pub(super) fn new(writer: &dyn RecordWriter, game: &AnnotatedGame, place: &GamePlace, counts: bool) -> Self {
        let gap = match &game.failure {
            Some(why) => {
                let gap = if let NotAnnotated::Failed(_) = why { Gap::Engine } else { Gap::Game };
                Some((format!("not annotated: {why}"), gap))
            }
            // It was cleaned: only an annotated game names the run.
            None if game.annotator.is_empty() => None,
            None => rest(&game.review).map(|why| (format!("annotated in part: {why}"), Gap::Rest)),
        };
        let of_game = |text: String| format!("{}: game {}: {text}", place.file, game.review.number());
        let gap = gap.map(|(text, gap)| (Error::unavailable(of_game(text)), gap));
        let note = remaining(game.remains).map(of_game);
        let text = place.write(writer, game);
        let (mut players, mut moments) = Default::default();
        if counts {
            (players, moments) = (place.players(game), KeyMoments::of((&place.file, place.line), game));
        }
        let chosen = game.failure.is_some() || !game.annotations.is_empty();
        Self { text, gap, note, players, moments, chosen }
    }
}

/// What the output receives, in the order of the inputs.
pub(super) enum Piece {
    /// The next games belong to another input and go to another file.
    File(PathBuf),
    Game(Written),
}

/// Where annotated games go.
pub(super) struct Sink<'a> {
    pub(super) context: &'a mut Context,
    bar: ProgressBar,
    /// Number of games written.
    written: Arc<AtomicU64>,
    writer: Arc<dyn RecordWriter>,
    /// The file of the current input, if each input has one.
    file: Option<Output>,
    /// The text of the current output.
    text: TextOutput,
    /// The play of all players.
    players: PlayerTable,
    /// Their key moments.
    moments: KeyMoments,
    /// Number of games that could not be annotated.
    failed: u64,
    /// Number of games that are annotated up to an illegal move.
    partial: u64,
    /// Number of games of which moves were chosen.
    pub(super) chosen: u64,
}

/// Returns what stays of a game that was cleaned although an earlier run may have added it.
fn remaining(remains: Remains) -> Option<String> {
    let Remains { marks, variations, comments, evaluations, .. } = remains;
    let kinds = [(marks, "mark"), (variations, "variation"), (comments, "comment"), (evaluations, "evaluation")];
    let found = kinds.into_iter().filter(|(number, _)| *number > 0);
    let found: Vec<_> = found.map(|(number, kind)| count(number as u64, kind)).collect();
    (!found.is_empty()).then(|| format!("kept, because a person may have written them: {}", found.join(", ")))
}

/// Returns why a game cannot be annotated to its end: the first error in its moves.
fn rest(review: &Review) -> Option<String> {
    let is_cut = !review.game().is_legal();
    let mut errors = review.diagnostics().iter().filter(|found| found.severity() == Severity::Error);
    errors.find(|found| found.code().group() == Group::Move).filter(|_| is_cut).map(Diagnostic::message)
}

impl<'a> Sink<'a> {
    /// Returns a sink; `empty` is true unless games of another part come before those of this one.
    pub(super) fn new(
        context: &'a mut Context,
        bar: ProgressBar,
        written: Arc<AtomicU64>,
        writer: Arc<dyn RecordWriter>,
        empty: bool,
    ) -> Self {
        let text = TextOutput::new(Arc::clone(&writer));
        let text = if empty { text } else { text.continued() };
        let (players, moments) = Default::default();
        let (failed, partial, chosen) = (0, 0, 0);
        Self { context, bar, written, writer, file: None, text, players, moments, failed, partial, chosen }
    }

    /// Writes the header of the output.
    pub(super) fn begin(&mut self) -> Result<()> {
        let header = self.text.header();
        self.out().bytes(&header)
    }

    /// Writes the end of the output.
    pub(super) fn end(&mut self) -> Result<()> {
        let text = std::mem::replace(&mut self.text, TextOutput::new(Arc::clone(&self.writer)));
        let footer = text.finish();
        self.out().bytes(&footer)
    }

    /// Completes the file of the last input, if each input has one.
    pub(super) fn end_file(&mut self) -> Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.end()?;
        self.file.take().map_or(Ok(()), Output::finish)
    }

    /// Writes a piece and flushes it, so that a reader of the output sees it at once.
    pub(super) fn write(&mut self, piece: Piece) -> Result<()> {
        let game = match piece {
            Piece::Game(game) => game,
            Piece::File(path) => {
                self.end_file()?;
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
                }
                self.file = Some(Output::growing(Some(&path), Growth::Visible)?);
                return self.begin();
            }
        };
        let Written { text, gap, note, players, moments, chosen } = game;
        self.chosen += u64::from(chosen);
        self.players += players.clone();
        self.moments += moments;
        match &gap {
            Some((_, Gap::Rest)) => self.partial += 1,
            Some(_) => self.failed += 1,
            None => {}
        }
        let bar = self.bar.clone();
        bar.suspend(|| {
            interrupt::while_running(|| {
                let out = self.file.as_mut().unwrap_or(&mut self.context.out);
                self.text.add_game(&text, players, |piece| out.bytes(piece))?;
                // A game may have taken minutes; an interrupt or a full disk does not lose it in a buffer.
                out.flush()?;
                self.written.fetch_add(1, Ordering::Relaxed);
                match &gap {
                    Some((error, Gap::Engine)) => self.context.report(error),
                    Some((error, _)) => self.context.print(error),
                    None => {}
                }
                if let Some(note) = &note {
                    self.context.inform(note);
                }
                Ok::<(), Error>(())
            })
        })
    }

    /// Returns the summary of the games that were written; `nodes` is the limit of the built-in engine for each position, if known.
    pub(super) fn summary(&self, games: u64, nodes: Option<u64>, language: Language) -> String {
        summary([games, self.failed, self.partial], nodes, &self.players, &self.moments, language)
    }

    fn out(&mut self) -> &mut Output {
        self.file.as_mut().unwrap_or(&mut self.context.out)
    }

    pub(super) fn report(&mut self, error: &Error) {
        self.bar.suspend(|| interrupt::while_running(|| self.context.report(error)));
    }

    /// Removes the progress from the terminal.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the file for each input, by its label, in a folder: with the path of the input below the folder that was given, and
/// the extension of the format.
///
/// # Errors
///
/// If two inputs have the same file, or a file is an input.
pub(super) fn files_for(
    inputs: &[&Input],
    given: &[PathBuf],
    folder: &Path,
    extension: &str,
) -> Result<HashMap<String, PathBuf>> {
    let labels = || inputs.iter().map(|input| input.label());
    let files: Vec<_> = labels().map(|label| file_for(label, given, folder, extension)).collect();
    let mut seen = HashSet::new();
    for file in &files {
        if !seen.insert(file) {
            return Err(Error::usage(format!("{}: two inputs would be written to this file", file.display())));
        }
        let is_input = |input: &&Input| input.path().is_some_and(|path| Growth::Visible.replaces(file, path));
        if inputs.iter().any(is_input) {
            return Err(Error::usage(format!("{}: {REPLACES_INPUT}", file.display())));
        }
    }
    Ok(labels().map(str::to_owned).zip(files).collect())
}

fn file_for(label: &str, given: &[PathBuf], folder: &Path, extension: &str) -> PathBuf {
    let path = if label == "-" { Path::new("stdin.pdn") } else { Path::new(label) };
    // Of given folders that contain each other, the innermost decides: nothing below it needs the outer one.
    let below =
        given.iter().filter_map(|given| path.strip_prefix(given).ok()).min_by_key(|rest| rest.as_os_str().len());
    let rest = below.filter(|rest| !rest.as_os_str().is_empty()).or(path.file_name().map(Path::new)).unwrap_or(path);
    // A root or `..` in the name of an input would lead out of the folder.
    let normal = rest.components().filter(|part| matches!(part, Component::Normal(_)));
    uncompressed(&normal.fold(folder.to_owned(), |path, part| path.join(part))).with_extension(extension)
}

/// Returns the numbers of games, of those that could not be annotated, or not to their ends, of moves and marks, the play of the players with most
/// moves, and their key moments.
fn summary(
    [games, failed, partial]: [u64; 3],
    nodes: Option<u64>,
    players: &PlayerTable,
    moments: &KeyMoments,
    language: Language,
) -> String {
    let (all, label) = (players.total(), |key: &str| label(key, language));
    let mut text = format!(
        "{}, {}, {} ?!, {} ?, {} ??",
        language.labelled(&label("games"), games),
        language.labelled(&label("counted"), all.moves),
        all.inaccuracies,
        all.mistakes,
        all.blunders
    );
    if all.moves > 0 {
        text += &found(nodes, language);
    }
    // Writing to memory cannot fail, here and below.
    for (key, number) in [("failed", failed), ("partial", partial)].into_iter().filter(|(_, number)| *number > 0) {
        let _ = write!(text, "\n{}", language.labelled(&label(key), number));
    }
    // With `--player`, the moves of the opponents are not annotated.
    let mut rows: Vec<_> = players.rows().filter(|row| row.moves > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.moves));
    let [accuracy, loss, moves, games] = ["accuracy", "loss", "moves", "games"].map(|key| format!("#{}", label(key)));
    let header = [&*accuracy, &loss, "#?!", "#?", "#??", &moves, &games, &label("player")];
    let mut table = Table::new(&header);
    rows.iter().take(MAX_PLAYERS).for_each(|row| table.row(cells(row, language)));
    if !rows.is_empty() {
        let _ = write!(text, "\n{}", table.text().trim_end());
    }
    if rows.len() > MAX_PLAYERS {
        let _ = write!(text, "\n{}", language.labelled(&label("others"), rows.len() - MAX_PLAYERS));
    }
    for row in rows.iter().take(MAX_PLAYERS) {
        let worst = moments.of_player(row.player);
        if !worst.is_empty() {
            let _ = write!(text, "\n{}", language.labelled(&label("worst"), row.player));
        }
        for moment in worst {
            text.push_str(&moment_line(moment, language));
        }
    }
    text
}

/// Returns what share of the lost moves has marks, so that a game without marks does not pass for one without mistakes.
fn found(nodes: Option<u64>, language: Language) -> String {
    let measured = FOUND.iter().rfind(|(least, _)| nodes.is_some_and(|nodes| nodes >= *least));
    let key = measured
        .map_or_else(|| "found-some".to_owned(), |(least, [large, small])| format!("found|{large}|{small}|{least}"));
    format!("\n{}", label(&key, language))
}

/// Returns a heading of the summary.
fn label(key: &str, language: Language) -> String {
    words(&SentenceFacts::read(&format!("summary-{key}")), language).unwrap_or_default()
}

fn moment_line(moment: &KeyMoment, language: Language) -> String {
    let mark = match moment.judgement {
        Judgement::Inaccuracy => "?!",
        Judgement::Mistake => "?",
        Judgement::Blunder => "??",
    };
    let sentence = moment.explanation.as_ref().and_then(|explanation| words(explanation, language));
    let loss = format!("(-{})", language.decimal(f64::from(moment.loss) / 1000.0, 2));
    let loss = sentence.map_or_else(|| loss.clone(), |sentence| language.labelled(&loss, sentence));
    format!("\n  {}:{} {}{mark} {loss}", moment.file, moment.line, moment.text)
}

fn cells(row: &AccuracyRow<'_>, language: Language) -> [String; 8] {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| language.decimal(value, 1));
    let marks = [row.inaccuracies, row.mistakes, row.blunders].map(|marks| marks.to_string());
    let [inaccuracies, mistakes, blunders] = marks;
    let (moves, games, player) = (row.moves.to_string(), row.games.to_string(), row.player.to_owned());
    [number(row.accuracy), number(row.average_loss_cm), inaccuracies, mistakes, blunders, moves, games, player]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_names_of_inputs() {
        let given = [PathBuf::from("archive"), PathBuf::from("/x/b.pdn")];
        let file = |label, extension| file_for(label, &given, Path::new("out"), extension);
        assert_eq!(file("archive/1990/a.pdn", "pdn"), Path::new("out/1990/a.pdn"));
        assert_eq!(file("/x/b.pdn", "csv"), Path::new("out/b.csv"));
        assert_eq!(file("../c.pdn", "jsonl"), Path::new("out/c.jsonl"));
        assert_eq!(file("-", "pdn"), Path::new("out/stdin.pdn"));
        assert_eq!(file("archive/1990/a.pdn.gz", "pdn"), Path::new("out/1990/a.pdn"));
        assert_eq!(file("a.pdn.ZST", "jsonl"), Path::new("out/a.jsonl"));
    }

    #[test]
    fn a_run_without_annotations() {
        assert_eq!(
            summary([1, 0, 0], Some(20_000), &PlayerTable::default(), &KeyMoments::default(), Language::English),
            "games: 1, moves that count: 0, 0 ?!, 0 ?, 0 ??"
        );
        assert_eq!(
            summary([1, 1, 0], Some(20_000), &PlayerTable::default(), &KeyMoments::default(), Language::French),
            "parties\u{a0}: 1, coups comptés\u{a0}: 0, 0 ?!, 0 ?, 0 ??\nparties non annotées\u{a0}: 1"
        );
    }

    #[test]
    fn a_summary_says_how_many_moves_have_no_mark() {
        let measured = |nodes| {
            FOUND.map(|(least, [large, _])| {
                (found(Some(nodes), Language::English).contains(&format!("{large} %")), least)
            })
        };
        assert_eq!(measured(50_000), [(true, 20_000), (false, 100_000)]);
        assert_eq!(measured(100_000), [(false, 20_000), (true, 100_000)]);
        for nodes in [None, Some(19_999)] {
            assert!(found(nodes, Language::English).contains("only some of the moves"), "{nodes:?}");
        }
    }
}
