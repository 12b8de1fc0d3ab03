//! The annotation of one game.

use super::analyst::Analyst;
use super::evaluation::evaluation;
use super::line::shortened;
use super::options::AnnotateOptions;
use super::study::{Ply, Study};
use crate::error::Error;
use crate::records::Annotation;
use crate::replay::ReplayedGame;

/// Annotates the main line of a game.
///
/// Each position is analysed, and where its evaluation and that of the next one disagree so much that the move between them
/// may be a bad one, both are analysed again with a higher limit, and the position after the best move too; a move that is about
/// to be marked is looked at once more, with a still higher limit. A judgement is always a comparison of two such searches. A forced move is not searched: its score follows from that of the next position.
/// `progress` is called after each move.
///
/// # Errors
///
/// If the analyst fails.
pub fn annotate(
    game: &ReplayedGame,
    analyst: &mut dyn Analyst,
    options: &AnnotateOptions,
    progress: &dyn Fn(),
) -> Result<Vec<Annotation>, Error> {
    let plies = main_line(game);
    let mut annotations = Vec::with_capacity(plies.len());
    for run in plies.chunk_by(|a, b| a.after == b.before) {
        let first = run.iter().take_while(|ply| !options.includes_ply(ply.number)).count();
        let count = run[first..].iter().take_while(|ply| options.includes_ply(ply.number)).count();
        if count == 0 {
            continue;
        }
        let study = Study::of(&run[..first + count], first, analyst, options, progress)?;
        let plies = (first..first + count).filter(|&n| options.includes(run[n].number, run[n].before.turn()));
        annotations.extend(plies.map(|n| annotation(&run[n], n, &study)));
    }
    Ok(annotations)
}

fn main_line(game: &ReplayedGame) -> Vec<Ply> {
    let played = |node| {
        let ply = game.ply(node)?;
        let (before, played, after) = (*ply.before()?, *ply.played()?, *ply.after()?);
        Some(Ply { node, number: ply.number(), before, played, after })
    };
    game.main_moves().filter_map(played).collect()
}

/// Returns the annotation of the n-th move of a study.
fn annotation(ply: &Ply, n: usize, study: &Study<'_>) -> Annotation {
    let (before, after) = (study.value(n), study.value(n + 1));
    let expectation = study.expectation(n);
    let judgement = study.judgement(n);
    Annotation {
        node: ply.node,
        evaluation: evaluation(after.score(), ply.after.turn()),
        judgement,
        best_line: if judgement.is_some() { shortened(&ply.before, before.pv()) } else { Vec::new() },
        best_evaluation: evaluation(before.score(), ply.before.turn()),
        expectation,
        forced: study.is_forced(n),
    }
}
